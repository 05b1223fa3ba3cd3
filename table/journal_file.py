"""The journal's file: its tables, and every check made when it is opened."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from pathlib import Path
from typing import Any

from rules.errors import BadInput

APPLICATION_ID = 0x6D69726E  # "mirn" in the file's header: tells a journal from any other SQLite file
JOURNAL_SCHEMA = 3

_EVENTS = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE event (seq INTEGER PRIMARY KEY, type TEXT NOT NULL, line TEXT NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL);
CREATE TABLE outbox (one INTEGER PRIMARY KEY CHECK (one = 1), acknowledged INTEGER NOT NULL);
CREATE TABLE snapshot (one INTEGER PRIMARY KEY CHECK (one = 1), line TEXT NOT NULL);
CREATE TRIGGER event_is_kept BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER event_is_final BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
"""
# Since schema 2: what the events were folded from, and the commands that have been done.
_MATCHES = """
CREATE TABLE match (match INTEGER PRIMARY KEY, header TEXT NOT NULL, after_seq INTEGER, hash TEXT);
CREATE TABLE observation (match INTEGER NOT NULL, number INTEGER NOT NULL, line TEXT NOT NULL, first_seq INTEGER NOT NULL,
  events INTEGER NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (match, number)) WITHOUT ROWID;
CREATE TABLE command (author TEXT NOT NULL, name TEXT NOT NULL, label TEXT NOT NULL, digest TEXT NOT NULL, seq INTEGER NOT NULL,
  match INTEGER NOT NULL, number INTEGER, PRIMARY KEY (author, label)) WITHOUT ROWID;
"""
# Since schema 3: what ties the header of a match to the event before it.
_TIED = "ALTER TABLE match ADD COLUMN after_seq INTEGER; ALTER TABLE match ADD COLUMN hash TEXT;"
_KEPT = "".join(
    f"CREATE TRIGGER {table}_is_{word} BEFORE {act} ON {table} BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;\n"
    for table in ("match", "observation", "command")
    for word, act in (("kept", "DELETE"), ("final", "UPDATE"))
)


def hold_for_one_process(path: Path) -> int:
    """Hold the file `<path>-lock`: two writers would each number their events. The system lets go of it when the process dies."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        guard = os.open(f"{path}-lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise BadInput(
            f"expected a journal that can be written at {path}, found: {error.strerror}; choose another place"
        ) from None
    try:
        fcntl.flock(guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(guard)
        raise BadInput(
            f"expected {path} for this program alone, found another miron writing to it; stop that one first"
        ) from None
    return guard


def open_file(path: Path, table: str) -> sqlite3.Connection:
    """The journal at `path`, made when there is none; BadInput when it cannot be used."""
    try:
        db = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise BadInput(f"expected a journal at {path}, found: {error}; choose another place") from None
    try:
        _check_and_prepare(db, path, table)
    except sqlite3.Error as error:
        db.close()
        raise BadInput(f"expected a journal at {path}, found: {error}; move the file away or restore a copy") from None
    except BaseException:
        db.close()
        raise
    return db


def _check_and_prepare(db: sqlite3.Connection, path: Path, table: str) -> None:
    db.execute("PRAGMA locking_mode = NORMAL")
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (schema,) = db.execute("PRAGMA user_version").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if not tables and not schema:
        db.execute("PRAGMA journal_mode = WAL")
        _create(db, table)
        return
    if application != APPLICATION_ID:
        raise BadInput(f"expected a journal at {path}, found an SQLite file of another program; choose another place")
    if schema > JOURNAL_SCHEMA:
        raise BadInput(f"expected journal schema {JOURNAL_SCHEMA} in {path}, found {schema}; update miron")
    (health,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if health != "ok":
        raise BadInput(f"expected a whole journal at {path}, found damage: {' '.join(health.split())}; restore a copy")
    (owner,) = db.execute("SELECT value FROM meta WHERE key = 'table'").fetchone()
    if owner != table:
        raise BadInput(f"expected the journal of table {table} at {path}, found that of {owner}; one file for each table")
    db.execute("PRAGMA journal_mode = WAL")
    if schema < JOURNAL_SCHEMA:
        missing = _TIED if schema == 2 else f"{_MATCHES} {_KEPT}"
        db.executescript(f"BEGIN IMMEDIATE; {missing} PRAGMA user_version = {JOURNAL_SCHEMA}; COMMIT;")


def _create(db: sqlite3.Connection, table: str) -> None:
    head = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {JOURNAL_SCHEMA};"
    # One transaction: a kill in the middle leaves an empty file, which the next start fills.
    rows = f"INSERT INTO outbox VALUES (1, 0); INSERT INTO meta VALUES ('table', '{table}');"
    db.executescript(f"BEGIN IMMEDIATE; {head} {_EVENTS} {_MATCHES} {_KEPT} {rows} COMMIT;")


class JournalReader:
    """A journal that is only read, also while a miron writes to it. A context manager; BadInput when the file is none.

    `table` is whose it is; `execute` runs one SQL statement and gives its rows.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.is_file():
            raise BadInput(f"expected a journal, found {'a folder' if path.is_dir() else 'nothing'} at {path}; check the path")
        wal = path.with_name(path.name + "-wal")
        # Where nothing can be written beside the file, a file that nobody writes to can still be read.
        alone = not wal.exists() and not os.access(path.parent, os.W_OK)
        self._db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro{'&immutable=1' if alone else ''}", uri=True, timeout=10)
        try:
            (application,), *_ = self.execute("PRAGMA application_id")
            (schema,), *_ = self.execute("PRAGMA user_version")
            if application != APPLICATION_ID:
                raise BadInput(f"expected a journal at {path}, found an SQLite file of another program; check the path")
            if schema > JOURNAL_SCHEMA:
                raise BadInput(f"expected journal schema {JOURNAL_SCHEMA} in {path}, found {schema}; update miron")
            self.has_observations = schema >= 2
            ((self.table,),) = self.execute("SELECT value FROM meta WHERE key = 'table'")
        except BaseException:
            self._db.close()
            raise

    def execute(self, statement: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        """Run one SQL statement; its rows. BadInput when the file cannot be read there."""
        try:
            return self._db.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise BadInput(f"expected a whole journal at {self.path}, found: {error}; restore a copy") from None

    def __enter__(self) -> JournalReader:
        return self

    def __exit__(self, *exc: object) -> None:
        self._db.close()
