"""Where standing tiles are: rows before the four seats and rows anywhere, with gaps, bowed, leaning, on the long or the short side."""

from __future__ import annotations

import numpy as np

from models.training.scene import NOMINAL_LENGTH_MM, SceneTile, TileSetStyle
from rules.tiles import ALL_TILES
from vision.detections import TileState

L = NOMINAL_LENGTH_MM


def row(
    rng: np.random.Generator, style: TileSetStyle, centre_mm: tuple[float, float], angle_deg: float, upright: bool
) -> list[SceneTile]:
    """Up to nine standing tiles side by side along angle_deg, their faces to the right of it; some are missing."""
    step = style.width_mm if upright else L
    gap = rng.choice([0.2, 1.5, 8.0])
    bow, jitter, turn = rng.normal(0, 0.15) if rng.random() < 0.4 else 0.0, rng.uniform(0, 2.0), rng.uniform(0, 3)
    lean_sd, missing = rng.choice([0.0, 1.0, 4.0]), rng.choice([0.0, 0.2, 0.5])
    n = int(rng.integers(1, 10)) if rng.random() < 0.5 else 7
    spots = np.cumsum(step + rng.uniform(0, 1, n) * gap)
    spots -= spots.mean()
    c, s = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
    tiles = []
    for k, x in zip(rng.permutation(28)[:n], spots, strict=True):
        if rng.random() < missing:
            continue
        y = bow * x * x / (4 * L) + rng.normal(0, jitter)
        angle = angle_deg + np.degrees(np.arctan(bow * x / (2 * L))) + rng.normal(0, turn)
        tile = ALL_TILES[k]
        tiles.append(SceneTile(
            (tile.high, tile.low) if rng.random() < 0.5 else (tile.low, tile.high),
            float(centre_mm[0] + c * x - s * y), float(centre_mm[1] + s * x + c * y), float(angle), TileState.STANDING,
            upright=upright, lean_mm=float(rng.normal(0, lean_sd)),
        ))  # fmt: skip
    return tiles


def racks(rng: np.random.Generator, style: TileSetStyle, half_mm: tuple[float, float]) -> list[SceneTile]:
    """Standing tiles before the four seats, faces outward (now and then the other way round)."""
    tiles = []
    upright, mixed = rng.random() < 0.25, rng.random() < 0.15
    reach = rng.uniform(0.6, 0.95)
    for seat in range(4):
        if rng.random() < 0.1:
            continue
        angle = 90.0 * seat
        out, along = half_mm[(seat + 1) % 2] * reach * rng.uniform(0.92, 1.0), half_mm[seat % 2] * rng.uniform(-0.3, 0.3)
        c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        flip = 180.0 if rng.random() < 0.08 else 0.0  # The faces look at the player: to the right of 0 degrees is -y
        stands = rng.random() < 0.5 if mixed else upright
        tiles += row(rng, style, (c * along + s * out, s * along - c * out), angle + flip + rng.normal(0, 1.5), bool(stands))
    return tiles


def rows(rng: np.random.Generator, style: TileSetStyle, half_mm: tuple[float, float]) -> list[SceneTile]:
    """One to three rows of standing tiles anywhere, seen from near."""
    tiles: list[SceneTile] = []
    angle = rng.integers(0, 4) * 90 + rng.normal(0, 6) if rng.random() < 0.6 else rng.uniform(0, 360)
    a = np.radians(angle)
    n = int(rng.integers(1, 4))
    apart = rng.uniform(1.3, 3.0) * L
    for k in range(n):
        off = (k - (n - 1) / 2) * apart
        x, y = rng.uniform(-0.4, 0.4, 2) * half_mm
        flip = 180.0 if rng.random() < 0.5 else 0.0
        tiles += row(rng, style, (x - np.sin(a) * off, y + np.cos(a) * off), angle + flip, bool(rng.random() < 0.35))
    return tiles
