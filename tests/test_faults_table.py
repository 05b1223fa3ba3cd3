"""Faults that bite systems like this one, on the table: readings, turns, hands, several plays at once, the end of a hand."""

from __future__ import annotations

from typing import Any

import pytest
from faulty_films import SURE, assert_as_it_was, assert_nothing_false, assert_true_or_asked, short, types, watched

from models.training.scene import SceneTile
from table.film_watched import WatchedFilm
from table.film_write import Film


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


def test_fault_1_a_reading_that_is_wrong_in_one_of_three_looks_ends_right() -> None:
    """1: a laid tile that reads otherwise now and then is told as what most looks show, and nobody is fined."""
    film = short(plays=6)
    third = _laid(film)[2]
    looks = list[int]()

    def flickering(tile: SceneTile, frame: int) -> list[Any]:
        if str(tile.tile) != third:
            return [(tile.halves, SURE)]
        looks.append(frame)
        return [(_other(tile), SURE) if len(looks) % 3 == 0 else (tile.halves, SURE)]

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


def test_fault_2_a_play_left_open_for_minutes_is_one_question() -> None:
    """2: a tile that nobody can read is one pending question however long it lies; the seats after it are right."""
    film = short(plays=4)
    third = _laid(film)[2]

    def unread(tile: SceneTile, frame: int) -> list[Any]:
        return [(tile.halves, 0.35 if str(tile.tile) == third else 0.995)]

    got = watched(film, unread)
    assert len(types(got, "reading_doubted")) == 1 and not types(got, "infraction")
    assert_true_or_asked(film, got)


@pytest.mark.parametrize("manner", ["slid", "crooked", "lifted_again"])
def test_fault_3_a_slow_or_careless_placement_is_one_play(manner: str) -> None:
    """3: tiles slid under the hand, set down crooked, lifted again before the hand lets go: one play each, at the last place."""
    film = short(seed=5, faults=(manner,), plays=4)
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
