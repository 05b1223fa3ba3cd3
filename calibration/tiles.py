"""The table plane from the tiles themselves: every tile is a 2:1 rectangle of known size lying flat."""

from __future__ import annotations

import numpy as np

from calibration.lens import Lens
from calibration.plane import TablePlane
from calibration.rectangles import fit_rectangles
from rules.errors import BadInput

TILE_MM = (50.8, 25.4)  # length and width of a tile of a professional set (2 x 1 in)
CORNER_SD_MM = 2.0  # detected corners are within 3-5 % of a tile's length


def plane_from_tiles(
    quads_px: np.ndarray, image_size: tuple[int, int], tile_mm: tuple[float, float] = TILE_MM, lens: Lens | None = None
) -> TablePlane:
    """The plane in which tiles are tiles, however they lie: a line, a heap, face up or face down.

    quads_px: Nx4x2, corners clockwise as seen, corners 0 and 3 on one short side. tile_mm: length and width. Origin in the picture's
    centre, north up in the picture, seats unknown. One tile gives little more than its scale, several give the camera's tilt as well:
    tilt and stretch carry a prior of a camera that looks straight down, so few tiles cannot bend the table. BadInput without any tile.
    """
    quads = np.asarray(quads_px, dtype=np.float64).reshape(-1, 4, 2)
    if len(quads) == 0:
        raise BadInput("expected at least one tile to take the scale from, found none; lay a tile or give a calibration")
    straight = quads if lens is None else lens.undistort(quads.reshape(-1, 2)).reshape(-1, 4, 2)
    homography, rms_mm = fit_rectangles(straight, image_size, tile_mm, CORNER_SD_MM)
    return TablePlane(homography, image_size, None, rms_mm, lens)
