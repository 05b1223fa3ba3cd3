"""Fields of a calibration file, checked one by one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rules.errors import BadInput


def numbers(value: Any, count: int, what: str) -> list[float]:
    """`count` finite numbers; BadInput, naming `what` was read, for anything else."""
    good = isinstance(value, list | tuple) and len(value) == count
    if not good or not all(isinstance(v, int | float) and not isinstance(v, bool) and math.isfinite(v) for v in value):
        raise BadInput(f"{what}: expected {count} finite numbers, found {brief(value)}; correct it")
    return [float(v) for v in value]


def square(value: Any, what: str) -> np.ndarray:
    """3x3 finite numbers; BadInput for anything else."""
    if not isinstance(value, list | tuple) or len(value) != 3:
        raise BadInput(f"{what}: expected 3 rows of 3 numbers, found {brief(value)}; calibrate again")
    return np.array([numbers(row, 3, what) for row in value])


def brief(value: Any) -> str:
    """A value in at most 60 letters."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
