"""Corners of a dark square to a twentieth of a pixel: lines along its four sides, and where they meet.

What looks for corners directly finds them some tenths of a pixel too far inside, for a lens rounds them off.
"""

from __future__ import annotations

import cv2
import numpy as np

ALONG = np.linspace(0.12, 0.88, 24)  # where along a side its edge is looked for
REACH = 0.08  # of a side, to both sides of it: two thirds of a cell of an AprilTag
REACH_PX = (2.0, 6.0)  # at least and at most
SAMPLES = 17
ROUNDS = 2


def refined(grey: np.ndarray, quad_px: np.ndarray) -> np.ndarray:
    """The corners (4x2 px, clockwise or not) of a dark square on light ground, from corners within about a pixel of them."""
    quad = np.asarray(quad_px, np.float64)
    outwards = 1.0 if cv2.contourArea(quad.astype(np.float32), oriented=True) > 0 else -1.0
    for _ in range(ROUNDS):
        lines = [_edge(grey, quad[i], quad[(i + 1) % 4], outwards) for i in range(4)]
        quad = np.array([_meet(lines[i - 1], lines[i]) for i in range(4)])
    return quad


def _edge(grey: np.ndarray, start: np.ndarray, end: np.ndarray, outwards: float) -> np.ndarray:
    """The line a x + b y = c, as (a, b, c), along which dark turns to light between two corners."""
    side = end - start
    length = float(np.hypot(*side))
    normal = outwards * np.array([side[1], -side[0]]) / length
    reach = float(np.clip(REACH * length, *REACH_PX))
    steps = np.linspace(-reach, reach, SAMPLES)
    spots = (start + ALONG[:, None] * side)[:, None] + steps[:, None] * normal
    maps = spots.astype(np.float32)
    profile = cv2.remap(grey, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float64)
    rise = np.maximum(np.diff(profile, axis=1), 0.0)
    rise = np.maximum(rise - 0.25 * rise.max(axis=1, keepdims=True), 0.0)  # noise in the flat parts has no say
    middles = (steps[1:] + steps[:-1]) / 2
    off = rise @ middles / np.maximum(rise.sum(axis=1), 1e-9)
    keep = np.abs(off - np.median(off)) < 0.5
    slope, shift = np.polyfit(ALONG[keep], off[keep], 1)
    first, last = start + shift * normal, end + (shift + slope) * normal
    along = (last - first) / np.hypot(*(last - first))
    return np.array([-along[1], along[0], -along[1] * first[0] + along[0] * first[1]])


def _meet(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    return np.linalg.solve(np.array([one[:2], other[:2]]), np.array([one[2], other[2]]))
