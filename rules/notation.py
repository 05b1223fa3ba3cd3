"""`record.domino`: a match as text that a person can read and write (docs/notation.md).

One reader serves both ways: `read_record` gives the valid prefix and what stopped it, `parse_record` raises BadInput instead.
`record_text(parse_record(text))` is the canonical text, and `parse_record(record_text(record)) == record`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from rules.errors import BadInput
from rules.notation_acts import act_text, read_act
from rules.notation_header import FIRST_LINE, HEADER_LINE, HeaderDraft, header_lines
from rules.notation_notes import INFRACTION, RESULT, note_text, read_note
from rules.notation_words import Cursor, Unreadable, plain_value, whole
from rules.observations import Observation
from rules.record import Act, Entry, HandMark, Note, Record, Remark

ACT_NUMBER = re.compile(r"[0-9]{1,9}\.(?![0-9])")
NEW_HAND = re.compile(r"hand(?=[ \t])")
INDENT = "     "


@dataclass(frozen=True, slots=True)
class Stop:
    """Where reading stopped (line and column from 1), and what was expected and found there."""

    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"


@dataclass(frozen=True, slots=True)
class Reading:
    """What could be read: everything before `stopped`, or all of it when that is None."""

    record: Record
    stopped: Stop | None = None


def parse_record(text: str) -> Record:
    """The record that a text holds; BadInput with line and column when some of it cannot be read."""
    reading = read_record(text)
    if reading.stopped is not None:
        raise BadInput(f"{reading.stopped}; correct the record")
    return reading.record


def read_record(text: str) -> Reading:
    """As much of a record as can be read, and what stopped it. Never raises."""
    reader = _Reader()
    lines = text.removeprefix("\ufeff").split("\n")
    for number, line in enumerate(lines, start=1):
        try:
            reader.take(line)
        except Unreadable as error:
            return Reading(reader.record, Stop(number, error.column, str(error)))
    if not reader.begun:
        return Reading(
            reader.record, Stop(len(lines), 1, f"expected {FIRST_LINE!r} in the first line, found the end of the text")
        )
    return Reading(reader.record)


@dataclass(slots=True)
class _Reader:
    """The record as far as it has been read, line by line."""

    begun: bool = False
    in_header: bool = True
    header: HeaderDraft = field(default_factory=HeaderDraft)
    entries: list[Entry] = field(default_factory=list)
    observations: list[Observation] = field(default_factory=list)

    @property
    def record(self) -> Record:
        return Record(self.header.made, tuple(self.entries))

    def take(self, line: str) -> None:
        cursor = Cursor(line)
        if cursor.takes("#"):
            self.entries.append(Remark(_comment(cursor)))
        elif cursor.rest():
            self._take_filled(line, cursor)

    def _take_filled(self, line: str, cursor: Cursor) -> None:
        if not self.begun:
            if line.split() != FIRST_LINE.split():
                raise cursor.wrong(f"{FIRST_LINE!r} in the first line")
            self.begun = True
        elif self.in_header and HEADER_LINE.match(line):
            self.header.take(line)
        else:
            self.in_header = False
            self._take_entries(cursor)

    def _take_entries(self, cursor: Cursor) -> None:
        """The acts of one line, `;` between them; a comment belongs to the last."""
        self._take_entry(cursor)
        while cursor.takes(";"):
            self._take_entry(cursor)
        if cursor.takes("#"):
            last = self.entries[-1]
            if not isinstance(last, Remark):
                self.entries[-1] = replace(last, comment=_comment(cursor))
        elif cursor.rest():
            raise cursor.wrong("the end of the line, ';' and another act, or '#' and a comment")

    def _take_entry(self, cursor: Cursor) -> None:
        self._take_number(cursor)
        if cursor.sees(INFRACTION) or cursor.sees(RESULT):
            self.entries.append(Note(read_note(cursor, self._last)))
        elif cursor.match(NEW_HAND):
            self.entries.append(HandMark(cursor.checked(_hand_number, plain_value)))
        else:
            seen = read_act(cursor, self.observations)
            self.observations.append(seen)
            self.entries.append(Act(seen))

    def _take_number(self, cursor: Cursor) -> None:
        """The number of an act may be left out; where it stands it must be right, for others point to it."""
        cursor.rest()
        column = cursor.at + 1
        number = cursor.match(ACT_NUMBER)
        if number is not None and int(number[:-1]) != len(self.observations):
            raise Unreadable(column, f"expected act number {len(self.observations)}, found {int(number[:-1])}")

    @property
    def _last(self) -> int:
        return max(len(self.observations) - 1, 0)


def _comment(cursor: Cursor) -> str:
    # A carriage return within a comment would be a line of its own to others.
    return cursor.rest().replace("\r", " ").strip()


def _hand_number(value: object) -> int:
    if whole(value) < 0:
        raise BadInput(f"expected the number of a hand, found {value}")
    return whole(value)


def record_text(record: Record) -> str:
    """The canonical text: one entry a line, acts numbered from 0, defaults left out. BadInput for values that no text can hold."""
    return "\n".join((*header_lines(record.header), "", *_entry_lines(record), ""))


def _entry_lines(record: Record) -> Iterator[str]:
    before: list[Observation] = []
    for position, entry in enumerate(record.entries):
        if isinstance(entry, Remark):
            yield f"# {entry.text}".rstrip()
            continue
        comment = f"  # {entry.comment}" if entry.comment else ""
        if isinstance(entry, HandMark):
            if position > 0:
                yield ""
            yield f"hand {_hand_number(entry.number)}{comment}"
        elif isinstance(entry, Note):
            yield f"{INDENT}{note_text(entry, max(len(before) - 1, 0))}{comment}"
        else:
            yield f"{len(before):>3}. {act_text(entry.seen, before)}{comment}"
            before.append(entry.seen)
