"""The pose of the opening tile, seat by seat."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.geometry import angle_between, forward_deg, image_angle_deg, opening_error_deg, opening_pose
from rules.ruleset import DUSA
from rules.seats import Seat
from rules.tiles import Tile

POSES = [
    (0, "5-5", 0, "ok"), (0, "5-5", 90, "bad"), (1, "5-5", 90, "ok"), (1, "5-5", 178, "bad"), (2, "5-5", 172, "ok"),
    (3, "5-5", 45, "review"), (0, "6-1", 90, "ok"), (0, "6-1", 270, "bad"), (1, "6-1", 180, "ok"), (1, "6-1", 0, "bad"),
    (2, "6-1", 270, "ok"), (2, "6-1", 180, "bad"), (3, "6-1", 350, "ok"), (3, "6-1", 320, "review"),
    (0, "5-0", 115, "ok"), (0, "5-0", 116, "review"), (0, "5-0", 155, "review"), (0, "5-0", 156, "bad"),
]  # fmt: skip


@pytest.mark.parametrize(("seat", "tile", "pose_deg", "expected"), POSES)
def test_opening_pose_of_every_seat(seat: int, tile: str, pose_deg: float, expected: str) -> None:
    """Doubles across the opener's view, mixed tiles with the low half toward him; 25 degrees are right, 65 are for review."""
    assert opening_pose(Seat(seat), Tile.parse(tile), pose_deg, DUSA) == expected


def test_seats_look_to_the_centre() -> None:
    """South looks north; the next in order of play a quarter turn on, against the clock from above or with it (D-01)."""
    assert [forward_deg(seat) for seat in Seat] == [90, 180, 270, 0]
    assert [forward_deg(seat, "cw") for seat in Seat] == [90, 0, 270, 180]


def test_a_picture_has_y_down() -> None:
    """Table angles 90, 180, 270, 0 are 270, 180, 90, 0 in the picture."""
    assert [image_angle_deg(angle) for angle in (90, 180, 270, 0)] == [270, 180, 90, 0]


@given(st.floats(-720, 720), st.floats(-720, 720), st.sampled_from([180.0, 360.0]))
def test_the_smallest_difference_is_symmetric_and_bounded(one: float, other: float, period: float) -> None:
    """Both ways round the same, never more than half the period."""
    gap = angle_between(one, other, period)
    assert 0 <= gap <= period / 2 + 1e-9
    assert abs(gap - angle_between(other, one, period)) < 1e-6


@given(st.sampled_from(Seat), st.floats(0, 360))
def test_a_quarter_turn_of_the_table_moves_the_pose_to_the_next_seat(seat: Seat, pose_deg: float) -> None:
    """What is right for a seat is right for its right-hand neighbour a quarter turn on."""
    for tile in (Tile(4, 4), Tile(6, 1)):
        turned = opening_error_deg(seat.right, tile, pose_deg + 90)
        assert abs(turned - opening_error_deg(seat, tile, pose_deg)) < 1e-6
