"""A line whose first tile no look had shown: once it is seen, the line is told again from there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.observations import Correction
from rules.seats import Seat
from vision.attention import CORE_MM
from vision.identity import EXISTS
from vision.laid import SIDES, UNTOLD, LaidTile, Resting, Side
from vision.step import Step


def laid_unseen(step: Step) -> Seat | None:
    """The one seat that seems to have laid a tile before the line began, which no look shows: its arm came in and its rack looks otherwise
    in the look that shows tiles of other seats as the first."""
    if step.witness is None or step.line is None:
        return None
    seats = step.witness.visits.keys() & step.witness.racks - {tile.place.seat for tile in step.line.tiles}
    return next(iter(seats)) if len(seats) == 1 else None


def begun_before(step: Step, laid: Sequence[Resting]) -> list[LaidTile]:
    """What is to be told again, in its order, where one of the tiles found in this look turns out to have begun the hand; the line then
    begins with it, and what was told of the others is taken back.

    It lies against the tile that was told as the opening, it is surely a tile, and since the look that began the line nothing of its
    place has looked otherwise. And somebody must have laid it: the opening was not laid by the seat that was due, or another seat seems
    to have laid one. Where a person has said what one of the plays was, they stay as they are.
    """
    side = _side_of_the_first(step, laid)
    if side is None:
        return []
    assert step.line is not None
    first = step.line.arm(side)[0]
    told = sorted((tile for tile in step.line.tiles if tile.number != UNTOLD), key=lambda tile: tile.number)
    for tile in reversed(told):
        step.tell(Correction(**step.when, voids=tile.number))
    line = step.line.begun_with(side, step.opener)
    anew = [replace(tile, number=UNTOLD, place=replace(tile.place, **step.when)) for tile in line.tiles]
    anew[0] = replace(anew[0], place=replace(anew[0].place, seat=step.laid_unseen))
    step.line = line.with_tiles(tuple(anew))
    by_rest = {id(tile.rest): tile for tile in anew}
    return [by_rest[id(tile.rest)] for tile in (first, *told)]


def _side_of_the_first(step: Step, laid: Sequence[Resting]) -> Side | None:
    """The arm that begins with a tile of this look that was there before the line."""
    line, witness, since = step.line, step.witness, step.since
    if (
        line is None
        or witness is None
        or since is None
        or line.opening.number == UNTOLD
        or any(tile.fixed for tile in line.tiles)
    ):
        return None
    if step.laid_unseen is None and step.opener in (None, line.opening.place.seat):
        return None
    for side in SIDES:
        rest = line.arm(side)[0].rest if line.arm(side) else None
        if rest is None or not rest.looks or all(rest is not one for one in laid) or rest.seen.confidence < EXISTS:
            continue
        if not since[witness.table.around(rest.seen.x_mm, rest.seen.y_mm, CORE_MM)].any():
            return side
    return None
