"""A simulated film watched from its pictures: the events of both rule sets, for benchmarks and tests of faults."""

from __future__ import annotations

import json
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from calibration.corners import plane_from_form
from rules.ruleset import RULESETS
from rules.seats import Seat
from table.envelope import EventRecord
from table.film_write import Shooting
from table.journal import Journal
from table.live import orientation
from table.monitor import Monitor
from table.pipeline import MIN_CONFIDENCE, Detects, Pipeline
from vision.attention import Attention
from vision.detections import TileDetection
from vision.stills import StillsFollower
from vision.watching import Watch

Events = list[dict[str, Any]]


@dataclass(slots=True)
class WatchedFilm:
    """events: by rule set; looks: how many pictures the detector was given."""

    events: dict[str, Events]
    looks: int


def watch_film(shot: Shooting, opener: Seat | None, detector: Detects, reference: np.ndarray | None = None) -> WatchedFilm:
    """Watch a film as `miron watch` does, under both rule sets at once: each picture is drawn once, and read once.

    reference: the picture of the calibration, where there is one (BGR uint8).
    """
    plane, eyes = plane_from_form(shot.calibration), _Once(detector)
    switches = {"pass_channel": "unreliable", "orientation": orientation(plane, reference)}
    events: dict[str, Events] = {name: [] for name in RULESETS}

    def tell(name: str, records: list[EventRecord]) -> None:
        events[name] += [json.loads(record.line()) for record in records]

    with ExitStack() as stack:
        folder, tables = Path(stack.enter_context(tempfile.TemporaryDirectory())), dict[str, Pipeline]()
        for name, ruleset in RULESETS.items():
            journal = stack.enter_context(Journal(folder / f"{name}.db", "film", "t01"))
            monitor = Monitor(ruleset.with_switches(switches), journal, start_s=0.0, opener=opener)
            follower = StillsFollower(plane, opener)
            tables[name] = Pipeline(eyes, follower, monitor, attention=Attention(plane), camera=Watch(reference, plane))
        t_s = 0.0
        for frame in shot.frames():
            t_s = frame.t_s
            for name, pipeline in tables.items():
                tell(name, pipeline.take(frame))
        for name, pipeline in tables.items():
            tell(name, list(pipeline.end(t_s)))
    return WatchedFilm(events, eyes.looks)


class _Once:
    """A detector that reads a picture once, whoever asks for it in turn; looks: how many it has read."""

    def __init__(self, detector: Detects) -> None:
        self._detector, self.looks = detector, 0
        self._image: np.ndarray | None = None
        self._found: list[TileDetection] = []

    def detect(self, image: np.ndarray, min_confidence: float = MIN_CONFIDENCE) -> list[TileDetection]:
        if image is not self._image:
            self._image, self._found = image, self._detector.detect(image, min_confidence)
            self.looks += 1
        return self._found
