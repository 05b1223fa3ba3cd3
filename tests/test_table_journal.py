"""The journal: nothing is lost, nothing is changed, and a bad file says so."""

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from rules.errors import BadInput
from table.envelope import EventRecord
from table.journal import Journal

TIME = "2026-11-30T00:10:11.123Z"
WRITER = """
import sys
from table.journal import Journal
journal = Journal(sys.argv[1], "finals", "t07")
while True:
    kind = "infraction" if journal.last_seq % 5 == 4 else "tile_played"
    print(journal.append(kind, {"tile": "6-4"}, 1.0, 7, 1, 1, "2026-11-30T00:10:11.123Z").seq, flush=True)
"""


def write(journal, count, type="tile_played"):
    return [journal.append(type, {"n": n}, n / 10, n, 1, 1, TIME) for n in range(count)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "t07.db"


def damaged(path, statement):
    """Change the file behind the journal's back, its guards taken away."""
    with sqlite3.connect(path) as db:
        db.executescript(f"DROP TRIGGER event_is_kept; DROP TRIGGER event_is_final; {statement}")
    db.close()


def test_seq_rises_by_one_over_restarts(path):
    """The next start goes on counting where the last one ended."""
    for start in range(3):
        with Journal(path, "finals", "t07") as journal:
            assert [record.seq for record in write(journal, 4)] == [start * 4 + n for n in (1, 2, 3, 4)]


def test_what_is_appended_reads_back(path):
    """read() gives the very records that append() returned, from any seq on."""
    with Journal(path, "finals", "t07") as journal:
        written = write(journal, 450)
        assert list(journal.read()) == written
        assert list(journal.read(440)) == written[439:]


def test_a_replay_writes_the_same_bytes(tmp_path):
    """Two journals fed the same match under the recording's boot hold equal lines, ids included."""
    lines = []
    for name in ("live.db", "replay.db"):
        with Journal(tmp_path / name, "finals", "t07", boot="recorded") as journal:
            write(journal, 20)
            lines.append([row.line for row in journal.rows()])
    assert lines[0] == lines[1]


def test_kill_9_at_any_moment_loses_nothing_that_was_written(path):
    """A writer killed mid-way, again and again, leaves every event it had reported, numbered without a gap, chain whole."""
    seen = 0
    for wanted in (1, 7, 60, 200):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parent.parent
        )
        for _ in range(wanted):
            seen = int(writer.stdout.readline())
        os.kill(writer.pid, signal.SIGKILL)
        seen = max([seen, *(int(line) for line in writer.stdout.read().split("\n")[:-1])])
        writer.wait()
    with Journal(path, "finals", "t07") as journal:
        assert [record.seq for record in journal.read()] == list(range(1, journal.last_seq + 1))
        assert journal.last_seq >= seen and journal.verify() is None


def test_the_outbox_marker_is_kept(path):
    """What was acknowledged stays acknowledged after a restart, and the marker never goes back."""
    with Journal(path, "finals", "t07") as journal:
        write(journal, 9)
        journal.mark_acknowledged(6)
        journal.mark_acknowledged(4)
    with Journal(path, "finals", "t07") as journal:
        assert (journal.acknowledged, journal.last_seq) == (6, 9)


def test_the_latest_snapshot_is_kept(path):
    """A restart finds the last state, and only that one."""
    with Journal(path, "finals", "t07") as journal:
        assert journal.snapshot() is None
        journal.keep_snapshot({"seq": 1})
        journal.keep_snapshot({"seq": 2})
    with Journal(path, "finals", "t07") as journal:
        assert journal.snapshot() == '{"seq":2}'


def test_only_money_events_wait_for_the_disk(path):
    """infraction and hand_ended are written with synchronous=FULL (2), the others with NORMAL (1)."""
    with Journal(path, "finals", "t07") as journal:
        for type, level in (("tile_played", 1), ("infraction", 2), ("turn_passed", 1), ("hand_ended", 2)):
            write(journal, 1, type)
            assert journal._db.execute("PRAGMA synchronous").fetchone() == (level,)
        journal.sync()


def test_how_long_a_commit_waits_is_said_once(path):
    """SQLite is told anew only when the next commit is to be of the other kind."""
    with Journal(path, "finals", "t07") as journal:
        statements = list[str]()
        journal._db.set_trace_callback(statements.append)
        for type in ("tile_played", "tile_played", "infraction", "hand_ended", "turn_passed", "turn_passed"):
            write(journal, 1, type)
            with journal.together(durable=type == "infraction"):
                pass
        journal.mark_acknowledged(3)
        journal.keep_snapshot({"seq": 6})
        told = [line.removeprefix("PRAGMA synchronous = ") for line in statements if "synchronous" in line]
        assert told == ["NORMAL", "FULL", "NORMAL"]


def test_a_whole_chain_verifies(path):
    """An untouched journal has no fault, an empty one neither."""
    with Journal(path, "finals", "t07") as journal:
        assert journal.verify() is None
        write(journal, 300)
        assert journal.verify() is None


@pytest.mark.parametrize(
    ("statement", "seq", "reason"),
    [
        ("UPDATE event SET line = replace(line, '0.1', '0.2') WHERE seq = 2", 2, "its text is not the one"),
        ("DELETE FROM event WHERE seq = 3", 3, "missing, the next one there is 4"),
        ("DELETE FROM event WHERE seq > 4", 5, "missing, though published"),
        ("UPDATE event SET type = 'ruling' WHERE seq = 5", 5, "columns do not agree"),
        ("UPDATE event SET prev = '00', hash = '00' WHERE seq = 4", 4, "does not follow"),
        ("DELETE FROM event WHERE seq = 1", 1, "missing"),
    ],
)
def test_verify_names_the_first_broken_row(path, statement, seq, reason):
    """Whatever was changed behind its back, the chain tells where."""
    with Journal(path, "finals", "t07") as journal:
        write(journal, 6)
        journal.mark_acknowledged(6)
    damaged(path, statement)
    with Journal(path, "finals", "t07") as journal:
        fault = journal.verify()
    assert fault.seq == seq and reason in fault.reason


def test_rows_cannot_be_changed_or_deleted(path):
    """The file itself refuses: it is append-only for every program that opens it."""
    with Journal(path, "finals", "t07") as journal:
        write(journal, 2)
        for statement in ("DELETE FROM event", "UPDATE event SET type = 'x'"):
            with pytest.raises(sqlite3.Error, match="append-only"):
                journal._db.execute(statement)


def test_a_malformed_event_writes_nothing(path):
    """After a refused event the next good one takes its number."""
    with Journal(path, "finals", "t07") as journal:
        for bad in (
            {"type": "tile_plaid"},
            {"data": {"p": float("nan")}},
            {"t_s": float("inf")},
            {"time": "noon"},
            {"match": -1},
        ):
            with pytest.raises(BadInput, match="expected"):
                journal.append(
                    **{"type": "tile_played", "data": {}, "t_s": 0.0, "frame": None, "match": 1, "hand": 1, "time": TIME, **bad}
                )
        assert write(journal, 1)[0].seq == 1


def not_sqlite(path):
    path.write_bytes(b"this is a letter to my aunt\n" * 200)


def foreign(path):
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE aunt (name)")
    db.close()


def newer(path):
    Journal(path, "finals", "t07").close()
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()


def torn(path):
    with Journal(path, "finals", "t07") as journal:
        write(journal, 400)
    with open(path, "r+b") as file:
        file.seek(8192)
        file.write(os.urandom(20000))


def other_table(path):
    Journal(path, "finals", "t08").close()


def a_folder(path):
    path.mkdir()


@pytest.mark.parametrize(
    ("spoil", "found"),
    [
        (not_sqlite, "not a database"),
        (foreign, "another program"),
        (newer, "update miron"),
        (torn, "restore a copy"),
        (other_table, "that of t08"),
        (a_folder, "unable to open"),
    ],
)
def test_a_file_that_cannot_be_used_is_bad_input(path, spoil, found):
    """Damaged, foreign, newer and misplaced files are told apart in one line, and are left as they were."""
    spoil(path)
    with pytest.raises(BadInput, match=found) as caught:
        Journal(path, "finals", "t07")
    assert "\n" not in str(caught.value)


def test_a_place_that_cannot_be_written_is_bad_input():
    """Where no file can be made, the message says so."""
    with pytest.raises(BadInput, match="choose another place"):
        Journal(Path("/proc/miron/t07.db"), "finals", "t07")


def test_two_writers_are_refused(path):
    """A second program on the same journal is told to stop the first; afterwards the place is free again."""
    with Journal(path, "finals", "t07"), pytest.raises(BadInput, match="another miron"):
        Journal(path, "finals", "t07")
    Journal(path, "finals", "t07").close()


def test_a_kill_while_the_file_is_made_leaves_it_usable(path):
    """An empty file, as a kill at birth leaves it, becomes a journal."""
    path.touch()
    with Journal(path, "finals", "t07") as journal:
        assert isinstance(write(journal, 1)[0], EventRecord)
