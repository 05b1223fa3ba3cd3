"""The fold: (state, observation) → (state, events). Pure, and the only way a match comes to be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from rules import conduct, count, match, passes, plays, rulings, takebacks
from rules.events import Corrected, Event, TilePlayed
from rules.observations import (
    Announce,
    Correction,
    Draw,
    Drop,
    Entry,
    Expose,
    HandOverTable,
    Impact,
    Lift,
    Move,
    Objection,
    Observation,
    Pass,
    Place,
    RackCount,
    RackSwap,
    Referee,
    Reveal,
    Shuffle,
    Take,
    Touch,
    Withdraw,
)  # fmt: skip
from rules.ruleset import Ruleset
from rules.seats import Seat
from rules.state import MatchState
from rules.step import Step


def start_match(
    ruleset: Ruleset, *, first_opener: Seat | None = None, hand_no: int = 1, points: tuple[int, int] = (0, 0)
) -> MatchState:
    """A match before its first observation.

    `first_opener` None: the first seat to play is the opener, and no WRONG_STARTER is possible in that hand.
    `hand_no` > 1 and `points` (A, B) enter a match in progress.
    """
    return MatchState(ruleset=ruleset, first_opener=first_opener, points=points, hands_opened=hand_no - 1)


def observe(state: MatchState, observation: Observation) -> tuple[MatchState, tuple[Event, ...]]:
    """Take one observation in. An illegal play is a value among the events, never an exception."""
    if isinstance(observation, Correction):
        return _correct(state, observation)
    after = _fold(state, (observation,), (*state.heard, observation))
    return after, after.events[len(state.events) :]


def replay(state: MatchState, observations: Iterable[Observation]) -> MatchState:
    """Fold observations from a state; `state.events` of the result has every event in force."""
    more = tuple(observations)
    heard = (*state.heard, *more)
    if any(isinstance(observation, Correction) for observation in more):
        return _fold(state.start or state, in_force(heard), heard)
    return _fold(state, more, heard)


def _fold(state: MatchState, observations: Sequence[Observation | None], heard: tuple[Observation, ...]) -> MatchState:
    """The match after more observations that are in force; `heard` are then all as they came."""
    if not observations:
        return state
    step = Step(state)
    for observation in observations:
        _take_in(step, observation)
    return step.finish(state.start or state, heard)


def _take_in(step: Step, observation: Observation | None) -> None:
    """One observation that is in force (None: one that was taken back and only keeps its number)."""
    if observation is None:
        step.skip()
        return
    step.begin(observation)
    _let_time_pass(step)
    handler = HANDLERS.get(type(observation))
    if handler is not None:
        handler(step, observation)
        count.stop_after_renege(step)


def _let_time_pass(step: Step) -> None:
    """What the time alone decides before the observation counts: an uncounted domination, the clock between hands."""
    if step.hand.playing:
        return
    closing, t = step.hand.closed, step.seen.t
    waited = closing is not None and step.hand.result is None and t - closing.t >= step.ruleset.count_wait_s
    if waited and closing is not None and closing.end == "domination":
        count.score_uncounted(step)
    match.time_between_hands(step, t)


def _correct(state: MatchState, seen: Correction) -> tuple[MatchState, tuple[Event, ...]]:
    """Put the right observation in the place of the wrong one and fold again; tell what no longer holds and what does.

    A later look that only makes a reading surer tells what follows from that, and nothing where nothing does; what a person
    says is always told.
    The correction keeps its own number and does nothing in the fold, for the list already has the right observation.
    """
    index = len(state.observations)
    heard = (*state.heard, seen)
    if state.start is None or seen.voids >= index:
        return _fold(state, (None,), heard), ()
    again = _fold(state.start, in_force(heard), heard)
    same = _common(state.events, again.events, quiet=seen.by is None)
    if seen.by is None and same == len(state.events) == len(again.events):
        return again, ()
    told = Corrected(obs=index, observation=seen.voids, voids=state.events[same:], by=seen.by)
    return again, (told, *again.events[same:])


def in_force(heard: Sequence[Observation]) -> tuple[Observation | None, ...]:
    """The observations that count, by the same numbers: corrected ones as they should have been, None for those taken back.

    The latest correction of an observation is the one that counts. A correction that is itself taken back never was; one that is
    itself corrected puts that other observation in the place of the one it was about.
    """
    right: dict[int, Observation | None] = {}
    for index in reversed(range(len(heard))):
        seen: Observation | None = heard[index]
        if isinstance(seen, Correction):
            seen = _corrected(seen, right[index]) if index in right else seen
            right[index] = None
        if isinstance(seen, Correction) and seen.voids < index:
            right.setdefault(seen.voids, seen.instead)
    return tuple(_settled(seen, right[index]) if index in right else seen for index, seen in enumerate(heard))


def _corrected(wrong: Correction, right: Observation | None) -> Correction | None:
    """A correction as it should have been; None when it should not have been."""
    return right if right is None or isinstance(right, Correction) else replace(wrong, instead=right)


def _settled(wrong: Observation, right: Observation | None) -> Observation | None:
    """What stands in the place of an observation. A doubted reading that is settled keeps its candidates: its doubt stays on record."""
    if isinstance(right, Correction):
        return None  # only a correction can be put right by a correction
    if isinstance(wrong, Place) and isinstance(right, Place) and wrong.tile is None and right.tile is not None:
        return replace(right, candidates=wrong.candidates)
    return right


def _common(one: tuple[Event, ...], other: tuple[Event, ...], quiet: bool) -> int:
    """How many events agree from the beginning. quiet: how sure the reading of a tile is makes no difference."""
    pairs = zip(one, other, strict=False)
    return next((index for index, (a, b) in enumerate(pairs) if not _agree(a, b, quiet)), min(len(one), len(other)))


def _agree(one: Event, other: Event, quiet: bool) -> bool:
    if quiet and isinstance(one, TilePlayed) and isinstance(other, TilePlayed):
        one = replace(one, confidence=other.confidence)
    return one == other


def state_before(state: MatchState, index: int) -> MatchState:
    """The match as it was before the observation with this index, as far as that was right: corrections applied."""
    return _fold(state.start or state, state.observations[:index], state.heard[:index])


HANDLERS: dict[type[Observation], Callable[[Step, Any], None]] = {
    Place: plays.on_place,
    Withdraw: takebacks.on_withdraw,
    Move: takebacks.on_move,
    Pass: passes.on_pass,
    Announce: passes.on_announce,
    Objection: passes.on_objection,
    Touch: conduct.on_touch,
    Expose: conduct.on_expose,
    Drop: conduct.on_drop,
    Lift: conduct.on_lift,
    RackCount: conduct.on_rack_count,
    RackSwap: conduct.on_rack_swap,
    HandOverTable: conduct.on_hand_over_table,
    Impact: conduct.on_impact,
    Draw: conduct.on_draw,
    Shuffle: conduct.on_shuffle,
    Take: conduct.on_take,
    Reveal: count.on_reveal,
    Entry: count.on_entry,
    Referee: rulings.on_referee,
}
