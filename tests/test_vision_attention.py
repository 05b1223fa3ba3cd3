"""What is seen of hands in a film, and when the table is looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

import pytest
from filmed_table import BROWN, FPS, HALF, FilmedTable, plane

from rules.seats import Seat
from table.faults_light import with_gamma
from vision.activity import DIFFERENT, SmallTable, area_mm2
from vision.attention import HELD_S, REST_S, Attention, Witness
from vision.frame import Frame

S, E, N, W = Seat
PLACE = (30.0, -20.0)


class Watched:
    """A film with its attention; each look is taken and leaves no question."""

    def __init__(self, film: FilmedTable, known: bool = True) -> None:
        self.attention = Attention(plane() if known else None)
        self.film, self.looks = film, []
        self.see(film.hold(1.0))
        self.looks.clear()

    def see(self, frames: Iterable[Frame], question: bool = False) -> list[tuple[float, Witness]]:
        for frame in frames:
            witness = self.attention.watch(frame)
            if witness is not None:
                self.looks.append((frame.t_s, witness))
                self.attention.looked(frame.t_s, question)
        return self.looks

    def play(self, seat: Seat, place: tuple[float, float] = PLACE) -> tuple[float, Witness]:
        """The seat's arm comes in with a tile of its rack, lays it, leaves."""
        self.see(self.film.hold(0.6, [(seat, *place)]))
        self.film.racks[seat] -= 1
        self.film.tiles.append(place)
        self.see(self.film.hold(1.4))
        assert len(self.looks) == 1
        return self.looks.pop()


@pytest.mark.parametrize("seat", Seat)
def test_a_play_is_looked_at_once_and_its_seat_known_by_arm_and_rack(seat: Seat) -> None:
    """From each side: one look after the arm has left, the rack of that seat looks otherwise, and nobody else can have laid it.

    Where the arm did not come near, the seat is known by its rack and by having been in at all; without the rack it is not.
    """
    watched = Watched(FilmedTable())
    start_s = watched.film.index / 5.0
    t_s, witness = watched.play(seat)
    assert start_s + 0.6 + REST_S <= t_s <= start_s + 0.6 + REST_S + 0.5
    assert set(witness.visits) == witness.racks == {seat}
    assert witness.who(*PLACE) == witness.who(-300.0, 250.0) == seat
    assert replace(witness, racks=frozenset()).who(-300.0, 250.0) is None
    assert witness.has_changed and witness.passed is None


def test_nothing_moves_nothing_is_looked_at() -> None:
    """Noise and the flicker of the exposure are no change, however long it lasts."""
    watched = Watched(FilmedTable(flicker=0.08))
    assert watched.see(watched.film.hold(12.0)) == []


def test_an_arm_that_leaves_everything_as_it_was_may_have_passed() -> None:
    """Seen, with nothing changed: the one seat whose arm it was."""
    watched = Watched(FilmedTable())
    watched.see(watched.film.hold(0.6, [(N, -80.0, 200.0)]))
    ((_, witness),) = watched.see(watched.film.hold(1.5))
    assert witness.passed == N and not witness.has_changed and witness.racks == frozenset()


@pytest.mark.parametrize("gamma", [0.4, 0.7, 1.5, 2.5])
def test_another_exposure_is_no_change_and_hides_none(gamma: float) -> None:
    """Dark and bright places change by different factors: no arm is taken to be in; a tile laid in the new light is seen, and by whom."""
    watched = Watched(FilmedTable())
    film = watched.film

    def lit(frames: Iterable[Frame]) -> list[Frame]:
        return [replace(frame, image=with_gamma(frame.image, gamma), t_s=frame.t_s + 1.0) for frame in frames]

    assert not [witness for _, witness in watched.see(lit(film.hold(2.0))) if witness.visits]
    watched.looks.clear()
    watched.see(lit(film.hold(0.6, [(E, *PLACE)])))
    film.tiles.append(PLACE)
    watched.see(lit(film.hold(1.4)))
    ((_, witness),) = watched.looks
    assert witness.differs(*PLACE) and witness.who(*PLACE) == E and set(witness.visits) == {E}
    assert area_mm2(witness.changed) < 3 * 50 * 25


def test_fingers_at_the_rim_hold_the_look_back() -> None:
    """Somebody takes a tile up at his rack: no look while the hand is there, though nothing moves for a second."""
    watched = Watched(FilmedTable())
    watched.film.racks[S] -= 1
    assert watched.see(watched.film.hold(1.2, [(S, 40.0, -370.0)])) == []
    assert len(watched.see(watched.film.hold(1.0))) == 1


def test_an_arm_that_rests_on_the_table_does_not_hold_it_for_ever() -> None:
    """After three seconds without a movement the rest of the table is looked at."""
    watched = Watched(FilmedTable())
    start_s = watched.film.index / 5.0
    looks = watched.see(watched.film.hold(HELD_S + 1.0, [(W, -200.0, 100.0)]))
    assert len(looks) == 1 and looks[0][0] >= start_s + HELD_S


def test_while_an_arm_rests_on_the_table_the_others_plays_are_looked_at() -> None:
    """An arm lies still all the while, the others never leave three seconds without a movement: each play is looked at, by its seat."""
    watched = Watched(FilmedTable())
    resting = (W, -330.0, 150.0)
    watched.see(watched.film.hold(1.0, [resting]))
    for n, seat in enumerate((S, E, N, S, E)):
        place = (60.0 * n - 100.0, -20.0)
        watched.see(watched.film.hold(0.8, [resting, (seat, *place)]))
        watched.film.racks[seat] -= 1
        watched.film.tiles.append(place)
        watched.see(watched.film.hold(1.4, [resting]))
    assert len(watched.looks) >= 3
    _, last = watched.looks[-1]
    assert last.who(140.0, -20.0) == E and W not in last.visits


def over_the_rim(
    film: FilmedTable, seconds: float, arms: Iterable[tuple[Seat, float, float]] = (), y: float = -240.0
) -> Iterator[Frame]:
    """Two pale blocks over the west rim; what joins them is as bright as the table but for little: the noise makes it come and go."""
    arms = tuple(arms)
    for _ in range(round(seconds * FPS)):
        more = round(DIFFERENT) + (4 if film.index % 2 else -4)
        joint = (BROWN[0] + more, BROWN[1] + more, BROWN[2] + more)
        blocks = [(x, y, 120.0, 90.0, (205, 215, 225)) for x in (-430.0, -230.0)]
        film.things = [*blocks, (-330.0, y, 80.0, 90.0, joint)]
        yield from film.hold(1 / FPS, arms)


def test_what_lies_still_over_a_rim_is_no_arm_though_its_outline_comes_and_goes() -> None:
    """While it is pushed about it is an arm. Three seconds later it is looked at, and every play after that at once, by its seat."""
    watched = Watched(FilmedTable())
    for n in range(6):
        assert watched.see(over_the_rim(watched.film, 1.0, y=-240.0 + 50.0 * (n % 2))) == []
    start_s = watched.film.index / FPS
    ((t_s, _),) = watched.see(over_the_rim(watched.film, HELD_S + 1.0))
    assert start_s + HELD_S - 1e-6 <= t_s <= start_s + HELD_S + REST_S
    for n, seat in enumerate((S, E, W, N)):
        watched.looks.clear()
        place = (60.0 * n - 100.0, 80.0)
        watched.see(over_the_rim(watched.film, 0.8, [(seat, *place)]))
        watched.film.racks[seat] -= 1
        watched.film.tiles.append(place)
        ((_, witness),) = watched.see(over_the_rim(watched.film, 1.2))
        assert set(witness.visits) == {seat} and witness.who(*place) == seat


def test_a_seats_own_hand_does_not_make_an_arm_again_of_what_lies_over_its_rim() -> None:
    """West's hand comes and goes beside it and never leaves three seconds without a movement: it is looked at all the same."""
    watched = Watched(FilmedTable())
    for _ in range(3):
        watched.see(over_the_rim(watched.film, 0.6, [(W, -200.0, 120.0)]))
        watched.see(over_the_rim(watched.film, 1.0))
    assert len(watched.looks) == 1


def test_two_arms_over_one_place_are_told_apart_by_the_rack() -> None:
    """Both came near: the rack that lost a tile decides; where none did nobody is named."""
    for lost, who in ((E, E), (None, None)):
        watched = Watched(FilmedTable())
        watched.see(watched.film.hold(0.6, [(E, *PLACE), (S, PLACE[0], PLACE[1] - 20)]))
        watched.film.tiles.append(PLACE)
        if lost is not None:
            watched.film.racks[lost] -= 1
        ((_, witness),) = watched.see(watched.film.hold(1.4))
        assert set(witness.visits) == {E, S} and witness.who(*PLACE) == who


def test_a_hand_that_looks_like_the_table_is_known_by_sleeve_and_rack() -> None:
    """Only the sleeve was seen, far from the tile: the rack of that seat names it; without a rack, or with two such, nobody is named."""
    for racks, seats, who in (([S], [S], S), ([], [S], None), ([S, E], [S, E], None), ([E], [S], None)):
        table = SmallTable(plane())
        covers = {seat: table.rims[seat] for seat in seats}
        witness = Witness(table, covers, table.around(*PLACE, 30.0), frozenset(racks))
        assert witness.who(*PLACE) == who


def test_an_arm_and_another_seats_rack_contradict_each_other() -> None:
    """The arm says east, the rack says north: nobody is named."""
    watched = Watched(FilmedTable())
    watched.see(watched.film.hold(0.6, [(E, *PLACE)]))
    watched.film.tiles.append(PLACE)
    watched.film.racks[N] -= 1
    ((_, witness),) = watched.see(watched.film.hold(1.4))
    assert witness.who(*PLACE) is None


def test_a_tile_that_is_taken_leaves_its_place_otherwise() -> None:
    """The place of the tile that went differs, that of the one that stayed does not."""
    watched = Watched(FilmedTable())
    watched.play(S)
    watched.play(E, (150.0, -20.0))
    watched.see(watched.film.hold(0.6, [(E, 150.0, -20.0)]))
    watched.film.tiles.pop()
    watched.film.racks[E] += 1
    ((_, witness),) = watched.see(watched.film.hold(1.4))
    assert witness.differs(150.0, -20.0) and not witness.differs(*PLACE) and witness.who(150.0, -20.0) == E


def test_a_question_is_looked_at_again_with_the_same_witnesses() -> None:
    """Three looks a second apart, each knowing whose arm it was; then no more until something changes."""
    watched = Watched(FilmedTable())
    watched.see(watched.film.hold(0.6, [(W, *PLACE)]), question=True)
    watched.film.tiles.append(PLACE)
    watched.film.racks[W] -= 1
    looks = watched.see(watched.film.hold(8.0), question=True)
    assert len(looks) == 3 and all(witness.who(*PLACE) == W and witness.differs(*PLACE) for _, witness in looks)
    assert min(later - sooner for (sooner, _), (later, _) in pairwise(looks)) >= 1.0


def test_after_a_question_each_tile_is_of_the_arm_that_came_when_its_place_changed():
    """The arm that laid a tile in doubt, over the next tile's place as well, is no witness of the next one; nor is the next arm of it."""
    watched, beside = Watched(FilmedTable()), (PLACE[0] - 52.0, PLACE[1])
    watched.see(watched.film.hold(0.6, [(W, *PLACE), (W, *beside)]), question=True)
    watched.film.tiles.append(PLACE)
    watched.film.racks[W] -= 1
    watched.see(watched.film.hold(0.8), question=True)
    watched.see(watched.film.hold(0.6, [(S, *beside), (S, *PLACE)]), question=True)
    watched.film.tiles.append(beside)
    watched.film.racks[S] -= 1
    _, witness = watched.see(watched.film.hold(0.8), question=True)[-1]
    assert set(witness.visits) == {W, S} and set(witness.latest.visits) == {S}
    assert (witness.who(*PLACE), witness.who(*beside)) == (W, S)


def test_without_a_calibration_changes_are_looked_at_and_no_seat_is_known() -> None:
    """The picture is taken for the table: looks come, the attention says that it knows no seats."""
    watched = Watched(FilmedTable(), known=False)
    assert not watched.attention.knows_seats
    assert watched.play(S)[1].has_changed


def test_what_a_tile_and_its_shadow_leave_at_a_rack_is_no_arm() -> None:
    """A tile was taken from a rack, and the shadow that it threw far over the table with it: as large a change as fingers over the rim, but
    it lies still where tiles stand. The play is looked at once the arm has left, and rack and arm name the seat."""
    film = FilmedTable()
    film.things.append((-HALF + 45.0, -60.0, 86.0, 42.0, (20, 40, 60)))
    watched = Watched(film)
    start_s = film.index / FPS
    watched.see(film.hold(0.6, [(W, *PLACE)]))
    film.things.clear()
    film.tiles.append(PLACE)
    watched.see(film.hold(1.4))
    ((t_s, witness),) = watched.looks
    assert t_s <= start_s + 0.6 + REST_S + 0.5
    assert set(witness.visits) == witness.racks == {W} and witness.who(*PLACE) == W
