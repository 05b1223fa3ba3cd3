"""Counting deals: in how many ways tiles can lie with holders, when some holders cannot have some tiles.

A holder has room for a number of tiles and a set of barred tiles (bits of a mask). Nothing here knows passes or seats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

Room = tuple[int, ...]
"""Tiles that each holder still has room for."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Room for `room` tiles, none of those in the mask `barred`."""

    room: int
    barred: int = 0


@dataclass(frozen=True, slots=True)
class Counted:
    """The number of deals, and by tile (bit number) and holder the share of deals in which that holder has it."""

    deals: int
    shares: dict[int, tuple[Fraction, ...]]


def can_be_dealt(tiles: int, holders: Sequence[Holder]) -> bool:
    """Whether any deal exists, by Hall's condition: no set of holders is forced to take more tiles than it has room for."""
    if tiles.bit_count() != sum(holder.room for holder in holders) or any(holder.room < 0 for holder in holders):
        return False
    for chosen in range(1 << len(holders)):
        room, forced = 0, tiles
        for index, holder in enumerate(holders):
            if chosen >> index & 1:
                room += holder.room
            else:
                forced &= holder.barred
        if forced.bit_count() > room:
            return False
    return True


def count_deals(tiles: int, holders: Sequence[Holder]) -> Counted:
    """Exact number of deals of the tiles (a mask) that fill every holder, and the shares.

    Tiles that the same holders can have are alike, so the deals are counted group by group, from both sides.

    Always quick. The room left over after some groups is a state; with four seats the states that add up to the tiles left are at
    most 8^3 = 512, and there are at most 15 groups. Sharing a group out leads from a state to different states, so to at most 512:
    below 15 * 512 * 512 < 4e6 small steps each way, and in play far fewer (some thousands), for the room shrinks from group to group
    and with every tile laid. Each further holder has room for one tile and doubles states and groups.
    """
    groups = _groups(tiles, holders)
    full = tuple(holder.room for holder in holders)
    if tiles.bit_count() != sum(full) or min(full, default=0) < 0 or 0 in groups:
        return Counted(0, {})
    masks = list(groups)
    ahead: list[dict[Room, int]] = [{full: 1}]
    for mask in masks:
        ahead.append(_forward(ahead[-1], mask, len(groups[mask])))
    deals = ahead[-1].get((0,) * len(full), 0)
    return Counted(deals, _shares(groups, ahead, deals, len(full)) if deals else {})


def _groups(tiles: int, holders: Sequence[Holder]) -> dict[int, list[int]]:
    """Tiles (bit numbers) by the mask of holders that can have them."""
    groups: dict[int, list[int]] = {}
    for tile in range(tiles.bit_length()):
        if tiles >> tile & 1:
            mask = sum(1 << index for index, holder in enumerate(holders) if holder.room and not holder.barred >> tile & 1)
            groups.setdefault(mask, []).append(tile)
    return groups


def _forward(states: dict[Room, int], mask: int, size: int) -> dict[Room, int]:
    """The states after a group was shared out, with the number of ways to each."""
    after: dict[Room, int] = {}
    for room, ways in states.items():
        for taken, choices in _shared_out(room, mask, size):
            left = tuple(have - take for have, take in zip(room, taken, strict=True))
            after[left] = after.get(left, 0) + ways * choices
    return after


def _shares(
    groups: dict[int, list[int]], ahead: list[dict[Room, int]], deals: int, holders: int
) -> dict[int, tuple[Fraction, ...]]:
    """From the last group back: how many tiles of each group a holder has in all deals together, shared among its tiles."""
    shares: dict[int, tuple[Fraction, ...]] = {}
    behind: dict[Room, int] = {(0,) * holders: 1}
    for states, (mask, members) in zip(reversed(ahead[:-1]), reversed(groups.items()), strict=True):
        before: dict[Room, int] = {}
        held = [0] * holders
        for room, ways in states.items():
            for taken, choices in _shared_out(room, mask, len(members)):
                onward = choices * behind.get(tuple(have - take for have, take in zip(room, taken, strict=True)), 0)
                before[room] = before.get(room, 0) + onward
                for index, take in enumerate(taken):
                    held[index] += take * ways * onward
        behind = before
        shares |= dict.fromkeys(members, tuple(Fraction(number, deals * len(members)) for number in held))
    return shares


def _shared_out(room: Room, mask: int, size: int, index: int = 0) -> Iterator[tuple[Room, int]]:
    """The ways to share `size` tiles that are alike out among the holders of the mask, each with its number of choices of tiles."""
    if index == len(room):
        if size == 0:
            yield (), 1
        return
    most = min(room[index], size) if mask >> index & 1 else 0
    for take in range(most + 1):
        for rest, choices in _shared_out(room, mask, size - take, index + 1):
            yield (take, *rest), comb(size, take) * choices
