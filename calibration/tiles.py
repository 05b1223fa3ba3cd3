"""The table plane from the tiles themselves: every tile is a 2:1 rectangle of known size lying flat."""

from __future__ import annotations

import numpy as np

from calibration.lens import Lens
from calibration.plane import TILE_MM, TablePlane
from calibration.rectangles import fit_rectangles, off_rectangle_mm, those_that_fit
from rules.errors import BadInput

CORNER_SD_MM = 2.0  # detected corners are within 3-5 % of a tile's length
SHAPE_SD = 0.05  # sets are nearly 2:1; what tiles lying in several directions have in common is the set, not the camera
SHAPE_LIMITS = (0.8, 1.2)  # times the width of tile_mm: a set beyond that is none


def plane_from_tiles(
    quads_px: np.ndarray, image_size: tuple[int, int], tile_mm: tuple[float, float] = TILE_MM, lens: Lens | None = None
) -> TablePlane:
    """The plane in which tiles are tiles, however they lie: a line, a heap, face up or face down.

    quads_px: Nx4x2, corners clockwise as seen, corners 0 and 3 on one short side. tile_mm: length and width. Origin in the picture's
    centre, north up in the picture, seats unknown. One tile gives little more than its scale, several give the camera's tilt as well:
    tilt and stretch carry a prior of a camera that looks straight down, so few tiles cannot bend the table. Their length is believed, their
    width only nearly (SHAPE_SD). BadInput without any tile.
    """
    quads = np.asarray(quads_px, dtype=np.float64).reshape(-1, 4, 2)
    if len(quads) == 0:
        raise BadInput("expected at least one tile to take the scale from, found none; lay a tile or give a calibration")
    straight = quads if lens is None else lens.undistort(quads.reshape(-1, 2)).reshape(-1, 4, 2)
    homography, rms_mm = fit_rectangles(straight, image_size, tile_mm, CORNER_SD_MM, SHAPE_SD)
    return TablePlane(homography, image_size, None, rms_mm, lens, tile_mm)


def tiles_off_mm(plane: TablePlane, quads_px: np.ndarray) -> float | None:
    """How far the corners of tiles lie from where tiles of the plane's `tile_mm` would have them, rms in millimetres.

    quads_px: as for `plane_from_tiles`. What is no tile has no say; how wide the tiles of the set are, most of them tell. None without
    tiles. It checks a plane that was found otherwise; the corners of one tile are known to a millimetre or two, so less than that cannot
    be told.
    """
    quads = _on_plane(plane, quads_px)
    if len(quads) == 0:
        return None
    tile_mm = plane.tile_mm
    length, width = np.median(tile_sizes_mm(plane, quads_px), axis=0)
    shape = float(np.clip(width / length * tile_mm[0] / tile_mm[1], *SHAPE_LIMITS))
    # A mirror turns the corners round; seen from the other end of the list they run as they should.
    off = off_rectangle_mm(quads[:, ::-1] if plane.is_mirrored else quads, (tile_mm[0], tile_mm[1] * shape))
    return float(np.sqrt(np.mean(off[those_that_fit(off, CORNER_SD_MM)] ** 2)))


def tile_sizes_mm(plane: TablePlane, quads_px: np.ndarray) -> np.ndarray:
    """Nx2: length and width of each tile on this plane, millimetres."""
    sides = np.diff(_on_plane(plane, quads_px)[:, [0, 1, 2, 3, 0]], axis=1)
    lengths = np.linalg.norm(sides, axis=2)
    return np.column_stack([lengths[:, [0, 2]].mean(axis=1), lengths[:, [1, 3]].mean(axis=1)])


def table_by_tiles_mm(corners_px: np.ndarray, plane: TablePlane) -> tuple[float, float]:
    """Width and height of a table top with these corners (4x2 px: SW, SE, NE, NW) in whole millimetres, by a plane from tiles.

    To one or two hundredths: the tiles' upper faces are nearer to the camera than the table.
    """
    corners = plane.px_to_mm(corners_px)
    south, east, north, west = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return float(round((south + north) / 2)), float(round((east + west) / 2))


def _on_plane(plane: TablePlane, quads_px: np.ndarray) -> np.ndarray:
    return plane.px_to_mm(np.asarray(quads_px, np.float64).reshape(-1, 2)).reshape(-1, 4, 2)
