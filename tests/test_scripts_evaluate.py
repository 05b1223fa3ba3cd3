"""`miron evaluate` as a user calls it, on pictures that the repository renders."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest
from rendered import table_picture
from test_scripts_commands import assert_bad_input, miron

from models.degrade import CHANGES
from models.training.scene import SceneTile

SETS = {
    "ivory/1.jpg": (SceneTile((6, 4), -60, 0, 2.0), SceneTile((4, 4), -22, 0, 91.0), SceneTile((4, 1), 17, 0, -2.0)),
    "ivory/2.jpg": (SceneTile((0, 3), 10, 0, 40.0),),
    "none/1.jpg": (),
}


@pytest.fixture(scope="module")
def labels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two folders of labelled pictures: four tiles in one, none in the other."""
    root = tmp_path_factory.mktemp("labelled")
    with (root / "labels.jsonl").open("w") as out:
        for name, tiles in SETS.items():
            picture = table_picture(*tiles, tile_px=80)
            (root / name).parent.mkdir(exist_ok=True)
            cv2.imwrite(str(root / name), picture.image)
            rows = [
                {"tile": f"{label.halves[0]}-{label.halves[1]}", "quad": _low_first(label).tolist()} for label in picture.labels
            ]
            out.write(json.dumps({"image": name, "width": 640, "height": 480, "tiles": rows, "ignore": []}) + "\n")
    return root / "labels.jsonl"


def _low_first(label):
    low_first = label.halves[0] <= label.halves[1]
    return label.quad_px if low_first else label.quad_px[[2, 3, 0, 1]]


def test_evaluate_tells_each_folder_and_all(labels: Path, tmp_path: Path) -> None:
    """Rendered tiles are all right: a row a folder and one for all, the reliability below, the same figures as JSON."""
    done = miron("evaluate", labels, "--json", tmp_path / "out.json")
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines() if line.strip()]
    assert [line[0] for line in lines[:4]] == ["pictures", "ivory", "none", "all"]
    figures = json.loads((tmp_path / "out.json").read_text())["plain"]
    assert (figures["all"]["labels"], figures["all"]["right"], figures["all"]["pictures"]) == (4, 4, 3)
    assert figures["all"]["f1"] == figures["all"]["exact"] == figures["all"]["heading"] == 1.0
    assert figures["all"]["corner_error"] < 0.05
    assert sum(b["count"] for b in figures["all"]["reliability"]) == 4
    assert figures["none"]["recall"] is None
    assert (figures["all"]["empty"], figures["all"]["silent"]) == (1, 1)
    (sure,) = (line for line in lines if line[:3] == ["0.99", "or", "more,"])
    assert int(sure[4]) == figures["all"]["sure"] == sum(b["count"] for b in figures["all"]["reliability"] if b["low"] == 0.99)


def test_evaluate_scores_a_file_of_detections(labels: Path, tmp_path: Path) -> None:
    """With --predictions nothing is looked at: pictures without an answer are told and their tiles are missed."""
    quad = json.loads(labels.read_text().splitlines()[1])["tiles"][0]["quad"]
    row = {"image": "somewhere/ivory/2.jpg", "tiles": [{"tile": "0-3", "quad": quad, "confidence": 0.8}]}
    (tmp_path / "p.jsonl").write_text(json.dumps(row))
    done = miron("evaluate", labels, "--predictions", tmp_path / "p.jsonl", "--json", tmp_path / "out.json")
    assert done.returncode == 0, done.stderr
    assert "2 pictures without an answer" in done.stdout
    figures = json.loads((tmp_path / "out.json").read_text())["plain"]["all"]
    assert (figures["precision"], figures["recall"]) == (1.0, 0.25)


def test_evaluate_looks_at_worse_versions_too(labels: Path, tmp_path: Path) -> None:
    """--degraded gives the same table for each version."""
    done = miron("evaluate", labels, "--degraded", "--exclude", "ivory/1", "--exclude", "none", "--json", tmp_path / "out.json")
    assert done.returncode == 0, done.stderr
    figures = json.loads((tmp_path / "out.json").read_text())
    assert list(figures) == ["plain", *CHANGES]
    assert all(f["all"]["labels"] == 1 for f in figures.values())
    summary = done.stdout.split("all folders")[1].split("\n\n")[0].splitlines()[1:]
    assert [line.split()[0] for line in summary] == ["plain", *CHANGES]
    assert done.stdout.count("or more, right") == len(figures)


def test_bad_input_is_one_line(labels: Path, tmp_path: Path) -> None:
    """A missing file, a broken one, a missing picture, nothing left, options that exclude each other."""
    (tmp_path / "gone.jsonl").write_text('{"image": "gone.jpg", "tiles": []}\n')
    (tmp_path / "broken.jsonl").write_text("{")
    assert_bad_input(miron("evaluate", tmp_path / "none.jsonl"), "none.jsonl")
    assert_bad_input(miron("evaluate", tmp_path / "broken.jsonl"), "line 1")
    assert_bad_input(miron("evaluate", tmp_path / "gone.jsonl"), "gone.jpg")
    assert_bad_input(miron("evaluate", labels, "--exclude", "ivory", "--exclude", "none"), "labels.jsonl")
    assert_bad_input(miron("evaluate", labels, "--degraded", "--predictions", labels), "--degraded")
    assert_bad_input(miron("evaluate", labels, "--weights", tmp_path), "weights.json")
