"""Faults that bite systems like this one, of light and picture: exposure, shadow, glare, blur, turned tiles, things that are no tiles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from faulty_films import (
    FPS,
    SIZE,
    Shot,
    TrueDetector,
    assert_as_it_was,
    assert_nothing_false,
    assert_true_or_asked,
    short,
    types,
    watched,
    whole,
)
from laid_tiles import IMAGE_SIZE, Sloppiness, Table, detect, overhead_plane
from rendered import IVORY, table_picture

from calibration.corners import plane_from_form
from models.detector import Detector
from models.training.scene import SceneTile, TileSetStyle
from rules.observations import Correction
from rules.seats import Seat
from rules.tiles import Tile
from table.faults_light import spot, with_gamma
from table.film_watched import watch_film
from table.film_write import Shooting
from table.live import TableDetector
from vision.detections import TileDetection, TileState
from vision.frame import Frame
from vision.identity import GATE, evidence_of, fused, identities, top
from vision.stills import StillsFollower

PLANE = overhead_plane()
COLOURED = (
    (0.05, 0.05, 0.5),
    (0.05, 0.3, 0.05),
    (0.5, 0.1, 0.05),
    (0.1, 0.1, 0.1),
    (0.3, 0.05, 0.3),
    (0.05, 0.2, 0.5),
    (0.3, 0.3, 0.05),
)


@cache
def detector() -> Detector:
    return Detector(threads=1)


def up(found: list[TileDetection]) -> list[TileDetection]:
    return [tile for tile in found if tile.state is TileState.FACE_UP and tile.confidence >= 0.5]


@pytest.mark.parametrize("fault", ["gamma_step", "gamma_ramp", "shadow_edge", "half_in_the_sun", "white_balance", "lamp_bands"])
def test_fault_5_a_change_of_light_tells_every_tile_once(fault: str) -> None:
    """5: exposure that jumps or fades, a shadow, half the table in the sun, warm light turned cold: every tile told once, nobody wrong."""
    film = short(seed=5, faults=(fault,), plays=7)
    assert_nothing_false(film, watched(film), untold_s=4.5)


@pytest.mark.parametrize("gamma", [0.4, 0.7, 1.5, 2.5])
def test_fault_5_every_exposure_step_tells_every_tile_once(gamma: float) -> None:
    """5: the exposure jumps as a tile is being laid, to each end of what cameras do, and stays there."""
    film = short(seed=5, plays=4)
    start = [row["t"] for row in film.truth if row["kind"] == "place"][2] - 0.3

    class Stepped(Shot):
        def frames(self, *args: Any, **kwargs: Any) -> Iterator[Frame]:
            for frame in super().frames(*args, **kwargs):
                yield replace(frame, image=with_gamma(frame.image, gamma)) if frame.t_s >= start else frame

    assert_nothing_false(film, watched(film, shoot=Stepped), untold_s=4.5)


def test_fault_6_glare_on_pips_is_never_a_sure_lower_count() -> None:
    """6: a burnt-out spot on one to three pips: what is read surely is what lies there, else it is under the gate, and that asks."""
    picture = table_picture(SceneTile((6, 5), 0.0, 0.0, 20.0), tile_px=70.0, size_px=(320, 240))
    quad = picture.labels[0].quad_px
    wrong = []
    for along, across in ((0.2, 0.25), (0.25, 0.5), (0.8, 0.5), (0.75, 0.75)):
        x, y = quad[0] + along * (quad[1] - quad[0]) + across * (quad[3] - quad[0])
        for tile in up(detector().detect(spot(picture.image, x / 320, y / 240), 0.05)):
            read, sure = top(identities([evidence_of(tile.halves)])[0])
            wrong += [(along, across, str(read), sure)] if sure >= GATE and str(read) != "6-5" else []
    assert not wrong


@pytest.mark.parametrize(
    "style",
    [IVORY, replace(IVORY, gloss=0.9), replace(IVORY, wear=0.8, pip_depth=0.1)],
    ids=["matt", "glossy", "worn"],
)
def test_fault_6_glare_that_moves_is_never_read_together_as_another_tile(style: TileSetStyle) -> None:
    """6: a burnt-out spot that wanders over a tile in five looks: together they read what lies there, or nothing surely."""
    picture = table_picture(SceneTile((6, 5), 0.0, 0.0, 20.0), tile_px=70.0, size_px=(320, 240), style=style)
    quad, together = picture.labels[0].quad_px, None
    for along in (0.1, 0.3, 0.5, 0.7, 0.9):
        x, y = quad[0] + along * (quad[1] - quad[0]) + 0.3 * (quad[3] - quad[0])
        for tile in up(detector().detect(spot(picture.image, x / 320, y / 240), 0.05)):
            together = evidence_of(tile.halves) if together is None else fused(together, tile.halves)
    assert together is not None
    read, sure = top(identities([together])[0])
    assert sure < GATE or str(read) == "6-5"


def test_fault_6_a_question_of_glare_is_answered_when_it_moves_on() -> None:
    """6: a tile that glare makes one pip poorer, unsurely, in its first looks is a question, and a later look answers it as it lies."""
    film = short(seed=5, plays=5)
    third = [row["tile"] for row in film.truth if row["kind"] == "place"][2]
    first = set[int]()

    def poorer(tile: SceneTile, frame: int) -> list[Any]:
        if str(tile.tile) != third or tile.halves[1] == 0:
            return [(tile.halves, 0.995)]
        first.add(frame)
        return [((tile.halves[0], tile.halves[1] - 1), 0.6)] if len(first) <= 2 else [(tile.halves, 0.995)]

    got = watched(film, poorer)
    (asked,) = types(got, "reading_doubted")
    answers = [event["data"] for event in types(got, "tile_played") if event["data"].get("resolves") == asked["seq"]]
    assert [answer["tile"] for answer in answers] == [third]
    assert not types(got, "infraction")


@pytest.mark.parametrize("style", [IVORY, replace(IVORY, pip_colours=COLOURED)], ids=["black pips", "coloured pips"])
def test_fault_10_exchanged_colours_change_no_reading(style: TileSetStyle) -> None:
    """10: a camera whose red and blue are exchanged from the start shows the same tiles, or none surely: with coloured pips too."""
    tiles = [SceneTile((n, n + 1), 75.0 * n - 112.0, 0.0, 17.0 * n) for n in range(4)]
    picture = table_picture(*tiles, tile_px=62.0, size_px=(416, 160), style=style).image
    found = up(detector().detect(np.ascontiguousarray(picture[..., ::-1]), 0.05))
    sure = [str(read) for tile in found for read, p in [top(identities([evidence_of(tile.halves)])[0])] if p >= GATE]
    assert len(sure) == len(set(sure)) and set(sure) <= {f"{n + 1}-{n}" for n in range(4)}
    assert len(sure) >= 3


def test_fault_7_a_blurred_fresh_tile_is_not_played_as_what_the_blur_shows() -> None:
    """7: new tiles are blurred for some frames, in which a reader sees blanks surely: no such play is told, the true ones are."""
    film = short(seed=5, faults=("blurred_arrivals",), plays=4)
    laid = {row["tile"]: round(row["t"] * FPS) for row in film.truth if row["kind"] == "place"}

    def blanks(tile: SceneTile, frame: int) -> list[Any]:
        fresh = 0 <= frame - laid.get(str(tile.tile), 10**6) < FPS
        return [((0, 0) if fresh else tile.halves, 0.995)]

    got = watched(film, blanks)
    assert_true_or_asked(film, got)
    assert "0-0" not in [event["data"]["tile"] for event in types(got, "tile_played")] or "0-0" in laid


def test_fault_7_every_blank_is_seen_and_is_not_face_down() -> None:
    """7: the seven tiles with a blank are found and read; a tile that lies face down beside the double blank is none."""
    tiles = [SceneTile((0, n), 75.0 * (n % 4) - 112.0, 60.0 * (n // 4) - 30.0, 8.0 * n) for n in range(7)]
    down = SceneTile((5, 3), 113.0, 30.0, 70.0, TileState.FACE_DOWN)
    found = detector().detect(table_picture(*tiles, down, tile_px=62.0, size_px=(416, 256)).image, 0.05)
    assert sorted(str(tile.tile) for tile in up(found)) == [f"{n}-0" for n in range(7)]


@pytest.mark.parametrize("quarter", [0.0, 90.0, 180.0, 270.0])
def test_fault_13_near_the_axes_one_tile_is_one_tile_and_never_flips(quarter: float) -> None:
    """13: a tile turned by -2 to 2 degrees around an axis reads alike at every step: the same numbers on the same halves."""
    for turn in np.arange(-2.0, 2.01, 0.8):
        picture = table_picture(SceneTile((5, 4), 0.0, 0.0, quarter + float(turn)), tile_px=64.0, size_px=(160, 128))
        (tile,) = up(detector().detect(picture.image, 0.05))
        assert str(tile.tile) == "5-4"
        axis = tile.quad_px[1] - tile.quad_px[0]
        to_high = np.degrees(np.arctan2(-axis[1], axis[0])) - 180  # half 0 is the lower number, the four
        assert abs((to_high - quarter - turn + 180) % 360 - 180) < 8


@pytest.mark.parametrize("quarter", [0.0, 90.0, 180.0, 270.0])
def test_fault_13_the_open_end_never_flips_near_the_axes(quarter: float) -> None:
    """13: two mixed tiles and a double across at their end, the whole line turned by -2 to 2 degrees in steps of 0.1 around an axis, each
    box with its halves named either way: the ends are the same numbers at every step, and a later look may only be surer of them."""
    rng = np.random.default_rng(3)
    for turn in np.arange(-2.0, 2.05, 0.1):
        table = Table(rng, Sloppiness(0.0, (1.0, 1.0), 0.0))
        table.open(Tile(6, 2), 0)
        for tile in ("6-5", "5-5"):
            table.lay(Tile.parse(tile), "b")
        angle = np.radians(quarter + turn)
        about = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        follower, told = StillsFollower(PLANE), list[Any]()
        for number in range(1, 4):
            tiles = [
                replace(t, x=xy[0], y=xy[1], angle=t.angle + quarter + turn)
                for t in table.laid[:number]
                for xy in [about @ (t.x, t.y)]
            ]
            found = [detect(tile, PLANE) for tile in tiles]
            found = [_named_otherwise(one) if rng.random() < 0.5 else one for one in found]
            told += follower.look(found, IMAGE_SIZE, float(number), number)
        surer = [one for one in told if isinstance(one, Correction)]
        assert all(one.instead == replace(told[one.voids], confidence=one.instead.confidence) for one in surer), turn
        assert [(str(one.tile), one.tip) for one in told if one not in surer] == [("6-2", None), ("6-5", 5), ("5-5", 5)], turn


def _named_otherwise(box: TileDetection) -> TileDetection:
    return replace(box, quad_px=np.roll(box.quad_px, 2, axis=0), halves=box.halves[::-1].copy())


def test_fault_13_two_boxes_and_turned_halves_are_one_play() -> None:
    """13: tiles within two degrees of the axes, each with a second box that reads one half otherwise and names the halves the other way."""
    film = short(seed=5, faults=("nearly_straight",), plays=4)

    def twice(tile: SceneTile, frame: int) -> list[Any]:
        low, high = tile.halves
        return [((low, high), 0.995), ((low, (high + 1) % 7), 0.6)]

    assert_as_it_was(film, watched(film, twice))


@pytest.mark.parametrize("seed", range(3, 8))
def test_fault_17_things_on_the_table_are_no_tiles(seed: int) -> None:
    """17: dominoes printed on the cloth, a cup, dice, coins, a score sheet, read by the networks: whatever they take for tiles, the plays
    are those that were made, and nobody is asked or accused."""
    film = short(seed=seed, faults=("clutter", "printed_dominoes"), size_px=(960, 720))
    shot = Shooting(film)
    detector = TableDetector(plane_from_form(shot.calibration), threads=1)
    assert_as_it_was(film, watch_film(shot, Seat(film.truth[0]["starter"]), detector))


def test_fault_17_a_thing_that_reads_like_a_tile_is_never_in_the_line() -> None:
    """17: something static near a corner that a detector calls a tile in every look is never told as a play, and accuses nobody."""
    film = short(seed=5, plays=4)

    class Fooled(TrueDetector):
        def detect(self, image: np.ndarray, min_confidence: float = 0.0) -> list[TileDetection]:
            found = super().detect(image, min_confidence)
            halves = np.full((2, 7), 0.001)
            halves[0, 3] = halves[1, 5] = 0.994
            quad = np.array([[70, 52], [82, 52], [82, 58], [70, 58]], np.float32)
            return [*found, TileDetection(quad, halves, TileState.FACE_UP, 0.95)]

    got = watched(film, make=Fooled)
    assert "5-3" not in [event["data"]["tile"] for event in types(got, "tile_played")]
    assert_true_or_asked(film, got)


@pytest.mark.parametrize("at", [(160, 120), (140, 100)], ids=["below", "beside"])
def test_fault_17_a_thing_in_the_middle_before_the_hand_opens_nothing(at: tuple[int, int]) -> None:
    """17: something static in the middle that a detector calls a tile in every look from before the deal on, beside the line or where
    its first tile comes to lie: the plays are those of the film, and nobody is accused."""
    film = whole(5, (), (), SIZE)
    film = replace(film, moments=film.moments[: round(24 * FPS)], truth=[row for row in film.truth if row["t"] < 23])

    class Fooled(TrueDetector):
        def detect(self, image: np.ndarray, min_confidence: float = 0.0) -> list[TileDetection]:
            found = super().detect(image, min_confidence)
            halves = np.full((2, 7), 0.001)
            halves[0, 3] = halves[1, 5] = 0.994
            quad = np.array(at, np.float32) + np.array([[-6, -3], [6, -3], [6, 3], [-6, 3]], np.float32)
            hidden = any(np.abs(tile.quad_px.mean(axis=0) - at).max() < 9 for tile in up(found))
            return found if hidden else [*found, TileDetection(quad, halves, TileState.FACE_UP, 0.95)]

    got = watched(film, make=Fooled)
    assert_as_it_was(film, got)
    assert not types(got, "suspicion", "infraction")
