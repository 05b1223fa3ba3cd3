"""Rendered scenes: exact labels, the same picture from the same seed."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.reader import CANONICAL, CROP_SIZE, crop_matrix, crop_tile
from models.training.compositor import render
from models.training.cpu import fast_bfloat16
from models.training.dataset import CropSet, crops_of_scene, overlap, target_of
from models.training.faces import PIP_LAYOUT, face_up
from models.training.layouts import board_cell_mm, on_board
from models.training.patterns import cell_boxes, domino_size_mm
from models.training.racks import racks
from models.training.scene import Camera, Light, Prop, Scene, SceneTile, Sensor, Table, TileLabel, TileSetStyle, top_quad_px
from models.training.surfaces import SURFACES
from models.training.variety import HARD_SHARES, TABLE_SHARES, random_scene
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


def _rectified(scene: Scene, size: tuple[int, int]) -> np.ndarray:
    """The upper side of the first tile, back at the top, as BGR of the given width and height."""
    picture = render(scene)
    w, h = size
    square = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    return cv2.warpPerspective(picture.image, cv2.getPerspectiveTransform(picture.labels[0].quad_px, square), size)


@pytest.mark.parametrize("upright", [False, True])
@pytest.mark.parametrize("angle", [0.0, 120.0])
def test_standing_two_tone_tile_shows_its_seam_from_above(upright: bool, angle: float) -> None:
    """The upper side has the colour of the back on one side of the seam, that of the face on the other, at the seam's place."""
    style = TileSetStyle(body=(0.9, 0.9, 0.9), lower_body=(0.02, 0.02, 0.5), seam=0.4, groove=0.0, gloss=0.0)
    tile = SceneTile((2, 5), 0, 0, angle, TileState.STANDING, upright=upright)
    top = _rectified(Scene(1, style, (tile,), Camera((640, 480), 0.25), Light(shadow=0.0), sensor=CLEAN), (60, 50)).astype(int)
    white = top[..., 1] > 110
    assert not white[8:26, 10:50].any()  # the back's share, 0.6 of the thickness
    assert white[34:42, 10:50].all()


def test_seam_runs_around_a_two_tone_tile_that_lies() -> None:
    """Seen obliquely, the side of a tile that lies face up has two colours, the face's over the back's."""
    style = TileSetStyle(body=(0.9, 0.9, 0.9), lower_body=(0.02, 0.02, 0.5), thickness=0.5, groove=0.0, gloss=0.0)
    scene = Scene(
        1, style, (SceneTile((0, 0), 0, 0, 0.0),), Camera((640, 480), 0.2, tilt_deg=45), Light(shadow=0.0), sensor=CLEAN
    )
    picture = render(scene)
    x, y = picture.labels[0].quad_px[2:].mean(axis=0).astype(int)  # middle of the near upper edge
    column = picture.image[y + 2 : y + 45, x].astype(int)
    red = column[:, 2] - column[:, 1] > 60
    assert not red[:16].any()
    assert red[28:38].all()


def test_leaning_tile_is_labelled_where_its_upper_side_is() -> None:
    """A tile that leans has its upper side off by that much, away from its face."""
    straight, leaning = (
        top_quad_px(SceneTile((1, 2), 0, 0, 0.0, TileState.STANDING, lean_mm=lean), scene_of()).mean(axis=0)
        for lean in (0.0, 5.0)
    )
    assert leaning[0] == pytest.approx(straight[0], abs=0.1)
    assert 9 < straight[1] - leaning[1] < 12  # 2 px a millimetre, a little more up there


def test_racks_stand_on_all_four_sides_with_faces_to_the_players() -> None:
    """Over some seeds every side of the table has its row, and the faces look away from the middle in nearly all of them."""
    sides, outward = set(), []
    for seed in range(12):
        for tile in racks(np.random.default_rng(seed), TileSetStyle(), (400.0, 300.0)):
            assert tile.state is TileState.STANDING
            face = np.radians(tile.angle_deg - 90)
            outward.append(np.array([np.cos(face), np.sin(face)]) @ (tile.x_mm, tile.y_mm) > 0)
            sides.add(round(tile.angle_deg / 90) % 4)
    assert sides == {0, 1, 2, 3}
    assert np.mean(outward) > 0.85


def test_tiles_on_a_board_fill_two_of_its_cells() -> None:
    """No two tiles of a board game share a cell, and every one lies along the lines."""
    style = TileSetStyle()
    cell = board_cell_mm(style)
    for seed in range(8):
        tiles = on_board(np.random.default_rng(seed), style, (300.0, 300.0))
        taken = []
        for t in tiles:
            u = np.array([np.cos(np.radians(t.angle_deg)), np.sin(np.radians(t.angle_deg))]) * cell / 2
            middle = np.array([t.x_mm, t.y_mm])
            taken += [tuple(np.floor(p / cell).astype(int)) for p in (middle - u, middle + u)]
        assert len(taken) == len(set(taken)) > 0


def test_boxes_of_cells_fit_the_printed_dominoes() -> None:
    """A box over a page of printed dominoes lies on one of them: in the middle of a period, as long and as wide as printed."""
    table = Table("dominoes", scale_mm=60.0, seed=8)
    length, width, along, across = domino_size_mm(table)
    for centre, angle, box_length, box_width in cell_boxes(table, np.array([200.0, 150.0]), np.random.default_rng(0), 20):
        assert (angle, box_length, box_width) == (0.0, length, width)
        off = centre / (along, across) - np.floor(centre / (along, across)) - 0.5
        assert (np.abs(off * (along, across)) < 0.2 * width).all()


def test_every_surface_has_its_shares() -> None:
    """Each kind of surface is drawn, gives a finite colour everywhere, and has a share in both kinds of scenes."""
    assert set(TABLE_SHARES) == set(HARD_SHARES) == set(SURFACES)
    x, y = np.meshgrid(np.linspace(-100, 100, 64, dtype=np.float32), np.linspace(-80, 80, 48, dtype=np.float32))
    for kind, paint in SURFACES.items():
        colour = paint(x, y, np.random.default_rng(3), Table(kind, seed=3))
        assert colour.shape == (48, 64, 3)
        assert np.isfinite(colour).all()
        assert kind in ("plain", "marble") or colour.std() > 0.01


@pytest.mark.parametrize("kind", ["page", "keys", "tray", "dice"])
def test_things_are_drawn_where_they_lie(kind: str) -> None:
    """A thing changes the picture around its place and leaves the far corner as it was, and it is no tile."""
    plain, thing = (
        render(Scene(1, TileSetStyle(), (), Camera((320, 240), 1.0), sensor=CLEAN, props=props))
        for props in ((), (Prop(kind, -60, 40, 30.0, 60.0, 4),))
    )
    changed = np.abs(plain.image.astype(int) - thing.image).sum(axis=2) > 20
    assert changed[50:110, 70:130].mean() > 0.1
    assert not changed[180:, 240:].any()
    assert thing.labels == ()


def test_hard_scenes_are_often_without_tiles() -> None:
    """About a quarter of the scenes of what is taken for tiles have none; of the others, some."""
    bare = [sum(not random_scene(seed, (64, 64), (20, 40), hard).tiles for seed in range(120)) for hard in (True, False)]
    assert 15 < bare[0] < 50
    assert 1 < bare[1] < 25


def test_bfloat16_is_used_only_where_the_processor_has_it(tmp_path) -> None:
    """The flags of the processor decide; without a list of them the answer is no."""
    (tmp_path / "new").write_text("processor : 0\nflags\t\t: fpu avx2 avx512_bf16 amx_tile\n")
    (tmp_path / "old").write_text("processor : 0\nflags\t\t: fpu avx2 fma\n")
    assert [fast_bfloat16(str(tmp_path / name)) for name in ("new", "old", "none")] == [True, False, False]


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


def test_one_colour_of_a_standing_tile_is_corrected_to_the_whole() -> None:
    """A box around one strip of a standing tile asks for the whole upper side; one over half its length is no tile."""
    quad = np.array([[0, 0], [80, 0], [80, 30], [0, 30]], np.float32) + 50
    label = TileLabel(quad, (2, 5), TileState.STANDING, 1.0)
    strip = target_of(quad * [1, 0] + [[0, 50], [0, 50], [0, 65], [0, 65]], (label,))
    assert strip is not None and strip.kind == 2
    assert np.allclose(strip.corners.reshape(4, 2)[:2], 0, atol=1e-5)  # the upper edge is right
    assert np.allclose(strip.corners.reshape(4, 2)[2:], [0, 0.5], atol=1e-5)  # the lower one a strip's width off
    half = target_of(np.array([[0, 0], [40, 0], [40, 30], [0, 30]], np.float32) + 50, (label,))
    assert half is not None and half.kind == 3


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
