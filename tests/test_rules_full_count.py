"""Honest hands accuse nobody, and every planted act is found with its code, seat, moment, proof and consequence, under both rule sets.

`pytest tests/test_rules_full_count.py --hypothesis-profile=full` plays 20,000 honest and 20,000 planted hands and prints the table.
"""

from __future__ import annotations

import random

import pytest
from conftest import examples
from every_kind import KINDS
from harmless import something_harmless
from judged import differences
from known_table import KnownTable
from planted import Kind, planted_hand

from rules.seats import Seat

RULESETS = ("dusa", "fid")
HONEST = {
    "passes aloud": {"silent": False, "reliable": True},
    "passes silent, nothing to be heard": {"silent": True, "reliable": False},
    "passes silent, second tiles announced": {"silent": True, "reliable": True},
}
IN_FULL = {"passes aloud": 10_000, "passes silent, nothing to be heard": 5_000, "passes silent, second tiles announced": 5_000}
PLANTED_IN_FULL = -(-20_000 // len(KINDS))


def honest_hand(seed: int, silent: bool, reliable: bool) -> KnownTable:
    """A random legal hand, with tiles brushed and aligned, racks counted and looked at, and thoughts where there is a choice."""
    rng = random.Random(seed)
    table = KnownTable(rng, Seat(rng.randrange(4)), silent=silent, reliable=reliable)
    while table.end is None:
        table.step()
        if rng.random() < 0.12:
            something_harmless(table)
    table.count()
    return table


@pytest.mark.parametrize("how", HONEST)
def test_honest_hands_accuse_nobody(how: str, tally: list) -> None:
    """No infraction, no advice, no doubt but the silent passes themselves; the right winner, points and next opener."""
    count = examples(100, IN_FULL[how])
    wrong = []
    for seed in range(count):
        table = honest_hand(seed, **HONEST[how])
        assert table.docket.wanted == [] and table.docket.advice == set()
        wrong += [(seed, ruleset, found) for ruleset in RULESETS if (found := differences(table, ruleset))]
    tally.append((f"honest: {how}", count, 0, 0, len(wrong)))
    assert wrong == []


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_planted_acts_are_found(kind: Kind, tally: list) -> None:
    """What was planted, and what follows from it by law, is found; nothing else is. What leaves two explanations accuses nobody."""
    count, undecidable, wrong = examples(6, PLANTED_IN_FULL), 0, []
    for seed in range(count):
        table = planted_hand(kind, seed)
        undecidable += bool(table.docket.overlooked)
        wrong += [(seed, ruleset, found) for ruleset in RULESETS if (found := differences(table, ruleset))]
    tally.append((kind.name, count, count - undecidable - len({seed for seed, _, _ in wrong}), undecidable, len(wrong)))
    assert wrong == []
