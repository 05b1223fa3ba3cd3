"""The words of a line of a record: tiles, numbers, texts, lists; taken from the left, and written.

Nothing here knows what a line means. Values come out plain (text, numbers, lists), as the readers of the fields want them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from math import isfinite
from typing import Any, TypeVar

from rules.errors import BadInput
from rules.events import Points
from rules.seats import Seat

BLANKS = " \t\r"
END = r"(?![0-9A-Za-z_.-])"
TILE = re.compile(r"[0-6]-[0-6]" + END)
# Digits are limited so that no number is too long to be read; a float needs at most 17 of them before and 21 after the point.
NUMBER = re.compile(r"-?[0-9]{1,30}(?:\.[0-9]{1,30})?(?:[eE][+-]?[0-9]{1,3})?" + END)
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:[/-][A-Za-z0-9_]+)*")
STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
KEY = re.compile(r"([A-Za-z_]+)[ \t]*=")

Value = TypeVar("Value")


LONGEST_MESSAGE = 300


class Unreadable(BadInput):
    """Something else was expected at this column (from 1) of a line. Of what was found there, no more is told than fits a line."""

    def __init__(self, column: int, message: str) -> None:
        super().__init__(message if len(message) <= LONGEST_MESSAGE else f"{message[: LONGEST_MESSAGE - 1]}…")
        self.column = column


class Cursor:
    """A place in one line, moving to the right."""

    def __init__(self, line: str, at: int = 0) -> None:
        self.line = line
        self.at = at

    def rest(self) -> str:
        """What is left of the line, without the blanks before it."""
        while self.at < len(self.line) and self.line[self.at] in BLANKS:
            self.at += 1
        return self.line[self.at :]

    def sees(self, mark: str) -> bool:
        """Whether this mark comes next, blanks aside."""
        return self.rest().startswith(mark)

    def sees_key(self) -> bool:
        """Whether a name and `=` come next."""
        self.rest()
        return KEY.match(self.line, self.at) is not None

    def takes(self, mark: str) -> bool:
        """Step over this mark if it comes next."""
        found = self.sees(mark)
        self.at += len(mark) if found else 0
        return found

    def match(self, pattern: re.Pattern[str]) -> str | None:
        """Step over what the pattern matches here, None when it does not."""
        self.rest()
        found = pattern.match(self.line, self.at)
        if found is None:
            return None
        self.at = found.end()
        return found[0]

    def need(self, mark: str) -> None:
        """Step over this mark; Unreadable when something else comes next."""
        if not self.takes(mark):
            raise self.wrong(repr(mark))

    def word(self, expected: str) -> str:
        """Step over a word and give it; Unreadable says what was `expected` when none comes next."""
        found = self.match(WORD)
        if found is None:
            raise self.wrong(expected)
        return found

    def key(self) -> str:
        """A name and the `=` behind it."""
        found = self.match(KEY)
        if found is None:
            raise self.wrong("key=value, '@' and a time, ';' and another act, or '#' and a comment")
        return found[:-1].rstrip(BLANKS)

    def wrong(self, expected: str) -> Unreadable:
        """What to raise when something else was expected here."""
        rest = self.rest()
        found = repr(rest.split()[0][:24]) if rest.split() else "the end of the line"
        return Unreadable(self.at + 1, f"expected {expected}, found {found}")

    def checked(self, read: Callable[[Any], Value], value: Callable[[Cursor], Any]) -> Value:
        """A value that the reader of its field accepts; its complaint becomes Unreadable, with the column."""
        self.rest()
        column = self.at + 1
        raw = value(self)
        try:
            return read(raw)
        except Unreadable:
            raise
        except BadInput as error:
            raise Unreadable(column, str(error)) from None


def any_value(cursor: Cursor) -> Any:
    """A list in brackets, a pair `x:y`, or one plain value."""
    if not cursor.takes("["):
        return _pair(cursor)
    items = []
    while not cursor.takes("]"):
        items.append(_pair(cursor))
    return items


def _pair(cursor: Cursor) -> Any:
    one = plain_value(cursor)
    if cursor.sees(":") and not cursor.sees(":="):
        cursor.need(":")
        return [one, plain_value(cursor)]
    return one


def plain_value(cursor: Cursor) -> Any:
    """A tile or a word as text, a text in quotes, a number; None for `?`."""
    if cursor.takes("?"):
        return None
    if (tile := cursor.match(TILE)) is not None:
        return tile
    if (number := cursor.match(NUMBER)) is not None:
        return _number(cursor, number)
    if (string := cursor.match(STRING)) is not None:
        return json.loads(string)
    return cursor.word("a tile, a number, a word or a text in quotes")


def _number(cursor: Cursor, text: str) -> float:
    if not set(text) & set(".eE"):
        return int(text)
    value = float(text)
    if not isfinite(value):
        raise Unreadable(cursor.at + 1 - len(text), f"expected a number that is not endless, found {text}")
    return value


def text_words(text: str) -> str:
    """A text as a word where it is one, else in quotes."""
    return text if WORD.fullmatch(text) else quoted(text)


def quoted(text: str) -> str:
    """A text in quotes; what cannot be seen is written as JSON writes it."""
    shown = (char if char.isprintable() and char not in '"\\' else json.dumps(char)[1:-1] for char in text)
    return f'"{"".join(shown)}"'


def number_words(value: float) -> str:
    """The shortest text that reads back as the same number; BadInput when it is none, or endless."""
    words = repr(value).removesuffix(".0")
    if not NUMBER.fullmatch(words):
        raise BadInput(f"expected a number that can be written, found {words:.40}")
    return words


def flag_words(value: bool) -> str:
    """`yes` or `no`."""
    return "yes" if value else "no"


def flag(value: object) -> bool:
    """Read `yes` or `no`; BadInput for anything else."""
    if value not in ("yes", "no"):
        raise BadInput(f"expected yes or no, found {value!r}")
    return value == "yes"


def whole(value: object) -> int:
    """A whole number as it is; BadInput for anything else, `true` and 3.0 too."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadInput(f"expected a whole number, found {value!r}")
    return value


def points(value: object) -> Points:
    """Read `17:0`, a number for each pair; BadInput for anything else."""
    if not isinstance(value, list) or len(value) != 2:
        raise BadInput(f"expected points of both pairs such as 17:0, found {value!r}")
    return whole(value[0]), whole(value[1])


def points_words(value: Points) -> str:
    """Points of both pairs as `17:0`."""
    return f"{value[0]}:{value[1]}"


def seat_words(seat: Seat | None) -> str:
    """S, E, N, W, or `?` for a seat that is not known."""
    return "?" if seat is None else seat.name
