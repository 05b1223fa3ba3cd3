"""Faults that bite systems like this one, of light and picture: exposure, shadow, glare, blur, turned tiles, things that are no tiles."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from faulty_films import FPS, TrueDetector, assert_as_it_was, assert_nothing_false, assert_true_or_asked, short, types, watched
from rendered import CLOTH, IVORY, table_picture

from models.detector import Detector
from models.training.compositor import render
from models.training.scene import Camera, Light, Scene, SceneTile, Sensor
from table.faults_light import spot
from table.film_room import film_room
from vision.detections import TileDetection, TileState
from vision.identity import GATE, evidence_of, identities, top


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


def test_fault_13_two_boxes_and_turned_halves_are_one_play() -> None:
    """13: tiles within two degrees of the axes, each with a second box that reads one half otherwise and names the halves the other way."""
    film = short(seed=5, faults=("nearly_straight",), plays=4)

    def twice(tile: SceneTile, frame: int) -> list[Any]:
        low, high = tile.halves
        return [((low, high), 0.995), ((low, (high + 1) % 7), 0.6)]

    assert_as_it_was(film, watched(film, twice))


def test_fault_17_things_on_the_table_are_no_tiles() -> None:
    """17: a phone, dominoes printed on the cloth, a cup, dice, coins: the detector calls none of them a tile that lies face up."""
    props = tuple(prop for thing in ("clutter", "printed_dominoes") for prop in film_room(4, (640, 480), (thing,)).props)
    camera = Camera((640, 480), 1010.0 / 480)
    scene = Scene(4, IVORY, (SceneTile((6, 4), 0.0, 0.0, 10.0),), camera, Light(), CLOTH, Sensor(noise=0.006), props=props)
    found = [
        tile
        for tile in up(detector().detect(render(scene).image, 0.05))
        if top(identities([evidence_of(tile.halves)])[0])[1] >= GATE
    ]
    assert [str(tile.tile) for tile in found] in (["6-4"], [])


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
