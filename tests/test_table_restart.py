"""A program that is killed in mid hand goes on with it: the follower takes up the table that the journal knows."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from conftest import examples
from restarted_table import FilmedHand, plan_for, watch

from table.envelope import EventRecord
from table.journal import Journal

KILLS = examples(5, 50)
FRAMES = examples(300, None)
LONGEST_GAP = 12  # frames that pass before the next run: up to two and a half seconds


@pytest.fixture(scope="module")
def film() -> FilmedHand:
    return FilmedHand(6, FRAMES)


def effective(records: list[EventRecord]) -> list[str]:
    """The tiles that were told as played and not taken back."""
    gone = {seq for record in records if record.type == "correction" for seq in record.data["voids"]}
    return [record.data["tile"] for record in records if record.type == "tile_played" and record.seq not in gone]


def test_kill_9_at_random_moments_loses_doubles_and_invents_no_play(film: FilmedHand, tmp_path: Path) -> None:
    """Whatever the moments, the hand has every tile that was laid, once, in an order that the line allows, and nobody is accused.

    In a full run 50 kills, over as many hands as that takes.
    """
    rng, kills, hands = random.Random(8), 0, 0
    (tmp_path / "calibration.json").write_text(json.dumps(film.calibration))
    while kills < KILLS:
        folder = tmp_path / str(hands)
        folder.mkdir()
        plan, begin, hands = plan_for(folder, tmp_path / "calibration.json"), 0, hands + 1
        moments = sorted(rng.sample(range(20, len(film.frames) - 20), min(5, KILLS - kills)))
        for moment in moments:
            if moment > begin:
                begin = watch(film, plan, begin, moment, rng) + rng.randrange(LONGEST_GAP)
            kills += 1
        watch(film, plan, begin, None, rng)
        with Journal(plan.journal, "finals", "t07") as journal:
            records = list(journal.read())
            assert journal.verify() is None
        assert sorted(effective(records)[: len(film.truth)]) == sorted(film.truth), f"killed at {moments}"
        assert len(set(effective(records))) == len(effective(records))
        assert not {"infraction", "suspicion", "reading_doubted"} & {record.type for record in records}
        assert {record.match for record in records if record.type == "tile_played"} == {1}
