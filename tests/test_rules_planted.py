"""Planted acts in matches of several hands, and the guards of the law: acts that look like infractions and are none."""

from __future__ import annotations

import random
from dataclasses import replace

from conftest import examples
from every_kind import KINDS
from hand_result import result_of, rotate
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from judged import differences, verdicts
from known_table import KnownTable
from law import LISTED, Wanted
from planted import planted_hand
from planted_tiles import expose

from rules.codes import DUSA_CHARGES, FID_CHARGES
from rules.events import HandEnded, MatchEnded
from rules.observations import Observation
from rules.referee import replay, start_match
from rules.ruleset import RULESETS
from rules.seats import Seat

TARGET = {"dusa": 200, "fid": 300}
BOTH = st.sampled_from(sorted(TARGET))


def test_every_code_is_planted() -> None:
    """The catalogue of the package has no code that is never planted."""
    assert {kind.code for kind in KINDS.values()} >= {*DUSA_CHARGES, *FID_CHARGES} == set(LISTED)


@settings(max_examples=examples(150, 2000), deadline=None)
@given(name=st.sampled_from(sorted(KINDS)), seed=st.integers(0, 10**9), ruleset=BOTH)
def test_any_act_in_any_hand_is_found(name: str, seed: int, ruleset: str) -> None:
    """Whatever the hand: the planted act with its code, seat, moment, proof, rule, fine and holder of the choice, and nothing else."""
    assert differences(planted_hand(KINDS[name], seed), ruleset) == []


class Match:
    """Hands until the target is reached, worked out here: points, rotation, lost openings; now and then a tile falls."""

    def __init__(self, seed: int, ruleset: str, clumsy: float) -> None:
        self.rng, self.ruleset, self.clumsy = random.Random(seed), ruleset, clumsy
        self.first = self.due = Seat(self.rng.randrange(4))
        self.lost: set[Seat] = set()
        self.points = [0, 0]
        self.seen: list[Observation] = []
        self.wanted: list[Wanted] = []
        self.ends: list[tuple[object, ...]] = []
        while max(self.points) < TARGET[ruleset] or self.points[0] == self.points[1]:
            self._play()

    def _play(self) -> None:
        table = KnownTable(self.rng, self.due)
        table.t = self.seen[-1].t + 5.0 if self.seen else 0.0
        while table.end is None:
            table.step()
            seat = table.any_seat()
            if table.end is None and table.hands[seat] and self.rng.random() < self.clumsy and not table.exposed[seat]:
                expose(table, seat, self.rng.choice(table.hands[seat]), "drop")
        table.count()
        self._write_down(table)

    def _write_down(self, table: KnownTable) -> None:
        base, result = len(self.seen), result_of(table, self.ruleset, self.lost)
        self.seen += table.seen
        self.wanted += [replace(one, at=one.at + base, certain=one.certain + base) for one in table.docket.wanted]
        self.points = [self.points[0] + result.points[0], self.points[1] + result.points[1]]
        self.ends.append((result.end, result.by, result.winner, result.points, result.left, result.next_starter))
        lost = {*self.lost, *table.lost} if self.ruleset == "dusa" else set()
        self.due, self.lost = rotate(table.opener, lost)


@settings(max_examples=examples(12, 500), deadline=None)
@given(seed=st.integers(0, 10**9), ruleset=BOTH, clumsy=st.sampled_from([0.0, 0.0, 0.01]))
def test_a_match_is_scored_hand_by_hand_and_ends_at_its_target(seed: int, ruleset: str, clumsy: float) -> None:
    """Winner, points and next opener of every hand, lost openings served once, void points, and the winner of the match."""
    match = Match(seed, ruleset, clumsy)
    assume(match.seen[-1].t < 2400)
    state = replay(start_match(RULESETS[ruleset], first_opener=match.first), match.seen)
    assert verdicts(state) == sorted((one.verdict(ruleset) for one in match.wanted), key=str)
    ended = [e for e in state.events if isinstance(e, HandEnded)]
    assert [(e.end, e.by_seat, e.winner, e.points, e.left, e.next_starter) for e in ended] == match.ends
    over = [event for event in state.events if isinstance(event, MatchEnded)]
    assert state.points == tuple(match.points) and state.fines == (0, 0)
    assert [(e.winner, e.reason) for e in over] == [("AB"[match.points[1] > match.points[0]], "target")]
