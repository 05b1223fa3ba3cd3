"""Things with a printed or raised pattern that lie on the table: pages, boards, keyboards, calculators, chocolate, a rack's tray."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from models.training import patterns
from models.training.scene import Table

Place = Callable[..., np.ndarray]
Pattern = Callable[[np.ndarray, np.ndarray, np.random.Generator, Table], np.ndarray]


def _lay(canvas: np.ndarray, place: Place, size_mm: float, sides: tuple[float, float], pattern: Pattern, rng: np.random.Generator,
         table: Table) -> None:  # fmt: skip
    """Lay a pattern on the rectangle of `sides` (shares of size_mm) in the middle of the thing, at the canvas's own resolution."""
    half = np.array(sides) / 2
    local = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * half
    quad = place(local).astype(np.float32)
    x0, y0 = np.maximum(np.floor(quad.min(axis=0)).astype(int), 0)
    x1, y1 = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + 1, canvas.shape[1::-1])
    if x1 - x0 < 3 or y1 - y0 < 3 or not np.isfinite(quad).all():
        return
    back = cv2.getPerspectiveTransform(quad - np.array([x0, y0], np.float32), (local * size_mm).astype(np.float32))
    ys, xs = np.mgrid[0 : y1 - y0, 0 : x1 - x0].astype(np.float32)
    w = back[2, 0] * xs + back[2, 1] * ys + back[2, 2]
    x = (back[0, 0] * xs + back[0, 1] * ys + back[0, 2]) / w
    y = (back[1, 0] * xs + back[1, 1] * ys + back[1, 2]) / w
    inside = (np.abs(x) <= half[0] * size_mm) & (np.abs(y) <= half[1] * size_mm)
    view = canvas[y0:y1, x0:x1]
    view[:] = np.where(inside[..., None], pattern(x, y, rng, table), view)


def _table(rng: np.random.Generator, scale_mm: float) -> Table:
    first, second = (tuple(float(v) for v in rng.uniform(0.02, 0.9, 3)) for _ in range(2))
    return Table("sheet", first, second, scale_mm, int(rng.integers(1 << 30)))  # type: ignore[arg-type]


def draw_page(canvas: np.ndarray, place: Place, rng: np.random.Generator, size_mm: float) -> None:
    """A sheet of printed dominoes, a crossword, a printed board."""
    kind = (patterns.dominoes, patterns.dominoes, patterns.crossword, patterns.letters)[rng.integers(4)]
    scale = rng.uniform(25, 80) if kind is patterns.dominoes else rng.uniform(8, 45)
    _lay(canvas, place, size_mm, (1.0, rng.uniform(0.5, 0.8)), kind, rng, _table(rng, float(scale)))


def draw_keys(canvas: np.ndarray, place: Place, rng: np.random.Generator, size_mm: float) -> None:
    """A keyboard, a calculator with its screen, a remote control, a bar of chocolate: keys of 8 to 30 mm in whole rows."""
    key = float(rng.uniform(8, 30))
    rows, columns = (float(round(side * size_mm / key)) * key / size_mm for side in (1.0, rng.uniform(0.3, 0.7)))
    _lay(canvas, place, size_mm, (rows + 0.06, columns + 0.06), _bare, rng, _table(rng, key))
    _lay(canvas, place, size_mm, (max(rows, 0.1), max(columns, 0.1)), patterns.keys, rng, _table(rng, key))


def draw_tray(canvas: np.ndarray, place: Place, rng: np.random.Generator, size_mm: float) -> None:
    """The tray under a row of standing tiles: a plank with ledges along it."""
    tone = rng.uniform(0.1, 0.9)
    wood = Table("sheet", (0.25 * tone, 0.42 * tone, 0.6 * tone), (0.15, 0.25, 0.35), 30.0, int(rng.integers(1 << 30)))
    depth = rng.uniform(18, 45)
    for share, shade in ((1.0, 0.8), (0.75, 0.55), (0.55, 1.0)):
        _lay(canvas, place, size_mm, (1.0, depth * share / size_mm), lambda x, *_, s=shade: _flat(x, wood, s), rng, wood)


def _bare(x: np.ndarray, y: np.ndarray, rng: np.random.Generator, table: Table) -> np.ndarray:
    return _flat(x, table, 1.0)


def _flat(x: np.ndarray, table: Table, shade: float) -> np.ndarray:
    return np.broadcast_to(np.asarray(table.colour, np.float32) * shade, (*x.shape, 3))
