"""The 28 tiles of a double-six set."""

from __future__ import annotations

from typing import NamedTuple

from rules.errors import BadInput

PIPS = range(7)


class _Numbers(NamedTuple):
    high: int
    low: int


class Tile(_Numbers):
    """One tile, `high` ≥ `low`, both 0-6. Text `6-4` (high-low); `parse` takes either order.

    A named tuple, for tiles are compared more often than anything else.
    """

    __slots__ = ()

    def __new__(cls, high: int, low: int) -> Tile:
        """BadInput when the numbers are out of range or in the wrong order."""
        if not 0 <= low <= high <= 6:
            raise BadInput(f"expected a tile with 6 >= high >= low >= 0, found {high}-{low}; use Tile.of for either order")
        return super().__new__(cls, high, low)

    @classmethod
    def of(cls, one: int, other: int) -> Tile:
        """The tile with these two numbers, in either order."""
        return cls(max(one, other), min(one, other))

    @classmethod
    def parse(cls, text: str) -> Tile:
        """Read `6-4` or `4-6`; BadInput for anything else."""
        parts = text.strip().split("-")
        if len(parts) != 2 or not all(len(p) == 1 and p in "0123456" for p in parts):
            raise BadInput(f"expected a tile such as 6-4 with numbers 0 to 6, found {text!r}; correct it")
        return cls.of(int(parts[0]), int(parts[1]))

    @property
    def pips(self) -> int:
        """Sum of both halves."""
        return self.high + self.low

    @property
    def is_double(self) -> bool:
        """Whether both halves show one number."""
        return self.high == self.low

    def has(self, number: int) -> bool:
        """Whether one of the halves shows this number."""
        return number in self

    def other(self, number: int) -> int:
        """The number of the half that is joined to `number`; ValueError if the tile does not show it."""
        if not self.has(number):
            raise ValueError(f"{self} does not show {number}")
        return self.low if number == self.high else self.high

    def __str__(self) -> str:
        return f"{self.high}-{self.low}"


ALL_TILES: tuple[Tile, ...] = tuple(Tile(high, low) for high in PIPS for low in range(high + 1))
TOTAL_PIPS = sum(tile.pips for tile in ALL_TILES)
