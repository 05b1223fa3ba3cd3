"""Thinking without a choice (FID-ACT-2, FID-ACT-5, D-22)."""

from __future__ import annotations

from rules.line import Ends
from rules.observations import Hands, Pass, Place
from rules.proofs import fits_ends, hand_at, well_read
from rules.seats import Seat
from rules.state import SlowPlay
from rules.step import Step
from rules.tiles import Tile
from rules.turns import TurnReading


def thought_s(step: Step, seat: Seat) -> float | None:
    """Seconds since the neighbour before him acted; None when that is not known, as after a silent pass or a disturbance."""
    clock = step.hand.clock
    return step.seen.t - clock[1] if clock is not None and clock[0] == seat.left else None


def has_choice(tiles: tuple[Tile, ...], ends: Ends) -> bool:
    """Two tiles that can be laid, or one that can be laid at two different numbers."""
    playable = {tile for tile in tiles if fits_ends(tile, ends)}
    if len(playable) >= 2:
        return True
    return any(ends[0] != ends[1] and all(end is not None and tile.has(end) for end in ends) for tile in playable)


def time_play(step: Step, seen: Place, turn: TurnReading, fits: bool, sure: bool) -> None:
    """Keep a slow play for the count; from the fifth tile on, so that the first turn of each seat is free."""
    if turn.seat is None or turn.skipped or not turn.known or not fits or seen.tile is None:
        return
    dt = thought_s(step, turn.seat)
    _advise(step, turn.seat, dt)
    late_enough = len(step.hand.line) + 1 >= step.ruleset.think_from_play
    if dt is None or dt <= step.ruleset.think_s or not late_enough or None in step.hand.line.ends:
        return
    slow = SlowPlay(seat=turn.seat, obs=step.index, ends=step.hand.line.ends, sure=sure and step.sure)
    step.set_hand(slow=(*step.hand.slow, slow))


def time_pass(step: Step, seen: Pass) -> None:
    """A slow pass is certain at once: he had nothing to think about, or the pass is false."""
    dt = thought_s(step, seen.seat)
    _advise(step, seen.seat, dt)
    if dt is not None and dt > step.ruleset.think_s and len(step.hand.line) >= step.ruleset.think_from_play:
        step.charge("FALSE_THINK", seen.seat, step.index)


def _advise(step: Step, seat: Seat, dt: float | None) -> None:
    limit = step.ruleset.think_limit_s
    if limit is not None and dt is not None and dt > limit:
        step.advise("EXCESSIVE_THINK", seat)


def check_slow_plays(step: Step, hands: Hands) -> None:
    """Hold the slow plays against the hands as the revealed tiles rebuild them; a hand that is not whole proves nothing."""
    for slow in step.hand.slow:
        leftover = hands[slow.seat]
        if leftover is None or len(leftover) != step.hand.held(slow.seat):
            continue
        if not has_choice(hand_at(step.hand, slow.seat, slow.obs, leftover), slow.ends):
            step.charge("FALSE_THINK", slow.seat, slow.obs, sure=slow.sure and well_read(step, slow.seat, slow.obs))
