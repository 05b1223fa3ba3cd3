"""The event as it is written to the journal and sent over MQTT: one JSON object on one line."""

from __future__ import annotations

import json
import re
import secrets
from datetime import UTC, datetime
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rules.errors import BadInput

SCHEMA = 1
EVENT_TYPES = frozenset(
    {
        "advice",
        "correction",
        "entered",
        "evidence",
        "hand_closed",
        "hand_ended",
        "hand_opened",
        "health",
        "infraction",
        "match_ended",
        "reading_doubted",
        "ruling",
        "score_changed",
        "suspicion",
        "tile_exposed",
        "tile_moved",
        "tile_played",
        "tile_withdrawn",
        "turn_passed",
        "watching",
    }
)
_NAME = re.compile(r"[a-z0-9-]{1,32}")
_TIME = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"


class EventRecord(BaseModel):
    """One event. `seq` rises by one per table for ever; `t_s` is seconds on the frames' clock; `time` is UTC to the millisecond.

    `match` and `hand` count from 1; 0 is "before the first". `frame` is the index of the frame it was seen in, or None.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False, populate_by_name=True)

    schema_number: int = Field(SCHEMA, alias="schema")
    seq: int = Field(ge=1)
    id: str
    boot: str
    event: str
    table: str
    match: int = Field(ge=0)
    hand: int = Field(ge=0)
    time: str = Field(pattern=_TIME)
    t_s: float
    frame: int | None = None
    type: str = Field(pattern=r"^[a-z_]{1,40}$")
    data: dict[str, Any]

    def line(self) -> str:
        """The JSON text: keys in the order declared above, those of `data` sorted, so equal events are equal bytes."""
        return json_line(self.model_dump(by_alias=True))

    @classmethod
    def build(cls, **fields: Any) -> EventRecord:
        """A new event; BadInput when a field is of the wrong kind."""
        try:
            return cls(**fields)
        except ValidationError as error:
            raise BadInput(
                f"expected an event as docs/mqtt.md describes it, found {_first_fault(error)}; correct the event"
            ) from None

    @classmethod
    def parse(cls, text: str) -> EventRecord:
        """Read a line; keys of a later version are ignored. BadInput when it is not an event of this schema."""
        try:
            record = cls.model_validate_json(text)
        except ValidationError as error:
            raise BadInput(
                f"expected an event as one JSON object, found {_first_fault(error)}; take a line that miron wrote"
            ) from None
        if record.schema_number > SCHEMA:
            raise BadInput(f"expected event schema {SCHEMA}, found {record.schema_number}; update miron")
        return record


def _first_fault(error: ValidationError) -> str:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"]) or "the line"
    return f"{where}: {first['msg']}"


def json_line(value: object) -> str:
    """Compact JSON without NaN; ValueError where a number is not finite."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def sorted_data(data: dict[str, Any]) -> dict[str, Any]:
    """`data` with its keys sorted at every depth, made of JSON values only; BadInput when it cannot be."""
    try:
        text = json.dumps(data, sort_keys=True, allow_nan=False, ensure_ascii=False)
        clean: dict[str, Any] = json.loads(text.encode())  # encode: half a surrogate pair cannot be stored or sent
    except (TypeError, ValueError) as error:
        raise BadInput(f"expected event data made of finite numbers, texts and lists, found {error}; correct the event") from None
    return clean


def event_id(event: str, table: str, match: int, seq: int) -> str:
    """The id of an event: the same for the same match and `seq`, in every replay."""
    return str(uuid5(NAMESPACE_URL, f"miron/v1/{event}/table/{table}/match/{match}/seq/{seq}"))


def checked_name(what: str, name: str) -> str:
    """`name` if it may stand in a topic; `what` ("event", "table") goes into the message of BadInput."""
    if not _NAME.fullmatch(name):
        raise BadInput(f"expected the {what}'s name as 1 to 32 of a-z, 0-9 and -, found {name!r}; rename it, such as t07")
    return name


def checked_type(event_type: str) -> str:
    """`event_type` if it is one of EVENT_TYPES; a new one is added there and in docs/mqtt.md."""
    if event_type not in EVENT_TYPES:
        raise BadInput(f"expected an event type of docs/mqtt.md, found {event_type!r}; correct it or add it there")
    return event_type


def wire_time(unix_s: float) -> str:
    """Seconds since 1970 as the text of `time`: UTC, milliseconds, `Z`."""
    milliseconds = round(unix_s * 1000)
    moment = datetime.fromtimestamp(milliseconds // 1000, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{milliseconds % 1000:03d}Z"


def new_boot() -> str:
    """A name for one run of the program, different at every start."""
    return secrets.token_hex(6)
