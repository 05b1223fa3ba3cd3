"""Transport faults seen in other systems: agents that fight for a table, ports that swallow bytes, stale state, clocks that jump."""

from __future__ import annotations

import contextlib
import logging
import time
from pathlib import Path

import pytest
from mqtt_listener import Listener
from running_table import START_S, RunningTable
from swallowing_port import SwallowingPort
from test_table_recording import record

from rules.observations import Place
from rules.seats import Seat
from rules.tiles import Tile
from table.broker import Broker
from table.envelope import wire_time
from table.journal import Journal
from table.mqtt import MqttPublisher, MqttSettings
from table.recording import open_recording
from table.replay import Replay
from table.replay_verify import first_difference

TIME = "2026-11-30T00:10:11.123Z"
STATE = {"schema": 1, "seq": 3, "match": 4, "score": {"A": 30, "B": 12}, "alerts": []}


@contextlib.contextmanager
def agent(path: Path, port: int, **settings):
    """A publisher of finals/t07 with a journal of its own and one event in it."""
    with Journal(path, "finals", "t07") as journal:
        publisher = MqttPublisher(journal, MqttSettings("finals", "t07", port=port, back_off_s=(0.2, 0.8), **settings), {})
        journal.append("tile_played", {}, 0.0, None, 1, 1, TIME)
        publisher.start()
        try:
            assert publisher.drain(30)
            yield publisher, journal
        finally:
            publisher.stop()


def alarms(listener: Listener) -> list[str]:
    """The codes on the newest `alerts`."""
    return [alert["code"] for alert in listener.on("alerts")[-1]["alerts"]]


def last_status(listener: Listener) -> str:
    return listener.on("status")[-1]["status"]


def test_two_hosts_of_one_name_are_told_apart(tmp_path, broker, caplog):
    """Two agents under one client id throw each other out a few times, then both stay, each with the alarm; nothing is lost."""
    caplog.set_level(logging.INFO, "table.mqtt")
    with (
        Listener(broker.tcp_port) as listener,
        agent(tmp_path / "one.db", broker.tcp_port, agent="raspberrypi") as (_, one),
        agent(tmp_path / "two.db", broker.tcp_port, agent="raspberrypi") as (_, two),
    ):

        def both_alarmed(it):
            told = {word["boot"] for word in it.on("status") if word["status"] == "online"}
            return told == {one.boot, two.boot} and alarms(it) == ["DUPLICATE_TABLE"] and len(it.on("alerts")) >= 4

        assert listener.wait_until(both_alarmed)
        time.sleep(1)
        words = len(listener.on("status"))
        time.sleep(3)
        assert len(listener.on("status")) == words
        assert sum("connected to the broker" in record.getMessage() for record in caplog.records) <= 8
        assert any("the other is on host raspberrypi" in record.getMessage() for record in caplog.records)
        for journal in (one, two):
            assert journal.acknowledged == journal.last_seq


def test_a_port_that_swallows_bytes_is_noticed_within_the_keep_alive(tmp_path, broker, caplog):
    """Nobody hangs up, yet the table knows within its keep-alive, the screens too; afterwards nothing is missing."""
    keepalive_s = 4
    with (
        SwallowingPort(broker.tcp_port) as port,
        Listener(broker.tcp_port) as listener,
        agent(tmp_path / "t07.db", port.port, keepalive_s=keepalive_s) as (publisher, journal),
    ):
        port.blocked, blocked_s = True, time.monotonic()
        while not any("the connection was lost" in record.getMessage() for record in caplog.records):
            assert time.monotonic() - blocked_s < keepalive_s + 1, "a second more, the grain of paho's clock"
            time.sleep(0.05)
        assert listener.wait_until(lambda it: last_status(it) == "offline", 2 * keepalive_s)
        for n in range(30):
            journal.append("tile_played", {"n": n}, 1.0, None, 1, 1, TIME)
        assert not publisher.drain(0.5)
        port.blocked = False
        assert publisher.drain(30)
        assert listener.wait_until(lambda it: it.seqs() == list(range(1, 32)) and last_status(it) == "online")


def test_an_old_state_is_never_shown_under_a_new_agent(tmp_path, broker):
    """When `online` of a new agent is heard, what an earlier one left on `state` is gone; the next state says whose it is."""
    with Listener(broker.tcp_port) as screen:
        screen.say("state", {**STATE, "boot": "old"}, retain=True)
        screen.say("status", {"schema": 1, "status": "offline", "boot": "old", "host": "pi"}, retain=True)
        with agent(tmp_path / "new.db", broker.tcp_port) as (publisher, journal):
            assert screen.wait_until(lambda it: last_status(it) == "online")
            assert screen.on("status")[-1]["boot"] == journal.boot
            assert screen.on("state")[-1] is None
            with Listener(broker.tcp_port) as late:
                assert late.wait_until(lambda it: it.on("status"))
                assert not late.on("state")
            publisher.publish_state({**STATE, "match": 5, "score": {"A": 0, "B": 0}})
            assert screen.wait_until(lambda it: it.on("state")[-1])
            assert (screen.on("state")[-1]["match"], screen.on("state")[-1]["boot"]) == (5, journal.boot)


def test_a_new_match_takes_the_old_ones_state_away(tmp_path, broker):
    """From the first word of the run after it on, what is retained is the new match, under the run's own boot."""
    new = {"transaction": "n", "by": "Rosa", "abandon": True}
    with Listener(broker.tcp_port) as screen:
        with RunningTable(tmp_path / "t07.db", broker.tcp_port) as first:
            first.play("6-6:open 6-5:b 5-5:b")
            screen.say("cmd/start_match", new)
            assert screen.wait_until(lambda it: it.on("state") and it.on("state")[-1]["match"] == 2)
        heard = len(screen.on("state"))
        with RunningTable(tmp_path / "t07.db", broker.tcp_port) as second:
            assert screen.wait_until(lambda it: it.on("state")[-1]["boot"] == second.journal.boot)
            assert {(state["match"], len(state["line"])) for state in screen.on("state")[heard:]} == {(2, 0)}


def test_wall_clock_steps_change_neither_order_nor_times(tmp_path, broker, monkeypatch):
    """An hour back, a year on, 1970: events stay in order of seq and t_s, their times follow from the frames, commands come in time."""
    real = time.time
    with Listener(broker.tcp_port) as listener:
        with RunningTable(tmp_path / "t07.db", broker.tcp_port) as running:
            running.play("6-6:open 6-5:b")
            for n, clock in enumerate((lambda: real() - 3600, lambda: real() + 365 * 86400, lambda: 12.0)):
                monkeypatch.setattr(time, "time", clock)
                listener.say("cmd/pass", {"transaction": f"p{n}", "by": "N", "seat": (2 + n) % 4})
                assert listener.wait_until(lambda it, n=n: len(it.on("rsp/pass")) == n + 1, 10)
            assert all(reply["ok"] for reply in listener.on("rsp/pass"))
        with RunningTable(tmp_path / "t07.db", broker.tcp_port) as later:  # taken up in 1970
            later.see(Place(t=1.0, seat=Seat.E, tile=Tile(6, 4), at="a"))
            assert later.publisher.drain(30)
            assert listener.wait_until(lambda it: it.seqs()[-1] == later.journal.last_seq)
    events = listener.on("event")
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    moments = [event["t_s"] for event in events]
    assert moments == sorted(moments) and moments[-1] < 60
    assert all(event["time"] == wire_time(START_S + event["t_s"]) for event in events)


def test_a_wall_clock_step_does_not_hold_up_the_transport(tmp_path, broker_kind, monkeypatch):
    """With the clock back in 1970 a lost broker is found again after the pause that was due, not later and not more often."""
    broker = Broker(broker_kind).start()
    with agent(tmp_path / "t07.db", broker.tcp_port) as (publisher, journal):
        monkeypatch.setattr(time, "time", lambda: 12.0)
        broker.stop()
        with Broker(broker_kind, tcp_port=broker.tcp_port, ws_port=broker.ws_port):
            journal.append("tile_played", {}, 0.0, None, 1, 1, TIME)
            began = time.monotonic()
            assert publisher.drain(30)
            assert time.monotonic() - began < 5


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recording")
    return record(folder / "match", folder / "journal.db")


@pytest.mark.parametrize("shift_s", [-3600, 365 * 86400, -time.time()], ids=["an hour back", "a year on", "1970"])
def test_a_replay_is_the_same_whatever_the_clock_says(recorded, monkeypatch, shift_s):
    """An hour back, a year on, 1970: the events of a recording come out byte for byte."""
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + shift_s)
    with Replay(open_recording(recorded)) as replay:
        assert first_difference(open_recording(recorded), replay.from_looks()) is None
