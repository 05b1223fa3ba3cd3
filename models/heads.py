"""The localiser's raw heads to boxes, in numpy: for runtimes whose file stops before them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from models.runtimes import Session

HEADS = {"cv2": "box", "cv3": "kind", "cv4": "angle"}  # name inside the network: name of the output, one a level
STRIDES = (8, 16)


class DecodedHeads:
    """A session of raw heads (box0, kind0, angle0, box1 …) that gives `output0` as the whole network does: 1x8xN."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def run(self, outputs: Sequence[str], feeds: Mapping[str, np.ndarray]) -> list[np.ndarray]:
        """One picture's boxes: x, y, width, height, three scores, angle in radians; pixels of the input."""
        names = [f"{name}{level}" for level in range(len(STRIDES)) for name in HEADS.values()]
        raw = [head[0] for head in self._session.run(names, feeds)]
        levels = [_decode(raw[3 * k], raw[3 * k + 1], raw[3 * k + 2], stride) for k, stride in enumerate(STRIDES)]
        return [np.concatenate(levels, axis=1)[None]]


def _decode(box: np.ndarray, kind: np.ndarray, angle: np.ndarray, stride: int) -> np.ndarray:
    """One level: box (4 sides by B)xHxW, kind 3xHxW, angle 1xHxW as logits, to 8xHW. A side's distance is told as odds of 0 to B-1."""
    height, width = box.shape[1:]
    bins = len(box) // 4
    odds = box.reshape(4, bins, -1)
    odds = np.exp(odds - odds.max(axis=1, keepdims=True))
    left, top, right, bottom = (odds * np.arange(bins)[:, None]).sum(axis=1) / odds.sum(axis=1)
    turn = (_sigmoid(angle.reshape(-1)) - 0.25) * np.pi
    x, y = (right - left) / 2, (bottom - top) / 2
    column, row = np.tile(np.arange(width), height) + 0.5, np.repeat(np.arange(height), width) + 0.5
    places = [x * np.cos(turn) - y * np.sin(turn) + column, x * np.sin(turn) + y * np.cos(turn) + row]
    sizes = [left + right, top + bottom]
    return np.vstack([np.stack(places + sizes) * stride, _sigmoid(kind.reshape(len(kind), -1)), turn]).astype(np.float32)


def _sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))
