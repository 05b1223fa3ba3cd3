"""The table plane from four printed tags: turned, mirrored and tilted cameras, tags that are missing or lie wrong, the sheets to print."""

import re
import zlib

import cv2
import numpy as np
import pytest
from seen_table import SIZE, lens, photograph, see, table_to_rays, tagged_table

from calibration.charuco import MARKER_MM, SQUARE_MM, board
from calibration.sheets import calibration_sheets
from calibration.tags import TAG_MM, SeenTags, find_tags, plane_from_tags, tag_places_mm
from rules.errors import BadInput

TABLE = (920.0, 880.0)
SOUTH_WEST = (-TABLE[0] / 2, -TABLE[1] / 2)
GRID = np.stack(np.meshgrid(np.linspace(-440, 440, 8), np.linspace(-420, 420, 8)), axis=-1).reshape(-1, 2)
PLAIN = lens()


def picture(rays, camera=PLAIN, **how):
    return photograph(tagged_table(TABLE, **how), SOUTH_WEST, 2.0, rays, camera)


@pytest.mark.parametrize("turn", [0.0, 90.0, 180.0, 270.0, 33.0])
def test_a_turned_camera_is_found_out(turn):
    """However the camera is turned, the south of the table is where tags 0 and 1 lie, every point within 0.5 mm, and the turn is told."""
    rays = table_to_rays((4.0, -3.0), turn)
    plane = plane_from_tags(find_tags(picture(rays)), SIZE, TABLE)
    assert np.abs(plane.px_to_mm(see(GRID, rays, PLAIN)) - GRID).max() < 0.5
    assert plane.rms_mm < 1.0 and not plane.is_mirrored
    north_px = np.diff(see(np.array([[0.0, -5.0], [0.0, 5.0]]), rays, PLAIN), axis=0)[0]
    true = np.degrees(np.arctan2(-north_px[0], -north_px[1]))
    assert abs((plane.turned_deg - true + 180) % 360 - 180) < 1.0


@pytest.mark.parametrize("turn", [0.0, 180.0])
def test_a_mirrored_picture_is_put_right(turn):
    """A flipped picture, in which no tag can be read, gives the same table: east is east, and it is told that it is mirrored."""
    rays = table_to_rays((0.0, 5.0), turn)
    flipped = picture(rays)[:, ::-1]
    seen = find_tags(flipped)
    plane = plane_from_tags(seen, SIZE, TABLE)
    pixels = see(GRID, rays, PLAIN)
    pixels[:, 0] = SIZE[0] - 1 - pixels[:, 0]
    assert seen.is_mirrored and plane.is_mirrored
    assert np.abs(plane.px_to_mm(pixels) - GRID).max() < 0.5
    assert [plane.rim_side(*point) for point in ((0, -400), (400, 0), (0, 400), (-400, 0))] == [0, 1, 2, 3]


def test_a_picture_upside_down_and_mirrored():
    """Flipped top to bottom is a mirror too."""
    rays = table_to_rays()
    plane = plane_from_tags(find_tags(picture(rays)[::-1]), SIZE, TABLE)
    assert plane.is_mirrored
    pixels = see(GRID, rays, PLAIN)
    pixels[:, 1] = SIZE[1] - 1 - pixels[:, 1]
    assert np.abs(plane.px_to_mm(pixels) - GRID).max() < 0.5


@pytest.mark.parametrize("mirrored", [False, True])
def test_the_tags_measure_the_table(mirrored):
    """Without being told, the size of the table top comes out within 1 %, mirrored or not, from a tilted camera."""
    rays = table_to_rays((6.0, 4.0), 20.0)
    seen = find_tags(picture(rays)[:, :: -1 if mirrored else 1])
    plane = plane_from_tags(seen, SIZE)
    assert plane.table_mm == pytest.approx(TABLE, rel=0.01)


def test_three_tags_are_enough_when_the_table_is_known():
    """With one tag covered the plane is still right within 1 mm; its size alone is not measured by three."""
    rays = table_to_rays((3.0, 3.0))
    seen = find_tags(picture(rays, without=(2,)))
    assert np.abs(plane_from_tags(seen, SIZE, TABLE).px_to_mm(see(GRID, rays, PLAIN)) - GRID).max() < 1.0
    with pytest.raises(BadInput, match="found no 2"):
        plane_from_tags(seen, SIZE)


def test_the_lens_is_taken_out():
    """Through a barrel lens the table is right within 0.5 mm when the lens is known."""
    camera, rays = lens((-0.25, 0.06, 0, 0, 0)), table_to_rays((5.0, 2.0))
    seen = find_tags(picture(rays, camera))
    pixels = see(GRID, rays, camera)
    assert np.abs(plane_from_tags(seen, SIZE, TABLE, camera).px_to_mm(pixels) - GRID).max() < 0.5
    assert np.abs(plane_from_tags(seen, SIZE, TABLE).px_to_mm(pixels) - GRID).max() > 1.5


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"exchanged": (1, 2)}, "another order"),
        ({"exchanged": (0, 2)}, "another order"),
        ({"turned": {1: 1}}, "tag 1 .* south-east .* turned by 90"),
        ({"shift_mm": {3: (50.0, -60.0)}}, "tag 3 .* north-west .* mm off"),
        ({"without": (0, 1)}, "found no 0, 1"),
        ({"without": (0, 1, 2, 3)}, "found no 0, 1, 2, 3"),
    ],
)
def test_tags_that_lie_wrong_are_named(how, says):
    """Exchanged, turned, shifted and missing cards are BadInput in one line that names them."""
    with pytest.raises(BadInput, match=says) as error:
        plane_from_tags(find_tags(picture(table_to_rays(), **how)), SIZE, TABLE)
    assert "\n" not in str(error.value)


def test_a_slightly_shifted_card_shows_in_the_error():
    """A card that lies 4 mm off raises the error on the table from under 1 mm to about those 4 mm, as large as it truly is."""
    straight = plane_from_tags(find_tags(picture(table_to_rays())), SIZE, TABLE)
    shifted = plane_from_tags(find_tags(picture(table_to_rays(), shift_mm={1: (-4.0, 0.0)})), SIZE, TABLE)
    assert straight.rms_mm < 1.0 and 2.0 < shifted.rms_mm < 6.0


def test_a_lens_that_is_not_known_shows_in_the_error():
    """A barrel lens that puts the table up to 2 mm wrong where it is not known is told as an error of more than a millimetre."""
    camera, rays = lens((-0.06, 0, 0, 0, 0)), table_to_rays()
    plane = plane_from_tags(find_tags(picture(rays, camera)), SIZE, TABLE)
    worst = np.linalg.norm(plane.px_to_mm(see(GRID, rays, camera)) - GRID, axis=1).max()
    assert 1.0 < worst < plane.rms_mm * 2


@pytest.mark.parametrize("told", [(TABLE[0] + 70, TABLE[1]), (TABLE[0], TABLE[1] - 70)])
def test_a_table_of_another_size_is_refused(told):
    """A table that was told 7 cm too large or too small is refused with its size as the tags measure it."""
    with pytest.raises(BadInput, match=r"found 9\d\d x 8\d\d mm by the size"):
        plane_from_tags(find_tags(picture(table_to_rays())), SIZE, told)


def test_noise_free_corners_give_the_plane_exactly():
    """Exact corners fit to a thousandth of a millimetre."""
    rays = table_to_rays((10.0, -6.0), 77.0)
    quads = see(tag_places_mm(TABLE).reshape(-1, 2), rays, PLAIN).reshape(4, 4, 2)
    plane = plane_from_tags(SeenTags(dict(enumerate(quads)), False), SIZE, TABLE)
    assert plane.rms_mm < 1e-3 and plane_from_tags(SeenTags(dict(enumerate(quads)), False), SIZE).table_mm == pytest.approx(
        TABLE, abs=2
    )


# The sheets.


def drawn(page, document, px_per_mm):
    """What a viewer shows of the pictures and boxes of a page: a grey raster, 255 white."""
    media = [float(v) for v in re.search(rb"/MediaBox \[([^\]]*)\]", page)[1].split()]
    scale = px_per_mm * 25.4 / 72
    sheet = np.full((round(media[3] * scale), round(media[2] * scale)), 255, np.uint8)
    names = dict(re.findall(rb"/(I\d+) (\d+) 0 R", page))
    for a, b, c, d, e, f, name in re.findall(
        rb"q (\S+) (\S+) (\S+) (\S+) (\S+) (\S+) cm /(I\d+) Do Q", content_of(page, document)
    ):
        assert float(b) == float(c) == 0
        picture = picture_of(document[int(names[name])])
        x, y, w, h = (round(float(v) * scale) for v in (e, f, a, d))
        small = cv2.resize(picture, (w, h), interpolation=cv2.INTER_AREA)
        sheet[sheet.shape[0] - y - h : sheet.shape[0] - y, x : x + w] = small
    return sheet


def content_of(page, document):
    stream = document[int(re.search(rb"/Contents (\d+) 0 R", page)[1])]
    return zlib.decompress(re.search(rb"stream\n(.*)\nendstream", stream, re.DOTALL)[1])


def picture_of(stream):
    width, height = (int(re.search(rb"/%s (\d+)" % key, stream)[1]) for key in (b"Width", b"Height"))
    rows = np.frombuffer(zlib.decompress(re.search(rb"stream\n(.*)\nendstream", stream, re.DOTALL)[1]), np.uint8).reshape(
        height, -1
    )
    return np.unpackbits(rows, axis=1)[:, :width] * np.uint8(255)


@pytest.fixture(scope="module")
def sheets():
    """Objects of the document by number, read through its own cross-reference table."""
    data = calibration_sheets()
    start = int(re.search(rb"startxref\n(\d+)\n%%EOF\n$", data)[1])
    places = [int(place) for place in re.findall(rb"(\d{10}) 00000 n", data[start:])]
    ends = [*places[1:], start]
    return {n: data[place:end] for n, (place, end) in enumerate(zip(places, ends, strict=True), start=1)}


def pages(document):
    kids = re.findall(rb"(\d+) 0 R", re.search(rb"/Kids \[([^\]]*)\]", document[2])[1])
    return [document[int(kid)] for kid in kids]


def test_the_document_is_whole(sheets):
    """Every entry of the cross-reference table points at the object of its number; there are two A4 pages."""
    assert all(content.startswith(b"%d 0 obj" % n) for n, content in sheets.items())
    assert [re.search(rb"/MediaBox \[([^\]]*)\]", page)[1].split() for page in pages(sheets)] == [
        [b"0", b"0", b"595.2756", b"841.8898"]
    ] * 2


def test_printed_tags_are_read_and_as_large_as_they_should_be(sheets):
    """The first page, drawn at 8 pixels a millimetre, shows tags 0 to 3 with sides of 60 mm and 90 mm apart, within 0.1 mm."""
    seen = find_tags(drawn(pages(sheets)[0], sheets, 8))
    assert sorted(seen.quads_px) == [0, 1, 2, 3] and not seen.is_mirrored
    for quad in seen.quads_px.values():
        assert np.allclose(np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1), TAG_MM * 8, atol=0.8)
    middles = [seen.quads_px[tag].mean(axis=0) for tag in range(4)]
    assert np.linalg.norm(middles[1] - middles[0]) == pytest.approx(90 * 8, abs=0.8)
    assert middles[1][0] > middles[0][0] and middles[3][1] < middles[0][1]


def test_the_bar_is_a_hundred_millimetres(sheets):
    """Both pages have a bar of 100 mm, and say so."""
    for page in pages(sheets):
        content = content_of(page, sheets)
        widths = [float(w) * 25.4 / 72 for w in re.findall(rb"\S+ \S+ (\S+) \S+ re f", content)]
        assert any(abs(w - 100) < 0.001 for w in widths) and b"100 mm" in content


def test_the_printed_board_is_found_at_its_size(sheets):
    """The second page shows all 54 inner corners of the board, 25 mm apart within 0.1 mm."""
    sheet = drawn(pages(sheets)[1], sheets, 6)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(board()).detectBoard(sheet)
    assert len(ids) == 54 and MARKER_MM < SQUARE_MM
    spots = dict(zip(np.ravel(ids).tolist(), np.reshape(corners, (-1, 2)), strict=True))
    steps = [np.linalg.norm(spots[n + 1] - spots[n]) for n in range(53) if n % 6 != 5]
    assert np.allclose(steps, SQUARE_MM * 6, atol=0.6)
