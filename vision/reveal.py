"""The count at the end of a hand: the tiles left, turned up in front of their players."""

from __future__ import annotations

from collections.abc import Sequence

from rules.observations import Hands
from rules.seats import Seat
from rules.tiles import Tile
from vision.board import BoardView
from vision.laid import Resting
from vision.racks import Counts, Racks

ALL = 28
UNSURE = 0.5  # confidence in a count that does not show all 28 tiles, and in what it tells of the others
SEVERAL = 2  # loose tiles that appear at once; one alone may have been dropped


def is_reveal(shown: Sequence[Resting], on_table: int, racks: Racks, now: Counts, view: BoardView, in_film: bool = False) -> bool:
    """Whether loose tiles are a count and not tiles that fell or were laid aside.

    shown: the loose tiles in front of the seats. on_table: all tiles that lie face up. The count is there when all 28 lie face up, or
    when tiles are shown and no rack stands any more; else when several tiles appear in front of the seats, many more than seem to stand
    and can (racks may not be seen, or something else for one), in a film in two looks. Without a calibration nobody knows in front of
    whom a tile lies, and no count is told.
    """
    if not shown or view.plane is None or not view.plane.knows_seats:
        return False
    if on_table == ALL:
        return True
    if racks.are_seen and sum(now) == 0:
        return True
    several = len(shown) >= SEVERAL and len(shown) > 2 * min(sum(now), ALL - on_table)
    return several and (not in_film or all(rest.looks > 1 and not rest.missed for rest in shown))


def shown_by_seat(rests: Sequence[Resting], view: BoardView) -> dict[Seat, list[Resting]]:
    """Tiles in front of the players, by the nearest side of the table."""
    by_seat: dict[Seat, list[Resting]] = {seat: [] for seat in Seat}
    for rest in rests:
        side = view.plane.rim_side(rest.seen.x_mm, rest.seen.y_mm) if view.plane and view.is_at_rim(rest.seen) else None
        if side is not None:
            by_seat[Seat(side)].append(rest)
    return by_seat


def hands_of(tiles: dict[Seat, list[Tile]], everything_lies: bool, racks: Racks) -> Hands:
    """Tiles by seat; a seat that shows none has none when nothing is missing or its rack was empty, else it is not known."""

    def hand(seat: Seat) -> tuple[Tile, ...] | None:
        known = bool(tiles[seat]) or everything_lies or (racks.are_seen and racks.believed[seat] == 0)
        return tuple(sorted(tiles[seat])) if known else None

    return hand(Seat.S), hand(Seat.E), hand(Seat.N), hand(Seat.W)
