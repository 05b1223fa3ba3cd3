"""Passes and announcements."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from rules.count import void_hand
from rules.events import TurnPassed
from rules.line import Ends
from rules.observations import SIGNALS, Announce, Objection, Pass
from rules.proofs import refute, tell_out_of_turn
from rules.state import HandState, PassRecord
from rules.step import Step
from rules.thinking import time_pass
from rules.turns import ends_sure, give_turn_back, let_stand, pass_over, passes_since_play


def on_pass(step: Step, seen: Pass) -> None:
    """A seat passes: the ends of this moment are kept, for a later tile may refute the pass."""
    signalled = seen.via in SIGNALS and step.sure
    if not step.hand.playing or _heard_already(step, seen, signalled) or _heard_late(step, seen, signalled):
        return
    let_stand(step, seen.seat)
    give_turn_back(step, seen.seat)
    hand = step.hand
    # When it is not known whose turn the last tile took, the word may be one that came late: it tells neither the turn nor its ends.
    last = hand.line.last
    blind = last is not None and not last.turn_known and seen.seat != hand.turn
    placed = hand.turn is not None and not hand.blind and not blind
    skipped = hand.turn.until(seen.seat) if placed and hand.turn is not None else ()
    pass_over(step, skipped)
    if signalled and not skipped:
        time_pass(step, seen)
    record = PassRecord(
        seat=seen.seat,
        obs=step.index,
        ends=hand.line.ends if placed else _shared_ends(hand),
        plays=len(hand.line),
        signalled=signalled,
        sure=ends_sure(step),
    )
    clock = (seen.seat, seen.t) if signalled and placed else None
    unknown = hand.turn is None or hand.blind
    turn = seen.seat.right if placed or unknown else hand.turn
    step.set_hand(passes=(*step.hand.passes, record), turn=turn, blind=unknown, clock=clock)
    step.emit(TurnPassed(obs=step.index, seat=seen.seat, via=seen.via))
    if signalled:
        refute(step, seen.seat, step.hand.known_tiles(seen.seat, step.ruleset.sure))
        _check_four_passes(step)


def _heard_late(step: Step, seen: Pass, signalled: bool) -> bool:
    """The word of a seat that the last tile passed over in silence: it moves no turn, and tells that the seat had passed.

    Whether it means the ends before that tile or those after it nobody can say: what both share counts.
    """
    hand, last = step.hand, step.hand.line.last
    silent = [r for r in hand.passes if r.seat == seen.seat and r.plays == len(hand.line) - 1 and not r.signalled]
    spoken = any(record.seat == seen.seat for record in passes_since_play(hand))
    if last is None or not silent or spoken or seen.seat in (last.seat, hand.turn) or hand.turn is None or hand.blind:
        return False
    if signalled:
        heard = replace(silent[-1], obs=step.index, ends=_shared_ends(hand), signalled=True)
        passes = tuple(heard if record == silent[-1] else record for record in hand.passes)
        open_still = {record.jump for record in passes if not record.signalled}
        step.set_hand(passes=passes, clock=None)
        step.set_hand(jumps=tuple(jump for jump in hand.jumps if jump.obs != last.obs or jump.run or jump.obs in open_still))
        step.emit(TurnPassed(obs=step.index, seat=seen.seat, via=seen.via))
        refute(step, seen.seat, step.hand.known_tiles(seen.seat, step.ruleset.sure))
    return True


def _shared_ends(hand: HandState) -> Ends:
    """The open numbers that were open before the last tile as well."""
    last = hand.line.last
    before = () if last is None else hand.line.without(last).ends
    a, b = hand.line.ends
    return a if a in before else None, b if b in before else None


def _heard_already(step: Step, seen: Pass, signalled: bool) -> bool:
    """One pass told twice (seen and heard, voice and button) is one pass; the signal counts from when it came."""
    since = passes_since_play(step.hand)
    last = since[-1] if since else None
    tip = step.hand.line.last
    moved = tip is None or not tip.turn_known or step.hand.turn in (None, seen.seat.right)
    if last is None or last.seat != seen.seat or last.obs == step.index or not moved:
        return False
    if signalled and not last.signalled:
        heard = replace(last, signalled=True, obs=step.index)
        step.set_hand(passes=(*step.hand.passes[:-1], heard), clock=(seen.seat, seen.t))
        refute(step, seen.seat, step.hand.known_tiles(seen.seat, step.ruleset.sure))
        _check_four_passes(step)
    return True


def _check_four_passes(step: Step) -> None:
    """Four signalled passes without a block: somebody holds a tile that fits, for all 28 were dealt (D-31).

    The argument needs a line whose every joint matches; else the four passes may be true, and an audit must tell.
    """
    since = passes_since_play(step.hand)
    heard = list(takewhile(lambda record: record.signalled, reversed(since)))
    if len(heard) != 4:
        return
    if step.hand.line.sound:
        well_read = all(laid.confidence >= step.ruleset.sure for laid in step.hand.line.laid)
        proof = tuple(record.obs for record in reversed(heard))
        step.charge("RENEGE_UNATTRIBUTED", None, step.index, because=proof, sure=well_read)
        if step.ruleset.four_passes == "void" and well_read:
            void_hand(step)
    else:
        step.suspect("FALSE_BLOCK", None)


def on_announce(step: Step, seen: Announce) -> None:
    """The seat that laid last says that nobody else can play; good for its next play (DUSA-9)."""
    last = step.hand.line.last
    if step.hand.playing and step.sure and last is not None and last.seat == seen.seat:
        step.set_hand(announced=seen.seat)


def on_objection(step: Step, seen: Objection) -> None:
    """A skipped seat says that its turn was taken: the play that skipped it was out of turn (DUSA-7)."""
    for jump in reversed(step.hand.jumps):
        if seen.seat in jump.skipped and not jump.announced:
            tell_out_of_turn(step, jump)
            return
