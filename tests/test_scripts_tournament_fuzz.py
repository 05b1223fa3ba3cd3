"""`miron tournament` with files of every kind of wrong: an answer in JSON, or one line that says what is wrong, and the file as it was."""

from __future__ import annotations

import io
import json
import re
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from long_run import times
from mutated_text import ANY_VALUE, miswritten, mutated
from tournament_books import black, last_number, opened, played, tournament

from rules.tournament.book import add, from_document, to_document
from rules.tournament.entries import Appeal, Complaint, Correction, Incident, Withdrawal
from rules.tournament.moments import Moment
from scripts.main import main
from scripts.tournament_file import read_document

NOON = Moment.parse("2026-11-30T12:00")
READING = ("standings", "pairing", "log", "deadlines 4")
WRITING = (
    "enter pair pair=Zoe",
    "pairing --open",
    "result 1 300 180",
    "enter incident pair=A text=late",
    "appeal 4 fid --written",
)
ACTIONS = st.sampled_from(READING + WRITING)


def _documents() -> list[dict[str, Any]]:
    """Documents of tournaments at several stages, with entries of many kinds."""
    new = tournament("A", "B", "C", rounds=3, avoid_rematches=True)
    halfway = add(played(new, (300, 180)), Incident(pair="A", text="spoke", at=NOON))
    halfway = add(halfway, Correction(voids=last_number(halfway) - 1, round=1, table=1, points=(180, 300), at=NOON))
    complained = add(halfway, Complaint(pair="B", player="Bea", text="signals", written=True, proof="film", by="Eva", at=NOON))
    expelled = add(opened(complained), black("B"))
    appealed = add(expelled, Appeal(decision=last_number(expelled), body="chief_arbiter", written=True, at=NOON))
    left = add(halfway, Withdrawal(pair="C", leave=True, harms_nobody=True, by="Ruiz", at=NOON))
    return [to_document(book) for book in (new, halfway, complained, appealed, left)]


DOCUMENTS = _documents()
TEXTS = [json.dumps(document, indent=1) for document in DOCUMENTS]
TOML = [
    '[conditions]\nrounds = 3\n[[entries]]\nkind = "pair"\npair = "A"\nat = 2026-11-30T09:00:00\n[[entries]]\nkind = "pair"\npair = "B"\n',
    'conditions = {rounds = 2, target = 200}\nentries = [{kind = "pair", pair = "A"}, {kind = "pair", pair = "B", players = ["X", "Y"]}]\n',
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cup")


def holds(file: Path, content: str, action: str) -> tuple[int, str]:
    """Runs an action on a file: JSON and a file that can be read again, or one short line and the file as it was."""
    file.write_bytes(content.encode("utf-8", "surrogatepass"))
    before, out, err = file.read_bytes(), io.StringIO(), io.StringIO()
    words = action.split()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as stop:
        main(["tournament", words[0], str(file), *words[1:], "--json"])
    code, told = int(stop.value.code or 0), err.getvalue()
    if code == 0:
        json.loads(out.getvalue(), parse_constant=pytest.fail)
        book = from_document(read_document(file))
        assert from_document(json.loads(json.dumps(to_document(book)))) == book
    else:
        assert (code, out.getvalue()) == (2, "") and len(told) <= 2500 and len(told.splitlines()) == 1
        assert re.fullmatch(r"miron: .*(expected .*found|refused).*\n", told)
    assert action in WRITING or code == 2 or file.read_bytes() == before
    assert code == 0 or file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir() if path.suffix == ".new"] == []
    return code, told


@settings(max_examples=times(50, 1500), deadline=None)
@given(text=mutated(TEXTS), action=ACTIONS)
def test_a_mutated_tournament_file_is_read_or_refused_in_one_line(folder: Path, text: str, action: str) -> None:
    """Tournaments at several stages with pieces torn out, doubled, swapped, and hostile words put in."""
    holds(folder / "cup.json", text, action)


@settings(max_examples=times(25, 800), deadline=None)
@given(text=mutated(TOML), action=ACTIONS)
def test_a_mutated_toml_file_is_read_or_refused_in_one_line(folder: Path, text: str, action: str) -> None:
    """The same in TOML, which no action writes to."""
    code, _ = holds(folder / "cup.toml", text, action)
    assert code == 2 or action not in WRITING


@settings(max_examples=times(50, 1500), deadline=None)
@given(document=miswritten(DOCUMENTS) | ANY_VALUE, action=ACTIONS)
def test_a_tournament_with_wrong_values_is_read_or_refused_in_one_line(folder: Path, document: Any, action: str) -> None:
    """JSON that any parser reads, with wrong values in the right places; numbers without end as Python writes them."""
    holds(folder / "cup.json", json.dumps(document, default=str), action)


PAIRS = '"entries": [{"kind": "pair", "pair": "A"}, {"kind": "pair", "pair": "B"}]'
REFUSED = {
    "the entries twice": (f'{{"conditions": {{"rounds": 1}}, {PAIRS}, "entries": []}}', "found 'entries' again"),
    "a field twice": ('{"conditions": {"rounds": 1, "rounds": 2}}', "found 'rounds' again"),
    "a number that is none": (f'{{"conditions": {{"rounds": 1}}, {PAIRS}, "x": NaN}}', "found nan"),
    "a number without end": (f'{{"conditions": {{"rounds": 1}}, {PAIRS}, "x": 1e999}}', "found inf"),
    "a number too long for others": (
        f'{{"conditions": {{"rounds": 1}}, {PAIRS}, "x": 9007199254740992}}',
        "up to 9007199254740991",
    ),
    "depth that is read but not written": (f'{{"conditions": {{"rounds": 1}}, "x": {"[" * 900}{"]" * 900}}}', "expected"),
    "no list of entries": ('{"conditions": {"rounds": 1}, "entries": null}', "a list of entries"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_be_lost_or_cannot_be_written_is_refused(name: str, folder: Path) -> None:
    """A key said twice would be lost at the next entry; endless numbers and depths are no JSON to others."""
    text, words = REFUSED[name]
    for action in ("standings", "enter pair pair=Zoe"):
        code, told = holds(folder / "cup.json", text, action)
        assert code == 2 and words in told
