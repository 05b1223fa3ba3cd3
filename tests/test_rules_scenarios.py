"""Every scenario of tests/scenarios gives, under both rule sets, exactly what was worked out by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest
from scenario_files import SCENARIOS, fold

from rules.events import Advice, HandOpened, MatchEnded, Suspicion
from rules.geometry import image_angle_deg
from rules.match import is_late
from rules.ruleset import RULESETS
from rules.seats import PAIRS
from rules.state import MatchState
from scripts.judge import verdict

FIELDS = {
    "dusa": ("code", "seat", "rule", "at_obs", "certain_at", "fine", "credit", "difference"),
    "fid": ("code", "seat", "rule", "at_obs", "certain_at", "remedy_holder", "difference"),
}
MATCH_TESTS = {f"MT-{number:02}" for number in (1, 2, 3, 4, 6, 7, 8, 10, 11, 12, 13, 14, 16, 17, 18)}


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
        assert found["hand"] is None or "match" in expected
    state = scenario["expect"].get("state", {})
    assert {key: found["state"][key] for key in state} == state
    for key in ("loses_salida", "match_lost"):
        if key in expected:
            assert found[key] == expected[key]
    _check_match(expected, fold(scenario, RULESETS[name]))


def _check_match(expected: dict[str, Any], state: MatchState) -> None:
    """Doubts and advice by code, and the match around the hands, where the scenario tells them."""
    for key, kind in (("doubts", Suspicion), ("advice", Advice)):
        if key in expected:
            assert sorted(event.code for event in state.events if isinstance(event, kind)) == expected[key]
    found = _match_row(state)
    assert {key: found[key] for key in expected.get("match", {})} == expected.get("match", {})


def _match_row(state: MatchState) -> dict[str, Any]:
    ends = [event for event in state.events if isinstance(event, MatchEnded)]
    last = ends[-1] if ends else None
    return {
        "openers": [event.opener for event in state.events if isinstance(event, HandOpened)],
        "points": dict(zip(PAIRS, state.points, strict=True)),
        "fines": dict(zip(PAIRS, state.fines, strict=True)),
        "winner": last and last.winner,
        "reason": last and last.reason,
        "final": last and dict(zip(PAIRS, last.score, strict=True)),
    }


def test_every_listed_code_has_a_scenario() -> None:
    """Each infraction code is expected at least once, under each rule set that has it."""
    for name, ruleset in RULESETS.items():
        told = {row["code"] for _, scenario in SCENARIOS for row in scenario["expect"][name]["infractions"]}
        assert set(ruleset.charges) <= told <= {*ruleset.charges, *ruleset.by_a_person}


def test_scenarios_have_ids_of_their_own() -> None:
    """An id names one scenario, and each has an expectation for both rule sets."""
    ids = [scenario["id"] for _, scenario in SCENARIOS]
    assert len(ids) == len(set(ids)) > 200
    assert all(set(RULESETS) <= set(scenario["expect"]) for _, scenario in SCENARIOS)


def test_mt_17_seven_minutes() -> None:
    """A pair seated 419 s after the signal is in time, one seated after 421 s has lost, under either rule set (FID-CLA-4)."""
    for ruleset in RULESETS.values():
        assert [is_late(ruleset, 0.0, seated) for seated in (419.0, 421.0)] == [False, True]


def test_mt_18_angles_of_the_picture() -> None:
    """A picture from above has y down: its angles are those of the table the other way round."""
    assert [image_angle_deg(table) for table in (90.0, 180.0, 270.0, 0.0)] == [270, 180, 90, 0]


def test_every_match_test_is_here() -> None:
    """Each of the match tests MT-01 to MT-18 is a scenario (MT-14b: a part of MT-14) or a function of this file."""
    functions = {f"MT-{name.split('_')[2]}" for name in globals() if name.startswith("test_mt_")}
    scenarios = {scenario["id"][:5] for _, scenario in SCENARIOS if scenario["id"].startswith("MT-")}
    assert scenarios | functions == MATCH_TESTS and not scenarios & functions
