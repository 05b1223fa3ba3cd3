"""The verifier: what is printed is no tile, and real tiles vouch for each other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from rendered import table_picture

from models.detector import Detector
from models.training.bare import bare_scene
from models.training.compositor import render
from models.training.scene import SceneTile
from models.verifier import CLAIMED, CROP_SIZE, TileVerifier, belief, compared, verified
from vision.detections import TileDetection, TileState

QUAD = np.array([[40, 40], [80, 40], [80, 60], [40, 60]], np.float32)
PRINTED = (95_000_103, 95_000_104, 95_000_114)  # a cloth and two pages: seeds of no training


class Says:
    """A network that answers with these log-odds, and keeps the crops that it was shown."""

    def __init__(self, *log_odds: float) -> None:
        self._log_odds = np.array(log_odds, np.float32)
        self.shown = np.zeros(0)

    def run(self, outputs, feeds):
        self.shown = feeds["crops"]
        return [self._log_odds]


def reading(confidence: float) -> TileDetection:
    """A 6-6 read with this confidence."""
    return TileDetection(QUAD, np.full((2, 7), 1 / 7), TileState.FACE_UP, confidence)


def left_of(*log_odds: float, doubt: float = -1.0) -> list[float]:
    """What is left of equal confidences."""
    return belief(np.array(log_odds), np.full(len(log_odds), 0.9), np.full(len(log_odds), doubt)).tolist()


def test_company_decides_what_is_not_clear() -> None:
    """One that looks a little printed is real among six real tiles and printed among six printed ones; alone it is as it looks."""
    assert left_of(-1.5, *[3.0] * 6) == [1.0] * 7
    assert max(left_of(-1.5, *[-3.0] * 6)) < 0.01
    assert left_of(-1.5)[0] == pytest.approx(2 / (1 + np.exp(1.0)))


def test_a_printed_one_among_real_tiles_is_refused() -> None:
    """What looks printed beyond doubt has no use of its company."""
    assert left_of(-13.0, *[3.0] * 5)[0] < 0.1


def test_little_company_counts_little() -> None:
    """Two others save less of it than six do."""
    assert left_of(-4.0, *[0.9] * 2)[0] < left_of(-4.0, *[0.9] * 6)[0]


def test_a_face_that_looks_less_like_a_tile_than_its_neighbours_is_less_sure() -> None:
    """Beside five sure faces of log-odds 3, one of 0.2 read with 0.65 loses half of the 1.8 that are beyond the margin; one within the
    margin stays as it was read, and where no face is sure nothing is compared."""
    odds, read = np.array([3.0] * 5 + [0.2, 2.1]), np.array([0.95] * 5 + [0.65, 0.4])
    left = compared(odds, read)
    assert left[5] == pytest.approx(0.65 / (0.65 + 0.35 * np.exp(0.9)))
    assert np.array_equal(np.delete(left, 5), np.delete(read, 5))
    unsure = np.full(7, 0.6)
    assert np.array_equal(compared(odds, unsure), unsure)


def test_a_cell_of_a_board_is_refused_beside_sure_tiles_only() -> None:
    """The same claim of 0.6 with log-odds 0.1 is told where it lies alone, and not where five sure faces look like tiles; a back, which
    looks different, is held against none."""
    blank = np.zeros((100, 120, 3), np.uint8)
    cell, sure = reading(0.6), [reading(0.95)] * 5
    (alone,) = verified(TileVerifier(Says(0.1)).claims(blank, [cell]))
    assert alone.confidence == pytest.approx(0.6)
    beside = verified(TileVerifier(Says(0.1, *[3.0] * 5)).claims(blank, [cell, *sure]))
    assert beside[-1].confidence < 0.5 and [one.confidence for one in beside[:5]] == pytest.approx([0.95] * 5)
    back = replace(cell, state=TileState.FACE_DOWN)
    assert verified(TileVerifier(Says(1.5, *[3.0] * 5)).claims(blank, [back, *sure]))[-1].confidence == pytest.approx(0.6)


def test_confidence_is_weighed_and_the_surest_comes_first() -> None:
    """Two claims change places; what nobody would believe anyway is not looked at and stays as it is."""
    network = Says(-9.0, 6.0)
    found = verified(
        TileVerifier(network).claims(np.zeros((100, 120, 3), np.uint8), [reading(0.9), reading(0.8), reading(CLAIMED / 2)])
    )
    assert network.shown.shape == (2, 3, CROP_SIZE[1], CROP_SIZE[0])
    assert found[0].confidence == 0.8
    assert [one.confidence for one in found] == sorted((one.confidence for one in found), reverse=True)
    assert CLAIMED / 2 in [one.confidence for one in found]


def test_a_face_is_doubted_less_than_a_back() -> None:
    """The same odds leave a face as it was read and take the confidence of a back."""
    for state, left in ((TileState.FACE_UP, 0.9), (TileState.FACE_DOWN, 0.9 * 2 / (1 + np.exp(4.0)))):
        (found,) = verified(
            TileVerifier(Says(-1.0)).claims(np.zeros((100, 120, 3), np.uint8), [replace(reading(0.9), state=state)])
        )
        assert found.confidence == pytest.approx(left)


def test_nothing_found_is_nothing_to_verify() -> None:
    """The network is not asked."""
    network = Says()
    assert verified(TileVerifier(network).claims(np.zeros((10, 10, 3), np.uint8), [])) == []
    assert network.shown.size == 0


@pytest.mark.parametrize("seed", PRINTED)
def test_what_is_printed_is_believed_less(seed: int) -> None:
    """Cloth and pages of dominoes: the reader takes some for tiles, with the verifier half of them or fewer are left."""
    image = render(bare_scene(seed, (960, 720), (30.0, 110.0))).image
    claimed, left = (len(Detector(threads=1, verify=on).detect(image, 0.5)) for on in (False, True))
    assert claimed > 0
    assert left <= claimed / 2


def test_real_tiles_are_believed_as_before() -> None:
    """Four tiles on a plain table lose nothing of their confidence to the verifier; the ink on them may add to it."""
    picture = table_picture(*(SceneTile((k, 6), -90 + 60 * k, 0, 90.0) for k in range(4)), tile_px=70)
    before, claims = Detector(threads=1, verify=False).detect(picture.image, 0.0), Detector(threads=1).claims(picture.image)
    after = verified([replace(claim, ink=None) for claim in claims])
    assert [one.pips for one in before] == [one.pips for one in after]
    assert [one.confidence for one in before] == [one.confidence for one in after]
    inked = {one.quad_px.tobytes(): one.confidence for one in verified(claims)}
    assert all(inked[one.quad_px.tobytes()] > one.confidence - 1e-3 for one in after if one.confidence > 0.5)
