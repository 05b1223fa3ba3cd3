"""Worse versions of labelled pictures."""

from __future__ import annotations

import numpy as np
import pytest
from rendered import table_picture

from models.degrade import CHANGES, degrade
from models.scoring import LabelledPicture, Outline
from models.training.scene import SceneTile


@pytest.fixture(scope="module")
def labelled() -> tuple[np.ndarray, LabelledPicture]:
    """Two tiles with their labels and a place to ignore."""
    picture = table_picture(SceneTile((2, 5), -60, 0, 20.0), SceneTile((1, 6), 40, 30, 80.0), tile_px=90)
    tiles = tuple(Outline(label.halves, label.quad_px) for label in picture.labels)
    return picture.image, LabelledPicture("a/1.jpg", tiles, ignore=((0, 0, 100, 50),))


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_a_version_is_made_again_the_same(name: str, labelled: tuple[np.ndarray, LabelledPicture]) -> None:
    """The same picture gives the same version, of the same shape, and it differs from the picture."""
    image, truth = labelled
    (one, _), (two, _) = degrade(name, image.copy(), truth), degrade(name, image.copy(), truth)
    assert one.shape == image.shape
    assert one.dtype == np.uint8
    assert (one == two).all()
    assert np.abs(one.astype(int) - image).mean() > 0.5


@pytest.mark.parametrize("name", sorted(set(CHANGES) - {"tilt"}))
def test_labels_stay_where_nothing_moves(name: str, labelled: tuple[np.ndarray, LabelledPicture]) -> None:
    """All but the tilt leave every tile in its place."""
    image, truth = labelled
    assert degrade(name, image, truth)[1] is truth


def test_tilt_moves_the_labels_along(labelled: tuple[np.ndarray, LabelledPicture]) -> None:
    """In a tilted picture the labelled places show what they showed: bright tiles on dark cloth; the rectangle stays in the picture."""
    image, truth = labelled
    seen, moved = degrade("tilt", image, truth)
    for before, after in zip(truth.tiles, moved.tiles, strict=True):
        x, y = after.quad_px.mean(axis=0).round().astype(int)
        u, v = before.quad_px.mean(axis=0).round().astype(int)
        there = seen[y - 6 : y + 7, x - 6 : x + 7].mean()
        here = image[v - 6 : v + 7, u - 6 : u + 7].mean()
        assert there == pytest.approx(here, rel=0.15)
        assert np.linalg.norm(after.quad_px - before.quad_px, axis=1).max() > 5
    ((x, y, w, h),) = moved.ignore
    assert x >= -1
    assert y >= -1
    assert x + w <= image.shape[1] + 1
    assert y + h <= image.shape[0] + 1


def test_dim_is_dark_and_glare_is_bright(labelled: tuple[np.ndarray, LabelledPicture]) -> None:
    """A dim picture has less than half the grey level, a glare and a shadow change one side only."""
    image, truth = labelled
    assert degrade("dim", image, truth)[0].mean() < 0.5 * image.mean()
    assert degrade("glare", image, truth)[0].mean() > image.mean()
    shadow = degrade("shadow", image, truth)[0].astype(float).mean(axis=2) / np.maximum(image.mean(axis=2), 8)
    assert np.percentile(shadow, 98) > 0.9
    assert np.percentile(shadow, 2) < 0.7


def test_a_picture_without_tiles_has_versions_too() -> None:
    """Lengths then come from the picture's size."""
    image = np.full((60, 80, 3), 120, np.uint8)
    for name in CHANGES:
        assert degrade(name, image, LabelledPicture("x.jpg", ()))[0].shape == image.shape
