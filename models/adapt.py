"""A tile set laid out face up, all 28 of it: which tile is which when none may be there twice, and what stays doubtful."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rules.tiles import ALL_TILES, Tile
from vision.detections import TileDetection, TileState
from vision.identity import GATE, candidates, evidence_of, identities, top

MIN_CONFIDENCE = 0.2  # what is less sure than this is no tile; the rule that all are different settles the rest


@dataclass(frozen=True, slots=True, eq=False)
class LaidTile:
    """One tile of the set. alone: as it reads by itself; tile, probability: what it is, given the others."""

    detection: TileDetection
    alone: Tile
    tile: Tile
    probability: float
    candidates: tuple[tuple[Tile, float], ...]

    @property
    def is_doubtful(self) -> bool:
        """Whether its reading alone would be a question at the table, or another tile than it is."""
        return self.probability < GATE or self.alone != self.tile or self.detection.confidence < GATE


@dataclass(frozen=True, slots=True, eq=False)
class SetCheck:
    """What a photograph of a whole set shows. others: tiles that lie face down or stand."""

    tiles: tuple[LaidTile, ...]
    others: int

    @property
    def missing(self) -> tuple[Tile, ...]:
        """Tiles of the 28 that nothing in the picture is taken for."""
        return tuple(sorted(set(ALL_TILES) - {laid.tile for laid in self.tiles}))

    @property
    def doubtful(self) -> tuple[LaidTile, ...]:
        return tuple(laid for laid in self.tiles if laid.is_doubtful)

    @property
    def is_whole(self) -> bool:
        """Whether all 28 are there, each once, face up and beyond doubt."""
        return len(self.tiles) == len(ALL_TILES) and not self.missing and not self.others and not self.doubtful

    @property
    def mixed_up(self) -> Counter[tuple[int, int]]:
        """How often one number (first) was read, alone, where another one lies."""
        pairs: Counter[tuple[int, int]] = Counter()
        for laid in self.tiles:
            read, lies = (Counter((t.high, t.low)) for t in (laid.alone, laid.tile))
            pairs.update(zip((read - lies).elements(), (lies - read).elements(), strict=True))
        return pairs


def check_set(detections: Sequence[TileDetection]) -> SetCheck:
    """The tiles of one picture (2x7 probabilities each), with the rule that each of the 28 is there once at most."""
    up = [d for d in detections if d.state is TileState.FACE_UP and d.confidence >= MIN_CONFIDENCE]
    others = sum(d.state is not TileState.FACE_UP and d.confidence >= 0.5 for d in detections)
    shares = identities([evidence_of(d.halves) for d in up])
    return SetCheck(tuple(_laid(d, row) for d, row in zip(up, shares, strict=True)), others)


def _laid(detection: TileDetection, shares: np.ndarray) -> LaidTile:
    alone = detection.tile
    assert alone is not None  # it lies face up
    return LaidTile(detection, alone, *top(shares), candidates(shares))
