"""Every scenario of tests/scenarios gives, under both rule sets, exactly what was worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rules.ruleset import RULESETS
from scripts.judge import read_scenarios, verdict

SCENARIOS = [(path.stem, row) for path in sorted(Path(__file__).parent.glob("scenarios/*.yaml")) for row in read_scenarios(path)]
FIELDS = {
    "dusa": ("code", "seat", "rule", "at_obs", "certain_at", "fine", "credit"),
    "fid": ("code", "seat", "rule", "at_obs", "certain_at", "remedy_holder"),
}


def _comparable(rows: list[dict[str, Any]], fields: tuple[str, ...]) -> list[str]:
    return sorted(json.dumps({key: row[key] for key in fields if row.get(key)} | {"seat": row["seat"]}) for row in rows)


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("scenario", [row for _, row in SCENARIOS], ids=[f"{file}-{row['id']}" for file, row in SCENARIOS])
def test_scenario_gives_the_expected_verdict(scenario: dict[str, Any], name: str) -> None:
    """Infractions with their certainty and consequence, the hand's result, ends and turn are those of the `expect` block."""
    expected, found = scenario["expect"][name], verdict(scenario, RULESETS[name])
    assert _comparable(found["infractions"], FIELDS[name]) == _comparable(expected["infractions"], FIELDS[name])
    if "hand" in expected:
        assert {key: found["hand"][key] for key in expected["hand"]} == expected["hand"]
    else:
        assert found["hand"] is None
    state = scenario["expect"].get("state", {})
    assert {key: found["state"][key] for key in state} == state
    for key in ("loses_salida", "match_lost"):
        if key in expected:
            assert found[key] == expected[key]


def test_every_listed_code_has_a_scenario() -> None:
    """Each infraction code is expected at least once, under each rule set that has it."""
    for name, ruleset in RULESETS.items():
        told = {row["code"] for _, scenario in SCENARIOS for row in scenario["expect"][name]["infractions"]}
        assert told == set(ruleset.charges)
