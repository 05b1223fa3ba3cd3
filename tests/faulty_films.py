"""Short simulated films with faults, watched by everything but the networks: a detector here reads each tile as it lies in the scene."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import cv2
import numpy as np

from models.training.scene import SceneTile, top_quad_px
from rules.seats import Seat
from table.film_score import FilmScore, score_film
from table.film_watched import WatchedFilm, watch_film
from table.film_write import Film, FilmOrder, Shooting, play_film
from vision.detections import TileDetection, TileState
from vision.frame import Frame

SIZE, FPS = (320, 240), 10.0
BEFORE_S, AFTER_S = 1.6, 2.4
READ, SURE = 0.97, 0.995

Reading = Callable[[SceneTile, int], list[tuple[tuple[int, int], float]]]
"""What a detector says of a tile in the frame of a number: boxes there, each with two numbers and how sure it is of each."""


@cache
def whole(seed: int, faults: tuple[str, ...], infractions: tuple[str, ...], size_px: tuple[int, int]) -> Film:
    return play_film(FilmOrder(seed=seed, fps=FPS, size_px=size_px, faults=faults, infractions=infractions))


def short(
    seed: int = 3,
    plays: int = 5,
    faults: Sequence[str] = (),
    infractions: Sequence[str] = (),
    to_the_end: bool = False,
    size_px: tuple[int, int] = SIZE,
) -> Film:
    """The first tiles of a hand, from the dealt table on; to_the_end: the whole hand from there."""
    film = whole(seed, tuple(faults), tuple(infractions), size_px)
    laid = [row["t"] for row in film.truth if row["kind"] == "place"]
    start_s = laid[0] - BEFORE_S
    end_s = len(film.moments) / FPS if to_the_end else laid[plays - 1] + AFTER_S
    told_s = end_s if to_the_end else laid[plays - 1] + 0.1  # what comes later is not seen to its end
    rows = [row | {"t": row["t"] - start_s} for row in film.truth if row["kind"] == "deal" or start_s <= row["t"] <= told_s]
    return replace(film, moments=film.moments[round(start_s * FPS) : round(end_s * FPS)], truth=rows)


class Shot(Shooting):
    """Remembers which frame was given last."""

    now = 0

    def __init__(self, film: Film) -> None:
        super().__init__(film)
        self.order = film.order

    def frames(self, *args: Any, **kwargs: Any) -> Iterator[Frame]:
        for frame in super().frames(*args, **kwargs):
            self.now = frame.index
            yield frame


def as_it_lies(tile: SceneTile, frame: int) -> list[tuple[tuple[int, int], float]]:
    return [(tile.halves, SURE)]


class TrueDetector:
    """Finds what lies in the scene and is under no arm, corners a little off; `reading` says what is read on tiles that lie face up."""

    def __init__(self, shot: Shot, reading: Reading = as_it_lies) -> None:
        self._shot, self._reading, self._rng = shot, reading, np.random.default_rng(7)

    def detect(self, image: np.ndarray, min_confidence: float = 0.0) -> list[TileDetection]:
        moment, renderer = self._shot.moments[self._shot.now], self._shot._renderer
        scene = renderer._scene(moment.tiles)
        arms = [outline.astype(np.float32) for reach in moment.reaches for outline, _ in renderer._arm(reach)]
        found = []
        for tile in moment.tiles:
            if any(cv2.pointPolygonTest(arm, (tile.x_mm, tile.y_mm), False) >= 0 for arm in arms):
                continue
            quad = self._in_picture(top_quad_px(tile, scene) + self._rng.normal(0, 0.15, (4, 2)))
            if tile.state is TileState.FACE_UP:
                found += [_face(quad, numbers, sure) for numbers, sure in self._reading(tile, self._shot.now)]
            else:
                found.append(TileDetection(quad.astype(np.float32), np.full((2, 7), 1 / 7), tile.state, READ))
        return found

    def also(self, tile: SceneTile) -> list[TileDetection]:
        """What it sees of a tile that is not there."""
        return [_face(self._in_picture(top_quad_px(tile, self._shot._renderer._scene((tile,)))), tile.halves, SURE)]

    def _in_picture(self, quad: np.ndarray) -> np.ndarray:
        """Where a tile is seen, if the picture is mirrored or upside down from the start."""
        faults, last = self._shot.order.faults, np.array(SIZE) - 1
        if "mirrored" in faults:
            return np.column_stack([last[0] - quad[:, 0], quad[:, 1]])[[3, 2, 1, 0]]
        return last - quad if "upside_down" in faults else quad


def _face(quad: np.ndarray, numbers: tuple[int, int], sure: float) -> TileDetection:
    halves = np.full((2, 7), (1 - sure) / 6)
    halves[0, numbers[0]] = halves[1, numbers[1]] = sure
    if numbers[0] > numbers[1]:
        halves, quad = halves[::-1].copy(), np.roll(quad, 2, axis=0)
    return TileDetection(quad.astype(np.float32), halves, TileState.FACE_UP, READ)


def watched(
    film: Film,
    reading: Reading = as_it_lies,
    make: type[TrueDetector] = TrueDetector,
    pictured: bool = True,
    shoot: type[Shot] = Shot,
) -> WatchedFilm:
    """A film watched with the calibration that belongs to it. make: a detector that errs; pictured: whether the calibration has its
    picture; shoot: a camera that errs."""
    shot = shoot(film)
    return watch_film(shot, Seat(film.truth[0]["starter"]), make(shot, reading), reference_of(film) if pictured else None)


def reference_of(film: Film) -> np.ndarray:
    """The picture of the calibration."""
    return next(Shooting(replace(film, order=replace(film.order, faults=()))).frames([0])).image


def scored(film: Film, got: WatchedFilm) -> dict[str, FilmScore]:
    """The score under each rule set."""
    return {name: score_film(film.truth, events, name) for name, events in got.events.items()}


def assert_as_it_was(film: Film, got: WatchedFilm) -> None:
    """Both oracles: plays, seats and ends equal the truth under both rule sets, nobody was asked, and nobody is accused."""
    for score in scored(film, got).values():
        assert (score.matched, score.seats, score.ends) == (score.plays,) * 3, score
        assert (score.silent, score.questions, score.infractions_false) == (0, 0, 0), score


def assert_true_or_asked(film: Film, got: WatchedFilm, lost: int = 0) -> None:
    """Both oracles, where the system may say that it does not know: nothing told that was not, every play told or asked about."""
    for score in scored(film, got).values():
        assert (score.silent, score.infractions_false) == (0, 0), score
        assert score.matched + score.questions >= score.plays - lost, score


def assert_nothing_false(film: Film, got: WatchedFilm, untold_s: float | None = None) -> None:
    """Both oracles, where the order of tiles of one look may not be known: no tile that was not laid, no wrong seat, nobody accused.

    untold_s: every tile laid earlier than so long before the end of the film is told (None: some may not be).
    """
    laid = {row["tile"]: row["t"] for row in film.truth if row["kind"] == "place"}
    for name, score in scored(film, got).items():
        told = [event["data"]["tile"] for event in got.events[name] if event["type"] == "tile_played"]
        assert score.silent == score.spurious and score.infractions_false == 0, score
        assert len(told) == len(set(told)) and set(told) <= set(laid), told
        if untold_s is not None:
            assert {tile for tile, t in laid.items() if t < len(film.moments) / FPS - untold_s} <= set(told), told


def types(got: WatchedFilm, *names: str) -> list[dict[str, Any]]:
    """The events of some types, under DUSA."""
    return [event for event in got.events["dusa"] if event["type"] in names]
