"""Proof of what is put to the referee: stills and clips, their hashes, what the events and the alerts say of them."""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from filmed_table import plane
from test_table_camera import HAND, Table, types
from test_table_recording import lines, replayed

from rules.errors import BadInput
from rules.observations import Correction, Place
from rules.seats import Seat
from rules.tiles import Tile
from table.evidence import AROUND_S, Evidence
from table.journal import Journal
from table.monitor import Monitor
from table.recorder import Recorder
from table.recording import open_recording
from table.replay import Replay
from table.replay_verify import first_difference
from table.snapshot import snapshot

FORM = {"image_size": [640, 480], "table_mm": [900.0, 900.0], "corners_px": [[110, 460], [530, 462], [520, 30], [118, 28]]}


@pytest.fixture(scope="module")
def proved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film in which the third tile does not match, recorded with its evidence, and with a second folder for it."""
    folder = tmp_path_factory.mktemp("proved")
    with Journal(folder / "journal.db", "finals", "t07", "boot") as journal:
        table = Table(journal)
        with Recorder(folder / "film", journal, table.monitor, FORM, start_s=0.0) as recorder:
            table.record(recorder, Evidence([folder / "shown" / "evidence", folder / "film" / "evidence"], plane()))
            table.wait(2.0)
            table.lay()
            table.lay()
            table.read_as[2] = (3, 1)  # 3-1 against the 6
            table.lay()
            table.wait(AROUND_S + 1.0)
            table.lay()
            recorder.after()
        (folder / "alerts.json").write_text(json.dumps(snapshot(table.monitor, "finals", "t07")["alerts"]))
    return folder


def events(proved: Path, kind: str) -> list[dict]:
    return [row for row in map(json.loads, lines(proved / "film" / "events.jsonl")) if row["type"] == kind]


def test_an_infraction_has_stills_at_once_and_a_clip_five_seconds_later(proved: Path) -> None:
    """The infraction carries the table before and after, the event `evidence` the clip; each file has the hash that was told."""
    (broken,) = events(proved, "infraction")
    assert broken["data"]["code"] == "NON_MATCHING"
    assert [one["kind"] for one in broken["data"]["evidence"]] == ["still", "still"]
    (later,) = events(proved, "evidence")
    assert later["data"]["incident"] == broken["seq"]
    assert [one["kind"] for one in later["data"]["evidence"]] == ["clip"]
    assert AROUND_S <= later["t_s"] - broken["t_s"] <= AROUND_S + 0.5
    for one in [*broken["data"]["evidence"], *later["data"]["evidence"]]:
        for folder in ("film", "shown"):
            assert hashlib.sha256((proved / folder / one["url"]).read_bytes()).hexdigest() == one["sha256"]
    (alert,) = json.loads((proved / "alerts.json").read_text())
    assert alert["evidence"] == [*broken["data"]["evidence"], *later["data"]["evidence"]]


def test_the_clip_shows_five_seconds_before_and_after(proved: Path) -> None:
    """It is H.264 in MP4, ten seconds long, and its first and last frames are those of the film then."""
    (later,) = events(proved, "evidence")
    packed = (proved / "film" / later["data"]["evidence"][0]["url"]).read_bytes()
    with av.open(io.BytesIO(packed)) as clip:
        assert clip.streams.video[0].codec_context.name == "h264"
        times = [frame.time for frame in clip.decode(video=0)]
    assert times[0] == 0.0
    assert times[-1] == pytest.approx(2 * AROUND_S, abs=0.45)


def test_the_stills_show_the_tile_in_its_place(proved: Path) -> None:
    """From above, at the same scale; they differ where the tile was laid and not where nothing happened."""
    (broken,) = events(proved, "infraction")
    before, after = (cv2.imread(str(proved / "film" / one["url"])) for one in broken["data"]["evidence"])
    assert before.shape == after.shape == (1000, 1000, 3)
    scale = 1000 / (900 + 2 * 60)
    x, y = 500, round(500 - HAND[2][2] * scale)
    differs = np.abs(after.astype(int) - before).max(axis=2)
    assert differs[y - 12 : y + 12, x - 8 : x + 8].mean() > 60
    assert differs[700:900, 100:300].mean() < 25


def test_a_replay_gives_the_same_events_without_making_pictures(proved: Path) -> None:
    """Urls and hashes are those recorded, to the byte; another rule set keeps the evidence of what it judges alike."""
    assert replayed(proved / "film") == lines(proved / "film" / "events.jsonl")
    with Replay(open_recording(proved / "film")) as replay:
        assert first_difference(open_recording(proved / "film"), replay.from_looks()) is None
    told = [json.loads(line) for line in replayed(proved / "film", "fid")]
    assert [row["data"]["code"] for row in told if row["type"] == "infraction"] == ["NON_MATCHING"]


def test_what_is_told_again_has_the_proof_that_it_had(tmp_path: Path) -> None:
    """A correction elsewhere tells an infraction again under another seq: with the same stills, not with new ones."""
    with Journal(tmp_path / "j.db", "finals", "t07") as journal:
        table = Table(journal, evidence=Evidence([tmp_path / "evidence"], plane()))
        table.lay()
        table.lay()
        table.read_as[2] = (3, 1)
        (broken,) = [record for record in table.lay() if record.type == "infraction"]
        told = table.monitor.observe(Correction(t=60.0, voids=1, instead=Place(t=3.0, seat=Seat.E, tile=Tile(6, 4), at="b")))
        (again,) = [record for record in told if record.type == "infraction"]
        assert again.seq > broken.seq
        assert again.data["evidence"] == broken.data["evidence"]


def test_without_a_folder_the_list_is_empty(tmp_path: Path) -> None:
    """Infractions always say `evidence`; where nobody keeps pictures there is none, and nothing is written."""
    with Journal(tmp_path / "j.db", "finals", "t07") as journal:
        table = Table(journal)
        table.read_as[1] = (3, 1)
        table.lay()
        (broken,) = [record for record in table.lay() if record.type == "infraction"]
        assert broken.data["evidence"] == []
        assert "evidence" not in types(table.told)
    assert not list(tmp_path.glob("evidence*"))


def test_a_match_with_evidence_is_resumed(tmp_path: Path) -> None:
    """The fold of another run, which has no pictures of that time, is the match that was judged, and its alerts keep the proof."""
    with Journal(tmp_path / "j.db", "finals", "t07") as journal:
        table = Table(journal, evidence=Evidence([tmp_path / "evidence"], plane()))
        table.lay()
        table.read_as[1] = (3, 1)
        table.lay()
        table.wait(AROUND_S + 1.0)
        shown = snapshot(table.monitor, "finals", "t07")["alerts"]
        left = Monitor.resume(journal)
        assert left is not None
        assert snapshot(left, "finals", "t07")["alerts"] == shown
        assert [one["kind"] for one in shown[0]["evidence"]] == ["still", "still", "clip"]


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    """In one line, when the watching begins."""
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="expected a folder to write evidence into"):
        Evidence([tmp_path / "file" / "evidence"], None)
