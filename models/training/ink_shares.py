"""How much ink labelled halves show of what their picture leads to expect: `python -m models.training.ink_shares LABELS`."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from models.ink import expected_ink, ink_of
from models.labels import read_labels
from models.pictures import read_picture
from models.scoring import LabelledPicture
from vision.detections import TileDetection, TileState


def shares_of(image: np.ndarray, truth: LabelledPicture) -> list[tuple[int, float]]:
    """Of each labelled half of a BGR uint8 picture its number, and its ink over that expected of it, of a blank one over that of one pip;
    nothing where too few halves tell what ink the set has."""
    halves = [
        half
        for tile in truth.tiles
        for half in zip(tile.numbers, ink_of(image, _labelled(tile.quad_px, tile.numbers)), strict=True)
    ]
    expected = expected_ink([(n, ink / np.sqrt(n)) for n, ink in halves if n])
    if expected is None:
        return []
    return [(n, float(ink / (max(expected[n], 1.0) * np.sqrt(max(n, 1))))) for n, ink in halves]


def _labelled(quad_px: np.ndarray, pips: tuple[int, int]) -> TileDetection:
    return TileDetection(np.asarray(quad_px, np.float32), np.eye(7)[list(pips)], TileState.FACE_UP, 1.0)


def main() -> None:
    """Print the poorest halves with pips and the richest blank ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("labels", type=Path)
    labels = parser.parse_args().labels
    shares = [s for truth in read_labels(labels) for s in shares_of(read_picture(labels.parent / truth.image), truth)]
    for name, of, percent in (
        ("with pips", [s for n, s in shares if n], (0, 1, 5, 50)),
        ("blank", [s for n, s in shares if not n], (50, 95, 99, 100)),
    ):
        at = ", ".join(f"{p} %: {np.percentile(of, p):.2f}" for p in percent) if of else "none"
        print(f"{len(of)} halves {name}, share of the ink expected at {at}")


if __name__ == "__main__":
    main()
