"""Who meets whom: 1-2, 3-4 and so on down the table; of an odd number the last pair has a bye (FID-CLA-2, FID-CLA-3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rules.errors import BadInput
from rules.tournament.standings import standings
from rules.tournament.state import Tournament

SEARCH_STEPS = 50_000
"""Steps of the search after which one more rematch is allowed; a count, so that every machine finds the same pairing.

12 pairs have fewer sets of free ones, times rematches, than that: up to there the search is exact whatever has been played.
"""

Met = frozenset[frozenset[str | None]]
"""Who has met whom: sets of two pairs, None for the bye."""


class Pairing(NamedTuple):
    """Tables in the order of the table numbers, 1 first."""

    tables: tuple[tuple[str, str], ...]
    bye: str | None


def pairing(tournament: Tournament) -> Pairing:
    """The next round as the standings give it; the first round by order of entry (FID-CLA-2).

    With `avoid_rematches` it is the nearest pairing without one (D-21). BadInput while a round is open, and after the last one.
    """
    expect_break(tournament)
    ranked: list[str | None] = [line.pair for line in standings(tournament) if line.pair in tournament.active]
    if len(ranked) % 2:
        ranked.append(None)  # nobody ranks last, and is met once only, like everybody else
    met = _met(tournament) if tournament.conditions.avoid_rematches else Met()
    meetings = nearest(ranked, met)
    tables = tuple((a, b) for a, b in meetings if a is not None and b is not None)
    return Pairing(tables, next((a for a, b in meetings if b is None), None))


def expect_break(tournament: Tournament) -> None:
    """BadInput unless another round can begin."""
    rounds, done = tournament.conditions.rounds, len(tournament.rounds)
    if tournament.rounds and tournament.rounds[-1].waiting:
        waiting = ", ".join(map(str, tournament.rounds[-1].waiting))
        raise BadInput(f"expected all sheets of round {done} first, found none for table {waiting}")
    if done >= rounds:
        raise BadInput(f"expected a round of the {rounds} agreed, found that all are over")


def nearest(ranked: Sequence[str | None], met: Met) -> list[tuple[str | None, str | None]]:
    """Pairs the ranked with the fewest rematches; among those pairings the one that is best for the first, then for the next, and so on."""
    for rematches in range(len(ranked) // 2 + 1):
        found = Search(ranked, met).pair(tuple(range(len(ranked))), rematches)
        if found is not None:
            return [(ranked[a], ranked[b]) for a, b in found]
    return []


class Search:
    """Depth first with the failures remembered: the first pairing found is the nearest."""

    def __init__(self, ranked: Sequence[str | None], met: Met) -> None:
        self.ranked = ranked
        self.met = met
        self.failed: set[tuple[tuple[int, ...], int]] = set()
        self.steps = 0

    def pair(self, free: tuple[int, ...], rematches: int) -> list[tuple[int, int]] | None:
        """A pairing of the free ones with at most so many rematches; None when there is none."""
        if not free:
            return []
        if (free, rematches) in self.failed or self.steps >= SEARCH_STEPS:
            return None
        self.steps += 1
        first, others = free[0], free[1:]
        for n, other in enumerate(others):
            left = rematches - (frozenset((self.ranked[first], self.ranked[other])) in self.met)
            if left < 0:
                continue
            rest = self.pair(others[:n] + others[n + 1 :], left)
            if rest is not None:
                return [(first, other), *rest]
        self.failed.add((free, rematches))
        return None


def _met(tournament: Tournament) -> Met:
    tables = {frozenset[str | None](table) for r in tournament.rounds for table in r.tables}
    return frozenset(tables | {frozenset((r.bye.pairs[0], None)) for r in tournament.rounds if r.bye})
