"""Every runtime gives the same tiles; what is missing or does not belong together is one clear line."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from rendered import table_picture

from models.detector import NETWORKS, WEIGHTS, Detector
from models.runtimes import BATCH, NCNN_NOTE, made_from, open_session, sha256
from models.training.scene import SceneTile
from rules.errors import BadInput
from vision.detections import TileState

IN_CI = {"ncnn", "openvino"}  # installed with the extra `dev`: there a missing one is a failure
TABLE = (
    SceneTile((6, 4), -76, 0, 2.0),
    SceneTile((4, 4), -38, 0, 91.0),
    SceneTile((4, 1), 1, 0, -2.0),
    SceneTile((2, 5), 60, 40, 60.0, TileState.FACE_DOWN),
)


@pytest.fixture(scope="module", params=["openvino", "ncnn"])
def other(request: pytest.FixtureRequest) -> Detector:
    """The detector on another runtime."""
    if importlib.util.find_spec(request.param) is None:
        if os.environ.get("CI") == "true" and request.param in IN_CI:
            pytest.fail(f"{request.param} is not installed, though the extra `dev` asks for it")
        pytest.skip(f"{request.param} is not installed")
    return Detector(threads=1, runtime=request.param)


@pytest.mark.parametrize("tile_px", [30, 80])
def test_every_runtime_finds_the_same_tiles(other: Detector, tile_px: int) -> None:
    """The same states, numbers and order, corners within a tenth of a pixel, confidences within a thousandth."""
    image = table_picture(*TABLE, tile_px=tile_px).image
    ours, theirs = Detector(threads=1).detect(image, 0.5), other.detect(image, 0.5)
    assert len(ours) >= 3
    assert [(d.state, d.pips) for d in ours] == [(d.state, d.pips) for d in theirs]
    for one, two in zip(ours, theirs, strict=True):
        assert np.abs(one.quad_px - two.quad_px).max() < 0.1
        assert one.confidence == pytest.approx(two.confidence, abs=1e-3)


def test_every_runtime_finds_nothing_in_a_blank_picture(other: Detector) -> None:
    """One grey of several shapes: no tile and no crash."""
    for shape in ((480, 640, 3), (33, 900, 3), (8, 8, 3)):
        assert other.detect(np.full(shape, 90, np.uint8), 0.3) == []


def test_ncnn_files_are_those_of_the_networks() -> None:
    """NCNN's files were made from the shipped networks, are whole and are under 15 MB each (`miron export` makes them again)."""
    note = json.loads((WEIGHTS / NCNN_NOTE).read_text())
    assert made_from(WEIGHTS) == {name: sha256(WEIGHTS / name) for name in NETWORKS}
    assert len(note["sha256"]) == 2 * len(NETWORKS)
    for name, digest in note["sha256"].items():
        assert sha256(WEIGHTS / name) == digest
        assert (WEIGHTS / name).stat().st_size < 15e6


def test_ncnn_files_of_another_network_are_refused(tmp_path: Path) -> None:
    """After new weights without `miron export` NCNN says so instead of reading with the old ones."""
    pytest.importorskip("ncnn")
    for file in WEIGHTS.iterdir():
        shutil.copy(file, tmp_path)
    note = json.loads((tmp_path / NCNN_NOTE).read_text())
    note["made_from"]["reader.onnx"] = "0" * 64
    (tmp_path / NCNN_NOTE).write_text(json.dumps(note))
    with pytest.raises(BadInput, match="miron export"):
        Detector(tmp_path, runtime="ncnn")


def test_a_large_batch_is_run_in_parts() -> None:
    """70 crops come back as 70, in order, as smaller batches give them; one of 32 is run whole."""
    session, outputs = open_session(WEIGHTS / "reader.onnx", threads=1)
    crops = np.random.default_rng(1).uniform(0, 255, (2 * BATCH + 6, 3, 64, 96)).astype(np.float32)
    whole = session.run(sorted(outputs), {"crops": crops})
    parts = [session.run(sorted(outputs), {"crops": crops[k : k + 10]}) for k in range(0, len(crops), 10)]
    for one, column in zip(whole, zip(*parts, strict=True), strict=True):
        assert len(one) == len(crops)
        assert np.abs(one - np.concatenate(column)).max() < 1e-3
    assert len(session.run(["kind"], {"crops": crops[:BATCH]})[0]) == BATCH


def test_an_unknown_runtime_is_one_clear_line() -> None:
    """The message names those that there are."""
    with pytest.raises(BadInput, match="expected a runtime of onnxruntime, openvino, ncnn, found 'tensorflow'"):
        open_session(WEIGHTS / "reader.onnx", runtime="tensorflow")


def test_a_runtime_that_is_not_installed_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says what to install."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(BadInput, match=r"pip install -e '\.\[openvino\]'"):
        open_session(WEIGHTS / "reader.onnx", runtime="openvino")
