"""The card that a training writes of itself: networks, data, time, figures on rendered pictures, how far confidences hold."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from models.detector import Detector
from models.scoring import SURE, LabelledPicture, Outline, Score, reliability, score_picture, share, surest
from models.training.compositor import Rendered, render
from models.training.shaded_bench import COUNTED, whole_table_scene
from vision.detections import TileState

CONFIDENCE = 0.5  # a tile counts from here on


def read_tables(weights: Path, count: int) -> Score:
    """What the networks of a folder read on rendered whole tables that nothing was trained on."""
    detector = Detector(weights)
    return sum((_score(detector, render(whole_table_scene(number))) for number in range(count)), Score())


def _score(detector: Detector, picture: Rendered) -> Score:
    face_up = [label for label in picture.labels if label.state is TileState.FACE_UP]
    seen = tuple(Outline(label.halves, label.quad_px) for label in face_up if label.visible >= COUNTED)
    partial = tuple(Outline(label.halves, label.quad_px) for label in face_up if label.visible < COUNTED)
    found = (d for d in detector.detect(picture.image, CONFIDENCE) if d.pips is not None)
    return score_picture(LabelledPicture("", seen, partial), [Outline(d.pips, d.quad_px, d.confidence) for d in found if d.pips])


def write_card(file: Path, weights: Path, about: Mapping[str, Any], log: Path, tables: Score) -> None:
    """Write the card of a finished training. about: what is in weights.json; log: the seconds of each stage; tables: of `read_tables`."""
    parts = [
        ["# Card of this training", "", "Trained from nothing on pictures that this repository renders."],
        _table(("network", "MB", "SHA-256"), _networks(weights, about["sha256"])),
        ["## Data and recipe", "", "```json", json.dumps(about["recipe"], indent=1), "```"],
        ["## Time", "", *_table(("stage", "minutes"), _minutes(log))],
        ["## On the rendered validation sets", "", *_table(("what", "value"), about["measured"].items())],
        [f"## On {tables.pictures} rendered whole tables", "", *_table(("what", "value"), _figures(tables))],
        ["## Confidence", "", *_table(("confidence", "tiles", "mean", "right"), _confidence(tables)), "", _surest(tables)],
        ["Photographs are measured by `miron evaluate LABELS --weights FOLDER`."],
    ]
    file.write_text("\n\n".join("\n".join(part) for part in parts) + "\n", encoding="utf-8")


def _networks(weights: Path, hashes: Mapping[str, str]) -> Iterable[tuple[Any, ...]]:
    return [(name, round((weights / name).stat().st_size / 1e6, 1), f"`{value}`") for name, value in hashes.items()]


def _minutes(log: Path) -> Iterable[tuple[str, float]]:
    """Each stage with all the time that it took; where a run was stopped and went on there is more than one row."""
    spent: dict[str, float] = {}
    for line in log.read_text().splitlines():
        row = json.loads(line)
        spent[row["stage"]] = spent.get(row["stage"], 0.0) + row["seconds"]
    return [(stage, round(seconds / 60, 1)) for stage, seconds in spent.items()]


def _figures(tables: Score) -> Iterable[tuple[str, str]]:
    return [(name, "–" if value is None else f"{value:.4f}") for name, value in tables.shares().items()]


def _confidence(tables: Score) -> Iterable[tuple[Any, ...]]:
    return [(f"{b.low:g}–{b.high:g}", b.count, f"{b.mean:.3f}", f"{b.right:.3f}") for b in reliability(tables.claims)]


def _surest(tables: Score) -> str:
    count, right = surest(tables.claims)
    return f"Of {count} readings of {SURE:g} or more {right} are right ({'–' if not count else f'{share(right, count):.4f}'})."


def _table(heads: tuple[str, ...], rows: Iterable[tuple[Any, ...]]) -> list[str]:
    return [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|", *(f"| {' | '.join(map(str, row))} |" for row in rows)]
