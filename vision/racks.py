"""Standing tiles counted in front of each seat: the rack that lost a tile is the witness of a play."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from rules.seats import Seat
from vision.board import BoardView

Counts = tuple[int, int, int, int]
TILES = 28
HAND = 7  # tiles a seat gets
RESTLESS = 3.0  # counts that no play explains, the latest in full: from here on the racks are not believed
CALMING = 0.8  # what earlier looks weigh in that
MOST_RESTLESS = 4.0  # two calm looks, and the racks are believed again


@dataclass(frozen=True, slots=True)
class Racks:
    """What each seat is believed to hold, and what the last look counted, seats S, E, N, W.

    A count that falls is believed when a play explains it, or when two looks agree: a standing tile that one look misses is no play.
    unseated: tiles laid whose seat is not known, and for which a rack that is short is still believed to hold one more.
    restless: how many counts lately changed without a play.
    """

    believed: Counts = (0, 0, 0, 0)
    last: Counts = (0, 0, 0, 0)
    unseated: int = 0
    restless: float = 0.0

    @property
    def are_trusted(self) -> bool:
        """Whether they are seen and change with the plays; a count that jumps about bears no witness."""
        return self.are_seen and self.restless < RESTLESS

    @property
    def are_seen(self) -> bool:
        """Whether standing tiles have been seen at all; without them the racks say nothing."""
        return sum(self.believed) > 0

    def lost(self, now: Counts) -> dict[Seat, int]:
        """Seats that hold fewer tiles than believed; by how many."""
        return {s: self.believed[s] - now[s] for s in Seat if now[s] < self.believed[s]}

    def fell(self, now: Counts) -> dict[Seat, int]:
        """Of those, the seats that hold fewer than the last look counted; by how many."""
        return {s: self.last[s] - now[s] for s in Seat if now[s] < min(self.believed[s], self.last[s])}

    def rose(self, now: Counts) -> dict[Seat, int]:
        """Seats whose racks show more tiles than in the last look; by how many."""
        return {s: now[s] - self.last[s] for s in Seat if now[s] > self.last[s]}

    def witness(self, now: Counts, laid: int) -> Seat | None:
        """The one seat that can have laid so many tiles since the last look; None when the racks leave a choice.

        They leave none when tiles lost and tiles laid are equally many, and all that were laid now were lost by one seat. A tile that an
        earlier look missed may appear now: a rack that has been short since then counts too, unless tiles without a seat explain it.
        """
        lost = self.lost(now)
        if sum(lost.values()) != laid + self.unseated or not self.are_trusted:
            return None
        losers = self.fell(now) if self.unseated else lost
        return next(iter(losers)) if len(losers) == 1 and sum(losers.values()) == laid else None

    def after(self, now: Counts, explained: Collection[Seat] = (), unseated: int = 0, lying: int = 0) -> Racks:
        """The racks after a look.

        explained: seats whose change a play, an exposed tile or a withdrawal of this look explains. unseated: tiles laid in this look by
        nobody knows whom. lying: tiles that lie on the table; of the others at least half must be seen to stand.
        """
        believed = [now[s] if s in explained or now[s] == self.last[s] or not self.are_seen else self.believed[s] for s in Seat]
        short = sum(max(0, believed[s] - now[s]) for s in Seat)
        jumps = sum(abs(now[s] - self.last[s]) for s in Seat if s not in explained) if self.are_seen else 0
        restless = self.restless * CALMING + max(0, jumps - unseated) + sum(max(0, count - HAND) for count in now)
        if 2 * sum(now) < TILES - lying and (self.are_seen or sum(now) > 0):
            restless = MOST_RESTLESS
        return Racks(
            (believed[0], believed[1], believed[2], believed[3]),
            now,
            min(self.unseated + unseated, short),
            min(restless, MOST_RESTLESS),
        )


def count_racks(view: BoardView) -> Counts:
    """Tiles that stand in front of the players, by the nearest side of the table; zeros when the seats are not known."""
    if view.plane is None or not view.plane.knows_seats:
        return 0, 0, 0, 0
    sides = [view.plane.rim_side(tile.x_mm, tile.y_mm) for tile in view.standing if view.is_at_rim(tile)]
    return sides.count(0), sides.count(1), sides.count(2), sides.count(3)
