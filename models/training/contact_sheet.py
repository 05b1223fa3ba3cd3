"""A sheet of rendered scenes to look at: `python -m models.training.contact_sheet SHEET.png`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from models.training.compositor import Rendered, render
from models.training.dataset import MIN_VISIBLE
from models.training.scene import Scene
from models.training.variety import random_scene
from vision.drawing import COLOURS


def labelled(picture: Rendered) -> np.ndarray:
    """The picture with the outlines that the localiser learns; a dot marks half 0."""
    image = picture.image.copy()
    for label in picture.labels:
        if label.visible >= MIN_VISIBLE:
            cv2.polylines(image, [np.round(label.quad_px).astype(np.int32)], True, COLOURS[label.state], 1, cv2.LINE_AA)
            x, y = (label.quad_px[0] + label.quad_px[3]) / 2
            cv2.circle(image, (int(x), int(y)), 2, (0, 0, 255), -1)
    return image


def sheet(
    first_seed: int, count: int, columns: int, size_px: int, labels: bool, draw: Callable[[Scene], Rendered] = render
) -> np.ndarray:
    """count scenes in rows of `columns`, BGR uint8. draw: the renderer."""
    pictures = [draw(random_scene(first_seed + k, (size_px, size_px), (17.0, 135.0))) for k in range(count)]
    tiles = [labelled(p) if labels else p.image for p in pictures]
    tiles += [np.zeros_like(tiles[0])] * (-count % columns)
    return np.vstack([np.hstack(tiles[k : k + columns]) for k in range(0, len(tiles), columns)])


def main() -> None:
    """Parse the arguments and write the sheet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=24)
    parser.add_argument("--columns", type=int, default=6)
    parser.add_argument("--size", type=int, default=320)
    parser.add_argument("--labels", action="store_true", help="draw the labels")
    parser.add_argument("--shaded", action="store_true", help="draw with the shaded renderer")
    a = parser.parse_args()
    cv2.imwrite(str(a.out), sheet(a.first_seed, a.count, a.columns, a.size, a.labels, _shaded() if a.shaded else render))


def _shaded() -> Callable[[Scene], Rendered]:
    from models.training import shaded  # needs EGL, which the quick renderer does without

    return shaded.render


if __name__ == "__main__":
    main()
