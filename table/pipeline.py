"""From pictures to events: detector, follower, monitor, in one place. Live, stills and replay differ in the source and the sinks alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from rules.events import ReadingDoubted, TilePlayed
from rules.observations import Clock, Correction, Expose, Observation, Place, Withdraw
from rules.seats import Seat
from table.envelope import EventRecord
from table.monitor import Monitor
from vision.detections import TileDetection
from vision.frame import Frame
from vision.stills import StillsFollower


class Detects(Protocol):
    """What the pipeline asks of a detector."""

    def detect(self, image: np.ndarray, min_confidence: float = ...) -> list[TileDetection]:
        """Tiles of a BGR uint8 picture."""
        ...


Seen = Frame | Observation
MIN_CONFIDENCE = 0.3  # the follower weighs doubtful readings itself


class Pipeline:
    """One table being watched. `free_layout`: another game lies there, new tiles are told and nothing is judged."""

    def __init__(self, detector: Detects, follower: StillsFollower, monitor: Monitor, free_layout: bool = False) -> None:
        self._detector, self._follower, self._free_layout = detector, follower, free_layout
        self.monitor = monitor
        self._numbers: list[tuple[int, int]] = []  # the follower's own observations: their match and number in it

    def run(
        self, source: Iterable[Frame | Observation], after: Callable[[Frame | Observation], None] | None = None
    ) -> Iterator[EventRecord]:
        """Events as they come. after: called when a frame or signal has been dealt with (progress, pacing, publishing).

        When the source ends nobody will count any more: a domination that waits for the count is then scored from the line.
        """
        t_s = 0.0
        for item in source:
            t_s = item.t_s if isinstance(item, Frame) else item.t
            yield from self.look(item) if isinstance(item, Frame) else self.monitor.observe(item)
            if after is not None:
                after(item)
        yield from self.monitor.observe(Clock(t=t_s + self.monitor.state.ruleset.count_wait_s))

    def look(self, frame: Frame) -> list[EventRecord]:
        """What one settled frame tells."""
        found = self._detector.detect(frame.image, MIN_CONFIDENCE)
        looked = self._follower.look(found, frame.size_px, frame.t_s, frame.index)
        seen = [_with_seat(observation, frame.seat) for observation in looked]
        return self._tell_freely(seen) if self._free_layout else self._judge(seen)

    def _judge(self, seen: Sequence[Observation]) -> list[EventRecord]:
        records = []
        for observation in seen:
            self._numbers.append((self.monitor.match, len(self.monitor.state.observations)))
            if isinstance(observation, Correction):
                match, number = self._numbers[observation.voids]
                if match != self.monitor.match or self.monitor.settled(number):
                    continue  # of a match that is over, or a person has said what it was
                observation = replace(observation, voids=number)
            records += self.monitor.observe(observation)
        return records

    def _tell_freely(self, seen: Sequence[Observation]) -> list[EventRecord]:
        records = []
        for place in seen:
            if not isinstance(place, Place):
                continue
            if place.tile is None:
                doubt = ReadingDoubted(obs=0, candidates=place.candidates, seat=None, end="open")
                records.append(self.monitor.tell(doubt, place))
            else:
                played = TilePlayed(obs=0, seat=None, tile=place.tile, end="open", ends=(None, None),
                                    confidence=place.confidence, pose_deg=place.pose_deg)  # fmt: skip
                records.append(self.monitor.tell(played, place))
        return records


def _with_seat(observation: Observation, told: Seat | None) -> Observation:
    """What the camera saw with the seat that a person told; where the two witnesses disagree the seat is not known."""
    if told is None or not isinstance(observation, (Place, Withdraw, Expose)):
        return observation
    return replace(observation, seat=told if observation.seat in (None, told) else None)
