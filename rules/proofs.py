"""Later tiles that refute earlier passes: no tile is drawn in this game, so what a seat shows it held all along."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rules.line import Ends
from rules.seats import Seat
from rules.state import HandState, Jump, PassRecord
from rules.step import Step
from rules.tiles import Tile


def fits_ends(tile: Tile, ends: Ends) -> bool:
    """Whether the tile can be laid at one of the ends; unknown ends fit nothing."""
    return ends[0] in tile or ends[1] in tile


def any_fits(tiles: Iterable[Tile], ends: Ends) -> bool:
    """Whether one of the tiles can be laid at one of the ends."""
    return any(fits_ends(tile, ends) for tile in tiles)


def refute(step: Step, seat: Seat | None, tiles: Iterable[Tile], *, sure: bool = True) -> None:
    """Hold tiles that a seat shows against its passes, and against the plays that skipped it (DUSA-5, DUSA-7, D-24)."""
    if seat is None:
        return
    shown = tuple(tiles)
    for record in step.hand.passes:
        if record.seat == seat and not record.proved and any_fits(shown, record.ends):
            _refuted(step, record, step.index, sure)
    for jump in step.hand.jumps:
        if jump.run and seat in jump.skipped and any_fits(shown, jump.ends):
            tell_out_of_turn(step, jump, sure=sure)


def _refuted(step: Step, record: PassRecord, by: int, sure: bool) -> None:
    sure = sure and record.sure
    if record.signalled:
        step.charge("RENEGE", record.seat, record.obs, sure=sure, because=(by,), certain_at=by)
    elif record.jumper is None or record.jump is None or step.hand.seats_doubted:
        return
    elif step.hand.backward >= 2:
        # Plays running backwards may be a mirrored picture: keep the proof until the direction is clear.
        _mark(step, record, refuted_by=by if record.refuted_by is None else record.refuted_by)
        return
    else:
        accused = (record.jumper, record.seat)
        sure = sure and not _may_have_played(step, record.jump)
        step.charge("RENEGE_OR_OUT_OF_TURN", accused, record.jump, sure=sure, because=(by,), certain_at=by)
    if sure and step.sure:
        _mark(step, record, proved=True)


def _may_have_played(step: Step, jump: int) -> bool:
    """Whether a tile told after a jump has no seat: it may have been found late, and be the very play of whom the jump seems to skip."""
    return any(laid.seat is None and laid.obs > jump for laid in step.hand.line.laid)


def tell_kept_proofs(step: Step) -> None:
    """Tell the proofs kept back, once the plays run in the order of play again."""
    if step.hand.backward >= 2:
        return
    for record in step.hand.passes:
        if record.refuted_by is not None and not record.proved:
            _refuted(step, record, record.refuted_by, True)


def _mark(step: Step, record: PassRecord, **changes: object) -> None:
    marked = replace(record, **changes)  # type: ignore[arg-type]
    step.set_hand(passes=tuple(marked if other == record else other for other in step.hand.passes))


def tell_out_of_turn(step: Step, jump: Jump, *, sure: bool = True) -> None:
    """The jump was a play out of turn: whom it skipped did not pass (DUSA-7). While the proof is doubtful the jump stays open."""
    certain = sure and jump.sure
    premature = jump.announced and step.ruleset.false_announcement == "premature_run"
    step.charge("PREMATURE_RUN" if premature else "OUT_OF_TURN", jump.seat, jump.obs, sure=certain)
    if certain and step.sure:
        close_jump(step, jump)


def close_jump(step: Step, jump: Jump) -> None:
    """The jump is decided: nothing more is asked about it, and its silent passes were none."""
    step.set_hand(
        jumps=tuple(other for other in step.hand.jumps if other != jump),
        passes=tuple(record for record in step.hand.passes if record.jump != jump.obs or record.signalled),
    )


def hand_at(hand: HandState, seat: Seat, obs: int, leftover: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """The tiles a seat held just before observation `obs`: what it laid from then on and what it has left."""
    later = tuple(laid.tile for laid in hand.line.plays_of(seat) if laid.obs >= obs and laid.tile is not None)
    return (*later, *(tile for tile in leftover if tile not in later))


def well_read(step: Step, seat: Seat, obs: int) -> bool:
    """Whether what a seat laid from observation `obs` on, and what it turned up, was read well enough to judge by."""
    laid = (laid for laid in step.hand.line.plays_of(seat) if laid.obs >= obs)
    return (step.hand.audited[seat] is not None or step.hand.held(seat) == 0) and all(
        one.tile is not None and one.confidence >= step.ruleset.sure for one in laid
    )
