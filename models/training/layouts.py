"""Where tiles lie: scattered, in a line with bends, in rows and grids, in a heap, on a printed board, a whole table with racks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from models.training.racks import racks, rows
from models.training.scene import NOMINAL_LENGTH_MM, SceneTile, TileSetStyle
from rules.tiles import ALL_TILES
from vision.detections import TileState

L = NOMINAL_LENGTH_MM


def _deal(rng: np.random.Generator, n: int) -> list[tuple[int, int]]:
    """n different tiles with a random half first."""
    picked = [ALL_TILES[i] for i in rng.permutation(28)] * 3
    return [(t.high, t.low) if rng.random() < 0.5 else (t.low, t.high) for t in picked[:n]]


def _state(rng: np.random.Generator, down: float) -> TileState:
    return TileState.FACE_DOWN if rng.random() < down else TileState.FACE_UP


def _free(x: float, y: float, tiles: list[SceneTile], reach: float) -> bool:
    return all(np.hypot(x - t.x_mm, y - t.y_mm) > reach for t in tiles)


def scattered(rng: np.random.Generator, style: TileSetStyle, half_mm: tuple[float, float]) -> list[SceneTile]:
    """Loose tiles, some face down, some standing; now and then close together."""
    tiles: list[SceneTile] = []
    down, standing = rng.choice([0.0, 0.0, 0.4]), rng.choice([0.0, 0.15, 0.5], p=[0.6, 0.25, 0.15])
    aligned = rng.random() < 0.35
    reach = L * rng.uniform(0.75, 1.1)
    for halves in _deal(rng, int(rng.integers(1, 24))):
        for _ in range(8):
            x, y = rng.uniform(-1, 1, 2) * half_mm
            if _free(x, y, tiles, reach):
                angle = rng.integers(0, 4) * 90 + rng.normal(0, 4) if aligned else rng.uniform(0, 360)
                state = TileState.STANDING if rng.random() < standing else _state(rng, down)
                tiles.append(SceneTile(halves, x, y, angle, state, upright=bool(rng.random() < 0.3)))
                break
    return tiles


def line(rng: np.random.Generator, style: TileSetStyle, half_mm: tuple[float, float]) -> list[SceneTile]:
    """A line with doubles across and bends, laid as carelessly as people do; it turns back at the border."""
    tiles: list[SceneTile] = []
    x, y = rng.uniform(-0.9, 0.9, 2) * half_mm
    heading = rng.integers(0, 4) * 90.0 + rng.uniform(-8, 8)
    turn_sd, slip_sd, gap = rng.uniform(0, 6), rng.uniform(0, 2.5), rng.choice([0.0, 1.0, 4.0])
    width, number = style.width_mm, int(rng.integers(0, 7))
    # (x, y) is the joint where the next tile begins
    for _ in range(int(rng.integers(2, 22))):
        double = rng.random() < 0.2
        nxt = number if double else int(rng.integers(0, 7))
        angle = heading + rng.normal(0, turn_sd)
        u = np.array([np.cos(np.radians(heading)), np.sin(np.radians(heading))])
        v = np.array([-u[1], u[0]])
        step = width if double else L
        centre = np.array([x, y]) + u * (rng.uniform(0, 1) * gap + step / 2) + v * rng.normal(0, slip_sd)
        if not _free(centre[0], centre[1], tiles[:-2], 0.85 * L):  # the line has met itself
            break
        tiles.append(SceneTile((number, nxt), float(centre[0]), float(centre[1]), angle + (90 if double else 0)))
        tip = centre + u * step / 2
        number = nxt
        bend = rng.random() < 0.12 or (np.abs(tip + u * L) > half_mm).any()
        if bend and not double:
            side = rng.choice([-1, 1])
            heading += 90 * side
            w = np.array([np.cos(np.radians(heading)), np.sin(np.radians(heading))])
            # the next tile starts beside the last half, or lies across its end
            tip = tip + (w - u) * width / 2 if rng.random() < 0.5 else tip + (u - w) * width / 2
        x, y = tip
        if (np.abs(tip) > np.array(half_mm) + L).any():
            break
    if rng.random() < 0.3:
        for tile in scattered(rng, style, half_mm)[:6]:
            if _free(tile.x_mm, tile.y_mm, tiles, 1.3 * L):
                tiles.append(tile)
    return tiles


def grid(rng: np.random.Generator, style: TileSetStyle, half_mm: tuple[float, float]) -> list[SceneTile]:
    """Rows and columns, touching or apart: hands turned up, a set laid out."""
    width = style.width_mm
    touching = rng.random() < 0.5
    gap_x, gap_y = (rng.uniform(0, 2), rng.uniform(0, 6)) if touching else rng.uniform(5, 40, 2)
    upright = rng.random() < 0.5
    along, across = (width, L) if upright else (L, width)
    cols, rows = int(rng.integers(1, 9)), int(rng.integers(1, 6))
    down = rng.choice([0.0, 0.3, 1.0], p=[0.7, 0.2, 0.1])
    turn = rng.choice([0.0, rng.uniform(0, 360)])
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    tiles = []
    for k, halves in enumerate(_deal(rng, cols * rows)):
        x = (k % cols - (cols - 1) / 2) * (along + gap_x) + rng.normal(0, 0.8)
        y = (k // cols - (rows - 1) / 2) * (across + gap_y) + rng.normal(0, 1.5)
        angle = (90 if upright else 0) + turn + rng.normal(0, 2) + (180 if rng.random() < 0.5 else 0)
        tiles.append(SceneTile(halves, c * x - s * y, s * x + c * y, angle, _state(rng, down)))
    return tiles


def heap(rng: np.random.Generator, style: TileSetStyle, half_mm: tuple[float, float]) -> list[SceneTile]:
    """The shuffle: tiles pushed together, some on top of others."""
    tiles: list[SceneTile] = []
    spread = rng.uniform(1.2, 2.6) * L
    down = rng.choice([0.2, 0.8])
    for halves in _deal(rng, int(rng.integers(5, 22))):
        x, y = rng.normal(0, spread, 2)
        near = [np.hypot(x - t.x_mm, y - t.y_mm) for t in tiles]
        if near and min(near) < 0.5 * L and rng.random() < 0.9:
            continue
        z = style.thickness_mm if near and min(near) < 0.75 * L else 0.0
        tiles.append(SceneTile(halves, x, y, rng.uniform(0, 360), _state(rng, down), z))
    return tiles


def hand_turned_up(rng: np.random.Generator, style: TileSetStyle, half_mm: tuple[float, float]) -> list[SceneTile]:
    """Leftover tiles face up in front of the seats, around a line."""
    tiles = line(rng, style, (half_mm[0] * 0.6, half_mm[1] * 0.6))
    for seat in range(4):
        angle = 90.0 * seat
        c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        x0 = rng.uniform(-100, 100)
        for k, halves in enumerate(_deal(rng, int(rng.integers(0, 4)))):
            x, y = x0 + k * (style.width_mm + rng.uniform(0.5, 12)), -half_mm[1] * 0.85 + rng.normal(0, 4)
            tiles.append(SceneTile(halves, c * x - s * y, s * x + c * y, angle + 90 + rng.normal(0, 8)))
    return tiles


def whole_table(rng: np.random.Generator, style: TileSetStyle, half_mm: tuple[float, float]) -> list[SceneTile]:
    """A line in the middle and the racks around it; later in the hand some tiles lie turned up, or are pushed aside face down."""
    tiles = line(rng, style, (half_mm[0] * 0.6, half_mm[1] * 0.6)) + racks(rng, style, half_mm)
    if rng.random() < 0.25:
        loose = scattered(rng, style, half_mm)[:8]
        tiles += [tile for tile in loose if _free(tile.x_mm, tile.y_mm, tiles, 1.3 * L)]
    return tiles


def board_cell_mm(style: TileSetStyle) -> float:
    """Side of the cells of a board on which tiles of this set lie two cells long."""
    return 1.04 * max(L / 2, style.width_mm)


def on_board(rng: np.random.Generator, style: TileSetStyle, half_mm: tuple[float, float]) -> list[SceneTile]:
    """Tiles on the cells of a printed board, branching as in a crossword: cells between them are as large as a tile."""
    cell = board_cell_mm(style)
    cols, rows_ = (max(2, int(h * 0.9 / cell)) for h in half_mm)
    taken: set[tuple[int, int]] = set()
    tiles: list[SceneTile] = []
    at = np.array([int(rng.integers(-cols, cols)), int(rng.integers(-rows_, rows_))]) // 2
    for halves in _deal(rng, int(rng.integers(3, 24))):
        for _ in range(12):
            step = np.array([(1, 0), (0, 1), (-1, 0), (0, -1)][rng.integers(4)])
            first = at + np.array([(1, 0), (0, 1), (-1, 0), (0, -1)][rng.integers(4)]) * (1 if tiles else 0)
            cells = {(int(c[0]), int(c[1])) for c in (first, first + step)}
            if cells & taken or any(abs(x) > cols or abs(y) > rows_ for x, y in cells):
                continue
            taken |= cells
            x, y = (first + step / 2 + 0.5) * cell + rng.normal(0, 0.6, 2)
            angle = np.degrees(np.arctan2(step[1], step[0])) + rng.normal(0, 1.0)
            tiles.append(SceneTile(halves, float(x), float(y), float(angle)))
            at = (first + step) if rng.random() < 0.7 else first
            break
    return tiles


Layout = Callable[[np.random.Generator, TileSetStyle, tuple[float, float]], list[SceneTile]]
# Shares of the training pictures.
LAYOUTS: tuple[tuple[Layout, float], ...] = (
    (scattered, 0.23),
    (line, 0.24),
    (grid, 0.12),
    (heap, 0.05),
    (whole_table, 0.18),
    (hand_turned_up, 0.06),
    (rows, 0.07),
    (on_board, 0.05),
)
