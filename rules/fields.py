"""How the fields of an observation are read from plain values (YAML, JSON) and written back, by the field's name.

Tiles are read in either order and written high-low; a value that cannot be used is BadInput that says what was expected.
"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Callable, Mapping
from typing import Any

from rules.errors import BadInput
from rules.seats import Seat
from rules.tiles import Tile

LARGEST = 2**53 - 1
"""The largest whole number that every program reads from JSON as it was written."""

MOST_TILES = 28
SHOWN = reprlib.Repr()
SHOWN.maxlevel, SHOWN.maxstring, SHOWN.maxother, SHOWN.maxlong = 2, 40, 40, 40
SHOWN.maxlist = SHOWN.maxtuple = SHOWN.maxset = 3


def shown(value: object) -> str:
    """A value as the message of BadInput shows it: the beginning of it, however large, deep or endless it is."""
    try:
        text = SHOWN.repr(value)
    except ValueError:  # Python refuses to write a number of more than 4300 digits
        text = "a number of thousands of digits"
    return text if len(text) <= 120 else f"{text[:119]}…"


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not -math.inf < value < math.inf:
        raise BadInput(f"expected a number, found {shown(value)}")
    try:
        return float(value)
    except OverflowError:
        raise BadInput(f"expected a number of at most 308 digits, found {shown(value)}") from None


def _share(value: object) -> float:
    number = _number(value)
    if not 0 <= number <= 1:
        raise BadInput(f"expected a probability 0 to 1, found {shown(value)}")
    return number


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LARGEST:
        raise BadInput(f"expected a whole number from 0 to {LARGEST}, found {shown(value)}")
    return value


def _pips(value: object) -> int:
    if _count(value) > 6:
        raise BadInput(f"expected a number 0 to 6, found {shown(value)}")
    return _count(value)


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise BadInput(f"expected true or false, found {shown(value)}")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise BadInput(f"expected a text, found {shown(value)}")
    return value


def _author(value: object) -> str:
    """Who it was, by name or by number."""
    return value if isinstance(value, str) else str(_count(value))


def _seat(value: object) -> Seat:
    if (isinstance(value, str) and len(value) == 1) or (isinstance(value, int) and 0 <= value <= 3):
        return Seat.parse(value)
    raise BadInput(f"expected a seat 0 to 3 or S, E, N, W, found {shown(value)}")


def _one_of(*allowed: str) -> Callable[[object], str]:
    def read(value: object) -> str:
        if value not in allowed:
            raise BadInput(f"expected one of {', '.join(allowed)}, found {shown(value)}")
        return str(value)

    return read


def _tile(value: object) -> Tile:
    if isinstance(value, Tile):
        return value
    if isinstance(value, str) and len(value) <= 40:
        return Tile.parse(value)
    raise BadInput(f"expected a tile such as 6-4, found {shown(value)}")


def _tile_list(value: object) -> tuple[Tile, ...]:
    items = value.split() if isinstance(value, str) else value
    if not isinstance(items, list | tuple):
        raise BadInput(f"expected tiles such as '6-4 1-1', found {shown(value)}")
    if len(items) > MOST_TILES:
        raise BadInput(f"expected at most {MOST_TILES} tiles, found {len(items)}")
    return tuple(_tile(item) for item in items)


def _by_seat(value: object) -> list[Any]:
    if not isinstance(value, Mapping):
        raise BadInput(f"expected values by seat, such as {{0: ..., 1: ...}}, found {shown(value)}")
    seats = {_seat(key): item for key, item in value.items()}
    if len(seats) < len(value):
        raise BadInput(f"expected each seat once, found {shown(value)}")
    return [seats.get(seat) for seat in Seat]


def _hands(value: object) -> tuple[tuple[Tile, ...] | None, ...]:
    return tuple(None if item is None else _tile_list(item) for item in _by_seat(value))


def _drawn(value: object) -> tuple[Tile, ...]:
    items = _by_seat(value)
    if None in items:
        raise BadInput(f"expected a drawn tile for each of the four seats, found {shown(value)}")
    return tuple(_tile(item) for item in items)


def _candidates(value: object) -> tuple[tuple[Tile, float], ...]:
    if not isinstance(value, list | tuple):
        raise BadInput(f"expected a list of [tile, probability], found {shown(value)}")
    pairs = []
    for item in value:
        if not isinstance(item, list | tuple) or len(item) != 2:
            raise BadInput(f"expected [tile, probability], found {shown(item)}")
        pairs.append((_tile(item[0]), _share(item[1])))
    return tuple(pairs)


def _slots(value: object) -> tuple[int, ...]:
    if not isinstance(value, list | tuple):
        raise BadInput(f"expected a list of slots, found {shown(value)}")
    return tuple(_count(item) for item in value)


READERS: dict[str, Callable[[Any], Any]] = {
    "t": _number, "confidence": _share, "frame": _count, "seat": _seat, "tile": _tile, "at": _one_of("open", "a", "b"),
    "pose_deg": _number, "tip": _pips, "slot": _count, "across": _flag, "bend": _one_of("left", "right"),
    "candidates": _candidates, "to": _one_of("a", "b"), "mm": _number, "deg": _number, "whole_line": _flag,
    "via": _one_of("voice", "knock", "button", "seen", "unsignalled"), "what": _text, "dur": _number, "cause": _text,
    "ruling": _text, "incident": _count, "code": _text, "text": _text, "by": _author, "final": _flag, "hands": _hands,
    "count": _count, "slots": _slots, "level": _number, "tiles": _drawn, "pair": _one_of("A", "B"), "points": _count,
    "voids": _count,
}  # fmt: skip


def plain(value: Any) -> Any:
    """A field as JSON has it: seats as numbers 0 to 3, tiles as `6-4`, tuples as lists."""
    if isinstance(value, Seat):
        return int(value)
    if isinstance(value, Tile):
        return str(value)
    return list(value) if isinstance(value, tuple) else value


def _tiles_text(tiles: tuple[Tile, ...]) -> str:
    return " ".join(str(tile) for tile in tiles)


WRITERS: dict[str, Callable[[Any], Any]] = {
    "hands": lambda hands: {seat: _tiles_text(tiles) for seat, tiles in enumerate(hands) if tiles is not None},
    "tiles": lambda drawn: {seat: str(tile) for seat, tile in enumerate(drawn)},
    "candidates": lambda pairs: [[str(tile), p] for tile, p in pairs],
}
