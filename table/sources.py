"""Where frames come from: a folder of stills, or a recording of stills with its times and the signals given by buttons."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.pictures import list_pictures, read_picture
from rules.errors import BadInput
from rules.observations import Observation, observation_from_dict
from rules.seats import Seat
from vision.frame import Frame

STILL_SPACING_S = 5.0  # pictures without times are taken as so far apart


@dataclass(frozen=True, slots=True)
class StillsFolder:
    """Pictures in name order. files, t_s, seats: one each; signals: observations from buttons and people, by time."""

    files: tuple[Path, ...]
    t_s: tuple[float, ...]
    seats: tuple[Seat | None, ...]
    signals: tuple[Observation, ...] = ()

    def __iter__(self) -> Iterator[Frame | Observation]:
        """Frames and signals in the order of time; a frame before a signal of the same time."""
        waiting = list(self.signals)
        for index, (file, t_s, seat) in enumerate(zip(self.files, self.t_s, self.seats, strict=True)):
            while waiting and waiting[0].t < t_s:
                yield waiting.pop(0)
            yield Frame(read_picture(file), index, t_s, seat)
        yield from waiting


def _json_lines(file: Path) -> list[dict[str, Any]]:
    rows = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip():
            try:
                row = json.loads(line)
            except ValueError:
                row = None
            if not isinstance(row, dict):
                raise BadInput(f"expected a JSON object in line {number} of {file}, found {line[:40]!r}; correct the line")
            rows.append(row)
    return rows


def open_stills(folder: Path) -> StillsFolder:
    """A folder of stills. With `frames.jsonl` its order, times and seats count; `signals.jsonl` holds observations."""
    if not folder.is_dir():
        raise BadInput(
            f"expected a folder of stills, found {'a file' if folder.exists() else 'nothing'} at {folder}; check the path"
        )
    signals_file, frames_file = folder / "signals.jsonl", folder / "frames.jsonl"
    signals = (
        sorted((observation_from_dict(r) for r in _json_lines(signals_file)), key=lambda o: o.t) if signals_file.exists() else []
    )
    if not frames_file.exists():
        files = list_pictures([folder])
        times = tuple(i * STILL_SPACING_S for i in range(len(files)))
        return StillsFolder(tuple(files), times, (None,) * len(files), tuple(signals))
    rows = [row for row in _json_lines(frames_file) if "file" in row]
    if not rows or not all(isinstance(row.get("t_s"), (int, float)) and isinstance(row["file"], str) for row in rows):
        raise BadInput(f'expected rows with "file" and "t_s" in {frames_file}, found others; correct the file')
    seats = tuple(None if r.get("seat") is None else Seat.parse(r["seat"]) for r in rows)
    return StillsFolder(tuple(folder / r["file"] for r in rows), tuple(float(r["t_s"]) for r in rows), seats, tuple(signals))
