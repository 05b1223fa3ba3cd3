"""`miron replay` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from test_scripts_commands import assert_bad_input, miron
from test_table_recording import record

from table.broker import Broker


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recording")
    return record(folder / "match", folder / "journal.db")


def test_verify_says_whether_every_event_is_the_recorded_one(recorded: Path) -> None:
    """Exit 0 when all are; exit 1 with both texts of the first that differs; the recording itself is not changed."""
    done = miron("replay", recorded, "--verify", "--from", "detections")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert "every event is the one recorded" in done.stdout
    events = recorded / "events.jsonl"
    whole = events.read_text()
    events.write_text(whole.replace('"type":"tile_played"', '"type":"tile_moved"', 1))
    done = miron("replay", recorded, "--verify")
    events.write_text(whole)
    assert done.returncode == 1 and not done.stderr
    first, before, after = done.stdout.strip().splitlines()
    assert first.endswith("differs") and '"tile_moved"' in before and '"tile_played"' in after


def test_replay_writes_the_events_under_the_rules_asked_for(recorded: Path, tmp_path: Path) -> None:
    """--events gets the recorded bytes; under --ruleset fid other verdicts, and those cannot be verified."""
    assert miron("replay", recorded, "--events", tmp_path / "same.jsonl").returncode == 0
    assert (tmp_path / "same.jsonl").read_bytes() == (recorded / "events.jsonl").read_bytes()
    assert miron("replay", recorded, "--ruleset", "fid", "--events", tmp_path / "fid.jsonl").returncode == 0
    rules = {
        json.loads(line)["data"]["rule"] for line in (tmp_path / "fid.jsonl").read_text().splitlines() if '"infraction"' in line
    }
    assert rules and all(rule.startswith("FID") for rule in rules)
    assert_bad_input(miron("replay", recorded, "--ruleset", "fid", "--verify"), "--verify", "dusa")


def test_a_replay_can_be_published_as_a_live_table(recorded: Path, needs_mosquitto: None) -> None:
    """With a broker every event goes out, by name and password where it wants them; without one it is said in one line."""
    with Broker("mosquitto", user="t07", password="hush") as broker:
        to = ["--publish", "--broker", f"127.0.0.1:{broker.tcp_port}"]
        done = miron("replay", recorded, *to, "--set", "mqtt.user=t07", "--set", "mqtt.password=hush")
        assert done.returncode == 0, done.stderr
        assert_bad_input(miron("replay", recorded, *to), "Not authorized")
    assert_bad_input(miron("replay", recorded, "--publish", "--broker", "nowhere"), "HOST:PORT")


def test_what_is_no_recording_is_refused(tmp_path: Path) -> None:
    """A folder without a manifest, and one without looks asked for them, are one line each."""
    assert_bad_input(miron("replay", tmp_path), "recording")
    assert_bad_input(miron("replay", "tests/matches/club", "--from", "detections"), "detections.jsonl")
