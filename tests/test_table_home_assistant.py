"""Home Assistant is told of a table, and of nothing that the table does not say."""

from __future__ import annotations

import json
import re

import paho.mqtt.client as paho
import pytest

from table.home_assistant import discovery
from table.journal import Journal
from table.mqtt import MqttPublisher, MqttSettings
from table.mqtt_payloads import Alerts, Health, State, Status

SETTINGS = MqttSettings("finals", "t07")
PAYLOADS = {"state": State, "alerts": Alerts, "health": Health, "status": Status}
TOPIC, TEXT = discovery(SETTINGS)
DEVICE = json.loads(TEXT)
TOLD = [(one["state_topic"], one["value_template"]) for one in DEVICE["components"].values()]
TOLD += [(one["topic"], one["value_template"]) for one in DEVICE["availability"]]


@pytest.mark.parametrize(("topic", "template"), TOLD)
def test_templates_name_what_is_on_their_topic(topic, template):
    """Each `value_json.…` is a field of the payload that its topic carries, at every depth."""
    leaf = topic.removeprefix(SETTINGS.topic(""))
    paths = re.findall(r"value_json((?:\.\w+)+)", template)
    assert paths
    for path in paths:
        model = PAYLOADS[leaf]
        for name in path.strip(".").split("."):
            field = model.model_fields[name]
            model = field.annotation


def test_every_component_is_one_of_its_kind():
    """Ids are unique and hold event and table; a component says what it is."""
    ids = [one["unique_id"] for one in DEVICE["components"].values()]
    assert len(set(ids)) == len(ids) and all(id.startswith("miron-finals-t07-") for id in ids)
    assert {one["platform"] for one in DEVICE["components"].values()} == {"sensor", "binary_sensor"}
    assert discovery(MqttSettings("finals", "t08"))[0] != TOPIC


@pytest.mark.parametrize("wanted", [True, False])
def test_the_device_is_told_inside_a_connect(tmp_path, broker, wanted):
    """With the setting the retained description is there for a Home Assistant that comes later, without it nothing is."""
    with Journal(tmp_path / "t07.db", "finals", "t07") as journal:
        journal.append("tile_played", {}, 0.0, None, 1, 1, "2026-11-30T00:10:11.123Z")
        settings = MqttSettings("finals", "t07", port=broker.tcp_port, home_assistant=wanted)
        publisher = MqttPublisher(journal, settings, {"schema": 1})
        publisher.start()
        assert publisher.drain(30)
        publisher.stop()
    heard, done = [], []
    client = paho.Client(paho.CallbackAPIVersion.VERSION2)
    client.on_message = lambda client, userdata, message: heard.append((message.topic, message.payload.decode(), message.retain))
    client.on_connect = lambda client, *_: client.subscribe([("homeassistant/#", 1), ("miron/v1/finals/table/t07/status", 1)])
    client.on_subscribe = lambda *_: done.append(True)
    client.connect("127.0.0.1", broker.tcp_port)
    while not (done and any(topic.endswith("status") for topic, *_ in heard)):
        client.loop(0.1)
    for _ in range(5):
        client.loop(0.1)
    found = [one for one in heard if one[0].startswith("homeassistant")]
    assert found == ([(TOPIC, TEXT, True)] if wanted else [])
