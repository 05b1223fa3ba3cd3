"""The ledger of the match: hand points and upheld fines, written row by row and never changed (DUSA-5 to DUSA-9, D-05, FID-PUN-3)."""

from __future__ import annotations

from typing import Literal

from rules.events import Points, ScoreChanged
from rules.register import Booking
from rules.ruleset import Ruleset
from rules.seats import Pair, rivals
from rules.step import Step


def book(step: Step, column: Literal["points", "fines"], amounts: Points, cause: str, voids: int | None = None) -> None:
    """Write one row; the total of its column moves with it."""
    row = Booking(obs=step.index, hand=step.state.hands_opened, column=column, amounts=amounts, cause=cause, voids=voids)
    total = step.state.points if column == "points" else step.state.fines
    step.set_match(ledger=(*step.state.ledger, row), **{column: (total[0] + amounts[0], total[1] + amounts[1])})


def void(step: Step, number: int) -> None:
    """Take a row back by another one."""
    row = step.state.ledger[number]
    book(step, row.column, (-row.amounts[0], -row.amounts[1]), row.cause, voids=number)


def book_hand(step: Step, points: Points, cause: str) -> None:
    """The points of the hand on the table; the row they were booked in before, if any, is taken back."""
    void_hand_points(step)
    book(step, "points", points, cause)
    step.set_hand(booked=len(step.state.ledger) - 1)


def void_hand_points(step: Step) -> None:
    """The hand on the table counts no longer."""
    if step.hand.booked is not None:
        void(step, step.hand.booked)
        step.set_hand(booked=None)


def tell_score(step: Step) -> None:
    """Tell the sums of the ledger: hand points and upheld fines, each by pair."""
    step.emit(ScoreChanged(obs=step.index, points=step.state.points, fines=step.state.fines))


def fine_amounts(ruleset: Ruleset, offender: Pair, fine: int) -> Points:
    """What an upheld fine brings the pairs A and B: to the rivals, or off the offenders (D-05)."""
    if ruleset.fine_mode == "award":
        return (fine, 0) if rivals(offender) == "A" else (0, fine)
    return (-fine, 0) if offender == "A" else (0, -fine)
