"""A filmed hand watched by a program that is killed again and again, for tests of what its next run makes of the table."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from test_table_pipeline import perfect_detections

from models.training.scene import Scene
from rules.observations import Observation
from rules.ruleset import DUSA
from rules.seats import Seat
from table.film_render import FilmRenderer
from table.film_room import film_room
from table.film_write import FilmOrder, minimal_calibration, play_film
from table.live import TablePlan, WatchedTable
from vision.detections import TileDetection
from vision.frame import Frame

FPS, SIZE_PX = 5.0, (320, 240)
RULES = DUSA.with_switches({"pass_channel": "unreliable"})


class FilmedHand:
    """The frames of a simulated hand, rendered once, and what a detector without fault says of each."""

    def __init__(self, seed: int, frames: int | None = None) -> None:
        film = play_film(FilmOrder(seed=seed, fps=FPS, size_px=SIZE_PX))
        stage = film_room(seed, SIZE_PX)
        self._moments, self._room = film.moments[:frames], stage.room
        renderer = FilmRenderer(stage, seed)
        self.frames = [Frame(renderer.picture(moment), k, k / FPS) for k, moment in enumerate(self._moments)]
        self.calibration = minimal_calibration(stage.room)
        last_s = self.frames[-1].t_s - 2.0  # what was laid just before the end may not be told
        self.truth = [str(row["tile"]) for row in film.truth if row["kind"] == "place" and row["t"] <= last_s]

    def found(self, index: int) -> list[TileDetection]:
        return perfect_detections(Scene(0, self._room.style, self._moments[index].tiles, self._room.camera))


@dataclass
class Reel:
    """A camera that is a film: what was not watched is gone. It is the detector of its own frames, too."""

    film: FilmedHand
    begin: int
    heard: int  # where each frame that was dealt with is told
    live = False
    length = None
    signals: tuple[Observation, ...] = ()
    now = 0

    def __iter__(self) -> Iterator[Frame]:
        for frame in self.film.frames[self.begin :]:
            self.now = frame.index
            yield frame
            os.write(self.heard, frame.index.to_bytes(4, "little"))

    def detect(self, image: np.ndarray, min_confidence: float = 0.0) -> list[TileDetection]:
        return self.film.found(self.now)


def watch(film: FilmedHand, plan: TablePlan, begin: int, kill_after: int | None, rng: random.Random) -> int:
    """Watch from a frame on in a process of its own, killed at a random moment of the frame `kill_after`; the frames dealt with so far."""
    heard, told = os.pipe()
    cv2.setNumThreads(1)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            reel = Reel(film, begin, told)
            with WatchedTable(plan, reel, reel) as table:  # type: ignore[arg-type]
                for _ in table.events():
                    pass
            code = 0
        finally:
            os._exit(code)
    os.close(told)
    done = begin
    with os.fdopen(heard, "rb", buffering=0) as frames:
        while (told_frame := frames.read(4)) and (kill_after is None or done < kill_after):
            done = int.from_bytes(told_frame, "little") + 1
        if told_frame:
            for _ in range(rng.randrange(20_000)):  # some moment within the next frame
                pass
            os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    assert (os.WIFSIGNALED(status) and kill_after is not None) or os.WEXITSTATUS(status) == 0
    return done


def plan_for(folder: Path, calibration: Path) -> TablePlan:
    return TablePlan(
        journal=folder / "t07.db", ruleset=RULES, event="finals", table="t07", opener=Seat.S, calibration=calibration, resume=True
    )
