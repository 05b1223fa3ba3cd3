"""A known hand as the referee judges it, and what is wrong with the verdict: nothing when all was found, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hand_result import result_of
from known_table import KnownTable
from law import Verdict
from planted import THINK_LIMIT_S

from rules.events import Advice, Suspicion
from rules.observations import Observation, Place, Referee
from rules.referee import observe, replay, start_match
from rules.ruleset import RULESETS
from rules.seats import Seat
from rules.state import MatchState

Told = list[tuple[object, ...]] | list[Verdict]


def opening_state(table: KnownTable, ruleset: str) -> MatchState:
    """The match before this hand, under one rule set and with the table's pass channel."""
    channel = "reliable" if table.docket.reliable else "unreliable"
    switched = replace(RULESETS[ruleset], pass_channel=channel, think_limit_s=THINK_LIMIT_S)  # type: ignore[arg-type]
    return start_match(switched, first_opener=table.due)


def verdicts(state: MatchState) -> list[Verdict]:
    """The infractions on the list as plain values, in a fixed order."""
    told = [
        (i.code, i.seat, i.at_obs, i.certain_at, i.rule, i.fine, i.credit, i.remedy_holder, i.difference)
        for i in state.infractions
    ]
    return sorted(told, key=str)


def differences(table: KnownTable, ruleset: str) -> list[str]:
    """What the verdict of this rule set misses, and what it says too much."""
    state = replay(opening_state(table, ruleset), table.seen)
    wrong = _compare("infraction", table.docket.verdicts(ruleset), verdicts(state))
    wrong += _compare("doubt", _doubts(table.docket.doubts, table), _doubts(doubts(state), table))
    wrong += _compare("advice", sorted(table.docket.advised(ruleset)), sorted(_advice(state)))
    wrong += _compare(
        "card", _cards_wanted(table, ruleset), sorted((c.code, c.offender, c.holder, c.at_obs, c.status) for c in state.cards)
    )
    return wrong + _wrong_result(table, ruleset, state) + _wrong_fines(table, ruleset, state)


def _compare(what: str, wanted: Sequence[object], told: Sequence[object]) -> list[str]:
    missed = [f"{what} missed: {one}" for one in wanted if one not in told]
    return missed + [f"{what} too much: {one}" for one in told if one not in wanted or told.count(one) > 1]


def doubts(state: MatchState) -> set[tuple[str, tuple[Seat, ...], int]]:
    return {(event.code, event.seats, event.at_obs) for event in state.events if isinstance(event, Suspicion)}


def _doubts(every: set[tuple[str, tuple[Seat, ...], int]], table: KnownTable) -> list[tuple[str, tuple[Seat, ...], int]]:
    """A badly read tile leaves it open which tiles there were to think about, and a wrong set whether anybody can play."""
    open_to_doubt = () if table.well_read and table.scored is not None else ("FALSE_THINK", "FALSE_BLOCK")
    return sorted(one for one in every if one[0] not in open_to_doubt)


def _advice(state: MatchState) -> set[tuple[str, Seat | None, int]]:
    return {(event.code, event.seat, event.obs) for event in state.events if isinstance(event, Advice)}


def _cards_wanted(table: KnownTable, ruleset: str) -> list[tuple[object, ...]]:
    """Under FID the rival at the right of the one at fault may choose until he lays his next tile (FID-ACT-3)."""
    if ruleset != "fid":
        return []
    one_seat = [one for one in table.docket.wanted if one.listed("fid") and isinstance(one.seat, Seat)]
    return sorted(
        (one.code, one.seat, right, one.at, "lapsed" if _laid_after(table.seen, right, one.certain) else "open")
        for one in one_seat
        for right in [Seat((int(one.seat) + 1) % 4)]  # type: ignore[arg-type]
    )


def _laid_after(seen: Sequence[Observation], seat: Seat, at: int) -> bool:
    return any(isinstance(one, Place) and one.seat == seat for one in seen[at + 1 :])


def _wrong_result(table: KnownTable, ruleset: str, state: MatchState) -> list[str]:
    """The hand goes on after the act: how it ends, and what it brings."""
    if table.scored is None:
        return []
    told, true = state.last_result, result_of(table, ruleset) if table.scored else None
    if told is None or true is None:
        return [] if told is true else [f"result: {told} instead of {true}"]
    values = (told.end, told.by_seat, told.winner, told.points, told.left, told.next_starter)
    right = (true.end, true.by, true.winner, true.points, true.left, true.next_starter)
    return [] if values == right else [f"result: {values} instead of {right}"]


def _wrong_fines(table: KnownTable, ruleset: str, state: MatchState) -> list[str]:
    """The ledger moves by what a person upholds: the rivals get the fine, under FID nobody gets anything (FID-ACT-10)."""
    wanted = [0, 0]
    for one in table.docket.wanted:
        if isinstance(one.seat, Seat) and one.fine(ruleset):
            wanted[1 - one.seat % 2] += one.fine(ruleset)
            if one not in table.docket.upheld:
                ruling = Referee(t=table.t, ruling="uphold", incident=one.at, seat=one.seat, code=one.code)
                state, _ = observe(state, ruling)
    return [] if state.fines == tuple(wanted) else [f"fines: {state.fines} instead of {tuple(wanted)}"]
