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


def newest(execute: Execute) -> tuple[int, str]:
    """The newest event's seq and hash; 0 and what the first event follows when there is none."""
    rows = execute("SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1", ())
    if rows:
        return rows[0][0], rows[0][1]
    ((table,),) = execute("SELECT value FROM meta WHERE key = 'table'", ())
    return 0, first_hash(table)


def first_fault(execute: Execute, table: str) -> Fault | None:
    """Walk the events, and the observations, headers and commands beside them; None when all hold."""
    fault = _fault_of_events(execute, table)
    if fault is None and execute("SELECT 1 FROM sqlite_schema WHERE name = 'observation'", ()):  # else of before they were kept
        fault = _fault_of_observations(execute, table) or _fault_of_headers(execute, table) or _fault_of_commands(execute)
    return fault


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
    due = 0
    match = None
    rows = execute("SELECT match, number, line, first_seq, hash FROM observation ORDER BY match, number", ())
    for found, number, line, first_seq, stored in rows:
        due, match = (0 if found != match else due), found
        if number != due:
            return Fault(first_seq, f"observation {due} of match {match} is missing")
        if stored != chained(_hash_of(execute, table, first_seq - 1), line):
            return Fault(first_seq, f"observation {number} of match {match} is not the one that was written")
        due += 1
    return None


def _fault_of_headers(execute: Execute, table: str) -> Fault | None:
    """A match with observations has a header, and that is tied to the event before it; since schema 3."""
    orphans = "SELECT match, first_seq FROM observation WHERE number = 0 AND match NOT IN (SELECT match FROM match)"
    for match, first_seq in execute(orphans, ()):
        return Fault(first_seq, f"the header of match {match} is missing")
    if "hash" not in {row[1] for row in execute("PRAGMA table_info(match)", ())}:
        return None
    tied = "SELECT match, header, after_seq, hash FROM match WHERE hash IS NOT NULL ORDER BY match"
    for match, header, after_seq, stored in execute(tied, ()):
        if stored != chained(_hash_of(execute, table, after_seq), header):
            return Fault(after_seq + 1, f"the header of match {match} is not the one that was written")
    return None


def _fault_of_commands(execute: Execute) -> Fault | None:
    """A command that was done says what its event `entered` says, and each such event has its command."""
    done = {row[0]: row[1:] for row in execute("SELECT seq, name, author, label FROM command", ())}
    for seq, line in execute("SELECT seq, line FROM event WHERE type = 'entered' ORDER BY seq", ()):
        data = EventRecord.parse(line).data
        if done.pop(seq, None) != (data.get("what"), data.get("by"), data.get("transaction")):
            return Fault(seq, "the command that it tells of is missing, or is not the one that was done")
    return Fault(min(done), "a command is said to be done there, and no event tells of it") if done else None


def _hash_of(execute: Execute, table: str, seq: int) -> str:
    """The hash of the event with this seq, or what the first event follows."""
    rows = execute("SELECT hash FROM event WHERE seq = ?", (seq,))
    return rows[0][0] if rows else first_hash(table)
