"""A hand whose first tile no look shows until others lie around it."""

from __future__ import annotations

import pytest
from followed_table import PLANE, Watched, covered, exact_table, filmed
from laid_tiles import Table, detect_all

from rules.observations import Place
from rules.referee import in_force
from rules.seats import Seat
from rules.tiles import Tile
from vision.attention import Witness

SEATS = (Seat.S, Seat.N, Seat.W, Seat.S)
TRUTH = [("0-0", "open", Seat.S), ("6-0", "a", Seat.N), ("6-3", "a", Seat.W), ("5-0", "b", Seat.S)]


def unseen_opening(tile: str = "0-0") -> Table:
    """South opened; north and west laid at one end of it, south at the other."""
    high, low = (int(n) for n in tile.split("-"))
    return exact_table(("6-0", "a"), ("6-3", "a"), (f"5-{high}", "b"), opening=Tile(high, low), opener=0)


def came(table: Table, number: int) -> Witness:
    """What a film shows of the play of a number: arm, rack and place."""
    tile, seat = table.laid[number], SEATS[number]
    return covered(tile, visits=[(seat, tile.x, tile.y)], racks=[seat])


def standing(watched: Watched) -> list[tuple[str, str, Seat | None]]:
    """The plays in force, in their order."""
    return [(str(o.tile), o.at, o.seat) for o in in_force(watched.everything) if isinstance(o, Place)]


@pytest.mark.parametrize("opener", [Seat.S, None])
def test_the_line_is_told_again_from_the_tile_that_began_it(opener: Seat | None) -> None:
    """A double blank in the colour of the table is seen with the third tile laid around it: it is the opening, by the seat whose arm and
    rack spoke before the line began; the tiles told before keep their seats and lie on its arms; and the hand goes on at both ends."""
    table, watched = unseen_opening(), Watched(opener=opener)
    opened = came(table, 0)
    assert watched.show([], opened) == ()
    watched.show(detect_all(table.laid[1:2], PLANE), came(table, 1).after(opened))
    watched.show(detect_all(table.laid[1:3], PLANE), came(table, 2))
    assert [tile for tile, *_ in standing(watched)] == ["6-0", "6-3"]
    watched.show(detect_all(table.laid, PLANE), came(table, 3))
    assert standing(watched) == TRUTH
    table.lay(Tile(5, 5), "b")
    table.lay(Tile(3, 1), "a")
    for number, seat in ((4, Seat.E), (5, Seat.N)):
        tile = table.laid[number]
        arm = covered(tile, visits=[(seat, tile.x, tile.y)], racks=[seat])
        watched.show(detect_all(table.laid[: number + 1], PLANE), arm)
    assert standing(watched) == [*TRUTH, ("5-5", "b", Seat.E), ("3-1", "a", Seat.N)]


def test_plays_that_a_person_put_right_are_not_told_again() -> None:
    """A referee has said what the told opening was: the tile that turns up beside it is laid there, and nothing is taken back."""
    table, watched = unseen_opening(), Watched(opener=Seat.S)
    opened = came(table, 0)
    watched.show([], opened)
    watched.show(detect_all(table.laid[1:2], PLANE), came(table, 1).after(opened))
    watched.follower.fix(0)
    watched.show(detect_all(table.laid[:2], PLANE), filmed())
    assert [(tile, at) for tile, at, _ in standing(watched)] == [("6-0", "open"), ("0-0", "a")]


def test_the_seat_that_was_due_has_opened_whatever_is_seen_later() -> None:
    """Where the told opening was laid by the seat that was due and no other seat seems to have laid before, a tile that turns up beside it
    is none that began the hand: nothing that was told is taken back."""
    table = exact_table(("6-5", "b"), ("5-1", "b"), ("2-1", "a"))
    watched, (opening, *others) = Watched(opener=Seat.S), table.laid
    watched.show(detect_all([opening], PLANE), covered(opening, visits=[(Seat.S, opening.x, opening.y)], racks=[Seat.S]))
    first = others[0]
    watched.show(detect_all([opening, first], PLANE), covered(first, visits=[(Seat.E, first.x, first.y)], racks=[Seat.E]))
    before = standing(watched)
    watched.show(detect_all([opening, first, others[2]], PLANE), filmed())
    assert standing(watched)[:2] == before


def test_a_tile_that_came_after_the_line_began_is_a_play() -> None:
    """The opening is not by the seat that was due, and then that seat lays against it: its place looks otherwise, so it came then."""
    table = exact_table(("2-1", "a"), opening=Tile(6, 2), opener=2)
    watched, (opening, new) = Watched(opener=Seat.S), table.laid
    watched.show(detect_all([opening], PLANE), covered(opening, visits=[(Seat.N, opening.x, opening.y)], racks=[Seat.N]))
    watched.show(detect_all([opening, new], PLANE), covered(new, visits=[(Seat.S, new.x, new.y)], racks=[Seat.S]))
    assert standing(watched) == [("6-2", "open", Seat.N), ("2-1", "a", Seat.S)]
