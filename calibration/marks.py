"""Where a person's marks of the table's corners begin: at the corners of the plane, else at the tags that were seen, else inset."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.plane import TablePlane, project
from calibration.tags import MARGIN_MM, QUARTER, SQUARE, TAG_MM, SeenTags

INSET = 0.12  # of the picture's width and height
OUTLINE_STEPS = 12  # a side of the table, bent by the lens, is drawn in so many pieces


def first_marks(image_size: tuple[int, int], seen: SeenTags | None) -> np.ndarray:
    """4x2 px: SW, SE, NE, NW. A tag that was seen puts the mark on the outer corner of its card."""
    width, height = image_size
    marks = np.array([[INSET, 1 - INSET], [1 - INSET, 1 - INSET], [1 - INSET, INSET], [INSET, INSET]]) * (width, height)
    if seen is not None and seen.is_mirrored:
        marks = marks[[1, 0, 3, 2]]
    for tag, quad in ({} if seen is None else seen.quads_px).items():
        to_picture = cv2.getPerspectiveTransform(SQUARE.astype(np.float32), quad.astype(np.float32))
        marks[tag] = project(to_picture, QUARTER[tag : tag + 1] * (TAG_MM / 2 + MARGIN_MM))[0]
    return np.asarray(np.clip(marks, 0, (width - 1, height - 1)))


def table_corners_px(plane: TablePlane) -> np.ndarray:
    """4x2 px: SW, SE, NE, NW of a plane that knows its table top."""
    assert plane.table_mm is not None
    return plane.mm_to_px(QUARTER * np.array(plane.table_mm) / 2)


def outline_px(plane: TablePlane) -> np.ndarray:
    """Nx2 px: the rim of the table top, as the lens shows it."""
    assert plane.table_mm is not None
    corners = QUARTER * np.array(plane.table_mm) / 2
    along = np.linspace(0, 1, OUTLINE_STEPS, endpoint=False)[:, None]
    rim = [start + along * (end - start) for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    return plane.mm_to_px(np.concatenate(rim))


def seat_places_px(plane: TablePlane, inset_mm: float = 45.0) -> np.ndarray:
    """4x2 px: before the middle of each rim, S, E, N, W."""
    assert plane.table_mm is not None
    half = np.array(plane.table_mm) / 2 - inset_mm
    return plane.mm_to_px(np.array([[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]) * half)
