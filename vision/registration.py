"""Where a look lies against the looks before: the camera or the cloth may have moved, the tiles know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.board import BoardView, SeenTile, axis_difference_deg, wrap_deg

NEAR = 0.40  # tile lengths: nearer than two tiles can lie to each other, further than any error of a look
NEAR_UNLIKE = 0.12  # the same for a tile that reads quite otherwise: no more than the errors of a look (6 mm)
ANOTHER_READING = 0.002  # probability of one tile below which both halves read otherwise; one misread half stays above
ANOTHER_READING_BACK = 0.03  # below, one half of a tile that was out of sight reads otherwise: it is another one
ALIKE_DEG = 30.0
STAY_BONUS = 1.5  # the table stays where it was unless more than one tile says otherwise,
STAY_BONUS_CALIBRATED = 4.0  # and more than two where the camera was calibrated and is not held in a hand
ALIKE_READING = 0.3  # probability of the same tile above which two readings may be one tile
MOST = 0.8  # of the tiles at their places: the table has not moved, and no other motion is tried
FEW = 3  # tiles below which a turn or a scale cannot be measured well enough to be worth having


@dataclass(frozen=True, slots=True)
class Similarity:
    """A turn, a scale and a shift on the table; the unit leaves everything where it is."""

    scale: float = 1.0
    turn_deg: float = 0.0
    x_mm: float = 0.0
    y_mm: float = 0.0

    def points(self, points_mm: np.ndarray) -> np.ndarray:
        """Nx2 millimetres moved."""
        angle = np.radians(self.turn_deg)
        turn = self.scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        return np.asarray(points_mm @ turn.T + [self.x_mm, self.y_mm])

    def tile(self, seen: SeenTile) -> SeenTile:
        """A tile moved."""
        x, y = self.points(seen.centre_mm[None])[0]
        return replace(seen, x_mm=float(x), y_mm=float(y), angle_deg=wrap_deg(seen.angle_deg + self.turn_deg))

    def view(self, view: BoardView) -> BoardView:
        """A whole look moved."""
        up, down, standing = (tuple(map(self.tile, tiles)) for tiles in (view.face_up, view.face_down, view.standing))
        return replace(view, face_up=up, face_down=down, standing=standing, length_mm=view.length_mm * self.scale)


STAY = Similarity()


def register(known: Sequence[SeenTile], length_mm: float, view: BoardView) -> Similarity:
    """What brings a look onto the tiles known so far; `length_mm` is a tile's length among them.

    Tried are no motion and every motion that lays one tile of the look on a known tile that reads alike; the one that explains most
    tiles wins. One known plane for all looks leaves the scale alone; planes taken from tiles do not.
    """
    if not known or not view.face_up:
        return STAY
    calibrated = view.plane is not None and view.plane.knows_seats
    scale = 1.0 if calibrated else length_mm / view.length_mm
    bonus = STAY_BONUS_CALIBRATED if calibrated else STAY_BONUS
    likeness = _likeness(known, view.face_up)
    stay = replace(STAY, scale=scale)
    if len(matches(known, [stay.tile(t) for t in view.face_up], length_mm)) >= MOST * min(len(known), len(view.face_up)):
        return _refined(known, stay, view.face_up, length_mm, free_scale=not calibrated)
    tried = [stay]
    for i, j in zip(*np.nonzero(likeness > ALIKE_READING), strict=True):
        tried += _laying(view.face_up[j], known[i], scale)
    scores = [
        _score(known, motion, view.face_up, likeness, length_mm) + (bonus if n == 0 else 0) for n, motion in enumerate(tried)
    ]
    motion = tried[int(np.argmax(scores))]
    return _refined(known, motion, view.face_up, length_mm, free_scale=not calibrated)


def matches(
    known: Sequence[SeenTile], seen: Sequence[SeenTile], length_mm: float, were_missed: Sequence[bool] = ()
) -> dict[int, int]:
    """Known index to seen index of tiles that lie at the same place, nearest first, each at most once.

    A tile that reads otherwise on both halves is the same one only where it lies exactly there; one that the look before did not show
    (were_missed) must read alike on both. Else another tile has taken its place.
    """
    likeness = _likeness(known, seen) if known and seen else np.zeros((len(known), len(seen)))
    near = []
    for i, one in enumerate(known):
        for j, other in enumerate(seen):
            distance = float(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)) / length_mm
            turn = axis_difference_deg(one.angle_deg, other.angle_deg)
            widest = NEAR if likeness[i, j] >= ANOTHER_READING else NEAR_UNLIKE
            if were_missed and were_missed[i] and likeness[i, j] < ANOTHER_READING_BACK:
                continue
            if distance < widest and turn < ALIKE_DEG:
                near.append((distance + turn / 90.0, i, j))
    found: dict[int, int] = {}
    for _, i, j in sorted(near):
        if i not in found and j not in found.values():
            found[i] = j
    return found


def in_order_of(known: SeenTile, seen: SeenTile) -> SeenTile:
    """The seen tile with its halves named as those of the known tile at the same place, whatever was read on them."""
    return seen if abs(wrap_deg(seen.angle_deg - known.angle_deg)) <= 90 else seen.turned_about()


def _likeness(known: Sequence[SeenTile], seen: Sequence[SeenTile]) -> np.ndarray:
    """How alike two readings are, known x seen: the probability of one tile, 1 for the same reading however unsure."""
    one, other = np.array([t.halves for t in known]), np.array([t.halves for t in seen])
    straight = np.einsum("ihn,jhn->ijh", one, other).prod(axis=-1)
    crossed = np.einsum("ihn,jhn->ijh", one, other[:, ::-1]).prod(axis=-1)
    sure = [np.sqrt((halves**2).sum(axis=-1).prod(axis=-1)) for halves in (one, other)]
    return np.asarray(np.maximum(straight, crossed) / np.outer(*sure))


def _laying(seen: SeenTile, known: SeenTile, scale: float) -> list[Similarity]:
    """The two motions, half a turn apart, that lay one tile on the other; only a double needs both, and a misread tile."""
    motions = []
    for flip in (0.0, 180.0):
        turn = Similarity(scale, wrap_deg(known.angle_deg - seen.angle_deg + flip))
        dx, dy = known.centre_mm - turn.points(seen.centre_mm[None])[0]
        motions.append(replace(turn, x_mm=float(dx), y_mm=float(dy)))
    return motions


def _score(
    known: Sequence[SeenTile], motion: Similarity, seen: Sequence[SeenTile], likeness: np.ndarray, length_mm: float
) -> float:
    """A tile for each that lies at its place, more when it also reads alike and the nearer it lies."""
    at = np.array([t.centre_mm for t in known])
    moved = motion.points(np.array([t.centre_mm for t in seen]))
    distance = np.hypot(*(at[:, None] - moved[None]).transpose(2, 0, 1)) / length_mm
    known_deg, seen_deg = np.array([t.angle_deg for t in known]), np.array([t.angle_deg for t in seen]) + motion.turn_deg
    turn = np.abs((known_deg[:, None] - seen_deg[None] + 90.0) % 180.0 - 90.0)
    fits = (distance < NEAR) & (turn < ALIKE_DEG)
    worth = np.where(fits, 0.5 + likeness + 0.5 * (1 - distance / NEAR), 0.0)
    return float(worth.max(axis=1).sum())


def _refined(
    known: Sequence[SeenTile], motion: Similarity, seen: Sequence[SeenTile], length_mm: float, free_scale: bool
) -> Similarity:
    """The motion that fits the matched tiles best, their middles and ends taken together."""
    pairs = matches(known, [motion.tile(t) for t in seen], length_mm)
    if not pairs:
        return motion
    targets, sources = [], []
    for i, j in pairs.items():
        moved = in_order_of(known[i], motion.tile(seen[j]))
        for along in (-0.5, 0.0, 0.5):
            targets.append(known[i].centre_mm + along * length_mm * known[i].axis)
            sources.append(moved.centre_mm + along * length_mm * moved.axis)
    target, source = np.array(targets), np.array(sources)
    off = np.hypot(*(target - source).T)
    keep = off <= max(2.0 * float(np.median(off)), 0.05 * length_mm)  # a tile that was pushed does not drag the table along
    step = _fit(source[keep], target[keep], turn=len(pairs) >= FEW, scale=free_scale and len(pairs) >= FEW)
    x, y = step.points(np.array([[motion.x_mm, motion.y_mm]]))[0]
    return Similarity(motion.scale * step.scale, wrap_deg(motion.turn_deg + step.turn_deg), float(x), float(y))


def _fit(source: np.ndarray, target: np.ndarray, turn: bool, scale: bool) -> Similarity:
    """Least squares similarity of point pairs."""
    from_mid, to_mid = source.mean(axis=0), target.mean(axis=0)
    a, b = source - from_mid, target - to_mid
    dot, cross = float(np.sum(a * b)), float(np.sum(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]))
    angle = np.degrees(np.arctan2(cross, dot)) if turn else 0.0
    size = float(np.hypot(dot, cross) / np.sum(a * a)) if scale else 1.0
    motion = Similarity(size, float(angle))
    dx, dy = to_mid - motion.points(from_mid[None])[0]
    return replace(motion, x_mm=float(dx), y_mm=float(dy))
