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
    resolved: bool

    @property
    def complete(self) -> bool:
        """28 tiles, each once, as read or after settling."""
        return sorted(tile for tile in self.settled if tile is not None) == sorted(ALL_TILES) and len(self.settled) == len(
            ALL_TILES
        )


def check_set(readings: tuple[Reading, ...], conflict: float) -> SetCheck:
    """Hold readings against the set of 28.

    One reading below `conflict` among two of the same tile, or one that was not read, becomes the missing tile when only one is missing:
    a fault of the reading, not of the set.
    """
    tiles = tuple(tile for tile, _ in readings)
    counts = Counter(tile for tile in tiles if tile is not None)
    doubled = tuple(tile for tile, number in counts.items() if number > 1)
    missing = tuple(tile for tile in ALL_TILES if tile not in counts)
    weak = _weakest(readings, doubled, conflict)
    if len(missing) != 1 or len(doubled) > 1 or weak is None:
        return SetCheck(tiles, doubled, missing, resolved=False)
    settled = tuple(missing[0] if index == weak else tile for index, tile in enumerate(tiles))
    return SetCheck(settled, doubled, missing, resolved=True)


def _weakest(readings: tuple[Reading, ...], doubled: tuple[Tile, ...], conflict: float) -> int | None:
    """The index of the one reading that may give way."""
    unread = [index for index, (tile, _) in enumerate(readings) if tile is None]
    if unread or not doubled:
        return unread[0] if len(unread) == 1 and not doubled else None
    twins = [index for index, (tile, _) in enumerate(readings) if tile == doubled[0]]
    weak = min(twins, key=lambda index: readings[index][1])
    return weak if readings[weak][1] <= conflict else None
