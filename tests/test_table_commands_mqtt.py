"""Commands over real brokers: heard, carried out by the thread that owns the match, answered, and nothing hostile does harm."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from mqtt_listener import Listener

from rules.observations import Place, Withdraw
from rules.ruleset import DUSA
from rules.seats import Seat
from rules.tiles import Tile
from table.commands_desk import CommandDesk
from table.health import TimedDetector, health
from table.journal import Journal
from table.monitor import Monitor
from table.mqtt import MqttPublisher, MqttSettings
from table.snapshot import snapshot

HOSTILE = [b"", b"[]", b"{", b"[" * 4000, b"\xff\xfe", b"x" * 200_000, b'{"transaction":"t","by":"","seat":1e999}']


class NoTiles:
    """A detector that sees nothing."""

    def detect(self, image: np.ndarray, min_confidence: float = 0.5) -> list:
        return []


@contextmanager
def table(path: Path, port: int):
    """A table with one play that does not match, served by a thread of its own as a program would."""
    with Journal(path, "finals", "t07") as journal:
        monitor = Monitor.resume(journal) or Monitor(DUSA, journal, start_s=1_700_000_000, opener=Seat.S)
        publisher = MqttPublisher(journal, MqttSettings("finals", "t07", port=port, back_off_s=(0.1, 0.4)), {})
        looks = TimedDetector(NoTiles())

        def publish() -> None:
            publisher.publish_state(snapshot(monitor, "finals", "t07"))
            publisher.notify()

        desk = CommandDesk(monitor, publisher.answer, publish)
        stopping, told = threading.Event(), threading.Event()

        def work() -> None:
            if not monitor.state.heard:
                monitor.observe(Place(t=0, seat=Seat.S, tile=Tile(6, 6), at="open"))
                monitor.observe(Place(t=2, seat=Seat.E, tile=Tile(5, 4), at="b"))
                monitor.observe(Withdraw(t=3, seat=Seat.E, tile=Tile(5, 4)))
            looks.detect(np.zeros((4, 4, 3), np.uint8))
            desk.tick(3.0)
            publish()
            told.set()
            while not stopping.is_set():
                list(desk.serve(0.05))

        owner = threading.Thread(target=work)
        publisher.start(desk.hear, lambda: health(looks, journal, desk.waiting))
        owner.start()
        try:
            assert told.wait(30) and publisher.drain(30)  # nothing to send yet would be sent at once, before the table hears
            yield monitor
        finally:
            stopping.set()
            owner.join(10)
            publisher.stop()


def ask(listener: Listener, name: str, payload: object) -> dict:
    """Say a command and wait for the next reply to it."""
    count = len(listener.on(f"rsp/{name}"))
    listener.say(f"cmd/{name}", payload)
    assert listener.wait_until(lambda it: len(it.on(f"rsp/{name}")) > count)
    return listener.on(f"rsp/{name}")[-1]


def test_a_referee_rules_over_the_network(broker, tmp_path):
    """The ruling on an alert is answered, its events are heard in order, the retained state has the fine once and no open alert."""
    with Listener(broker.tcp_port) as listener, table(tmp_path / "t07.db", broker.tcp_port) as monitor:
        assert listener.wait_until(lambda it: it.on("alerts") and it.on("alerts")[-1]["alerts"])
        alert = listener.on("alerts")[-1]["alerts"][0]
        ruling = {"transaction": "c-1", "by": "Rosa", "incident": alert["seq"], "choice": "uphold"}
        reply = ask(listener, "ruling", ruling)
        assert reply["ok"], reply
        assert ask(listener, "ruling", ruling) == reply
        assert listener.wait_until(lambda it: [e["type"] for e in it.on("event")][-3:] == ["entered", "ruling", "score_changed"])
        assert listener.on("event")[-2]["data"] == {"incident": alert["seq"], "choice": "uphold", "by": "Rosa"}
        with Listener(broker.tcp_port) as late:
            assert late.wait_until(lambda it: it.on("state") and it.on("alerts"))
            assert late.on("state")[0]["fines"] == {"A": 50, "B": 0}
            assert late.on("alerts")[0]["alerts"] == []
        assert monitor.state.fines == (50, 0)


def test_the_answer_comes_after_what_was_done(broker, tmp_path):
    """When the reply is heard, the events and the state that it speaks of have been heard before it."""
    with Listener(broker.tcp_port) as listener, table(tmp_path / "t07.db", broker.tcp_port):
        reply = ask(listener, "pass", {"transaction": "p", "by": "E", "seat": 1})
        leaves = [heard.leaf for heard in listener.heard]
        assert reply["seq"] in listener.seqs()
        assert listener.on("state")[-1]["turn"] == 2
        assert leaves.index("rsp/pass") > max(i for i, leaf in enumerate(leaves) if leaf == "event")


def test_hostile_payloads_are_answered_and_survived(broker, tmp_path):
    """On every command topic what makes no sense is answered; afterwards the table still hears and plays on."""
    with Listener(broker.tcp_port) as listener, table(tmp_path / "t07.db", broker.tcp_port) as monitor:
        before = len(monitor.state.heard)
        for name in ("pass", "ruling", "correct", "start_match", "snapshot"):
            for payload in HOSTILE:
                assert ask(listener, name, payload)["ok"] is False
        listener.say("cmd/" + "x" * 200, "{}")
        assert ask(listener, "no_such_command", {"transaction": "t", "by": "b"})["error"].startswith("expected a command")
        assert ask(listener, "snapshot", {"transaction": "s", "by": "b"})["ok"]
        assert len(monitor.state.heard) == before


def test_a_command_over_a_restart_of_the_table_is_done_once(broker, tmp_path):
    """The next run of the program answers a transaction of the one before it, and does it no second time."""
    words = {"transaction": "t", "by": "E", "seat": 1}
    with Listener(broker.tcp_port) as listener:
        with table(tmp_path / "t07.db", broker.tcp_port):
            first = ask(listener, "pass", words)
        with table(tmp_path / "t07.db", broker.tcp_port) as monitor:
            assert listener.wait_until(lambda it: [word["status"] for word in it.on("status")].count("online") == 2)
            assert ask(listener, "pass", words) == first
            assert [seen.kind for seen in monitor.state.heard].count("pass") == 1
            assert monitor.match == 1


def test_health_is_told(broker, tmp_path):
    """Figures that are known are numbers, the others null; the journal's size and what waits are among them."""
    with Listener(broker.tcp_port) as listener, table(tmp_path / "t07.db", broker.tcp_port):
        assert listener.wait_until(lambda it: it.on("health"))
        told = listener.on("health")[0]
        assert set(told) == {
            "schema",
            "time",
            "boot",
            "fps",
            "latency_ms",
            "blur",
            "hidden",
            "drift_mm",
            "journal",
            "commands_waiting",
        }
        assert told["blur"] is None
        assert told["hidden"] is None
        assert told["journal"]["bytes"] > 4096
        assert set(told["journal"]) == {"bytes", "last_seq", "waiting"}
        assert not any(heard.retain for heard in listener.heard if heard.leaf == "health")


def test_looks_are_timed():
    """fps is the looks of the last ten seconds over ten, latency_ms their mean time; null without a look."""
    moments = iter([0.0, 100.0, 100.2, 100.2, 101.0, 101.4, 101.4, 101.5, 120.0])
    timed = TimedDetector(NoTiles(), lambda: next(moments))
    assert timed.figures() == {"fps": None, "latency_ms": None}
    timed.detect(np.zeros((4, 4, 3), np.uint8))
    timed.detect(np.zeros((4, 4, 3), np.uint8))
    assert timed.figures() == {"fps": 0.2, "latency_ms": pytest.approx(300)}
    assert timed.figures() == {"fps": None, "latency_ms": None}
