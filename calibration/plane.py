"""The table plane: pixels of a picture to millimetres on the table, and back."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from rules.errors import BadInput

SAME_ASPECT = 0.01  # two picture sizes show the same view when their aspect ratios agree this well


@dataclass(frozen=True, slots=True, eq=False)
class TablePlane:
    """Where the table lies in a picture.

    homography: 3x3 float64, pixels (x right, y down) to table millimetres (x east, y north, origin in the table's centre).
    image_size: width, height of the pictures it holds for, pixels.
    table_mm: width (west-east) and height (south-north) of the table top; None when the plane was found from tiles alone, and
    then the origin is the picture's centre, north is up in the picture and the seats are unknown.
    rms_mm: how well the known shapes fit, millimetres; 0 where four corners leave nothing to check.
    """

    homography: np.ndarray
    image_size: tuple[int, int]
    table_mm: tuple[float, float] | None = None
    rms_mm: float = 0.0

    def __post_init__(self) -> None:
        if self.homography.shape != (3, 3):
            raise ValueError(f"homography must be 3x3, got {self.homography.shape}")

    def px_to_mm(self, points_px: np.ndarray) -> np.ndarray:
        """Nx2 pixels to Nx2 table millimetres."""
        return _project(self.homography, points_px)

    def mm_to_px(self, points_mm: np.ndarray) -> np.ndarray:
        """Nx2 table millimetres to Nx2 pixels."""
        return _project(np.linalg.inv(self.homography), points_mm)

    @property
    def knows_seats(self) -> bool:
        return self.table_mm is not None

    def rim_side(self, x_mm: float, y_mm: float) -> int | None:
        """The side of the table nearest to a point: 0 south, 1 east, 2 north, 3 west; None when the table top is unknown."""
        distances = self.rim_distances_mm(x_mm, y_mm)
        return None if distances is None else int(np.argmin(distances))

    def rim_distances_mm(self, x_mm: float, y_mm: float) -> tuple[float, float, float, float] | None:
        """Distances to the south, east, north and west rim, negative outside; None when the table top is unknown."""
        if self.table_mm is None:
            return None
        half_width, half_height = self.table_mm[0] / 2, self.table_mm[1] / 2
        return half_height + y_mm, half_width - x_mm, half_height - y_mm, half_width + x_mm

    def for_image(self, image_size: tuple[int, int]) -> TablePlane:
        """The same plane for pictures of another size, when they show the same view; BadInput when the aspect ratio differs."""
        if image_size == self.image_size:
            return self
        (own_w, own_h), (w, h) = self.image_size, image_size
        if abs((w / h) / (own_w / own_h) - 1) > SAME_ASPECT:
            raise BadInput(
                f"expected pictures of the calibration's shape {own_w}x{own_h}, found {w}x{h}; calibrate again for this camera"
            )
        scale = np.diag([own_w / w, own_h / h, 1.0])
        return TablePlane(self.homography @ scale, image_size, self.table_mm, self.rms_mm)


def _project(homography: np.ndarray, points: np.ndarray) -> np.ndarray:
    flat = np.asarray(points, dtype=np.float64).reshape(-1, 1, 2)
    if len(flat) == 0:
        return np.zeros((0, 2))
    return np.asarray(cv2.perspectiveTransform(flat, homography)).reshape(-1, 2)
