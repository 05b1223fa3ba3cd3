"""Pictures without a tile, and in how many of them the detector sees one: `python -m models.training.negatives`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from models.detector import Detector
from models.training.compositor import Rendered
from models.training.compositor import render as quick_render
from models.training.scene import Prop, Scene
from models.training.shaded import render as shaded_render
from models.training.surfaces import SURFACES
from models.training.variety import SIZES_MM, random_scene, random_table
from vision.detections import TileDetection
from vision.drawing import draw_detections

FIRST_SEED = 95_000_000  # of no training or validation set
SIZE_PX = (960, 720)
TILE_PX = (30.0, 110.0)  # what the length of a tile would be
CLAIMED = 0.5  # confidence from which a tile counts as seen
BARE = ("plain", "cloth", "wood", "leather", "marble")
ANYTHING = ("page", "keys", "tray", "keyboard", "printed", "die", "dice", "round", "card", "dots", "text", "blob", "block")


@dataclass(frozen=True, slots=True)
class Subject:
    """What a picture shows: one of these surfaces, and of each kind of thing from so many to so many."""

    name: str
    surfaces: tuple[str, ...]
    things: tuple[tuple[str, int, int], ...] = ()


SUBJECTS = (
    Subject("empty table", BARE),
    Subject("checks, boards, crosswords", ("checks", "board", "letters", "crossword")),
    Subject("bricks, planks, stripes", ("courses", "tiles", "stripes", "blobs")),
    Subject("cloth printed with dominoes", ("dominoes",)),
    Subject("pages of printed dominoes", BARE, (("page", 2, 5),)),
    Subject("printed dominoes, loose", BARE, (("printed", 10, 30),)),
    Subject("dice", BARE, (("die", 3, 12), ("dice", 3, 8))),
    Subject("keyboards, calculators", BARE, (("keys", 2, 4), ("keyboard", 1, 4))),
    Subject("buttons, coins, cups", BARE, (("round", 12, 40), ("dots", 0, 4))),
    Subject("odds and ends, empty racks", BARE, tuple((kind, 0, 2) for kind in ANYTHING)),
)
RENDERERS: tuple[Callable[[Scene], Rendered], ...] = (quick_render, shaded_render)


def negative_scene(number: int) -> Scene:
    """The picture of a number: the subjects one after the other, with light, camera, sensor and arms of any kind."""
    subject, rng = SUBJECTS[number % len(SUBJECTS)], np.random.default_rng([number, 26])
    scene = random_scene(FIRST_SEED + number, SIZE_PX, TILE_PX)
    width, height = (0.5 * scene.camera.mm_per_px * side for side in SIZE_PX)
    table = random_table(rng, (width, height), {kind: float(kind in subject.surfaces) for kind in SURFACES})
    return replace(scene, tiles=(), table=table, props=tuple(_things(subject, (width, height), rng)))


def _things(subject: Subject, half_mm: tuple[float, float], rng: np.random.Generator) -> Iterator[Prop]:
    for kind, fewest, most in subject.things:
        for _ in range(int(rng.integers(fewest, most + 1))):
            x, y = rng.uniform(-0.9, 0.9, 2) * half_mm
            size = rng.uniform(*SIZES_MM.get(kind, (30, 160)))
            yield Prop(kind, float(x), float(y), float(rng.uniform(0, 360)), float(size), int(rng.integers(1 << 30)))


def render_negative(number: int) -> np.ndarray:
    """The picture, BGR uint8: ten by the quick renderer, ten by the shaded one (which needs EGL), and so on."""
    return RENDERERS[number // len(SUBJECTS) % len(RENDERERS)](negative_scene(number)).image


def claims(detector: Detector, image: np.ndarray) -> list[TileDetection]:
    """What the detector takes for a tile, in whatever state."""
    return detector.detect(image, CLAIMED)


def main() -> None:
    """Render, look, print the share of pictures without a tile, by subject and in all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--sheet", type=Path, help="write the pictures here, false tiles drawn in")
    a = parser.parse_args()
    detector, seen = Detector(), []
    small = []
    for number in range(a.count):
        image = render_negative(number)
        seen.append(claims(detector, image))
        small.append(cv2.resize(draw_detections(image, seen[-1]), (384, 288), interpolation=cv2.INTER_AREA))
    for k, subject in enumerate(SUBJECTS):
        print(_row(subject.name, seen[k :: len(SUBJECTS)]))
    print(_row("all", seen))
    if a.sheet:
        small += [np.zeros_like(small[0])] * (-a.count % len(SUBJECTS))
        cv2.imwrite(
            str(a.sheet), np.vstack([np.hstack(small[k : k + len(SUBJECTS)]) for k in range(0, len(small), len(SUBJECTS))])
        )


def _row(name: str, seen: list[list[TileDetection]]) -> str:
    clean = sum(not found for found in seen)
    numbers = sum(any(d.pips for d in found) for found in seen)
    return f"{name:30}{clean:4} of {len(seen):3} show no tile; tiles {sum(map(len, seen)):3}; pictures with a number {numbers:3}"


if __name__ == "__main__":
    main()
