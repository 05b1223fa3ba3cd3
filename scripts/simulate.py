"""`miron simulate`: a rendered match with its truth."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from rules.errors import BadInput
from table.faults import catalogue
from table.film_incidents import INCIDENTS, OPENINGS
from table.film_write import FilmOrder, play_film, write_film


def command(
    out: Annotated[Path, typer.Argument(help="A new folder.", show_default=False)],
    hands: Annotated[int, typer.Option(min=1, help="Hands to play; fewer when the match is decided before.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="Deal, play, room and players; the same seed gives the same truth.")] = 0,
    fps: Annotated[float, typer.Option(min=4.0, max=60.0, help="Frames a second, from 4.")] = 10.0,
    size: Annotated[str, typer.Option(help="Width x height of the picture.")] = "1280x960",
    faults: Annotated[str, typer.Option(help="What goes wrong with the pictures: names with commas between, listed below.")] = "",
    infractions: Annotated[str, typer.Option(help=f"Infractions to be seen: {', '.join((*OPENINGS, *INCIDENTS))}.")] = "",
    stills: Annotated[bool, typer.Option("--stills", help="One settled picture a move instead of a video.")] = False,
    shaded: Annotated[
        bool, typer.Option("--shaded", help="By the shaded renderer: slower, nearer to a photograph; needs OpenGL.")
    ] = False,
) -> None:
    """Render a match of random legal play with its truth: video.mkv, frames.jsonl, calibration.json, truth.jsonl."""
    order = FilmOrder(hands, seed, fps, _size(size), _names(faults), _names(infractions), stills, shaded)
    film = play_film(order)
    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("rendering", total=len(film.moments))
        pictures = write_film(film, out, lambda done: progress.update(task, completed=done))
    hands_played = sum(row["kind"] == "deal" for row in film.truth)
    print(
        f"{out}: {pictures} pictures, {hands_played} {'hand' if hands_played == 1 else 'hands'}, {len(film.moments) / fps:.0f} s of play"
    )
    if film.left_out:
        print(f"no occasion came for: {', '.join(film.left_out)}; take another seed or more hands", file=sys.stderr)


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip().lower() for name in text.split(",") if name.strip())


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{2,4})x(\d{2,4})", text.strip().lower())
    width, height = (int(found[1]), int(found[2])) if found else (0, 0)
    if min(width, height) < 120 or width % 2 or height % 2:
        raise BadInput(f"expected a size of even numbers from 120, such as 1280x960, found {text!r}; correct it")
    return width, height


# The list belongs to the help, and it comes from the faults themselves.
command.__doc__ = f"{command.__doc__}\n\nFaults:\n\n" + "\n\n".join(f"{name}: {said}" for name, said in catalogue().items())
