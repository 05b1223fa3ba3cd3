"""Broker and table killed on the spot at random moments of a match: who follows `seq` ends with every event once, in order."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import killed_table
import pytest
from conftest import examples
from legal_play import play_hand
from mqtt_listener import Follower, Listener

from rules.observations import Expose, Observation, observation_to_dict
from rules.seats import Seat
from table.broker import Broker
from table.journal import Journal

AGENT = Path(killed_table.__file__)


def written(path: Path) -> list[str]:
    """The lines of a journal, which is whole."""
    with Journal(path, "finals", "t07") as journal:
        assert journal.verify() is None
        return [row.line for row in journal.rows(1, 100_000)]


def play(path: Path, events: int) -> list[Observation]:
    """Hands of random legal play, in each an exposed tile, written to a journal without any kill until there are so many events."""
    heard = list[Observation]()
    with Journal(path, "finals", "t07", killed_table.BOOT) as journal:
        monitor = killed_table.new_match(journal)
        while journal.last_seq < events:
            monitor = killed_table.new_match(journal) if monitor.state.over else monitor
            start = monitor.state.heard[-1].t + 10 if monitor.state.heard else 0.0
            hand = play_hand(len(heard), monitor.next_opener or Seat.S, t=start)
            opening, *rest = hand.observations
            owner, tile = next((Seat(seat), tiles[0]) for seat, tiles in enumerate(hand.leftover) if tiles)
            for seen in (opening, Expose(t=opening.t + 1, seat=owner, tile=tile, cause="drop"), *rest):
                if not monitor.state.over:
                    monitor.observe(seen)
                    heard.append(seen)
    return heard


class Fixture:
    """The table's process and its broker, both of which come back after a kill."""

    def __init__(self, kind, journal: Path, observations: Path, pause_s: float) -> None:
        self.broker = Broker(kind).start()
        self._command = [sys.executable, str(AGENT), str(journal), str(observations), str(self.broker.tcp_port), str(pause_s)]
        self._start()

    def _start(self) -> None:
        self.agent = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def read(self) -> str:
        """What the table says next."""
        assert self.agent.stdout is not None
        return self.agent.stdout.readline().strip()

    def kill_agent(self) -> None:
        self.agent.kill()
        self.agent.communicate()
        self._start()

    def kill_broker(self) -> None:
        old = self.broker
        assert old.pid is not None
        os.kill(old.pid, signal.SIGKILL)
        old.stop()
        self.broker = Broker(old.kind, tcp_port=old.tcp_port, ws_port=old.ws_port).start()

    def close(self) -> None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.agent.communicate(timeout=20)
        self.agent.kill()
        self.broker.stop()


@pytest.mark.parametrize(
    "size", [examples((150, 3), (2000, 20))], ids=lambda size: f"{size[0]} events, {size[1]} and {size[1]} kills"
)
def test_kills_lose_nothing_and_double_nothing(tmp_path, broker_kind, size, capsys):
    """The follower's events are, byte for byte, those of a match that nobody killed: none lost, none doubled, none out of order."""
    events, kills = size
    observations = tmp_path / "observations.jsonl"
    observations.write_text("".join(json.dumps(observation_to_dict(s)) + "\n" for s in play(tmp_path / "whole.db", events)))
    whole = written(tmp_path / "whole.db")
    rng, began = random.Random(7), time.monotonic()
    plan = sorted((rng.randrange(len(whole) * 9 // 10), who) for who in ("broker", "agent") * kills)
    fixture = Fixture(broker_kind, tmp_path / "killed.db", observations, pause_s=0.004)
    with contextlib.closing(fixture), Listener(fixture.broker.tcp_port) as listener:
        follower = Follower(listener)
        while (said := fixture.read()) != "done":
            follower.keep_up()
            if plan and int(said) >= plan[0][0]:
                time.sleep(rng.random() * 0.03)
                fixture.kill_broker() if plan.pop(0)[1] == "broker" else fixture.kill_agent()
        assert not plan, "every kill has happened"
        assert follower.reach(len(whole), timeout_s=120)
    assert [json.dumps(e, ensure_ascii=False, separators=(",", ":")) for e in follower.events] == whole
    assert written(tmp_path / "killed.db") == whole
    again = len(listener.on("event")) - len(set(listener.seqs()))
    with capsys.disabled():  # figures of docs/benchmarks.md
        print(
            f"\n{broker_kind}: {len(whole)} events, {kills} kills of the broker and {kills} of the table, none lost, none doubled; "
            f"{again} heard twice and dropped by seq, {follower.asked} resyncs, {time.monotonic() - began:.0f} s"
        )
