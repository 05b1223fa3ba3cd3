"""The stage of a film: tiles in racks, in the line and loose, and the moves of arms. Every move gives its frames one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from models.training.scene import SceneTile
from rules.seats import Seat
from rules.tiles import ALL_TILES, Tile
from table.film import Moment, Point, Reach, between, turned_between
from table.scenery import RACK_MM, RACK_PITCH_MM, rack_tiles, turned
from vision.detections import TileState

HOME_MM, SHOULDER_MM = 760.0, 90.0  # an arm at rest is out of the picture
LOOSE_MM = 318.0  # where a fallen tile lies, in front of its rack
KNOCK_MM = 300.0
GRIP_MM = 9.0  # finger tips end short of the middle of the tile that they hold
LIFTED_MM = 30.0
REACH_S, PICK_S, CARRY_S, REST_S, LEAVE_S = 0.4, 0.1, 0.6, 0.2, 0.5


class Stage:
    """Tiles by place, and the number of the next frame. slots: by seat, empty ones None; `hidden` seats have their tiles face down."""

    def __init__(self, seed: int, fps: float, frame: int = 0) -> None:
        self.fps, self.frame, self._seed = fps, frame, seed
        self.rng = np.random.default_rng([seed, 11])
        self.slots: list[list[Tile | None]] = [[], [], [], []]
        self.hidden: set[Seat] = set()
        self.line: list[SceneTile] = []
        self.loose: list[SceneTile] = []
        self._tiles: tuple[SceneTile, ...] = ()
        self.changed()

    @property
    def t_s(self) -> float:
        """Time of the next frame, seconds."""
        return round(self.frame / self.fps, 3)

    def changed(self) -> None:
        """Tiles have been put elsewhere: the next frames show them there."""
        racks = [tile for seat in Seat for tile in self._rack(seat)]
        self._tiles = (*self.line, *self.loose, *racks)

    def _rack(self, seat: Seat) -> list[SceneTile]:
        tiles = rack_tiles(seat, self.slots[seat], np.random.default_rng([self._seed, 9, seat]))
        if seat not in self.hidden:
            return tiles
        return [replace(tile, state=TileState.FACE_DOWN, angle_deg=tile.angle_deg + 90) for tile in tiles]

    def show(self, reaches: Sequence[Reach] = (), held: SceneTile | None = None) -> Moment:
        """The frame as it is now; the time goes on."""
        self.frame += 1
        return Moment(self._tiles, tuple(reaches), held)

    def still(self, seconds: float) -> Iterator[Moment]:
        """Nobody moves."""
        for _ in range(self.frames(seconds)):
            yield self.show()

    def frames(self, seconds: float) -> int:
        """How many frames a time takes, at least one."""
        return max(1, round(seconds * self.fps))

    def slot_mm(self, seat: Seat, slot: int) -> Point:
        """Where a slot of a rack is."""
        return turned(seat, (slot - 3) * RACK_PITCH_MM, -RACK_MM)

    def move(
        self,
        seat: Seat,
        way: Sequence[Point],
        seconds: float,
        held: tuple[SceneTile, SceneTile] | None = None,
        flat: bool = False,
    ) -> Iterator[Moment]:
        """The finger tips go along a way; `held`: the tile in the hand goes from the first pose to the second."""
        n = self.frames(seconds)
        for k in range(1, n + 1):
            share = k / n * (len(way) - 1)
            leg = min(int(share), len(way) - 2)
            tip = between(way[leg], way[leg + 1], share - leg)
            yield self.show([Reach(seat, tip, flat)], None if held is None else _carried(*held, tip, way[-1], k / n))

    def enter(self, seat: Seat, to: Point, seconds: float = REACH_S) -> Iterator[Moment]:
        """An arm comes in from the rim of its seat."""
        return self.move(seat, (home_mm(seat), to), seconds)

    def leave(self, seat: Seat, origin: Point, seconds: float = LEAVE_S) -> Iterator[Moment]:
        """An arm goes back over the rim."""
        yield from self.move(seat, (origin, home_mm(seat)), seconds)

    def stay(self, seat: Seat, at: Point, seconds: float, flat: bool = False) -> Iterator[Moment]:
        """A hand rests."""
        return self.move(seat, (at, at), seconds, flat=flat)

    def pick(self, seat: Seat, slot: int) -> Iterator[Moment]:
        """An arm comes to a slot and takes its tile."""
        at = self.slot_mm(seat, slot)
        yield from self.enter(seat, at)
        yield from self.stay(seat, at, PICK_S)
        self.slots[seat][slot] = None
        self.changed()

    def carry(
        self, seat: Seat, start: SceneTile, pose: SceneTile, seconds: float = CARRY_S, via: Sequence[Point] = ()
    ) -> Iterator[Moment]:
        """A tile goes from one pose to another in the hand; it is not released yet."""
        way = [grip_mm(seat, point) for point in ((start.x_mm, start.y_mm), *via, (pose.x_mm, pose.y_mm))]
        return self.move(seat, way, seconds, (start, pose))

    def stir(self, seats: Sequence[Seat], seconds: float) -> Iterator[Moment]:
        """The tiles lie face down in the middle and hands mix them."""
        for k in range(self.frames(seconds)):
            if k % 4 == 0:
                self.loose = _heap(self.rng, 28)
                self.changed()
            yield self._stirring(seats, k)

    def stir_loose(self, seats: Sequence[Seat], seconds: float) -> Iterator[Moment]:
        """Hands push the loose tiles about, face up as they lie."""
        for k in range(self.frames(seconds)):
            if k % 4 == 0:
                spots = _heap(self.rng, len(self.loose))
                self.loose = [
                    replace(tile, x_mm=spot.x_mm, y_mm=spot.y_mm - 40, angle_deg=spot.angle_deg)
                    for tile, spot in zip(self.loose, spots, strict=True)
                ]
                self.line = []
                self.changed()
            yield self._stirring(seats, k)

    def _stirring(self, seats: Sequence[Seat], k: int) -> Moment:
        angle = 2 * np.pi * k / self.fps
        return self.show([Reach(seat, turned(seat, 70 * np.cos(angle), -110 + 40 * np.sin(angle))) for seat in seats])

    def take(self, seat: Seat, tiles: Sequence[Tile], hide: bool) -> Iterator[Moment]:
        """A seat takes seven tiles from the middle and stands them (or leaves them face down)."""
        at = turned(seat, 0.0, -120.0)
        yield from self.enter(seat, at)
        by_nearness = sorted(self.loose, key=lambda t: np.hypot(t.x_mm - at[0], t.y_mm - at[1]))
        self.loose = by_nearness[len(tiles) :]
        self.changed()
        rack = turned(seat, 0.0, -RACK_MM + 30)
        yield from self.move(seat, (at, rack), CARRY_S)
        self.slots[seat] = list(tiles)
        self.hidden |= {seat} if hide else set()
        self.changed()
        yield from self.move(seat, (rack, turned(seat, 150, -RACK_MM), turned(seat, -150, -RACK_MM)), 0.8)
        yield from self.leave(seat, turned(seat, -150, -RACK_MM))

    def stand_up(self, seat: Seat) -> Iterator[Moment]:
        """A seat stands its tiles, which lay face down."""
        left, right = turned(seat, -150, -RACK_MM), turned(seat, 150, -RACK_MM)
        yield from self.enter(seat, left)
        yield from self.move(seat, (left, right), 0.5)
        self.hidden.discard(seat)
        self.changed()
        yield from self.leave(seat, right)


def home_mm(seat: Seat) -> Point:
    """Where the finger tips of a seat are when its arm is out of the picture."""
    return turned(seat, SHOULDER_MM, -HOME_MM)


def grip_mm(seat: Seat, at: Point) -> Point:
    """Where the finger tips of a seat are that hold a tile at a point."""
    x, y = turned(seat, 0.0, -GRIP_MM)
    return at[0] + x, at[1] + y


def _carried(start: SceneTile, end: SceneTile, tip: Point, last_tip: Point, share: float) -> SceneTile:
    """The tile in the hand, in front of the finger tips, turned to its pose on the way and lowered at the end."""
    x, y = tip[0] - last_tip[0] + end.x_mm, tip[1] - last_tip[1] + end.y_mm
    angle = turned_between(start.angle_deg, end.angle_deg, min(1.0, 1.5 * share))
    return replace(end, x_mm=x, y_mm=y, angle_deg=angle, z_mm=LIFTED_MM * min(1.0, 4 * (1 - share)))


def _heap(rng: np.random.Generator, count: int) -> list[SceneTile]:
    """Face-down tiles in the middle, none on another: on a jittered grid."""
    cells = [(col, row) for row in range(5) for col in range(6)]
    chosen = rng.permutation(len(cells))[:count]
    spots = np.array([cells[i] for i in chosen], float)
    xy = (spots - (2.5, 2.0)) * 64.0 + rng.uniform(-5, 5, (count, 2))
    return [
        SceneTile((t.low, t.high), float(x), float(y), float(a), TileState.FACE_DOWN)
        for t, (x, y), a in zip(ALL_TILES, xy, rng.uniform(0, 360, count), strict=False)
    ]
