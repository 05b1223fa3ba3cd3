"""One settled look at the table: every tile in table millimetres."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.plane import TILE_MM, TablePlane
from calibration.tiles import plane_from_tiles
from rules.tiles import Tile
from vision.detections import TileDetection, TileState

LIKELY = 0.3  # a box that is less probably a tile is not looked at
SURE = 0.9  # boxes as certain as this, and both halves read so, give the plane where there is no calibration, if there are any
Sizes = tuple[tuple[float, float], tuple[float, float]]
FLAT: Sizes = ((0.28, 0.75), (0.75, 1.25))  # short and long side in tile lengths; corner errors, and faces that lie higher
RIM_ZONE = 0.16  # of the table's smaller side: what is this near to a rim is in front of a player
UPRIGHT: Sizes = ((0.1, 0.65), (0.3, 1.35))  # a tile standing on its short or long side, its upper edge nearer to the camera
FEW_UNSURE = 3  # so many unsure boxes alone may still be tiles; a table full of them is a pattern, and gives no scale
COVERED = 0.35  # of a tile's face: flat tiles cannot cover each other, and corner errors come to a tenth


@dataclass(frozen=True, slots=True, eq=False)
class SeenTile:
    """One tile lying on the table, as one look shows it.

    x_mm, y_mm: its centre, x east, y north. angle_deg: from half 0 to half 1, counter-clockwise from east, -180 to 180.
    halves: 2x7, a probability for each number on half 0 and on half 1. confidence: 0-1, that there is such a tile and reads so; there:
    0-1, that there is one at all.
    """

    x_mm: float
    y_mm: float
    angle_deg: float
    halves: np.ndarray
    state: TileState
    confidence: float
    there: float

    @property
    def centre_mm(self) -> np.ndarray:
        return np.array([self.x_mm, self.y_mm])

    @property
    def axis(self) -> np.ndarray:
        """Unit vector from half 0 to half 1."""
        angle = np.radians(self.angle_deg)
        return np.array([np.cos(angle), np.sin(angle)])

    @property
    def pips(self) -> tuple[int, int]:
        """The most probable numbers of half 0 and half 1."""
        first, second = self.halves.argmax(axis=1)
        return int(first), int(second)

    @property
    def tile(self) -> Tile:
        """The most probable tile."""
        return Tile.of(*self.pips)

    @property
    def double_probability(self) -> float:
        """That both halves show the same number."""
        return float(self.halves[0] @ self.halves[1])

    def turned_about(self) -> SeenTile:
        """The same tile with its halves named the other way round."""
        return replace(self, angle_deg=wrap_deg(self.angle_deg + 180), halves=self.halves[::-1])


@dataclass(frozen=True, slots=True, eq=False)
class BoardView:
    """The tiles of one look, told apart by how they lie; `length_mm` is a tile's length as this look measures it.

    A calibration holds for the table top, and the tiles' faces lie nearer to the camera: they look some per cent too long, all
    alike. Everything that is measured in tiles takes `length_mm`, never the set's own.
    """

    t_s: float
    frame: int
    face_up: tuple[SeenTile, ...]
    face_down: tuple[SeenTile, ...]
    standing: tuple[SeenTile, ...]
    length_mm: float
    plane: TablePlane | None

    def is_at_rim(self, tile: SeenTile) -> bool:
        """Whether a tile is in front of a player rather than on the playing area; never known without a table."""
        if self.plane is None or self.plane.table_mm is None:
            return False
        distances = self.plane.rim_distances_mm(tile.x_mm, tile.y_mm)
        return distances is not None and min(distances) < RIM_ZONE * min(self.plane.table_mm)


def board_view(
    detections: Sequence[TileDetection],
    image_size: tuple[int, int],
    plane: TablePlane | None = None,
    t_s: float = 0.0,
    frame: int = 0,
) -> BoardView:
    """Detections of one picture (image_size: width, height in pixels) laid out on the table.

    Without a plane the tiles that lie flat and read clearly give it; with none of those either the view is empty. What has not the size
    of a tile is none. BadInput when the picture's shape is not the plane's.
    """
    likely = [d for d in detections if d.confidence >= LIKELY]
    flat = [d for d in likely if d.state is not TileState.STANDING]
    sure = [d for d in flat if min(d.confidence, *d.halves.max(axis=1)) >= SURE] or (flat if len(flat) <= FEW_UNSURE else [])
    if plane is not None:
        plane = plane.for_image(image_size)
    elif sure:
        plane = plane_from_tiles(np.array([d.quad_px for d in sure]), image_size)
    else:
        return BoardView(t_s, frame, (), (), (), TILE_MM[0], None)
    usual_mm = plane.tile_mm[0] if plane.knows_seats or not sure else float(np.median([_size_mm(d, plane)[0] for d in sure]))
    flat, measured = ([d for d in found if _is_sized(d, plane, usual_mm, FLAT)] for found in (flat, sure))
    measured = measured or ([] if plane.knows_seats else flat)
    length_mm = float(np.median([_size_mm(d, plane)[0] for d in measured])) if measured else usual_mm
    lying = _one_box_a_tile([_seen(d, plane) for d in flat], length_mm)
    up = tuple(tile for tile in lying if tile.state is TileState.FACE_UP)
    down = tuple(tile for tile in lying if tile.state is TileState.FACE_DOWN)
    standing = [d for d in likely if d.state is TileState.STANDING and _is_sized(d, plane, usual_mm, UPRIGHT)]
    return BoardView(t_s, frame, up, down, tuple(_seen(d, plane) for d in standing), length_mm, plane)


def overlap_share(one: SeenTile, other: SeenTile, length_mm: float) -> float:
    """How much of a tile's face two tiles would share, 0 to 1."""
    if distance_mm(one, other) > 1.2 * length_mm:
        return 0.0
    first, second = (((tile.x_mm, tile.y_mm), (length_mm, length_mm / 2), tile.angle_deg) for tile in (one, other))
    how, corners = cv2.rotatedRectangleIntersection(first, second)
    return (
        0.0
        if how == cv2.INTERSECT_NONE or corners is None
        else float(cv2.contourArea(cv2.convexHull(corners)) / (length_mm**2 / 2))
    )


def distance_mm(one: SeenTile, other: SeenTile) -> float:
    """From centre to centre."""
    return float(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm))


def wrap_deg(angle_deg: float) -> float:
    """An angle into -180 (not included) to 180."""
    return float(-((-angle_deg + 180.0) % 360.0 - 180.0))


def axis_difference_deg(one_deg: float, other_deg: float) -> float:
    """How far two axes differ, 0 to 90: half a turn counts as none."""
    return abs((one_deg - other_deg + 90.0) % 180.0 - 90.0)


def _one_box_a_tile(tiles: Sequence[SeenTile], length_mm: float) -> list[SeenTile]:
    """Of boxes that cover each other, as tiles lying flat cannot, the surest."""
    kept: list[SeenTile] = []
    for tile in sorted(tiles, key=lambda t: -t.confidence):
        if all(overlap_share(tile, other, length_mm) < COVERED for other in kept):
            kept.append(tile)
    return kept


def _ends_mm(detection: TileDetection, plane: TablePlane) -> tuple[np.ndarray, np.ndarray]:
    """Middles of the short sides of half 0 and half 1."""
    quad = plane.px_to_mm(detection.quad_px)
    return (quad[0] + quad[3]) / 2, (quad[1] + quad[2]) / 2


def _size_mm(detection: TileDetection, plane: TablePlane) -> tuple[float, float]:
    """Length from half 0 to half 1, and width."""
    quad = plane.px_to_mm(detection.quad_px)
    along, across = (quad[1] + quad[2] - quad[0] - quad[3]) / 2, (quad[0] + quad[1] - quad[2] - quad[3]) / 2
    return float(np.hypot(*along)), float(np.hypot(*across))


def _is_sized(detection: TileDetection, plane: TablePlane, length_mm: float, sizes: Sizes) -> bool:
    """Whether a box is as large as a tile seen so, its sides in tile lengths."""
    sides = sorted(side / length_mm for side in _size_mm(detection, plane))
    return all(least <= side <= most for side, (least, most) in zip(sides, sizes, strict=True))


def _seen(detection: TileDetection, plane: TablePlane) -> SeenTile:
    first, second = _ends_mm(detection, plane)
    centre, axis = (first + second) / 2, second - first
    angle = float(np.degrees(np.arctan2(axis[1], axis[0])))
    return SeenTile(
        float(centre[0]),
        float(centre[1]),
        angle,
        np.asarray(detection.halves, dtype=np.float64),
        detection.state,
        float(detection.confidence),
        detection.there,
    )
