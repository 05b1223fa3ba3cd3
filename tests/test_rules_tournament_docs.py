"""docs/tournament.md names what the code has."""

from __future__ import annotations

import json
import re
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from rules.tournament.appeals import BODIES, deadlines
from rules.tournament.book import from_document
from rules.tournament.conditions import Conditions
from rules.tournament.entries import KINDS, Entry, Outcome
from rules.tournament.moments import Moment
from rules.tournament.standings import standings
from scripts.tournament import command

PAGE = (Path(__file__).parent.parent / "docs" / "tournament.md").read_text(encoding="utf-8")


def rows(first: str) -> dict[str, list[str]]:
    """The rows of the table whose header begins with this cell, by their first cell."""
    found = re.search(rf"^\| {re.escape(first)} \|.*\n\|[-|]+\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    assert found is not None
    cells = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in found[1].splitlines()]
    return {row[0].strip("`"): row[1:] for row in cells}


def test_every_switch_stands_there_with_its_default() -> None:
    """One row a switch."""
    table = rows("switch")
    assert list(table) == [f.name for f in fields(Conditions)]
    for f in fields(Conditions):
        words = {None: "none", True: "yes", False: "no", MISSING: "must be told"}
        default = f"{f.default:g}" if type(f.default) is float else words.get(f.default, str(f.default))  # type: ignore[call-overload]
        assert table[f.name][0] == default


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_stands_there_with_its_fields(kind: str) -> None:
    """One row a kind of entry, with every field that only this kind has; a correction has those of a result."""
    parent = KINDS["result"] if kind == "correction" else Entry
    for f in {f.name for f in fields(KINDS[kind])} - {f.name for f in fields(parent)}:
        assert f"`{f}`" in rows("kind")[kind][0]


def test_every_outcome_body_and_choice_is_named() -> None:
    """Outcomes and bodies have a row each; every other word that a field can have is on the page."""
    assert set(rows("outcome")) == set(get_args(Outcome))
    assert [row[0].split("`")[1] for row in rows("step").values()] == [body for body, _ in BODIES]
    for cls in (Conditions, *KINDS.values()):
        for choice in (word for hint in get_type_hints(cls).values() for word in words(hint)):
            assert f"`{choice}`" in PAGE, choice


def words(hint: Any) -> list[str]:
    """The words that a field of this type can have."""
    inner = [word for arg in get_args(hint) if not isinstance(arg, str) for word in words(arg)]
    return list(get_args(hint)) if get_origin(hint) is Literal else inner


def test_the_deadlines_of_the_page_are_those_of_the_code() -> None:
    """A decision at noon on 30 November, with the default conditions."""
    ends = deadlines(Conditions(rounds=1), Moment.parse("2026-11-30T12:00"))
    months = {11: "November", 12: "December", 1: "January"}
    told = [f"{end.date[2]} {months[end.date[1]]} {str(end)[-5:]}" for end in ends]
    assert [row[2] for row in rows("step").values()] == told
    assert [row[1] for row in rows("step").values()] == [span for _, span in BODIES]


def test_every_action_of_the_command_stands_there() -> None:
    """The table of actions begins each row with the action's name."""
    names = {info.name or info.callback.__name__ for info in command.registered_commands if info.callback}
    assert {row.split()[0] for row in rows("action")} == names


def test_the_file_of_the_page_is_a_tournament() -> None:
    """The example reads, and its table is what the sheet says."""
    found = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    assert [(line.pair, line.difference) for line in standings(from_document(json.loads(found[1])))] == [
        ("Rojas-Díaz", 120),
        ("Luna-Paz", -120),
    ]
