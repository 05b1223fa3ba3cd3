"""A recording that is written while the table is watched, cut at any moment, and played again."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_table_pipeline import ROOM, KnownScenes, corner_plane

from rules.errors import BadInput
from rules.notation import parse_record
from rules.observations import Pass, Place
from rules.ruleset import DUSA
from rules.seats import Seat
from table.commands_desk import CommandDesk
from table.journal import Journal
from table.monitor import Monitor
from table.pipeline import Pipeline
from table.recorder import Recorder, chained_digest, file_hashes
from table.recording import open_recording
from table.replay import Replay
from table.replay_verify import first_difference
from table.scenery import hand_stills
from table.simulator import simulate_hand
from table.sources import open_source
from table.taking_up import lying
from vision.frame import Frame
from vision.stills import StillsFollower

START_S = 1_700_000_000.123456
FORM = {"image_size": list(ROOM.camera.size_px), "table_mm": [920, 920], "corners_px": ROOM.corners_px().tolist()}
ROOT = Path(__file__).parent.parent


def small_frames(stills: list) -> Iterator[Frame]:
    """A dark picture for each still: what lies there comes from the answers of `KnownScenes`."""
    for index, still in enumerate(stills):
        image = np.full((ROOM.camera.size_px[1], ROOM.camera.size_px[0], 3), index % 200, np.uint8)
        yield Frame(image, index, still.t_s, getattr(still.act, "seat", None))


def record(folder: Path, journal_file: Path, *, before: int = 0, kill_at: int | None = None, goes_on_at: int = 0) -> Path:
    """Watch a simulated hand with buttons and a person's commands, and record it. before: events in the journal already.

    goes_on_at: of the frames and signals so many were seen by a run before this one, which goes on with its match.
    """
    hand = simulate_hand(3, Seat.S, {6: "non_matching"})
    stills = list(hand_stills(hand, ROOM, seed=5))
    items: list = [*small_frames(stills), *(act for act in hand.observations if isinstance(act, Pass))]
    items.sort(key=lambda item: item.t_s if isinstance(item, Frame) else item.t)
    seen, items = items[:goes_on_at], items[goes_on_at:]
    scenes = [s.scene for s in stills][sum(isinstance(item, Frame) for item in seen) :]
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(journal_file, "finals", "t07", "boot1"))
        for _ in range(before):
            Monitor(DUSA, journal, start_s=START_S, match=1).tell_watching("watching", 0.0, 0.0)
        teams = {"A": "Robles", "B": "Ceiba"}
        monitor = Monitor.take_up(journal, DUSA, start_s=START_S + 100 * bool(seen), opener=Seat.S, teams=teams)
        on_table, numbers = lying(monitor)
        desk = CommandDesk(monitor, lambda name, text: None, lambda: None)
        recorder = stack.enter_context(Recorder(folder, journal, monitor, FORM, start_s=START_S))
        follower: Any = recorder.follower(StillsFollower(corner_plane(), Seat.S, lying=on_table))
        pipeline = Pipeline(KnownScenes(scenes), follower, monitor, taken_up=numbers)
        count = 0

        def after(item: Frame | object) -> None:
            nonlocal count
            count += 1
            desk.tick(item.t_s if isinstance(item, Frame) else item.t)  # type: ignore[attr-defined]
            if count == 8:
                desk.hear("objection", json.dumps({"transaction": "a1", "by": "ana", "seat": 1}).encode())
            if count == 12:
                monitor.tell_watching("camera_moved", 20.0061, 19.5004)
            if count == 15:
                desk.hear("undo", json.dumps({"transaction": "a2", "by": "ana"}).encode())
            list(desk.serve())
            recorder.after(item)
            if count == kill_at:
                os.kill(os.getpid(), signal.SIGKILL)

        list(pipeline.run(recorder.source(items), after))
    return folder


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recording")
    return record(folder / "match", folder / "journal.db", before=4)


def replayed(folder: Path, ruleset: str | None = None) -> list[str]:
    with Replay(open_recording(folder), ruleset) as replay:
        return [event.line() for event in replay.from_looks()]


def lines(file: Path) -> list[str]:
    return file.read_text().splitlines()


def test_a_recording_replays_to_the_byte_from_its_looks(recorded: Path) -> None:
    """Events from the looks alone are the recorded bytes: seq, id, times, commands of people and losses of sight among them."""
    events = lines(recorded / "events.jsonl")
    types = [json.loads(line)["type"] for line in events]
    assert {
        "tile_played",
        "turn_passed",
        "tile_withdrawn",
        "infraction",
        "hand_ended",
        "entered",
        "watching",
        "correction",
    } <= set(types)
    assert json.loads(events[0])["seq"] == 5
    assert replayed(recorded) == events
    with Replay(open_recording(recorded)) as replay:
        assert first_difference(open_recording(recorded), replay.from_looks()) is None


def test_the_folder_holds_everything_with_its_hashes(recorded: Path) -> None:
    """Every file of the promise is there; hashes and chained digest are those of the files; the notation reads back."""
    manifest = json.loads((recorded / "manifest.json").read_text())
    names = {
        "video.mkv",
        "frames.jsonl",
        "signals.jsonl",
        "detections.jsonl",
        "observations.jsonl",
        "events.jsonl",
        "calibration.json",
        "record.domino",
    }
    assert manifest["complete"] and names == set(manifest["files"]) and (recorded / "evidence").is_dir()
    for name, sha256 in manifest["files"].items():
        assert hashlib.sha256((recorded / name).read_bytes()).hexdigest() == sha256
    assert manifest["digest"] == chained_digest(file_hashes(recorded))
    assert chained_digest(dict(manifest["files"], **{"video.mkv": "0"})) != manifest["digest"]
    plays = [seen for seen in parse_record((recorded / "record.domino").read_text()).observations if isinstance(seen, Place)]
    assert len(plays) > 20
    frames = [item for item in open_source(str(recorded)) if isinstance(item, Frame)]
    assert len(frames) == len(lines(recorded / "frames.jsonl")) == len(lines(recorded / "detections.jsonl"))


def test_another_rule_set_is_another_fold(recorded: Path) -> None:
    """Judged under FID the same tiles are played and nobody is fined in points."""
    other = [json.loads(line) for line in replayed(recorded, "fid")]
    same = [json.loads(line) for line in lines(recorded / "events.jsonl")]
    assert [e["data"]["tile"] for e in other if e["type"] == "tile_played"][:5] == [
        e["data"]["tile"] for e in same if e["type"] == "tile_played"
    ][:5]
    assert not any(e["data"].get("fine") for e in other if e["type"] == "infraction")
    assert any(e["data"].get("fine") for e in same if e["type"] == "infraction")


def test_a_changed_look_is_found(recorded: Path, tmp_path: Path) -> None:
    """When a recorded number is changed the first event that differs is named with both texts."""
    import shutil

    copy = Path(shutil.copytree(recorded, tmp_path / "copy"))
    rows = [json.loads(line) for line in lines(copy / "detections.jsonl")]
    for row in rows[3:]:
        for tile in row["tiles"]:
            if tile["state"] == "face_up":
                tile["halves"][0] = tile["halves"][0][::-1]
    (copy / "detections.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with Replay(open_recording(copy)) as replay:
        difference = first_difference(open_recording(copy), replay.from_looks())
    assert difference is not None and difference.number > 1 and difference.recorded != difference.replayed
    assert str(difference).startswith(f"event {difference.number} differs\nrecorded  {{")


def test_a_recording_that_was_killed_can_be_read_and_replayed(tmp_path: Path) -> None:
    """After kill -9 in mid hand every event told before is there, the video opens, and the replay agrees as far as it goes.

    The next run records the rest of the hand, which replays to the byte as well; together they have every tile that was laid.
    """
    code = (
        "import sys; sys.path[:0] = ['tests', '.']\nfrom pathlib import Path\nfrom test_table_recording import record\n"
        f"record(Path({str(tmp_path / 'cut')!r}), Path({str(tmp_path / 'j.db')!r}), kill_at=18)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, timeout=300)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    cut = tmp_path / "cut"
    with Journal(tmp_path / "j.db", "finals", "t07") as journal:
        assert lines(cut / "events.jsonl") == [row.line for row in journal.rows()]
    match = open_recording(cut)
    assert match.manifest["complete"] is False
    frames = [item for item in match.source if isinstance(item, Frame)]
    assert 10 <= len(frames) <= len(lines(cut / "frames.jsonl"))
    assert [f.t_s for f in frames] == [json.loads(row)["t_s"] for row in lines(cut / "frames.jsonl")][: len(frames)]
    (cut / "detections.jsonl").open("a").write('{"seq": 99, "ind')  # a torn line is left out
    with Replay(open_recording(cut)) as replay:
        assert first_difference(match, replay.from_looks()) is None
    assert parse_record((cut / "record.domino").read_text()).header.opener == Seat.S
    rest = record(tmp_path / "rest", tmp_path / "j.db", goes_on_at=18)
    events = lines(rest / "events.jsonl")
    first = json.loads(events[0])
    assert (first["seq"], first["match"], first["t_s"] >= 100) == (len(lines(cut / "events.jsonl")) + 1, 1, True)
    assert replayed(rest) == events
    told = [json.loads(row) for row in [*lines(cut / "events.jsonl"), *events]]
    laid = {event["data"]["tile"] for event in told if event["type"] == "tile_played"}
    hand = simulate_hand(3, Seat.S, {6: "non_matching"})
    assert laid == {str(act.tile) for act in hand.observations if isinstance(act, Place)}


def test_a_recording_begins_in_an_empty_folder(tmp_path: Path) -> None:
    """A folder that holds files already is refused."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "old.txt").write_text("old")
    with Journal(tmp_path / "j.db", "finals", "t07") as journal:
        monitor = Monitor(DUSA, journal, start_s=0.0)
        with pytest.raises(BadInput, match="new or empty folder"):
            Recorder(tmp_path / "full", journal, monitor, start_s=0.0)
