"""How the values of a tournament are read from plain rows (JSON, TOML) and written back, by the types of their fields."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from types import NoneType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from rules.errors import BadInput
from rules.tournament.moments import Moment

Value = TypeVar("Value")
TOLD = 8
"""So many problems are told in one line; the others are only counted."""


def from_row(cls: type[Value], row: object) -> Value:
    """The value of a row; keys that the value does not have are ignored. BadInput tells all that is wrong with the row."""
    if not isinstance(row, Mapping):
        raise BadInput(f"expected fields by name, found {row!r:.60}")
    values, problems, hints = {}, [], get_type_hints(cls)
    for f in fields(cls):  # type: ignore[arg-type]
        try:
            if f.name in row:
                values[f.name] = _read(hints[f.name], row[f.name])
            elif _needed(f):
                raise BadInput("expected it, found nothing")
        except BadInput as error:
            problems.append(f"{f.name}: {error}")
    refuse(problems)
    return cls(**values)


def to_row(value: Any) -> dict[str, Any]:
    """The fields as plain values, without those that have their default."""
    row = {f.name: getattr(value, f.name) for f in fields(value)}
    return {f.name: _plain(row[f.name]) for f in fields(value) if _needed(f) or row[f.name] != f.default}


def text_fields(cls: type[Any]) -> set[str]:
    """Names of the fields that hold a text and nothing else."""
    return {name for name, hint in get_type_hints(cls).items() if hint in (str, str | None)}


def refuse(problems: Iterable[str]) -> None:
    """BadInput with all problems in one line; nothing when there are none."""
    told = list(problems)
    if told:
        more = f"; and {len(told) - TOLD} more" if len(told) > TOLD else ""
        raise BadInput("; ".join(told[:TOLD]) + more)


def _needed(f: Field[Any]) -> bool:
    return f.default is MISSING


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return str(value) if isinstance(value, Moment) else to_row(value)
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _read(hint: Any, value: Any) -> Any:
    """A value of this type; BadInput says what was expected."""
    if get_origin(hint) is Literal:
        if value not in get_args(hint) or isinstance(value, bool):
            raise BadInput(f"expected one of {', '.join(map(str, get_args(hint)))}, found {value!r:.60}")
        return value
    if NoneType in get_args(hint):
        return None if value is None else _read(next(arg for arg in get_args(hint) if arg is not NoneType), value)
    if get_origin(hint) is tuple:
        return _read_tuple(get_args(hint), value)
    if hint is Moment:
        return Moment.parse(value)
    return from_row(hint, value) if hint not in _READERS else _READERS[hint](value)


def _read_tuple(hints: tuple[Any, ...], value: Any) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise BadInput(f"expected a list, found {value!r:.60}")
    if hints[-1] is Ellipsis:
        return tuple(_read(hints[0], item) for item in value)
    if len(value) != len(hints):
        raise BadInput(f"expected a list of {len(hints)}, found {len(value)}")
    return tuple(_read(hint, item) for hint, item in zip(hints, value, strict=True))


def _text(value: Any) -> str:
    # Line breaks and stray halves of characters would break lists, tables and files.
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise BadInput(f"expected a text in one line, found {value!r:.60}")
    return value.strip()


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise BadInput(f"expected true or false, found {value!r:.60}")
    return value


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 10**6:
        raise BadInput(f"expected a whole number from 0, found {value!r:.60}")
    return value


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 10**6 or not math.isfinite(value):
        raise BadInput(f"expected a number from 0, found {value!r:.60}")
    return float(value)


_READERS: dict[Any, Callable[[Any], Any]] = {str: _text, bool: _flag, int: _count, float: _number}
