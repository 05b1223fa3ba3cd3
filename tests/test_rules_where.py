"""Where each code, rule and decision is decided, as docs/rules.md says it, and what proves it: nothing there is only claimed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from rules_page import NONE, calls, enters_any_code, function, mentions, named, rows, table
from scenario_files import SCENARIOS, fold

from rules.codes import DOUBTS
from rules.events import Advice, Suspicion
from rules.ruleset import RULESETS, Ruleset
from rules.texts import QUOTES
from rules.tournament.conditions import Conditions

MOMENTS = ("live", "later", "count", "person", "doubt", "advice")
AT_THE_COUNT, BY_A_PERSON = ("reveal", "entry"), ("referee", "incident")
HOW = ("decided", "asked", "person", "kept", "not seen", "none")
BY_ID = {scenario["id"]: scenario for _, scenario in SCENARIOS}
Place = tuple[str, str]
"""A code and a moment."""


def _where() -> dict[Place, list[str]]:
    split = {tuple(cell.split(", ")): cells for cell, cells in table("code, moment").items()}
    assert all(len(place) == 2 and place[1] in MOMENTS for place in split)
    return split  # type: ignore[return-value]


def _moment(scenario: Mapping[str, Any], infraction: Mapping[str, Any]) -> str:
    kind = scenario["observations"][infraction["certain_at"]]["kind"]
    if kind in AT_THE_COUNT + BY_A_PERSON:
        return "count" if kind in AT_THE_COUNT else "person"
    return "live" if infraction["certain_at"] == infraction["at_obs"] else "later"


def _expected(scenario: Mapping[str, Any], name: str) -> Iterator[Place]:
    """What a scenario wants to be told under a rule set, by its `expect` block."""
    expect = scenario["expect"][name]
    yield from ((row["code"], _moment(scenario, row)) for row in expect["infractions"])
    yield from ((code, "doubt") for code in expect.get("doubts", ()))
    yield from ((code, "advice") for code in expect.get("advice", ()))


@cache
def _told() -> dict[Place, set[str]]:
    """The rule sets under which some scenario tells a code at a moment: what is expected, and every doubt and advice of the fold."""
    told: dict[Place, set[str]] = defaultdict(set)
    for _, scenario in SCENARIOS:
        for name, ruleset in RULESETS.items():
            events = fold(scenario, ruleset).events
            for place in _expected(scenario, name):
                told[place].add(name)
            for event in events:
                if isinstance(event, Suspicion | Advice):
                    told[event.code, "doubt" if isinstance(event, Suspicion) else "advice"].add(name)
    return told


def test_every_code_has_its_row() -> None:
    """Charges, advice, what a person opens, doubts: each code of each rule set stands there at a moment of that kind."""
    where = _where()
    for column, (name, ruleset) in enumerate(RULESETS.items(), start=1):
        here = {place for place, cells in where.items() if cells[column] != NONE}
        assert {code for code, moment in here if moment not in ("doubt", "advice")} == {*ruleset.charges, *ruleset.by_a_person}, (
            name
        )
        assert {code for code, moment in here if moment == "advice"} == set(ruleset.advice), name
        assert {code for code, moment in here if moment == "person"} >= set(ruleset.by_a_person), name
        assert {code for code, moment in here if moment == "doubt"} >= set(DOUBTS), name


def test_what_scenarios_tell_stands_there() -> None:
    """No scenario tells a code at a moment, under a rule set, that the table does not have."""
    where = _where()
    for place, names in _told().items():
        assert place in where, place
        assert {name for column, name in enumerate(RULESETS, start=1) if where[place][column] != NONE} >= names, place


@pytest.mark.parametrize("place", _where(), ids=", ".join)
def test_the_functions_named_decide_it(place: Place) -> None:
    """They exist; each calls the next one; the last of each chain has the code, or enters whatever code it is given."""
    for chain in _where()[place][0].split(";"):
        names = named(chain)
        for caller, callee in pairwise(names):
            assert callee.rpartition(".")[2] in calls(caller), f"{caller} does not call {callee}"
        assert mentions(names[-1], place[0]) or enters_any_code(names[-1]), f"{names[-1]} does not tell {place[0]}"


@pytest.mark.parametrize("place", _where(), ids=", ".join)
def test_the_scenarios_named_prove_it(place: Place) -> None:
    """Each scenario named for a rule set exists and expects the code there, at that moment, under that rule set."""
    for name, cell in zip(RULESETS, _where()[place][1:], strict=True):
        for proof in cell.split(", ") if cell != NONE else ():
            assert proof in BY_ID, f"{proof} is no scenario"
            assert place in set(_expected(BY_ID[proof], name)), f"{proof} does not expect {place} under {name}"


def test_every_rule_has_its_row() -> None:
    """The rules are those that are quoted; where one is decided, the functions exist, and where none is, the row says why not."""
    found = table("rule")
    assert set(found) == set(QUOTES["es"])
    for rule, (how, what, where) in found.items():
        assert how in HOW and len(what) > 4, rule
        assert (where == NONE) == (how in ("not seen", "none")), rule
        assert [function(name).name for name in named(where)] or where == NONE


def test_every_decision_has_its_row() -> None:
    """D-01 to D-32, in order; each switch exists in the rule set or in the tournament's conditions, with that default."""
    found = rows("decision")
    numbers = [row[0] for row in found]
    assert numbers == sorted(numbers) and set(numbers) == {f"D-{number:02}" for number in range(1, 33)}
    for number, _, switch, *defaults in found:
        if switch == "fixed":
            assert defaults == [NONE, NONE]
            continue
        (name,) = named(switch)
        assert defaults == [written(default_of(name, ruleset)) for ruleset in RULESETS.values()], (number, name)


def default_of(switch: str, ruleset: Ruleset) -> object:
    """The default of a switch of the rule set, or of `Conditions.…`."""
    holder, _, name = switch.rpartition(".")
    if holder == "Conditions":
        return next(field.default for field in fields(Conditions) if field.name == name)
    return getattr(ruleset, name)


def written(value: object) -> str:
    """A default as the page writes it."""
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    return ", ".join(value) if isinstance(value, tuple) else f"{value:g}" if isinstance(value, float) else str(value)
