"""What goes on over the table, seen cheaply in every frame: what moves, whose arms are in, what has changed since the last settled look."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.plane import TablePlane
from rules.seats import Seat
from vision.frame import Frame

MM_PER_PX = 4.0  # of the small picture of the table that everything is compared in
MARGIN_MM = 60.0  # round the table top: arms come in over it
SHARPEST_PX = 2.0  # the source is reduced so that one pixel of the small picture is about two of it
SPARSE = 4  # every fourth pixel each way is enough to tell how bright the whole is
LEVELS = np.arange(256)
TONE = 16  # grey levels of a picture that are taken together
FEW = 60  # of the sparse pixels: fewer of a tone may all have changed
MOVED = 14  # grey levels between two frames: more is movement
DIFFERENT = 22  # colour levels from the settled picture: more is something that was not there
MOVING_MM2 = 900.0  # less than two thirds of a tile that moves is noise
ARM_MM2 = 2500.0  # fingers over the rim, and more
ARM_REACH_MM = 50.0  # from the rim inwards
OTHER_ARM = 0.4  # of the widest crossing: a second side that is crossed as well is another arm, not a sleeve near a corner
RIM_MM = 28.0  # what crosses this strip along a side comes from its seat
RACK_MM = 110.0  # standing tiles lie so near to their seat's side
RACK_MM2 = 6000.0  # what lies still there and is no larger may be standing tiles that came or went, with their shadows
RACK_CHANGED_MM2 = 250.0  # half of a standing tile's upper edge and side


@dataclass(frozen=True, slots=True, eq=False)
class PlayerArm:
    """Something that reaches in over one side of the table.

    cover: where it is, a mask of the small picture.
    """

    seat: Seat
    cover: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Activity:
    """One frame: moved is where it differs from the frame before.

    changed: where the table looks otherwise than in the settled picture, arms left out; both are masks of the small picture. racks:
    seats in whose strip it does.
    """

    t_s: float
    moved: np.ndarray
    changed: np.ndarray
    arms: tuple[PlayerArm, ...]
    racks: frozenset[Seat]

    @property
    def is_moving(self) -> bool:
        return area_mm2(self.moved) > MOVING_MM2


def area_mm2(mask: np.ndarray) -> float:
    """How much of the table a mask of the small picture covers."""
    return float(mask.sum()) * MM_PER_PX**2


class SmallTable:
    """The table top with a margin, seen from straight above at 4 mm a pixel, south below. Needs a plane that knows the table."""

    def __init__(self, plane: TablePlane) -> None:
        if plane.table_mm is None:
            raise ValueError("expected a plane that knows the table top")
        self._plane = plane
        self.half_mm = (plane.table_mm[0] / 2 + MARGIN_MM, plane.table_mm[1] / 2 + MARGIN_MM)
        self.size = (round(2 * self.half_mm[0] / MM_PER_PX), round(2 * self.half_mm[1] / MM_PER_PX))
        y, x = np.mgrid[0 : self.size[1], 0 : self.size[0]]
        self.x_mm = (x + 0.5) * MM_PER_PX - self.half_mm[0]
        self.y_mm = self.half_mm[1] - (y + 0.5) * MM_PER_PX
        half_w, half_h = plane.table_mm[0] / 2, plane.table_mm[1] / 2
        # How far inside the table top each pixel lies, by side S, E, N, W.
        self.inside = np.stack([half_h + self.y_mm, half_w - self.x_mm, half_h - self.y_mm, half_w + self.x_mm])
        self.is_table = self.inside.min(axis=0) >= 0
        nearest = self.inside.argmin(axis=0)
        self.rims = [(nearest == seat) & (self.inside[seat] < RIM_MM) for seat in Seat]
        self.edges = [(nearest == seat) & (self.inside[seat] < RIM_MM / 2) for seat in Seat]
        self.racks = [(nearest == seat) & (self.inside[seat] < RACK_MM) & (self.inside[seat] > -RIM_MM) for seat in Seat]
        self._maps: tuple[np.ndarray, np.ndarray] | None = None  # known with the first picture, like what of the table it shows
        self._reduced = 1.0
        self.seen = np.zeros(self.size[::-1], bool)

    def around(self, x_mm: float, y_mm: float, within_mm: float) -> np.ndarray:
        """The mask of the pixels so near to a place on the table."""
        mask, reach = np.zeros(self.size[::-1], bool), within_mm + MM_PER_PX
        rows, columns = (
            slice(max(0, int((middle - reach) / MM_PER_PX)), max(0, int((middle + reach) / MM_PER_PX) + 1))
            for middle in (self.half_mm[1] - y_mm, self.half_mm[0] + x_mm)
        )
        near = np.hypot(self.x_mm[rows, columns] - x_mm, self.y_mm[rows, columns] - y_mm) <= within_mm
        mask[rows, columns] = near
        return mask

    def of(self, image: np.ndarray) -> np.ndarray:
        """The small picture of a BGR frame, uint8 HxWx3, slightly blurred."""
        if self._maps is None:
            self._prepare(image)
        assert self._maps is not None
        if self._reduced < 1:
            image = cv2.resize(image, None, fx=self._reduced, fy=self._reduced, interpolation=cv2.INTER_AREA)
        small = cv2.remap(image, *self._maps, cv2.INTER_LINEAR)
        return np.asarray(cv2.GaussianBlur(small, (3, 3), 0))

    def _prepare(self, image: np.ndarray) -> None:
        h, w = image.shape[:2]
        plane = self._plane.for_image((w, h))
        a, b = plane.mm_to_px(np.array([[0.0, 0.0], [100.0, 0.0]]))
        px_per_mm = float(np.hypot(*(b - a))) / 100
        self._reduced = 1 / max(1, int(px_per_mm * MM_PER_PX / SHARPEST_PX))  # by whole numbers, which is quick
        corners = plane.mm_to_px(np.stack([self.x_mm.ravel(), self.y_mm.ravel()], axis=1)).reshape(*self.x_mm.shape, 2)
        at = np.ascontiguousarray((corners * self._reduced).astype(np.float32).transpose(2, 0, 1))
        self._maps = cv2.convertMaps(at[0], at[1], cv2.CV_16SC2)
        self.seen = (corners[..., 0] >= 0) & (corners[..., 0] < w) & (corners[..., 1] >= 0) & (corners[..., 1] < h)


class ActivityWatch:
    """Compares frame with frame, and with the picture of the last settled look."""

    def __init__(self, plane: TablePlane) -> None:
        self.table = SmallTable(plane)
        self._last: np.ndarray | None = None
        self._settled: np.ndarray | None = None

    def watch(self, frame: Frame) -> Activity:
        """What this frame shows."""
        now = self.table.of(frame.image)
        moved = self._differs(now, now if self._last is None else self._last, MOVED)
        changed = self._differs(now, now if self._settled is None else self._settled, DIFFERENT)
        self._last = now
        arms, rest = self._arms(changed, moved)
        racks = frozenset(seat for seat in Seat if area_mm2(rest & self.table.racks[seat]) > RACK_CHANGED_MM2)
        return Activity(frame.t_s, moved, rest & self.table.is_table, arms, racks)

    def settle(self) -> None:
        """The latest frame is the settled picture from now on."""
        self._settled = self._last

    @property
    def latest(self) -> np.ndarray:
        """The small picture of the latest frame."""
        assert self._last is not None, "no frame was watched yet"
        return self._last

    def otherwise(self, before: np.ndarray) -> np.ndarray:
        """Where the latest frame shows something else than an earlier small picture: a mask of the small picture."""
        return self._differs(self.latest, before, MOVED)

    def _differs(self, now: np.ndarray, before: np.ndarray, least: int) -> np.ndarray:
        difference = _difference(now, before)
        if int(difference.max()) > least:  # else there is nothing that the light would have to explain
            difference = _difference(now, self._in_the_light_of(now, before))
        mask = ((difference > least) & self.table.seen).astype(np.uint8)
        return cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)).astype(bool)

    def _in_the_light_of(self, now: np.ndarray, before: np.ndarray) -> np.ndarray:
        """The earlier picture as bright as the later one: what the pixels of a level have in common is exposure and no change."""
        some = (slice(None, None, SPARSE), slice(None, None, SPARSE))
        seen = self.table.seen[some]
        lit = np.minimum(np.rint(LEVELS[:, None] * _gains(before[some][seen], now[some][seen])), 255).astype(np.uint8)
        return np.asarray(cv2.LUT(before, lit[None]))

    def _arms(self, changed: np.ndarray, moved: np.ndarray) -> tuple[tuple[PlayerArm, ...], np.ndarray]:
        """Large things that cross a side, and what is left of the changes without them."""
        if not changed.any():
            return (), changed
        joined = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
        arms, rest = [], changed.copy()
        for label in range(1, count):
            if stats[label, cv2.CC_STAT_AREA] * MM_PER_PX**2 < ARM_MM2:
                continue
            cover = labels == label
            seats = [seat for seat in self._comes_from(cover) if not self._is_rack(seat, cover, moved)]
            arms += [PlayerArm(seat, cover) for seat in seats]
            if seats:
                rest &= ~cover
        return tuple(arms), rest

    def _is_rack(self, seat: Seat, cover: np.ndarray, moved: np.ndarray) -> bool:
        """Whether a change may be the rack itself: it is no larger, lies where tiles stand, and nothing moves there."""
        is_small = area_mm2(cover) <= RACK_MM2 and float(self.table.inside[seat][cover].max()) < RACK_MM
        return is_small and not bool((cover & moved).any())

    def _comes_from(self, cover: np.ndarray) -> list[Seat]:
        """The sides that it crosses and reaches far enough in from: one, or those of arms that touch each other."""
        table = self.table
        at_rim = [int((cover & rim).sum()) for rim in table.rims]
        widest = max(at_rim)
        seats = [
            seat
            for seat, width in zip(Seat, at_rim, strict=True)
            if width >= max(1.0, OTHER_ARM * widest) and bool((cover & table.edges[seat]).any())
        ]
        return [seat for seat in seats if float(table.inside[seat][cover].max()) >= ARM_REACH_MM]


def _difference(now: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Of two BGR pictures, the most that any colour of a pixel differs by."""
    blue, green, red = cv2.split(cv2.absdiff(now, before))
    return np.asarray(cv2.max(cv2.max(blue, green), red))


def _gains(before: np.ndarray, now: np.ndarray) -> np.ndarray:
    """How much brighter each of the 256 levels of each colour has become (256x3), by the median of the pixels (Nx3, uint8) that were about
    as bright: a gamma changes dark ones and bright ones by different factors."""
    colours, tones = before.shape[1], 256 // TONE
    first = np.arange(colours) * tones  # tones are counted through the colours
    tone = before // TONE + first
    many = np.bincount(tone.ravel(), minlength=colours * tones).reshape(colours, tones) >= FEW
    none = ~many.any(axis=1)
    tone[:, none], many[none, 0] = first[none], True
    middles, there = (np.maximum(_medians(picture, tone, many.size), 1.0).reshape(many.shape) for picture in (before, now))
    return np.stack([np.interp(LEVELS, b[m], (n / b)[m]) for b, n, m in zip(middles, there, many, strict=True)], axis=1)


def _medians(values: np.ndarray, group: np.ndarray, groups: int) -> np.ndarray:
    """The median of the uint8 values of each group (numbers from 0, as many as values); of an empty group it means nothing."""
    below = np.bincount((group * 256 + values).ravel(), minlength=groups * 256).cumsum()
    ends = below[255::256]
    starts = np.concatenate([[0], ends[:-1]])
    lower, upper = (np.searchsorted(below, starts + rank) % 256 for rank in ((ends - starts + 1) // 2, (ends - starts) // 2 + 1))
    return np.asarray((lower + upper) / 2)
