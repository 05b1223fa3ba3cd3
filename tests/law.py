"""What the two rule sets say of each act, written down here from their texts: verdicts are held against this, not against the package.

A code is listed with its rule and fine; where a rule set does not list it, nothing is to be found.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.seats import Seat

Accused = Seat | tuple[Seat, Seat] | None
Verdict = tuple[str, Accused, int, int, str, int | None, str | None, Seat | None, int | None]
"""Code, seat, observation it belongs to, observation that proves it, rule, fine, pair credited, holder of the remedy, difference."""

LISTED: dict[str, dict[str, tuple[str, int]]] = {
    "OUT_OF_TURN": {"dusa": ("DUSA-7", 20), "fid": ("FID-ACT-3", 0)},
    "WRONG_STARTER": {"dusa": ("DUSA-2/7", 20), "fid": ("FID-SAL-9", 0)},
    "NON_MATCHING": {"dusa": ("DUSA-8", 50), "fid": ("FID-ACT-10", 0)},
    "WRONG_END": {"dusa": ("DUSA-12", 0), "fid": ("FID-ACT-3", 0)},
    "RENEGE": {"dusa": ("DUSA-5", 50), "fid": ("FID-ACT-3", 0)},
    "RENEGE_OR_OUT_OF_TURN": {"dusa": ("DUSA-5/7", 0), "fid": ("FID-ACT-3", 0)},
    "RENEGE_UNATTRIBUTED": {"dusa": ("DUSA-5", 0), "fid": ("FID-ACT-3", 0)},
    "PREMATURE_RUN": {"dusa": ("DUSA-9", 20), "fid": ("FID-ACT-3", 0)},
    "TOUCHED": {"fid": ("FID-ACT-3", 0)},
    "TOUCH_BREACH": {"dusa": ("DUSA-6", 0)},
    "EXPOSED": {"dusa": ("DUSA-6", 0), "fid": ("FID-ACT-3", 0)},
    "OPENING_ORIENTATION": {"dusa": ("DUSA-11", 0), "fid": ("FID-SAL-6", 0)},
    "TILE_MOVED": {"fid": ("FID-ACT-1", 0)},
    "FALSE_THINK": {"fid": ("FID-ACT-2", 0)},
    "PREMATURE_LIFT": {"fid": ("FID-SAL-8", 0)},
    "RACK_REARRANGED": {"dusa": ("DUSA-3", 0), "fid": ("FID-SAL-5", 0)},
    "DEAL_FAULT": {"dusa": ("DUSA-12", 0), "fid": ("FID-BEH-5", 0)},
    "TILE_SET_FAULT": {"dusa": ("DUSA-12", 0), "fid": ("FID-BEH-5", 0)},
    "SCORE_MISMATCH": {"dusa": ("DUSA-12", 0), "fid": ("FID-PUN-4", 0)},
    "TALK_OR_GESTURE": {"dusa": ("DUSA-4", 20), "fid": ("FID-BEH-2", 0)},
    "CONDUCT": {"fid": ("FID-BEH-4", 0)},
}
ADVICE: dict[str, tuple[str, ...]] = {
    "DOUBLE_POSE": ("dusa", "fid"),
    "BEND_DIRECTION": ("dusa", "fid"),
    "HANDS_ON_TABLE": ("dusa",),
    "EXCESSIVE_THINK": ("fid",),
    "STRIKE_OR_THROW": ("fid",),
}


@dataclass(frozen=True)
class Wanted:
    """An infraction that is to be found. `only` is the rule set that lists it when the other one does not list this case."""

    code: str
    seat: Accused
    at: int
    certain: int
    only: str | None = None
    rule: str | None = None
    difference: int | None = None

    def listed(self, ruleset: str) -> bool:
        return ruleset in LISTED[self.code] and self.only in (None, ruleset)

    def fine(self, ruleset: str) -> int:
        """Points that this rule set proposes against one seat."""
        return LISTED[self.code][ruleset][1] if self.listed(ruleset) else 0

    def verdict(self, ruleset: str) -> Verdict:
        """What this rule set has to say of it."""
        rule, fine = LISTED[self.code][ruleset]
        one = self.seat if isinstance(self.seat, Seat) else None
        credit = "AB"[1 - one % 2] if fine and one is not None else None
        holder = Seat((one + 1) % 4) if ruleset == "fid" and one is not None else None
        return self.code, self.seat, self.at, self.certain, self.rule or rule, fine or None, credit, holder, self.difference
