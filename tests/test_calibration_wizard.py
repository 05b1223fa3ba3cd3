"""The walk of the calibration wizard without a page: what is found, marked, turned, mirrored and accepted."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from seen_table import SIZE, lens, photograph, see, table_to_rays, tagged_table

from calibration.above import seen_from_above
from calibration.corners import load_calibration
from calibration.plane import TILE_MM
from calibration.tags import find_tags, plane_from_tags
from calibration.tiles import tile_sizes_mm, tiles_off_mm
from calibration.wizard import Wizard

TABLE = (920.0, 880.0)
CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * np.array(TABLE) / 2
GRID = np.stack(np.meshgrid(np.linspace(-440, 440, 6), np.linspace(-420, 420, 6)), axis=-1).reshape(-1, 2)
RAYS = table_to_rays((3.0, -2.0), 8.0)
PLAIN = lens()


def picture(rays=RAYS, camera=PLAIN, **how):
    seen = photograph(tagged_table(TABLE, **how), (-TABLE[0] / 2, -TABLE[1] / 2), 2.0, rays, camera)
    return cv2.cvtColor(seen, cv2.COLOR_GRAY2BGR)


@pytest.fixture(scope="module")
def tagged():
    return picture()


@pytest.fixture(scope="module")
def bare():
    return picture(without=(0, 1, 2, 3))


def tiles(rays=RAYS, camera=PLAIN, count=9):
    """Corners of tiles on the table as a perfect detector gives them."""
    rng = np.random.default_rng(2)
    box = np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]) * np.array(TILE_MM) / 2
    out = []
    for _ in range(count):
        a = rng.uniform(0, 2 * np.pi)
        turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        out.append(see(rng.uniform(-280, 280, 2) + box @ turn.T, rays, camera))
    return np.array(out)


def wizard(shown, tmp_path, quads=None, **known):
    made = Wizard(lambda _: np.zeros((0, 4, 2)) if quads is None else quads, tmp_path / "c.json", **known)
    made.show(shown)
    return made


def corners(rays=RAYS, camera=PLAIN):
    return see(CORNERS, rays, camera).tolist()


def off_mm(tmp_path, rays=RAYS, camera=PLAIN):
    """How far the written plane is off at worst, millimetres."""
    return float(
        np.linalg.norm(load_calibration(tmp_path / "c.json").plane.px_to_mm(see(GRID, rays, camera)) - GRID, axis=1).max()
    )


def test_tags_then_accept(tagged, tmp_path):
    """Automatic finds the tags, lays the virtual tile over a real one, and accepting writes a file that is right within 1 mm."""
    walk = wizard(tagged, tmp_path, tiles(), table_mm=TABLE)
    assert walk.state()["live"] and walk.state()["told_mm"] == TABLE
    state = walk.act({"do": "auto"})
    assert state["method"] == "tags" and state["trouble"] is None and not state["live"] and not state["mirrored"]
    assert state["error"] == {"mm": pytest.approx(0.4, abs=0.4), "by": "tags", "tiles": 9, "poor": False}
    assert state["tile"]["real_mm"] == pytest.approx(TILE_MM, abs=0.4) and len(state["seats"]) == 4
    assert walk.accepted is None
    assert walk.act({"do": "accept"})["written"] == str(tmp_path / "c.json")
    assert off_mm(tmp_path) < 1.0 and load_calibration(tmp_path / "c.json").method == "tags"


def test_nothing_found_then_corners(bare, tmp_path):
    """Where nothing is found, marks appear inside the picture; without tiles the table's size is asked for, and with it all is known."""
    walk = wizard(bare, tmp_path)
    state = walk.act({"do": "auto"})
    assert state["trouble"] == {"key": "nothing_found", "values": {"tiles": 0}} and state["method"] is None
    assert all(0 < x < SIZE[0] and 0 < y < SIZE[1] for x, y in state["marks"])
    assert walk.act({"do": "mark", "corners": corners()})["trouble"]["key"] == "size_needed"
    state = walk.act({"do": "size", "table_mm": list(TABLE)})
    assert state["method"] == "corners" and state["error"] == {"mm": None, "by": None, "tiles": 0, "poor": False}
    walk.act({"do": "accept"})
    assert off_mm(tmp_path) < 0.1


def test_tiles_measure_table_and_error(bare, tmp_path):
    """With tiles on the table its size need not be told, and they say how far marked corners are off."""
    walk = wizard(bare, tmp_path, tiles())
    assert walk.act({"do": "auto"})["method"] == "tiles"
    state = walk.act({"do": "mark", "corners": corners()})
    assert state["table_mm"] == pytest.approx(TABLE, rel=0.01)
    assert state["error"]["by"] == "tiles" and state["error"]["mm"] < 0.3 and not state["error"]["poor"]
    wrong = walk.act({"do": "size", "table_mm": [1050, 1000]})["error"]
    assert wrong["mm"] > 2 and wrong["poor"]


def test_tags_that_were_seen_place_the_marks(tmp_path):
    """Where two of the four tags are covered, the marks of the other two begin at their corners of the table, within 3 pixels."""
    state = wizard(picture(without=(1, 2)), tmp_path).act({"do": "auto"})
    assert state["trouble"] == {"key": "tags_missing", "values": {"tags": "1, 2"}}
    for tag in (0, 3):
        assert np.hypot(*(np.array(state["marks"][tag]) - corners()[tag])) < 3


def test_a_mirrored_picture_must_be_said_to_be(bare, tmp_path):
    """Marks that run clockwise are refused until the picture is said to be mirrored; then east is east in it."""
    walk = wizard(np.ascontiguousarray(bare[:, ::-1]), tmp_path, table_mm=TABLE)
    flipped = [[SIZE[0] - 1 - x, y] for x, y in corners()]
    state = walk.act({"do": "mark", "corners": flipped})
    assert state["trouble"]["key"] == "corners_clockwise" and state["method"] is None
    state = walk.act({"do": "mirror"})
    assert state["mirrored"] and np.allclose(state["marks"], flipped, atol=0.01)
    walk.act({"do": "accept"})
    plane = load_calibration(tmp_path / "c.json").plane
    assert plane.is_mirrored and np.allclose(plane.px_to_mm(np.array(flipped)), CORNERS, atol=0.1)


def test_mirrored_said_of_right_marks_exchanges_east_and_west(bare, tmp_path):
    """Said of marks that ran as they should, east and west change places; said again, they change back."""
    walk = wizard(bare, tmp_path, table_mm=TABLE)
    marks = walk.act({"do": "mark", "corners": corners()})["marks"]
    state = walk.act({"do": "mirror"})
    assert state["mirrored"] and state["marks"] == [marks[1], marks[0], marks[3], marks[2]]
    again = walk.act({"do": "mirror"})
    assert not again["mirrored"] and again["marks"] == marks


def test_a_mirrored_picture_with_tags_is_put_right(tmp_path):
    """From above, the table of a mirrored and turned picture has its tags readable, upright and in their own corners."""
    rays = table_to_rays((2.0, 3.0), 140.0)
    flipped = np.ascontiguousarray(picture(rays)[:, ::-1])
    walk = wizard(flipped, tmp_path, table_mm=TABLE)
    assert walk.act({"do": "auto"})["mirrored"]
    flat = cv2.imdecode(np.frombuffer(walk.from_above(), np.uint8), cv2.IMREAD_COLOR)
    large = seen_from_above(flipped, plane_from_tags(find_tags(flipped), SIZE, TABLE), 1000)
    seen = find_tags(large)
    assert flat.shape[1] == 480 and sorted(seen.quads_px) == [0, 1, 2, 3] and not seen.is_mirrored
    for tag, (east, north) in enumerate([(-1, -1), (1, -1), (1, 1), (-1, 1)]):
        middle = seen.quads_px[tag].mean(axis=0) - (500, large.shape[0] / 2)
        assert np.sign(middle[0]) == east and np.sign(middle[1]) == -north
        assert abs(np.diff(seen.quads_px[tag][:2], axis=0)[0, 1]) < 2


def test_turned_seats(tagged, tmp_path):
    """Turning makes the east side the south, with the table's sides exchanged; four turns are none; a new size keeps the turn."""
    walk = wizard(tagged, tmp_path, table_mm=TABLE)
    first = walk.act({"do": "auto"})
    once = walk.act({"do": "turn"})
    assert once["seats"] == [first["seats"][n] for n in (1, 2, 3, 0)] and once["table_mm"] == TABLE[::-1]
    sized = walk.act({"do": "size", "table_mm": list(TABLE[::-1])})
    assert sized["method"] == "tags" and np.allclose(sized["seats"], once["seats"], atol=0.01)
    walk.act({"do": "live"})
    assert walk.act({"do": "auto"})["table_mm"] == TABLE
    for _ in range(4):
        state = walk.act({"do": "turn"})
    assert np.allclose(state["seats"], first["seats"], atol=0.01)


def test_turned_seats_of_marked_corners(bare, tmp_path):
    """Marked corners turn with their seats: what was the south-east corner is the south-west one."""
    walk = wizard(bare, tmp_path, table_mm=TABLE)
    first = walk.act({"do": "mark", "corners": corners()})
    once = walk.act({"do": "turn"})
    assert once["marks"] == [first["marks"][n] for n in (1, 2, 3, 0)] and once["table_mm"] == TABLE[::-1]
    assert once["seats"] == [first["seats"][n] for n in (1, 2, 3, 0)]
    assert (once["turned_deg"] - first["turned_deg"]) % 360 == pytest.approx(90, abs=2)


def test_the_virtual_tile(tagged, tmp_path):
    """It goes from tile to tile, where it is put and how it is turned, as large as a tile; away from tiles it measures none."""
    walk = wizard(tagged, tmp_path, tiles(count=2), table_mm=TABLE)
    first = np.array(walk.act({"do": "auto"})["tile"]["drawn"])
    second = np.array(walk.act({"do": "next_tile"})["tile"]["drawn"])
    assert np.abs(first - second).max() > 20
    assert np.allclose(walk.act({"do": "next_tile"})["tile"]["drawn"], first, atol=0.05)
    state = walk.act({"do": "tile", "at": [640, 480], "turn": 30})
    drawn = np.array(state["tile"]["drawn"][:4])
    assert np.allclose(drawn.mean(axis=0), (640, 480), atol=0.2)
    plane = plane_from_tags(find_tags(tagged), SIZE, TABLE)
    assert tile_sizes_mm(plane, drawn[None])[0] == pytest.approx(TILE_MM, abs=0.05)
    assert walk.act({"do": "tile", "at": [5, 5]})["tile"]["real_mm"] is None


def test_by_hand_begins_where_the_table_was_found(tagged, tmp_path):
    """Corners to be dragged begin at those that the tags gave, with the size that they measured, so that nothing is lost."""
    walk = wizard(tagged, tmp_path)
    walk.act({"do": "auto"})
    state = walk.act({"do": "by_hand"})
    assert state["method"] == "corners" and np.abs(np.array(state["marks"]) - corners()).max() < 3
    assert state["table_mm"] == pytest.approx(TABLE, rel=0.01)


def test_live_lets_go(tagged, bare, tmp_path):
    """Back at the live picture nothing is found any more, the told size stays, and the next look takes the newest picture."""
    walk = wizard(tagged, tmp_path)
    walk.act({"do": "size", "table_mm": list(TABLE)})
    assert walk.state()["live"]
    walk.act({"do": "auto"})
    walk.show(bare)
    assert walk.act({"do": "next_tile"})["method"] == "tags"
    assert walk.picture() != wizard(bare, tmp_path).picture()
    state = walk.act({"do": "live"})
    assert state["live"] and state["told_mm"] == TABLE and "method" not in state
    assert walk.picture() == wizard(bare, tmp_path).picture()
    assert walk.act({"do": "auto"})["trouble"]["key"] == "nothing_found"


@pytest.mark.parametrize(
    ("form", "key"),
    [
        (None, "other"),
        ([], "other"),
        ({"do": []}, "other"),
        ({"do": "fly"}, "other"),
        ({"do": "mark"}, "other"),
        ({"do": "mark", "corners": [[1, 2], [3, 4], [5, "6"], [7, 8]]}, "other"),
        ({"do": "mark", "corners": [[1, 2]] * 4}, "corners_crossed"),
        ({"do": "mark", "corners": [[1e300, 0], [0, 1e300], [1, 1], [2, 2]]}, "other"),
        ({"do": "size", "table_mm": [920]}, "other"),
        ({"do": "size", "table_mm": [9, 9]}, "size_wrong"),
        ({"do": "tile", "at": "here"}, "other"),
        ({"do": "tile", "turn": float("nan")}, "other"),
        ({"do": "accept"}, None),
    ],
)
def test_wrong_acts_are_told(tagged, tmp_path, form, key):
    """Whatever a page sends, what is wrong with it is in the state, and nothing is raised."""
    walk = wizard(tagged, tmp_path, table_mm=TABLE)
    walk.act({"do": "auto"})
    trouble = walk.act(form)["trouble"]
    assert trouble is None if key is None else trouble["key"] == key


def test_nothing_is_accepted_too_early_or_twice(tagged, tmp_path):
    """Nothing found is nothing to accept; a place that cannot be written is told; once accepted, nothing changes any more."""
    walk = wizard(tagged, tmp_path, table_mm=TABLE)
    assert walk.act({"do": "accept"})["trouble"]["key"] == "nothing_yet"
    assert Wizard(lambda _: tiles(), tmp_path / "x").act({"do": "auto"})["trouble"]["key"] == "other"
    (tmp_path / "c.json").mkdir()
    walk.act({"do": "auto"})
    assert "expected to write" in walk.act({"do": "accept"})["trouble"]["values"]["text"] and walk.accepted is None
    (tmp_path / "c.json").rmdir()
    done = walk.act({"do": "accept"})
    assert walk.act({"do": "turn"})["seats"] == done["seats"] and walk.accepted is not None


def test_through_a_lens(tmp_path):
    """A lens that is known, of another size of picture, is taken into account by tags, marks and the drawn rim alike."""
    camera = lens((-0.25, 0.06, 0, 0, 0))
    walk = wizard(picture(camera=camera), tmp_path, table_mm=TABLE, lens=camera.for_image((640, 480)))
    state = walk.act({"do": "auto"})
    assert state["error"]["mm"] < 1.0
    rim = np.array(state["outline"])
    assert np.abs(rim[0] - corners(camera=camera)[0]).max() < 1.5 and len(rim) == 48
    walk.act({"do": "mark", "corners": corners(camera=camera)})
    walk.act({"do": "accept"})
    assert off_mm(tmp_path, camera=camera) < 0.1


@pytest.mark.parametrize("mirrored", [False, True])
def test_tiles_judge_a_plane(mirrored):
    """Perfect tiles on the right plane are off by nothing, mirrored or not; 5 % too large a table puts them more than a millimetre off."""
    from calibration.corners import plane_from_corners

    rays = table_to_rays((3.0, -2.0), 8.0, mirrored=mirrored)
    quads = tiles(rays)
    seen = quads[:, [1, 0, 3, 2]] if mirrored else quads  # clockwise as seen
    right = plane_from_corners(np.array(corners(rays)), SIZE, TABLE, is_mirrored=mirrored)
    wide = plane_from_corners(np.array(corners(rays)), SIZE, (TABLE[0] * 1.05, TABLE[1]), is_mirrored=mirrored)
    assert tiles_off_mm(right, seen) < 0.1 and tiles_off_mm(wide, seen) > 0.6
    assert tiles_off_mm(right, np.zeros((0, 4, 2))) is None
