"""The 28 tiles at the count: two readings of one tile, or one unread tile, settled by the only one missing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from rules.tiles import ALL_TILES, Tile

Reading = tuple[Tile | None, float]
"""A tile as read (None = not read) and the confidence of the reading."""


@dataclass(frozen=True, slots=True)
class SetCheck:
    """The readings held against a full set: `settled` with the doubtful one replaced, what was `doubled` and what is `missing`."""

    settled: tuple[Tile | None, ...]
    doubled: tuple[Tile, ...]
    missing: tuple[Tile, ...]
    surely_doubled: bool
    """Whether two readings of one tile are both good: a fault of the set, not of a reading."""
    complete: bool
    """28 tiles, each once, as read or after settling."""


_EVERY_TILE = frozenset(ALL_TILES)


def check_set(readings: tuple[Reading, ...], conflict: float) -> SetCheck:
    """Hold readings against the set of 28.

    One reading below `conflict` among two of the same tile, or one that was not read, becomes the missing tile when only one is missing:
    a fault of the reading, not of the set.
    """
    tiles = tuple([tile for tile, _ in readings])
    if len(tiles) == len(ALL_TILES) and _EVERY_TILE.issubset(tiles):
        return SetCheck(tiles, doubled=(), missing=(), surely_doubled=False, complete=True)
    counts = Counter([tile for tile in tiles if tile is not None])
    doubled = tuple(tile for tile, number in counts.items() if number > 1)
    missing = tuple(tile for tile in ALL_TILES if tile not in counts)
    sure = any(min(p for tile, p in readings if tile == double) > conflict for double in doubled)
    weak = _weakest(readings, doubled)
    if len(missing) == 1 and weak is not None and not sure:
        tiles = tuple(missing[0] if index == weak else tile for index, tile in enumerate(tiles))
    complete = len(tiles) == len(ALL_TILES) and _EVERY_TILE.issubset(tiles)
    return SetCheck(tiles, doubled, missing, sure, complete)


def _weakest(readings: tuple[Reading, ...], doubled: tuple[Tile, ...]) -> int | None:
    """The index of the one reading that may give way: the only unread tile, or the worse reading of the only double."""
    unread = [index for index, (tile, _) in enumerate(readings) if tile is None]
    if len(unread) + len(doubled) != 1:
        return None
    twins = unread or [index for index, (tile, _) in enumerate(readings) if tile == doubled[0]]
    return min(twins, key=lambda index: readings[index][1])
