"""Tiles, seats, the line: the values everything else is made of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import BadInput
from rules.line import Laid, Line, outer_number
from rules.seats import Seat, rivals
from rules.tiles import ALL_TILES, TOTAL_PIPS, Tile

TILES = st.sampled_from(ALL_TILES)


@given(TILES)
def test_a_tile_prints_and_parses_the_same_in_either_order(tile: Tile) -> None:
    """`6-4` and `4-6` are one tile, and its text is high-low."""
    assert Tile.parse(str(tile)) == tile == Tile.parse(f"{tile.low}-{tile.high}")


@given(st.text(max_size=6))
def test_what_parses_as_a_tile_prints_back(text: str) -> None:
    """A text either is refused with BadInput or comes back up to the order of its numbers."""
    try:
        tile = Tile.parse(text)
    except BadInput:
        return
    assert sorted(str(tile)) == sorted(text.strip())


def test_the_set_has_28_tiles_and_168_pips() -> None:
    """The numbers every score rests on."""
    assert len(set(ALL_TILES)) == 28 and TOTAL_PIPS == 168


def test_seats_go_round_to_the_right() -> None:
    """S, E, N, W in the order of play; partners face each other and rivals sit between."""
    assert [Seat.S.right, Seat.E.right, Seat.N.right, Seat.W.right] == [Seat.E, Seat.N, Seat.W, Seat.S]
    assert Seat.S.partner == Seat.N and Seat.E.left == Seat.S
    assert [seat.pair for seat in Seat] == ["A", "B", "A", "B"] and rivals("A") == "B"
    assert Seat.W.until(Seat.N) == (Seat.W, Seat.S, Seat.E) and Seat.E.until(Seat.E) == ()


@pytest.mark.parametrize("text", ["4", "X", "", None, True, -1, 1.0])
def test_what_is_no_seat_is_refused(text: object) -> None:
    """Only 0 to 3 and the four letters are seats."""
    with pytest.raises(BadInput):
        Seat.parse(text)


def _line(*tiles: str, arms: str = "") -> Line:
    line = Line()
    for number, text in enumerate(tiles):
        arm = "open" if number == 0 else arms[number - 1]
        tile, joined = Tile.parse(text), line.end(arm)  # type: ignore[arg-type]
        line = line.add(
            Laid(tile=tile, seat=None, arm=arm, outer=outer_number(tile, joined, None, None) if number else None, joined=joined,
                 due=None, obs=number, t=float(number))  # type: ignore[arg-type]
        )  # fmt: skip
    return line


def test_arm_a_grows_from_the_low_half() -> None:
    """The ends of a mixed opening are [low, high]."""
    assert _line("6-2").ends == (2, 6)
    assert _line("6-2", "5-2", "6-6", arms="ab").ends == (5, 6)


def test_a_line_is_blocked_by_the_seventh_tile_of_a_number_at_both_ends() -> None:
    """Six of the seven do not block although both ends show the number; the seventh does, and no pass is needed."""
    six = _line("6-6", "6-5", "5-4", "6-4", "6-1", "1-0", "6-0", "6-2", arms="aaaaaab")
    assert six.ends == (6, 2)
    assert not _line("6-6", "6-5", "5-4", "6-4", arms="aaa").blocked
    assert _line("6-6", "6-5", "5-4", "6-4", "6-1", "1-0", "6-0", "6-2", "3-2", "6-3", arms="aaaaaabbb").blocked


@pytest.mark.parametrize(
    ("tile", "joined", "tip", "told", "outer"),
    [
        ("6-4", 6, None, None, 4),
        ("6-4", 6, None, 6, 4),
        ("5-1", 6, None, 1, 1),
        ("5-1", 6, None, None, None),
        ("5-5", 6, None, None, 5),
        ("5-0", None, "5-1", None, 0),
        ("5-1", None, "5-1", None, None),
    ],
)
def test_the_number_a_tile_leaves_open(
    tile: str, joined: int | None, tip: str | None, told: int | None, outer: int | None
) -> None:
    """A match leaves its other half; without one the half seen to point away, a double, or the only number shared tells it."""
    lying = (
        None if tip is None else Laid(tile=Tile.parse(tip), seat=None, arm="a", outer=None, joined=None, due=None, obs=0, t=0.0)
    )
    assert outer_number(Tile.parse(tile), joined, lying, told) == outer
