"""Faults of the camera: bumps, drift, turns, focus. Each changes the frames of a film and never their times."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import cv2
import numpy as np

from table.fault_plan import Plan
from vision.frame import Frame

Frames = Iterator[Frame]


def bump(frames: Frames, plan: Plan) -> Frames:
    """The camera is knocked: two degrees and some pixels, at once and for good."""
    start = plan.moment_s()
    turn, shift = float(plan.rng.choice([-2, 2])), plan.rng.choice([-1, 1], 2) / 64
    return _each(frames, lambda f: moved(f.image, turn, shift) if f.t_s >= start else f.image)


def zoom(frames: Frames, plan: Plan) -> Frames:
    """The camera sinks: everything is five per cent larger from one frame on."""
    start = plan.moment_s()
    return _each(frames, lambda f: moved(f.image, 0.0, (0.0, 0.0), 1.05) if f.t_s >= start else f.image)


def drift(frames: Frames, plan: Plan) -> Frames:
    """The camera's mount gives: the picture creeps by about six pixels a minute."""
    return _each(frames, lambda f: moved(f.image, 0.0, np.array([1.0, 0.6]) * f.t_s / 60 * 6 / 640))


def upside_down_later(frames: Frames, plan: Plan) -> Frames:
    """The camera is put up again the other way round in the middle of the hand."""
    start = plan.moment_s()
    return _each(frames, lambda f: cv2.rotate(f.image, cv2.ROTATE_180) if f.t_s >= start else f.image)


def upside_down(frames: Frames, plan: Plan) -> Frames:
    """The picture stands on its head from the start."""
    return _each(frames, lambda f: cv2.rotate(f.image, cv2.ROTATE_180))


def mirrored(frames: Frames, plan: Plan) -> Frames:
    """The picture is mirrored from the start."""
    return _each(frames, lambda f: cv2.flip(f.image, 1))


def quarter_turn(frames: Frames, plan: Plan) -> Frames:
    """The picture is turned by a quarter from the start: east is up."""
    return _each(frames, lambda f: cv2.rotate(f.image, cv2.ROTATE_90_COUNTERCLOCKWISE))


def focus_hunt(frames: Frames, plan: Plan) -> Frames:
    """The focus goes to a hand that enters, and stays there for some seconds."""
    return _out_of_focus(frames, plan.play_s() - 1.0, float(plan.rng.uniform(4, 15)))


def focus_stuck(frames: Frames, plan: Plan) -> Frames:
    """The focus goes to a hand that enters early in the hand, and stays there for the better part of a minute."""
    plays = plan.plays_s
    start = plays[min(2, len(plays) - 1)] - 1.0 if plays else plan.moment_s()
    return _out_of_focus(frames, start, float(plan.rng.uniform(40, 60)))


def _out_of_focus(frames: Frames, start: float, seconds: float) -> Frames:
    def seen(frame: Frame) -> np.ndarray:
        share = min(frame.t_s - start, start + seconds - frame.t_s, 1.0)
        return blurred(frame.image, share) if share > 0 else frame.image

    return _each(frames, seen)


def blurred_arrivals(frames: Frames, plan: Plan) -> Frames:
    """Every tile is blurred in the first frames after it was laid."""
    after = float(plan.rng.uniform(3, 10)) / plan.fps
    return _each(frames, lambda f: blurred(f.image, 0.8) if any(0 <= f.t_s - play < after for play in plan.plays_s) else f.image)


FAULTS = (bump, zoom, drift, upside_down_later, upside_down, mirrored, quarter_turn, focus_hunt, focus_stuck, blurred_arrivals)


def moved(image: np.ndarray, turn_deg: float, shift: object, scale: float = 1.0) -> np.ndarray:
    """A picture turned about its middle, shifted by shares of its width, and scaled; the border is drawn out."""
    h, w = image.shape[:2]
    matrix = cv2.getRotationMatrix2D((w / 2, h / 2), turn_deg, scale)
    matrix[:, 2] += np.asarray(shift, float) * w
    return np.asarray(cv2.warpAffine(image, matrix, (w, h), borderMode=cv2.BORDER_REPLICATE))


def blurred(image: np.ndarray, share: float) -> np.ndarray:
    """A picture out of focus; share 1 is too far for pips to be told."""
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.3 + share * image.shape[0] / 130))


def _each(frames: Frames, seen: Callable[[Frame], object]) -> Frames:
    for frame in frames:
        yield replace(frame, image=np.asarray(seen(frame)))
