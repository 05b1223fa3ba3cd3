"""A table with a desk for the tests of commands, without a network."""

from __future__ import annotations

import json
from pathlib import Path

from rules.observations import Place, Withdraw
from rules.ruleset import DUSA
from rules.seats import Seat
from rules.tiles import Tile
from table.commands_desk import CommandDesk
from table.journal import Journal
from table.monitor import Monitor
from table.snapshot import snapshot


class Table:
    """A table with a desk; `say` carries a command out at once and gives its reply."""

    def __init__(self, path: Path, ruleset=DUSA, opener=Seat.S, recalibrate=None) -> None:
        self.journal = Journal(path, "finals", "t07")
        self.monitor = Monitor.resume(self.journal) or Monitor(ruleset, self.journal, start_s=1_700_000_000, opener=opener)
        self.clock, self.replies, self.states = 0.0, [], []
        self.desk = CommandDesk(self.monitor, self._answered, self._published, lambda: self.clock, recalibrate)
        self.events = []

    def _answered(self, name: str, line: str) -> None:
        self.replies.append((name, json.loads(line)))

    def _published(self) -> None:
        self.states.append(snapshot(self.monitor, "finals", "t07"))

    def say(self, name: str, **fields) -> dict:
        words = {"transaction": f"n{len(self.replies)}", "by": "ana", **fields}
        return self.say_bytes(name, json.dumps(words).encode())

    def say_bytes(self, name: str, payload: bytes) -> dict:
        count = len(self.replies)
        self.desk.hear(name, payload)
        self.events = list(self.desk.serve())
        assert len(self.replies) == count + 1
        assert self.replies[-1][0] == name
        return self.replies[-1][1]

    def play(self, t: float, seat: int, tile: str, at: str = "b", **more) -> int:
        """The seq of the play's event."""
        self.desk.tick(t)
        seen = Place(t=t, seat=Seat(seat), tile=Tile.parse(tile), at=at, **more)
        return next(r.seq for r in self.monitor.observe(seen) if r.type in ("tile_played", "reading_doubted"))

    def told_seq(self, type: str) -> int:
        """The seq of the newest event of a type."""
        return [e.seq for e in self.journal.read() if e.type == type][-1]

    def told(self, type: str) -> list[dict]:
        return [e.data for e in self.journal.read() if e.type == type]


def wrong_tile(table: Table) -> int:
    """S opens 6-6, E lays 5-4 that does not match and takes it back; the seq of the infraction."""
    table.play(0, 0, "6-6", "open")
    table.play(2, 1, "5-4")
    table.monitor.observe(Withdraw(t=4, seat=Seat.E, tile=Tile(5, 4)))
    (event,) = [e for e in table.journal.read() if e.type == "infraction"]
    assert event.data["code"] == "NON_MATCHING"
    return event.seq
