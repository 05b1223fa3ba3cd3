"""From pictures to events: detector, follower, monitor, in one place. Live, stills and replay differ in the source and the sinks alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from calibration.plane import TablePlane
from rules.errors import BadInput
from rules.events import ReadingDoubted, TilePlayed
from rules.observations import Clock, Correction, Expose, Observation, Pass, Place, Withdraw
from rules.seats import Seat
from table.envelope import EventRecord
from table.evidence import Evidence
from table.monitor import Monitor
from vision.attention import Attention, Witness
from vision.detections import TileDetection
from vision.frame import Frame
from vision.laid import LaidTile
from vision.step import is_reading
from vision.stills import StillsFollower
from vision.watching import State, Watch, Watched


class Detects(Protocol):
    """What the pipeline asks of a detector."""

    def detect(self, image: np.ndarray, min_confidence: float = ...) -> list[TileDetection]:
        """Tiles of a BGR uint8 picture."""
        ...


Seen = Frame | Observation
MID_HAND_S = 0.4  # of rest before the first look, which may come in mid hand: longer than a hand stops over a tile
MIN_CONFIDENCE = 0.3  # the follower weighs doubtful readings itself


class Pipeline:
    """One table being watched. `free_layout`: another game lies there, new tiles are told and nothing is judged.

    attention: decides in a film which frames are looked at; None: every frame is a settled look. camera: says in a film whether the
    camera can be relied on; while it cannot, or that is in doubt, nothing is looked at. What people say counts all the same. evidence:
    keeps the pictures of what is put to the referee. taken_up: numbers of the observations that the follower goes on from.
    """

    def __init__(
        self,
        detector: Detects,
        follower: StillsFollower,
        monitor: Monitor,
        free_layout: bool = False,
        attention: Attention | None = None,
        camera: Watch | None = None,
        evidence: Evidence | None = None,
        taken_up: Sequence[int] = (),
    ) -> None:
        self._detector, self._follower, self._free_layout = detector, follower, free_layout
        self._attention, self.camera, self._evidence = attention, camera, evidence
        if evidence is not None:
            monitor.prove = evidence.prove
        self._blind = False  # frames were not looked at: whose arms were in meanwhile, nobody knows
        self.frame: Frame | None = None  # the newest one of a film
        self._passing: Pass | None = None  # somebody's arm came in and left with nothing changed: a pass, if another seat goes on
        self.monitor = monitor
        # The follower's own observations: their match and number in it.
        self._numbers = [(monitor.match, number) for number in taken_up]
        self._struck = set[int]()  # of those numbers, what people struck out
        self._heard = 0  # observations of the match when the follower was last told what people struck out

    def run(
        self, source: Iterable[Seen], after: Callable[[Seen], None] | None = None, ends: bool = True
    ) -> Iterator[EventRecord]:
        """Events as they come. after: called when a frame or signal has been dealt with (progress, pacing, publishing).

        ends: when the source ends nobody will count any more (`end`).
        """
        t_s = 0.0
        for item in source:
            t_s = item.t_s if isinstance(item, Frame) else item.t
            yield from self.take(item)
            if after is not None:
                after(item)
        if ends:
            yield from self.end(t_s)

    def take(self, item: Seen) -> list[EventRecord]:
        """One frame, looked at when that is due, or one signal."""
        if isinstance(item, Frame):
            return [*self._watch(item), *self._tell_clips(item.t_s)]
        changes = self._tell_camera(self.camera.tick(item.t), item.t) if self.camera is not None else []
        return [*changes, *self.monitor.observe(item)]

    def end(self, t_s: float) -> list[EventRecord]:
        """Nothing will come after time t_s: a domination that waits for the count is scored from the line."""
        told = self.monitor.observe(Clock(t=t_s + self.monitor.state.ruleset.count_wait_s))
        return [*told, *self.leave(t_s)]

    def leave(self, t_s: float) -> list[EventRecord]:
        """The watching ends at time t_s, the play may go on: clips are told as far as they have come."""
        return self._tell_clips(t_s, unfinished=True)

    def _tell_clips(self, t_s: float, unfinished: bool = False) -> list[EventRecord]:
        """The clips that are complete, or as far as they have come."""
        ready = self._evidence.due(math.inf if unfinished else t_s) if self._evidence is not None else []
        return [self.monitor.tell_evidence(incident, proofs, t_s) for incident, proofs in ready]

    def places(self) -> dict[int, dict[str, float]]:
        """Where each tile of the line lies, by the number of the observation that told it, as `state` says it (docs/mqtt.md)."""
        line = self._follower.state.line
        lying = () if line is None else line.tiles
        told = [(self._numbers[laid.number], laid) for laid in lying if 0 <= laid.number < len(self._numbers)]
        return {number: _lies(laid) for (match, number), laid in told if match == self.monitor.match}

    def recalibrate(self, accept: bool) -> None:
        """A person takes the camera's new place as right (or, with False, does not: nothing changes).

        BadInput where the camera has not moved, or where its new place is not known, or may have the seats turned and the tiles on
        the table do not lie as before under it.
        """
        proposal = self.camera.proposal() if self.camera is not None else None
        if not accept:
            return
        if self.camera is None or proposal is None:
            raise BadInput(
                "expected a camera that has moved, found none whose new place is known; show it the table and say it again"
            )
        mirrored = self.camera.plane is not None and proposal.plane.is_mirrored != self.camera.plane.is_mirrored
        if mirrored or not (proposal.is_sure or self._lies_as_before(proposal.plane)):
            found = "a mirrored picture" if mirrored else "several that look alike"
            raise BadInput(f"expected one place that the camera can have, found {found}; put it back, or calibrate again")
        plane = self.camera.accept(even_if_doubtful=True)
        assert plane is not None
        self._follower.moved(plane)
        if self._evidence is not None:
            self._evidence.moved(plane)
        self._attention, self._blind = Attention(plane, MID_HAND_S), True

    def _lies_as_before(self, plane: TablePlane) -> bool:
        """Whether the tiles that are known lie where they lay, seen by a camera of another place."""
        if self.frame is None:
            return False
        found = self._detector.detect(self.frame.image, MIN_CONFIDENCE)
        return self._follower.lie_as_before(found, self.frame.size_px, plane)

    def _watch(self, frame: Frame) -> list[EventRecord]:
        """A frame of a film, looked at when the table has come to rest and the camera can be relied on; a still, looked at."""
        if self._attention is None:
            return self.look(frame)
        self.frame = frame
        if self._evidence is not None:
            self._evidence.see(frame)
        changes = self._tell_camera(self.camera.look(frame.image, frame.t_s), frame.t_s) if self.camera is not None else []
        if self.camera is not None and not self.camera.is_reliable:
            self._blind = self._blind or self.camera.current.state is not State.WATCHING
            return changes
        witness = self._attention.watch(frame)
        return changes if witness is None else [*changes, *self.look(frame, witness)]

    def _tell_camera(self, changes: Sequence[Watched], t_s: float) -> list[EventRecord]:
        if self.camera is not None and self.camera.plane is None and self.camera.current.state is State.CAMERA_MOVED:
            self.camera.stay_here()  # without a calibration the tiles alone tell where the table lies
        return [self.monitor.tell_watching(change.state.value, t_s, change.since_s) for change in changes]

    def look(self, frame: Frame, witness: Witness | None = None) -> list[EventRecord]:
        """What one settled frame tells. witness: whose arms were seen over the table since the last look."""
        self._strike()
        found = self._detector.detect(frame.image, MIN_CONFIDENCE)
        known = witness if self._attention is not None and self._attention.knows_seats and not self._blind else None
        self._blind = False
        looked = self._follower.look(found, frame.size_px, frame.t_s, frame.index, known)
        if self._evidence is not None:
            self._evidence.look(frame, found, self._follower.state)
        if self._attention is not None and witness is not None:
            unread = any(isinstance(seen, Place) and seen.tile is None for seen in looked)
            asks = unread or self._follower.is_taking_up or (witness.has_changed and all(map(is_reading, looked)))
            self._attention.looked(frame.t_s, asks)
        seen = [_with_seat(observation, frame.seat) for observation in looked]
        if self._free_layout:
            return self._tell_freely(seen)
        return [*self._passes(seen, frame, known), *self._judge(seen)]

    def _strike(self) -> None:
        """Tell the follower which of its plays are taken back, for it must not build on them, which of those count again, and which a
        person has put right."""
        heard = len(self.monitor.state.heard)
        if heard == self._heard:
            return
        self._heard, gone = heard, self.monitor.taken_back()
        told = {number: source for number, (match, source) in enumerate(self._numbers) if match == self.monitor.match}
        for number in told:
            if told[number] in gone:
                self._follower.strike(number)
        for number in sorted(number for number in self._struck if number in told and told[number] not in gone):
            self._follower.restore(number)
        self._struck = {number for number in told if told[number] in gone}
        for number in told:
            if self.monitor.settled(told[number]):
                self._follower.fix(number)

    def _passes(self, seen: Sequence[Observation], frame: Frame, witness: Witness | None) -> list[EventRecord]:
        """The pass of a seat in turn whose arm left with nothing changed; told when another seat goes on in its place."""
        seen = [one for one in seen if not is_reading(one)]
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


def _lies(laid: LaidTile) -> dict[str, float]:
    """Millimetres from the middle of the table; the angle from the low half to the high one where the tile is known."""
    seen, tile = laid.rest.seen, laid.place.tile
    angle_deg = laid.rest.pose_deg(tile) if tile is not None else seen.angle_deg
    return {"x_mm": round(seen.x_mm, 1), "y_mm": round(seen.y_mm, 1), "angle_deg": round(angle_deg, 1)}


def _with_seat(observation: Observation, told: Seat | None) -> Observation:
    """What the camera saw with the seat that a person told; where the two witnesses disagree the seat is not known."""
    if told is None or not isinstance(observation, (Place, Withdraw, Expose)):
        return observation
    return replace(observation, seat=told if observation.seat in (None, told) else None)
