"""The pose of the opening tile, held against the seat that laid it (DUSA-11, FID-SAL-6).

Table frame: x east, y north, degrees counter-clockwise. In a picture with y down an angle is the negative of that on the table.
"""

from __future__ import annotations

from typing import Literal

from rules.ruleset import Ruleset
from rules.seats import Seat
from rules.tiles import Tile

Pose = Literal["ok", "review", "bad"]
"""How an opening tile lies: right, for the referee's eyes, wrong (DUSA-11, FID-SAL-6)."""


def forward_deg(seat: Seat, direction: str = "ccw") -> float:
    """The direction from a seat to the centre of the table: south looks to 90, and the next in order of play a quarter turn on."""
    return (90.0 + 90.0 * seat * (1 if direction == "ccw" else -1)) % 360


def image_angle_deg(table_deg: float) -> float:
    """An angle of the table in a picture from above with y down."""
    return -table_deg % 360


def angle_between(one_deg: float, other_deg: float, period: float = 360.0) -> float:
    """The smallest difference of two angles, 0 to half the period."""
    gap = (one_deg - other_deg) % period
    return min(gap, period - gap)


def opening_error_deg(seat: Seat, tile: Tile, pose_deg: float, direction: str = "ccw") -> float:
    """How far the opening tile is turned away from the right pose.

    A double lies across the opener's view (axis, mod 180); a mixed tile points from the low to the high half away from him (mod 360).
    """
    forward = forward_deg(seat, direction)
    return angle_between(pose_deg, forward + 90, 180) if tile.is_double else angle_between(pose_deg, forward)


def opening_pose(seat: Seat, tile: Tile, pose_deg: float, ruleset: Ruleset) -> Pose:
    """`ok` within the tolerance, `review` up to the review limit, `bad` beyond."""
    error = opening_error_deg(seat, tile, pose_deg, ruleset.direction)
    return "ok" if error <= ruleset.tolerance_deg else "review" if error <= ruleset.review_deg else "bad"
