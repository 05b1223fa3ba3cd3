"""Hostile words on every topic that a table hears: answered or ignored, never fatal, over both kinds of broker."""

from __future__ import annotations

import contextlib
import json
import time

import pytest
from conftest import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mqtt_listener import Listener
from running_table import RunningTable

from table.broker import Broker
from table.commands import COMMANDS
from table.journal import Journal
from table.resync import Resync, refusal
from table.status import MAX_RIVALS, Presence

EVIL = '<img src=x onerror="alert(1)"><script>alert(2)</script>'
DEEP = b'{"a":' * 20_000
HOSTILE = [
    b"", b"null", b"[]", b"{", b"\x00" * 100, b"\xff\xfe\xfd", b"\xed\xa0\x80", DEEP, b"[" * 100_000, b"9" * 5000, b"x" * 900_000,
    b'{"transaction":"t","by":"b","seat":1e999}', b'{"transaction":"t","by":"b","seat":NaN}', b'{"from":1e400}',
    b'{"transaction":"t","by":"b","seq":99999999999999999999999999999999}', b'{"from":99999999999999999999999999999}',
    b'{"__proto__":{"x":1},"constructor":1,"transaction":["t"],"by":{"b":1}}',
    json.dumps({"transaction": EVIL, "by": EVIL * 2, "text": EVIL, "reason": EVIL, "code": EVIL, "choice": EVIL}).encode(),
    json.dumps({"transaction": "t\u0000", "by": "\u202eevil", "text": "\u2028"}).encode(),
    json.dumps({"transaction": "t" * 500, "by": "b", "teams": {"A": EVIL, "B": []}}).encode(),
    json.dumps({"transaction": "../../etc/passwd", "by": "b'; DROP TABLE event; --", "seat": "'"}).encode(),
]  # fmt: skip
WITHOUT_FIELDS = {
    name
    for name, model in COMMANDS.items()
    if not any(f.is_required() for n, f in model.model_fields.items() if n not in ("transaction", "by"))
}
ODD_TOPICS = [
    "cmd/",
    "cmd/PASS",
    "cmd/pass/extra",
    "cmd/../status",
    "cmd/" + "x" * 300,
    "cmd/päss",
    "cmd/a b",
    "rsp/pass",
    "event",
    "state",
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
PAYLOADS = st.binary(max_size=120) | JSON.map(lambda value: json.dumps(value).encode()) | st.sampled_from(HOSTILE)


@pytest.fixture(scope="module")
def heard_by(tmp_path_factory):
    """A listener and a table with a play, on one broker for all examples."""
    folder = tmp_path_factory.mktemp("fuzz")
    with Broker() as broker, Listener(broker.tcp_port) as listener, RunningTable(folder / "t07.db", broker.tcp_port) as table:
        table.play("6-6:open 6-5:b")
        yield listener, table


def still_hears(listener: Listener) -> None:
    """The table answers a command that makes sense, on the connection that it had."""
    name = f"alive-{time.monotonic_ns()}"
    listener.say("cmd/snapshot", {"transaction": name, "by": "b"})
    answered = lambda it: any(reply["transaction"] == name and reply["ok"] for reply in it.on("rsp/snapshot"))  # noqa: E731
    assert listener.wait_until(answered, 60)


@pytest.mark.parametrize("name", [*COMMANDS, "resync"])
def test_hostile_words_on_every_command_are_answered(heard_by, name):
    """Each of them gets one reply; one that refuses it does so in one line of plain text. Without a field nothing is entered."""
    listener, table = heard_by
    before, events = len(listener.on(f"rsp/{name}")), table.journal.last_seq
    for payload in HOSTILE:
        count = len(listener.on(f"rsp/{name}"))
        listener.say(f"cmd/{name}", payload)
        assert listener.wait_until(lambda it, count=count: len(it.on(f"rsp/{name}")) > count), payload[:60]
    replies = listener.on(f"rsp/{name}")[before:]
    assert len(replies) == len(HOSTILE)
    refused = [reply["error"] for reply in replies if not reply["ok"]]
    assert len(refused) >= len(HOSTILE) - 4, "some are nothing but odd transactions, for a command without fields"
    assert all(error.startswith("expected") and error.isprintable() and len(error) < 500 for error in refused)
    if name not in WITHOUT_FIELDS:
        assert len(refused) == len(HOSTILE) and table.journal.last_seq == events
    still_hears(listener)


def test_odd_topics_are_ignored(heard_by):
    """Names of commands that cannot be, and other writers on the table's own topics, do no harm."""
    listener, table = heard_by
    events = table.journal.last_seq
    for leaf in ODD_TOPICS:
        with contextlib.suppress(ValueError):
            listener.say(leaf, HOSTILE[-1])
    still_hears(listener)
    assert table.journal.last_seq == events and table.journal.verify() is None


@settings(max_examples=examples(60, 1000), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from([*COMMANDS, "resync", "status"]), payload=PAYLOADS)
def test_nothing_on_the_wire_stops_the_table(heard_by, name, payload):
    """Whatever is said on whatever topic, the next sensible command is answered and the last word on `status` is online."""
    listener, _ = heard_by
    listener.say("status" if name == "status" else f"cmd/{name}", payload)
    still_hears(listener)
    if name == "status":
        assert listener.wait_until(
            lambda it: isinstance(it.on("status")[-1], dict) and it.on("status")[-1].get("status") == "online"
        )


@settings(max_examples=examples(300, 5000), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(payload=PAYLOADS)
def test_a_resync_is_pages_or_a_refusal(tmp_path, payload):
    """Any request ends in BadInput, which is told in JSON, or in pages that come to an end."""
    with Journal(tmp_path / "t07.db", "finals", "t07") as journal:
        try:
            asked = Resync.asked(payload, journal)
        except ValueError as error:
            assert json.loads(refusal(payload, error))["ok"] is False
        else:
            assert json.loads(asked.page(journal))["ok"] is True and asked.finished


@given(
    words=st.lists(
        PAYLOADS | st.builds(lambda b: json.dumps({"status": "online", "boot": b}).encode(), st.text(max_size=5)), max_size=30
    )
)
def test_rivals_are_bounded(words):
    """However many boots claim a table, the alarms stay few and are plain JSON."""
    presence = Presence("own", "pi", "2026-11-30T00:10:11.123Z")
    for word in words:
        presence.must_answer(word)
    assert len(presence.alarms()) <= MAX_RIVALS
    json.dumps(presence.alarms())
