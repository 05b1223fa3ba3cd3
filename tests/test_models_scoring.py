"""Scoring: the rule of matching, counts that add up, reliability; and label files."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from models.labels import found_for, read_detections, read_labels
from models.scoring import LabelledPicture, Outline, Score, calibration_error, reliability, score_picture, surest
from rules.errors import BadInput

SHARED = os.environ.get("MIRON_SCORED_PHOTOS")  # a folder with data/photos/labels.jsonl and eval/score_detections.py


def tile(low: int, high: int, x: float, y: float = 0.0, confidence: float = 1.0) -> Outline:
    """A tile of 40x20 px, its low half at the left."""
    return Outline((low, high), np.array([[x, y], [x + 40, y], [x + 40, y + 20], [x, y + 20]], np.float32), confidence)


def turned(one: Outline) -> Outline:
    return replace(one, quad_px=np.roll(one.quad_px, 2, axis=0))


TRUTH = LabelledPicture("a/1.jpg", (tile(2, 5, 0), tile(3, 3, 100)), partial=(tile(0, 6, 200),), ignore=((300, 0, 100, 100),))


def test_everything_right_scores_one() -> None:
    """The labels themselves are right, located, headed, exact and without corner error."""
    score = score_picture(TRUTH, TRUTH.tiles)
    shares = score.shares()
    assert (score.labels, score.detections, score.right, score.mixed) == (2, 2, 2, 1)
    assert {k: shares[k] for k in ("precision", "recall", "f1", "located", "halves", "heading", "exact")} == dict.fromkeys(
        ("precision", "recall", "f1", "located", "halves", "heading", "exact"), 1.0
    )
    assert shares["corner_error"] == pytest.approx(0.0)


def test_a_wrong_number_is_located_but_not_right() -> None:
    """One half misread: located, one of its two halves right, both a miss and a false tile."""
    score = score_picture(TRUTH, [tile(2, 4, 0), tile(3, 3, 100)])
    assert (score.right, score.located, score.halves_right, score.exact) == (1, 2, 3, 0)
    assert score.shares()["precision"] == score.shares()["recall"] == 0.5


def test_overlap_below_half_is_a_miss() -> None:
    """A tile moved along by 12 of 40 px still overlaps by 0.54; by 15 px it does not count any more."""
    assert score_picture(TRUTH, [tile(2, 5, 12)]).right == 1
    assert score_picture(TRUTH, [tile(2, 5, 15)]).right == 0


def test_two_detections_of_one_tile_are_one_right_and_one_false() -> None:
    """Pairs are one to one, the better overlap first."""
    score = score_picture(TRUTH, [tile(2, 5, 4), tile(2, 5, 1)])
    assert (score.right, score.detections) == (1, 2)
    assert score.shares()["corner_error"] == pytest.approx(1 / 40)


def test_ignored_places_and_partial_tiles_count_neither_way() -> None:
    """What lies in an ignore rectangle or on a partly visible tile, whatever its numbers, is no false tile."""
    found = [*TRUTH.tiles, tile(1, 1, 330, 40), tile(0, 5, 203)]
    assert score_picture(TRUTH, found).exact == 1
    assert score_picture(TRUTH, [*TRUTH.tiles, tile(1, 1, 230, 40)]).exact == 0


def test_heading_is_asked_of_tiles_with_two_numbers() -> None:
    """A turned mixed tile is right but headed wrongly; a turned double is right and its corners fit."""
    score = score_picture(TRUTH, [turned(t) for t in TRUTH.tiles])
    assert (score.right, score.mixed, score.headed) == (2, 1, 0)
    assert score_picture(TRUTH, [turned(TRUTH.tiles[1])]).shares()["corner_error"] == pytest.approx(0.0)


def test_an_empty_picture_is_exact_when_nothing_is_found() -> None:
    """No tile, no detection: exact, and the shares that have nothing to count are None."""
    score = score_picture(LabelledPicture("b.jpg", ()), [])
    assert score.exact == 1
    assert score.shares()["precision"] is None


def test_empty_pictures_are_counted_and_so_are_those_that_stay_empty() -> None:
    """Of two pictures without a tile one shows a false one; what lies in its ignore rectangle is excused."""
    empty = LabelledPicture("b.jpg", (), ignore=((200, 0, 60, 60),))
    score = score_picture(empty, [tile(1, 1, 0)]) + score_picture(empty, [tile(1, 1, 210)]) + score_picture(TRUTH, [])
    assert (score.pictures, score.empty, score.silent) == (3, 2, 1)


def test_the_surest_readings_are_counted_with_how_many_are_right() -> None:
    """0.99 itself is one of them, 0.9899 is not."""
    assert surest([(0.99, True), (1.0, False), (0.9899, False), (0.995, True)]) == (3, 2)
    assert surest([]) == (0, 0)


def test_scores_add_up() -> None:
    """The sum over pictures has the counts and the claims of both."""
    one, two = score_picture(TRUTH, TRUTH.tiles), score_picture(TRUTH, [tile(2, 4, 0, confidence=0.6)])
    both = one + two
    assert (both.pictures, both.labels, both.right) == (2, 4, 2)
    assert both.claims == ((1.0, True), (1.0, True), (0.6, False))
    assert both + Score() == both


def test_reliability_bins_and_calibration_error() -> None:
    """Four at 0.96 of which three are right, one right at 1.0: two bins, error the weighed distance."""
    claims = [(0.96, True), (0.96, True), (0.96, True), (0.96, False), (1.0, True)]
    low, high = reliability(claims)
    assert (low.low, low.high, low.count, low.mean, low.right) == (0.95, 0.98, 4, pytest.approx(0.96), 0.75)
    assert (high.low, high.high, high.count) == (0.99, 1.0, 1)
    assert calibration_error(claims) == pytest.approx(0.8 * 0.21)
    assert calibration_error([]) is None


def test_label_files_are_read_as_documented(tmp_path: Path) -> None:
    """Either order of the numbers; partial tiles and ignore rectangles are kept apart; unknown keys do not matter."""
    quad = [[0, 0], [40, 0], [40, 20], [0, 20]]
    row = {
        "image": "a/1.jpg",
        "width": 9,
        "tiles": [{"tile": "5-2", "quad": quad}, {"tile": "0-0", "quad": quad, "visible": "partial"}],
        "ignore": [[1, 2, 3, 4]],
    }
    (tmp_path / "l.jsonl").write_text(json.dumps(row) + "\n\n")
    (picture,) = read_labels(tmp_path / "l.jsonl")
    assert [t.numbers for t in picture.tiles] == [(2, 5)]
    assert [t.numbers for t in picture.partial] == [(0, 0)]
    assert picture.ignore == ((1.0, 2.0, 3.0, 4.0),)


def test_detections_are_found_by_the_end_of_their_path(tmp_path: Path) -> None:
    """An absolute path answers a relative name; face-down tiles are left out; no answer is None."""
    quad = [[0, 0], [40, 0], [40, 20], [0, 20]]
    tiles = [{"tile": None, "state": "face_down", "quad": quad}, {"tile": "2-5", "quad": quad, "confidence": 0.7}]
    (tmp_path / "p.jsonl").write_text(json.dumps({"image": "/x/a/1.jpg", "tiles": tiles}))
    by_name = read_detections(tmp_path / "p.jsonl")
    (one,) = found_for("a/1.jpg", by_name) or []
    assert (one.numbers, one.confidence) == ((2, 5), 0.7)
    assert found_for("b/1.jpg", by_name) is None


@pytest.mark.parametrize(
    "text",
    [
        "no json",
        "[1]",
        '{"tiles": []}',
        '{"image": "a.jpg", "tiles": [3]}',
        '{"image": "a.jpg", "tiles": [{"tile": null, "quad": []}]}',
        '{"image": "a.jpg", "tiles": [{"tile": "7-1", "quad": [[0,0],[4,0],[4,2],[0,2]]}]}',
        '{"image": "a.jpg", "tiles": [{"tile": "2-1", "quad": [[0,0],[4,0],[4,2]]}]}',
        '{"image": "a.jpg", "ignore": [[1, 2]]}',
    ],
)
def test_broken_label_files_are_one_clear_line(tmp_path: Path, text: str) -> None:
    """A row that is no label is bad input that names the line."""
    (tmp_path / "l.jsonl").write_text(text)
    with pytest.raises(BadInput, match=r"expected.*found.*line 1"):
        read_labels(tmp_path / "l.jsonl")


@pytest.mark.skipif(
    SHARED is None, reason="MIRON_SCORED_PHOTOS names no folder with labelled photographs and their scoring script"
)
def test_figures_are_those_of_the_reference_script(tmp_path: Path) -> None:
    """On labels that are disturbed at random every figure is the one that the reference script prints."""
    folder = Path(str(SHARED))
    labels, rng = folder / "data/photos/labels.jsonl", np.random.default_rng(5)
    with (tmp_path / "p.jsonl").open("w") as out:
        for line in labels.read_text().splitlines():
            row = json.loads(line)
            out.write(json.dumps({"image": row["image"], "tiles": _disturbed(row["tiles"], rng)}) + "\n")
    script = [sys.executable, folder / "eval/score_detections.py", labels, tmp_path / "p.jsonl"]
    printed = subprocess.run(script, capture_output=True, text=True, check=True).stdout
    total = next(line for line in printed.splitlines() if line.startswith("ALL"))
    theirs = dict(re.findall(r"(\S+) +(\d[\d.]*)", total.removeprefix("ALL")))
    by_name = read_detections(tmp_path / "p.jsonl")
    ours = sum((score_picture(t, found_for(t.image, by_name) or []) for t in read_labels(labels)), Score())
    assert (ours.pictures, ours.labels) == (int(theirs["images"]), int(theirs["tiles"]))
    names = {"precision": "P", "recall": "R", "f1": "F1", **{n: n for n in ("located", "halves", "heading", "exact")}}
    for name, short in names.items():
        assert ours.shares()[name] == pytest.approx(float(theirs[short]), abs=6e-5), name


def _disturbed(tiles: list[dict], rng: np.random.Generator) -> list[dict]:
    """Some left out, some moved, turned, misread or doubled, some put elsewhere."""
    out = []
    for one in tiles:
        quad = np.array(one["quad"]) + rng.normal(0, 6, (4, 2)) + rng.normal(0, 8, 2)
        if rng.random() < 0.1:
            quad = np.roll(quad, 2, axis=0)
        name = one["tile"] if rng.random() < 0.9 else f"{rng.integers(7)}-{rng.integers(7)}"
        for _ in range(int(rng.choice([0, 1, 2], p=[0.08, 0.84, 0.08]))):
            out.append({"tile": name, "quad": quad.tolist(), "confidence": 0.9})
        if rng.random() < 0.05:
            out.append({"tile": "1-1", "quad": (quad + 150).tolist(), "confidence": 0.6})
    return out
