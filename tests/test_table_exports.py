"""`miron journal`: what the journal holds comes out whole, and what is broken is named."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from legal_play import play_hand

from rules.notation import parse_record
from rules.observations import Correction, Place, Referee, Withdraw
from rules.record import differences
from rules.referee import replay
from rules.ruleset import DUSA
from rules.seats import Seat
from rules.tiles import Tile
from table.chain import first_fault
from table.commands_desk import CommandDesk
from table.exports import MatchFile, as_csv, as_json_lines, as_record, hand_rows, matches_in
from table.exports_sheet import as_sheet
from table.exports_words import WORDS
from table.journal import Journal
from table.journal_file import JournalReader
from table.monitor import Monitor

ROOT = Path(__file__).parent.parent
TEAMS = {"A": "Los <Robles> & Cía", "B": 'La "Ceiba"'}


def observations() -> list:
    """Two hands: a wrong tile that is taken back and fined, a correction of a play, a count."""
    first = play_hand(3)
    seen = list(first.observations)
    opening = seen[0].tile
    wrong = next(
        tile for tile in (Tile(0, 0), Tile(1, 1), Tile(6, 5)) if not tile.has(opening.high) and not tile.has(opening.low)
    )
    seen[1:1] = [
        Place(t=0.5, seat=Seat.E, tile=wrong, at="a"),
        Withdraw(t=1.0, seat=Seat.E, tile=wrong),
        Referee(
            t=1.2, ruling="uphold", incident=1, code="NON_MATCHING", seat=Seat.E, text="<script>alert(1)</script>", by="Rosa & co"
        ),
    ]
    seen.append(Correction(t=500.0, voids=3, by="Rosa & co"))
    seen.append(Correction(t=501.0, voids=len(seen) - 1, by="Rosa & co"))
    later = play_hand(5, Seat.E, t=600.0)
    return seen + list(later.observations)


@pytest.fixture
def journal_file(tmp_path):
    path = tmp_path / "t07.db"
    with Journal(path, "finals", "t07") as journal:
        monitor = Monitor(DUSA, journal, start_s=1_700_000_000, opener=Seat.S, teams=TEAMS)
        for seen in observations():
            monitor.observe(seen)
    return path


def miron(*words: object) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "scripts.main", "journal", *map(str, words)], capture_output=True, text=True, cwd=ROOT, timeout=120
    )


def test_json_lines_are_the_published_bytes(journal_file):
    """Every event, in order, byte for byte as the journal holds it."""
    with JournalReader(journal_file) as reader, Journal(journal_file, "finals", "t07") as journal:
        stored = [row.line for row in journal.rows(1, 10_000)]
        assert as_json_lines(matches_in(reader)).splitlines() == stored


def test_scores_by_hand(journal_file):
    """One row a hand, with the points of the hand and the totals after it, as the fold has them."""
    with JournalReader(journal_file) as reader:
        rows = list(csv.DictReader(io.StringIO(as_csv(matches_in(reader)))))
        (match,) = matches_in(reader)
    state = replay(match.header.start(), observations())
    assert [row["hand"] for row in rows] == ["1", "2"]
    assert (int(rows[-1]["total_a"]), int(rows[-1]["total_b"])) == state.points
    assert (int(rows[-1]["fines_a"]), int(rows[-1]["fines_b"])) == state.fines == (50, 0)


def test_the_record_reads_back_to_the_same_observations(journal_file):
    """record.domino holds every observation, corrections too, the teams and the rules; judging it gives what it notes."""
    with JournalReader(journal_file) as reader:
        text = as_record(reader, matches_in(reader)[-1])
    record = parse_record(text)
    assert list(record.observations) == observations()
    assert record.header.pairs == (TEAMS["A"], TEAMS["B"])
    assert record.header.opener is Seat.S
    assert dict(record.header.tags) == {"event": "finals", "date": "2023-11-14", "table": "t07", "match": "1"}
    assert differences(record) == ()


@pytest.mark.parametrize("language", sorted(WORDS))
def test_the_sheet_is_plain_and_escaped(journal_file, language):
    """The sheet has teams, hands, the incident with its rule and what was decided, and runs nothing that anybody typed."""
    with JournalReader(journal_file) as reader:
        (match,) = matches_in(reader)
    html = as_sheet(match, language)
    assert "Los &lt;Robles&gt; &amp; Cía" in html
    assert "<script" not in html
    assert "DUSA-8: " in html
    assert "Rosa &amp; co" in html
    assert html.count('class="sign"') == 3
    assert html.count("<tr>") >= 1 + len(list(hand_rows(match))) + 2
    assert "http" not in html.replace("http-equiv", "")


def with_proofs(match: MatchFile, proofs: list[dict]) -> MatchFile:
    """The match with these proofs told by a later event about its infraction."""
    infraction = next(event for event in match.in_force if event.type == "infraction")
    told = infraction.model_copy(
        update={"seq": 9000, "type": "evidence", "data": {"incident": infraction.seq, "evidence": proofs}}
    )
    return replace(match, events=(*match.events, told))


def test_the_sheet_shows_the_evidence_that_is_still_what_was_recorded(journal_file, tmp_path):
    """A still whose bytes are those of the record is printed; one that was changed, is gone or lies elsewhere is told, and not shown."""
    folder = tmp_path / "evidence"
    folder.mkdir()
    (folder / "good.jpg").write_bytes(b"good")
    (folder / "changed.jpg").write_bytes(b"not what it was")
    (tmp_path / "outside.jpg").write_bytes(b"secret")
    (folder / "link.jpg").symlink_to(tmp_path / "outside.jpg")
    digests = {name: hashlib.sha256(name.encode()).hexdigest() for name in ("good", "changed", "gone", "secret")}
    proofs = [
        {"url": f"evidence/{url}", "sha256": digests[text], "kind": "still"}
        for url, text in (("good.jpg", "good"), ("changed.jpg", "changed"), ("gone.jpg", "gone"), ("link.jpg", "secret"),
                          ("../outside.jpg", "secret"), ("<b>.jpg", "gone"))
    ]  # fmt: skip
    with JournalReader(journal_file) as reader:
        html = as_sheet(with_proofs(matches_in(reader)[0], proofs), "en", folder)
    assert html.count("<img") == 1 and base64.b64encode(b"good").decode() in html
    assert html.count("· as recorded") == 1 and html.count("not the one that was recorded") == 1
    assert html.count("the file is not there") == 4
    assert base64.b64encode(b"secret").decode() not in html and "<b>" not in html
    assert "img-src data:" in html


def test_every_language_has_every_word():
    """No label of the sheet is missing in one of the languages."""
    assert len({frozenset(words) for words in WORDS.values()}) == 1


def test_verify_tells_a_whole_journal_from_a_broken_one(journal_file):
    """Exit code 0 and the last hash for a whole chain; 1 and the first broken row for one that was changed."""
    whole = miron("verify", journal_file)
    assert whole.returncode == 0, whole.stderr
    assert "events hold" in whole.stdout
    with sqlite3.connect(journal_file) as db:
        db.executescript(
            "DROP TRIGGER event_is_final; UPDATE event SET line = replace(line, '\"hand\":1', '\"hand\":2') WHERE seq = 4"
        )
    db.close()
    broken = miron("verify", journal_file)
    assert broken.returncode == 1
    assert "event 4: its text is not the one that was written" in broken.stdout


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        (
            "UPDATE observation SET line = replace(line, '\"seat\":1', '\"seat\":3') WHERE number = 1",
            "observation 1 of match 1 is not",
        ),
        ("DELETE FROM observation WHERE number = 2", "observation 2 of match 1 is missing"),
        ("UPDATE match SET header = replace(header, 'Robles', 'Pinos')", "header of match 1 is not the one"),
        ("DELETE FROM match", "header of match 1 is missing"),
        ("UPDATE command SET author = 'Ana'", "command that it tells of is missing"),
        ("DELETE FROM command", "command that it tells of is missing"),
        ("INSERT INTO command VALUES ('x', 'pass', 'y', '', 3, 1, NULL)", "no event tells of it"),
    ],
)
def test_verify_watches_what_lies_beside_the_events_too(journal_file, statement, reason):
    """An observation, a header or a command that was changed, taken away or added is named."""
    with Journal(journal_file, "finals", "t07") as journal:
        desk = CommandDesk(Monitor.resume(journal), lambda *_: None, lambda: None)
        desk.hear("incident", b'{"transaction": "a1", "by": "Rosa", "text": "talks"}')
        assert len(list(desk.serve())) > 0
        assert journal.verify() is None
    triggers = "".join(f"DROP TRIGGER {t}_is_{w};" for t in ("observation", "match", "command") for w in ("final", "kept"))
    with sqlite3.connect(journal_file) as db:
        db.executescript(f"{triggers} {statement}")
    db.close()
    with Journal(journal_file, "finals", "t07") as journal:
        assert reason in journal.verify().reason


def test_exports_from_the_command_line(journal_file, tmp_path):
    """Each form goes to the terminal or to a file; a journal in use by a running table is read all the same."""
    with Journal(journal_file, "finals", "t07"):
        lines = miron("export", journal_file, "--to", "jsonl")
        assert lines.returncode == 0, lines.stderr
        assert json.loads(lines.stdout.splitlines()[0])["seq"] == 1
        sheet = miron("export", journal_file, "--to", "sheet", "--out", tmp_path / "out" / "acta.html")
        assert sheet.returncode == 0, sheet.stderr
        assert (tmp_path / "out" / "acta.html").read_text().startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("verify", "nowhere.db"), "found nothing at nowhere.db"),
        (("verify", "README.md"), "restore a copy"),
        (("export", "{file}", "--match", "9"), "expected match 9"),
        (("export", "{file}", "--to", "sheet", "--language", "tlh"), "expected a language"),
    ],
)
def test_bad_input_is_one_line(journal_file, words, told):
    """What cannot be is said in one line on stderr with exit code 2."""
    done = miron(*(word.format(file=journal_file) for word in words))
    assert done.returncode == 2
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_journal_of_an_earlier_miron_is_taken_over(journal_file):
    """A file without observations keeps its events, takes new ones, verifies, and says that it has no record to give."""
    with sqlite3.connect(journal_file) as db:
        db.executescript("DROP TABLE match; DROP TABLE observation; DROP TABLE command; PRAGMA user_version = 1")
    db.close()
    with JournalReader(journal_file) as reader:
        (match,) = matches_in(reader)
        assert as_csv([match]).count("\n") == 3
        with pytest.raises(Exception, match="earlier miron"):
            as_record(reader, match)
    with Journal(journal_file, "finals", "t07") as journal:
        assert Monitor.resume(journal) is None
        monitor = Monitor(DUSA, journal, start_s=0.0)
        assert monitor.match == 2
        monitor.observe(Place(t=0, seat=Seat.S, tile=Tile(6, 6), at="open"))
        assert journal.verify() is None
    with JournalReader(journal_file) as reader:
        assert [match.number for match in matches_in(reader)] == [1, 2]
        assert "S 6-6 open" in as_record(reader, matches_in(reader)[-1])


def test_a_journal_of_schema_2_is_taken_over(journal_file):
    """Its headers stay untied and its events verify; a match that begins later is tied."""
    with sqlite3.connect(journal_file) as db:
        db.executescript("ALTER TABLE match DROP COLUMN after_seq; ALTER TABLE match DROP COLUMN hash; PRAGMA user_version = 2")
    db.close()
    with JournalReader(journal_file) as reader:
        assert first_fault(reader.execute, reader.table) is None
    with Journal(journal_file, "finals", "t07") as journal:
        Monitor(DUSA, journal, start_s=0.0).observe(Place(t=0, seat=Seat.S, tile=Tile(6, 6), at="open"))
        assert journal.verify() is None
        assert [tied is not None for (tied,) in journal.execute("SELECT hash FROM match ORDER BY match")] == [False, True]
