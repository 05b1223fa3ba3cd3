"""`miron bench hands`: simulated hands watched from their pictures and held against their truth, under both rule sets."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, fields
from pathlib import Path
from time import process_time
from typing import Annotated, Any

import cv2
import typer
from rich.console import Console
from rich.table import Table

from calibration.corners import plane_from_form
from models.detector import model_hash
from rules.errors import BadInput
from rules.ruleset import RULESETS
from rules.seats import Seat
from table.film_score import FilmScore, score_film
from table.film_truth import known_to_a_camera
from table.film_watched import watch_film
from table.film_write import FilmOrder, Shooting, play_film
from table.live import TableDetector

FIRST_SEED = 100
SIZES = ((960, 720), (1280, 960), (960, 720))
SHADED_EVERY, SHADED_PX = 6, (640, 480)
SEEN = ("non_matching", "wrong_end", "out_of_turn", "renege", "exposed", "tile_moved", "opening_orientation", "wrong_starter")
"""Infractions that a film shows beyond doubt."""
FOUND = (("matched", "plays"), ("seats", "plays"), ("ends", "plays"), ("passes_found", "passes"), ("infractions_found", "infractions"),
         ("hands_exact", "hands"))  # fmt: skip
WRONG = ("spurious", "silent", "questions", "passes_false", "infractions_false")


def measure(
    hands: Annotated[int, typer.Option(min=1, help="How many hands.")] = 40,
    first: Annotated[int, typer.Option(min=0, help="The number of the first.")] = 0,
    workers: Annotated[int, typer.Option(min=1, help="Processes at a time.")] = 1,
    folder: Annotated[Path, typer.Option(help="A file for each hand; those that are there are not watched again.")] = Path(
        "bench-hands"
    ),
) -> None:
    """Plays, infractions, scores and questions of simulated hands of varied tables: simulate, watch, score."""
    folder.mkdir(parents=True, exist_ok=True)
    numbers = range(first, first + hands)
    waiting = [n for n in numbers if not _is_done(_file(folder, n), hand_order(n))]
    try:
        with ProcessPoolExecutor(workers) as pool:
            for number, result in zip(waiting, pool.map(watch_hand, waiting), strict=True):
                _file(folder, number).write_text(json.dumps(result) + "\n")
    except BrokenProcessPool:
        raise BadInput(
            f"expected to watch {len(waiting)} hands, found that a process died on the way; say the same again, it goes on from {folder}"
        ) from None
    show_hands([json.loads(_file(folder, n).read_text()) for n in numbers])


def hand_order(number: int) -> FilmOrder:
    """What is filmed as the hand of a number: sizes, renderers and tables change; every second hand has two infractions."""
    shaded = number % SHADED_EVERY == SHADED_EVERY - 1
    size = SHADED_PX if shaded else SIZES[number % len(SIZES)]
    with_some = number // 4 * 2 + number % 4 - 1  # how many hands with infractions there were before this one, if it is one
    asked = tuple(SEEN[(with_some + k) % len(SEEN)] for k in (0, 3)) if number % 4 in (1, 2) else ()
    return FilmOrder(seed=FIRST_SEED + number, size_px=size, infractions=asked, shaded=shaded)


def watch_hand(number: int) -> dict[str, Any]:
    """Film, watch and score one hand; a row that JSON can hold."""
    cv2.setNumThreads(1)
    order, begun = hand_order(number), process_time()
    film = play_film(order)
    shot = Shooting(film)
    detector = TableDetector(plane_from_form(shot.calibration), threads=1)
    watched = watch_film(shot, Seat(film.truth[0]["starter"]), detector)
    truth = known_to_a_camera(film.truth)
    scores = {name: asdict(score_film(truth, events, name)) for name, events in watched.events.items()}
    about = {"number": number, "order": asdict(order), "model": model_hash(), "looks": watched.looks}
    seconds = {"film_s": len(film.moments) / order.fps, "cpu_s": round(process_time() - begun, 1)}
    return about | seconds | {"scores": scores, "truth": truth, "events": watched.events}


def _is_done(file: Path, order: FilmOrder) -> bool:
    """Whether the hand was watched as it would be now: the same film, the same networks."""
    if not file.is_file():
        return False
    row = json.loads(file.read_text())
    return bool(row["order"] == json.loads(json.dumps(asdict(order))) and row["model"] == model_hash())


def _file(folder: Path, number: int) -> Path:
    return folder / f"hand-{number:03d}.json"


def show_hands(rows: Sequence[dict[str, Any]]) -> None:
    """The table of docs/benchmarks.md, and the hands that are not perfect."""
    names = [f.name for f in fields(FilmScore)]
    table = Table("what", *RULESETS, title=f"{len(rows)} simulated hands")
    sums = {ruleset: sum((FilmScore(**row["scores"][ruleset]) for row in rows), FilmScore()) for ruleset in RULESETS}
    for name in names:
        table.add_row(name, *(str(getattr(sums[ruleset], name)) for ruleset in RULESETS))
    console = Console()
    console.print(table)
    for row in rows:
        for ruleset, score in row["scores"].items():
            if not FilmScore(**score).is_perfect:
                console.print(f"hand {row['number']}, {ruleset}: {_amiss(FilmScore(**score))}", highlight=False)


def _amiss(score: FilmScore) -> str:
    told = [(name, getattr(score, name), getattr(score, of)) for name, of in FOUND]
    few = [f"{name} {found} of {true}" for name, found, true in told if found != true]
    return ", ".join([*few, *(f"{name} {getattr(score, name)}" for name in WRONG if getattr(score, name))])
