"""Incidents in a person's hands: opened, upheld, dismissed, left inconclusive, and what each does to the ledger."""

from __future__ import annotations

from dataclasses import replace

import pytest
from any_observation import ANY_OBSERVATION
from hypothesis import given, settings
from hypothesis import strategies as st
from legal_play import play_hand

from rules.events import Infraction, MatchEnded, Ruled
from rules.incidents import open_incidents
from rules.observations import (
    Expose,
    HandOverTable,
    Objection,
    Observation,
    Pass,
    Place,
    Referee,
    Reveal,
    Withdraw,
    observation_from_dict,
)
from rules.referee import observe, replay, start_match
from rules.ruleset import DUSA, FID, RULESETS, Ruleset
from rules.seats import Seat
from rules.state import MatchState
from rules.tiles import Tile

BOTH = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)


def place(t: float, seat: int | None, tile: str, at: str, **more: object) -> Place:
    return Place(t=t, seat=None if seat is None else Seat(seat), tile=Tile.parse(tile), at=at, **more)  # type: ignore[arg-type]


def ruling(choice: str, **more: object) -> Referee:
    return Referee(t=50.0, ruling=choice, **more)  # type: ignore[arg-type]


OPENING = place(0.0, 0, "6-6", "open")
JUMP = (OPENING, place(2.0, 2, "6-3", "a"))


def dusa(*seen: Observation) -> MatchState:
    return replay(start_match(DUSA, first_opener=Seat.S), seen)


def fid(*seen: Observation) -> MatchState:
    return replay(start_match(FID, first_opener=Seat.S), seen)


def listed(state: MatchState) -> list[tuple[str, object, str, int | None]]:
    return [(i.code, i.seat, i.rule, i.fine) for i in state.infractions]


def reason(state: MatchState) -> str | None:
    return [event for event in state.events if isinstance(event, Ruled)][-1].refused


@pytest.mark.parametrize(
    ("code", "text", "under_dusa", "under_fid"),
    [
        ("TALK_OR_GESTURE", None, ("TALK_OR_GESTURE", "DUSA-4", 20), ("TALK_OR_GESTURE", "FID-BEH-2", None)),
        ("CONDUCT", None, None, ("CONDUCT", "FID-BEH-4", None)),
        ("CONDUCT", "FID-ACT-8 agreed on the result", None, ("CONDUCT", "FID-ACT-8", None)),
        ("HANDS_ON_TABLE", None, ("HANDS_ON_TABLE", "DUSA-4", 20), None),
        ("STRIKE_OR_THROW", None, None, ("STRIKE_OR_THROW", "FID-BEH-3", None)),
        ("EXCESSIVE_THINK", None, None, ("EXCESSIVE_THINK", "FID-ACT-5", None)),
        ("DOUBLE_POSE", None, None, ("DOUBLE_POSE", "FID-ACT-3", None)),
        ("NON_MATCHING", None, ("NON_MATCHING", "DUSA-8", 50), ("NON_MATCHING", "FID-ACT-10", None)),
        (None, "left the table", ("INCIDENT", "DUSA-12", None), ("INCIDENT", "FID-ACT-3", None)),
        ("SPILT_COFFEE", "on the line", ("INCIDENT", "DUSA-12", None), ("INCIDENT", "FID-ACT-3", None)),
    ],
)
def test_a_person_opens_an_incident(code: str | None, text: str | None, under_dusa: object, under_fid: object) -> None:
    """By a code of the catalogue or in free words; a code that the rule set does not have is refused (DUSA-4, DUSA-12, FID-BEH-4)."""
    seen = (OPENING, ruling("incident", code=code, seat=Seat.E, text=text))
    for state, expected in ((dusa(*seen), under_dusa), (fid(*seen), under_fid)):
        assert [(i.code, i.rule, i.fine) for i in state.infractions] == ([] if expected is None else [expected])
        assert reason(state) == ("not_in_rule_set" if expected is None else None)
        assert all((i.seat, i.at_obs, i.certain_at) == (Seat.E, 1, 1) for i in state.infractions)
    assert [c.holder for c in fid(*seen).cards] == ([] if under_fid is None else [Seat.N])


def test_an_opened_incident_is_upheld_like_any_other() -> None:
    """Talk: 20 to the rivals once a person upholds it; the same incident is not opened twice."""
    state = dusa(OPENING, ruling("incident", code="TALK_OR_GESTURE", seat=Seat.E))
    assert state.fines == (0, 0)
    state = replay(state, [ruling("uphold", code="TALK_OR_GESTURE", seat=Seat.E)])
    assert state.fines == (20, 0) and len(state.infractions) == 1
    assert reason(replay(state, [ruling("incident", incident=1, code="TALK_OR_GESTURE", seat=Seat.E)])) == "already_open"


def test_upholding_what_no_camera_saw_opens_it() -> None:
    """The referee names code and seat of something nobody told: one step instead of two."""
    state = dusa(OPENING, ruling("uphold", code="TALK_OR_GESTURE", seat=Seat.W))
    assert listed(state) == [("TALK_OR_GESTURE", Seat.W, "DUSA-4", 20)] and state.fines == (20, 0)


def test_an_incident_may_be_attributed_to_an_earlier_observation() -> None:
    """The referee says when it was."""
    state = fid(*JUMP, ruling("incident", code="CONDUCT", seat=Seat.E, incident=1))
    assert [(i.at_obs, i.certain_at) for i in state.infractions] == [(1, 2)]


def test_an_incident_command_reads_as_an_observation() -> None:
    """`kind: incident` is short for a referee's ruling that opens one."""
    row = {"t": 3.0, "kind": "incident", "code": "TALK_OR_GESTURE", "seat": 1, "text": "said a number"}
    assert observation_from_dict(row) == Referee(
        t=3.0, ruling="incident", code="TALK_OR_GESTURE", seat=Seat.E, text="said a number"
    )


def test_advice_becomes_an_incident_by_a_person() -> None:
    """Hands over the table: advice, then 20 when the referee upholds it (DUSA-4, D-26)."""
    state = dusa(OPENING, HandOverTable(t=2.0, seat=Seat.W, dur=3.0), ruling("uphold", incident=1))
    assert listed(state) == [("HANDS_ON_TABLE", Seat.W, "DUSA-4", 20)] and state.fines == (20, 0)


def test_a_doubt_becomes_an_infraction_by_a_person() -> None:
    """A tile read at 0.9 is no infraction until somebody who looked at it says so."""
    doubtful = place(2.0, 1, "5-1", "a", confidence=0.9, tip=1)
    state = dusa(OPENING, doubtful)
    assert state.infractions == () and [event.code for event in open_incidents(state)] == ["NON_MATCHING"]
    state = replay(state, [ruling("uphold", incident=1)])
    assert listed(state) == [("NON_MATCHING", Seat.E, "DUSA-8", 50)] and state.fines == (50, 0) and open_incidents(state) == ()


def test_a_doubtful_jump_is_out_of_turn_by_a_persons_word() -> None:
    """However badly it was read."""
    state = dusa(OPENING, replace(JUMP[1], confidence=0.6), ruling("uphold", code="OUT_OF_TURN"))
    assert listed(state) == [("OUT_OF_TURN", Seat.N, "DUSA-7", 20)] and state.fines == (0, 20)


def test_a_doubtful_objection_leaves_the_jump_open() -> None:
    """Whether E objected is not sure: a later sure sign still decides."""
    state = dusa(*JUMP, Objection(t=3.0, seat=Seat.E, confidence=0.5))
    assert state.infractions == () and len(state.hand.jumps) == 1
    assert listed(replay(state, [Withdraw(t=4.0, seat=Seat.N, tile=Tile(6, 3))])) == [("OUT_OF_TURN", Seat.N, "DUSA-7", 20)]


def test_an_upheld_exposure_costs_the_opening() -> None:
    """A badly seen fallen tile: nothing, until a person says that it was exposed (DUSA-6)."""
    fallen = Expose(t=1.0, seat=Seat.W, tile=Tile(2, 0), cause="drop", confidence=0.8)
    state = dusa(OPENING, fallen)
    assert state.infractions == () and state.lost_openings == ()
    state = replay(state, [ruling("uphold", incident=1)])
    assert [i.code for i in state.infractions] == ["EXPOSED"] and state.lost_openings == (Seat.W,)


@pytest.mark.parametrize("choice", ["dismiss", "inconclusive"])
def test_what_is_dismissed_is_not_told_again(choice: str) -> None:
    """Neither by a later proof nor by a second ruling; a fine that was never upheld moves nothing."""
    seen = [OPENING, Pass(t=1.0, seat=Seat.E), Expose(t=2.0, seat=Seat.E, tile=Tile(6, 4), cause="drop")]
    state = dusa(*seen, ruling(choice, incident=1, code="RENEGE"))
    assert [i.code for i in state.infractions] == ["EXPOSED"] and state.ledger == ()
    state = replay(state, [Reveal(t=60.0, final=False, hands=(None, (Tile(6, 4), Tile(6, 2)), None, None))])
    assert [i.code for i in state.infractions] == ["EXPOSED"]
    assert reason(replay(state, [ruling("uphold", incident=1, code="RENEGE")])) == "already_ruled"


def test_an_inconclusive_jump_may_still_be_proved() -> None:
    """Nobody can say now: it is asked no more, but a tile shown later tells."""
    state = dusa(*JUMP, ruling("inconclusive", incident=1))
    assert open_incidents(state) == () and len(state.hand.jumps) == 1
    assert [i.code for i in replay(state, [Withdraw(t=9.0, seat=Seat.N, tile=Tile(6, 3))]).infractions] == ["OUT_OF_TURN"]


def test_a_dismissed_exposure_gives_the_points_back() -> None:
    """The hand was won with a tile that a person says was never exposed: the score is booked anew, row after row (DUSA-6)."""
    hand = next(h for h in map(play_hand, range(99)) if h.end == "domination" and sum(h.left) > 0)
    last = next(seen for seen in reversed(hand.observations) if isinstance(seen, Place))
    assert last.tile is not None
    exposed = Expose(t=0.5, seat=hand.by, tile=last.tile, cause="drop")
    seen = [hand.observations[0], exposed, *hand.observations[1:]]
    state = dusa(*seen)
    # The exposed tile was left for the last turn: whenever it fitted before that, its duty was broken as well.
    assert state.points == (0, 0) and "EXPOSED" in [i.code for i in state.infractions]
    state = replay(state, [ruling("dismiss", incident=1, code="EXPOSED")])
    assert sum(state.points) == sum(hand.left) and state.lost_openings == ()
    assert [row.voids for row in state.ledger] == [None, 0, None]


def test_a_fine_proved_at_the_count_is_looked_at_with_that_hand() -> None:
    """The match was over for A; the false pass that the count showed brings B its fine, and B wins (D-06)."""

    def falsely(points: int) -> MatchState:
        start = start_match(replace(DUSA, target=100), first_opener=Seat.S, points=(100 - points, 60))
        return replay(start, [*hand.observations[:cut], Pass(t=0.0, seat=hand.by), *hand.observations[cut:]])

    hand = next(h for h in map(play_hand, range(99)) if h.end == "domination" and h.by == Seat.S and 10 < sum(h.left) < 40)
    cut = next(i for i, seen in enumerate(hand.observations) if i > 3 and isinstance(seen, Place) and seen.seat == Seat.S)
    state = falsely(sum(hand.left))
    assert state.over and state.winner == "A" and "RENEGE" in [i.code for i in state.infractions]
    state = replay(state, [ruling("uphold", code="RENEGE")])
    assert state.totals == (100, 110) and state.winner == "B"
    assert [(e.winner, e.reason) for e in state.events if isinstance(e, MatchEnded)] == [("A", "target"), ("B", "target")]


def test_deciding_between_two_settles_the_question() -> None:
    """One act, one fine: after RENEGE was upheld the same act is not also OUT_OF_TURN."""
    seen = (*JUMP, place(4.0, 3, "4-3", "a"), place(6.0, 0, "5-4", "a"), place(8.0, 1, "6-4", "b"))
    state = dusa(*seen, ruling("uphold", incident=1, code="RENEGE"))
    assert state.fines == (50, 0) and open_incidents(state) == ()
    assert replay(dusa(*seen), [ruling("uphold", incident=1, seat=Seat.N)]).fines == (0, 20)
    assert replay(dusa(*seen), [ruling("uphold", incident=1)]).fines == (0, 0)
    after = replay(state, [ruling("uphold", incident=1, code="OUT_OF_TURN", seat=Seat.N)])
    assert after.fines == (50, 0)


@pytest.mark.parametrize("choice", ["free", "continue", "agreement"])
def test_an_incident_can_be_closed_without_a_fine(choice: str) -> None:
    """The arbiter's own words, letting it be, or the players' agreement: off the open ones, on the list (DUSA-12, FID-ESP)."""
    state = dusa(OPENING, place(2.0, 1, "5-1", "a", tip=1), ruling(choice, incident=1, text="as it lies"))
    assert state.fines == (0, 0) and len(state.infractions) == 1 and open_incidents(state) == ()
    assert reason(replay(state, [ruling("uphold", incident=1)])) == "already_ruled"


def test_doubts_of_a_hand_end_with_it() -> None:
    """A jump is open until the count confirms the silent pass; other doubts until the next hand opens."""
    state = dusa(*JUMP)
    assert [(e.code, e.at_obs) for e in open_incidents(state)] == [("OUT_OF_TURN", 1)]
    state = replay(state, [place(90.0, 1, "5-5", "open")])
    assert open_incidents(state) == ()


@BOTH
@settings(max_examples=80, deadline=None)
@given(seed=st.integers(0, 99), data=st.data())
def test_the_ledger_only_grows_and_its_sums_are_the_score(ruleset: Ruleset, seed: int, data: st.DataObject) -> None:
    """Whatever is ruled, whenever: rows are never changed, points and fines are their sums, and no fine comes without a ruling."""
    choices = st.sampled_from(
        ["uphold", "dismiss", "inconclusive", "continue", "repeat_hand", "go_back", "agreement", "free", "incident"]
    )
    rulings = st.builds(Referee, t=st.just(1.0), ruling=choices, incident=st.none() | st.integers(0, 30),
                        code=st.none() | st.sampled_from(["RENEGE", "OUT_OF_TURN", "TALK_OR_GESTURE", "EXPOSED"]),
                        seat=st.none() | st.sampled_from(Seat))  # fmt: skip
    seen: list[Observation] = list(play_hand(seed).observations)
    for _ in range(data.draw(st.integers(1, 6))):
        seen.insert(data.draw(st.integers(0, len(seen))), data.draw(rulings | ANY_OBSERVATION))
    state = start_match(ruleset, first_opener=Seat.S)
    for observation in seen:
        before, corrected = state, observation.kind == "correction"
        state, told = observe(state, observation)
        assert corrected or state.ledger[: len(before.ledger)] == before.ledger
        for column in ("points", "fines"):
            rows = [row.amounts for row in state.ledger if row.column == column]
            assert getattr(state, column) == (sum(a for a, _ in rows), sum(b for _, b in rows))
        assert corrected or observation.kind == "referee" or state.fines == before.fines
        assert all(event.fine is None for event in told if isinstance(event, Infraction)) or ruleset is DUSA
