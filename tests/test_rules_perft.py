"""Golden counts ("perft"): in how many ways a hand can go on from a fixed deal, act by act, worked out in two independent ways.

The 28 tiles lie in a fixed order, tile i goes to seat i mod 4, and the holder of 6-6 opens with it. Depth counts acts. A seat passes
only when it cannot play, and a pass is an act, also those after a block. A tile that fits both ends is two plays, but one where
both ends show one number. Beside the ways stands how many of them block the hand with that very act (docs/oracles.md).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest
from long_run import times

from rules.line import ARMS, EMPTY, Arm, Laid, Line, outer_number
from rules.observations import Observation, Pass, Place
from rules.referee import observe, start_match
from rules.ruleset import DUSA
from rules.seats import Seat
from rules.state import MatchState
from rules.tiles import ALL_TILES, Tile

Hands = tuple[frozenset[Tile], ...]
Order = tuple[Tile, ...]
SIX_SIX = Tile(6, 6)
SORTED: Order = tuple(sorted(ALL_TILES, reverse=True))
"""6-6, 6-5 … 6-0, 5-5, 5-4 … 1-0, 0-0."""


def shuffled(seed: int) -> Order:
    """The tiles in an order that does not hang on the Python it is made with: Fisher-Yates with a linear congruence."""
    pile, number = list(SORTED), seed
    for last in range(27, 0, -1):
        number = (1664525 * number + 1013904223) % 2**32
        at = number * (last + 1) >> 32
        pile[at], pile[last] = pile[last], pile[at]
    return tuple(pile)


DEALS = {"sorted": SORTED} | {f"shuffled {seed}": shuffled(seed) for seed in (3, 5, 6, 10, 12)}
WAYS = {
    "sorted": (1, 2, 6, 18, 65, 163, 426, 1166, 3138, 6615, 14733, 33378),
    "shuffled 3": (1, 1, 3, 10, 34, 67, 165, 516, 1282, 2398, 5204, 13670),
    "shuffled 5": (1, 1, 1, 3, 11, 36, 139, 336, 843, 2009, 6269, 13089),
    "shuffled 6": (1, 2, 5, 16, 48, 148, 350, 966, 2194, 5708, 11590, 27311),
    "shuffled 10": (1, 2, 9, 26, 73, 197, 498, 1382, 3184, 7472, 15528, 37025),
    "shuffled 12": (1, 2, 6, 19, 55, 135, 324, 782, 1902, 4481, 8729, 17851),
}
"""Ways at depth 1 to 12."""
BLOCKS = {
    "sorted": {10: 1, 11: 13, 12: 45},
    "shuffled 3": {11: 3, 12: 13},
    "shuffled 5": {},
    "shuffled 6": {10: 1, 11: 6, 12: 25},
    "shuffled 10": {11: 4, 12: 90},
    "shuffled 12": {10: 1, 11: 5, 12: 42},
}
"""Ways at a depth whose last act blocks the hand; none at the others."""
FOLD_DEPTH = 10
every_deal = pytest.mark.parametrize("deal", DEALS)


@dataclass
class Counts:
    """Ways and blocks at each depth, as far as they are counted."""

    depth: int
    ways: list[int] = field(default_factory=list)
    blocks: dict[int, int] = field(default_factory=dict)

    def add(self, at: int, *, blocked: bool) -> bool:
        """Count a way with `at` acts; whether to go on from it."""
        self.ways += [0] * (at - len(self.ways))
        self.ways[at - 1] += 1
        if blocked:
            self.blocks[at] = self.blocks.get(at, 0) + 1
        return at < self.depth


def golden(deal: str, depth: int) -> Counts:
    return Counts(depth, list(WAYS[deal][:depth]), {at: blocks for at, blocks in BLOCKS[deal].items() if at <= depth})


def dealt(order: Order) -> tuple[Hands, Seat]:
    """The hands with the opening tile laid, and the seat that opened."""
    hands = tuple(frozenset(order[seat::4]) - {SIX_SIX} for seat in Seat)
    return hands, Seat(order.index(SIX_SIX) % 4)


def plays(tiles: frozenset[Tile], line: Line) -> list[tuple[Tile, Arm]]:
    """What can be laid; at equal ends on arm a only."""
    a, b = line.ends
    arms = ARMS[:1] if a == b else ARMS
    return [(tile, arm) for arm in arms for tile in tiles if (end := line.end(arm)) is not None and tile.has(end)]


def without(hands: Hands, seat: Seat, tile: Tile) -> Hands:
    return (*hands[:seat], hands[seat] - {tile}, *hands[seat + 1 :])


def by_fold(order: Order, depth: int) -> Counts:
    """Every act goes through `observe`, which must find nothing wrong with it; a block is a hand that it closes."""
    counts, (hands, opener) = Counts(depth), dealt(order)

    def act(before: MatchState, hands: Hands, seen: Observation, seat: Seat, at: int) -> None:
        state, _ = observe(before, seen)
        assert state.infractions == () and (state.hand.closed is not None or state.hand.turn == seat.right)
        if counts.add(at, blocked=isinstance(seen, Place) and state.hand.closed is not None):
            follow(state, hands, seat.right, at)

    def follow(state: MatchState, hands: Hands, seat: Seat, at: int) -> None:
        options = plays(hands[seat], state.hand.line)
        for tile, arm in options:
            act(state, without(hands, seat, tile), Place(t=2.0 * at, seat=seat, tile=tile, at=arm), seat, at + 1)
        if not options:
            act(state, hands, Pass(t=2.0 * at, seat=seat), seat, at + 1)

    start = start_match(DUSA, first_opener=opener)
    act(start, hands, Place(t=0.0, seat=opener, tile=SIX_SIX, at="open"), opener, 1)
    return counts


def by_line(order: Order, depth: int) -> Counts:
    """The line alone: its ends, what a laid tile leaves open, and the block that it can tell without the hands."""
    counts, (hands, opener) = Counts(depth), dealt(order)

    def follow(line: Line, hands: Hands, seat: Seat, at: int, *, laid: bool) -> None:
        if not counts.add(at, blocked=laid and line.blocked):
            return
        options = plays(hands[seat], line)
        for tile, arm in options:
            follow(with_tile(line, tile, arm, seat), without(hands, seat, tile), seat.right, at + 1, laid=True)
        if not options:
            follow(line, hands, seat.right, at + 1, laid=False)

    follow(with_tile(EMPTY, SIX_SIX, "open", opener), hands, opener.right, 1, laid=True)
    return counts


def with_tile(line: Line, tile: Tile, arm: Arm, seat: Seat) -> Line:
    joined = line.end(arm)
    outer = outer_number(tile, joined, line.tip(arm), None)
    return line.add(Laid(tile=tile, seat=seat, arm=arm, outer=outer, joined=joined, due=seat, obs=len(line), t=0.0))


BIT = {(high, low): 1 << (high * (high + 1) // 2 + low) for high in range(7) for low in range(high + 1)}
SUIT = [sum(bit for tile, bit in BIT.items() if number in tile) for number in range(7)]
BEYOND = {(bit, number): sum(tile) - number for tile, bit in BIT.items() for number in tile}


def by_masks(order: Order, depth: int) -> Counts:
    """The other way: hands as bits, two numbers as the line, and a block when no hand has either number. Nothing of `rules/`."""
    counts, pile = Counts(depth), [BIT[tile.high, tile.low] for tile in order]
    opening = BIT[6, 6]
    opener = pile.index(opening) % 4

    def follow(hands: list[int], a: int, b: int, seat: int, at: int, laid: bool) -> None:
        fit = SUIT[a] | SUIT[b]
        if not counts.add(at, blocked=laid and not any(hand & fit for hand in hands)):
            return
        mine, turn = hands[seat], (seat + 1) % 4
        if not mine & fit:
            follow(hands, a, b, turn, at + 1, False)
        for bit in pile:
            left = [*hands[:seat], mine ^ bit, *hands[seat + 1 :]]
            if mine & bit & SUIT[a]:
                follow(left, BEYOND[bit, a], b, turn, at + 1, True)
            if mine & bit & SUIT[b] and a != b:
                follow(left, a, BEYOND[bit, b], turn, at + 1, True)

    follow([sum(pile[seat::4]) & ~opening for seat in range(4)], 6, 6, (opener + 1) % 4, 1, True)
    return counts


@every_deal
def test_the_bit_masks_give_the_golden_counts(deal: str) -> None:
    """An implementation of its own, with hands in sight, finds the stored ways and blocks to depth 12."""
    assert by_masks(DEALS[deal], 12) == golden(deal, 12)


@every_deal
def test_the_line_gives_the_golden_counts(deal: str) -> None:
    """The line's own ends and its own block, which looks into no hand, give the same numbers to depth 12."""
    assert by_line(DEALS[deal], 12) == golden(deal, 12)


@every_deal
def test_the_fold_gives_the_golden_counts(deal: str) -> None:
    """Every one of these ways is clean play to the referee, with the right seat in turn; to depth 12 in the full run."""
    depth = times(FOLD_DEPTH, 12)
    assert by_fold(DEALS[deal], depth) == golden(deal, depth)


def test_more_deals_agree() -> None:
    """Deals without stored numbers: line and bit masks agree on each, deeper and on more of them in the full run."""
    depth = times(10, 12)
    for seed in range(200, 200 + times(6, 60)):
        assert by_line(shuffled(seed), depth) == by_masks(shuffled(seed), depth), f"shuffled {seed}"


def test_the_page_has_the_counts_of_the_sorted_deal() -> None:
    """docs/oracles.md shows the convention with the same numbers."""
    page = (Path(__file__).parent.parent / "docs" / "oracles.md").read_text(encoding="utf-8")
    blocks = ", ".join(str(BLOCKS["sorted"][depth]) for depth in (10, 11, 12))
    assert f"| sorted | {' | '.join(map(str, WAYS['sorted']))} | {blocks} |" in page
