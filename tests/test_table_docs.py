"""docs/mqtt.md is the contract: what goes over the wire is named there."""

import re
from pathlib import Path

import pytest

from table import broker, mqtt, resync
from table.envelope import EVENT_TYPES, EventRecord
from table.outbox import WINDOW

ROOT = Path(__file__).parent.parent
MQTT = (ROOT / "docs" / "mqtt.md").read_text()


@pytest.mark.parametrize("type", sorted(EVENT_TYPES))
def test_every_event_type_is_described(type):
    """Each type that the journal takes has its row."""
    assert re.search(rf"^\|[^|]*`{type}`[^|]*\|", MQTT, re.M)


def test_every_topic_is_described():
    """Each leaf that the publisher writes or reads, and that the page reads, has its row in the table of topics."""
    written = set(
        re.findall(r'(?:publish|publish_and_wait|subscribe|topic)\(\s*"([a-z/]+)"', (ROOT / "table" / "mqtt.py").read_text())
    )
    read = set(
        re.findall(r'"(\w+)"', re.search(r"LEAVES = \[(.*?)\]", (ROOT / "display" / "static" / "feed.js").read_text()).group(1))
    )
    assert written >= {"status", "info", "state", "event", "alert", "alerts", "cmd/resync", "rsp/resync"} and read
    assert all(f"\n| `{leaf}` |" in MQTT for leaf in written | read)


def test_the_numbers_are_those_of_the_code():
    """Window, page size and the types of alerts are told as they are."""
    assert f"At most {WINDOW} events" in MQTT
    assert f"at most {resync.PAGE_ROWS} events or {resync.PAGE_BYTES // 1024} KiB" in MQTT
    row = next(line for line in MQTT.splitlines() if line.startswith("| `alert` |"))
    assert set(re.findall(r"`(\w+)`", row)) == mqtt.ALERT_TYPES | {"alert"}
    assert all(kind in MQTT for kind in broker.KINDS)


def test_every_field_of_an_event_is_shown():
    """The example carries each field of the envelope, in the order that is written."""
    example = MQTT[MQTT.index("### event and alert") :]
    keys = re.findall(r'"(\w+)":', example[example.index("```json") : example.index('"data"') + 7])
    assert keys == [field.alias or name for name, field in EventRecord.model_fields.items()]
