"""Readings of several looks together, and no tile twice."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laid_tiles import halves_of

from rules.tiles import ALL_TILES, Tile
from vision.identity import GATE, candidates, evidence_of, fused, identities, probability_of, tile_likelihood, top


def read(text, sure=0.98):
    return evidence_of(halves_of(Tile.parse(text), sure))


def test_a_clear_reading_passes_the_gate_and_a_doubtful_one_does_not():
    """Both halves at 98 % are a tile, both at 80 % are a question whose first candidate is that tile."""
    assert top(identities([read("6-4")])[0])[0] == Tile(6, 4)
    assert top(identities([read("6-4")])[0])[1] > GATE > top(identities([read("6-4", 0.8)])[0])[1]
    assert candidates(identities([read("6-4", 0.8)])[0])[0][0] == Tile(6, 4)


@pytest.mark.parametrize("tile", ALL_TILES)
def test_either_half_may_be_the_high_one(tile):
    """A tile is read whichever way round its halves are named."""
    halves = halves_of(tile)
    assert np.allclose(tile_likelihood(evidence_of(halves)), tile_likelihood(evidence_of(halves[::-1])))
    assert top(tile_likelihood(evidence_of(halves)))[0] == tile


def test_one_misread_look_does_not_outweigh_three_right_ones():
    """After three looks at 6-4 one confident 6-5 leaves 6-4 the likelier; two right looks turn a first misread round."""
    evidence = read("6-4")
    for _ in range(2):
        evidence = fused(evidence, halves_of(Tile(6, 4)))
    assert top(identities([fused(evidence, halves_of(Tile(6, 5)))])[0])[0] == Tile(6, 4)
    turned = fused(fused(read("6-5"), halves_of(Tile(6, 4))), halves_of(Tile(6, 4)))
    assert top(identities([turned])[0]) == (Tile(6, 4), pytest.approx(1, abs=0.02))


def test_many_alike_looks_count_as_three():
    """A reading that never changes does not become more certain than three looks make it."""
    evidence = read("6-4")
    for _ in range(50):
        evidence = fused(evidence, halves_of(Tile(6, 4)))
    assert np.allclose(evidence, 3 * read("6-4"), rtol=0.01)


def test_two_tiles_cannot_be_the_same():
    """Of two tiles reading 6-4 the one seen more often keeps the name and the other becomes a question; seen alike, both do."""
    old = fused(fused(read("6-4"), halves_of(Tile(6, 4))), halves_of(Tile(6, 4)))
    kept, doubted = identities([old, read("6-4")])
    assert top(kept)[0] == Tile(6, 4) and top(kept)[1] > GATE > top(doubted)[1]
    assert all(probability_of(row, Tile(6, 4)) == pytest.approx(0.5, abs=0.05) for row in identities([read("6-4")] * 2))
    assert all(top(row)[1] > GATE for row in identities([read("6-4")] * 2, unique=False))


def test_the_last_tile_is_known_by_elimination():
    """With 28 tiles on the table the one that cannot be read is the one that is left."""
    blind = evidence_of(np.full((2, 7), 1 / 7))
    for left in (Tile(6, 6), Tile(3, 0)):
        evidences = [blind if tile == left else read(str(tile), 0.99) for tile in ALL_TILES]
        assert top(identities(evidences)[ALL_TILES.index(left)])[0] == left


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 28))
def test_probabilities_stay_probabilities(seed, count):
    """Whatever is read, each tile's probabilities sum to one and no name is claimed more than once in all."""
    rng = np.random.default_rng(seed)
    rows = identities([evidence_of(rng.dirichlet(np.full(7, 0.2), 2)) for _ in range(count)])
    assert np.allclose(rows.sum(axis=1), 1) and np.all(rows >= 0)
    assert np.all(rows.sum(axis=0) < 1.15)


def test_no_tiles_no_rows():
    """Nothing on the table reads as nothing."""
    assert identities([]).shape == (0, 28)
