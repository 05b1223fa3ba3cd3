"""The reader: one rectified crop a proposed tile → what it is, where its corners really are, and the numbers of its two halves.

The crop shows the tile lengthwise with some of its surroundings, so that a box that straddles two tiles is seen for what it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from models.runtimes import Session

KINDS = ("face_up", "face_down", "standing", "none")
NONE = KINDS.index("none")
SURELY_NONE = 0.98  # a crop that is none with this probability is not read the other way round
CROP_SIZE = (96, 64)  # width, height in px
TILE_SIZE = (64, 32)  # the proposed tile inside the crop


def tile_in_crop(size: tuple[int, int]) -> np.ndarray:
    """The corners (4x2 px) of the proposed tile in the middle of a crop of this width and height."""
    x, y = (size[0] - TILE_SIZE[0]) / 2, (size[1] - TILE_SIZE[1]) / 2
    return np.array([[x, y], [x + TILE_SIZE[0], y], [x + TILE_SIZE[0], y + TILE_SIZE[1]], [x, y + TILE_SIZE[1]]], np.float32)


CANONICAL = tile_in_crop(CROP_SIZE)


def crop_matrix(quad_px: np.ndarray, size: tuple[int, int] = CROP_SIZE) -> np.ndarray:
    """The 3x3 homography from picture pixels to crop pixels for a quad (4x2, half 0 at the left)."""
    return cv2.getPerspectiveTransform(quad_px.astype(np.float32), tile_in_crop(size))


def crop_tile(image: np.ndarray, quad_px: np.ndarray, size: tuple[int, int] = CROP_SIZE) -> np.ndarray:
    """Cut a quad out of a picture, with what surrounds it: HxWx3 uint8. Large tiles are averaged down first, so that nothing aliases."""
    quad = quad_px.astype(np.float32)
    side = max(float(np.linalg.norm(quad[1] - quad[0])), float(np.linalg.norm(quad[2] - quad[3])))
    shrink = max(1.0, side / TILE_SIZE[0])
    if shrink >= 1.5:
        image, quad = _shrunk(image, quad, shrink, 0.8 * size[0] / CROP_SIZE[0])
    return cv2.warpPerspective(image, crop_matrix(quad, size), size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def _shrunk(image: np.ndarray, quad: np.ndarray, shrink: float, around: float) -> tuple[np.ndarray, np.ndarray]:
    """The quad with its surroundings, `around` times its extent on every side, averaged down by `shrink`."""
    margin = around * np.ptp(quad, axis=0).max()
    x0, y0 = np.maximum(np.floor(quad.min(axis=0) - margin), 0).astype(int)
    x1, y1 = np.minimum(np.ceil(quad.max(axis=0) + margin).astype(int) + 1, [image.shape[1], image.shape[0]])
    part = image[y0:y1, x0:x1]
    if part.size == 0:
        return image, quad
    size = (max(1, round(part.shape[1] / shrink)), max(1, round(part.shape[0] / shrink)))
    scale = np.array([size[0] / part.shape[1], size[1] / part.shape[0]], np.float32)
    return cv2.resize(part, size, interpolation=cv2.INTER_AREA), (quad - np.array([x0, y0], np.float32) + 0.5) * scale - 0.5


@dataclass(frozen=True, slots=True)
class Readings:
    """What the reader says of N proposals. kinds: Nx4 probabilities in the order of KINDS; quads_px: Nx4x2 corrected corners;
    halves: Nx2x7 probabilities of half 0 and half 1."""

    kinds: np.ndarray
    quads_px: np.ndarray
    halves: np.ndarray

    def __len__(self) -> int:
        return len(self.kinds)

    def pick(self, index: np.ndarray) -> Readings:
        """The readings at these indices."""
        return Readings(self.kinds[index], self.quads_px[index], self.halves[index])


def joined(parts: Sequence[Readings]) -> Readings:
    """All readings of several batches, at least one."""
    return Readings(*(np.concatenate([getattr(p, name) for p in parts]) for name in ("kinds", "quads_px", "halves")))


def softmax(logits: np.ndarray, temperature: float = 1.0) -> np.ndarray:
    """Probabilities along the last axis."""
    z = logits / temperature
    z = np.exp(z - z.max(axis=-1, keepdims=True))
    return z / z.sum(axis=-1, keepdims=True)


class TileReader:
    """Runs the reader network, which reads the left half of a crop; temperatures: measured when it was trained."""

    def __init__(self, session: Session, kind_temperature: float, half_temperature: float) -> None:
        self._session = session
        self._kind_temperature = kind_temperature
        self._half_temperature = half_temperature

    def read(self, image: np.ndarray, quads_px: np.ndarray) -> Readings:
        """Look at each proposal (Nx4x2) both ways round and take the mean of what is said twice.

        What is no tile for sure the first way round is not looked at the other way: its right half is told as its left one.
        """
        crops = np.stack([crop_tile(image, quad) for quad in quads_px])
        kinds, offsets, left = self._run(crops)
        right, may_be = left.copy(), np.flatnonzero(softmax(kinds, self._kind_temperature)[:, NONE] < SURELY_NONE)
        if len(may_be):
            again, back, right[may_be] = self._run(crops[may_be, ::-1, ::-1])
            kinds[may_be] = (kinds[may_be] + again) / 2
            offsets[may_be] = (offsets[may_be] - back[:, [2, 3, 0, 1]]) / 2
        halves = softmax(np.stack([left, right], axis=1), self._half_temperature)
        return Readings(softmax(kinds, self._kind_temperature), _moved(quads_px, offsets), halves)

    def _run(self, crops: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Kinds Nx4, corner offsets Nx4x2 and the left halves Nx7 of crops NxHxWx3."""
        batch = np.ascontiguousarray(crops.transpose(0, 3, 1, 2), np.float32)
        kinds, offsets, left = self._session.run(["kind", "corners", "left"], {"crops": batch})
        return kinds, offsets.reshape(-1, 4, 2), left


def _moved(quads_px: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Corner offsets (Nx4x2, tile lengths in the crop) applied to the quads they belong to, in picture pixels."""
    out = np.empty((len(quads_px), 4, 2), np.float32)
    for i, (quad, offset) in enumerate(zip(quads_px, offsets, strict=True)):
        in_crop = CANONICAL + offset * TILE_SIZE[0]
        back = np.linalg.inv(crop_matrix(quad))
        out[i] = cv2.perspectiveTransform(in_crop[None].astype(np.float64), back)[0]
    return out
