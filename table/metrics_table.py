"""What one running table is measured by. docs/operating.md says what each figure means."""

from __future__ import annotations

import importlib.metadata
import json
import os
import shutil
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np

from table.doctor_machine import temperatures
from table.envelope import EventRecord
from table.live import WatchedTable
from table.metrics import Counter, Histogram, Metric, Sample, exposition
from table.pipeline import MIN_CONFIDENCE, Detects
from table.sources_live import LiveSource
from vision.detections import TileDetection
from vision.frame import Frame
from vision.watching import State

LOOK_BOUNDS_S = (0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 5.0)
FPS_WINDOW_S = 10.0


class MeasuredDetector:
    """A detector whose looks go into a histogram."""

    def __init__(self, detector: Detects, took: Histogram) -> None:
        self._detector, self._took = detector, took

    def detect(self, image: np.ndarray, min_confidence: float = MIN_CONFIDENCE) -> list[TileDetection]:
        """Tiles of a BGR uint8 picture, as the detector finds them."""
        began = time.monotonic()
        found = self._detector.detect(image, min_confidence)
        self._took.add(time.monotonic() - began)
        return found


class TableMetrics:
    """The figures of a table: fed by the thread that watches it, read by any other."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.looks, self.events, self.frames = Histogram(LOOK_BOUNDS_S), Counter("type"), Counter()
        self._now, self._began_s = now, now()
        self._times: deque[float] = deque(maxlen=1000)  # of the last frames

    def saw(self, item: object) -> None:
        """A frame or a signal has been dealt with."""
        if isinstance(item, Frame):
            self.frames.add()
            self._times.append(self._now())

    def told(self, record: EventRecord) -> None:
        """An event was written."""
        self.events.add(record.type)

    @property
    def fps(self) -> float:
        """Frames a second over the last ten seconds, or since the start where that is less."""
        window_s = min(FPS_WINDOW_S, max(self._now() - self._began_s, 0.1))
        return sum(then >= self._now() - window_s for then in list(self._times)) / window_s

    def text(self, table: WatchedTable) -> str:
        """All of it in the text format of Prometheus."""
        return exposition([*self._own(), *_of_table(table), *_of_machine(table.plan.journal.parent)])

    def _own(self) -> Iterator[Metric]:
        yield Metric("miron_frames_total", "counter", "Frames that were watched.", self.frames.read)
        yield Metric("miron_frames_per_second", "gauge", "Frames watched a second, over ten seconds.", lambda: [Sample(self.fps)])
        yield Metric("miron_frame_age_seconds", "gauge", "How long ago the last frame came; none yet: no sample.", self._age)
        yield Metric("miron_look_seconds", "histogram", "How long the detector took for a look at the table.", self.looks.read)
        yield Metric("miron_events_total", "counter", "Events written since the start, by type.", self.events.read)

    def _age(self) -> list[Sample]:
        return [Sample(self._now() - self._times[-1])] if self._times else []


def _of_table(table: WatchedTable) -> Iterator[Metric]:
    journal, publisher, source = table.journal, table.publisher, table.source
    who = {"event": journal.event, "table": journal.table, "boot": journal.boot, "version": importlib.metadata.version("miron")}
    yield _one("miron_info", "gauge", "Always 1; its labels say who this is.", lambda: 1, who)
    yield _one("miron_journal_last_seq", "gauge", "Number of the newest event.", lambda: journal.last_seq)
    waiting = "Events that no broker has acknowledged yet."
    yield _one("miron_outbox_waiting", "gauge", waiting, lambda: journal.last_seq - journal.acknowledged)
    yield _one("miron_commands_waiting", "gauge", "Commands that nobody has carried out yet.", lambda: table.desk.waiting)
    yield _one("miron_open_alerts", "gauge", "Incidents that wait for a referee.", lambda: len(_alerts(table)))
    state = "1 for the state that the camera is in (docs/operating.md)."
    yield Metric("miron_watching", "gauge", state, lambda: _states(table))
    yield Metric("miron_blur", "gauge", "How much less sharp than the calibrated view, 0 to 1.", lambda: _known(table, "blur"))
    yield Metric(
        "miron_drift_mm", "gauge", "How far the camera has moved, millimetres on the table.", lambda: _known(table, "drift_mm")
    )
    if publisher is not None:
        yield _one("miron_broker_connected", "gauge", "Whether a broker has accepted us.", lambda: publisher.connected)
        yield _one("miron_broker_connections_total", "counter", "How often a broker accepted us.", lambda: publisher.connections)
    if isinstance(source, LiveSource):
        yield _one("miron_camera_openings_total", "counter", "How often the camera was opened.", lambda: source.openings)


def _of_machine(folder: Path) -> Iterator[Metric]:
    yield Metric("miron_temperature_celsius", "gauge", "Temperature of each sensor.", _temperatures)
    yield _one("miron_disk_free_bytes", "gauge", "Room where journal and recordings are.", lambda: shutil.disk_usage(folder).free)
    yield _one("process_cpu_seconds_total", "counter", "Processor time used.", time.process_time)
    yield _one("process_resident_memory_bytes", "gauge", "Memory in use.", _resident_bytes)


def _one(name: str, kind: str, meaning: str, value: Callable[[], float], labels: dict[str, str] | None = None) -> Metric:
    return Metric(name, kind, meaning, lambda: [Sample(float(value()), labels or {})])  # type: ignore[arg-type]


def _states(table: WatchedTable) -> Iterable[Sample]:
    current = table.camera.current.state if table.camera is not None else State.WATCHING
    return [Sample(float(state is current), {"state": state.value}) for state in State]


def _known(table: WatchedTable, figure: str) -> Iterable[Sample]:
    """A figure of the table's health; no sample while nobody knows it."""
    value = table.health()[figure]
    return [] if value is None else [Sample(value)]


def _alerts(table: WatchedTable) -> list[object]:
    """Those of the last state that was published: the monitor itself belongs to another thread."""
    return list(json.loads(table.journal.snapshot() or "{}").get("alerts", []))


def _resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _temperatures() -> Iterable[Sample]:
    return [Sample(degrees, {"sensor": name}) for name, degrees in temperatures().items()]
