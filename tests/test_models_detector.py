"""The shipped detector on pictures that the repository renders."""

from __future__ import annotations

import hashlib
import json

import cv2
import numpy as np
import pytest
from rendered import table_picture

from calibration.plane import TablePlane
from models.detector import WEIGHTS, Detector, tile_length_px
from models.localiser import Proposals, box_quads, concatenate, intersection, suppress
from models.training.dataset import overlap
from models.training.scene import SceneTile
from rules.errors import BadInput
from rules.tiles import Tile
from vision.detections import TileState

LINE = (
    SceneTile((6, 4), -76, 0, 2.0),
    SceneTile((4, 4), -38, 0, 91.0),
    SceneTile((4, 1), 1, 0, -2.0),
    SceneTile((1, 0), 53, 1, 1.0),
)


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector()


@pytest.mark.parametrize("tile_px", [25, 40, 64, 110, 190])
def test_reads_a_line_at_any_size_without_being_told_the_scale(detector: Detector, tile_px: int) -> None:
    """The four tiles of a line are read, each in its place, from 25 to 190 px long in one size of picture."""
    picture = table_picture(*LINE, tile_px=tile_px, size_px=(960, 720))
    found = detector.detect(picture.image, 0.5)
    assert sorted(str(d.tile) for d in found if d.tile) == ["1-0", "4-1", "4-4", "6-4"]
    for label in picture.labels:
        assert max(overlap(label.quad_px, d.quad_px) for d in found) > 0.75


@pytest.mark.parametrize("tile_px", [40, 64, 110])
def test_a_known_length_of_the_tiles_is_enough(tile_px: int) -> None:
    """With the length told, a fifth too long or too short, one size of the picture gives the same four tiles."""
    picture = table_picture(*LINE, tile_px=tile_px, size_px=(960, 720))
    for told in (0.85 * tile_px, 1.15 * tile_px):
        found = Detector(tile_px=told).detect(picture.image, 0.5)
        assert sorted(str(d.tile) for d in found if d.tile) == ["1-0", "4-1", "4-4", "6-4"]


@pytest.mark.parametrize(("tile_px", "sides"), [(40, [320, 640, 1280]), (90, [320, 640]), (300, [320, 640, 160])])
def test_only_sizes_that_may_find_more_are_looked_at(detector: Detector, monkeypatch, tile_px: int, sides: list[int]) -> None:
    """Of a picture of 960 px: a larger size where tiles are small, a smaller one where they are large, two sizes else."""
    picture, looked, propose = table_picture(*LINE, tile_px=tile_px, size_px=(960, 720)), [], detector._localiser.propose
    monkeypatch.setattr(
        detector._localiser, "propose", lambda image, side, score: looked.append(side) or propose(image, side, score)
    )
    detector.detect(picture.image)
    assert looked == sides


def test_the_calibration_tells_the_length_of_a_tile() -> None:
    """On a table of 1.27 m over 1280 px a tile is 51.2 px long; seen so aslant that near and far ones differ by a half, nothing is told."""
    above = np.diag([1.27 / 1.28, -1.27 / 1.28, 1.0])
    above[:2, 2] = [-635.0, 476.25]
    assert tile_length_px(TablePlane(above, (1280, 960))) == pytest.approx(51.2)
    aslant = above.copy()
    aslant[2, 1] = -0.0007
    assert tile_length_px(TablePlane(aslant, (1280, 960))) is None


def test_reads_a_tile_that_fills_a_large_picture(detector: Detector) -> None:
    """A tile of 400 px in a picture of 4 megapixels is read."""
    picture = table_picture(SceneTile((3, 5), 20, -10, 70.0), tile_px=400, size_px=(2400, 1800))
    assert [d.tile for d in detector.detect(picture.image, 0.5)] == [Tile(5, 3)]


def test_low_half_comes_first_and_heading_is_right(detector: Detector) -> None:
    """Half 0 of a detection is the lower number, and it lies where the lower number lies."""
    for angle in range(0, 360, 40):
        picture = table_picture(SceneTile((1, 5), 0, 0, float(angle)), tile_px=80)
        (found,) = detector.detect(picture.image, 0.5)
        assert found.pips == (1, 5)
        truth = picture.labels[0].quad_px
        assert np.linalg.norm(found.quad_px - truth, axis=1).mean() < 0.06 * 80


def test_face_down_and_standing_are_told_apart(detector: Detector) -> None:
    """A tile on its face and tiles on their sides are found as such, never as a number."""
    down = SceneTile((2, 5), 0, 0, 10.0, TileState.FACE_DOWN)
    stand = SceneTile((2, 5), 30, 50, 70.0, TileState.STANDING)
    found = detector.detect(table_picture(down, stand, tile_px=40).image, 0.5)
    assert sorted(d.state for d in found) == [TileState.FACE_DOWN, TileState.STANDING]
    assert all(d.tile is None for d in found)


@pytest.mark.parametrize("value", [0, 90, 255])
def test_a_blank_picture_has_no_tiles(detector: Detector, value: int) -> None:
    """Nothing is found in a picture of one grey, whatever its shape."""
    for shape in ((480, 640, 3), (33, 900, 3), (8, 8, 3)):
        assert detector.detect(np.full(shape, value, np.uint8), 0.3) == []


def test_an_empty_table_has_no_tiles(detector: Detector) -> None:
    """Nothing is found on cloth without tiles."""
    assert detector.detect(table_picture(size_px=(960, 720)).image, 0.3) == []


def test_weights_are_those_of_the_card() -> None:
    """The hashes in weights.json and in the card are those of the files, and each file is under 15 MB."""
    about = json.loads((WEIGHTS / "weights.json").read_text())
    card = (WEIGHTS.parent / "cards" / "detector.md").read_text()
    for name, digest in about["sha256"].items():
        data = (WEIGHTS / name).read_bytes()
        assert hashlib.sha256(data).hexdigest() == digest
        assert digest in card
        assert len(data) < 15e6


def test_missing_weights_are_one_clear_line(tmp_path) -> None:
    """A folder without weights is bad input, not a traceback."""
    with pytest.raises(BadInput, match="expected trained weights"):
        Detector(tmp_path)


def test_broken_weights_are_one_clear_line(tmp_path) -> None:
    """A network file that does not load is bad input."""
    (tmp_path / "weights.json").write_text('{"kind_temperature": 1, "half_temperature": 1}')
    (tmp_path / "localiser.onnx").write_bytes(b"no network")
    with pytest.raises(BadInput, match="restore models/weights"):
        Detector(tmp_path)


def test_boxes_become_clockwise_quads_with_the_long_side_first() -> None:
    """Whatever the angle, corner 0 to 1 is the long side and the corners go clockwise as seen."""
    boxes = np.array([[50, 40, 30, 15, a] for a in np.linspace(-1.5, 3, 12)] + [[50, 40, 15, 30, 0.4]])
    for quad in box_quads(boxes):
        assert np.linalg.norm(quad[1] - quad[0]) == pytest.approx(30, rel=1e-3)
        assert cv2.contourArea(quad, oriented=True) == pytest.approx(450, rel=1e-3)


def test_suppression_keeps_the_best_of_what_overlaps() -> None:
    """Of two boxes in one place the one with the higher score stays; a neighbour is not touched."""
    quads = box_quads(np.array([[50, 50, 40, 20, 0.0], [52, 50, 40, 20, 0.0], [95, 50, 40, 20, 0.0]]))
    kept = suppress(Proposals(quads, np.array([0.5, 0.9, 0.3], np.float32), np.full(3, 40, np.float32)), 0.5, limit=10)
    assert kept.scores.tolist() == pytest.approx([0.9, 0.3])
    assert intersection(quads[0], quads[2]) == 0.0
    assert len(concatenate([])) == 0
