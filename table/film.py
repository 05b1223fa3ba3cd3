"""A film as plain values: what lies on the table and which arms are over it, frame by frame. A renderer makes pictures of them."""

from __future__ import annotations

from dataclasses import dataclass

from models.training.scene import SceneTile
from rules.seats import Seat

Point = tuple[float, float]
"""Millimetres in the table frame."""


@dataclass(frozen=True, slots=True)
class Reach:
    """The arm of a seat: where its finger tips are; `flat` for a hand that lies on the table as in a knock."""

    seat: Seat
    tip_mm: Point
    flat: bool = False


@dataclass(frozen=True, slots=True)
class Moment:
    """One frame: the resting tiles, the arms over them, the tile in a hand (its pose now, `z_mm` above the table)."""

    tiles: tuple[SceneTile, ...]
    reaches: tuple[Reach, ...] = ()
    held: SceneTile | None = None

    @property
    def settled(self) -> bool:
        """Whether no arm is over the table."""
        return not self.reaches


def between(a: Point, b: Point, share: float) -> Point:
    """A point on the way from a to b, slow at both ends. share: 0 to 1."""
    s = share * share * (3 - 2 * share)
    return a[0] + (b[0] - a[0]) * s, a[1] + (b[1] - a[1]) * s


def turned_between(a_deg: float, b_deg: float, share: float) -> float:
    """An angle on the shorter way from a to b."""
    return (a_deg + ((b_deg - a_deg + 180) % 360 - 180) * share) % 360
