"""The incident log of a pair and what its repetition brings: notification, warning, expulsion (FID-ACT-7, FID-ESP)."""

from __future__ import annotations

from typing import Literal

from rules.errors import BadInput
from rules.tournament.cards import PRINCIPAL_JUDGES
from rules.tournament.entries import (
    Agreement,
    Appeal,
    Card,
    Complaint,
    Entry,
    Escalation,
    Incident,
    PairEntered,
    Posting,
    Withdrawal,
)
from rules.tournament.state import Tournament

STEPS: tuple[Literal["notification", "warning", "expulsion"], ...] = ("notification", "warning", "expulsion")


def note(tournament: Tournament, number: int, entry: Incident) -> Tournament:
    """An incident goes to the log of its pair (FID-ACT-7); BadInput for a pair that does not take part."""
    tournament.expect_pair(entry.pair)
    return tournament


def agree(tournament: Tournament, number: int, entry: Agreement) -> Tournament:
    """The players' agreement comes first in any incident (FID-ESP); the incident stays in the log and counts no more.

    BadInput for one that was settled before.
    """
    tournament.entry(entry.incident, Incident)
    if entry.incident in _settled(tournament):
        raise BadInput(f"expected an incident that is not settled yet, found entry {entry.incident}")
    return tournament


def escalate(tournament: Tournament, number: int, entry: Escalation) -> Tournament:
    """The step that is due, taken by a person; the expulsion by a principal judge, as a black card (FID-ACT-7, FID-TAR-N1).

    BadInput for another step than the one that is due, or from somebody who may not take it.
    """
    tournament.expect_pair(entry.pair)
    if entry.at is None or entry.by is None:
        raise BadInput("expected who took the step in by and when in at (FID-ACT-7), found not both")
    due = due_step(tournament, entry.pair)
    if entry.step != due:
        found = f"{entry.step} after {len(open_incidents(tournament, entry.pair))} incidents"
        raise BadInput(f"expected {due or 'no step yet'} for {entry.pair!r} (FID-ACT-7), found {found}")
    if entry.step != "expulsion":
        return tournament
    if entry.office not in PRINCIPAL_JUDGES:
        raise BadInput(f"expected a principal judge for an expulsion (FID-TAR-N1), found {entry.office}")
    return tournament.without(entry.pair, "expelled", number)


def open_incidents(tournament: Tournament, pair: str) -> tuple[int, ...]:
    """Numbers of the pair's incidents that no agreement settled."""
    settled = _settled(tournament)
    return tuple(n for n, entry in tournament.of(Incident) if entry.pair == pair and n not in settled)


def due_step(tournament: Tournament, pair: str) -> Literal["notification", "warning", "expulsion"] | None:
    """What the next repetition has brought and nobody has done yet; cards are a ladder of their own and do not count here."""
    taken = sum(entry.pair == pair for _, entry in tournament.of(Escalation))
    enough = len(open_incidents(tournament, pair)) >= tournament.conditions.notification_at + taken
    return STEPS[taken] if taken < len(STEPS) and enough else None


def log(tournament: Tournament, pair: str | None = None) -> tuple[tuple[int, Entry], ...]:
    """Everything of discipline that stands, of one pair or of all, with the entry numbers."""
    kinds = (Incident, Agreement, Escalation, Complaint, Posting, Card, Appeal)
    rows = [(n, entry) for n, entry in tournament.live if isinstance(entry, kinds)]
    return tuple((n, entry) for n, entry in rows if pair is None or concerned(tournament, entry) == pair)


def concerned(tournament: Tournament, entry: Entry) -> str | None:
    """The pair that an entry is about; None where it is about a match or a round."""
    if isinstance(entry, Incident | Escalation | Complaint | Card | PairEntered | Withdrawal):
        return entry.pair
    about = {Agreement: "incident", Posting: "complaint", Appeal: "decision"}.get(type(entry))
    return None if about is None else concerned(tournament, tournament.entries[getattr(entry, about) - 1])


def _settled(tournament: Tournament) -> set[int]:
    return {entry.incident for _, entry in tournament.of(Agreement)}
