"""The organiser's conditions of a tournament: every number and every choice that the laws leave open is a switch here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Literal

from rules.errors import BadInput
from rules.ruleset import Ruleset, ruleset_named
from rules.tournament.forms import from_row, refuse


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """What was agreed before the first round (FID-0: the extract orients, the organiser's conditions prevail)."""

    rounds: int  # FID-VOC-5: matches agreed for the competition
    name: str = "tournament"
    ruleset: Literal["fid", "dusa"] = "fid"
    target: int | None = None  # D-08: points of a match; None = those of the rule set

    bye_share: float = 0.5  # FID-CLA-3, FID-TAR-N3, D-20: share of the target for a match won without playing it out
    late_min: float = 7.0  # FID-CLA-4: minutes after the start signal
    expelled_points: Literal["drop", "keep"] = (
        "drop"  # FID-TAR-N3: whether the points of those who left still stand against the rivals'
    )

    cap_difference: bool = False  # D-21: no match gives a difference above the target
    avoid_rematches: bool = False  # D-21: nobody meets a pair, or has a bye, twice while that can be avoided
    third_key: Literal["points_for", "rivals_wins", "none"] = "points_for"  # D-21: after wins and differences
    corrections: Literal["next_round", "at_once"] = "next_round"  # FID-PUN-10: from when a corrected sheet counts

    notification_at: int = 2  # FID-ACT-7: incidents of a pair that bring the notification; each further one the next step
    chief_arbiter_black: bool = False  # FID-TAR-N1 against N2: whether the chief arbiter too may show the black card
    appeal_times: Literal["cumulative", "from_decision"] = "cumulative"  # FID-APE: how the six times are counted
    at_once_min: float = 15.0  # FID-APE: minutes that "immediately" lasts

    @property
    def rules(self) -> Ruleset:
        """The rule set of the tables with these numbers."""
        own = ruleset_named(self.ruleset)
        target = own.target if self.target is None else self.target
        return replace(own, target=target, bye_share=self.bye_share, late_s=self.late_min * 60)


def conditions_from_row(row: object) -> Conditions:
    """The conditions of a file; BadInput names all that is wrong, and a switch that does not exist, which may be a misspelt one."""
    known = {f.name for f in fields(Conditions)}
    unknown = sorted(str(key) for key in row if key not in known) if isinstance(row, Mapping) else []
    problems = [f"expected a condition named in docs/tournament.md, found {key!r:.60}" for key in unknown]
    try:
        conditions = from_row(Conditions, row)
    except BadInput as error:
        raise BadInput("; ".join([*problems, str(error)])) from None
    checks = (
        ("rounds", conditions.rounds >= 1, "1 or more", conditions.rounds),
        ("target", conditions.target is None or conditions.target >= 1, "1 or more", conditions.target),
        ("bye_share", conditions.bye_share <= 1, "a share from 0 to 1", conditions.bye_share),
        ("notification_at", conditions.notification_at >= 1, "1 or more", conditions.notification_at),
    )
    refuse([*problems, *(f"{name}: expected {wanted}, found {found}" for name, good, wanted, found in checks if not good)])
    return conditions
