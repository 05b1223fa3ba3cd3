"""Faults of the light: brightness, shadow, colour, glare. Each changes the frames of a film and never their times."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import cv2
import numpy as np

from table.fault_plan import Plan
from vision.frame import Frame

Frames = Iterator[Frame]


def gamma_step(frames: Frames, plan: Plan) -> Frames:
    """The exposure jumps while a tile is being laid, and jumps back later."""
    gamma, start = float(plan.rng.choice([0.45, 0.6, 1.7, 2.3])), plan.play_s() - 0.3
    return _each(frames, lambda f: with_gamma(f.image, gamma) if start <= f.t_s < start + 12 else f.image)


def gamma_ramp(frames: Frames, plan: Plan) -> Frames:
    """The light fades slowly and comes back, as under clouds."""
    start, half = plan.moment_s(), 8.0
    darkest = float(plan.rng.uniform(1.8, 2.4))

    def seen(frame: Frame) -> np.ndarray:
        share = max(0.0, 1 - abs(frame.t_s - start - half) / half)
        return with_gamma(frame.image, 1 + (darkest - 1) * share) if share else frame.image

    return _each(frames, seen)


def shadow_edge(frames: Frames, plan: Plan) -> Frames:
    """The edge of a shadow moves over the table."""
    start, seconds = plan.moment_s(), 6.0
    return _each(
        frames, lambda f: half_dark(f.image, (f.t_s - start) / seconds, 0.5) if 0 < f.t_s - start < 2 * seconds else f.image
    )


def half_in_the_sun(frames: Frames, plan: Plan) -> Frames:
    """Half of the table is much brighter than the other from the start."""
    where = float(plan.rng.uniform(0.35, 0.65))
    return _each(frames, lambda f: half_dark(f.image, where, 0.55))


def white_balance(frames: Frames, plan: Plan) -> Frames:
    """Warm light turns cold at once."""
    start = plan.moment_s()
    gains = np.array([0.78, 1.0, 1.22]) if plan.rng.random() < 0.5 else np.array([1.22, 1.0, 0.78])
    return _each(frames, lambda f: _scaled(f.image, gains) if f.t_s >= start else f.image)


def glare(frames: Frames, plan: Plan) -> Frames:
    """A saturated spot moves over the table."""
    start, speed = plan.moment_s(), plan.rng.uniform(-0.03, 0.03, 2)
    x, y = plan.rng.uniform(0.47, 0.53, 2)
    return _each(
        frames,
        lambda f: spot(f.image, x + speed[0] * (f.t_s - start), y + speed[1] * (f.t_s - start)) if f.t_s >= start else f.image,
    )


def glare_still(frames: Frames, plan: Plan) -> Frames:
    """A saturated spot lies on the middle of the table from the start."""
    x, y = plan.rng.uniform(0.485, 0.515, 2)  # where the line begins
    return _each(frames, lambda f: spot(f.image, x, y))


def lamp_bands(frames: Frames, plan: Plan) -> Frames:
    """Dark bands of a flickering lamp run over the picture."""
    speed, depth = plan.rng.uniform(0.2, 0.8), 0.25

    def seen(frame: Frame) -> np.ndarray:
        rows = np.arange(frame.image.shape[0]) / frame.image.shape[0]
        band = 1 - depth * (0.5 + 0.5 * np.sin(2 * np.pi * (2.5 * rows + speed * frame.t_s)))
        return np.asarray((frame.image * band[:, None, None].astype(np.float32)).astype(np.uint8))

    return _each(frames, seen)


def red_blue(frames: Frames, plan: Plan) -> Frames:
    """Red and blue are exchanged throughout."""
    return _each(frames, lambda f: np.ascontiguousarray(f.image[..., ::-1]))


def red_blue_later(frames: Frames, plan: Plan) -> Frames:
    """Red and blue are exchanged from one frame on."""
    start = plan.moment_s()
    return _each(frames, lambda f: np.ascontiguousarray(f.image[..., ::-1]) if f.t_s >= start else f.image)


FAULTS = (
    gamma_step,
    gamma_ramp,
    shadow_edge,
    half_in_the_sun,
    white_balance,
    glare,
    glare_still,
    lamp_bands,
    red_blue,
    red_blue_later,
)


def with_gamma(image: np.ndarray, gamma: float) -> np.ndarray:
    """A picture with another gamma; above 1 is darker."""
    return np.asarray(cv2.LUT(image, (np.linspace(0, 1, 256) ** gamma * 255).astype(np.uint8)))


def half_dark(image: np.ndarray, edge: float, gain: float) -> np.ndarray:
    """A picture with the part left of a slanting edge (share of the width) darker by a gain."""
    h, w = image.shape[:2]
    columns = np.arange(w, dtype=np.float32)[None] / w + np.arange(h, dtype=np.float32)[:, None] / h * 0.2
    dark = np.clip((edge - columns) * 40 + 0.5, 0, 1)
    return np.asarray((image * (1 - (1 - gain) * dark)[..., None]).astype(np.uint8))


def spot(image: np.ndarray, x: float, y: float) -> np.ndarray:
    """A picture with a white ellipse of one to three pips' size at a place (shares of width and height)."""
    h, w = image.shape[:2]
    mask = np.zeros((h, w), np.uint8)
    cv2.ellipse(mask, (int(x * w), int(y * h)), (max(3, h // 55), max(2, h // 90)), 30, 0, 360, 255, -1, cv2.LINE_AA)
    soft = cv2.GaussianBlur(mask, (0, 0), max(1.0, h / 400)).astype(np.uint16)
    return np.asarray(np.minimum(image + soft[..., None], 255).astype(np.uint8))


def _scaled(image: np.ndarray, gains: np.ndarray) -> np.ndarray:
    return np.asarray(np.clip(image * gains.astype(np.float32), 0, 255).astype(np.uint8))


def _each(frames: Frames, seen: Callable[[Frame], np.ndarray]) -> Frames:
    for frame in frames:
        yield replace(frame, image=seen(frame))
