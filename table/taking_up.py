"""The hand on the table as the rules have it, for a follower that goes on with it."""

from __future__ import annotations

from dataclasses import replace

from rules.observations import Expose, Observation, Place, Reveal
from table.monitor import Monitor
from vision.taking_up import Lying


def lying(monitor: Monitor) -> tuple[Lying, list[int]]:
    """What was told of the hand on the table, its times on this run's clock, and the number of each observation of it in the match."""
    state = monitor.state
    seen_then = [None if seen is None else replace(seen, t=seen.t - monitor.ahead_s) for seen in state.observations]
    told: list[tuple[int, Observation | None]] = [(laid.obs, seen_then[laid.obs]) for laid in state.hand.line.laid]
    places = [(number, seen) for number, seen in told if isinstance(seen, Place)]
    if not places:
        return Lying(), []
    later = [(n, seen) for n, seen in enumerate(seen_then) if n > places[0][0]]
    laid = {seen.tile for _, seen in places}
    exposed = [(n, seen) for n, seen in later if isinstance(seen, Expose) and seen.tile is not None and seen.tile not in laid]
    counts = [(n, seen) for n, seen in later if isinstance(seen, Reveal)][-1:]
    found = Lying(tuple(s for _, s in places), tuple(s for _, s in exposed), counts[0][1] if counts else None)
    return found, [number for number, _ in (*places, *exposed, *counts)]
