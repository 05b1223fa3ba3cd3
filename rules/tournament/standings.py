"""The Swiss table: wins, then the sum of differences, then the third key (FID-CLA-1, D-21)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from rules.errors import BadInput
from rules.tournament.state import Sheet, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A line of the table. Pairs level in all keys share a `place`; an expelled pair has none and stands last."""

    place: int | None
    pair: str
    wins: int
    difference: int
    points_for: int
    rivals_wins: int
    matches: int
    byes: int
    status: Literal["in", "withdrawn", "expelled"]


def standings(tournament: Tournament, after: int | None = None) -> tuple[Standing, ...]:
    """The table after a round, by default the last one whose sheets are all in; BadInput for a round that is not over.

    It is the table the next round was paired by, whatever was entered later (FID-PUN-10). Level pairs stand in the order of entry.
    """
    after = tournament.rounds_done if after is None else after
    if not 0 <= after <= tournament.rounds_done:
        raise BadInput(f"expected a round from 0 to {tournament.rounds_done} whose sheets are all in, found {after}")
    sheets = [sheet for r in tournament.rounds[:after] for sheet in r.sheets(after)]
    wins = {pair: sum(sheet.winner == pair for sheet in sheets) for pair in tournament.pairs}
    lines = [_line(tournament, pair, sheets, wins, after) for pair in tournament.pairs]
    third = tournament.conditions.third_key
    ranked = sorted(lines, key=lambda line: _key(line, third))  # sorting is stable: the order of entry stays
    return tuple(_placed(ranked, third))


def _line(tournament: Tournament, pair: str, sheets: list[Sheet], wins: dict[str, int], after: int) -> Standing:
    own = [sheet for sheet in sheets if pair in sheet.pairs]
    cap = tournament.conditions.rules.target if tournament.conditions.cap_difference else 10**9
    return Standing(
        place=None,
        pair=pair,
        wins=wins[pair],
        difference=sum(max(-cap, min(cap, sheet.difference(pair))) for sheet in own),
        points_for=sum(sheet.points[sheet.pairs.index(pair)] for sheet in own),
        rivals_wins=sum(wins[rival] for sheet in own for rival in sheet.pairs if rival != pair),
        matches=len(own),
        byes=sum(sheet.outcome == "bye" for sheet in own),
        status=next((d.why for d in tournament.departures if d.pair == pair and d.shows(after)), "in"),
    )


def _key(line: Standing, third: str) -> tuple[bool, int, int, int]:
    last = 0 if third == "none" else line.points_for if third == "points_for" else line.rivals_wins
    return line.status == "expelled", -line.wins, -line.difference, -last


def _placed(ranked: list[Standing], third: str) -> list[Standing]:
    """The lines with their places: 1, 2, 2, 4."""
    placed: list[Standing] = []
    for number, line in enumerate(ranked, start=1):
        level = placed and _key(placed[-1], third) == _key(line, third)
        place = None if line.status == "expelled" else placed[-1].place if level else number
        placed.append(replace(line, place=place))
    return placed
