"""The demo as a user starts it: pictures to page, with somebody listening on the broker."""

from __future__ import annotations

import contextlib
import json
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path

from mqtt_listener import Listener
from playwright.sync_api import Browser

from rules.observations import Place, observation_from_dict
from scripts.demo import EVENT, MATCH, TABLE
from table.envelope import EventRecord

ROOT = Path(__file__).parent.parent


def rows(name: str) -> list[dict]:
    return [json.loads(line) for line in (MATCH / name).read_text().splitlines()]


def as_recorded(event: dict) -> dict:
    """An event without its measured shares: processors differ in the last digits of a network's answer."""
    measured = ("confidence", "pose_deg")
    return event | {"data": {k: v for k, v in event["data"].items() if k not in measured}}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def demo(*options: str) -> Iterator[tuple[subprocess.Popen[str], str, int]]:
    """A running demo, the address of its page and the port of its broker."""
    port = free_port()
    command = [sys.executable, "-m", "scripts.main", "demo", "--mqtt-port", str(port), *options]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        page = process.stdout.readline().split()[1]
        process.stdout.readline()
        yield process, page, port
    finally:
        if process.poll() is None:  # as a person would, so that its broker goes with it
            process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(20)
        process.kill()
        process.wait()


def test_every_event_is_heard_once_and_the_page_shows_the_score(browser: Browser) -> None:
    """A plain subscriber hears each event of the match once, in order; a browser that opens the page when the match is over sees the
    score of both teams; Ctrl-C ends the demo with exit code 0."""
    with (
        demo("--longest-pause", "0", "--port", "0") as (process, page, port),
        Listener(port, EVENT, TABLE) as listener,
    ):
        assert process.stdout is not None
        said = list(takewhile(lambda line: not line.startswith("The match is over"), process.stdout))
        assert said[-1].strip() == "final score  Los Robles 22 : 66 La Ceiba, La Ceiba win"
        recorded = rows("events.jsonl")
        assert listener.wait_until(lambda it: len(it.on("event")) >= len(recorded), 60)
        tab = browser.new_page()
        tab.goto(page)
        tab.get_by_text("La Ceiba").first.wait_for(timeout=30_000)
        tab.get_by_text("66", exact=True).first.wait_for(timeout=30_000)
        assert tab.get_by_text("22", exact=True).first.is_visible()
        tab.close()
        heard = listener.on("event")
        assert [e["seq"] for e in heard] == list(range(1, len(heard) + 1))
        assert [as_recorded(e) for e in heard] == [as_recorded(e) for e in recorded]
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0


def test_once_ends_by_itself(tmp_path: Path) -> None:
    """`demo --once` says the score after the last picture and ends with exit code 0; here after the first three plays."""
    shutil.copytree(MATCH, tmp_path / "begun")
    frames = (MATCH / "frames.jsonl").read_text().splitlines(keepends=True)[:4]
    (tmp_path / "begun" / "frames.jsonl").write_text("".join(frames))
    (tmp_path / "begun" / "signals.jsonl").unlink()
    with demo("--once", "--recording", str(tmp_path / "begun")) as (process, _, _):
        out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert out.strip().splitlines()[-1] == "final score  Los Robles 0 : 0 La Ceiba"
    assert out.count(" plays ") == 3, out


def test_expected_events_agree_with_the_truth() -> None:
    """The recorded events are those of the truth: each play with its seat and tile, one infraction, two results; nobody else accused."""
    events = [EventRecord.parse(line) for line in (MATCH / "events.jsonl").read_text().splitlines()]
    truth = [o for o in (observation_from_dict(r) for r in rows("truth.jsonl")) if isinstance(o, Place)]
    played = [(e.data["seat"], e.data["tile"]) for e in events if e.type == "tile_played"]
    assert played == [(int(o.seat), str(o.tile)) for o in truth if o.seat is not None]
    assert [(e.data["code"], e.data["seat"]) for e in events if e.type == "infraction"] == [("NON_MATCHING", 2)]
    assert [e.data["points"] for e in events if e.type == "hand_ended"] == [{"A": 22, "B": 0}, {"A": 0, "B": 66}]
    assert not [e for e in events if e.type in ("suspicion", "reading_doubted", "correction")]
