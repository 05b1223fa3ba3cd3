"""Patterns of cells that are taken for tiles: printed dominoes, letters on squares, crosswords, keys, bricks and planks.

Each is a function of the position in millimetres, like the surfaces; `cell_boxes` tells where a box would fit its cells exactly.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from models.training.faces import PIP_LAYOUT
from models.training.scene import Table

GLYPH_PX = 24
Cells = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


@lru_cache(maxsize=1)
def _glyphs() -> np.ndarray:
    """Letters and digits as masks, 36 x 24 x 24."""
    out = np.zeros((36, GLYPH_PX, GLYPH_PX), np.uint8)
    for mask, letter in zip(out, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", strict=True):
        cv2.putText(mask, letter, (4, 19), cv2.FONT_HERSHEY_SIMPLEX, 0.7, 255, 2, cv2.LINE_AA)
    return out.astype(np.float32) / 255


@lru_cache(maxsize=1)
def _pip_halves() -> np.ndarray:
    """Half faces as masks of their pips, 7 x 32 x 32."""
    out = np.zeros((7, 32, 32), np.uint8)
    for number, spots in PIP_LAYOUT.items():
        for along, across in spots:
            cv2.circle(
                out[number], (round((15.5 + along * 9) * 16), round((15.5 + across * 9) * 16)), 55, 255, -1, cv2.LINE_AA, 4
            )
    return out.astype(np.float32) / 255


def _hash(cx: np.ndarray, cy: np.ndarray, seed: int, salt: float = 0.0) -> np.ndarray:
    """A number in [0, 1) for each cell."""
    return (np.sin(cx * 12.9898 + cy * 78.233 + (seed % 9973) * 0.37 + salt) * 43758.5453) % 1


def _cells(x: np.ndarray, y: np.ndarray, size_x: float, size_y: float) -> Cells:
    """Number of the cell and the place in it, 0 to 1, along x and y."""
    u, v = x / size_x, y / size_y
    return np.floor(u), np.floor(v), u % 1, v % 1


def _look_up(atlas: np.ndarray, index: np.ndarray, u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """The mask atlas[index] at u, v (0 to 1; outside: 0)."""
    n = atlas.shape[1]
    inside = (u >= 0) & (u < 1) & (v >= 0) & (v < 1)
    column, line = (np.clip(w * n, 0, n - 1).astype(int) for w in (u, v))
    return atlas[np.clip(index, 0, len(atlas) - 1).astype(int), line, column] * inside


def _over(out: np.ndarray, mask: np.ndarray, colour: object) -> np.ndarray:
    mixed: np.ndarray = out + (np.asarray(colour, np.float32) - out) * np.clip(mask, 0, 1)[..., None].astype(np.float32)
    return mixed


def _base(x: np.ndarray, table: Table) -> np.ndarray:
    return np.broadcast_to(np.asarray(table.colour, np.float32), (*x.shape, 3)).copy()


def _random_colours(cx: np.ndarray, cy: np.ndarray, seed: int) -> np.ndarray:
    return np.stack([_hash(cx, cy, seed, k) for k in (1.3, 2.1, 3.7)], axis=-1)


def domino_size_mm(table: Table) -> tuple[float, float, float, float]:
    """Of a page of printed dominoes: length and width of one, and the period along and across."""
    rng = np.random.default_rng(table.seed)
    width = 5 + 0.35 * table.scale_mm
    gap_x, gap_y = rng.choice([0.0, 1.0], 2) * rng.uniform(0.05, 0.9, 2)
    return 2 * width, width, (2 + gap_x) * width, (1 + gap_y) * width


def dominoes(x: np.ndarray, y: np.ndarray, rng: np.random.Generator, table: Table) -> np.ndarray:
    """A page of printed dominoes: flat, most of them outlines on the paper's own colour."""
    _, width, size_x, size_y = domino_size_mm(table)
    cx, cy, u, v = _cells(x, y, size_x, size_y)
    p, q = (u - 0.5) * size_x / width, (v - 0.5) * size_y / width  # in widths, from the middle of the domino
    r = rng.choice([0.0, 0.1, 0.2])
    qx, qy = np.abs(p) - (1 - r), np.abs(q) - (0.5 - r)
    inside = r - np.hypot(np.maximum(qx, 0), np.maximum(qy, 0)) - np.minimum(np.maximum(qx, qy), 0)
    paper, body, ink = (rng.uniform(0.55, 0.95),) * 3, rng.uniform(0.5, 0.95, 3), (rng.uniform(0.0, 0.12),) * 3
    look = rng.random()
    if look < 0.6:
        body = np.asarray(paper)
    elif look < 0.75:
        body, ink = np.asarray(ink), paper
    out = np.broadcast_to(np.asarray(table.colour if rng.random() < 0.3 else paper, np.float32), (*x.shape, 3)).copy()
    share = (_hash(cx, cy, table.seed, 9.0) < rng.choice([1.0, 0.7])) * 1.0
    out = _over(out, (inside > 0) * share, (0.02, 0.02, 0.02) if look < 0.6 else ink)
    out = _over(out, (inside > rng.choice([0.025, 0.05])) * share, body)
    ink = (0.9, 0.9, 0.9) if 0.6 <= look < 0.75 else ink
    number = np.where(p < 0, _hash(cx, cy, table.seed), _hash(cx, cy, table.seed, 5.0)) * 7
    pips = _look_up(_pip_halves(), number, np.where(p < 0, p + 1, p), q + 0.5)
    line = (np.abs(p) < 0.02) & (np.abs(q) < rng.choice([0.5, 0.4]))
    return _over(out, np.maximum(pips, line) * (inside > 0) * share, ink)


def letters(x: np.ndarray, y: np.ndarray, rng: np.random.Generator, table: Table) -> np.ndarray:
    """A printed board: lines, some squares coloured, letters or numbers in some."""
    cx, cy, u, v = _cells(x, y, table.scale_mm, table.scale_mm)
    out = _base(x, table)
    chosen = _hash(cx, cy, table.seed) < rng.choice([0.1, 0.3, 0.9])
    out = np.where(chosen[..., None], _random_colours(np.floor(cx % 5), np.floor(cy % 3), table.seed), out).astype(np.float32)
    if rng.random() < 0.5:
        star = (np.abs(u - 0.5) + np.abs(v - 0.5)) < 0.42
        rest = np.where(star[..., None], out, np.asarray(table.colour, np.float32))
        out = _over(rest, chosen & star & (np.abs(u - 0.5) + np.abs(v - 0.5) > 0.36), table.second)
    written = (chosen if rng.random() < 0.5 else _hash(cx, cy, table.seed, 4.0) < 0.6) * 1.0
    size = rng.uniform(0.4, 0.9)
    glyph = _look_up(_glyphs(), _hash(cx, cy, table.seed, 2.0) * 36, (u - 0.5) / size + 0.5, (0.5 - v) / size + 0.5)
    out = _over(out, glyph * written, rng.choice([0.02, 0.9]) * np.ones(3))
    return _over(out, np.minimum(u, v) < rng.uniform(0.02, 0.08), table.second)


def crossword(x: np.ndarray, y: np.ndarray, rng: np.random.Generator, table: Table) -> np.ndarray:
    """Black and white squares with letters."""
    cx, cy, u, v = _cells(x, y, table.scale_mm, table.scale_mm)
    out = np.full((*x.shape, 3), rng.uniform(0.6, 0.95), np.float32)
    black = _hash(cx, cy, table.seed) < rng.uniform(0.1, 0.4)
    glyph = _look_up(_glyphs(), _hash(cx, cy, table.seed, 2.0) * 36, u, 1 - v)
    out = _over(out, glyph * (_hash(cx, cy, table.seed, 6.0) < rng.choice([0.0, 0.5, 1.0])), (0.05, 0.05, 0.05))
    return _over(out, black | (np.minimum(u, v) < 0.05), (0.02, 0.02, 0.02))


def keys(x: np.ndarray, y: np.ndarray, rng: np.random.Generator, table: Table) -> np.ndarray:
    """Keys of a keyboard or calculator, pieces of a chocolate bar: raised cells with gaps, in staggered rows, letters on them."""
    size_y = table.scale_mm
    size_x = size_y * rng.choice([1.0, 1.0, 1.5, 2.0])
    stagger = rng.choice([0.0, 0.25, 0.5])
    cy = np.floor(y / size_y)
    cx, _, u, v = _cells(x + stagger * size_x * (cy % 3), y, size_x, size_y)
    gap = rng.uniform(0.04, 0.12)
    edge = np.minimum(np.minimum(u, 1 - u) * size_x / size_y, np.minimum(v, 1 - v))
    tone = 1 + 0.15 * np.clip((v - 0.5) * 2, -1, 1) * (edge < 3 * gap)
    out = _base(x, table) * rng.uniform(0.2, 0.6)
    out = _over(out, edge > gap, table.second) * np.where(edge > gap, tone, 1)[..., None]
    if rng.random() < 0.75:
        glyph = _look_up(_glyphs(), _hash(cx, cy, table.seed) * 36, u * 2 - rng.choice([0.1, 0.5]), (1 - v) * 2 - 0.4)
        out = _over(out, glyph, rng.choice([0.02, 0.9]) * np.ones(3))
    return out


def course_size_mm(table: Table) -> tuple[float, float]:
    """Length and height of the bricks or planks."""
    rng = np.random.default_rng(table.seed)
    return float(table.scale_mm * rng.choice([2.0, 2.0, 2.3, 4.0, 8.0])), table.scale_mm


def _course_shift(row: np.ndarray, table: Table) -> np.ndarray:
    return np.where(table.seed % 2, 0.5 * (row % 2), _hash(row, 0 * row, table.seed))


def courses(x: np.ndarray, y: np.ndarray, rng: np.random.Generator, table: Table) -> np.ndarray:
    """Bricks, planks, parquet: rows of rectangles with joints, each in a tone of its own."""
    length, height = course_size_mm(table)
    row = np.floor(y / height)
    cx, cy, u, v = _cells(x + _course_shift(row, table) * length, y, length, height)
    tone = 1 + rng.uniform(0.0, 0.4) * (_hash(cx, cy, table.seed, 3.0) - 0.5)
    grain = 1 + 0.06 * np.sin(v * 40 + 3 * np.sin(x / 60 + cy)) if rng.random() < 0.5 else 1.0
    out = _base(x, table) * (tone * grain)[..., None]
    joint = np.minimum(np.minimum(u, 1 - u) * length / height, np.minimum(v, 1 - v)) < rng.uniform(0.01, 0.06)
    middle = (np.abs(u - 0.5) * length / height < 0.02) & (rng.random() < 0.3)
    dark = rng.random() < 0.6
    return _over(out, joint | middle, np.asarray(table.colour) * 0.35 if dark else table.second)


def cell_boxes(
    table: Table, half_mm: np.ndarray, rng: np.random.Generator, count: int
) -> list[tuple[np.ndarray, float, float, float]]:
    """Boxes that fit the pattern exactly, as a localiser proposes them: centre (mm), angle (radians), length, width (mm)."""
    if table.kind == "dominoes":
        length, width, step_x, step_y = domino_size_mm(table)
    elif table.kind == "courses":
        length, width = step_x, step_y = course_size_mm(table)
    else:
        cell = table.scale_mm * (2 if table.kind == "tiles" else 1)
        share = rng.choice([1.0, 1.0, 0.5, 2.0])
        length, width, step_x, step_y = 2 * cell * share, cell * share, cell, cell
    out = []
    for _ in range(count):
        n = np.round(rng.uniform(-1, 1, 2) * half_mm / (step_x, step_y))
        centre, angle = (n + 0.5) * (step_x, step_y), 0.0
        if table.kind == "courses":
            centre = centre - np.array([float(_course_shift(n[1:], table)[0]) * length, 0.0])
        elif table.kind != "dominoes":
            angle = float(rng.choice([0.0, np.pi / 2]))
            centre = n * step_x + (np.array([0, 0.5]) if angle == 0 else np.array([0.5, 0])) * step_x * (rng.random() < 0.7)
        out.append((centre + rng.normal(0, 0.04, 2) * width, angle, length, width))
    return out
