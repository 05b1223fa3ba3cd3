"""The shaded renderer: the same labels as the quick one, edges and pips where the labels say, shadows, reflections, visible shares."""

from __future__ import annotations

import os
import warnings
from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.reader import CANONICAL, crop_tile
from models.training import compositor, shaded, shaded_stage
from models.training.contact_sheet import sheet
from models.training.scene import Arm, Camera, Light, Prop, Scene, SceneTile, Sensor, Table, TileSetStyle, top_quad_px
from models.training.shaded_bench import Tally, whole_table_scene
from models.training.shaded_ground import ground_mm
from models.training.variety import random_scene
from rules.errors import BadInput
from vision.detections import TileDetection, TileState

CLEAN = Sensor(noise=0.0, blur_px=0.0, jpeg=100)
BLACK = Table("plain", (0.003,) * 3, (0.003,) * 3)
ROOM = Light(shadow=0.0)
# All white is the upper face: what lies under it is black.
LID = TileSetStyle(body=(0.9,) * 3, lower_body=(0.003,) * 3, seam=0.02, bevel=0.01, groove=0.0, gloss=0.0, divider="none")


@pytest.fixture(autouse=True, scope="module")
def egl() -> None:
    """Everything here draws; without EGL it is skipped, except where the whole is tested."""
    try:
        shaded_stage.stage(os.getpid())
    except BadInput as error:
        if os.environ.get("CI") == "true":
            pytest.fail(str(error))
        pytest.skip(str(error))


def grey(scene: Scene) -> np.ndarray:
    return cv2.cvtColor(shaded.render(scene).image, cv2.COLOR_BGR2GRAY).astype(float)


def test_same_seed_same_picture() -> None:
    """A scene comes again from its seed, to the byte, also after other scenes and sizes."""
    one = shaded.render(random_scene(77, (256, 192), (20, 90)))
    shaded.render(random_scene(78, (128, 160), (20, 90)))
    two = shaded.render(random_scene(77, (256, 192), (20, 90)))
    assert np.array_equal(one.image, two.image)
    assert all(np.array_equal(a.quad_px, b.quad_px) for a, b in zip(one.labels, two.labels, strict=True))


def test_both_renderers_give_the_same_labels() -> None:
    """Over random scenes: the same tiles, corners to 0.5 px; where no arm is over them, visible shares to a tenth in nearly all."""
    off = []
    for seed in range(12):
        scene = random_scene(seed, (320, 240), (25, 90))
        one, two = shaded.render(scene).labels, compositor.render(scene).labels
        assert [(a.halves, a.state) for a in one] == [(b.halves, b.state) for b in two]
        assert all(np.abs(a.quad_px - b.quad_px).max() < 0.5 for a, b in zip(one, two, strict=True))
        off += [abs(a.visible - b.visible) for a, b in zip(one, two, strict=True) if not scene.arms]
    assert len(off) > 50
    assert np.mean(np.array(off) < 0.1) > 0.9


def _edge_along(picture: np.ndarray, inside: np.ndarray, outside: np.ndarray) -> float:
    """Where brightness falls through the half on the way from inside to outside, 0 to 1."""
    ways = np.linspace(0, 1, 81)
    x, y = (inside[k] + (outside[k] - inside[k]) * ways for k in (0, 1))
    line = cv2.remap(picture.astype(np.float32), x[None].astype(np.float32), y[None].astype(np.float32), cv2.INTER_LINEAR)[0]
    half = (line[0] + line[-1]) / 2
    k = int(np.argmax(line < half))
    return float(ways[k - 1] + (line[k - 1] - half) / (line[k - 1] - line[k]) * (ways[1] - ways[0]))


@pytest.mark.parametrize("angle", [0.0, 33.0, 118.0])
@pytest.mark.parametrize(("tilt", "k1", "stretch"), [(0.0, 0.0, 1.0), (0.0, -0.14, 1.2), (40.0, 0.05, 1.0)])
def test_edges_are_drawn_where_the_label_says(angle: float, tilt: float, k1: float, stretch: float) -> None:
    """In the middle of each side of a label the drawn edge is within 0.6 px, in the middle and off it, through tilt and lens."""
    tiles = (SceneTile((0, 0), 0, 0, angle), SceneTile((0, 0), 90, 60, angle))
    camera = Camera((640, 480), 0.5, tilt_deg=tilt, azimuth_deg=20.0, k1=k1, stretch=stretch)
    scene = Scene(1, LID, tiles, camera, ROOM, BLACK, CLEAN)
    picture = (grey(scene) / 255) ** scene.sensor.gamma
    for tile in tiles:
        quad = top_quad_px(tile, scene)
        for k in range(4):
            middle, centre = (quad[k] + quad[(k + 1) % 4]) / 2, quad.mean(axis=0)
            reach = 8 / np.linalg.norm(middle - centre)
            inside, outside = middle + (centre - middle) * reach, middle - (centre - middle) * reach
            assert abs(_edge_along(picture, inside, outside) - 0.5) * 16 < 0.6


def test_half_0_and_the_diagonal_are_where_the_quick_renderer_draws_them() -> None:
    """Rectified faces of both renderers agree pip by pip, mirrored sets too."""
    for halves, mirrored in (((1, 6), False), ((3, 2), False), ((3, 2), True), ((5, 4), True)):
        style = TileSetStyle(mirrored=mirrored, gloss=0.0, pip_depth=0.2)
        scene = Scene(1, style, (SceneTile(halves, 10, -20, 130.0),), Camera((640, 480), 0.35), ROOM, BLACK, CLEAN)
        dark = []
        for render in (shaded.render, compositor.render):
            picture = render(scene)
            crop = cv2.cvtColor(crop_tile(picture.image, picture.labels[0].quad_px), cv2.COLOR_BGR2GRAY)
            (x0, y0), (x1, y1) = CANONICAL[0].astype(int), CANONICAL[2].astype(int)
            dark.append(crop[y0 + 3 : y1 - 3, x0 + 3 : x1 - 3] < 100)
        assert (dark[0] & dark[1]).sum() > 0.8 * (dark[0] | dark[1]).sum()


@pytest.mark.parametrize("upright", [False, True])
def test_a_standing_tile_shows_its_pips_to_the_side_it_faces(upright: bool) -> None:
    """Seen from its right a standing tile shows as many spots as its numbers say; from its left none."""
    tile = SceneTile((2, 5), 0, 0, 0.0, TileState.STANDING, upright=upright)
    style = TileSetStyle(divider="none", gloss=0.0, pip_depth=0.1)
    for azimuth, spots in ((0.0, 7), (180.0, 0)):
        camera = Camera((640, 480), 0.25, tilt_deg=55.0, azimuth_deg=azimuth)
        picture = grey(Scene(1, style, (tile,), camera, ROOM, replace(BLACK, colour=(0.5,) * 3, second=(0.5,) * 3), CLEAN))
        count, _, stats, _ = cv2.connectedComponentsWithStats((picture < 95).astype(np.uint8))
        assert sum(30 < s[cv2.CC_STAT_AREA] < 3000 for s in stats[1:count]) == spots


@pytest.mark.parametrize("upright", [False, True])
def test_standing_two_tone_tile_shows_its_seam_from_above(upright: bool) -> None:
    """The upper side has the colour of the back on one side of the seam, that of the face on the other, at the seam's place."""
    style = TileSetStyle(body=(0.9,) * 3, lower_body=(0.02, 0.02, 0.5), seam=0.4, groove=0.0, gloss=0.0)
    tile = SceneTile((2, 5), 0, 0, 120.0, TileState.STANDING, upright=upright)
    picture = shaded.render(Scene(1, style, (tile,), Camera((640, 480), 0.25), ROOM, sensor=CLEAN))
    square = np.array([[0, 0], [60, 0], [60, 50], [0, 50]], np.float32)
    matrix = cv2.getPerspectiveTransform(picture.labels[0].quad_px, square)
    white = cv2.warpPerspective(picture.image, matrix, (60, 50))[..., 1] > 110
    assert not white[8:26, 10:50].any()
    assert white[34:42, 10:50].all()


def test_visible_share_is_what_others_leave() -> None:
    """A tile alone shows whole; under another one, or half outside the picture, it shows as much as is left."""
    alone, under, over, cut = (
        SceneTile((3, 4), x, y, 0.0, z_mm=z) for x, y, z in ((-80, 60, 0), (0, 0, 0), (25.4, 0, 10.2), (154.7, -60, 0))
    )
    scene = Scene(1, TileSetStyle(thickness=0.4), (alone, under, over, cut), Camera((640, 480), 0.5), ROOM, BLACK, CLEAN)
    shares = [label.visible for label in shaded.render(scene).labels]
    assert shares == pytest.approx([1.0, 0.5, 1.0, 0.5], abs=0.07)


def test_an_arm_hides_what_lies_under_it_and_casts_a_shadow() -> None:
    """The tile under the hand loses its share; the table at the arm's side away from the lamp is darker than without it."""
    tiles = (SceneTile((3, 4), 0, 0, 0.0), SceneTile((3, 4), -110, 80, 0.0))
    light = Light((-0.5, 0.0, 0.87), shadow=0.7, softness_mm=3.0)
    table = Table("plain", (0.5,) * 3, (0.5,) * 3)
    arm = Arm((0.0, -500.0), (0.0, 90.0), 60.0)
    scene = Scene(1, TileSetStyle(), tiles, Camera((640, 480), 0.5), light, table, CLEAN)
    with_arm = replace(scene, arms=(arm,))
    shares = [label.visible for label in shaded.render(with_arm).labels]
    assert shares[0] < 0.4 and shares[1] > 0.95
    bare, shadowed = grey(scene), grey(with_arm)
    right, left = (slice(330, 420), slice(405, 425)), (slice(330, 420), slice(200, 225))
    assert shadowed[right].mean() < 0.8 * bare[right].mean()
    assert shadowed[left].mean() > 0.9 * bare[left].mean()


def _profile(softness_mm: float, share: float) -> np.ndarray:
    """Brightness of the table behind a standing tile, on a line from it away from the lamp."""
    tile = SceneTile((0, 0), 0, 0, 90.0, TileState.STANDING)
    light = Light((-0.6, 0.0, 0.8), shadow=share, softness_mm=softness_mm)
    scene = Scene(1, TileSetStyle(), (tile,), Camera((640, 480), 0.2), light, Table("plain", (0.4,) * 3, (0.4,) * 3), CLEAN)
    return grey(scene)[230:250, 380:560].mean(axis=0)


def test_shadows_fall_away_from_the_lamp_as_deep_and_soft_as_the_light_says() -> None:
    """Behind a standing tile the table is dark up to the shadow's end; a larger lamp blurs that end; no lamp, no shadow."""
    hard, soft, none = _profile(1.0, 0.7), _profile(20.0, 0.7), _profile(1.0, 0.0)
    end = 320 + (5 + 25.4 * 0.6 / 0.8) / 0.2 - 380  # half the thickness and the height's shadow, 5 px a mm
    assert hard[: int(end) - 15].mean() < 0.75 * hard[int(end) + 15 :].mean()
    assert np.abs(np.diff(hard)).max() > 2.5 * np.abs(np.diff(cv2.blur(soft[None], (5, 1))[0])).max()
    assert none[20:].min() > 0.9 * none.max()


def test_a_lamp_shines_in_polished_tiles() -> None:
    """With glare a black polished tile has bright places that it lacks without."""
    tiles = tuple(SceneTile((0, 0), x, y, 0.0) for x in (-110, -55, 0, 55, 110) for y in (-60, -30, 0, 30, 60))
    style = TileSetStyle(body=(0.02,) * 3, gloss=0.9, divider="none", grain=0.0)
    dull, shining = (
        grey(Scene(4, style, tiles, Camera((640, 480), 0.5), Light(shadow=0.5, glare=glare), BLACK, CLEAN))
        for glare in (0.0, 1.0)
    )
    assert np.percentile(shining, 98) > 1.5 * np.percentile(dull, 98)


def test_dice_stand_on_the_table_and_are_no_tiles() -> None:
    """A die changes the picture where it lies, casts a shadow beside it, and has no label."""
    light = Light((-0.6, 0.0, 0.8), shadow=0.7, softness_mm=2.0)
    bare = Scene(1, TileSetStyle(), (), Camera((320, 240), 0.5), light, Table("plain", (0.4,) * 3, (0.4,) * 3), CLEAN)
    picture = shaded.render(replace(bare, props=(Prop("die", 0, 0, 0.0, 24.0, 3),)))
    changed = grey(replace(bare, props=(Prop("die", 0, 0, 0.0, 24.0, 3),))) - grey(bare)
    assert np.abs(changed[100:140, 140:180]).mean() > 10
    assert changed[112:128, 188:200].mean() < -15
    assert picture.labels == ()


def test_each_pixel_knows_its_place_on_the_table() -> None:
    """The table's places project back to their pixels, through tilt, turn, lens and squeeze."""
    camera = Camera((64, 48), 5.0, tilt_deg=30, azimuth_deg=70, roll_deg=25, centre_mm=(20.0, -30.0), k1=-0.1, stretch=1.2)
    at = ground_mm(camera).reshape(-1, 2).astype(float)
    ys, xs = np.mgrid[0:48, 0:64]
    back = camera.project(np.column_stack([at, np.zeros(len(at))]))
    assert np.allclose(back, np.column_stack([xs.ravel(), ys.ravel()]), atol=0.02)


def test_contact_sheet_of_shaded_scenes() -> None:
    """A sheet is as large as its pictures together, whichever renderer drew them."""
    assert sheet(0, 2, 2, 96, True, shaded.render).shape == (96, 192, 3)


def test_missing_egl_is_one_clear_line(monkeypatch) -> None:
    """Without EGL the message says what to install."""

    def fails(**_: object) -> None:
        raise Exception("libEGL.so not found")

    monkeypatch.setattr(shaded_stage.moderngl, "create_context", fails)
    with pytest.raises(BadInput, match="libegl1"):
        shaded_stage.Stage()


def _found(quad: np.ndarray, halves: tuple[int, int] | None, state: TileState) -> TileDetection:
    numbers = np.full((2, 7), 1 / 7)
    if halves:
        numbers = np.eye(7)[list(halves)] * 0.93 + 0.01
    return TileDetection(quad, numbers, state, 0.9)


def test_bench_counts_what_is_found_missed_and_invented() -> None:
    """Of two face-up tiles one is read and one is missed, a third is invented: precision and recall are a half; corners as given."""
    scene = Scene(1, TileSetStyle(), (), Camera((640, 480), 0.5), ROOM, BLACK, CLEAN)
    tiles = (SceneTile((1, 2), 0, 0, 0.0), SceneTile((3, 4), 60, 60, 0.0), SceneTile((3, 4), -60, 60, 0.0, TileState.STANDING))
    picture = shaded.render(replace(scene, tiles=tiles))
    quads = [label.quad_px for label in picture.labels]
    found = [
        _found(quads[0] + np.array([3, 0], np.float32), (1, 2), TileState.FACE_UP),
        _found(quads[0] + np.array([100, 100], np.float32), (5, 5), TileState.FACE_UP),
        _found(quads[2], None, TileState.STANDING),
    ]
    tally = Tally()
    tally.add(picture, found)
    assert (tally.precision, tally.recall, tally.standing_recall) == (0.5, 0.5, 1.0)
    assert tally.corner_errors == pytest.approx([3 / picture.labels[0].length_px])


def test_bench_scenes_are_whole_tables_and_come_again() -> None:
    """A scene of the bench has standing tiles and tiles of a line, and is described by its number."""
    scene = whole_table_scene(3)
    assert scene == whole_table_scene(3)
    assert {TileState.STANDING, TileState.FACE_UP} <= {t.state for t in scene.tiles}


def test_no_pixel_is_undefined_or_endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Polished tiles, logos face down in the very middle, a hard low lamp that glares: each pixel is finite and not below 0."""
    seen: list[np.ndarray] = []
    monkeypatch.setattr(shaded, "_veil", lambda canvas: seen.append(canvas) or canvas)
    style = TileSetStyle(back="logo", gloss=1.0, bevel=0.12, pin=0.07, lower_body=(0.02, 0.02, 0.5))
    states = (TileState.FACE_DOWN, TileState.FACE_UP, TileState.STANDING)
    tiles = tuple(SceneTile((0, 6), 70.0 * k, 0.0, 0.0, state) for k, state in zip((0, -1, 1), states, strict=True))
    light = Light((0.93, 0.0, 0.36), softness_mm=0.0, shadow=0.95, glare=1.0)
    scene = Scene(
        1, style, tiles, Camera((321, 241), 1.0, tilt_deg=60.0), light, Table("marble", gloss=0.6), Sensor(exposure=3.5)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shaded.render(scene)
    assert np.isfinite(seen[0]).all()
    assert 0 <= seen[0].min() < 1 < seen[0].max() <= 1000
