"""The journal: every event of one table, on disk before anybody hears of it. See docs/journal.md."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from rules.errors import BadInput
from table.chain import Fault, chained, first_fault, first_hash
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


class Journal:
    """Append-only journal of one table. Safe to use from several threads; one process at a time.

    `event` and `table` are the names used in topics. `boot` names this run; a replay passes the recording's.
    Raises BadInput for a file that is damaged, foreign, newer, another table's, in use, or cannot be written.
    """

    def __init__(self, path: Path | str, event: str, table: str, boot: str | None = None) -> None:
        self.path = Path(path)
        self.event, self.table = checked_name("event", event), checked_name("table", table)
        self.boot = boot or new_boot()
        self._lock = threading.RLock()
        self._guard = hold_for_one_process(self.path)
        try:
            self._db = open_file(self.path, self.table)
        except BaseException:
            os.close(self._guard)
            raise
        row = self._db.execute("SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1").fetchone()
        self._last_seq: int = row[0] if row else 0
        self._last_hash: str = row[1] if row else first_hash(self.table)
        self._level = ""  # SQLite's `synchronous` as it was last set
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
            digest = chained(self._last_hash, line)
            self._write(
                "INSERT INTO event VALUES (?, ?, ?, ?, ?)",
                (seq, type, line, self._last_hash, digest),
                durable=type in DURABLE_TYPES,
            )
            self._last_seq, self._last_hash = seq, digest
            return record

    @contextmanager
    def together(self, durable: bool = False) -> Iterator[None]:
        """What is written inside is on the disk as a whole or not at all; other threads wait. `durable`: it waits for the disk.

        Raises BadInput when the disk refuses it, and lets every other error through; then nothing was written.
        """
        with self._lock:
            before = self._last_seq, self._last_hash
            self._set_level(durable)
            self.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.execute("COMMIT")
            except BaseException:
                self._last_seq, self._last_hash = before
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def execute(self, statement: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        """Run one SQL statement on the file; its rows. BadInput when the disk refuses it."""
        try:
            with self._lock:
                return self._db.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise BadInput(
                f"expected to write to the journal {self.path}, found: {error}; free some space or check the disk"
            ) from error

    @property
    def last_seq(self) -> int:
        """The newest event's `seq`, 0 when there is none."""
        with self._lock:  # not one that may still be taken back
            return self._last_seq

    @property
    def last_hash(self) -> str:
        """The chain's hash after the newest event."""
        with self._lock:
            return self._last_hash

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
        return first_fault(self.execute, self.table)

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

    def _write(self, statement: str, values: tuple[object, ...], durable: bool = False) -> None:
        if not self._db.in_transaction:  # within one, `together` has said it
            self._set_level(durable)
        self.execute(statement, values)

    def _set_level(self, durable: bool) -> None:
        """Whether the next commit is to wait for the disk."""
        level = "FULL" if durable else "NORMAL"
        if level != self._level:
            self.execute(f"PRAGMA synchronous = {level}")
            self._level = level
