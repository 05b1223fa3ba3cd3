"""docs/asyncapi.yaml: every topic with the schema of its payload, made from the models and the rules' events."""

from __future__ import annotations

import types
from collections.abc import Iterator
from dataclasses import fields
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from rules import events
from rules.seats import Seat
from rules.tiles import Tile
from table import mqtt_payloads as payloads
from table.commands import COMMANDS
from table.commands_reply import Reply
from table.envelope import EVENT_TYPES, EventRecord
from table.mqtt import ALERT_TYPES
from table.numbering import REFERENCES

Schema = dict[str, Any]
REF = "#/components/schemas/{model}"
ROOT = "miron/v1/{event}/table/{table}/"
SEAT: Schema = {"type": "integer", "minimum": 0, "maximum": 3}
TILE: Schema = {"type": "string", "pattern": "^[0-6]-[0-6]$"}
NULL: Schema = {"type": "null"}
PLAIN: dict[Any, Schema] = {
    Seat: SEAT,
    Tile: TILE,
    type(None): NULL,
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    bool: {"type": "boolean"},
}
DATA_MODELS: dict[str, type[BaseModel]] = {
    "entered": payloads.Entered,
    "evidence": payloads.MoreEvidence,
    "watching": payloads.Watching,
}
"""The data of events that no rule gives."""


class Topic(NamedTuple):
    """A leaf of a table's subtree; `models`: what may be on it. The agent writes it, or hears it (`heard`)."""

    leaf: str
    models: tuple[str, ...]
    retained: bool = False
    qos: int = 1
    heard: bool = False


def topics() -> Iterator[Topic]:
    """Every topic of a table."""
    yield Topic("status", ("Status",), retained=True)
    yield Topic("info", ("Info",), retained=True)
    yield Topic("state", ("State",), retained=True)
    yield Topic("event", tuple(message_of(type) for type in sorted(EVENT_TYPES - {"health"})))
    yield Topic("alert", tuple(message_of(type) for type in sorted(ALERT_TYPES)))
    yield Topic("alerts", ("Alerts",), retained=True)
    yield Topic("health", ("Health",), qos=0)
    yield Topic("cmd/resync", ("ResyncRequest",), heard=True)
    yield Topic("rsp/resync", ("ResyncPage", "ResyncRefusal"))
    for name, model in COMMANDS.items():
        yield Topic(f"cmd/{name}", (model.__name__,), heard=True)
        yield Topic(f"rsp/{name}", ("Reply",))


def document() -> dict[str, Any]:
    """The AsyncAPI document, from the side of the table's agent."""
    schemas = _schemas()
    messages = {name: _message(name, schemas[name]) for topic in topics() for name in topic.models} | {
        "Tournament": _message("Tournament", schemas["Tournament"])
    }
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "miron",
            "version": "1",
            "description": "What a table says and hears over MQTT 3.1.1; what it means is in mqtt.md. Made by python -m scripts.asyncapi.",
            "license": {"name": "AGPL-3.0-or-later"},
        },
        "defaultContentType": "application/json",
        "servers": {"broker": {"host": "{host}", "protocol": "mqtt", "variables": {"host": {"default": "127.0.0.1:1883"}}}},
        "channels": {_key(topic.leaf): _channel(ROOT + topic.leaf, topic.models) for topic in topics()}
        | {"tournament": _channel("miron/v1/{event}/tournament", ("Tournament",))},
        "operations": {_key(topic.leaf): _operation(topic) for topic in topics()},
        "components": {"messages": messages, "schemas": schemas},
    }


def message_of(event_type: str) -> str:
    """The name of an event's message: `TilePlayedEvent`."""
    return "".join(word.capitalize() for word in event_type.split("_")) + "Event"


def _schemas() -> dict[str, Schema]:
    own = [model for model in vars(payloads).values() if getattr(model, "__module__", "") == payloads.__name__]
    models = [*own, *COMMANDS.values(), Reply, EventRecord]
    _, out = models_json_schema([(model, "validation") for model in dict.fromkeys(models)], ref_template=REF)
    schemas: dict[str, Schema] = dict(sorted(out["$defs"].items()))
    return schemas | {message_of(type): _event(type) for type in sorted(EVENT_TYPES - {"health"})}


def _event(event_type: str) -> Schema:
    """An event of this type: the envelope, with what its data are."""
    model = DATA_MODELS.get(event_type)
    data = {"$ref": REF.format(model=model.__name__)} if model else _data(_class_of(event_type))
    own = {"type": "object", "properties": {"type": {"const": event_type}, "data": data}}
    return {"allOf": [{"$ref": REF.format(model="EventRecord")}, own]}


def _class_of(event_type: str) -> type[events.Event]:
    return next(cls for cls in vars(events).values() if getattr(cls, "type", None) == event_type)


def _data(cls: type[events.Event]) -> Schema:
    """What an event of the rules says once the journal has numbered it (`Numbering.data`)."""
    if cls is events.Corrected:
        voids = {"type": "array", "items": PLAIN[int]}
        return {"type": "object", "properties": {"voids": voids, "by": _one_of(PLAIN[str], NULL)}, "required": ["voids", "by"]}
    hints = get_type_hints(cls)
    properties, required = dict[str, Schema](), list[str]()
    for field in fields(cls):
        if field.name != "obs":
            name = REFERENCES.get(field.name, field.name)
            optional = field.name in events.LEFT_OUT_WHEN_NONE
            properties[name] = _field(field.name, hints[field.name])
            required += [] if optional else [name]
    if cls.type in ALERT_TYPES | {"advice"}:
        properties["evidence"] = {"type": "array", "items": {"$ref": REF.format(model="Proof")}}
    return {"type": "object", "description": (cls.__doc__ or "").strip(), "properties": properties, "required": required}


def _field(name: str, hint: Any) -> Schema:
    if name in events.BY_PAIR:
        by_pair = {"$ref": REF.format(model="ByPair")}
        return _one_of(by_pair, NULL) if type(None) in get_args(hint) else by_pair
    if name in REFERENCES and name != "because":
        return _one_of(PLAIN[int], NULL)
    return _typed(hint)


def _typed(hint: Any) -> Schema:
    """The schema of a type as it is written in the rules' events."""
    if hint in PLAIN:
        return PLAIN[hint]
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"enum": list(inner)}
    if origin in (Union, types.UnionType):
        return _one_of(*(_typed(one) for one in inner))
    if origin is tuple and inner[-1] is Ellipsis:
        return {"type": "array", "items": _typed(inner[0])}
    if origin is tuple:
        return {
            "type": "array",
            "items": _one_of(*(_typed(one) for one in inner)),
            "minItems": len(inner),
            "maxItems": len(inner),
        }
    raise TypeError(f"no schema for {hint}")


def _one_of(*schemas: Schema) -> Schema:
    different = [schema for n, schema in enumerate(schemas) if schema not in schemas[:n]]
    return different[0] if len(different) == 1 else {"anyOf": different}


def _message(name: str, schema: Schema) -> dict[str, Any]:
    summary = str(schema.get("description", "")).split("\n")[0]
    return {"name": name, **({"summary": summary} if summary else {}), "payload": {"$ref": REF.format(model=name)}}


def _channel(address: str, models: tuple[str, ...]) -> dict[str, Any]:
    name = "1 to 32 of a-z, 0-9 and -"
    parameters = {part: {"description": f"name of the {part}: {name}"} for part in ("event", "table") if f"{{{part}}}" in address}
    messages = {model: {"$ref": f"#/components/messages/{model}"} for model in models}
    return {"address": address, "parameters": parameters, "messages": messages}


def _operation(topic: Topic) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "action": "receive" if topic.heard else "send",
        "channel": {"$ref": f"#/channels/{_key(topic.leaf)}"},
        "bindings": {"mqtt": {"qos": topic.qos, "retain": topic.retained, "bindingVersion": "0.2.0"}},
    }
    if topic.heard:
        operation["reply"] = {"channel": {"$ref": f"#/channels/{_key(topic.leaf.replace('cmd/', 'rsp/'))}"}}
    return operation


def _key(leaf: str) -> str:
    return leaf.replace("/", "_")
