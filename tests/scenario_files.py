"""The scenarios of tests/scenarios, and the state that their observations fold to."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rules.observations import observation_from_dict
from rules.referee import replay, start_match
from rules.ruleset import Ruleset
from rules.seats import Seat
from rules.state import MatchState
from scripts.judge import read_scenarios

SCENARIOS = [(path.stem, row) for path in sorted(Path(__file__).parent.glob("scenarios/*.yaml")) for row in read_scenarios(path)]
"""(name of the file, scenario)."""


def fold(scenario: Mapping[str, Any], ruleset: Ruleset) -> MatchState:
    """The match after the observations of a scenario, with its switches."""
    switches = dict(scenario.get("switches", {}), pass_channel=scenario.get("pass_channel", ruleset.pass_channel))
    starter = scenario.get("starter")
    first = None if starter is None else Seat(starter)
    start = start_match(ruleset.with_switches(switches), first_opener=first, hand_no=scenario.get("hand_no", 1))
    return replay(start, [observation_from_dict(row) for row in scenario["observations"]])
