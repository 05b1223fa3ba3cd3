"""What lies dark on each half of a tile, held against the other tiles of the picture: one set has one ink.

A half with n pips differs from its own ground by about sqrt(n) times what a half with one pip does; how nearly, on real photographs, is
in the card (`python -m models.training.ink_shares`). Scratches on a worn blank half, which a network may take for pips, show far less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from models.reader import CANONICAL, crop_tile
from vision.detections import TileDetection

Ink = tuple[float, float]  # of half 0 and half 1, levels of a colour

BORDER_PX = 4  # of a half in the crop: its edge and the divider are left out
MANY = 4  # halves with pips that tell what ink a set has; fewer tell nothing
ALIKE = 3  # halves of one number whose ink is known by themselves: a set may have a colour for each number
FAINT = 0.43  # share of the ink expected of a number below which its pips are not there
BLANK = 0.75  # share of a pip's ink above which a half is not blank
STEEP = 0.03  # how fast either is believed
LEAST = 0.0005  # ink alone leaves so much of a number
SURE = 0.5  # confidence of a tile that tells of the set's ink


def ink_of(image: np.ndarray, tile: TileDetection) -> Ink:
    """How far the pixels of each half are from the half's own ground, root of the mean square, in a BGR uint8 picture."""
    crop = crop_tile(image, tile.quad_px).astype(np.float32)
    (x0, y0), side = CANONICAL[0].astype(int) + BORDER_PX, int(CANONICAL[2, 1] - CANONICAL[0, 1]) - 2 * BORDER_PX
    halves = (crop[y0 : y0 + side, x : x + side].reshape(-1, 3) for x in (x0, x0 + side + 2 * BORDER_PX))
    first, second = (np.abs(half - np.median(half, axis=0)).max(axis=1) for half in halves)
    return float(np.sqrt((first**2).mean())), float(np.sqrt((second**2).mean()))


def weighed(tiles: Sequence[TileDetection], inks: Sequence[Ink | None]) -> list[TileDetection]:
    """The tiles of one picture, their numbers weighed by what ink there is on each half; inks: None where it is not known."""
    known = [k for k, ink in enumerate(inks) if ink is not None and tiles[k].pips is not None]
    telling = [
        (n, ink / np.sqrt(n))
        for k in known
        if tiles[k].confidence >= SURE
        for n, ink in zip(tiles[k].pips or (), inks[k] or (), strict=True)
        if n
    ]
    expected = expected_ink(telling)
    if expected is None:
        return list(tiles)
    out = list(tiles)
    for k in known:
        out[k] = _weighed(tiles[k], np.array(inks[k]), expected)
    return out


def expected_ink(telling: Sequence[tuple[int, float]]) -> np.ndarray | None:
    """What a half of a picture's set shows for each number, over the root of the number (7; for none that of one); None where too few tell.

    telling: the number on a half that has pips, and its ink over the root of that.
    """
    if len(telling) < MANY:
        return None
    usual = float(np.median([ink for _, ink in telling]))
    by_number = [[ink for m, ink in telling if m == n] for n in range(7)]
    return np.array([min(usual, float(np.median(own))) if len(own) >= ALIKE else usual for own in by_number])


def _weighed(tile: TileDetection, ink: np.ndarray, expected: np.ndarray) -> TileDetection:
    """expected: as `expected_ink` gives it."""
    many = np.maximum(np.arange(7), 1)
    share = ink[:, None] / (np.maximum(expected, 1.0) * np.sqrt(many))
    likely = 1 / (1 + np.exp(-np.clip((share - FAINT) / STEEP, -30, 30)))
    likely[:, 0] = 1 / (1 + np.exp(np.clip((share[:, 0] - BLANK) / STEEP, -30, 30)))
    halves = tile.halves * np.maximum(likely, LEAST)
    halves /= halves.sum(axis=1, keepdims=True)
    read, now, quad = tile.halves.max(axis=1).prod(), halves.max(axis=1).prod(), tile.quad_px
    if np.subtract(*halves.argmax(axis=1)) > 0:
        halves, quad = halves[::-1].copy(), np.roll(quad, 2, axis=0)
    return replace(tile, quad_px=quad, halves=halves, confidence=float(tile.confidence * now / read))
