"""`miron calibrate`: one line and a file, or one line that says why not."""

import cv2
import numpy as np
import pytest
from rendered import table_picture
from seen_table import SIZE, lens, photograph, table_to_rays, tagged_table

from calibration.corners import load_calibration
from calibration.stored import lens_to_form, write_form
from models.training.scene import SceneTile
from scripts.main import main
from vision.detections import TileState

TABLE = (920.0, 880.0)


def run(capsys, *arguments):
    """Exit code, standard output and standard error of a call."""
    with pytest.raises(SystemExit) as stop:
        main(["calibrate", *map(str, arguments)])
    out, err = capsys.readouterr()
    return stop.value.code, out, err


@pytest.fixture
def tagged(tmp_path):
    """A photograph of a table with its tags, taken by a camera that is turned."""
    picture = photograph(tagged_table(TABLE), (-TABLE[0] / 2, -TABLE[1] / 2), 2.0, table_to_rays((3.0, 2.0), 90.0), lens())
    cv2.imwrite(str(tmp_path / "tagged.png"), cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR))
    return tmp_path / "tagged.png"


def test_tags_give_one_line_and_a_file(tagged, tmp_path, capsys):
    """The line names method, error, table, seats and turn; the file holds the plane and a reference picture."""
    code, out, err = run(capsys, "--auto", tagged, "--out", tmp_path / "c.json")
    assert code == 0 and err == "" and out.count("\n") == 1
    assert out.startswith("tags: rms 0.") and "not mirrored" in out and "S left, E below, N right, W above" in out
    read = load_calibration(tmp_path / "c.json")
    assert read.method == "tags" and read.plane.table_mm == pytest.approx(TABLE, rel=0.01)
    assert read.reference is not None and read.reference.shape == (480, 640, 3)


def test_a_mirrored_photograph_is_told(tagged, tmp_path, capsys):
    """A flipped photograph is told as mirrored, and its seats are those of the table."""
    cv2.imwrite(str(tmp_path / "m.png"), cv2.imread(str(tagged))[:, ::-1])
    code, out, _ = run(capsys, "--auto", tmp_path / "m.png", "--table", "920x880", "--out", tmp_path / "c.json")
    assert code == 0 and ", mirrored," in out and "S right, E below, N left, W above" in out


def test_the_length_of_the_tiles_is_kept(tagged, tmp_path, capsys):
    """With --tile the calibration knows the set's tiles, half as wide as long; what no tile can be is refused."""
    code, _, _ = run(capsys, "--auto", tagged, "--tile", 46, "--out", tmp_path / "c.json")
    assert code == 0 and load_calibration(tmp_path / "c.json").plane.tile_mm == (46.0, 23.0)
    code, _, err = run(capsys, "--auto", tagged, "--tile", 4.6)
    assert code == 2 and "expected --tile from 20 to 150 mm, found 4.6" in err


def test_the_lens_of_a_file_is_used(tagged, tmp_path, capsys):
    """With --lens the calibration has that lens, scaled to the picture."""
    write_form(tmp_path / "lens.json", lens_to_form(lens(size=(640, 480), focal=550.0)))
    code, _, _ = run(capsys, "--auto", tagged, "--lens", tmp_path / "lens.json", "--out", tmp_path / "c.json")
    found = load_calibration(tmp_path / "c.json").plane.lens
    assert code == 0 and found is not None and found.camera_matrix[0, 0] == pytest.approx(1100)


def test_given_corners(tagged, tmp_path, capsys):
    """With --corners and --table the four corners make the plane; clockwise ones are refused as a mirrored picture."""
    good = "300,900 950,900 960,100 310,110"
    code, out, _ = run(capsys, "--auto", tagged, "--corners", good, "--table", "920x900", "--out", tmp_path / "c.json")
    assert code == 0 and out.startswith("corners: nothing to check") and load_calibration(tmp_path / "c.json").method == "corners"
    code, _, err = run(capsys, "--auto", tagged, "--corners", "310,110 960,100 950,900 300,900", "--table", "920x900")
    assert code == 2 and "mirrored" in err


def test_tiles_give_the_plane_where_there_are_no_tags(tmp_path, capsys):
    """A heap of tiles without tags gives a plane with the scale right within 3 % and no seats."""
    rng = np.random.default_rng(5)
    spots = [(x, y) for x in (-160, -55, 50, 155) for y in (-90, 10, 105)]
    tiles = [
        SceneTile(
            (i % 7, (3 * i) % 7), x, y, float(rng.uniform(0, 360)), TileState.FACE_DOWN if i % 5 == 4 else TileState.FACE_UP
        )
        for i, (x, y) in enumerate(spots)
    ]
    shown = table_picture(*tiles, tile_px=70.0, size_px=(640, 480))
    cv2.imwrite(str(tmp_path / "heap.png"), shown.image)
    code, out, err = run(capsys, "--auto", tmp_path / "heap.png", "--out", tmp_path / "c.json")
    assert code == 0, err
    assert out.startswith("tiles: rms") and "seats unknown" in out
    plane = load_calibration(tmp_path / "c.json").plane
    quads = np.array([plane.px_to_mm(label.quad_px) for label in shown.labels])
    assert np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1).mean() == pytest.approx(50.8, rel=0.03)
    assert not plane.knows_seats
    given = ["--corners", "10,470 630,470 630,10 10,10", "--table", "450x334", "--out", tmp_path / "c.json"]
    code, out, _ = run(capsys, "--auto", tmp_path / "heap.png", *given)
    assert code == 0 and " mm by the tiles, table 450 x 334 mm" in out
    assert 0 < load_calibration(tmp_path / "c.json").plane.rms_mm < 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "expected one of a camera"),
        (["--print", "a.pdf", "--auto", "b.png"], "expected one of a camera"),
        (["v4l2:0", "--auto", "b.png"], "expected one of a camera"),
        (["nothing.mkv"], "expected a video"),
        (["v4l2:0", "--table", "big"], "expected --table as"),
        (["v4l2:0", "--corners", "1,2 3,4 5,6 7,8"], "expected --corners with --auto"),
        (["TAGGED", "--port", "70000"], "expected to serve on port 70000"),
        (["--auto", "nothing.png"], "expected a picture"),
        (["--auto", "TAGGED", "--table", "big"], "expected --table as"),
        (["--auto", "TAGGED", "--table", "0x900"], "expected --table as"),
        (["--auto", "TAGGED", "--table", "1100x880"], "by the size of the tags"),
        (["--auto", "TAGGED", "--corners", "1,2 3,4"], "expected --table with --corners"),
        (["--auto", "TAGGED", "--corners", "1,2 3,4", "--table", "920x920"], "expected --corners as"),
        (["--auto", "TAGGED", "--corners", "1,2 3,4 5,6 a,b", "--table", "920x920"], "expected --corners as"),
        (["--auto", "TAGGED", "--lens", "TAGGED"], "expected JSON"),
        (["--board", "nowhere"], "expected a picture or a folder"),
    ],
)
def test_bad_input_is_one_line(tagged, capsys, arguments, says):
    """Every wrong call ends with exit code 2 and one line that says what was expected."""
    code, out, err = run(capsys, *[str(tagged) if a == "TAGGED" else a for a in arguments])
    assert code == 2 and out == "" and err.count("\n") == 1 and says in err


def test_a_picture_of_nothing_is_one_line(tmp_path, capsys):
    """Without tags and tiles the line says that both were looked for, and no file is written."""
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((240, 320, 3), 120, np.uint8))
    code, _, err = run(capsys, "--auto", tmp_path / "grey.png", "--out", tmp_path / "c.json")
    assert code == 2 and "found no tag and 0 tiles" in err and not (tmp_path / "c.json").exists()


def test_a_folder_without_the_board_is_one_line(tagged, capsys):
    """Pictures that do not show the board are counted."""
    code, _, err = run(capsys, "--board", tagged.parent)
    assert code == 2 and "found 0 among 1" in err and SIZE == (1280, 960)


def test_the_sheets_are_written(tmp_path, capsys):
    """--print writes a PDF and says how to print it; a place where nothing can be written is one line."""
    code, out, _ = run(capsys, "--print", tmp_path / "tags.pdf")
    assert code == 0 and "100 %" in out and (tmp_path / "tags.pdf").read_bytes().startswith(b"%PDF-1.4")
    code, _, err = run(capsys, "--print", tmp_path)
    assert code == 2 and "expected to write" in err
