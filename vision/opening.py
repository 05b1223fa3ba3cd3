"""The first tile of a hand among those that lie face up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.geometry import opening_error_deg
from rules.seats import Seat
from vision.board import BoardView
from vision.laid import Resting
from vision.line import find_line

POSE_DEG = 25.0  # an opening pose within this of a seat's own speaks for it (FID-SAL-6)


def line_begun(rests: Sequence[Resting], came: Sequence[Resting], view: BoardView, length_mm: float) -> list[Resting]:
    """The tiles that the hand began with, the opening first; none when none lies away from the rims.

    One tile is the opening. Several are a hand that began unseen: the line among them is found from scratch, and the opening is the
    tile of it that bends and place allow. came: those that may have come since the last look; one that has lain there before it, alone,
    may be a thing, and no hand begins with it before another tile lies against it.
    """
    line = _line_among(rests, view, length_mm)
    if len(line) < 2 and len(came) < len(rests):
        line = _line_among(came, view, length_mm)
    return line


def _line_among(rests: Sequence[Resting], view: BoardView, length_mm: float) -> list[Resting]:
    """The tiles of the line among some, its opening first."""
    rests = [rest for rest in rests if not view.is_at_rim(rest.seen)]
    line = find_line(replace(view, face_up=tuple(rest.seen for rest in rests), length_mm=length_mm)) if rests else None
    if line is None:
        return []
    opening = line.tiles[line.opening]
    return [rests[tile.index] for tile in (opening, *(tile for tile in line.tiles if tile is not opening))]


def seat_by_pose(rest: Resting, view: BoardView, due: Seat | None) -> Seat | None:
    """The seat for which an opening tile lies right: low half towards it, or a double across its view, which two seats share.

    A double speaks for the seat that is due when it is one of the two, else for nobody.
    """
    if view.plane is None or not view.plane.knows_seats:
        return None
    tile = rest.seen.tile
    lies_right_for = [seat for seat in Seat if opening_error_deg(seat, tile, rest.pose_deg(tile)) <= POSE_DEG]
    if len(lies_right_for) == 1:
        return lies_right_for[0]
    return due if due in lies_right_for else None
