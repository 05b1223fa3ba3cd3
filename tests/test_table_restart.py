"""A program that is killed in mid hand goes on with it: the follower takes up the table that the journal knows."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import examples
from restarted_table import FilmedHand, plan_for, watch

from table.envelope import EventRecord
from table.journal import Journal
from table.recording import open_recording
from table.replay import Replay
from table.replay_verify import first_difference

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
    """Whatever the moments, the hand has every tile that was laid, once, in an order that the line allows.

    While it is played nobody is accused.
    What each run recorded until it was killed replays to the byte, the runs that began in mid hand too.
    In a full run 50 kills, over as many hands as that takes.
    """
    rng, kills, hands = random.Random(8), 0, 0
    (tmp_path / "calibration.json").write_text(json.dumps(film.calibration))
    while kills < KILLS:
        folder = tmp_path / str(hands)
        folder.mkdir()
        plan = plan_for(folder, tmp_path / "calibration.json")
        plans = [replace(plan, recording=folder / f"recording {run}") for run in range(min(5, KILLS - kills) + 1)]
        moments = sorted(rng.sample(range(20, len(film.frames) - 20), len(plans) - 1))
        begin, hands, kills = 0, hands + 1, kills + len(moments)
        for run, moment in zip(plans, moments, strict=False):
            begin = watch(film, run, begin, max(moment, begin + 1), rng) + rng.randrange(LONGEST_GAP)
        watch(film, plans[-1], begin, None, rng)
        with Journal(plan.journal, "finals", "t07") as journal:
            records = list(journal.read())
            assert journal.verify() is None
        assert sorted(effective(records)[: len(film.truth)]) == sorted(film.truth), f"killed at {moments}"
        assert len(set(effective(records))) == len(effective(records))
        played_s = max(record.t_s for record in records if record.type == "tile_played")
        accusing = {"infraction", "suspicion", "reading_doubted"}
        assert not accusing & {record.type for record in records if record.t_s <= played_s}
        for run in plans:
            assert run.recording is not None
            recording = open_recording(run.recording)
            assert recording.manifest["complete"] == (run is plans[-1])
            with Replay(recording) as replay:
                assert first_difference(recording, replay.from_looks()) is None
        assert {record.match for record in records if record.type == "tile_played"} == {1}
