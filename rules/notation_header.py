"""The header of a record: tags, names, rule set and switches, one `key: value` a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from rules.errors import BadInput
from rules.notation_words import (
    STRING,
    Cursor,
    Unreadable,
    any_value,
    flag_words,
    number_words,
    plain_value,
    points,
    points_words,
    quoted,
    text_words,
    whole,
)
from rules.record import RESERVED, Header
from rules.ruleset import DUSA, RULESETS, Ruleset, ruleset_named
from rules.seats import Seat

FIRST_LINE = "domino 1"
HEADER_LINE = re.compile(r"[ \t]*([A-Za-z][A-Za-z0-9_-]*)[ \t]*:(?!=)")
CODES = tuple(f.name for f in fields(Ruleset) if isinstance(getattr(DUSA, f.name), Mapping))
SWITCHES = tuple(f for f in fields(Ruleset) if f.name != "name" and f.name not in CODES)
FLAG_SWITCHES = tuple(f.name for f in SWITCHES if isinstance(getattr(DUSA, f.name), bool))


@dataclass(slots=True)
class HeaderDraft:
    """The header as far as it has been read."""

    made: Header = field(default_factory=Header)
    given: set[str] = field(default_factory=set)
    switches: dict[str, Any] = field(default_factory=dict)

    def take(self, line: str) -> None:
        """Take one header line in; Unreadable when its key was given before or its value cannot be used."""
        matched = HEADER_LINE.match(line)
        if matched is None:
            raise Unreadable(1, f"expected key: value, found {line.strip()!r:.40}")
        key, cursor = matched[1], Cursor(line, matched.end())
        if key in self.given:
            raise Unreadable(matched.start(1) + 1, f"expected each header line once, found {key} again")
        changes = self._read(key, cursor)
        if cursor.rest():
            raise cursor.wrong("nothing more in this header line")
        self.made = _changed(self.made, changes)
        self.given.add(key)

    def _read(self, key: str, cursor: Cursor) -> dict[str, Any]:
        if key == "rules":
            named = cursor.checked(ruleset_named, _word)
            return {"ruleset": cursor.checked(lambda _: named.with_switches(self.switches), lambda _: None)}
        if key == "switches":
            profile = RULESETS[self.made.ruleset.name]
            return {"ruleset": cursor.checked(profile.with_switches, self._read_switches)}
        if key == "opener":
            return {"opener": cursor.checked(Seat.parse, plain_value)}
        if key == "hand":
            return {"hand_no": cursor.checked(_first_hand, plain_value)}
        if key == "points":
            return {"points": cursor.checked(points, any_value)}
        text = _read_text(cursor)
        if key in Seat.__members__:
            return {
                "players": tuple(text if key == seat.name else name for seat, name in zip(Seat, self.made.players, strict=True))
            }
        if key in RESERVED:
            return {"pairs": tuple(text if key == pair else name for pair, name in zip("AB", self.made.pairs, strict=True))}
        return {"tags": (*self.made.tags, (key, text))}

    def _read_switches(self, cursor: Cursor) -> dict[str, Any]:
        """`target=150 clock_s=none`; yes, no and none are values of their own here."""
        while cursor.rest():
            name = cursor.key()
            value = any_value(cursor)
            if value == "none":
                value = None
            elif name in FLAG_SWITCHES and value in ("yes", "no"):
                value = value == "yes"
            self.switches[name] = value
        return self.switches


def _changed(header: Header, changes: dict[str, Any]) -> Header:
    return Header(**({f.name: getattr(header, f.name) for f in fields(header)} | changes))


def _word(cursor: Cursor) -> str:
    return cursor.word("the rule set dusa or fid")


def _first_hand(value: object) -> int:
    if whole(value) < 1:
        raise BadInput(f"expected a hand from 1, found {value}")
    return whole(value)


def _read_text(cursor: Cursor) -> str:
    """The rest of the line as it stands, or a text in quotes."""
    rest = cursor.rest().rstrip()
    if rest.startswith('"') and STRING.fullmatch(rest):
        return str(cursor.checked(lambda value: value, plain_value))
    cursor.at = len(cursor.line)
    return rest


def header_lines(header: Header) -> Iterator[str]:
    """The lines of a header; what is at its default is left out."""
    yield FIRST_LINE
    for key, text in header.tags:
        yield _line(key, _tag_words(text))
    for key, text in (*zip(Seat.__members__, header.players, strict=True), *zip("AB", header.pairs, strict=True)):
        if text:
            yield _line(key, _tag_words(text))
    yield _line("rules", header.ruleset.name)
    switches = list(_switch_words(header.ruleset))
    if switches:
        yield _line("switches", " ".join(switches))
    if header.opener is not None:
        yield _line("opener", header.opener.name)
    if header.hand_no != 1:
        yield _line("hand", str(header.hand_no))
    if header.points != (0, 0):
        yield _line("points", points_words(header.points))


def _line(key: str, words: str) -> str:
    return f"{key}: {words}".rstrip()


def _tag_words(text: str) -> str:
    """As it stands, unless that would not read back."""
    plain = text == text.strip() and text.isprintable() and not text.startswith('"')
    return text if plain else quoted(text)


def _switch_words(ruleset: Ruleset) -> Iterator[str]:
    profile = RULESETS[ruleset.name]
    if any(getattr(ruleset, name) != getattr(profile, name) for name in CODES):
        raise BadInput(f"expected the codes of {ruleset.name}, found others; a record names a rule set and its switches only")
    for f in SWITCHES:
        value = getattr(ruleset, f.name)
        if value != getattr(profile, f.name):
            yield f"{f.name}={_switch_value(value)}"


def _switch_value(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return "none" if value is None else flag_words(value)
    if isinstance(value, tuple):
        return f"[{' '.join(text_words(item) for item in value)}]"
    return text_words(value) if isinstance(value, str) else number_words(value)
