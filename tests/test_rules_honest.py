"""Nobody is accused who did nothing, however badly the table was seen and heard."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from legal_play import PlayedHand, play_hand

from rules.observations import Observation, Pass, Place, Reveal
from rules.referee import replay, start_match
from rules.ruleset import RULESETS, Ruleset
from rules.seats import Seat
from rules.tiles import Tile

BOTH = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
WAYS = ("voice", "button", "knock", "seen", "unsignalled", "silent", "late", "twice")


def badly_heard(hand: PlayedHand, seed: int) -> list[Observation]:
    """The hand with its passes heard, seen, missed, told twice or told after the next tile, and with audits in between."""
    rng = random.Random(seed)
    seen: list[Observation] = []
    late: list[Observation] = []
    for observation in hand.observations[:-1]:
        if isinstance(observation, Pass):
            way = rng.choice(WAYS)
            if way == "late":
                late.append(observation)
            elif way == "twice":
                seen += [replace(observation, via="seen"), observation]
            elif way != "silent":
                seen.append(replace(observation, via=way))
            continue
        seen.append(observation)
        # A word that comes when its seat is due again is a new pass, in law too: nobody is to speak then who does not mean it.
        due = observation.seat.right if isinstance(observation, Place) and observation.seat is not None else None
        seen += [word for word in late if word.seat != due]
        late = []
        if rng.random() < 0.15:
            seen.append(_audit(hand, seen, rng.choice(list(Seat)), observation.t))
    return [*seen, hand.observations[-1]]


def _audit(hand: PlayedHand, seen: list[Observation], seat: Seat, t: float) -> Reveal:
    laid = {one.tile for one in seen if isinstance(one, Place)}
    hands: list[tuple[Tile, ...] | None] = [None, None, None, None]
    hands[seat] = tuple(tile for tile in hand.dealt[seat] if tile not in laid)
    return Reveal(t=t, final=False, hands=(hands[0], hands[1], hands[2], hands[3]))


@BOTH
@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10**6), noise=st.integers(0, 10**6))
def test_honest_play_badly_heard_is_never_accused(ruleset: Ruleset, seed: int, noise: int) -> None:
    """Passes in every manner, also too late and twice, and audits in mid-hand: no infraction, and the right result."""
    hand = play_hand(seed)
    state = replay(start_match(replace(ruleset, pass_channel="unreliable"), first_opener=Seat.S), badly_heard(hand, noise))
    assert state.infractions == ()
    assert state.last_result is not None and state.last_result.left == hand.left


@BOTH
@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10**6), noise=st.integers(0, 10**6))
def test_honest_play_badly_read_is_never_accused(ruleset: Ruleset, seed: int, noise: int) -> None:
    """Tiles misread without certainty, seats not known, readings left open, phantom tiles beside the line: doubts only."""
    rng = random.Random(noise)
    seen: list[Observation] = []
    for observation in badly_heard(play_hand(seed), noise):
        if isinstance(observation, Place) and observation.tile is not None:
            chance = rng.random()
            wrong = Tile.of(rng.randrange(7), rng.randrange(7))
            if chance < 0.1:
                observation = replace(observation, tile=wrong, confidence=rng.uniform(0.3, 0.95))
            elif chance < 0.2:
                observation = replace(observation, seat=None)
            elif chance < 0.3:
                observation = replace(observation, tile=None, candidates=((observation.tile, 0.6), (wrong, 0.4)))
        if isinstance(observation, Reveal):
            observation = replace(observation, confidence=rng.choice([1.0, 0.9]))
        seen.append(observation)
    state = replay(start_match(replace(ruleset, pass_channel="unreliable"), first_opener=Seat.S), seen)
    assert state.infractions == ()
