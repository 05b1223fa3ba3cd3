"""Pictures of a camera that stands still: what looks as it did when it was read is not read again.

Between two looks at a table one tile has come and a rack has lost one; the other thirty look as before. So the networks see the places
that changed, what was read on them with doubt, and what was not read often enough yet; all else is known. Now and then everything is
looked at again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from models.cascade import settle
from models.detector import MIN_CONFIDENCE, Box, Detector
from models.verifier import CLAIMED, Claim, verified
from vision.detections import TileDetection, TileState

REDUCED = 4  # the pictures are compared at a quarter of their size
CHANGED = 12  # levels of a colour from which a place looks otherwise
ROUND = 0.75  # tile lengths around what changed in which everything is read again: all of a tile that it touches
CONTEXT = 1.0  # tile lengths around that which the localiser sees as well
OFTEN = 3  # times that a tile is read at least
DOUBT = 0.9  # confidence below which a face is read in every look, where it is claimed at all
MOST = 0.5  # share of the picture: where more is to be looked at, all of it is
EVERYTHING = 10  # looks after which everything is looked at
SAME_PLACE = 0.4  # tile lengths between the middles of two readings of one tile


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """A claim, and how often it was read."""

    claim: Claim
    reads: int = 1

    @property
    def middle(self) -> np.ndarray:
        return np.asarray(self.claim.tile.quad_px.mean(axis=0))

    @property
    def is_settled(self) -> bool:
        tile = self.claim.tile
        in_doubt = tile.state is TileState.FACE_UP and CLAIMED <= tile.confidence < DOUBT
        return self.reads >= OFTEN and not in_doubt


class SteadyDetector:
    """Reads one picture after the other of a camera that stands still.

    length_px: of a tile in the pictures; while it is not known every picture is read as a whole.
    """

    def __init__(self, detector: Detector, length_px: float | None = None) -> None:
        self._detector, self.length_px = detector, length_px
        self._known: list[_Known] = []
        self._seen: np.ndarray | None = None  # the small picture, each place as it was when it was read
        self._looks = 0  # since everything was looked at

    def detect(self, image: np.ndarray, min_confidence: float = MIN_CONFIDENCE) -> list[TileDetection]:
        """All tiles of a BGR uint8 picture, best first."""
        now = _small(image)
        again = self._to_read(now)
        if again is None:
            claims, self._seen, self._looks = self._detector.claims(image), now, 0
            self._known = self._counted(claims, self._known)
        elif again.any():
            self._read_again(image, now, again)
        self._looks += 1
        return [tile for tile in verified([one.claim for one in self._known]) if tile.confidence >= min_confidence]

    def _to_read(self, now: np.ndarray) -> np.ndarray | None:
        """The places to be read, a mask of the small picture; None for everything."""
        if self.length_px is None or self._seen is None or self._seen.shape != now.shape or self._looks >= EVERYTHING:
            return None
        differs = (cv2.absdiff(now, self._seen).max(axis=2) > CHANGED).astype(np.uint8)
        differs = cv2.morphologyEx(differs, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
        around = 2 * round(ROUND * self.length_px / REDUCED) + 1
        again = cv2.dilate(differs, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (around, around)))
        for one in self._known:
            if not one.is_settled:
                cv2.fillConvexPoly(again, np.rint(one.claim.tile.quad_px / REDUCED).astype(np.int32), 1)
        area = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in self._boxes(again))
        return None if area > MOST * again.size * REDUCED**2 else again.astype(bool)

    def _read_again(self, image: np.ndarray, now: np.ndarray, again: np.ndarray) -> None:
        def is_in(middle: np.ndarray) -> bool:
            return bool(again[_at(middle, again)])

        assert self._seen is not None
        claims = self._detector.claims(image, self._boxes(again.astype(np.uint8)), is_in)
        before, kept = ([one for one in self._known if is_in(one.middle) == gone] for gone in (True, False))
        together = [*kept, *self._counted(claims, before)]
        staying = {id(tile) for tile in settle([one.claim.tile for one in together])}
        self._known = [one for one in together if id(one.claim.tile) in staying]
        self._seen[again] = now[again]

    def _boxes(self, again: np.ndarray) -> list[Box]:
        """In pixels of the picture."""
        around = round(CONTEXT * (self.length_px or 0.0) / REDUCED)
        return [(REDUCED * x0, REDUCED * y0, REDUCED * x1, REDUCED * y1) for x0, y0, x1, y1 in _boxes(again, around)]

    def _counted(self, claims: Sequence[Claim], before: Sequence[_Known]) -> list[_Known]:
        """Claims with how often each was read, the times before included."""
        near = SAME_PLACE * (self.length_px or 0.0)

        def reads(one: _Known) -> int:
            same = (old.reads for old in before if np.linalg.norm(old.middle - one.middle) < near and _alike(old, one))
            return 1 + max(same, default=0)

        return [_Known(claim, reads(_Known(claim))) for claim in claims]


def _small(image: np.ndarray) -> np.ndarray:
    size = (image.shape[1] // REDUCED, image.shape[0] // REDUCED)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA))


def _boxes(mask: np.ndarray, around: int) -> list[Box]:
    """Upright boxes, the picture's edge at most, that hold the parts of a mask and what lies around; none meets another."""
    height, width = mask.shape
    grown = mask.copy()
    while True:
        count, _, stats, _ = cv2.connectedComponentsWithStats(grown, connectivity=8)
        boxes = [
            (max(0, x - around), max(0, y - around), min(width, x + w + around), min(height, y + h + around))
            for x, y, w, h, _ in stats[1:count].tolist()
        ]
        around, before = 0, grown
        grown = np.zeros_like(mask)
        for x0, y0, x1, y1 in boxes:
            grown[y0:y1, x0:x1] = 1
        if (grown == before).all():
            return boxes


def _at(point: np.ndarray, mask: np.ndarray) -> tuple[int, int]:
    """Row and column of a point of the picture in a mask of the small one."""
    x, y = np.clip(np.rint(point / REDUCED).astype(int), 0, np.array(mask.shape[::-1]) - 1)
    return int(y), int(x)


def _alike(one: _Known, other: _Known) -> bool:
    return (one.claim.tile.state, one.claim.tile.pips) == (other.claim.tile.state, other.claim.tile.pips)
