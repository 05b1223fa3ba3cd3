"""Calibrations on disk: what is written is read back, in the full and the minimal form, and nothing that was changed is believed."""

import json

import numpy as np
import pytest
from seen_table import SIZE, lens, see, table_to_rays

from calibration.corners import load_calibration, load_plane, plane_from_corners, plane_from_form
from calibration.lens import Lens
from calibration.plane import TILE_MM, TablePlane
from calibration.stored import Calibration, calibration_id, calibration_to_form, lens_from_form, lens_to_form, write_form
from rules.errors import BadInput

CORNERS_MM = np.array([[-460.0, -450], [460, -450], [460, 450], [-460, 450]])


def through_a_lens():
    camera = lens((-0.2, 0.05, 0.001, 0, 0))
    return plane_from_corners(see(CORNERS_MM, table_to_rays((3.0, 2.0), 90.0), camera), SIZE, (920.0, 900.0), lens=camera)


def mirrored():
    return TablePlane(np.array([[-1.0, 0, 640], [0, -1, 480], [0, 0, 1]]) @ np.eye(3), SIZE, (1000.0, 800.0), 0.31)


def by_tiles(tile_mm=TILE_MM):
    return TablePlane(np.array([[1.0, 0, -640], [0, -1, 480], [0, 0, 1]]), SIZE, None, 1.2, tile_mm=tile_mm)


@pytest.mark.parametrize("plane", [through_a_lens(), mirrored(), by_tiles(), by_tiles((40.0, 20.5))])
def test_what_is_written_is_read_back(tmp_path, plane):
    """Plane, lens, error, method and reference picture come back, the numbers exactly, and with them the same hash."""
    reference = np.full((480, 640, 3), (40, 90, 200), np.uint8)
    written = Calibration(plane, "tags", reference)
    write_form(tmp_path / "deep" / "c.json", calibration_to_form(written))
    read = load_calibration(tmp_path / "deep" / "c.json")
    points = np.random.default_rng(0).uniform(0, 900, (40, 2))
    assert np.array_equal(read.plane.px_to_mm(points), plane.px_to_mm(points))
    assert (read.method, read.plane.table_mm, read.plane.rms_mm) == ("tags", plane.table_mm, plane.rms_mm)
    assert read.plane.tile_mm == plane.tile_mm
    assert read.plane.is_mirrored == plane.is_mirrored and read.plane.turned_deg == plane.turned_deg
    assert read.reference is not None and np.abs(read.reference.astype(int) - reference).max() < 6
    assert [f.name for f in (tmp_path / "deep").iterdir()] == ["c.json"]
    bare = Calibration(plane, "tags")
    assert calibration_id(bare) == calibration_to_form(bare)["sha256"] != calibration_id(written)


def test_the_full_form_holds_the_minimal_one(tmp_path):
    """What reads four corners alone finds the same table in a full calibration without a lens."""
    plane = plane_from_form(
        {"image_size": [960, 720], "table_mm": [920, 900], "corners_px": [[150, 690], [810, 692], [805, 40], [160, 35]]}
    )
    again = plane_from_form(calibration_to_form(Calibration(plane, "corners")))
    spots = np.array([[400.0, 300.0], [700.0, 600.0]])
    assert np.allclose(again.px_to_mm(spots), plane.px_to_mm(spots), atol=0.01)


def test_four_corners_with_a_lens(tmp_path):
    """The minimal form may name the lens too; its corners are then taken as the lens shows them."""
    plane = through_a_lens()
    form = calibration_to_form(Calibration(plane, "corners"))
    minimal = {key: form[key] for key in ("image_size", "table_mm", "corners_px", "lens")}
    write_form(tmp_path / "m.json", minimal)
    read = load_plane(tmp_path / "m.json")
    spots = np.random.default_rng(1).uniform(200, 800, (20, 2))
    assert np.abs(read.px_to_mm(spots) - plane.px_to_mm(spots)).max() < 0.02


def test_a_mirrored_plane_has_its_seats_right():
    """In a picture that shows the table as a mirror does, with east to the left, the seat at the left is the east one."""
    plane = mirrored()
    assert plane.is_mirrored and plane.turned_deg == 0.0
    assert plane.rim_side(*plane.px_to_mm(np.array([[150.0, 480.0]]))[0]) == 1
    assert not by_tiles().is_mirrored


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"rms_mm": 0.0}, "changed by hand"),
        ({"schema": 2}, "schema 1, found 2"),
        ({"sha256": "00"}, "changed by hand"),
        ({"method": None}, "changed by hand"),
    ],
)
def test_a_changed_calibration_is_refused(tmp_path, change, says):
    """Any field that was changed, and any other schema, is refused in one line."""
    file = tmp_path / "c.json"
    write_form(file, {**calibration_to_form(Calibration(mirrored(), "tags")), **change})
    with pytest.raises(BadInput, match=says) as error:
        load_calibration(file)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("homography", [[1, 0, 0], [0, 1, 0]]),
        ("homography", [[1, 0, 0], [0, 1, 0], [0, 1, 0]]),
        ("homography", [[1, 0, 0], [0, "1", 0], [0, 0, 1]]),
        ("homography", None),
        ("method", "guess"),
        ("method", None),
        ("table_mm", [0, 5]),
        ("table_mm", 5),
        ("image_size", [0, 5]),
        ("lens", {"camera_matrix": 1}),
        ("rms_mm", None),
        ("reference_jpeg", "AAAA"),
        ("reference_jpeg", "é"),
        ("reference_jpeg", ""),
        ("reference_jpeg", 7),
    ],
)
def test_fields_of_the_wrong_kind_are_one_line(tmp_path, field, value):
    """Whatever stands in a field, with a hash that fits, a broken calibration is BadInput in one line."""
    from calibration import stored

    form = {**calibration_to_form(Calibration(mirrored(), "tags")), field: value}
    form["sha256"] = stored._digest({key: v for key, v in form.items() if key != "sha256"})
    (tmp_path / "c.json").write_text(json.dumps(form))
    with pytest.raises(BadInput, match="expected") as error:
        load_calibration(tmp_path / "c.json")
    assert "\n" not in str(error.value)


def test_a_field_that_is_missing_is_named(tmp_path):
    """A calibration without a lens field says so."""
    form = calibration_to_form(Calibration(mirrored(), "tags"))
    del form["lens"]
    (tmp_path / "c.json").write_text(json.dumps(form))
    with pytest.raises(BadInput, match="found no lens"):
        load_calibration(tmp_path / "c.json")


def test_a_lens_on_disk():
    """A lens comes back as it was; a broken one is BadInput."""
    camera = lens((-0.2, 0.05, 0.001, 0, 0))
    again = lens_from_form(json.loads(json.dumps(lens_to_form(camera))), "lens")
    assert np.array_equal(again.camera_matrix, camera.camera_matrix) and np.array_equal(again.distortion, camera.distortion)
    for broken in (
        None,
        [],
        {**lens_to_form(camera), "distortion": [1]},
        {**lens_to_form(camera), "camera_matrix": np.zeros((3, 3)).tolist()},
    ):
        with pytest.raises(BadInput, match="expected"):
            lens_from_form(broken, "lens")


def test_a_file_that_cannot_be_written(tmp_path):
    """A folder in the place of the file is BadInput."""
    with pytest.raises(BadInput, match="expected to write"):
        write_form(tmp_path, {})


def test_an_unknown_method_is_a_mistake_of_the_program():
    """Only the known methods make a calibration."""
    with pytest.raises(ValueError, match="method"):
        Calibration(mirrored(), "luck")


def test_after_a_move_the_plane_follows():
    """What the camera shows elsewhere after a move is at the same millimetres, through a lens too, and the seats stay where they are."""
    camera = lens((-0.2, 0.05, 0, 0, 0))
    before, after = table_to_rays((3.0, 2.0)), table_to_rays((4.0, 1.0), 178.0)
    plane = plane_from_corners(see(CORNERS_MM, before, camera), SIZE, (920.0, 900.0), lens=camera)
    spots = np.stack(np.meshgrid(np.linspace(-400, 400, 6), np.linspace(-400, 400, 6)), axis=-1).reshape(-1, 2)
    moved = plane.moved(see(spots, before, camera), see(spots, after, camera))
    assert np.abs(moved.px_to_mm(see(spots, after, camera)) - spots).max() < 0.05
    assert moved.table_mm == plane.table_mm and isinstance(moved.lens, Lens)
    with pytest.raises(ValueError, match="one line"):
        plane.moved(np.array([[0.0, 0], [1, 1], [2, 2], [3, 3]]), np.array([[0.0, 0], [1, 1], [2, 2], [3, 3]]))
