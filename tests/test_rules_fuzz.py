"""Whatever comes through the door, the fold goes on."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from any_observation import ANY_OBSERVATION
from hypothesis import given, settings
from hypothesis import strategies as st
from legal_play import play_hand

from rules.events import Infraction
from rules.observations import Correction, Observation, Place
from rules.referee import observe, replay, start_match
from rules.ruleset import RULESETS, Ruleset
from rules.seats import Seat
from rules.tiles import ALL_TILES

PLACES = st.builds(
    Place,
    t=st.floats(0, 3000),
    seat=st.none() | st.sampled_from(Seat),
    tile=st.sampled_from(ALL_TILES),
    at=st.sampled_from(["a", "b", "a", "b", "open"]),
    confidence=st.sampled_from([1.0, 1.0, 0.9]),
)
BOTH = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)


@BOTH
@settings(max_examples=150, deadline=None)
@given(seen=st.lists(ANY_OBSERVATION | PLACES | PLACES, max_size=25), opener=st.none() | st.sampled_from(Seat))
def test_no_sequence_of_observations_stops_the_fold(ruleset: Ruleset, seen: list[Observation], opener: Seat | None) -> None:
    """Nonsense in any order: no exception, every event can be written as JSON, and a second fold says the same."""
    state = start_match(ruleset, first_opener=opener)
    for observation in seen:
        before = len(state.observations)
        state, told = observe(state, observation)
        assert len(state.observations) == before + 1
        assert all(json.loads(json.dumps(event.data())) is not None and event.type for event in told)
    assert replay(start_match(ruleset, first_opener=opener), seen) == state


@BOTH
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), noise=st.lists(st.tuples(st.integers(0, 40), ANY_OBSERVATION), max_size=4))
def test_what_is_taken_back_leaves_nothing(ruleset: Ruleset, seed: int, noise: list[tuple[int, Observation]]) -> None:
    """Observations slipped into an honest hand and voided at once leave its result and its clean record."""
    seen: list[Observation] = []
    for index, right in enumerate(play_hand(seed).observations):
        for at, wrong in noise:
            if at == index and not isinstance(wrong, Correction):
                seen += [wrong, Correction(t=right.t, voids=len(seen))]
        seen.append(right)
    state = replay(start_match(ruleset, first_opener=Seat.S), seen)
    true = replay(start_match(ruleset, first_opener=Seat.S), play_hand(seed).observations)
    assert state.last_result == true.last_result and state.infractions == ()


@BOTH
@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 10**6), dropped=st.sets(st.integers(1, 25), max_size=3))
def test_lost_plays_are_never_an_infraction_without_seats(ruleset: Ruleset, seed: int, dropped: set[int]) -> None:
    """Pictures were lost and seats are not known: the plays that are left accuse nobody before the count."""
    plays = [seen for seen in play_hand(seed).observations if isinstance(seen, Place)]
    kept = [replace(seen, seat=None) for index, seen in enumerate(plays) if index not in dropped]
    state = replay(start_match(ruleset), kept)
    assert not any(isinstance(event, Infraction) for event in state.events)
