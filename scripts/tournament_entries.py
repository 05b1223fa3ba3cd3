"""The actions of `miron tournament` that append an entry."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from rules.errors import BadInput
from rules.tournament.cards import DUTIES
from rules.tournament.entries import KINDS, Card, entry_to_row
from rules.tournament.forms import text_fields
from rules.tournament.state import Tournament
from scripts.tournament_file import enter
from scripts.tournament_words import At, By, File, Json, Name, Number, Office, Player, Words, Written, entry_row, switch, tell


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
            return entry_row("result", at, by, round=number, **fields)
        sheets = tournament.rounds[number - 1].versions if 0 < number <= len(tournament.rounds) else ()
        versions = sheets[table - 1] if 0 < table <= len(sheets) else ()
        return entry_row("correction", at, by, round=number, voids=versions[-1].number if versions else 0, **fields)

    _enter(file, as_json, row)


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
    _enter(file, as_json, lambda _: entry_row("withdrawal", at, by, pair=pair, leave=leave, harms_nobody=harms_nobody))


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
    _enter(file, as_json, lambda _: entry_row("complaint", at, by, **fields))


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
    _enter(file, as_json, lambda _: entry_row("card", at, by, **shown, **told))


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
    _enter(file, as_json, lambda _: entry_row("appeal", at, by, decision=decision, body=body, written=written))


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
    for name, value in (switch(text, texts) for text in values or []):
        outer, dot, inner = name.partition(".")
        fields[outer] = {**_inner(fields, outer), inner: value} if dot else value  # as seated.name=Ana
    _enter(file, as_json, lambda _: entry_row(kind, at, by, **fields))


def _inner(fields: dict[str, Any], name: str) -> dict[str, Any]:
    """The fields inside a field, so far."""
    found = fields.get(name, {})
    return found if isinstance(found, dict) else {}


def _enter(file: Path, as_json: bool, make: Callable[[Tournament], dict[str, Any]]) -> None:
    """Append an entry and tell its number, and what else the laws ask for with it."""
    tournament, number = enter(file, make)
    entry = tournament.entries[-1]
    duties = [f"{rule}: {text}" for rule, text in DUTIES[entry.colour]] if isinstance(entry, Card) else []
    told = {"number": number, "entry": entry_to_row(entry), "duties": duties}
    tell(told, as_json, lambda: print(f"entry {number}: {entry.kind}", *duties, sep="\n  "))
