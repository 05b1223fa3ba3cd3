"""The table plane: pixels of a picture to millimetres on the table, and back."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.lens import Lens
from rules.errors import BadInput

TILE_MM = (50.8, 25.4)  # length and width of a tile of a professional set (2 x 1 in)
SAME_ASPECT = 0.01  # two picture sizes show the same view when their aspect ratios agree this well
IN_LINE = 1e-3  # spread across a line of points, as a share of the spread along it


@dataclass(frozen=True, slots=True, eq=False)
class TablePlane:
    """Where the table lies in a picture.

    homography: 3x3 float64, pixels (x right, y down; without the lens's distortion where the lens is known) to table millimetres
    (x east, y north, origin in the table's centre).
    image_size: width, height of the pictures it holds for, pixels.
    table_mm: width (west-east) and height (south-north) of the table top; None when the plane was found from tiles alone, and
    then the origin is the picture's centre, north is up in the picture and the seats are unknown.
    rms_mm: how well the known shapes fit, millimetres; 0 where four corners leave nothing to check.
    lens: what the lens does to the picture; None where that is not known, and then straight lines are taken to be straight.
    tile_mm: length and width of the tiles on this table.
    """

    homography: np.ndarray
    image_size: tuple[int, int]
    table_mm: tuple[float, float] | None = None
    rms_mm: float = 0.0
    lens: Lens | None = None
    tile_mm: tuple[float, float] = TILE_MM

    def __post_init__(self) -> None:
        if self.homography.shape != (3, 3):
            raise ValueError(f"homography must be 3x3, got {self.homography.shape}")

    def px_to_mm(self, points_px: np.ndarray) -> np.ndarray:
        """Nx2 pixels to Nx2 table millimetres."""
        return project(self.homography, points_px if self.lens is None else self.lens.undistort(points_px))

    def mm_to_px(self, points_mm: np.ndarray) -> np.ndarray:
        """Nx2 table millimetres to Nx2 pixels."""
        points_px = project(np.linalg.inv(self.homography), points_mm)
        return points_px if self.lens is None else self.lens.distort(points_px)

    @property
    def knows_seats(self) -> bool:
        return self.table_mm is not None

    @property
    def is_mirrored(self) -> bool:
        """Whether the picture shows the table as a mirror does: seats that follow each other counter-clockwise run clockwise in it."""
        origin, right, down = self._around_middle()
        step_x, step_y = right - origin, down - origin
        return bool(step_x[0] * step_y[1] - step_x[1] * step_y[0] > 0)  # y runs down in a picture and up on the table

    @property
    def turned_deg(self) -> float:
        """Where the table's north points in the picture: degrees counter-clockwise from up, -180 (not included) to 180."""
        width, height = self.image_size
        middle = self.px_to_mm(np.array([[width / 2, height / 2]]))
        south, north = self.mm_to_px(middle + np.array([[0.0, -1.0], [0.0, 1.0]]))
        right, down = north - south
        angle = float(np.degrees(np.arctan2(-right, -down)))
        return 180.0 if angle <= -180.0 else angle

    def _around_middle(self) -> np.ndarray:
        """Table millimetres of the picture's middle and of the points a pixel to its right and below, 3x2."""
        width, height = self.image_size
        return self.px_to_mm(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]) + np.array([width, height]) / 2)

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
        lens = None if self.lens is None else self.lens.for_image(image_size)
        return replace(self, homography=self.homography @ scale, image_size=image_size, lens=lens)

    def moved(self, points_px: np.ndarray, now_px: np.ndarray) -> TablePlane:
        """The plane after the camera has moved: what was at points_px (Nx2, N >= 4, not in one line) is at now_px since.

        The seats stay where they are on the table. ValueError where the points carry no plane.
        """
        straight = np.asarray(now_px if self.lens is None else self.lens.undistort(now_px), np.float64)
        long, short = np.linalg.svd(straight - straight.mean(axis=0), compute_uv=False)
        if short < IN_LINE * long:
            raise ValueError("the points lie in one line")
        homography, _ = cv2.findHomography(straight, self.px_to_mm(points_px))
        return replace(self, homography=np.asarray(homography, np.float64))


def seats_turned(plane: TablePlane) -> TablePlane:
    """The same table with every seat one side further on: what was the east side is the south. A plane that knows no seats stays."""
    if plane.table_mm is None:
        return plane
    quarter = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    return replace(plane, homography=quarter @ plane.homography, table_mm=plane.table_mm[::-1])


def project(homography: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Nx2 points through a 3x3 homography."""
    flat = np.asarray(points, dtype=np.float64).reshape(-1, 1, 2)
    if len(flat) == 0:
        return np.zeros((0, 2))
    return np.asarray(cv2.perspectiveTransform(flat, homography)).reshape(-1, 2)
