"""docs/rules.md names what the code has."""

from __future__ import annotations

import re
from dataclasses import fields

import yaml
from rules_page import PAGE, ROOT, table
from test_rules_where import written

from rules.codes import DOUBTS, DUSA_ADVICE, FID_ADVICE
from rules.ruleset import DUSA, FID, RULESETS, Ruleset
from scripts.judge import verdict


def test_every_code_stands_there_with_its_rules_and_fine() -> None:
    """One row a code: rule and fine of DUSA, rule of FID, a dash where a rule set does not list it."""
    found = table("code")
    assert set(found) == set(DUSA.charges) | set(FID.charges)
    for code, (dusa_rule, fine, fid_rule, *_) in found.items():
        dusa, fid = DUSA.charge(code), FID.charge(code)
        assert dusa_rule == (dusa.rule if dusa else "–") and fid_rule == (fid.rule if fid else "–")
        assert fine == (str(dusa.fine) if dusa and dusa.fine else "–")


def test_every_advice_and_doubt_is_named() -> None:
    """What is put to the referee without being an infraction."""
    assert all(code in PAGE for code in (*DUSA_ADVICE, *FID_ADVICE, *DOUBTS))


def test_every_switch_stands_there_with_its_defaults() -> None:
    """One row a switch, with the value of each profile."""
    found = table("switch")
    assert set(found) == {f.name for f in fields(Ruleset)} - {"name", "charges", "advice", "by_a_person"}
    for name, (dusa, fid, *_) in found.items():
        assert (dusa, fid) == tuple(written(getattr(ruleset, name)) for ruleset in RULESETS.values())


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
