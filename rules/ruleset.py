"""A rule set as data: two profiles, DUSA and FID, and every decision that a federation may settle otherwise as a switch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from rules.codes import DUSA_ADVICE, DUSA_BY_A_PERSON, DUSA_CHARGES, FID_ADVICE, FID_BY_A_PERSON, FID_CHARGES, Charge
from rules.errors import BadInput

FINE_SWITCHES = {"WRONG_STARTER": "wrong_starter_fine", "WRONG_END": "wrong_end_fine"}
"""Codes whose fine the texts leave open: the switch that says it."""

NOT_SWITCHES = ("name", "charges", "advice", "by_a_person")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """Numbers and choices of one rule set. Lengths in millimetres, times in seconds, angles in degrees, points in pips."""

    name: Literal["dusa", "fid"]
    charges: Mapping[str, Charge] = field(repr=False, hash=False)
    advice: Mapping[str, str] = field(repr=False, hash=False)
    by_a_person: Mapping[str, Charge] = field(repr=False, hash=False)

    # The match.
    target: int  # D-08: points that end the match
    clock_s: float | None  # DUSA-1: playing time; None = no clock
    begun: Literal["opening_tile", "deal"] = "opening_tile"  # D-07: what makes a hand begun when the time is up
    even_hands: bool = False  # FID-PUN-8, D-09: after "last hand" the number of hands is made even
    even_on_target: bool = False  # D-09: the same when the target is reached
    fine_mode: Literal["award", "deduct"] = "award"  # D-05: fines go to the rivals, or off the offenders
    fine_ends_match: bool = False  # D-06: whether an upheld fine can end the match before the hand does
    direction: Literal["ccw", "cw"] = "ccw"  # D-01: order of play seen from above

    # Points and openings.
    score_scope: Literal["all", "losers"] = "all"  # D-02, D-03: whose unplayed pips the winners score
    tie_opener: Literal["next", "same"] = "next"  # D-04: who opens after a tied block
    lost_opening: bool = False  # DUSA-6, D-13: an exposed tile costs the seat its next opening
    exposed_scores: bool = True  # DUSA-6: whether winning or blocking with an exposed tile scores
    exposed_causes: tuple[str, ...] = ("touch", "drop")  # D-12: causes that bring all of DUSA-6
    wrong_starter_rotation: Literal["actual", "due"] = "actual"  # D-16: whose right-hand neighbour opens after a wrong opener
    wrong_starter_fine: int = 0  # D-16: proposed fine of a wrong opener
    repeat_opener: Literal["next_if_at_fault", "same", "next"] = "next_if_at_fault"  # D-17: who opens an ordered repeat
    redeal_doubles: int | None = None  # D-10: so many doubles in one hand may be dealt again, a custom of houses; None = never

    # Judging.
    pass_channel: Literal["reliable", "unreliable"] = "reliable"  # unreliable: no buttons or microphone
    orientation: Literal["known", "unknown"] = "known"  # unknown: only the play can show that no picture is mirrored or turned
    play_exposed: bool = False  # DUSA-6, D-14: an exposed tile must be played at the first opportunity
    listed_exposures: tuple[str, ...] = ("drop",)  # causes for which EXPOSED is listed
    wrong_end_fine: int = 0  # D-18: proposed fine of a tile that fits the other end only
    false_announcement: Literal["out_of_turn", "premature_run"] = "out_of_turn"  # D-24: a run announced while somebody could play
    card_lapses: Literal["placement", "count"] = "placement"  # D-17: until when the holder of a card may choose
    four_passes: Literal["go_on", "void"] = "go_on"  # D-31: what four passes that are no block do to the hand
    renege_ends_hand: bool = False  # D-15: a proven false pass stops the hand
    tolerance_deg: float = 25.0  # DUSA-11, FID-SAL-6: opening pose that is right
    review_deg: float = 65.0  # above tolerance and up to here the opening pose is put to the referee
    think_s: float = 3.0  # FID-ACT-2, D-22: thinking begins after this
    think_from_play: int = 5  # D-22: the first turn of each seat is free
    think_limit_s: float | None = None  # FID-ACT-5: organiser's limit for EXCESSIVE_THINK
    moved_mm: float = 12.0  # FID-ACT-1, D-25
    moved_deg: float = 15.0  # D-25
    rest_s: float = 1.0  # D-25: a tile that has lain for less is still being laid
    knock_s: float = 1.0  # D-29: a touch so soon after the same seat knocked to pass belongs to the knock
    touch_s: float = 0.3  # a finger on a slot for less is no touch
    hands_s: float = 2.0  # DUSA-4, D-26: a hand over the table out of turn
    impact_level: float = 1.0  # FID-BEH-3: impacts above this multiple of the player's own are put to the referee
    pose_advice: bool = True  # D-23: tell the referee of doubles in line and of bends to the left hand

    # Evidence.
    sure: float = 0.98  # readings below this never become an infraction
    conflict: float = 0.95  # two readings of one tile above this are a fault of the set, else of the reading
    count_wait_s: float = 60.0  # a domination that nobody counts is scored after this

    # Away from the table.
    bye_share: float = 0.5  # FID-CLA-3, FID-TAR-N3, D-20: share of the target for a bye and for a black card
    late_s: float = 420.0  # FID-CLA-4: a pair that comes later than this loses

    def charge(self, code: str) -> Charge | None:
        """What this rule set says of a code, with the fine that its switches give it; None when it does not list it.

        FID fines nothing, whatever the switches say (FID-ACT-10).
        """
        charge = self.charges.get(code)
        if charge is None or code not in FINE_SWITCHES or self.name == "fid":
            return charge
        return replace(charge, fine=getattr(self, FINE_SWITCHES[code]))

    def at_the_table_of(self, other: Ruleset) -> Ruleset:
        """A copy for the table that another rule set was chosen for: what can be heard and seen there is the same."""
        return replace(self, pass_channel=other.pass_channel, orientation=other.orientation)

    def with_switches(self, switches: Mapping[str, object]) -> Ruleset:
        """A copy with some switches set; BadInput names one that does not exist or cannot have that value."""
        hints = {name: hint for name, hint in get_type_hints(type(self)).items() if name not in NOT_SWITCHES}
        for name, value in switches.items():
            if name not in hints:
                raise BadInput(f"expected a switch of the rule set, found {name!r}; see docs/rules.md")
            if not _allows(hints[name], value):
                raise BadInput(f"expected another value for the switch {name}, found {value!r}; see docs/rules.md")
        values = {name: tuple(value) if isinstance(value, list) else value for name, value in switches.items()}
        return replace(self, **values)  # type: ignore[arg-type]


def _allows(hint: Any, value: object) -> bool:
    """Whether a switch of this type can have the value."""
    if get_origin(hint) is Literal:
        return value in get_args(hint)
    if get_origin(hint) is tuple:
        return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)
    if NoneType in get_args(hint):
        return value is None or _allows(float, value)
    if hint is bool or isinstance(value, bool):
        return hint is bool and isinstance(value, bool)
    return isinstance(value, int if hint is int else int | float)


DUSA = Ruleset(
    name="dusa",
    charges=DUSA_CHARGES,
    advice=DUSA_ADVICE,
    by_a_person=DUSA_BY_A_PERSON,
    target=200,
    clock_s=2400.0,
    lost_opening=True,
    wrong_starter_fine=20,
    exposed_scores=False,
    play_exposed=True,
    listed_exposures=("touch", "drop"),
)
FID = Ruleset(
    name="fid",
    charges=FID_CHARGES,
    advice=FID_ADVICE,
    by_a_person=FID_BY_A_PERSON,
    target=300,
    clock_s=None,
    even_hands=True,
)

RULESETS: dict[str, Ruleset] = {"dusa": DUSA, "fid": FID}


def ruleset_named(name: str) -> Ruleset:
    """`dusa` or `fid`; BadInput otherwise."""
    if name.lower() not in RULESETS:
        raise BadInput(f"expected the rule set dusa or fid, found {name!r}")
    return RULESETS[name.lower()]
