"""Builds tables for tests: tiles laid against each other as people lay them, and the detections a perfect reader would give."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from calibration.plane import TablePlane
from rules.tiles import ALL_TILES, Tile
from vision.detections import TileDetection, TileState

LENGTH, WIDTH = 50.8, 25.4
TABLE_MM = (920.0, 920.0)
IMAGE_SIZE = (1280, 960)
SEAT_ANGLE = {0: 90.0, 1: 180.0, 2: 270.0, 3: 0.0}  # from each player to the centre


@dataclass(frozen=True)
class Laid:
    """One tile on the table: centre, angle from its low half to its high half, and the arm it was laid on."""

    tile: Tile
    x: float
    y: float
    angle: float
    at: str = "open"
    seat: int | None = None


@dataclass(frozen=True)
class Tip:
    """Where an arm can grow: contact point, direction outwards (degrees) and open number."""

    x: float
    y: float
    direction: float
    number: int


@dataclass
class Sloppiness:
    """How badly the players lay: a turn in degrees, gaps and slips in millimetres."""

    turn_sd: float = 3.0
    gap: tuple[float, float] = (0.0, 4.0)
    slip_sd: float = 1.5


@dataclass
class Table:
    """A line that grows; `laid` in the order of play."""

    rng: np.random.Generator
    sloppiness: Sloppiness = field(default_factory=Sloppiness)
    laid: list[Laid] = field(default_factory=list)
    tips: dict[str, Tip] = field(default_factory=dict)

    def open(self, tile: Tile, opener: int = 0, x: float = 0.0, y: float = 0.0) -> Laid:
        """Lay the opening tile as FID-SAL-6 wants it: a double across the opener's view, a mixed one with its low half near him."""
        forward = SEAT_ANGLE[opener]
        angle = (forward - 90.0 if tile.is_double else forward) + self.rng.normal(0, self.sloppiness.turn_sd)
        laid = Laid(tile, x, y, angle, "open", opener)
        reach = WIDTH / 2 if tile.is_double else LENGTH / 2
        out = angle + 90.0 if tile.is_double else angle
        self.tips = {
            "a": Tip(*_shift(x, y, out, -reach), out + 180.0, tile.low),
            "b": Tip(*_shift(x, y, out, reach), out, tile.high),
        }
        self.laid.append(laid)
        return laid

    def lay(self, tile: Tile, arm: str, turn: str = "straight", facing: int | None = None, seat: int | None = None) -> Laid:
        """Lay a tile on an arm: straight on, or bent to the left or right; `facing` is the number put against the arm."""
        laid, tip = self.try_lay(tile, arm, turn, facing)
        laid = replace(laid, seat=seat)
        self.laid.append(laid)
        self.tips[arm] = tip
        return laid

    def try_lay(self, tile: Tile, arm: str, turn: str = "straight", facing: int | None = None) -> tuple[Laid, Tip]:
        """The tile as it would lie, and the tip it would leave."""
        tip = self.tips[arm]
        near = facing if facing is not None else (tip.number if tile.has(tip.number) else tile.low)
        far = tile.other(near)
        direction = tip.direction + self.rng.normal(0, self.sloppiness.turn_sd)
        x, y = _shift(tip.x, tip.y, direction, self.rng.uniform(*self.sloppiness.gap))
        x, y = _shift(x, y, direction + 90, self.rng.normal(0, self.sloppiness.slip_sd))
        if turn == "straight" and tile.is_double:
            cx, cy = _shift(x, y, direction, WIDTH / 2)
            return Laid(tile, cx, cy, direction + 90, arm), Tip(*_shift(x, y, direction, WIDTH), direction, far)
        if turn in ("straight", "in line"):
            cx, cy = _shift(x, y, direction, LENGTH / 2)
            outwards, end = direction, Tip(*_shift(x, y, direction, LENGTH), direction, far)
        else:
            outwards = direction + (90.0 if turn == "left" else -90.0)
            half = _shift(x, y, direction, WIDTH / 2)
            cx, cy = _shift(*half, outwards, WIDTH / 2)
            end = Tip(*_shift(*half, outwards, 1.5 * WIDTH), outwards, far)
        angle = outwards if near <= far else outwards + 180.0
        return Laid(tile, cx, cy, angle, arm), end


def random_table(seed: int, tiles: int = 22, sloppiness: Sloppiness | None = None, opener: int | None = None) -> Table:
    """A legal line of up to so many tiles that stays on the table and clear of itself."""
    rng = np.random.default_rng(seed)
    table = Table(rng, sloppiness or Sloppiness())
    left = [ALL_TILES[i] for i in rng.permutation(len(ALL_TILES))]
    seat = int(rng.integers(4)) if opener is None else opener
    table.open(left.pop(), seat, *rng.uniform(-40, 40, 2))
    while len(table.laid) < tiles:
        seat = (seat + 1) % 4
        if not _grow(table, left, seat):
            break
    return table


def _grow(table: Table, left: list[Tile], seat: int) -> bool:
    rng = table.rng
    for tile in list(left):
        for arm in rng.permutation(["a", "b"]):
            if not tile.has(table.tips[arm].number):
                continue
            bends = ["left", "right"] if rng.random() < 0.5 else ["right", "left"]
            turns = [bends[0], "straight", bends[1]] if rng.random() < 0.12 else ["straight", *bends]
            for turn in turns:
                laid, tip = table.try_lay(tile, str(arm), turn)
                if _free(laid, table.laid) and max(abs(tip.x), abs(tip.y)) < TABLE_MM[0] / 2 - 130:
                    left.remove(tile)
                    table.laid.append(replace(laid, seat=seat))
                    table.tips[str(arm)] = tip
                    return True
    return False


def _free(new: Laid, laid: Sequence[Laid]) -> bool:
    """Clear of all but the tile it is laid against, with the width of a tile in between."""
    touching = 0
    for other in laid:
        grown = _box(other, WIDTH)
        if cv2.rotatedRectangleIntersection(_box(new, WIDTH * 0.6), grown)[0] != cv2.INTERSECT_NONE:
            touching += 1
    return touching <= 1


def _box(laid: Laid, margin: float) -> tuple[tuple[float, float], tuple[float, float], float]:
    return (laid.x, laid.y), (LENGTH + margin, WIDTH + margin), laid.angle


def _shift(x: float, y: float, direction: float, by: float) -> tuple[float, float]:
    angle = np.radians(direction)
    return float(x + by * np.cos(angle)), float(y + by * np.sin(angle))


def overhead_plane(turn_deg: float = 0.0, tilt: float = 0.0) -> TablePlane:
    """A camera above the table: one pixel a millimetre, turned and tilted as told."""
    angle = np.radians(turn_deg)
    look = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [tilt * 1e-4, tilt * 1e-4, 1]])
    to_picture = np.array([[1, 0, IMAGE_SIZE[0] / 2], [0, -1, IMAGE_SIZE[1] / 2], [0, 0, 1.0]])
    homography = np.linalg.inv(to_picture @ look)
    return TablePlane(homography / homography[2, 2], IMAGE_SIZE, TABLE_MM)


def quad_mm(laid: Laid) -> np.ndarray:
    """4x2: clockwise, corners 0 and 3 on the low half."""
    u = np.array([np.cos(np.radians(laid.angle)), np.sin(np.radians(laid.angle))])
    left = np.array([-u[1], u[0]])
    centre = np.array([laid.x, laid.y])
    along, across = u * LENGTH / 2, left * WIDTH / 2
    return np.array([centre - along + across, centre + along + across, centre + along - across, centre - along - across])


def halves_of(tile: Tile, sure: float = 0.98) -> np.ndarray:
    """2x7 probabilities of a reader that is `sure` of each half."""
    halves = np.full((2, 7), (1 - sure) / 6)
    halves[0, tile.low] = halves[1, tile.high] = sure
    return halves


def detect(
    laid: Laid,
    plane: TablePlane,
    rng: np.random.Generator | None = None,
    noise: float = 0.0,
    read_as: Tile | None = None,
    sure: float = 0.98,
) -> TileDetection:
    """The detection of a laid tile; noise is the corners' deviation in tile lengths."""
    quad = quad_mm(laid)
    if rng is not None and noise:
        quad = quad + rng.normal(0, noise * LENGTH, quad.shape)
    return TileDetection(plane.mm_to_px(quad).astype(np.float32), halves_of(read_as or laid.tile, sure), TileState.FACE_UP, sure)


def detect_all(
    tiles: Iterable[Laid], plane: TablePlane, rng: np.random.Generator | None = None, noise: float = 0.0
) -> list[TileDetection]:
    return [detect(laid, plane, rng, noise) for laid in tiles]


def rack(seat: int, count: int, plane: TablePlane) -> list[TileDetection]:
    """Standing tiles in a row in front of a seat, seen from above as narrow boxes."""
    out = []
    for slot in range(count):
        along, depth = (slot - (count - 1) / 2) * 28.0, TABLE_MM[1] / 2 - 60
        forward = np.radians(SEAT_ANGLE[seat])
        centre = -depth * np.array([np.cos(forward), np.sin(forward)]) + along * np.array([np.sin(forward), -np.cos(forward)])
        u, v = np.array([np.sin(forward), -np.cos(forward)]) * WIDTH / 2, np.array([np.cos(forward), np.sin(forward)]) * 6.0
        quad = np.array([centre - u + v, centre + u + v, centre + u - v, centre - u - v])
        out.append(TileDetection(plane.mm_to_px(quad).astype(np.float32), np.full((2, 7), 1 / 7), TileState.STANDING, 0.95))
    return out
