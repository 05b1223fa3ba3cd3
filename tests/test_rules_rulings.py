"""What a person rules, and what a correction changes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from legal_play import play_hand

from rules.events import Corrected, HandEnded, Infraction, MatchEnded, ReadingDoubted, Ruled, ScoreChanged, Suspicion, TilePlayed
from rules.observations import Correction, Expose, Objection, Observation, Pass, Place, Referee, Withdraw
from rules.referee import observe, replay, start_match
from rules.ruleset import DUSA, FID
from rules.seats import Seat
from rules.tiles import ALL_TILES, Tile


def place(t: float, seat: int | None, tile: str, at: str, **more: object) -> Place:
    return Place(t=t, seat=None if seat is None else Seat(seat), tile=Tile.parse(tile), at=at, **more)  # type: ignore[arg-type]


JUMP = [place(0.0, 0, "6-6", "open"), place(2.0, 2, "6-3", "a")]
WRONG_TILE = [place(0.0, 0, "6-6", "open"), place(2.0, 1, "5-1", "a", tip=1)]


def test_a_fine_is_a_proposal_until_it_is_upheld() -> None:
    """The ledger of fines moves with the ruling, and only once."""
    state = replay(start_match(DUSA, first_opener=Seat.S), WRONG_TILE)
    assert state.infractions[0].fine == 50 and state.fines == (0, 0)
    state, told = observe(state, Referee(t=9.0, ruling="uphold", incident=1))
    assert state.fines == (50, 0) and [type(event) for event in told] == [Ruled, ScoreChanged]
    assert told[0].data() == {"incident": 1, "choice": "uphold"}
    assert observe(state, Referee(t=10.0, ruling="uphold", incident=1))[0].fines == (50, 0)


def test_a_dismissed_incident_is_off_the_list() -> None:
    """With it goes the opening that an exposed tile had cost."""
    seen = [place(0.0, 0, "6-6", "open"), Expose(t=1.0, seat=Seat.W, tile=Tile(2, 0), cause="drop")]
    state = replay(start_match(DUSA, first_opener=Seat.S), seen)
    assert state.lost_openings == (Seat.W,)
    state = replay(state, [Referee(t=5.0, ruling="dismiss", incident=1, code="EXPOSED")])
    assert state.infractions == () and state.lost_openings == ()


def test_a_dismissed_jump_stays_a_silent_pass() -> None:
    """The referee says that the skipped seat had passed: taking the tile back proves nothing any more."""
    state = replay(
        start_match(DUSA), [*JUMP, Referee(t=4.0, ruling="dismiss", seat=Seat.N), Withdraw(t=6.0, seat=Seat.N, tile=Tile(6, 3))]
    )
    assert state.infractions == ()


def test_only_a_skipped_seat_can_object() -> None:
    """The objection of a seat that was not skipped decides nothing."""
    state = replay(start_match(DUSA), [*JUMP, Objection(t=3.0, seat=Seat.W)])
    assert state.infractions == ()
    assert [i.code for i in replay(state, [Objection(t=4.0, seat=Seat.E)]).infractions] == ["OUT_OF_TURN"]


@pytest.mark.parametrize(("code", "seat", "fines"), [("RENEGE", Seat.E, (50, 0)), ("OUT_OF_TURN", Seat.N, (0, 20))])
def test_a_person_decides_between_the_jumper_and_the_skipped(code: str, seat: Seat, fines: tuple[int, int]) -> None:
    """RENEGE_OR_OUT_OF_TURN is never decided by itself; the ruling that names the code brings that fine (DUSA-5, DUSA-7)."""
    seen = [*JUMP, place(4.0, 3, "4-3", "a"), place(6.0, 0, "5-4", "a"), place(8.0, 1, "6-4", "b")]
    state = replay(start_match(DUSA), [*seen, Referee(t=20.0, ruling="uphold", incident=1, code=code)])
    assert [i.code for i in state.infractions] == ["RENEGE_OR_OUT_OF_TURN", code]
    assert state.infractions[1].seat == seat and state.fines == fines


def test_an_opening_is_lost_once_however_many_tiles_fall() -> None:
    """Two fallen tiles of one seat: two incidents, one opening; dismissing one keeps it lost."""
    drops = [Expose(t=1.0 + i, seat=Seat.W, tile=tile, cause="drop") for i, tile in enumerate((Tile(2, 0), Tile(4, 1)))]
    state = replay(start_match(DUSA), [place(0.0, 0, "6-6", "open"), *drops])
    assert len(state.infractions) == 2 and state.lost_openings == (Seat.W,)
    assert replay(state, [Referee(t=5.0, ruling="dismiss", incident=2)]).lost_openings == (Seat.W,)


@pytest.mark.parametrize("choice", ["continue", "agreement", "inconclusive", "free"])
def test_choices_that_change_nothing_on_the_table(choice: str) -> None:
    """They are told, and line, turn and score stay."""
    state = replay(start_match(FID), WRONG_TILE)
    after, told = observe(state, Referee(t=9.0, ruling=choice, incident=1, by="referee-1", text="as it lies"))
    assert [event.data() for event in told] == [{"incident": 1, "choice": choice, "by": "referee-1", "text": "as it lies"}]
    assert after.hand.line == state.hand.line and after.hand.turn == state.hand.turn and after.fines == (0, 0)


def test_go_back_restores_line_and_turn() -> None:
    """FID remedy 3: as it was before the incident, which stays on the list."""
    state = replay(
        start_match(FID, first_opener=Seat.S),
        [*WRONG_TILE, Referee(t=9.0, ruling="go_back", incident=1)],
    )
    assert state.hand.ends == (6, 6) and state.hand.turn == Seat.E and [i.code for i in state.infractions] == ["NON_MATCHING"]
    assert replay(state, [place(12.0, 1, "6-4", "a")]).hand.ends == (4, 6)


def test_repeat_hand_is_void_and_opened_by_the_other_pair() -> None:
    """FID remedy 2 against N, whose partner S had opened: E opens, the hand is not counted anew, then the right of E."""
    seen = [*JUMP, Withdraw(t=4.0, seat=Seat.N, tile=Tile(6, 3)), Referee(t=9.0, ruling="repeat_hand", incident=1)]
    state = replay(start_match(FID, first_opener=Seat.S), seen)
    assert [event.end for event in state.events if isinstance(event, HandEnded)] == ["void"]
    state = replay(state, [place(60.0, 1, "5-5", "open")])
    assert [i.code for i in state.infractions] == ["OUT_OF_TURN"] and state.hands_opened == 1 and state.hand.due == Seat.E
    assert replay(state, [place(200.0, 3, "4-4", "open")]).infractions[-1].code == "WRONG_STARTER"
    assert len(replay(state, [place(200.0, 2, "4-4", "open")]).infractions) == 1


def test_a_repeat_after_the_count_takes_the_points_away() -> None:
    """The ledger gives the points of the repeated hand back."""
    hand = play_hand(1)
    state = replay(start_match(FID, first_opener=Seat.S), hand.observations)
    assert sum(state.points) > 0
    state = replay(state, [Referee(t=200.0, ruling="repeat_hand", seat=Seat.S)])
    assert state.points == (0, 0) and state.repeat_opener == Seat.E


def test_an_intentional_false_pass_loses_the_match_under_dusa_alone() -> None:
    """Intent is a person's word; FID has no such consequence (DUSA-5)."""
    seen = [place(0.0, 0, "6-6", "open"), Pass(t=2.0, seat=Seat.E), Expose(t=4.0, seat=Seat.E, tile=Tile(6, 4), cause="drop")]
    ruling = Referee(t=9.0, ruling="intentional", incident=1, code="RENEGE")
    state = replay(start_match(DUSA), [*seen, ruling])
    assert state.match_lost == "B" and [e.winner for e in state.events if isinstance(e, MatchEnded)] == ["A"]
    assert replay(start_match(FID), [*seen, ruling]).match_lost is None


def test_a_correction_tells_what_no_longer_holds_and_what_does() -> None:
    """Events before the corrected one stay; all from there on are taken back and told anew in their order."""
    seen = [*WRONG_TILE, place(4.0, 2, "1-1", "a")]
    state = replay(start_match(DUSA, first_opener=Seat.S), seen)
    wrong = state.events
    state, told = observe(state, Correction(t=9.0, voids=1, instead=place(2.0, 1, "6-1", "a"), by="referee"))
    correction, *true = told
    assert (
        isinstance(correction, Corrected)
        and correction.voids == wrong[2:]
        and correction.data() == {"observation": 1, "voids": [1, 2], "by": "referee"}
    )
    assert [event.data()["tile"] for event in true if isinstance(event, TilePlayed)] == ["6-1", "1-1"]
    assert state.infractions == () and state.hand.ends == (1, 6) and state.events == (*wrong[:2], *true)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), which=st.integers(0, 99), when=st.integers(0, 99), tile=st.sampled_from(ALL_TILES))
def test_a_wrong_reading_that_is_corrected_leaves_no_trace(seed: int, which: int, when: int, tile: Tile) -> None:
    """Any play misread and put right later, however late: the hand is as if it had been read right at once."""
    right = play_hand(seed).observations
    plays = [index for index, seen in enumerate(right) if isinstance(seen, Place)]
    index = plays[which % len(plays)]
    cut = index + 1 + when % (len(right) - index)
    wrong: list[Observation] = [*right[:index], replace(right[index], tile=tile), *right[index + 1 : cut]]  # type: ignore[call-arg]
    state = replay(start_match(FID, first_opener=Seat.S), [*wrong, Correction(t=999.0, voids=index, instead=right[index])])
    state = replay(state, right[cut:])
    true = replay(start_match(FID, first_opener=Seat.S), right)
    assert _same_story(state.events, true.events)
    assert (state.points, state.infractions, state.last_result) == (true.points, true.infractions, true.last_result)


def _same_story(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Equal events but for the numbers of the observations, which the correction shifts by one."""
    return [(type(a), a.data()) for a in one] == [(type(b), b.data()) for b in other]  # type: ignore[attr-defined]


def test_voiding_an_observation_without_another_takes_it_out() -> None:
    """A phantom tile rejected by the referee: the turn is where it was."""
    state = replay(start_match(DUSA, first_opener=Seat.S), [*JUMP, Correction(t=4.0, voids=1)])
    assert state.hand.turn == Seat.E and state.hand.ends == (6, 6) and state.infractions == ()


def test_a_settled_doubt_names_what_it_resolves() -> None:
    """`reading_doubted` stays on record; the play that settles it says so, and the plays after it follow in order."""
    doubt = Place(t=2.0, seat=Seat.E, at="a", candidates=((Tile(6, 4), 0.6), (Tile(6, 2), 0.4)))
    state = replay(start_match(DUSA), [place(0.0, 0, "6-6", "open"), doubt, place(4.0, 2, "6-3", "b")])
    assert state.hand.ends == (None, 3) and state.hand.turn == Seat.W
    state, told = observe(state, Correction(t=6.0, voids=1, instead=place(2.0, 1, "6-4", "a")))
    assert next(event.data() for event in told if isinstance(event, TilePlayed))["resolves"] == 1
    assert [type(event) for event in state.events].count(ReadingDoubted) == 1 and state.hand.ends == (4, 3)


def test_an_unknown_observation_cannot_be_corrected() -> None:
    """A correction of what was never seen changes nothing."""
    state = replay(start_match(DUSA), JUMP)
    after, told = observe(state, Correction(t=4.0, voids=17))
    assert told == () and after.hand == state.hand


def test_doubtful_evidence_is_a_suspicion() -> None:
    """Below 0.98 nothing becomes an infraction: the wrong tile, the jump taken back, the wrong opener are put to the referee."""
    for seen in (
        [WRONG_TILE[0], replace(WRONG_TILE[1], confidence=0.97)],
        [JUMP[0], replace(JUMP[1], confidence=0.9), Withdraw(t=5.0, seat=Seat.N, tile=Tile(6, 3))],
        [replace(place(0.0, 2, "6-6", "open"), confidence=0.5)],
    ):
        state = replay(start_match(DUSA, first_opener=Seat.S), seen)
        assert state.infractions == () and any(isinstance(event, Suspicion) for event in state.events)
        assert not any(isinstance(event, Infraction) for event in state.events)
