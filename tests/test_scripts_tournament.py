"""`miron tournament` as an organiser calls it, on real files."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from scripts import tournament_file
from scripts.main import main

ROOT = Path(__file__).parent.parent
COMMAND = [sys.executable, "-m", "scripts.main", "tournament"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


@dataclass
class Done:
    returncode: int
    stdout: str
    stderr: str


def miron(*arguments: object) -> Done:
    """Run the command here, which is quicker than a process of its own."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as stop:
        main(["tournament", *map(str, arguments)])
    return Done(int(stop.value.code or 0), out.getvalue(), err.getvalue())


def process(*arguments: object) -> Done:
    """Run the command in a process of its own."""
    call = [*COMMAND, *map(str, arguments)]
    done = subprocess.run(call, capture_output=True, text=True, timeout=60, env=ENVIRONMENT, encoding="utf-8")
    return Done(done.returncode, done.stdout, done.stderr)


def told(*arguments: object) -> dict[str, Any]:
    """What the command prints with --json."""
    done = miron(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    row: dict[str, Any] = json.loads(done.stdout)
    return row


def refused(*arguments: object) -> str:
    """The one line of a refusal."""
    done = miron(*arguments)
    lines = done.stderr.strip().splitlines()
    assert (done.returncode, len(lines), done.stdout) == (2, 1, ""), done.stderr
    return lines[0]


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """A file with three pairs and two rounds."""
    file = tmp_path / "cup.json"
    assert told("new", file, "Rojas-Díaz", "Luna-Paz", "Mora-Gil", "--rounds", 2)["pairs"] == [
        "Rojas-Díaz",
        "Luna-Paz",
        "Mora-Gil",
    ]
    return file


def entries(file: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))["entries"]
    return rows


def test_the_command_in_a_process_of_its_own(tmp_path: Path) -> None:
    """A new file, a round, a sheet, the table; a refusal is one line and exit code 2."""
    file = tmp_path / "cup.json"
    assert process("new", file, "Rojas-Díaz", "Luna-Paz", "--rounds", 1).stdout == f"{file}: 2 pairs\n"
    assert json.loads(process(file, "pairing", "--open", "--json").stdout)["tables"] == [["Rojas-Díaz", "Luna-Paz"]]
    wrong = process(file, "result", 2, 300, 180)
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr == "miron: expected a table from 1 to 1 of round 1, found 2\n"
    assert process(file, "result", 1, 300, 180).stdout == "entry 4: result\n"
    assert "Rojas-Díaz" in process(file, "standings").stdout


def test_a_day_from_the_first_pairing_to_the_final_table(cup: Path) -> None:
    """Two rounds with a bye, a late pair and a corrected sheet; every table as worked out by hand."""
    assert told(cup, "pairing") == {"round": 1, "tables": [["Rojas-Díaz", "Luna-Paz"]], "bye": "Mora-Gil", "opened": False}
    assert told(cup, "pairing", "--open", "--at", "2026-11-30T10:00")["opened"] is True
    assert told(cup, "result", 1, 180, 300, "--by", "Ruiz")["entry"]["points"] == [180, 300]
    first = told(cup, "standings")
    assert [(row["place"], row["pair"], row["difference"]) for row in first["standings"]] == [
        (1, "Mora-Gil", 150),
        (2, "Luna-Paz", 120),
        (3, "Rojas-Díaz", -120),
    ]
    assert told(cup, "result", 1, 300, 180, "--round", 1, "--correct")["entry"]["voids"] == 5
    assert told(cup, "standings") == first
    assert told(cup, "pairing", "--open")["tables"] == [["Mora-Gil", "Luna-Paz"]]
    assert "7 minutes" in refused(cup, "result", 1, "--late", "Luna-Paz", "--after-min", 6.5)
    assert told(cup, "result", 1, "--late", "Luna-Paz", "--after-min", 8)["number"] == 8
    last = told(cup, "standings")
    assert [(row["pair"], row["wins"], row["difference"]) for row in last["standings"]] == [
        ("Mora-Gil", 2, 300),
        ("Rojas-Díaz", 2, 270),
        ("Luna-Paz", 0, -270),
    ]
    assert told(cup, "standings", "--after", 1) == first
    assert "all are over" in refused(cup, "pairing")


def test_complaint_cards_and_appeal_from_the_command_line(cup: Path) -> None:
    """The whole procedure of FID-DEN, FID-TAR and FID-APE; the log has it all."""
    assert "in writing" in refused(cup, "complaint", "Luna-Paz", "Paz", "signals")
    assert (
        told(cup, "complaint", "Luna-Paz", "Paz", "signals", "--written", "--by", "an onlooker", "--witness", "Eva")["number"]
        == 4
    )
    seated = ("seated.name=Ruiz", "seated.place=facing", "seated.distance_m=4")
    standing = ("standing.name=Soto", "standing.place=behind", "standing.distance_m=6")
    assert told(cup, "enter", "posting", "complaint=4", "by=Sanz", *seated, *standing)["number"] == 5
    shown = ("--posting", 5, "--reported-by", "Ruiz", "--ratified-by", "Soto", "--signed", "Ruiz", "--signed", "Soto")
    yellow = told(cup, "card", "yellow", "Luna-Paz", "Paz", "signalled", *shown, "--at", "2026-11-30T12:00")
    assert yellow["number"] == 6 and any("FID-TAR-Y" in duty for duty in yellow["duties"])
    assert "principal judge" in refused(cup, "card", "black", "Luna-Paz", "Paz", "hit", "--by", "Sanz", "--ground", "fight")
    steps = told(cup, "deadlines", 6, "--now", "2026-11-30T12:10")
    assert steps["next"] == "sanctioning_arbiter" and steps["steps"][1]["until"] == "2026-11-30T13:15"
    assert told(cup, "appeal", 6, "sanctioning_arbiter", "--written", "--at", "2026-11-30T12:12")["number"] == 7
    assert told(cup, "deadlines", 6, "--now", "2026-11-30T12:13")["next"] == "chief_arbiter"
    for _ in range(2):
        told(cup, "enter", "incident", "pair=Luna-Paz", "text=talked", "rule=FID-BEH-2")
    log = told(cup, "log", "Luna-Paz")
    assert [row["kind"] for row in log["entries"]] == ["complaint", "posting", "card", "appeal", "incident", "incident"]
    assert [row["number"] for row in told(cup, "log", "--all")["entries"]] == list(range(1, 10))
    assert log["due"] == {"Luna-Paz": "notification"} and told(cup, "log", "Mora-Gil") == {"entries": [], "due": {}}


def test_withdrawal_black_card_and_void_from_the_command_line(cup: Path) -> None:
    """Leave and no harm are told; an expelled pair's match goes to its rivals."""
    told(cup, "pairing", "--open", "--seat", "Mora-Gil", "--seat", "Rojas-Díaz", "--seat", "Luna-Paz")
    black = ("card", "black", "Rojas-Díaz", "Rojas", "hit a rival", "--by", "Vera", "--office", "federation", "--ground", "fight")
    assert len(told(cup, *black)["duties"]) == 4
    assert "black_card" in refused(cup, "result", 1, 120, 180)
    assert "one ending" in refused(cup, "result", 1, "--void", "--late", "Mora-Gil")
    told(cup, "result", 1, 120, 180, "--black-card", "Rojas-Díaz")
    assert [row["pair"] for row in told(cup, "standings")["standings"]] == ["Luna-Paz", "Mora-Gil", "Rojas-Díaz"]
    assert "leave" in refused(cup, "withdraw", "Mora-Gil")
    assert told(cup, "withdraw", "Mora-Gil", "--leave", "--harms-nobody", "--by", "Ruiz")["entry"]["kind"] == "withdrawal"
    assert "at least one table" in refused(cup, "pairing", "--open")


def test_people_see_tables(cup: Path) -> None:
    """Without --json: names, whatever they hold, in a table; an entry is told in a line."""
    assert miron(cup, "enter", "pair", "pair=[red]7", 'players=["A", "B"]').stdout == "entry 4: pair\n"
    assert miron(cup, "enter", "pair", "pair=8").returncode == 0
    assert all(name in miron(cup, "pairing").stdout for name in ("Rojas-Díaz", "[red]7", "bye", "8"))
    assert "difference" in miron(cup, "standings").stdout and "nothing yet" in miron(cup, "log").stdout
    miron(cup, "enter", "incident", "pair=8", "text=late again", "--at", "2026-11-30T10:00")
    assert all(word in miron(cup, "log").stdout for word in ("late again", "2026-11-30T10:00", "incident"))
    told(cup, "pairing", "--open")
    told(cup, "result", 1, 300, 180)
    assert "round 1, table 1: played 300-180" in miron(cup, "log", "--all").stdout
    assert "sanctioning_arbiter" in miron(cup, "deadlines", 6).stdout


def test_either_order_of_file_and_action_and_help(cup: Path) -> None:
    """FILE ACTION is ACTION FILE; --help of the command and of an action exit 0."""
    assert told("pairing", cup) == told(cup, "pairing")
    for arguments in (("--help",), ("card", "--help"), (cup, "result", "--help")):
        done = miron(*arguments)
        assert done.returncode == 0 and "--help" in done.stdout


def test_toml_is_read_and_made_into_json(tmp_path: Path) -> None:
    """Every action reads it, its own dates too; writing needs the JSON that `new --from` makes."""
    source, made = tmp_path / "cup.toml", tmp_path / "cup.json"
    source.write_text(
        '[conditions]\nrounds = 3\n[[entries]]\nkind = "pair"\npair = "A"\nat = 2026-11-30T09:00:00\n'
        '[[entries]]\nkind = "pair"\npair = "B"\n',
        encoding="utf-8",
    )
    assert told(source, "pairing")["tables"] == [["A", "B"]]
    assert "--from" in refused(source, "pairing", "--open")
    assert told("new", made, "--from", source, "C", "--set", "avoid_rematches=true")["pairs"] == ["A", "B", "C"]
    document = json.loads(made.read_text(encoding="utf-8"))
    assert document["conditions"] == {"rounds": 3, "avoid_rematches": True}
    assert document["entries"][0] == {"kind": "pair", "pair": "A", "at": "2026-11-30T09:00:00"}


def test_what_the_command_does_not_know_stays_in_the_file(cup: Path) -> None:
    """Keys of others survive an entry; so do the rows as they were written."""
    document = json.loads(cup.read_text(encoding="utf-8"))
    document |= {"club": "Peña Sol"}
    document["entries"][0] |= {"shirt": 7, "by": None}
    cup.write_text(json.dumps(document), encoding="utf-8")
    told(cup, "pairing", "--open")
    after = json.loads(cup.read_text(encoding="utf-8"))
    assert after["club"] == "Peña Sol" and after["entries"][:3] == document["entries"]


BAD = {
    "not there": (None, "new"),
    "empty": (b"", "JSON"),
    "no text": (b"\xff\xfe", "JSON"),
    "a list": (b"[1]", "a list"),
    "half a character": (b'{"conditions": {"rounds": 1}, "x": "\\ud800"}', "JSON"),
    "nested too deep": (b"[" * 100_000, "JSON"),
    "no conditions": (b"{}", "conditions"),
    "unknown switch": (b'{"conditions": {"rounds": 1, "avoid_rematch": true}}', "avoid_rematch"),
    "two problems": (b'{"conditions": {}, "entries": [{"kind": "pair"}]}', "entry 1: pair"),
    "refused entry": (
        b'{"conditions": {"rounds": 1}, "entries": [{"kind": "round", "number": 1, "tables": [["A", "B"]]}]}',
        "'A'",
    ),
}


@pytest.mark.parametrize("name", sorted(BAD))
def test_a_bad_file_is_one_line_and_exit_2(name: str, tmp_path: Path) -> None:
    """Whatever is wrong with it, the line names the file and the fault."""
    text, words = BAD[name]
    file = tmp_path / "bad.json"
    if text is not None:
        file.write_bytes(text)
    line = refused(file, "standings")
    assert "bad.json" in line and words in line and "expected" in line and "found" in line


def test_wrong_usage_is_one_line_and_exit_2(cup: Path, tmp_path: Path) -> None:
    """Unknown actions, missing words, numbers that are none, values without a name, places that cannot be written."""
    before = cup.read_bytes()
    for arguments in (
        (),
        (cup,),
        (cup, "dance"),
        ("standings",),
        (cup, "result", "one"),
        (cup, "result", 1, 300),
        (cup, "result", 1, 300, 100),
        (cup, "enter", "posting", "complaint"),
        (cup, "enter", "dance", "pair=A"),
        (cup, "enter", "posting", "seated=1", "seated.name=A", "complaint=1"),
        (cup, "enter", "pair", "kind=9", "pair=A"),
        (cup, "standings", "--after", 3),
        (cup, "deadlines", 1),
        (cup, "deadlines", 99),
        (cup, "deadlines", 1, "--now", "noon"),
        (cup, "pairing", "--seat", "A"),
        (cup, "log", "Nobody"),
        ("new", cup, "--rounds", 1),
        ("new", tmp_path / "no" / "where.json", "--rounds", 1),
        ("new", tmp_path / "other.json"),
        ("new", tmp_path / "other.json", "--rounds", 1, "--set", "colour=red"),
        ("new", tmp_path / "other.json", "--rounds", 1, "A", "A"),
    ):
        assert refused(*arguments)
    assert cup.read_bytes() == before and sorted(p.name for p in tmp_path.iterdir()) == ["cup.json"]


def test_many_at_once_lose_nothing(cup: Path) -> None:
    """Two consoles that write at the same moment take turns."""
    calls = [[*COMMAND, str(cup), "enter", "pair", f"pair=P{n}"] for n in range(4)]
    running = [subprocess.Popen(call, env=ENVIRONMENT, stdout=subprocess.DEVNULL) for call in calls]
    assert [process.wait(60) for process in running] == [0] * 4
    assert {row["pair"] for row in entries(cup)} >= {f"P{n}" for n in range(4)}


def test_an_interrupt_leaves_the_file_whole(cup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped while writing: the old file is there as it was, and nothing beside it."""
    before = cup.read_bytes()

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(tournament_file.os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        tournament_file.enter(cup, lambda _: {"kind": "pair", "pair": "Z"})
    assert cup.read_bytes() == before and [path.name for path in cup.parent.iterdir()] == ["cup.json"]


def test_a_linked_file_and_its_permissions_stay(cup: Path) -> None:
    """A file behind a link is replaced itself, with the permissions that it had."""
    cup.chmod(0o640)
    link = cup.with_name("link.json")
    link.symlink_to(cup)
    told(link, "enter", "pair", "pair=Z")
    assert link.is_symlink() and entries(cup)[-1]["pair"] == "Z" and cup.stat().st_mode & 0o777 == 0o640
