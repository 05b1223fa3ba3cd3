"""The book of a tournament: the fold over its entries, and the document they are kept in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import reduce
from typing import Any

from rules.errors import BadInput
from rules.tournament import appeals, cards, incidents, rounds
from rules.tournament.conditions import Conditions, conditions_from_row
from rules.tournament.entries import Annulment, Correction, Entry, Result, RoundOpened, entry_from_row, entry_to_row
from rules.tournament.forms import refuse, to_row
from rules.tournament.state import Tournament

SCHEMA = 1

STEPS: dict[str, Callable[[Tournament, int, Any], Tournament]] = {
    "pair": rounds.enter_pair,
    "round": rounds.open_round,
    "result": rounds.hand_in,
    "correction": rounds.correct,
    "withdrawal": rounds.withdraw,
    "incident": incidents.note,
    "agreement": incidents.agree,
    "escalation": incidents.escalate,
    "complaint": cards.complain,
    "posting": cards.post,
    "card": cards.show_card,
    "appeal": appeals.appeal,
}


def add(tournament: Tournament, entry: Entry) -> Tournament:
    """The tournament with one more entry; BadInput says why the entry is refused."""
    number = len(tournament.entries) + 1
    stepped = STEPS[entry.kind](tournament, number, entry) if entry.kind in STEPS else annul(tournament, entry)
    return replace(stepped, entries=(*stepped.entries, entry), live=(*stepped.live, (number, entry)))


def fold(conditions: Conditions, entries: Iterable[Entry]) -> Tournament:
    """The tournament of these entries."""
    return reduce(add, entries, Tournament(conditions=conditions))


def annul(tournament: Tournament, entry: Entry) -> Tournament:
    """From here on an entry no longer stands; what was paired and published meanwhile stays.

    A sheet can be annulled, as a slip in the book, until the next round opens; later it is corrected (FID-PUN-10).
    BadInput names what cannot be annulled, and why.
    """
    assert isinstance(entry, Annulment)
    voided = tournament.entry(entry.voids, Entry)
    if isinstance(voided, Annulment | Correction):
        raise BadInput(f"expected no {voided.kind}, found entry {entry.voids}; enter what is right instead")
    leaning = _leaning_on(tournament, entry.voids, voided)
    if leaning is not None:
        raise BadInput(f"expected an entry that nothing stands on, found entry {entry.voids}; entry {leaning} does")
    live = tuple((number, kept) for number, kept in tournament.live if number != entry.voids)
    kept_rounds = tournament.rounds[:-1] if isinstance(voided, RoundOpened) else tournament.rounds
    if isinstance(voided, Result):
        kept_rounds = tuple(r.without_version(entry.voids) for r in kept_rounds)
    return replace(tournament.returned(entry.voids), live=live, rounds=kept_rounds)


def _leaning_on(tournament: Tournament, number: int, voided: Entry) -> int | None:
    """The first entry that makes no sense without this one; None when there is none."""
    for n, later in tournament.live:
        leans = LEANS.get((voided.kind, later.kind))
        if n > number and leans is not None and leans(number, voided, later):
            return n
    return None


def _names_pair(number: int, pair: Any, later: Any) -> bool:
    return bool(later.pair == pair.pair)


def _names(field: str) -> Callable[[int, Any, Any], bool]:
    return lambda number, voided, later: getattr(later, field) == number


LEANS: dict[tuple[str, str], Callable[[int, Any, Any], bool]] = {
    ("pair", "round"): lambda number, pair, later: pair.pair in (later.bye, *(p for table in later.tables for p in table)),
    **{("pair", kind): _names_pair for kind in ("withdrawal", "incident", "escalation", "complaint", "card")},
    ("round", "round"): lambda number, voided, later: True,
    ("round", "result"): lambda number, voided, later: later.round == voided.number,
    ("result", "round"): lambda number, result, later: True,
    ("result", "correction"): _names("voids"),
    ("incident", "agreement"): _names("incident"),
    ("incident", "escalation"): _names_pair,
    ("escalation", "escalation"): _names_pair,
    ("complaint", "posting"): _names("complaint"),
    ("posting", "card"): _names("posting"),
    ("card", "card"): lambda number, card, later: (
        (later.pair, later.player) == (card.pair, card.player) and later.ground in (None, "third_time")
    ),
}
"""Which later kinds stand on an earlier one, and when."""


def to_document(tournament: Tournament) -> dict[str, Any]:
    """The document of a tournament: reading it gives the same tournament."""
    entries = [entry_to_row(entry) for entry in tournament.entries]
    return {"schema": SCHEMA, "conditions": to_row(tournament.conditions), "entries": entries}


def from_document(document: object) -> Tournament:
    """The tournament of a document. BadInput lists in one line all fields that are wrong, or else all entries that are refused."""
    if not isinstance(document, Mapping) or not isinstance(document.get("entries", []), list):
        raise BadInput("expected conditions and a list of entries, found something else; see docs/tournament.md")
    if document.get("schema", SCHEMA) != SCHEMA:
        raise BadInput(f"expected schema {SCHEMA}, found {document['schema']!r:.60}; use a newer miron")
    problems: list[str] = []
    conditions = _kept(problems, "conditions", conditions_from_row, document.get("conditions"))
    rows = enumerate(document.get("entries", []), start=1)
    entries = [_kept(problems, f"entry {n}", entry_from_row, row) for n, row in rows]
    refuse(problems)
    assert conditions is not None
    return _folded(conditions, entries)


def _folded(conditions: Conditions, entries: list[Any]) -> Tournament:
    """The fold, told about everything that is refused: a refused entry is noted and not acted on."""
    problems: list[str] = []
    tournament = Tournament(conditions=conditions)
    for number, entry in enumerate(entries, start=1):
        try:
            tournament = add(tournament, entry)
        except BadInput as error:
            problems.append(f"entry {number} ({entry.kind}): {error}")
            tournament = replace(tournament, entries=(*tournament.entries, entry))
    refuse(problems)
    return tournament


def _kept(problems: list[str], where: str, read: Callable[[Any], Any], row: object) -> Any:
    """What `read` makes of a row; None, and one problem more, when it is refused."""
    try:
        return read(row)
    except BadInput as error:
        problems.append(f"{where}: {error}")
        return None
