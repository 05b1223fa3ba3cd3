"""Faults of time: frames that are lost, late, repeated, or stamped by a clock that jumps."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace

from table.fault_plan import Plan
from vision.frame import Frame

Frames = Iterator[Frame]


def gap(frames: Frames, plan: Plan) -> Frames:
    """Three to fifteen seconds are missing: several tiles appear at once."""
    start, seconds = plan.play_s() - 0.5, float(plan.rng.uniform(5, 12))
    return (frame for frame in frames if not start <= frame.t_s < start + seconds)


def stall(frames: Frames, plan: Plan) -> Frames:
    """The camera gives nothing for fifteen seconds."""
    start = plan.moment_s()
    return (frame for frame in frames if not start <= frame.t_s < start + 15)


def drops(frames: Frames, plan: Plan) -> Frames:
    """Three frames in ten are lost."""
    return (frame for frame in frames if plan.rng.random() >= 0.3)


def frozen(frames: Frames, plan: Plan) -> Frames:
    """One frame is repeated for seven seconds while the times go on."""
    start, held = plan.moment_s(), None
    for frame in frames:
        held = frame if held is None or not start <= frame.t_s < start + 7 else held
        yield replace(frame, image=held.image)


def late(frames: Frames, plan: Plan) -> Frames:
    """Every picture is four frames old."""
    waiting: deque[Frame] = deque()
    for frame in frames:
        waiting.append(frame)
        yield replace(frame, image=waiting.popleft().image if len(waiting) > 4 else waiting[0].image)


def clock_back(frames: Frames, plan: Plan) -> Frames:
    """The clock that stamps the frames jumps back by an hour."""
    start = plan.moment_s()
    return (replace(frame, t_s=frame.t_s - 3600) if frame.t_s >= start else frame for frame in frames)


def clock_ahead(frames: Frames, plan: Plan) -> Frames:
    """The clock that stamps the frames jumps ahead by a year."""
    start = plan.moment_s()
    return (replace(frame, t_s=frame.t_s + 365 * 86400) if frame.t_s >= start else frame for frame in frames)


def two_a_second(frames: Frames, plan: Plan) -> Frames:
    """Only two looks a second come through."""
    every = max(1, round(plan.fps / 2))
    return (frame for frame in frames if frame.index % every == 0)


FAULTS = (gap, stall, drops, frozen, late, clock_back, clock_ahead, two_a_second)
