"""`miron simulate` as a user calls it."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
from test_scripts_commands import assert_bad_input, miron


def test_simulate_writes_a_match_with_its_truth(tmp_path: Path) -> None:
    """One call writes video, times, calibration and truth; the same seed gives the same bytes of truth; what found no place is said."""
    order = ("--seed", 3, "--fps", 4, "--size", "160x120", "--infractions", "non_matching,wrong_end")
    done = miron("simulate", tmp_path / "one", *map(str, order), "--faults", "gap,bump")
    assert done.returncode == 0, done.stderr
    files = {file.name for file in (tmp_path / "one").iterdir()}
    assert files == {"video.mkv", "frames.jsonl", "calibration.json", "truth.jsonl"}
    truth = [json.loads(line) for line in (tmp_path / "one" / "truth.jsonl").read_text().splitlines()]
    assert next(row["kind"] for row in truth) == "deal" and truth[-1]["kind"] == "hand"
    codes = {row["code"].lower() for row in truth if row["kind"] == "infraction"}
    said = done.stderr.partition("no occasion came for: ")[2]
    assert {"non_matching", "wrong_end"} <= codes | {name for name in ("non_matching", "wrong_end") if name in said}
    times = [json.loads(line)["t_s"] for line in (tmp_path / "one" / "frames.jsonl").read_text().splitlines()]
    assert max(b - a for a, b in itertools.pairwise(times)) >= 5
    again = miron("simulate", tmp_path / "two", *map(str, order), "--stills")
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "two" / "truth.jsonl").read_bytes() == (tmp_path / "one" / "truth.jsonl").read_bytes()
    assert list((tmp_path / "two").glob("*.jpg"))


@pytest.mark.parametrize(
    "arguments, words",
    [
        (("--size", "big"), ("size", "1280x960")),
        (("--size", "161x120"), ("size",)),
        (("--faults", "rain"), ("faults", "rain")),
        (("--infractions", "cheating"), ("infractions", "cheating")),
    ],
)
def test_what_cannot_be_simulated_is_one_line(tmp_path: Path, arguments: tuple[str, ...], words: tuple[str, ...]) -> None:
    """A wrong size, fault or infraction is refused before anything is rendered, with exit code 2."""
    assert_bad_input(miron("simulate", tmp_path / "out", *arguments), *words)
    assert not (tmp_path / "out").exists()


def test_a_folder_with_files_is_not_written_over(tmp_path: Path) -> None:
    """A folder that holds something, and a path that is a file, are refused."""
    (tmp_path / "mine.txt").write_text("keep me")
    assert_bad_input(miron("simulate", tmp_path, "--size", "160x120"), "empty folder")
    assert_bad_input(miron("simulate", tmp_path / "mine.txt", "--size", "160x120"), "folder")
    assert (tmp_path / "mine.txt").read_text() == "keep me"


def test_the_help_lists_every_fault_with_what_it_does() -> None:
    """`miron simulate --help` names the faults and says what each does."""
    done = miron("simulate", "--help")
    assert done.returncode == 0
    for words in ("crossing_arm", "lamp_bands", "premature_lift", "Three frames in ten are lost"):
        assert words in done.stdout
