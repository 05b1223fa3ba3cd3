"""`miron tournament publish`: standings and pairings to the screens of a hall, as one retained message (docs/mqtt.md)."""

from __future__ import annotations

import os
import time
from dataclasses import asdict
from typing import Annotated, Any

import typer

from rules.errors import BadInput
from rules.tournament.pairing import pairing
from rules.tournament.standings import standings
from rules.tournament.state import Round, Tournament
from scripts.tournament_file import read_tournament
from scripts.tournament_words import File, Json, tell
from table.envelope import checked_name, json_line, wire_time
from table.mqtt import publish_retained

SCHEMA = 1


def publish(
    file: File,
    event: Annotated[str, typer.Option(help="the event's name, as in the topics")] = "local",
    broker: Annotated[str, typer.Option(help="HOST:PORT of the broker")] = "localhost:1883",
    user: Annotated[str | None, typer.Option(help="who may write there; the password is in MIRON_MQTT_PASSWORD")] = None,
    as_json: Json = False,
) -> None:
    """Show standings and pairings on the hall's screens."""
    host, _, port = broker.rpartition(":")
    if not host or not port.isdigit() or not 1 <= int(port) <= 65535:
        raise BadInput(f"expected a broker as HOST:PORT, found {broker!r}; such as localhost:1883")
    checked_name("event", event)
    told = announcement(read_tournament(file), event, wire_time(time.time()))
    topic = f"miron/v1/{event}/tournament"
    publish_retained(topic, json_line(told), host, int(port), user, os.environ.get("MIRON_MQTT_PASSWORD"))
    tell(told, as_json, lambda: print(f"{topic}: standings after round {told['after']}"))


def announcement(tournament: Tournament, event: str, at: str) -> dict[str, Any]:
    """What the topic `tournament` of an event says; at: the wall time of it."""
    third = tournament.conditions.third_key
    return {
        "schema": SCHEMA,
        "event": event,
        "name": tournament.conditions.name,
        "rounds": tournament.conditions.rounds,
        "after": tournament.rounds_done,
        "third_key": None if third == "none" else third,
        "standings": [asdict(line) for line in standings(tournament)],
        "pairing": _pairing(tournament),
        "time": at,
    }


def _pairing(tournament: Tournament) -> dict[str, Any] | None:
    """The round that is being played, else the next one as the standings give it; after the last one, that one."""
    rounds, agreed = tournament.rounds, tournament.conditions.rounds
    if rounds and (rounds[-1].waiting or len(rounds) >= agreed):
        return _played(rounds[-1])
    if len(tournament.active) < 2:
        return None
    tables, bye = pairing(tournament)
    meetings = [{"table": n, "pairs": list(pairs)} for n, pairs in enumerate(tables, start=1)]
    return {"round": len(rounds) + 1, "open": False, "tables": meetings, "bye": bye}


def _played(now: Round) -> dict[str, Any]:
    meetings: list[dict[str, Any]] = []
    for n, (pairs, versions) in enumerate(zip(now.tables, now.versions, strict=True), start=1):
        sheet = versions[-1].sheet if versions else None
        result = {} if sheet is None else {"points": list(sheet.points), "winner": sheet.winner, "outcome": sheet.outcome}
        meetings.append({"table": n, "pairs": list(pairs), **result})
    bye = now.bye.pairs[0] if now.bye else None
    return {"round": now.number, "open": bool(now.waiting), "tables": meetings, "bye": bye}
