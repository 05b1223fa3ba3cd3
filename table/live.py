"""One table being watched, put together in one place: `miron watch` and `miron run` differ in their settings and in what they show."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

import rules
from calibration.corners import load_calibration, read_json
from calibration.plane import TablePlane
from calibration.stored import Calibration, calibration_id, calibration_to_form, reduced, write_form
from models.detector import Detector, model_hash, tile_length_px
from models.steady import SteadyDetector
from rules.ruleset import Ruleset
from rules.seats import Seat
from table.commands_desk import CommandDesk
from table.envelope import EventRecord
from table.evidence import FOLDER, Evidence
from table.health import TimedDetector, health
from table.journal import Journal
from table.monitor import Monitor
from table.mqtt import MqttPublisher
from table.mqtt_settings import MqttSettings
from table.pipeline import MID_HAND_S, Detects, Pipeline, Seen
from table.recorder import Recorder
from table.snapshot import state_publisher
from table.sources import StillsFolder
from table.sources_live import LiveSource
from table.sources_video import VideoFile
from table.taking_up import lying
from vision.attention import Attention
from vision.detections import TileDetection
from vision.frame import Frame
from vision.stills import StillsFollower
from vision.watching import Watch

FINER = 0.7  # the picture is looked at as if tiles were so much smaller than they are: their corners, and so their numbers, come out surer


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlan:
    """What a table is watched with, all values checked already.

    journal: the file of the events. calibration: its file. recording: a new folder to record into. evidence: a folder for the
    pictures of what is put to the referee; in a recording they are too. resume: go on with the match that the
    journal holds, if it is not over; a film then goes on where it was left.
    """

    journal: Path
    ruleset: Ruleset
    event: str = "table"
    table: str = "t01"
    opener: Seat | None = None
    teams: Mapping[str, str] = field(default_factory=dict)
    calibration: Path | None = None
    free_layout: bool = False
    mqtt: MqttSettings | None = None
    recording: Path | None = None
    evidence: Path | None = None
    resume: bool = False


class WatchedTable:
    """A table from its source to its journal, screens and recording; to be used with `with`.

    source: as `table.sources.open_source` gives it; detector: another than the one of this release. BadInput for a journal, a
    calibration or a folder that cannot be used.
    """

    def __init__(self, plan: TablePlan, source: VideoFile | StillsFolder | LiveSource, detector: Detects | None = None) -> None:
        self.plan, self.source = plan, source
        self._stopped = False
        self._calibration = _newest(plan)
        self._loaded = calibration = load_calibration(self._calibration) if self._calibration else None
        self.plane = calibration.plane if calibration else None
        self.detector = TimedDetector(detector or TableDetector(self.plane))
        with ExitStack() as stack:
            self.journal = stack.enter_context(Journal(plan.journal, plan.event, plan.table))
            start_s = time.time()
            self.monitor = self._monitor(start_s)
            on_table, numbers = lying(self.monitor)
            follower: Any = StillsFollower(self.plane, plan.opener, plan.free_layout, on_table)
            films = not isinstance(source, StillsFolder)
            self.recorder = stack.enter_context(self._recorder(start_s)) if plan.recording else None
            if self.recorder is not None:
                follower = self.recorder.follower(follower)
            reference = calibration.reference if calibration else None
            self.camera = Watch(reference, self.plane, frozen=_has_noise(source)) if films else None
            attention = Attention(self.plane, MID_HAND_S) if films else None
            self.pipeline = Pipeline(
                self.detector, follower, self.monitor, plan.free_layout, attention, self.camera, self._evidence(), numbers
            )
            self.publisher = self._publisher()
            if self.publisher is not None:
                stack.callback(self.publisher.stop)
            self._publish = self._nothing if self.publisher is None else self._state_out(self.publisher)
            answer = self._unheard if self.publisher is None else self.publisher.answer
            self.desk = CommandDesk(self.monitor, answer, self._publish, recalibrate=self._recalibrate if films else None)
            self._stack = stack.pop_all()

    def events(self, after: Callable[[Seen], None] | None = None) -> Iterator[EventRecord]:
        """Every event as it comes, of the table and of what people say; published when it is given out.

        after: called when a frame or signal has been dealt with.
        """
        if self.publisher is not None:
            self.publisher.start(self.desk.hear, self.health)
            self._publish()
        t_s = 0.0
        for item in self._items():
            t_s = item.t_s if isinstance(item, Frame) else item.t
            yield from self._done(self.pipeline.take(item))
            self.desk.tick(t_s)
            yield from self._done(list(self.desk.serve()))
            if after is not None:
                after(item)
            if self._stopped:
                break
        ended = not self.source.live and not self._stopped
        yield from self._done(self.pipeline.end(t_s) if ended else self.pipeline.leave(t_s))

    def stop(self) -> None:
        """End `events` soon; from any thread or signal handler."""
        self._stopped = True
        if isinstance(self.source, LiveSource):
            self.source.close()

    def finish(self, timeout_s: float) -> bool:
        """Give the broker its time and take leave of it; whether it took everything."""
        if self.publisher is None:
            return True
        sent = self.publisher.drain(timeout_s)
        self.publisher.stop()
        return sent

    def health(self) -> dict[str, Any]:
        """The payload of `health`."""
        return health(self.detector, self.journal, self.desk.waiting, self.camera)

    def __enter__(self) -> WatchedTable:
        return self

    def __exit__(self, *exc: object) -> None:
        self._stack.close()

    def _monitor(self, start_s: float) -> Monitor:
        """The match that was left open, where the plan goes on with it, on the film's own clock where the source is one; else a new one."""
        plan, calibration = self.plan, self._loaded
        seen = orientation(self.plane, calibration.reference if calibration else None)
        ruleset = plan.ruleset.with_switches({"orientation": seen})
        left = Monitor.resume(self.journal, start_s=start_s if self.source.live else None) if plan.resume else None
        return left or Monitor(ruleset, self.journal, start_s=start_s, opener=plan.opener, teams=plan.teams)

    def _items(self) -> Iterator[Seen]:
        """The source through the recorder; a film that goes on begins after what was seen of it."""
        begin_s = max((seen.t for seen in self.monitor.state.heard), default=-1.0) if not self.source.live else -1.0
        items = (item for item in self.source if (item.t_s if isinstance(item, Frame) else item.t) > begin_s)
        return items if self.recorder is None else self.recorder.source(items)

    def _done(self, records: list[EventRecord]) -> list[EventRecord]:
        """What has been told is in the recording and on its way to the screens."""
        if self.recorder is not None:
            self.recorder.after()
        if records:
            self._publish()
        return records

    def _recorder(self, start_s: float) -> Recorder:
        plan = self.plan
        assert plan.recording is not None
        form = read_json(self._calibration) if self._calibration else None
        versions = {"miron": version("miron"), "model": model_hash(), "rules": rules_hash()}
        versions |= {"calibration": calibration_id(self._loaded)} if self._loaded else {}
        return Recorder(plan.recording, self.journal, self.monitor, form, start_s=start_s, versions=versions)

    def _recalibrate(self, accept: bool) -> None:
        """Take the camera's new place as right; a later run that goes on with the match starts from it."""
        self.pipeline.recalibrate(accept)
        frame, camera = self.pipeline.frame, self.camera
        if accept and self._loaded is not None and frame is not None and camera is not None and camera.plane is not None:
            moved = Calibration(camera.plane, self._loaded.method, reduced(frame.image))
            write_form(_moved_file(self.plan), calibration_to_form(moved))

    def _evidence(self) -> Evidence | None:
        """Where the pictures go: the folder that is shown, and the recording's."""
        recorded = None if self.plan.recording is None else self.plan.recording / FOLDER
        folders = [folder for folder in (self.plan.evidence, recorded) if folder is not None]
        return Evidence(folders, self.plane) if folders else None

    def _publisher(self) -> MqttPublisher | None:
        if self.plan.mqtt is None:
            return None
        info = {"schema": 1, "model": model_hash(), "calibrated": self.plane is not None, "capabilities": ["stills", "video"]}
        return MqttPublisher(self.journal, self.plan.mqtt, info)

    def _state_out(self, publisher: MqttPublisher) -> Callable[[], None]:
        known = self.plane is not None and self.plane.knows_seats  # without, a place on the picture is none on the table
        places = self.pipeline.places if known else None
        return state_publisher(self.monitor, publisher, self.plan.event, self.plan.table, places)

    def _nothing(self) -> None:
        """Where nobody is published to."""

    def _unheard(self, name: str, reply: str) -> None:
        """Where nobody asks."""


class TableDetector:
    """The detector of one table: where the calibration tells how long a tile is in the pictures, one size of them is enough, and what looks
    as before is not read again."""

    def __init__(self, plane: TablePlane | None, threads: int = 0, runtime: str = "onnxruntime") -> None:
        self._plane = plane if plane is not None and plane.knows_seats else None
        self._detector, self._size = Detector(threads=threads, runtime=runtime), (0, 0)
        self._steady = SteadyDetector(self._detector)

    def detect(self, image: np.ndarray, min_confidence: float = 0.5) -> list[TileDetection]:
        """Tiles of a BGR uint8 picture, best first."""
        size = image.shape[1], image.shape[0]
        if self._plane is not None and size != self._size:
            length_px = tile_length_px(self._plane.for_image(size), self._plane.tile_mm[0])
            self._detector.tile_px, self._size = None if length_px is None else FINER * length_px, size
            self._steady.length_px = length_px
        return self._steady.detect(image, min_confidence)


def orientation(plane: TablePlane | None, reference: np.ndarray | None) -> str:
    """Whether a picture of the calibration (BGR uint8) shows that the camera's is neither mirrored nor turned: the rule set's switch.

    Where seats are not known nobody is named.
    """
    return "known" if reference is not None or plane is None or not plane.knows_seats else "unknown"


def rules_hash() -> str:
    """SHA-256 over the code of the rules, hex."""
    digest = hashlib.sha256()
    for file in sorted(Path(rules.__file__).parent.rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _moved_file(plan: TablePlan) -> Path:
    """Where the calibration of a camera that was moved and accepted is kept, beside the journal."""
    return plan.journal.with_name(f"{plan.journal.stem}.moved.json")


def _newest(plan: TablePlan) -> Path | None:
    """The calibration to begin with: that of an accepted move, where the match goes on and nobody has calibrated since."""
    moved = _moved_file(plan)
    later = plan.calibration is not None and moved.exists() and moved.stat().st_mtime > plan.calibration.stat().st_mtime
    return moved if plan.resume and later else plan.calibration


def _has_noise(source: VideoFile | StillsFolder | LiveSource) -> bool:
    """Whether equal frames mean that the camera hangs: films and network streams are packed, and repeat what does not change."""
    return isinstance(source, LiveSource) and "://" not in source.name
