"""The recordings of a folder as a page shows them: judged under either rule set, with the table as it stood after each event."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import av

from models.detector import Detector
from rules.errors import BadInput
from table.envelope import EventRecord
from table.recording import EVENTS, LOOKS, MANIFEST, open_recording
from table.replay import Replay
from table.snapshot import snapshot
from table.sources import VIDEO

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
MOST_KEPT = 8  # judgements that are kept, so that going back to one is quick
MOST_FILMS = 2  # copies that are kept: a film has gigabytes


class Library:
    """The recordings in a folder, or the one recording that it is. To be used with `with`: films are converted into a scratch folder.

    making: the recording that is being written; it is judged as far as it goes, and has no film until it is whole. BadInput when
    there is no such folder.
    """

    def __init__(self, folder: Path, making: Path | None = None) -> None:
        if not folder.is_dir():
            raise BadInput(f"expected a recording or a folder of recordings, found no folder {folder}; name another place")
        self._folder, self._scratch = folder, tempfile.TemporaryDirectory(prefix="miron-films-")
        self._making = making.name if making else None
        self._kept: dict[tuple[str, str, int], dict[str, Any]] = {}
        self._films: dict[str, dict[str, float]] = {}
        self._one_at_a_time = threading.Lock()  # a judgement takes a processor for seconds

    def listed(self) -> list[dict[str, Any]]:
        """Each recording, newest first."""
        rows = [_row(name, folder) | {"video": self._has_film(name, folder)} for name, folder in self._found().items()]
        return sorted(rows, key=lambda row: str(row["start"]), reverse=True)

    def judged(self, name: str, ruleset: str) -> dict[str, Any]:
        """Events and states of a recording under a rule set; BadInput when it cannot be played again."""
        folder = self._of(name)
        key = (name, ruleset, _length(folder))
        with self._one_at_a_time:
            if key not in self._kept:
                while len(self._kept) >= MOST_KEPT:
                    self._kept.pop(next(iter(self._kept)))
                self._kept[key] = _judged_aside(folder, ruleset) | {"video": self._film(name, folder)}
            return self._kept[key]

    def video(self, name: str) -> Path | None:
        """The film of a recording as browsers play it."""
        folder = self._of(name)
        with self._one_at_a_time:
            return self._mp4(name) if self._film(name, folder) else None

    def evidence(self, name: str) -> Path:
        """The folder of its proofs."""
        return self._of(name) / "evidence"

    def _found(self) -> dict[str, Path]:
        own = [self._folder.resolve()] if (self._folder / MANIFEST).is_file() else sorted(self._folder.iterdir())
        return {folder.name: folder for folder in own if NAME.fullmatch(folder.name) and (folder / MANIFEST).is_file()}

    def _of(self, name: str) -> Path:
        found = self._found()
        if name not in found:
            raise BadInput(f"expected the name of a recording, found {name!r:.80}; the list is in /recordings.json")
        return found[name]

    def _mp4(self, name: str) -> Path:
        return Path(self._scratch.name) / f"{name}.mp4"

    def _has_film(self, name: str, folder: Path) -> bool:
        return name != self._making and (folder / VIDEO).is_file()

    def _film(self, name: str, folder: Path) -> dict[str, float] | None:
        """When the film begins, `start_s` on the frames' clock; None where there is none. It is converted at the first asking."""
        if not self._has_film(name, folder):
            return None
        if name not in self._films:
            while len(self._films) >= MOST_FILMS:
                oldest = next(iter(self._films))
                del self._films[oldest]
                self._mp4(oldest).unlink()
            self._films[name] = {"start_s": as_mp4(folder / VIDEO, self._mp4(name))}
        return self._films[name]

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *exc: object) -> None:
        self._scratch.cleanup()


def judged(folder: Path, ruleset: str) -> dict[str, Any]:
    """The `events` of a recording under a rule set, and in `steps` the state of the table (docs/mqtt.md) after each that changed it."""
    match = open_recording(folder)
    events, steps = list[dict[str, Any]](), list[dict[str, Any]]()
    with Replay(match, ruleset) as replay:
        for record in _played(replay, folder):
            events.append(json.loads(record.line()))
            if replay.monitor.last is not None and replay.monitor.last.seq == record.seq:  # all that one observation caused
                state = snapshot(replay.monitor, replay.event, replay.table, places=replay.places())
                steps.append({"t_s": record.t_s, "state": state})
    return {"ruleset": ruleset, "recorded": match.ruleset.name, "teams": dict(match.teams), "events": events, "steps": steps}


def _judged_aside(folder: Path, ruleset: str) -> dict[str, Any]:
    """The same, worked out by a program of its own that lets every other go first: whoever serves pages may be watching a table."""
    command = [sys.executable, "-P", "-m", "table.library", str(folder), ruleset]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BadInput(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"{folder} could not be judged")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _length(folder: Path) -> int:
    """How far a recording goes: it may still be growing."""
    return (folder / EVENTS).stat().st_size if (folder / EVENTS).exists() else 0


def _played(replay: Replay, folder: Path) -> Iterator[EventRecord]:
    return replay.from_looks() if (folder / LOOKS).exists() else replay.from_frames(Detector())


def _row(name: str, folder: Path) -> dict[str, Any]:
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        manifest = {}
    told = manifest if isinstance(manifest, dict) else {}
    keys = ("title", "teams", "ruleset", "start")
    return {"name": name} | {key: told.get(key) for key in keys}


def as_mp4(film: Path, out: Path) -> float:
    """Copy the H.264 of a film into MP4, which browsers play; no picture is encoded anew. The time of its first frame, seconds.

    A film that was cut is copied up to its last whole frame. BadInput where there is none.
    """
    try:
        with av.open(str(film)) as source, av.open(str(out), "w", options={"movflags": "faststart"}) as target:
            stream = source.streams.video[0]
            copy = target.add_stream_from_template(stream)
            first = _copied(source.demux(stream), copy, target)
    except (OSError, IndexError, av.error.FFmpegError) as error:
        raise BadInput(f"expected a film in {film}, found: {error}; record again") from None
    if first is None:
        raise BadInput(f"expected a film in {film}, found no frame; record again")
    return first


def _copied(packets: Any, copy: Any, target: Any) -> float | None:
    """The time of the first packet, from which the copy counts; None when there was none."""
    first = None
    try:
        for packet in packets:
            if packet.dts is None:
                continue
            first = packet.pts if first is None else first
            seconds = float(first * packet.time_base)
            packet.pts, packet.dts, packet.stream = packet.pts - first, packet.dts - first, copy
            target.mux(packet)
    except av.error.FFmpegError:
        pass  # cut by a power failure: what came before it counts
    return None if first is None else seconds


if __name__ == "__main__":  # what `_judged_aside` calls
    os.nice(19)
    try:
        json.dump(judged(Path(sys.argv[1]), sys.argv[2]), sys.stdout)
    except BadInput as error:
        sys.exit(str(error))
