"""The shipped detector on shaded whole tables, which it was not trained on: `python -m models.training.shaded_bench`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from models.detector import Detector
from models.training.compositor import Rendered
from models.training.compositor import render as quick_render
from models.training.dataset import overlap
from models.training.layouts import whole_table
from models.training.scene import Scene, TileLabel
from models.training.shaded import render as shaded_render
from models.training.variety import random_scene
from vision.detections import TileDetection, TileState

FIRST_SEED = 80_000_000  # of no training or validation set
SIZE_PX = (960, 720)
TILE_PX = (25.0, 100.0)
SIZES_PX = (0.0, 35.0, 50.0, 70.0, 1e9)  # bounds of the rows that are printed
COUNTED = 0.85  # a tile that shows less than this is asked of nobody; who finds it is not punished
MIN_OVERLAP = 0.5
RENDERERS: dict[str, Callable[[Scene], Rendered]] = {"shaded": shaded_render, "quick": quick_render}


def whole_table_scene(number: int) -> Scene:
    """The whole table of a number: random look, light, camera and clutter, a line in the middle and racks around it."""
    scene = random_scene(FIRST_SEED + number, SIZE_PX, TILE_PX)
    half = 0.5 * scene.camera.mm_per_px * np.array(SIZE_PX)
    tiles = whole_table(np.random.default_rng([number, 24]), scene.style, (float(half[0]), float(half[1])))
    return replace(scene, tiles=tuple(tiles))


@dataclass(slots=True)
class Tally:
    """Counts over pictures. Face-up tiles are right with both numbers at an overlap of 0.5 or more; the others are only found."""

    labels: int = 0
    detections: int = 0
    right: int = 0
    located: int = 0
    standing: int = 0
    standing_found: int = 0
    corner_errors: list[float] = field(default_factory=list)  # shares of the tile's length

    @property
    def precision(self) -> float:
        return self.right / max(self.detections, 1)

    @property
    def recall(self) -> float:
        return self.right / max(self.labels, 1)

    @property
    def f1(self) -> float:
        return 2 * self.right / max(self.labels + self.detections, 1)

    @property
    def standing_recall(self) -> float:
        return self.standing_found / max(self.standing, 1)

    def add(self, picture: Rendered, found: list[TileDetection], low_px: float = 0.0, high_px: float = 1e9) -> None:
        """Count the tiles whose length is from low_px to high_px; a false detection counts by its own length."""
        pairs = _pairs(picture.labels, found)
        for i, label in enumerate(picture.labels):
            if label.visible < COUNTED or not low_px <= label.length_px < high_px:
                continue
            detection = found[pairs[i]] if i in pairs else None
            if label.state is TileState.STANDING:
                self.standing += 1
                self.standing_found += detection is not None and detection.state is TileState.STANDING
            elif label.state is TileState.FACE_UP:
                self._face_up(label, detection)
        taken = set(pairs.values())
        for k, detection in enumerate(found):
            if k not in taken and detection.state is TileState.FACE_UP and low_px <= _length(detection.quad_px) < high_px:
                self.detections += 1

    def _face_up(self, label: TileLabel, detection: TileDetection | None) -> None:
        self.labels += 1
        if detection is None:
            return
        self.located += 1
        self.corner_errors.append(_corner_error(label, detection))
        if detection.state is TileState.FACE_UP:
            self.detections += 1
            self.right += sorted(detection.pips or ()) == sorted(label.halves)

    def row(self) -> str:
        """One line of figures; corner errors in percent of the tile's length."""
        errors = 100 * np.array(self.corner_errors or [np.nan])
        return (
            f"face up {self.labels:5d}  P {self.precision:.4f}  R {self.recall:.4f}  F1 {self.f1:.4f}"
            f"  located {self.located / max(self.labels, 1):.4f}"
            f"  corners median {np.median(errors):5.2f} % mean {errors.mean():5.2f} %"
            f"  standing {self.standing:4d} found {self.standing_recall:.4f}"
        )


def _pairs(labels: tuple[TileLabel, ...], found: list[TileDetection]) -> dict[int, int]:
    """Which label each detection belongs to, one to one, best overlap first."""
    ranked = sorted(
        ((overlap(label.quad_px, d.quad_px), i, k) for i, label in enumerate(labels) for k, d in enumerate(found)), reverse=True
    )
    pairs: dict[int, int] = {}
    for share, i, k in ranked:
        if share >= MIN_OVERLAP and i not in pairs and k not in pairs.values():
            pairs[i] = k
    return pairs


def _length(quad: np.ndarray) -> float:
    return float(np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2


def _corner_error(label: TileLabel, detection: TileDetection) -> float:
    """Mean distance of the corners, whichever half comes first, as a share of the tile's length."""
    turns = (label.quad_px, np.roll(label.quad_px, 2, axis=0))
    return min(float(np.linalg.norm(q - detection.quad_px, axis=1).mean()) for q in turns) / label.length_px


def main() -> None:
    """Render, detect, print a row for each size of tile and one for all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--renderer", choices=RENDERERS, default="shaded", help="quick: what the detector was trained on")
    parser.add_argument("--threads", type=int, default=1)
    a = parser.parse_args()
    detector, whole = Detector(threads=a.threads), Tally()
    by_size = [Tally() for _ in SIZES_PX[1:]]
    for number in range(a.count):
        picture = RENDERERS[a.renderer](whole_table_scene(number))
        found = detector.detect(picture.image, 0.5)
        whole.add(picture, found)
        for tally, low, high in zip(by_size, SIZES_PX, SIZES_PX[1:], strict=False):
            tally.add(picture, found, low, high)
    for tally, low, high in zip(by_size, SIZES_PX, SIZES_PX[1:], strict=False):
        print(f"{low:3.0f} to {min(high, 999):3.0f} px  {tally.row()}")
    print(f"all            {whole.row()}")


if __name__ == "__main__":
    main()
