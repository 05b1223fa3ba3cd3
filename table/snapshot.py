"""The whole state of a table as one plain value, for screens that come late. Its shape is in docs/mqtt.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.incidents import open_incidents
from rules.seats import PAIRS, Seat
from rules.state import MatchState
from table.monitor import Monitor
from table.mqtt import MqttPublisher

LAST_TYPES = ("tile_played", "turn_passed", "tile_withdrawn", "tile_exposed", "reading_doubted")


def phase(state: MatchState) -> str:
    """waiting | playing | closed | ended | over."""
    if state.over:
        return "over"
    if state.hand.result is not None:
        return "ended"
    if state.hand.closed is not None:
        return "closed"
    return "playing" if len(state.hand.line) else "waiting"


def snapshot(monitor: Monitor, event: str, table: str, teams: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The state of a table as published on `state`. teams: names of the pairs A and B, those of the match unless told."""
    teams = monitor.teams if teams is None else teams
    state = monitor.state
    hand, last = state.hand, monitor.last
    told = [(e, seq) for e, seq in monitor.seqs_in_force() if e.type in LAST_TYPES]
    return {
        "schema": 1,
        "seq": last.seq if last else 0,
        "event": event,
        "table": table,
        "match": monitor.match,
        "match_id": f"{event}-{table}-{monitor.match}",
        "hand": state.hands_opened,
        "ruleset": state.ruleset.name,
        "phase": phase(state),
        "teams": {p: {"name": teams[p], "seats": [s for s in Seat if s.pair == p]} for p in PAIRS},
        "score": dict(zip(PAIRS, state.points, strict=True)),
        "fines": dict(zip(PAIRS, state.fines, strict=True)),
        "target": state.ruleset.target,
        "opener": hand.opener,
        "turn": hand.turn if hand.playing else None,
        "ends": list(hand.ends) if len(hand.line) else None,
        "line": [_laid(laid) for laid in hand.line.laid],
        "held": [hand.held(seat) for seat in Seat],
        "last": {"type": told[-1][0].type, **told[-1][0].data()} if told else None,
        "alerts": _open_alerts(monitor),
        "winner": state.winner,
        "time": last.time if last else None,
    }


def _laid(laid: Any) -> dict[str, Any]:
    return {"tile": str(laid.tile) if laid.tile else None, "arm": laid.arm, "seat": laid.seat, "fits": laid.fits}


def _open_alerts(monitor: Monitor) -> list[dict[str, Any]]:
    """What waits for a person: open infractions and doubts of the rules, and readings that nothing has resolved.

    A choice that lapsed, an incident that was decided and a doubt about a hand that is over are open no more.
    """
    in_force = monitor.seqs_in_force()
    waiting = open_incidents(monitor.state)
    settled = {getattr(e, "resolves", None) for e, _ in in_force}
    out = []
    for event, seq in in_force:
        unread = event.type == "reading_doubted" and event.obs not in settled
        if not unread and event not in waiting:
            continue
        data = event.data()
        seat = data.get("seat", data.get("seats"))
        alert = {
            "seq": seq,
            "type": event.type,
            "code": data.get("code", "READING_DOUBTED"),
            "rule": data.get("rule"),
            "seat": seat,
        }
        out.append(alert | ({"holder": data["remedy_holder"]} if "remedy_holder" in data else {}))
    return out


def state_publisher(monitor: Monitor, publisher: MqttPublisher, event: str, table: str) -> Callable[[], None]:
    """What sends out the state as it is when called, and what waits in the journal."""

    def publish() -> None:
        publisher.publish_state(snapshot(monitor, event, table))
        publisher.notify()

    return publish
