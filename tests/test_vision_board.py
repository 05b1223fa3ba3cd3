"""Detections laid out on the table, and how tiles touch."""

from dataclasses import replace

import numpy as np
import pytest
from laid_tiles import IMAGE_SIZE, LENGTH, WIDTH, Laid, Sloppiness, Table, detect, overhead_plane, rack

from calibration.plane import TILE_MM, TablePlane
from rules.tiles import Tile
from vision.board import axis_difference_deg, board_view, distance_mm, overlap_share, wrap_deg
from vision.contact import Port, best_contact, port_facing, port_mm, through_cost
from vision.racks import Racks, count_racks

PLANE = overhead_plane()


def seen(*laid):
    return board_view([detect(t, PLANE) for t in laid], IMAGE_SIZE, PLANE).face_up


def test_a_tile_comes_out_where_it_lies():
    """Centre, direction from the low to the high half and numbers of a laid tile, within a tenth of a millimetre and of a degree."""
    (tile,) = seen(Laid(Tile(5, 2), 120, -80, 33))
    assert (tile.x_mm, tile.y_mm, tile.angle_deg) == pytest.approx((120, -80, 33), abs=0.1)
    assert tile.pips == (2, 5) and tile.tile == Tile(5, 2)


def test_a_tile_turned_about_is_the_same_tile():
    """Naming the halves the other way round keeps place and tile."""
    (tile,) = seen(Laid(Tile(5, 2), 10, 20, 170))
    other = tile.turned_about()
    assert other.pips == (5, 2) and other.tile == tile.tile and distance_mm(tile, other) == 0
    assert wrap_deg(other.angle_deg - tile.angle_deg) == pytest.approx(180)


def test_the_length_is_the_look_s_own():
    """Tile tops nearer to the camera look longer; the look's own length says by how much."""
    nearer = TablePlane(PLANE.homography @ np.diag([1.0, 1.0, 1 / 1.05]), PLANE.image_size, PLANE.table_mm)
    detections = [detect(Laid(Tile(5, n), 60 * n, 0, 90), PLANE) for n in range(4)]
    assert board_view(detections, IMAGE_SIZE, nearer).length_mm == pytest.approx(1.05 * LENGTH, rel=0.01)


def test_doubtful_boxes_do_not_measure_a_tile():
    """Squares of a cloth that are boxed as short tiles do not make the tiles shorter, nor a table without any tile that is read surely."""
    squares = [replace(detect(Laid(Tile(0, 0), 60 * n, 90, 0), PLANE, sure=0.6), quad_px=short(60 * n)) for n in range(4)]
    tile = detect(Laid(Tile(5, 2), 0, 0, 90), PLANE)
    assert board_view([tile, *squares], IMAGE_SIZE, PLANE).length_mm == pytest.approx(LENGTH, rel=0.01)
    assert board_view(squares, IMAGE_SIZE, PLANE).length_mm == PLANE.tile_mm[0]


def short(x):
    """The corners of a box four fifths as long as a tile, px."""
    sides = np.array([[-0.4, -0.25], [0.4, -0.25], [0.4, 0.25], [-0.4, 0.25]]) * LENGTH
    return PLANE.mm_to_px(sides + np.array([x, 90])).astype(np.float32)


def test_what_stands_on_the_playing_area_is_in_no_rack():
    """A box among the tiles of the line that reads as a standing tile counts for nobody."""
    standing = [*rack(1, 3, PLANE), replace(rack(0, 1, PLANE)[0], quad_px=detect(Laid(Tile(0, 0), 60, -200, 0), PLANE).quad_px)]
    assert count_racks(board_view(standing, IMAGE_SIZE, PLANE)) == (0, 3, 0, 0)


def test_a_small_set_is_a_set_where_its_size_is_told():
    """Tiles of 36 x 18 mm are too small for tiles of 50.8 mm; where the calibration knows the set they are its tiles."""
    spread = PLANE.homography.copy()
    spread[:2] *= 36 / LENGTH
    small = replace(PLANE, homography=spread, tile_mm=(36.0, 18.0))
    detections = [detect(Laid(Tile(5, n), 60 * n, 0, 90), PLANE) for n in range(4)]
    view = board_view(detections, IMAGE_SIZE, small)
    assert len(view.face_up) == 4 and view.length_mm == pytest.approx(36, rel=0.01)
    assert board_view(detections, IMAGE_SIZE, replace(small, tile_mm=TILE_MM)).face_up == ()


def test_boxes_that_cover_each_other_are_one_tile():
    """Of two boxes on one tile the surer one stays; tiles that lie against each other, also overlapping a little, are two."""
    sure, unsure = detect(Laid(Tile(5, 4), 0, 0, 0), PLANE), detect(Laid(Tile(5, 5), 8, 3, 10), PLANE, sure=0.7)
    assert [t.tile for t in board_view([unsure, sure], IMAGE_SIZE, PLANE).face_up] == [Tile(5, 4)]
    assert len(seen(Laid(Tile(5, 4), 0, 0, 0), Laid(Tile(5, 5), LENGTH / 2 + WIDTH / 2 - 2, 0, 90))) == 2


def test_a_pattern_of_unclear_boxes_gives_no_scale():
    """Boxes that read unclearly all over the picture are no tiles without a calibration; one alone may be, and beside clear tiles their
    size decides."""
    squares = [
        detect(Laid(Tile(0, 0), 90 * i - 300, 90 * j - 200, 0), overhead_plane(), sure=0.7) for i in range(6) for j in range(4)
    ]
    large = [replace(s, quad_px=((s.quad_px - s.centre_px) * 1.6 + s.centre_px).astype(np.float32)) for s in squares]
    clear = detect(Laid(Tile(6, 2), 0, 0, 30), PLANE)
    assert board_view(large, IMAGE_SIZE).face_up == ()
    assert len(board_view(large[:1], IMAGE_SIZE).face_up) == 1
    assert [t.tile for t in board_view([*large, clear], IMAGE_SIZE).face_up] == [Tile(6, 2)]
    assert [t.tile for t in board_view([*large, clear], IMAGE_SIZE, PLANE).face_up] == [Tile(6, 2)]


def test_overlap_is_a_share_of_a_tile():
    """Half a tile further on shares half of its face, at the same place all of it, a length away none."""
    one, half, away = seen(Laid(Tile(1, 0), 0, 0, 0), Laid(Tile(2, 0), 0, 100, 0), Laid(Tile(3, 0), 0, 200, 0))
    near = type(one)(LENGTH / 2, 0.0, 0.0, one.halves, one.state, 1.0, 1.0)
    assert overlap_share(one, one, LENGTH) == pytest.approx(1, abs=0.01)
    assert overlap_share(one, near, LENGTH) == pytest.approx(0.5, abs=0.01)
    assert overlap_share(one, half, LENGTH) == overlap_share(one, away, LENGTH) == 0


def test_angles():
    """Angles wrap into -180 to 180, axes differ by at most a right angle."""
    assert [wrap_deg(a) for a in (0, 180, -180, 190, 370, -190)] == [0, 180, 180, -170, 10, 170]
    assert [axis_difference_deg(a, 0) for a in (0, 90, 180, 179, 271, -1)] == [0, 90, 0, 1, 89, 1]


def test_ports_lie_on_the_rim():
    """Each port of a tile lies on its rim, faces outwards, and its opposite and its other name agree with the tile turned about."""
    (tile,) = seen(Laid(Tile(5, 2), 30, 40, 25))
    for port in Port:
        out = port_mm(tile, port, LENGTH) - tile.centre_mm
        assert out @ port_facing(tile, port) == pytest.approx(LENGTH / 2 if port.is_end else WIDTH / 2, abs=0.1)
        about = tile.turned_about()
        assert np.allclose(port_mm(about, port.turned_about, LENGTH), port_mm(tile, port, LENGTH), atol=1e-6)
        assert through_cost(port, port.across) == 0 and through_cost(port, port) > 16


@pytest.mark.parametrize("turn", ["straight", "left", "right", "in line"])
@pytest.mark.parametrize("tile", [Tile(6, 3), Tile(6, 6)])
def test_a_tile_laid_against_a_tip_touches_it(tile, turn):
    """Straight on, bent either way, a double across and in line: the join is found with its gap, and the right half is against it."""
    table = Table(np.random.default_rng(0), Sloppiness(0.0, (2.0, 2.0), 0.0))
    table.open(Tile(6, 2))
    table.lay(tile, "b", turn)
    contact = best_contact(*seen(*table.laid), LENGTH)
    assert contact.one is Port.END_1 and contact.gap_mm == pytest.approx(2, abs=0.2) and abs(contact.slip_mm) < 0.2
    assert contact.other.half in (1, None) or tile.is_double
    assert contact.other.is_mid == (tile.is_double and turn == "straight")
    assert contact.other.is_side == (turn in ("left", "right"))


def test_tiles_side_by_side_or_apart_do_not_touch():
    """Tiles shown side by side, a tile 25 mm away and one far away join nowhere."""
    one, beside, apart, far = seen(
        Laid(Tile(6, 2), 0, 0, 0), Laid(Tile(5, 2), 0, 27, 0), Laid(Tile(4, 2), LENGTH + 25, 0, 0), Laid(Tile(3, 2), 200, 0, 0)
    )
    assert all(best_contact(one, other, LENGTH) is None for other in (beside, apart, far))


def test_racks_are_counted_by_the_nearest_side():
    """Standing tiles belong to the seat on whose side they stand; without a calibration nobody's are counted."""
    standing = [d for seat, n in enumerate((7, 6, 5, 4)) for d in rack(seat, n, PLANE)]
    assert count_racks(board_view(standing, IMAGE_SIZE, PLANE)) == (7, 6, 5, 4)
    assert count_racks(board_view(standing, IMAGE_SIZE)) == (0, 0, 0, 0)


def test_the_racks_name_a_seat_only_when_they_leave_no_choice():
    """One rack one short names its seat. When a look misses the tile of one play and the next look that of the next, the tile that appears
    may be either's. When one look misses a standing tile, its play has no seat but the next one has."""
    racks = Racks().after((7, 7, 7, 7))
    assert racks.witness((7, 6, 7, 7), 1) == 1 and racks.witness((7, 7, 7, 7), 1) is None
    unseen_play = racks.after((6, 7, 7, 7))
    assert unseen_play.witness((6, 7, 7, 7), 1) == 0
    assert unseen_play.witness((6, 6, 7, 7), 1) is None
    assert racks.witness((6, 6, 7, 7), 1) is None
    missed_standing = racks.after((6, 6, 7, 7), unseated=1)
    assert missed_standing.witness((6, 7, 6, 7), 1) == 2
    assert missed_standing.witness((6, 6, 6, 7), 1) is None


def test_a_count_is_believed_when_a_play_explains_it_or_two_looks_agree():
    """A fall counts once; a tile that one look misses is neither a later fall nor a return."""
    racks = Racks().after((7, 7, 7, 7))
    assert racks.fell((6, 7, 7, 7)) == {0: 1} and racks.rose((7, 7, 7, 8)) == {3: 1}
    played = racks.after((6, 7, 7, 7), explained=[0])
    assert played.believed == (6, 7, 7, 7) and played.fell((6, 6, 7, 7)) == {1: 1}
    missed = racks.after((7, 7, 6, 7))
    assert missed.believed == (7, 7, 7, 7) and missed.fell((7, 7, 6, 7)) == {}
    assert missed.after((7, 7, 6, 7)).believed == (7, 7, 6, 7)
