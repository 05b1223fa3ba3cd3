"""The table as seen from straight above, south below: mirrored and turned pictures put right, so that a person can check the seats."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.plane import TablePlane

MARGIN = 0.12  # shown around the table top, of its longer side


def seen_from_above(picture: np.ndarray, plane: TablePlane, width_px: int = 480) -> np.ndarray:
    """The picture laid flat, width_px wide: x to the right is east, up is north. Without a table top, all that the picture shows.

    A picture of another size of the same view will do; outside of it all is grey.
    """
    plane = plane.for_image((picture.shape[1], picture.shape[0]))
    low, high = _extent(plane)
    scale = width_px / (high[0] - low[0])
    height_px = max(1, round((high[1] - low[1]) * scale))
    x, y = np.meshgrid(low[0] + (np.arange(width_px) + 0.5) / scale, high[1] - (np.arange(height_px) + 0.5) / scale)
    spots = plane.mm_to_px(np.column_stack([x.ravel(), y.ravel()])).astype(np.float32).reshape(height_px, width_px, 2)
    flat = cv2.remap(
        picture, spots[..., 0], spots[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(96, 96, 96)
    )
    return np.asarray(flat)


def _extent(plane: TablePlane) -> tuple[np.ndarray, np.ndarray]:
    """Lower left and upper right of what is shown, millimetres."""
    if plane.table_mm is not None:
        half = np.array(plane.table_mm) / 2 + MARGIN * max(plane.table_mm)
        return -half, half
    width, height = plane.image_size
    corners = plane.px_to_mm(np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]))
    return corners.min(axis=0), corners.max(axis=0)
