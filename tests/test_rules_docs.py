"""docs/rules.md names what the code has."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import yaml

from rules.codes import DOUBTS, DUSA_ADVICE, FID_ADVICE
from rules.ruleset import DUSA, FID, RULESETS, Ruleset
from scripts.judge import verdict

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")


def _table(first: str) -> dict[str, list[str]]:
    """The rows of the table whose header begins with this cell, by their first cell."""
    rows = re.search(rf"^\| {re.escape(first)} \|.*\n\|[-|]+\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    assert rows is not None
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in rows[1].splitlines()]
    return {row[0].strip("`"): row[1:] for row in cells}


def test_every_code_stands_there_with_its_rules_and_fine() -> None:
    """One row a code: rule and fine of DUSA, rule of FID, a dash where a rule set does not list it."""
    table = _table("code")
    assert set(table) == set(DUSA.charges) | set(FID.charges)
    for code, (dusa_rule, fine, fid_rule, *_) in table.items():
        dusa, fid = DUSA.charge(code), FID.charge(code)
        assert dusa_rule == (dusa.rule if dusa else "–") and fid_rule == (fid.rule if fid else "–")
        assert fine == (str(dusa.fine) if dusa and dusa.fine else "–")


def test_every_advice_and_doubt_is_named() -> None:
    """What is put to the referee without being an infraction."""
    assert all(code in PAGE for code in (*DUSA_ADVICE, *FID_ADVICE, *DOUBTS))


def test_every_switch_stands_there_with_its_defaults() -> None:
    """One row a switch, with the value of each profile."""
    table = _table("switch")
    assert set(table) == {f.name for f in fields(Ruleset)} - {"name", "charges", "advice", "by_a_person"}
    for name, (dusa, fid, *_) in table.items():
        assert (dusa, fid) == tuple(_text(getattr(ruleset, name)) for ruleset in RULESETS.values())


def _text(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    return ", ".join(value) if isinstance(value, tuple) else f"{value:g}" if isinstance(value, float) else str(value)


def test_every_file_of_the_package_is_named() -> None:
    """A newcomer finds each module in the table of decisions, but for the values everything is made of."""
    basic = {"__init__.py", "errors.py", "tiles.py", "seats.py", "state.py", "step.py"}
    assert {path.name for path in (ROOT / "rules").glob("*.py")} - basic <= set(re.findall(r"`(\w+\.py)`", PAGE))


def test_the_example_gives_the_verdict_that_is_told() -> None:
    """The scenario of the page, judged."""
    (scenario,) = yaml.safe_load(re.search(r"```yaml\n(.*?)```", PAGE, re.DOTALL)[1])["scenarios"]  # type: ignore[index]
    found = verdict(scenario, DUSA)
    assert [(i["code"], i["at_obs"], i["certain_at"]) for i in found["infractions"]] == [("EXPOSED", 3, 3), ("RENEGE", 1, 3)]
    assert found["loses_salida"] == [1]
