"""A whole table as a program runs it: journal, monitor, desk and publisher, with a thread of its own that owns the match."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from rules.observations import Observation, Place
from rules.ruleset import DUSA, Ruleset
from rules.seats import Seat
from rules.tiles import Tile
from table.commands_desk import CommandDesk
from table.health import TimedDetector, health
from table.journal import Journal
from table.monitor import Monitor
from table.mqtt import MqttPublisher, MqttSettings
from table.snapshot import state_publisher
from vision.detections import TileDetection

START_S = 1_700_000_000
INFO = {"schema": 1, "model": "9c1f", "calibrated": True, "capabilities": ["video"]}


class NoTiles:
    """A detector that sees nothing."""

    def detect(self, image: np.ndarray, min_confidence: float = 0.5) -> list[TileDetection]:
        return []


class RunningTable:
    """finals/t07 at a broker; what is done to the match is done by the thread that owns it, before `see` and `play` return."""

    def __init__(self, path: Path, port: int, ruleset: Ruleset = DUSA, teams: dict[str, str] | None = None, **login: str) -> None:
        self.journal = Journal(path, "finals", "t07")
        self.monitor = Monitor.take_up(self.journal, ruleset, start_s=START_S, opener=Seat.S, teams=teams)
        settings = MqttSettings("finals", "t07", port=port, back_off_s=(0.1, 0.4), **login)
        self.publisher = MqttPublisher(self.journal, settings, INFO)
        self.publish = state_publisher(self.monitor, self.publisher, "finals", "t07")
        self._desk = CommandDesk(self.monitor, self.publisher.answer, self.publish)
        self._todo: queue.Queue[Callable[[], None]] = queue.Queue()
        self._stopping = threading.Event()
        self._owner = threading.Thread(target=self._work, daemon=True)
        self.t = 0.0

    def __enter__(self) -> RunningTable:
        self.publisher.start(self._desk.hear, lambda: health(TimedDetector(NoTiles()), self.journal, self._desk.waiting))
        self._owner.start()
        self.do(self.publish)
        return self

    def __exit__(self, *exc: object) -> None:
        self._stopping.set()
        self._owner.join(10)
        self.publisher.stop()
        self.journal.close()

    def _work(self) -> None:
        while not self._stopping.is_set():
            list(self._desk.serve(0.02))
            while not self._todo.empty():
                self._todo.get()()

    def do(self, what: Callable[[], None]) -> None:
        """Have it done by the owner of the match."""
        done = threading.Event()
        self._todo.put(lambda: (what(), done.set()))
        assert done.wait(30)

    def busy_for(self, seconds: float) -> None:
        """The owner hears nothing for a while."""
        self._todo.put(lambda: time.sleep(seconds))

    def see(self, *seen: Observation) -> None:
        """What the camera or a button says; the state is published once."""

        def all_of_it() -> None:
            for one in seen:
                self.monitor.observe(one)
                self._desk.tick(one.t)
                self.t = one.t
            self.publish()

        self.do(all_of_it)

    def play(self, words: str, since: int = 0) -> None:
        """Plays such as `6-6:open 6-5:b`, two seconds apart, in the order of play from seat `since` on."""
        plays = [word.split(":") for word in words.split()]
        t = self.t + 2
        self.see(
            *(Place(t=t + 2 * n, seat=Seat((since + n) % 4), tile=Tile.parse(tile), at=at) for n, (tile, at) in enumerate(plays))
        )
