"""A follower that begins in mid hand with what another one told: it tells what is new, and nothing twice."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from followed_table import Watched
from laid_tiles import Laid, detect, detect_all, overhead_plane, random_table

from rules.observations import Correction, Expose, Observation, Place
from rules.seats import Seat
from rules.tiles import ALL_TILES
from vision.taking_up import Lying

PLANE = overhead_plane(8.0, 0.5)


def told_of(laid: list[Laid], seed: int) -> list[Observation]:
    """What a follower tells of tiles laid one after another."""
    rng, watched = np.random.default_rng(seed), Watched(PLANE, opener=Seat(laid[0].seat or 0))
    for k in range(1, len(laid) + 1):
        watched.see(laid[:k], camera=PLANE, rng=rng, noise=0.01)
    return watched.told


def taken_up(laid: list[Laid], lying: Lying) -> Watched:
    """A follower that goes on with what another one told of these tiles."""
    return Watched(PLANE, opener=Seat(laid[0].seat or 0), lying=lying)


@pytest.mark.parametrize("seed", range(12))
def test_a_hand_that_is_taken_up_goes_on(seed: int) -> None:
    """Wherever the hand was left, tiles laid meanwhile and afterwards are told once each, on their arms, and nothing else is."""
    laid = random_table(seed, 14).laid
    left, missed = 1 + seed % 9, seed % 3
    told = told_of(laid, seed)
    assert [type(seen) for seen in told] == [Place] * len(laid)
    lying = Lying(tuple(seen for seen in told[:left] if isinstance(seen, Place)))
    watched, rng = taken_up(laid, lying), np.random.default_rng(seed + 100)
    later = []
    for k in range(left + missed, len(laid) + 1):
        later += watched.see(laid[:k], camera=PLANE, rng=rng, noise=0.01)
    assert sorted((seen.tile, seen.at) for seen in later) == sorted((seen.tile, seen.at) for seen in told[left:])
    assert [seen.tip for seen in later[missed:]] == [seen.tip for seen in told[left + missed :]]


def test_a_tile_that_is_hidden_at_first_is_not_told_again() -> None:
    """A cup over the last tile, or over one in the middle, when the program starts: seen later, it is the one that was told."""
    laid = random_table(5, 9).laid
    lying = Lying(tuple(seen for seen in told_of(laid, 5) if isinstance(seen, Place)))
    for hidden in (8, 4):
        watched = taken_up(laid, lying)
        seen = [one for n, one in enumerate(laid) if n != hidden]
        assert watched.see(seen, camera=PLANE) == ()
        assert watched.see(laid, camera=PLANE) == ()
        assert not watched.follower.is_taking_up


def test_a_misread_at_the_first_look_changes_nothing() -> None:
    """One tile read wrong by the first look lies where it was told: no second tile is invented, nothing is corrected at once."""
    laid = random_table(7, 8).laid
    lying = Lying(tuple(seen for seen in told_of(laid, 7) if isinstance(seen, Place)))
    other = next(tile for tile in ALL_TILES if tile not in {one.tile for one in laid})
    watched = taken_up(laid, lying)
    found = [*detect_all(laid[:5], PLANE), detect(laid[5], PLANE, read_as=other), *detect_all(laid[6:], PLANE)]
    assert watched.show(found) == ()
    assert watched.see(laid, camera=PLANE) == ()


def test_a_picture_that_shows_little_is_waited_out() -> None:
    """While arms hide most of the line nothing is told; when the table was cleared meanwhile, the next hand is told from its opening."""
    laid = random_table(9, 8).laid
    lying = Lying(tuple(seen for seen in told_of(laid, 9) if isinstance(seen, Place)))
    watched = taken_up(laid, lying)
    assert watched.see(laid[2:5], camera=PLANE) == ()
    assert watched.follower.is_taking_up
    opening = detect_all(random_table(10, 1).laid, PLANE)
    assert watched.show(opening) == ()
    (first,) = watched.show(opening)
    assert isinstance(first, Place) and first.at == "open"


def test_an_exposed_tile_is_not_exposed_again() -> None:
    """A tile that lies face up off the line and was told is known; what later looks make surer is a correction of what was told of it."""
    laid = random_table(3, 6).laid
    places = tuple(seen for seen in told_of(laid, 3) if isinstance(seen, Place))
    apart = Laid(next(tile for tile in ALL_TILES if tile not in {one.tile for one in laid}), 250.0, -250.0, 20.0)
    lying = Lying(places, (Expose(t=9.0, seat=Seat.E, tile=apart.tile, confidence=0.9),))
    watched = taken_up(laid, lying)
    before = len(watched.everything)
    for _ in range(5):
        assert watched.see([*laid, apart], camera=PLANE) == ()
    surer = [seen for seen in watched.everything[before:] if isinstance(seen, Correction) and isinstance(seen.instead, Expose)]
    assert surer and {seen.voids for seen in surer} == {len(places)}
    assert surer[-1].instead == replace(lying.exposed[0], confidence=surer[-1].instead.confidence, t=surer[-1].instead.t)
