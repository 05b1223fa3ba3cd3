"""The match around the hands: score, target, clock, last hand, cards (DUSA-1, FID-PUN-3, FID-PUN-8, FID-TAR-N3)."""

from __future__ import annotations

from rules.events import MatchEnded, Points
from rules.ledger import book_hand, tell_score
from rules.ruleset import Ruleset
from rules.seats import PAIRS, Pair
from rules.state import MatchState
from rules.step import Step

BY_SCORE = ("target", "clock", "last_hand")
"""Reasons to end that hold only as long as the score does."""


def after_hand(step: Step) -> None:
    """Book the points of the hand that ended, and see whether the match is over."""
    result = step.hand.result
    if result is None:
        return
    if step.hand.booked is not None:
        reopen(step)
    book_hand(step, result.points, result.end)
    tell_score(step)
    end_if_over(step, step.seen.t)


def after_fine(step: Step) -> None:
    """A fine that is booked between hands, as one proved at the count, is looked at with that hand; else at the next hand's end (D-06)."""
    if step.hand.result is not None:
        reopen(step)
    if step.hand.result is not None or step.ruleset.fine_ends_match:
        end_if_over(step, step.seen.t)


def end_if_over(step: Step, t: float) -> None:
    """End the match for a reason that holds between hands; a level score goes to the referee instead."""
    if step.state.over or step.state.repeating:
        return
    reason = reason_to_end(step.state, t)
    if reason == "target" and step.ruleset.even_on_target and step.state.hands_opened % 2:
        step.set_match(last_hand=last_hand_number(step.ruleset, step.state.hands_opened))
        return
    if reason is None:
        return
    winner = leader(step.state.totals)
    if winner is not None:
        end_match(step, winner, reason)
    elif step.state.level != step.state.hands_opened:
        step.set_match(level=step.state.hands_opened)
        step.advise("LEVEL_SCORE", None)


def reason_to_end(state: MatchState, t: float) -> str | None:
    """`target`, `clock` or `last_hand` when one of them ends the match between hands at time `t`, else None."""
    if max(state.totals) >= state.ruleset.target:
        return "target"
    if state.last_hand is not None and state.hands_opened >= state.last_hand:
        return "last_hand"
    return "clock" if time_is_up(state, t) else None


def time_is_up(state: MatchState, t: float) -> bool:
    """Whether the playing time is over (DUSA-1); it runs from the first opening tile."""
    limit = state.ruleset.clock_s
    return limit is not None and state.started_t is not None and t - state.started_t >= limit


def leader(totals: Points) -> Pair | None:
    """The pair with more points; None when they are level."""
    return None if totals[0] == totals[1] else PAIRS[totals[1] > totals[0]]


def end_match(step: Step, winner: Pair | None, reason: str, score: Points | None = None) -> None:
    """The match is over; `score` (A, B) is told instead of the totals where the rules give another one (FID-TAR-N3)."""
    step.set_match(over=True, winner=winner, ended_by=reason)
    step.emit(MatchEnded(obs=step.index, winner=winner, reason=reason, score=score or step.state.totals))


def reopen(step: Step) -> None:
    """A match that ended on its score goes on when points that ended it are taken back."""
    if step.state.ended_by in BY_SCORE:
        step.set_match(over=False, winner=None, ended_by=None)


def last_hand_number(ruleset: Ruleset, hands_opened: int) -> int:
    """The hand to stop after when "last hand" is called: the even one where hands are to be even (FID-PUN-8, D-09)."""
    return hands_opened + hands_opened % 2 if ruleset.even_hands or ruleset.even_on_target else hands_opened


def call_last_hand(step: Step) -> None:
    """The call of "last hand" or of the time; between hands it can end the match at once."""
    step.set_match(last_hand=last_hand_number(step.ruleset, step.state.hands_opened))
    if (not step.hand.playing and step.hand.closed is None) or step.hand.result is not None:
        end_if_over(step, step.seen.t)


def time_between_hands(step: Step, t: float) -> None:
    """The time ran out between two hands: a hand that had not begun is not played (DUSA-1, D-07)."""
    state = step.state
    between = state.hand.result is not None or len(state.hand.line) == 0
    begun = state.dealt and state.ruleset.begun == "deal"
    if between and not begun and not state.over and time_is_up(state, t):
        end_if_over(step, t)


def black_card_score(ruleset: Ruleset, rival_points: int) -> int:
    """Points of the rivals of an expelled pair: their own, at least half the target (FID-TAR-N3, D-20)."""
    return max(rival_points, round(ruleset.target * ruleset.bye_share))


def bye_points(ruleset: Ruleset) -> int:
    """Points in favour of the pair that has no opponents (FID-CLA-3, D-20)."""
    return round(ruleset.target * ruleset.bye_share)


def is_late(ruleset: Ruleset, start_s: float, seated_s: float) -> bool:
    """Whether a pair sat down too late after the start signal (FID-CLA-4)."""
    return seated_s - start_s > ruleset.late_s
