"""The match around the hands: openers, target, clock, last hand, fines, lateness and cards."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from legal_play import play_hand

from rules.events import Advice, HandEnded, Infraction, MatchEnded, ScoreChanged, Suspicion
from rules.match import black_card_score, bye_points, is_late, last_hand_number, reason_to_end
from rules.observations import Clock, Draw, Entry, Observation, Place, Referee, Shuffle
from rules.referee import replay, start_match
from rules.rotation import next_opener, opener_by_draw, repeat_opener
from rules.ruleset import DUSA, FID, Ruleset
from rules.seats import Seat
from rules.state import MatchState
from rules.tiles import ALL_TILES, Tile


def _tiles(text: str) -> tuple[Tile, Tile, Tile, Tile]:
    s, e, n, w = (Tile.parse(one) for one in text.split())
    return s, e, n, w


def hand_worth(points: int, pair: str, opener: Seat, t: float) -> list[Observation]:
    """An opening tile at `t` and, ten seconds later, the score that a person enters."""
    return [Place(t=t, seat=opener, tile=Tile(6, 6), at="open"), Entry(t=t + 10.0, pair=pair, points=points)]  # type: ignore[arg-type]


def ended(state: MatchState) -> list[MatchEnded]:
    return [event for event in state.events if isinstance(event, MatchEnded)]


def test_equal_draws_go_to_the_higher_half() -> None:
    """5-5 and 6-4 are both ten: the tile with the 6 opens (FID-SAL-1, D-11)."""
    assert opener_by_draw(_tiles("5-5 6-4 3-1 2-0")) == Seat.E


def test_the_draw_order_has_no_ties() -> None:
    """(sum, higher half) puts the 28 tiles in one strict order."""
    assert len({(tile.pips, tile.high) for tile in ALL_TILES}) == 28


def test_the_draw_sets_who_opens() -> None:
    """After a draw another seat's opening is wrong."""
    seen = [Draw(t=0.0, tiles=_tiles("5-5 6-4 3-1 2-0")), Place(t=9.0, seat=Seat.S, tile=Tile(1, 1), at="open")]
    assert [i.code for i in replay(start_match(DUSA), seen).infractions] == ["WRONG_STARTER"]


def test_the_opening_goes_round_also_after_a_tie() -> None:
    """N opens first; the third hand is a tie and the rotation does not care (DUSA-10, FID-PUN-7)."""
    openers, scores = [Seat.N], [(30, "A"), (20, "B"), (0, "A"), (40, "A"), (10, "B")]
    state = start_match(FID, first_opener=Seat.N)
    for number, (points, pair) in enumerate(scores):
        state = replay(state, hand_worth(points, pair, openers[-1], 100.0 * number))
        assert state.last_result is not None and state.last_result.next_starter is not None
        openers.append(state.last_result.next_starter)
    assert openers == [2, 3, 0, 1, 2, 3] and state.infractions == ()


def test_a_lost_opening_is_served_once() -> None:
    """E loses its opening in hand 1: 0, 2, 3, 0, 1, 2 (DUSA-6, D-13)."""
    openers, lost = [Seat.S], (Seat.E,)
    for _ in range(5):
        seat, lost = next_opener(openers[-1], lost)
        openers.append(seat)
    assert openers == [0, 2, 3, 0, 1, 2]


@pytest.mark.parametrize(("opener", "offender", "again"), [(0, 2, 1), (0, 0, 1), (0, 1, 0), (3, 1, 0), (2, 3, 2)])
def test_a_repeated_hand_is_not_opened_by_the_pair_at_fault(opener: int, offender: int, again: int) -> None:
    """The same opener, unless his pair broke the rule: then the next seat (FID-ACT-3, D-17)."""
    assert repeat_opener(FID, Seat(opener), Seat(offender)) == again


def test_a_hand_begun_in_time_counts_beyond_the_clock() -> None:
    """Opening tile at 39:58, end at 43:10: 30 points make 150 to 145, and the match is over (DUSA-1, D-07)."""
    state = start_match(DUSA, first_opener=Seat.S, points=(120, 145))
    state = replay(state, [Place(t=0.0, seat=Seat.S, tile=Tile(6, 6), at="open"), Entry(t=60.0, pair="A", points=0)])
    assert not state.over
    state = replay(state, [Place(t=2398.0, seat=Seat.E, tile=Tile(5, 5), at="open"), Entry(t=2590.0, pair="A", points=30)])
    assert state.over and state.winner == "A" and state.totals == (150, 145)
    assert [event.reason for event in ended(state)] == ["clock"]


def test_a_hand_not_begun_in_time_is_not_played() -> None:
    """The clock runs out between hands: over at the first observation after it, before that hand can score."""
    seen = [*hand_worth(30, "A", Seat.S, 0.0), Clock(t=2399.0), Clock(t=2400.0)]
    state = replay(start_match(DUSA, first_opener=Seat.S), seen)
    assert [(event.obs, event.winner, event.reason) for event in ended(state)] == [(3, "A", "clock")]


def test_begun_may_mean_the_deal() -> None:
    """With `begun` deal a hand whose tiles are being shuffled is played beyond the clock (D-07)."""
    seen = [*hand_worth(30, "A", Seat.S, 0.0), Shuffle(t=2390.0, seat=Seat.W), Clock(t=2401.0)]
    assert not replay(start_match(replace(DUSA, begun="deal"), first_opener=Seat.S), seen).over
    assert replay(start_match(DUSA, first_opener=Seat.S), seen).over


def test_a_level_score_at_the_time_goes_to_the_referee() -> None:
    """Nobody wins by the clock when the totals are equal: advice, and the match goes on (D-07)."""
    state = replay(start_match(DUSA, points=(50, 20)), hand_worth(30, "B", Seat.S, 0.0))
    state = replay(state, [Clock(t=2400.0)])
    assert not state.over and [e.code for e in state.events if isinstance(e, Advice)][-1] == "LEVEL_SCORE"


@pytest.mark.parametrize(
    ("ruleset", "score", "over"), [(DUSA, (205, 120), True), (FID, (205, 120), False), (FID, (300, 0), True)]
)
def test_the_target_of_each_rule_set(ruleset: Ruleset, score: tuple[int, int], over: bool) -> None:
    """200 points for DUSA, 300 for FID, reached or passed (D-08)."""
    assert (reason_to_end(start_match(ruleset, points=score), 0.0) == "target") == over


def test_a_fine_does_not_end_the_match_in_mid_hand() -> None:
    """185 and a fine of 20 pass 200 in mid hand; the hand gives B 40: 205 to 210, B wins (D-06)."""
    seen = [
        Place(t=0.0, seat=Seat.S, tile=Tile(6, 6), at="open"),
        Place(t=2.0, seat=Seat.W, tile=Tile(5, 1), at="a"),
        Referee(t=5.0, ruling="uphold", seat=Seat.W),
    ]
    state = replay(start_match(DUSA, first_opener=Seat.S, points=(185, 170)), seen)
    assert state.totals == (205, 170) and not state.over
    state = replay(state, [Entry(t=60.0, pair="B", points=40)])
    assert state.over and state.winner == "B" and state.totals == (205, 210)
    assert next(e.data() for e in state.events if isinstance(e, ScoreChanged)) == {
        "points": {"A": 185, "B": 170},
        "fines": {"A": 20, "B": 0},
    }
    early = replay(start_match(replace(DUSA, fine_ends_match=True), first_opener=Seat.S, points=(185, 170)), seen)
    assert early.over and early.winner == "A"


def test_fines_may_be_taken_off_the_offenders() -> None:
    """`fine_mode` deduct: 20 off B instead of 20 to A (D-05)."""
    seen = [
        Place(t=0.0, seat=Seat.S, tile=Tile(6, 6), at="open"),
        Place(t=2.0, seat=Seat.W, tile=Tile(5, 1), at="a"),
        Referee(t=5.0, ruling="uphold", seat=Seat.W),
    ]
    assert replay(start_match(replace(DUSA, fine_mode="deduct"), first_opener=Seat.S), seen).fines == (0, -20)


@pytest.mark.parametrize(("called_in", "last"), [(7, 8), (8, 8), (1, 2)])
def test_hands_are_even_when_the_last_one_is_called(called_in: int, last: int) -> None:
    """Called in hand 7: one more; called in hand 8: this is the last (FID-PUN-8, D-09). DUSA has no such rule."""
    assert last_hand_number(FID, called_in) == last and last_hand_number(DUSA, called_in) == called_in


def test_the_last_hand_ends_the_match() -> None:
    """Called in hand 1 of FID: hand 2 is played and then the leader wins."""
    call = [
        Place(t=0.0, seat=Seat.S, tile=Tile(6, 6), at="open"),
        Referee(t=5.0, ruling="last_hand"),
        Entry(t=9.0, pair="A", points=30),
    ]
    state = replay(start_match(FID, first_opener=Seat.S), call)
    assert not state.over
    state = replay(state, hand_worth(10, "B", Seat.E, 100.0))
    assert [(event.winner, event.reason) for event in ended(state)] == [("A", "last_hand")]


def test_even_hands_also_on_target_when_switched_on() -> None:
    """`even_on_target`: the target reached in hand 1 lets hand 2 be played (D-09)."""
    ruleset = replace(FID, even_on_target=True)
    state = replay(start_match(ruleset, first_opener=Seat.S, points=(290, 0)), hand_worth(30, "A", Seat.S, 0.0))
    assert not state.over
    assert replay(state, hand_worth(10, "B", Seat.E, 100.0)).over


def test_same_opener_after_a_tie_when_switched_on() -> None:
    """`tie_opener` same: the hand is opened again by who opened it (D-04)."""
    tied = next(
        hand for hand in (play_hand(seed) for seed in range(2000)) if hand.end == "tranque" and hand.left[0] == hand.left[1]
    )
    state = replay(start_match(replace(DUSA, tie_opener="same"), first_opener=Seat.S), tied.observations)
    assert state.last_result is not None and (state.last_result.end, state.last_result.next_starter) == ("tie", Seat.S)
    assert replay(state, [Place(t=500.0, seat=Seat.S, tile=Tile(6, 6), at="open")]).infractions == ()


def test_only_the_losers_tiles_score_when_switched_on() -> None:
    """`score_scope` losers: the winners' own leftovers are not counted (D-02)."""
    hand = next(h for h in map(play_hand, range(99)) if h.end == "domination" and min(h.left) > 0)
    state = replay(start_match(replace(FID, score_scope="losers")), hand.observations)
    assert state.last_result is not None and sum(state.last_result.points) == hand.left[1 - hand.by % 2]


@pytest.mark.parametrize(("rival", "final"), [(120, 150), (210, 210)])
def test_a_black_card_gives_half_the_target_at_least(rival: int, final: int) -> None:
    """FID-TAR-N3 and D-20, target 300; a bye is worth the same half."""
    assert black_card_score(FID, rival) == final and bye_points(FID) == 150
    state = replay(start_match(FID, points=(180, rival)), [Referee(t=1.0, ruling="black_card", seat=Seat.N)])
    assert [(event.winner, event.score[1]) for event in ended(state)] == [("B", final)]


def test_a_pair_is_late_after_seven_minutes() -> None:
    """419 s after the signal is in time, 421 s loses (FID-CLA-4)."""
    assert [is_late(FID, 0.0, seated) for seated in (419.0, 421.0)] == [False, True]


def test_a_score_that_does_not_match_the_line_is_told_with_its_difference() -> None:
    """A line of 127 pips leaves 41; an entry of 38 is 3 too few, and nobody is blamed (FID-PUN-4)."""
    hand = next(h for h in map(play_hand, range(9999)) if h.end == "domination" and sum(h.left) == 41)
    pair = "AB"[hand.by % 2]
    state = replay(start_match(DUSA), [*hand.observations[:-1], Entry(t=90.0, pair=pair, points=38)])  # type: ignore[arg-type]
    assert state.hand.line.pips == 127 and state.hand.line.unplayed == 41
    (told,) = [event for event in state.events if isinstance(event, Infraction)]
    assert (told.code, told.seat, told.difference) == ("SCORE_MISMATCH", None, 3)
    assert state.last_result is not None and sum(state.last_result.points) == 41 and not state.last_result.counted


def test_a_mirrored_picture_is_an_alarm_and_no_accusation() -> None:
    """Plays by 0, 3, 2, 1, 0, 3, all matching: CALIBRATION_ALARM once, no infraction, and no turn is judged after it."""
    plays = zip((0, 3, 2, 1, 0, 3), ("6-6 open", "6-4 a", "6-1 b", "4-2 a", "2-2 a", "2-0 a"), strict=True)
    seen = [Place(t=2.0 * i, seat=Seat(s), tile=Tile.parse(x.split()[0]), at=x.split()[1]) for i, (s, x) in enumerate(plays)]  # type: ignore[arg-type]
    state = replay(start_match(DUSA, first_opener=Seat.S), seen)
    assert state.infractions == ()
    assert [e.code for e in state.events if isinstance(e, Suspicion)].count("CALIBRATION_ALARM") == 1


@given(score=st.lists(st.tuples(st.integers(0, 100), st.sampled_from("AB")), min_size=1, max_size=8))
def test_the_score_is_the_sum_of_the_hands(score: list[tuple[int, str]]) -> None:
    """Points of the match are the points of its hands, added up."""
    state = start_match(replace(FID, target=10**6), first_opener=Seat.S)
    for number, (points, pair) in enumerate(score):
        state = replay(state, hand_worth(points, pair, Seat(number % 4), 100.0 * number))
    results = [event.points for event in state.events if isinstance(event, HandEnded)]
    assert state.points == tuple(sum(result[pair] for result in results) for pair in (0, 1))
    assert state.points == tuple(sum(p for p, who in score if who == pair) for pair in "AB")
