"""Which way round the plays run: the alarm when it is backwards, and what is held back until it is known."""

from __future__ import annotations

from rules.events import Ruled
from rules.rulings import strike
from rules.seats import Seat
from rules.state import HandState
from rules.step import Step
from rules.turns import passes_since_play

TELLING_STEPS = 3
"""So many plays of neighbours in a row, all matching and no pass told, tell the direction: against the order of play the picture is
mirrored or the seats are wrong, and with it they are those of the table."""


def watch_direction(step: Step, seat: Seat | None, before: HandState, fits: bool) -> None:
    """Alarm instead of accusing when the plays run against the order of play."""
    last = before.line.last
    if seat is None or last is None or last.seat is None:
        return
    tells = fits and not passes_since_play(before)
    along, against = tells and seat == last.seat.right, tells and seat == last.seat.left
    forward = 0 if against else before.forward + 1 if along else before.forward
    backward = before.backward if before.seats_doubted else before.backward + 1 if against else 0
    if (forward, backward) != (before.forward, before.backward):
        step.set_hand(forward=forward, backward=backward)
    if backward >= TELLING_STEPS and not before.seats_doubted:
        _raise_alarm(step)
    elif along and forward >= TELLING_STEPS:
        _seats_are_shown(step)


def _raise_alarm(step: Step) -> None:
    """No turn is judged any more, and that a seat opened which was not due is seen in the same picture (D-16)."""
    signalled = tuple(record for record in step.hand.passes if record.signalled)
    step.set_hand(seats_doubted=True, jumps=(), passes=signalled, held_back=())
    step.set_match(seats_shown=False, seats_doubted=True)
    step.suspect("CALIBRATION_ALARM", None)
    opening = step.hand.line.laid[0].obs
    for told in step.state.infractions:
        if (told.code, told.at_obs) == ("WRONG_STARTER", opening):
            strike(step, told)
            step.emit(Ruled(obs=step.index, incident=told.at_obs, choice="dismiss"))


def _seats_are_shown(step: Step) -> None:
    """What was held back is certain now; but a picture that stands on its head shows the same direction, and the partner opening."""
    step.set_match(seats_shown=True, seats_doubted=False)
    held, due = step.hand.held_back, step.hand.due
    step.set_hand(held_back=())
    for one in () if step.hand.seats_doubted else held:
        on_its_head = one.code == "WRONG_STARTER" and due is not None and one.seat == due.partner
        decided = (one.code, one.at_obs) in step.state.settled or step.told(one.code, one.seat, one.at_obs)
        if not on_its_head and not decided:
            step.enter(one.charge, one.code, one.seat, one.at_obs, step.index, (*one.because, step.index))
