"""The fold over whole hands: turn, ends, end of the hand, points, and what a replay promises."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from legal_play import play_hand

from rules.events import HandClosed, HandEnded, HandOpened, Infraction, TilePlayed, TurnPassed
from rules.observations import Observation, Pass, Place, Reveal
from rules.referee import observe, replay, start_match, state_before
from rules.ruleset import DUSA, FID, RULESETS, Ruleset
from rules.seats import Seat
from rules.tiles import TOTAL_PIPS, Tile

SEEDS = st.integers(0, 10**6)
OPENERS = st.sampled_from(Seat)
BOTH = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)


@BOTH
@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, opener=OPENERS, silent=st.booleans())
def test_honest_play_is_never_accused(ruleset: Ruleset, seed: int, opener: Seat, silent: bool) -> None:
    """Random legal hands, with passes heard or not, bring no infraction, and end as an independent player ends them.

    Silence is judged where the channel is unreliable: on a reliable one a second play in a row without a word is premature (DUSA-9).
    """
    hand = play_hand(seed, opener, silent=silent)
    rules = replace(ruleset, pass_channel="unreliable") if silent else ruleset
    state = replay(start_match(rules, first_opener=opener), hand.observations)
    assert state.infractions == ()
    result, (a, b) = state.last_result, hand.left
    assert result is not None and result.left == (a, b) and result.by_seat == hand.by
    assert result.end == ("tie" if hand.end == "tranque" and a == b else hand.end)
    assert sum(result.points) == (0 if result.end == "tie" else a + b)
    assert result.next_starter == opener.right


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, opener=OPENERS)
def test_the_unplayed_pips_are_168_less_the_line(seed: int, opener: Seat) -> None:
    """The total is known when the hand closes, before anybody turns a tile up."""
    hand = play_hand(seed, opener)
    state = replay(start_match(FID), hand.observations[:-1])
    assert state.hand.line.unplayed == TOTAL_PIPS - state.hand.line.pips == sum(hand.left)
    closed = [event for event in state.events if isinstance(event, HandClosed)]
    assert [event.unplayed for event in closed] == [sum(hand.left)]


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS)
def test_a_hand_closes_by_block_exactly_when_nobody_can_play(seed: int) -> None:
    """Both ends equal and seven such tiles on the line: the same moment in which all four hands hold nothing that fits."""
    hand = play_hand(seed)
    held = [set(tiles) for tiles in hand.dealt]
    state = start_match(DUSA)
    for seen in hand.observations[:-1]:
        state, _ = observe(state, seen)
        if isinstance(seen, Place) and seen.seat is not None and seen.tile is not None:
            held[seen.seat].discard(seen.tile)
        playable = any(tile.has(end) for tiles in held for tile in tiles for end in state.hand.ends if end is not None)
        assert state.hand.line.blocked == (not playable)


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS, cut=st.integers(0, 40), silent=st.booleans())
def test_a_replayed_prefix_is_the_state_of_that_moment(seed: int, cut: int, silent: bool) -> None:
    """Folding the first observations again gives the state, and the events, that were there then."""
    seen = play_hand(seed, silent=silent).observations
    start = start_match(DUSA, first_opener=Seat.S)
    states, events = [start], []
    for observation in seen:
        state, told = observe(states[-1], observation)
        states.append(state)
        events.extend(told)
    cut = min(cut, len(seen))
    assert replay(start, seen[:cut]) == states[cut] == state_before(states[-1], cut)
    assert states[-1].events == tuple(events)


def test_events_tell_the_story_in_order() -> None:
    """Opening, plays with their ends, a silent pass implied by the next play, nothing else."""
    seen: list[Observation] = [
        Place(t=0.0, seat=Seat.S, tile=Tile(6, 5), at="open", pose_deg=90.0),
        Place(t=2.0, seat=Seat.N, tile=Tile(6, 4), at="b"),
        Pass(t=4.0, seat=Seat.W, via="button"),
    ]
    state = replay(start_match(replace(DUSA, pass_channel="unreliable")), seen)
    assert [type(event) for event in state.events] == [HandOpened, TilePlayed, TurnPassed, TilePlayed, TurnPassed]
    assert [event.obs for event in state.events] == [0, 0, 1, 1, 2]
    assert state.events[3].data() == {
        "seat": 2, "tile": "6-4", "end": "b", "ends": [5, 4], "confidence": 1.0, "pose_deg": None,
    }  # fmt: skip
    assert state.events[2].data() == {"seat": 1, "via": "unsignalled"}


def test_an_infraction_carries_its_proof() -> None:
    """Rule, proposed fine and its receiver, and the observations that prove it."""
    seen = [
        Place(t=0.0, seat=Seat.S, tile=Tile(6, 6), at="open"),
        Pass(t=1.0, seat=Seat.E),
        Place(t=2.0, seat=Seat.N, tile=Tile(6, 3), at="a"),
    ]
    state = replay(
        start_match(DUSA),
        [*seen, Pass(t=3.0, seat=Seat.W), Pass(t=4.0, seat=Seat.S), Place(t=5.0, seat=Seat.E, tile=Tile(6, 2), at="b")],
    )
    (told,) = [event for event in state.events if isinstance(event, Infraction)]
    assert told.data() == {
        "code": "RENEGE", "rule": "DUSA-5", "seat": 1, "at_obs": 1, "fine": 50, "credit": "A", "because": [1, 5],
    }  # fmt: skip
    assert told.certain_at == 5


def test_tiles_turned_up_after_the_end_are_no_plays() -> None:
    """Once the hand has closed, a tile seen beside the line belongs to the count."""
    hand = play_hand(5)
    state = replay(start_match(DUSA), hand.observations[:-1])
    rest = next(tile for tiles in hand.leftover if tiles for tile in tiles)
    again, told = observe(state, Place(t=99.0, seat=Seat.S, tile=rest, at="a"))
    assert told == () and again.hand.line == state.hand.line
    after = replay(state, hand.observations[-1:])
    assert observe(after, Place(t=120.0, seat=Seat.S, tile=rest, at="a"))[1] == ()


def test_the_next_hand_begins_with_the_next_opening_tile() -> None:
    """Score is kept, the line is new, and the opener is due by rotation."""
    first, second = play_hand(5, Seat.S), play_hand(6, Seat.E, t=200.0)
    state = replay(start_match(DUSA, first_opener=Seat.S), [*first.observations, *second.observations])
    ended = [event for event in state.events if isinstance(event, HandEnded)]
    assert len(ended) == 2 and state.hands_opened == 2 and state.infractions == ()
    assert state.points == tuple(sum(event.points[pair] for event in ended) for pair in (0, 1))


def test_unknown_seats_still_give_line_and_result() -> None:
    """From stills alone: plays without seats, an empty hand at the count tells who ran out, and nobody is accused."""
    hand = play_hand(1)
    unseated = [replace(seen, seat=None) for seen in hand.observations if isinstance(seen, Place)]
    state = replay(start_match(DUSA), [*unseated, hand.observations[-1]])
    assert state.infractions == () and state.last_result is not None
    assert (state.last_result.end, state.last_result.by_seat, state.last_result.left) == ("domination", hand.by, hand.left)
    assert all(event.seat is None for event in state.events if isinstance(event, TilePlayed))


def test_an_abandoned_hand_is_void_when_the_next_one_opens() -> None:
    """Tiles swept away in mid hand: nobody scores, and the record goes on with the new opening."""
    seen = [Place(t=0.0, seat=Seat.S, tile=Tile(6, 6), at="open"), Place(t=2.0, seat=Seat.E, tile=Tile(6, 4), at="a")]
    state = replay(start_match(DUSA, first_opener=Seat.S), [*seen, Place(t=90.0, seat=Seat.E, tile=Tile(5, 5), at="open")])
    ended = [event for event in state.events if isinstance(event, HandEnded)]
    assert [event.end for event in ended] == ["void"] and state.hand.ends == (5, 5) and state.infractions == ()


def test_a_tile_not_dealt_in_the_revealed_hands_leaves_the_hand_unscored() -> None:
    """27 tiles at the count: no score before somebody settles it."""
    hand = play_hand(1)
    count = hand.observations[-1]
    assert isinstance(count, Reveal)
    short = tuple(tiles[1:] if tiles else tiles for tiles in count.hands)
    state = replay(start_match(DUSA), [*hand.observations[:-1], replace(count, hands=short)])
    assert state.last_result is None and [i.code for i in state.infractions] == ["TILE_SET_FAULT"]
