"""The localiser's raw heads decoded in numpy: boxes known beforehand come out, whatever the number of bins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from models.heads import HEADS, STRIDES, DecodedHeads

SURE = 30.0  # a logit next to which all others are nothing


class OneBox:
    """Raw heads of a picture of 64x96 px: one box a level at column 3, row 2, told by `bins` odds a side."""

    def __init__(self, sides: tuple[int, int, int, int], turn: float, bins: int) -> None:
        self._sides, self._turn, self._bins = sides, turn, bins

    def run(self, outputs: Sequence[str], feeds: Mapping[str, np.ndarray]) -> list[np.ndarray]:
        made = {}
        for level, stride in enumerate(STRIDES):
            shape = (64 // stride, 96 // stride)
            box = np.zeros((4, self._bins, *shape), np.float32)
            for side, distance in enumerate(self._sides):
                box[side, distance, 2, 3] = SURE
            kind = np.full((3, *shape), -SURE, np.float32)
            kind[1, 2, 3] = 0.0
            angle = np.full((1, *shape), np.log((self._turn + 0.25) / (0.75 - self._turn)), np.float32)
            made |= {f"box{level}": box.reshape(-1, *shape), f"kind{level}": kind, f"angle{level}": angle}
        return [made[name][None] for name in outputs]


@pytest.mark.parametrize("bins", [8, 16])
@pytest.mark.parametrize("quarters", [0, 1])
def test_a_box_is_decoded_to_its_place(bins: int, quarters: int) -> None:
    """left 1, top 2, right 3, bottom 4 strides from the middle of its cell: 4x6 strides, the centre off by one each way, turned along."""
    turn = (
        quarters / 2 - 1e-9 * quarters
    )  # of the half circle from -45 degrees that the angle is told in, as a share of 180 degrees
    raw = OneBox((1, 2, 3, 4), turn, bins).run([f"{n}{k}" for k in (0, 1) for n in HEADS.values()], {})
    assert raw[0].shape[1] == 4 * bins
    (found,) = DecodedHeads(OneBox((1, 2, 3, 4), turn, bins)).run(["output0"], {"images": np.zeros((1, 3, 64, 96))})
    assert found.shape == (1, 8, 8 * 12 + 4 * 6)
    best = found[0].T[found[0, 5] > 0.4]
    assert len(best) == len(STRIDES)
    for (x, y, width, height, *scores, angle), stride in zip(best, STRIDES, strict=True):
        off = (1, 1) if quarters == 0 else (-1, 1)
        assert (x, y) == pytest.approx(((3.5 + off[0]) * stride, (2.5 + off[1]) * stride), abs=1e-3)
        assert (width, height) == pytest.approx((4 * stride, 6 * stride), abs=1e-3)
        assert scores == pytest.approx([0, 0.5, 0], abs=1e-6)
        assert angle == pytest.approx(quarters * np.pi / 2, abs=1e-4)
