"""What a command is at the table: the observation that it gives, worked out from the match as it stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from rules.events import Advice, Event, Infraction, Suspicion
from rules.observations import (
    Announce,
    Correction,
    Drop,
    Entry,
    Expose,
    Move,
    Objection,
    Observation,
    Pass,
    Place,
    Referee,
    Shuffle,
    Touch,
    Withdraw,
)
from rules.seats import PAIRS, Seat
from rules.tiles import Tile
from table.commands import (
    AnnounceCommand,
    CardCommand,
    Command,
    CorrectCommand,
    EntryCommand,
    IncidentCommand,
    LastHandCommand,
    ObjectionCommand,
    PassCommand,
    RulingCommand,
    StartHandCommand,
    TimeCalledCommand,
    TouchCommand,
    UndoCommand,
)
from table.commands_reply import Refused
from table.monitor import Monitor
from table.numbering import place_of

OWN_EVENT: dict[str, tuple[type[Observation], ...]] = {
    "tile_played": (Place,),
    "reading_doubted": (Place,),
    "turn_passed": (Pass,),
    "tile_withdrawn": (Withdraw, Expose),
    "tile_moved": (Move,),
    "tile_exposed": (Expose, Drop),
}
"""Events that tell one observation as it was, so that naming the event names the observation."""


def act_of(command: Command, monitor: Monitor, t: float) -> Observation:
    """The observation at time `t` that a command gives; Refused when it makes no sense as the match stands."""
    return ACTS[type(command)](command, monitor, t)


def _pass(said: PassCommand, monitor: Monitor, t: float) -> Observation:
    return Pass(t=t, seat=Seat(said.seat), via=said.via)


def _announce(said: AnnounceCommand, monitor: Monitor, t: float) -> Observation:
    return Announce(t=t, seat=Seat(said.seat))


def _touch(said: TouchCommand, monitor: Monitor, t: float) -> Observation:
    return Touch(t=t, seat=Seat(said.seat), slot=said.slot)


def _objection(said: ObjectionCommand, monitor: Monitor, t: float) -> Observation:
    return Objection(t=t, seat=Seat(said.seat))


def _entry(said: EntryCommand, monitor: Monitor, t: float) -> Observation:
    return Entry(t=t, pair=said.pair, points=said.points, by=said.by)


def _ruling(said: RulingCommand, monitor: Monitor, t: float) -> Observation:
    """The incident is named by the seq of its event; that event's code and seat say which of two at one play is meant."""
    incident, code, seat = None, said.code, _seat(said.seat)
    if said.incident is not None:
        event = monitor.event(said.incident)
        if event is None:
            raise Refused(
                "no_incident", f"expected incident as the seq of an open alert, found {said.incident}; take it from alerts"
            )
        incident = place_of(event) if isinstance(event, Infraction | Suspicion | Advice) else event.obs
        code = code or getattr(event, "code", None)
        seat = _accused(event) if seat is None else seat
    return Referee(t=t, ruling=said.choice, incident=incident, code=code, seat=seat, text=said.text, by=said.by)


def _accused(event: Event) -> Seat | None:
    seat = getattr(event, "seat", None)
    return seat if isinstance(seat, Seat) and not isinstance(event, Suspicion) else None


def _incident(said: IncidentCommand, monitor: Monitor, t: float) -> Observation:
    return Referee(t=t, ruling="incident", code=said.code, seat=_seat(said.seat), text=said.text, by=said.by)


def _card(said: CardCommand, monitor: Monitor, t: float) -> Observation:
    seat = _seat(said.seat)
    whose = seat if seat is not None else Seat(PAIRS.index(said.pair or "A"))
    if said.colour == "black":
        return Referee(t=t, ruling="black_card", seat=whose, text=said.reason, by=said.by)
    name = f"{seat.name} of {seat.pair}" if seat is not None else f"pair {said.pair}"
    words = f"{said.colour} card, {name}" + (f": {said.reason}" if said.reason else "")
    return Referee(t=t, ruling="free", text=words, by=said.by)  # a free ruling that names no incident decides none


def _time_called(said: TimeCalledCommand, monitor: Monitor, t: float) -> Observation:
    return Referee(t=t, ruling="time_called", by=said.by)


def _last_hand(said: LastHandCommand, monitor: Monitor, t: float) -> Observation:
    return Referee(t=t, ruling="last_hand", by=said.by)


def _start_hand(said: StartHandCommand, monitor: Monitor, t: float) -> Observation:
    """The deal begins: what is seen from now on belongs to the next hand. An opener by order is kept with the command."""
    state = monitor.state
    if state.hand.playing or (state.hand.closed is not None and state.hand.result is None):
        raise Refused(
            "hand_on_table", "expected the hand to be over, found one on the table; write its points down first (entry)"
        )
    due = monitor.next_opener if said.opener is None else Seat(said.opener)
    return Shuffle(t=t, seat=Seat.S if due is None else due)


def _correct(said: CorrectCommand, monitor: Monitor, t: float) -> Observation:
    number = monitor.source(said.seq)
    if number is None:
        raise Refused("no_event", f"expected seq as an event of this match, found {said.seq}; take it from event")
    type, wrong = monitor.type_of(said.seq), monitor.state.observations[number]
    if said.void and type == "entered":
        return Correction(t=t, voids=number, by=said.by)
    if not isinstance(wrong, OWN_EVENT.get(type, ())):
        raise Refused(
            "not_correctable",
            f"expected seq as a play, a pass or another thing that was seen and still stands, found {type}; "
            "decide on an incident with ruling, take back what was entered by the seq of entered",
        )
    return Correction(t=t, voids=number, instead=None if said.void else _put_right(wrong, said), by=said.by)


def _put_right(wrong: Observation, said: CorrectCommand) -> Observation:
    """The observation with what the person says, who is sure of it. What was measured of another tile or end holds no longer."""
    changes: dict[str, Any] = {"confidence": 1.0}
    if said.tile is not None:
        changes["tile"] = Tile.parse(said.tile)
    if "seat" in said.model_fields_set:
        changes["seat"] = _seat(said.seat)
    if said.end is not None:
        changes["to" if isinstance(wrong, Move) else "at"] = said.end
    missing = [name for name in changes if name not in {f.name for f in fields(wrong)}]
    if missing or (isinstance(wrong, Pass) and changes.get("seat", wrong.seat) is None):
        found = ", ".join(missing) or "no seat"
        raise Refused("not_correctable", f"expected what a {wrong.kind} has, found {found}; correct another field")
    if isinstance(wrong, Place) and (changes.get("tile", wrong.tile), changes.get("at", wrong.at)) != (wrong.tile, wrong.at):
        changes["tip"] = None
    return replace(wrong, **changes)


def _undo(said: UndoCommand, monitor: Monitor, t: float) -> Observation:
    """The newest command that nothing took back."""
    entered = monitor.book.entered(monitor.match)
    gone = monitor.taken_back()
    left = [done for done in entered if done.name != "undo" and done.number not in gone]
    if not left or left[-1].number is None:
        raise Refused(
            "nothing_to_undo",
            "expected something that a person entered in this match, found nothing; correct what was seen with correct",
        )
    return Correction(t=t, voids=left[-1].number, by=said.by)


def _seat(number: int | None) -> Seat | None:
    return None if number is None else Seat(number)


ACTS: dict[type[Command], Callable[[Any, Monitor, float], Observation]] = {
    PassCommand: _pass,
    AnnounceCommand: _announce,
    TouchCommand: _touch,
    ObjectionCommand: _objection,
    EntryCommand: _entry,
    RulingCommand: _ruling,
    IncidentCommand: _incident,
    CardCommand: _card,
    TimeCalledCommand: _time_called,
    LastHandCommand: _last_hand,
    StartHandCommand: _start_hand,
    CorrectCommand: _correct,
    UndoCommand: _undo,
}
"""Commands that are observations; the others are dealt with by the desk."""
