"""The lens: how it bends straight lines, and points with the bend taken out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

ROUNDS = 30
CLOSE = 1e-9  # of the focal length: less is nothing


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
    """A pinhole camera with radial and tangential distortion.

    camera_matrix: 3x3 float64, focal lengths and centre in pixels. distortion: k1, k2, p1, p2, k3, as OpenCV orders them.
    image_size: width, height of the pictures it holds for, pixels. rms_px: how well the pictures of the board fitted, pixels.
    """

    camera_matrix: np.ndarray
    distortion: np.ndarray
    image_size: tuple[int, int]
    rms_px: float = 0.0

    def __post_init__(self) -> None:
        if self.camera_matrix.shape != (3, 3):
            raise ValueError(f"camera_matrix must be 3x3, got {self.camera_matrix.shape}")
        if self.distortion.shape != (5,):
            raise ValueError(f"distortion must be k1, k2, p1, p2, k3, got {self.distortion.shape}")

    def undistort(self, points_px: np.ndarray) -> np.ndarray:
        """Nx2 pixels of a picture to where a lens without distortion would show them, Nx2 pixels."""
        bent = self._rays(points_px)
        straight = bent
        for _ in range(ROUNDS):
            step = bent - self._bend(straight)
            straight = straight + step
            if np.abs(step).max(initial=0) < CLOSE:
                break
        return self._pixels(straight)

    def distort(self, points_px: np.ndarray) -> np.ndarray:
        """The way back: Nx2 pixels without distortion to Nx2 pixels of a picture."""
        return self._pixels(self._bend(self._rays(points_px)))

    def for_image(self, image_size: tuple[int, int]) -> Lens:
        """The same lens for pictures of another size that show the same view."""
        scale = np.diag([image_size[0] / self.image_size[0], image_size[1] / self.image_size[1], 1.0])
        return Lens(scale @ self.camera_matrix, self.distortion, image_size, self.rms_px)

    def _rays(self, points_px: np.ndarray) -> np.ndarray:
        flat = np.asarray(points_px, dtype=np.float64).reshape(-1, 2)
        return np.asarray((flat - self.camera_matrix[:2, 2]) / self.camera_matrix[[0, 1], [0, 1]])

    def _pixels(self, rays: np.ndarray) -> np.ndarray:
        return np.asarray(rays * self.camera_matrix[[0, 1], [0, 1]] + self.camera_matrix[:2, 2])

    def _bend(self, rays: np.ndarray) -> np.ndarray:
        k1, k2, p1, p2, k3 = self.distortion
        x, y = rays[:, 0], rays[:, 1]
        r2 = x * x + y * y
        radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
        return np.column_stack([
            x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x),
            y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y,
        ])  # fmt: skip
