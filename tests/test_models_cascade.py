"""How often the reader looks: once at what is clear, again at what is not, never at what a tile already covers."""

from __future__ import annotations

import numpy as np
import pytest

from models.cascade import FITS, STILL, read_tiles, settle
from models.localiser import Proposals, box_quads
from models.reader import KINDS, Readings, TileReader
from vision.detections import TileDetection, TileState

IMAGE = np.zeros((100, 200, 3), np.uint8)


class FakeReader:
    """Says the same of every proposal and counts its looks; shift: how far it moves the corners, in tile lengths of 40 px."""

    def __init__(self, kind: str = "face_up", sure: float = 0.99, shift: float = 0.0) -> None:
        self.kinds = np.full(4, (1 - sure) / 3)
        self.kinds[KINDS.index(kind)] = sure
        self.shift_px = 40 * shift
        self.looks: list[int] = []

    def read(self, image: np.ndarray, quads: np.ndarray) -> Readings:
        self.looks.append(len(quads))
        halves = np.zeros((len(quads), 2, 7))
        halves[:, 0, 5] = halves[:, 1, 2] = 1.0
        return Readings(np.tile(self.kinds, (len(quads), 1)), quads + np.float32([self.shift_px, 0]), halves)


def proposals(*rows: tuple[float, float, float]) -> Proposals:
    """Tiles of 40x20 px at (x, y) with a score."""
    quads = box_quads(np.array([[x, y, 40, 20, 0.0] for x, y, _ in rows]).reshape(-1, 5))
    return Proposals(quads, np.array([s for *_, s in rows], np.float32), np.full(len(rows), 40.0))


def test_a_clear_tile_gets_one_look_and_its_low_half_first() -> None:
    """One look at each of two clear tiles, no second reading; 5-2 is told from the 2's side."""
    reader = FakeReader()
    found = read_tiles(reader, IMAGE, proposals((40, 50, 0.9), (120, 50, 0.8)))
    assert [d.pips for d in found] == [(2, 5), (2, 5)]
    assert reader.looks == [2]
    assert found[0].quad_px[0, 0] > found[0].quad_px[1, 0]


def test_what_a_tile_covers_is_not_looked_at() -> None:
    """A proposal across a clear tile costs nothing; where the best one is no tile, the others get their look."""
    rows = ((40, 50, 0.9), (52, 50, 0.5), (120, 50, 0.8))
    clear, none = FakeReader(), FakeReader("none", 0.95)
    read_tiles(clear, IMAGE, proposals(*rows))
    assert sum(clear.looks) == 2
    assert read_tiles(none, IMAGE, proposals(*rows)) == []
    assert sum(none.looks) == 3


def test_an_unsure_tile_is_read_again_once_where_its_corners_fit() -> None:
    """Sure to 0.7 only: one more look; a third when that moved the corners."""
    still, moving = FakeReader(sure=0.7, shift=FITS / 2), FakeReader(sure=0.7, shift=FITS * 1.5)
    for reader, looks in ((still, [1, 1]), (moving, [1, 1, 1])):
        assert len(read_tiles(reader, IMAGE, proposals((40, 50, 0.9)))) == 1
        assert reader.looks == looks


def test_a_sure_tile_far_off_is_read_again() -> None:
    """However sure, a tile whose corners moved much is read again where it lies."""
    reader = FakeReader(shift=STILL * 1.1)
    read_tiles(reader, IMAGE, proposals((40, 50, 0.9)))
    assert reader.looks[:2] == [1, 1]


def test_standing_tiles_are_told_without_numbers() -> None:
    """A clear standing tile gets one look and no tile."""
    (one,) = read_tiles(FakeReader("standing"), IMAGE, proposals((40, 50, 0.9)))
    assert one.tile is None
    assert one.confidence == pytest.approx(0.99)


def read_as(state: TileState, confidence: float, x: float, y: float, length: float, width: float) -> TileDetection:
    """What a look may have made of a box around (x, y)."""
    (quad,) = box_quads(np.array([[x, y, length, width, 0.0]]))
    return TileDetection(quad, np.full((2, 7), 1 / 7), state, confidence)


def test_a_bar_that_looks_like_a_standing_tile_takes_no_tile_away() -> None:
    """A face read with 0.97 stays where its bar or a row of its pips was read as a standing tile with 0.62; the surer wins both ways."""
    face = read_as(TileState.FACE_UP, 0.97, 100, 50, 80, 40)
    assert settle([face, read_as(TileState.STANDING, 0.62, 100, 50, 36, 10)]) == [face]
    side, lid = read_as(TileState.STANDING, 0.95, 100, 50, 80, 18), read_as(TileState.FACE_DOWN, 0.6, 100, 46, 80, 24)
    assert settle([lid, side]) == [side]


def test_of_two_standing_tiles_the_longer_stays() -> None:
    """Half of a tile on its long side, read more surely as one on its short side, gives way, but not to a length that is not likely."""
    whole, half = read_as(TileState.STANDING, 0.6, 100, 50, 80, 18), read_as(TileState.STANDING, 0.9, 82, 50, 40, 18)
    assert settle([half, whole]) == [whole]
    unlikely = read_as(TileState.STANDING, 0.4, 100, 50, 80, 18)
    assert settle([unlikely, half]) == [half]


def test_nothing_proposed_is_nothing_found() -> None:
    """Without proposals the reader is not asked."""
    reader = FakeReader()
    assert read_tiles(reader, IMAGE, proposals()) == []
    assert reader.looks == []


class FakeNetwork:
    """A crop whose first pixel is bright is no tile, as surely as can be; the others are. Counts the crops."""

    def __init__(self) -> None:
        self.crops = 0

    def run(self, heads: list[str], given: dict[str, np.ndarray]) -> list[np.ndarray]:
        crops = given["crops"]
        self.crops += len(crops)
        kinds = np.where(crops[:, 0, 0, :1] > 100, [[0, 0, 0, 9.0]], [[9.0, 0, 0, 0]])
        return [kinds, np.zeros((len(crops), 8)), np.zeros((len(crops), 7))]


def test_what_is_surely_no_tile_is_not_read_the_other_way_round() -> None:
    """One crop for it, two for each that may be a tile; all are told in the order of the proposals."""
    image, network = IMAGE.copy(), FakeNetwork()
    image[:, 75:165] = 255
    told = TileReader(network, 1.0, 1.0).read(image, proposals((40, 50, 0.9), (120, 50, 0.8), (40, 50, 0.7)).quads_px)
    assert network.crops == 5
    assert told.kinds.argmax(axis=1).tolist() == [0, KINDS.index("none"), 0]
    assert told.halves.shape == (3, 2, 7)
