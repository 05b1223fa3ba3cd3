"""Writes a recording while the table is watched: every frame, look, signal and event, readable whenever the power goes."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from calibration.plane import TablePlane
from rules.errors import BadInput
from rules.notation import record_text
from rules.observations import Observation, observation_to_dict
from rules.record import Record, record_of
from table.chain import chained
from table.envelope import json_line, wire_time
from table.journal import Journal
from table.monitor import Monitor
from table.recorded_looks import Look, look_row, rounded
from table.recording import BEFORE, EVENTS, LOOKS, MANIFEST, OBSERVATIONS, RECORD, SCHEMA
from table.sources import FRAMES, SIGNALS, VIDEO
from table.video_writer import VideoWriter
from vision.attention import Witness
from vision.detections import TileDetection
from vision.frame import Frame
from vision.stills import StillsFollower

FPS = 10.0
SYNC_S = 5.0  # a power cut loses what is younger; waiting for the disk more often would hold up the watching


class Recorder:
    """A recording in the making; to be used with `with`. The parts of a pipeline are passed through it.

    calibration: the calibration's JSON value; versions: hashes of model and the like.
    A match that has begun goes with it as its journal has it. BadInput when the folder holds files already.
    """

    def __init__(
        self, folder: Path, journal: Journal, monitor: Monitor, calibration: object | None = None, *,
        start_s: float, fps: float = FPS, versions: dict[str, str] | None = None,
    ) -> None:  # fmt: skip
        make_folder(folder)
        if monitor.state.heard:
            journal.execute("VACUUM INTO ?", (str(folder / BEFORE),))
        (folder / "evidence").mkdir()
        (folder / LOOKS).touch()  # none yet is not the same as none kept
        self.folder, self._journal, self._monitor, self._fps = folder, journal, monitor, fps
        self._first_seq, self._match, self._heard = journal.last_seq + 1, monitor.match, len(monitor.state.heard)
        self._written_seq = journal.last_seq
        self._video: VideoWriter | None = None
        self._files: dict[str, TextIO] = {}
        self._frame: Frame | None = None
        self._moved: TablePlane | None = None
        self._synced_s = 0.0
        self._manifest: dict[str, Any] = {
            "schema": SCHEMA, "title": "", "ruleset": monitor.state.ruleset.name, "switches": {},
            "opener": None if monitor.header.opener is None else int(monitor.header.opener), "teams": monitor.teams,
            "start": wire_time(start_s), "start_s": start_s, "boot": journal.boot, "event": journal.event, "table": journal.table,
            "match": monitor.match, "first_seq": self._first_seq, "header": record_text(Record(monitor.header)),
            "ahead_s": monitor.ahead_s, "versions": versions or {}, "complete": False,
        }  # fmt: skip
        if calibration is not None:
            (folder / "calibration.json").write_text(json_line(calibration) + "\n", encoding="utf-8")
        self._write_record()
        self._write_manifest()

    def source(self, source: Iterable[Frame | Observation]) -> Iterator[Frame | Observation]:
        """The same frames and signals; each is on record before anybody sees it."""
        for item in source:
            if isinstance(item, Frame):
                self._keep_frame(item)
            else:
                self._line(SIGNALS, observation_to_dict(item) | {"seq": self._journal.last_seq})
            yield item

    def follower(self, follower: StillsFollower) -> RecordedFollower:
        """The same follower; each look is on record before it counts."""
        return RecordedFollower(follower, self)

    def after(self, item: object = None) -> None:
        """Write down what has been told since; to be called after each frame and signal."""
        while page := self._journal.rows(self._written_seq + 1):
            for row in page:
                self._raw(EVENTS, row.line)
            self._written_seq = page[-1].seq
        if self._monitor.match != self._match:
            self._match, self._heard = self._monitor.match, 0
        if len(self._monitor.state.heard) > self._heard:
            self._keep_observations()

    def keep_look(
        self, tiles: Sequence[TileDetection], size_px: tuple[int, int], t_s: float, index: int, witness: Witness | None
    ) -> None:
        """Write a look down."""
        seat = self._frame.seat if self._frame is not None and self._frame.index == index else None
        homography = None if self._moved is None else self._moved.homography
        self._line(LOOKS, look_row(Look(self._journal.last_seq, index, t_s, size_px, tuple(tiles), witness, seat, homography)))

    def keep_move(self, plane: TablePlane) -> None:
        """The camera looks from another place from the next look on."""
        self._moved = plane

    def close(self) -> None:
        """Finish the files; the manifest gets their hashes and the chained digest."""
        self.after()
        if self._video is not None:
            self._video.close()
        for file in self._files.values():
            file.close()
        self._write_record()
        hashes = file_hashes(self.folder)
        self._manifest |= {"complete": True, "files": hashes, "digest": chained_digest(hashes)}
        self._write_manifest()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _keep_observations(self) -> None:
        for kept in self._monitor.book.observations(self._match)[self._heard :]:
            where = {"match": self._match, "number": kept.number, "first_seq": kept.first_seq}
            self._line(OBSERVATIONS, observation_to_dict(kept.seen) | where)
            self._heard = kept.number + 1
        if self._monitor.state.hand.result is not None:
            self._write_record()

    def _keep_frame(self, frame: Frame) -> None:
        self._frame = frame
        if self._video is None:
            self._video = VideoWriter(self.folder / VIDEO, frame.size_px, self._fps)
        self._line(FRAMES, {"index": frame.index, "t_s": frame.t_s} | ({} if frame.seat is None else {"seat": int(frame.seat)}))
        self._video.write(frame.image, frame.t_s)
        if frame.t_s - self._synced_s >= SYNC_S:
            self._synced_s = frame.t_s
            _sync(self.folder / name for name in (VIDEO, *self._files))

    def _line(self, name: str, row: dict[str, Any]) -> None:
        self._raw(name, json_line(row))

    def _raw(self, name: str, line: str) -> None:
        if name not in self._files:
            self._files[name] = (self.folder / name).open("a", encoding="utf-8", buffering=1)  # a line is a write
        self._files[name].write(line + "\n")

    def _write_record(self) -> None:
        record = record_of(self._monitor.header, self._monitor.state.heard)
        _replace(self.folder / RECORD, record_text(record))

    def _write_manifest(self) -> None:
        _replace(self.folder / MANIFEST, json.dumps(self._manifest, indent=1) + "\n")


class RecordedFollower:
    """A follower whose looks are written down, and which sees them as they will be read again."""

    def __init__(self, follower: StillsFollower, recorder: Recorder) -> None:
        self._follower, self._recorder = follower, recorder

    def __getattr__(self, name: str) -> Any:
        return getattr(self._follower, name)

    def moved(self, plane: TablePlane) -> None:
        """The camera looks from another place."""
        self._recorder.keep_move(plane)
        self._follower.moved(plane)

    def look(
        self,
        detections: Sequence[TileDetection],
        image_size: tuple[int, int],
        t_s: float,
        frame: int,
        witness: Witness | None = None,
    ) -> tuple[Observation, ...]:
        """What happened since the last look, as the follower says."""
        tiles = rounded(detections)
        self._recorder.keep_look(tiles, image_size, t_s, frame, witness)
        return self._follower.look(tiles, image_size, t_s, frame, witness)


def make_folder(folder: Path) -> None:
    """Make a folder to write into; BadInput when that is not possible or it holds something already."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"expected a folder to write into, found {folder}: {error.strerror}; name another place") from None
    if any(folder.iterdir()):
        raise BadInput(f"expected a new or empty folder, found that {folder} holds files; name another one")


def file_hashes(folder: Path) -> dict[str, str]:
    """SHA-256 of every file of a recording but its manifest, by name."""
    files = sorted(file for file in folder.rglob("*") if file.is_file() and file.name != MANIFEST)
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def chained_digest(hashes: dict[str, str]) -> str:
    """One digest over all files, each chained to the one before it."""
    digest = ""
    for name, sha256 in sorted(hashes.items()):
        digest = chained(digest, f"{name} {sha256}")
    return digest


def _sync(files: Iterable[Path]) -> None:
    """Wait until what was written to the files is on the disk itself."""
    for file in files:
        handle = os.open(file, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _replace(file: Path, text: str) -> None:
    """Write a file as a whole or not at all."""
    fresh = file.with_name(file.name + ".new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(file)
