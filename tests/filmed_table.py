"""A drawn film of a table for tests of what moves: a brown top, racks, tiles and arms, with the noise and flicker of a sensor."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import cv2
import numpy as np

from calibration.plane import TablePlane
from rules.seats import Seat
from vision.frame import Frame

SIZE = (640, 480)
TABLE_MM = 900.0
CORNERS = np.array([[110, 460], [530, 462], [520, 30], [118, 28]], dtype=np.float32)
HALF = TABLE_MM / 2
CORNERS_MM = np.array([[-HALF, -HALF], [HALF, -HALF], [HALF, HALF], [-HALF, HALF]], dtype=np.float32)
FPS = 5.0
BROWN = (50, 90, 130)
NOISES = 6  # patterns of the sensor's noise, one after the other


def plane() -> TablePlane:
    return TablePlane(cv2.getPerspectiveTransform(CORNERS, CORNERS_MM).astype(np.float64), SIZE, (TABLE_MM, TABLE_MM))


class FilmedTable:
    """Draws frames: `tiles` are centres (mm) of tiles on the table, `racks` how many tiles stand in front of each seat,
    `things` lie about: middle, width and height (mm), colour (BGR)."""

    def __init__(self, seed: int = 0, flicker: float = 0.04, fps: float = FPS) -> None:
        self._rng = np.random.default_rng(seed)
        self._plane, self._flicker, self._fps = plane(), flicker, fps
        self._noise = [self._rng.normal(0, 3, (SIZE[1], SIZE[0], 3)).astype(np.float32) for _ in range(NOISES)]
        self.tiles: list[tuple[float, float]] = []
        self.racks = [7, 7, 7, 7]
        self.things: list[tuple[float, float, float, float, tuple[int, int, int]]] = []
        self.index = 0

    def hold(self, seconds: float, arms: Iterable[tuple[Seat, float, float]] = ()) -> Iterator[Frame]:
        """Frames for so long; arms: seat and the place (mm) that its hand reaches."""
        for _ in range(round(seconds * self._fps)):
            yield Frame(self._picture(tuple(arms)), self.index, self.index / self._fps)
            self.index += 1

    def _picture(self, arms: tuple[tuple[Seat, float, float], ...]) -> np.ndarray:
        image = np.full((SIZE[1], SIZE[0], 3), (70, 75, 80), np.uint8)
        cv2.fillPoly(image, [CORNERS.astype(np.int32)], BROWN)
        for seat, count in zip(Seat, self.racks, strict=True):
            for slot in range(count):
                x, y = _turned(seat, (slot - 3) * 60.0, -HALF + 70)
                self._box(image, x, y, 50, 14, 90 * seat, (205, 215, 225))
        for x, y in self.tiles:
            self._box(image, x, y, 50, 25, 0, (225, 235, 240))
        for x, y, w, h, colour in self.things:
            self._box(image, x, y, w, h, 0, colour)
        for seat, x, y in arms:
            shoulder = _turned(seat, 40.0, -HALF - 250)
            a, b = self._plane.mm_to_px(np.array([shoulder, (x, y)]))
            cv2.line(image, _pixel(a), _pixel(b), (90, 60, 160), 34)
            cv2.circle(image, _pixel(b), 20, (140, 170, 220), -1)
        gain = np.float32(1 + self._flicker * self._rng.uniform(-1, 1))
        noisy = image * gain + self._noise[self.index % NOISES]
        return np.clip(noisy, 0, 255).astype(np.uint8)

    def _box(self, image: np.ndarray, x: float, y: float, w: float, h: float, deg: float, colour: tuple[int, int, int]) -> None:
        a = np.radians(deg)
        turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        corners = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2 @ turn.T + [x, y]
        cv2.fillPoly(image, [self._plane.mm_to_px(corners).astype(np.int32)], colour)


def _turned(seat: Seat, x: float, y: float) -> tuple[float, float]:
    a = np.radians(90.0 * seat)
    return float(np.cos(a) * x - np.sin(a) * y), float(np.sin(a) * x + np.cos(a) * y)


def _pixel(point: np.ndarray) -> tuple[int, int]:
    return int(point[0]), int(point[1])
