"""Tournaments for the tests: short builders, and random ones for the properties."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from rules.errors import BadInput
from rules.tournament.book import add, fold
from rules.tournament.conditions import Conditions
from rules.tournament.entries import (
    Card,
    Correction,
    Entry,
    Incident,
    PairEntered,
    Result,
    RoundOpened,
    Withdrawal,
)
from rules.tournament.moments import Moment
from rules.tournament.pairing import pairing
from rules.tournament.state import Tournament

NOON = Moment.parse("2026-11-30T12:00")


def tournament(*pairs: str, rounds: int = 5, **switches: Any) -> Tournament:
    """A tournament that these pairs entered."""
    return fold(Conditions(rounds=rounds, **switches), [PairEntered(pair=pair) for pair in pairs])


def opened(book: Tournament, **told: Any) -> Tournament:
    """With the next round open, as the standings give it."""
    found = pairing(book)
    return add(
        book, RoundOpened(**{"number": len(book.rounds) + 1, "tables": found.tables, "bye": found.bye, "at": NOON, **told})
    )


def played(book: Tournament, *scores: tuple[int, int]) -> Tournament:
    """With the next round open and played, table by table."""
    book = opened(book)
    for table, points in enumerate(scores, start=1):
        book = add(book, Result(round=len(book.rounds), table=table, points=points, at=NOON))
    return book


def black(pair: str, **told: Any) -> Card:
    """A black card for a fight, shown by a principal judge."""
    shown: dict[str, Any] = dict(office="federation", ground="fight", by="the president", at=NOON, text="hit a rival", player="P")
    return Card(colour="black", pair=pair, **(shown | told))


def last_number(book: Tournament) -> int:
    return len(book.entries)


CONDITIONS = st.builds(
    Conditions,
    rounds=st.integers(1, 5),
    target=st.none() | st.integers(1, 400),
    bye_share=st.floats(0, 1),
    cap_difference=st.booleans(),
    avoid_rematches=st.booleans(),
    third_key=st.sampled_from(("points_for", "rivals_wins", "none")),
    corrections=st.sampled_from(("next_round", "at_once")),
    expelled_points=st.sampled_from(("drop", "keep")),
)


@st.composite
def books(draw: st.DrawFn) -> Tournament:
    """A tournament of 2 to 9 pairs in which everything may happen: odd sheets, late pairs, corrections, withdrawals, black cards."""
    pairs = [PairEntered(pair=f"P{n}") for n in range(draw(st.integers(2, 9)))]
    book = fold(draw(CONDITIONS), pairs)
    for _ in range(book.conditions.rounds):
        if len(book.active) < 2:
            break
        book = opened(book)
        for table in draw(st.permutations(range(1, len(book.rounds[-1].tables) + 1))):
            book = _sheet(draw, book, table)
            book = _tried(book, draw(st.none() | st.sampled_from(_others(draw, book))))
    return book


def _sheet(draw: st.DrawFn, book: Tournament, table: int) -> Tournament:
    """A sheet of this table: the one that is drawn, or, where that is refused, the one that must be."""
    pairs = book.rounds[-1].tables[table - 1]
    out = tuple(pair for pair in pairs if book.left(pair) == "expelled")
    common: dict[str, Any] = {"round": len(book.rounds), "table": table, "at": NOON}
    points = draw(st.tuples(st.integers(0, 350), st.integers(0, 350)))
    outcome = draw(st.sampled_from(("played", "late", "withdrawn", "void")))
    drawn: Result = {
        "played": Result(points=points, winner=pairs[0] if points[0] == points[1] else None, **common),
        "late": Result(outcome="late", lost_by=pairs[: draw(st.integers(1, 2))], **common),
        "withdrawn": Result(outcome="withdrawn", points=points, lost_by=pairs[:1], **common),
        "void": Result(outcome="void", reason="power cut", **common),
    }[outcome]
    return add(book, Result(outcome="black_card", points=points, lost_by=out, **common) if out else drawn)


def _others(draw: st.DrawFn, book: Tournament) -> list[Entry]:
    pair = draw(st.sampled_from(book.pairs))
    made = [(n, e) for n, e in book.live if isinstance(e, Result)]
    number, old = draw(st.sampled_from(made))
    again = Correction(voids=number, round=old.round, table=old.table, points=(draw(st.integers(0, 300)), 301), at=NOON)
    leave = Withdrawal(pair=pair, leave=True, harms_nobody=True, by="arbiter", at=NOON)
    return [again, leave, black(pair), Incident(pair=pair, text="spoke", at=NOON)]


def _tried(book: Tournament, entry: Entry | None) -> Tournament:
    try:
        return book if entry is None else add(book, entry)
    except BadInput:
        return book
