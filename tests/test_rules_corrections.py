"""Corrections: any earlier observation, several in a row, corrections of corrections, and what becomes of an earlier hand's points."""

from __future__ import annotations

from dataclasses import replace

from any_observation import ANY_OBSERVATION
from hypothesis import given, settings
from hypothesis import strategies as st
from legal_play import play_hand

from rules.events import Corrected
from rules.observations import Correction, Observation, Pass, Place, Referee, Reveal, observation_from_dict, observation_to_dict
from rules.referee import in_force, observe, replay, start_match, state_before
from rules.ruleset import DUSA, FID
from rules.seats import Seat
from rules.state import MatchState
from rules.tiles import Tile


def place(t: float, seat: int | None, tile: str, at: str, **more: object) -> Place:
    return Place(t=t, seat=None if seat is None else Seat(seat), tile=Tile.parse(tile), at=at, **more)  # type: ignore[arg-type]


def correct(voids: int, instead: Observation | None = None) -> Correction:
    return Correction(t=99.0, voids=voids, instead=instead)


OPENING = place(0.0, 0, "6-6", "open")
MISREAD = place(2.0, 1, "5-1", "a", tip=1)
RIGHT = place(2.0, 1, "6-1", "a")


def dusa(*seen: Observation) -> MatchState:
    return replay(start_match(DUSA, first_opener=Seat.S), seen)


def test_a_correction_can_be_undone() -> None:
    """Taking the correction back puts the first reading in force again, with its infraction."""
    state = dusa(OPENING, MISREAD, correct(1, RIGHT))
    assert state.infractions == () and state.hand.ends == (1, 6)
    state, told = observe(state, correct(2))
    assert [i.code for i in state.infractions] == ["NON_MATCHING"] and state.observations[1] == MISREAD
    assert isinstance(told[0], Corrected) and told[0].observation == 2


def test_undoing_the_undoing_corrects_again() -> None:
    """Each correction is one more observation, also one about a correction about a correction."""
    state = dusa(OPENING, MISREAD, correct(1, RIGHT), correct(2), correct(3))
    assert state.infractions == () and state.observations == (OPENING, RIGHT, None, None, None)


def test_the_latest_correction_of_a_play_counts() -> None:
    """Corrected twice, and the second one taken back: the first one counts again."""
    other = place(2.0, 1, "6-2", "a")
    state = dusa(OPENING, MISREAD, correct(1, RIGHT), correct(1, other))
    assert state.hand.ends == (2, 6)
    assert replay(state, [correct(3)]).hand.ends == (1, 6)
    assert replay(state, [correct(2)]).hand.ends == (2, 6)


def test_a_correction_may_itself_be_corrected() -> None:
    """It put the wrong tile in the place: the right one goes where that one went, or the correction goes to another observation."""
    other = place(2.0, 1, "6-2", "a")
    assert dusa(OPENING, MISREAD, correct(1, RIGHT), correct(2, other)).hand.ends == (2, 6)
    moved = dusa(OPENING, MISREAD, place(4.0, 2, "6-5", "b"), correct(2, RIGHT), correct(3, correct(1, RIGHT)))
    assert moved.observations[1:3] == (RIGHT, place(4.0, 2, "6-5", "b")) and moved.infractions == ()


def test_several_corrections_in_a_row() -> None:
    """Three misread plays put right one after the other, the last one first: as if read right at once."""
    hand = play_hand(11).observations
    plays = [index for index, seen in enumerate(hand) if isinstance(seen, Place)][1:4]
    wrong = [
        replace(seen, tile=Tile(6, 6)) if index in plays and isinstance(seen, Place) else seen for index, seen in enumerate(hand)
    ]
    state = replay(start_match(FID, first_opener=Seat.S), [*wrong, *(correct(index, hand[index]) for index in reversed(plays))])
    true = replay(start_match(FID, first_opener=Seat.S), hand)
    assert (state.points, state.infractions, state.last_result) == (true.points, true.infractions, true.last_result)


def test_a_correction_to_a_tile_of_the_wrong_hand_is_a_value() -> None:
    """A correction that makes the play illegal tells the infraction; none is ever refused for what it says."""
    state, told = observe(dusa(OPENING, RIGHT), correct(1, MISREAD))
    assert [event.type for event in told] == ["correction", "tile_played", "infraction"] and state.hand.ends == (1, 6)


def test_a_pass_taken_back_is_no_false_pass() -> None:
    """It was not E who said "paso": the certain RENEGE falls with the signal, and what is left accuses two."""
    seen = (OPENING, Pass(t=1.0, seat=Seat.E), place(2.0, 2, "6-3", "a"), place(3.0, 3, "4-3", "a"), place(4.0, 0, "5-4", "a"))
    state = dusa(*seen, place(5.0, 1, "6-4", "b"))
    assert [i.code for i in state.infractions] == ["RENEGE"]
    assert [i.code for i in replay(state, [correct(1)]).infractions] == ["RENEGE_OR_OUT_OF_TURN"]
    seen_only = replay(state, [correct(1, Pass(t=1.0, seat=Seat.E, via="seen"))])
    assert [i.code for i in seen_only.infractions] == ["RENEGE_OR_OUT_OF_TURN"]


def test_a_reveal_put_right_scores_again() -> None:
    """A pair's tiles were read for the other's: points and winner of the block follow the right count."""
    hand = next(h for h in map(play_hand, range(99)) if h.end == "tranque" and h.left[0] != h.left[1])
    count = hand.observations[-1]
    assert isinstance(count, Reveal)
    s, e, n, w = count.hands
    state = dusa(*hand.observations[:-1], replace(count, hands=(e, s, w, n)))
    right = replay(state, [correct(len(hand.observations) - 1, count)])
    assert right.points == dusa(*hand.observations).points != state.points


def test_a_ruling_taken_back_moves_the_ledger_back() -> None:
    """Upheld by mistake: the fine is gone; dismissed instead: the infraction too."""
    state = dusa(OPENING, MISREAD, Referee(t=3.0, ruling="uphold", incident=1))
    assert state.fines == (50, 0)
    assert replay(state, [correct(2)]).fines == (0, 0) and replay(state, [correct(2)]).ledger == ()
    dismissed = replay(state, [correct(2, Referee(t=3.0, ruling="dismiss", incident=1))])
    assert dismissed.fines == (0, 0) and dismissed.infractions == ()


def test_a_lost_match_is_given_back_with_the_ruling() -> None:
    """The arbiter's word of intent was entered for the wrong table."""
    state = dusa(OPENING, Pass(t=1.0, seat=Seat.E), Referee(t=2.0, ruling="renege_intentional", seat=Seat.E))
    assert state.over and state.match_lost == "B"
    assert not replay(state, [correct(2)]).over and replay(state, [correct(2)]).match_lost is None


def test_an_earlier_hand_of_the_match_can_be_corrected() -> None:
    """The first hand's points were written for the wrong pair: the match, over by them, goes on from the true score."""
    first, second = play_hand(5, Seat.S), play_hand(6, Seat.E, t=200.0)
    start = start_match(replace(DUSA, target=sum(first.left)), first_opener=Seat.S)
    seen = [*first.observations, *second.observations]
    true = replay(start, seen)
    plays = [index for index, one in enumerate(first.observations) if isinstance(one, Place)]
    wrong = list(seen)
    wrong[plays[-1]] = replace(first.observations[plays[-1]], tile=None, candidates=((Tile(6, 6), 0.5),))  # type: ignore[call-arg]
    corrected = replay(replay(start, wrong), [correct(plays[-1], first.observations[plays[-1]])])
    assert (corrected.points, corrected.over, corrected.winner) == (true.points, true.over, true.winner)
    assert [row.amounts for row in corrected.ledger] == [row.amounts for row in true.ledger]


def test_a_correction_of_itself_or_of_the_future_changes_nothing() -> None:
    """It keeps its number all the same."""
    for voids in (2, 7):
        state, told = observe(dusa(OPENING, RIGHT), correct(voids, MISREAD))
        assert told == () and len(state.observations) == 3 and state.infractions == ()


def test_a_correction_of_a_correction_is_written_and_read() -> None:
    """Plain values of nested corrections print and parse the same."""
    nested = correct(3, correct(1, RIGHT))
    assert observation_from_dict(observation_to_dict(nested)) == nested


@settings(max_examples=60, deadline=None)
@given(noise=st.lists(st.tuples(st.integers(0, 30), st.none() | ANY_OBSERVATION), min_size=1, max_size=6), data=st.data())
def test_corrections_are_as_if_the_right_list_had_come_at_once(
    noise: list[tuple[int, Observation | None]], data: st.DataObject
) -> None:
    """Whatever is corrected in whatever order, the state is the fold of the observations in force, and a prefix is that moment's."""
    seen = list(play_hand(data.draw(st.integers(0, 99))).observations)
    for voids, instead in noise:
        seen.insert(data.draw(st.integers(0, len(seen))), Correction(t=0.0, voids=voids, instead=instead))
    start = start_match(FID, first_opener=Seat.S)
    state = replay(start, seen)
    again = start
    for observation in in_force(seen):
        again, _ = observe(again, observation) if observation is not None else observe(again, Correction(t=0.0, voids=10**6))
    assert replace(state, heard=()) == replace(again, heard=())
    cut = data.draw(st.integers(0, len(seen)))
    assert replay(replay(start, seen[:cut]), seen[cut:]) == state
    assert state_before(state, len(seen)) == state


def test_a_reading_that_only_becomes_surer_is_told_by_what_follows_from_it() -> None:
    """A later look raises the confidence of the tip: no event where nothing follows; where a doubt hung on it, that alone is taken back
    and the infraction follows."""
    tip, wrong = place(2.0, 1, "6-1", "a", confidence=0.9), place(4.0, 2, "5-4", "a", tip=5)
    surer = correct(1, replace(tip, confidence=0.995))
    state, told = observe(dusa(OPENING, tip), surer)
    assert told == () and state.hand.line.laid[1].confidence == 0.995
    state, told = observe(dusa(OPENING, tip, wrong), surer)
    assert [type(event).__name__ for event in told] == ["Corrected", "Infraction"] and told[1].at_obs == 2
    assert isinstance(told[0], Corrected) and [event.type for event in told[0].voids] == ["suspicion"]


def test_what_a_person_confirms_is_told() -> None:
    """The same correction by a person is an answer: the tile is told again."""
    tip = place(2.0, 1, "6-1", "a", confidence=0.9)
    _, told = observe(dusa(OPENING, tip), replace(correct(1, replace(tip, confidence=1.0)), by="referee"))
    assert [event.type for event in told] == ["correction", "tile_played"]


def test_a_reading_that_becomes_less_sure_takes_the_infraction_back() -> None:
    """What later looks put in doubt is a doubt again, and nobody stays accused by it."""
    tip, wrong = place(2.0, 1, "6-1", "a"), place(4.0, 2, "5-4", "a", tip=5)
    state, told = observe(dusa(OPENING, tip, wrong), correct(1, replace(tip, confidence=0.9)))
    assert state.infractions == () and [event.type for event in told] == ["correction", "suspicion"]
