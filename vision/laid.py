"""The line as it is followed from look to look: what lies, how it is joined, and where it can grow."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from rules.line import Arm
from rules.observations import Place
from rules.seats import Seat
from rules.tiles import Tile
from vision.board import SeenTile, wrap_deg
from vision.contact import Contact, Port, best_contact, port_facing
from vision.identity import evidence_of, fused, halves_from
from vision.registration import in_order_of

Side = Literal["a", "b"]
SIDES: tuple[Side, Side] = ("a", "b")

SETTLING_LOOKS = 3  # looks over which the place of a tile is averaged
UNTOLD = -1  # the number of a tile that is laid in this look
CLEARLY = 0.5  # a direction within 60 degrees of another
BEND_DEG = 45.0
FORWARD = {Seat.S: (0.0, 1.0), Seat.E: (-1.0, 0.0), Seat.N: (0.0, -1.0), Seat.W: (1.0, 0.0)}
"""From each player to the table's centre (FID-SAL-6)."""


@dataclass(frozen=True, slots=True, eq=False)
class Resting:
    """A tile that rests on the table: its place, and what all looks together read on it.

    The halves keep the order in which they were first seen, whatever a later look reads on them. looks: in how many it was seen;
    missed: in how many in a row, up to the last one, it was not. strayed: where the last look saw it, if that was not its place.
    """

    seen: SeenTile
    evidence: np.ndarray
    looks: int = 1
    missed: int = 0
    strayed: SeenTile | None = None

    @classmethod
    def first(cls, seen: SeenTile) -> Resting:
        return cls(seen, evidence_of(seen.halves))

    def again(self, seen: SeenTile) -> Resting:
        """Seen once more at its place."""
        seen = in_order_of(self.seen, seen)
        evidence = fused(self.evidence, seen.halves)
        share = 1 / min(self.looks + 1, SETTLING_LOOKS)
        settled = replace(
            seen,
            x_mm=self.seen.x_mm + share * (seen.x_mm - self.seen.x_mm),
            y_mm=self.seen.y_mm + share * (seen.y_mm - self.seen.y_mm),
            angle_deg=wrap_deg(self.seen.angle_deg + share * wrap_deg(seen.angle_deg - self.seen.angle_deg)),
            halves=halves_from(evidence),
        )
        return Resting(settled, evidence, self.looks + 1)

    def strayed_to(self, seen: SeenTile) -> Resting:
        """Seen once more, but elsewhere: it keeps its place until another look agrees."""
        evidence = fused(self.evidence, in_order_of(self.seen, seen).halves)
        return Resting(replace(self.seen, halves=halves_from(evidence)), evidence, self.looks + 1, strayed=seen)

    def pushed_to(self, seen: SeenTile) -> Resting:
        """Seen at its new place again."""
        seen = in_order_of(self.seen, seen)
        at = replace(self.seen, x_mm=seen.x_mm, y_mm=seen.y_mm, angle_deg=seen.angle_deg)
        return replace(self, seen=at, strayed=None)

    def unseen(self) -> Resting:
        """Not seen in a look."""
        return replace(self, missed=self.missed + 1)

    def low_half(self, tile: Tile) -> int:
        """Which half shows the lower number, if it is that tile."""
        straight = self.evidence[0, tile.low] + self.evidence[1, tile.high]
        return 0 if straight >= self.evidence[0, tile.high] + self.evidence[1, tile.low] else 1

    def number_at(self, tile: Tile, half: int | None) -> int:
        """The number on a half, if it is that tile."""
        return tile.low if half is None or half == self.low_half(tile) else tile.high

    def pose_deg(self, tile: Tile) -> float:
        """Long axis of a double (0-180), or direction from the low to the high half of a mixed tile (0-360), FID-SAL-6."""
        if tile.is_double:
            return round(self.seen.angle_deg % 180.0, 1)
        return round((self.seen.angle_deg + 180.0 * self.low_half(tile)) % 360.0, 1)


@dataclass(frozen=True, slots=True, eq=False)
class LaidTile:
    """A tile of the line. `entered` is its port towards the opening, `against` the port of its neighbour there (None for the opening).

    place: the observation that told it, number: how many were told before that one. witnessed: whether a rack lost a tile in the look
    that first showed it, or racks are not seen at all. filmed: whether a film showed that one was laid there (`Witness.saw_laid`). age:
    how many looks have been taken since. fixed: whether a person has said what it was.
    """

    rest: Resting
    at: Arm
    place: Place
    number: int
    entered: Port | None = None
    against: Port | None = None
    witnessed: bool = True
    filmed: bool = False
    age: int = 0
    fixed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class FollowedLine:
    """The opening tile and the two arms, each from the opening outwards."""

    opening: LaidTile
    a: tuple[LaidTile, ...] = ()
    b: tuple[LaidTile, ...] = ()

    @property
    def tiles(self) -> tuple[LaidTile, ...]:
        return (self.opening, *self.a, *self.b)

    @property
    def is_whole(self) -> bool:
        """Whether every tile of it was seen and none of its values is a question."""
        return all(laid.rest.looks and laid.place.tile is not None for laid in self.tiles)

    @property
    def known(self) -> tuple[Tile, ...]:
        """What was told of the tiles whose value is no question."""
        return tuple(laid.place.tile for laid in self.tiles if laid.place.tile is not None)

    def arm(self, side: Side) -> tuple[LaidTile, ...]:
        return self.a if side == "a" else self.b

    def tip(self, side: Side) -> LaidTile:
        """The outermost tile of an arm; the opening tile when the arm has not grown."""
        return (self.opening, *self.arm(side))[-1]

    def entered_at_tip(self, side: Side) -> Port | None:
        """The port of an arm's tip that the line already uses."""
        if self.arm(side):
            return self.tip(side).entered
        other = self.arm("b" if side == "a" else "a")
        return other[0].against if other else None

    def with_tip(self, side: Side, tile: LaidTile) -> FollowedLine:
        return replace(self, a=(*self.a, tile)) if side == "a" else replace(self, b=(*self.b, tile))

    def without_tip(self, side: Side) -> FollowedLine:
        return replace(self, a=self.a[:-1]) if side == "a" else replace(self, b=self.b[:-1])

    def begun_with(self, side: Side, opener: Seat | None) -> FollowedLine:
        """The same line seen as one that the first tile of an arm began: the opening and the other arm grow from that tile too."""
        first, *outer = self.arm(side)
        assert first.entered is not None
        began = replace(first, at="open", place=replace(first.place, at="open"), entered=None, against=None)
        inward = [replace(self.opening, entered=first.against, against=first.entered), *self.arm("b" if side == "a" else "a")]
        arms = {"a": outer, "b": inward} if side_of_port(began, first.entered, opener) == "b" else {"a": inward, "b": outer}
        a, b = (tuple(replace(tile, at=arm, place=replace(tile.place, at=arm)) for tile in arms[arm]) for arm in SIDES)
        return FollowedLine(began, a, b)

    def with_tiles(self, tiles: tuple[LaidTile, ...]) -> FollowedLine:
        """The same line with each of `tiles` changed, in the order of `self.tiles`."""
        middle = 1 + len(self.a)
        return FollowedLine(tiles[0], tiles[1:middle], tiles[middle:])


def growth(line: FollowedLine, seen: SeenTile, length_mm: float, opener: Seat | None) -> tuple[Side, Contact] | None:
    """The arm on which a new tile is laid and how it is joined there; None when it touches neither tip."""
    if not line.a and not line.b:
        contact = best_contact(line.opening.rest.seen, seen, length_mm)
        return None if contact is None else (side_of_port(line.opening, contact.one, opener), contact)
    found = [
        (side, contact)
        for side in SIDES
        if (contact := best_contact(line.tip(side).rest.seen, seen, length_mm, line.entered_at_tip(side))) is not None
    ]
    return min(found, key=lambda grown: grown[1].cost, default=None)


def side_of_port(opening: LaidTile, port: Port, opener: Seat | None) -> Side:
    """The arm that grows from a port of the opening tile.

    a is the arm from the low half of a mixed tile, and from the side of a double nearer to the opener. Where the opener is not known,
    or the double lies so that neither side is nearer to him, a is the side that faces south, or west when the sides face east and west.
    """
    tile = opening.place.tile or opening.rest.seen.tile
    if not tile.is_double and port.half is not None:
        return "a" if port.half == opening.rest.low_half(tile) else "b"
    facing = port_facing(opening.rest.seen, port)
    towards = -float(facing @ FORWARD[opener]) if opener is not None else 0.0
    if abs(towards) < CLEARLY:
        towards = -float(facing[1])
    if abs(towards) < CLEARLY:
        towards = -float(facing[0])
    return "a" if towards > 0 else "b"


def outer_number(rest: Resting, entered: Port, tile: Tile) -> int:
    """The number that a tile of an arm leaves open."""
    return rest.number_at(tile, entered.across.half)


def bend_of(inner: SeenTile, against: Port, entered_inner: Port | None, seen: SeenTile, entered: Port) -> str | None:
    """`left` or `right` when the growing arm turns at a new tile, None when it goes straight on."""
    straight_on = entered_inner.across if entered_inner is not None else against if against.half is None else Port(against.half)
    before = port_facing(inner, straight_on)
    after = port_facing(seen, entered.across)
    turn = np.degrees(np.arctan2(before[0] * after[1] - before[1] * after[0], before @ after))
    return None if abs(turn) < BEND_DEG else "left" if turn > 0 else "right"
