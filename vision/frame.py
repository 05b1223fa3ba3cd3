"""One picture with its place in time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rules.seats import Seat


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """image: BGR uint8 HxWx3; index: number of the picture in its source; t_s: seconds on the source's own clock.

    seat: who acted since the picture before, where the person who took it told.
    """

    image: np.ndarray
    index: int
    t_s: float
    seat: Seat | None = None

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height."""
        return self.image.shape[1], self.image.shape[0]
