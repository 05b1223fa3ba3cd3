"""Is everything there that a table needs: settings, networks, calibration, camera, journal, broker. See docs/operating.md."""

from __future__ import annotations

import contextlib
import fcntl
import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from calibration.corners import load_plane
from models.detector import WEIGHTS, Detector
from models.runtimes import sha256
from rules.errors import BadInput
from table.chain import first_fault
from table.doctor_machine import Finding, machine_findings
from table.envelope import EventRecord, wire_time
from table.journal_file import JournalReader
from table.mqtt_tryout import try_out
from table.settings import TableSettings, without_password
from table.settings_layers import ignored_variables
from table.sources import open_source
from vision.frame import Frame

CARD = WEIGHTS.parent / "cards" / "detector.md"
LOOK_S, LEAST_FPS, MOST_FRAMES, PATIENCE_S = 3.0, 4.0, 100, 30.0
DARK = 40.0  # the level that 1 % of a picture exceeds, below which nothing can be read (as the watching has it)


def findings(settings: TableSettings) -> Iterator[Finding]:
    """Everything that is looked at, one after the other. Nothing is changed; a monitor that runs is not disturbed."""
    yield from machine_findings(settings.data)
    yield environment()
    yield model()
    running = is_running(settings.journal)
    frame: Frame | None = None
    if running:
        yield Finding("camera", "ok", "not opened: the monitor of this table is running and has it")
    else:
        seen, frame = camera(settings.camera.source)
        yield seen
    yield calibration(settings.camera.calibration, frame)
    yield journal(settings.journal, running)
    yield broker(settings)


def is_running(journal: Path) -> bool:
    """Whether a monitor holds the journal."""
    lock = Path(f"{journal}-lock")
    if not lock.exists():
        return False
    with lock.open() as guard:
        try:
            fcntl.flock(guard, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


def environment() -> Finding:
    """Variables that look like settings and are none."""
    ignored = ignored_variables()
    if ignored:
        return Finding(
            "environment", "warning", f"{', '.join(ignored)}: no such setting", "see the variables in docs/configuration.md"
        )
    return Finding("environment", "ok", "no variable that names no setting")


def model(weights: Path = WEIGHTS, card: Path = CARD) -> Finding:
    """The networks are the ones that the card describes, and they run: a blank picture has no tile."""
    try:
        expected: dict[str, str] = json.loads((weights / "weights.json").read_text())["sha256"]
        for name, digest in expected.items():
            if sha256(weights / name) != digest:
                return Finding("model", "fault", f"{name} is not the file of weights.json", "restore models/weights")
            if not re.search(rf"`weights/{re.escape(name)}`.*`{digest}`", card.read_text(encoding="utf-8")):
                return Finding(
                    "model", "fault", f"{name} is not the file of its card {card.name}", "restore models/weights and models/cards"
                )
        tiles = Detector(weights).detect(np.full((240, 320, 3), 127, np.uint8), 0.5)
    except (BadInput, OSError, ValueError, KeyError) as error:
        return Finding("model", "fault", str(error), "restore models/weights")
    if tiles:
        return Finding(
            "model", "fault", f"{len(tiles)} tiles read in a blank picture", "install the runtime again: it computes wrongly"
        )
    return Finding("model", "ok", f"{len(expected)} networks as on their card, {next(iter(expected.values()))[:12]}…; they run")


def camera(source: str, look_s: float = LOOK_S) -> tuple[Finding, Frame | None]:
    """The camera opens and gives pictures, often enough and bright enough; with its last picture."""
    began = time.monotonic()
    frames = list[Frame]()
    try:
        film = open_source(source)
        with contextlib.closing(iter(film)) as items:  # type: ignore[type-var]
            for item in items:
                frames += [item] if isinstance(item, Frame) else []
                seen_s = frames[-1].t_s - frames[0].t_s if frames else 0.0
                if seen_s >= look_s or len(frames) >= MOST_FRAMES or time.monotonic() - began > PATIENCE_S:
                    break
    except BadInput as error:
        return Finding(
            "camera", "fault", without_password(str(error)), "check cable, name and the rights of this user (group video)"
        ), None
    if not frames:
        return Finding("camera", "fault", f"no picture from {without_password(source)}", "check cable and name"), None
    return _judged(source, frames), frames[-1]


def _judged(source: str, frames: list[Frame]) -> Finding:
    width, height = frames[-1].size_px
    took_s = frames[-1].t_s - frames[0].t_s
    fps = (frames[-1].index - frames[0].index) / took_s if took_s > 0 else 0.0
    found = f"{without_password(source)}: {len(frames)} pictures of {width}x{height}, {fps:.1f} a second"
    if float(np.percentile(cv2.cvtColor(frames[-1].image, cv2.COLOR_BGR2GRAY), 99)) < DARK:
        return Finding("camera", "warning", f"{found}, too dark", "take the cap off, or light the table")
    if fps < LEAST_FPS:
        return Finding("camera", "warning", found, "five a second are needed: more light, a better cable, a smaller picture")
    return Finding("camera", "ok", found)


def calibration(file: Path | None, frame: Frame | None) -> Finding:
    """The calibration can be read and is of the camera's picture."""
    if file is None:
        return Finding(
            "calibration",
            "warning",
            "none: seats stay unknown and no turn is judged",
            "run `miron calibrate` and set camera.calibration",
        )
    try:
        plane = load_plane(file)
    except BadInput as error:
        return Finding("calibration", "fault", str(error), "run `miron calibrate` again")
    width, height = plane.image_size
    if frame is not None and frame.size_px != (width, height):
        seen = f"{frame.size_px[0]}x{frame.size_px[1]}"
        return Finding(
            "calibration", "fault", f"{file} is of {width}x{height}, the camera gives {seen}", "calibrate at the camera's size"
        )
    return Finding("calibration", "ok", f"{file}, {width}x{height}")


def journal(file: Path, running: bool, now: Callable[[], float] = time.time) -> Finding:
    """The journal is whole and its newest event is not of a later time than now."""
    if not file.exists():
        return Finding("journal", "ok", f"none yet at {file}")
    try:
        with JournalReader(file) as reader:
            broken = first_fault(reader.execute, reader.table)
            newest = reader.execute("SELECT line FROM event ORDER BY seq DESC LIMIT 1")
            ((acknowledged,),) = reader.execute("SELECT acknowledged FROM outbox")
    except BadInput as error:
        return Finding("journal", "fault", str(error), "move the file away or restore a copy")
    if broken is not None:
        return Finding(
            "journal", "fault", f"{file}: {broken}", "keep the file for the appeal and start a new one; see docs/journal.md"
        )
    last = EventRecord.parse(newest[0][0]) if newest else None
    seq = last.seq if last else 0
    found = f"{file}: {seq} events, chain whole, {seq - acknowledged} wait for the broker{', in use' if running else ''}"
    if last is not None and last.time > wire_time(now()):
        return Finding("journal", "warning", f"{found}; the newest is of {last.time}, later than now", "set the clock")
    return Finding("journal", "ok", found)


def broker(settings: TableSettings) -> Finding:
    """The broker is there, accepts us, and lets us write and read what is this table's."""
    try:
        there = settings.broker
    except BadInput as error:
        return Finding("broker", "fault", str(error), "see mqtt.password_file in docs/configuration.md")
    if there is None:
        return Finding("broker", "ok", "mqtt.enabled = false: nothing is published")
    refused = try_out(there)
    where = f"{there.host}:{there.port}"
    if refused is not None:
        return Finding(
            "broker", "fault", f"{where}: {refused}", "start the broker, or correct mqtt.host, mqtt.user, mqtt.password_file"
        )
    secret = settings.mqtt.password_file
    if secret is not None and secret.stat().st_mode & 0o077:
        return Finding("broker", "warning", f"{where} accepts us, but others can read {secret}", f"chmod 600 {secret}")
    return Finding("broker", "ok", f"{where} accepts us and lets us write {there.topic('#')}")
