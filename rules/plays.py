"""A tile laid against an arm of the line: turn, match, duty, and whether it ends the hand."""

from __future__ import annotations

from dataclasses import replace

from rules.cards import lapse_at_placement
from rules.closing import close_hand
from rules.conduct import check_duty, doubt_changed_tile
from rules.direction import watch_direction
from rules.line import Laid, outer_is_sure, outer_number
from rules.observations import Place
from rules.opening import open_hand, tell_tile
from rules.proofs import refute, tell_kept_proofs
from rules.state import HandState
from rules.step import Step
from rules.thinking import time_play
from rules.tiles import Tile
from rules.turns import (
    TurnReading,
    doubt_turn,
    ends_sure,
    give_turn_back,
    let_stand,
    name_jumper,
    note_jump,
    read_turn,
)


def on_place(step: Step, seen: Place) -> None:
    """A tile is laid. After the hand has closed only an opening tile is a play: the others belong to the count."""
    if seen.at == "open" or step.hand.playing or len(step.hand.line) == 0:
        lapse_at_placement(step, seen)
    if seen.at == "open" or (len(step.hand.line) == 0 and step.hand.result is None):
        open_hand(step, seen if seen.at == "open" else replace(seen, at="open"))
    elif step.hand.playing or _blocked_in_doubt(step):
        if step.hand.closed is not None:
            step.set_hand(closed=None)
        _lay(step, seen)


def _blocked_in_doubt(step: Step) -> bool:
    """Whether the block was told from a line with a badly read tile: a tile that is laid now shows that it was none."""
    closed, result = step.hand.closed, step.hand.result
    badly_read = any(laid.confidence < step.ruleset.sure for laid in step.hand.line.laid)
    return closed is not None and closed.end == "tranque" and result is None and badly_read


def _lay(step: Step, seen: Place) -> None:
    seen = _without_duplicate(step, seen)
    let_stand(step, seen.seat)
    give_turn_back(step, seen.seat)
    before = step.hand
    turn = read_turn(before, seen.seat)
    tip, joined = before.line.tip(seen.at), before.line.end(seen.at)
    fits = seen.tile is None or joined is None or seen.tile.has(joined)
    sure = ends_sure(step)
    time_play(step, seen, turn, fits, sure)
    note_jump(step, seen, turn, fits)
    laid = Laid(
        tile=seen.tile, seat=seen.seat, arm=seen.at, joined=joined, due=before.turn, obs=step.index, t=seen.t,
        outer=None if seen.tile is None else outer_number(seen.tile, joined, tip, seen.tip),
        confidence=seen.confidence, fits=fits, turn_known=turn.known,
        sure=step.sure and outer_is_sure(seen.tile, joined, tip, seen.tip, step.ruleset.sure),
    )  # fmt: skip
    clock = (seen.seat, seen.t) if seen.seat is not None and fits else None
    awaiting = not fits and sure and step.sure and turn.seat is not None and turn.known and seen.tip is None
    next_turn = before.turn if awaiting else None if seen.seat is None else seen.seat.right
    step.set_hand(
        line=before.line.add(laid), passes=name_jumper(step.hand, turn.seat, step.index), turn=next_turn, awaiting=awaiting,
        blind=False, announced=None, clock=clock,
    )  # fmt: skip
    tell_tile(step, seen)
    if not fits:
        _tell_mismatch(step, seen, before, turn, sure)
    doubt_turn(step, turn, fits)
    watch_direction(step, seen.seat, before, fits)
    if seen.tile is not None:
        if fits and turn.known and turn.in_turn:
            check_duty(step, before, seen, seen.tile, sure)
            if before.withdrawn:
                doubt_changed_tile(step, before, seen)
        refute(step, turn.seat, (seen.tile,))
        tell_kept_proofs(step)
        _tell_pose(step, seen, seen.tile)
    if not awaiting:
        close_hand(step, laid)


def _without_duplicate(step: Step, seen: Place) -> Place:
    """A tile that lies already cannot be laid again: one of the readings is wrong, and the worse one is kept as a doubt."""
    twin = step.hand.line.find(seen.tile, None) if seen.tile is not None else None
    if twin is None or seen.tile is None:
        return seen
    if min(twin.confidence, seen.confidence) > step.ruleset.conflict:
        step.charge("TILE_SET_FAULT", None, step.index, because=(twin.obs,))
    else:
        step.suspect("READ_CONFLICT", None)
        if twin.confidence < seen.confidence:
            step.set_hand(line=step.hand.line.replaced(twin, tile=None, outer=None, sure=False))
            return seen
    return replace(seen, tile=None, candidates=((seen.tile, seen.confidence),))


def _tell_mismatch(step: Step, seen: Place, before: HandState, turn: TurnReading, sure: bool) -> None:
    """Turn first, then match (DUSA-7 before DUSA-8): a tile out of turn is not also a wrong tile."""
    other = before.line.end("b" if seen.at == "a" else "a")
    fits_other = other is not None and seen.tile is not None and seen.tile.has(other)
    code = "WRONG_END" if fits_other else "NON_MATCHING"
    if turn.seat is not None and turn.known and not turn.in_turn:
        step.charge("OUT_OF_TURN", turn.seat, step.index, sure=sure)
    elif turn.seat is None or not turn.known or other is None:
        step.suspect(code, seen.seat, alternatives=("OUT_OF_TURN",))
    else:
        step.charge(code, turn.seat, step.index, sure=sure)


def _tell_pose(step: Step, seen: Place, tile: Tile) -> None:
    """Custom, not rule (D-23): a double across its arm, a bend to the left of the growing arm."""
    if not step.ruleset.pose_advice:
        return
    if tile.is_double and seen.across is False:
        step.advise("DOUBLE_POSE", seen.seat)
    if seen.bend == "right":
        step.advise("BEND_DIRECTION", seen.seat)
