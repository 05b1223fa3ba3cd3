"""What one running table is measured by, for Prometheus. docs/operating.md says what each figure means."""

from __future__ import annotations

import contextlib
import importlib.metadata
import json
import shutil
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator

import numpy as np
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    start_http_server,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from rules.errors import BadInput
from table.doctor_machine import temperatures
from table.envelope import EventRecord
from table.live import WatchedTable
from table.pipeline import MIN_CONFIDENCE, Detects
from table.sources_live import LiveSource
from vision.detections import TileDetection
from vision.frame import Frame
from vision.watching import State

LOOK_BOUNDS_S = (0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 5.0)
FPS_WINDOW_S = 10.0


class TableMetrics:
    """The figures of a table: fed by the thread that watches it, read by any other from `registry`."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        disable_created_metrics()  # when a counter began is when the program did
        self.registry = CollectorRegistry()
        self._now, self._began_s = now, now()
        self._times: deque[float] = deque(maxlen=1000)  # of the last frames
        self._frames = Counter("miron_frames_total", "Frames that were watched.", registry=self.registry)
        self._events = Counter("miron_events_total", "Events written, by type.", ["type"], registry=self.registry)
        took = "How long the detector took for a look at the table."
        self._looks = Histogram("miron_look_seconds", took, buckets=LOOK_BOUNDS_S, registry=self.registry)
        fps = Gauge("miron_frames_per_second", "Frames watched a second, over ten seconds.", registry=self.registry)
        fps.set_function(lambda: self.fps)
        self.registry.register(_Figures(self._own))
        ProcessCollector(registry=self.registry)

    def timed(self, detector: Detects) -> Detects:
        """The same detector, whose looks are counted."""
        return _Timed(detector, self._looks)

    def follow(self, table: WatchedTable) -> None:
        """Tell of this table too, and of the machine that it runs on."""
        about = {"event": table.plan.event, "table": table.plan.table, "boot": table.journal.boot}
        about["version"] = importlib.metadata.version("miron")
        who = Gauge("miron_info", "Always 1; its labels say who this is.", list(about), registry=self.registry)
        who.labels(**about).set(1)
        self.registry.register(_Figures(lambda: _of_table(table)))

    def saw(self, item: object) -> None:
        """A frame or a signal has been dealt with."""
        if isinstance(item, Frame):
            self._frames.inc()
            self._times.append(self._now())

    def told(self, record: EventRecord) -> None:
        """An event was written."""
        self._events.labels(record.type).inc()

    @property
    def fps(self) -> float:
        """Frames a second over the last ten seconds, or since the start where that is less."""
        window_s = min(FPS_WINDOW_S, max(self._now() - self._began_s, 0.1))
        return sum(then >= self._now() - window_s for then in list(self._times)) / window_s

    def _own(self) -> Iterator[Figure]:
        age = lambda: self._now() - self._times[-1] if self._times else None  # noqa: E731
        yield "miron_frame_age_seconds", "How long ago the last frame came; none yet: no sample.", age


@contextlib.contextmanager
def serving(registry: CollectorRegistry, host: str, port: int) -> Iterator[str]:
    """Serves the figures in threads of their own; gives the address. BadInput when it cannot be had; port 0 takes a free one."""
    try:
        server, thread = start_http_server(port, host, registry)
    except (OSError, OverflowError) as error:
        raise BadInput(f"expected to serve metrics on port {port} of {host}, found: {error}; set metrics.port") from None
    try:
        yield f"http://{host}:{server.server_port}/metrics"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Timed:
    def __init__(self, detector: Detects, took: Histogram) -> None:
        self._detector, self._took = detector, took

    def detect(self, image: np.ndarray, min_confidence: float = MIN_CONFIDENCE) -> list[TileDetection]:
        with self._took.time():
            return self._detector.detect(image, min_confidence)


Value = float | dict[str, float] | None
"""One number, one for each value of a label, or none while nobody knows it."""
Figure = tuple[str, str, Callable[[], Value]]
"""Name, meaning, and what reads it; a name that ends with `_total` is a counter's."""
LABELS = {"miron_watching": "state", "miron_temperature_celsius": "sensor"}


class _Figures(Collector):
    """Figures that are read when somebody asks. One that cannot be read now is left out: the others are still worth having."""

    def __init__(self, figures: Callable[[], Iterable[Figure]]) -> None:
        self._figures = figures

    def collect(self) -> Iterator[Metric]:
        """The metrics as they are now."""
        for name, meaning, read in self._figures():
            try:
                value = read()
            except (OSError, BadInput):
                continue
            if value is not None:
                yield _metric(name, meaning, value)


def _metric(name: str, meaning: str, value: float | dict[str, float]) -> Metric:
    family = CounterMetricFamily if name.endswith("_total") else GaugeMetricFamily
    if not isinstance(value, dict):
        return family(name, meaning, value=float(value))
    metric = family(name, meaning, labels=[LABELS[name]])
    for label, number in value.items():
        metric.add_metric([label], number)
    return metric


def _of_table(table: WatchedTable) -> Iterator[Figure]:
    journal, publisher, source = table.journal, table.publisher, table.source
    yield "miron_journal_last_seq", "Number of the newest event.", lambda: journal.last_seq
    waiting = "Events that no broker has acknowledged yet."
    yield "miron_outbox_waiting", waiting, lambda: journal.last_seq - journal.acknowledged
    yield "miron_commands_waiting", "Commands that nobody has carried out yet.", lambda: table.desk.waiting
    yield "miron_open_alerts", "Incidents that wait for a referee.", lambda: len(_alerts(table))
    yield "miron_watching", "1 for the state that the camera is in (docs/operating.md).", lambda: _states(table)
    yield "miron_blur", "How much less sharp than the calibrated view, 0 to 1.", lambda: table.health()["blur"]
    yield "miron_drift_mm", "How far the camera has moved, millimetres on the table.", lambda: table.health()["drift_mm"]
    if publisher is not None:
        yield "miron_broker_connected", "Whether a broker has accepted us.", lambda: publisher.connected
        yield "miron_broker_connections_total", "How often a broker accepted us.", lambda: publisher.connections
    if isinstance(source, LiveSource):
        yield "miron_camera_openings_total", "How often the camera was opened.", lambda: source.openings
    folder = table.plan.journal.parent
    yield "miron_disk_free_bytes", "Room where journal and recordings are.", lambda: shutil.disk_usage(folder).free
    yield "miron_temperature_celsius", "Temperature of each sensor.", temperatures


def _states(table: WatchedTable) -> dict[str, float]:
    current = table.camera.current.state if table.camera is not None else State.WATCHING
    return {state.value: float(state is current) for state in State}


def _alerts(table: WatchedTable) -> list[object]:
    """Those of the last state that was published: the monitor itself belongs to another thread."""
    return list(json.loads(table.journal.snapshot() or "{}").get("alerts", []))
