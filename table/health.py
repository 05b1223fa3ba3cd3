"""How well the table is being watched, in figures: what is known, and null for what is not."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from table.envelope import wire_time
from table.journal import Journal
from table.pipeline import Detects
from vision.detections import TileDetection
from vision.watching import Watch

WINDOW_S = 10.0
NO_FIGURES: dict[str, float | None] = {"fps": None, "latency_ms": None}


class TimedDetector:
    """A detector whose looks are timed. Read from another thread by `figures`."""

    def __init__(self, detector: Detects, now: Callable[[], float] = time.monotonic) -> None:
        self._detector, self._now = detector, now
        self._looks: deque[tuple[float, float]] = deque(maxlen=500)  # when it was done, how long it took, seconds

    def detect(self, image: np.ndarray, min_confidence: float = 0.5) -> list[TileDetection]:
        """Tiles of a BGR uint8 picture, as the detector finds them."""
        began = self._now()
        found = self._detector.detect(image, min_confidence)
        self._looks.append((self._now(), self._now() - began))
        return found

    def figures(self) -> dict[str, float | None]:
        """`fps`: looks a second over the last 10 s; `latency_ms`: the mean time of one; null when there was none."""
        since = self._now() - WINDOW_S
        took = [seconds for done, seconds in list(self._looks) if done >= since]
        if not took:
            return NO_FIGURES
        return {"fps": round(len(took) / WINDOW_S, 2), "latency_ms": round(1000 * sum(took) / len(took), 1)}


def health(
    detector: TimedDetector | None, journal: Journal, commands_waiting: int, camera: Watch | None = None
) -> dict[str, Any]:
    """The payload of `health`. What nobody measures is null: the hidden share of the table; without a detector or a camera all that
    they tell.

    `blur`: how much less sharp than the reference, 0 to 1; `drift_mm`: how far the camera has moved, on the table.
    """
    file, wal = journal.path, journal.path.with_name(journal.path.name + "-wal")
    return {
        "schema": 1,
        "time": wire_time(time.time()),
        "boot": journal.boot,
        **(detector.figures() if detector else NO_FIGURES),
        "blur": None if camera is None or camera.signs is None else round(max(0.0, 1 - camera.signs.sharpness), 3),
        "hidden": None,
        "drift_mm": None if camera is None or camera.drift_mm is None else round(camera.drift_mm, 1),
        "journal": {
            "bytes": sum(part.stat().st_size for part in (file, wal) if part.exists()),
            "last_seq": journal.last_seq,
            "waiting": journal.last_seq - journal.acknowledged,
        },
        "commands_waiting": commands_waiting,
    }
