"""The card of FID: who may choose, until when, and what the choice does (FID-ACT-3, D-17)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from legal_play import play_hand

from rules.events import HandEnded, MatchEnded, Ruled, ScoreChanged
from rules.incidents import open_incidents
from rules.observations import Drop, Entry, Lift, Observation, Pass, Place, Referee, Reveal, Shuffle
from rules.referee import observe, replay, start_match
from rules.register import OPTIONS, Card
from rules.ruleset import DUSA, FID
from rules.seats import Seat
from rules.state import MatchState
from rules.tiles import Tile


def place(t: float, seat: int | None, tile: str, at: str, **more: object) -> Place:
    return Place(t=t, seat=None if seat is None else Seat(seat), tile=Tile.parse(tile), at=at, **more)  # type: ignore[arg-type]


def choice(ruling: str, **more: object) -> Referee:
    return Referee(t=50.0, ruling=ruling, **more)  # type: ignore[arg-type]


def fid(*seen: Observation) -> MatchState:
    return replay(start_match(FID, first_opener=Seat.S), seen)


def last_ruling(state: MatchState) -> Ruled:
    return [event for event in state.events if isinstance(event, Ruled)][-1]


OPENED = place(0.0, 0, "6-6", "open")
# E lays 5-1, which fits nowhere, and 1 is seen to point away: the choice is N's.
WRONG = (OPENED, place(2.0, 1, "5-1", "a", tip=1))
# E passes at 6-6 and drops 6-4 after two more plays: proved at 4.
LATE = (
    OPENED,
    Pass(t=1.0, seat=Seat.E),
    place(2.0, 2, "6-3", "a"),
    place(3.0, 3, "4-3", "a"),
    Drop(t=4.0, seat=Seat.E, tile=Tile(6, 4)),
)


def test_an_infraction_opens_a_card_for_the_rival_at_the_right() -> None:
    """Offender, holder, options and deadline; under DUSA there are no cards."""
    (card,) = fid(*WRONG).cards
    assert card == Card(code="NON_MATCHING", offender=Seat.E, holder=Seat.N, at_obs=1, opened=1, hand=1)
    assert (card.status, card.options, card.deadline) == ("open", OPTIONS, "placement")
    assert replay(start_match(DUSA), WRONG).cards == ()


def test_an_infraction_of_nobody_or_of_two_opens_no_card() -> None:
    """Four passes that are no block name nobody, so nobody holds a choice: the arbiter decides."""
    state = fid(OPENED, *(Pass(t=1.0 + s, seat=Seat((1 + s) % 4)) for s in range(4)))
    assert [i.code for i in state.infractions] == ["RENEGE_UNATTRIBUTED"] and state.cards == ()


def test_the_choice_lapses_when_the_holder_lays_a_tile() -> None:
    """Others may act; the holder's own next tile is the choice to go on, and is told as such. Then nothing is open."""
    state = fid(*WRONG, Pass(t=3.0, seat=Seat.N), place(4.0, 3, "1-0", "a"))
    assert state.cards[0].status == "open" and [i.code for i in open_incidents(state)] == ["NON_MATCHING"]
    state, told = observe(replay(state, [place(5.0, 0, "6-5", "b"), place(6.0, 1, "5-3", "b")]), place(7.0, 2, "3-3", "b"))
    assert told[0].data() == {"incident": 1, "choice": "continue", "lapsed": True}
    assert (state.cards[0].status, state.cards[0].closed) == ("lapsed", 6) and open_incidents(state) == ()


@pytest.mark.parametrize("ruling", OPTIONS)
def test_nothing_can_be_chosen_after_the_lapse(ruling: str) -> None:
    """The holder played on: his choice comes too late, and is refused with the reason as a value."""
    state = fid(*WRONG, place(4.0, 2, "1-0", "a"))
    after, told = observe(state, choice(ruling, incident=1))
    assert [event.data() for event in told] == [{"incident": 1, "choice": ruling, "refused": "lapsed"}]
    assert replace(after.hand, clock=None) == replace(state.hand, clock=None) and after.cards == state.cards


@pytest.mark.parametrize(
    "wrong", [{"seat": Seat.W}, {"incident": 1, "seat": Seat.S}, {"incident": 1, "by": "W"}, {"incident": 1, "by": "1"}]
)
def test_only_the_holder_chooses(wrong: dict[str, object]) -> None:
    """Another seat's choice is refused, also that of the one at fault or of his partner; the card stays open."""
    state, told = observe(fid(*WRONG), choice("repeat_hand", **wrong))
    assert told[0].data()["refused"] == "not_the_holder" and len(told) == 1
    assert state.cards[0].status == "open" and state.hand.playing


@pytest.mark.parametrize(
    "right", [{}, {"seat": Seat.N}, {"seat": Seat.E}, {"incident": 1}, {"incident": 1, "by": "N"}, {"by": "referee"}]
)
def test_the_holder_or_the_referee_for_him_chooses(right: dict[str, object]) -> None:
    """The holder by name, or the incident by its number or its offender, or nothing while one card only is open."""
    state = replay(fid(*WRONG), [choice("go_back", **right)])
    assert (state.cards[0].status, state.cards[0].choice) == ("chosen", "go_back") and state.hand.ends == (6, 6)
    assert open_incidents(state) == () and state.cards[0].options == ()


def test_going_on_may_be_changed_until_the_holder_plays() -> None:
    """His decision is final from the moment that he lays a tile, not before (FID-ACT-3)."""
    state = replay(fid(*WRONG), [choice("continue", seat=Seat.N)])
    assert state.cards[0].status == "chosen" and state.cards[0].options == OPTIONS and open_incidents(state) == ()
    assert replay(state, [choice("go_back", incident=1)]).hand.ends == (6, 6)
    played = replay(state, [place(4.0, 2, "1-0", "a"), choice("go_back", incident=1)])
    assert last_ruling(played).refused == "already_chosen" and played.hand.ends == (0, 6) and played.cards[0].closed == 3


def test_what_was_carried_out_is_not_chosen_again() -> None:
    """A hand that was taken back once is not repeated on the same card."""
    state = replay(fid(*WRONG), [choice("go_back", incident=1), choice("repeat_hand", incident=1)])
    assert last_ruling(state).refused == "already_chosen" and state.hand.ends == (6, 6)


def test_a_fact_proved_later_opens_its_card_at_the_proof() -> None:
    """N's tile after the false pass closes nothing: nobody knew. The tile after the proof does (D-17)."""
    state = fid(*LATE)
    assert [(c.code, c.holder, c.at_obs, c.opened, c.deadline) for c in state.cards] == [
        ("EXPOSED", Seat.N, 4, 4, "placement"), ("RENEGE", Seat.N, 1, 4, "placement_or_count"),
    ]  # fmt: skip
    assert {c.status for c in state.cards} == {"open"}
    state = replay(state, [place(5.0, 0, "6-5", "b"), place(6.0, 1, "6-4", "a"), place(7.0, 2, "5-5", "b")])
    assert {c.status for c in state.cards} == {"lapsed"}


def test_going_back_to_a_false_pass_gives_the_turn_to_that_seat() -> None:
    """Line, ends and turn as at the pass; what was open about later play is open no more."""
    state = replay(fid(*LATE), [choice("go_back", incident=1, code="RENEGE")])
    assert state.hand.ends == (6, 6) and state.hand.turn == Seat.E and state.hand.exposed == ()
    assert [(c.code, c.status) for c in state.cards] == [("EXPOSED", "lapsed"), ("RENEGE", "chosen")]


def _proved_at_the_count() -> tuple[Observation, ...]:
    """A hand of S's opening in which a slow play with a single option is shown at the count."""
    for seed in range(300):
        hand = play_hand(seed)
        for index, seen in enumerate(hand.observations[5:-1], 5):
            if not isinstance(seen, Place):
                continue
            late = (*hand.observations[:index], *(replace(s, t=s.t + 5.0) for s in hand.observations[index:]))
            if [i.code for i in fid(*late).infractions] == ["FALSE_THINK"]:
                return late
    raise AssertionError("no such hand among the seeds")


COUNTED = _proved_at_the_count()


def test_after_the_count_the_card_is_open_until_the_score_is_written() -> None:
    """The count is signed with the entry of the points (D-17)."""
    state = fid(*COUNTED)
    (card,) = state.cards
    result = state.last_result
    assert result is not None and card.status == "open" and card.opened == len(COUNTED) - 1
    signed = replay(state, [Entry(t=200.0, pair=result.winner or "A", points=sum(result.points))])
    assert signed.cards[0].status == "lapsed" and len(signed.infractions) == 1


def test_the_next_hand_closes_the_cards_of_the_one_before() -> None:
    """Whoever opens: nobody chooses about a hand that is gone."""
    opener = Seat.E if fid(*COUNTED).cards[0].holder != Seat.E else Seat.W
    state = replay(
        fid(*COUNTED), [place(300.0, opener, "6-6", "open"), choice("repeat_hand", incident=fid(*COUNTED).cards[0].at_obs)]
    )
    assert state.cards[0].status == "lapsed" and last_ruling(state).refused == "lapsed" and state.hands_opened == 2


@pytest.mark.parametrize("dealing", [(), (Shuffle(t=150.0, seat=Seat.W),)])
def test_a_hand_repeated_after_the_count_is_void_in_the_ledger(dealing: tuple[Observation, ...]) -> None:
    """Its points are taken back by a row of their own, also when the next deal has begun; nothing is struck out."""
    state = replay(fid(*COUNTED), dealing)
    points = state.points
    after, told = observe(state, choice("repeat_hand", incident=state.cards[0].at_obs))
    assert sum(points) > 0 and after.points == (0, 0) and after.ledger[: len(state.ledger)] == state.ledger
    assert [(row.amounts, row.voids) for row in after.ledger[-2:]] == [((-points[0], -points[1]), 0), ((0, 0), None)]
    assert [type(event) for event in told] == [Ruled, HandEnded, ScoreChanged] and after.cards[0].status == "chosen"
    assert after.last_result is not None and after.last_result.end == "void"
    again = replay(after, [place(300.0, int(after.repeat_opener or 0), "6-6", "open")])
    assert again.hands_opened == 1 and [i.code for i in again.infractions] == ["FALSE_THINK"]


def test_going_back_from_the_count_plays_the_hand_on() -> None:
    """The points are taken back, the line is that of the slow play, and a match that those points ended goes on."""
    start = start_match(replace(FID, target=10), first_opener=Seat.S)
    state = replay(start, COUNTED)
    assert state.over and [e.reason for e in state.events if isinstance(e, MatchEnded)] == ["target"]
    at = state.cards[0].at_obs
    back = replay(state, [choice("go_back", incident=at)])
    assert back.points == (0, 0) and not back.over and back.hand.playing and back.last_result is None
    assert back.hand.line == replay(start, COUNTED[:at]).hand.line
    again = replay(back, COUNTED[at:])
    assert again.over and again.points == state.points


def test_going_back_before_the_first_tile_undoes_the_opening() -> None:
    """The wrong seat opened: nothing lies, the same seat is due, and the hand is counted once."""
    state = fid(place(0.0, 2, "6-6", "open"), choice("go_back", incident=0, by="W"))
    assert len(state.hand.line) == 0 and state.hands_opened == 0
    state = replay(state, [place(60.0, 0, "5-5", "open")])
    assert [i.code for i in state.infractions] == ["WRONG_STARTER"] and state.hands_opened == 1 and state.hand.due == Seat.S


def test_going_back_before_the_first_tile_of_a_later_hand() -> None:
    """The score of the hand before stays, and its next opener is due."""
    first = play_hand(3)
    state = fid(*first.observations, place(200.0, 3, "6-6", "open"))
    points = state.points
    back = replay(state, [choice("go_back", code="WRONG_STARTER")])
    assert back.points == points and back.hands_opened == 1
    state = replay(back, [place(260.0, 1, "6-6", "open")])
    assert state.hands_opened == 2 and [i.code for i in state.infractions] == ["WRONG_STARTER"]


def test_the_opener_at_fault_does_not_open_the_repeated_hand() -> None:
    """S opens across: the hand repeated by E's choice is opened by E, the next seat; the following one by N."""
    state = fid(place(0.0, 0, "6-6", "open", pose_deg=90.0), choice("repeat_hand", seat=Seat.E))
    assert state.repeat_opener == Seat.E and [e.end for e in state.events if isinstance(e, HandEnded)] == ["void"]
    state = replay(state, [place(60.0, 1, "5-5", "open"), Entry(t=90.0, pair="B", points=20)])
    assert state.last_result is not None and state.last_result.next_starter == Seat.N and state.hands_opened == 1


def test_an_ordered_repeat_does_not_end_the_match() -> None:
    """The last hand was called in hand 2 and is repeated: it is still to be played (D-09)."""
    first = play_hand(3)
    wrong = place(202.0, 2, "6-5", "a", tip=5)
    state = fid(
        *first.observations,
        place(200.0, 1, "1-1", "open"),
        choice("last_hand"),
        wrong,
        choice("repeat_hand", code="NON_MATCHING"),
    )
    assert not state.over and state.last_hand == 2
    state = replay(state, [place(300.0, 1, "1-1", "open"), Entry(t=400.0, pair="B", points=168)])
    assert state.over and state.hands_opened == 2


@pytest.mark.parametrize("ruleset", [DUSA, FID])
def test_the_players_may_agree(ruleset: object) -> None:
    """In any incident the players' agreement comes first: the incident is closed and play goes on (FID-ESP)."""
    state = replay(start_match(ruleset, first_opener=Seat.S), [*WRONG, choice("agreement", incident=1, text="it was nothing")])  # type: ignore[arg-type]
    assert open_incidents(state) == () and state.hand.ends == (1, 6) and state.fines == (0, 0)
    assert all((c.status, c.choice, c.options) == ("chosen", "agreement", ()) for c in state.cards)


def test_a_dismissed_incident_leaves_no_choice() -> None:
    """Nothing happened, so there is nothing to choose about; the card stays on record."""
    state = replay(fid(*WRONG), [choice("dismiss", incident=1), choice("repeat_hand", incident=1)])
    assert (
        [c.status for c in state.cards] == ["dismissed"] and last_ruling(state).refused == "already_chosen" and state.hand.playing
    )


def test_one_act_has_one_choice() -> None:
    """The wrong seat opens across: two infractions of one tile, one choice about it."""
    state = fid(place(0.0, 2, "6-6", "open", pose_deg=90.0), choice("go_back", by="W"))
    assert [(c.code, c.status) for c in state.cards] == [("WRONG_STARTER", "chosen"), ("OPENING_ORIENTATION", "chosen")]


def test_tiles_lifted_early_leave_a_choice_in_the_new_hand() -> None:
    """E lifts before S has opened the second hand: N's choice is about that hand and outlives its opening tile."""
    first = play_hand(3)
    state = fid(*first.observations, Lift(t=190.0, seat=Seat.S), place(200.0, 1, "1-1", "open"))
    assert [(c.code, c.hand, c.status) for c in state.cards] == [("PREMATURE_LIFT", 2, "lapsed")]
    state = fid(*first.observations, Lift(t=190.0, seat=Seat.N), place(200.0, 1, "1-1", "open"))
    assert [(c.holder, c.hand, c.status) for c in state.cards] == [(Seat.W, 2, "open")]


def test_the_arbiter_may_order_a_repeat_without_a_card() -> None:
    """A fault that no camera told: his own order, under either rule set (DUSA-12)."""
    for ruleset in (DUSA, FID):
        state = replay(start_match(ruleset, first_opener=Seat.S), [OPENED, choice("repeat_hand", text="tiles on the floor")])
        assert state.last_result is not None and state.last_result.end == "void" and state.repeat_opener == Seat.S


@pytest.mark.parametrize(("ruling", "more", "reason"), [
    ("go_back", {}, "no_incident"), ("go_back", {"incident": 99}, "hand_over"), ("repeat_hand", {"incident": 99}, "hand_over"),
    ("uphold", {"incident": 0}, "no_incident"), ("dismiss", {"seat": Seat.S}, "no_incident"),
    ("intentional", {"seat": Seat.E}, "not_in_rule_set"),
    ("black_card", {}, "no_seat"), ("abracadabra", {}, "unknown_choice"),
])  # fmt: skip
def test_a_ruling_that_cannot_have_an_effect_says_why(ruling: str, more: dict[str, object], reason: str) -> None:
    """A value among the events; the table is as it was."""
    state = fid(OPENED)
    after, told = observe(state, choice(ruling, **more))
    assert [event.data()["refused"] for event in told] == [reason] and after.hand.line == state.hand.line and not after.over


def test_a_voided_hand_is_not_scored_by_tiles_turned_up_later() -> None:
    """The players throw the tiles in after the repeat was chosen: nothing is counted."""
    state = replay(fid(*COUNTED[:-1]), [choice("repeat_hand", seat=Seat.S)])
    count = COUNTED[-1]
    assert isinstance(count, Reveal)
    after = replay(state, [count])
    assert after.points == (0, 0) and after.last_result is not None and after.last_result.end == "void"
