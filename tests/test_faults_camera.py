"""Faults that bite systems like this one, of the camera and of time: it moves, turns, swaps colours, loses focus, stalls; clocks jump."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from faulty_films import Shot, TrueDetector, assert_as_it_was, assert_nothing_false, assert_true_or_asked, short, types, watched

from rules.errors import BadInput
from rules.seats import Seat
from table.film_watched import watch_film
from table.film_write import Film, write_film
from table.sources import open_source
from vision.frame import Frame


def states(got: object) -> list[str]:
    return [event["data"]["state"] for event in types(got, "watching")]  # type: ignore[arg-type]


@pytest.mark.parametrize("fault", ["bump", "zoom", "upside_down_later"])
def test_fault_8_a_camera_that_moves_is_told_and_plays_are_held_back(fault: str) -> None:
    """8: knocked, sunk, or put up the other way round in mid hand: told within seconds; from then on no play, no swapped seat."""
    film = short(seed=5, faults=(fault,), plays=8 if fault == "bump" else 5)
    got = watched(film)
    assert "camera_moved" in states(got)
    assert_nothing_false(film, got)


def test_fault_8_a_slow_drift_tells_nothing_false() -> None:
    """8: a picture that creeps by six pixels a minute: the plays are told as they were."""
    film = short(seed=5, faults=("drift",), plays=4)
    assert_true_or_asked(film, watched(film))


@pytest.mark.parametrize("fault", ["mirrored", "upside_down", "quarter_turn"])
def test_fault_9_a_turned_or_mirrored_picture_accuses_nobody(fault: str) -> None:
    """9: a picture that is not as it was calibrated from the start: told as a moved camera, nobody plays out of turn."""
    film = short(seed=5, faults=(fault,), plays=4)
    got = watched(film)
    assert "camera_moved" in states(got)
    for events in got.events.values():
        assert not [event for event in events if event["type"] in ("infraction", "tile_played")]


def opened_by(seat: Seat, fault: str) -> Film:
    """A film whose due seat, south or east, opens."""
    film = short(seed=5, faults=(fault,), infractions=("wrong_starter",) if seat == Seat.E else (), plays=5)
    deal, *rows = film.truth
    return replace(film, truth=[deal | {"starter": int(seat)}, *(row for row in rows if row["kind"] != "infraction")])


@pytest.mark.parametrize("fault", ["mirrored", "upside_down"])
@pytest.mark.parametrize("due", [Seat.S, Seat.E], ids=["south", "east"])
def test_fault_9_without_a_picture_of_the_calibration_the_referee_is_asked(due: Seat, fault: str) -> None:
    """9: with four corners alone nothing shows that a picture is turned: what then looks like a wrong opening, or a hand that runs
    backwards, is a question to the referee, under both rule sets."""
    got = watched(opened_by(due, fault), pictured=False)
    wrong = {"WRONG_STARTER"} if fault == "upside_down" or due == Seat.E else set()
    for events in got.events.values():
        asked = {event["data"]["code"] for event in events if event["type"] == "suspicion"}
        assert asked == wrong | ({"CALIBRATION_ALARM"} if fault == "mirrored" else set())
        assert [event["type"] for event in events].count("tile_played") == 5
        assert "infraction" not in [event["type"] for event in events]


def test_fault_9_a_picture_turned_by_a_quarter_is_refused_at_the_start() -> None:
    """9: its shape is not that of the calibration."""
    with pytest.raises(BadInput, match="expected pictures of the calibration's shape 320x240, found 240x320"):
        watched(short(seed=5, faults=("quarter_turn",), plays=4), pictured=False)


def test_fault_9_what_was_held_back_is_told_once_the_plays_show_the_direction() -> None:
    """9: the seat beside the due one opens, in the right picture and without its calibration's: asked at once, certain four plays on."""
    film = short(seed=5, infractions=("wrong_starter",), plays=5)
    got = watched(film, pictured=False)
    assert_as_it_was(film, got)
    order = [event["type"] for event in types(got, "suspicion", "tile_played", "infraction")]
    assert order == ["tile_played", "suspicion", *["tile_played"] * 3, "infraction", "tile_played"]


@pytest.mark.parametrize("fault", ["red_blue", "red_blue_later"])
def test_fault_10_exchanged_colours_are_told_and_nothing_false_is(fault: str) -> None:
    """10: red and blue exchanged, from the start or from one frame on: the camera is said not to watch, and no play is guessed."""
    film = short(seed=5, faults=(fault,), plays=5)
    got = watched(film)
    assert "not_watching" in states(got)
    assert_nothing_false(film, got)


def test_fault_11_a_focus_that_hunts_is_told_and_holds_plays_back() -> None:
    """11: out of focus for seconds: told, no play comes from a blurred picture, and what was laid meanwhile is told afterwards."""
    film = short(seed=5, faults=("focus_hunt",), plays=7)
    got = watched(film)
    assert "out_of_focus" in states(got)
    assert_nothing_false(film, got)


def test_fault_11_a_focus_that_stays_on_a_hand_for_a_minute_loses_no_tile() -> None:
    """11: out of focus for the better part of a minute: nothing is told from it; then all that was laid, and the hand has its result."""
    film = short(seed=5, faults=("focus_stuck",), to_the_end=True)
    got = watched(film)
    assert_nothing_false(film, got, untold_s=0.0)
    (blurred, back) = types(got, "watching")[1:3]
    assert (blurred["data"]["state"], back["data"]["state"]) == ("out_of_focus", "watching") and back["t_s"] - blurred["t_s"] > 35
    assert not [event for event in types(got, "tile_played") if blurred["t_s"] < event["t_s"] < back["t_s"]]
    (hand,) = [row for row in film.truth if row["kind"] == "hand"]
    assert types(got, "hand_ended")[0]["data"]["points"] == hand["points"]


@pytest.mark.parametrize("fault", ["stall", "frozen", "drops", "late", "two_a_second"])
def test_fault_12_a_camera_that_stalls_or_lags_accuses_nobody(fault: str) -> None:
    """12: no frames for 15 s or one frame for 7 s are on record as not watched; lost, late and few frames change no event."""
    film = short(seed=5, faults=(fault,), plays={"stall": 16, "frozen": 7}.get(fault, 4))
    got = watched(film)
    if fault in ("stall", "frozen"):
        assert "not_watching" in states(got)[1:]
        assert_nothing_false(film, got)
    else:
        assert_true_or_asked(film, got)


@pytest.mark.parametrize("fault", ["clock_back", "clock_ahead"])
def test_fault_15_a_clock_that_jumps_changes_no_event(tmp_path: Path, fault: str) -> None:
    """15: the clock that stamps the frames jumps back by an hour or ahead by a year: the events are those of the film, their times rise."""
    film = short(seed=5, faults=(fault,), plays=4)
    write_film(film, tmp_path / "film")
    frames = [item for item in open_source(str(tmp_path / "film")) if isinstance(item, Frame)]

    class FromFile(Shot):
        def frames(self, *args: object, **kwargs: object) -> object:  # type: ignore[override]
            for frame in frames:
                self.now = frame.index
                yield frame

    shot = FromFile(replace(film, order=replace(film.order, faults=())))
    got = watch_film(shot, Seat(film.truth[0]["starter"]), TrueDetector(shot))
    assert_as_it_was(film, got)
    times = [event["t_s"] for event in got.events["dusa"]]
    assert times == sorted(times) and times[-1] < 60
