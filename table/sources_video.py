"""Frames of a video file, one at a time; nothing is held in memory but the frame at hand."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import av
import numpy as np

from rules.errors import BadInput
from rules.observations import Observation
from vision.frame import Frame

CLOCK_SET_S = 3600.0  # frames that say to be so far apart were stamped by a clock that was set between them
SUFFIXES = frozenset({".mkv", ".mp4", ".mov", ".avi", ".webm", ".m4v", ".ts", ".mpg", ".mpeg", ".h264"})


class FrameTime(NamedTuple):
    """Number and time (seconds) that a frame was given when it was recorded."""

    number: int
    t_s: float


@dataclass(frozen=True, slots=True)
class VideoFile:
    """A video, upright as its metadata says. Its first frame is t = 0 unless `times` says otherwise.

    times: of each frame in order, where they were written down; a frame beyond them has the time of its container.
    signals: observations from buttons and people, by time. A file that was cut ends where its last whole frame ends. Times never run
    backwards and never skip an hour: after a clock that stamped the frames was set they go on from where they were.
    """

    file: Path
    times: Sequence[FrameTime] = ()
    signals: tuple[Observation, ...] = ()
    live = False

    @property
    def length(self) -> int | None:
        """About how many items will come; None where the file does not tell."""
        if self.times:
            return len(self.times) + len(self.signals)
        with open_container(self.file) as container:
            stream = container.streams.video[0]
            seconds = (container.duration or 0) / av.time_base
            guess = stream.frames or round(seconds * float(stream.average_rate or 0))
            return guess + len(self.signals) if guess else None

    def __iter__(self) -> Iterator[Frame | Observation]:
        """Frames and signals in the order of time; a frame before a signal of the same time."""
        waiting = list(self.signals)
        for frame in self._frames():
            while waiting and waiting[0].t < frame.t_s:
                yield waiting.pop(0)
            yield frame
        yield from waiting

    def _frames(self) -> Iterator[Frame]:
        with open_container(self.file) as container:
            container.streams.video[0].thread_type = "AUTO"  # not for cameras: each thread holds a frame back
            start: float | None = None
            last, lost = float("-inf"), 0.0
            for number, (t_s, image) in enumerate(pictures(container)):
                start = t_s if start is None else start
                told = self.times[number] if number < len(self.times) else FrameTime(number, t_s - start)
                step = told.t_s + lost - last
                if step < 0 or CLOCK_SET_S <= step < math.inf:
                    lost -= step
                last = told.t_s + lost
                yield Frame(image, told.number, last)


def open_container(name: Path | str, options: dict[str, str] | None = None, timeout_s: float | None = None) -> Any:
    """A container with a video stream, to be closed by `with`; BadInput when there is none."""
    if isinstance(name, Path) and not name.is_file():
        raise BadInput(f"expected a video, found {'a folder' if name.is_dir() else 'nothing'} at {name}; check the path")
    try:
        container = av.open(str(name), options=options, timeout=timeout_s)
    except (av.error.FFmpegError, OSError) as error:
        raise BadInput(f"expected a video, found {name} which does not open as one ({error.strerror}); check it") from None
    if not container.streams.video:
        container.close()
        raise BadInput(f"expected a video, found no picture stream in {name}; name another file")
    return container


def pictures(container: Any) -> Iterator[tuple[float, np.ndarray]]:
    """Presentation time (seconds) and BGR picture of each frame, as far as they can be decoded.

    Times never run backwards: a frame without a time, or with one that does, comes one frame period after the one before.
    """
    stream = container.streams.video[0]
    period = 1 / float(stream.average_rate or 25)
    last: float | None = None
    for frame in _decoded(container, stream):
        t_s = frame.time
        if t_s is None or (last is not None and t_s <= last):
            t_s = 0.0 if last is None else last + period
        last = t_s
        yield t_s, upright(frame.to_ndarray(format="bgr24"), getattr(frame, "rotation", 0))


def _decoded(container: Any, stream: Any) -> Iterator[Any]:
    """Decoded frames; damage in the file ends them, as does a cut."""
    with contextlib.suppress(av.error.EOFError, av.error.InvalidDataError):
        for packet in container.demux(stream):
            try:
                yield from packet.decode()
            except av.error.InvalidDataError:
                continue  # this packet is damaged: the next key frame puts the picture right


def upright(image: np.ndarray, rotation_deg: int) -> np.ndarray:
    """A picture turned counter-clockwise by a multiple of 90 degrees, as phones write it into the file."""
    quarters = round(rotation_deg / 90) % 4
    return np.ascontiguousarray(np.rot90(image, quarters)) if quarters else image
