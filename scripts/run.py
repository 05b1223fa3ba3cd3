"""`miron run`: the live monitor of one table: camera → journal, MQTT, recording, evidence, pages, in one process."""

from __future__ import annotations

import contextlib
import faulthandler
import logging
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from calibration.corners import load_plane
from display.server import PageConfig, board_server
from rules.errors import BadInput
from scripts.config import ConfigFile, Settings
from scripts.display import listening, page_config
from table.envelope import EventRecord
from table.library import Library
from table.live import TableDetector, TablePlan, WatchedTable
from table.logs import write_logs
from table.metrics import TableMetrics, serving
from table.pipeline import Seen
from table.settings import TableSettings, without_password
from table.settings_layers import load_settings
from table.sources import StillsFolder, open_source
from table.systemd import Service
from table.telling import tell_event

log = logging.getLogger("miron")
LEAVE_S = 5.0  # what the broker gets to take the last events when we are told to stop


def command(config: ConfigFile = None, set: Settings = None) -> None:
    """Watch one table until SIGTERM or Ctrl-C; go on with the match that was left open. Settings: docs/configuration.md."""
    settings = load_settings(config, set or ()).settings
    write_logs(settings.log.level, settings.log.form)
    faulthandler.enable()  # systemd ends a program that hangs with SIGABRT: it then says where it hangs
    service, metrics = Service(), TableMetrics()
    page = page_config(settings)  # what is wrong with it is told before anything begins
    with ExitStack() as stack:
        table = stack.enter_context(watched(settings, metrics))
        stack.callback(_leave, table)
        if settings.metrics.enabled:
            metrics.follow(table)
            address = stack.enter_context(serving(metrics.registry, settings.metrics.host, settings.metrics.port))
            log.info("metrics at %s", address, extra={"url": address})
        if settings.pages.enabled:
            stack.enter_context(pages(settings, page, table.plan.recording))
        stack.enter_context(ended_by_signals(table))
        log.info("watching %s as %s/%s", without_password(settings.camera.source), settings.event, settings.table)
        service.ready(f"watching {without_password(settings.camera.source)}")
        for record in table.events(lambda item: _dealt_with(item, metrics, service)):
            _tell(record, metrics)
        service.stopping()


def watched(settings: TableSettings, metrics: TableMetrics) -> WatchedTable:
    """The table as the settings want it, put together and not yet watched."""
    source = open_source(settings.camera.source, patient=True)
    if isinstance(source, StillsFolder):
        raise BadInput(
            f"expected a camera or a film as camera.source, found a folder of stills at {settings.camera.source}; use watch"
        )
    plane = load_plane(settings.camera.calibration) if settings.camera.calibration else None
    detector = TableDetector(plane, settings.camera.threads, settings.camera.runtime)
    return WatchedTable(plan(settings), source, metrics.timed(detector))


def plan(settings: TableSettings) -> TablePlan:
    """The settings as a plan. Without buttons or a microphone silence says nothing, unless a switch says that passes are heard."""
    rules = (
        settings.rules if "pass_channel" in settings.switches else settings.rules.with_switches({"pass_channel": "unreliable"})
    )
    began = datetime.fromtimestamp(time.time(), UTC)
    recording = _recordings(settings) / f"{settings.table}-{began:%Y%m%dT%H%M%S%f}Z"
    return TablePlan(
        journal=settings.journal, ruleset=rules, event=settings.event, table=settings.table, opener=settings.due_opener,
        teams=settings.team_names, calibration=settings.camera.calibration, mqtt=settings.broker,
        recording=recording if settings.recording.enabled else None, evidence=settings.data / "evidence", resume=True,
    )  # fmt: skip


@contextlib.contextmanager
def pages(settings: TableSettings, page: PageConfig, recording: Path | None) -> Iterator[str]:
    """Serves the pages in a thread of its own; their address. recording: the one that is being written."""
    told = settings.pages
    _recordings(settings).mkdir(parents=True, exist_ok=True)
    with listening(told.host, told.port) as listener, Library(_recordings(settings), recording) as library:
        server = board_server(page, told.host, told.port, settings.data / "evidence", library)
        write_logs(settings.log.level, settings.log.form)  # the server has brought handlers of its own
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name="pages", daemon=True)
        thread.start()
        address = f"http://{told.host}:{listener.getsockname()[1]}"
        words = "scoreboard at %s/board, referee's console at %s/referee, recorded matches at %s/replay"
        log.info(words, address, address, address, extra={"url": address})
        try:
            yield address
        finally:
            server.should_exit = True
            thread.join(5)


def _recordings(settings: TableSettings) -> Path:
    return settings.data / "recordings"


@contextlib.contextmanager
def ended_by_signals(table: WatchedTable) -> Iterator[None]:
    """SIGTERM and Ctrl-C let the frame at hand be finished and end the watching; a second one ends at once."""

    def stop(number: int, frame: object) -> None:
        log.info("told to stop by %s", signal.Signals(number).name)
        for one in before:
            signal.signal(one, signal.SIG_DFL)
        table.stop()

    before = {one: signal.signal(one, stop) for one in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def _dealt_with(item: Seen, metrics: TableMetrics, service: Service) -> None:
    metrics.saw(item)
    service.alive(f"{metrics.fps:.1f} frames a second")


def _tell(record: EventRecord, metrics: TableMetrics) -> None:
    metrics.told(record)
    log.info("%s", tell_event(record).strip(), extra={"seq": record.seq, "type": record.type})


def _leave(table: WatchedTable) -> None:
    """Give the broker the last events and say `stopped`; what it does not take waits in the journal for the next start."""
    if not table.finish(LEAVE_S):
        log.warning("%d events wait in %s for a broker", table.journal.last_seq - table.journal.acknowledged, table.journal.path)
