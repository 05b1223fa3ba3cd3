"""The opening tile: whose it is, how it lies, and the hand that begins with it."""

from __future__ import annotations

from itertools import takewhile

from rules.cards import lapse_before_hand
from rules.changes import changed
from rules.count import leave_hand
from rules.events import HandOpened, ReadingDoubted, TilePlayed
from rules.geometry import opening_pose
from rules.line import Laid, Line
from rules.observations import Place
from rules.register import Moment
from rules.rotation import due_opener
from rules.seats import Seat
from rules.state import HandState
from rules.step import Step


def open_hand(step: Step, seen: Place) -> None:
    """Begin the next hand with this tile (DUSA-2, FID-SAL-9); a hand still on the table is ended first."""
    leave_hand(step)
    lapse_before_hand(step, step.state.hands_opened + (0 if step.state.repeating else 1))
    state = step.state
    due, lost = due_opener(state)
    due = None if state.seats_doubted else due
    opener = due if seen.seat is None else seen.seat
    fresh = HandState() if state.hand.result else state.hand
    hand = changed(
        fresh,
        due=due,
        opener=opener,
        line=Line((_first_tile(step, seen, due),)),
        turn=None if seen.seat is None else seen.seat.right,
        clock=None if seen.seat is None else (seen.seat, seen.t),
        shuffling=False,
        seats_doubted=state.seats_doubted,
    )
    told = step.ruleset.wrong_starter_rotation == "due" and due is not None and not step.may_be_turned
    rotate_from = due if told else opener
    step.moments = _since_the_hand_before(step.moments)
    step.set_match(
        hand=hand,
        last_opener=rotate_from,
        repeat_opener=None,
        lost_openings=lost,
        hands_opened=state.hands_opened + (0 if state.repeating else 1),
        repeating=False,
        dealt=False,
        started_t=seen.t if state.started_t is None else state.started_t,
    )
    step.emit(HandOpened(obs=step.index, opener=opener))
    tell_tile(step, seen)
    _check_starter(step, seen)
    _check_pose(step, seen)


def _since_the_hand_before(moments: list[Moment]) -> list[Moment]:
    """The moments since the last hand ended: play goes back into this hand, to before its first tile at most."""
    between = tuple(takewhile(lambda m: m.hand.result is not None or len(m.hand.line) == 0, reversed(moments)))
    return list(reversed(between)) or moments[-1:]


def _first_tile(step: Step, seen: Place, due: Seat | None) -> Laid:
    return Laid(
        tile=seen.tile,
        seat=seen.seat,
        arm="open",
        outer=None,
        joined=None,
        due=due,
        obs=step.index,
        t=seen.t,
        confidence=seen.confidence,
        sure=step.sure and seen.tile is not None,
        pose_deg=seen.pose_deg,
    )


def tell_tile(step: Step, seen: Place) -> None:
    """Tell the tile that lies now, and the doubt about its reading: open still, or settled since."""
    if seen.candidates:
        step.emit(ReadingDoubted(obs=step.index, candidates=seen.candidates, seat=seen.seat, end=seen.at))
    if seen.tile is not None:
        played = TilePlayed(
            obs=step.index,
            seat=seen.seat,
            tile=seen.tile,
            end=seen.at,
            ends=step.hand.ends,
            confidence=seen.confidence,
            pose_deg=seen.pose_deg,
            resolves=step.index if seen.candidates else None,
        )
        step.emit(played)


def _check_starter(step: Step, seen: Place) -> None:
    """D-16: an opening by another seat is a play out of turn by name of its own."""
    due = step.hand.due
    if due is not None and seen.seat is not None and seen.seat != due:
        step.charge("WRONG_STARTER", seen.seat, step.index)


def _check_pose(step: Step, seen: Place) -> None:
    if seen.seat is None or seen.tile is None or seen.pose_deg is None:
        return
    pose = opening_pose(seen.seat, seen.tile, seen.pose_deg, step.ruleset)
    if pose == "bad":
        step.charge("OPENING_ORIENTATION", seen.seat, step.index)
    elif pose == "review":
        step.suspect("OPENING_ORIENTATION", seen.seat)
