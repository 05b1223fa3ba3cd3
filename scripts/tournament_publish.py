"""`miron tournament publish`: standings and pairings to the screens of a hall, as one retained message (docs/mqtt.md)."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Annotated, Any

import typer

from rules.tournament.pairing import pairing
from rules.tournament.standings import standings
from rules.tournament.state import Round, Tournament
from scripts.config import BrokerAddress, ConfigFile, Settings, broker_settings
from scripts.tournament_file import read_tournament
from scripts.tournament_words import File, Json, tell
from table.envelope import json_line, wire_time
from table.mqtt_link import publish_retained

SCHEMA = 1


def publish(
    file: File,
    event: Annotated[str | None, typer.Option(help="the event's name, as in the topics; without, that of the settings")] = None,
    broker: BrokerAddress = None,
    user: Annotated[str | None, typer.Option(help="who may write there; the password is in MIRON_MQTT_PASSWORD")] = None,
    config: ConfigFile = None,
    set: Settings = None,
    as_json: Json = False,
) -> None:
    """Show standings and pairings on the hall's screens."""
    settings = broker_settings(config, set, broker, event=event, **{"mqtt.user": user})
    told = announcement(read_tournament(file), settings.event, wire_time(time.time()))
    topic = f"miron/v1/{settings.event}/tournament"
    publish_retained(topic, json_line(told), settings)
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
