"""`miron judge`: what it reads, what it writes, and how it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from scripts.main import main

SCENARIOS = Path(__file__).parent / "scenarios"


def judge(*arguments: object) -> int:
    """Run the command; the exit code."""
    try:
        main(["judge", *map(str, arguments)])
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


def test_one_line_for_each_scenario_and_rule_set(tmp_path: Path) -> None:
    """Both rule sets unless one is told, in the order of the file."""
    out = tmp_path / "verdicts.jsonl"
    assert judge(SCENARIOS / "turns.yaml", "--json", out) == 0
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [(row["id"], row["ruleset"]) for row in rows[:2]] == [("TU-1", "dusa"), ("TU-1", "fid")]
    assert set(rows[0]) >= {"id", "ruleset", "infractions", "hand", "state", "loses_salida", "match_lost"}
    assert judge(SCENARIOS / "turns.yaml", "--json", out, "--ruleset", "fid") == 0
    assert {json.loads(line)["ruleset"] for line in out.read_text(encoding="utf-8").splitlines()} == {"fid"}


def test_without_a_file_the_lines_go_to_the_output(capsys: pytest.CaptureFixture[str]) -> None:
    """Piped output is JSON and nothing else."""
    assert judge(SCENARIOS / "turns.yaml", "--ruleset", "dusa") == 0
    first = json.loads(capsys.readouterr().out.splitlines()[0])
    assert first["infractions"] == [
        {"code": "NON_MATCHING", "rule": "DUSA-8", "seat": 1, "at_obs": 1, "fine": 50, "credit": "A", "certain_at": 1}
    ]


def test_hands_and_expect_are_never_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A scenario with nonsense in place of what the monitor cannot know gives the same verdict."""
    document = yaml.safe_load((SCENARIOS / "passes.yaml").read_text(encoding="utf-8"))
    assert judge(SCENARIOS / "passes.yaml") == 0
    expected = capsys.readouterr().out
    for scenario in document["scenarios"]:
        scenario["hands"] = scenario["expect"] = "nonsense"
    changed = tmp_path / "changed.yaml"
    changed.write_text(yaml.safe_dump(document), encoding="utf-8")
    assert judge(changed) == 0 and capsys.readouterr().out == expected


def test_help_and_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    """`--help` exits 0; a missing file name or an unknown option is one line and exit code 2."""
    assert judge("--help") == 0 and "--ruleset" in capsys.readouterr().out
    for arguments in ([], [SCENARIOS / "turns.yaml", "--loud"]):
        assert judge(*arguments) == 2
        assert capsys.readouterr().err.count("\n") == 1


GOOD = "{t: 0, kind: place, seat: 0, tile: 6-6, at: open}"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("scenarios: [", "YAML"),
        ("- 1", "scenarios"),
        ("", "scenarios"),
        ("{a: 1}", "scenarios"),
        ("scenarios: [7]", "scenario 0"),
        ("scenarios: [{id: X}]", "observations"),
        ("scenarios: [{id: X, observations: [{t: 0, kind: jump}]}]", "scenario X: observation 0"),
        (f"scenarios: [{{id: X, observations: [{GOOD}, {{t: 1, kind: place, seat: 1, tile: 9-9, at: a}}]}}]", "observation 1"),
        (f"scenarios: [{{id: X, starter: 9, observations: [{GOOD}]}}]", "seat"),
        (f"scenarios: [{{id: X, hand_no: none, observations: [{GOOD}]}}]", "hand_no"),
        (f"scenarios: [{{id: X, pass_channel: loud, observations: [{GOOD}]}}]", "pass_channel"),
        (f"scenarios: [{{id: X, switches: {{colour: red}}, observations: [{GOOD}]}}]", "'colour'"),
        (f"scenarios: [{{id: X, switches: {{target: many}}, observations: [{GOOD}]}}]", "target"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(text: str, named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Never a traceback: one line on the error output that says what was found where."""
    path = tmp_path / "scenarios.yaml"
    path.write_text(text, encoding="utf-8")
    assert judge(path) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.count("\n") == 1 and named in captured.err


def test_what_cannot_be_read_or_written_is_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A missing file, a folder, bytes that are no text, a place that cannot be written, an unknown rule set."""
    binary = tmp_path / "binary.yaml"
    binary.write_bytes(b"\xff\xfe\x00scenarios")
    for arguments in (
        [tmp_path / "none.yaml"],
        [tmp_path],
        [binary],
        [SCENARIOS / "turns.yaml", "--json", tmp_path / "no" / "where.jsonl"],
        [SCENARIOS / "turns.yaml", "--ruleset", "chess"],
    ):
        assert judge(*arguments) == 2
        assert capsys.readouterr().err.count("\n") == 1
