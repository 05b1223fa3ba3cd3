"""When the faults of a film strike."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True, slots=True)
class Plan:
    """end_s: length of the film; plays_s: when tiles were laid; first_s: when play begins; rng: its own for every fault."""

    rng: np.random.Generator
    fps: float
    end_s: float
    plays_s: tuple[float, ...]
    first_s: float
    seed: int

    def again(self, name: str) -> Plan:
        """The same plan with random numbers of this fault's own, so that one fault does not change another."""
        return replace(self, rng=np.random.default_rng([self.seed, zlib.crc32(name.encode())]))

    def moment_s(self) -> float:
        """A time in the middle of the play."""
        return float(self.first_s + (self.end_s - self.first_s) * self.rng.uniform(0.25, 0.65))

    def play_s(self) -> float:
        """The time of a tile in the middle of the hand."""
        plays = self.plays_s
        return plays[int(len(plays) * self.rng.uniform(0.25, 0.65))] if plays else self.moment_s()
