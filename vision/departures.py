"""What happened to the tiles of the line that lay there before: pushed, carried to another place, taken back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from calibration.plane import TILE_MM
from rules.observations import Correction, Move, Withdraw
from rules.seats import Seat
from vision.board import COVERED, SeenTile, axis_difference_deg, distance_mm, overlap_share
from vision.contact import best_contact
from vision.identity import GATE, identities, probability_of
from vision.laid import SIDES, LaidTile, Resting, Side, growth
from vision.step import Step

MOVED_MM, MOVED_DEG = 12.0, 15.0  # beyond, a resting tile was pushed (FID-ACT-1)
USUAL = 4.0  # and beyond so many times what the other tiles of the look show: a blurred look errs on all alike
PUSHED_FAR = 1.5  # tile lengths: a tile that is pushed further is lifted
PATIENCE = 2  # looks that the tip of an arm may be missed before it is taken for withdrawn
PATIENCE_WITH_RACKS = 4  # the same where a rack would show the tile coming back,
PATIENCE_UNWITNESSED = 1  # and where no rack missed the tile when it was laid
IN_ITS_STEAD = 0.2  # share of a tile's face: a new tile that covers so much of where a tile lay has taken its place


def departures(step: Step) -> None:
    """Tell what became of the line's tiles that are not quite, or not at all, where they lay."""
    if step.line is not None:
        _pushed(step)
        _lifted(step)
        _without_what_lies_across(step)


def _pushed(step: Step) -> None:
    """Tiles that lie where they lay, but further off than the others of this look are: in two looks alike, or at once
    where a film saw an arm push them."""
    assert step.line is not None
    before = step.before.resting[: len(step.line.tiles)]
    now = [_seen_now(step, laid, rest, seen) for laid, rest, seen in zip(step.line.tiles, before, step.look.known, strict=False)]
    off = {
        i: _apart(step, rest.seen, seen)
        for i, (rest, seen) in enumerate(zip(before, now, strict=True))
        if seen is not None and rest.looks > 1
    }
    usual_mm, usual_deg = np.median(list(off.values()), axis=0) if off else (0.0, 0.0)
    for i, (mm, deg) in off.items():
        laid, seen, strayed = step.line.tiles[i], now[i], before[i].strayed
        if seen is None or (mm <= max(MOVED_MM, USUAL * usual_mm) and deg <= max(MOVED_DEG, USUAL * usual_deg)):
            continue
        seat = _pushed_by(step, before[i].seen, seen)
        if seat is None and (strayed is None or not _alike(_apart(step, strayed, seen))):
            step.change(laid, rest=before[i].strayed_to(seen))
            continue
        rest = laid.rest if step.look.known[i] is not None else before[i].again(seen)
        laid = step.change(laid, rest=rest.pushed_to(seen))
        if step.knows_seats:  # a plane taken from the tiles is not steady enough to accuse anybody
            _tell_move(step, laid, mm, deg, None, seat)


def _seen_now(step: Step, laid: LaidTile, before: Resting, seen: SeenTile | None) -> SeenTile | None:
    """Where a tile of the line is seen in this look: in its place, or a little way off, where a film saw its place change.

    What reads so there is that tile, and not a new one; a tip may have been taken up as well, and is looked at apart.
    """
    assert step.line is not None
    at = before.seen
    in_place = step.witness is None or not step.witness.differs(at.x_mm, at.y_mm)
    if seen is not None or in_place or any(laid is step.line.tip(side) for side in SIDES):
        return seen
    near = [rest for rest in step.fresh if distance_mm(rest.seen, at) < PUSHED_FAR * step.length_mm and _reads_as(rest, laid)]
    if len(near) != 1:
        return None
    step.fresh = [rest for rest in step.fresh if rest is not near[0]]
    return near[0].seen


def _pushed_by(step: Step, before: SeenTile, now: SeenTile) -> Seat | None:
    """The seat whose arm was there in the film, where the old place or the new one looks otherwise."""
    witness = step.witness
    if witness is None or not any(witness.differs(tile.x_mm, tile.y_mm) for tile in (before, now)):
        return None
    came = witness.near(before.x_mm, before.y_mm) & witness.near(now.x_mm, now.y_mm)
    return next(iter(came)) if len(came) == 1 else None


def _apart(step: Step, one: SeenTile, other: SeenTile) -> tuple[float, float]:
    """Millimetres of a table whose tiles are as long as they should be, and degrees."""
    tile_mm = step.view.plane.tile_mm if step.view.plane is not None else TILE_MM
    return distance_mm(one, other) * tile_mm[0] / step.length_mm, axis_difference_deg(one.angle_deg, other.angle_deg)


def _alike(apart: tuple[float, float]) -> bool:
    return apart[0] <= MOVED_MM / 2 and apart[1] <= MOVED_DEG / 2


def _tell_move(step: Step, laid: LaidTile, mm: float, deg: float, to: Side | None, seat: Seat | None = None) -> None:
    if laid.place.tile is not None:
        step.tell(Move(**step.when, seat=seat, tile=laid.place.tile, to=to, mm=round(mm, 1), deg=round(deg, 1)))


def _lifted(step: Step) -> None:
    """Tips that are gone, from the outside inwards; a tile inside the line can only be hidden."""
    assert step.line is not None
    for side in SIDES:
        while step.line.arm(side) and _is_gone(step, step.line.tip(side)):
            tip = step.line.tip(side)
            step.line = step.line.without_tip(side)
            if not _carried(step, tip):
                _tell_withdrawal(step, tip)
    if not step.line.a and not step.line.b and _is_gone(step, step.line.opening):
        _tell_withdrawal(step, step.line.opening)
        step.line = None


def _without_what_lies_across(step: Step) -> None:
    """A new box across a tile of the line that lies there still is that tile, framed badly, or two: no tile lies on another."""
    if step.line is not None:
        laid = [tile.rest.seen for tile in step.line.tiles if tile.rest.looks]
        step.fresh = [
            rest for rest in step.fresh if all(overlap_share(rest.seen, seen, step.length_mm) <= COVERED for seen in laid)
        ]


def _is_gone(step: Step, tip: LaidTile) -> bool:
    """Not seen, and for a reason: its rack has it back, another tile lies in its stead, it lies elsewhere, or it stays away."""
    if tip.rest.missed == 0:
        return False
    seen, length = tip.rest.seen, step.length_mm
    witness = step.witness.latest if step.witness is not None else None
    if tip.rest.looks == 0 and tip.place.seat is not None:
        # A film told it, and no look ever showed it: its rack has it back, or its place looks otherwise again and the same arm came.
        return tip.place.seat in step.rose or (
            witness is not None and witness.differs(seen.x_mm, seen.y_mm) and witness.who(seen.x_mm, seen.y_mm) == tip.place.seat
        )
    if witness is not None and not witness.differs(seen.x_mm, seen.y_mm):
        # Every frame was watched and its place looks as before: it lies there still, or a single look took something for it.
        return tip.rest.looks == 1 and tip.rest.missed >= PATIENCE_WITH_RACKS and not tip.filmed
    if witness is not None and witness.near(seen.x_mm, seen.y_mm):
        return True
    over = [rest for rest in step.fresh if overlap_share(rest.seen, seen, length) > IN_ITS_STEAD]
    in_its_stead = [rest for rest in over if _fits_without(step, tip, rest)]
    against_it = [rest for rest in step.fresh if rest not in over and best_contact(seen, rest.seen, length, tip.entered)]
    if against_it and tip.at != "open":
        return False
    back = bool(step.rose) if tip.place.seat is None else tip.place.seat in step.rose
    elsewhere = any(_reads_as(rest, tip) for rest in step.fresh)
    patience = PATIENCE if not step.racks_count else PATIENCE_WITH_RACKS if tip.witnessed else PATIENCE_UNWITNESSED
    return back or bool(in_its_stead) or elsewhere or tip.rest.missed >= patience


def _fits_without(step: Step, tip: LaidTile, rest: Resting) -> bool:
    """Whether a tile would lie well if the tip were gone; a box that straddles two tiles does not."""
    assert step.line is not None
    if tip.at == "open":
        return True
    return growth(step.line.without_tip(tip.at), rest.seen, step.length_mm, step.opener) is not None


def _reads_as(rest: Resting, laid: LaidTile) -> bool:
    return laid.place.tile is not None and probability_of(identities([rest.evidence])[0], laid.place.tile) >= GATE


def _carried(step: Step, tip: LaidTile) -> bool:
    """A tile taken up and laid at once on either arm again is one play at its last place."""
    assert step.line is not None
    for rest in step.fresh:
        grown = growth(step.line, rest.seen, step.length_mm, step.opener) if _reads_as(rest, tip) else None
        if grown is None:
            continue
        side, contact = grown
        step.fresh = [other for other in step.fresh if other is not rest]
        mm, deg = _apart(step, rest.seen, tip.rest.seen)
        _tell_move(step, tip, mm, deg, side if side != tip.at else None)
        place = replace(tip.place, at=side)
        laid = replace(tip, rest=rest, at=side, entered=contact.other, against=contact.one, place=place)
        step.line = step.line.with_tip(side, laid)
        return True
    return False


def _tell_withdrawal(step: Step, tip: LaidTile) -> None:
    """Tell that a tip was taken back, or, where one look alone showed it and nothing else speaks for it, that it was never there."""
    if tip.rest.looks == 0 or (tip.rest.looks == 1 and _is_phantom(step, tip)):
        step.tell(Correction(**step.when, voids=tip.number))
        return
    at, seat = tip.rest.seen, tip.place.seat
    if seat is None and step.witness is not None:
        seat = step.witness.latest.who(at.x_mm, at.y_mm)
    if seat is None and len(step.rose) == 1:
        seat = next(iter(step.rose))
    if seat is not None and seat in step.rose:
        step.explained.add(seat)
    step.tell(Withdraw(**step.when, seat=seat, tile=tip.place.tile))


def _is_phantom(step: Step, tip: LaidTile) -> bool:
    """Whether its place never changed; or no rack missed a tile or has one again, and no film shows that an arm came for it."""
    at = tip.rest.seen
    if step.witness is not None:
        witness = step.witness.latest
        if not witness.differs(at.x_mm, at.y_mm):
            return True
        if witness.near(at.x_mm, at.y_mm):
            return False
    return step.racks_count and not tip.witnessed and not step.rose
