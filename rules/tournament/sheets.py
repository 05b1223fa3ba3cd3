"""From what was handed in to the sheet that counts: points and winner by the way the match ended (FID-CLA-3, CLA-4, TAR-N3, D-20)."""

from __future__ import annotations

from rules.errors import BadInput
from rules.match import black_card_score, bye_points, is_late
from rules.tournament.entries import Card, Escalation, Result
from rules.tournament.state import Round, Sheet, Tournament


def sheet_of(tournament: Tournament, result: Result) -> Sheet:
    """The sheet of a result; BadInput says which condition of its outcome is missing."""
    pairs = table_of(tournament, result)
    strangers = [pair for pair in (*result.lost_by, result.winner) if pair is not None and pair not in pairs]
    if strangers:
        raise BadInput(f"expected {pairs[0]!r} or {pairs[1]!r} at table {result.table}, found {strangers[0]!r:.60}")
    points, winner = OUTCOMES[result.outcome](tournament, result, pairs)
    return Sheet(round=result.round, table=result.table, pairs=pairs, points=points, outcome=result.outcome, winner=winner)


def bye_sheet(tournament: Tournament, number: int, pair: str) -> Sheet:
    """The pair without rivals wins with a share of the target in its favour (FID-CLA-3, D-20)."""
    points = (bye_points(tournament.conditions.rules), 0)
    return Sheet(round=number, table=None, pairs=(pair,), points=points, outcome="bye", winner=pair)


def round_of(tournament: Tournament, number: int) -> Round:
    """The round with this number; BadInput when it is not open."""
    if not 1 <= number <= len(tournament.rounds):
        raise BadInput(f"expected a round from 1 to {len(tournament.rounds)}, found {number}; open it first")
    return tournament.rounds[number - 1]


def table_of(tournament: Tournament, result: Result) -> tuple[str, str]:
    """The two pairs of a result's table; BadInput when there is no such table."""
    tables = round_of(tournament, result.round).tables
    if not 1 <= result.table <= len(tables):
        raise BadInput(f"expected a table from 1 to {len(tables)} of round {result.round}, found {result.table}")
    return tables[result.table - 1]


Found = tuple[tuple[int, int], str | None]
"""Points and winner."""


def _played(tournament: Tournament, result: Result, pairs: tuple[str, str]) -> Found:
    _expect_lost_by(result, 0)
    out = [pair for pair in pairs if tournament.left(pair) == "expelled"]
    if out and type(result) is Result:
        raise BadInput(f"expected outcome black_card, for {out[0]!r} was expelled before the sheet was handed in, found played")
    a, b = result.points
    ahead = None if a == b else pairs[b > a]
    if result.winner is None and ahead is None:
        raise BadInput(f"expected the winner whom the arbiter names, for the score is level, found {a}-{b} alone")
    if result.winner not in (None, ahead) and ahead is not None and result.reason is None:
        raise BadInput(f"expected a reason why the pair with fewer points wins, found {result.winner!r} at {a}-{b}")
    return result.points, result.winner or ahead


def _late(tournament: Tournament, result: Result, pairs: tuple[str, str]) -> Found:
    """FID-CLA-4. Both late: both have lost, and neither has points."""
    _expect_lost_by(result, 1, 2)
    limit = tournament.conditions.late_min
    if result.after_min is not None and not is_late(tournament.conditions.rules, 0.0, result.after_min * 60):
        raise BadInput(f"expected more than {limit:g} minutes after the start signal (FID-CLA-4), found {result.after_min:g}")
    if result.points != (0, 0):
        raise BadInput(f"expected no points in a match that was not played, found {result.points[0]}-{result.points[1]}")
    return _won_by_others(tournament, result, pairs)


def _withdrawn(tournament: Tournament, result: Result, pairs: tuple[str, str]) -> Found:
    _expect_lost_by(result, 1)
    return _won_by_others(tournament, result, pairs)


def _black_card(tournament: Tournament, result: Result, pairs: tuple[str, str]) -> Found:
    """FID-TAR-N3. The card may be annulled later; the sheet then needs a correction of its own."""
    _expect_lost_by(result, 1, 2)
    expelled = {e.pair for e in tournament.entries if isinstance(e, Card) and e.colour == "black"}
    expelled |= {e.pair for e in tournament.entries if isinstance(e, Escalation) and e.step == "expulsion"}
    here = [pair for pair in result.lost_by if pair not in expelled]
    if here:
        raise BadInput(f"expected a pair that was expelled, found {here[0]!r}; enter the card first")
    return _won_by_others(tournament, result, pairs)


def _void(tournament: Tournament, result: Result, pairs: tuple[str, str]) -> Found:
    _expect_lost_by(result, 0)
    if result.reason is None:
        raise BadInput("expected the reason why nobody wins, found a void sheet without one")
    return (0, 0), None


def _bye(tournament: Tournament, result: Result, pairs: tuple[str, str]) -> Found:
    raise BadInput("expected the outcome of a table, found bye; the round itself enters it")


def _won_by_others(tournament: Tournament, result: Result, pairs: tuple[str, str]) -> Found:
    """The pair that did not fail wins with its own points or the share of the target, whichever is more; two that failed both lose."""
    lost = [pair in result.lost_by for pair in pairs]
    if all(lost):
        return (0, 0), None
    keep = tournament.conditions.expelled_points == "keep"
    rules = tournament.conditions.rules
    a, b = (
        (own if keep else 0) if failed else black_card_score(rules, own) for own, failed in zip(result.points, lost, strict=True)
    )
    return (a, b), pairs[lost[0]]


def _expect_lost_by(result: Result, *counts: int) -> None:
    if len(set(result.lost_by)) not in counts:
        wanted = " or ".join("no pair" if count == 0 else f"{count}" for count in counts)
        raise BadInput(f"expected lost_by with {wanted} at outcome {result.outcome}, found {len(result.lost_by)}")
    if result.winner is not None and result.outcome != "played":
        raise BadInput(f"expected no winner to be named at outcome {result.outcome}, found {result.winner!r:.60}")


OUTCOMES = {
    "played": _played,
    "bye": _bye,
    "late": _late,
    "withdrawn": _withdrawn,
    "black_card": _black_card,
    "void": _void,
}
