"""Where frames come from: a video, a recording, a folder of stills, a camera. `open_source` takes the text that a person gives."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from models.pictures import list_pictures, read_picture
from rules.errors import BadInput
from rules.observations import Observation, observation_from_dict
from rules.seats import Seat
from table.sources_live import LiveSource, is_camera, open_camera
from table.sources_video import FrameTime, VideoFile
from vision.frame import Frame

STILL_SPACING_S = 5.0  # pictures without times are taken as so far apart
VIDEO, FRAMES, SIGNALS = "video.mkv", "frames.jsonl", "signals.jsonl"


class Source(Protocol):
    """Frames in the order of time, with the signals of buttons and people between them. Times are seconds from the source's start."""

    @property
    def signals(self) -> tuple[Observation, ...]:
        """What buttons and people gave; empty where there are none."""
        ...

    @property
    def length(self) -> int | None:
        """How many items will come; None when that is not known."""
        ...

    def __iter__(self) -> Iterator[Frame | Observation]: ...


@dataclass(frozen=True, slots=True)
class StillsFolder:
    """Pictures in name order. files, t_s, seats: one each; signals: observations from buttons and people, by time."""

    files: tuple[Path, ...]
    t_s: tuple[float, ...]
    seats: tuple[Seat | None, ...]
    signals: tuple[Observation, ...] = ()
    live = False

    @property
    def length(self) -> int:
        return len(self.files) + len(self.signals)

    def __iter__(self) -> Iterator[Frame | Observation]:
        """Frames and signals in the order of time; a frame before a signal of the same time."""
        waiting = list(self.signals)
        for index, (file, t_s, seat) in enumerate(zip(self.files, self.t_s, self.seats, strict=True)):
            while waiting and waiting[0].t < t_s:
                yield waiting.pop(0)
            yield Frame(read_picture(file), index, t_s, seat)
        yield from waiting


def open_source(text: str, patient: bool = False) -> VideoFile | StillsFolder | LiveSource:
    """The source that a text names; BadInput when there is none.

    A video file; a folder with `video.mkv` (a recording) or with stills; `v4l2:0`, `picamera:0`; an address with `://`, as `rtsp://…`.
    patient: wait for a camera that is not there yet.
    """
    if is_camera(text):
        return open_camera(text, patient)
    path = Path(text)
    if path.is_dir():
        return open_video_folder(path) if (path / VIDEO).exists() else open_stills(path)
    if not path.exists():
        raise BadInput(f"expected a video, a folder, v4l2:N, picamera:N or rtsp://…, found nothing at {text!r}; check the path")
    video = VideoFile(path)
    _ = video.length  # a file that is no video is refused here, not at the first frame
    return video


def open_video_folder(folder: Path) -> VideoFile:
    """The video of a recording, with the times of `frames.jsonl` and the signals of `signals.jsonl` where they are there."""
    frames = folder / FRAMES
    rows = json_lines(frames, cut=True) if frames.exists() else []
    if not all(_is_number(row.get("t_s")) for row in rows):
        raise BadInput(f'expected rows with "index" and "t_s" in {frames}, found others; correct the file')
    times = tuple(FrameTime(_whole(row.get("index", number), number), float(row["t_s"])) for number, row in enumerate(rows))
    return VideoFile(folder / VIDEO, times, _signals(folder))


def open_stills(folder: Path) -> StillsFolder:
    """A folder of stills. With `frames.jsonl` its order, times and seats count; `signals.jsonl` holds observations."""
    if not folder.is_dir():
        raise BadInput(
            f"expected a folder of stills, found {'a file' if folder.exists() else 'nothing'} at {folder}; check the path"
        )
    frames_file, signals = folder / FRAMES, _signals(folder)
    if not frames_file.exists():
        files = list_pictures([folder])
        times = tuple(i * STILL_SPACING_S for i in range(len(files)))
        return StillsFolder(tuple(files), times, (None,) * len(files), signals)
    rows = [row for row in json_lines(frames_file) if "file" in row]
    if not rows or not all(_is_number(row.get("t_s")) and isinstance(row["file"], str) for row in rows):
        raise BadInput(f'expected rows with "file" and "t_s" in {frames_file}, found others; correct the file')
    seats = tuple(None if r.get("seat") is None else Seat.parse(r["seat"]) for r in rows)
    return StillsFolder(tuple(folder / r["file"] for r in rows), tuple(float(r["t_s"]) for r in rows), seats, signals)


def json_lines(file: Path, cut: bool = False) -> list[dict[str, Any]]:
    """The objects of a file of JSON lines; BadInput names the line that is none. cut: a last line that was torn is left out."""
    rows = []
    lines = file.read_text(encoding="utf-8", errors="replace").split("\n")
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                row = json.loads(line)
            except ValueError:
                row = None
            if not isinstance(row, dict):
                if cut and number == len(lines):
                    break
                raise BadInput(f"expected a JSON object in line {number} of {file}, found {line[:40]!r}; correct the line")
            rows.append(row)
    return rows


def _signals(folder: Path) -> tuple[Observation, ...]:
    file = folder / SIGNALS
    return (
        tuple(sorted((observation_from_dict(r) for r in json_lines(file, cut=True)), key=lambda o: o.t)) if file.exists() else ()
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _whole(value: object, otherwise: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else otherwise
