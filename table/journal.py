"""The journal: every event of one table, on disk before anybody hears of it. See docs/journal.md."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from rules.errors import BadInput
from table.envelope import EventRecord, checked_name, checked_type, event_id, json_line, new_boot, sorted_data
from table.journal_file import hold_for_one_process, open_file

# These decide money and rankings: each waits for the disk. The rest may lose the last moments to a power cut, never to a crash.
DURABLE_TYPES = frozenset({"infraction", "hand_ended"})
PAGE = 200


class Row(NamedTuple):
    """An event as stored: `line` is the exact text that goes over MQTT."""

    seq: int
    type: str
    line: str


class Fault(NamedTuple):
    """The first row that does not hold, and why."""

    seq: int
    reason: str


class Journal:
    """Append-only journal of one table. Safe to use from several threads; one process at a time.

    `event` and `table` are the names used in topics. `boot` names this run; a replay passes the recording's.
    Raises BadInput for a file that is damaged, foreign, newer, another table's, in use, or cannot be written.
    """

    def __init__(self, path: Path | str, event: str, table: str, boot: str | None = None) -> None:
        self.path = Path(path)
        self.event, self.table = checked_name("event", event), checked_name("table", table)
        self.boot = boot or new_boot()
        self._lock = threading.Lock()
        self._guard = hold_for_one_process(self.path)
        try:
            self._db = open_file(self.path, self.table)
        except BaseException:
            os.close(self._guard)
            raise
        row = self._db.execute("SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1").fetchone()
        self._last_seq: int = row[0] if row else 0
        self._last_hash: str = row[1] if row else _first_hash(self.table)
        self._acknowledged = int(self._db.execute("SELECT acknowledged FROM outbox").fetchone()[0])

    def append(
        self, type: str, data: dict[str, Any], t_s: float, frame: int | None, match: int, hand: int, time: str
    ) -> EventRecord:
        """Write the next event and return it. `t_s` seconds on the frames' clock, `time` as `wire_time` writes it.

        Back from here, the event survives a crash of the program; of DURABLE_TYPES also a power cut. Raises BadInput when
        the event is malformed or the disk refuses it; then nothing was written.
        """
        with self._lock:
            seq = self._last_seq + 1
            record = EventRecord.build(
                seq=seq,
                id=event_id(self.event, self.table, match, seq),
                boot=self.boot,
                event=self.event,
                table=self.table,
                match=match,
                hand=hand,
                time=time,
                t_s=round(t_s, 3),
                frame=frame,
                type=checked_type(type),
                data=sorted_data(data),
            )
            line = record.line()
            digest = _chained(self._last_hash, line)
            self._write(
                "INSERT INTO event VALUES (?, ?, ?, ?, ?)",
                (seq, type, line, self._last_hash, digest),
                durable=type in DURABLE_TYPES,
            )
            self._last_seq, self._last_hash = seq, digest
            return record

    @property
    def last_seq(self) -> int:
        """The newest event's `seq`, 0 when there is none."""
        return self._last_seq

    @property
    def acknowledged(self) -> int:
        """Every event up to this `seq` has been published and acknowledged by a broker."""
        return self._acknowledged

    def mark_acknowledged(self, seq: int) -> None:
        """Move the outbox marker forward to `seq`."""
        with self._lock:
            if seq > self._acknowledged:
                self._write("UPDATE outbox SET acknowledged = ?", (seq,))
                self._acknowledged = seq

    def rows(self, from_seq: int = 1, limit: int = PAGE) -> list[Row]:
        """Up to `limit` stored rows from `from_seq` on, in order."""
        with self._lock:
            found = self._db.execute("SELECT seq, type, line FROM event WHERE seq >= ? ORDER BY seq LIMIT ?", (from_seq, limit))
            return [Row(*row) for row in found]

    def read(self, from_seq: int = 1) -> Iterator[EventRecord]:
        """Every event from `from_seq` on, in order."""
        while page := self.rows(from_seq):
            for row in page:
                yield EventRecord.parse(row.line)
            from_seq = page[-1].seq + 1

    def sync(self) -> None:
        """Wait until every event appended so far is on the disk itself, so that none is heard of and then lost to a power cut."""
        try:
            wal = os.open(f"{self.path}-wal", os.O_RDONLY)
        except FileNotFoundError:
            return  # a checkpoint has moved everything into the main file, and synced it
        try:
            os.fsync(wal)
        finally:
            os.close(wal)

    def keep_snapshot(self, snapshot: dict[str, Any]) -> str:
        """Store the latest state of the table, for the next start; returns its JSON text."""
        line = json_line(snapshot)
        with self._lock:
            self._write("INSERT INTO snapshot VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET line = excluded.line", (line,))
        return line

    def snapshot(self) -> str | None:
        """The latest state's JSON text, None when none was kept."""
        with self._lock:
            row = self._db.execute("SELECT line FROM snapshot").fetchone()
        return row[0] if row else None

    def verify(self) -> Fault | None:
        """Walk the hash chain; the first row that does not hold, None when all do."""
        seq, digest = 0, _first_hash(self.table)
        while page := self._chain_page(seq + 1):
            for found, type, line, prev, stored in page:
                seq += 1
                if found != seq:
                    return Fault(seq, f"missing, the next one there is {found}")
                if prev != digest:
                    return Fault(seq, "does not follow from the event before it")
                digest = _chained(prev, line)
                if stored != digest:
                    return Fault(seq, "its text is not the one that was written")
                if (record := EventRecord.parse(line)).seq != seq or record.type != type:
                    return Fault(seq, "its columns do not agree with its text")
        if seq < self._acknowledged:
            return Fault(seq + 1, f"missing, though published: events up to {self._acknowledged} were")
        return None

    def close(self) -> None:
        """Close the file and let the next process have it."""
        with self._lock:
            self._db.close()
            if self._guard >= 0:
                os.close(self._guard)
                self._guard = -1

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _chain_page(self, from_seq: int) -> list[tuple[int, str, str, str, str]]:
        with self._lock:
            return self._db.execute("SELECT * FROM event WHERE seq >= ? ORDER BY seq LIMIT ?", (from_seq, PAGE)).fetchall()

    def _write(self, statement: str, values: tuple[object, ...], durable: bool = False) -> None:
        try:
            self._db.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            self._db.execute(statement, values)
        except sqlite3.Error as error:
            raise BadInput(
                f"expected to write to the journal {self.path}, found: {error}; free some space or check the disk"
            ) from error


def _first_hash(table: str) -> str:
    return hashlib.sha256(f"miron journal {table}".encode()).hexdigest()


def _chained(prev: str, line: str) -> str:
    return hashlib.sha256(f"{prev}\n{line}".encode()).hexdigest()
