"""Every kind of planted act, by name: the modules that plant them bring them in."""

from __future__ import annotations

import planted_manners
import planted_misplays
import planted_opening
import planted_readings
import planted_tiles
import planted_turns
from planted import KINDS

MODULES = (planted_turns, planted_misplays, planted_tiles, planted_opening, planted_manners, planted_readings)
__all__ = ["KINDS", "MODULES"]
