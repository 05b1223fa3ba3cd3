"""What of a match waits for a person or was decided by one, as plain values for the snapshot. Shapes are in docs/mqtt.md."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

from rules.events import Advice, Event, Infraction, Suspicion
from rules.incidents import open_incidents
from rules.observations import Observation
from rules.register import Card
from rules.seats import PAIRS, Seat
from table.monitor import Monitor
from table.numbering import place_of

TOLD = ("fine", "credit", "difference", "at_seq", "because", "alternatives", "candidates")
"""Fields of the event that an alert repeats, where they say something."""


def open_alerts(monitor: Monitor) -> list[dict[str, Any]]:
    """What waits for a person: open infractions and doubts of the rules, and readings that nothing has resolved.

    A choice that lapsed, an incident that was decided and a doubt about a hand that is over are open no more.
    """
    waiting = open_incidents(monitor.state)
    told = (pair for type in ("infraction", "suspicion") for pair in monitor.in_force(type)) if waiting else ()
    still_open = [(event, seq) for event, seq in told if event in waiting] + _unread(monitor)
    seen_by = _acknowledged(monitor) if still_open else {}
    out = []
    for event, seq in sorted(still_open, key=itemgetter(1)):
        by = seen_by.get((event.obs, _named(event.type, event.data())))
        out.append(_entry(monitor, event, seq) | ({} if by is None else {"acknowledged": by}))
    return out


def _unread(monitor: Monitor) -> list[tuple[Event, int]]:
    """Doubted readings that nothing has resolved."""
    doubts = monitor.in_force("reading_doubted")
    settled = {getattr(event, "resolves", None) for event, _ in monitor.in_force("tile_played")} if doubts else set()
    return [(event, seq) for event, seq in doubts if event.obs not in settled]


def open_advice(monitor: Monitor) -> list[dict[str, Any]]:
    """Advice about the hand on the table that nobody has decided on."""
    state = monitor.state
    since = state.moments[0].obs if state.moments else 0
    told = {(one.code, one.at_obs) for one in (*state.infractions, *state.ruled)} | set(state.settled)
    return [
        _entry(monitor, event, seq)
        for event, seq in monitor.in_force("advice")
        if isinstance(event, Advice) and event.obs >= since and (event.code, event.obs) not in told
    ]


def _acknowledged(monitor: Monitor) -> dict[tuple[int | None, str], str]:
    """Who has seen an incident, by its observation, type, code and seat: a correction far back tells it again under another seq."""
    seen_by = {}
    for said in monitor.entered("ruling"):
        told = monitor.record(said.data["incident"]) if said.data["choice"] == "acknowledge" else None
        if told is not None:
            seen_by[monitor.source(told.seq), _named(told.type, told.data)] = str(said.data["by"])
    return seen_by


def _named(type: str, data: dict[str, Any]) -> str:
    return f"{type} {data.get('code')} {data.get('seat', data.get('seats'))}"


def _entry(monitor: Monitor, event: Event, seq: int) -> dict[str, Any]:
    """One thing that waits: what was told of it, and the act that it is about."""
    record = monitor.record(seq)
    data = record.data if record is not None else event.data()
    place = place_of(event) if isinstance(event, Infraction | Suspicion | Advice) else event.obs
    act = monitor.state.observations[place]
    entry = {
        "seq": seq,
        "type": event.type,
        "code": data.get("code", "READING_DOUBTED"),
        "rule": data.get("rule"),
        "seat": data.get("seat", data.get("seats")),
        "hand": record.hand if record is not None else None,
    }
    entry |= {name: data[name] for name in TOLD if data.get(name) not in (None, [])}
    entry |= {"evidence": proofs} if (proofs := monitor.evidence_of(seq)) else {}
    entry |= {} if act is None else _act(monitor, act)
    return entry | ({"holder": data["remedy_holder"]} if "remedy_holder" in data else {})


def _act(monitor: Monitor, act: Observation) -> dict[str, Any]:
    """When it was, with which tile and where."""
    tile, end = getattr(act, "tile", None), getattr(act, "at", None)
    when: dict[str, Any] = {"t_s": round(act.t, 3), "time": monitor.time_of(act.t)}
    return when | ({"tile": str(tile)} if tile is not None else {}) | ({"end": end} if end is not None else {})


def cards(monitor: Monitor) -> list[dict[str, Any]]:
    """The cards of FID that can still be used, and the closed ones of the newest hand (FID-ACT-3)."""
    state = monitor.state
    return [_card(monitor, card) for card in state.cards if card.options or card.hand >= state.hand_no]


def _card(monitor: Monitor, card: Card) -> dict[str, Any]:
    told = ((e, seq) for e, seq in monitor.in_force("infraction") if isinstance(e, Infraction) and card.belongs_to(e))
    event, seq = next(told, (None, None))
    return {
        "incident": seq,
        "code": card.code,
        "rule": None if event is None else event.rule,
        "offender": card.offender,
        "holder": card.holder,
        "hand": card.hand,
        "status": card.status,
        "choice": card.choice,
        "deadline": card.deadline,
        "options": list(card.options),
    }


def discipline(monitor: Monitor) -> dict[str, list[dict[str, Any]]]:
    """The yellow, red and black cards that were shown in this match, by pair, oldest first (FID-TAR)."""
    shown: dict[str, list[dict[str, Any]]] = {pair: [] for pair in PAIRS}
    for record in monitor.entered("card"):
        said, seat = record.data, record.data.get("seat")
        pair = said.get("pair") if seat is None else Seat(seat).pair
        row = {"seq": record.seq, "colour": said["colour"], "seat": seat, "reason": said.get("reason"), "by": said["by"]}
        shown[str(pair)].append(row | {"hand": record.hand, "time": record.time})
    return shown
