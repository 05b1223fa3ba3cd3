"""`miron watch`: follow a table and write its events."""

from __future__ import annotations

import logging
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, TextIO

import typer
from rich.console import Console
from rich.progress import Progress

from rules.errors import BadInput
from rules.ruleset import ruleset_named
from rules.seats import Seat
from scripts.config import BrokerAddress, ConfigFile, Settings, broker_settings
from table.envelope import EventRecord
from table.live import TablePlan, WatchedTable
from table.sources import VIDEO, StillsFolder, open_source
from table.sources_live import LiveSource
from table.sources_video import VideoFile
from table.telling import tell_event

BROKER_WAIT_S = 8.0


def command(
    source: Annotated[
        str,
        typer.Argument(
            help="A video, a recording, a camera (v4l2:0, picamera:0, rtsp://…), or a folder of stills.", show_default=False
        ),
    ],
    stills: Annotated[bool, typer.Option("--stills", help="Every picture is a settled look, one a move.")] = False,
    calibration: Annotated[Path | None, typer.Option(help="Calibration file; without it the tiles give the scale.")] = None,
    ruleset: Annotated[str, typer.Option(help="dusa or fid.")] = "dusa",
    events: Annotated[Path | None, typer.Option(help="Write the events here, one JSON object a line.")] = None,
    opener: Annotated[str | None, typer.Option(help="S, E, N or W: the seat whose opening is due.")] = None,
    free_layout: Annotated[bool, typer.Option("--free-layout", help="Another game: tell new tiles, judge nothing.")] = False,
    journal: Annotated[Path | None, typer.Option(help="Keep the events in this journal (SQLite).")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the match that the journal left open.")] = False,
    record: Annotated[Path | None, typer.Option(help="Record everything into this new folder.")] = None,
    evidence: Annotated[Path | None, typer.Option(help="Write pictures of infractions and doubts into this folder.")] = None,
    broker: BrokerAddress = None,
    event: Annotated[str, typer.Option(help="Name of the event in topics.")] = "table",
    table: Annotated[str, typer.Option(help="Name of the table in topics.")] = "t01",
    config: ConfigFile = None,
    set: Settings = None,
) -> None:
    """Follow a table: read the tiles, infer the plays, judge them, write the events; with --broker publish them too."""
    there = None if broker is None else broker_settings(config, set, broker, event=event, table=table)
    film = _open(source, stills)
    # Without buttons or a microphone silence says nothing: a seat that was skipped may have passed unheard.
    rules = ruleset_named(ruleset).with_switches({"pass_channel": "reliable" if film.signals else "unreliable"})
    with ExitStack() as stack:
        if journal is None and there is None:
            journal = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "journal.db"
        plan = TablePlan(
            journal=journal or Path(f"{table}.journal.db"),
            ruleset=rules,
            event=event,
            table=table,
            opener=None if opener is None else Seat.parse(opener),
            calibration=calibration,
            free_layout=free_layout,
            mqtt=there,
            recording=record,
            evidence=evidence,
            resume=resume,
        )
        tell = _teller(stack.enter_context(_writable(events)) if events else None)
        watched = stack.enter_context(WatchedTable(plan, film))
        logging.getLogger("table.mqtt").setLevel(logging.ERROR)  # a broker that is missing is told once, at the end
        tell(_followed(watched))
        _finish(watched)


def _open(source: str, stills: bool) -> VideoFile | StillsFolder | LiveSource:
    path = Path(source)
    if not stills and path.is_dir() and not (path / VIDEO).exists():
        raise BadInput(
            f"expected --stills with a folder of pictures, found {source!r} without it; say that each is a settled look"
        )
    film = open_source(source)
    if stills and not isinstance(film, StillsFolder):
        raise BadInput(f"expected a folder of stills with --stills, found {source!r}; leave --stills out for a film or a camera")
    return film


def _writable(file: Path) -> TextIO:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        return file.open("w", encoding="utf-8")
    except OSError as error:
        raise BadInput(f"expected to write {file}, found: {error.strerror}; name another file") from error


def _teller(out: TextIO | None) -> Callable[[Iterable[EventRecord]], None]:
    """What writes events as lines of JSON to a file, or in words to the terminal."""

    def tell(records: Iterable[EventRecord]) -> None:
        for record in records:
            if out is not None:
                out.write(record.line() + "\n")
                out.flush()
            else:
                print(tell_event(record))

    return tell


def _followed(watched: WatchedTable) -> Iterator[EventRecord]:
    """The events, with a progress bar on a terminal."""
    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("watching", total=watched.source.length)
        yield from watched.events(lambda item: progress.advance(task))


def _finish(watched: WatchedTable) -> None:
    """Give the broker its time; say so when it was not there. The events are safe in the journal either way."""
    if watched.finish(BROKER_WAIT_S):
        return
    book = watched.journal
    raise BadInput(
        f"expected a broker, found none that answers; the watching went on and {book.last_seq - book.acknowledged} events wait in "
        f"{book.path}: start the broker and watch again with that --journal"
    )
