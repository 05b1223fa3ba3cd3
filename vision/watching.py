"""Whether the camera itself can be relied on: a state machine fed with every frame, and the way back after the camera has moved.

It knows no clock: times come with the frames. Everything that must last, lasts in seconds, whatever the rate of the frames.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from calibration.plane import TablePlane
from vision.watching_pose import WIDTH, Sight
from vision.watching_signs import Measure, Signs, reduced

LOOK_S = 0.3  # between two looks: less than the table rests before it is looked at, so that a knock is noticed first
SEARCH_S = 2.0  # between two searches for the camera's pose, while it is not known
SPARSE = 7  # every seventh pixel each way is enough to tell a frame from the one before
LATE_S = 2.0  # without a frame, or behind the clock
FOUND = 0.5  # agreement of a pose that was searched for from which it is believed
SHIFT_PX = 0.75  # at 320 pixels: a pose further off is another one
NEAR = 0.7  # of that: a pose nearer is the old one again
DARK = (30.0, 40.0)  # brightest level: below the first it is too dark, above the second no longer
BURNT = (0.35, 0.25)  # share of the picture
BLURRED = (0.8, 0.86)  # sharpness against the reference


class State(StrEnum):
    """As the event `watching` tells it."""

    WATCHING = "watching"
    NOT_WATCHING = "not_watching"
    CAMERA_MOVED = "camera_moved"
    OUT_OF_FOCUS = "out_of_focus"
    TOO_DARK = "too_dark"


# What may be wrong, the worst first: its name, the state that tells it, seconds until it is believed, seconds until it is over.
FAULTS = (
    ("late", State.NOT_WATCHING, 0.0, 0.5),
    ("frozen", State.NOT_WATCHING, 3.0, 0.5),
    ("too_dark", State.TOO_DARK, 1.0, 1.0),
    ("burnt_out", State.NOT_WATCHING, 1.0, 1.0),
    ("out_of_focus", State.OUT_OF_FOCUS, 1.5, 1.0),
    ("mirrored", State.CAMERA_MOVED, 1.0, 1.0),
    ("moved", State.CAMERA_MOVED, 1.5, 1.5),
    ("colours_swapped", State.NOT_WATCHING, 1.5, 1.5),
    ("hidden", State.NOT_WATCHING, 4.0, 1.0),
)
BLINDING = (
    "late",
    "frozen",
    "too_dark",
    "burnt_out",
    "out_of_focus",
)  # while one of these holds nothing is learnt about the pose


@dataclass(frozen=True, slots=True)
class Watched:
    """A state and since when, seconds on the frames' clock; reason: the name of the fault, None while watching."""

    state: State
    since_s: float
    reason: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Realignment:
    """The plane as the camera sees it now. is_sure: no other orientation fits nearly as well; one that is not sure may have the
    seats turned, and is not taken without somebody who has looked."""

    plane: TablePlane
    is_sure: bool


class Lasting:
    """A condition that counts when it has lasted, and is over when it has been away as long as that takes."""

    def __init__(self, enter_s: float, leave_s: float) -> None:
        self.enter_s, self.leave_s = enter_s, leave_s
        self.holds, self.since_s = False, 0.0
        self._turned_s: float | None = None  # since when it has been otherwise

    def update(self, there: bool | None, t_s: float) -> None:
        """`there`: what this look says, None for nothing."""
        if there is None:
            return
        if there == self.holds:
            self._turned_s = None
            return
        if self._turned_s is None:
            self._turned_s = t_s
        if t_s - self._turned_s >= (self.leave_s if self.holds else self.enter_s):
            self.holds, self.since_s, self._turned_s = there, self._turned_s, None


class Watch:
    """Watches the camera. Feed it with every frame, and with the time alone where no frame comes."""

    def __init__(self, reference: np.ndarray | None = None, plane: TablePlane | None = None, frozen: bool = True) -> None:
        """reference: BGR uint8, the calibrated view (None: the first frame that is bright enough). plane: of the same view.

        frozen: whether equal frames are a fault; they are none in a rendered film without noise.
        """
        self.plane = plane
        self._measure = None if reference is None else Measure(reduced(reference))
        self._faults = {name: Lasting(enter, leave) for name, _, enter, leave in FAULTS}
        self._tells_frozen = frozen
        self._home = self._pose = np.eye(3)
        self._sight: Sight | None = None
        self._last: np.ndarray | None = None
        self._frame_s = self._look_s = self._search_s = -np.inf
        self.current = Watched(State.NOT_WATCHING, 0.0, "late")
        self.signs: Signs | None = None

    @property
    def is_reliable(self) -> bool:
        """Whether nothing is wrong with the camera, and nothing seems to become so: what is to be believed in a second is held back now."""
        return self.current.state is State.WATCHING and not any(self._is_coming(name) for name, *_ in FAULTS)

    @property
    def drift_px(self) -> float | None:
        """How far the camera has moved since it was calibrated or re-aligned: pixels of a picture 320 wide; None while not known."""
        return None if self._sight is None else _shift_px(self._sight.pose @ np.linalg.inv(self._home))

    @property
    def drift_mm(self) -> float | None:
        """The same on the table, millimetres; None without a plane too."""
        if self.plane is None or self.drift_px is None:
            return None
        width, height = self.plane.image_size
        middle = np.array([[width / 2, height / 2]])
        step = self.plane.px_to_mm(middle + np.array([[width / WIDTH, 0.0]])) - self.plane.px_to_mm(middle)
        return float(self.drift_px * np.hypot(*step[0]))

    def look(self, image: np.ndarray, t_s: float, now_s: float | None = None) -> list[Watched]:
        """One frame (BGR uint8) of time t_s; now_s: the source's clock, where there is one. The changes of state, oldest first."""
        changes = self._tell_gap(t_s, now_s)
        if t_s <= self._frame_s:  # a frame from before: it says nothing new
            return changes
        self._faults["late"].update(False, t_s)
        self._frame_s = t_s
        some = image[::SPARSE, ::SPARSE].copy()
        same = self._last is not None and np.array_equal(some, self._last)
        self._faults["frozen"].update(same and self._tells_frozen, t_s)
        self._last = some
        if t_s - self._look_s >= LOOK_S and not same:
            self._look_s = t_s
            self._examine(reduced(image), t_s)
        return changes + self._settle(t_s)

    def tick(self, now_s: float) -> list[Watched]:
        """The time, when no frame came. The changes of state."""
        return self._tell_gap(now_s, None)

    def proposal(self) -> Realignment | None:
        """The plane after the move that was noticed; None where the camera has not moved or its new pose is not known."""
        moved = self._faults["moved"].holds or self._faults["mirrored"].holds
        if not moved or self._sight is None or self.plane is None:
            return None
        width, height = self.plane.image_size
        grow = width / WIDTH
        before, now = (_through(pose, _grid(WIDTH, height / grow)) for pose in (self._home, self._sight.pose))
        return Realignment(self.plane.moved((before + 0.5) * grow - 0.5, (now + 0.5) * grow - 0.5), self._sight.is_sure)

    def accept(self, even_if_doubtful: bool = False) -> TablePlane | None:
        """Take the proposal: from now on the camera is where it should be. None, and nothing happens, where there is none that is sure
        (or any, if somebody has looked at it)."""
        proposal = self.proposal()
        if proposal is None or self._sight is None or not (proposal.is_sure or even_if_doubtful):
            return None
        self.plane, self._home, self._pose = proposal.plane, self._sight.pose, self._sight.pose
        for name in ("moved", "mirrored"):
            self._faults[name].holds = False
        return self.plane

    def stay_here(self) -> None:
        """From now on the camera is where it should be, wherever that is: for a table whose place in the picture nobody has told."""
        if self._sight is not None:
            self._home = self._pose = self._sight.pose
            for name in ("moved", "mirrored"):
                self._faults[name].holds = False

    def _tell_gap(self, t_s: float, now_s: float | None) -> list[Watched]:
        behind = now_s is not None and now_s - t_s > LATE_S
        if np.isfinite(self._frame_s) and (t_s - self._frame_s > LATE_S or behind):
            self._faults["late"].update(True, self._frame_s)
            return self._settle(t_s)
        return []

    def _examine(self, picture: np.ndarray, t_s: float) -> None:
        if self._measure is None or picture.shape != self._measure.reference.picture.shape:
            if self._measure is None:
                self._measure = Measure(picture)
            else:  # a picture of another shape comes from a camera that was turned, or from another one
                self._faults["moved"].update(True, t_s)
                return
        near = _shift_px(self._pose @ np.linalg.inv(self._home)) < SHIFT_PX
        poses = (self._pose,) if near else (self._pose, self._home)
        self.signs = signs = self._measure.look(picture, poses)
        self._note("too_dark", _crosses(-signs.brightest, *(-d for d in DARK)), t_s)
        self._note("burnt_out", _crosses(signs.burnt, *BURNT), t_s)
        self._note("out_of_focus", _crosses(-signs.sharpness, *(-b for b in BLURRED)), t_s)
        if not any(self._faults[name].holds or self._is_coming(name) for name in BLINDING):
            self._place(picture, signs, t_s)

    def _place(self, picture: np.ndarray, signs: Signs, t_s: float) -> None:
        """What the picture says about where the camera looks from."""
        sight = signs.sight
        was_sure = self._sight is not None and self._sight.is_sure
        if (sight is None or self._needs_settling(sight)) and t_s - self._search_s >= SEARCH_S:
            self._search_s, sight = t_s, self._searched(picture, sight)
            was_sure = sight is not None and sight.is_sure
        self._note("hidden", sight is None, t_s)
        if sight is None:
            return
        relative = sight.pose @ np.linalg.inv(self._home)
        was_sure = was_sure and _shift_px(relative) > NEAR * SHIFT_PX
        self._sight = Sight(sight.pose, sight.agreement, sight.blocks, was_sure)
        self._pose = sight.pose
        mirrored = bool(np.linalg.det(relative[:2, :2]) < 0)
        self._note("mirrored", mirrored, t_s)
        self._note("moved", _crosses(_shift_px(relative), SHIFT_PX, NEAR * SHIFT_PX), t_s)
        self._note("colours_swapped", signs.swapped, t_s)

    def _needs_settling(self, sight: Sight) -> bool:
        """A picture that looks a little moved may be turned round altogether: it is looked at closely before that is told."""
        moved = _shift_px(sight.pose @ np.linalg.inv(self._home)) > SHIFT_PX
        return moved and not (self._sight is not None and self._sight.is_sure)

    def _searched(self, picture: np.ndarray, sight: Sight | None) -> Sight | None:
        assert self._measure is not None
        found = self._measure.reference.search_in(picture, sight)
        return found if found.agreement > FOUND else sight

    def _note(self, name: str, there: bool | None, t_s: float) -> None:
        self._faults[name].update(there, t_s)

    def _is_coming(self, name: str) -> bool:
        return self._faults[name]._turned_s is not None

    def _settle(self, t_s: float) -> list[Watched]:
        """The state that the faults make, if it is another one than before."""
        for name, state, _, _ in FAULTS:
            if self._faults[name].holds:
                now = Watched(state, self._faults[name].since_s, name)
                break
        else:
            now = Watched(State.WATCHING, t_s)
        if (now.state, now.reason) == (self.current.state, self.current.reason):
            return []
        self.current = now
        return [now]


def _crosses(value: float, enter: float, leave: float) -> bool | None:
    """True beyond the first limit, False below the second, None in between."""
    return True if value > enter else False if value < leave else None


def _shift_px(pose: np.ndarray) -> float:
    """How far a pose moves what is 120 pixels from the middle of a picture 320 wide.

    What comes nearer or goes farther counts half: brighter light alone makes bright things look larger.
    """
    middle = np.array([[WIDTH / 2, WIDTH * 3 / 8]])
    shift = float(np.hypot(*(_through(pose, middle) - middle)[0]))
    turn = abs(float(np.arctan2(pose[1, 0], pose[0, 0])))
    zoom = abs(float(np.sqrt(abs(np.linalg.det(pose[:2, :2]))) - 1))
    return max(shift, 120 * turn, 60 * zoom)


def _through(pose: np.ndarray, points: np.ndarray) -> np.ndarray:
    return np.asarray(points @ pose[:2, :2].T + pose[:2, 2])


def _grid(width: float, height: float) -> np.ndarray:
    across, down = np.meshgrid(np.linspace(0.1, 0.9, 5) * width, np.linspace(0.1, 0.9, 5) * height)
    return np.column_stack([across.ravel(), down.ravel()])
