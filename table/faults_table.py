"""Faults of what is seen on the table: faces that look like others, hands that rest or cross. The truth stays as it was."""

from __future__ import annotations

from dataclasses import replace

from models.training.scene import SceneTile
from rules.seats import Seat
from table.fault_plan import Plan
from table.film import Moment, Reach, between
from table.film_stage import home_mm
from table.scenery import turned
from vision.detections import TileState

Moments = list[Moment]


def misread_once(moments: Moments, plan: Plan) -> Moments:
    """A laid tile looks like another one for one frame."""
    return _with_other_face(moments, plan, lambda k: k == 0)


def misread_half(moments: Moments, plan: Plan) -> Moments:
    """A laid tile looks like another one in every second frame."""
    return _with_other_face(moments, plan, lambda k: k % 2 == 0)


def misread_for_ever(moments: Moments, plan: Plan) -> Moments:
    """A laid tile looks like another one from the moment that it lies."""
    return _with_other_face(moments, plan, lambda k: True)


def duplicate(moments: Moments, plan: Plan) -> Moments:
    """A laid tile looks like one that lies already."""
    return _with_other_face(moments, plan, lambda k: True, twice=True)


def resting_hand(moments: Moments, plan: Plan) -> Moments:
    """A hand rests over the edge of the table for twenty seconds."""
    seat, start = Seat(int(plan.rng.integers(4))), plan.moment_s()
    return _resting(moments, plan, seat, start, start + 20)


def resting_at_the_end(moments: Moments, plan: Plan) -> Moments:
    """A hand rests over the edge of the table from the last tile of the film until the count is over."""
    seat = Seat(int(plan.rng.integers(4)))
    return _resting(moments, plan, seat, plan.plays_s[-1] + 1.0 if plan.plays_s else plan.moment_s(), plan.end_s)


def crossing_arm(moments: Moments, plan: Plan) -> Moments:
    """Now and then another arm crosses the table while a tile is being laid."""
    out = list(moments)
    length = round(1.5 * plan.fps)
    for play in plan.plays_s[2::5]:
        seat, start = Seat(int(plan.rng.integers(4))), round((play - 0.8) * plan.fps)
        for k in range(length):
            if 0 <= start + k < len(out):
                share = 1 - abs(2 * k / length - 1)
                reach = Reach(seat, between(home_mm(seat), turned(seat, 40.0, 60.0), share))
                out[start + k] = _with_reach(out[start + k], reach)
    return out


FAULTS = (misread_once, misread_half, misread_for_ever, duplicate, resting_hand, resting_at_the_end, crossing_arm)


def _resting(moments: Moments, plan: Plan, seat: Seat, start_s: float, end_s: float) -> Moments:
    reach, (start, end) = Reach(seat, turned(seat, 210.0, -330.0), flat=True), (round(s * plan.fps) for s in (start_s, end_s))
    return [_with_reach(m, reach) if start <= k < end else m for k, m in enumerate(moments)]


def _with_reach(moment: Moment, reach: Reach) -> Moment:
    """One more arm, unless that seat's arm is there already."""
    if any(other.seat == reach.seat for other in moment.reaches):
        return moment
    return replace(moment, reaches=(*moment.reaches, reach))


def _with_other_face(moments: Moments, plan: Plan, when: object, twice: bool = False) -> Moments:
    """From the time of a play on, the tile that it brought shows another number on the frames (counted from 0) that `when` picks."""
    start = round(plan.play_s() * plan.fps)
    before = {_where(t) for t in moments[start - 1].tiles if t.state is TileState.FACE_UP}
    fresh = next((t for t in moments[start].tiles if t.state is TileState.FACE_UP and _where(t) not in before), None)
    if fresh is None:
        return moments
    first = next(t for t in moments[start].tiles if t.state is TileState.FACE_UP)
    halves = first.halves if twice else (fresh.halves[0], (fresh.halves[1] + (1 if fresh.halves[1] < 6 else -1)))
    settled = iter(range(len(moments)))
    out = []
    for k, moment in enumerate(moments):
        there = k >= start and fresh in moment.tiles
        if there and moment.settled and when(next(settled)):  # type: ignore[operator]
            tiles = tuple(replace(t, halves=halves) if t == fresh else t for t in moment.tiles)
            moment = replace(moment, tiles=tiles)
        out.append(moment)
    return out


def _where(tile: SceneTile) -> tuple[float, float]:
    return tile.x_mm, tile.y_mm
