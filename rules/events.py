"""What happened, in the past tense: the values that the fold gives out.

`obs` is the index of the observation that caused the event; `at_obs`, `because` and `resolves` are such indices too.
Whoever keeps the journal maps them to its own numbers. `data()` gives plain values for JSON.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar

from rules.fields import plain
from rules.line import Arm, Ends
from rules.seats import PAIRS, Seat
from rules.tiles import Tile

Points = tuple[int, int]
"""A number for each pair (A, B)."""

Accused = Seat | tuple[Seat, Seat] | None
"""Who an incident names: one seat; (the one who jumped, the one who was skipped); nobody."""

BY_PAIR = ("points", "left", "fines", "score")
LEFT_OUT_WHEN_NONE = ("fine", "credit", "remedy_holder", "difference", "resolves", "by", "text", "refused", "lapsed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What every event has; `type` is its name in files and messages."""

    type: ClassVar[str] = ""
    obs: int

    def data(self) -> dict[str, Any]:
        """The fields as plain values: tiles as text, seats as numbers, points by pair."""
        row = {}
        for f in fields(self):
            value = getattr(self, f.name)
            if f.name == "obs" or (value is None and f.name in LEFT_OUT_WHEN_NONE):
                continue
            row[f.name] = dict(zip(PAIRS, value, strict=True)) if f.name in BY_PAIR and value is not None else _plain(value)
        return row


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, tuple) and not isinstance(value, Tile) else plain(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOpened(Event):
    """The first tile of a hand lies; `opener` is who laid it, None when that is not known (DUSA-2, FID-SAL-9)."""

    type: ClassVar[str] = "hand_opened"
    opener: Seat | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TilePlayed(Event):
    """A tile lies in the line; `resolves` names the observation whose reading was in doubt until now."""

    type: ClassVar[str] = "tile_played"
    seat: Seat | None
    tile: Tile
    end: Arm
    ends: Ends
    confidence: float
    pose_deg: float | None = None
    resolves: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPassed(Event):
    """`via` unsignalled: a later act of another seat implies it and nothing was heard or seen."""

    type: ClassVar[str] = "turn_passed"
    seat: Seat
    via: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TileWithdrawn(Event):
    """A tile of the line was lifted off again; None for a seat or a tile that is not known."""

    type: ClassVar[str] = "tile_withdrawn"
    seat: Seat | None
    tile: Tile | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TileMoved(Event):
    """A laid tile changed its place or turned where it lies; `ends` are those after it (FID-ACT-1)."""

    type: ClassVar[str] = "tile_moved"
    seat: Seat | None
    tile: Tile
    ends: Ends


@dataclass(frozen=True, slots=True, kw_only=True)
class TileExposed(Event):
    """A tile lies face up off the line, or fell; None for a seat or a face that was not seen (DUSA-6b)."""

    type: ClassVar[str] = "tile_exposed"
    seat: Seat | None
    tile: Tile | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandClosed(Event):
    """The last tile or the block; `unplayed` pips are 168 less the line, None while a tile is not known."""

    type: ClassVar[str] = "hand_closed"
    end: str
    by_seat: Seat | None
    unplayed: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandEnded(Event):
    """`end`: domination, tranque, tie or void. `left` are unplayed pips by pair when the tiles were counted."""

    type: ClassVar[str] = "hand_ended"
    end: str
    by_seat: Seat | None
    winner: str | None
    points: Points
    left: Points | None
    next_starter: Seat | None
    counted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreChanged(Event):
    """Totals of the match: hand points, and fines that a person upheld."""

    type: ClassVar[str] = "score_changed"
    points: Points
    fines: Points


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchEnded(Event):
    """`reason`: target, clock, last_hand, renege_intentional or black_card."""

    type: ClassVar[str] = "match_ended"
    winner: str | None
    reason: str
    score: Points


@dataclass(frozen=True, slots=True, kw_only=True)
class Infraction(Event):
    """An infraction that is certain since observation `obs`; the fine is a proposal until a person upholds it."""

    type: ClassVar[str] = "infraction"
    code: str
    rule: str
    seat: Accused
    at_obs: int
    fine: int | None = None
    credit: str | None = None
    remedy_holder: Seat | None = None
    difference: int | None = None
    because: tuple[int, ...] = ()

    @property
    def certain_at(self) -> int:
        """The first observation at which the evidence is conclusive; that of `at_obs` for what is certain at once."""
        return self.obs


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspicion(Event):
    """What may be an infraction and is not certain: put to the referee with the other explanations."""

    type: ClassVar[str] = "suspicion"
    code: str
    seats: tuple[Seat, ...]
    at_obs: int
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice(Event):
    """Never an infraction by itself; the referee may make an incident of it."""

    type: ClassVar[str] = "advice"
    code: str
    rule: str
    seat: Seat | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingDoubted(Event):
    """A tile lies there and its value is not known; the turn moves on."""

    type: ClassVar[str] = "reading_doubted"
    candidates: tuple[tuple[Tile, float], ...]
    seat: Seat | None
    end: Arm


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected(Event):
    """The events in `voids` never happened; the true ones follow. `observation` is the index of the one that was taken back."""

    type: ClassVar[str] = "correction"
    observation: int
    voids: tuple[Event, ...]
    by: str | None = None

    def data(self) -> dict[str, Any]:
        """`voids` as indices of the observations whose events are taken back; the journal puts its own numbers there."""
        row: dict[str, Any] = {"observation": self.observation, "voids": sorted({event.obs for event in self.voids})}
        return row | ({} if self.by is None else {"by": self.by})


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruled(Event):
    """A person ruled on the incident attributed to observation `incident`.

    `refused` says why the ruling had no effect; `lapsed`: nobody chose in time, which is the choice to go on (FID-ACT-3).
    """

    type: ClassVar[str] = "ruling"
    incident: int | None
    choice: str
    by: str | None = None
    text: str | None = None
    refused: str | None = None
    lapsed: bool | None = None
