"""Pictures into a video that can be read after a power cut: H.264 in Matroska, a key frame a second."""

from __future__ import annotations

import io
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np

from rules.errors import BadInput

MILLISECOND = Fraction(1, 1000)
QUALITY = 21  # x264's constant rate factor; 18 looks lossless


class VideoWriter:
    """Writes a film frame by frame, each at its own time; what is a second old is on the disk. To be used with `with`.

    size_px: width and height, both even. BadInput when the file cannot be written.
    """

    def __init__(self, file: Path, size_px: tuple[int, int], fps: float, quality: int = QUALITY) -> None:
        self._key_every = max(1, round(fps))
        self._written, self._last_ms = 0, -1
        try:
            self._container: Any = av.open(str(file), "w", options={"cluster_time_limit": "1000", "flush_packets": "1"})
        except (OSError, av.error.FFmpegError) as error:
            raise BadInput(f"expected to write {file}, found: {error.strerror}; name another place") from None
        # zerolatency: no frame waits in the encoder; one thread: the same pictures give the same bytes
        options = {"preset": "veryfast", "tune": "zerolatency", "crf": str(quality), "threads": "1"}
        self._stream: Any = self._container.add_stream("libx264", rate=max(1, round(fps)), options=options)
        self._stream.width, self._stream.height = size_px[0] & ~1, size_px[1] & ~1
        self._stream.pix_fmt = "yuv420p"
        self._stream.codec_context.time_base = MILLISECOND
        self._stream.codec_context.gop_size = self._key_every

    def write(self, image: np.ndarray, t_s: float) -> None:
        """Add a BGR uint8 picture at a time in seconds; one that is not later than the last comes a millisecond after it."""
        frame = av.VideoFrame.from_ndarray(
            np.ascontiguousarray(image[: self._stream.height, : self._stream.width]), format="bgr24"
        )
        self._last_ms = max(round(t_s * 1000), self._last_ms + 1)
        frame.pts, frame.time_base = self._last_ms, MILLISECOND
        self._container.mux(self._stream.encode(frame))
        self._written += 1

    def close(self) -> None:
        """Finish the file."""
        if self._written:
            self._container.mux(self._stream.encode())
        self._container.close()

    def __enter__(self) -> VideoWriter:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def write_clip(frames: Sequence[tuple[float, np.ndarray]], fps: float) -> bytes:
    """A short film as MP4, which every browser plays: times in seconds with BGR uint8 pictures of one even size, at least one."""
    packed = io.BytesIO()
    height, width = frames[0][1].shape[:2]
    with av.open(packed, "w", format="mp4") as container:
        stream: Any = container.add_stream(
            "libx264", rate=round(fps), options={"preset": "veryfast", "crf": "24", "threads": "1"}
        )
        stream.width, stream.height, stream.pix_fmt = width & ~1, height & ~1, "yuv420p"
        stream.codec_context.time_base = MILLISECOND
        last_ms = -1
        for t_s, image in frames:
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(image[: stream.height, : stream.width]), format="bgr24")
            last_ms = max(round((t_s - frames[0][0]) * 1000), last_ms + 1)
            frame.pts, frame.time_base = last_ms, MILLISECOND
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return packed.getvalue()
