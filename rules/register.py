"""What is kept on record beside the hands: the cards of FID, the ledger of points and fines, and where play can go back to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from rules.events import Infraction, Points
from rules.seats import Seat

if TYPE_CHECKING:
    from rules.state import HandResult, HandState

OPTIONS = ("continue", "repeat_hand", "go_back")
"""What the holder of a card may choose (FID-ACT-3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """The right of the rival at the offender's right to choose a remedy (FID-ACT-3, D-17); `status` open, chosen, lapsed or dismissed.

    It opens at observation `opened`, when the infraction of `at_obs` became certain, and belongs to hand number `hand`.
    `closed` is the observation from which it can no longer change: a "continue" may be changed until the holder lays his next tile.
    """

    code: str
    offender: Seat
    holder: Seat
    at_obs: int
    opened: int
    hand: int
    status: Literal["open", "chosen", "lapsed", "dismissed"] = "open"
    choice: str | None = None
    closed: int | None = None
    lapses: Literal["placement", "count"] = "placement"

    @property
    def deadline(self) -> str:
        """`placement`: the holder's next tile; `placement_or_count` for what was proved later: also when the count is signed.

        `count` where the rule set lets the right lapse then alone.
        """
        if self.lapses == "count":
            return "count"
        return "placement" if self.opened == self.at_obs else "placement_or_count"

    @property
    def options(self) -> tuple[str, ...]:
        """What can still be chosen."""
        return OPTIONS if self.closed is None else ()

    def belongs_to(self, infraction: Infraction) -> bool:
        """Whether this infraction opened the card."""
        return (self.code, self.offender, self.at_obs) == (infraction.code, infraction.seat, infraction.at_obs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Booking:
    """One row of the ledger, never changed: a row that no longer holds is followed by one that takes it back.

    `column` is hand points or fines, `amounts` what pairs A and B get, `cause` an infraction code or how the hand ended,
    `voids` the row that this one takes back.
    """

    obs: int
    hand: int
    column: Literal["points", "fines"]
    amounts: Points
    cause: str
    voids: int | None = None


class Moment(NamedTuple):
    """The table just before observation `obs`: the hand, and whose opening it was. What "go back" returns to (FID-ACT-3)."""

    obs: int
    hand: HandState
    last_opener: Seat | None
    repeat_opener: Seat | None
    repeating: bool
    hands_opened: int
    lost_openings: tuple[Seat, ...]
    last_result: HandResult | None
