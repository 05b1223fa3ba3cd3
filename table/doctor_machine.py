"""Is this machine fit to watch a table: versions, clock, disk, temperature. Nothing here is changed, only looked at."""

from __future__ import annotations

import ctypes
import importlib.metadata
import platform
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import cv2

Verdict = Literal["ok", "warning", "fault"]
OPENCV = (4, 10)
WHEELS = ("opencv-python", "opencv-contrib-python", "opencv-python-headless", "opencv-contrib-python-headless")
THIS_YEAR = 2026  # a clock before it has never been set
FULL_GB, LOW_GB = 1.0, 5.0
GB_AN_HOUR = 0.3  # what a recording of 1280x720 at ten frames a second takes, H.264
HOT_C, TOO_HOT_C = 75.0, 82.0  # a Raspberry Pi slows down from 80 to 85 degrees
THERMAL = Path("/sys/class/thermal")
THROTTLED = Path("/sys/devices/platform/soc/soc:firmware/get_throttled")
TIME_ERROR = 5  # what adjtimex says of a clock that nothing keeps right


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, how it is, what was found, and what to do where it is not well."""

    name: str
    verdict: Verdict
    found: str
    advice: str = ""


def machine_findings(data: Path) -> Iterator[Finding]:
    """Every finding about the machine; data: the folder that a monitor writes into."""
    yield versions()
    yield clock()
    yield disk(data)
    yield temperature()
    if THROTTLED.exists():
        yield power()


def versions(packages: Callable[[], list[str]] = lambda: _installed(WHEELS)) -> Finding:
    """Python and OpenCV; two wheels of OpenCV overwrite each other's files."""
    name, found = "versions", f"Python {platform.python_version()}, OpenCV {cv2.__version__}, {platform.machine()}"
    wheels = packages()
    if tuple(int(part) for part in cv2.__version__.split(".")[:2]) < OPENCV:
        return Finding(name, "fault", found, "pip install 'opencv-python-headless>=4.10'")
    if len(wheels) > 1:
        return Finding(
            name, "warning", f"{found}, from {', '.join(wheels)}", "keep opencv-python-headless alone: uninstall all, install it"
        )
    return Finding(name, "ok", found)


def clock(now: Callable[[], float] = time.time, state: Callable[[], int] = lambda: kernel_clock_state()) -> Finding:
    """The wall clock has been set and something keeps it right. Order and timers do not need it; the times on paper do."""
    moment = datetime.fromtimestamp(now(), UTC)
    found = f"{moment:%Y-%m-%d %H:%M:%S} UTC"
    if moment.year < THIS_YEAR:
        return Finding("clock", "fault", found, "set the clock: connect to a network with time, or `sudo timedatectl set-time …`")
    kept = state()
    if kept == TIME_ERROR:
        return Finding(
            "clock", "warning", f"{found}, not synchronised", "`sudo timedatectl set-ntp true`; without a network: a clock module"
        )
    if kept < 0:
        return Finding("clock", "warning", f"{found}; whether it is synchronised cannot be told here", "compare it with a phone")
    return Finding("clock", "ok", f"{found}, synchronised")


def kernel_clock_state() -> int:
    """What the kernel says of its clock (adjtimex, which any time service sets right): TIME_ERROR when nothing keeps it; -1 unknown."""
    try:
        return int(ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(512)))  # modes = 0: only read
    except (OSError, AttributeError):
        return -1


def disk(data: Path, free_bytes: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free) -> Finding:
    """Room for the journal and the recordings."""
    folder = next(place for place in (data.absolute(), *data.absolute().parents) if place.is_dir())
    free_gb = free_bytes(folder) / 1e9
    found = f"{free_gb:.1f} GB free for {data}, about {free_gb / GB_AN_HOUR:.0f} hours of recording"
    if free_gb < FULL_GB:
        return Finding("disk", "fault", found, "move old recordings away: a full disk stops the events too")
    if free_gb < LOW_GB:
        return Finding("disk", "warning", found, "move old recordings away before the event, or set recording.enabled = false")
    return Finding("disk", "ok", found)


def temperature(thermal: Path = THERMAL) -> Finding:
    """The hottest sensor."""
    sensors = temperatures(thermal)
    if not sensors:
        return Finding("temperature", "ok", "no sensor here")
    hottest = max(sensors, key=lambda name: sensors[name])
    found = f"{sensors[hottest]:.1f} °C ({hottest})"
    if sensors[hottest] >= TOO_HOT_C:
        return Finding("temperature", "fault", found, "it slows itself down: a fan or a heat sink, out of the sun")
    if sensors[hottest] >= HOT_C:
        return Finding("temperature", "warning", found, "give it air; a Raspberry Pi slows down from 80 °C on")
    return Finding("temperature", "ok", found)


def temperatures(thermal: Path = THERMAL) -> dict[str, float]:
    """Degrees Celsius of each sensor of the system, by its name."""
    found = dict[str, float]()
    for zone in sorted(thermal.glob("thermal_zone*")):
        try:
            kind = (zone / "type").read_text().strip()
            found[kind if kind not in found else zone.name] = int((zone / "temp").read_text()) / 1000
        except (OSError, ValueError):
            continue  # a sensor that does not answer
    return found


def power(throttled: Path = THROTTLED) -> Finding:
    """Whether a Raspberry Pi has, or had since its start, too little voltage: bits 0 and 16 of what the firmware tells."""
    try:
        flags = int(throttled.read_text(), 16)
    except (OSError, ValueError):
        return Finding(
            "power", "warning", "the firmware does not tell", "look at the lamp of the Raspberry Pi: it should not blink"
        )
    if flags & 1:
        return Finding("power", "fault", "too little voltage now", "take the 27 W supply of the Raspberry Pi 5 and a short cable")
    if flags & 1 << 16:
        return Finding(
            "power", "warning", "there was too little voltage since the start", "take the 27 W supply and a short cable"
        )
    return Finding("power", "ok", "enough voltage since the start")


def _installed(wheels: tuple[str, ...]) -> list[str]:
    names = {str(one.metadata["Name"]).lower() for one in importlib.metadata.distributions() if one.metadata["Name"]}
    return [wheel for wheel in wheels if wheel in names]
