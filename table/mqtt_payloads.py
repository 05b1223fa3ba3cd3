"""The payloads of every topic that a table writes, as models: docs/asyncapi.yaml is made from them and tests hold the wire against it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from table.commands import PairName, TileText
from table.envelope import EventRecord

Seat = Annotated[int, Field(ge=0, le=3, description="0 S, 1 E, 2 N, 3 W, in order of play")]
Pips = Annotated[int, Field(ge=0, le=6)]
Time = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$", description="UTC, milliseconds")]
Arm = Literal["open", "a", "b"]
Candidate = Annotated[list[TileText | float], Field(min_length=2, max_length=2, description="a tile and its probability")]
Schema = Annotated[Literal[1], Field(alias="schema")]


class Payload(BaseModel):
    """A payload or a part of one; its schema lets readers meet keys of a later version."""

    model_config = ConfigDict(extra="ignore", populate_by_name=True)


class Status(Payload):
    """Whether the table's agent is alive; `offline` is its last will."""

    schema_number: Schema
    status: Literal["online", "stopped", "offline"]
    boot: str = Field(description="names one run of the agent")
    host: str
    since: Time


class Info(Payload):
    """What runs at the table."""

    schema_number: Schema
    model: str | None = Field(default=None, description="hash of the detector's weights")
    calibrated: bool | None = None
    capabilities: list[str] = []


class ByPair(Payload):
    """A number for each pair."""

    A: int
    B: int


class Team(Payload):
    """A pair: its name and seats."""

    name: str
    seats: list[Seat]


class Teams(Payload):
    """Both pairs."""

    A: Team
    B: Team


class LaidTile(Payload):
    """A tile of the line; `tile` is null where its value is in doubt."""

    tile: TileText | None
    arm: Arm
    seat: Seat | None
    seq: int | None = Field(description="the event to correct it by")
    fits: bool | None = None
    low_first: bool | None = None
    x_mm: float | None = None
    y_mm: float | None = None
    angle_deg: float | None = None


class Result(Payload):
    """How the hand on the table ended."""

    end: Literal["domination", "tranque", "tie", "void"]
    by_seat: Seat | None
    winner: PairName | None
    points: ByPair
    left: ByPair | None
    counted: bool


class Proof(Payload):
    """A picture or a clip: never the bytes, an address and their SHA-256."""

    url: str
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    kind: Literal["still", "clip"]


class Alert(Payload):
    """What waits for a person, with what is known of it. `type` alarm is about the agent, not about a player."""

    seq: int | None
    type: Literal["infraction", "suspicion", "reading_doubted", "advice", "alarm"]
    code: str
    rule: str | None
    seat: Seat | list[Seat] | None
    hand: int | None = None
    tile: TileText | None = None
    end: Arm | None = None
    t_s: float | None = None
    time: Time | None = None
    fine: int | None = None
    credit: PairName | None = None
    difference: int | None = None
    holder: Seat | None = None
    at_seq: int | None = None
    because: list[int] | None = None
    alternatives: list[str] | None = None
    candidates: list[Candidate] | None = None
    evidence: list[Proof] | None = None
    acknowledged: str | None = None
    text_key: str | None = None
    host: str | None = None


class Card(Payload):
    """Under FID the right to choose."""

    incident: int | None
    code: str
    rule: str | None
    offender: Seat | None
    holder: Seat | None
    hand: int
    status: Literal["open", "chosen", "lapsed", "dismissed"]
    choice: str | None
    deadline: str
    options: list[str]


class Shown(Payload):
    """A card that was shown to a pair."""

    seq: int
    colour: Literal["yellow", "red", "black"]
    seat: Seat | None
    reason: str | None
    by: str
    hand: int
    time: Time


class Discipline(Payload):
    """The cards shown in this match, oldest first."""

    A: list[Shown]
    B: list[Shown]


class Watching(Payload):
    """How well the table is seen."""

    state: str
    since: Time


class State(Payload):
    """The whole table as one snapshot."""

    schema_number: Schema
    seq: int = Field(ge=0, description="the newest event that it contains")
    event: str
    table: str
    match: int
    match_id: str
    hand: int
    ruleset: Literal["dusa", "fid"]
    phase: Literal["waiting", "playing", "closed", "ended", "over"]
    teams: Teams
    score: ByPair
    fines: ByPair
    target: int
    opener: Seat | None
    next_opener: Seat | None
    turn: Seat | None
    ends: Annotated[list[Pips | None], Field(min_length=2, max_length=2)] | None
    line: list[LaidTile]
    held: Annotated[list[int], Field(min_length=4, max_length=4)]
    unplayed: int | None
    result: Result | None
    last: dict[str, Any] | None
    alerts: list[Alert]
    advice: list[Alert]
    cards: list[Card]
    discipline: Discipline
    watching: Watching | None
    last_hand: int | None
    winner: PairName | None
    time: Time | None
    boot: str = Field(description="the run that said it: live only while `status` is online with the same")


class Alerts(Payload):
    """What is still open."""

    schema_number: Schema
    alerts: list[Alert]


class JournalFigures(Payload):
    """The journal's size, and how many events no broker has acknowledged."""

    bytes: int
    last_seq: int
    waiting: int


class Health(Payload):
    """How well the watching goes; null is not measured."""

    schema_number: Schema
    time: Time
    boot: str
    fps: float | None
    latency_ms: float | None
    blur: float | None
    hidden: float | None
    drift_mm: float | None
    journal: JournalFigures
    commands_waiting: int


class ResyncRequest(Payload):
    """Asks for the events from a seq on."""

    first: int = Field(ge=1, alias="from")
    transaction: str | None = Field(default=None, max_length=64)
    by: str | None = None


class ResyncPage(Payload):
    """A page of the answer."""

    transaction: str | None
    ok: Literal[True]
    first: int = Field(alias="from")
    to: int
    last: int
    more: bool
    events: list[EventRecord]


class ResyncRefusal(Payload):
    """Why there is no answer."""

    transaction: str | None
    ok: Literal[False]
    error: str


class Entered(BaseModel):
    """The data of `entered`: a command with its fields, before the events that follow from it."""

    model_config = ConfigDict(extra="allow")
    what: str
    by: str
    transaction: str


class MoreEvidence(Payload):
    """The data of `evidence`: more pictures of what was put to the referee."""

    incident: int
    evidence: list[Proof]


class Tournament(Payload):
    """The Swiss table and the pairings of the event, written by the organiser."""

    schema_number: Schema
    event: str
    name: str
    rounds: int | None
    after: int
    third_key: str | None
    standings: list[dict[str, Any]]
    pairing: dict[str, Any] | None
    time: Time
