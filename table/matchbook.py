"""The matches of a journal beside their events: the header of each, every observation by its number, and the commands done."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from rules.errors import BadInput
from rules.notation import parse_record, record_text
from rules.observations import Observation, observation_from_dict, observation_to_dict
from rules.record import Header, Record
from table.chain import chained, newest
from table.envelope import json_line


class Kept(NamedTuple):
    """A stored observation; its events are the `events` ones from `first_seq` on."""

    number: int
    seen: Observation
    first_seq: int
    events: int


class Done(NamedTuple):
    """A command that was carried out: `seq` of its event, `number` of its observation (None: it needed none)."""

    author: str
    name: str
    label: str
    digest: str
    seq: int
    match: int
    number: int | None


class MatchBook:
    """Reads and writes through `execute`, which runs one SQL statement on the journal and gives its rows."""

    def __init__(self, execute: Callable[[str, tuple[Any, ...]], list[tuple[Any, ...]]]) -> None:
        self._execute = execute

    def open_match(self, match: int, header: Header) -> None:
        """Write down what is known before the first observation, tied to the newest event."""
        text, (after_seq, prev) = record_text(Record(header)), newest(self._execute)
        self._execute("INSERT INTO match VALUES (?, ?, ?, ?)", (match, text, after_seq, chained(prev, text)))

    def header(self, match: int) -> Header | None:
        """The header of a match; None for one that was written down without."""
        rows = self._execute("SELECT header FROM match WHERE match = ?", (match,))
        return parse_record(rows[0][0]).header if rows else None

    def last_match(self) -> int:
        """The number of the newest match that has a header, 0 when none has."""
        ((newest,),) = self._execute("SELECT max(match) FROM match", ())
        return newest or 0

    def keep(self, match: int, kept: Kept, prev: str) -> None:
        """Write an observation down. `prev`: the chain's hash before the events that it gave."""
        line = line_of(kept.seen)
        values = (match, kept.number, line, kept.first_seq, kept.events, chained(prev, line))
        self._execute("INSERT INTO observation VALUES (?, ?, ?, ?, ?, ?)", values)

    def observations(self, match: int) -> list[Kept]:
        """Every observation of a match in order, corrections among them."""
        rows = self._execute("SELECT number, line, first_seq, events FROM observation WHERE match = ? ORDER BY number", (match,))
        return [Kept(number, seen_in(line), first_seq, events) for number, line, first_seq, events in rows]

    def keep_done(self, done: Done) -> None:
        """Remember a command that was carried out."""
        columns = (done.author, done.name, done.label, done.digest, done.seq, done.match, done.number)
        self._execute("INSERT INTO command VALUES (?, ?, ?, ?, ?, ?, ?)", columns)

    def done(self, author: str, label: str) -> Done | None:
        """The command that `author` named `label`, None when it was not carried out."""
        rows = self._execute("SELECT * FROM command WHERE author = ? AND label = ?", (author, label))
        return Done(*rows[0]) if rows else None

    def done_in(self, match: int) -> list[Done]:
        """Every command of a match in order, those that gave no observation too."""
        rows = self._execute("SELECT * FROM command WHERE match = ? ORDER BY seq", (match,))
        return [Done(*row) for row in rows]

    def entered(self, match: int) -> list[Done]:
        """The commands of a match that gave an observation, in order."""
        rows = self._execute("SELECT * FROM command WHERE match = ? AND number IS NOT NULL ORDER BY number", (match,))
        return [Done(*row) for row in rows]


def line_of(seen: Observation) -> str:
    """An observation as one JSON object on one line."""
    return json_line(observation_to_dict(seen))


def seen_in(line: str) -> Observation:
    """The observation that a line holds; BadInput when it holds none."""
    try:
        return observation_from_dict(json.loads(line))
    except ValueError:
        raise BadInput(
            f"expected an observation as one JSON object, found {line[:40]!r}; restore a copy of the journal"
        ) from None
