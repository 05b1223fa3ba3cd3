"""What was seen, heard or entered at the table: the only door into the rules.

`t` is the time in seconds of the frame, the button or the entry; `confidence` is the probability that the observation is right;
`frame` is the index of the picture it was seen in, if any. A seat of None means that the seat is not known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields
from typing import Any, ClassVar

from rules.errors import BadInput
from rules.fields import READERS, WRITERS, plain, shown
from rules.line import Arm
from rules.seats import Pair, Seat
from rules.tiles import Tile

SIGNALS = ("voice", "knock", "button")
"""Ways to pass that count in law; a pass that the camera alone inferred is `seen` and counts as unsignalled."""

Hands = tuple[tuple[Tile, ...] | None, tuple[Tile, ...] | None, tuple[Tile, ...] | None, tuple[Tile, ...] | None]
"""Tiles by seat S, E, N, W; None for a seat that showed nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What every observation has. `kind` is its name in files and messages."""

    kind: ClassVar[str] = ""
    t: float
    confidence: float = 1.0
    frame: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Place(Observation):
    """A tile released on the table against an arm.

    `pose_deg`: long axis of a double (mod 180) or direction from the low to the high half of a mixed tile (mod 360), table frame.
    `tip`: number of the half that points away, where it was seen. `across`: whether a double lies across its arm.
    `bend`: `left` or `right` turn of the growing arm.
    A tile of None is a reading in doubt, with what it may be in `candidates` (tile, probability).
    """

    kind: ClassVar[str] = "place"
    seat: Seat | None = None
    tile: Tile | None = None
    at: Arm
    pose_deg: float | None = None
    tip: int | None = None
    slot: int | None = None
    across: bool | None = None
    bend: str | None = None
    candidates: tuple[tuple[Tile, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw(Observation):
    """A tile of the line is lifted off again; without a tile, the latest of that seat."""

    kind: ClassVar[str] = "withdraw"
    seat: Seat | None = None
    tile: Tile | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Move(Observation):
    """A resting tile changes its pose by `mm` and `deg`, the common motion of the line taken away.

    `seat` is who moved it, `to` the new arm when it is a correction; `whole_line` marks a motion of the line as one.
    """

    kind: ClassVar[str] = "move"
    seat: Seat | None = None
    tile: Tile
    to: Arm | None = None
    mm: float = 0.0
    deg: float = 0.0
    whole_line: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass(Observation):
    """A seat passes. `via`: voice, knock, button (signalled), seen (the camera alone inferred it) or unsignalled."""

    kind: ClassVar[str] = "pass"
    seat: Seat
    via: str = "voice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Announce(Observation):
    """A player says that nobody else can play (DUSA-9)."""

    kind: ClassVar[str] = "announce"
    seat: Seat
    what: str = "none_can_play"
    via: str = "voice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch(Observation):
    """A finger on a rack slot for `dur` seconds without lifting; the tile is known only through the arbiter."""

    kind: ClassVar[str] = "touch"
    seat: Seat
    slot: int | None = None
    tile: Tile | None = None
    dur: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Expose(Observation):
    """A tile lies face up off the line. `cause`: touch, drop, out_of_turn, non_matching, or None when it is not known."""

    kind: ClassVar[str] = "expose"
    seat: Seat | None = None
    tile: Tile
    cause: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Referee(Observation):
    """A ruling entered by a person.

    `incident` is the index of the observation that the incident is attributed to; `seat` and `code` narrow it down.
    """

    kind: ClassVar[str] = "referee"
    ruling: str
    seat: Seat | None = None
    incident: int | None = None
    code: str | None = None
    text: str | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal(Observation):
    """Remaining tiles turned up: the count at the end of the hand (`final`) or the arbiter's audit in mid hand."""

    kind: ClassVar[str] = "reveal"
    final: bool = True
    hands: Hands


@dataclass(frozen=True, slots=True, kw_only=True)
class Lift(Observation):
    """A seat stands its tiles up."""

    kind: ClassVar[str] = "lift"
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop(Observation):
    """A tile falls; None when its face was not seen."""

    kind: ClassVar[str] = "drop"
    seat: Seat
    tile: Tile | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RackCount(Observation):
    """Number of tiles counted on a rack."""

    kind: ClassVar[str] = "rack_count"
    seat: Seat
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RackSwap(Observation):
    """Tiles change slot without leaving the rack."""

    kind: ClassVar[str] = "rack_swap"
    seat: Seat
    slots: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOverTable(Observation):
    """A hand over the play area for `dur` seconds."""

    kind: ClassVar[str] = "hand_over_table"
    seat: Seat
    dur: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Impact(Observation):
    """A tile strikes the table; `level` is a multiple of the player's own usual level."""

    kind: ClassVar[str] = "impact"
    seat: Seat
    level: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(Observation):
    """One tile drawn by each seat for the first opening."""

    kind: ClassVar[str] = "draw"
    tiles: tuple[Tile, Tile, Tile, Tile]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shuffle(Observation):
    """A seat moves the face-down pile."""

    kind: ClassVar[str] = "shuffle"
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Take(Observation):
    """A seat takes tiles from the pile."""

    kind: ClassVar[str] = "take"
    seat: Seat
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Observation):
    """Points of the hand written down for a pair by a person."""

    kind: ClassVar[str] = "entry"
    pair: Pair
    points: int
    by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Objection(Observation):
    """A player says that a play took his turn."""

    kind: ClassVar[str] = "objection"
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock(Observation):
    """Nothing was seen, only time went by: lets a wait end (an uncounted domination, the playing time between hands)."""

    kind: ClassVar[str] = "clock"


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction(Observation):
    """Takes back the observation with index `voids` and puts `instead` in its place, or nothing."""

    kind: ClassVar[str] = "correction"
    voids: int
    instead: Observation | None = None
    by: str | None = None


KINDS: dict[str, type[Observation]] = {
    cls.kind: cls
    for cls in (
        Place, Withdraw, Move, Pass, Announce, Touch, Expose, Referee, Reveal, Lift, Drop, RackCount, RackSwap,
        HandOverTable, Impact, Draw, Shuffle, Take, Entry, Objection, Clock, Correction,
    )
}  # fmt: skip

ANGLE_KEYS = ("pose_deg", "axis", "v")

MOST_NESTED = 4
"""A correction that puts another one in place goes no deeper; a mapping that holds itself would go on for ever."""


def observation_from_dict(row: object, *, nested: int = 0) -> Observation:
    """The observation that a mapping with `kind` and `t` describes; BadInput names what was wrong.

    `kind: incident` is short for the ruling of a referee that opens one. `nested`: within so many corrections.
    """
    if not isinstance(row, Mapping):
        raise BadInput(f"expected an observation (a mapping with kind and t), found {shown(row)}")
    if nested > MOST_NESTED:
        raise BadInput(f"expected at most {MOST_NESTED} corrections within each other, found more")
    if row.get("kind") == "incident":
        row = {**row, "kind": "referee", "ruling": "incident"}
    kind = row.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise BadInput(f"expected an observation kind ({', '.join(KINDS)}), found {shown(kind)}")
    cls = KINDS[kind]
    values: dict[str, Any] = {}
    for f in fields(cls):
        value = _raw(row, f)
        if value is None and f.default is not MISSING:
            continue
        if value is None:
            raise BadInput(f"expected {kind} with {f.name}, found none in {shown(dict(row))}")
        try:
            values[f.name] = observation_from_dict(value, nested=nested + 1) if f.name == "instead" else READERS[f.name](value)
        except BadInput as error:
            raise BadInput(f"{kind}.{f.name}: {error}") from None
    made = cls(**values)
    if isinstance(made, Place) and made.tile is None and not made.candidates:
        raise BadInput(f"expected place with a tile or with candidates, found neither in {shown(dict(row))}")
    return made


def observation_to_dict(seen: Observation) -> dict[str, Any]:
    """Plain values of an observation; fields at their default are left out."""
    row: dict[str, Any] = {"t": seen.t, "kind": seen.kind}
    for f in fields(seen):
        value = getattr(seen, f.name)
        if f.name != "t" and (f.default is MISSING or value != f.default):
            row[_angle_key(seen) if f.name == "pose_deg" else f.name] = _written(f.name, value)
    return row


def _raw(row: Mapping[Any, Any], f: Field[Any]) -> Any:
    """The value under the field's name; an angle is also read from `axis` (a double) and `v` (a mixed tile)."""
    keys = ANGLE_KEYS if f.name == "pose_deg" else (f.name,)
    return next((row[key] for key in keys if row.get(key) is not None), None)


def _angle_key(seen: Observation) -> str:
    tile = seen.tile if isinstance(seen, Place) else None
    return "pose_deg" if tile is None else "axis" if tile.is_double else "v"


def _written(name: str, value: Any) -> Any:
    return observation_to_dict(value) if name == "instead" else WRITERS.get(name, plain)(value)
