"""docs/asyncapi.yaml: it is made from the models, names every topic, and holds for what is really published."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
import yaml
from every_kind import KINDS
from jsonschema import Draft202012Validator
from mqtt_listener import Listener
from planted import planted_hand
from running_table import RunningTable

from rules.ruleset import DUSA, FID
from scripts import asyncapi
from table.asyncapi import ROOT as TOPICS
from table.asyncapi import message_of
from table.broker import Broker
from table.commands import COMMANDS
from table.envelope import EVENT_TYPES
from table.monitor import Monitor
from table.snapshot import snapshot

DOCS = Path(__file__).parent.parent / "docs"
DOCUMENT = yaml.safe_load((DOCS / "asyncapi.yaml").read_text())
CHANNELS, SCHEMAS = DOCUMENT["channels"], DOCUMENT["components"]["schemas"]


def closed(schema):
    """The schema without room for keys that it does not name."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    tight = {key: closed(value) for key, value in schema.items()}
    return tight | ({"additionalProperties": False} if "properties" in schema and "additionalProperties" not in schema else {})


@cache
def validator(name):
    """Holds a payload against a message; keys that are not named are faults."""
    return Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": {"schemas": TIGHT}})


def tight(name):
    """A schema that is closed; of an event, whose envelope says nothing of its data, the data alone."""
    if not name.endswith("Event"):
        return closed(SCHEMAS[name])
    envelope, own = SCHEMAS[name]["allOf"]
    return {"allOf": [envelope, {"properties": {**own["properties"], "data": closed(own["properties"]["data"])}}]}


TIGHT = {name: tight(name) for name in SCHEMAS}


def test_the_file_is_made_from_the_models():
    """`python -m scripts.asyncapi` writes these very bytes."""
    assert (DOCS / "asyncapi.yaml").read_text() == asyncapi.text()


def test_every_reference_leads_somewhere():
    """Each $ref of the document is the place of something in it, and every schema is one of JSON Schema's."""
    for ref in set(re.findall(r"\$ref: '#/([^']+)'", asyncapi.text())):
        found = DOCUMENT
        for part in ref.split("/"):
            found = found[part]
    for name in SCHEMAS:
        Draft202012Validator.check_schema({"$ref": f"#/components/schemas/{name}", "components": {"schemas": SCHEMAS}})


def test_topics_are_those_of_the_contract():
    """Each row of docs/mqtt.md's table of topics is a channel with the same retain and QoS, each channel a row."""
    text = (DOCS / "mqtt.md").read_text()
    rows = re.findall(r"^\| `([a-z/<>]+)` \| (yes|no) \| ([01]) \|", text, re.M)
    told = {leaf: (retained == "yes", int(qos)) for leaf, retained, qos in rows}
    assert {"status", "state", "event", "cmd/resync", "rsp/<name>"} <= told.keys()
    said = {}
    for key, operation in DOCUMENT["operations"].items():
        leaf = CHANNELS[key]["address"].removeprefix(TOPICS)
        binding = operation["bindings"]["mqtt"]
        assert operation["action"] == ("receive" if leaf.startswith("cmd/") else "send")
        general = leaf if leaf in told else re.sub(r"/\w+$", "/<name>", leaf)
        said.setdefault(general, set()).add((binding["retain"], binding["qos"]))
    assert said == {leaf: {one} for leaf, one in told.items()}


def test_every_command_and_event_type_has_a_schema():
    """None is left out, and a command's operation names where the reply comes."""
    events = {message_of(type) for type in EVENT_TYPES - {"health"}}
    assert set(CHANNELS["event"]["messages"]) == events <= SCHEMAS.keys()
    for name, model in COMMANDS.items():
        assert list(CHANNELS[f"cmd_{name}"]["messages"]) == [model.__name__]
        assert DOCUMENT["operations"][f"cmd_{name}"]["reply"]["channel"]["$ref"] == f"#/channels/rsp_{name}"


@pytest.mark.parametrize("wrong", [{"status": "alive"}, {"boot": 7}, {"since": "yesterday"}, {"mood": "good"}])
def test_the_validator_finds_what_is_wrong(wrong):
    """A value, a kind, a form and a key that are not described are found."""
    right = {"schema": 1, "status": "online", "boot": "b", "host": "pi", "since": "2026-11-30T00:10:11.123Z"}
    assert validator("Status").is_valid(right)
    assert not validator("Status").is_valid(right | wrong)


COMMANDS_SAID = [
    ("pass", {"seat": 1}), ("announce", {"seat": 2}), ("touch", {"seat": 0, "slot": 2}), ("objection", {"seat": 3}),
    ("incident", {"code": "CONDUCT", "seat": 1, "text": "talks"}), ("card", {"seat": 1, "colour": "yellow", "reason": "talks"}),
    ("ruling", {"choice": "free", "text": "go on"}), ("undo", {}), ("entry", {"pair": "A", "points": 20}),
    ("start_hand", {"opener": 0}), ("last_hand", {}), ("time_called", {}), ("snapshot", {}), ("recalibrate", {}),
    ("correct", {"seq": 1, "void": True}), ("start_match", {"teams": {"A": "Los Pinos", "B": "La Ceiba"}, "abandon": True}),
]  # fmt: skip


@pytest.mark.parametrize(("ruleset", "share"), [(DUSA, 0), (FID, 1)], ids=["dusa", "fid"])
def test_what_is_published_is_what_is_described(tmp_path, ruleset, share):
    """Half the kinds of planted acts, every command, a resync: each payload on each topic is valid, and nothing more is in it."""
    with (
        Broker() as broker,
        Listener(broker.tcp_port) as listener,
        RunningTable(tmp_path / "t.db", broker.tcp_port, ruleset) as table,
    ):
        table.play("6-6:open 6-5:b")
        for n, (name, words) in enumerate(COMMANDS_SAID):
            listener.say(f"cmd/{name}", {"transaction": f"c{n}", "by": "Rosa", **words})
            assert listener.wait_until(lambda it, name=name: it.on(f"rsp/{name}"))
        for kind in list(KINDS.values())[share::2]:
            table.do(lambda kind=kind: play(table, ruleset, planted_hand(kind, 1).seen))
        listener.say("cmd/resync", {"from": 1, "transaction": "r"})
        listener.say("cmd/resync", {"from": 0, "transaction": "r"})
        assert table.publisher.drain(60)
        assert listener.wait_until(lambda it: any(page.get("more") is False for page in it.on("rsp/resync")) and it.on("health"))
    seen = set()
    for heard in listener.heard:
        if heard.leaf.startswith("cmd/") or heard.payload is None:
            continue
        names = CHANNELS[heard.leaf.replace("/", "_")]["messages"]
        wanted = [message_of(heard.payload["type"])] if heard.leaf in ("event", "alert") else names
        faults = {name: [fault.message for fault in validator(name).iter_errors(heard.payload)] for name in wanted}
        assert any(not found for found in faults.values()), (heard.leaf, faults, heard.payload)
        seen |= {heard.leaf} | ({heard.payload["type"]} if heard.leaf == "event" else set())
    assert seen >= {"status", "info", "state", "event", "alert", "alerts", "health", "rsp/resync", "rsp/pass", "rsp/start_match"}
    assert seen >= {
        "infraction",
        "suspicion",
        "reading_doubted",
        "tile_withdrawn",
        "tile_exposed",
        "entered",
        "ruling",
        "hand_ended",
    }


def play(table, ruleset, seen):
    """A hand as a match of its own; the state is published now and then."""
    monitor = Monitor(ruleset, table.journal, start_s=1_700_000_000)
    for n, one in enumerate(seen, 1):
        monitor.observe(one)
        if n % 9 == 0 or n == len(seen):
            table.publisher.publish_state(snapshot(monitor, "finals", "t07"))
    table.publisher.notify()
