"""From pictures to events: detector, follower, monitor, in one place. Live, stills and replay differ in the source and the sinks alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from rules.events import ReadingDoubted, TilePlayed
from rules.observations import Clock, Correction, Expose, Observation, Pass, Place, Withdraw
from rules.seats import Seat
from table.envelope import EventRecord
from table.monitor import Monitor
from vision.attention import Attention, Witness
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
    """One table being watched. `free_layout`: another game lies there, new tiles are told and nothing is judged.

    attention: decides in a film which frames are looked at; None: every frame is a settled look.
    """

    def __init__(
        self,
        detector: Detects,
        follower: StillsFollower,
        monitor: Monitor,
        free_layout: bool = False,
        attention: Attention | None = None,
    ) -> None:
        self._detector, self._follower, self._free_layout, self._attention = detector, follower, free_layout, attention
        self._passing: Pass | None = None  # somebody's arm came in and left with nothing changed: a pass, if another seat goes on
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
            yield from self._watch(item) if isinstance(item, Frame) else self.monitor.observe(item)
            if after is not None:
                after(item)
        yield from self.monitor.observe(Clock(t=t_s + self.monitor.state.ruleset.count_wait_s))

    def _watch(self, frame: Frame) -> list[EventRecord]:
        """A frame of a film, looked at when the table has come to rest; a still, looked at."""
        if self._attention is None:
            return self.look(frame)
        witness = self._attention.watch(frame)
        return [] if witness is None else self.look(frame, witness)

    def look(self, frame: Frame, witness: Witness | None = None) -> list[EventRecord]:
        """What one settled frame tells. witness: whose arms were seen over the table since the last look."""
        found = self._detector.detect(frame.image, MIN_CONFIDENCE)
        known = witness if self._attention is not None and self._attention.knows_seats else None
        looked = self._follower.look(found, frame.size_px, frame.t_s, frame.index, known)
        if self._attention is not None and witness is not None:
            unread = any(isinstance(seen, Place) and seen.tile is None for seen in looked)
            self._attention.looked(frame.t_s, unread or (witness.has_changed and not looked))
        seen = [_with_seat(observation, frame.seat) for observation in looked]
        if self._free_layout:
            return self._tell_freely(seen)
        return [*self._passes(seen, frame, known), *self._judge(seen)]

    def _passes(self, seen: Sequence[Observation], frame: Frame, witness: Witness | None) -> list[EventRecord]:
        """The pass of a seat in turn whose arm left with nothing changed; told when another seat goes on in its place."""
        passed = witness.passed if witness is not None and not seen else None
        acting = passed if passed is not None else next((one.seat for one in seen if isinstance(one, Place)), None)
        waiting = self._passing
        if (acting is None and not seen) or (passed is not None and waiting is not None and passed == waiting.seat):
            return []
        self._passing = None
        told: list[EventRecord] = []
        if waiting is not None and acting not in (None, waiting.seat) and waiting.seat == self.monitor.state.hand.turn:
            told = list(self.monitor.observe(waiting))
        if passed is not None and self.monitor.state.hand.playing and passed == self.monitor.state.hand.turn:
            self._passing = Pass(t=frame.t_s, frame=frame.index, seat=passed, via="seen")
        return told

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
