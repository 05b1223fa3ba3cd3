"""Tile sets that look like none of the training's, laid out for a photograph; how they are read: `python -m models.training.odd_sets`.

With `--bars` usual sets instead, with a bar of three quarters of a tile's width or all of it, each loose and in lines that touch.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np

from models.adapt import MIN_CONFIDENCE, check_set
from models.detector import WEIGHTS, Detector
from models.scoring import overlap
from models.training.compositor import Rendered, render
from models.training.scene import NOMINAL_LENGTH_MM, Camera, Scene, SceneTile, Sensor, TileSetStyle
from models.training.variety import random_light, random_style, random_table
from rules.tiles import ALL_TILES

FIRST_SEED = 97_000_000  # of no training or validation set
SIZE_PX = (960, 720)
TILE_PX = 58.0
ODDITIES = ("unfilled holes", "a colour a number", "size of the pips", "place of the pips", "ratio", "pin, grain, wear")
STEP_MM = (105.0, 130.0)  # from tile to tile in a row, from row to row


def odd_style(number: int) -> TileSetStyle:
    """The look of a set, one of six oddities after the other, all else as in the training."""
    rng = np.random.default_rng([FIRST_SEED, number])
    style = random_style(rng)
    strange: tuple[dict[str, object], ...] = (
        {"pip_colours": (_near_body(style, rng),) * 7, "pip_depth": 1.2},  # holes that nobody filled
        {"pip_colours": tuple(tuple(rng.uniform(0.02, 0.9, 3)) for _ in range(7))},  # a colour for each number
        {"pip_radius": float(rng.choice([0.055, 0.15, 0.16])), "pip_depth": 0.4},
        {"pip_offset": float(rng.choice([0.19, 0.37]))},
        {"ratio": float(rng.choice([1.6, 2.7]))},
        {"pin": 0.1, "divider": "none", "grain": 0.8, "wear": 0.9},
    )
    return replace(style, **strange[number % len(ODDITIES)])  # type: ignore[arg-type]


def _near_body(style: TileSetStyle, rng: np.random.Generator) -> tuple[float, float, float]:
    return tuple(float(c * rng.uniform(0.7, 0.85)) for c in style.body)  # type: ignore[return-value]


def laid_out(style: TileSetStyle, number: int, size_px: tuple[int, int] = SIZE_PX, tile_px: float = TILE_PX) -> Scene:
    """All 28 tiles of a set in four rows, in any order and either way round; table, light and camera are those of the number.

    tile_px: length of a tile.
    """
    rng = np.random.default_rng([FIRST_SEED, number, 1])
    tiles = []
    for k, tile in enumerate(rng.permutation(len(ALL_TILES))):
        x, y = (k % 7 - 3) * STEP_MM[0] + rng.normal(0, 5), (k // 7 - 1.5) * STEP_MM[1] + rng.normal(0, 5)
        halves = (ALL_TILES[tile].low, ALL_TILES[tile].high)
        tiles.append(SceneTile(halves, x, y, float(rng.choice([90, 270]) + rng.normal(0, 8))))
    tilt, way = float(min(10.0, abs(rng.normal(0, 5)))), float(rng.choice([0, 180]))
    camera = Camera(size_px, NOMINAL_LENGTH_MM / tile_px, tilt_deg=tilt, azimuth_deg=way)
    sensor = Sensor(float(2 ** rng.normal(0, 0.3)), float(rng.uniform(0.004, 0.02)), float(rng.uniform(0.3, 0.9)), jpeg=88)
    half_mm = (0.5 * size_px[0] * camera.mm_per_px, 0.5 * size_px[1] * camera.mm_per_px)
    return Scene(FIRST_SEED + number, style, tuple(tiles), camera, random_light(rng), random_table(rng, half_mm), sensor)


def read_right(detector: Detector, picture: Rendered) -> tuple[int, int, int, int]:
    """Of a picture of a whole set: tiles, those that are found face up, those right alone, those right with the rule of `models.adapt`."""
    laid = check_set(detector.detect(picture.image, MIN_CONFIDENCE)).tiles
    found = alone = together = 0
    for label in picture.labels:
        best = max(laid, key=lambda one: overlap(one.detection.quad_px, label.quad_px), default=None)
        if best is not None and overlap(best.detection.quad_px, label.quad_px) >= 0.5:
            truth = tuple(sorted(label.halves, reverse=True))
            found, alone, together = found + 1, alone + (best.alone == truth), together + (best.tile == truth)
    return len(picture.labels), found, alone, together


def in_lines(scene: Scene, number: int) -> Scene:
    """The same tiles in four lines of seven that touch, set down as neatly as people do; a joint then looks much like a bar."""
    rng = np.random.default_rng([FIRST_SEED, number, 2])
    tiles = []
    for k, tile in enumerate(scene.tiles):
        x = (k % 7 - 3) * (NOMINAL_LENGTH_MM + 0.6) + rng.normal(0, 0.3)
        y = (k // 7 - 1.5) * STEP_MM[0] + rng.normal(0, 0.8)
        tiles.append(replace(tile, x_mm=float(x), y_mm=float(y), angle_deg=float(rng.choice([0, 180]) + rng.normal(0, 1.5))))
    return replace(scene, tiles=tuple(tiles))


def read_surely(detector: Detector, picture: Rendered) -> tuple[int, int, int]:
    """Of a picture: tiles, those that are read right with a confidence of 0.5 or more, and of 0.9 or more."""
    found, even, sure = detector.detect(picture.image, 0.5), 0, 0
    for label in picture.labels:
        best = max(found, key=lambda one: overlap(one.quad_px, label.quad_px), default=None)
        if best is not None and overlap(best.quad_px, label.quad_px) >= 0.5 and best.pips == tuple(sorted(label.halves)):
            even, sure = even + 1, sure + (best.confidence >= 0.9)
    return len(picture.labels), even, sure


def bars(detector: Detector, count: int) -> None:
    """Print a row for each length of the bar and each way to lie."""
    for length, ordered in product((0.75, 1.0), (False, True)):
        rows = []
        for number in range(count):
            style = random_style(np.random.default_rng([FIRST_SEED, number, 3]))
            scene = laid_out(replace(style, divider="bar", divider_length=length, divider_width=0.07), number)
            rows.append(read_surely(detector, render(in_lines(scene, number) if ordered else scene)))
        tiles, even, sure = np.sum(rows, axis=0)
        print(
            f"bar of {length:4}  {'in lines' if ordered else 'loose':8}  right at 0.5 {even / tiles:.4f}  at 0.9 {sure / tiles:.4f}"
        )


def main() -> None:
    """Render, read, print a row an oddity and one for all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=36)
    parser.add_argument("--bars", action="store_true")
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    given = parser.parse_args()
    detector, count = Detector(given.weights), given.count
    if given.bars:
        bars(detector, count)
        return
    rows = np.array([read_right(detector, render(laid_out(odd_style(n), n))) for n in range(count)])
    for name, part in [*((name, rows[k :: len(ODDITIES)]) for k, name in enumerate(ODDITIES)), ("all", rows)]:
        tiles, *right = part.sum(axis=0)
        shares = "  ".join(
            f"{what} {n / max(tiles, 1):.4f}" for what, n in zip(("found", "right", "with the rule"), right, strict=True)
        )
        print(f"{name:20}{len(part):3} sets  {shares}")


if __name__ == "__main__":
    main()
