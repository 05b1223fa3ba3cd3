"""What holds for every tournament: the fold, the document, the moments."""

from __future__ import annotations

import json
from collections import Counter
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament_books import CONDITIONS, NOON, books, opened, tournament

from rules.errors import BadInput
from rules.tournament.book import add, fold, from_document, to_document
from rules.tournament.conditions import Conditions
from rules.tournament.entries import KINDS, Entry, PairEntered, RoundOpened, entry_from_row, entry_to_row
from rules.tournament.forms import refuse
from rules.tournament.moments import Moment
from rules.tournament.pairing import nearest
from rules.tournament.standings import standings
from rules.tournament.state import Tournament

FEW = settings(max_examples=40, deadline=None)
MOMENTS = st.datetimes(datetime(1, 1, 1), datetime(9998, 12, 31)).map(lambda time: time.replace(microsecond=0))


@given(books())
@FEW
def test_in_every_round_everybody_sits_once(book: Tournament) -> None:
    """Nobody twice, nobody left out, at most one bye, whatever happened between the rounds."""
    for n, entry in ((n, e) for n, e in book.live if isinstance(e, RoundOpened)):
        before = fold(book.conditions, book.entries[: n - 1])
        seated = [pair for table in entry.tables for pair in table] + ([entry.bye] if entry.bye else [])
        assert Counter(seated) == Counter(before.active)
        assert (entry.bye is None) == (len(before.active) % 2 == 0)


@given(books())
@FEW
def test_the_table_of_any_round_can_be_rebuilt(book: Tournament) -> None:
    """What the next round was paired by is what the whole book says of that round (FID-PUN-10)."""
    for n, entry in ((n, e) for n, e in book.live if isinstance(e, RoundOpened)):
        before = fold(book.conditions, book.entries[: n - 1])
        then = standings(before)
        now = standings(book, entry.number - 1)
        assert [(line.place, line.pair, line.wins, line.difference, line.status) for line in then] == [
            (line.place, line.pair, line.wins, line.difference, line.status) for line in now
        ]


@given(books())
@FEW
def test_a_prefix_and_the_rest_fold_to_the_same(book: Tournament) -> None:
    """Folding all at once, or one more entry on each prefix, gives equal values."""
    made = Tournament(conditions=book.conditions)
    for n, entry in enumerate(book.entries):
        assert made == fold(book.conditions, book.entries[:n])
        made = add(made, entry)
    assert made == book


@given(books())
@FEW
def test_a_document_reads_back_as_the_same_tournament(book: Tournament) -> None:
    """Through JSON text and back: equal, and printed again the same."""
    text = json.dumps(to_document(book))
    read = from_document(json.loads(text))
    assert read == book and json.dumps(to_document(read)) == text


@given(books())
@FEW
def test_wins_and_differences_balance(book: Tournament) -> None:
    """A match has at most one winner; but for byes and kept points, what one pair wins in difference the other loses."""
    for r in book.rounds:
        for sheet in r.sheets(after=book.conditions.rounds):
            assert sheet.winner in (*sheet.pairs, None)
            assert sheet.outcome == "bye" or sum(sheet.difference(pair) for pair in sheet.pairs) == 0


@given(st.integers(1, 5).flatmap(lambda n: st.tuples(st.just("ABCDEFGHIJ"[: 2 * n]), st.sets(st.integers(0, 44)))))
@settings(max_examples=150, deadline=None)
def test_the_nearest_pairing_is_the_best_of_all(case: tuple[str, set[int]]) -> None:
    """Against every pairing there is: fewest rematches, then the first pair's rival, then the next one's."""
    names, chosen = case
    couples = [frozenset((a, b)) for a in names for b in names if a < b]
    met = frozenset(couple for n, couple in enumerate(couples) if n in chosen)
    best = min(every(names), key=lambda p: (sum(frozenset(meeting) in met for meeting in p), p))
    assert nearest(names, met) == best


def every(names: str) -> list[list[tuple[str, str]]]:
    """All pairings of the names."""
    if not names:
        return [[]]
    first, others = names[0], names[1:]
    return [[(first, other), *rest] for n, other in enumerate(others) for rest in every(others[:n] + others[n + 1 :])]


@given(st.integers(4, 12), st.integers(1, 6))
@settings(max_examples=40, deadline=None)
def test_no_rematch_while_one_can_be_avoided(pairs: int, rounds: int) -> None:
    """With fewer rounds than half the pairs there is always a pairing of those who have not met, and it is found."""
    rounds = min(rounds, (pairs + pairs % 2) // 2)
    book = tournament(*(f"P{n}" for n in range(pairs)), rounds=rounds, avoid_rematches=True)
    met: Counter[frozenset[str | None]] = Counter()
    for _ in range(rounds):
        book = opened(book)
        tables: list[tuple[str | None, ...]] = [*book.rounds[-1].tables]
        bye = book.rounds[-1].bye
        met.update(map(frozenset, tables + ([(bye.pairs[0], None)] if bye else [])))
        for table in range(1, len(book.rounds[-1].tables) + 1):
            row = {"kind": "result", "round": len(book.rounds), "table": table, "points": [300, 7 * table]}
            book = add(book, entry_from_row(row))
    assert set(met.values()) == {1}


@given(MOMENTS)
def test_a_moment_is_what_the_calendar_says(time: datetime) -> None:
    """Prints and reads back the same; days, weeks and midnights as the standard library has them."""
    moment = Moment.parse(time.isoformat())
    assert Moment.parse(str(moment)) == moment
    assert str(moment) == time.isoformat(timespec="seconds" if time.second else "minutes")
    assert moment.date == (time.year, time.month, time.day)
    assert str(moment.plus(90061)) == str(Moment.parse((time + timedelta(seconds=90061)).isoformat()))
    assert str(moment.end_of_day()) == f"{time.date().isoformat()}T23:59"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("2026-01-31T10:00", "2026-02-28T10:00"),
        ("2028-01-31T10:00", "2028-02-29T10:00"),
        ("2026-12-15T00:00", "2027-01-15T00:00"),
    ],
)
def test_a_month_later_is_the_same_day_or_the_last_one(before: str, after: str) -> None:
    """31 January plus a month is the end of February."""
    assert str(Moment.parse(before).plus_month()) == after


@pytest.mark.parametrize(
    "text",
    ["", "noon", "2026-11-30", "2026-13-01T00:00", "2026-02-29T00:00", "0000-01-01T00:00", "2026-11-30T24:00", "2026-11-30T10:60",
     "2026-11-30T10:00:60", "2026-11-30T10:00Z", "2026-11-30T10:00+01:00", "٢٠٢٦-11-30T10:00", 7, None],
)  # fmt: skip
def test_what_is_no_local_time_is_refused(text: object) -> None:
    """No date alone, no 24:00, no leap day that is none, no offset."""
    with pytest.raises(BadInput, match="expected"):
        Moment.parse(text)


@given(CONDITIONS)
def test_conditions_print_and_read_back(conditions: Conditions) -> None:
    """Every switch with any of its values."""
    assert from_document({"conditions": to_document(Tournament(conditions=conditions))["conditions"]}).conditions == conditions


def test_only_the_number_of_rounds_must_be_told() -> None:
    """Everything else has the default of the laws: 300 points, half of it for a bye, 7 minutes."""
    conditions = from_document({"conditions": {"rounds": 3}}).conditions
    assert (conditions.rules.target, conditions.rules.bye_share, conditions.rules.late_s) == (300, 0.5, 420.0)


ONE = {"rounds": 1}


def entries(*rows: Any) -> dict[str, Any]:
    """A document of one round with these rows."""
    return {"conditions": ONE, "entries": list(rows)}


A = {"kind": "pair", "pair": "A"}
BAD: list[tuple[Any, tuple[str, ...]]] = [
    (None, ("conditions and a list of entries",)),
    ({"entries": {}}, ("conditions and a list of entries",)),
    ({"schema": 2, "conditions": ONE}, ("schema 1", "2")),
    ({}, ("conditions: expected fields by name",)),
    ({"conditions": {}}, ("conditions: rounds: expected it, found nothing",)),
    (
        {"conditions": {"rounds": 0, "bye_share": 2, "target": 0, "notification_at": 0}},
        ("rounds:", "bye_share:", "target:", "tification_at:"),
    ),
    ({"conditions": {"rounds": 1, "avoid_rematch": True}}, ("docs/tournament.md", "'avoid_rematch'")),
    ({"conditions": {"rounds": "x", "third_key": "luck", "colour": 1}}, ("rounds:", "expected one of points_for", "'colour'")),
    ({"conditions": {"rounds": 1, "bye_share": float("nan")}}, ("bye_share: expected a number",)),
    (entries(7, {"kind": "jump"}, {"kind": "pair"}), ("entry 1:", "entry 2: expected kind one of", "entry 3: pair:")),
    (
        entries({"kind": "result", "round": True, "table": 1.5, "points": [1], "after_min": "soon"}),
        ("round: expected a whole number", "table:", "points: expected a list of 2", "after_min:"),
    ),
    (entries({"kind": "pair", "pair": "a\nb"}, {"kind": "pair", "pair": " "}), ("entry 1:", "entry 2:")),
    (entries(A, A, {"kind": "round", "number": 1, "tables": []}), ("entry 2 (pair)", "entry 3 (round)")),
    (entries({"kind": "complaint", "pair": "A", "player": "x", "text": "y", "written": 1}), ("written: expected true or false",)),
    (entries({"kind": "round", "number": 1, "tables": "AB"}), ("tables: expected a list",)),
]


@pytest.mark.parametrize(("document", "told"), BAD)
def test_a_bad_document_tells_all_that_is_wrong_in_one_line(document: Any, told: tuple[str, ...]) -> None:
    """First the fields of everything, then the entries that are refused; never only the first problem."""
    with pytest.raises(BadInput) as caught:
        from_document(document)
    assert "\n" not in str(caught.value)
    for words in told:
        assert words in str(caught.value)


def test_of_many_problems_the_first_are_told_and_the_others_counted() -> None:
    """One line stays one that can be read."""
    with pytest.raises(BadInput, match=r"p7; and 92 more$"):
        refuse(f"p{n}" for n in range(100))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(("A", "B", *KINDS)),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(("pair", "tables", "points", "at", "seated", "name")), inner)
    ),
    max_leaves=6,
)


@given(st.sampled_from(sorted(KINDS)), st.data())
@settings(max_examples=200, deadline=None)
def test_any_row_is_an_entry_that_reads_back_or_bad_input(kind: str, data: st.DataObject) -> None:
    """Whatever a field holds: a value that prints and reads back the same, or one line."""
    names = sorted(KINDS[kind].__dataclass_fields__)
    row = {"kind": kind, **{name: data.draw(JSON) for name in names if data.draw(st.booleans())}}
    try:
        entry = entry_from_row(row)
    except BadInput as error:
        assert "\n" not in str(error)
        return
    assert entry_from_row(entry_to_row(entry)) == entry


def test_keys_that_no_entry_has_are_ignored() -> None:
    """A newer program's remarks do no harm."""
    found: Entry = entry_from_row({"kind": "pair", "pair": "A", "club": "Sol", "at": str(NOON)})
    assert found == PairEntered(pair="A", at=NOON)
