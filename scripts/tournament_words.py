"""What the actions of `miron tournament` share: their arguments, and how an answer is told."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from rules.errors import BadInput

File = Annotated[Path, typer.Argument(help="tournament file (JSON; TOML can be read)")]
Json = Annotated[bool, typer.Option("--json", help="print JSON")]
At = Annotated[str | None, typer.Option(help="the hall's local time, as 2026-11-30T14:05; now unless told")]
By = Annotated[str | None, typer.Option(help="who decides or writes this")]
Name = Annotated[str, typer.Argument(metavar="PAIR", help="the pair's name")]
Player = Annotated[str, typer.Argument(help="the player's name")]
Words = Annotated[str, typer.Argument(metavar="TEXT", help="what happened, in one line")]
Number = Annotated[int, typer.Argument(metavar="ENTRY", help="number of an entry, as the log shows it")]
Written = Annotated[bool, typer.Option("--written", help="it lies here in writing")]
Office = Annotated[str, typer.Option(help="competition_committee, organising_committee, federation, chief_arbiter or arbiter")]


def entry_row(kind: str, at: str | None, by: str | None, /, **fields: Any) -> dict[str, Any]:
    """The row of an entry without what was not told."""
    return {"kind": kind, "at": time_told(at)} | {
        name: value for name, value in {"by": by, **fields}.items() if value is not None
    }


def time_told(told: str | None) -> str:
    return datetime.now().isoformat(timespec="minutes") if told is None else told


def switch(text: str, texts: Collection[str] = ()) -> tuple[str, Any]:
    """`name=value`: the value as JSON where it is JSON and the field is none of `texts`, else as text."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise BadInput(f"expected name=value, found {text!r:.60}")
    if name in texts:
        return name, value
    try:
        return name, json.loads(value)
    except (ValueError, RecursionError):
        return name, value


def tell(told: dict[str, Any], as_json: bool, show: Callable[[], object]) -> None:
    if as_json:
        print(json.dumps(told, ensure_ascii=False))
    else:
        show()


def show_table(rows: Iterable[dict[str, Any]]) -> None:
    """A table for people; names are printed as they are, whatever they hold."""
    rows = list(rows)
    table = Table(*(name.replace("_", " ") for name in rows[0])) if rows else Table("nothing yet")
    for row in rows:
        table.add_row(*(Text("" if value is None else str(value)) for value in row.values()))
    Console(width=None if sys.stdout.isatty() else 160).print(table)
