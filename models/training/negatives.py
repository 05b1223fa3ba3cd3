"""Pictures without a tile, and in how many of them the detector sees one: `python -m models.training.negatives`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from models.detector import Detector
from models.training.bare import SUBJECTS, bare_scene
from models.training.compositor import Rendered
from models.training.compositor import render as quick_render
from models.training.scene import Scene
from models.training.shaded import render as shaded_render
from vision.detections import TileDetection
from vision.drawing import draw_detections

FIRST_SEED = 95_000_000  # of no training or validation set
SIZE_PX = (960, 720)
TILE_PX = (30.0, 110.0)  # what the length of a tile would be
CLAIMED = 0.5  # confidence from which a tile counts as seen
RENDERERS: tuple[Callable[[Scene], Rendered], ...] = (quick_render, shaded_render)


def render_negative(number: int) -> np.ndarray:
    """The picture, BGR uint8: ten by the quick renderer, ten by the shaded one (which needs EGL), and so on."""
    scene = bare_scene(FIRST_SEED + number, SIZE_PX, TILE_PX)
    return RENDERERS[number // len(SUBJECTS) % len(RENDERERS)](scene).image


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
