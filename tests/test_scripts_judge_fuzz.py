"""`miron judge` with files of every kind of wrong: a verdict in JSON, or one line that says what is wrong. Never anything else."""

from __future__ import annotations

import io
import json
import re
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from long_run import times
from mutated_text import ANY_VALUE, HOSTILE_TEXTS, HOSTILE_VALUES, miswritten, mutated

from rules.errors import BadInput
from rules.observations import KINDS, observation_from_dict, observation_to_dict
from scripts.judge import read_scenarios
from scripts.main import main

Ran = tuple[int, str, str]
FILES = [path.read_text(encoding="utf-8") for path in sorted((Path(__file__).parent / "scenarios").glob("*.yaml"))]
SCENARIOS = [row for text in FILES for row in yaml.safe_load(text)["scenarios"]]
ROWS = [row for scenario in SCENARIOS for row in scenario["observations"]]
TEXTS = [f"scenarios:\n\n  - id:{part}" for text in FILES for part in text.split("\n  - id:")[1:]]
DOCUMENTS = [{"scenarios": [{key: row[key] for key in row if key not in ("expect", "title", "why")}]} for row in SCENARIOS]
FORMS = st.sampled_from(["yaml", "json"])


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("judge") / "scenarios.yaml"


def judge(*arguments: object) -> Ran:
    """Runs the command; exit code, output and error output."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as stop:
        main(["judge", *map(str, arguments)])
    return int(stop.value.code or 0), out.getvalue(), err.getvalue()


def holds(file: Path, content: str | bytes) -> Ran:
    """Judges a file: two lines of JSON for each scenario, or exit code 2 and one short line of what was expected and found."""
    file.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    code, out, err = ran = judge(file)
    if code == 0:
        rows = [json.loads(line, parse_constant=pytest.fail) for line in out.splitlines()]
        scenarios = read_scenarios(file)
        assert [(row["id"], row["ruleset"]) for row in rows] == [(s["id"], name) for s in scenarios for name in ("dusa", "fid")]
        for scenario in scenarios:
            for row in scenario["observations"]:
                comes_back(row)
    else:
        assert (code, out) == (2, "") and len(err) <= 800
        assert re.fullmatch(r"miron: .*expected .*found .*\n", err) and len(err.splitlines()) == 1
    return ran


def comes_back(row: object) -> None:
    """What was read as an observation can be written as JSON, and is read as the same again."""
    seen = observation_from_dict(row)
    assert observation_from_dict(json.loads(json.dumps(observation_to_dict(seen), allow_nan=False))) == seen


def written(document: Any, form: str) -> str:
    if form == "yaml":
        return yaml.safe_dump(document, allow_unicode=True)
    return json.dumps(document, default=str, skipkeys=True)


@settings(max_examples=times(120, 2000), deadline=None)
@given(text=mutated(TEXTS))
def test_a_mutated_scenario_file_is_judged_or_refused_in_one_line(file: Path, text: str) -> None:
    """Scenarios of the suite with pieces torn out, doubled, swapped, and hostile words put in."""
    holds(file, text)


@settings(max_examples=times(120, 2000), deadline=None)
@given(document=miswritten(DOCUMENTS), form=FORMS)
def test_a_scenario_with_wrong_values_is_judged_or_refused_in_one_line(file: Path, document: Any, form: str) -> None:
    """The same files in YAML and JSON that any parser reads, but with wrong values in the right places."""
    holds(file, written(document, form))


@settings(max_examples=times(60, 1000), deadline=None)
@given(
    document=ANY_VALUE | st.builds(lambda rows: {"scenarios": [{"id": 1, "observations": rows}]}, st.lists(ANY_VALUE)), form=FORMS
)
def test_any_document_is_judged_or_refused_in_one_line(file: Path, document: Any, form: str) -> None:
    """Documents that have nothing to do with scenarios, and scenarios whose observations are none."""
    holds(file, written(document, form))


@settings(max_examples=times(60, 1000), deadline=None)
@given(
    content=st.binary(max_size=60) | st.builds(lambda a, b: TEXTS[0].encode()[:a] + b, st.integers(0, 400), st.binary(max_size=8))
)
def test_bytes_that_are_no_text_are_refused_in_one_line(file: Path, content: bytes) -> None:
    """Noise, and scenario files that end in noise."""
    holds(file, content)


@settings(max_examples=times(400, 10000), deadline=None)
@given(
    row=miswritten([[row] for row in ROWS]).map(lambda rows: rows[0] if rows else None)
    | st.fixed_dictionaries(
        {"kind": st.sampled_from([*KINDS, "incident"]), "t": st.just(0) | st.sampled_from(HOSTILE_VALUES)},
        optional={
            name: st.sampled_from(HOSTILE_VALUES) | st.sampled_from(HOSTILE_TEXTS)
            for name in (
                "seat",
                "tile",
                "at",
                "hands",
                "tiles",
                "candidates",
                "slots",
                "count",
                "points",
                "by",
                "instead",
                "voids",
                "tip",
            )
        },
    )
)
def test_any_row_is_an_observation_that_comes_back_or_bad_input(row: object) -> None:
    """Rows as they come over the wire as well: no other error, one short line, and plain values that are read as the same again."""
    try:
        observation_from_dict(row)
    except BadInput as error:
        assert len(str(error).splitlines()) == 1 and len(str(error)) <= 500 and "expected" in str(error) and "found" in str(error)
    else:
        comes_back(row)


def bomb(levels: int, inside: str) -> str:
    """Nine aliases of nine aliases …: a few lines that unfold to 9 ** levels values."""
    lines = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, levels)]
    return "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(lines) + inside.replace("BOMB", f"*a{levels - 1}")


def scenario(observations: str = "", **fields: str) -> str:
    told = "".join(f"{name}: {value}, " for name, value in ({"id": "X"} | fields).items())
    return f"scenarios: [{{{told}observations: [{observations}]}}]"


ENDLESS = "&a {t: 0, kind: correction, voids: 0, instead: *a}"
DEEP = "{t: 0, kind: correction, voids: 0, instead: " * 5 + "{t: 0, kind: clock}" + "}" * 5
LONG = "0x1" + "0" * 5000
REFUSED = {
    "aliases that unfold for ever": (bomb(40, scenario("BOMB")), "aliases for at most 100000 values"),
    "the same in a field": (bomb(40, scenario("{t: BOMB, kind: pass, seat: 0}")), "aliases for at most 100000 values"),
    "the same as merged keys": (
        "a0: &a0 {a: 1}\n"
        + "".join(f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}\n" for n in range(1, 20))
        + scenario(),
        "aliases for at most 100000 values",
    ),
    "a correction of itself": (scenario(ENDLESS), "found one within itself in line 1"),
    "an id within itself": (scenario(id="&a [*a]"), "found one within itself in line 1"),
    "corrections within corrections": (scenario(DEEP), "at most 4 corrections within each other"),
    "values 65 deep": (scenario(id="[" * 65 + "]" * 65), "at most 64 deep"),
    "brackets without end": ("scenarios: " + "[" * 100_000, "expected YAML"),
    "the same key twice": ("scenarios: []\nscenarios: []", "found 'scenarios' again in line 2"),
    "the same key twice in an observation": (scenario("{t: 0, kind: pass, seat: 0, seat: 1}"), "found 'seat' again in line 1"),
    "a seat twice by two names": (scenario("{t: 0, kind: reveal, hands: {0: 6-6, S: 5-5}}"), "expected each seat once"),
    "a tag that does not fit": (scenario(id="!!bool abc"), "a value that its tag does not allow"),
    "a time that is none": (scenario(id="!!timestamp abc"), "a value that its tag does not allow"),
    "a day that is none": (scenario(id="2026-99-99"), "month must be in 1..12"),
    "a number of 400 parts in sixties": (scenario(id=":".join(["1"] * 400) + ".5"), "at most 40 characters"),
    "a number too long to write": (scenario(f"{{t: {LONG}, kind: clock}}"), "at most 40 characters"),
    "a target too large for a share of it": (scenario(switches=f"{{target: {LONG}}}"), "at most 40 characters"),
    "a time without end": (scenario("{t: .inf, kind: clock}"), "expected a number, found inf"),
    "points above what JSON holds": (scenario("{t: 0, kind: entry, pair: A, points: 9007199254740992}"), "to 9007199254740991"),
    "a switch that is no number": (scenario(switches="{think_s: .nan}"), "the switch 'think_s', found nan"),
    "an id that is no number": (scenario(id=".nan"), "an id that is a text or a whole number, found nan"),
    "an id that is a day": (scenario(id="2026-11-30"), "an id that is a text or a whole number"),
    "an id of bytes": (scenario(id="!!binary aGVsbG8="), "an id that is a text or a whole number"),
    "no id": (scenario(id="null"), "an id that is a text or a whole number, found None"),
    "a seat 4": (scenario("{t: 0, kind: pass, seat: 4}"), "expected a seat 0 to 3 or S, E, N, W, found 4"),
    "a tile 7-7": (scenario("{t: 0, kind: place, seat: 0, tile: 7-7, at: open}"), "found '7-7'"),
    "a set": (scenario("!!set {a}"), "expected an observation"),
    "half a character": (scenario(id='"\\ud800"'), "expected YAML"),
    "a byte of no text": (b"scenarios: \xff", "expected UTF-8 text"),
    "a zero byte": ("\0", "expected YAML"),
    "nothing": ("", "found nothing"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_meant_is_refused(name: str, file: Path) -> None:
    """Each of these once was a traceback, a hang, a verdict that is no JSON, or is easily made one."""
    content, words = REFUSED[name]
    code, _, err = holds(file, content)
    assert code == 2 and words in err


@pytest.mark.parametrize("name", ["x" * 10_000, "\\e[31m", "two\\nlines"])
def test_a_name_does_not_spoil_the_line(name: str, file: Path) -> None:
    """A scenario is named by its id as it stands, unless that is too long for a line or would paint the screen."""
    code, _, err = holds(file, scenario("{}", id=f'"{name}"'))
    assert code == 2 and err.startswith("miron: scenario '") and "\x1b" not in err


def test_aliases_and_merged_keys_that_are_no_bomb_are_read(file: Path) -> None:
    """A file may say something once and point to it; a key of one's own goes before a merged one."""
    shared = "a: &a {t: 0, kind: place, seat: 0, tile: 6-6, at: open}\n"
    code, out, _ = holds(file, shared + scenario("*a, {<<: *a, t: 2, seat: 1, tile: 6-5, at: b}"))
    assert code == 0 and json.loads(out.splitlines()[0])["state"] == {"ends": [6, 5], "turn": 2, "closed": False}


def test_the_table_for_people_shows_any_name(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal, a name with brackets is text and no style."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    file.write_text(scenario("{t: 0, kind: clock}", id='"[/red]"'), encoding="utf-8")
    monkeypatch.setattr("sys.stdout", screen)
    with pytest.raises(SystemExit) as stop:
        main(["judge", str(file)])
    assert stop.value.code == 0 and "[/red]" in screen.getvalue()
