"""The ink on a half against what the reader took it for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from rendered import IVORY, table_picture

from models.ink import MANY, ink_of, weighed
from models.scoring import LabelledPicture, Outline
from models.training.compositor import Rendered
from models.training.ink_shares import shares_of
from models.training.scene import SceneTile, TileSetStyle
from vision.detections import TileDetection, TileState

TILES = ((0, 2), (0, 1), (3, 6), (4, 5), (2, 6))


def picture(style: TileSetStyle = IVORY, tiles: tuple[tuple[int, int], ...] = TILES) -> Rendered:
    """A row of tiles of 45 px."""
    lying = (SceneTile(one, -140 + 70.0 * k, 0, 90.0) for k, one in enumerate(tiles))
    return table_picture(*lying, tile_px=45, style=style)


def read_as(shown: Rendered, *numbers: tuple[int, int], sure: float = 0.97) -> list[TileDetection]:
    """The tiles of a picture, read as these numbers (the halves as the labels have them)."""
    tiles = []
    for label, read in zip(shown.labels, numbers, strict=True):
        halves = np.full((2, 7), (1 - sure) / 6)
        halves[0, read[0]] = halves[1, read[1]] = sure
        tiles.append(TileDetection(label.quad_px.astype(np.float32), halves, TileState.FACE_UP, 0.98 * sure**2))
    return tiles


def judged(shown: Rendered, tiles: list[TileDetection]) -> list[TileDetection]:
    return weighed(tiles, [ink_of(shown.image, tile) for tile in tiles])


@pytest.mark.parametrize("wear", [0.0, 0.9])
def test_pips_without_ink_are_not_believed(wear: float) -> None:
    """A blank half read as two pips, or as one, surely, is blank or in doubt, on a worn set too; the half with pips stays as it is."""
    shown = picture(replace(IVORY, wear=wear))
    for tile, now in zip(TILES[:2], judged(shown, read_as(shown, (2, 2), (1, 1), *TILES[2:])), strict=False):
        assert now.pips == tile or now.confidence < 0.7
        assert now.halves[:, 0].max() > 0.3 and now.halves[:, tile[1]].max() > 0.95


def test_a_blank_with_ink_is_not_believed() -> None:
    """A half with six pips read as blank is in doubt."""
    shown = picture()
    assert judged(shown, read_as(shown, *TILES[:2], (3, 0), *TILES[3:]))[2].halves[:, 0].max() < 0.9


def test_right_readings_stay_as_sure_as_they_were() -> None:
    """Nothing is taken from what the ink agrees with, and the half with the lower number comes first."""
    shown = picture()
    tiles = read_as(shown, *TILES)
    for before, now in zip(tiles, judged(shown, tiles), strict=True):
        assert now.pips == before.pips and now.confidence >= before.confidence - 1e-6


def test_a_number_in_a_faint_colour_of_its_own_is_believed() -> None:
    """A set may have a colour for each number: pips that are faint on three halves are that number's."""
    body = np.array(IVORY.body)
    faint = tuple(body * 0.8)
    style = replace(IVORY, pip_colours=tuple(faint if n == 3 else (0.03, 0.03, 0.03) for n in range(7)))
    shown = picture(style, ((3, 4), (3, 5), (3, 6), (1, 3), (5, 6)))
    tiles = read_as(shown, (3, 4), (3, 5), (3, 6), (1, 3), (5, 6))
    assert [now.pips for now in judged(shown, tiles)] == [tile.pips for tile in tiles]


def test_too_few_halves_tell_nothing() -> None:
    """With fewer than four halves with pips nothing is known of the set's ink."""
    shown = picture(tiles=((0, 2), (0, 1)))
    tiles = read_as(shown, (2, 2), (0, 1))
    assert MANY > 3 and judged(shown, tiles) == tiles


def test_shares_of_labelled_halves_are_near_what_is_expected() -> None:
    """Of a rendered row of tiles, halves with pips show about the ink that the picture leads to expect, the blank ones little."""
    shown = picture()
    quads = [label.quad_px for label in shown.labels]
    truth = LabelledPicture("row", tuple(Outline(one, quad) for one, quad in zip(TILES, quads, strict=True)))
    shares = shares_of(shown.image, truth)
    assert [n for n, _ in shares] == [n for one in TILES for n in one]
    assert all(0.8 < share < 1.25 if n else share < 0.4 for n, share in shares)
    assert shares_of(shown.image, replace(truth, tiles=truth.tiles[:1])) == []
