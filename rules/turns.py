"""Whose turn it is when a seat acts: skipped seats, jumps, second plays in a row."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from rules.events import TurnPassed
from rules.observations import Place
from rules.seats import Seat
from rules.state import HandState, Jump, PassRecord
from rules.step import Step


class TurnReading(NamedTuple):
    """How a play stands to the turn: `skipped` seats without a signal, `again` = second play in a row, `known` = the turn is known."""

    seat: Seat | None
    skipped: tuple[Seat, ...] = ()
    again: bool = False
    announced: bool = False
    known: bool = True

    @property
    def in_turn(self) -> bool:
        """In turn, or after an announcement that nobody else can play (DUSA-9)."""
        return not self.skipped or self.announced


def passes_since_play(hand: HandState) -> tuple[PassRecord, ...]:
    """The passes made at the present ends."""
    lying = len(hand.line)
    return tuple([record for record in hand.passes if record.plays == lying])


def read_turn(hand: HandState, seat: Seat | None) -> TurnReading:
    """How an act of this seat stands to the turn."""
    if seat is None or hand.seats_doubted or hand.turn is None or hand.blind:
        return TurnReading(None if hand.seats_doubted else seat, known=False)
    if hand.turn == seat:
        return TurnReading(seat)
    if reclaims_turn(hand, seat):
        return TurnReading(seat, known=False)
    skipped = hand.turn.until(seat)
    last = hand.line.last
    again = last is not None and last.seat == seat and last.fits
    return TurnReading(seat, skipped, again, again and hand.announced == seat)


def reclaims_turn(hand: HandState, seat: Seat) -> bool:
    """Whether the last tile was laid over this seat: he takes his turn back now, and jumps over nobody."""
    last = hand.line.last
    if last is None or last.seat is None or last.due is None or seat in (hand.turn, last.seat) or passes_since_play(hand):
        return False
    spoken = any(record.seat == seat and record.jump == last.obs and record.signalled for record in hand.passes)
    return not spoken and seat in last.due.until(last.seat)


def let_stand(step: Step, seat: Seat | None) -> None:
    """Another seat than the one still due acts: the tile that does not match stands, and the turn has moved on from it."""
    last = step.hand.line.last
    if step.hand.awaiting and last is not None and last.seat is not None and seat != step.hand.turn:
        step.set_hand(turn=last.seat.right)
    if step.hand.awaiting:
        step.set_hand(awaiting=False)


def give_turn_back(step: Step, seat: Seat | None) -> None:
    """A seat taken as passed without a signal acts after all: its pass, and those heard after it, were early and do not count."""
    hand = step.hand
    if seat is None or hand.blind or hand.turn in (None, seat):
        return
    early = [record for record in passes_since_play(hand) if record.seat == seat and not record.signalled]
    if early:
        kept = tuple(record for record in hand.passes if record.obs < early[0].obs or record.plays < len(hand.line))
        before = tuple(record for record in passes_since_play(hand) if record not in kept and _precedes(hand, record.seat, seat))
        step.set_hand(passes=(*kept, *before), turn=seat)


def _precedes(hand: HandState, one: Seat, other: Seat) -> bool:
    """Whether `one` comes before `other` in the round that began after the last play."""
    last = hand.line.last
    first = last.seat.right if last is not None and last.seat is not None else hand.turn
    return first is not None and (one - first) % 4 < (other - first) % 4


def pass_over(step: Step, skipped: tuple[Seat, ...]) -> None:
    """Take the skipped seats as having passed in silence: not confirmed before the count, and never a false pass by itself."""
    if not skipped:
        return
    hand = step.hand
    silent = tuple(
        PassRecord(seat=seat, obs=step.index, ends=hand.line.ends, plays=len(hand.line), signalled=False, sure=ends_sure(step))
        for seat in skipped
    )
    step.set_hand(passes=(*hand.passes, *silent))
    for seat in skipped:
        step.emit(TurnPassed(obs=step.index, seat=seat, via="unsignalled"))


def ends_sure(step: Step) -> bool:
    """Whether the numbers known to be open are certain enough to judge against them."""
    (end_a, end_b), (tip_a, tip_b) = step.hand.line.ends, step.hand.line.tips
    return (end_a is None or (tip_a is not None and tip_a.sure)) and (end_b is None or (tip_b is not None and tip_b.sure))


def note_jump(step: Step, seen: Place, turn: TurnReading, fits: bool) -> None:
    """Before the tile lies: keep what the play says about the seats it skipped (DUSA-7, DUSA-9, D-24)."""
    if turn.seat is None or not turn.skipped or not fits:
        return
    run = turn.again and (turn.announced or step.ruleset.pass_channel == "reliable")
    jump = Jump(
        seat=turn.seat, obs=step.index, skipped=turn.skipped, ends=step.hand.line.ends, run=run, announced=turn.announced,
        sure=step.sure and ends_sure(step),
    )  # fmt: skip
    if not run:
        pass_over(step, turn.skipped)
    step.set_hand(jumps=(*step.hand.jumps, jump))


def doubt_turn(step: Step, turn: TurnReading, fits: bool) -> None:
    """After the tile lies: put an undecided jump to the referee, where a missing signal means something."""
    if turn.seat is None or turn.in_turn or not fits or step.ruleset.pass_channel == "unreliable":
        return
    if turn.again:
        step.suspect("PREMATURE_RUN", turn.seat, alternatives=("OUT_OF_TURN",))
    else:
        step.suspect("OUT_OF_TURN", (turn.seat, turn.skipped[-1]), alternatives=("silent pass",))


def name_jumper(hand: HandState, seat: Seat | None, obs: int) -> tuple[PassRecord, ...]:
    """The passes, where every unsignalled one at these ends was skipped over by the one who lays now."""
    lying = len(hand.line)
    skipped = [record for record in hand.passes if record.plays == lying and not record.signalled and record.jump is None]
    if not skipped:
        return hand.passes
    return tuple(replace(record, jumper=seat, jump=obs) if record in skipped else record for record in hand.passes)
