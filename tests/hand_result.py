"""How a hand ended, worked out from all four hands: winner, points, and who opens next."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from known_table import KnownTable

from rules.seats import Seat


@dataclass(frozen=True)
class Result:
    """How a hand ended: `points` and `left` of the pairs A and B."""

    end: str
    by: Seat
    winner: str | None
    points: tuple[int, int]
    left: tuple[int, int]
    next_starter: Seat


def result_of(table: KnownTable, ruleset: str, lost: Iterable[Seat] = ()) -> Result:
    """All unplayed pips to the pair that went out, or has fewer when nobody can play; nothing if it did so with an exposed tile."""
    assert table.end is not None and table.last is not None
    pips = [sum(tile.high + tile.low for tile in hand) for hand in table.hands]
    left = (pips[0] + pips[2], pips[1] + pips[3])
    pair = None if left[0] == left[1] else int(left[1] < left[0])
    pair = table.last % 2 if table.end == "domination" else pair
    void = ruleset == "dusa" and table.scoreless and pair == table.last % 2
    points = (0, 0) if pair is None or void else (sum(left), 0) if pair == 0 else (0, sum(left))
    due, _ = rotate(table.opener, {*table.lost, *lost} if ruleset == "dusa" else ())
    return Result("tie" if pair is None else table.end, table.last, None if pair is None else "AB"[pair], points, left, due)


def rotate(opener: Seat, lost: Iterable[Seat]) -> tuple[Seat, set[Seat]]:
    """Who opens after `opener`, with seats that lost their opening passed over once, and who has still to be passed over."""
    due, left = Seat((opener + 1) % 4), set(lost)
    while due in left:
        left.remove(due)
        due = Seat((due + 1) % 4)
    return due, left
