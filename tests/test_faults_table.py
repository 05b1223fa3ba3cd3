"""Faults that bite systems like this one, on the table: readings, turns, hands, several plays at once, the end of a hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from faulty_films import (
    FPS,
    SURE,
    Shot,
    TrueDetector,
    assert_as_it_was,
    assert_nothing_false,
    assert_true_or_asked,
    reference_of,
    short,
    types,
    watched,
)

from calibration.corners import plane_from_form
from models.training.scene import SceneTile
from rules.observations import Correction
from rules.ruleset import DUSA
from rules.seats import Seat
from table.film_watched import WatchedFilm
from table.film_write import Film
from table.journal import Journal
from table.monitor import Monitor
from table.pipeline import Pipeline
from vision.attention import Attention
from vision.detections import TileDetection
from vision.frame import Frame
from vision.stills import StillsFollower
from vision.watching import Watch


def _laid(film: Film) -> list[str]:
    return [row["tile"] for row in film.truth if row["kind"] == "place"]


def _told(got: WatchedFilm) -> list[str]:
    return [event["data"]["tile"] for event in types(got, "tile_played")]


def _other(tile: SceneTile) -> tuple[int, int]:
    """Numbers that are nearly those of a tile."""
    low, high = tile.halves
    return low, high + 1 if high < 6 else 5


def test_fault_1_a_reading_that_flickers_changes_nothing() -> None:
    """1: a laid tile that reads otherwise for a moment gives no event."""
    film = short(faults=("misread_once",), plays=4)
    assert_as_it_was(film, watched(film))


@pytest.mark.parametrize("every", [3, 2], ids=["third", "second"])
def test_fault_1_a_reading_that_is_wrong_in_some_looks_ends_right(every: int) -> None:
    """1: a laid tile that reads otherwise in one look of three, or of two, is told as what the looks together show: nobody is fined."""
    film = short(plays=6)
    third = _laid(film)[2]
    looks = list[int]()

    def flickering(tile: SceneTile, frame: int) -> list[Any]:
        if str(tile.tile) != third:
            return [(tile.halves, SURE)]
        looks.append(frame)
        return [(_other(tile), SURE) if len(looks) % every == 0 else (tile.halves, SURE)]

    got = watched(film, flickering)
    assert len(looks) >= 3
    assert_as_it_was(film, got)


def test_fault_1_a_tile_that_is_always_misread_is_one_question() -> None:
    """1: a tile that reads as another one in every look, and not surely, is one question; the next plays are told and nobody is fined."""
    film = short(plays=6)
    third = _laid(film)[2]
    got = watched(film, lambda tile, frame: [(_other(tile), 0.7) if str(tile.tile) == third else (tile.halves, SURE)])
    assert len(types(got, "reading_doubted")) == 1 and third not in _told(got)
    assert_true_or_asked(film, got)
    assert _told(got) == [tile for tile in _laid(film) if tile != third]


def test_fault_1_a_second_copy_is_a_question() -> None:
    """1: a tile that reads like one that lies already is never told as a play: it is asked about, and the next plays are told."""
    film = short(faults=("duplicate",), plays=5)
    got = watched(film)
    assert len(_told(got)) == len(set(_told(got))) and types(got, "reading_doubted")
    assert_true_or_asked(film, got)


def test_fault_2_a_hand_that_rests_invents_no_pass() -> None:
    """2: a hand over the edge of the table for twenty seconds: all tiles are told, no seat is wrong, nobody has passed or is accused.

    Tiles laid in its first seconds come in one look; which of two at either end was first nobody may have seen.
    """
    film = short(faults=("resting_hand",), plays=8)
    got = watched(film)
    assert_nothing_false(film, got)
    seen = [event for event in types(got, "turn_passed") if event["data"]["via"] != "unsignalled"]
    assert sorted(_told(got)) == sorted(_laid(film)) and len(seen) == sum(row["kind"] == "pass" for row in film.truth)


def test_fault_2_a_hand_that_rests_at_the_end_of_the_hand_invents_nothing() -> None:
    """2: a hand over the edge of the table from the last tile until the count is over: the hand ends as it did, scored right."""
    film = short(seed=6, faults=("resting_at_the_end",), to_the_end=True)
    got = watched(film)
    assert_as_it_was(film, got)
    seen = [event for event in types(got, "turn_passed") if event["data"]["via"] != "unsignalled"]
    assert len(seen) == sum(row["kind"] == "pass" for row in film.truth) and not types(got, "infraction", "suspicion")
    hand = next(row for row in film.truth if row["kind"] == "hand" and row.get("ruleset", "dusa") == "dusa")
    assert [event["data"]["points"] for event in types(got, "hand_ended")] == [hand["points"]]


def test_fault_2_a_play_left_open_for_minutes_is_one_question() -> None:
    """2: a tile that nobody can read is one pending question however long it lies; the seats after it are right."""
    film = short(plays=4)
    third = _laid(film)[2]

    def unread(tile: SceneTile, frame: int) -> list[Any]:
        return [(tile.halves, 0.35 if str(tile.tile) == third else 0.995)]

    got = watched(film, unread)
    assert len(types(got, "reading_doubted")) == 1 and not types(got, "infraction")
    assert_true_or_asked(film, got)


def test_fault_2_a_play_left_open_for_five_minutes_stays_one_question() -> None:
    """2: a tile that nobody can read lies for five minutes without an answer: one pending question; then the hand goes on, all later
    seats right, no pass invented and nobody out of turn."""
    film = short(plays=4)
    third = [row for row in film.truth if row["kind"] == "place"][2]
    pause = next(k for k in range(round(third["t"] * FPS), len(film.moments)) if not film.moments[k].reaches) + 1

    class Paused(Shot):
        def frames(self, *args: Any, **kwargs: Any) -> Iterator[Frame]:
            late, last = 0.0, None
            for frame in super().frames(*args, **kwargs):
                if frame.index == pause and last is not None:
                    for k in range(160):
                        late = 1.9 * (k + 1)
                        yield replace((frame, last)[k % 2], t_s=frame.t_s + 1.9 * k)
                yield replace(frame, t_s=frame.t_s + late)
                last = frame

    got = watched(film, lambda tile, frame: [(tile.halves, 0.35 if str(tile.tile) == third["tile"] else SURE)], shoot=Paused)
    assert types(got, "tile_played")[-1]["t_s"] > 300 and len(types(got, "reading_doubted")) == 1
    assert not types(got, "infraction", "suspicion", "turn_passed")
    told = [(event["data"]["tile"], event["data"]["seat"]) for event in types(got, "tile_played")]
    assert told == [(row["tile"], row["seat"]) for row in film.truth if row["kind"] == "place" and row is not third]


def test_fault_2_a_phantom_that_the_referee_rejects_moves_no_turn(tmp_path: Path) -> None:
    """2: a detector takes something against the line for a tile; the referee strikes it out, and the plays and seats after it are right."""
    film = short(plays=6)
    laid = [row for row in film.truth if row["kind"] == "place"]
    shot = Shot(film)
    coming = next(t for t in shot.moments[round((laid[3]["t"] + 0.5) * FPS)].tiles if str(t.tile) == laid[3]["tile"])
    phantom = replace(coming, halves=next((a, b) for a, b in ((0, 3), (1, 3), (2, 5)) if f"{b}-{a}" not in _laid(film)))
    seen = range(round((laid[2]["t"] - 0.5) * FPS), round(laid[3]["t"] * FPS))

    class Haunted(TrueDetector):
        def detect(self, image: np.ndarray, min_confidence: float = 0.0) -> list[TileDetection]:
            found = super().detect(image, min_confidence)
            return [*found, *self.also(phantom)] if self._shot.now in seen else found

    rules = DUSA.with_switches({"pass_channel": "unreliable"})
    plane, events = plane_from_form(shot.calibration), list[dict[str, Any]]()
    with Journal(tmp_path / "j.db", "film", "t01") as journal:
        monitor = Monitor(rules, journal, start_s=0.0, opener=Seat(film.truth[0]["starter"]))
        camera, follower = Watch(reference_of(film), plane), StillsFollower(plane, Seat(film.truth[0]["starter"]))
        pipeline = Pipeline(Haunted(shot), follower, monitor, attention=Attention(plane), camera=camera)
        for frame in shot.frames():
            told = pipeline.take(frame)
            for record in [one for one in told if one.data.get("tile") == str(phantom.tile) and one.type == "tile_played"]:
                told += monitor.observe(Correction(t=frame.t_s, voids=monitor.source(record.seq), by="referee"))
            events += [json.loads(record.line()) for record in told]
    got = WatchedFilm({"dusa": events}, 0)
    assert [event["data"]["by"] for event in types(got, "correction")] == ["referee"]
    assert_as_it_was(film, got)


@pytest.mark.parametrize("manner", ["slid", "slid_across", "crooked", "lifted_again"])
def test_fault_3_a_slow_or_careless_placement_is_one_play(manner: str) -> None:
    """3: tiles slid under the hand, also from one end of the line to the other, set down crooked, lifted again before the hand lets go:
    one play each, at the last place."""
    film = short(seed=5, faults=(manner,), plays=8 if manner == "slid_across" else 4)
    got = watched(film)
    assert_as_it_was(film, got)
    assert not types(got, "tile_moved", "tile_withdrawn")


def test_fault_3_a_take_back_after_release_is_its_own_event() -> None:
    """3: a tile laid, released and taken back is a play and a withdrawal, and the play that follows counts."""
    film = short(seed=4, infractions=("non_matching",), plays=8)
    got = watched(film)
    taken = [row for row in film.truth if row["kind"] == "withdraw"]
    assert taken and [event["data"]["tile"] for event in types(got, "tile_withdrawn")] == [row["tile"] for row in taken]
    assert_true_or_asked(film, got)


@pytest.mark.parametrize("fault", ["gap", "crossing_arm"])
def test_fault_4_several_plays_between_two_looks(fault: str) -> None:
    """4: frames lost for seconds, or an arm across: the tiles are told, in an order the line allows, and nobody is accused."""
    film = short(faults=(fault,), plays=9)
    got = watched(film)
    assert_nothing_false(film, got)
    assert sorted(_told(got)) == sorted(_laid(film))


def test_fault_16_what_is_turned_up_for_the_count_is_no_play() -> None:
    """16: tiles shown at the end and then pushed about are no plays: the hand has its result, counted."""
    film = short(seed=6, faults=("stirred_reveal",), to_the_end=True)
    got = watched(film)
    assert_as_it_was(film, got)
    (ended,) = types(got, "hand_ended")
    hand = next(row for row in film.truth if row["kind"] == "hand" and row.get("ruleset", "dusa") == "dusa")
    assert ended["data"]["points"] == hand["points"] and ended["data"]["counted"]
