"""The hash chain of a journal: what holds its rows together, and the walk that finds the first one that does not hold."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from table.envelope import EventRecord

Execute = Callable[[str, tuple[Any, ...]], list[tuple[Any, ...]]]
"""Runs one SQL statement on a journal and gives its rows."""

PAGE = 200


class Fault(NamedTuple):
    """The first row that does not hold, and why. `seq` of an observation is that of the events it gave."""

    seq: int
    reason: str


def first_hash(table: str) -> str:
    """What the first event of a table's journal follows."""
    return hashlib.sha256(f"miron journal {table}".encode()).hexdigest()


def chained(prev: str, line: str) -> str:
    """The hash of a row that follows `prev`."""
    return hashlib.sha256(f"{prev}\n{line}".encode()).hexdigest()


def first_fault(execute: Execute, table: str) -> Fault | None:
    """Walk the events and the observations beside them; None when all hold."""
    return _fault_of_events(execute, table) or _fault_of_observations(execute, table)


def _fault_of_events(execute: Execute, table: str) -> Fault | None:
    seq, digest = 0, first_hash(table)
    for found, type, line, prev, stored in _event_rows(execute):
        seq += 1
        if found != seq:
            return Fault(seq, f"missing, the next one there is {found}")
        if prev != digest:
            return Fault(seq, "does not follow from the event before it")
        digest = chained(prev, line)
        if stored != digest:
            return Fault(seq, "its text is not the one that was written")
        if (record := EventRecord.parse(line)).seq != seq or record.type != type:
            return Fault(seq, "its columns do not agree with its text")
    ((acknowledged,),) = execute("SELECT acknowledged FROM outbox", ())
    if seq < acknowledged:
        return Fault(seq + 1, f"missing, though published: events up to {acknowledged} were")
    return None


def _event_rows(execute: Execute) -> Iterator[tuple[Any, ...]]:
    seq = 0
    while page := execute("SELECT seq, type, line, prev, hash FROM event WHERE seq > ? ORDER BY seq LIMIT ?", (seq, PAGE)):
        yield from page
        seq = page[-1][0]


def _fault_of_observations(execute: Execute, table: str) -> Fault | None:
    """Each observation is tied to the event before those it gave; the numbers of a match have no gap."""
    if not execute("SELECT 1 FROM sqlite_schema WHERE name = 'observation'", ()):
        return None  # written before observations were kept
    due = 0
    match = None
    rows = execute("SELECT match, number, line, first_seq, hash FROM observation ORDER BY match, number", ())
    for found, number, line, first_seq, stored in rows:
        due, match = (0 if found != match else due), found
        if number != due:
            return Fault(first_seq, f"observation {due} of match {match} is missing")
        before = execute("SELECT hash FROM event WHERE seq = ?", (first_seq - 1,))
        if stored != chained(before[0][0] if before else first_hash(table), line):
            return Fault(first_seq, f"observation {number} of match {match} is not the one that was written")
        due += 1
    return None
