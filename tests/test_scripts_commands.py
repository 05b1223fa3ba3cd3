"""The commands as a user calls them: what they write, and that bad input is one line and exit code 2."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from rendered import table_picture

from models.training.scene import SceneTile

ROOT = Path(__file__).parent.parent
STEPS = (SceneTile((6, 4), -60, 0, 2.0), SceneTile((4, 4), -22, 0, 91.0), SceneTile((4, 1), 17, 0, -2.0))


def miron(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run `miron` in a process of its own."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-m", "scripts.main", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=300,
        env=env,
        cwd=cwd,
    )


def assert_bad_input(done: subprocess.CompletedProcess[str], *words: str) -> None:
    """Exit code 2, one line on stderr that says what was expected and found, no traceback."""
    assert done.returncode == 2, done.stderr
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    for word in ("expected", "found", *words):
        assert word in lines[0]


@pytest.fixture(scope="module")
def stills(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three settled pictures: an opening and two more tiles."""
    folder = tmp_path_factory.mktemp("stills")
    for n in range(1, len(STEPS) + 1):
        cv2.imwrite(str(folder / f"{n}.jpg"), table_picture(*STEPS[:n], tile_px=80, seed=n).image)
    return folder


def test_detect_writes_a_json_line_a_picture(stills: Path, tmp_path: Path) -> None:
    """Each picture gives one line with its size and its tiles, low number first, corners 0 and 3 on the low half's side."""
    out = tmp_path / "out.jsonl"
    done = miron("detect", stills, "--json", out, "--draw", tmp_path / "drawn")
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [sorted(t["tile"] for t in r["tiles"]) for r in rows] == [["4-6"], ["4-4", "4-6"], ["1-4", "4-4", "4-6"]]
    assert [(r["width"], r["height"]) for r in rows] == [(640, 480)] * 3
    tile = rows[0]["tiles"][0]
    assert tile["state"] == "face_up"
    assert [h["pips"] for h in tile["halves"]] == [4, 6]
    assert tile["quad"][0][0] > tile["quad"][1][0]  # the 4 lies at the right
    assert done.stdout == ""
    assert len(list((tmp_path / "drawn").glob("*.jpg"))) == 3


def test_detect_turns_pictures_as_their_exif_says(tmp_path: Path) -> None:
    """A picture stored on its side is read upright: the same tile, the size as seen."""
    image = table_picture(SceneTile((2, 5), 0, 0, 0.0), tile_px=80).image
    ok, jpeg = cv2.imencode(".jpg", cv2.rotate(image, cv2.ROTATE_90_COUNTERCLOCKWISE))
    assert ok
    exif = b"\xff\xe1\x00\x22Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00"
    data = jpeg.tobytes()
    (tmp_path / "turned.jpg").write_bytes(data[:2] + exif + data[2:])
    done = miron("detect", tmp_path / "turned.jpg", "--json", tmp_path / "o.jsonl")
    assert done.returncode == 0, done.stderr
    row = json.loads((tmp_path / "o.jsonl").read_text())
    assert (row["width"], row["height"]) == (640, 480)
    assert [t["tile"] for t in row["tiles"]] == ["2-5"]


def test_watch_follows_stills_without_a_calibration(stills: Path, tmp_path: Path) -> None:
    """Each new tile is one play, at its end, with the seat unknown and nobody accused."""
    out = tmp_path / "events.jsonl"
    done = miron("watch", stills, "--stills", "--events", out)
    assert done.returncode == 0, done.stderr
    events = [json.loads(line) for line in out.read_text().splitlines()]
    plays = [e["data"] for e in events if e["type"] == "tile_played"]
    assert [(p["tile"], p["seat"], sorted(p["ends"])) for p in plays] == [
        ("6-4", None, [4, 6]),
        ("4-4", None, [4, 6]),
        ("4-1", None, [1, 6]),
    ]
    assert not [e for e in events if e["type"] == "infraction"]
    assert [e["seq"] for e in events] == list(range(1, len(events) + 1))


def test_watch_in_free_layout_tells_tiles_and_judges_nothing(stills: Path, tmp_path: Path) -> None:
    """With --free-layout the same pictures give the three new tiles and no other kind of event."""
    out = tmp_path / "events.jsonl"
    assert miron("watch", stills, "--stills", "--free-layout", "--events", out).returncode == 0
    events = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(e["type"], e["data"]["tile"]) for e in events] == [("tile_played", t) for t in ("6-4", "4-4", "4-1")]


def test_watch_goes_on_without_a_broker_and_keeps_the_events(stills: Path, tmp_path: Path) -> None:
    """With nobody at the broker's address every event is written, waits in the journal, and one line says so."""
    out, journal = tmp_path / "events.jsonl", tmp_path / "journal.db"
    done = miron("watch", stills, "--stills", "--events", out, "--journal", journal, "--broker", "127.0.0.1:9", cwd=tmp_path)
    assert_bad_input(done, "broker", "wait in", str(journal))
    from table.journal import Journal

    with Journal(journal, "table", "t01") as book:
        assert [r.line() for r in book.read()] == out.read_text().splitlines()
        assert book.acknowledged == 0


BAD = {
    "missing picture": (("detect", "nowhere.jpg"), ("nowhere.jpg",)),
    "text as picture": (("detect", "note.jpg"), ("note.jpg",)),
    "empty picture": (("detect", "empty.png"), ("empty.png",)),
    "empty folder": (("detect", "empty"), ("empty",)),
    "unwritable output": (("detect", "ok.png", "--json", "note.jpg/out.jsonl"), ("out.jsonl",)),
    "watch a missing folder": (("watch", "nowhere", "--stills"), ("nowhere",)),
    "watch a file": (("watch", "note.jpg", "--stills"), ("note.jpg",)),
    "watch an empty folder": (("watch", "empty", "--stills"), ("empty",)),
    "watch without --stills": (("watch", "empty"), ("--stills",)),
    "broken calibration": (("watch", "pictures", "--stills", "--calibration", "note.jpg"), ("note.jpg",)),
    "calibration of another kind": (("watch", "pictures", "--stills", "--calibration", "list.json"), ("list.json",)),
    "missing calibration": (("watch", "pictures", "--stills", "--calibration", "none.json"), ("none.json",)),
    "unknown rule set": (("watch", "pictures", "--stills", "--ruleset", "house"), ("house",)),
    "unknown seat": (("watch", "pictures", "--stills", "--opener", "X"), ("X",)),
    "broker without a port": (("watch", "pictures", "--stills", "--broker", "localhost"), ("localhost",)),
    "name that no topic can have": (("watch", "pictures", "--stills", "--table", "Tisch 1"), ("Tisch 1",)),
    "journal that is none": (("watch", "pictures", "--stills", "--journal", "note.jpg"), ("note.jpg",)),
    "broken times": (("watch", "timed", "--stills"), ("frames.jsonl",)),
    "picture of a series missing": (("watch", "gap", "--stills"), ("gone.jpg",)),
    "missing scenario": (("judge", "none.yaml"), ("none.yaml",)),
    "broken scenario": (("judge", "note.jpg"), ("note.jpg",)),
    "missing recording": (("demo", "--once", "--recording", "empty"), ("manifest.json",)),
    "page without a broker's address": (("display", "--mqtt-ws", "nowhere"), ("nowhere",)),
}


@pytest.fixture(scope="module")
def bad_place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all that can go wrong."""
    root = tmp_path_factory.mktemp("bad")
    (root / "note.jpg").write_text("this is: [no picture\n\t- nor YAML")
    (root / "empty.png").write_bytes(b"")
    (root / "list.json").write_text("[1, 2, 3]")
    for name in ("empty", "pictures", "timed", "gap"):
        (root / name).mkdir()
    for file in ("ok.png", "pictures/1.png", "timed/1.png"):
        cv2.imwrite(str(root / file), np.zeros((64, 64, 3), np.uint8))
    (root / "timed" / "frames.jsonl").write_text('{"file": "1.png"}\n')
    (root / "gap" / "frames.jsonl").write_text('{"file": "gone.jpg", "t_s": 1.0}\n')
    return root


@pytest.mark.parametrize("name", sorted(BAD))
def test_bad_input_is_one_line_and_exit_code_2(name: str, bad_place: Path) -> None:
    """Each way of getting it wrong says in one line what was expected, what was found, and leaves with 2."""
    arguments, words = BAD[name]
    assert_bad_input(miron(*arguments, cwd=bad_place), *words)


@pytest.mark.parametrize(
    "arguments", [("fly",), ("detect",), ("detect", "--nonsense"), ("detect", "ok.png", "--min-confidence", "7")]
)
def test_wrong_usage_is_one_line_and_exit_code_2(arguments: tuple[str, ...], bad_place: Path) -> None:
    """An unknown command or option, a missing argument, a value out of range: one line, exit code 2."""
    done = miron(*arguments, cwd=bad_place)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["detect", "watch", "judge", "demo", "broker", "display", "bench", "train"])
def test_every_command_has_help(command: str) -> None:
    """--help shows the options and exits 0."""
    done = miron(command, "--help")
    assert done.returncode == 0
    assert "--help" in done.stdout
