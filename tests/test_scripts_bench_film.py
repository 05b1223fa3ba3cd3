"""`miron bench film`: what it measures, on a film too short to mean anything."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from filmed_table import FilmedTable
from test_table_evidence import FORM

from rules.errors import BadInput
from scripts import bench_film
from table.video_writer import VideoWriter


class SeesNothing:
    """In the place of the detector: what it costs is not tested."""

    def __init__(self, plane: object, threads: int = 0) -> None:
        assert plane is not None

    def detect(self, image: np.ndarray, min_confidence: float = 0.0) -> list:
        return []


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """Four seconds of a bare table as `miron simulate` writes them, with a play that nobody can see."""
    frames = list(FilmedTable(1).hold(4.0))
    with VideoWriter(tmp_path / "video.mkv", (640, 480), 5.0) as video:
        for frame in frames:
            video.write(frame.image, frame.t_s)
    rows = [{"index": frame.index, "t_s": frame.t_s} for frame in frames]
    (tmp_path / "frames.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "calibration.json").write_text(json.dumps(FORM))
    (tmp_path / "truth.jsonl").write_text(json.dumps({"kind": "place", "t": 1.0, "tile": "6-4"}) + "\n")
    return tmp_path


def test_cost_replay_delay_and_memory_are_measured(film: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    """Each figure of the benchmark has its row; a film whose plays are not told says so and has no delay."""
    monkeypatch.setattr(bench_film, "TableDetector", SeesNothing)
    bench_film.measure(film=film, minutes=0.1)
    told = " ".join(capsys.readouterr().out.split())
    assert "a film of 640x480, 20 frames in 4 s" in told
    for row in (
        "watching a minute of film, all",
        "a look",
        "replay from detections",
        "replay from frames",
        "resident at the end",
    ):
        assert row in told
    assert "plays told of those laid │ 0 │ %" in told
    assert "from release to event" not in told


def test_a_folder_without_truth_is_refused(tmp_path: Path) -> None:
    """In one line."""
    with pytest.raises(BadInput, match=r"found no truth\.jsonl"):
        bench_film.measure(film=tmp_path)
