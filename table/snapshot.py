"""The whole state of a table as one plain value, for screens that come late. Its shape is in docs/mqtt.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import takewhile
from operator import itemgetter
from typing import Any

from rules.line import Laid
from rules.seats import PAIRS, Seat
from rules.state import HandResult, MatchState
from table.monitor import Monitor
from table.mqtt import MqttPublisher
from table.snapshot_incidents import cards, discipline, open_advice, open_alerts

Places = Mapping[int, Mapping[str, float]]
"""`x_mm`, `y_mm`, `angle_deg` of tiles of the line, by the number of the observation that told each."""

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


def snapshot(
    monitor: Monitor, event: str, table: str, teams: Mapping[str, str] | None = None, places: Places | None = None
) -> dict[str, Any]:
    """The state of a table as published on `state`.

    teams: names of the pairs A and B, those of the match unless told. places: where a tile lies, by the number of its observation.
    """
    lies = places or {}
    teams = monitor.teams if teams is None else teams
    state = monitor.state
    hand, last = state.hand, monitor.last
    told_by = _told_by(monitor)
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
        "next_opener": monitor.next_opener,
        "turn": hand.turn if hand.playing else None,
        "ends": list(hand.ends) if len(hand.line) else None,
        "line": [_laid(laid) | {"seq": told_by.get(laid.obs)} | dict(lies.get(laid.obs, {})) for laid in hand.line.laid],
        "held": [hand.held(seat) for seat in Seat],
        "unplayed": hand.line.unplayed if len(hand.line) else None,
        "result": None if hand.result is None else _result(hand.result),
        "last": _last(monitor),
        "alerts": open_alerts(monitor),
        "advice": open_advice(monitor),
        "cards": cards(monitor),
        "discipline": discipline(monitor),
        "watching": monitor.watching,
        "last_hand": state.last_hand,
        "winner": state.winner,
        "time": last.time if last else None,
    }


def _told_by(monitor: Monitor) -> dict[int, int]:
    """The seq of the first event that told of each tile of the line, by the tile's observation."""
    laid = monitor.state.hand.line.laid
    told: dict[int, int] = {}
    for type in ("tile_played", "reading_doubted") if laid else ():  # a doubt that was settled since came before its play
        newest = takewhile(lambda pair: pair[0].obs >= laid[0].obs, reversed(monitor.in_force(type)))
        told |= {event.obs: seq for event, seq in newest}
    return told


def _last(monitor: Monitor) -> dict[str, Any] | None:
    newest = [told[-1] for type in LAST_TYPES if (told := monitor.in_force(type))]
    if not newest:
        return None
    event, _ = max(newest, key=itemgetter(1))
    return {"type": event.type, **event.data()}


def _laid(laid: Laid) -> dict[str, Any]:
    return {"tile": str(laid.tile) if laid.tile else None, "arm": laid.arm, "seat": laid.seat, "fits": laid.fits}


def _result(result: HandResult) -> dict[str, Any]:
    points, left = [None if two is None else dict(zip(PAIRS, two, strict=True)) for two in (result.points, result.left)]
    return {
        "end": result.end,
        "by_seat": result.by_seat,
        "winner": result.winner,
        "points": points,
        "left": left,
        "counted": result.counted,
    }


def state_publisher(
    monitor: Monitor, publisher: MqttPublisher, event: str, table: str, places: Callable[[], Places] | None = None
) -> Callable[[], None]:
    """What sends out the state as it is when called, and what waits in the journal. places: asked where the tiles lie."""

    def publish() -> None:
        publisher.publish_state(snapshot(monitor, event, table, places=places() if places else None))
        publisher.notify()

    return publish
