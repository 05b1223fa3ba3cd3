"""Another opener than the one that is due, by order of a person who starts the hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rules.events import Event, HandOpened, Infraction, Suspicion
from rules.incidents import open_incidents
from rules.observations import Referee
from rules.seats import Seat
from rules.state import MatchState

Order = tuple[Seat, str]
"""Who is to open, and who said so."""


def ordered_opener(events: Iterable[Event], started: Iterable[tuple[int, dict[str, Any]]], before: int) -> Order | None:
    """The order for the hand that observation `before` opens or may open; None when the opener is the one that is due.

    started: the commands `start_hand` that were not taken back, each with the number of its observation and its fields.
    """
    opened = max((event.obs for event in events if isinstance(event, HandOpened) and event.obs < before), default=-1)
    told = [said for number, said in started if opened < number < before]
    if not told or told[-1].get("opener") is None:
        return None
    return Seat(told[-1]["opener"]), str(told[-1]["by"])


def wrong_starter(events: Sequence[Event], state: MatchState) -> Infraction | Suspicion | None:
    """The opening by a seat that was not due, or may not have been, among these events and not dismissed yet."""
    told = [event for event in events if isinstance(event, Infraction | Suspicion) and event.code == "WRONG_STARTER"]
    if not told:
        return None
    standing = (*state.infractions, *open_incidents(state))
    return next((event for event in told if event in standing), None)


def let_open(wrong: Infraction | Suspicion, order: Order | None, t: float) -> Referee | None:
    """The word of whoever gave the order that this opening is no infraction; None when it was not ordered."""
    opened_by = (wrong.seat,) if isinstance(wrong, Infraction) else wrong.seats
    if order is None or order[0] not in opened_by:
        return None
    seat, by = order
    return Referee(t=t, ruling="dismiss", incident=wrong.at_obs, code=wrong.code, seat=seat, by=by)
