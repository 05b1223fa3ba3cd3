"""How well detections agree with labels: the rule of matching, counts that add up, reliability.

A detection is right when a label of the same two numbers overlaps it by at least `min_iou` (intersection over union of the
outlines), one to one, best overlaps first. One that matches nothing and lies in an `ignore` rectangle, or on a tile labelled as
partly visible, counts neither way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields

import cv2
import numpy as np

from models.localiser import intersection, quad_area

MIN_IOU = 0.5
PARTIAL_IOU = 0.3  # a detection on a partly visible tile is excused from this overlap on
SAME_HEADING = 0.7  # cosine between the labelled direction from the low half to the high one and the detected one
SURE = 0.99  # readings from here on are acted upon without a question
BIN_EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """A labelled or detected tile: numbers (low, high); quad_px 4x2, corners 0 and 3 on the low half; confidence 0-1 of a detection."""

    numbers: tuple[int, int]
    quad_px: np.ndarray
    confidence: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPicture:
    """What one picture shows. partial: tiles that count neither way; ignore: rectangles (x, y, width, height in px)."""

    image: str
    tiles: tuple[Outline, ...]
    partial: tuple[Outline, ...] = ()
    ignore: tuple[tuple[float, float, float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Score:
    """Counts over any number of pictures; two scores add up. corner_error is a sum over right tiles, in tile lengths.

    empty: pictures without a labelled tile; silent: those of them in which nothing was found that counts.
    claims: (confidence, right) of every detection that counts.
    """

    pictures: int = 0
    labels: int = 0
    detections: int = 0
    right: int = 0
    located: int = 0
    halves: int = 0
    halves_right: int = 0
    mixed: int = 0
    headed: int = 0
    exact: int = 0
    empty: int = 0
    silent: int = 0
    corner_error: float = 0.0
    claims: tuple[tuple[float, bool], ...] = field(default=(), repr=False)

    def __add__(self, other: Score) -> Score:
        return Score(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    def shares(self) -> dict[str, float | None]:
        """The figures of the table; None where nothing was counted. calibration_error: expected, over the bins."""
        precision, recall = share(self.right, self.detections), share(self.right, self.labels)
        both = (precision or 0.0) + (recall or 0.0)
        return {
            "precision": precision,
            "recall": recall,
            "f1": 2 * (precision or 0.0) * (recall or 0.0) / both if both else 0.0,
            "located": share(self.located, self.labels),
            "halves": share(self.halves_right, self.halves),
            "heading": share(self.headed, self.mixed),
            "exact": share(self.exact, self.pictures),
            "corner_error": share(self.corner_error, self.right),
            "calibration_error": calibration_error(self.claims),
        }


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Detections of one range of confidence: how sure they were on average (0-1), and which share was right."""

    low: float
    high: float
    count: int
    mean: float
    right: float


def reliability(claims: Sequence[tuple[float, bool]]) -> list[ReliabilityBin]:
    """The bins that hold something, by rising confidence."""
    if not claims:
        return []
    confidence, right = np.array(claims, float).T
    which = np.clip(np.digitize(confidence, BIN_EDGES) - 1, 0, len(BIN_EDGES) - 2)
    return [
        ReliabilityBin(BIN_EDGES[k], BIN_EDGES[k + 1], int(at.sum()), float(confidence[at].mean()), float(right[at].mean()))
        for k in range(len(BIN_EDGES) - 1)
        if (at := which == k).any()
    ]


def calibration_error(claims: Sequence[tuple[float, bool]]) -> float | None:
    """Expected calibration error: the mean distance between confidence and share right, weighed by the bins' counts."""
    return sum(b.count * abs(b.mean - b.right) for b in reliability(claims)) / len(claims) if claims else None


def surest(claims: Sequence[tuple[float, bool]]) -> tuple[int, int]:
    """How many detections have the confidence SURE or more, and how many of those are right."""
    right = [r for confidence, r in claims if confidence >= SURE]
    return len(right), sum(right)


def score_picture(truth: LabelledPicture, found: Iterable[Outline], min_iou: float = MIN_IOU) -> Score:
    """The counts of one picture."""
    shown = list(found)
    right = _pairs(truth.tiles, shown, min_iou, same=True)
    located = _pairs(truth.tiles, shown, min_iou, same=False)
    counted = _counted(truth, shown, {j for _, j in right + located})
    sure = {j for _, j in right}
    mixed = [(i, j) for i, j in right if len(set(truth.tiles[i].numbers)) == 2]
    return Score(
        pictures=1,
        labels=len(truth.tiles),
        detections=len(counted),
        right=len(right),
        located=len(located),
        halves=2 * len(located),
        halves_right=sum(_halves_right(truth.tiles[i].numbers, shown[j].numbers) for i, j in located),
        mixed=len(mixed),
        headed=sum(_cosine(truth.tiles[i].quad_px, shown[j].quad_px) > SAME_HEADING for i, j in mixed),
        exact=int(len(right) == len(truth.tiles) == len(counted)),
        empty=int(not truth.tiles),
        silent=int(not truth.tiles and not counted),
        corner_error=sum(_corner_error(truth.tiles[i], shown[j]) for i, j in right),
        claims=tuple((shown[j].confidence, j in sure) for j in counted),
    )


def overlap(p: np.ndarray, q: np.ndarray) -> float:
    """Intersection over union of the hulls of two quads (4x2)."""
    p, q = (cv2.convexHull(quad.astype(np.float32))[:, 0] for quad in (p, q))
    shared = intersection(p, q)
    union = quad_area(p) + quad_area(q) - shared
    return shared / union if union > 0 else 0.0


def _pairs(labels: Sequence[Outline], shown: Sequence[Outline], min_iou: float, same: bool) -> list[tuple[int, int]]:
    """One-to-one pairs (label, detection) by falling overlap; `same` asks for equal numbers."""
    every = [
        (overlap(label.quad_px, one.quad_px), i, j)
        for i, label in enumerate(labels)
        for j, one in enumerate(shown)
        if not same or label.numbers == one.numbers
    ]
    out: list[tuple[int, int]] = []
    for value, i, j in sorted(every, reverse=True):
        if value >= min_iou and all(i != k and j != m for k, m in out):
            out.append((i, j))
    return out


def _counted(truth: LabelledPicture, shown: Sequence[Outline], matched: set[int]) -> list[int]:
    """Detections that count: all but the unmatched ones that lie on a partly visible tile or in an `ignore` rectangle."""
    free = [j for j in range(len(shown)) if j not in matched]
    excused = {free[k] for _, k in _pairs(truth.partial, [shown[j] for j in free], PARTIAL_IOU, same=False)}
    excused |= {j for j in free if _inside(shown[j].quad_px.mean(axis=0), truth.ignore)}
    return [j for j in range(len(shown)) if j not in excused]


def _inside(point: np.ndarray, rectangles: Sequence[tuple[float, float, float, float]]) -> bool:
    return any(x <= point[0] <= x + w and y <= point[1] <= y + h for x, y, w, h in rectangles)


def _halves_right(label: tuple[int, int], read: tuple[int, int]) -> int:
    (a, b), (c, d) = label, read
    return max((a == c) + (b == d), (a == d) + (b == c))


def _cosine(p: np.ndarray, q: np.ndarray) -> float:
    return float(_direction(p) @ _direction(q))


def _direction(quad: np.ndarray) -> np.ndarray:
    along = (quad[1] + quad[2]) / 2 - (quad[0] + quad[3]) / 2
    return along / (np.linalg.norm(along) or 1.0)


def _corner_error(label: Outline, one: Outline) -> float:
    """Mean distance of the corners in tile lengths; a double may be told from either end."""
    turns = (0, 2) if label.numbers[0] == label.numbers[1] else (0,)
    length = np.linalg.norm(label.quad_px[1] - label.quad_px[0])
    return float(min(np.linalg.norm(label.quad_px - np.roll(one.quad_px, k, axis=0), axis=1).mean() for k in turns) / length)


def share(part: float, whole: float) -> float | None:
    """part / whole; None of nothing."""
    return part / whole if whole else None
