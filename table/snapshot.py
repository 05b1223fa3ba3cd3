"""The whole state of a table as one plain value, for screens that come late. Its shape is in docs/mqtt.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.seats import PAIRS, Seat
from rules.state import MatchState
from table.monitor import Monitor

OPEN_ALERTS = ("infraction", "suspicion", "reading_doubted")
LAST_TYPES = ("tile_played", "turn_passed", "tile_withdrawn", "tile_exposed", "reading_doubted")
DEFAULT_TEAMS = {"A": "A", "B": "B"}


def phase(state: MatchState) -> str:
    """waiting | playing | closed | ended | over."""
    if state.over:
        return "over"
    if state.hand.result is not None:
        return "ended"
    if state.hand.closed is not None:
        return "closed"
    return "playing" if len(state.hand.line) else "waiting"


def snapshot(monitor: Monitor, event: str, table: str, teams: Mapping[str, str] = DEFAULT_TEAMS) -> dict[str, Any]:
    """The state of a table as published on `state`. teams: names of the pairs A and B."""
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
    """Infractions and doubts that nobody has ruled on; a doubt that a later event resolved is closed."""
    ruled = {(i.code, i.seat, i.at_obs) for i in monitor.state.ruled}
    in_force = monitor.seqs_in_force()
    settled = {getattr(e, "resolves", None) for e, _ in in_force}
    out = []
    for event, seq in in_force:
        if event.type not in OPEN_ALERTS or event.obs in settled:
            continue
        data = event.data()
        code = data.get("code", "READING_DOUBTED")
        if event.type == "infraction" and (code, getattr(event, "seat", None), getattr(event, "at_obs", None)) in ruled:
            continue
        out.append(
            {"seq": seq, "type": event.type, "code": code, "rule": data.get("rule"), "seat": data.get("seat", data.get("seats"))}
        )
    return out
