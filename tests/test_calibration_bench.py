"""What `miron bench calibration` measures with: its pictures show what they say, and its figures are those of a plane."""

import numpy as np
import pytest

from calibration.plane import TablePlane
from calibration.tags import find_tags, plane_from_tags
from scripts.bench_calibration import CORNERS_MM, TABLE_MM, by_tiles, photograph, worst_mm

SIZE = (640, 480)


@pytest.fixture(scope="module")
def heap():
    return photograph("heap", SIZE, 12.0, 3)


def test_the_rendered_table_lies_where_it_is_said_to(heap):
    """All of the table is in the picture, and its printed tags are found within half a millimetre of where they were laid."""
    picture, truth = heap
    corners = truth.mm_to_px(CORNERS_MM)
    assert picture.shape == (480, 640, 3) and np.all((corners > 0) & (corners < SIZE))
    plane = plane_from_tags(find_tags(picture), SIZE, TABLE_MM)
    assert worst_mm(plane, truth) < 0.5 and worst_mm(truth, truth) < 1e-6


def test_a_plane_that_is_too_large_is_told_by_its_scale(heap):
    """Tiles 3 % larger than they should be give a scale that is 3 % off, and a shape that is right."""
    _, truth = heap
    flat = TablePlane(np.array([[1.0, 0, -320], [0, -1, 240], [0, 0, 1]]), SIZE, TABLE_MM)
    box = np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]) * (25.4, 12.7) * 1.03
    turns = [np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) for a in np.linspace(0, 3, 12)]
    spots = np.random.default_rng(0).uniform(-250, 250, (12, 2))
    quads = np.array([flat.mm_to_px(spot + box @ turn.T) for spot, turn in zip(spots, turns, strict=True)])
    figures = by_tiles(quads, flat)
    assert figures["scale, % off"] == pytest.approx(3.0, abs=0.1) and figures["shape, worst mm"] < 0.5
    assert by_tiles(quads[:2], truth) == {}
