"""Standing tiles counted in front of each seat: the rack that lost a tile is the witness of a play."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from rules.seats import Seat
from vision.board import BoardView

Counts = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Racks:
    """What each seat is believed to hold, and what the last look counted, seats S, E, N, W.

    A count that falls is believed when a play explains it, or when two looks agree: a standing tile that one look misses is no play.
    """

    believed: Counts = (0, 0, 0, 0)
    last: Counts = (0, 0, 0, 0)

    @property
    def are_seen(self) -> bool:
        """Whether standing tiles have been seen at all; without them the racks say nothing."""
        return sum(self.believed) > 0

    def fell(self, now: Counts) -> dict[Seat, int]:
        """Seats that hold fewer tiles than believed, and fewer than the last look counted; by how many."""
        return {s: self.believed[s] - now[s] for s in Seat if now[s] < self.believed[s] and now[s] < self.last[s]}

    def rose(self, now: Counts) -> dict[Seat, int]:
        """Seats whose racks show more tiles than in the last look; by how many."""
        return {s: now[s] - self.last[s] for s in Seat if now[s] > self.last[s]}

    def after(self, now: Counts, explained: Collection[Seat] = ()) -> Racks:
        """The racks after a look; `explained` are the seats whose change a play or a withdrawal of this look explains."""
        believed = [now[s] if s in explained or now[s] == self.last[s] or not self.are_seen else self.believed[s] for s in Seat]
        return Racks((believed[0], believed[1], believed[2], believed[3]), now)


def count_racks(view: BoardView) -> Counts:
    """Standing tiles by the nearest side of the table; zeros when the seats are not known."""
    if view.plane is None or not view.plane.knows_seats:
        return 0, 0, 0, 0
    sides = [view.plane.rim_side(tile.x_mm, tile.y_mm) for tile in view.standing]
    return sides.count(0), sides.count(1), sides.count(2), sides.count(3)
