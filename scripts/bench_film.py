"""`miron bench film`: what it costs to watch a film, against a network that looks at every frame; replay, delay and memory."""

from __future__ import annotations

import resource
import statistics
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Annotated

import cv2
import numpy as np
import typer

from calibration.corners import load_plane
from rules.errors import BadInput
from rules.ruleset import ruleset_named
from scripts.bench_table import Row, show
from table.envelope import EventRecord
from table.film_write import FilmOrder, play_film, write_film
from table.live import TableDetector, TablePlan, WatchedTable
from table.pipeline import Detects
from table.recording import open_recording
from table.replay import Replay
from table.sources import json_lines, open_video_folder
from table.sources_video import VideoFile
from vision.detections import TileDetection
from vision.frame import Frame

SIZE_PX, FPS, SEED = (1280, 960), 10.0, 24
TRACKED = 40  # frames that the yardstick gets: each costs it the same
RULES = ruleset_named("dusa").with_switches({"pass_channel": "unreliable"})


def measure(
    film: Annotated[
        Path | None, typer.Option(help="A folder as miron simulate writes it; rendered anew where none is named.")
    ] = None,
    minutes: Annotated[float, typer.Option(min=0.0, help="Minutes of film for the memory: it is shown again and again.")] = 0.0,
) -> None:
    """CPU seconds of one thread for a minute of film, the speed of its replay, the delay of its plays, and the memory it takes."""
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as place:
        folder = film or _rendered(Path(place) / "film")
        if not (folder / "truth.jsonl").exists():
            raise BadInput(
                f"expected a film with its truth, found no truth.jsonl in {folder}; name one that miron simulate wrote"
            )
        watched = _watched(folder, Path(place))
        rows = [*_costs(watched), *_tracked(folder, watched), *_replayed(watched), *_delays(folder, watched)]
        rows += _memory(folder, watched, minutes, Path(place)) if minutes else []
    width, height = watched.last.size_px
    show(f"a film of {width}x{height}, {watched.frames} frames in {watched.film_s:.0f} s", rows)


class _Looks:
    """A detector that counts what it costs, and keeps what it said."""

    def __init__(self, detector: Detects) -> None:
        self._detector, self.cpu_s = detector, 0.0
        self.said: list[list[TileDetection]] = []

    def detect(self, image: np.ndarray, min_confidence: float = 0.0) -> list[TileDetection]:
        began = process_time()
        self.said.append(self._detector.detect(image, min_confidence))
        self.cpu_s += process_time() - began
        return self.said[-1]


class _Again:
    """Says what was said before, over and over."""

    def __init__(self, said: list[list[TileDetection]]) -> None:
        self._said, self._count = said, 0

    def detect(self, image: np.ndarray, min_confidence: float = 0.0) -> list[TileDetection]:
        self._count += 1
        return self._said[(self._count - 1) % len(self._said)]


@dataclass(frozen=True)
class _Watched:
    """One watching of the film: what the detector said and cost, the events, all CPU seconds, the last frame, how many there were."""

    looks: _Looks
    events: list[EventRecord]
    cpu_s: float
    last: Frame
    frames: int
    recording: Path

    @property
    def film_s(self) -> float:
        return self.last.t_s


def _rendered(folder: Path) -> Path:
    write_film(play_film(FilmOrder(seed=SEED, fps=FPS, size_px=SIZE_PX)), folder)
    return folder


def _watched(folder: Path, place: Path) -> _Watched:
    """Watch it for what that costs; then, with the same answers of the detector, to have a recording."""
    calibration = folder / "calibration.json"
    looks = _Looks(TableDetector(load_plane(calibration), threads=1))
    began = process_time()
    events, last, frames = _follow(TablePlan(journal=place / "1.db", ruleset=RULES, calibration=calibration), folder, looks)
    cpu_s = process_time() - began
    recorded = TablePlan(journal=place / "2.db", ruleset=RULES, calibration=calibration, recording=place / "recording")
    _follow(recorded, folder, _Again(looks.said))
    return _Watched(looks, events, cpu_s, last, frames, place / "recording")


def _follow(plan: TablePlan, folder: Path, detector: Detects) -> tuple[list[EventRecord], Frame, int]:
    frames: list[Frame] = []
    count = 0

    def after(item: object) -> None:
        nonlocal count
        if isinstance(item, Frame):
            count += 1
            frames[:] = [item]

    with WatchedTable(plan, open_video_folder(folder), detector) as table:
        events = list(table.events(after))
    return events, frames[0], count


def _costs(watched: _Watched) -> list[Row]:
    minute, looks = 60 / watched.film_s, len(watched.looks.said)
    frames_s = watched.cpu_s - watched.looks.cpu_s
    return [
        Row("watching a minute of film, all", watched.cpu_s * minute, "s of CPU"),
        Row("of that without the detector", frames_s * minute, "s of CPU"),
        Row("a frame without the detector, decoded", frames_s * 1e3 / watched.frames, "ms of CPU"),
        Row("looks of the detector in a minute of film", looks * minute, ""),
        Row("a look", watched.looks.cpu_s * 1e3 / max(looks, 1), "ms of CPU"),
    ]


def _tracked(folder: Path, watched: _Watched) -> list[Row]:
    """Plain ultralytics looking at every frame, its tracker left out; nothing where it is not installed."""
    from models.training.yardstick import ultralytics_every_frame

    with suppress(ImportError):
        track, spent, began = ultralytics_every_frame(), [], process_time()
        for frame, _ in zip(_frames(folder), range(TRACKED), strict=False):
            track(frame.image)
            spent.append(process_time() - began)  # decoding it included, as in miron's own figure
            began = process_time()
        minute_s = statistics.median(spent[3:]) * 60 * watched.frames / watched.film_s
        ratio = minute_s / (watched.cpu_s * 60 / watched.film_s)
        return [
            Row("YOLO11n at 640 px on every frame of a minute", minute_s, "s of CPU"),
            Row("that over miron's", ratio, "×"),
        ]
    return []


def _frames(folder: Path) -> Iterable[Frame]:
    return (item for item in open_video_folder(folder) if isinstance(item, Frame))


def _replayed(watched: _Watched) -> list[Row]:
    """How many times faster than at the table on one core: from the looks, and from the pictures."""

    def speed(play: Callable[[Replay], Iterable[EventRecord]]) -> float:
        with Replay(open_recording(watched.recording)) as replay:
            began = process_time()
            list(play(replay))
            return watched.film_s / (process_time() - began)

    plane = load_plane(watched.recording / "calibration.json")
    return [
        Row(
            "replay from detections, times real time of a core",
            statistics.median(speed(lambda r: r.from_looks()) for _ in range(3)),
            "×",
        ),
        Row("replay from frames, times real time of a core", speed(lambda r: r.from_frames(TableDetector(plane))), "×"),
    ]


def _delays(folder: Path, watched: _Watched) -> list[Row]:
    """From the first frame in which a tile lies released to the time of the frame that its event comes from."""
    laid = {str(row["tile"]): float(row["t"]) for row in json_lines(folder / "truth.jsonl") if row["kind"] == "place"}
    told = {str(e.data["tile"]): e.t_s for e in reversed(watched.events) if e.type == "tile_played"}
    late = [told[tile] - t_s for tile, t_s in laid.items() if tile in told]
    fps = watched.frames / watched.film_s
    share = Row("plays told of those laid", 100 * len(late) / max(len(laid), 1), "%")
    if not late:
        return [share]
    return [
        share,
        Row("from release to event, median", statistics.median(late), "s"),
        Row("the same in frames", statistics.median(late) * fps, "frames"),
        Row("from release to event, longest", max(late), "s"),
    ]


def _memory(folder: Path, watched: _Watched, minutes: float, place: Path) -> list[Row]:
    """Resident memory while the film is shown again and again with the detector's answers of before."""
    calibration = folder / "calibration.json"
    rounds = max(1, round(minutes * 60 / watched.film_s))
    film = open_video_folder(folder)
    looped = _Looped(film, rounds, watched.film_s + 60.0)
    plan = TablePlan(journal=place / "3.db", ruleset=RULES, calibration=calibration, evidence=place / "evidence")
    samples: list[float] = []

    def after(item: object) -> None:
        if isinstance(item, Frame) and item.index == 0:
            samples.append(_resident_mb())

    with WatchedTable(plan, looped, _Again(watched.looks.said)) as table:  # type: ignore[arg-type]
        for _ in table.events(after):
            pass
    samples.append(_resident_mb())
    later = samples[len(samples) // 4 :]
    return [
        Row("minutes of film for the memory", rounds * watched.film_s / 60, "min"),
        Row("resident after a quarter of them", later[0], "MB"),
        Row("resident at the end", later[-1], "MB"),
        Row("most", max(samples), "MB"),
        Row("highest that the process ever had", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "MB"),
    ]


@dataclass(frozen=True)
class _Looped:
    """A film that begins again when it ends, a minute later."""

    film: VideoFile
    rounds: int
    length_s: float
    live = False
    length = None
    signals = ()

    def __iter__(self) -> Iterable[Frame]:
        for n in range(self.rounds):
            for frame in self.film:
                if isinstance(frame, Frame):
                    yield Frame(frame.image, frame.index, n * self.length_s + frame.t_s)


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20
