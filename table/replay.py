"""Plays a recording again: from its looks, exact to the byte, or from its pictures. Live and replay differ in source and sinks alone."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from calibration.plane import TablePlane
from rules.errors import BadInput
from rules.observations import Observation, observation_from_dict
from rules.ruleset import ruleset_named
from table.commands_desk import CommandDesk
from table.envelope import EventRecord, json_line, wire_time
from table.journal import Journal
from table.monitor import Monitor
from table.pipeline import MID_HAND_S, Detects, Pipeline
from table.recorded_looks import Look, look_in
from table.recording import BEFORE, EVENTS, LOOKS, OBSERVATIONS, Recording
from table.sources import SIGNALS, StillsFolder, json_lines
from table.taking_up import lying
from vision.attention import Attention, Witness
from vision.detections import TileDetection
from vision.frame import Frame
from vision.stills import StillsFollower
from vision.watching import Watch

Seen = Frame | Observation
TOLD = ("entered", "watching", "evidence")
"""Events that no look and no signal causes: people, the camera and the pictures of incidents are told again from the record."""


class Replay:
    """A recording that is played again into a journal of its own.

    ruleset: judge it under this one instead; detector: needed where it is played from pictures. BadInput for a recording that does not
    begin with its match. To be used with `with`.
    """

    def __init__(self, recording: Recording, ruleset: str | None = None, journal: Path | None = None) -> None:
        self.recording, self._stack = recording, ExitStack()
        first = _first_event(recording)
        self.event, self.table = (first.event, first.table) if first else _names(recording)
        scratch = Path(self._stack.enter_context(tempfile.TemporaryDirectory()))
        file = journal or scratch / "journal.db"
        seq = int(recording.manifest.get("first_seq", first.seq if first else 1))
        before = recording.folder / BEFORE
        if before.exists():
            shutil.copyfile(before, file)
        else:
            _begin_at(file, seq, self.event, self.table, recording)
        self.journal = self._stack.enter_context(Journal(file, self.event, self.table, recording.boot))
        self.first_seq = seq
        rules = recording.ruleset
        if ruleset is not None:
            rules = ruleset_named(ruleset).at_the_table_of(rules)
        self.monitor = self._taken_up() or Monitor(
            rules,
            self.journal,
            start_s=recording.start_s,
            match=int(recording.manifest.get("match", first.match if first else 1)),
            opener=recording.opener,
            teams=recording.teams,
        )
        self._lying, self._numbers = lying(self.monitor)
        self._recorded = {event.seq: event for event in _events(recording)}
        self.monitor.prove = self._proofs
        self._pipeline: Pipeline | None = None

    def places(self) -> dict[int, dict[str, float]]:
        """Where the tiles of the line lie, as `state` says it; nothing where the camera does not know the table."""
        plane = self.recording.plane
        return self._pipeline.places() if self._pipeline is not None and plane is not None and plane.knows_seats else {}

    def _taken_up(self) -> Monitor | None:
        """The match as it stood when the recording began in the middle of it, under its own rules."""
        monitor = Monitor.resume(self.journal) if (self.recording.folder / BEFORE).exists() else None
        if monitor is not None:
            monitor.ahead_s = float(self.recording.manifest.get("ahead_s", 0.0))
        return monitor

    def recorded(self, seq: int) -> EventRecord | None:
        """The event that was recorded with this seq."""
        return self._recorded.get(seq)

    def _proofs(self, seq: int, what: tuple[object, ...], moments_s: Sequence[float]) -> list[dict[str, str]]:
        """The evidence that was recorded for an incident: pictures are not made again."""
        told = self.recorded(seq)
        same = told is not None and (told.match, told.type, told.data.get("code", "")) == what[:3]
        return list(told.data.get("evidence", [])) if told is not None and same else []

    def from_looks(self, after: Callable[[Seen], None] | None = None) -> Iterator[EventRecord]:
        """Events from the recorded looks, signals and commands; needs neither pictures nor a network."""
        looks = _looks(self.recording)
        told = _Told(self)
        follower = _Handed(StillsFollower(self.recording.plane, self.recording.opener, lying=self._lying), looks)
        attention: Any = _Attentive() if any(look.witness is not None for look in looks) else None
        pipeline = Pipeline(follower, follower, self.monitor, attention=attention, taken_up=self._numbers)  # type: ignore[arg-type]
        self._pipeline = pipeline
        inputs: list[tuple[int, float, int, Seen]] = [(look.seq, look.t_s, 0, _blank(look)) for look in looks]
        inputs += [(seq, seen.t, 1, seen) for seq, seen in _signals(self.recording)]
        inputs.sort(key=lambda row: row[:3])
        for seq, _, _, item in inputs:
            yield from told.up_to(seq)
            if isinstance(item, Frame):
                yield from pipeline.look(item, follower.turn_to(item.index, self.recording.plane))
            else:
                yield from self.monitor.observe(item)
            if after is not None:
                after(item)
        yield from self._end(told)

    def from_frames(self, detector: Detects, after: Callable[[Seen], None] | None = None) -> Iterator[EventRecord]:
        """Events from the pictures, read anew; what people said is told again at its time."""
        recording, plane = self.recording, self.recording.plane
        is_film = not isinstance(recording.source, StillsFolder)
        camera = Watch(recording.reference, plane, frozen=False) if is_film else None
        follower = StillsFollower(plane, recording.opener, lying=self._lying)
        attention = Attention(plane, MID_HAND_S) if is_film else None
        pipeline = Pipeline(detector, follower, self.monitor, attention=attention, camera=camera, taken_up=self._numbers)
        self._pipeline = pipeline
        told = _Told(self, ("entered", "evidence") if is_film else TOLD, pipeline.recalibrate)
        for item in recording.source:
            yield from told.before(item.t_s if isinstance(item, Frame) else item.t)
            yield from pipeline.take(item)
            if after is not None:
                after(item)
        yield from self._end(told)

    def _end(self, told: _Told) -> Iterator[EventRecord]:
        """What the end of the source decided, where the recording has one, and what was told until then and after it."""
        rows = _observations(self.recording)
        last = observation_from_dict(rows[-1]) if rows else None
        if last is not None and last.kind == "clock" and int(rows[-1]["number"]) == len(self.monitor.state.heard):
            yield from told.up_to(int(rows[-1]["first_seq"]) - 1)
            yield from self.monitor.observe(last)
        yield from told.up_to(None)

    def __enter__(self) -> Replay:
        return self

    def __exit__(self, *exc: object) -> None:
        self._stack.close()


class _Told:
    """What people and the watching told while it was recorded, to be told again between the same events."""

    def __init__(self, replay: Replay, types: Sequence[str] = TOLD, recalibrate: Callable[[bool], None] | None = None) -> None:
        self._replay, self._rows = replay, _events(replay.recording, types)
        # The first observation after a command is its own, with the exact time; later ones may share its number. What was written is
        # on the clock of the match, which an earlier run may have begun.
        rows, ahead_s = reversed(_observations(replay.recording)), replay.monitor.ahead_s
        self._t = {int(row["first_seq"]) - 1: float(row["t"]) - ahead_s for row in rows}
        self._desk = CommandDesk(
            replay.monitor, lambda name, text: None, lambda: None, lambda: 0.0, recalibrate or (lambda accept: None)
        )

    def up_to(self, seq: int | None) -> Iterator[EventRecord]:
        """What was told before the event after `seq` (None: all the rest)."""
        while self._rows and (seq is None or self._rows[0].seq <= seq):
            yield from self._tell(self._rows.pop(0))

    def before(self, t_s: float) -> Iterator[EventRecord]:
        """What was told before a time of the frames' clock."""
        ahead_s = self._replay.monitor.ahead_s
        while self._rows and self._t.get(self._rows[0].seq, self._rows[0].t_s - ahead_s) < t_s:
            yield from self._tell(self._rows.pop(0))

    def _tell(self, record: EventRecord) -> Iterator[EventRecord]:
        start_s, ahead_s = self._replay.monitor.start_s, self._replay.monitor.ahead_s
        t_s = exact_t_s(record, start_s) - ahead_s
        if record.type == "watching":
            since_s = datetime.fromisoformat(record.data["since"]).timestamp() - start_s - ahead_s
            yield self._replay.monitor.tell_watching(record.data["state"], t_s, since_s)
            return
        if record.type == "evidence":
            incident = self._replay.recorded(record.data["incident"])
            if incident is not None and self._replay.monitor.type_of(incident.seq) == incident.type:
                yield self._replay.monitor.tell_evidence(incident.seq, record.data["evidence"], t_s)
            return
        said = dict(record.data)
        self._desk.tick(self._t.get(record.seq, t_s))
        self._desk.hear(str(said.pop("what")), json.dumps(said).encode())
        yield from self._desk.serve()


def exact_t_s(record: EventRecord, start_s: float) -> float:
    """A time on the frames' clock that gives both times of a record, each of which is rounded for itself."""
    near = (record.t_s + step for step in (0.0, 0.0003, -0.0003, 0.00049, -0.00049))
    return next((t for t in near if wire_time(start_s + t) == record.time and round(t, 3) == record.t_s), record.t_s)


class _Handed:
    """In the place of detector and follower: hands out the recorded looks."""

    def __init__(self, follower: StillsFollower, looks: Sequence[Look]) -> None:
        self._follower, self._looks, self.now = follower, {look.index: look for look in looks}, -1

    def detect(self, image: np.ndarray, min_confidence: float = 0.0) -> list[TileDetection]:
        return list(self._looks[self.now].tiles)

    def turn_to(self, index: int, plane: TablePlane | None) -> Witness | None:
        """The look at the frame of this index is the next; what was seen of hands at it. plane: of the calibration."""
        self.now = index
        if plane is not None and (homography := self._looks[index].homography) is not None:
            self._follower.moved(replace(plane, homography=homography))
        return self._looks[index].witness

    def __getattr__(self, name: str) -> Any:
        return getattr(self._follower, name)


class _Attentive:
    """In the place of the attention: when to look was decided when it was recorded."""

    knows_seats = True  # a look was recorded with a witness only where they were known

    def looked(self, t_s: float, leaves_question: bool) -> None:
        """Nothing has to be kept for the next look."""


def _blank(look: Look) -> Frame:
    """A frame without a picture, of the right size."""
    width, height = look.size_px
    return Frame(np.broadcast_to(np.zeros(1, np.uint8), (height, width, 3)), look.index, look.t_s, look.seat)


def _looks(recording: Recording) -> list[Look]:
    file = recording.folder / LOOKS
    if not file.exists():
        raise BadInput(f"expected {LOOKS} in {recording.folder}, found none; play it --from frames")
    return [look_in(row, recording.plane) for row in json_lines(file, cut=True)]


def _signals(recording: Recording) -> list[tuple[int, Observation]]:
    file = recording.folder / SIGNALS
    return [(int(row.get("seq", 0)), observation_from_dict(row)) for row in json_lines(file, cut=True)] if file.exists() else []


def _observations(recording: Recording) -> list[dict[str, Any]]:
    file = recording.folder / OBSERVATIONS
    return json_lines(file, cut=True) if file.exists() else []


def _events(recording: Recording, types: Sequence[str] = ()) -> list[EventRecord]:
    file = recording.folder / EVENTS
    rows = json_lines(file, cut=True) if file.exists() else []
    return [EventRecord.parse(json_line(row)) for row in rows if not types or row.get("type") in types]


def _first_event(recording: Recording) -> EventRecord | None:
    return next(iter(_events(recording)), None)


def _names(recording: Recording) -> tuple[str, str]:
    return str(recording.manifest.get("event", "table")), str(recording.manifest.get("table", "t01"))


def _begin_at(file: Path, seq: int, event: str, table: str, recording: Recording) -> None:
    """Let a fresh journal go on after the events that came before the recording, so that seq and id are those recorded."""
    if seq <= 1:
        return
    start = wire_time(recording.start_s)
    before = EventRecord.build(
        seq=seq - 1, id="", boot=recording.boot, event=event, table=table, match=0, hand=0, time=start, t_s=0.0,
        type="watching", data={"state": "watching", "since": start},
    )  # fmt: skip
    with Journal(file, event, table, recording.boot) as journal:
        journal.execute("INSERT INTO event VALUES (?, ?, ?, '', '')", (seq - 1, before.type, before.line()))
