"""Which of the 28 tiles each tile on the table is: readings of several looks together, and no tile twice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rules.tiles import ALL_TILES, Tile

GATE = 0.85  # below, a reading is a question and not a play
EXISTS = 0.93  # a tile seen as surely as this is one: on photographs from above no false box came near it
WITNESSED = 100.0  # odds of a tile that other signs of a film show laid: of 438 plays told in 20 filmed hands none was another
FLOOR = 0.003  # no single look is surer than this: pictures of one moment can err alike whatever the reader says
MEMORY = 2 / 3  # what earlier looks weigh: alike pictures err alike, so many looks count as three
BALANCE_STEPS, BALANCED = 60, 1e-9  # at most so many, until nothing moves by more

_HIGH = np.array([tile.high for tile in ALL_TILES])
_LOW = np.array([tile.low for tile in ALL_TILES])
_INDEX = {tile: i for i, tile in enumerate(ALL_TILES)}


def evidence_of(halves: np.ndarray) -> np.ndarray:
    """One look's reading (2x7 probabilities) as log evidence, 2x7."""
    probabilities = np.asarray(halves, dtype=np.float64)
    probabilities = probabilities / probabilities.sum(axis=1, keepdims=True)
    return np.asarray(np.log((1 - FLOOR) * probabilities + FLOOR / 7))


def fused(evidence: np.ndarray, halves: np.ndarray) -> np.ndarray:
    """Evidence so far with one more look's reading, both with the halves in the same order."""
    return evidence * MEMORY + evidence_of(halves)


def halves_from(evidence: np.ndarray) -> np.ndarray:
    """Log evidence (…x2x7) back to probabilities."""
    shifted = np.exp(evidence - evidence.max(axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True))


def tile_likelihood(evidence: np.ndarray) -> np.ndarray:
    """28 likelihoods of each evidence (…x2x7), in the order of ALL_TILES: either half may be the high one."""
    one, other = np.moveaxis(halves_from(evidence), -2, 0)
    either = one[..., _HIGH] * other[..., _LOW] + one[..., _LOW] * other[..., _HIGH]
    likelihood = np.where(_HIGH == _LOW, either / 2, either)
    return np.asarray(likelihood / likelihood.sum(axis=-1, keepdims=True))


def identities(evidences: Sequence[np.ndarray], unique: bool = True) -> np.ndarray:
    """Nx28 probabilities that each of N tiles on the table is each of the 28.

    unique: every tile exists once, so no column may sum to more than one: two readings cannot both claim a tile. With all 28 on the
    table every column sums to one, and the last tile is known by elimination.
    """
    if not evidences:
        return np.zeros((0, 28))
    shares = tile_likelihood(np.stack(evidences))
    if not unique or len(evidences) > 28:
        return shares
    least = 0.0 if len(evidences) == 28 else 1.0
    for _ in range(BALANCE_STEPS):
        before, shares = shares, shares / np.maximum(shares.sum(axis=0, keepdims=True), least)
        shares = shares / shares.sum(axis=1, keepdims=True)
        if np.abs(shares - before).max() < BALANCED:
            break
    return np.asarray(shares)


def top(probabilities: np.ndarray) -> tuple[Tile, float]:
    """The most probable tile of a row of `identities`, and its probability."""
    best = int(probabilities.argmax())
    return ALL_TILES[best], float(probabilities[best])


def candidates(probabilities: np.ndarray, at_least: float = 0.02, count: int = 4) -> tuple[tuple[Tile, float], ...]:
    """The likely tiles of a row of `identities`, the likeliest first: what a person is asked to choose from."""
    order = np.argsort(-probabilities)[:count]
    return tuple((ALL_TILES[int(i)], round(float(probabilities[i]), 4)) for i in order if probabilities[i] >= at_least)


def probability_of(probabilities: np.ndarray, tile: Tile) -> float:
    """The probability of one tile in a row of `identities`."""
    return float(probabilities[_INDEX[tile]])
