"""What is written into the book of a tournament, one entry after the other; nothing is ever struck out.

`at` is the hall's local time, `by` who wrote it or decided it. Entries are numbered from 1 and name each other by number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from rules.errors import BadInput
from rules.tournament.forms import from_row, to_row
from rules.tournament.moments import Moment

Outcome = Literal["played", "bye", "late", "withdrawn", "black_card", "void"]
"""How a match came to its sheet (FID-CLA-3, FID-CLA-4, FID-TAR-N3)."""

Office = Literal["competition_committee", "organising_committee", "federation", "chief_arbiter", "arbiter"]
"""Whose president, or which arbiter, decides; the first three are principal judges (FID-TAR-N1)."""

Body = Literal["sanctioning_arbiter", "chief_arbiter", "committee", "federation", "fid", "tas"]
"""Who hears an appeal, step by step (FID-APE)."""

Ground = Literal["third_time", "fixing", "fight", "doping", "drunkenness", "disorder", "disrespect"]
"""What a black card is shown for (FID-ACT-8, FID-ACT-9, FID-TAR-N2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What every entry has: `at`, the hall's local time, and `by`, who decided or wrote it. `kind` is its name in files."""

    kind: ClassVar[str] = ""
    at: Moment | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairEntered(Entry):
    """A pair takes part from the next round on; the order of entry is the first round's and the last tie-break."""

    kind: ClassVar[str] = "pair"
    pair: str
    players: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundOpened(Entry):
    """Who meets whom (FID-CLA-2). A `reason` is needed where a later round is not as the standings give it."""

    kind: ClassVar[str] = "round"
    number: int
    tables: tuple[tuple[str, str], ...]
    bye: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result(Entry):
    """The sheet of a table is handed in: the points as they stood, and how the match ended.

    `lost_by`: who came late, left or was expelled. `after_min`: minutes from the start signal until the first of the late sat down.
    `winner`: whom the arbiter names, at a level score or, with a `reason`, against the score (DUSA-5).
    """

    kind: ClassVar[str] = "result"
    round: int
    table: int
    points: tuple[int, int] = (0, 0)
    outcome: Outcome = "played"
    lost_by: tuple[str, ...] = ()
    winner: str | None = None
    after_min: float | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction(Result):
    """Another sheet in place of the one of entry `voids` (FID-PUN-10)."""

    kind: ClassVar[str] = "correction"
    voids: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawal(Entry):
    """A pair leaves when it hands in its sheet, with the arbiter's leave (`by`), and nobody is harmed (FID-CLA-5)."""

    kind: ClassVar[str] = "withdrawal"
    pair: str
    leave: bool
    harms_nobody: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Annulment(Entry):
    """Entry `voids` never happened: written by mistake, or an appeal was upheld."""

    kind: ClassVar[str] = "annulment"
    voids: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident(Entry):
    """Something that happened at a table, for the log of the pair (FID-ACT-7)."""

    kind: ClassVar[str] = "incident"
    pair: str
    text: str
    player: str | None = None
    rule: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement(Entry):
    """The players of the table settled an incident among themselves (FID-ESP)."""

    kind: ClassVar[str] = "agreement"
    incident: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Escalation(Entry):
    """The next step against a pair that repeats incidents (FID-ACT-7)."""

    kind: ClassVar[str] = "escalation"
    pair: str
    step: Literal["notification", "warning", "expulsion"]
    office: Office = "arbiter"


@dataclass(frozen=True, slots=True, kw_only=True)
class Complaint(Entry):
    """A complaint in writing, by anyone; it informs and punishes nobody (FID-DEN-1).

    `advice`: what the arbiter told the player (FID-DEN-2).
    """

    kind: ClassVar[str] = "complaint"
    pair: str
    player: str
    text: str
    written: bool
    proof: str | None = None
    witness: str | None = None
    advice: Literal["none", "advice", "warning"] = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Referee:
    """A referee posted to watch a player, metres away (FID-DEN-2)."""

    name: str
    place: Literal["facing", "behind", "beside"]
    distance_m: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Posting(Entry):
    """After a complaint the chief arbiter posts one seated and one standing referee (FID-DEN-2)."""

    kind: ClassVar[str] = "posting"
    complaint: int
    seated: Referee
    standing: Referee


@dataclass(frozen=True, slots=True, kw_only=True)
class Card(Entry):
    """A card for a player (FID-TAR). Yellow and red: `posting`, two referees, both signed; black: `office` and `ground`."""

    kind: ClassVar[str] = "card"
    colour: Literal["yellow", "red", "black"]
    pair: str
    player: str
    text: str
    posting: int | None = None
    reported_by: str | None = None
    ratified_by: str | None = None
    signed: tuple[str, ...] = ()
    office: Office = "arbiter"
    ground: Ground | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Appeal(Entry):
    """A player's written appeal against the decision of entry `decision` (FID-APE)."""

    kind: ClassVar[str] = "appeal"
    decision: int
    body: Body
    written: bool


KINDS: dict[str, type[Entry]] = {
    cls.kind: cls
    for cls in (
        PairEntered, RoundOpened, Result, Correction, Withdrawal, Annulment,
        Incident, Agreement, Escalation, Complaint, Posting, Card, Appeal,
    )
}  # fmt: skip


def entry_from_row(row: object) -> Entry:
    """The entry of a row with its `kind`; BadInput tells all that is wrong with it."""
    kind = row.get("kind") if isinstance(row, Mapping) else None
    if not isinstance(kind, str) or kind not in KINDS:
        raise BadInput(f"expected kind one of {', '.join(KINDS)}, found {kind!r:.60}")
    return from_row(KINDS[kind], row)


def entry_to_row(entry: Entry) -> dict[str, Any]:
    """The row of an entry: reading it gives the same entry."""
    return {"kind": entry.kind, **to_row(entry)}
