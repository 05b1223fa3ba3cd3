"""The table plane from four corners and from the tiles themselves."""

import json
from dataclasses import replace

import numpy as np
import pytest
from laid_tiles import IMAGE_SIZE, overhead_plane, quad_mm, random_table
from seen_table import SIZE, lens, see, table_to_rays

from calibration.corners import load_plane, plane_from_form
from calibration.plane import TILE_MM, TablePlane
from calibration.tiles import plane_from_tiles, tile_sizes_mm, tiles_off_mm
from rules.errors import BadInput

GOOD = {"image_size": [960, 720], "table_mm": [920.0, 900.0], "corners_px": [[150, 690], [810, 692], [805, 40], [160, 35]]}


def write(tmp_path, content):
    path = tmp_path / "corners.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_corners_land_on_the_table_s_corners(tmp_path):
    """SW, SE, NE, NW of the picture become the table's corners, origin in the centre, x east and y north."""
    plane = load_plane(write(tmp_path, GOOD))
    corners = plane.px_to_mm(np.array(GOOD["corners_px"]))
    assert np.allclose(corners, [[-460, -450], [460, -450], [460, 450], [-460, 450]], atol=1e-3)
    assert plane.knows_seats and plane.image_size == (960, 720)


def test_there_and_back(tmp_path):
    """Pixels to millimetres to pixels gives the pixels again, for none, one and many points."""
    plane = load_plane(write(tmp_path, GOOD))
    points = np.random.default_rng(0).uniform(0, 700, (50, 2))
    assert np.allclose(plane.mm_to_px(plane.px_to_mm(points)), points, atol=1e-6)
    assert plane.px_to_mm(np.zeros((0, 2))).shape == (0, 2)


def test_nearest_rim_names_the_seat():
    """A point belongs to the seat on the nearest side: 0 south, 1 east, 2 north, 3 west."""
    plane = plane_from_form(GOOD)
    assert [plane.rim_side(*p) for p in ((10, -400), (400, 30), (-50, 410), (-420, 0))] == [0, 1, 2, 3]
    assert TablePlane(np.eye(3), (10, 10)).rim_side(0, 0) is None


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "JSON"),
        ("{", "JSON"),
        ("[" * 100_000, "JSON"),
        ([1, 2], "found list"),
        ({**GOOD, "corners_px": None}, "4 points"),
        ({"image_size": [9, 9]}, "found no table_mm, corners_px"),
        ({**GOOD, "image_size": [960]}, "2 finite numbers"),
        ({**GOOD, "image_size": [960, True]}, "2 finite numbers"),
        ({**GOOD, "image_size": [0, 720]}, "above 0"),
        ({**GOOD, "table_mm": [920, -1]}, "above 0"),
        ({**GOOD, "table_mm": ["920", 920]}, "2 finite numbers"),
        ({**GOOD, "corners_px": GOOD["corners_px"][:3]}, "4 points"),
        ({**GOOD, "corners_px": [*GOOD["corners_px"][:3], [1, 2, 3]]}, "2 finite numbers"),
        ({**GOOD, "corners_px": [*GOOD["corners_px"][:3], [1, float("nan")]]}, "2 finite numbers"),
        ({**GOOD, "corners_px": [[0, 0], [10, 10], [20, 20], [30, 30]]}, "convex"),
        ({**GOOD, "corners_px": [GOOD["corners_px"][i] for i in (0, 2, 1, 3)]}, "convex"),
        ({**GOOD, "corners_px": GOOD["corners_px"][::-1]}, "mirrored"),
        ({**GOOD, "corners_px": [[960 - x, y] for x, y in GOOD["corners_px"]]}, "mirrored"),
    ],
)
def test_a_broken_calibration_is_one_line(tmp_path, content, says):
    """Every way of being broken is BadInput in one line that says what was found; a mirrored picture is named as such."""
    with pytest.raises(BadInput, match=says) as error:
        load_plane(write(tmp_path, content))
    assert "\n" not in str(error.value)


def test_a_missing_or_binary_file_is_one_line(tmp_path):
    """No file, a folder and bytes that are no text are BadInput too."""
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path / "none.json", tmp_path, tmp_path / "bytes.json"):
        with pytest.raises(BadInput, match="expected"):
            load_plane(path)


@pytest.mark.parametrize("quarter_turns", range(4))
def test_a_turned_camera_is_right_as_marked(quarter_turns):
    """Corners marked on a picture turned by quarters still put the south rim at the south."""
    corners = np.array([[-1.0, 1], [1, 1], [1, -1], [-1, -1]]) * 300
    turn = np.array([[0, -1], [1, 0]])
    turned = corners @ np.linalg.matrix_power(turn, quarter_turns).T + 400
    plane = plane_from_form({"image_size": [800, 800], "table_mm": [900, 900], "corners_px": turned.tolist()})
    south = (turned[0] + turned[1]) / 2
    assert plane.rim_side(*plane.px_to_mm(south[None])[0]) == 0


def test_pictures_of_another_size():
    """A picture of the same shape is scaled to; one of another shape is refused."""
    plane = plane_from_form(GOOD)
    half = plane.for_image((480, 360))
    assert np.allclose(half.px_to_mm(np.array([[100.0, 50.0]])), plane.px_to_mm(np.array([[200.0, 100.0]])))
    assert plane.for_image((960, 720)) is plane
    with pytest.raises(BadInput, match="960x720, found 720x960"):
        plane.for_image((720, 960))


@pytest.mark.parametrize("tilt", [0.0, 2.0, 5.0])
@pytest.mark.parametrize("noise", [0.0, 0.03])
def test_tiles_give_the_plane(tilt, noise):
    """Tiles seen by a turned and tilted camera come out as tiles, and their distances as on the table within 3 %."""
    rng = np.random.default_rng(4)
    camera = overhead_plane(30.0, tilt)
    tiles = np.array([quad_mm(t) for t in random_table(5, 20).laid])
    seen = camera.mm_to_px((tiles + rng.normal(0, noise * TILE_MM[0], tiles.shape)).reshape(-1, 2)).reshape(-1, 4, 2)
    plane = plane_from_tiles(seen, IMAGE_SIZE)
    centres = plane.px_to_mm(camera.mm_to_px(tiles.reshape(-1, 2))).reshape(-1, 4, 2).mean(axis=1)
    truth = tiles.mean(axis=1)
    found_mm = np.linalg.norm(centres - centres[0], axis=1)[1:]
    true_mm = np.linalg.norm(truth - truth[0], axis=1)[1:]
    assert np.all(np.abs(found_mm / true_mm - 1) < (0.01 if noise == 0 else 0.03))
    assert not plane.knows_seats and plane.rms_mm < (0.3 if noise == 0 else 3.0)


def test_one_tile_gives_the_scale():
    """A single tile with corner errors gives its scale and does not bend the table: the picture stays near a similarity."""
    rng = np.random.default_rng(1)
    quad = overhead_plane().mm_to_px(quad_mm(random_table(1, 1).laid[0]) + rng.normal(0, 0.03 * TILE_MM[0], (4, 2)))
    plane = plane_from_tiles(quad[None], IMAGE_SIZE)
    width, height = IMAGE_SIZE
    top, bottom = plane.px_to_mm(np.array([[0, 0], [width, 0], [0, height], [width, height]])).reshape(2, 2, 2)
    assert all(abs(np.linalg.norm(side[1] - side[0]) / width - 1) < 0.15 for side in (top, bottom))


def test_north_is_up_in_the_picture():
    """Without a calibration y grows towards the top of the picture."""
    quad = overhead_plane().mm_to_px(quad_mm(random_table(1, 1).laid[0]))
    plane = plane_from_tiles(quad[None], IMAGE_SIZE)
    low, high = plane.px_to_mm(np.array([[640, 700], [640, 200]]))
    assert high[1] > low[1]


def test_something_that_is_no_tile_does_not_bend_the_table():
    """One square thing among fifteen tiles leaves the scale right within 2 %."""
    camera = overhead_plane()
    tiles = [quad_mm(t) for t in random_table(9, 15).laid]
    square = np.array([[300.0, 300], [380, 300], [380, 220], [300, 220]])
    seen = np.array([camera.mm_to_px(q) for q in [*tiles, square]])
    plane = plane_from_tiles(seen, IMAGE_SIZE)
    quads = plane.px_to_mm(seen[:-1].reshape(-1, 2)).reshape(-1, 4, 2)
    lengths = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
    assert np.allclose(lengths, TILE_MM[0], rtol=0.02)


def heap(rng, count):
    """Tiles anyhow: corners in millimetres, every angle, some on top of others."""
    spots, angles = rng.uniform(-300, 300, (count, 2)), rng.uniform(0, 2 * np.pi, count)
    turns = np.array([[np.cos(angles), -np.sin(angles)], [np.sin(angles), np.cos(angles)]]).transpose(2, 0, 1)
    box = np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]) * np.array(TILE_MM) / 2
    return spots[:, None] + box @ turns.transpose(0, 2, 1)


@pytest.mark.parametrize("seed", range(6))
def test_a_heap_gives_the_plane(seed):
    """Twenty-eight tiles anyhow, corners 3 % off and a quarter of the boxes no tiles at all: scale and lengths right within 2 %."""
    rng = np.random.default_rng(seed)
    camera = overhead_plane(rng.uniform(0, 360), rng.uniform(0, 5))
    tiles = heap(rng, 28)
    boxes = tiles + rng.normal(0, 0.03 * TILE_MM[0], tiles.shape)
    boxes[:7] = boxes[:7].mean(axis=1, keepdims=True) + (boxes[:7] - boxes[:7].mean(axis=1, keepdims=True)) * rng.uniform(
        0.5, 1.7, (7, 1, 2)
    )
    plane = plane_from_tiles(camera.mm_to_px(boxes.reshape(-1, 2)).reshape(-1, 4, 2), IMAGE_SIZE)
    seen = plane.px_to_mm(camera.mm_to_px(tiles.reshape(-1, 2))).reshape(-1, 4, 2)
    lengths = np.linalg.norm(seen[:, 1] - seen[:, 0], axis=1)
    assert lengths.mean() == pytest.approx(TILE_MM[0], rel=0.02) and lengths.std() < 0.02 * TILE_MM[0]


def test_tiles_of_another_size():
    """A small set of 40 x 20 mm gives the scale when its size is told."""
    camera = overhead_plane()
    small = heap(np.random.default_rng(0), 20) * 40 / TILE_MM[0]
    plane = plane_from_tiles(camera.mm_to_px(small.reshape(-1, 2)).reshape(-1, 4, 2), IMAGE_SIZE, (40.0, 20.0))
    seen = plane.px_to_mm(camera.mm_to_px(small.reshape(-1, 2))).reshape(-1, 4, 2)
    assert np.linalg.norm(seen[:, 1] - seen[:, 0], axis=1) == pytest.approx(40.0, rel=0.01)
    assert plane.tile_mm == plane.for_image((640, 480)).tile_mm == (40.0, 20.0)


def test_tiles_are_held_against_those_of_the_set():
    """On the true plane tiles of 40 x 20 mm are off by millimetres where 50.8 mm are expected, and by nothing where their size is told."""
    camera = overhead_plane()
    small = heap(np.random.default_rng(0), 20) * 40 / TILE_MM[0]
    seen = camera.mm_to_px(small.reshape(-1, 2)).reshape(-1, 4, 2)
    assert tiles_off_mm(camera, seen) > 3 > 0.1 > tiles_off_mm(replace(camera, tile_mm=(40.0, 20.0)), seen)


def test_the_minimal_form_may_tell_the_tiles_size():
    """`tile_mm` beside the corners; what is no size is one line."""
    assert plane_from_form({**GOOD, "tile_mm": [45, 22.5]}).tile_mm == (45.0, 22.5)
    assert plane_from_form(GOOD).tile_mm == TILE_MM
    for wrong in ([20, 40], [0, 0], "big", [50.8]):
        with pytest.raises(BadInput, match="tile_mm"):
            plane_from_form({**GOOD, "tile_mm": wrong})


@pytest.mark.parametrize("width", [21.5, 23.5, 27.5])
@pytest.mark.parametrize("tilt", [0.0, 5.0])
def test_a_set_that_is_not_quite_two_to_one(width, tilt):
    """A set of tiles that are narrower or wider than half their length, as many are, does not bend the table: distances are right
    within 0.5 %, and on that plane the tiles are off by less than half a millimetre."""
    camera = overhead_plane(25.0, tilt)
    tiles = heap(np.random.default_rng(3), 24)
    centres = tiles.mean(axis=1, keepdims=True)
    along = tiles[:, [1, 1, 2, 2]] + tiles[:, [2, 2, 1, 1]] - 2 * centres
    across = tiles - centres - along * np.array([-1, 1, 1, -1])[:, None] / 2
    tiles = tiles + across * (width / TILE_MM[1] - 1)
    seen = camera.mm_to_px(tiles.reshape(-1, 2)).reshape(-1, 4, 2)
    plane = plane_from_tiles(seen, IMAGE_SIZE)
    found = plane.px_to_mm(camera.mm_to_px(centres.reshape(-1, 2)))
    apart = np.linalg.norm(centres[1:, 0] - centres[0, 0], axis=1)
    assert np.linalg.norm(found[1:] - found[0], axis=1) == pytest.approx(apart, rel=0.005)
    assert tile_sizes_mm(camera, seen) == pytest.approx(np.array([[TILE_MM[0], width]] * 24), abs=0.05)
    assert tiles_off_mm(plane, seen) < 0.5


def test_corners_that_are_well_seen_are_believed():
    """Eight exact tiles give a camera tilted by what the prior thinks unlikely to a thousandth, for they show that they are exact."""
    camera = overhead_plane(10.0, 6.0)
    tiles = heap(np.random.default_rng(8), 8)
    plane = plane_from_tiles(camera.mm_to_px(tiles.reshape(-1, 2)).reshape(-1, 4, 2), IMAGE_SIZE)
    lengths = tile_sizes_mm(plane, camera.mm_to_px(tiles.reshape(-1, 2)).reshape(-1, 4, 2))[:, 0]
    assert lengths == pytest.approx(TILE_MM[0], rel=0.002) and plane.rms_mm < 0.1


def test_tiles_through_a_lens():
    """Through a barrel lens that is known, distances between tiles are right within 0.3 %; where it is not known they are not."""
    camera = lens((-0.3, 0.08, 0, 0, 0))
    tiles = np.array([quad_mm(t) for t in random_table(5, 24).laid]).reshape(-1, 2)
    seen = see(tiles, table_to_rays((4.0, 2.0), height_mm=1000.0), camera)
    apart = np.linalg.norm(tiles - tiles[0], axis=1)[40:]
    known, blind = (plane_from_tiles(seen.reshape(-1, 4, 2), SIZE, lens=how).px_to_mm(seen) for how in (camera, None))
    off = [np.abs(np.linalg.norm(found - found[0], axis=1)[40:] / apart - 1).max() for found in (known, blind)]
    assert off[0] < 0.003 < off[1]


def test_no_tile_no_plane():
    """Without tiles there is nothing to take the scale from."""
    with pytest.raises(BadInput, match="at least one tile"):
        plane_from_tiles(np.zeros((0, 4, 2)), IMAGE_SIZE)
