"""A whole tile set laid out is checked by the rule that no tile is there twice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from rendered import IVORY, table_picture
from test_scripts_commands import assert_bad_input, miron

from models.adapt import check_set
from models.training.compositor import Rendered, render
from models.training.odd_sets import laid_out, read_right
from models.training.scene import SceneTile
from rules.tiles import ALL_TILES, Tile
from vision.detections import TileDetection, TileState
from vision.identity import GATE

QUAD = np.array([[0, 0], [40, 0], [40, 20], [0, 20]], np.float32)


def lying(tile: Tile, state: TileState = TileState.FACE_UP, **mistaken: float) -> TileDetection:
    """A tile that reads as it is to 0.99 a half; `high5=0.6`: its high half reads as a 5 with 0.6."""
    halves = np.full((2, 7), 0.01 / 6)
    halves[[0, 1], [tile.low, tile.high]] = 0.99
    for name, share in mistaken.items():
        row = 1 if name.startswith("high") else 0
        halves[row] *= 1 - share
        halves[row, int(name[-1])] += share
    return TileDetection(QUAD, halves, state, float(halves.max(axis=1).prod()))


def test_a_set_read_surely_is_whole() -> None:
    """28 different tiles, each sure: nothing missing, nothing doubtful."""
    check = check_set([lying(t) for t in ALL_TILES])
    assert check.is_whole
    assert (check.missing, check.doubtful, check.mixed_up.total()) == ((), (), 0)


def test_a_tile_that_reads_as_another_is_known_by_the_rest() -> None:
    """6-5 reads 5-5, which lies there too: it is 6-5 all the same, doubtful, and a 5 was read where a 6 lies."""
    check = check_set([lying(t, **({"high5": 0.6} if t == Tile(6, 5) else {})) for t in ALL_TILES])
    (odd,) = check.doubtful
    assert (odd.tile, odd.alone) == (Tile(6, 5), Tile(5, 5))
    assert odd.probability > GATE
    assert (check.missing, dict(check.mixed_up), check.is_whole) == ((), {(5, 6): 1}, False)


def test_what_is_not_there_is_named_and_what_lies_otherwise_is_counted() -> None:
    """Without 3-1 and with 2-0 on its face the set lacks those two and one tile lies otherwise."""
    up = [lying(t) for t in ALL_TILES if t not in (Tile(3, 1), Tile(2, 0))]
    check = check_set([*up, lying(Tile(2, 0), TileState.FACE_DOWN)])
    assert check.missing == (Tile(2, 0), Tile(3, 1))
    assert (check.others, check.doubtful, check.is_whole) == (1, (), False)


class Knows:
    """A detector that finds what a picture's labels say, but takes every 6-6 for 6-5 and does not see 1-0."""

    def __init__(self, picture: Rendered) -> None:
        self._picture = picture

    def detect(self, image: np.ndarray, min_confidence: float) -> list[TileDetection]:
        tiles = [(Tile.of(*label.halves), label.quad_px) for label in self._picture.labels]
        seen = [
            (lying(tile, **({"low5": 0.9} if tile == Tile(6, 6) else {})), quad) for tile, quad in tiles if tile != Tile(1, 0)
        ]
        return [replace(one, quad_px=quad) for one, quad in seen]


def test_odd_sets_are_counted_alone_and_with_the_rule() -> None:
    """Of 28 tiles 27 are found; 6-6 taken for 6-5 is wrong alone and right by the rule, for 6-5 lies there too."""
    picture = render(laid_out(IVORY, 7))
    assert read_right(Knows(picture), picture) == (28, 27, 26, 27)


@pytest.fixture(scope="module")
def photographs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole ivory set, one tile alone, an empty table."""
    folder = tmp_path_factory.mktemp("sets")
    for name, image in (
        ("whole", render(laid_out(IVORY, 7)).image),
        ("one", table_picture(SceneTile((2, 5), 0, 0, 30.0), tile_px=80).image),
        ("none", table_picture().image),
    ):
        cv2.imwrite(str(folder / f"{name}.png"), image)
    return folder


def test_adapt_says_whether_a_set_can_be_read(photographs: Path, tmp_path: Path) -> None:
    """A whole set: exit 0 and a drawn picture. One tile: exit 1, with the other 27 named. None: one line of bad input."""
    whole = miron("adapt", photographs / "whole.png", "--draw", tmp_path / "drawn.png")
    assert (whole.returncode, whole.stderr) == (0, ""), whole.stdout
    assert "28 tiles face up of 28, 28 read beyond doubt" in whole.stdout
    assert cv2.imread(str(tmp_path / "drawn.png")) is not None
    one = miron("adapt", photographs / "one.png")
    assert one.returncode == 1
    (missing,) = (line for line in one.stdout.splitlines() if line.startswith("not found: "))
    assert set(missing.removeprefix("not found: ").split()) == {str(t) for t in ALL_TILES} - {"5-2"}
    assert_bad_input(miron("adapt", photographs / "none.png"), "none.png")
