"""Values as they come over the wire: what a field takes, and the short line it refuses the rest with."""

from __future__ import annotations

import pytest

from rules.errors import BadInput
from rules.fields import LARGEST, shown
from rules.observations import Entry, Pass, observation_from_dict
from rules.seats import Seat

UNWRITABLE = 1 << 20_000
"""A whole number of more digits than Python writes."""


def nest(depth: int) -> list[object]:
    value: list[object] = []
    for _ in range(depth):
        value = [value]
    return value


def endless() -> list[object]:
    value: list[object] = []
    value.append(value)
    return value


HUGE = {
    "a number that Python cannot write": UNWRITABLE,
    "the same below nought": -UNWRITABLE,
    "a number that is no float": 10**400,
    "a long text": "x" * 10**6,
    "a deep list": nest(800),
    "a list within itself": endless(),
    "a long list": ["6-6"] * 10**5,
    "a deep list of a seat": {0: nest(800)},
}


@pytest.mark.parametrize("what", HUGE)
@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("clock", "t"),
        ("pass", "seat"),
        ("pass", "via"),
        ("place", "tile"),
        ("place", "candidates"),
        ("place", "across"),
        ("reveal", "hands"),
        ("draw", "tiles"),
        ("rack_swap", "slots"),
        ("rack_count", "count"),
        ("entry", "pair"),
        ("correction", "voids"),
        ("correction", "instead"),
    ],
)
def test_no_value_is_too_large_to_be_refused(kind: str, name: str, what: str) -> None:
    """Numbers that cannot be written, texts and lists without end, values within themselves: one short line names the field."""
    row = {"t": 0, "kind": kind, "seat": 0, "at": "a", "count": 1, "pair": "A", "points": 1, "voids": 0} | {name: HUGE[what]}
    with pytest.raises(BadInput) as error:
        observation_from_dict(row)
    assert str(error.value).startswith(f"{kind}.{name}: ") and len(str(error.value)) <= 500 and "\n" not in str(error.value)


def test_whole_numbers_go_as_far_as_json_does() -> None:
    """Up to 2**53 - 1 every reader of JSON has the same number; one more is refused."""
    row = {"t": 0, "kind": "entry", "pair": "A"}
    assert observation_from_dict(row | {"points": 2**53 - 1}) == Entry(t=0.0, pair="A", points=LARGEST)
    with pytest.raises(BadInput, match=f"from 0 to {LARGEST}, found {LARGEST + 1}"):
        observation_from_dict(row | {"points": 2**53})


def test_a_time_may_be_any_finite_number() -> None:
    """Whole numbers that a float holds are times too; beyond 308 digits there is none."""
    row = {"kind": "pass", "seat": "W"}
    assert observation_from_dict(row | {"t": 10**308}) == Pass(t=1e308, seat=Seat.W)
    with pytest.raises(BadInput, match="at most 308 digits"):
        observation_from_dict(row | {"t": 10**309})


def test_who_it_was_is_a_name_or_a_number() -> None:
    """A number is kept as text; a list or a yes is nobody."""
    row = {"t": 0, "kind": "entry", "pair": "B", "points": 7}
    assert observation_from_dict(row | {"by": 12}) == Entry(t=0.0, pair="B", points=7, by="12")
    for by in (True, [], {"name": "Ana"}, -1):
        with pytest.raises(BadInput, match=r"^entry\.by: expected"):
            observation_from_dict(row | {"by": by})


def test_a_seat_is_told_once() -> None:
    """0 and S are one seat: which of the two hands was meant cannot be known."""
    with pytest.raises(BadInput, match="expected each seat once"):
        observation_from_dict({"t": 0, "kind": "reveal", "hands": {0: "6-6", "S": "5-5"}})


def test_a_hand_has_no_more_tiles_than_the_set() -> None:
    """28 tiles are read, doubled ones too, for the count finds those; 29 are no reading of a hand."""
    row = {"t": 0, "kind": "reveal"}
    assert observation_from_dict(row | {"hands": {1: "6-6 " * 28}})
    with pytest.raises(BadInput, match="at most 28 tiles, found 29"):
        observation_from_dict(row | {"hands": {1: "6-6 " * 29}})


def test_a_value_is_shown_by_its_beginning() -> None:
    """Small values as Python writes them; of others what fits into a line."""
    assert (shown(7), shown("a"), shown({"a": 1}), shown(None)) == ("7", "'a'", "{'a': 1}", "None")
    assert shown(UNWRITABLE) == "a number of thousands of digits"
    assert all(
        len(shown(value)) <= 120
        for value in ("x" * 10**6, nest(800), endless(), [["x" * 50] * 9] * 9, dict.fromkeys(range(9), "x" * 50))
    )
