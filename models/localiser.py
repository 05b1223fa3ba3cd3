"""The localiser: a small YOLO-OBB that proposes tiles as oriented boxes, run over a pyramid of picture sizes, decoded in numpy."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from models.runtimes import Session

STRIDE = 32  # sides are padded to a multiple of this
PAD_GREY = 114


@dataclass(frozen=True, slots=True)
class Proposals:
    """N proposed tiles: quads_px Nx4x2 (corner 0 to 1 is the long side), scores N, lengths_net N (px at the network's input)."""

    quads_px: np.ndarray
    scores: np.ndarray
    lengths_net: np.ndarray

    def __len__(self) -> int:
        return len(self.scores)

    def pick(self, index: np.ndarray) -> Proposals:
        """The proposals at these indices."""
        return Proposals(self.quads_px[index], self.scores[index], self.lengths_net[index])


def concatenate(parts: list[Proposals]) -> Proposals:
    """All proposals of several levels."""
    empty = Proposals(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32), np.zeros(0, np.float32))
    parts = parts or [empty]
    return Proposals(*(np.concatenate([getattr(p, name) for p in parts]) for name in ("quads_px", "scores", "lengths_net")))


def box_quads(boxes: np.ndarray) -> np.ndarray:
    """Nx5 boxes (x, y, w, h, angle in radians, y down) as Nx4x2 corners, clockwise as seen, long side first."""
    x, y, w, h, a = boxes.T
    swap = h > w
    w, h, a = np.where(swap, h, w), np.where(swap, w, h), np.where(swap, a + np.pi / 2, a)
    u = np.stack([np.cos(a), np.sin(a)], axis=1) * (w / 2)[:, None]
    v = np.stack([-np.sin(a), np.cos(a)], axis=1) * (h / 2)[:, None]
    c = np.stack([x, y], axis=1)
    return np.stack([c - u - v, c + u - v, c + u + v, c - u + v], axis=1).astype(np.float32)


class Localiser:
    """Runs the network at one picture size at a time. length_range: tile lengths (px at the input) that it was trained on."""

    def __init__(self, session: Session, length_range: tuple[float, float] = (13.0, 170.0)) -> None:
        self._session = session
        self._length_range = length_range

    def propose(self, image: np.ndarray, long_side: int, min_score: float) -> Proposals:
        """Proposals of one level: the picture (BGR uint8) is scaled so that its long side is `long_side` px."""
        blob, scale = _input_blob(image, long_side)
        raw = self._session.run(["output0"], {"images": blob})[0][0].T  # N x (x, y, w, h, classes, angle)
        scores = raw[:, 4:-1].max(axis=1)
        keep = scores >= min_score
        boxes = np.concatenate([raw[keep, :4], raw[keep, -1:]], axis=1)
        lengths = boxes[:, 2:4].max(axis=1)
        fits = (lengths >= self._length_range[0]) & (lengths <= self._length_range[1])
        quads = box_quads(boxes[fits]) / scale.astype(np.float32)
        return suppress(Proposals(quads, scores[keep][fits], lengths[fits]), 0.6, limit=250)


def _input_blob(image: np.ndarray, long_side: int) -> tuple[np.ndarray, np.ndarray]:
    """The picture at the level's size as 1x3xHxW float32 RGB 0-1, and the scale (x, y) from picture to level."""
    height, width = image.shape[:2]
    factor = long_side / max(height, width)
    size = (max(1, round(width * factor)), max(1, round(height * factor)))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR)
    padded = np.full((-(-size[1] // STRIDE) * STRIDE, -(-size[0] // STRIDE) * STRIDE, 3), PAD_GREY, np.uint8)
    padded[: size[1], : size[0]] = small
    blob = np.ascontiguousarray(padded[:, :, ::-1].transpose(2, 0, 1)[None], np.float32) / 255
    return blob, np.array([size[0] / width, size[1] / height])


def quad_area(quad: np.ndarray) -> float:
    """Area of a convex quad (4x2)."""
    return float(abs(cv2.contourArea(quad.astype(np.float32))))


def intersection(p: np.ndarray, q: np.ndarray) -> float:
    """Area of the intersection of two convex quads (4x2)."""
    if (p.max(axis=0) < q.min(axis=0)).any() or (q.max(axis=0) < p.min(axis=0)).any():
        return 0.0
    return float(cv2.intersectConvexConvex(p.astype(np.float32), q.astype(np.float32))[0])


def suppress(found: Proposals, max_iou: float, limit: int) -> Proposals:
    """Keep the best of those that overlap by more than `max_iou` (intersection over union)."""
    quads = list(found.quads_px.astype(np.float32))
    areas, near = [quad_area(q) for q in quads], _boxes_meet(found.quads_px)
    is_kept, kept = np.zeros(len(quads), bool), list[int]()
    for i in np.argsort(-found.scores).tolist():
        if len(kept) >= limit:
            break
        if not any(_too_close(quads, areas, i, j, max_iou) for j in np.flatnonzero(near[i] & is_kept).tolist()):
            is_kept[i] = True
            kept.append(i)
    return found.pick(np.array(kept, int))


def _too_close(quads: list[np.ndarray], areas: list[float], i: int, j: int, max_iou: float) -> bool:
    shared = cv2.intersectConvexConvex(quads[i], quads[j])[0]
    return bool(shared > max_iou * (areas[i] + areas[j] - shared))


def _boxes_meet(quads: np.ndarray) -> np.ndarray:
    """NxN: whether the upright boxes around two quads meet, all at once, for few pairs do."""
    reach = [low[:, None] <= high for low, high in zip(quads.min(axis=1).T, quads.max(axis=1).T, strict=True)]  # along x, along y
    return reach[0] & reach[0].T & reach[1] & reach[1].T
