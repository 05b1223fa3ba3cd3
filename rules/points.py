"""Points of a hand: who wins and how much (FID-PUN-2, FID-PUN-6, DUSA-10, D-02, D-03)."""

from __future__ import annotations

from rules.events import Points
from rules.ruleset import Ruleset
from rules.seats import PAIRS, Pair, Seat
from rules.state import Closing
from rules.tiles import Tile


def pips_of(tiles: tuple[Tile, ...]) -> int:
    """Sum of both halves of all these tiles."""
    return sum(tile.pips for tile in tiles)


def left_by_pair(hands: tuple[tuple[Tile, ...], ...]) -> Points:
    """Unplayed pips of the pairs (A, B) from the tiles of the four seats."""
    s, e, n, w = (pips_of(tiles) for tiles in hands)
    return s + n, e + w


def winner_of(closing: Closing, left: Points | None) -> Pair | None:
    """A domination is won by the pair of the last tile; a block by the pair with fewer pips, by nobody when they are equal."""
    if closing.end == "domination" and closing.by_seat is not None:
        return closing.by_seat.pair
    if left is None or left[0] == left[1]:
        return None
    return "A" if left[0] < left[1] else "B"


def hand_points(ruleset: Ruleset, closing: Closing, winner: Pair | None, total: int, left: Points | None) -> Points:
    """The points of both pairs: `total` unplayed pips to the winner.

    Nothing when he won with an exposed tile (DUSA-6: his own points only; rivals who win keep theirs), nothing after a tie (DUSA-10).
    """
    if winner is None:
        return 0, 0
    own = isinstance(closing.by_seat, Seat) and closing.by_seat.pair == winner
    if closing.scoreless and own and not ruleset.exposed_scores:
        return 0, 0
    amount = left[PAIRS.index(winner) - 1] if ruleset.score_scope == "losers" and left is not None else total
    return (amount, 0) if winner == "A" else (0, amount)
