"""`miron demo`: the recorded match through the real pipeline: pictures → events → journal → MQTT → scoreboard page."""

from __future__ import annotations

import contextlib
import socket
import tempfile
import threading
import time
from collections.abc import Callable
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
from table.journal import Journal
from table.monitor import Monitor
from table.mqtt import MqttPublisher
from table.mqtt_settings import MqttSettings
from table.pipeline import Pipeline
from table.recording import Recording, open_recording
from table.snapshot import snapshot
from table.telling import tell_event
from vision.frame import Frame
from vision.stills import StillsFollower

MATCH = Path(__file__).parent.parent / "tests" / "matches" / "club"
EVENT, TABLE = "demo", "t01"
PORT, MQTT_PORT = 8733, 8734  # taken when they are free
DRAIN_S = 60.0


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
        monitor = Monitor(match.ruleset, book, start_s=match.start_s, opener=match.opener)
        settings = MqttSettings(EVENT, TABLE, port=broker.tcp_port, back_off_s=(0.2, 5.0))
        publisher = MqttPublisher(
            book, settings, {"schema": 1, "model": model_hash(), "calibrated": True, "capabilities": ["stills"]}
        )
        publisher.start()
        stack.callback(publisher.stop)
        publisher.publish_state(snapshot(monitor, EVENT, TABLE, match.teams))
        _play(match, monitor, publisher, pace=_pace(0.0 if once else longest_pause))
        if not publisher.drain(DRAIN_S):
            raise BadInput(
                f"expected the broker to take every event, found {book.last_seq - book.acknowledged} waiting; run again"
            )
        print(final_score(monitor, match), flush=True)
        if not once:
            _stay()


def _play(match: Recording, monitor: Monitor, publisher: MqttPublisher, pace: Callable[[float], None]) -> None:
    """Every picture and signal of the recording; each event is told, journalled and published."""
    pipeline = Pipeline(Detector(), StillsFollower(match.plane, match.opener), monitor)

    def after(item: Frame | Observation) -> None:
        publisher.publish_state(snapshot(monitor, EVENT, TABLE, match.teams))
        publisher.notify()
        pace(item.t_s if isinstance(item, Frame) else item.t)

    for record in pipeline.run(match.source, after):
        print(tell_event(record), flush=True)


def final_score(monitor: Monitor, match: Recording) -> str:
    """`final score  Los Robles 52 : 31 La Ceiba` with who won, if anybody did."""
    a, b = monitor.state.totals
    winner = monitor.state.winner
    won = f", {match.teams[winner]} win" if winner else ""
    return f"final score  {match.teams['A']} {a} : {b} {match.teams['B']}{won}"


def _stay() -> None:
    """Keep the page and the broker until Ctrl-C."""
    print("The match is over; the page stays until Ctrl-C.", flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        threading.Event().wait()


def _pace(longest_s: float) -> Callable[[float], None]:
    """Wait as long as it took at the table, but never long enough to be tedious."""
    last = 0.0

    def pause(t_s: float) -> None:
        nonlocal last
        time.sleep(min(max(t_s - last, 0.0), longest_s))
        last = t_s

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
