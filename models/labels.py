"""Label files and files of detections: one JSON object a picture and line, as `miron detect --json` writes them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from models.scoring import LabelledPicture, Outline
from rules.errors import BadInput
from rules.tiles import Tile

EXAMPLE = '{"image": "a.jpg", "tiles": [{"tile": "2-5", "quad": [[x, y], [x, y], [x, y], [x, y]]}]}'


def read_labels(file: Path) -> list[LabelledPicture]:
    """The labelled pictures of a file. BadInput with the line's number for a row that is none."""
    return [_picture(row, f"{file} line {n}") for n, row in _rows(file)]


def read_detections(file: Path) -> dict[str, list[Outline]]:
    """Face-up tiles by the picture's name as it stands in the file."""
    return {
        _name(row, f"{file} line {n}"): [_outline(t, f"{file} line {n}") for t in row.get("tiles", []) if _face_up(t)]
        for n, row in _rows(file)
    }


def found_for(image: str, by_name: dict[str, list[Outline]]) -> list[Outline] | None:
    """What was found in a labelled picture, whose name may stand there as a longer or a shorter path; None when it was not looked at."""
    if image in by_name:
        return by_name[image]
    return next((v for k, v in by_name.items() if k.endswith("/" + image) or image.endswith("/" + k)), None)


def _rows(file: Path) -> Iterable[tuple[int, dict[str, Any]]]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"expected a file of JSON lines, found {file} which cannot be read ({error}); check the path") from error
    for n, line in enumerate(lines, 1):
        if line.strip():
            yield n, _row(line, f"{file} line {n}")


def _row(line: str, where: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise BadInput(f"expected {EXAMPLE}, found no JSON in {where} ({error}); correct that line") from error
    if not isinstance(row, dict) or not isinstance(row.get("tiles", []), list):
        raise BadInput(f"expected {EXAMPLE}, found {line[:60]!r} in {where}; correct that line")
    return row


def _name(row: dict[str, Any], where: str) -> str:
    if not isinstance(row.get("image"), str):
        raise BadInput(f'expected a row with "image", found {str(row)[:60]!r} in {where}; correct that line')
    return row["image"]


def _face_up(tile: Any) -> bool:
    return not isinstance(tile, dict) or tile.get("state", "face_up") == "face_up"


def _picture(row: dict[str, Any], where: str) -> LabelledPicture:
    tiles = [(t, _outline(t, where)) for t in row.get("tiles", []) if _face_up(t)]
    whole = tuple(outline for t, outline in tiles if t.get("visible") != "partial")
    partial = tuple(outline for t, outline in tiles if t.get("visible") == "partial")
    try:
        ignore = tuple((float(x), float(y), float(w), float(h)) for x, y, w, h in row.get("ignore") or ())
    except (TypeError, ValueError) as error:
        raise BadInput(f'expected "ignore": [[x, y, width, height]], found {row["ignore"]!r} in {where}; correct it') from error
    return LabelledPicture(_name(row, where), whole, partial, ignore)


def _outline(tile: Any, where: str) -> Outline:
    try:
        read = Tile.parse(tile["tile"])
        quad = np.array(tile["quad"], np.float32)
        confidence = float(tile.get("confidence", 1.0))
        if quad.shape != (4, 2) or not np.isfinite(quad).all():
            raise ValueError(f"quad of shape {quad.shape}")
    except (AttributeError, KeyError, TypeError, ValueError) as error:  # BadInput is a ValueError
        raise BadInput(f"expected a tile as in {EXAMPLE}, found {str(tile)[:80]!r} in {where}; correct that line") from error
    return Outline((read.low, read.high), quad, confidence)
