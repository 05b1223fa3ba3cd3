"""`miron run`: one process from camera to screens, that ends cleanly when told and goes on with the match after any other end."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import examples
from exposition import read_exposition
from known_film import write_known_film
from mqtt_listener import Listener
from test_scripts_commands import assert_bad_input, miron

from table.broker import Broker
from table.envelope import EventRecord
from table.journal import Journal

ROOT = Path(__file__).parent.parent
KILLS = examples(4, 40)

# The command itself, with a detector that knows the film in the place of the networks, and a pause after each frame.
WATCHER = """
import sys, time
sys.path[:0] = [{root!r}, {tests!r}]
from pathlib import Path
import scripts.run as run
from known_film import KnowingDetector
folder, pause_s = Path(sys.argv[1]), float(sys.argv[2])
run.Detector = lambda **_: KnowingDetector(folder)
dealt_with = run._dealt_with
def slowly(*told):
    time.sleep(pause_s)
    dealt_with(*told)
run._dealt_with = slowly
run.command(set=sys.argv[3:])
"""


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rendered hand, in part."""
    folder = tmp_path_factory.mktemp("film") / "film"
    write_known_film(folder)
    return folder


class Running:
    """A monitor in a process of its own; `lines` are those of its log."""

    def __init__(
        self, film: Path, place: Path, *options: str, pause_s: float = 0.0, environment: dict[str, str] | None = None
    ) -> None:
        settings = ["event=finals", "table=t07", f"data={place}", f"camera.source={film}", "pages.port=0", "metrics.port=0"]
        settings += [f"camera.calibration={film / 'calibration.json'}", "opener=E"]
        if not any(option.startswith("mqtt.port") for option in options):
            settings.append("mqtt.enabled=false")
        program = WATCHER.format(root=str(ROOT), tests=str(ROOT / "tests"))
        self.process = subprocess.Popen(
            [sys.executable, "-c", program, str(film), str(pause_s), *settings, *options],
            stderr=subprocess.PIPE, text=True, cwd=place, env={**os.environ, **(environment or {})},
        )  # fmt: skip
        self.lines: list[dict] = []

    def read(self) -> Iterator[dict]:
        """The lines as they come."""
        assert self.process.stderr is not None
        for text in self.process.stderr:
            self.lines.append(json.loads(text))
            yield self.lines[-1]

    def until(self, what: str) -> dict:
        """The first line from here on that says so or is an event of this type."""
        return next(line for line in self.read() if re.search(what, line["message"]) or line.get("type") == what)

    def end(self) -> int:
        """Read to the end; the exit code."""
        list(self.read())
        return self.process.wait(30)


def told(place: Path) -> list[EventRecord]:
    with Journal(place / "t07.journal.db", "finals", "t07") as journal:
        assert journal.verify() is None
        return list(journal.read())


def of_the_match(records: list[EventRecord]) -> list[tuple]:
    """What was told of the match, without whose run told it and when it was watched."""
    return [(r.type, r.match, r.hand, r.t_s, r.data) for r in records if r.type != "watching"]


def test_kill_9_at_random_moments_changes_nothing_that_is_told(film: Path, tmp_path: Path) -> None:
    """A film watched by a program that is killed and started again gives the very events of one that was never killed."""
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    for place in (whole, killed):
        place.mkdir()
    assert Running(film, whole, "recording.enabled=false").end() == 0
    rng, kills = random.Random(11), 0
    while kills < KILLS:
        running = Running(film, killed, pause_s=0.01)
        lines = running.read()
        for _ in range(rng.randint(4, 7)):
            if next(lines, None) is None:
                break
        else:
            time.sleep(rng.random() * 0.3)
        running.process.kill()
        kills += 1
        if running.end() == 0:
            break  # it had come to the end of the film
    assert kills == KILLS and Running(film, killed).end() == 0
    expected, found = of_the_match(told(whole)), of_the_match(told(killed))
    assert sum(kind == "tile_played" for kind, *_ in expected) >= 8
    assert found == expected


def test_a_stop_is_clean(film: Path, tmp_path: Path, broker: Broker) -> None:
    """SIGTERM: the frame at hand is finished, the broker has every event and the word `stopped`, the recording is whole, exit code 0."""
    with Listener(broker.tcp_port) as listener:
        running = Running(film, tmp_path, f"mqtt.port={broker.tcp_port}", pause_s=0.02)
        running.until("tile_played")
        running.process.send_signal(signal.SIGTERM)
        assert running.end() == 0
        assert any("told to stop by SIGTERM" in line["message"] for line in running.lines)
        assert listener.wait_until(lambda heard: [word["status"] for word in heard.on("status")][-1:] == ["stopped"])
        assert {word["status"] for word in listener.on("status")} == {"online", "stopped"}
        assert listener.seqs() == [record.seq for record in told(tmp_path)]
    (recording,) = (tmp_path / "recordings").iterdir()
    assert json.loads((recording / "manifest.json").read_text())["complete"] is True


def test_systemd_screens_and_prometheus_are_served_meanwhile(film: Path, tmp_path: Path) -> None:
    """READY once the table is watched, signs of life, STOPPING at the end; the pages answer; every metric keeps the format's rules."""
    address = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(address)
        systemd.settimeout(30)
        environment = {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "300000"}
        running = Running(film, tmp_path, pause_s=0.02, environment=environment)
        metrics, board = running.until("metrics at")["url"], running.until("scoreboard at")["url"]
        running.until("tile_played")
        with urllib.request.urlopen(metrics, timeout=10) as answer:
            figures = read_exposition(answer.read().decode())
        with urllib.request.urlopen(f"{board}/board", timeout=10) as page:
            assert b"<html" in page.read()
        running.process.send_signal(signal.SIGINT)
        assert running.end() == 0
        said = []
        while not said or said[-1] != "STOPPING=1":
            said.append(systemd.recv(200).decode())
    assert said[0] == f"READY=1\nSTATUS=watching {film}"
    assert sum(word.startswith("WATCHDOG=1\nSTATUS=") for word in said) >= 2
    assert figures["miron_events_total"].samples[("miron_events_total", (("type", "tile_played"),))] >= 1
    assert figures["miron_frames_total"].samples[("miron_frames_total", ())] > 10
    assert figures["miron_look_seconds"].samples[("miron_look_seconds_count", ())] >= 1
    assert figures["miron_watching"].samples[("miron_watching", (("state", "watching"),))] == 1
    assert figures["miron_disk_free_bytes"].samples and figures["process_resident_memory_bytes"].samples
    assert {"version", "boot", "event", "table"} == {label for _, labels in figures["miron_info"].samples for label, _ in labels}


BAD = {
    "nothing at the source": (("camera.source=nowhere.mkv",), "nowhere.mkv"),
    "an unknown key": (("camera.lens=3",), "camera.lens"),
    "no calibration": (("camera.source=a.mkv", "camera.calibration=none.json"), "none.json"),
    "a folder of stills": (("camera.source=stills",), "camera.source"),
    "a password that is nowhere": (("mqtt.password_file=none",), "none"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_watched_is_refused_in_one_line(name: str, film: Path, tmp_path: Path) -> None:
    """Wrong settings are told in one line with exit code 2, before anything is written."""
    options, word = BAD[name]
    (tmp_path / "a.mkv").symlink_to(film / "video.mkv")
    (tmp_path / "stills").mkdir()
    (tmp_path / "stills" / "1.png").write_bytes(b"")
    done = miron("run", *(text for option in options for text in ("--set", option)), "--set", "pages.port=0", cwd=tmp_path)
    assert_bad_input(done, word)
