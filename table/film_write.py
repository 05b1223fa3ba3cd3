"""A simulated match on disk: video or stills, times, calibration, truth. What each file holds is in docs/recording.md."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

from table.faults import Faults, plan_of
from table.film import Moment
from table.film_game import Game
from table.film_play import checked_incidents, film_match
from table.film_render import FilmRenderer
from table.film_room import film_room
from table.recorder import make_folder
from table.scenery import TABLE_HALF_MM, Room
from table.video_writer import VideoWriter
from vision.frame import Frame

JPEG_QUALITY = 90


@dataclass(frozen=True, slots=True)
class FilmOrder:
    """What is to be filmed. size_px: even width and height; infractions, faults: names of `film_incidents` and `faults`.

    shaded: by the shaded renderer, which needs OpenGL.
    """

    hands: int = 1
    seed: int = 0
    fps: float = 10.0
    size_px: tuple[int, int] = (1280, 960)
    faults: tuple[str, ...] = ()
    infractions: tuple[str, ...] = ()
    stills: bool = False
    shaded: bool = False


@dataclass(frozen=True, slots=True)
class Film:
    """A match that was played but not rendered yet: its moments, its truth, and the infractions that found no place."""

    order: FilmOrder
    moments: list[Moment]
    truth: list[dict[str, Any]]
    left_out: tuple[str, ...]


def play_film(order: FilmOrder) -> Film:
    """Play the match of an order; BadInput for an unknown fault or infraction."""
    faults, waiting = Faults.named(order.faults), checked_incidents(order.infractions)
    game = Game(order.seed, order.fps, manners=faults.manners)
    moments = list(film_match(game, order.hands, waiting))
    done = {row["code"] for row in game.truth.rows if row["kind"] == "infraction"}
    left_out = tuple(name for name in waiting if name.upper() not in done)
    return Film(order, moments, game.truth.rows, left_out)


def write_film(film: Film, folder: Path, progress: Callable[[int], None] = lambda done: None) -> int:
    """Render a film into a folder; gives the number of pictures. progress: called with how many moments are done."""
    make_folder(folder)
    shot = Shooting(film)
    _write_lines(folder / "truth.jsonl", film.truth)
    (folder / "calibration.json").write_text(json.dumps(shot.calibration) + "\n")
    write = _write_stills if film.order.stills else _write_video
    return write(film, shot, folder, progress)


class Shooting:
    """A film before the camera: its moments with the faults of the table, its pictures with those of light, camera and time."""

    def __init__(self, film: Film) -> None:
        order, self._faults = film.order, Faults.named(film.order.faults)
        stage = film_room(order.seed, order.size_px, self._faults.things)
        plays = [row["t"] for row in film.truth if row["kind"] == "place"]
        self._plan = plan_of(order.seed, order.fps, len(film.moments), plays, plays[0] if plays else 0.0)
        self._fps = order.fps
        self.moments = self._faults.on_the_table(film.moments, self._plan.again("table"))
        self.calibration = minimal_calibration(stage.room)
        self._renderer = FilmRenderer(stage, order.seed, order.shaded)

    def frames(
        self, numbers: Iterable[int] | None = None, progress: Callable[[int], None] = lambda done: None
    ) -> Iterator[Frame]:
        """The pictures of some moments, or of all."""
        return self._faults.on_the_pictures(self._rendered(numbers, progress), self._plan)

    def _rendered(self, numbers: Iterable[int] | None, progress: Callable[[int], None]) -> Iterator[Frame]:
        for k in range(len(self.moments)) if numbers is None else numbers:
            yield Frame(self._renderer.picture(self.moments[k]), k, k / self._fps)
            progress(k + 1)


def _write_video(film: Film, shot: Shooting, folder: Path, progress: Callable[[int], None]) -> int:
    rows: list[dict[str, Any]] = []
    frames = shot.frames(progress=progress)
    first = next(frames)
    with VideoWriter(folder / "video.mkv", first.size_px, film.order.fps) as video, (folder / "frames.jsonl").open("w") as times:
        for frame in _and_then(first, frames):
            video.write(frame.image, frame.t_s)
            arms = [int(r.seat) for r in shot.moments[frame.index].reaches]
            row = {"index": len(rows), "t_s": round(frame.t_s, 3), "arms": arms}
            times.write(json.dumps(row) + "\n")
            rows.append(row)
    return len(rows)


def _write_stills(film: Film, shot: Shooting, folder: Path, progress: Callable[[int], None]) -> int:
    """One picture of every settled table that differs from the one before, with the seat that acted; passes as signals."""
    frames = shot.frames([k for k in _settled(shot.moments) if k], progress)
    rows: list[dict[str, Any]] = []
    for frame in frames:
        name = f"{len(rows):03d}.jpg"
        cv2.imwrite(str(folder / name), frame.image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        since = rows[-1]["t_s"] if rows else 0.0
        acted = [r["seat"] for r in film.truth if r["kind"] in ("place", "withdraw", "expose") and since < r["t"] <= frame.t_s]
        rows.append({"file": name, "t_s": round(frame.t_s, 3), "seat": acted[0] if len(set(acted)) == 1 else None})
    _write_lines(folder / "frames.jsonl", rows)
    _write_lines(folder / "signals.jsonl", [_signal(row) for row in film.truth if row["kind"] == "pass"])
    return len(rows)


def _signal(row: dict[str, Any]) -> dict[str, Any]:
    return {key: row[key] for key in ("t", "kind", "seat", "via")}


def _settled(moments: Sequence[Moment]) -> Iterator[int]:
    """Moments without an arm, the last ones of their kind, where the tiles lie otherwise than before; the empty table is one."""
    shown: object = None
    for k, moment in enumerate(moments):
        last = k + 1 == len(moments) or not moments[k + 1].settled
        if moment.settled and last and moment.tiles != shown:
            shown = moment.tiles
            yield k


def _and_then(first: Frame, rest: Iterator[Frame]) -> Iterator[Frame]:
    yield first
    yield from rest


def minimal_calibration(room: Room) -> dict[str, Any]:
    """The corners of the table top SW, SE, NE, NW in the picture."""
    width, height = room.camera.size_px
    side = 2 * TABLE_HALF_MM
    return {"image_size": [width, height], "table_mm": [side, side], "corners_px": room.corners_px().round(2).tolist()}


def _write_lines(file: Path, rows: Sequence[dict[str, Any]]) -> None:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
