"""`miron bench detector`: what it measures with, and what it says where something cannot be measured."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from test_scripts_commands import assert_bad_input, miron

from rules.errors import BadInput
from scripts import bench_detector
from scripts.bench_detector import PI5_AREA, PI5_YOLO11N_MS, TILE_PX, whole_set


def test_medians_are_of_the_rounds_after_the_first() -> None:
    """A look of 10, 2, 4 and 3 ms localising tells 3: the first one warms up. Time on the clock and of the processor come with it."""
    told = iter((10.0, 2.0, 4.0, 3.0))
    times = bench_detector._rounds({"one": lambda image: {"localise": next(told)}}, np.zeros((1, 1, 3), np.uint8), 3)
    assert times["one"]["localise"] == 3.0
    assert set(times["one"]) == {"localise", "all", "CPU"}


def test_a_raspberry_pi_is_computed_from_the_ratio() -> None:
    """With a yardstick four times slower a look is computed as a quarter of what the yardstick takes there at this size."""
    ours = {
        f"miron, {told}, {n}": {"all": 50.0, "CPU": 50.0} for told, _ in bench_detector._TOLD for n in ("1 thread", "2 threads")
    }
    theirs = {f"YOLO11n-OBB, onnxruntime, {n}": {"all": 200.0, "CPU": 200.0} for n in ("1 thread", "2 threads")}
    rows = list(bench_detector._ratios(ours | theirs))
    assert [row.value for row in rows if row.unit == "×"] == [4.0] * 4
    assert {row.value for row in rows if row.what.startswith("computed")} == {PI5_YOLO11N_MS * PI5_AREA / 4}
    assert list(bench_detector._ratios(ours)) == []


def test_the_picture_shows_a_whole_set_at_the_length_that_is_told() -> None:
    """1280x960 px; the same one each time; its tiles are TILE_PX long within a tenth."""
    image = whole_set()
    assert image.shape == (960, 1280, 3)
    assert np.array_equal(image, whole_set())
    labels = bench_detector.render(bench_detector.set_scene()).labels
    assert len(labels) == 28
    assert all(label.length_px == pytest.approx(TILE_PX, rel=0.1) for label in labels)


def test_without_a_yardstick_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No extra `train` and no file: nothing to hold against, in one line; a file that is not there is bad input."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert bench_detector._yardstick_file(None, tmp_path)[0] is None
    assert "--yardstick" in bench_detector._yardstick_file(None, tmp_path)[1]
    with pytest.raises(BadInput, match=r"models\.training\.yardstick"):
        bench_detector._yardstick_file(tmp_path / "none.onnx", tmp_path)
    assert_bad_input(miron("bench", "detector", "--yardstick", tmp_path / "none.onnx"), "none.onnx")
