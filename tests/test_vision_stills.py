"""A table followed through stills: what each look says has happened."""

from dataclasses import replace

import numpy as np
import pytest
from followed_table import FIVE, PLANE, Watched, covered, exact_table, filmed, played
from laid_tiles import (
    LENGTH,
    Laid,
    Sloppiness,
    detect,
    detect_all,
    overhead_plane,
    rack,
    random_table,
)

from rules.errors import BadInput
from rules.observations import Correction, Expose, Move, Place, Reveal, Withdraw
from rules.seats import Seat
from rules.tiles import ALL_TILES, Tile
from vision.detections import TileDetection, TileState
from vision.stills import StillsFollower

SWAP = {"open": "open", "a": "b", "b": "a"}


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(
    ("sloppiness", "noise"), [(Sloppiness(3.0, (0.0, 4.0), 1.5), 0.03), (Sloppiness(5.0, (0.0, 5.0), 2.0), 0.03)]
)
def test_every_play_of_random_hands_is_told(known, sloppiness, noise):
    """Of the plays of random hands, one look each and corner errors, at least 99.5 % are told at their look with their tile and arm,
    and nothing else is told; the arms keep their names."""
    right = wrong = 0
    for seed in range(12):
        table = random_table(seed, 21, sloppiness, opener=0)
        watched, rng = Watched(PLANE if known else None, opener=Seat.S), np.random.default_rng(seed)
        for n in range(1, len(table.laid) + 1):
            told = watched.see(table.laid[:n], rng=rng, noise=noise)
            new = table.laid[n - 1]
            good = played(told) == [(str(new.tile), new.at)] and len(told) == 1
            right, wrong = right + good, wrong + (not good)
    assert right >= 200 and wrong <= 0.005 * right


def test_the_rack_that_lost_a_tile_names_the_seat():
    """With standing tiles in view each play has the seat whose rack is one shorter."""
    watched = Watched()
    table = exact_table(*FIVE)
    counts = [7, 7, 7, 7]
    watched.see([], counts)
    for n, seat in enumerate((3, 0, 1, 3, 2), start=1):
        counts[seat] -= 1
        (place,) = watched.see(table.laid[:n], counts)
        assert place.seat is Seat(seat)


def test_two_racks_short_name_nobody():
    """When one look misses a standing tile of another seat the seat is not known, and the next play has its seat again."""
    watched = Watched()
    table = exact_table(*FIVE)
    watched.see(table.laid[:1], [6, 7, 7, 7])
    assert watched.see(table.laid[:2], [6, 6, 6, 7])[0].seat is None
    assert watched.see(table.laid[:3], [6, 6, 6, 7])[0].seat is None
    assert watched.see(table.laid[:4], [6, 6, 6, 6])[0].seat is Seat.W


def test_restless_racks_name_nobody():
    """Counts that jump about from look to look, as of a reader that cannot see standing tiles, name no seat and take nothing back."""
    table = exact_table(*FIVE)
    watched = Watched()
    for look, n in enumerate((0, 0, 0, 1, 2, 3, 4, 5, 5, 5)):
        watched.see(table.laid[:n], [7, 3, 6, 5] if look % 2 else [5, 6, 4, 7])
    assert [type(o) for o in watched.told] == [Place] * 5 and {o.seat for o in watched.told[1:]} == {None}


def test_a_few_standing_tiles_are_no_racks():
    """Where the racks cannot be seen, one thing that looks like a standing tile and comes and goes takes no tile back and names no seat."""
    table = exact_table(*FIVE)
    watched = Watched()
    for look, n in enumerate((1, 2, 3, 4, 5)):
        watched.see(table.laid[:n], [0, 0, look % 2, 0])
    assert watched.see(table.laid[:4], [0, 0, 2, 0]) == ()
    assert [type(o) for o in watched.told] == [Place] * 5 and {o.seat for o in watched.told[1:]} == {None}


def test_without_racks_the_opening_pose_names_the_opener():
    """A mixed opening with its low half towards a seat speaks for that seat; a double for the seat that is due, if it lies right for
    it; later tiles have no seat."""
    for seat in Seat:
        table = exact_table(("6-5", "b"), opener=seat)
        watched = Watched()
        assert watched.see(table.laid[:1])[0].seat is seat
        assert watched.see(table.laid)[0].seat is None
    double = exact_table(opening=Tile(4, 4), opener=1)
    assert Watched().see(double.laid)[0].seat is None
    assert Watched(opener=Seat.E).see(double.laid)[0].seat is Seat.E
    assert Watched(opener=Seat.N).see(double.laid)[0].seat is None


@pytest.mark.parametrize("opener", list(Seat))
def test_arm_a_of_a_double_is_on_the_opener_s_side(opener):
    """The arm that grows from the side of an opening double nearer to the opener is a."""
    for arm in "ab":
        table = exact_table(("4-1", arm), opening=Tile(4, 4), opener=opener)
        watched = Watched(opener=opener)
        watched.see(table.laid[:1])
        assert played(watched.see(table.laid)) == [("4-1", arm)]


def test_pose_tip_across_and_bend_are_told():
    """A placement says how the tile lies: pose, the number it leaves open, doubles across or in line, bends left or right."""
    table = exact_table(("6-6", "b"), ("6-3", "b", "left"), ("2-2", "a", "in line"), ("2-0", "a", "right"))
    watched = Watched()
    for n in range(1, 6):
        watched.see(table.laid[:n])
    opening, six, bent, two, last = watched.told
    assert opening.pose_deg == pytest.approx(90, abs=0.5) and opening.tip is None
    assert (six.across, six.tip, six.bend) == (True, 6, None) and six.pose_deg % 180 == pytest.approx(0, abs=0.5)
    assert (bent.across, bent.tip, bent.bend) == (None, 3, "left") and abs((bent.pose_deg + 180) % 360 - 180) < 0.5
    assert (two.across, two.tip, two.bend) == (False, 2, None)
    assert (last.tip, last.bend) == (0, "right")


@pytest.mark.parametrize("quarter", range(4))
def test_near_the_axes_the_open_half_never_flips(quarter):
    """Turned by -2 to 2 degrees around each quarter in steps of a fifth, opening and next tile keep pose and open number."""
    for tenth in range(-20, 21, 2):
        angle = quarter * 90 + tenth / 10
        opening = Laid(Tile(5, 4), 0, 0, angle)
        table = exact_table()
        table.laid = [opening]
        u = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
        following = Laid(Tile(5, 1), *(u * (LENGTH + 1)), angle + 180, "b")
        watched = Watched()
        first, second = *watched.see([opening]), *watched.see([opening, following])
        assert abs((first.pose_deg - angle + 180) % 360 - 180) < 0.3
        assert (second.at, second.tip) == ("b", 1)


def test_an_illegal_tile_and_a_wrong_end_are_told_as_laid():
    """Reading never looks at legality: a tile that matches nowhere, and one that fits the other arm only, are told where they lie."""
    table = exact_table(("5-4", "b", "straight", 5), ("6-3", "a", "straight", 3))
    watched = Watched()
    watched.see(table.laid[:1])
    assert played(watched.see(table.laid[:2])) == [("5-4", "b")] and watched.told[-1].tip == 4
    assert played(watched.see(table.laid[:3])) == [("6-3", "a")] and watched.told[-1].tip == 6


def test_a_tile_missed_in_one_look_tells_nothing():
    """Neither a tile inside the line nor its tip is withdrawn when one look does not show it, and it is not told again."""
    table = exact_table(*FIVE)
    for missing in range(5):
        watched = Watched()
        for n in range(1, 6):
            watched.see(table.laid[:n])
        assert watched.see([t for i, t in enumerate(table.laid) if i != missing]) == ()
        assert watched.see(table.laid) == ()


def test_a_hidden_tile_is_never_withdrawn_while_the_line_goes_on_from_it():
    """A tile inside the line that no look shows any more stays, and so does a hidden tip when a tile is laid against it."""
    table = exact_table(*FIVE, ("1-1", "b"))
    watched = Watched()
    for n in range(1, 6):
        watched.see(table.laid[:n])
    without_tip = [t for t in table.laid if str(t.tile) != "5-1"]
    assert played(watched.see(without_tip)) == [("1-1", "b")]
    for _ in range(6):
        assert watched.see(without_tip) == ()


def test_a_tile_that_no_look_shows_does_not_stop_the_hand():
    """A play behind a tile that is never seen is told at once, on its arm, and the hidden one before it as a question; when it is seen
    after all it settles the question, and when the tile behind it is taken back it was never there."""
    table = exact_table(("6-5", "b"), ("5-5", "b"), ("5-1", "b"), ("1-0", "b"))
    for hidden in (1, 2, 3):
        watched = Watched()
        for n in range(1, hidden + 1):
            watched.see(table.laid[:n])
        told = watched.see([t for i, t in enumerate(table.laid[: hidden + 2]) if i != hidden])
        assert [(o.at, o.tile) for o in told] == [("b", None), ("b", table.laid[hidden + 1].tile)] and told[0].candidates
        (settled,) = watched.see(table.laid[: hidden + 2])
        assert settled.voids == hidden and settled.instead.tile == table.laid[hidden].tile
    watched = Watched(None)
    watched.see(table.laid[:1])
    watched.see([table.laid[0], table.laid[2]])
    told = [o for _ in range(2) for o in watched.see(table.laid[:1])]
    assert [type(o) for o in told] == [Withdraw, Correction] and (told[1].voids, told[1].instead) == (1, None)


def test_a_new_tile_missed_in_its_first_look_is_told_in_the_next():
    """A play that one look misses is told with the next one; both on one arm come in the order of the arm, without seats."""
    table = exact_table(*FIVE)
    watched = Watched()
    watched.see(table.laid[:1])
    assert watched.see(table.laid[:1]) == ()
    assert played(watched.see(table.laid[:4])) == [("6-5", "b"), ("5-5", "b"), ("5-1", "b")]
    assert [o.seat for o in watched.told[1:]] == [None] * 3


def test_several_tiles_between_two_looks():
    """Three tiles at once on one arm are told in the order of the arm; all of them by one seat only when its rack lost as many."""
    table = exact_table(*FIVE)
    watched = Watched()
    watched.see(table.laid[:1], [6, 7, 7, 7])
    told = watched.see(table.laid[:4], [6, 6, 6, 6])
    assert played(told) == [("6-5", "b"), ("5-5", "b"), ("5-1", "b")] and {o.seat for o in told} == {None}
    watched = Watched()
    watched.see(table.laid[:1], [6, 7, 7, 7])
    assert {o.seat for o in watched.see(table.laid[:3], [6, 5, 7, 7])} == {Seat.E}


def test_a_laid_tile_misread_in_one_look_stays_what_it_is():
    """A 6-5 that one look reads as 6-4, and even as 4-3, changes nothing."""
    table = exact_table(*FIVE)
    for wrong in ("6-4", "4-3"):
        watched = Watched()
        for n in range(1, 6):
            watched.see(table.laid[:n])
        misread = [detect(t, PLANE, read_as=Tile.parse(wrong) if str(t.tile) == "6-5" else None) for t in table.laid]
        assert watched.show(misread) == () and watched.see(table.laid) == ()


def test_a_new_tile_misread_once_is_corrected_by_the_next_looks():
    """A play told wrongly because its first look misread it is corrected in its place as soon as later looks agree on another tile."""
    table = exact_table(*FIVE)
    watched = Watched()
    watched.see(table.laid[:1])
    watched.show([detect(table.laid[0], PLANE), detect(table.laid[1], PLANE, read_as=Tile(6, 3))])
    assert played(watched.told) == [("6-2", "open"), ("6-3", "b")]
    for n in (2, 3, 4):
        watched.see(table.laid[:n])
    (correction,) = [o for o in watched.told if isinstance(o, Correction)]
    assert correction.voids == 1 and str(correction.instead.tile) == "6-5"
    assert (correction.instead.at, correction.instead.tip, correction.instead.t) == ("b", 5, 1.0)


def test_a_doubtful_reading_is_a_question_until_later_looks_settle_it():
    """Below the gate no tile is told but candidates with their probabilities; a clear look settles it as a correction."""
    table = exact_table(*FIVE)
    watched = Watched()
    watched.see(table.laid[:1])
    (doubt,) = watched.show([detect(table.laid[0], PLANE), detect(table.laid[1], PLANE, sure=0.6)])
    assert doubt.tile is None and doubt.at == "b" and str(doubt.candidates[0][0]) == "6-5"
    assert all(0 < p < 1 for _, p in doubt.candidates)
    watched.see(table.laid[:2])
    told = watched.see(table.laid[:3])
    (correction,) = [o for o in watched.told if isinstance(o, Correction)]
    assert correction.voids == 1 and str(correction.instead.tile) == "6-5"
    assert played(told) == [("5-5", "b")]


def test_a_second_copy_of_a_tile_is_never_told():
    """A tile that reads like one already laid becomes a question, and the next play is still seen."""
    table = exact_table(*FIVE)
    watched = Watched()
    watched.see(table.laid[:1])
    watched.see(table.laid[:2])
    (doubt,) = watched.show([*detect_all(table.laid[:2], PLANE), detect(table.laid[2], PLANE, read_as=Tile(6, 5))])
    assert doubt.tile is None and doubt.at == "b"
    rest = detect(table.laid[2], PLANE, read_as=Tile(6, 5))
    told = watched.show([*detect_all(table.laid[:2], PLANE), rest, detect(table.laid[3], PLANE)])
    assert ("5-1", "b") in played(told)
    assert not any(str(o.tile) == "6-5" for o in told if isinstance(o, Place))


def test_a_box_that_straddles_two_tiles_takes_nothing_back():
    """A box over the outer half of the tip and the half next to it, while both tiles are not seen, is neither a play nor a withdrawal."""
    table = exact_table(("6-5", "b"), ("5-4", "b"))
    straddling = replace(table.laid[1], y=(table.laid[1].y + table.laid[2].y) / 2)
    watched = Watched()
    watched.see(table.laid[:1])
    watched.see(table.laid[:2])
    assert watched.show([detect(table.laid[0], PLANE), detect(straddling, PLANE, read_as=Tile(5, 1))]) == ()
    assert played(watched.see(table.laid)) == [("5-4", "b")] and len(watched.told) == 3


@pytest.mark.parametrize(("x", "turn"), [(-10, 90), (-13, 45)])
def test_a_box_askew_on_a_tile_of_the_line_is_no_new_tile(x, turn):
    """Where a bend is framed awry from the next look on, the hand goes on: only the plays beyond it are told, nobody exposed a tile."""
    table = exact_table(("6-3", "b"), ("3-2", "b", "left"), ("2-2", "b"), ("5-2", "b"), ("5-1", "b"))
    bend = table.laid[2]
    askew = detect(replace(bend, x=bend.x + x, y=bend.y - 13, angle=bend.angle + turn), PLANE, read_as=Tile(2, 0), sure=0.8)
    watched = Watched()
    for n in (1, 2, 3):
        watched.see(table.laid[:n])
    for n in (4, 5, 6):
        seen = [tile for tile in table.laid[:n] if tile is not bend]
        assert played(watched.see(seen, extra=[askew])) == [(str(table.laid[n - 1].tile), "b")]
    assert len(watched.told) == 6


def test_two_boxes_on_one_tile_are_one_tile():
    """A second box that covers a tile, reading otherwise and a little off, is no second tile."""
    table = exact_table(*FIVE)
    shifted = replace(table.laid[1], x=table.laid[1].x + 6, angle=table.laid[1].angle + 4)
    second = detect(shifted, PLANE, read_as=Tile(6, 6), sure=0.9)
    watched = Watched()
    watched.see(table.laid[:1])
    assert played(watched.see(table.laid[:2], extra=[second])) == [("6-5", "b")]
    assert watched.see(table.laid[:2], extra=[second]) == ()


@pytest.mark.parametrize("known", [True, False])
def test_a_phantom_off_the_line_in_one_look_tells_nothing(known):
    """A thing read as a tile in one look, away from the line, gives no play, no exposure, and leaves the hand as it was."""
    table = exact_table(*FIVE)
    phantom = detect(Laid(Tile(3, 3), -200, 150, 20), PLANE)
    watched = Watched(PLANE if known else None)
    watched.see(table.laid[:1])
    watched.see(table.laid[:2], extra=[phantom])
    watched.see(table.laid[:3])
    watched.see(table.laid[:5])
    assert sorted(played(watched.told)) == sorted([("6-2", "open"), ("6-5", "b"), ("5-5", "b"), ("5-1", "b"), ("2-1", "a")])
    assert len(watched.told) == 5


def test_a_phantom_against_the_line_is_taken_back():
    """A thing read as a tile against the tip in one look, while no rack lost one, is voided, and the true play there is seen."""
    table = exact_table(*FIVE)
    other = exact_table(("6-3", "b"))
    watched = Watched()
    watched.see(table.laid[:1], [6, 7, 7, 7])
    (told,) = watched.see(other.laid, [6, 7, 7, 7])
    assert told.seat is None
    told = [*watched.see(table.laid[:1], [6, 7, 7, 7]), *watched.see(table.laid[:2], [6, 6, 7, 7])]
    assert [type(o) for o in told] == [Correction, Place]
    assert told[0].voids == 1 and told[0].instead is None and (str(told[1].tile), told[1].seat) == ("6-5", Seat.E)


def test_in_a_film_a_tile_that_a_look_misses_lies_there_until_its_place_changes():
    """However often it is missed; the look after an arm took it tells the withdrawal at once, by the seat of the arm."""
    table, watched = exact_table(*FIVE), Watched()
    tip = table.laid[1]
    watched.show(detect_all(table.laid[:1], PLANE), filmed((0, 0), visits=[(Seat.S, 0, 0)], racks=[Seat.S]))
    for _ in range(2):
        watched.show(detect_all(table.laid[:2], PLANE), filmed((tip.x, tip.y), visits=[(Seat.E, tip.x, tip.y)], racks=[Seat.E]))
    assert [(o.seat, str(o.tile)) for o in watched.told] == [(Seat.S, "6-2"), (Seat.E, "6-5")]
    for _ in range(8):
        assert not watched.show(detect_all(table.laid[:1], PLANE), filmed())
    (taken,) = watched.show(detect_all(table.laid[:1], PLANE), filmed((tip.x, tip.y), visits=[(Seat.E, tip.x, tip.y)]))
    assert isinstance(taken, Withdraw) and (taken.seat, str(taken.tile)) == (Seat.E, "6-5")


def test_in_a_film_a_phantom_is_taken_back():
    """Something read as a tile in one look, where nothing changed then or later, is voided and does not stay in the line for ever."""
    table, watched = exact_table(*FIVE), Watched()
    watched.show(detect_all(table.laid[:1], PLANE), filmed((0, 0), visits=[(Seat.S, 0, 0)], racks=[Seat.S]))
    watched.show(detect_all(table.laid[:2], PLANE), filmed())
    told = [o for _ in range(6) for o in watched.show(detect_all(table.laid[:1], PLANE), filmed())]
    assert [(type(o), o.voids, o.instead) for o in told] == [(Correction, 1, None)]


def test_in_a_film_a_tile_that_one_look_alone_showed_was_taken_back_where_an_arm_came_for_it():
    """Its rack was never counted short; the arm that laid it and the arm that took it are witnesses enough."""
    table, watched = exact_table(*FIVE), Watched()
    tip, racks = table.laid[1], [one for seat, count in enumerate([6, 7, 7, 7]) for one in rack(seat, count, PLANE)]
    arm = filmed((tip.x, tip.y), visits=[(Seat.E, tip.x, tip.y)])
    watched.show([*detect_all(table.laid[:1], PLANE), *racks], filmed((0, 0), visits=[(Seat.S, 0, 0)], racks=[Seat.S]))
    watched.show([*detect_all(table.laid[:2], PLANE), *racks], arm)
    (taken,) = watched.show([*detect_all(table.laid[:1], PLANE), *racks], arm)
    assert isinstance(taken, Withdraw) and (taken.seat, str(taken.tile)) == (Seat.E, "6-5")


@pytest.mark.parametrize("at", [(-200, 150), (5, 3)], ids=["beside", "below"])
def test_in_a_film_a_thing_that_lay_there_before_the_hand_opens_nothing(at):
    """Something read as a tile in every look before the first tile was laid, beside its place or where it comes to lie: no play, no
    exposed tile, no question; the tile that an arm laid opens the hand."""
    table, thing, watched = exact_table(*FIVE), detect(Laid(Tile(3, 3), *at, 20), PLANE), Watched()
    for _ in range(4):
        assert watched.show([thing], filmed()) == ()
    lying = [] if at == (5, 3) else [thing]
    (opening,) = watched.show([*lying, *detect_all(table.laid[:1], PLANE)], filmed((0, 0), visits=[(Seat.S, 0, 0)]))
    tip = table.laid[1]
    (second,) = watched.show(
        [*lying, *detect_all(table.laid[:2], PLANE)], filmed((tip.x, tip.y), visits=[(Seat.E, tip.x, tip.y)])
    )
    assert [(str(o.tile), o.at, o.seat) for o in (opening, second)] == [("6-2", "open", Seat.S), ("6-5", "b", Seat.E)]
    assert not any(watched.show([*lying, *detect_all(table.laid[:2], PLANE)], filmed()) for _ in range(4))


def test_in_a_film_that_begins_after_the_opening_both_tiles_are_told_with_the_second():
    """One tile that nobody was seen to lay may be a thing; with another one laid against it the hand has begun with it."""
    table, watched = exact_table(*FIVE), Watched()
    tip = table.laid[1]
    assert [watched.show(detect_all(table.laid[:1], PLANE), filmed()) for _ in range(2)] == [(), ()]
    told = watched.show(detect_all(table.laid[:2], PLANE), filmed((tip.x, tip.y), visits=[(Seat.E, tip.x, tip.y)]))
    assert sorted(str(o.tile) for o in told) == ["6-2", "6-5"] and all(isinstance(o, Place) for o in told)


def test_what_a_person_struck_out_is_no_end_of_the_line():
    """A thing against the tip that a person said is no tile: it is told no more however long it lies, and the true play, at the very
    same place or over its edge, is told as the next one on that arm."""
    table, other = exact_table(*FIVE), exact_table(("6-3", "b"))
    for true in (table.laid[:2], exact_table(("6-6", "b")).laid[:2]):
        watched = Watched(None)
        watched.see(table.laid[:1])
        watched.see(other.laid)
        watched.strike(1)
        assert [watched.see(other.laid) for _ in range(3)] == [(), (), ()]
        told = [*watched.see(true), *watched.see(true)]
        assert [(type(o), str(o.tile), o.at) for o in told] == [(Place, str(true[1].tile), "b")]


def test_an_opening_that_a_person_struck_out_leaves_an_empty_table():
    """The hand begins with the tile laid beside it; a struck tile that others lie against stays."""
    table, watched = exact_table(*FIVE), Watched(None)
    thing = Laid(Tile(4, 4), -150, 120, 30)
    watched.see([thing])
    watched.strike(0)
    (told,) = watched.see([thing, table.laid[0]])
    assert (str(told.tile), told.at) == ("6-2", "open")
    (told,) = watched.see([thing, *table.laid[:2]])
    watched.strike(1)
    watched.follower.strike(17)
    assert len(watched.follower.state.line.tiles) == 2


def test_a_tile_taken_back_with_racks_in_view():
    """A tip that is gone while its rack has a tile more is withdrawn at once, by its seat; the same tile may be laid again."""
    table = exact_table(*FIVE)
    watched = Watched()
    watched.see(table.laid[:1], [6, 7, 7, 7])
    watched.see(table.laid[:2], [6, 6, 7, 7])
    (taken,) = watched.see(table.laid[:1], [6, 7, 7, 7])
    assert isinstance(taken, Withdraw) and (taken.seat, str(taken.tile)) == (Seat.E, "6-5")
    (again,) = watched.see(table.laid[:2], [6, 6, 7, 7])
    assert (again.seat, str(again.tile)) == (Seat.E, "6-5")


def test_a_tile_taken_back_without_racks():
    """Without racks a tip is withdrawn when two looks miss it, before what else the second look tells."""
    table = exact_table(*FIVE)
    watched = Watched(None)
    watched.see(table.laid[:1])
    watched.see(table.laid[:2])
    assert watched.see(table.laid[:1]) == ()
    told = watched.see([table.laid[0], table.laid[4]])
    assert [type(o) for o in told] == [Withdraw, Place] and str(told[0].tile) == "6-5" and played(told) == [("2-1", "a")]


def test_another_tile_in_its_stead():
    """A tile that lies where the tip lay, in whole or in part, shows that the tip was taken back."""
    table = exact_table(("6-5", "b"))
    for instead in (("6-3", "b"), ("6-6", "b"), ("6-1", "b", "left")):
        other = exact_table(instead)
        watched = Watched(None)
        watched.see(table.laid[:1])
        watched.see(table.laid)
        watched.see(table.laid[:1])
        told = watched.see(other.laid)
        assert [type(o) for o in told] == [Withdraw, Place] and str(told[0].tile) == "6-5"
        assert played(told) == [(instead[0], "b")]


def test_the_opening_taken_back():
    """An opening tile that is taken back leaves an empty table, and the next one opens."""
    first, second = exact_table(), exact_table(opening=Tile(3, 3))
    watched = Watched()
    watched.see(first.laid, [6, 7, 7, 7])
    (taken,) = watched.see([], [7, 7, 7, 7])
    assert isinstance(taken, Withdraw) and taken.seat is Seat.S
    assert played(watched.see(second.laid, [6, 7, 7, 7])) == [("3-3", "open")]


def test_a_tile_carried_to_the_other_arm_is_one_play():
    """The tip that appears on the other arm has moved there; the next tile is laid against it."""
    table = exact_table(("6-2", "b"), opening=Tile(6, 6))
    moved = exact_table(("6-2", "a"), ("2-1", "a"), opening=Tile(6, 6))
    watched = Watched(opener=Seat.S)
    watched.see(table.laid[:1])
    watched.see(table.laid)
    (move,) = watched.see(moved.laid[:2])
    assert isinstance(move, Move) and (str(move.tile), move.to) == ("6-2", "a") and move.mm > 50
    assert played(watched.see(moved.laid)) == [("2-1", "a")]


def test_a_pushed_tile_has_moved_and_the_whole_line_has_not():
    """One tile pushed by 14 mm is told once as moved when two looks agree, and not when one look alone shows it there; the same push of
    the whole line, and of the camera, is not."""
    table = exact_table(*FIVE)
    watched = Watched()
    for n in (1, 2, 3, 4, 5, 5):
        watched.see(table.laid[:n])
    stray = [replace(t, y=t.y - 14) if str(t.tile) == "2-1" else t for t in table.laid]
    assert watched.see(stray) == () and watched.see(table.laid) == ()
    push = [replace(t, y=t.y + 14) if str(t.tile) == "2-1" else t for t in table.laid]
    assert watched.see(push) == ()
    (move,) = watched.see(push)
    assert isinstance(move, Move) and move.mm == pytest.approx(14, abs=1) and str(move.tile) == "2-1"
    assert watched.see(push) == ()
    assert watched.see([replace(t, x=t.x + 14, y=t.y - 9) for t in push]) == ()


def test_a_moved_camera_does_not_lose_the_line():
    """The picture shifted, turned and nearer, without a calibration: the line is known again and the next play is seen."""
    table = exact_table(*FIVE)
    watched = Watched(None)
    for n, turn in enumerate((0, 0, 40, 170, 265), start=1):
        told = watched.see(table.laid[:n], camera=overhead_plane(turn, 0.3 * n))
        assert played(told) == [(str(table.laid[n - 1].tile), table.laid[n - 1].at)] and len(told) == 1


def test_an_exposed_tile():
    """A tile that lies face up off the line is told when a rack lost it, at once and once; it may be played later."""
    table = exact_table(("6-5", "b"))
    dropped = Laid(Tile(5, 3), -150, -150, 30)
    watched = Watched()
    watched.see(table.laid[:1], [6, 7, 7, 7])
    (exposed,) = watched.see([*table.laid[:1], dropped], [6, 7, 6, 7])
    assert isinstance(exposed, Expose) and (exposed.seat, str(exposed.tile), exposed.cause) == (Seat.N, "5-3", None)
    assert watched.see([*table.laid[:1], dropped], [6, 7, 6, 7]) == ()
    assert played(watched.see([*table.laid, dropped], [6, 6, 6, 7])) == [("6-5", "b")]


def test_what_is_turned_up_when_a_rack_is_empty_is_no_accident():
    """A tile shown in front of its seat after somebody's last one may have been laid is told as exposed by nobody; with tiles in every
    rack it is, and where a seat that has nearly all its tiles yet shows none: its rack is only badly seen, unless several are shown."""
    one, several = [Laid(Tile(0, 0), -20, 390, 88)], [Laid(Tile(0, 0), -20, 390, 88), Laid(Tile(4, 4), 20, 388, 91)]
    for lays, racks, shown, told in (
        (FIVE, [0, 7, 7, 7], one, []),
        (FIVE, [5, 7, 7, 7], one, [Expose]),
        (FIVE[:1], [0, 7, 7, 7], one, [Expose]),
        (FIVE[:1], [0, 7, 7, 7], several, []),
    ):
        table, watched = exact_table(*lays), Watched()
        for _ in range(2):
            watched.see(table.laid, racks)
        left = 7 - len(shown)
        looks = [watched.see([*table.laid, *shown], [*racks[:2], left, 7]) for _ in range(2)]
        assert [type(o) for look in looks for o in look] == told


@pytest.mark.parametrize("first", [Seat.E, Seat.N])
def test_in_a_film_two_tiles_of_one_look_are_told_in_the_order_of_the_hands(first):
    """One at either end of the line, each by the seat whose arm was there: the arm that came in first laid first."""
    table, watched = exact_table(("6-5", "b"), ("2-1", "a")), Watched()
    watched.show(detect_all(table.laid[:1], PLANE), filmed((0, 0), visits=[(Seat.S, 0, 0)], racks=[Seat.S]))
    by_seat = {Seat.E: table.laid[1], Seat.N: table.laid[2]}
    seats = [first, *(seat for seat in by_seat if seat != first)]
    visits = [(seat, by_seat[seat].x, by_seat[seat].y) for seat in seats]
    told = watched.show(detect_all(table.laid, PLANE), filmed(*((x, y) for _, x, y in visits), visits=visits, racks=seats))
    assert [(o.seat, o.tile) for o in told] == [(seat, by_seat[seat].tile) for seat in seats]


def test_in_a_film_a_tile_that_no_look_shows_has_no_seat():
    """The arm that was seen laid the tile behind it; who laid the hidden one, in that look or before, nobody saw."""
    table, watched = exact_table(("6-5", "b"), ("5-1", "b")), Watched()
    watched.show(detect_all(table.laid[:1], PLANE), filmed((0, 0), visits=[(Seat.S, 0, 0)], racks=[Seat.S]))
    tip = table.laid[2]
    came = filmed((tip.x, tip.y), visits=[(Seat.N, tip.x, tip.y)], racks=[Seat.N])
    told = watched.show(detect_all([table.laid[0], tip], PLANE), came)
    assert [(o.seat, o.tile) for o in told] == [(None, None), (Seat.N, Tile(5, 1))]


@pytest.mark.parametrize("tile", ["6-5", "6-6"])
def test_in_a_film_a_tile_that_two_looks_cannot_find_is_asked_for(tile):
    """Arm, rack and place say that a seat laid one where no box is, nor in the look after: a question for that seat, told once, that a
    later look answers, also where the tile lies across."""
    table, watched, laid = unfound(tile)
    again = filmed().after(laid)
    (asked,) = watched.show(detect_all(table.laid[:1], PLANE), again)
    assert isinstance(asked, Place) and (asked.seat, asked.tile, asked.at) == (Seat.E, None, "b") and len(asked.candidates) == 27
    for witness in (filmed().after(again), filmed()):
        assert watched.show(detect_all(table.laid[:1], PLANE), witness) == ()
    (answer,) = watched.show(detect_all(table.laid, PLANE), filmed())
    assert isinstance(answer, Correction) and answer.voids == 1
    assert (answer.instead.seat, answer.instead.tile, answer.instead.at) == (Seat.E, Tile.parse(tile), "b")


def test_in_a_film_a_tile_in_the_tables_colour_that_no_look_finds_is_asked_for():
    """Of a dark tile on a dark table only the pips look otherwise: with arm and rack that is enough for the question, in its place in the
    order of plays; the answer comes when another tile lies behind it."""
    table, watched = exact_table(("6-5", "b"), ("2-1", "a")), Watched()
    new, other = table.laid[1:]
    watched.show(detect_all(table.laid[:1], PLANE), filmed((0, 0), visits=[(Seat.S, 0, 0)], racks=[Seat.S]))
    pips = filmed(visits=[(Seat.E, new.x, new.y)], racks=[Seat.E])
    pips = replace(pips, changed=pips.table.around(new.x + 6, new.y + 6, 5.0))
    assert pips.touched(new.x, new.y) and not pips.differs(new.x, new.y)
    assert watched.show(detect_all(table.laid[:1], PLANE), pips) == ()
    came = covered(other, visits=[(Seat.N, other.x, other.y)], racks=[Seat.N])
    asked, told = watched.show(detect_all([table.laid[0], other], PLANE), came.after(pips))
    assert (asked.tile, asked.seat, asked.at) == (None, Seat.E, "b") and (told.tile, told.seat) == (Tile(2, 1), Seat.N)
    (answer,) = watched.show(detect_all(table.laid, PLANE), filmed())
    assert (answer.voids, answer.instead.tile, answer.instead.seat) == (1, Tile(6, 5), Seat.E)


def test_in_a_film_squares_of_a_cloth_that_read_like_blanks_are_no_tiles():
    """Two doubtful boxes that read the same, one of them where the line ends and the shadow of a laid tile falls on it: nothing is laid
    and nothing exposed, however often they are seen; the tile that is laid there is told."""
    table, watched = exact_table(("6-5", "b"), ("5-1", "b")), Watched()
    new = table.laid[1]
    squares = [detect(replace(new, tile=Tile(0, 0)), PLANE, sure=0.85), detect(Laid(Tile(0, 0), -250, 120, 3), PLANE, sure=0.85)]
    watched.show(detect_all(table.laid[:1], PLANE), filmed((0, 0), visits=[(Seat.S, 0, 0)], racks=[Seat.S]))
    for _ in range(4):
        assert watched.show([*detect_all(table.laid[:1], PLANE), *squares], filmed((new.x, new.y))) == ()
    came = covered(new, visits=[(Seat.E, new.x, new.y)], racks=[Seat.E])
    (told,) = watched.show([*detect_all(table.laid[:2], PLANE), squares[1]], came)
    assert (told.tile, told.seat, told.at) == (Tile(6, 5), Seat.E, "b")


def test_in_a_film_an_arm_lays_no_doubtful_tile_beside_a_sure_one():
    """A second box where the shadow of the laid tile falls, in one look: the play of that arm is told alone, and once the box is gone the
    next one."""
    table, watched = exact_table(("6-5", "b"), ("5-1", "b"), ("2-1", "a")), Watched()
    new, tip, other = table.laid[1:]
    watched.show(detect_all(table.laid[:1], PLANE), filmed((0, 0), visits=[(Seat.S, 0, 0)], racks=[Seat.S]))
    arm = filmed((new.x, new.y), (tip.x, tip.y), visits=[(Seat.E, new.x, new.y)], racks=[Seat.E])
    shadow = detect(replace(tip, tile=Tile(0, 0)), PLANE, sure=0.9)
    (told,) = watched.show([*detect_all(table.laid[:2], PLANE), shadow], arm)
    assert (told.tile, told.seat) == (Tile(6, 5), Seat.E)
    came = covered(other, visits=[(Seat.N, other.x, other.y)], racks=[Seat.N])
    (told,) = watched.show(detect_all([*table.laid[:2], other], PLANE), came)
    assert (told.tile, told.seat, told.at) == (Tile(2, 1), Seat.N, "a")


def unfound(tile):
    """A table on which east laid a tile that the first look does not find; what the film saw of it."""
    table, watched = exact_table((tile, "b"), ("2-1", "a")), Watched()
    new = table.laid[1]
    watched.show(detect_all(table.laid[:1], PLANE), filmed((0, 0), visits=[(Seat.S, 0, 0)], racks=[Seat.S]))
    laid = covered(new, visits=[(Seat.E, new.x, new.y)], racks=[Seat.E])
    assert watched.show(detect_all(table.laid[:1], PLANE), laid) == ()
    table.laid, table.next = table.laid[:2], table.laid[2]
    return table, watched, laid


@pytest.mark.parametrize("rack_bore_witness", [False, True])
def test_in_a_film_a_tile_that_no_look_finds_is_asked_for_where_its_rack_never_bore_witness(rack_bore_witness):
    """Arm and place alone ask for the tile of a seat whose rack does not show at its plays; not where it has shown before."""
    table, watched = exact_table(("6-5", "b"), ("2-1", "a"), ("5-4", "b")), Watched()
    opening, first, other, unseen = table.laid
    racks = [Seat.E] if rack_bore_witness else []
    for lying, tile, seat, whose in (((opening,), opening, Seat.S, [Seat.S]), ((opening, first), first, Seat.E, racks)):
        watched.show(detect_all(lying, PLANE), covered(tile, visits=[(seat, tile.x, tile.y)], racks=whose))
    came = covered(other, visits=[(Seat.N, other.x, other.y)], racks=[Seat.N])
    watched.show(detect_all(table.laid[:3], PLANE), came)
    assert [(o.seat, str(o.tile)) for o in watched.told] == [(Seat.S, "6-2"), (Seat.E, "6-5"), (Seat.N, "2-1")]
    laid = covered(unseen, visits=[(Seat.E, unseen.x, unseen.y)])
    assert watched.show(detect_all(table.laid[:3], PLANE), laid) == ()
    asked = watched.show(detect_all(table.laid[:3], PLANE), filmed().after(laid))
    assert [(o.seat, o.tile, o.at) for o in asked] == ([] if rack_bore_witness else [(Seat.E, None, "b")])


@pytest.mark.parametrize("turn", ["left", "right", "straight"])
def test_in_a_film_the_hand_goes_on_beyond_a_tile_that_no_look_finds(turn):
    """Whichever way the arm turned with it, the tiles laid behind it are plays at that arm, by their seats, and nobody exposed one."""
    table, watched = exact_table(("6-5", "b"), ("5-4", "b", turn), ("4-1", "b"), ("2-1", "a")), Watched()
    opening, first, unseen, behind, other = table.laid
    lying = []
    for tile, seat in ((opening, Seat.S), (first, Seat.E)):
        lying.append(tile)
        watched.show(detect_all(lying, PLANE), covered(tile, visits=[(seat, tile.x, tile.y)], racks=[seat]))
    laid = covered(unseen, visits=[(Seat.N, unseen.x, unseen.y)], racks=[Seat.N])
    watched.show(detect_all(lying, PLANE), laid)
    watched.show(detect_all(lying, PLANE), filmed().after(laid))
    for tile, seat in ((behind, Seat.W), (other, Seat.S)):
        lying.append(tile)
        watched.show(detect_all(lying, PLANE), covered(tile, visits=[(seat, tile.x, tile.y)], racks=[seat]))
    told = [(type(o), o.seat, str(o.tile), o.at) for o in watched.told[2:]]
    assert told == [(Place, Seat.N, "None", "b"), (Place, Seat.W, "4-1", "b"), (Place, Seat.S, "2-1", "a")]


def test_in_a_film_a_tile_that_no_look_found_is_taken_back_by_the_arm_that_laid_it():
    """Its place looks otherwise again and the same seat came: the question is withdrawn, though its rack shows nothing."""
    table, watched, laid = unfound("6-5")
    new = table.laid[1]
    (asked,) = watched.show(detect_all(table.laid[:1], PLANE), filmed().after(laid))
    assert asked.tile is None
    (taken,) = watched.show(detect_all(table.laid[:1], PLANE), covered(new, visits=[(Seat.E, new.x, new.y)]))
    assert (taken.voids, taken.instead) == (1, None)


def test_in_a_film_a_tile_that_an_arm_was_seen_to_lay_stays_however_often_it_is_missed():
    """One look alone showed the opening; its place has not changed since: the hand stays open, and the tile laid at its end is a play."""
    table, watched = exact_table(("6-5", "b")), Watched()
    opening, new = table.laid
    arm = covered(opening, visits=[(Seat.S, opening.x, opening.y)], racks=[Seat.S])
    watched.show(detect_all([opening], PLANE), arm)
    assert not any(watched.show([], filmed()) for _ in range(6))
    (told,) = watched.show(detect_all([new], PLANE), covered(new, visits=[(Seat.E, new.x, new.y)], racks=[Seat.E]))
    assert (str(told.tile), told.seat, told.at) == ("6-5", Seat.E, "b")


def test_while_the_line_has_a_question_a_tile_off_it_accuses_nobody():
    """What lies off a line of which one tile could not be read may belong to it: told as unsure, and surely once the line is whole."""
    table, watched, laid = unfound("6-5")
    watched.show(detect_all(table.laid[:1], PLANE), filmed().after(laid))
    fallen = Laid(Tile(5, 3), -150, -150, 30)
    seen = covered(fallen, visits=[(Seat.N, fallen.x, fallen.y)], racks=[Seat.N])
    (told,) = watched.show(detect_all([table.laid[0], fallen], PLANE), seen)
    assert isinstance(told, Expose) and (told.seat, told.confidence) == (Seat.N, 0.5)

    def surer(tiles):
        """What two more looks tell of the exposed tile."""
        seen = len(watched.everything)
        for _ in range(2):
            watched.show(detect_all([*tiles, fallen], PLANE), filmed())
        again = [o.instead for o in watched.everything[seen:] if isinstance(o, Correction)]
        return [o for o in again if isinstance(o, Expose)]

    assert surer(table.laid[:1]) == []
    assert [(o.seat, o.confidence > 0.98) for o in surer(table.laid)] == [(Seat.N, True)]


def test_in_a_film_two_tiles_of_one_look_that_two_arms_may_have_laid_have_no_seat():
    """Both arms came to both places and the rack of one alone looks otherwise: it did not lay both, and nobody says which."""
    table, watched = exact_table(("6-5", "b"), ("5-1", "b")), Watched()
    opening, *both = table.laid
    watched.show(detect_all([opening], PLANE), filmed((0, 0), visits=[(Seat.S, 0, 0)], racks=[Seat.S]))
    (x, y) = both[0].x / 2 + both[1].x / 2, both[0].y / 2 + both[1].y / 2
    came = filmed(*((tile.x, tile.y) for tile in both), visits=[(Seat.E, x, y), (Seat.N, x, y)], racks=[Seat.N])
    told = watched.show(detect_all(table.laid, PLANE), came)
    assert [(str(o.tile), o.seat) for o in told] == [("6-5", None), ("5-1", None)]


def test_in_a_film_what_happened_before_the_line_was_there_is_no_unfound_tile():
    """Arms that took tiles from the middle, and racks that were set up, before the opening: nobody is asked for a tile beside it."""
    table, watched = exact_table(("6-5", "b")), Watched()
    beside = table.laid[1]
    deal = covered(beside, visits=[(Seat.E, beside.x, beside.y)], racks=[Seat.E])
    assert watched.show([], deal) == ()
    opened = filmed((0, 0), visits=[(Seat.S, 0, 0)], racks=[Seat.S]).after(deal)
    (opening,) = watched.show(detect_all(table.laid[:1], PLANE), opened)
    assert (str(opening.tile), opening.seat) == ("6-2", Seat.S)
    assert watched.show(detect_all(table.laid[:1], PLANE), filmed().after(opened)) == ()


def test_in_a_film_an_exposed_tile_that_was_taken_up_is_forgotten():
    """It is laid in the line and reads like nothing that still lies before its seat, however many looks later."""
    table, watched = exact_table(("6-5", "b")), Watched()
    fallen, new = Laid(Tile(6, 5), 120, 330, 85), table.laid[1]
    watched.show(detect_all(table.laid[:1], PLANE), filmed((0, 0), visits=[(Seat.S, 0, 0)], racks=[Seat.S]))
    seen = covered(fallen, visits=[(Seat.N, fallen.x, fallen.y)], racks=[Seat.N])
    watched.show(detect_all([*table.laid[:1], fallen], PLANE), seen)
    taken = filmed((new.x, new.y), (fallen.x, fallen.y), visits=[(Seat.N, new.x, new.y), (Seat.N, fallen.x, fallen.y)])
    watched.show(detect_all(table.laid, PLANE), taken)
    assert not watched.follower.state.loose


def test_in_a_film_a_tile_that_the_second_look_finds_is_no_question():
    """It is told then, with its seat, as a play like any other."""
    table, watched, laid = unfound("6-5")
    (told,) = watched.show(detect_all(table.laid, PLANE), replace(filmed(), t_s=2.0).after(replace(laid, t_s=1.0)))
    assert isinstance(told, Place) and (told.seat, str(told.tile), told.at) == (Seat.E, "6-5", "b")
    assert told.t == 1.0  # when it was first looked for: nobody has thought meanwhile


def test_in_a_film_a_tile_that_was_not_found_is_asked_for_before_the_next_one():
    """The next seat has laid its tile on the other arm before the second look: the question comes first, then that play."""
    table, watched, laid = unfound("6-5")
    new = table.next
    came = filmed((new.x, new.y), visits=[(Seat.N, new.x, new.y)], racks=[Seat.N]).after(laid)
    told = watched.show(detect_all([table.laid[0], new], PLANE), came)
    assert [(o.seat, None if o.tile is None else str(o.tile), o.at) for o in told] == [(Seat.E, None, "b"), (Seat.N, "2-1", "a")]


def test_in_a_film_a_tile_read_badly_is_looked_at_again_before_anybody_is_asked():
    """One bad look and one good one are a play; two bad ones are a question."""
    for better in (True, False):
        table, watched = exact_table(("6-5", "b")), Watched()
        new = table.laid[1]
        watched.show(detect_all(table.laid[:1], PLANE), filmed((0, 0), visits=[(Seat.S, 0, 0)], racks=[Seat.S]))
        laid = filmed((new.x, new.y), visits=[(Seat.E, new.x, new.y)], racks=[Seat.E])
        bad = [*detect_all(table.laid[:1], PLANE), badly_read(detect(new, PLANE))]
        assert watched.show(bad, laid) == ()
        (told,) = watched.show(detect_all(table.laid, PLANE) if better else bad, filmed().after(laid))
        assert isinstance(told, Place) and (told.seat, told.at) == (Seat.E, "b")
        assert str(told.tile) == "6-5" if better else told.tile is None


def badly_read(tile):
    """The same tile, each number with a third of the probability."""
    return replace(tile, halves=tile.halves / 3 + (1 - tile.halves.sum(axis=1, keepdims=True) / 3) / 7)


@pytest.mark.parametrize(("changed", "visits", "racks"), [(False, True, True), (True, False, True), (True, True, False)])
def test_in_a_film_nothing_is_asked_without_all_three_witnesses(changed, visits, racks):
    """A rack lifted and put down, a hand that pats the end of the line, a shadow there: none of them is a play."""
    table, watched = exact_table(("6-5", "b")), Watched()
    new = table.laid[1]
    watched.show(detect_all(table.laid[:1], PLANE), filmed((0, 0), visits=[(Seat.S, 0, 0)], racks=[Seat.S]))
    seen = filmed(
        *([(new.x, new.y)] if changed else []),
        visits=[(Seat.E, new.x, new.y) if visits else (Seat.E, 400, 0)] if visits or racks else [],
        racks=[Seat.E] if racks and visits else [Seat.N] if racks else [],
    )
    assert watched.show(detect_all(table.laid[:1], PLANE), seen) == ()


def test_in_a_film_arm_and_rack_tell_whose_tile_fell():
    """Without a count of the racks: the arm at the tile and the rack that looks otherwise name the seat; an arm alone names nobody."""
    table = exact_table(("6-5", "b"))
    dropped = Laid(Tile(5, 3), -150, -150, 30)
    for racks, seat in (([Seat.N], Seat.N), ([], None)):
        watched = Watched()
        for _ in range(2):
            watched.show(detect_all(table.laid, PLANE), filmed((0, 0), visits=[(Seat.S, 0, 0)], racks=[Seat.S]))
        fell = filmed((-150, -150), visits=[(Seat.N, -150, -150)], racks=racks)
        told = watched.show(detect_all([*table.laid, dropped], PLANE), fell)
        assert [(type(o), o.seat, str(o.tile)) for o in told] == ([(Expose, seat, "5-3")] if racks else [])


def test_in_a_film_the_arm_that_pushed_a_tile_is_named_at_once():
    """A laid tile 20 mm off whose place looks otherwise and where one arm was: moved by that seat, in the first look that shows it."""
    table, watched = exact_table(*FIVE), Watched()
    for _ in range(2):
        watched.show(detect_all(table.laid, PLANE), filmed((0, 0), visits=[(Seat.S, 0, 0)], racks=[Seat.S]))
    tile = table.laid[1]
    pushed = [replace(one, y=one.y + 20.0) if one is tile else one for one in table.laid]
    seen = filmed((tile.x, tile.y), (tile.x, tile.y + 20.0), visits=[(Seat.W, tile.x, tile.y + 10.0)])
    (moved,) = watched.show(detect_all(pushed, PLANE), seen)
    assert isinstance(moved, Move) and (moved.seat, moved.tile) == (Seat.W, tile.tile)


def test_a_tile_taken_off_the_line_and_left_face_up():
    """A tip laid aside is withdrawn from the line and told as exposed when it stays there."""
    table = exact_table(("6-5", "b"))
    aside = replace(table.laid[1], x=-160.0, y=120.0)
    watched = Watched()
    for n in (1, 2):
        watched.see(table.laid[:n])
    told = [o for _ in range(3) for o in watched.see([table.laid[0], aside])]
    assert [type(o) for o in told] == [Withdraw, Expose] and str(told[1].tile) == "6-5"


HANDS = [Laid(Tile(0, 0), -20, 390, 88), Laid(Tile(4, 4), 20, 388, 91), Laid(Tile(3, 1), 385, 10, 3)]


def test_the_count_at_the_end():
    """Tiles turned up in front of the seats when the racks are gone are the count: hands by seat, no play and no exposure;
    a look that shows one more corrects the count."""
    table = exact_table(*FIVE)
    watched = Watched()
    watched.see(table.laid[:4], [1, 4, 4, 4])
    watched.see(table.laid, [0, 4, 4, 4])
    (count,) = watched.see([*table.laid, *HANDS[:2]])
    assert isinstance(count, Reveal) and count.final
    assert count.hands == ((), None, (Tile(0, 0), Tile(4, 4)), None)
    (correction,) = watched.see([*table.laid, *HANDS])
    assert correction.voids == 5 and correction.instead.hands == ((), (Tile(3, 1),), (Tile(0, 0), Tile(4, 4)), None)
    assert watched.see([*table.laid, *HANDS]) == ()


def test_a_thing_that_seems_to_stand_does_not_keep_the_count_back():
    """One box at a rim is read as a standing tile to the very end: in a film the second look that shows the hands is the count."""
    table, watched = exact_table(*FIVE), Watched()
    for n in range(1, 6):
        tile = table.laid[n - 1]
        seen = filmed((tile.x, tile.y), visits=[(Seat((n - 1) % 4), tile.x, tile.y)])
        watched.show([*detect_all(table.laid[:n], PLANE), *rack(2, 1, PLANE)], seen)
    shown = [*detect_all([*table.laid, *HANDS], PLANE), *rack(2, 1, PLANE)]
    assert watched.show(shown, filmed(*((t.x, t.y) for t in HANDS))) == ()
    (count,) = watched.show(shown, filmed())
    assert isinstance(count, Reveal) and sum(len(hand or ()) for hand in count.hands) == 3


def test_more_tiles_than_can_stand_do_not_keep_the_count_back():
    """Fourteen edges of a cloth read as standing tiles while all tiles but one lie face up: four of them in front of the seats are the
    count."""
    table, watched = random_table(3, 23, Sloppiness(0.0, (1.0, 1.0), 0.0), opener=0), Watched()
    left = [tile for tile in ALL_TILES if tile not in {laid.tile for laid in table.laid}][:4]
    spots = ((40.0, -410.0, 90.0), (410.0, 40.0, 0.0), (-40.0, 410.0, 90.0), (-410.0, -40.0, 0.0))
    hands = [Laid(tile, *spot) for tile, spot in zip(left, spots, strict=True)]
    edges = [edge for seat, count in enumerate((4, 4, 3, 3)) for edge in rack(seat, count, PLANE)]
    watched.show([*detect_all(table.laid, PLANE), *edges], filmed())
    shown = [*detect_all([*table.laid, *hands], PLANE), *edges]
    assert watched.show(shown, filmed(*((hand.x, hand.y) for hand in hands))) == ()
    (count,) = watched.show(shown, filmed())
    assert isinstance(count, Reveal) and count.hands == tuple((tile,) for tile in left)


def test_nothing_is_played_after_the_count():
    """A tile pushed against the line's tip while the hands are counted is no play."""
    table = exact_table(*FIVE, ("1-0", "b"))
    watched = Watched()
    watched.see(table.laid[:5], [0, 4, 4, 4])
    watched.see([*table.laid[:5], *HANDS])
    assert watched.see([*table.laid, *HANDS]) == ()


def test_a_hand_that_goes_on_after_a_count_takes_it_back():
    """When no hand is shown any more and a tile is laid, what was taken for the count was none, and the play is told."""
    table = exact_table(*FIVE, ("1-0", "b"))
    watched = Watched()
    watched.see(table.laid[:5])
    assert [type(o) for o in watched.see([*table.laid[:5], *HANDS])] == [Reveal]
    assert watched.see(table.laid[:5]) == ()
    told = watched.see(table.laid)
    assert [type(o) for o in told] == [Correction, Place] and told[0].voids == 5 and told[0].instead is None


def test_the_count_without_a_calibration_tells_nothing():
    """Where nobody knows the seats, tiles turned up are neither plays nor exposed."""
    table = exact_table(*FIVE)
    watched = Watched(None)
    for n in range(1, 6):
        watched.see(table.laid[:n])
    for _ in range(3):
        assert watched.see([*table.laid, *HANDS]) == ()


def test_the_next_hand():
    """After the count the table is cleared, and the next tile opens another hand."""
    table, following = exact_table(*FIVE), exact_table(("3-1", "a"), opening=Tile(3, 3))
    watched = Watched()
    watched.see(table.laid, [0, 4, 4, 4])
    watched.see([*table.laid, *HANDS])
    assert watched.see([], [0, 0, 0, 0]) == ()
    assert watched.see([], [7, 7, 7, 7]) == ()
    assert played(watched.see(following.laid[:1], [6, 7, 7, 7])) == [("3-3", "open")]
    assert played(watched.see(following.laid, [6, 6, 7, 7])) == [("3-1", "a")]


def test_starting_in_the_middle_of_a_hand():
    """Tiles that lie in the first look are told as placements of that look, opening first, each against one told before, seats unknown;
    tiles in front of the seats are left out, and the hand goes on from there."""
    table = random_table(8, 12, Sloppiness(2.0, (0.0, 3.0), 1.0), opener=0)
    watched = Watched(opener=Seat.S)
    told = watched.see([*table.laid[:-1], HANDS[2]], [4, 4, 4, 4])
    assert sorted(str(o.tile) for o in told) == sorted(str(t.tile) for t in table.laid[:-1])
    assert told[0].at == "open" and all(o.at != "open" for o in told[1:])
    assert {o.seat for o in told} == {None} and {o.t for o in told} == {0.0}
    (last,) = watched.see([*table.laid, HANDS[2]], [4, 4, 4, 3])
    assert last.tile == table.laid[-1].tile


def test_empty_looks_tell_nothing():
    """Looks without detections, before and during a hand, invent nothing, and the hand goes on after one."""
    table = exact_table(*FIVE)
    for plane in (PLANE, None):
        watched = Watched(plane)
        assert watched.show([]) == () and watched.show([]) == ()
        watched.see(table.laid[:3])
        assert watched.show([]) == ()
        assert played(watched.see(table.laid[:4])) == [("5-1", "b")]


def test_face_down_tiles_are_not_played():
    """A face-down pile and a face-down tile against the tip tell nothing."""
    table = exact_table(("6-5", "b"))
    down = TileDetection(detect(table.laid[1], PLANE).quad_px, np.full((2, 7), 1 / 7), TileState.FACE_DOWN, 0.9)
    watched = Watched()
    watched.see(table.laid[:1])
    assert watched.see(table.laid[:1], extra=[down]) == ()
    assert played(watched.see(table.laid)) == [("6-5", "b")]


def test_another_game_is_told_tile_by_tile():
    """With a free layout every new tile is told once at its look, wherever it lies, also when it is there twice;
    an unclear one is a question when two looks show it, and a clear look settles it."""
    tiles = [Laid(Tile(6, 2), 0, 0, 0), Laid(Tile(2, 2), 0, 26, 0), Laid(Tile(6, 2), 120, 60, 90), Laid(Tile(5, 1), 60, -30, 0)]
    watched = Watched(None, free_layout=True)
    for n in range(1, 5):
        (told,) = watched.see(tiles[:n])
        assert (told.tile, told.at, told.seat) == (tiles[n - 1].tile, "open", None)
    assert watched.see(tiles[1:]) == () and watched.see(tiles) == ()
    unclear, clear = (detect(Laid(Tile(3, 3), -150, 0, 0), PLANE, sure=sure) for sure in (0.5, 0.98))
    assert watched.see(tiles, extra=[unclear]) == ()
    (doubt,) = watched.see(tiles, extra=[unclear])
    assert doubt.tile is None and doubt.candidates
    (settled,) = watched.see(tiles, extra=[clear])
    assert (settled.voids, settled.instead.tile, settled.instead.t) == (4, Tile(3, 3), doubt.t)


def test_of_another_game_only_what_is_surely_there_is_told():
    """A box that may be none, a gap that looks like the double blank, and print that comes and goes are no tiles, nor questions, however
    often they are seen; once one is surely there it is told."""
    tiles = [Laid(Tile(6, 2), 0, 0, 0), Laid(Tile(2, 2), 0, 40, 0)]
    watched = Watched(None, free_layout=True)
    faint, gap = detect(Laid(Tile(4, 1), -150, 0, 0), PLANE), detect(Laid(Tile(0, 0), 150, 0, 0), PLANE)
    watched.see(tiles)
    for there in (0.4, 0.6, 0.4, 0.8):
        assert watched.see(tiles, extra=[replace(faint, confidence=there), replace(gap, confidence=0.8)]) == ()
    told = watched.see(tiles, extra=[replace(faint, confidence=0.9), replace(gap, confidence=0.9)])
    assert sorted(str(one.tile) for one in told) == ["0-0", "4-1"]


def test_a_picture_of_another_shape_is_refused():
    """A picture whose shape is not the calibration's is bad input."""
    with pytest.raises(BadInput, match="calibrate again"):
        StillsFollower(PLANE).look([], (960, 1280), 0.0, 0)
