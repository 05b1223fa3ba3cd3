"""Rendered scenes: exact labels, the same picture from the same seed."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.reader import CANONICAL, CROP_SIZE, crop_matrix, crop_tile
from models.training.compositor import render
from models.training.dataset import CropSet, crops_of_scene, overlap, target_of
from models.training.faces import PIP_LAYOUT, face_up
from models.training.scene import Camera, Light, Scene, SceneTile, Sensor, Table, TileLabel, TileSetStyle, top_quad_px
from models.training.variety import random_scene
from vision.detections import TileState

CLEAN = Sensor(noise=0.0, blur_px=0.0, jpeg=100)


def scene_of(*tiles: SceneTile, tilt_deg: float = 0.0) -> Scene:
    """A plain scene: dark table, white tiles, 2 px a millimetre."""
    camera = Camera((640, 480), 0.5, tilt_deg=tilt_deg)
    table = Table("plain", (0.02, 0.02, 0.02), (0.02, 0.02, 0.02))
    return Scene(1, TileSetStyle(), tiles, camera, Light(shadow=0.0), table, CLEAN)


def test_same_seed_same_picture() -> None:
    """A scene comes again from its seed, to the byte, and its labels with it."""
    one, two = (render(random_scene(77, (256, 256), (20, 90))) for _ in range(2))
    assert np.array_equal(one.image, two.image)
    assert len(one.labels) == len(two.labels)
    assert all(np.array_equal(a.quad_px, b.quad_px) for a, b in zip(one.labels, two.labels, strict=True))


def test_other_seed_other_picture() -> None:
    """Seeds differ in what they show."""
    assert not np.array_equal(
        render(random_scene(1, (128, 128), (20, 60))).image, render(random_scene(2, (128, 128), (20, 60))).image
    )


@pytest.mark.parametrize("angle", [0.0, 33.0, 90.0, 211.0])
def test_label_outlines_the_tile_that_is_drawn(angle: float) -> None:
    """The quad of a label covers the bright pixels of a white tile on a black table, and nothing else."""
    picture = render(scene_of(SceneTile((2, 5), 0, 0, angle)))
    bright = (cv2.cvtColor(picture.image, cv2.COLOR_BGR2GRAY) > 100).astype(np.uint8)
    mask = np.zeros_like(bright)
    cv2.fillPoly(mask, [np.round(picture.labels[0].quad_px).astype(np.int32)], 1)
    outside = (bright & ~cv2.dilate(mask, np.ones((3, 3), np.uint8))).sum()
    assert outside < 0.03 * mask.sum()  # the sides, seen a little
    assert (bright & mask).sum() > 0.75 * mask.sum()  # all but the pips and the bar


def test_half_0_is_where_the_label_says() -> None:
    """Counting the dark pips in each half of the rectified tile gives the label's halves in the label's order."""
    for halves in ((1, 6), (6, 1), (0, 3)):
        picture = render(scene_of(SceneTile(halves, 10, -20, 130.0)))
        crop = cv2.cvtColor(crop_tile(picture.image, picture.labels[0].quad_px), cv2.COLOR_BGR2GRAY)
        (x0, y0), (x1, y1) = CANONICAL[0].astype(int), CANONICAL[2].astype(int)
        middle = (x0 + x1) // 2
        dark = [(crop[y0 + 3 : y1 - 3, a:b] < 90).sum() for a, b in ((x0 + 3, middle - 4), (middle + 4, x1 - 3))]
        assert (dark[0] < dark[1]) == (halves[0] < halves[1])


def test_pips_are_as_many_as_the_number() -> None:
    """Every face has as many pips as its number says."""
    assert {n: len(spots) for n, spots in PIP_LAYOUT.items()} == {n: n for n in range(7)}
    albedo = face_up(TileSetStyle(divider="none"), (0, 6), 64, 0).albedo.sum(axis=2)
    count, _ = cv2.connectedComponents((albedo < 1.0).astype(np.uint8))
    assert count - 1 == 6


def test_hidden_tiles_have_a_small_visible_share() -> None:
    """A tile under another one keeps its label with the share that shows."""
    top = SceneTile((1, 2), 12, 0, 0.0, z_mm=12.0)
    labels = render(scene_of(SceneTile((3, 4), 0, 0, 0.0), top)).labels
    assert labels[0].visible < 0.5
    assert labels[1].visible > 0.95


def test_standing_tile_is_labelled_by_its_upper_side() -> None:
    """From straight above a tile on its long side is as long as a tile and as wide as it is thick."""
    style = TileSetStyle()
    quad = top_quad_px(SceneTile((1, 2), 0, 0, 0.0, TileState.STANDING), scene_of())
    length, width = np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[1])
    assert length / width == pytest.approx(50.8 / style.thickness_mm, rel=0.02)


def test_quads_are_clockwise_as_seen() -> None:
    """Corners go clockwise in the picture, with y down, in every scene."""
    for seed in range(20):
        scene = random_scene(seed, (200, 200), (20, 60))
        for label in render(scene).labels:
            assert cv2.contourArea(label.quad_px, oriented=True) > 0


def test_crop_shows_the_tile_in_its_place() -> None:
    """The homography of a crop takes the quad to the canonical corners."""
    quad = np.array([[100, 50], [180, 70], [170, 110], [90, 90]], np.float32)
    assert np.allclose(cv2.perspectiveTransform(quad[None], crop_matrix(quad))[0], CANONICAL, atol=1e-3)
    assert crop_tile(np.zeros((200, 300, 3), np.uint8), quad).shape == (CROP_SIZE[1], CROP_SIZE[0], 3)


def test_targets_follow_the_proposal_round() -> None:
    """A proposal with its halves swapped asks for the numbers swapped; one that is off by half a tile is no tile."""
    quad = np.array([[0, 0], [80, 0], [80, 40], [0, 40]], np.float32) + 50
    label = TileLabel(quad, (2, 5), TileState.FACE_UP, 1.0)
    straight, turned = target_of(quad, (label,)), target_of(np.roll(quad, 2, axis=0), (label,))
    assert straight is not None and turned is not None
    assert (straight.halves, turned.halves) == ((2, 5), (5, 2))
    assert np.allclose(straight.corners, 0, atol=1e-5)
    off = target_of(quad + np.float32([45, 0]), (label,))
    assert off is not None and off.kind == 3


def test_overlap_of_quads() -> None:
    """Intersection over union: 1 for the same, 1/3 for half of it, 0 apart."""
    quad = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], np.float32)
    assert overlap(quad, quad) == pytest.approx(1.0, abs=1e-3)
    assert overlap(quad, quad + np.float32([5, 0])) == pytest.approx(1 / 3, abs=1e-3)
    assert overlap(quad, quad + 50) == 0.0


def test_crop_set_is_described_by_its_seed() -> None:
    """The crops of a scene come again, with targets of every kind over a few scenes."""
    spec = CropSet(1, 0, size_px=224)
    one, two = crops_of_scene(4, spec), crops_of_scene(4, spec)
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))
    kinds = np.concatenate([crops_of_scene(seed, spec)[1] for seed in range(8)])
    assert {0, 3} <= set(kinds.tolist())
