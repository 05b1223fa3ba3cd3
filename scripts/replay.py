"""`miron replay`: play a recording again, and hold it against what was recorded."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TextIO

import typer

from models.detector import model_hash
from rules.errors import BadInput
from rules.observations import Observation
from scripts.config import BrokerAddress, ConfigFile, Settings, broker_settings
from table.envelope import EventRecord
from table.health import health
from table.live import TableDetector
from table.mqtt import MqttPublisher
from table.mqtt_settings import MqttSettings
from table.recording import LOOKS, Recording, open_recording
from table.replay import Replay, Seen
from table.replay_verify import first_difference
from table.snapshot import state_publisher
from table.telling import tell_event
from vision.frame import Frame

DRAIN_S = 10.0


class From(StrEnum):
    detections = "detections"
    frames = "frames"


class Speed(StrEnum):
    at_once = "0"
    real = "1"
    four = "4"


def command(
    recording: Annotated[Path, typer.Argument(help="The folder of a recording.", show_default=False)],
    ruleset: Annotated[str | None, typer.Option(help="Judge it under dusa or fid instead.")] = None,
    source: Annotated[
        From | None,
        typer.Option("--from", help="detections (exact; when they are there) or frames (read anew).", show_default=False),
    ] = None,
    speed: Annotated[
        Speed, typer.Option(help="0: as fast as it goes; 1: as at the table; 4: four times faster.")
    ] = Speed.at_once,
    publish: Annotated[bool, typer.Option("--publish", help="Publish over MQTT as a live table does.")] = False,
    broker: BrokerAddress = None,
    config: ConfigFile = None,
    set: Settings = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Exit 1 and print the first event that is not the recorded one.")
    ] = False,
    events: Annotated[Path | None, typer.Option(help="Write the events here, one JSON object a line.")] = None,
) -> None:
    """Play a recording through the same code as the live table: its events are told, written, published or verified."""
    match = open_recording(recording)
    if verify and ruleset is not None and ruleset.lower() != match.ruleset.name:
        raise BadInput(
            f"expected --verify under the recorded rules {match.ruleset.name}, found --ruleset {ruleset}; leave one of them out"
        )
    from_looks = (match.folder / LOOKS).exists() if source is None else source is From.detections
    with ExitStack() as stack:
        replay = stack.enter_context(Replay(match, ruleset))
        pace = _paced(float(speed.value))
        after, finish = (lambda: None), (lambda: None)
        if publish:
            there = broker_settings(config, set, broker, event=replay.event, table=replay.table)
            after, finish = _published(replay, there, stack)

        def done(item: Seen) -> None:
            after()
            pace(item)

        records = replay.from_looks(done) if from_looks else replay.from_frames(TableDetector(match.plane), done)
        records = _written(records, stack.enter_context(_writable(events))) if events else records
        different = _verified(match, records, exact=from_looks) if verify else _told(records, quiet=events is not None)
        after()
        finish()
    sys.exit(1 if different else 0)


def _told(records: Iterable[EventRecord], quiet: bool) -> bool:
    for record in records:
        if not quiet:
            print(tell_event(record), flush=True)
    return False


def _verified(match: Recording, records: Iterable[EventRecord], exact: bool) -> bool:
    difference = first_difference(match, records, exact)
    print(difference if difference is not None else f"{match.folder}: every event is the one recorded")
    return difference is not None


def _written(records: Iterable[EventRecord], out: TextIO) -> Iterator[EventRecord]:
    for record in records:
        out.write(record.line() + "\n")
        yield record


def _writable(file: Path) -> TextIO:
    try:
        return file.open("w", encoding="utf-8")
    except OSError as error:
        raise BadInput(f"expected to write {file}, found: {error.strerror}; name another file") from error


def _paced(speed: float) -> Callable[[Seen], None]:
    """Waits until it is time for the next frame or signal; a speed of 0 never waits."""
    started: list[tuple[float, float]] = []

    def pace(item: Frame | Observation) -> None:
        t_s = item.t_s if isinstance(item, Frame) else item.t
        started[:] = started or [(time.monotonic(), t_s)]
        due = started[0][0] + (t_s - started[0][1]) / speed
        time.sleep(max(0.0, due - time.monotonic()))

    return pace if speed else lambda item: None


def _published(replay: Replay, broker: MqttSettings, stack: ExitStack) -> tuple[Callable[[], None], Callable[[], None]]:
    """What publishes the state after each step, and what waits at the end until everything has gone out."""
    info = {"schema": 1, "model": model_hash(), "calibrated": replay.recording.plane is not None, "capabilities": ["replay"]}
    publisher = MqttPublisher(replay.journal, broker, info)
    logging.getLogger("table.mqtt").setLevel(logging.ERROR)  # a broker that is missing is told once, at the end
    publisher.start(lambda name, payload: None, lambda: health(None, replay.journal, 0))
    stack.callback(publisher.stop)

    def finish() -> None:
        if not publisher.drain(DRAIN_S):
            where, why = f"{broker.host}:{broker.port}", publisher.complaint or "none that takes every event"
            raise BadInput(f"expected a broker at {where}, found: {why}; start one, or correct mqtt.*, and replay again")

    return state_publisher(replay.monitor, publisher, replay.event, replay.table, replay.places), finish
