"""A simulated film watched from its pictures: the events of both rule sets, for benchmarks and tests of faults."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from calibration.corners import plane_from_form
from calibration.plane import TablePlane
from rules.observations import Observation
from rules.ruleset import RULESETS, Ruleset
from rules.seats import Seat
from table.film_write import Shooting
from table.journal import Journal
from table.monitor import Monitor
from table.pipeline import Detects, Pipeline
from vision.attention import Attention, Witness
from vision.detections import TileDetection
from vision.frame import Frame
from vision.stills import StillsFollower
from vision.watching import Watch

Events = list[dict[str, Any]]


@dataclass(slots=True)
class WatchedFilm:
    """events: by rule set; looks: how many pictures the detector was given."""

    events: dict[str, Events]
    looks: int


def watch_film(shot: Shooting, opener: Seat | None, detector: Detects, reference: np.ndarray | None = None) -> WatchedFilm:
    """Watch a film as `miron watch` does. The pictures are read once: what the looks found is judged under each rule set.

    reference: the picture of the calibration, where there is one (BGR uint8).
    """
    plane = plane_from_form(shot.calibration)
    noting = _Noting(detector, Attention(plane))

    follower = _Knowing(plane, opener)

    def told(
        ruleset: Ruleset, eyes: Any, follower: StillsFollower, frames: Iterable[Frame], camera: Watch | None = None
    ) -> Events:
        rules = ruleset.with_switches({"pass_channel": "unreliable"})
        with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "journal.db", "film", "t01") as journal:
            monitor = Monitor(rules, journal, start_s=0.0, opener=opener)
            pipeline = Pipeline(eyes, follower, monitor, attention=eyes, camera=camera)
            return [json.loads(record.line()) for record in pipeline.run(frames)]

    (first, rules), *others = RULESETS.items()
    events = {first: told(rules, noting, follower, shot.frames(), Watch(reference, plane))}
    looks = noting.looks
    for name, rules in others:
        events[name] = told(
            rules, _Repeating(looks, follower.knew), StillsFollower(plane, opener), [look.frame for look in looks]
        )
    return WatchedFilm(events, len(looks))


class _Look(NamedTuple):
    frame: Frame
    witness: Witness
    tiles: list[TileDetection]


class _Noting:
    """Attention and detector in one, which note what they say."""

    def __init__(self, detector: Detects, attention: Attention) -> None:
        self._detector, self._attention = detector, attention
        self.looks: list[_Look] = []
        self._now: tuple[Frame, Witness] | None = None

    @property
    def knows_seats(self) -> bool:
        return self._attention.knows_seats

    def watch(self, frame: Frame) -> Witness | None:
        witness = self._attention.watch(frame)
        blank = np.broadcast_to(np.uint8(0), frame.image.shape)
        self._now = None if witness is None else (Frame(blank, frame.index, frame.t_s), witness)
        return witness

    def detect(self, image: np.ndarray, min_confidence: float) -> list[TileDetection]:
        assert self._now is not None
        self.looks.append(_Look(*self._now, self._detector.detect(image, min_confidence)))
        return self.looks[-1].tiles

    def looked(self, t_s: float, leaves_question: bool) -> None:
        self._attention.looked(t_s, leaves_question)


class _Knowing(StillsFollower):
    """A follower that notes at which looks it knew whose arms had been over the table: after a gap nobody does."""

    def __init__(self, plane: TablePlane, opener: Seat | None) -> None:
        super().__init__(plane, opener)
        self.knew: list[bool] = []

    def look(
        self,
        detections: Sequence[TileDetection],
        image_size: tuple[int, int],
        t_s: float,
        frame: int,
        witness: Witness | None = None,
    ) -> tuple[Observation, ...]:
        self.knew.append(witness is not None)
        return super().look(detections, image_size, t_s, frame, witness)


class _Repeating:
    """Attention and detector that say again what was noted, one frame after the other."""

    def __init__(self, looks: Sequence[_Look], knew: Sequence[bool]) -> None:
        self._coming, self.knows_seats = iter(zip(looks, knew, strict=True)), True
        self._look: _Look | None = None

    def watch(self, frame: Frame) -> Witness:
        self._look, self.knows_seats = next(self._coming)
        return self._look.witness

    def detect(self, image: np.ndarray, min_confidence: float) -> list[TileDetection]:
        assert self._look is not None
        return self._look.tiles

    def looked(self, t_s: float, leaves_question: bool) -> None:
        pass
