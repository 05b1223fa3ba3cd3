"""Pictures with what was read drawn in."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from vision.detections import TileDetection, TileState

COLOURS = {TileState.FACE_UP: (60, 200, 60), TileState.FACE_DOWN: (40, 140, 255), TileState.STANDING: (230, 80, 230)}


def draw_detections(image: np.ndarray, found: Iterable[TileDetection]) -> np.ndarray:
    """A copy of a BGR picture with outlines, a dot on half 0, and each tile's numbers and confidence."""
    out = image.copy()
    thick = max(1, round(max(image.shape[:2]) / 800))
    for d in found:
        quad = np.round(d.quad_px).astype(np.int32)
        cv2.polylines(out, [quad], True, COLOURS[d.state], thick + 1, cv2.LINE_AA)
        start = (d.quad_px[0] + d.quad_px[3]) / 2
        cv2.circle(out, (int(start[0]), int(start[1])), 2 + 2 * thick, (0, 0, 255), -1, cv2.LINE_AA)
        text = f"{d.pips[0]}-{d.pips[1]} {d.confidence:.2f}" if d.pips else f"{d.confidence:.2f}"
        where = (int(d.quad_px[:, 0].min()), int(d.quad_px[:, 1].min()) - 3)
        for colour, width in (((0, 0, 0), thick + 2), (COLOURS[d.state], thick)):
            cv2.putText(out, text, where, cv2.FONT_HERSHEY_SIMPLEX, 0.45 * thick + 0.1, colour, width, cv2.LINE_AA)
    return out
