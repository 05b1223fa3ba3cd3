"""Tiles that no look reads, told at the count by what is missing of the 28: one that is hidden in a hand, or unread in the line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from itertools import pairwise, permutations

from rules.seats import Seat
from rules.tiles import ALL_TILES, Tile
from vision.laid import FollowedLine, LaidTile
from vision.racks import HAND

MOST = 4  # tiles missing: of more nothing is told


def missing_of(known: Iterable[Tile]) -> tuple[Tile, ...]:
    """What the 28 lack, a few at most; nothing where a tile is known twice or too many are missing, for then there are misreadings."""
    counts = Counter(known)
    missing = tuple(tile for tile in ALL_TILES if tile not in counts)
    return missing if len(missing) <= MOST and all(number == 1 for number in counts.values()) else ()


def with_hidden(shown: Mapping[Seat, list[Tile]], line: FollowedLine, missing: tuple[Tile, ...]) -> dict[Seat, list[Tile]]:
    """The hands turned up, with the missing tiles given to the one seat that shows so many too few; as they are where that is not one, or
    where it is not known who laid some tile."""
    missing = tuple(tile for tile in missing if tile not in unread_by_joints(line, missing).values())
    lacking = [(seat, number) for seat, number in _too_few(shown, line).items() if number]
    if not missing or len(lacking) != 1 or lacking[0][1] != len(missing) or _unseated(line):
        return dict(shown)
    seat = lacking[0][0]
    return dict(shown) | {seat: [*shown[seat], *missing]}


def all_are_shown(shown: Mapping[Seat, Collection[Tile]], line: FollowedLine) -> bool:
    """Whether every seat shows as many tiles as it has left; those laid by nobody knows whom may be anybody's."""
    lacking = _too_few(shown, line).values()
    return min(lacking) >= 0 and sum(lacking) == _unseated(line)


def _too_few(shown: Mapping[Seat, Collection[Tile]], line: FollowedLine) -> dict[Seat, int]:
    """By how many tiles each hand is too small: each seat had seven, and the line tells how many it has laid (FID-BEH-5)."""
    laid = Counter(tile.place.seat for tile in line.tiles)
    return {seat: HAND - laid[seat] - len(tiles) for seat, tiles in shown.items()}


def _unseated(line: FollowedLine) -> int:
    return sum(tile.place.seat is None for tile in line.tiles)


def unread_by_joints(line: FollowedLine, missing: tuple[Tile, ...]) -> dict[int, Tile]:
    """The unread tiles of the line by the number of the observation that told them, when the missing tiles can lie there in one way
    only: each joins the numbers it lies between."""
    unread = [laid for laid in line.tiles if laid.place.tile is None]
    ways = [
        way
        for way in permutations(missing, len(unread))
        if all(_joins(tile, _touching(line, laid)) for laid, tile in zip(unread, way, strict=True))
    ]
    return {laid.number: tile for laid, tile in zip(unread, ways[0], strict=True)} if len(ways) == 1 else {}


def _touching(line: FollowedLine, laid: LaidTile) -> list[int]:
    """The numbers that known neighbours in the line hold against a tile."""
    numbers = []
    for arm in ((line.opening, *line.a), (line.opening, *line.b)):
        for inner, outer in pairwise(arm):
            if outer is laid and inner.place.tile is not None and outer.against is not None:
                numbers.append(inner.rest.number_at(inner.place.tile, outer.against.half))
            if inner is laid and outer.place.tile is not None and outer.entered is not None:
                numbers.append(outer.rest.number_at(outer.place.tile, outer.entered.half))
    return numbers


def _joins(tile: Tile, numbers: list[int]) -> bool:
    """Whether a tile can lie between such numbers, each against another of its halves."""
    return all(tile.has(number) for number in numbers) and (len(numbers) < 2 or sorted(numbers) == [tile.low, tile.high])
