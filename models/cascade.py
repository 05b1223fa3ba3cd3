"""Proposals to tiles: one look at each, best first, more looks where it is not clear, and of what overlaps the surer stays."""

from __future__ import annotations

import cv2
import numpy as np

from models.localiser import Proposals, intersection, quad_area, suppress
from models.reader import KINDS, NONE, Readings, TileReader, joined
from vision.detections import TileDetection, TileState

NONE_SURE = 0.9  # the first look drops what is no tile with this probability
NONE_LIKELY = 0.8  # and so do the later ones
SURE = 0.95  # of a kind and both numbers after one look: no second look is needed
STILL = 0.12  # and the corners moved by less than this, in tile lengths
FITS = 0.05  # corners that a look moves by less than this are where they belong
TAKEN = 0.8  # that a tile lies here: what overlaps it need not be looked at
FAR_APART = 0.3  # intersection over union of proposals that are looked at first
LIKELY = 0.5  # of a standing tile: from here on its length counts
SAME_PLACE = 0.34  # two tiles share no more than this of the smaller one


def read_tiles(reader: TileReader, image: np.ndarray, proposals: Proposals) -> list[TileDetection]:
    """The tiles among the proposals, the surest first.

    Of proposals that overlap the best is looked at first; the others only where it did not turn out to be a tile.
    """
    best = suppress(proposals, FAR_APART, limit=120)
    found = _looked_at(reader, image, best.quads_px)
    tiles = [quad for quad, kind in zip(found.quads_px, found.kinds, strict=True) if kind[NONE] < 1 - TAKEN]
    first = {quad.tobytes() for quad in best.quads_px}
    rest = [q for q in proposals.quads_px if q.tobytes() not in first and not _covered(q, tiles)]
    readings = joined([found, _looked_at(reader, image, np.array(rest, np.float32).reshape(-1, 4, 2))])
    return settle([_detection(readings, i) for i in range(len(readings))])


def _looked_at(reader: TileReader, image: np.ndarray, quads: np.ndarray) -> Readings:
    """What may be a tile: after one look where that is clear, after more where it is not."""
    if not len(quads):
        return Readings(np.zeros((0, 4)), np.zeros((0, 4, 2), np.float32), np.zeros((0, 2, 7)))
    seen = reader.read(image, quads)
    possible = (seen.kinds[:, NONE] < NONE_SURE) & _are_quads(seen.quads_px)
    clear = possible & _are_clear(seen, quads)
    doubtful = seen.pick(np.flatnonzero(possible & ~clear))
    return joined([seen.pick(np.flatnonzero(clear)), _again(reader, image, doubtful)])


def _are_clear(seen: Readings, before: np.ndarray) -> np.ndarray:
    read = seen.kinds[:, 0] * seen.halves.max(axis=2).prod(axis=1)
    other = seen.kinds[:, 1:NONE].max(axis=1)
    return ((read > SURE) | (other > SURE)) & (_moved(seen, before) < STILL)


def _moved(seen: Readings, before: np.ndarray) -> np.ndarray:
    """How far the corner that moved most did, in tile lengths."""
    return np.linalg.norm(seen.quads_px - before, axis=2).max(axis=1) / np.linalg.norm(before[:, 1] - before[:, 0], axis=1)


def _again(reader: TileReader, image: np.ndarray, doubtful: Readings) -> Readings:
    """A look both ways round where the corners now are, and another where that moved them: a box that fits is surer of being one."""
    places = Proposals(doubtful.quads_px, 1 - doubtful.kinds[:, NONE], np.zeros(len(doubtful)))
    done, quads = [doubtful.pick(np.zeros(0, int))], suppress(places, 0.75, limit=120).quads_px
    for last in (False, True):
        if len(quads):
            seen = reader.read(image, quads)
            likely = (seen.kinds[:, NONE] < NONE_LIKELY) & _are_quads(seen.quads_px)
            fits = likely & ((_moved(seen, quads) < FITS) | last)
            done.append(seen.pick(np.flatnonzero(fits)))
            quads = seen.quads_px[likely & ~fits]
    return joined(done)


def _covered(quad: np.ndarray, tiles: list[np.ndarray]) -> bool:
    area = quad_area(quad)
    return any(intersection(quad, other) > SAME_PLACE * min(area, quad_area(other)) for other in tiles)


def _are_quads(quads: np.ndarray) -> np.ndarray:
    return np.array([_is_quad(q) for q in quads], bool)


def _is_quad(quad: np.ndarray) -> bool:
    """Convex, clockwise, and not a sliver."""
    if not np.isfinite(quad).all() or not cv2.isContourConvex(quad.astype(np.float32)):
        return False
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return bool(sides.min() > 2 and cv2.contourArea(quad.astype(np.float32), oriented=True) > 0)


def _detection(readings: Readings, i: int) -> TileDetection:
    kind = readings.kinds[i]
    state = TileState(KINDS[int(kind[:NONE].argmax())])
    halves, quad = readings.halves[i].astype(np.float64), readings.quads_px[i]
    if state is not TileState.FACE_UP:
        return TileDetection(quad, np.full((2, 7), 1 / 7), state, float(kind[:NONE].max()))
    first, second = halves.argmax(axis=1)
    if first > second:
        halves, quad = halves[::-1].copy(), np.roll(quad, 2, axis=0)
    confidence = float(kind[0] * halves.max(axis=1).prod())
    return TileDetection(quad, halves, state, confidence)


def settle(found: list[TileDetection]) -> list[TileDetection]:
    """Two tiles do not lie in one place: of those that share more than a third of the smaller one, the surer stays.

    Of standing tiles the longer one stays: half of a tile on its long side looks like a tile on its short side.
    """
    sides = [d for d in found if d.state is TileState.STANDING and d.confidence > LIKELY]
    others = [d for d in found if d.state is not TileState.STANDING or d.confidence <= LIKELY]
    longest = _apart(sorted(sides, key=lambda d: quad_area(d.quad_px), reverse=True))
    return _apart(sorted([*longest, *others], key=lambda d: d.confidence, reverse=True))


def _apart(ordered: list[TileDetection]) -> list[TileDetection]:
    """Each that does not lie in the place of one before it."""
    kept: list[TileDetection] = []
    for one in ordered:
        area = quad_area(one.quad_px)
        if all(intersection(one.quad_px, k.quad_px) < SAME_PLACE * min(area, quad_area(k.quad_px)) for k in kept):
            kept.append(one)
    return kept
