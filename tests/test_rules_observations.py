"""Observations to and from plain values."""

from __future__ import annotations

import pytest
from any_observation import ANY_OBSERVATION
from hypothesis import given

from rules.errors import BadInput
from rules.observations import Observation, Place, Reveal, observation_from_dict, observation_to_dict
from rules.seats import Seat
from rules.tiles import Tile


@given(ANY_OBSERVATION)
def test_every_kind_comes_back_from_its_plain_values(seen: Observation) -> None:
    """What is written as a mapping is read as the same value."""
    assert observation_from_dict(observation_to_dict(seen)) == seen


def test_tiles_are_read_in_either_order_and_unknown_keys_ignored() -> None:
    """A file may say 4-6 and may carry notes of its own."""
    seen = observation_from_dict({"t": 1, "kind": "place", "seat": "E", "tile": "4-6", "at": "a", "note": [1, 2]})
    assert seen == Place(t=1.0, seat=Seat.E, tile=Tile(6, 4), at="a")


def test_the_pose_has_three_names() -> None:
    """`axis` of a double and `v` of a mixed tile are one field."""
    rows = [{"t": 0, "kind": "place", "tile": "1-1", "at": "open", key: 30} for key in ("axis", "v", "pose_deg")]
    assert {observation_from_dict(row) for row in rows} == {Place(t=0.0, tile=Tile(1, 1), at="open", pose_deg=30.0)}


def test_a_hand_that_is_not_shown_differs_from_an_empty_one() -> None:
    """An audit may show one seat only; an empty text is a seat without tiles."""
    seen = observation_from_dict({"t": 0, "kind": "reveal", "final": False, "hands": {0: "", "2": "1-1 6-0"}})
    assert isinstance(seen, Reveal) and seen.hands == ((), None, (Tile(1, 1), Tile(6, 0)), None)


@pytest.mark.parametrize(
    ("row", "named"),
    [
        (None, "observation"),
        ({"t": 0}, "kind"),
        ({"t": 0, "kind": "jump"}, "'jump'"),
        ({"kind": "pass", "seat": 1}, "t"),
        ({"t": "soon", "kind": "pass", "seat": 1}, "'soon'"),
        ({"t": float("nan"), "kind": "pass", "seat": 1}, "nan"),
        ({"t": 0, "kind": "pass"}, "seat"),
        ({"t": 0, "kind": "pass", "seat": 4}, "4"),
        ({"t": 0, "kind": "pass", "seat": 1, "via": "telepathy"}, "'telepathy'"),
        ({"t": 0, "kind": "place", "seat": 0, "tile": "9-9", "at": "a"}, "9-9"),
        ({"t": 0, "kind": "place", "seat": 0, "tile": 64, "at": "a"}, "64"),
        ({"t": 0, "kind": "place", "seat": 0, "tile": "6-4", "at": "c"}, "'c'"),
        ({"t": 0, "kind": "place", "seat": 0, "tile": "6-4"}, "at"),
        ({"t": 0, "kind": "place", "seat": 0, "at": "a"}, "candidates"),
        ({"t": 0, "kind": "place", "seat": 0, "tile": "6-4", "at": "a", "confidence": 7}, "7"),
        ({"t": 0, "kind": "reveal", "hands": "6-4"}, "by seat"),
        ({"t": 0, "kind": "reveal", "hands": {9: ""}}, "9"),
        ({"t": 0, "kind": "draw", "tiles": {0: "6-4"}}, "four seats"),
        ({"t": 0, "kind": "entry", "pair": "C", "points": 3}, "'C'"),
        ({"t": 0, "kind": "correction", "voids": 1, "instead": {"kind": "pass"}}, "instead"),
    ],
)
def test_what_is_wrong_is_named(row: object, named: str) -> None:
    """One line says what was expected and what was found."""
    with pytest.raises(BadInput) as error:
        observation_from_dict(row)
    assert named in str(error.value) and "\n" not in str(error.value)
