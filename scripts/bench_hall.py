"""`miron bench hall`: many tables, ten screens and a hall page on one broker: what is lost, how late it comes, what it costs."""

from __future__ import annotations

import multiprocessing
import os
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from rules.observations import Observation
from rules.ruleset import DUSA
from rules.seats import Seat
from scripts.bench_table import Row, show
from table.broker import Broker
from table.journal import Journal
from table.monitor import Monitor
from table.mqtt import MqttPublisher
from table.mqtt_link import Ear
from table.mqtt_settings import MqttSettings
from table.simulator import simulate_hand
from table.snapshot import state_publisher

EVENT = "hall"
SCREENS = 10
READY_S = 300.0  # a process that is not ready by then has failed, and so has the measurement
BETWEEN_HANDS_S = 40.0
HAND_S = 300.0  # about so long a hand takes, with what is between
SEQ = re.compile(rb'"seq":(\d+)')
TICKS = os.sysconf("SC_CLK_TCK")
Moments = dict[tuple[str, int], float]
"""(table, seq): a moment of the monotonic clock, which all processes of a machine share."""


class Answer(NamedTuple):
    """What a process tells of its tables: when each event was written, its CPU seconds, how far it fell behind the pace at most."""

    written: Moments
    cpu_s: float
    behind_s: float


def measure(
    tables: Annotated[int, typer.Option(min=SCREENS, help="Tables that play at the same time.")] = 200,
    speed: Annotated[float, typer.Option(min=0.1, help="How many times as fast as people play.")] = 5.0,
    hands: Annotated[int, typer.Option(min=1, help="Hands of each match.")] = 8,
    processes: Annotated[int, typer.Option(min=1, help="Processes that the tables are shared out to.")] = 4,
) -> None:
    """Tables publish a match each to one broker; ten screens follow one each, a hall page follows all. Needs a machine at rest.

    A hand takes about 300 s of play: eight hands at 5 times real speed are 8 minutes. Each event waits for the disk of the folder
    for temporary files (TMPDIR), as it does at a table.
    """
    with tempfile.TemporaryDirectory() as folder, Broker() as broker:
        names = [f"t{n:03d}" for n in range(1, tables + 1)]
        shares = [names[n::processes] for n in range(processes)]
        context = multiprocessing.get_context("spawn")
        told: Any = context.Queue()
        ready = context.Barrier(processes + 1)
        settings = folder, broker.tcp_port, speed, hands, ready, told
        workers = [context.Process(target=_play_all, args=(share, *settings), daemon=True) for share in shares]
        ears = _Ears(broker.tcp_port, names)
        with ears:
            for worker in workers:
                worker.start()
            ready.wait(READY_S)
            began_s, heard_s = time.monotonic(), time.process_time()
            answers = [told.get(timeout=READY_S + hands * 2 * HAND_S / speed) for _ in shares]
            wall_s, heard_s = time.monotonic() - began_s, time.process_time() - heard_s
            cpu_s, memory_mb = _cost(broker.pid or 0)
            time.sleep(2.0)  # what is on its way
        for worker in workers:
            worker.join()
        show(
            f"{tables} tables at {speed:g} times real speed on {broker.kind}",
            _rows(ears, answers, wall_s, cpu_s, memory_mb, heard_s),
        )


class _Ears:
    """The readers: the hall, which hears every table, and a screen for each of the first tables. Each notes when an event came."""

    def __init__(self, port: int, names: list[str]) -> None:
        self.hall, self.screens = list[tuple[str, int, float]](), list[tuple[str, int, float]]()
        root = f"miron/v1/{EVENT}/table/"
        self._ears = [
            Ear("127.0.0.1", port, [f"{root}+/{leaf}" for leaf in ("status", "state", "alerts", "event")], self._note(self.hall))
        ]
        for name in names[:SCREENS]:
            leaves = ("status", "state", "alerts", "event")
            self._ears.append(Ear("127.0.0.1", port, [f"{root}{name}/{leaf}" for leaf in leaves], self._note(self.screens)))
        self._stack = ExitStack()

    @staticmethod
    def _note(heard: list[tuple[str, int, float]]) -> Any:
        def note(topic: str, payload: bytes) -> None:
            *_, table, leaf = topic.split("/")
            if leaf == "event" and (found := SEQ.search(payload)):
                heard.append((table, int(found[1]), time.monotonic()))

        return note

    def __enter__(self) -> _Ears:
        for ear in self._ears:
            self._stack.enter_context(ear)
        return self

    def __exit__(self, *exc: object) -> None:
        self._stack.close()


def _play_all(names: list[str], folder: str, port: int, speed: float, hands: int, ready: Any, told: Any) -> None:
    """A share of the tables, each played in a thread of its own, once every process is `ready`."""
    written: Moments = {}
    with ExitStack() as stack:
        tables = [stack.enter_context(_Table(name, folder, port)) for name in names]
        ready.wait(READY_S)
        start_s, cpu_s = time.monotonic() + 1.0, time.process_time()
        # A thread each: while one table waits for the disk the others go on, as on machines of their own.
        with ThreadPoolExecutor(len(tables)) as threads:
            behind_s = max(threads.map(lambda table: table.play(start_s, speed, hands, written), tables))
        told.put(Answer(written, time.process_time() - cpu_s, behind_s))


class _Table:
    """One table with all that a program has for it: journal, monitor, connection. A context manager."""

    def __init__(self, name: str, folder: str, port: int) -> None:
        self._name = name
        self._journal = Journal(Path(folder) / f"{name}.db", EVENT, name)
        self._monitor = Monitor(replace(DUSA, target=10**6, clock_s=None), self._journal, start_s=0.0, opener=Seat.S)
        self._publisher = MqttPublisher(self._journal, MqttSettings(EVENT, name, port=port), {"schema": 1})
        self._publish = state_publisher(self._monitor, self._publisher, EVENT, name)

    def play(self, start_s: float, speed: float, hands: int, written: Moments) -> float:
        """A match at its own pace; notes when each event was in the journal. How late an observation was taken in at most, s."""
        number, behind_s = int(self._name[1:]), 0.0
        for seen in _observations(number, hands):
            due_s = start_s + (seen.t + number % 7) / speed
            time.sleep(max(0.0, due_s - time.monotonic()))
            behind_s = max(behind_s, time.monotonic() - due_s)
            for record in self._monitor.observe(seen):
                written[self._name, record.seq] = time.monotonic()
            self._publish()
        self._publisher.drain(120)
        return behind_s

    def __enter__(self) -> _Table:
        self._publisher.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._publisher.stop()
        self._journal.close()


def _observations(number: int, hands: int) -> Iterator[Observation]:
    start = 0.0
    for hand in range(hands):
        for seen in simulate_hand(1000 * number + hand, Seat(hand % 4)).observations:
            yield replace(seen, t=seen.t + start)
        start += seen.t + BETWEEN_HANDS_S


def _cost(pid: int) -> tuple[float, float]:
    """CPU seconds and the most memory, MB, of a process."""
    stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    peak = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return (int(stat[11]) + int(stat[12])) / TICKS, int(peak[1]) / 1024 if peak else 0.0


def _rows(ears: _Ears, answers: list[Answer], wall_s: float, cpu_s: float, memory_mb: float, heard_s: float) -> list[Row]:
    written: Moments = {key: at for answer in answers for key, at in answer.written.items()}
    came = Counter((table, seq) for table, seq, _ in ears.hall)
    screens = {table for table, _, _ in ears.screens}
    seen = {(table, seq) for table, seq, _ in ears.screens}
    lost = sum(key not in came for key in written) + sum(key not in seen for key in written if key[0] in screens)
    return [
        Row("events", len(written), ""),
        Row("lost, at the hall and at the screens", lost, ""),
        Row("doubled at the hall", sum(count - 1 for count in came.values()), ""),
        *_late("journal to screen", written, ears.screens),
        *_late("journal to hall", written, ears.hall),
        Row("events a second", len(written) / wall_s, "/s"),
        Row("wall time", wall_s, "s"),
        Row("CPU of the broker, of one core", 100 * cpu_s / wall_s, "%"),
        Row("memory of the broker, at most", memory_mb, "MB"),
        Row("CPU of all tables, of one core", 100 * sum(answer.cpu_s for answer in answers) / wall_s, "%"),
        Row("CPU of the readers, of one core", 100 * heard_s / wall_s, "%"),
        Row("behind the pace of play, at most", 1000 * max(answer.behind_s for answer in answers), "ms"),
    ]


def _late(what: str, written: Moments, heard: list[tuple[str, int, float]]) -> list[Row]:
    first: Moments = {}
    for table, seq, at in heard:
        first.setdefault((table, seq), at)
    late = sorted(1000 * (at - written[key]) for key, at in first.items() if key in written)
    if not late:
        return []
    return [Row(f"{what}, {share:.0%}", late[min(len(late) - 1, int(share * len(late)))], "ms") for share in (0.5, 0.99, 1.0)]
