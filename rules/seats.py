"""The four seats, numbered in the order of play, and the two pairs."""

from __future__ import annotations

from enum import IntEnum
from typing import Literal

from rules.errors import BadInput

Pair = Literal["A", "B"]
"""`A` are south and north, `B` east and west."""

PAIRS: tuple[Pair, Pair] = ("A", "B")


class Seat(IntEnum):
    """South, east, north, west: counter-clockwise from above, each to the right of the one before (FID-BEH-6, D-01)."""

    S = 0
    E = 1
    N = 2
    W = 3

    @property
    def right(self) -> Seat:
        """The neighbour who plays next, and who holds the choice of FID-ACT-3 after an infraction of this seat."""
        return _RIGHT[self]

    @property
    def partner(self) -> Seat:
        """Who sits opposite and plays for the same pair (FID-BEH-1)."""
        return _PARTNER[self]

    @property
    def left(self) -> Seat:
        """The neighbour who plays before."""
        return _LEFT[self]

    @property
    def pair(self) -> Pair:
        """`A` for south and north, `B` for east and west."""
        return PAIRS[self % 2]

    def until(self, other: Seat) -> tuple[Seat, ...]:
        """The seats from this one up to `other`, left out: those who are skipped when `other` acts in place of this one."""
        return _ROUND[self : self + (other - self) % 4]

    @classmethod
    def parse(cls, value: object) -> Seat:
        """Read 0-3, `"0"`-`"3"` or S, E, N, W; BadInput for anything else."""
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 3:
            return cls(value)
        if isinstance(value, str):
            if value in ("0", "1", "2", "3"):
                return cls(int(value))
            if value.upper() in cls.__members__:
                return cls[value.upper()]
        raise BadInput(f"expected a seat 0 to 3 or S, E, N, W, found {value!r}")


_ROUND: tuple[Seat, ...] = (*Seat, *Seat)
_RIGHT, _PARTNER, _LEFT = _ROUND[1:5], _ROUND[2:6], _ROUND[3:7]


def rivals(pair: Pair) -> Pair:
    """The other pair."""
    return "B" if pair == "A" else "A"
