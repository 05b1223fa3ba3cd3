"""How sure a tile is told to be: by how it reads, by what a film showed of it, and by later looks."""

from dataclasses import replace

import pytest
from followed_table import FIVE, PLANE, Watched, covered, exact_table, filmed
from laid_tiles import Laid, detect, detect_all, rack

from rules.observations import Correction, Expose, Move, Place
from rules.seats import Seat
from rules.tiles import Tile
from vision.detections import TileState

SURE = 0.999  # of each half


def hesitant(tile, there):
    """A box that reads clearly and may be no tile."""
    return replace(detect(tile, PLANE, sure=SURE), confidence=there * SURE**2)


def test_how_surely_a_tile_is_there_is_told_apart_from_how_it_reads():
    """The confidence of a detection is both together; of a face-down tile there is nothing to read."""
    box = hesitant(Laid(Tile(6, 5), 0, 0, 0), 0.6)
    assert box.there == pytest.approx(0.6)
    assert replace(box, state=TileState.FACE_DOWN, confidence=0.7).there == 0.7


@pytest.mark.parametrize(
    ("there", "rack", "place", "sure"),
    [
        (0.36, True, True, True),
        (0.36, False, True, False),
        (0.36, True, False, False),
        (0.31, True, True, False),
        (0.95, False, False, True),
    ],
)
def test_a_film_that_saw_a_tile_laid_needs_no_sure_box(there, rack, place, sure):
    """A detector that hesitates whether a clear 6-5 is a tile: told as surely as it reads where arm, rack and place say that one was laid;
    with one of them silent, or where the detector nearly denies it, it is too unsure to accuse anybody by."""
    table, watched = exact_table(*FIVE), Watched()
    watched.show(detect_all(table.laid[:1], PLANE), filmed((0, 0), visits=[(Seat.S, 0, 0)], racks=[Seat.S]))
    new = table.laid[1]
    visits, racks = [(Seat.E, new.x, new.y)], [Seat.E] if rack else []
    seen = covered(new, visits=visits, racks=racks) if place else filmed(visits=visits, racks=racks)
    (told,) = watched.show([*detect_all(table.laid[:1], PLANE), hesitant(new, there)], seen)
    assert str(told.tile) == "6-5" and (told.confidence >= 0.98) == sure


def test_a_tile_whose_rack_grew_was_taken_and_not_laid():
    """Arm, rack and place speak of a tile that came back: a thing seen there then is as unsure as it looks."""
    table, watched = exact_table(*FIVE), Watched()
    watched.see(table.laid[:1], [6, 6, 7, 7])
    new = table.laid[1]
    looks = [*detect_all(table.laid[:1], PLANE), hesitant(new, 0.6)]
    for seat, count in enumerate((6, 7, 7, 7)):
        looks += rack(seat, count, PLANE)
    (told,) = watched.show(looks, covered(new, visits=[(Seat.E, new.x, new.y)], racks=[Seat.E]))
    assert told.confidence == pytest.approx(0.6, abs=0.01)


def test_later_looks_tell_that_a_tile_is_surer_than_it_was_told():
    """A tile read at 0.95 is told again as sure by the next look, before what that look shows, and not once more."""
    table, watched = exact_table(*FIVE), Watched()
    for n in (1, 2, 2):
        watched.see(table.laid[:n])
    opening, surer, played, again = watched.everything
    assert (type(opening), type(played)) == (Place, Place) and opening.confidence < 0.98
    assert (type(surer), surer.voids) == (Correction, 0) and surer.instead == replace(
        opening, confidence=surer.instead.confidence
    )
    assert surer.instead.confidence > 0.98 and again.voids == 2
    watched.see(table.laid[:2])
    assert len(watched.everything) == 4


def test_a_tile_that_later_looks_doubt_is_told_as_unsure():
    """What was surely told and reads so no longer must not stand against anybody."""
    table, watched = exact_table(*FIVE), Watched()
    watched.show([detect(table.laid[0], PLANE, sure=SURE)])
    for _ in range(3):
        watched.show([detect(table.laid[0], PLANE, read_as=Tile(6, 2), sure=0.5)])
        watched.show([detect(table.laid[0], PLANE, read_as=Tile(6, 3), sure=0.9)])
    told, *later = watched.everything
    assert told.confidence > 0.98 and later[0].voids == 0
    assert str(later[0].instead.tile) == "6-2" and later[0].instead.confidence < 0.85


def test_an_exposed_tile_is_told_as_surer_too():
    """A tile that fell is read better while it lies there: the same exposure, surer."""
    table, dropped, watched = exact_table(("6-5", "b")), Laid(Tile(5, 3), -150, -150, 30), Watched()
    watched.see(table.laid[:1], [6, 7, 7, 7])
    (exposed,) = watched.see([*table.laid[:1], dropped], [6, 7, 6, 7])
    watched.see([*table.laid[:1], dropped], [6, 7, 6, 7])
    surer = watched.everything[-1]
    assert isinstance(exposed, Expose) and isinstance(surer.instead, Expose)
    assert (
        surer.instead == replace(exposed, confidence=surer.instead.confidence)
        and surer.instead.confidence > 0.98 > exposed.confidence
    )


@pytest.mark.parametrize("gone", [True, False])
def test_in_a_film_an_exposed_tile_that_is_taken_up_and_laid_is_that_tile(gone):
    """The 6-5 fell and is laid: no question which of the two it is once its place looks otherwise; where it does not, two tiles claim to be
    the 6-5, and that is asked."""
    table, watched = exact_table(*FIVE), Watched()
    fallen, new = Laid(Tile(6, 5), 120, 330, 85), table.laid[1]
    watched.show(detect_all(table.laid[:1], PLANE), filmed((0, 0), visits=[(Seat.S, 0, 0)], racks=[Seat.S]))
    seen = covered(fallen, visits=[(Seat.N, fallen.x, fallen.y)], racks=[Seat.N])
    (exposed,) = watched.show(detect_all([*table.laid[:1], fallen], PLANE), seen)
    assert watched.show(detect_all([*table.laid[:1], fallen], PLANE), filmed()) == ()
    places = [(new.x, new.y), (fallen.x, fallen.y)] if gone else [(new.x, new.y)]
    taken = filmed(*places, visits=[(Seat.N, new.x, new.y), (Seat.N, fallen.x, fallen.y)])
    told = [watched.show(detect_all(table.laid[:2], PLANE), witness) for witness in (taken, filmed().after(taken))]
    assert [len(look) for look in told] == ([1, 0] if gone else [0, 1])
    ((laid,),) = filter(None, told)
    assert isinstance(exposed, Expose) and isinstance(laid, Place)
    assert str(laid.tile) == "6-5" if gone else laid.tile is None


@pytest.mark.parametrize("changed", [True, False])
def test_in_a_film_a_tile_pushed_further_than_a_look_errs_is_the_same_tile(changed):
    """More than half a tile aside, it is the tile of the line, moved by the arm that was there, and neither a new nor an exposed one; where
    its place never changed it lies there still, and the other thing is none of the line's."""
    table, watched = exact_table(*FIVE), Watched()
    for _ in range(2):
        watched.show(detect_all(table.laid, PLANE), filmed((0, 0), visits=[(Seat.S, 0, 0)], racks=[Seat.S]))
    tile = table.laid[1]
    aside = replace(tile, x=tile.x + 32.0)
    pushed = detect_all([aside if one is tile else one for one in table.laid], PLANE)
    places = [(tile.x, tile.y), (aside.x, aside.y)] if changed else []
    told = watched.show(pushed, filmed(*places, visits=[(Seat.W, tile.x + 10, tile.y)]))
    assert [(type(o), o.seat, o.tile, round(o.mm)) for o in told] == ([(Move, Seat.W, tile.tile, 32)] if changed else [])
    assert not watched.show(pushed, filmed())
    assert len(watched.follower.state.line.tiles) == len(table.laid)


def test_a_strike_that_is_taken_back_lays_the_tile_again():
    """The referee strikes a play out and takes that back: the line ends in it again, and the next tile is told against it."""
    table, watched = exact_table(*FIVE), Watched(None)
    for n in (1, 2):
        watched.see(table.laid[:n])
    watched.strike(1)
    watched.see(table.laid[:2])
    assert len(watched.follower.state.line.tiles) == 1
    watched.restore(1)
    (told,) = watched.see(table.laid[:3])
    assert (str(told.tile), told.at) == (str(table.laid[2].tile), "b")
    assert not watched.follower.state.loose


def test_a_strike_of_the_opening_can_be_taken_back_until_another_tile_opens():
    """An empty table gets its opening back; a line that began with another tile stays as it is."""
    table = exact_table(*FIVE)
    for other in (False, True):
        watched = Watched(None)
        watched.see(table.laid[:1])
        watched.strike(0)
        if other:
            watched.see([table.laid[0], Laid(Tile(4, 4), -150, 120, 30)])
        watched.restore(0)
        assert str(watched.follower.state.line.opening.place.tile) == ("4-4" if other else "6-2")
