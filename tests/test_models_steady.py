"""A steady camera's pictures, read again only where they changed, against the same pictures read as a whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from rendered import table_picture

from models.detector import Box, Detector
from models.steady import EVERYTHING, OFTEN, SteadyDetector
from models.training.scene import SceneTile
from models.verifier import Claim
from table.faults_light import with_gamma

LENGTH = 60.0
ROW = [SceneTile((k, 6), -210 + 84.0 * k, 120.0, 90.0) for k in range(6)]
NEW = SceneTile((5, 2), 30.0, -110.0, 20.0)


class Spying(Detector):
    """Remembers the boxes that it was asked for; None for the whole picture."""

    def __init__(self) -> None:
        super().__init__(threads=1, tile_px=0.7 * LENGTH)
        self.asked: list[Sequence[Box] | None] = []

    def claims(
        self, image: np.ndarray, boxes: Sequence[Box] | None = None, is_wanted: Callable[[np.ndarray], bool] = lambda middle: True
    ) -> list[Claim]:
        self.asked.append(boxes)
        return super().claims(image, boxes, is_wanted)


@pytest.fixture()
def spying() -> Spying:
    return Spying()


def shown(*tiles: SceneTile, seed: int = 0) -> np.ndarray:
    """A picture of tiles on a plain table, with noise of its own."""
    image = table_picture(*tiles, tile_px=LENGTH, size_px=(800, 600)).image
    noise = np.random.default_rng(seed).normal(0, 3, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def assert_reads(steady: SteadyDetector, image: np.ndarray, count: int) -> None:
    """So many faces are surely there, the same as a look at everything finds, within 3 px."""
    got, whole = (sorted(one.detect(image, 0.5), key=lambda tile: (tile.pips, tile.centre_px[0])) for one in (steady, Spying()))
    assert [tile.pips for tile in got] == [tile.pips for tile in whole] and len(got) == count
    assert max(np.abs(one.quad_px - other.quad_px).max() for one, other in zip(got, whole, strict=True)) < 3


def often(steady: SteadyDetector) -> None:
    """Enough looks for all to be known well."""
    for k in range(OFTEN):
        steady.detect(shown(*ROW, seed=k))


def test_a_new_tile_is_read_and_the_others_are_known(spying: Spying) -> None:
    """What is found is what a look at everything finds; the networks saw less than a quarter of the picture."""
    steady = SteadyDetector(spying, LENGTH)
    often(steady)
    after = shown(*ROW, NEW, seed=9)
    assert_reads(steady, after, 7)
    boxes = spying.asked[-1]
    assert boxes is not None and 0 < sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in boxes) < 800 * 600 / 4


def test_a_tile_that_is_taken_or_moved_is_not_seen_where_it_lay(spying: Spying) -> None:
    """One tile gone, one pushed by half a tile: as a look at everything sees it."""
    steady = SteadyDetector(spying, LENGTH)
    often(steady)
    pushed = SceneTile(ROW[4].halves, ROW[4].x_mm, ROW[4].y_mm - 30, 90.0)
    after = shown(*ROW[1:4], pushed, ROW[5], seed=9)
    assert_reads(steady, after, 5)
    assert spying.asked[-1] is not None


def test_each_tile_is_read_some_times_though_nothing_changes(spying: Spying) -> None:
    """New tiles are read in the looks after too, then no more; after some looks everything is looked at again."""
    steady = SteadyDetector(spying, LENGTH)
    for k in range(EVERYTHING + 1):
        steady.detect(shown(*ROW, seed=k))
    assert spying.asked[0] is None and spying.asked[-1] is None
    assert OFTEN <= len(spying.asked) < EVERYTHING


def test_other_light_is_another_picture(spying: Spying) -> None:
    """An exposure that steps, or a picture of another size, is read as a whole."""
    steady = SteadyDetector(spying, LENGTH)
    often(steady)
    for image in (with_gamma(shown(*ROW), 0.6), shown(*ROW)[:500]):
        steady.detect(image)
        assert spying.asked[-1] is None


def test_without_the_length_of_a_tile_everything_is_read(spying: Spying) -> None:
    """A part of a picture does not tell how large tiles are."""
    steady = SteadyDetector(spying)
    for k in range(2):
        steady.detect(shown(*ROW, seed=k))
    assert spying.asked == [None, None]
