"""`miron doctor`: each thing that can be wrong at a table is found, named and comes with what to do."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from test_scripts_commands import miron

from models.detector import WEIGHTS
from rules.observations import Place
from rules.ruleset import DUSA
from rules.seats import Seat
from rules.tiles import Tile
from table.broker import Broker
from table.doctor import CARD, broker, calibration, camera, environment, findings, is_running, journal, model
from table.doctor_machine import clock, disk, power, temperature, versions
from table.journal import Journal
from table.monitor import Monitor
from table.settings_layers import load_settings
from table.video_writer import VideoWriter
from vision.frame import Frame

ROOT = Path(__file__).parent.parent
NOW = 1_790_000_000.0  # in 2026
PLANE = {"image_size": [320, 240], "table_mm": [900, 900], "corners_px": [[60, 220], [260, 220], [260, 20], [60, 20]]}


def film(file: Path, fps: float = 10.0, level: int = 150, seconds: float = 1.0) -> Path:
    """A video of one grey."""
    writer = VideoWriter(file, (320, 240), fps)
    for number in range(round(seconds * fps)):
        writer.write(np.full((240, 320, 3), level, np.uint8), number / fps)
    writer.close()
    return file


def played(file: Path, start_s: float = NOW) -> None:
    """A journal with one play."""
    with Journal(file, "finals", "t07") as book:
        Monitor(DUSA, book, start_s=start_s).observe(Place(t=0, seat=Seat.S, tile=Tile(6, 6), at="open"))


def test_two_wheels_of_opencv_are_seen():
    """The versions that run here are well; a second wheel of OpenCV, which overwrites the first, is told."""
    assert versions(lambda: ["opencv-python-headless"]).verdict == "ok"
    found = versions(lambda: ["opencv-python", "opencv-python-headless"])
    assert (found.verdict, "uninstall" in found.advice) == ("warning", True)


@pytest.mark.parametrize(
    ("now", "state", "verdict"), [(NOW, 0, "ok"), (NOW, 5, "warning"), (NOW, -1, "warning"), (0.0, 0, "fault")]
)
def test_the_clock_is_set_and_kept_right(now: float, state: int, verdict: str):
    """1970 is a fault; a clock that nothing keeps right, or of which nobody knows, is a warning."""
    assert clock(lambda: now, lambda: state).verdict == verdict


@pytest.mark.parametrize(("free_gb", "verdict"), [(0.5, "fault"), (3.0, "warning"), (50.0, "ok")])
def test_room_on_the_disk(tmp_path: Path, free_gb: float, verdict: str):
    """Little room is told in hours of recording; the folder need not be there yet."""
    found = disk(tmp_path / "not" / "yet", lambda _: int(free_gb * 1e9))
    assert found.verdict == verdict and "hours" in found.found


@pytest.mark.parametrize(("milli", "verdict"), [("45000", "ok"), ("77000", "warning"), ("85000", "fault"), ("broken", "ok")])
def test_the_hottest_sensor_counts(tmp_path: Path, milli: str, verdict: str):
    """One sensor is cool, the other decides; one that does not answer is left out."""
    for zone, value in (("thermal_zone0", "40000"), ("thermal_zone1", milli)):
        (tmp_path / zone).mkdir()
        (tmp_path / zone / "type").write_text("cpu-thermal\n")
        (tmp_path / zone / "temp").write_text(f"{value}\n")
    assert temperature(tmp_path).verdict == verdict
    assert temperature(tmp_path / "none").found == "no sensor here"


@pytest.mark.parametrize(("flags", "verdict"), [("0", "ok"), ("50005", "fault"), ("50000", "warning"), ("?", "warning")])
def test_too_little_voltage_is_told(tmp_path: Path, flags: str, verdict: str):
    """The firmware's flags of a Raspberry Pi: under voltage now is a fault, before it a warning."""
    (tmp_path / "get_throttled").write_text(flags)
    assert power(tmp_path / "get_throttled").verdict == verdict


def test_the_networks_are_those_of_the_card(tmp_path: Path):
    """The files that are shipped are well; one byte changed, or a card of other files, is a fault."""
    assert model().verdict == "ok"
    weights = tmp_path / "weights"
    shutil.copytree(WEIGHTS, weights)
    card = tmp_path / "card.md"
    card.write_text(CARD.read_text().replace("| `weights/reader.onnx`", "| `weights/other.onnx`"))
    assert "card" in model(weights, card).found
    with (weights / "reader.onnx").open("ab") as file:
        file.write(b"\0")
    found = model(weights)
    assert (found.verdict, found.found) == ("fault", "reader.onnx is not the file of weights.json")
    (weights / "weights.json").unlink()
    assert model(weights).verdict == "fault"


@pytest.mark.parametrize(
    ("source", "verdict", "words"),
    [
        (lambda place: film(place / "a.mkv"), "ok", "10 pictures of 320x240, 10.0 a second"),
        (lambda place: film(place / "a.mkv", level=10), "warning", "too dark"),
        (lambda place: film(place / "a.mkv", fps=2.0, seconds=2.0), "warning", "2.0 a second"),
        (lambda place: place / "none.mkv", "fault", "none.mkv"),
        (lambda place: "rtsp://ana:secret@127.0.0.1:9/1", "fault", "rtsp://********@127.0.0.1:9/1"),
        (lambda place: "v4l2:97", "fault", "video97"),
    ],
)
def test_the_camera_gives_pictures(tmp_path: Path, source: Callable[[Path], object], verdict: str, words: str):
    """How many, of which size, how often and how bright; a camera that is not there is a fault, and no password is shown."""
    found, frame = camera(str(source(tmp_path)))
    assert (found.verdict, words in found.found) == (verdict, True), found
    assert (frame is None) == (verdict == "fault")


def test_the_calibration_is_of_the_cameras_picture(tmp_path: Path):
    """None is a warning, for seats stay unknown; one of another size, or a broken one, is a fault."""
    file = tmp_path / "plane.json"
    file.write_text(json.dumps(PLANE))
    assert calibration(None, None).verdict == "warning"
    assert calibration(file, Frame(np.zeros((240, 320, 3), np.uint8), 0, 0.0)).verdict == "ok"
    other = calibration(file, Frame(np.zeros((480, 640, 3), np.uint8), 0, 0.0))
    assert (other.verdict, "640x480" in other.found) == ("fault", True)
    file.write_text("{")
    assert calibration(file, None).verdict == "fault"


def test_the_journal_is_whole_and_of_the_past(tmp_path: Path):
    """None yet is well; a changed row is a fault that names it; a newest event of tomorrow means that the clock stands wrong."""
    file = tmp_path / "t07.journal.db"
    assert journal(file, False).verdict == "ok"
    played(file)
    whole = journal(file, False, lambda: NOW + 10)
    assert (whole.verdict, "2 wait for the broker" in whole.found) == ("ok", True), whole
    assert journal(file, False, lambda: NOW - 86_400).advice == "set the clock"
    with sqlite3.connect(file) as db:
        db.executescript(
            "DROP TRIGGER event_is_final; UPDATE event SET line = replace(line, '6-6', '5-5') WHERE type = 'tile_played'"
        )
    db.close()
    assert journal(file, False).verdict == "fault"
    file.write_text("none")
    assert journal(file, False).verdict == "fault"


def test_a_running_monitor_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """While a monitor holds the journal the doctor opens no camera, and the monitor's journal is not in its way."""
    monkeypatch.chdir(tmp_path)
    settings = load_settings(options=["data=.", "table=t07", "mqtt.enabled=false", "camera.source=v4l2:97"]).settings
    assert not is_running(settings.journal)
    with Journal(settings.journal, "finals", "t07"):
        assert is_running(settings.journal)
        rows = {finding.name: finding for finding in findings(settings)}
    assert rows["camera"].verdict == "ok" and "running" in rows["camera"].found
    assert rows["journal"].verdict == "ok" and rows["broker"].verdict == "ok"
    assert not is_running(settings.journal)


def test_the_broker_accepts_us_or_says_why_not(tmp_path: Path, needs_mosquitto: None):
    """With the right password it is well; with a wrong one or nobody there it is a fault; a password open to others is told."""
    secret = tmp_path / "secret"
    secret.write_text("hush\n")
    secret.chmod(0o600)
    with Broker("mosquitto", user="t07", password="hush") as running:
        options = ["event=finals", "table=t07", f"mqtt.port={running.tcp_port}", "mqtt.user=t07", f"mqtt.password_file={secret}"]
        assert broker(load_settings(options=options).settings).verdict == "ok"
        secret.chmod(0o644)
        open_to_all = broker(load_settings(options=options).settings)
        assert (open_to_all.verdict, open_to_all.advice) == ("warning", f"chmod 600 {secret}")
        secret.write_text("loud\n")
        refused = broker(load_settings(options=options).settings)
        assert refused.verdict == "fault" and "refused: Not authorized" in refused.found
    assert broker(load_settings(options=options).settings).verdict == "fault"
    assert broker(load_settings(options=["mqtt.password_file=/nowhere"]).settings).verdict == "fault"


def test_variables_that_are_no_settings_are_told(monkeypatch: pytest.MonkeyPatch):
    """A mistyped variable is a warning that names it."""
    assert environment().verdict == "ok"
    monkeypatch.setenv("MIRON_LOGLEVEL", "debug")
    assert "MIRON_LOGLEVEL" in environment().found


def test_the_command_prints_a_line_each_and_exits_with_1_on_a_fault(tmp_path: Path):
    """Each finding is a line, or with --json an object; a fault is exit code 1, warnings alone are 0; wrong settings are 2."""
    (tmp_path / "plane.json").write_text(json.dumps(PLANE))
    film(tmp_path / "a.mkv")
    (tmp_path / "table.toml").write_text(
        'data = "d"\n[camera]\nsource = "a.mkv"\ncalibration = "plane.json"\n[mqtt]\nenabled = false\n'
    )
    done = miron("doctor", "--json", "--set", f"camera.source={tmp_path / 'a.mkv'}", cwd=tmp_path)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    faults = [row["name"] for row in rows if row["verdict"] == "fault"]
    assert set(faults) <= {"disk", "temperature", "clock", "power"}, rows  # what is wrong with this machine itself
    assert done.returncode == (1 if faults else 0)
    assert {"versions", "clock", "disk", "temperature", "model", "camera", "calibration", "journal", "broker"} <= {
        r["name"] for r in rows
    }
    done = miron("doctor", "--set", "camera.source=nowhere.mkv", cwd=tmp_path)
    assert done.returncode == 1
    assert any(line.startswith("fault    camera ") and "nowhere.mkv" in line and "→" in line for line in done.stdout.splitlines())
    assert miron("doctor", "--set", "camera.lens=3", cwd=tmp_path).returncode == 2


def test_every_finding_is_documented():
    """docs/operating.md has a row for each thing that the doctor looks at."""
    text = (ROOT / "docs" / "operating.md").read_text()
    source = "".join((ROOT / "table" / name).read_text() for name in ("doctor.py", "doctor_machine.py"))
    names = set(re.findall(r'Finding\("(\w+)"', source)) | {"versions"}
    assert len(names) >= 11
    assert all(f"| {name} |" in text for name in names)
