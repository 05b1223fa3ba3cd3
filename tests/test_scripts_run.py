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
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest
from conftest import examples
from known_film import write_known_film
from mqtt_listener import Listener
from prometheus_client.parser import text_string_to_metric_families
from shown_pages import Pages, contains, expect, reads
from test_scripts_commands import assert_bad_input, miron

from rules.errors import BadInput
from scripts.run import watched
from table.broker import Broker
from table.broker_users import User
from table.envelope import EventRecord
from table.journal import Journal
from table.metrics import TableMetrics
from table.settings_layers import load_settings

ROOT = Path(__file__).parent.parent
SEEDS = examples(1, 8)
KILLS = 6  # at most, of one hand
PROCESSES: list[subprocess.Popen[str]] = []
pytestmark = pytest.mark.usefixtures("begun")

# The command itself, with a detector that knows the film in the place of the networks, and a pause after each frame.
WATCHER = """
import sys, time
sys.path[:0] = [{root!r}, {tests!r}]
from pathlib import Path
from typing import IO
import scripts.run as run
from known_film import KnowingDetector
folder, pause_s = Path(sys.argv[1]), float(sys.argv[2])
run.TableDetector = lambda *_: KnowingDetector(folder)
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


@pytest.fixture
def begun() -> Iterator[list[subprocess.Popen[str]]]:
    """The processes of a test, ended with it whatever happens."""
    yield PROCESSES
    while PROCESSES:
        PROCESSES.pop().kill()


class Running:
    """A monitor in a process of its own; `lines` are those of its log."""

    def __init__(
        self, film: Path, place: Path, *options: str, pause_s: float = 0.0, environment: dict[str, str] | None = None
    ) -> None:
        settings = ["event=finals", "table=t07", f"data={place}", f"camera.source={film}", "pages.port=0", "metrics.port=0"]
        settings += [f"camera.calibration={film / 'calibration.json'}", "opener=S"]
        if not any(option.startswith("mqtt.port") for option in options):
            settings.append("mqtt.enabled=false")
        program = WATCHER.format(root=str(ROOT), tests=str(ROOT / "tests"))
        self.process = subprocess.Popen(
            [sys.executable, "-c", program, str(film), str(pause_s), *settings, *options],
            stderr=subprocess.PIPE, text=True, cwd=place, env={**os.environ, **(environment or {})},
        )  # fmt: skip
        PROCESSES.append(self.process)
        self.lines: list[dict] = []

    def read(self) -> Iterator[dict]:
        """The lines as they come."""
        assert self.process.stderr is not None
        for text in self.process.stderr:
            self.lines.append(json.loads(text))
            yield self.lines[-1]

    def until(self, what: str) -> dict:
        """The first line from here on that says so or is an event of this type."""
        for line in self.read():
            if re.search(what, line["message"]) or line.get("type") == what:
                return line
        raise AssertionError(f"ended without {what}: {self.lines[-2:]}")

    def end(self) -> int:
        """Read to the end; the exit code."""
        list(self.read())
        return self.process.wait(30)


def told(place: Path) -> list[EventRecord]:
    with Journal(place / "t07.journal.db", "finals", "t07") as journal:
        assert journal.verify() is None
        return list(journal.read())


def plays(records: list[EventRecord]) -> dict[str, int | None]:
    """Each tile that was told as played and not taken back, with its seat."""
    gone = {seq for record in records if record.type == "correction" for seq in record.data["voids"]}
    kept = [record for record in records if record.type == "tile_played" and record.seq not in gone]
    assert len({record.data["tile"] for record in kept}) == len(kept), "a tile was played twice"
    return {record.data["tile"]: record.data["seat"] for record in kept}


@pytest.mark.parametrize("seed", range(SEEDS))
def test_kill_9_at_random_moments_loses_doubles_and_invents_nothing(seed: int, film: Path, tmp_path: Path) -> None:
    """A film watched by a program that is killed again and again gives the plays of one that was never killed, each once, by the same
    seats or by one that is not known, in one match, and nobody is accused."""
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    for place in (whole, killed):
        place.mkdir()
    assert Running(film, whole, "recording.enabled=false").end() == 0
    rng, kills = random.Random(seed), 0
    while kills < KILLS and (not kills or len(plays(told(killed))) < 7):  # the end of the film must have its look
        running = Running(film, killed, pause_s=0.01)
        for line in running.read():
            if line.get("type") == "tile_played" and rng.random() < 0.6:
                time.sleep(rng.random() * 0.3)
                break
        running.process.kill()
        assert running.end() == -signal.SIGKILL
        kills += 1
    assert kills >= 2 and Running(film, killed).end() == 0
    expected, records = plays(told(whole)), told(killed)
    assert len(expected) >= 8
    found = plays(records)
    assert sorted(found) == sorted(expected)
    assert all(seat in (expected[tile], None) for tile, seat in found.items())
    assert {record.match for record in records if record.type == "tile_played"} == {1}
    assert not {"infraction", "suspicion", "reading_doubted"} & {record.type for record in records}


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
        said: list[str] = []
        listening = threading.Thread(target=hear, args=(systemd, said), daemon=True)
        listening.start()
        environment = {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "1500000"}
        running = Running(film, tmp_path, pause_s=0.02, environment=environment)
        metrics, board = running.until("metrics at")["url"], running.until("scoreboard at")["url"]
        running.until("tile_played")
        with urllib.request.urlopen(metrics, timeout=10) as answer:
            figures = samples(answer)
        with urllib.request.urlopen(f"{board}/board", timeout=10) as page:
            assert b"<html" in page.read()
        running.process.send_signal(signal.SIGINT)
        assert running.end() == 0
        listening.join(30)
    assert said[-1] == "STOPPING=1"
    assert said[0] == f"READY=1\nSTATUS=watching {film}"
    assert sum(word.startswith("WATCHDOG=1\nSTATUS=") for word in said) >= 2
    assert figures["miron_events_total", "tile_played"] >= 1
    assert figures["miron_frames_total",] > 10
    assert figures["miron_look_seconds_count",] >= 1
    assert figures["miron_watching", "watching"] == 1
    assert figures["miron_disk_free_bytes",] > 0 and figures["process_resident_memory_bytes",] > 0
    (who,) = (key for key in figures if key[0] == "miron_info")
    assert {"finals", "t07"} < set(who)


@pytest.mark.usefixtures("needs_mosquitto")
def test_its_pages_look_as_a_screen_and_replay_the_match_that_is_played(film: Path, tmp_path: Path, pages: Pages) -> None:
    """At a broker without guests the board is live by the screen's login; `/replay` shows the recording being made as far as it goes."""
    users = [User("table", "t07", "own"), User("screen", "screen", "hush")]
    with Broker("mosquitto", users=users, guests=False) as broker:
        settings = [f"mqtt.port={broker.tcp_port}", "mqtt.user=t07", "pages.user=screen", f"pages.mqtt_ws={broker.ws_url}"]
        environment = {"MIRON_MQTT_PASSWORD": "own", "MIRON_PAGES_PASSWORD": "hush"}
        running = Running(film, tmp_path, *settings, pause_s=0.1, environment=environment)
        address = running.until("scoreboard at")["url"]
        opening = re.search(r"[0-6]-[0-6]", running.until("tile_played")["message"])
        last = running.until("tile_played")["seq"]
        board, replay = pages.show(f"{address}/board"), pages.show(f"{address}/replay")
        reads(board, "#signal", "En vivo")
        contains(replay, "#moments .play", opening and opening.group())
        expect(replay, "#film").to_be_hidden()
        (recording,) = (tmp_path / "recordings").iterdir()
        found = fetched(f"{address}/recordings/{recording.name}/dusa.json")
        running.process.send_signal(signal.SIGTERM)
        assert running.end() == 0
    assert found["events"][-1]["seq"] >= last
    assert found["events"] == [json.loads(record.line()) for record in told(tmp_path)][: len(found["events"])]


def fetched(address: str) -> dict:
    """What a page is given there."""
    with urllib.request.urlopen(address, timeout=60) as answer:
        return json.load(answer)


def samples(answer: IO[bytes]) -> dict[tuple[str, ...], float]:
    """Every figure by its name and the values of its labels."""
    families = text_string_to_metric_families(answer.read().decode())
    return {(one.name, *one.labels.values()): one.value for family in families for one in family.samples}


def hear(systemd: socket.socket, said: list[str]) -> None:
    """Keep every word until the last one."""
    while not said or said[-1] != "STOPPING=1":
        said.append(systemd.recv(200).decode())


def test_a_camera_that_is_not_there_yet_is_waited_for(film: Path, tmp_path: Path) -> None:
    """The monitor lives without a picture: it says that the table is not watched, tries again and again, and ends cleanly when told."""
    running = Running(film, tmp_path, "camera.source=v4l2:97", "camera.calibration=" + str(film / "calibration.json"))
    metrics = running.until("metrics at")["url"]
    running.until("v4l2:97: no camera")
    running.until("v4l2:97: no camera")
    with urllib.request.urlopen(metrics, timeout=10) as answer:
        figures = samples(answer)
    running.process.send_signal(signal.SIGTERM)
    assert running.end() == 0
    assert figures["miron_camera_openings_total",] >= 2
    assert figures["miron_watching", "not_watching"] == 1
    assert ("miron_frame_age_seconds",) not in figures


BAD = {
    "nothing at the source": (("camera.source=nowhere.mkv",), "nowhere.mkv"),
    "no calibration": (("camera.source=a.mkv", "camera.calibration=none.json"), "none.json"),
    "a folder of stills": (("camera.source=stills",), "camera.source"),
    "a password that is nowhere": (("camera.source=a.mkv", "mqtt.password_file=none"), "none"),
    "a switch that is none": (("camera.source=a.mkv", "switches.house=1"), "house"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_watched_is_refused(name: str, film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong settings are told in one line that names what to correct, before anything is written."""
    monkeypatch.chdir(tmp_path)
    options, word = BAD[name]
    (tmp_path / "a.mkv").symlink_to(film / "video.mkv")
    (tmp_path / "stills").mkdir()
    (tmp_path / "stills" / "1.png").write_bytes(b"")
    with pytest.raises(BadInput, match=word) as told:
        watched(load_settings(options=options).settings, TableMetrics())
    assert "\n" not in str(told.value) and not (tmp_path / "miron-data").exists()


def test_bad_settings_are_one_line_and_exit_code_2(tmp_path: Path) -> None:
    """As every command does it."""
    assert_bad_input(miron("run", "--set", "camera.lens=3", cwd=tmp_path), "camera.lens")
    assert_bad_input(miron("run", "--set", "pages.user=screen", cwd=tmp_path), "pages.password_file")
    assert not (tmp_path / "miron-data").exists()
