"""Things on the table that have a height in the shaded renderer: trays of racks, dice, plain blocks. What is flat is painted on it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from models.training.scene import Prop

BLOCK, DIE = -1.0, -2.0  # in place of a tile's number: plain, with the pips of a die
Row = tuple[float, ...]


def _tray(prop: Prop, rng: np.random.Generator) -> Iterator[Row]:
    """A board and two ledges, between which the tiles stand."""
    wood = np.array([0.25, 0.42, 0.6]) * rng.uniform(0.1, 0.9)
    depth, groove = rng.uniform(34, 55), rng.uniform(16, 22)
    ledge = (depth - groove) / 2
    for off, across, height in (
        (0.0, depth, 3.0),
        ((groove + ledge) / 2, ledge, rng.uniform(6, 12)),
        (-(groove + ledge) / 2, ledge, 6.0),
    ):
        yield _box(prop, (prop.size_mm, across, height), (0.0, off), wood, BLOCK)


def _die(prop: Prop, rng: np.random.Generator) -> Iterator[Row]:
    yield _box(prop, (prop.size_mm,) * 3, (0.0, 0.0), rng.uniform(0.02, 1.0, 3), DIE)


def _dice(prop: Prop, rng: np.random.Generator) -> Iterator[Row]:
    """Two to five dice side by side: two of them look like a tile."""
    apart, alike = rng.uniform(1.0, 1.3), rng.uniform(0.02, 1.0, 3)
    mixed = rng.random() < 0.3
    for k in range(int(rng.integers(2, 6))):
        colour = rng.uniform(0.02, 1.0, 3) if mixed else alike
        yield _box(prop, (prop.size_mm,) * 3, (k * apart * prop.size_mm, 0.0), colour, DIE)


def _block(prop: Prop, rng: np.random.Generator) -> Iterator[Row]:
    """A plain block that is no tile: eraser, box, folded paper."""
    size = (rng.uniform(0.5, 1.4) * prop.size_mm, rng.uniform(0.4, 1.0) * prop.size_mm, rng.uniform(2, 15))
    yield _box(prop, size, (0.0, 0.0), rng.uniform(0.1, 1.0, 3), BLOCK)


SOLIDS = {"tray": _tray, "die": _die, "dice": _dice, "block": _block}


def solid_instances(props: tuple[Prop, ...]) -> np.ndarray:
    """All solid things as instances of a cube of 1 mm, laid out as the instances of tiles (Nx19)."""
    rows = [row for prop in props if prop.kind in SOLIDS for row in SOLIDS[prop.kind](prop, np.random.default_rng(prop.seed))]
    return np.array(rows, np.float32).reshape(-1, 19)


def _box(prop: Prop, size: tuple[float, float, float], off: tuple[float, float], colour: np.ndarray, kind: float) -> Row:
    """A box that stands on the table, turned as the prop is and `off` along and across from its place, mm."""
    a = np.radians(prop.angle_deg)
    u, v = np.array([np.cos(a), np.sin(a), 0]), np.array([-np.sin(a), np.cos(a), 0])
    middle = np.array([prop.x_mm, prop.y_mm, size[2] / 2]) + u * off[0] + v * off[1]
    return (*(u * size[0]), *(v * size[1]), 0.0, 0.0, size[2], *middle, 0, 0, float(prop.seed % 97), kind, *colour)
