"""`miron judge`: observations to verdicts, no pictures."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from rules.errors import BadInput
from rules.events import Infraction
from rules.fields import shown
from rules.observations import Observation, observation_from_dict
from rules.referee import replay, start_match
from rules.ruleset import RULESETS, Ruleset, ruleset_named
from rules.seats import PAIRS, Seat
from rules.state import HandResult, MatchState
from scripts.scenario_file import read_yaml


def command(
    scenarios: Annotated[Path, typer.Argument(help="scenario file (YAML)")],
    ruleset: Annotated[str | None, typer.Option(help="dusa or fid; both unless told")] = None,
    json_out: Annotated[Path | None, typer.Option("--json", help="write one JSON line per scenario and rule set here")] = None,
) -> None:
    """Judge the observations of a scenario file under the rules of DUSA and FID."""
    names = [ruleset_named(ruleset).name] if ruleset else list(RULESETS)
    verdicts = [verdict(row, RULESETS[name]) for row in read_scenarios(scenarios) for name in names]
    lines = "".join(json.dumps(row) + "\n" for row in verdicts)
    if json_out is not None:
        _write(json_out, lines)
    elif not sys.stdout.isatty():
        sys.stdout.write(lines)
    if sys.stdout.isatty():
        _show(verdicts)


def read_scenarios(path: Path) -> list[Mapping[str, Any]]:
    """The scenarios of a file; BadInput when it is missing, not YAML or not a scenario file."""
    document = read_yaml(path)
    scenarios = document.get("scenarios") if isinstance(document, Mapping) else None
    if not isinstance(scenarios, list):
        raise BadInput(f"expected a scenario file with a list `scenarios`, found {_kind(document)} in {path}; see docs/rules.md")
    return [_checked(row, number, path) for number, row in enumerate(scenarios)]


def verdict(scenario: Mapping[str, Any], ruleset: Ruleset) -> dict[str, Any]:
    """What the rule set says of a scenario's observations; its `hands` and `expect` are not read. BadInput names what is broken."""
    name = scenario["id"]
    try:
        observations = _observations(scenario["observations"])
        state = replay(_start(scenario, ruleset), observations)
    except BadInput as error:
        raise BadInput(f"scenario {_words(name)}: {error!s:.500}") from None
    a, b = state.hand.ends
    return {
        "id": name,
        "ruleset": ruleset.name,
        "infractions": [infraction_row(infraction) for infraction in state.infractions],
        "hand": hand_row(state.last_result) if state.last_result else None,
        "state": {"ends": [a, b], "turn": _turn(state), "closed": state.hand.closed is not None},
        "loses_salida": sorted(int(seat) for seat in state.lost_ever),
        "match_lost": state.match_lost,
    }


def infraction_row(infraction: Infraction) -> dict[str, Any]:
    """An infraction as `judge` lists it: `fine` and `credit` only for a fine, `remedy_holder` only for one seat under FID."""
    row = infraction.data()
    row["certain_at"] = infraction.certain_at
    return {key: value for key, value in row.items() if key != "because"}


def hand_row(result: HandResult) -> dict[str, Any]:
    """The result of a hand, points and unplayed pips by pair."""
    return {
        "end": result.end,
        "by_seat": result.by_seat,
        "winner": result.winner,
        "points": dict(zip(PAIRS, result.points, strict=True)),
        "next_starter": result.next_starter,
        "left": dict(zip(PAIRS, result.left, strict=True)) if result.left is not None else None,
    }


def _turn(state: MatchState) -> int | None:
    return None if state.hand.turn is None else int(state.hand.turn)


def _checked(row: object, number: int, path: Path) -> Mapping[str, Any]:
    if not isinstance(row, Mapping) or "id" not in row or not isinstance(row.get("observations"), list):
        raise BadInput(
            f"expected scenario {number} of {path} with an id and a list of observations, found {_kind(row)}; correct it"
        )
    if isinstance(row["id"], bool) or not isinstance(row["id"], str | int):
        raise BadInput(
            f"expected scenario {number} of {path} with an id that is a text or a whole number, found {shown(row['id'])}; put it in quotes"
        )
    return row


def _words(name: str | int) -> str:
    """The id of a scenario in a message: as it stands, unless it would spoil the line."""
    return name if isinstance(name, str) and name.isprintable() and len(name) <= 40 else shown(name)


def _observations(rows: list[Any]) -> list[Observation]:
    made = []
    for number, row in enumerate(rows):
        try:
            made.append(observation_from_dict(row))
        except BadInput as error:
            raise BadInput(f"observation {number}: {error}") from None
    return made


def _start(scenario: Mapping[str, Any], ruleset: Ruleset) -> MatchState:
    switches = scenario.get("switches") or {}
    if not isinstance(switches, Mapping):
        raise BadInput(f"expected switches by name, found {shown(switches)}")
    for name, value in switches.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise BadInput(f"expected another value for the switch {shown(name)}, found {value}; see docs/rules.md")
    channel = scenario.get("pass_channel", ruleset.pass_channel)
    if channel not in ("reliable", "unreliable"):
        raise BadInput(f"expected pass_channel reliable or unreliable, found {shown(channel)}")
    starter = scenario.get("starter")
    hand_no = scenario.get("hand_no", 1)
    if isinstance(hand_no, bool) or not isinstance(hand_no, int) or hand_no < 1:
        raise BadInput(f"expected hand_no from 1, found {shown(hand_no)}")
    return start_match(
        ruleset.with_switches({**switches, "pass_channel": channel}),
        first_opener=None if starter is None else Seat.parse(starter),
        hand_no=hand_no,
    )


def _kind(value: object) -> str:
    return "nothing" if value is None else shown(value) if not isinstance(value, Mapping) else "other keys"


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"expected a file to write to, found {path}: {error.strerror}; give another place") from None


def _show(verdicts: Iterable[dict[str, Any]]) -> None:
    """A short table for people."""
    table = Table("scenario", "rules", "infractions", "hand")
    for row in verdicts:
        hand = row["hand"]
        told = ", ".join(f"{i['code']} {'' if i['seat'] is None else i['seat']}".strip() for i in row["infractions"]) or "none"
        table.add_row(
            Text(str(row["id"])), row["ruleset"], told, f"{hand['end']} {hand['winner']} {hand['points']}" if hand else ""
        )
    Console().print(table)
