"""A match survives its program: folded again from the journal, it goes on as if nothing had happened."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from any_observation import ANY_OBSERVATION
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from legal_play import play_hand

from rules.errors import BadInput
from rules.observations import Clock, Place, observation_to_dict
from rules.ruleset import DUSA, FID
from rules.seats import Seat
from rules.tiles import Tile
from table.journal import Journal
from table.monitor import Monitor
from table.snapshot import snapshot

ROOT = Path(__file__).parent.parent
START_S = 1_700_000_000.25

# Plays a match from a file of observations, from where the journal stands; says a command every few observations, under a
# transaction that does not change over a restart.
PLAYER = """
import json, sys, time
from rules.observations import observation_from_dict
from rules.ruleset import FID
from rules.seats import Seat
from table.commands_desk import CommandDesk
from table.journal import Journal
from table.monitor import Monitor
with Journal(sys.argv[1], "finals", "t07", "boot") as journal:
    monitor = Monitor.resume(journal) or Monitor(FID, journal, start_s=1700000000.25, opener=Seat.S)
    desk = CommandDesk(monitor, lambda *_: None, lambda: None, lambda: 0.0)
    rows = open(sys.argv[2]).read().splitlines()
    done = 0
    while True:
        camera = len(monitor.state.heard) - len(monitor.book.entered(monitor.match))
        if camera == len(rows):
            break
        if camera % 5 == 4:
            desk.tick(json.loads(rows[camera - 1])["t"])
            words = {"transaction": f"after {camera}", "by": "rosa", "seat": camera % 4, "text": f"note {camera}"}
            desk.hear("incident", json.dumps(words).encode())
            list(desk.serve())
        print(camera, flush=True)
        monitor.observe(observation_from_dict(json.loads(rows[camera])))
        time.sleep(float(sys.argv[3]))
"""


def player(journal: Path, rows: Path, pause_s: float) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-c", PLAYER, str(journal), str(rows), str(pause_s)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )


def test_kill_9_at_random_moments_loses_doubles_and_changes_nothing(tmp_path):
    """A program killed again and again in mid match leaves, in the end, the very journal of one that was never killed."""
    rows = tmp_path / "observations.jsonl"
    match = [*play_hand(3).observations, *play_hand(5, Seat.E, t=300.0).observations]
    rows.write_text("".join(json.dumps(observation_to_dict(seen)) + "\n" for seen in match))
    assert player(tmp_path / "whole.db", rows, 0).wait(60) is not None
    rng, kills = random.Random(4), 0
    while kills < 8:
        running = player(tmp_path / "killed.db", rows, 0.004)
        assert running.stdout is not None
        for _ in range(rng.randint(2, 9)):
            running.stdout.readline()
        time.sleep(rng.random() * 0.012)
        os.kill(running.pid, signal.SIGKILL)
        running.wait()
        running.stdout.close()
        kills += 1
    with player(tmp_path / "killed.db", rows, 0) as last:
        last.communicate(timeout=60)
        assert last.returncode == 0
    lines = []
    for name in ("whole.db", "killed.db"):
        with Journal(tmp_path / name, "finals", "t07") as journal:
            assert journal.verify() is None
            lines.append([row.line for row in journal.rows(1, 10_000)])
    assert lines[0] == lines[1]
    assert sum('"entered"' in line for line in lines[0]) == len(match) // 5


def resumed(path: Path) -> Monitor | None:
    with Journal(path, "finals", "t07") as journal:
        return Monitor.resume(journal)


def test_a_resumed_match_is_the_same_match(tmp_path):
    """State, seqs, teams, start and snapshot are those of before; the next event takes the next number."""
    path = tmp_path / "t07.db"
    hand = play_hand(3)
    with Journal(path, "finals", "t07") as journal:
        rules = FID.with_switches({"target": 120, "clock_s": 900.5})
        before = Monitor(rules, journal, start_s=START_S, opener=Seat.S, teams={"A": "Uno", "B": "Dos: #2"})
        for seen in hand.observations[:9]:
            before.observe(seen)
        shown = snapshot(before, "finals", "t07")
    with Journal(path, "finals", "t07") as journal:
        after = Monitor.resume(journal)
        assert after is not None
        assert after.state == before.state
        assert after.teams == before.teams
        assert after.seqs_in_force() == before.seqs_in_force()
        assert snapshot(after, "finals", "t07") == shown
        (first, *_) = after.observe(hand.observations[9])
        assert (first.seq, first.match) == (before.last.seq + 1, 1)
        assert first.time.startswith("2023-11-14T22:13:")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seen=st.lists(ANY_OBSERVATION, max_size=8), ruleset=st.sampled_from([DUSA, FID]))
def test_any_observations_fold_again_to_the_same_state(tmp_path, seen, ruleset):
    """Whatever was seen, likely or not, the journal's fold is the one that was told."""
    path = tmp_path / "any.db"
    path.unlink(missing_ok=True)
    with Journal(path, "finals", "t07") as journal:
        before = Monitor(ruleset, journal, start_s=0.0)
        for observation in seen:
            before.observe(observation)
        assert journal.verify() is None
        after = Monitor.resume(journal)
        assert after is None if before.state.over or not seen else after.state == before.state


def test_there_is_nothing_to_resume(tmp_path):
    """A new journal, and one whose match is over, give no match to go on with."""
    path = tmp_path / "t07.db"
    assert resumed(path) is None
    with Journal(path, "finals", "t07") as journal:
        monitor = Monitor(DUSA.with_switches({"target": 1}), journal, start_s=0.0)
        for seen in play_hand(3).observations:
            monitor.observe(seen)
        monitor.observe(Clock(t=10_000.0))
        assert monitor.state.over
    assert resumed(path) is None
    with Journal(path, "finals", "t07") as journal:
        assert Monitor(DUSA, journal, start_s=0.0).match == 2


def test_a_match_that_would_be_judged_otherwise_is_not_resumed(tmp_path):
    """Rules that judge a stored observation differently are told from those that wrote it, by the number of the observation."""
    path = tmp_path / "t07.db"
    with Journal(path, "finals", "t07") as journal:
        monitor = Monitor(DUSA, journal, start_s=0.0, opener=Seat.S)
        monitor.observe(Place(t=0, seat=Seat.S, tile=Tile(6, 6), at="open"))
        monitor.observe(Place(t=2, seat=Seat.E, tile=Tile(6, 5), at="b"))
    with sqlite3.connect(path) as db:
        db.executescript(
            "DROP TRIGGER observation_is_final; UPDATE observation SET line = replace(line, '6-5', '5-4') WHERE number = 1"
        )
    db.close()
    with (
        Journal(path, "finals", "t07") as journal,
        pytest.raises(BadInput, match="observation 1 of match 1 to be judged as it was"),
    ):
        Monitor.resume(journal)


def test_a_full_disk_changes_nothing(tmp_path, monkeypatch):
    """An observation that could not be written did not happen: the match stands as before and takes it later."""
    with Journal(tmp_path / "t07.db", "finals", "t07") as journal:
        monitor = Monitor(DUSA, journal, start_s=0.0, opener=Seat.S)
        monitor.observe(Place(t=0, seat=Seat.S, tile=Tile(6, 6), at="open"))
        state, seqs, last = monitor.state, monitor.seqs_in_force(), journal.last_seq
        play = Place(t=2, seat=Seat.E, tile=Tile(5, 4), at="b")
        journal.execute(
            "CREATE TEMP TRIGGER full BEFORE INSERT ON event WHEN new.type = 'infraction' BEGIN SELECT RAISE(ABORT, 'full'); END"
        )
        with pytest.raises(BadInput, match="free some space"):
            monitor.observe(play)
        assert (monitor.state, monitor.seqs_in_force(), journal.last_seq) == (state, seqs, last)
        assert journal.verify() is None
        journal.execute("DROP TRIGGER full")
        assert next(r.seq for r in monitor.observe(play)) == last + 1
        assert journal.verify() is None


def test_watching_is_told_in_its_place(tmp_path):
    """That the table is not watched is an event among the others, and a match is resumed over it."""
    with Journal(tmp_path / "t07.db", "finals", "t07") as journal:
        monitor = Monitor(DUSA, journal, start_s=START_S, opener=Seat.S)
        monitor.observe(Place(t=0, seat=Seat.S, tile=Tile(6, 6), at="open"))
        told = monitor.tell_watching("camera_moved", 12.0, 10.5)
        assert (told.type, told.data) == ("watching", {"state": "camera_moved", "since": "2023-11-14T22:13:30.750Z"})
        monitor.observe(Place(t=14, seat=Seat.E, tile=Tile(6, 5), at="b"))
        after = Monitor.resume(journal)
        assert after is not None
        assert after.state == monitor.state
