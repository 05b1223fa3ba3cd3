"""A tile drawn over a real one, so that a person sees whether the scale fits."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from calibration.plane import TablePlane
from calibration.tiles import tile_sizes_mm

OVER_MM = 25.0  # the tile lies over a real one whose middle is nearer than this
SHAPE = np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0], [0.0, 1.0], [0.0, -1.0]]) / 2


@dataclass(frozen=True, slots=True)
class VirtualTile:
    """A tile that is not there. x_mm, y_mm: its middle on the table; angle_deg: of its long side, counter-clockwise from east."""

    x_mm: float
    y_mm: float
    angle_deg: float

    def turned(self, deg: float) -> VirtualTile:
        """The same tile, turned counter-clockwise as the table is seen from above."""
        return replace(self, angle_deg=(self.angle_deg + deg) % 180)

    def drawn_px(self, plane: TablePlane) -> np.ndarray:
        """6x2 px: its four corners and the two ends of the line across its middle."""
        a = np.radians(self.angle_deg)
        turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        return plane.mm_to_px(SHAPE * plane.tile_mm @ turn.T + (self.x_mm, self.y_mm))

    def size_under_it_mm(self, plane: TablePlane, quads_px: np.ndarray) -> tuple[float, float] | None:
        """Length and width, as the plane has them, of the real tile that it lies over; None where there is none."""
        middles = middles_mm(plane, quads_px)
        if len(middles) == 0:
            return None
        off = np.hypot(*(middles - (self.x_mm, self.y_mm)).T)
        nearest = int(np.argmin(off))
        length, width = tile_sizes_mm(plane, quads_px[nearest : nearest + 1])[0]
        return (float(length), float(width)) if off[nearest] < OVER_MM else None


def over(plane: TablePlane, quad_px: np.ndarray) -> VirtualTile:
    """The tile that lies over a real one, whose corners in the picture are 4x2, 0 to 1 along a long side."""
    quad = plane.px_to_mm(quad_px)
    x, y = quad.mean(axis=0)
    along = quad[1] + quad[2] - quad[0] - quad[3]
    return VirtualTile(float(x), float(y), float(np.degrees(np.arctan2(along[1], along[0])) % 180))


def at(plane: TablePlane, spot_px: np.ndarray, angle_deg: float = 0.0) -> VirtualTile:
    """The tile with its middle at a place in the picture."""
    x, y = plane.px_to_mm(np.asarray(spot_px, np.float64)[None])[0]
    return VirtualTile(float(x), float(y), angle_deg)


def middles_mm(plane: TablePlane, quads_px: np.ndarray) -> np.ndarray:
    """Nx2: the middles of tiles on the plane."""
    return plane.px_to_mm(np.asarray(quads_px, np.float64).reshape(-1, 4, 2).mean(axis=1))
