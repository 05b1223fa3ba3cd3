"""Every infraction code with the rule it breaks and the fine it brings, per rule set."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Charge:
    """What a rule set says of one code: the rule's id and the proposed fine in points (0 = none)."""

    rule: str
    fine: int = 0


DUSA_CHARGES: dict[str, Charge] = {
    "OUT_OF_TURN": Charge("DUSA-7", 20),
    "WRONG_STARTER": Charge("DUSA-2/7"),  # the fine is a switch of the rule set
    "NON_MATCHING": Charge("DUSA-8", 50),
    "WRONG_END": Charge("DUSA-12"),
    "RENEGE": Charge("DUSA-5", 50),
    "RENEGE_OR_OUT_OF_TURN": Charge("DUSA-5/7"),
    "RENEGE_UNATTRIBUTED": Charge("DUSA-5"),
    "PREMATURE_RUN": Charge("DUSA-9", 20),
    "TOUCH_BREACH": Charge("DUSA-6"),
    "EXPOSED": Charge("DUSA-6"),
    "OPENING_ORIENTATION": Charge("DUSA-11"),
    "RACK_REARRANGED": Charge("DUSA-3"),
    "DEAL_FAULT": Charge("DUSA-12"),
    "TILE_SET_FAULT": Charge("DUSA-12"),
    "SCORE_MISMATCH": Charge("DUSA-12"),
    "TALK_OR_GESTURE": Charge("DUSA-4", 20),
}

# No fine anywhere: FID-ACT-10 says that no infraction is punished in points.
FID_CHARGES: dict[str, Charge] = {
    "OUT_OF_TURN": Charge("FID-ACT-3"),
    "WRONG_STARTER": Charge("FID-SAL-9"),
    "NON_MATCHING": Charge("FID-ACT-10"),
    "WRONG_END": Charge("FID-ACT-3"),
    "RENEGE": Charge("FID-ACT-3"),
    "RENEGE_OR_OUT_OF_TURN": Charge("FID-ACT-3"),
    "RENEGE_UNATTRIBUTED": Charge("FID-ACT-3"),
    "PREMATURE_RUN": Charge("FID-ACT-3"),
    "TOUCHED": Charge("FID-ACT-3"),
    "EXPOSED": Charge("FID-ACT-3"),
    "OPENING_ORIENTATION": Charge("FID-SAL-6"),
    "TILE_MOVED": Charge("FID-ACT-1"),
    "FALSE_THINK": Charge("FID-ACT-2"),
    "PREMATURE_LIFT": Charge("FID-SAL-8"),
    "RACK_REARRANGED": Charge("FID-SAL-5"),
    "DEAL_FAULT": Charge("FID-BEH-5"),
    "TILE_SET_FAULT": Charge("FID-BEH-5"),
    "SCORE_MISMATCH": Charge("FID-PUN-4"),
    "TALK_OR_GESTURE": Charge("FID-BEH-2"),
    "CONDUCT": Charge("FID-BEH-4"),
}

# Never an infraction by itself: put to the referee, who may make an incident of it. Code: rule or custom, per rule set.
DUSA_ADVICE: dict[str, str] = {
    "DOUBLE_POSE": "custom",
    "BEND_DIRECTION": "custom",
    "HANDS_ON_TABLE": "DUSA-4",
    "LEVEL_SCORE": "DUSA-12",
    "REDEAL": "custom",
}
FID_ADVICE: dict[str, str] = {
    "DOUBLE_POSE": "custom",
    "BEND_DIRECTION": "custom",
    "EXCESSIVE_THINK": "FID-ACT-5",
    "STRIKE_OR_THROW": "FID-BEH-3",
    "LEVEL_SCORE": "FID-PUN-3",
    "REDEAL": "custom",
}

# What a person may make an incident of, besides the codes above; the fine is that of the rule (DUSA-4, D-26).
DUSA_BY_A_PERSON: dict[str, Charge] = {
    "HANDS_ON_TABLE": Charge("DUSA-4", 20),
    "INCIDENT": Charge("DUSA-12"),
}
FID_BY_A_PERSON: dict[str, Charge] = {
    "DOUBLE_POSE": Charge("FID-ACT-3"),
    "BEND_DIRECTION": Charge("FID-ACT-3"),
    "EXCESSIVE_THINK": Charge("FID-ACT-5"),
    "STRIKE_OR_THROW": Charge("FID-BEH-3"),
    "INCIDENT": Charge("FID-ACT-3"),
}

# Rules a CONDUCT incident may be opened under; the first unless told (FID-BEH-4, FID-ACT-4, FID-ACT-8, FID-ACT-9).
CONDUCT_RULES = ("FID-BEH-4", "FID-ACT-4", "FID-ACT-8", "FID-ACT-9")

# Doubts that no rule set names: the readings or the calibration are in question, not a player.
DOUBTS = ("READ_CONFLICT", "CALIBRATION_ALARM", "FALSE_BLOCK")

KNOWN_CODES = frozenset({*DUSA_CHARGES, *FID_CHARGES, *DUSA_ADVICE, *FID_ADVICE, *DUSA_BY_A_PERSON, *FID_BY_A_PERSON})
