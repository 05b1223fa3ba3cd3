"""What a picture shows: one `TileDetection` a tile, shapes checked when built."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from rules.tiles import Tile


class TileState(StrEnum):
    """How a tile lies."""

    FACE_UP = "face_up"
    FACE_DOWN = "face_down"
    STANDING = "standing"


@dataclass(frozen=True, slots=True, eq=False)
class TileDetection:
    """One tile in one picture.

    quad_px: 4x2 float32, pixels of the picture, clockwise as seen; corners 0 and 3 on the short side of half 0, 1 and 2 on that of
    half 1. For a face-up tile half 0 is the lower number (for a double either order is right).
    halves: 2x7 float64, a probability for each number 0-6 on half 0 and half 1 (rows sum to 1); uniform unless face up.
    confidence: 0-1, that there is such a tile and that its two numbers are as read.
    """

    quad_px: np.ndarray
    halves: np.ndarray
    state: TileState
    confidence: float

    def __post_init__(self) -> None:
        if self.quad_px.shape != (4, 2):
            raise ValueError(f"quad_px must be 4x2, got {self.quad_px.shape}")
        if self.halves.shape != (2, 7):
            raise ValueError(f"halves must be 2x7, got {self.halves.shape}")

    @property
    def pips(self) -> tuple[int, int] | None:
        """The most probable numbers of half 0 and half 1, or None unless face up."""
        if self.state is not TileState.FACE_UP:
            return None
        low, high = self.halves.argmax(axis=1)
        return int(low), int(high)

    @property
    def tile(self) -> Tile | None:
        """The most probable tile, or None unless face up."""
        return Tile.of(*self.pips) if self.pips else None

    @property
    def there(self) -> float:
        """Probability that such a tile lies there, whatever its numbers: the confidence without that of the reading."""
        read = float(self.halves.max(axis=1).prod()) if self.state is TileState.FACE_UP else 1.0
        return min(1.0, self.confidence / read)

    @property
    def centre_px(self) -> np.ndarray:
        """Centre of the tile, 2 float, pixels."""
        return self.quad_px.mean(axis=0)
