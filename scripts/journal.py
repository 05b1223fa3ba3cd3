"""`miron journal`: verify a table's journal, and export it."""

from __future__ import annotations

import sys
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from rules.errors import BadInput
from table.chain import first_fault
from table.exports import as_csv, as_json_lines, as_record, matches_in
from table.exports_sheet import as_sheet
from table.journal_file import JournalReader

command = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    help="Verify and export a journal: docs/journal.md.",
)
File = Annotated[Path, typer.Argument(help="the journal of a table", show_default=False)]


class Form(str, Enum):  # noqa: UP042 - typer shows the values
    """The forms of an export."""

    jsonl, csv, record, sheet = "jsonl", "csv", "record", "sheet"


@command.command()
def verify(file: File) -> None:
    """Walk the hash chain; a row that was changed, is missing or does not follow is named, with exit code 1."""
    with JournalReader(file) as reader:
        fault = first_fault(reader.execute, reader.table)
        ((events, last),) = reader.execute(
            "SELECT count(*), max(hash) FILTER (WHERE seq = (SELECT max(seq) FROM event)) FROM event"
        )
    if fault is not None:
        print(f"{file}: event {fault.seq}: {fault.reason}")
        raise typer.Exit(1)
    print(f"{file}: {events} events hold" + (f", the last hash is {last}" if last else ""))


@command.command()
def export(
    file: File,
    to: Annotated[Form, typer.Option("--to", help="events, scores by hand, record.domino or a sheet to print")] = Form.jsonl,
    match: Annotated[int | None, typer.Option(help="This match alone; record and sheet take the last unless told.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write here instead of to the terminal.")] = None,
    language: Annotated[str, typer.Option(help="es, en or pt: language of the sheet.")] = "es",
    evidence: Annotated[
        Path | None, typer.Option(help="Folder of pictures and clips for the sheet; `evidence` beside the journal unless told.")
    ] = None,
) -> None:
    """Write the events or a match in another form."""
    with JournalReader(file) as reader:
        matches = matches_in(reader, match)
        if to in (Form.jsonl, Form.csv):
            text = as_json_lines(matches) if to is Form.jsonl else as_csv(matches)
        elif not matches:
            raise BadInput(f"expected a match in {file}, found none; watch a table first")
        else:
            beside = evidence or file.parent / "evidence"
            text = as_record(reader, matches[-1]) if to is Form.record else as_sheet(matches[-1], language, beside)
    _write(text, out)


def _write(text: str, out: Path | None) -> None:
    if out is None:
        sys.stdout.write(text)
        return
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"expected to write {out}, found: {error.strerror}; name another file") from None
