"""`miron tournament`: standings, pairing, results, cards and appeals of a tournament that is kept in a file."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
import typer.core

from rules.errors import BadInput
from rules.tournament.appeals import appeal_steps, next_step
from rules.tournament.conditions import Conditions
from rules.tournament.entries import Entry, Result, entry_to_row
from rules.tournament.forms import text_fields
from rules.tournament.incidents import concerned, due_step, log
from rules.tournament.moments import Moment
from rules.tournament.pairing import pairing
from rules.tournament.standings import standings
from rules.tournament.state import Tournament
from scripts.tournament_entries import appeal, card, complaint, enter_other, result, withdraw
from scripts.tournament_file import create, enter, read_document, read_tournament
from scripts.tournament_publish import publish
from scripts.tournament_words import At, By, File, Json, Number, entry_row, show_table, switch, tell, time_told


class FileFirst(typer.core.TyperGroup):
    """Takes `tournament FILE standings` as well as `tournament standings FILE`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if len(args) > 1 and args[0] not in self.commands and args[1] in self.commands:
            args = [args[1], args[0], *args[2:]]
        return super().parse_args(ctx, args)


command = typer.Typer(
    cls=FileFirst, add_completion=False, pretty_exceptions_enable=False, help="Keep a tournament in a file: docs/tournament.md."
)


@command.command()
def new(
    file: File,
    pairs: Annotated[list[str] | None, typer.Argument(metavar="PAIR…", help="pairs in the order of the first round")] = None,
    rounds: Annotated[int | None, typer.Option(help="matches agreed")] = None,
    name: Annotated[str | None, typer.Option(help="the tournament's name")] = None,
    switches: Annotated[list[str] | None, typer.Option("--set", help="a condition, as avoid_rematches=true")] = None,
    source: Annotated[Path | None, typer.Option("--from", help="start from this file, which may be TOML")] = None,
    as_json: Json = False,
) -> None:
    """Make a tournament file."""
    document = {"schema": 1, "conditions": {}, "entries": []} | (read_document(source) if source else {})
    told = {"rounds": rounds, "name": name} | dict(switch(text, text_fields(Conditions)) for text in switches or [])
    if isinstance(document["conditions"], dict):
        document["conditions"] |= {key: value for key, value in told.items() if value is not None}
    if isinstance(document["entries"], list):
        document["entries"] += [{"kind": "pair", "pair": pair} for pair in pairs or []]
    made = create(file, document)
    tell({"file": str(file), "pairs": list(made.pairs)}, as_json, lambda: print(f"{file}: {len(made.pairs)} pairs"))


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
    tell({"after": after, "standings": rows}, as_json, lambda: show_table(rows))


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
        return entry_row("round", at, by, number=len(tournament.rounds) + 1, tables=list(tables), bye=bye, reason=reason)

    if seat and not open_it:
        raise BadInput("expected --open with --seat, found --seat alone; a pairing of one's own is only there to be opened")
    tournament = enter(file, row)[0] if open_it else read_tournament(file)
    now = tournament.rounds[-1] if tournament.rounds and tournament.rounds[-1].waiting else None
    tables, bye = (now.tables, now.bye.pairs[0] if now.bye else None) if now else pairing(tournament)
    rows = [{"table": str(n), "pair": a, "rivals": b} for n, (a, b) in enumerate(tables, start=1)]
    rows += [{"table": "bye", "pair": bye, "rivals": ""}] if bye else []
    number = now.number if now else len(tournament.rounds) + 1
    tell({"round": number, "tables": tables, "bye": bye, "opened": now is not None}, as_json, lambda: show_table(rows))


for action in (result, withdraw, complaint, card, appeal, publish):
    command.command()(action)
command.command("enter")(enter_other)


@command.command()
def deadlines(
    file: File,
    decision: Number,
    now: Annotated[str | None, typer.Option(help="the hall's local time")] = None,
    as_json: Json = False,
) -> None:
    """Until when each step of an appeal is open (FID-APE)."""
    tournament, moment = read_tournament(file), Moment.parse(time_told(now))
    upcoming = next_step(tournament, decision, moment)
    rows = [asdict(step) | {"until": str(step.until)} for step in appeal_steps(tournament, decision, moment)]
    tell({"entry": decision, "next": upcoming.body if upcoming else None, "steps": rows}, as_json, lambda: show_table(rows))


@command.command("log")
def show_log(
    file: File,
    pair: Annotated[str | None, typer.Argument(help="only this pair")] = None,
    every: Annotated[bool, typer.Option("--all", help="every entry of the file, annulled ones too")] = False,
    as_json: Json = False,
) -> None:
    """Incidents, complaints, cards and appeals, and the step that is due (FID-ACT-7)."""
    tournament = read_tournament(file)
    if pair is not None:
        tournament.expect_pair(pair)
    found = tuple(enumerate(tournament.entries, start=1)) if every else log(tournament, pair)
    due = {name: step for name in tournament.pairs if pair in (None, name) and (step := due_step(tournament, name))}

    def show() -> None:
        show_table(
            {"entry": n, "at": e.at, "kind": e.kind, "pair": concerned(tournament, e), "by": e.by, "what": _what(e)}
            for n, e in found
        )
        if due:
            show_table({"pair": name, "due": step} for name, step in due.items())

    tell({"entries": [{"number": n} | entry_to_row(entry) for n, entry in found], "due": due}, as_json, show)


def _what(entry: Entry) -> str:
    """The words of an entry, or which step it is."""
    if isinstance(entry, Result):
        return f"round {entry.round}, table {entry.table}: {entry.outcome} {entry.points[0]}-{entry.points[1]}"
    named = (getattr(entry, name, None) for name in ("number", "colour", "step", "player", "text", "body", "voids", "reason"))
    return ", ".join(str(value) for value in named if value)
