"""Frames of a camera: always the newest, on a clock that never jumps, opened again when the camera goes away."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from rules.errors import BadInput
from rules.observations import Clock, Observation
from table.cameras import Pictures, is_camera, pictures_of
from vision.frame import Frame

__all__ = ["LiveSource", "is_camera", "open_camera"]

log = logging.getLogger(__name__)
SILENCE_S = 1.0  # without a picture for so long, the time alone is told
BACK_OFF_S = (0.5, 10.0)  # the first and the longest wait before a camera is opened again
FIRST_PICTURE_S = 20.0  # a network camera may take its time


class _Shot(NamedTuple):
    t_s: float
    image: np.ndarray
    number: int


class LiveSource:
    """The pictures of a camera as they come. `open_pictures` opens it anew and gives (time, picture) until it fails.

    A thread takes every picture at once and keeps the newest alone, so a slow reader never sees an old one; `Frame.index` counts
    what the camera gave, so gaps show. While nothing comes a `Clock` observation tells the time each second: whoever follows
    the table says that it is not watched. Times are seconds of the monotonic clock since the first picture, or, where nobody refuses a
    camera that is not there yet (`patient`), since the watching began. openings: how often the camera was opened.
    """

    live = True
    length: int | None = None
    signals: tuple[Observation, ...] = ()

    def __init__(
        self,
        open_pictures: Callable[[], Pictures],
        name: str,
        clock: Callable[[], float] = time.monotonic,
        patient: bool = False,
    ) -> None:
        self.name, self._open, self._clock, self._patient = name, open_pictures, clock, patient
        self.openings = 0
        self._changed = threading.Condition()
        self._newest: _Shot | None = None
        self._failure: Exception | None = None
        self._stopped = threading.Event()

    def __iter__(self) -> Iterator[Frame | Observation]:
        """Frames without end; BadInput when the first one does not come. Leaving the loop releases the camera."""
        grabber = threading.Thread(target=self._grab, name=f"camera {self.name}", daemon=True)
        grabber.start()
        try:
            yield from self._newest_frames()
        finally:
            self.close()
            grabber.join(2.0)

    def close(self) -> None:
        """Let the camera go; the frames end."""
        self._stopped.set()
        with self._changed:
            self._changed.notify_all()

    def _newest_frames(self) -> Iterator[Frame | Observation]:
        start, seen = (self._clock() if self._patient else 0.0), -1
        shot = self._wait_for_another(-1, SILENCE_S if self._patient else FIRST_PICTURE_S)
        if shot is None and not self._patient and not self._stopped.is_set():
            raise self._refusal()
        start = start if self._patient or shot is None else shot.t_s
        while not self._stopped.is_set():
            if shot is None:
                yield Clock(t=self._clock() - start)
            else:
                seen = shot.number
                yield Frame(shot.image, shot.number, shot.t_s - start)
            shot = self._wait_for_another(seen, SILENCE_S)

    def _refusal(self) -> BadInput:
        if isinstance(self._failure, BadInput):
            return self._failure
        return BadInput(f"expected pictures from {self.name}, found {self._failure or 'none'}; check the camera and its name")

    def _wait_for_another(self, seen: int, wait_s: float) -> _Shot | None:
        def there() -> bool:
            refused = seen < 0 and self._failure is not None and not self._patient
            return self._stopped.is_set() or refused or (self._newest is not None and self._newest.number > seen)

        with self._changed:
            self._changed.wait_for(there, wait_s)
            return self._newest if self._newest is not None and self._newest.number > seen else None

    def _grab(self) -> None:
        """Take every picture; open the camera again, after ever longer waits, when it fails."""
        number, wait_s, last = 0, BACK_OFF_S[0], float("-inf")
        while not self._stopped.is_set():
            failure: Exception = OSError("no more pictures")
            pictures = self._open()
            self.openings += 1
            try:
                for t_s, image in pictures:
                    if self._stopped.is_set():
                        break
                    if t_s <= last:
                        continue  # a picture from before, queued in the driver
                    last, wait_s = t_s, BACK_OFF_S[0]
                    self._keep(_Shot(t_s, image, number))
                    number += 1
            except Exception as error:  # whatever a driver raises: a camera that failed is opened again
                failure = error
            finally:
                pictures.close()
            if self._stopped.is_set():
                return
            log.warning("%s: %s; opening it again in %.1f s", self.name, failure, wait_s)
            with self._changed:
                self._failure = failure
                self._changed.notify_all()
            self._stopped.wait(wait_s)
            wait_s = min(2 * wait_s, BACK_OFF_S[1])

    def _keep(self, shot: _Shot) -> None:
        with self._changed:
            self._newest = shot
            self._changed.notify_all()


def open_camera(text: str, patient: bool = False) -> LiveSource:
    """The camera that a text names: `v4l2:0`, `picamera:0` or an address with `://`; BadInput when its number is none.

    patient: wait for one that is not there yet, instead of refusing it.
    """
    return LiveSource(pictures_of(text), text, patient=patient)
