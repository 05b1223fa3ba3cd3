"""What one picture says about the camera itself: light, focus, colours, and whether it still looks where it did."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.watching_pose import FEW_PIXELS, WIDTH, Reference, Sight, even, grey_of

FINE_PX, BROAD_PX = 0.8, 2.5  # the slope of an edge at these two blurs tells how sharp it is, whatever the light
CELLS = (16, 12)  # in which colours are compared
COLOURED = 0.03  # red against blue (log) beyond the median of the picture from which a cell has a vote
FEW_CELLS = 12
MOST = 0.75  # of the votes
TINTED = 0.5  # red against blue of the whole picture (log) from which that alone says something
SEEN = 0.4  # agreement from which a pose is believed
WELL_SEEN = 0.7  # and from which its edges are surely those of the reference


@dataclass(frozen=True, slots=True)
class Signs:
    """Of one picture. brightest: the level that 1 % of it exceeds, 0-255. burnt: share that is white beyond the reference's.

    sharpness: against the reference, 1 for as sharp. swapped: whether red and blue are exchanged. sight: where it looks, None
    where too little is recognised.
    """

    brightest: float
    burnt: float
    sharpness: float
    swapped: bool
    sight: Sight | None


def reduced(image: np.ndarray) -> np.ndarray:
    """A BGR uint8 picture WIDTH wide."""
    height, width = image.shape[:2]
    if width == WIDTH:
        return image
    return cv2.resize(image, (WIDTH, round(height * WIDTH / width)), interpolation=cv2.INTER_AREA)


class Measure:
    """Measures pictures against the reference picture."""

    def __init__(self, picture: np.ndarray) -> None:
        """`picture`: BGR uint8, WIDTH wide."""
        self.reference = Reference(picture)
        grey = grey_of(picture)
        self._burnt = _burnt(grey)
        self._edges_anywhere = _sharpness(grey)
        self._edges, strength = self._block_sharpness(grey, np.eye(3))
        strong = (
            strength >= np.median(strength[np.isfinite(strength)]) if np.isfinite(strength).any() else np.isfinite(strength)
        )  # what is faint is as sharp as the noise on it
        self._telling = strong & (self._edges >= np.median(self._edges[strong])) if strong.any() else strong
        self._warmth = _warmth(picture)

    def look(self, picture: np.ndarray, poses: tuple[np.ndarray, ...]) -> Signs:
        """Signs of a BGR uint8 picture of the reference's size; poses: 3x3 each, from which it may be looking."""
        grey = grey_of(picture)
        evened = even(grey)
        sight: Sight | None = max((self.reference.find(evened, pose) for pose in poses), key=lambda found: found.agreement)
        if sight is not None and sight.agreement < SEEN:
            sight = None
        sharpness = self._sharpness(grey, sight)
        swapped = sight is not None and self._is_swapped(picture, sight)
        return Signs(_brightest(grey), max(0.0, _burnt(grey) - self._burnt), sharpness, swapped, sight)

    def _sharpness(self, grey: np.ndarray, sight: Sight | None) -> float:
        """At the edges that the reference has, where they are found; else at whatever edges there are, which says less."""
        anywhere = 0.0
        if sight is None or sight.agreement < WELL_SEEN:
            anywhere = _sharpness(grey) / max(self._edges_anywhere, 1e-6)
        if sight is None:
            return anywhere
        share = (self._block_sharpness(grey, sight.pose)[0] / self._edges)[self._telling]
        share = share[np.isfinite(share)]
        return max(float(np.median(share)), anywhere) if len(share) else 1.0

    def _block_sharpness(self, grey: np.ndarray, pose: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Slope at FINE_PX against slope at BROAD_PX, and the latter, block by block; NaN where a block is out of view."""
        points, block = self.reference.fine.points, self.reference.fine.block
        at = (points @ pose[:2, :2].T + pose[:2, 2]).astype(np.float32)
        inside = ((at > 3) & (at < np.array(self.reference.size) - 4)).all(axis=1)
        size = int(block.max(initial=0)) + 1
        count = np.bincount(block[inside], minlength=size)
        known = np.where(count >= FEW_PIXELS, np.maximum(count, 1), np.nan)
        fine, broad = (np.bincount(block[inside], _slope_at(grey, sigma, at[inside]), size) for sigma in (FINE_PX, BROAD_PX))
        return fine / np.maximum(broad, 1e-6) * (known / known), broad / known

    def _is_swapped(self, picture: np.ndarray, sight: Sight) -> bool:
        """Where the reference is redder than most of it the picture is bluer, and the other way round; arms vote for nothing."""
        back = cv2.warpAffine(
            picture, sight.pose[:2], self.reference.size, flags=cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
        )
        before, now = self._warmth, _warmth(back)
        tint, tint_now = float(np.median(before)), float(np.median(now))
        voting = np.abs(before - tint) > COLOURED
        if voting.sum() >= FEW_CELLS:
            here, there = (now - tint_now)[voting], (before - tint)[voting]
            return float((np.abs(here + there) < np.abs(here - there)).mean()) > MOST
        return abs(tint) > TINTED and abs(tint + tint_now) < 0.3 * abs(tint)


def _warmth(picture: np.ndarray) -> np.ndarray:
    """Logarithm of red over blue in each cell: the light's colour adds the same to all."""
    cells = cv2.resize(picture, CELLS, interpolation=cv2.INTER_AREA).reshape(-1, 3).astype(np.float64) + 8
    return np.asarray(np.log(cells[:, 2] / cells[:, 0]))


def _brightest(grey: np.ndarray) -> float:
    return float(np.searchsorted(np.cumsum(np.bincount(grey.ravel(), minlength=256)), 0.99 * grey.size))


def _burnt(grey: np.ndarray) -> float:
    return float(np.count_nonzero(grey >= 250)) / grey.size


def _slope_at(grey: np.ndarray, sigma: float, points: np.ndarray) -> np.ndarray:
    """Slope of a blurred picture at Nx2 points (float32)."""
    soft = cv2.GaussianBlur(grey, (0, 0), sigma).astype(np.float32)

    def at(dx: float, dy: float) -> np.ndarray:
        return cv2.remap(soft, points[None, :, 0] + np.float32(dx), points[None, :, 1] + np.float32(dy), cv2.INTER_LINEAR)[0]

    return np.hypot(at(1, 0) - at(-1, 0), at(0, 1) - at(0, -1)) if len(points) else np.zeros(0)


def _sharpness(grey: np.ndarray) -> float:
    """Slope at FINE_PX against slope at BROAD_PX at the clearest edges of a picture."""
    fine, broad = (_slopes(grey, sigma) for sigma in (FINE_PX, BROAD_PX))
    clearest = broad >= np.partition(broad.ravel(), -2000)[-2000]
    return float(fine[clearest].sum() / max(float(broad[clearest].sum()), 1e-6))


def _slopes(grey: np.ndarray, sigma: float) -> np.ndarray:
    soft = cv2.GaussianBlur(grey, (0, 0), sigma)
    return np.asarray(cv2.magnitude(cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)))
