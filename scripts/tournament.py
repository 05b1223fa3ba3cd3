"""`miron tournament`: standings, pairing, results, cards and appeals of a tournament that is kept in a file."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer
import typer.core
from rich.console import Console
from rich.table import Table
from rich.text import Text

from rules.errors import BadInput
from rules.tournament.appeals import appeal_steps, next_step
from rules.tournament.cards import DUTIES
from rules.tournament.conditions import Conditions
from rules.tournament.entries import KINDS, Card, Entry, entry_to_row
from rules.tournament.forms import text_fields
from rules.tournament.incidents import concerned, due_step, log
from rules.tournament.moments import Moment
from rules.tournament.pairing import pairing
from rules.tournament.standings import standings
from rules.tournament.state import Tournament
from scripts.tournament_file import create, enter, read_document, read_tournament


class FileFirst(typer.core.TyperGroup):
    """Takes `tournament FILE standings` as well as `tournament standings FILE`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if len(args) > 1 and args[0] not in self.commands and args[1] in self.commands:
            args = [args[1], args[0], *args[2:]]
        return super().parse_args(ctx, args)


command = typer.Typer(
    cls=FileFirst, add_completion=False, pretty_exceptions_enable=False, help="Keep a tournament in a file: docs/tournament.md."
)

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


@command.command()
def new(
    file: File,
    pairs: Annotated[list[str] | None, typer.Argument(metavar="PAIR…", help="pairs in the order of the first round")] = None,
    rounds: Annotated[int | None, typer.Option(help="matches agreed")] = None,
    name: Annotated[str | None, typer.Option(help="the tournament's name")] = None,
    switch: Annotated[list[str] | None, typer.Option("--set", help="a condition, as avoid_rematches=true")] = None,
    source: Annotated[Path | None, typer.Option("--from", help="start from this file, which may be TOML")] = None,
    as_json: Json = False,
) -> None:
    """Make a tournament file."""
    document = {"schema": 1, "conditions": {}, "entries": []} | (read_document(source) if source else {})
    told = {"rounds": rounds, "name": name} | dict(_switch(text, text_fields(Conditions)) for text in switch or [])
    if isinstance(document["conditions"], dict):
        document["conditions"] |= {key: value for key, value in told.items() if value is not None}
    if isinstance(document["entries"], list):
        document["entries"] += [{"kind": "pair", "pair": pair} for pair in pairs or []]
    made = create(file, document)
    _tell({"file": str(file), "pairs": list(made.pairs)}, as_json, lambda: print(f"{file}: {len(made.pairs)} pairs"))


@command.command("standings")
def show_standings(
    file: File,
    after: Annotated[int | None, typer.Option(help="round; the last one over unless told")] = None,
    as_json: Json = False,
) -> None:
    """The table after a round (FID-CLA-1)."""
    tournament = read_tournament(file)
    after = tournament.rounds_done if after is None else after
    rows = [asdict(line) for line in standings(tournament, after)]
    _tell({"after": after, "standings": rows}, as_json, lambda: _show(rows))


@command.command("pairing")
def show_pairing(
    file: File,
    open_it: Annotated[bool, typer.Option("--open", help="open the round")] = False,
    seat: Annotated[
        list[str] | None, typer.Option(help="pair by pair, two to a table, a last one has the bye; for --open")
    ] = None,
    reason: Annotated[str | None, typer.Option(help="with --seat: why a later round is not as the standings give it")] = None,
    at: At = None,
    by: By = None,
    as_json: Json = False,
) -> None:
    """Who meets whom: the round that is open, else the next one (FID-CLA-2); with --open it begins."""

    def row(tournament: Tournament) -> dict[str, Any]:
        found = pairing(tournament)
        tables, bye = (list(zip(seat[::2], seat[1::2], strict=False)), seat[-1] if len(seat) % 2 else None) if seat else found
        return _row("round", at, by, number=len(tournament.rounds) + 1, tables=list(tables), bye=bye, reason=reason)

    if seat and not open_it:
        raise BadInput("expected --open with --seat, found --seat alone; a pairing of one's own is only there to be opened")
    tournament = enter(file, row)[0] if open_it else read_tournament(file)
    now = tournament.rounds[-1] if tournament.rounds and tournament.rounds[-1].waiting else None
    tables, bye = (now.tables, now.bye.pairs[0] if now.bye else None) if now else pairing(tournament)
    rows = [{"table": str(n), "pair": a, "rivals": b} for n, (a, b) in enumerate(tables, start=1)]
    rows += [{"table": "bye", "pair": bye, "rivals": ""}] if bye else []
    number = now.number if now else len(tournament.rounds) + 1
    _tell({"round": number, "tables": tables, "bye": bye, "opened": now is not None}, as_json, lambda: _show(rows))


@command.command()
def result(
    file: File,
    table: Annotated[int, typer.Argument(help="table number")],
    points: Annotated[tuple[int, int], typer.Argument(metavar="POINTS POINTS", help="as they stood, 0 0 if not played")] = (0, 0),
    late: Annotated[list[str] | None, typer.Option(help="pair that came late (FID-CLA-4)")] = None,
    after_min: Annotated[
        float | None, typer.Option(help="minutes after the signal at which the first late pair sat down")
    ] = None,
    withdrawn: Annotated[str | None, typer.Option(help="pair that left the match")] = None,
    black_card: Annotated[list[str] | None, typer.Option(help="expelled pair (FID-TAR-N3)")] = None,
    void: Annotated[bool, typer.Option("--void", help="nobody wins; with --reason")] = False,
    winner: Annotated[str | None, typer.Option(help="whom the arbiter names")] = None,
    reason: Annotated[str | None, typer.Option(help="why")] = None,
    round_number: Annotated[int | None, typer.Option("--round", help="the round open now unless told")] = None,
    correct: Annotated[bool, typer.Option("--correct", help="in place of the sheet that was handed in (FID-PUN-10)")] = False,
    at: At = None,
    by: By = None,
    as_json: Json = False,
) -> None:
    """Hand in the sheet of a table, or correct it."""
    endings = {
        "late": late,
        "withdrawn": [withdrawn] if withdrawn else None,
        "black_card": black_card,
        "void": [] if void else None,
    }
    told = [(outcome, pairs) for outcome, pairs in endings.items() if pairs is not None]
    if len(told) > 1:
        raise BadInput(f"expected one ending of the match, found {' and '.join(outcome for outcome, _ in told)}")
    outcome, lost_by = told[0] if told else ("played", [])
    fields = dict(
        table=table, points=list(points), outcome=outcome, lost_by=lost_by, winner=winner, after_min=after_min, reason=reason
    )

    def row(tournament: Tournament) -> dict[str, Any]:
        number = len(tournament.rounds) if round_number is None else round_number
        if not correct:
            return _row("result", at, by, round=number, **fields)
        sheets = tournament.rounds[number - 1].versions if 0 < number <= len(tournament.rounds) else ()
        versions = sheets[table - 1] if 0 < table <= len(sheets) else ()
        return _row("correction", at, by, round=number, voids=versions[-1].number if versions else 0, **fields)

    _enter(file, as_json, row)


@command.command()
def withdraw(
    file: File,
    pair: Name,
    leave: Annotated[bool, typer.Option("--leave", help="the table's arbiter (--by) gave leave")] = False,
    harms_nobody: Annotated[bool, typer.Option("--harms-nobody", help="no other pair is harmed")] = False,
    at: At = None,
    by: By = None,
    as_json: Json = False,
) -> None:
    """A pair leaves after handing in its sheet (FID-CLA-5)."""
    _enter(file, as_json, lambda _: _row("withdrawal", at, by, pair=pair, leave=leave, harms_nobody=harms_nobody))


@command.command()
def complaint(
    file: File,
    pair: Name,
    player: Player,
    text: Words,
    written: Written = False,
    proof: Annotated[str | None, typer.Option(help="what proves it (FID-DEN-3)")] = None,
    witness: Annotated[str | None, typer.Option(help="who saw it (FID-DEN-3)")] = None,
    advice: Annotated[str, typer.Option(help="what the arbiter told the player: none, advice or warning")] = "none",
    at: At = None,
    by: By = None,
    as_json: Json = False,
) -> None:
    """A complaint in writing (FID-DEN)."""
    fields = dict(pair=pair, player=player, text=text, written=written, proof=proof, witness=witness, advice=advice)
    _enter(file, as_json, lambda _: _row("complaint", at, by, **fields))


@command.command()
def card(
    file: File,
    colour: Annotated[str, typer.Argument(help="yellow, red or black")],
    pair: Name,
    player: Player,
    text: Words,
    posting: Annotated[int | None, typer.Option(help="yellow, red: entry of the posting of the two referees")] = None,
    reported_by: Annotated[str | None, typer.Option(help="yellow, red: the referee who reports")] = None,
    ratified_by: Annotated[str | None, typer.Option(help="yellow, red: the other referee, who ratifies")] = None,
    signed: Annotated[list[str] | None, typer.Option(help="yellow, red: who signed; once for each referee")] = None,
    office: Office = "arbiter",
    ground: Annotated[
        str | None, typer.Option(help="black: third_time, fixing, fight, doping, drunkenness, disorder, disrespect")
    ] = None,
    at: At = None,
    by: By = None,
    as_json: Json = False,
) -> None:
    """Show a card (FID-TAR)."""
    shown = dict(colour=colour, pair=pair, player=player, text=text, posting=posting, office=office, ground=ground)
    told = dict(reported_by=reported_by, ratified_by=ratified_by, signed=signed or [])
    _enter(file, as_json, lambda _: _row("card", at, by, **shown, **told))


@command.command()
def appeal(
    file: File,
    decision: Number,
    body: Annotated[str, typer.Argument(help="sanctioning_arbiter, chief_arbiter, committee, federation, fid or tas")],
    written: Written = False,
    at: At = None,
    by: By = None,
    as_json: Json = False,
) -> None:
    """An appeal in writing against an entry (FID-APE)."""
    _enter(file, as_json, lambda _: _row("appeal", at, by, decision=decision, body=body, written=written))


@command.command("enter")
def enter_other(
    file: File,
    kind: Annotated[str, typer.Argument(help="kind of entry: pair, posting, incident, agreement, escalation, annulment …")],
    values: Annotated[list[str] | None, typer.Argument(metavar="FIELD=VALUE…", help="as docs/tournament.md names them")] = None,
    at: At = None,
    by: By = None,
    as_json: Json = False,
) -> None:
    """Append an entry of any kind."""
    fields: dict[str, Any] = {}
    texts = text_fields(KINDS[kind]) if kind in KINDS else set()
    for name, value in (_switch(text, texts) for text in values or []):
        outer, dot, inner = name.partition(".")
        if dot:  # as seated.name=Ana
            fields.setdefault(outer, {})[inner] = value
        else:
            fields[name] = value
    _enter(file, as_json, lambda _: _row(kind, at, by, **fields))


@command.command()
def deadlines(
    file: File,
    decision: Number,
    now: Annotated[str | None, typer.Option(help="the hall's local time")] = None,
    as_json: Json = False,
) -> None:
    """Until when each step of an appeal is open (FID-APE)."""
    tournament, moment = read_tournament(file), Moment.parse(_time(now))
    upcoming = next_step(tournament, decision, moment)
    rows = [asdict(step) | {"until": str(step.until)} for step in appeal_steps(tournament, decision, moment)]
    _tell({"entry": decision, "next": upcoming.body if upcoming else None, "steps": rows}, as_json, lambda: _show(rows))


@command.command("log")
def show_log(
    file: File, pair: Annotated[str | None, typer.Argument(help="only this pair")] = None, as_json: Json = False
) -> None:
    """Incidents, complaints, cards and appeals, and the step that is due (FID-ACT-7)."""
    tournament = read_tournament(file)
    if pair is not None:
        tournament.expect_pair(pair)
    found = log(tournament, pair)
    due = {name: step for name in tournament.pairs if pair in (None, name) and (step := due_step(tournament, name))}

    def show() -> None:
        _show(
            {"entry": n, "at": e.at, "kind": e.kind, "pair": concerned(tournament, e), "by": e.by, "what": _what(e)}
            for n, e in found
        )
        if due:
            _show({"pair": name, "due": step} for name, step in due.items())

    _tell({"entries": [{"number": n} | entry_to_row(entry) for n, entry in found], "due": due}, as_json, show)


def _enter(file: Path, as_json: bool, make: Callable[[Tournament], dict[str, Any]]) -> None:
    """Append an entry and tell its number, and what else the laws ask for with it."""
    tournament, number = enter(file, make)
    entry = tournament.entries[-1]
    duties = [f"{rule}: {text}" for rule, text in DUTIES[entry.colour]] if isinstance(entry, Card) else []
    told = {"number": number, "entry": entry_to_row(entry), "duties": duties}
    _tell(told, as_json, lambda: print(f"entry {number}: {entry.kind}", *duties, sep="\n  "))


def _row(kind: str, at: str | None, by: str | None, **fields: Any) -> dict[str, Any]:
    """The row of an entry without what was not told."""
    return {"kind": kind, "at": _time(at)} | {name: value for name, value in {"by": by, **fields}.items() if value is not None}


def _what(entry: Entry) -> str:
    """The words of an entry, or which step it is."""
    named = (getattr(entry, name, None) for name in ("colour", "step", "player", "text", "body"))
    return ", ".join(str(value) for value in named if value)


def _time(told: str | None) -> str:
    return datetime.now().isoformat(timespec="minutes") if told is None else told


def _switch(text: str, texts: Collection[str] = ()) -> tuple[str, Any]:
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


def _tell(told: dict[str, Any], as_json: bool, show: Callable[[], object]) -> None:
    if as_json:
        print(json.dumps(told, ensure_ascii=False))
    else:
        show()


def _show(rows: Iterable[dict[str, Any]]) -> None:
    """A table for people; names are printed as they are, whatever they hold."""
    rows = list(rows)
    table = Table(*(name.replace("_", " ") for name in rows[0])) if rows else Table("nothing yet")
    for row in rows:
        table.add_row(*(Text("" if value is None else str(value)) for value in row.values()))
    Console(width=None if sys.stdout.isatty() else 160).print(table)
