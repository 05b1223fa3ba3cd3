"""Who opens: the draw, the rotation of the opening, lost openings and ordered repeats."""

from __future__ import annotations

from collections.abc import Sequence

from rules.ruleset import Ruleset
from rules.seats import Seat
from rules.state import MatchState
from rules.tiles import Tile


def opener_by_draw(tiles: Sequence[Tile]) -> Seat:
    """The seat with the highest tile: sum of pips, then the higher half (DUSA-2, FID-SAL-1, D-11). `tiles` by seat S, E, N, W."""
    return max(Seat, key=lambda seat: (tiles[seat].pips, tiles[seat].high))


def next_opener(last: Seat, lost: Sequence[Seat]) -> tuple[Seat, tuple[Seat, ...]]:
    """The seat to open after `last` opened, and the lost openings still to be served.

    The opening goes to the right (DUSA-2, FID-SAL-9); a seat that lost its opening is skipped once (DUSA-6, D-13).
    """
    remaining, seat = list(lost), last.right
    while seat in remaining:
        remaining.remove(seat)
        seat = seat.right
    return seat, tuple(remaining)


def repeat_opener(ruleset: Ruleset, opener: Seat, offender: Seat | None) -> Seat:
    """Who opens a hand that is repeated: by default the pair that broke the rule may not (FID-ACT-3, D-17)."""
    if ruleset.repeat_opener == "next_if_at_fault":
        return opener.right if offender is not None and opener.pair == offender.pair else opener
    return opener.right if ruleset.repeat_opener == "next" else opener


def due_opener(state: MatchState) -> tuple[Seat | None, tuple[Seat, ...]]:
    """The seat that is to open the next hand (None: whoever does), and the lost openings left after it."""
    if state.repeat_opener is not None:
        return state.repeat_opener, state.lost_openings
    if state.last_opener is None:
        return state.first_opener, state.lost_openings
    return next_opener(state.last_opener, state.lost_openings)
