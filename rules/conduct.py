"""Tiles off the line and manners at the table: touched, exposed and fallen tiles, racks, hands, impacts."""

from __future__ import annotations

from rules.events import Suspicion, TileExposed
from rules.observations import (
    Draw,
    Drop,
    Expose,
    HandOverTable,
    Impact,
    Lift,
    Pass,
    Place,
    RackCount,
    RackSwap,
    Shuffle,
    Take,
    Touch,
)
from rules.proofs import fits_ends, refute
from rules.rotation import due_opener, opener_by_draw
from rules.seats import Seat
from rules.state import HandState, Shown
from rules.step import Step
from rules.takebacks import take_back
from rules.tiles import Tile


def _counting(step: Step) -> bool:
    """Whether the hand is over: tiles that are touched or turned up now belong to the count."""
    return step.hand.closed is not None or step.hand.result is not None


def on_touch(step: Step, seen: Touch) -> None:
    """A touched tile must be played (DUSA-6); the touch itself is an infraction for FID alone (FID-SAL-5, FID-ACT-3)."""
    if _counting(step) or (seen.dur is not None and seen.dur <= step.ruleset.touch_s) or _is_knock(step, seen):
        return
    touched = Shown(seat=seen.seat, tile=seen.tile, obs=step.index, cause="touch", slot=seen.slot, sure=step.sure)
    step.set_hand(touched=(*step.hand.touched, touched))
    _charge_in_play(step, "TOUCHED", seen.seat)


def _is_knock(step: Step, seen: Touch) -> bool:
    """The tile of a knock goes back to its slot: a signal to pass, no touch (D-29)."""
    last = step.hand.passes[-1] if step.hand.passes else None
    knock = step.observations[last.obs] if last is not None and last.seat == seen.seat else None
    return isinstance(knock, Pass) and knock.via == "knock" and seen.t - (seen.dur or 0.0) - knock.t <= step.ruleset.knock_s


def on_expose(step: Step, seen: Expose) -> None:
    """A tile lies face up off the line (DUSA-6, FID-ACT-3)."""
    if _counting(step):
        return
    lying = step.hand.line.last
    if lying is not None and lying.tile == seen.tile:
        take_back(step, lying)
    elif seen.tile in step.hand.line.tiles:
        step.suspect("READ_CONFLICT", None)
        return
    _expose(step, seen.seat, seen.tile, seen.cause or _likely_cause(step.hand, seen.seat, seen.tile))


def on_drop(step: Step, seen: Drop) -> None:
    """A tile fell: exposed, whatever its face."""
    if not _counting(step):
        _expose(step, seen.seat, seen.tile, "drop")


def _likely_cause(hand: HandState, seat: Seat | None, tile: Tile) -> str:
    """Why a tile lies face up when nobody said: just taken back from the line, touched before, or fallen."""
    if any(shown.tile == tile and shown.seat == seat for shown in hand.withdrawn):
        return "withdrawn"
    if any(shown.seat == seat and shown.tile in (tile, None) for shown in hand.touched):
        return "touch"
    return "drop"


def _expose(step: Step, seat: Seat | None, tile: Tile | None, cause: str) -> None:
    step.emit(TileExposed(obs=step.index, seat=seat, tile=tile))
    if step.hand.shuffling:
        return  # it is nobody's yet: the tiles are shuffled again (D-30)
    step.set_hand(clock=None)
    if seat is None:
        step.suspect("EXPOSED", None)
        return
    shown = Shown(seat=seat, tile=tile, obs=step.index, cause=cause, sure=step.sure)
    told_before = any(tile is not None and other.sure and (other.seat, other.tile) == (seat, tile) for other in step.hand.exposed)
    step.set_hand(
        exposed=(*step.hand.exposed, shown),
        touched=tuple(other for other in step.hand.touched if other.seat != seat or other.tile not in (tile, None)),
    )
    if cause in step.ruleset.listed_exposures and not told_before:
        _charge_in_play(step, "EXPOSED", seat)
    if cause in step.ruleset.exposed_causes and step.sure and not told_before and not step.hand.may_be_over:
        lose_opening(step, seat)
    if tile is not None:
        refute(step, seat, (tile,))


def _charge_in_play(step: Step, code: str, seat: Seat) -> None:
    """A charge; where a seat may have run out unseen the tiles may be turned up for the count: then one question a seat."""
    last = step.hand.line.last
    if not step.hand.may_be_over or last is None:
        step.charge(code, seat, step.index)
    elif not any(
        isinstance(one, Suspicion) and (one.code, one.seats) == (code, (seat,)) and one.obs > last.obs for one in step.events
    ):
        step.charge(code, seat, step.index, sure=False)


def lose_opening(step: Step, seat: Seat) -> None:
    """The seat is passed over at its next opening, once (DUSA-6, D-13)."""
    if step.ruleset.lost_opening:
        lost, ever = step.state.lost_openings, step.state.lost_ever
        step.set_match(lost_openings=tuple(sorted({*lost, seat})), lost_ever=tuple(sorted({*ever, seat})))


def check_duty(step: Step, before: HandState, seen: Place, tile: Tile, sure: bool) -> None:
    """An exposed or touched tile that fitted was left, and another one played (DUSA-6c). `sure`: the ends were read well."""
    seat = seen.seat
    if seat is None or not step.ruleset.play_exposed or not (before.exposed or before.touched):
        return
    exposed = [s for s in before.exposed if s.seat == seat and s.tile is not None and s.tile not in before.line.tiles]
    touched = [s for s in before.touched if s.seat == seat and s.tile not in before.line.tiles]
    duties = [s for s in (*exposed, *touched) if s.tile is not None]
    playable = [s for s in duties if s.tile is not None and fits_ends(s.tile, before.line.ends)]
    certain = [s for s in playable if s.sure and not before.may_have_laid(seat, s.obs, step.ruleset.sure)]
    # A tile laid wrongly and taken back must be played as well (D-14): whoever owes two has to choose.
    owed = [s for s in before.withdrawn if s.seat == seat and s.cause == "misplayed"]
    served = any(s.tile == tile for s in (*duties, *owed))
    if playable and not served:
        step.charge("TOUCH_BREACH", seat, step.index, sure=sure and bool(certain))
    elif not served and any(s.tile is None and None not in (s.slot, seen.slot) and s.slot != seen.slot for s in touched):
        step.suspect("TOUCH_BREACH", seat)
    # Who owed two and played one still owes the other; a breach is told once.
    done = {tile, None} if served else {tile, None, *(s.tile for s in playable)}
    step.set_hand(touched=tuple(s for s in step.hand.touched if s.seat != seat or s.tile not in done))


def doubt_changed_tile(step: Step, before: HandState, seen: Place) -> None:
    """A tile that fitted was laid, taken back and another one laid: put to the referee (DUSA-6, FID-ACT-1)."""
    last = before.line.last
    since = -1 if last is None else last.obs
    owed = {shown.tile for shown in (*before.exposed, *before.touched) if shown.seat == seen.seat}
    changed = {shown.tile for shown in before.withdrawn if shown.seat == seen.seat and shown.sure and shown.obs > since} - {
        None,
        seen.tile,
        *owed,
    }
    if seen.tile not in owed and any(tile is not None and fits_ends(tile, before.line.ends) for tile in changed):
        step.suspect("TOUCH_BREACH" if step.ruleset.play_exposed else "TILE_MOVED", seen.seat)


def on_lift(step: Step, seen: Lift) -> None:
    """J1 opens before J2 lifts, and nobody of the partners 3 and 4 lifts before his partner acted (FID-SAL-7, FID-SAL-8)."""
    if step.hand.result is not None:
        begin_deal(step)
    _end_shuffle(step)
    hand = step.hand
    waiting = len(hand.line) == 0
    opener = due_opener(step.state)[0] if waiting else hand.opener
    if hand.closed is not None or seen.seat in hand.lifted or opener is None:
        return
    step.set_hand(lifted=(*hand.lifted, seen.seat))
    if seen.seat == opener:
        return
    if seen.seat == opener.right:
        if waiting:
            step.charge("PREMATURE_LIFT", seen.seat, step.index, rule="FID-SAL-7")
    elif waiting or not _acted(hand, seen.seat.partner):
        step.charge("PREMATURE_LIFT", seen.seat, step.index, sure=waiting or step.ruleset.pass_channel == "reliable")


def _acted(hand: HandState, seat: Seat) -> bool:
    return bool(hand.line.plays_of(seat)) or any(record.seat == seat for record in hand.passes)


def on_rack_count(step: Step, seen: RackCount) -> None:
    """Seven tiles were dealt to each: a rack, its plays and its exposed tiles must make seven (FID-BEH-5)."""
    _end_shuffle(step)
    hand = step.hand
    if _counting(step) or seen.seat in hand.miscounted:
        return
    plays = len(hand.line.plays_of(seen.seat))
    off_rack = [s for s in hand.exposed if s.seat == seen.seat and s.tile not in hand.line.tiles]
    if seen.count + plays + len(off_rack) != 7:
        step.set_hand(miscounted=(*hand.miscounted, seen.seat))
        known = hand.line.known and all(s.tile is not None for s in off_rack)
        step.charge("DEAL_FAULT", seen.seat, step.index, sure=hand.held(seen.seat) is not None and known)


def on_take(step: Step, seen: Take) -> None:
    """Seven tiles each; a wrong number may still be put right before the racks are counted (FID-SAL-4)."""
    begin_deal(step)
    _end_shuffle(step)
    if seen.count != 7:
        step.suspect("DEAL_FAULT", seen.seat)


def on_shuffle(step: Step, seen: Shuffle) -> None:
    """The next hand is being dealt (D-07)."""
    begin_deal(step)
    step.set_hand(shuffling=len(step.hand.line) == 0)


def _end_shuffle(step: Step) -> None:
    """The tiles have their seats now."""
    if step.hand.shuffling:
        step.set_hand(shuffling=False)


def on_draw(step: Step, seen: Draw) -> None:
    """The highest tile opens the first hand (DUSA-2, FID-SAL-1, D-11)."""
    if step.state.hands_opened == 0:
        step.set_match(first_opener=opener_by_draw(seen.tiles))


def begin_deal(step: Step) -> None:
    """What is seen from now on belongs to the next hand."""
    if step.hand.result is not None:
        step.set_match(hand=HandState())
    step.set_match(dealt=True)


def on_rack_swap(step: Step, seen: RackSwap) -> None:
    """Tiles stay where they were stood (DUSA-3, FID-SAL-5)."""
    if not _counting(step):
        step.charge("RACK_REARRANGED", seen.seat, step.index)


def on_hand_over_table(step: Step, seen: HandOverTable) -> None:
    """Hands below the table when not in turn; what it means is for the referee (DUSA-4, D-26)."""
    if step.hand.playing and seen.seat != step.hand.turn and seen.dur > step.ruleset.hands_s:
        step.advise("HANDS_ON_TABLE", seen.seat)


def on_impact(step: Step, seen: Impact) -> None:
    """No striking of the table (FID-BEH-3)."""
    if seen.level > step.ruleset.impact_level:
        step.advise("STRIKE_OR_THROW", seen.seat)
