"""What people may say to a table over `cmd/<name>`: one model for each command. Fields, errors and replies are in docs/mqtt.md."""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from rules.codes import KNOWN_CODES
from rules.errors import BadInput
from table.envelope import json_line

MAX_BYTES = 4096
MAX_NAME = 64
MAX_TEXT = 400


def _readable(text: str) -> str:
    if not text.isprintable() or text != text.strip():
        raise ValueError("expected a text of one line without blanks around it")
    return text


def _known(code: str) -> str:
    if code not in KNOWN_CODES:
        raise ValueError("expected a code of docs/rules.md")
    return code


def _numbered(seat: object) -> object:
    return "SENW".find(seat) if isinstance(seat, str) and seat in ("S", "E", "N", "W") else seat


Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME), AfterValidator(_readable)]
Words = Annotated[str, Field(max_length=MAX_TEXT), AfterValidator(_readable)]
SeatNumber = Annotated[
    int, BeforeValidator(_numbered), Field(ge=0, le=3, description="0 S, 1 E, 2 N, 3 W; the letter is taken too")
]
Seq = Annotated[int, Field(ge=1, le=2**53, description="seq of an event")]
TileText = Annotated[str, Field(pattern="^[0-6]-[0-6]$", description="either number first")]
Code = Annotated[str, Field(max_length=40), AfterValidator(_known)]
PairName = Literal["A", "B"]


class Command(BaseModel):
    """What every command has. `transaction` is the sender's own name for it: the same one is never done twice for one author.

    `by` says who it comes from, for the record.
    """

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore", allow_inf_nan=False)
    name: ClassVar[str]

    transaction: Name
    by: Name

    def data(self) -> dict[str, Any]:
        """What the event `entered` says: the fields that were given."""
        return {"what": self.name, **self.model_dump(exclude_unset=True)}

    @property
    def digest(self) -> str:
        """The same for the same command said again, another for other words under the same transaction."""
        return hashlib.sha256(json_line(self.data()).encode()).hexdigest()


class PassCommand(Command):
    """A seat passes."""

    name = "pass"
    seat: SeatNumber
    via: Literal["voice", "knock", "button", "unsignalled"] = "button"


class AnnounceCommand(Command):
    """A seat says that nobody else can play."""

    name = "announce"
    seat: SeatNumber


class TouchCommand(Command):
    """A seat touches a tile on its rack; `slot` counts from 0 at the player's left."""

    name = "touch"
    seat: SeatNumber
    slot: Annotated[int, Field(ge=0, le=27)] | None = None


class ObjectionCommand(Command):
    """A seat says that a play took its turn."""

    name = "objection"
    seat: SeatNumber


class RulingCommand(Command):
    """A decision on an incident. `incident`: the seq of its event, as in `alerts`; `code`, `seat` say which where it may be two.

    `acknowledge` decides nothing: somebody has seen it and will decide.
    """

    name = "ruling"
    choice: Literal[
        "uphold", "dismiss", "inconclusive", "intentional", "renege_intentional",
        "continue", "repeat_hand", "go_back", "agreement", "free", "acknowledge",
    ]  # fmt: skip
    incident: Seq | None = None
    code: Code | None = None
    seat: SeatNumber | None = None
    text: Words | None = None


class IncidentCommand(Command):
    """A person opens an incident, under a code of the catalogue or in words of his own."""

    name = "incident"
    code: Code | None = None
    seat: SeatNumber | None = None
    text: Words | None = None

    @model_validator(mode="after")
    def _says_something(self) -> IncidentCommand:
        if self.code is None and not self.text:
            raise ValueError("expected a code or a text")
        return self


class CardCommand(Command):
    """A card is shown. Black gives the match to the rivals; the others are told, and kept in the record."""

    name = "card"
    colour: Literal["yellow", "red", "black"]
    pair: PairName | None = None
    seat: SeatNumber | None = None
    reason: Words | None = None

    @model_validator(mode="after")
    def _names_one_pair(self) -> CardCommand:
        if self.pair is None and self.seat is None:
            raise ValueError("expected a pair or a seat")
        if None not in (self.pair, self.seat) and "AB"[(self.seat or 0) % 2] != self.pair:
            raise ValueError("expected a seat of that pair")
        return self


class CorrectCommand(Command):
    """What was seen is put right: the event `seq` with another tile, seat (null: not known) or end; or it never was (`void`)."""

    name = "correct"
    seq: Seq
    tile: TileText | None = None
    seat: SeatNumber | None = None
    end: Literal["open", "a", "b"] | None = None
    void: bool = False

    @model_validator(mode="after")
    def _corrects_or_voids(self) -> CorrectCommand:
        corrects = self.tile is not None or self.end is not None or "seat" in self.model_fields_set
        if corrects == self.void:
            raise ValueError("expected either void or one of tile, seat, end")
        return self


class UndoCommand(Command):
    """The newest thing that a person entered in this match, and that was not taken back, is taken back."""

    name = "undo"


class EntryCommand(Command):
    """Points of the hand, as a person writes them down."""

    name = "entry"
    pair: PairName
    points: Annotated[int, Field(ge=0, le=168)]


class Teams(BaseModel):
    """Names of the pairs."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")
    A: Name
    B: Name


class StartMatchCommand(Command):
    """The next match begins. In mid hand only with `abandon`: the match on the table is left as it is."""

    name = "start_match"
    ruleset: Literal["dusa", "fid"] | None = None
    teams: Teams | None = None
    opener: SeatNumber | None = None
    abandon: bool = False


class StartHandCommand(Command):
    """The next hand is being dealt. `opener`: who is to open it; another seat than the one that is due opens by order of who says so."""

    name = "start_hand"
    opener: SeatNumber | None = None


class TimeCalledCommand(Command):
    """The playing time is over: the hand on the table is the last."""

    name = "time_called"


class LastHandCommand(Command):
    """The last hand is called."""

    name = "last_hand"


class SnapshotCommand(Command):
    """`state` and `alerts` are published again."""

    name = "snapshot"


class RecalibrateCommand(Command):
    """The camera has moved: take its new place as right, or not."""

    name = "recalibrate"
    accept: bool = True


COMMANDS: dict[str, type[Command]] = {
    cls.name: cls
    for cls in (
        PassCommand, AnnounceCommand, TouchCommand, ObjectionCommand, RulingCommand, IncidentCommand, CardCommand, CorrectCommand,
        UndoCommand, EntryCommand, StartMatchCommand, StartHandCommand, TimeCalledCommand, LastHandCommand, SnapshotCommand,
        RecalibrateCommand,
    )
}  # fmt: skip


def read_command(name: str, payload: bytes) -> Command:
    """The command that a payload holds; BadInput says what is wrong with it."""
    model = COMMANDS.get(name)
    if model is None:
        raise BadInput(f"expected a command of docs/mqtt.md, found {name!r:.50}; correct the topic")
    try:
        return model.model_validate(_object(payload))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or name
        raise BadInput(f"expected {name} as docs/mqtt.md has it, found {where}: {first['msg']}; correct it") from None


def transaction_in(payload: bytes) -> str | None:
    """What the sender calls it, when that can be sent back."""
    try:
        found = _object(payload).get("transaction")
    except BadInput:
        return None
    return found if isinstance(found, str) and len(found) <= MAX_NAME and found.isprintable() else None


def _object(payload: bytes) -> dict[str, Any]:
    if len(payload) > MAX_BYTES:
        raise BadInput(f"expected at most {MAX_BYTES} bytes, found {len(payload)}; say it shorter")
    try:
        found = json.loads(payload)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise BadInput("expected a JSON object with transaction and by, found something else; see docs/mqtt.md")
    return found
