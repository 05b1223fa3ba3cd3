"""`miron demo`: the recorded match through the real pipeline: pictures → events → journal → MQTT → scoreboard page."""

from __future__ import annotations

import contextlib
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
import uvicorn

from display.server import PageConfig, board_server
from models.detector import Detector, model_hash
from rules.errors import BadInput
from rules.observations import Observation
from table.broker import Broker
from table.commands_desk import CommandDesk
from table.envelope import EventRecord
from table.health import TimedDetector, health
from table.journal import Journal
from table.monitor import Monitor
from table.mqtt import MqttPublisher
from table.mqtt_settings import MqttSettings
from table.pipeline import Pipeline
from table.recording import Recording, open_recording
from table.snapshot import state_publisher
from table.telling import tell_event
from vision.frame import Frame
from vision.stills import StillsFollower

MATCH = Path(__file__).parent.parent / "tests" / "matches" / "club"
EVENT, TABLE = "demo", "t01"
PORT, MQTT_PORT = 8733, 8734  # taken when they are free
DRAIN_S = 60.0
STAY_S = 1.0  # how often Ctrl-C is looked for


def command(
    once: Annotated[
        bool, typer.Option("--once", help="Run to the end as fast as it goes, print the final score, leave.")
    ] = False,
    recording: Annotated[Path, typer.Option(help="Another recording of stills.")] = MATCH,
    port: Annotated[int | None, typer.Option(help=f"Port of the page; {PORT} when free.")] = None,
    mqtt_port: Annotated[int | None, typer.Option(help=f"Port of the broker; {MQTT_PORT} when free.")] = None,
    journal: Annotated[Path | None, typer.Option(help="Keep the journal here; else it is gone at the end.")] = None,
    longest_pause: Annotated[float, typer.Option(min=0.0, help="Seconds to wait between two plays at most.")] = 3.0,
) -> None:
    """Play a recorded match through the whole pipeline to a scoreboard page."""
    match = open_recording(recording)
    with ExitStack() as stack:
        broker = stack.enter_context(Broker(tcp_port=_port(mqtt_port, MQTT_PORT)))
        page = _serve(stack, PageConfig(broker.ws_url, EVENT, TABLE), _port(port, PORT))
        print(f"scoreboard  {page}\nbroker      {broker.tcp_url}  topics miron/v1/{EVENT}/table/{TABLE}/#", flush=True)
        file = journal or Path(stack.enter_context(tempfile.TemporaryDirectory())) / "journal.db"
        book = stack.enter_context(Journal(file, EVENT, TABLE, match.boot))
        monitor = Monitor(match.ruleset, book, start_s=match.start_s, opener=match.opener, teams=match.teams)
        settings = MqttSettings(EVENT, TABLE, port=broker.tcp_port, back_off_s=(0.2, 5.0))
        publisher = MqttPublisher(
            book, settings, {"schema": 1, "model": model_hash(), "calibrated": True, "capabilities": ["stills"]}
        )
        detector = TimedDetector(Detector())
        pipeline = Pipeline(detector, StillsFollower(match.plane, match.opener), monitor)
        publish = state_publisher(monitor, publisher, EVENT, TABLE, pipeline.places)
        desk = CommandDesk(monitor, publisher.answer, publish)
        publisher.start(desk.hear, lambda: health(detector, book, desk.waiting))
        stack.callback(publisher.stop)
        publish()
        _play(match, pipeline, desk, publish, pause=_pauses(0.0 if once else longest_pause))
        if not publisher.drain(DRAIN_S):
            raise BadInput(
                f"expected the broker to take every event, found {book.last_seq - book.acknowledged} waiting; run again"
            )
        print(final_score(monitor, match), flush=True)
        if not once:
            _stay(desk)


def _play(
    match: Recording, pipeline: Pipeline, desk: CommandDesk, publish: Callable[[], None], pause: Callable[[float], float]
) -> None:
    """Every picture and signal of the recording; each event is told, journalled and published. Commands are taken in the pauses."""

    def after(item: Frame | Observation) -> None:
        t_s = item.t_s if isinstance(item, Frame) else item.t
        publish()
        desk.tick(t_s)
        _tell(desk.serve(pause(t_s)))

    _tell(pipeline.run(match.source, after))
    publish()  # what the end of the source decided


def _tell(records: Iterable[EventRecord]) -> None:
    for record in records:
        print(tell_event(record), flush=True)


def final_score(monitor: Monitor, match: Recording) -> str:
    """`final score  Los Robles 52 : 31 La Ceiba` with who won, if anybody did."""
    a, b = monitor.state.totals
    winner = monitor.state.winner
    won = f", {match.teams[winner]} win" if winner else ""
    return f"final score  {match.teams['A']} {a} : {b} {match.teams['B']}{won}"


def _stay(desk: CommandDesk) -> None:
    """Keep the page and the broker, and take commands, until Ctrl-C."""
    print("The match is over; the page stays until Ctrl-C.", flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            _tell(desk.serve(STAY_S))


def _pauses(longest_s: float) -> Callable[[float], float]:
    """How long to wait after the frame or signal of a time: as long as it took at the table, but never so long that it is tedious."""
    last = 0.0

    def pause(t_s: float) -> float:
        nonlocal last
        passed, last = max(t_s - last, 0.0), t_s
        return min(passed, longest_s)

    return pause


def _port(asked: int | None, usual: int) -> int:
    """The port asked for, else the usual one if it is free, else 0 for any."""
    if asked is not None:
        return asked
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", usual))
        except OSError:
            return 0
    return usual


def _serve(stack: ExitStack, config: PageConfig, port: int) -> str:
    """Start the page in a thread of its own; its address."""
    server = board_server(config, port=port)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 30
    while not server.started:
        if not thread.is_alive() or time.monotonic() > deadline:
            raise BadInput(f"expected port {port} to be free for the page, found that it is taken; choose another --port")
        time.sleep(0.05)
    stack.callback(_stop, server, thread)
    return f"http://127.0.0.1:{_bound_port(server)}/board"


def _bound_port(server: uvicorn.Server) -> int:
    return int(server.servers[0].sockets[0].getsockname()[1])


def _stop(server: uvicorn.Server, thread: threading.Thread) -> None:
    server.should_exit = True
    thread.join(10)
