"""When to look: the table has come to rest and something changed. And what was seen of hands until then."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from calibration.plane import TablePlane
from rules.seats import Seat
from vision.activity import Activity, ActivityWatch, PlayerArm, SmallTable, area_mm2
from vision.frame import Frame

REST_S = 0.35  # the table rests when nothing has moved for so long and no arm is in,
HELD_S = 3.0  # or when the arms that are in have not moved for so long: they rest on the table
HELD_ALIKE = 0.8  # shared share of the places that an arm covers in two frames: it has not moved
CHANGED_MM2 = 250.0  # a fifth of a tile
AGAIN_S = 1.0  # a look that leaves a question is taken again after so long, while the table still rests,
LOOKS = 3  # at most so often while nothing changes
PICTURE_MM = 1100.0  # what a picture of a table shows from side to side, more or less
CORE_MM = 12.0  # round the middle of a tile: all of it is the tile's face
DIFFERS, TOUCHED = 0.5, 0.1  # share of that which looks otherwise where a tile came or went; and of one in the table's colour
NEAR_MM = 45.0  # a hand that came so near to a tile may have laid or taken it


@dataclass(frozen=True, slots=True, eq=False)
class Witness:
    """Whose arms were over the table since the last look, where, and whose rack looks otherwise than then.

    visits: for each seat whose arm came in, the places it covered; changed: where the table looks otherwise. Both are masks of `table`.
    parts: where the looks before left a question, what was known at each of them alone, the earliest first; all else is of them together.
    t_s: time of the look, seconds.
    """

    table: SmallTable
    visits: Mapping[Seat, np.ndarray]
    changed: np.ndarray
    racks: frozenset[Seat]
    parts: tuple[Witness, ...] = ()
    t_s: float = math.inf

    @property
    def latest(self) -> Witness:
        """What is known since the look before alone."""
        return self.parts[-1] if self.parts else self

    def near(self, x_mm: float, y_mm: float) -> frozenset[Seat]:
        """The seats whose arm came near a place on the table, as long as it can have changed."""
        close = self.table.around(x_mm, y_mm, NEAR_MM)
        visits = self._when_changed(x_mm, y_mm).visits
        return frozenset(seat for seat, cover in visits.items() if bool((cover & close).any()))

    def differs(self, x_mm: float, y_mm: float) -> bool:
        """Whether a tile's place looks otherwise than at the last look."""
        return self.changed_share(x_mm, y_mm) > DIFFERS

    def touched(self, x_mm: float, y_mm: float) -> bool:
        """Whether anything of a tile's place does: of a dark tile on a dark table only the pips differ."""
        return self.changed_share(x_mm, y_mm) > TOUCHED

    def changed_share(self, x_mm: float, y_mm: float) -> float:
        """How much of a tile's place looks otherwise than at the last look, 0 to 1."""
        return float(self.changed[self.table.around(x_mm, y_mm, CORE_MM)].mean())

    @property
    def passed(self) -> Seat | None:
        """The one seat whose arm came in and left with nothing changed: it may have passed."""
        return next(iter(self.visits)) if len(self.visits) == 1 and not self.racks and not self.has_changed else None

    @property
    def has_changed(self) -> bool:
        """Whether the table looks otherwise than at the last look."""
        return area_mm2(self.changed) >= CHANGED_MM2

    def who(self, x_mm: float, y_mm: float) -> Seat | None:
        """The one seat that can have laid or taken a tile there; None when the witnesses leave a choice or contradict each other.

        Two witnesses: the arm, and the rack that looks otherwise. Where no rack does, tiles may be held in the hand: the arm alone counts.
        A hand that looks like the table is not seen to come near: then the rack counts of a seat whose arm was in at all.
        """
        then = self._when_changed(x_mm, y_mm)
        came = then.near(x_mm, y_mm) or frozenset(then.visits) & then.racks
        likely = came & then.racks if then.racks else came
        return next(iter(likely)) if len(likely) == 1 else None

    def _when_changed(self, x_mm: float, y_mm: float) -> Witness:
        """What was known when a place changed last, where that is known: the arms that came before or after have nothing to do with it."""
        differing = [part for part in self.parts if part.differs(x_mm, y_mm)]
        then = differing or [part for part in self.parts if part.touched(x_mm, y_mm)]
        return then[-1] if then else self

    def changed_s(self, x_mm: float, y_mm: float) -> float:
        """Time of the look by which a place had changed last."""
        return self._when_changed(x_mm, y_mm).t_s

    def saw_laid(self, x_mm: float, y_mm: float) -> bool:
        """Whether a tile was laid or taken there, by all that a film can show of it: arm, rack and place."""
        return self.differs(x_mm, y_mm) and self.who(x_mm, y_mm) in self.racks

    def may_have_laid(self, x_mm: float, y_mm: float) -> Seat | None:
        """The seat that seems to have laid or taken a tile there: arm and rack say so, and something of the place looks otherwise."""
        seat = self.who(x_mm, y_mm)
        return seat if seat in self.racks and self.touched(x_mm, y_mm) else None

    def seems_to_have_laid(self, x_mm: float, y_mm: float) -> Seat | None:
        """The same, or, where no rack looks otherwise, the one whose arm came there, if most of the place does."""
        seat = self.may_have_laid(x_mm, y_mm)
        return self.who(x_mm, y_mm) if seat is None and self.differs(x_mm, y_mm) else seat

    def after(self, earlier: Witness | None) -> Witness:
        """Together with what was known at the looks before, which left a question; at the latest of them, where there were many."""
        if earlier is None:
            return self
        parts = (*(earlier.parts or (earlier,)), self)[-LOOKS:]
        visits, changed, racks = dict[Seat, np.ndarray](), np.zeros_like(self.changed), frozenset[Seat]()
        for part in parts:
            changed, racks = changed | part.changed, racks | part.racks
            for seat, cover in part.visits.items():
                visits[seat] = cover | visits.get(seat, False)
        return Witness(self.table, visits, changed, racks, parts, self.t_s)


@dataclass(frozen=True, slots=True, eq=False)
class HeldArm:
    """What reaches in over one side, as it lay at `since_s` and has lain ever since; picture: the small picture of then."""

    arm: PlayerArm
    since_s: float
    picture: np.ndarray

    def is_held(self, t_s: float) -> bool:
        return t_s - self.since_s >= HELD_S


class Attention:
    """Fed with every frame; says when a look is due.

    Without a calibration the whole picture is taken for the table: looks come as well, and whose arm it was is not known.

    begins_after_s: how long nothing must have moved before the first look. What the first look shows counts as the table at rest: where
    it may be taken in the middle of a hand, an arm in it would be missed ever after.
    """

    def __init__(self, plane: TablePlane | None, begins_after_s: float = 0.0) -> None:
        self._plane, self._begins_after_s = plane, begins_after_s
        self._watch: ActivityWatch | None = None
        self._moved_s: float | None = None  # when something moved last
        self._begun = False
        self._visits: dict[Seat, np.ndarray] = {}
        self._held: list[HeldArm] = []  # the arms that are in, each since it lies as it does
        self._looks, self._looked_s = 0, 0.0
        self._last: Witness | None = None
        self._open: Witness | None = None  # of the last look, where it left a question

    @property
    def knows_seats(self) -> bool:
        """Whether a `Witness` speaks of seats and of places on the table."""
        return self._plane is not None and self._plane.knows_seats

    def watch(self, frame: Frame) -> Witness | None:
        """What is known of witness, when this frame should be looked at; else None."""
        if self._watch is None:
            self._watch = ActivityWatch(self._plane if self._plane is not None and self.knows_seats else picture_plane(frame))
        activity = self._watch.watch(frame)
        self._follow_arms(activity, self._watch)
        if activity.is_moving or self._moved_s is None:
            self._moved_s = frame.t_s
        if not self._rests(activity) or not self._wants(activity):
            return None
        now = Witness(self._watch.table, dict(self._visits), activity.changed, activity.racks, t_s=frame.t_s)
        self._last = now.after(self._open)
        return self._last

    def looked(self, t_s: float, leaves_question: bool) -> None:
        """A look was taken in the latest frame: what lies there now is settled."""
        if self._watch is not None:
            self._watch.settle()
        fresh = self._open is None or (self._last is not None and self._last.latest.has_changed)
        self._looks = 1 if fresh else self._looks + 1
        self._open = self._last if leaves_question and self._looks < LOOKS else None
        self._begun, self._looked_s, self._visits = True, t_s, {}

    def _follow_arms(self, activity: Activity, watch: ActivityWatch) -> None:
        """Where arms have been; one that rests visits nothing."""
        before, self._held = self._held, []
        for arm in activity.arms:
            still = [held for held in before if held.arm.seat == arm.seat and _lies_still(held, arm, activity, watch)]
            self._held.append(min(still, key=lambda held: held.since_s, default=HeldArm(arm, activity.t_s, watch.latest)))
            if not self._held[-1].is_held(activity.t_s):
                self._visits[arm.seat] = arm.cover | self._visits.get(arm.seat, False)

    def _rests(self, activity: Activity) -> bool:
        still_s = activity.t_s - (self._moved_s or 0.0)
        if not self._begun:
            return still_s >= self._begins_after_s
        return still_s >= REST_S and all(held.is_held(activity.t_s) for held in self._held)

    def _wants(self, activity: Activity) -> bool:
        changed = area_mm2(activity.changed) >= CHANGED_MM2 or bool(self._visits) or not self._begun
        return changed or (self._open is not None and activity.t_s - self._looked_s >= AGAIN_S)


def _lies_still(held: HeldArm, arm: PlayerArm, activity: Activity, watch: ActivityWatch) -> bool:
    """Whether an arm is where it was: it has that outline, or nothing there has moved, now or since. The outline of standing tiles that
    were set up or pushed over the rim comes and goes with the noise, though they lie still."""
    both = held.arm.cover | arm.cover
    if (held.arm.cover & arm.cover).sum() >= HELD_ALIKE * both.sum():
        return True
    return area_mm2(activity.moved & both) < CHANGED_MM2 and area_mm2(watch.otherwise(held.picture) & both) < CHANGED_MM2


def picture_plane(frame: Frame) -> TablePlane:
    """The picture itself as a table of 1.1 m, where no calibration tells where the table lies."""
    width, height = frame.size_px
    mm = PICTURE_MM / width
    homography = np.array([[mm, 0, -PICTURE_MM / 2], [0, -mm, height * mm / 2], [0, 0, 1.0]])
    return TablePlane(homography, frame.size_px, (PICTURE_MM, height * mm))
