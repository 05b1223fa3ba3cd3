"""The line of the hand found from scratch in one view: which tiles form it, in which order, and its two ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.board import BoardView, SeenTile
from vision.contact import WIDEST_COST, Contact, Port, contacts, through_cost


@dataclass(frozen=True, slots=True, eq=False)
class LineTile:
    """A tile of the line: `index` in the view's face-up tiles, and the ports at which it joins its neighbours on either side.

    `back` leads to the tile before it in `Line.tiles`, `ahead` to the next one; None at an open end.
    """

    index: int
    seen: SeenTile
    back: Port | None
    ahead: Port | None


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """The chain of tiles from one open end to the other; which of them is arm a depends on the opening, so it is not said here.

    opening: position in `tiles` of the tile that came first, as far as bends and place tell. loose: indices of face-up tiles that
    are not part of the line.
    """

    tiles: tuple[LineTile, ...]
    opening: int
    loose: tuple[int, ...]

    @property
    def open_ports(self) -> tuple[Port, Port]:
        """Where the line can grow: before its first tile and after its last; for a lone tile its two halves."""
        first, last = self.tiles[0], self.tiles[-1]
        back = first.ahead.across if first.ahead is not None else Port.END_0
        ahead = last.back.across if last.back is not None else Port.END_1
        return back, ahead

    @property
    def open_numbers(self) -> tuple[int, int]:
        """The numbers that the two open ends show, as read."""
        (first, last), (back, ahead) = (self.tiles[0].seen, self.tiles[-1].seen), self.open_ports
        return first.pips[back.half or 0], last.pips[ahead.half or 0]


@dataclass(frozen=True, slots=True)
class _Join:
    one: int
    other: int
    contact: Contact


def find_line(view: BoardView) -> Line | None:
    """The line in a view, None when no tile lies face up.

    Only geometry counts: halves that face each other, doubles across or in line, bends. Equal numbers are a hint between joins
    that fit equally well; a tile that matches nowhere is laid all the same.
    """
    tiles = view.face_up
    if not tiles:
        return None
    chains = _chains(len(tiles), _joins(tiles, view.length_mm), tiles, view.length_mm)
    chain = max(chains, key=lambda c: (len(c), -_distance_mm(c, tiles)))
    linked = tuple(LineTile(i, tiles[i], back, ahead) for i, back, ahead in chain)
    used = {i for i, _, _ in chain}
    return Line(linked, _opening(linked), tuple(i for i in range(len(tiles)) if i not in used))


Chain = list[tuple[int, Port | None, Port | None]]


def _joins(tiles: Sequence[SeenTile], length_mm: float) -> list[_Join]:
    """Every way two tiles touch, the best fits first."""
    joins = [
        _Join(i, j, contact)
        for i in range(len(tiles))
        for j in range(i + 1, len(tiles))
        for contact in contacts(tiles[i], tiles[j], length_mm)
    ]
    return sorted(joins, key=lambda join: join.contact.cost)


def _chains(count: int, joins: list[_Join], tiles: Sequence[SeenTile], length_mm: float) -> list[Chain]:
    """Join the best fits first; no tile has more than two neighbours and no chain bites its tail."""
    neighbours: list[dict[int, Port]] = [{} for _ in range(count)]
    group = list(range(count))
    for join in joins:
        one, other = neighbours[join.one], neighbours[join.other]
        if group[join.one] == group[join.other] or len(one) == 2 or len(other) == 2:
            continue
        if any(
            through_cost(used, port) + join.contact.cost > WIDEST_COST
            for side, port in ((one, join.contact.one), (other, join.contact.other))
            for used in side.values()
        ):
            continue
        one[join.other], other[join.one] = join.contact.one, join.contact.other
        old, new = group[join.other], group[join.one]
        group = [new if g == old else g for g in group]
    starts = [i for i in range(count) if len(neighbours[i]) < 2]
    chains: list[Chain] = []
    seen: set[int] = set()
    for start in starts:
        if start not in seen:
            chains.append(_walk(start, neighbours))
            seen.update(i for i, _, _ in chains[-1])
    return chains


def _walk(start: int, neighbours: list[dict[int, Port]]) -> Chain:
    chain: Chain = []
    before, at = None, start
    while True:
        ahead = [i for i in neighbours[at] if i != before]
        chain.append((at, None if before is None else neighbours[at][before], neighbours[at][ahead[0]] if ahead else None))
        if not ahead:
            return chain
        before, at = at, ahead[0]


def _distance_mm(chain: Chain, tiles: Sequence[SeenTile]) -> float:
    """How far from the table's centre a chain lies at its nearest: lines start there, hands lie at the rims."""
    return min(float(np.hypot(tiles[i].x_mm, tiles[i].y_mm)) for i, _, _ in chain)


def _opening(line: Sequence[LineTile]) -> int:
    """A bend is laid sideways against the arm, so its tile came after the one it is laid against; of the tiles that may have been
    first, the one nearest to the table's centre is taken."""
    earliest, latest = 0, len(line) - 1
    for position, tile in enumerate(line):
        if tile.back is not None and tile.back.is_side:  # laid after the tile before it: the opening is further back
            latest = min(latest, position - 1)
        if tile.ahead is not None and tile.ahead.is_side:
            earliest = max(earliest, position + 1)
    if earliest > latest:
        earliest, latest = 0, len(line) - 1
    return min(range(earliest, latest + 1), key=lambda p: float(np.hypot(line[p].seen.x_mm, line[p].seen.y_mm)))
