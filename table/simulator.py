"""Simulated hands: a deal and random legal play as observations, with infractions on demand; where each tile lies on the table.

The truth of rendered matches. One seed, one hand.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from rules.line import Arm, Laid, Line, outer_number
from rules.observations import Hands, Observation, Pass, Place, Reveal, Withdraw
from rules.seats import Seat
from rules.tiles import ALL_TILES, Tile

TILE_LENGTH_MM = 50.8
TILE_WIDTH_MM = 25.4
Wrong = Literal["non_matching"]
# Nobody thinks for longer than FID-ACT-2 allows, a try that is taken back included.
UNHURRIED_S, AFTER_A_TRY_S = (1.6, 2.9), (0.8, 1.2)


@dataclass(frozen=True, slots=True)
class SimulatedHand:
    """hands: the deal by seat; observations: what happened, in order, the count at the end included."""

    hands: tuple[tuple[Tile, ...], ...]
    observations: tuple[Observation, ...]


@dataclass
class _Play:
    """One hand while it is simulated."""

    rng: np.random.Generator
    hands: list[list[Tile]]
    line: Line = field(default_factory=Line)
    observations: list[Observation] = field(default_factory=list)
    t: float = 0.0

    def options(self, seat: Seat) -> list[tuple[Tile, Arm]]:
        if not len(self.line):
            return [(tile, "open") for tile in self.hands[seat]]
        arms: tuple[Arm, Arm] = ("a", "b")
        return [(tile, arm) for tile in self.hands[seat] for arm in arms if tile.has(self.line.end(arm) or 0)]

    def lay(self, seat: Seat, tile: Tile, arm: Arm, after_s: tuple[float, float] = UNHURRIED_S) -> None:
        self.t += float(self.rng.uniform(*after_s))
        joined = None if arm == "open" else self.line.end(arm)
        outer = None if arm == "open" else outer_number(tile, joined, self.line.tip(arm), None)
        laid = Laid(tile=tile, seat=seat, arm=arm, outer=outer, joined=joined, due=seat, obs=len(self.observations), t=self.t)
        self.line = self.line.add(laid)
        self.hands[seat].remove(tile)
        pose = None if arm != "open" else opening_pose_deg(seat, tile)
        self.observations.append(Place(t=self.t, seat=seat, tile=tile, at=arm, pose_deg=pose))

    def wrong_try(self, seat: Seat) -> bool:
        """A tile that fits neither end is laid and taken back."""
        ends = self.line.ends
        wrong = [tile for tile in self.hands[seat] if not any(tile.has(e) for e in ends if e is not None)]
        if not wrong:
            return False
        self.t += 0.9
        self.observations.append(Place(t=self.t, seat=seat, tile=wrong[0], at="b", tip=wrong[0].high))
        self.t += 0.7
        self.observations.append(Withdraw(t=self.t, seat=seat, tile=wrong[0]))
        return True


def opening_pose_deg(seat: Seat, tile: Tile) -> float:
    """The right pose of an opening tile: a double across, a mixed tile with its low half toward the opener (DUSA-11, FID-SAL-6)."""
    forward = (90.0, 180.0, 270.0, 0.0)[seat]
    return (forward + 90.0) % 180.0 if tile.is_double else forward


def simulate_hand(seed: int, opener: Seat, wrong: dict[int, Wrong] | None = None) -> SimulatedHand:
    """Random legal play to domination or block. wrong: from which play on a seat tries a tile that does not match."""
    rng = np.random.default_rng([seed, 7])
    order = rng.permutation(len(ALL_TILES))
    deal = tuple(tuple(ALL_TILES[i] for i in order[7 * s : 7 * s + 7]) for s in range(4))
    play = _Play(rng, [list(hand) for hand in deal])
    turn, pending = opener, dict(wrong or {})
    while all(play.hands) and not play.line.blocked:
        due = [k for k in pending if k <= len(play.line)]
        options = play.options(turn)
        tried = bool(options and due) and play.wrong_try(turn)
        if tried:
            pending.pop(due[0])
        if options:
            tile, arm = options[int(rng.integers(len(options)))]
            play.lay(turn, tile, arm, AFTER_A_TRY_S if tried else UNHURRIED_S)
        else:
            play.t += 2.0
            play.observations.append(Pass(t=play.t, seat=turn, via="button"))
        turn = turn.right
    hands: Hands = tuple(tuple(hand) for hand in play.hands)  # type: ignore[assignment]
    play.observations.append(Reveal(t=play.t + 6.0, final=True, hands=hands))
    return SimulatedHand(deal, tuple(play.observations))


# Where the tiles lie


@dataclass(frozen=True, slots=True)
class LaidPose:
    """A tile on the table: halves along angle_deg (counter-clockwise, table frame), centre in mm."""

    halves: tuple[int, int]
    x_mm: float
    y_mm: float
    angle_deg: float


@dataclass(frozen=True, slots=True)
class _Tip:
    """The open end of an arm: contact point, outward direction, open number."""

    x: float
    y: float
    direction_deg: float
    number: int

    def forward(self, mm: float) -> tuple[float, float]:
        a = np.radians(self.direction_deg)
        return self.x + mm * float(np.cos(a)), self.y + mm * float(np.sin(a))

    def ahead(self, mm: float, number: int) -> _Tip:
        x, y = self.forward(mm)
        return replace(self, x=x, y=y, number=number)


class TableLayout:
    """Lays tiles of a line as people do: doubles across, a turn to the left where the border comes near."""

    def __init__(self, seed: int, half_mm: float = 250.0, turn_sd_deg: float = 2.0, gap_mm: float = 1.0) -> None:
        self._rng = np.random.default_rng([seed, 8])
        self._half_mm, self._turn_sd, self._gap = half_mm, turn_sd_deg, gap_mm
        self._tips: dict[Arm, _Tip] = {}

    def lay(self, place: Place) -> LaidPose:
        """The pose of the next tile; moves the tip of its arm."""
        pose, tips = self._opening(place) if place.at == "open" else self._joined(place)
        self._tips |= tips
        return pose

    def try_on(self, place: Place) -> LaidPose:
        """The pose of a tile that will be taken back: no tip moves."""
        return self._joined(place)[0]

    def _opening(self, place: Place) -> tuple[LaidPose, dict[Arm, _Tip]]:
        tile, seat = place.tile, place.seat
        assert tile is not None and seat is not None
        forward = (90.0, 180.0, 270.0, 0.0)[seat]
        reach = TILE_WIDTH_MM / 2 if tile.is_double else TILE_LENGTH_MM / 2
        middle = _Tip(0.0, 0.0, forward, tile.high)
        back = replace(middle, direction_deg=(forward + 180) % 360, number=tile.low)
        angle = opening_pose_deg(seat, tile)
        return self._jitter((tile.low, tile.high), 0.0, 0.0, angle), {
            "a": back.ahead(reach, tile.low),
            "b": middle.ahead(reach, tile.high),
        }

    def _joined(self, place: Place) -> tuple[LaidPose, dict[Arm, _Tip]]:
        tile, tip = place.tile, self._tips[place.at]
        assert tile is not None
        near = tip.number if tile.has(tip.number) else tile.low
        far = tile.other(near)
        tip = tip.ahead(float(self._rng.uniform(0, self._gap)), near)
        d, w = tip.direction_deg, TILE_WIDTH_MM
        if tile.is_double:
            x, y = tip.forward(w / 2)
            return self._jitter((near, far), x, y, d + 90), {place.at: tip.ahead(w, far)}
        fx, fy = tip.forward(TILE_LENGTH_MM + TILE_WIDTH_MM)
        if max(abs(fx), abs(fy)) <= self._half_mm:
            x, y = tip.forward(w)
            return self._jitter((near, far), x, y, d), {place.at: tip.ahead(2 * w, far)}
        corner = replace(tip.ahead(w / 2, far), direction_deg=(d + 90) % 360)
        x, y = corner.forward(w / 2)
        return self._jitter((near, far), x, y, d + 90), {place.at: corner.ahead(1.5 * w, far)}

    def _jitter(self, halves: tuple[int, int], x: float, y: float, angle: float) -> LaidPose:
        turn = float(self._rng.normal(0, self._turn_sd))
        dx, dy = self._rng.normal(0, 0.4, 2)
        return LaidPose(halves, x + float(dx), y + float(dy), (angle + turn) % 360)
