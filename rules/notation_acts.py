"""One observation as one line, and back: `S 6-4 a`, `W pass knock`, `count S[1-1] E[] N[3-3] W[2-0]`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, fields
from typing import Any

from rules.errors import BadInput
from rules.fields import READERS
from rules.notation_words import (
    Cursor,
    Unreadable,
    any_value,
    flag,
    flag_words,
    number_words,
    plain_value,
    seat_words,
    text_words,
)
from rules.observations import KINDS, Correction, Observation, Place, Reveal, observation_from_dict, observation_to_dict
from rules.seats import Seat
from rules.tiles import Tile

GAP_S = 2.0
"""A line without a time comes so many seconds after the line before: too soon to count as thinking."""

IN_ORDER: dict[str, tuple[str, ...]] = {
    "place": ("tile", "at"), "withdraw": ("tile",), "move": ("tile", "to"), "pass": ("via",), "touch": ("tile",),
    "expose": ("tile", "cause"), "drop": ("tile",), "rack_count": ("count",), "take": ("count",), "hand_over_table": ("dur",),
    "impact": ("level",), "rack_swap": ("slots",), "entry": ("pair", "points"), "referee": ("ruling",), "draw": ("tiles",),
    "correction": ("voids",),
}  # fmt: skip
"""The fields written without a name, in this order; the others are `key=value`."""

WITHOUT_SEAT = ("referee", "draw", "entry", "clock", "correction")
KEYS = {"confidence": "p", "pose_deg": "pose"}
NAMES = {key: name for name, key in KEYS.items()}
FLAGS = ("across", "whole_line", "final")
INSTEAD = ":="


def read_act(cursor: Cursor, before: Sequence[Observation]) -> Observation:
    """The observation that a line tells; `before` are those above it. Unreadable says what was expected where."""
    t = before[-1].t + GAP_S if before else 0.0
    kind, values = _read_subject(cursor)
    _read_fields(cursor, kind, values)
    if kind == Correction.kind and cursor.takes(INSTEAD):
        values["instead"] = _read_instead(cursor, values, before, values.get("t", t))
    return _built(cursor, kind, {"t": t} | values)


def _read_subject(cursor: Cursor) -> tuple[str, dict[str, Any]]:
    """Who acts and what he does: `S pass`, `S 6-4` for a tile laid, or a word for what is no seat's act."""
    cursor.rest()
    column = cursor.at
    seat: Any = None if cursor.takes("?") else cursor.word("a seat S, E, N, W or ?, or one of " + ", ".join(_starters()))
    if seat in ("count", "audit"):
        return Reveal.kind, {"final": seat == "count", "hands": _read_hands(cursor)}
    if seat in WITHOUT_SEAT:
        return seat, {}
    if seat is not None and seat.upper() not in Seat.__members__:
        cursor.at = column
        raise cursor.wrong("a seat S, E, N, W or ?, or one of " + ", ".join(_starters()))
    if cursor.rest()[:1] in tuple("?0123456789"):
        return Place.kind, {"seat": None if seat is None else Seat.parse(seat)}
    column = cursor.at
    kind = cursor.word("a tile such as 6-4, ? or what the seat does")
    if kind not in KINDS or kind in (*WITHOUT_SEAT, Place.kind, Reveal.kind):
        cursor.at = column
        raise cursor.wrong("a tile such as 6-4, ? or one of " + ", ".join(_seated()))
    return kind, {"seat": None if seat is None else Seat.parse(seat)}


def _starters() -> tuple[str, ...]:
    return ("count", "audit", *WITHOUT_SEAT, "hand")


def _seated() -> list[str]:
    return [kind for kind in KINDS if kind not in (*WITHOUT_SEAT, Place.kind, Reveal.kind)]


def _read_hands(cursor: Cursor) -> Any:
    """`S[1-1 2-0] N[]`: tiles by seat, nothing for a seat that showed none of them."""
    hands: dict[str, Any] = {}
    while cursor.rest()[:1] in tuple("SENW") and not cursor.sees_key():
        seat = cursor.word("a seat")
        if seat in hands:
            raise cursor.wrong(f"the tiles of {seat} once")
        if seat not in Seat.__members__ or not cursor.sees("["):
            raise cursor.wrong("the tiles of a seat such as S[1-1 2-0]")
        hands[seat] = cursor.checked(lambda raw: READERS["hands"]({seat: raw})[Seat[seat]], any_value)  # noqa: B023
    return tuple(hands.get(seat.name) for seat in Seat)


def _read_fields(cursor: Cursor, kind: str, values: dict[str, Any]) -> None:
    """The fields without a name, then the time and those with one."""
    for name in IN_ORDER.get(kind, ()):
        if _at_details(cursor):
            break
        values[name] = _read_value(cursor, name)
    known = {f.name for f in fields(KINDS[kind])} - {"hands", "final", "instead"}
    while not _at_end(cursor):
        column = cursor.at + 1
        name = "t" if cursor.takes("@") else cursor.key()
        name = NAMES.get(name, name)
        if name not in known or name in values:
            found = "again" if name in values else "here"
            allowed = ", ".join(sorted(KEYS.get(other, other) for other in known - set(values) - {"t"}))
            raise Unreadable(column, f"expected one of {allowed or 'nothing more'}, found {KEYS.get(name, name)} {found}")
        values[name] = _read_value(cursor, name)


def _at_end(cursor: Cursor) -> bool:
    rest = cursor.rest()
    return not rest or rest.startswith((";", "#", INSTEAD))


def _at_details(cursor: Cursor) -> bool:
    return _at_end(cursor) or cursor.sees("@") or cursor.sees_key()


def _read_value(cursor: Cursor, name: str) -> Any:
    if name == "tile" and cursor.takes("?"):
        return None
    if name == "tiles":
        return cursor.checked(_drawn, lambda here: [plain_value(here) for _ in Seat])
    return cursor.checked(flag if name in FLAGS else READERS[name], any_value)


def _drawn(tiles: list[Any]) -> Any:
    return READERS["tiles"](dict(enumerate(tiles)))


def _read_instead(cursor: Cursor, values: dict[str, Any], before: Sequence[Observation], t: float) -> Observation:
    """The act that takes the place of the wrong one; without a time of its own it has the time of that one."""
    kind, instead = _read_subject(cursor)
    if kind == Correction.kind:
        raise cursor.wrong("an act that is no correction itself")
    _read_fields(cursor, kind, instead)
    return _built(cursor, kind, {"t": _time_of(values.get("voids", 0), before, t)} | instead)


def _time_of(index: int, before: Sequence[Observation], otherwise: float) -> float:
    return before[index].t if index < len(before) else otherwise


def _built(cursor: Cursor, kind: str, values: dict[str, Any]) -> Observation:
    cls = KINDS[kind]
    for f in fields(cls):
        if f.default is MISSING and values.get(f.name) is None:
            raise cursor.wrong(f"{kind} with {KEYS.get(f.name, f.name)}")
    made = cls(**{name: value for name, value in values.items() if value is not None})
    if isinstance(made, Place) and made.tile is None and not made.candidates:
        raise cursor.wrong("candidates=[6-4:0.6 5-4:0.4] for a tile that is not known")
    return made


def act_text(seen: Observation, before: Sequence[Observation]) -> str:
    """The line of an observation; BadInput when a field has a value that no file could have either."""
    _check(seen)
    text = _text(seen, before[-1].t + GAP_S if before else 0.0)
    if isinstance(seen, Correction) and seen.instead is not None:
        text = f"{text} {INSTEAD} {_text(seen.instead, _time_of(seen.voids, before, seen.t))}"
    return text


def _check(seen: Observation) -> None:
    if isinstance(seen, Correction) and isinstance(seen.instead, Correction):
        raise BadInput("expected a correction that puts another act in place, found a correction within a correction")
    if observation_from_dict(observation_to_dict(seen)) != seen:
        raise BadInput(f"expected an observation that reads back the same, found {seen!r:.90}")


def _text(seen: Observation, t: float) -> str:
    by_name = {f.name: f for f in fields(seen)}
    named = [name for name in IN_ORDER.get(seen.kind, ()) if not _is_default(seen, by_name[name])]
    if isinstance(seen, Place) and seen.tile is None:
        named.insert(0, "tile")
    words = [*_subject(seen), *(_words(name, getattr(seen, name)) for name in named)]
    done = {*named, "t", "hands", "final", "instead", *(() if seen.kind in WITHOUT_SEAT else ("seat",))}
    if seen.t != t:
        words.append(f"@{number_words(seen.t)}")
    for f in fields(seen):
        if f.name not in done and not _is_default(seen, f):
            words.append(f"{KEYS.get(f.name, f.name)}={_words(f.name, getattr(seen, f.name))}")
    return " ".join(words)


def _is_default(seen: Observation, f: Field[Any]) -> bool:
    return f.default is not MISSING and getattr(seen, f.name) == f.default


def _subject(seen: Observation) -> list[str]:
    if isinstance(seen, Reveal):
        shown = (
            f"{seat.name}{_list(map(str, tiles))}" for seat, tiles in zip(Seat, seen.hands, strict=True) if tiles is not None
        )
        return ["count" if seen.final else "audit", *shown]
    seat = [] if seen.kind in WITHOUT_SEAT else [seat_words(getattr(seen, "seat", None))]
    return seat if isinstance(seen, Place) else [*seat, seen.kind]


def _words(name: str, value: Any) -> str:
    written = WRITERS.get(name)
    if written is not None:
        return written(value)
    if isinstance(value, bool):
        return flag_words(value)
    if isinstance(value, Seat):
        return value.name
    if value is None or isinstance(value, Tile):
        return "?" if value is None else str(value)
    return text_words(value) if isinstance(value, str) else number_words(value)


def _list(words: Any) -> str:
    return f"[{' '.join(words)}]"


WRITERS: dict[str, Callable[[Any], str]] = {
    "tiles": lambda tiles: " ".join(str(tile) for tile in tiles),
    "slots": lambda slots: _list(map(str, slots)),
    "candidates": lambda pairs: _list(f"{tile}:{number_words(p)}" for tile, p in pairs),
}
