"""The six steps of an appeal and until when each is open (FID-APE). Only the last body's decision is final."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rules.errors import BadInput
from rules.tournament.conditions import Conditions
from rules.tournament.entries import Appeal, Body, Card, Entry, Escalation, Incident, Result, RoundOpened, Withdrawal
from rules.tournament.moments import DAY_S, HOUR_S, Moment
from rules.tournament.state import Tournament

BODIES: tuple[tuple[Body, str], ...] = (
    ("sanctioning_arbiter", "immediately"),
    ("chief_arbiter", "1 hour"),
    ("committee", "same day"),
    ("federation", "1 week"),
    ("fid", "15 days"),
    ("tas", "1 month"),
)
"""The bodies in their order, with the time the laws give for each."""

DECISIONS = (Card, Escalation, Result, RoundOpened, Withdrawal, Incident)
"""Kinds of entries that somebody decided."""


@dataclass(frozen=True, slots=True)
class AppealStep:
    """`state`: appealed, open or closed. `unheard`: why the body may leave the appeal unheard, if it may."""

    body: Body
    until: Moment
    state: Literal["appealed", "open", "closed"]
    unheard: str | None


def deadlines(conditions: Conditions, decided: Moment) -> tuple[Moment, ...]:
    """The last moment for each of the six bodies.

    The times add up (`los tiempos son acumulables`): each begins where the one before ends, whether or not that step was taken or
    answered.
    With `appeal_times` from_decision each begins at the decision.
    """
    cumulative = conditions.appeal_times == "cumulative"
    times: list[Moment] = []
    for _, span in BODIES:
        start = times[-1] if times and cumulative else decided
        times.append(_end(span, start, conditions.at_once_min * 60))
    return tuple(times)


def appeal_steps(tournament: Tournament, decision: int, now: Moment) -> tuple[AppealStep, ...]:
    """How the six steps against an entry stand at `now`; BadInput when it is no decision or its time is not known."""
    made = {entry.body: entry.at for _, entry in tournament.of(Appeal) if entry.decision == decision}
    ends = deadlines(tournament.conditions, _decided(tournament, decision))
    steps: list[AppealStep] = []
    for (body, _), until in zip(BODIES, ends, strict=True):
        at = made.get(body)
        before = steps[-1] if steps else None
        skipped = before is not None and (before.state != "appealed" or before.unheard is not None)
        late = f"after {until}" if (at or now) > until else None
        unheard = late or (f"not without an appeal in time to {before.body} before" if before and skipped else None)
        steps.append(AppealStep(body, until, "appealed" if at else "closed" if late else "open", unheard))
    return tuple(steps)


def next_step(tournament: Tournament, decision: int, now: Moment) -> AppealStep | None:
    """The first step after the last one taken that is still open at `now`; None when the way is at its end."""
    steps = appeal_steps(tournament, decision, now)
    taken = max((n for n, step in enumerate(steps) if step.state == "appealed"), default=-1)
    return next((step for step in steps[taken + 1 :] if step.state == "open"), None)


def appeal(tournament: Tournament, number: int, entry: Appeal) -> Tournament:
    """An appeal is taken in even when it may be left unheard; that is for the body to say (FID-APE).

    BadInput for one that is not in writing, has no time, or is against an entry that decides nothing.
    """
    if not entry.written:
        raise BadInput("expected an appeal in writing (FID-APE), found a spoken one")
    if entry.at is None:
        raise BadInput("expected the time of the appeal in at (FID-APE), found none")
    if entry.at < _decided(tournament, entry.decision):
        raise BadInput(f"expected an appeal after the decision of entry {entry.decision}, found {entry.at}")
    if any((made.decision, made.body) == (entry.decision, entry.body) for _, made in tournament.of(Appeal)):
        raise BadInput(f"expected one appeal to each body, found a second one to {entry.body}")
    return tournament


def _decided(tournament: Tournament, decision: int) -> Moment:
    entry = tournament.entry(decision, Entry)
    if not isinstance(entry, DECISIONS):
        raise BadInput(f"expected the number of a decision, found entry {decision} of kind {entry.kind}; see the log")
    if entry.at is None:
        raise BadInput(f"expected a decision whose time is known, found entry {decision} without at")
    return entry.at


def _end(span: str, start: Moment, at_once_s: float) -> Moment:
    if span == "same day":
        return start.end_of_day()
    if span == "1 month":
        return start.plus_month()
    return start.plus({"immediately": at_once_s, "1 hour": HOUR_S, "1 week": 7 * DAY_S, "15 days": 15 * DAY_S}[span])
