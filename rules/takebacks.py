"""Laid tiles that are taken back or moved."""

from __future__ import annotations

from rules.changes import changed
from rules.closing import close_hand
from rules.events import TileMoved, TileWithdrawn
from rules.geometry import opening_pose
from rules.line import Laid, outer_is_sure, outer_number
from rules.observations import Move, Withdraw
from rules.proofs import tell_out_of_turn
from rules.state import Shown
from rules.step import Step


def on_withdraw(step: Step, seen: Withdraw) -> None:
    """A tile is lifted off again; what it has proved until then stays (DUSA-8: tried is enough)."""
    laid = step.hand.line.find(seen.tile, seen.seat)
    if laid is None or step.hand.result is not None:
        return
    if not step.hand.line.is_free(laid):
        step.suspect("READ_CONFLICT", seen.seat)
        return
    take_back(step, laid)


def take_back(step: Step, laid: Laid) -> None:
    """Line, ends and turn as they were before the tile; a jump that is taken back was out of turn (DUSA-7)."""
    step.emit(TileWithdrawn(obs=step.index, seat=laid.seat, tile=laid.tile))
    for jump in step.hand.jumps:
        if jump.obs == laid.obs and not jump.announced:
            tell_out_of_turn(step, jump)
    hand = step.hand
    was_last = hand.line.last is laid
    wrong = not laid.fits or laid.due not in (None, laid.seat)
    cause = "misplayed" if wrong else "withdrawn"
    sure = laid.confidence >= step.ruleset.sure
    shown = () if laid.seat is None else (Shown(seat=laid.seat, tile=laid.tile, obs=step.index, cause=cause, sure=sure),)
    step.set_hand(
        line=hand.line.without(laid),
        turn=laid.due if was_last else hand.turn,
        passes=tuple(r for r in hand.passes if r.jump != laid.obs and not (was_last and r.obs >= laid.obs)),
        jumps=tuple(jump for jump in hand.jumps if jump.obs != laid.obs),
        slow=tuple(slow for slow in hand.slow if slow.obs != laid.obs),
        withdrawn=(*hand.withdrawn, *shown),
        awaiting=False,
        closed=None,
        clock=None,
    )
    if laid.arm == "open":
        _unopen(step)


def _unopen(step: Step) -> None:
    """The opening tile went back: the same seat is due, and the hand is not counted twice."""
    due = step.hand.due
    step.set_match(
        hand=changed(step.hand, opener=None, turn=None, backward=0),
        last_opener=step.state.last_opener if due is not None else None,
        repeat_opener=due,
        repeating=True,
    )


def on_move(step: Step, seen: Move) -> None:
    """A resting tile changes its place: a correction of a wrong end, or a change that FID-ACT-1 forbids (D-25)."""
    laid = step.hand.line.find(seen.tile, None)
    if laid is None or seen.whole_line or step.hand.result is not None or step.hand.closed is not None:
        return
    corrects = (not laid.fits and seen.to is not None) or _turned_right(step, laid, seen.deg)
    if laid.pose_deg is not None:
        step.set_hand(line=step.hand.line.replaced(laid, pose_deg=(laid.pose_deg + seen.deg) % 360))
        laid = step.hand.line.find(seen.tile, None) or laid
    if seen.to is not None and seen.to != laid.arm and laid.arm != "open" and step.hand.line.is_free(laid):
        _move_to_arm(step, seen, laid)
    step.emit(TileMoved(obs=step.index, seat=seen.seat, tile=seen.tile, ends=step.hand.ends))
    far = seen.mm > step.ruleset.moved_mm or abs(seen.deg) > step.ruleset.moved_deg
    if corrects or not far or seen.t - laid.t < step.ruleset.rest_s:
        return
    if seen.seat is None:
        if step.ruleset.charge("TILE_MOVED") is not None:
            step.suspect("TILE_MOVED", None)
    else:
        step.charge("TILE_MOVED", seen.seat, step.index)


def _turned_right(step: Step, laid: Laid, deg: float) -> bool:
    """Whether an opening tile that lay wrong is turned to lie as it should: a correction, no change of a laid tile (D-25)."""
    if laid.seat is None or laid.tile is None or laid.pose_deg is None:
        return False
    poses = (laid.pose_deg, laid.pose_deg + deg, laid.pose_deg - deg)
    before, *after = (opening_pose(laid.seat, laid.tile, pose, step.ruleset) for pose in poses)
    return before != "ok" and "ok" in after


def _move_to_arm(step: Step, seen: Move, laid: Laid) -> None:
    """The tile lies at the other arm now; the turn moves on only when it had waited for this."""
    if seen.to is None or laid.tile is None:
        return
    others = step.hand.line.without(laid)
    joined = others.end(seen.to)
    outer = outer_number(laid.tile, joined, others.tip(seen.to), None)
    fits = joined is None or laid.tile.has(joined)
    least = step.ruleset.sure
    sure = laid.confidence >= least and outer_is_sure(laid.tile, joined, others.tip(seen.to), None, least)
    step.set_hand(line=step.hand.line.replaced(laid, arm=seen.to, joined=joined, outer=outer, fits=fits, sure=sure))
    if step.hand.awaiting and fits and laid.seat is not None:
        step.set_hand(turn=laid.seat.right, awaiting=False)
        close_hand(step, laid)
