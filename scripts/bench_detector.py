"""`miron bench detector`: how long a photograph takes, how quickly miron starts, and what it weighs."""

from __future__ import annotations

import importlib.util
import resource
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Annotated

import cv2
import numpy as np
import typer

from models.detector import Detector
from models.pictures import read_picture
from scripts.bench_table import Row, show
from scripts.demo import MATCH

SIZE_PX = 1280


def measure(
    picture: Annotated[Path, typer.Option(help="The photograph to time, scaled to 1280 px.")] = MATCH / "020.jpg",
    repeats: Annotated[int, typer.Option(min=3, help="Measurements of each; the median is shown.")] = 15,
) -> None:
    """Milliseconds a photograph by stage, start-up, installed size and peak memory; against ultralytics' YOLO11n where it is installed."""
    image = _at_size(read_picture(picture))
    detector = Detector()
    stages: dict[str, list[float]] = {"localise": [], "read": [], "all": []}
    yardstick, theirs = _yardstick(), []
    detector.detect(image)
    if yardstick:
        yardstick(image)
    for _ in range(repeats):  # turn and turn about: a noisy machine disturbs both alike
        stages["all"].append(_timed(lambda: detector.detect(image)))
        stages["localise"].append(detector.timing.localise)
        stages["read"].append(detector.timing.read)
        if yardstick:
            theirs.append(_timed(lambda: yardstick(image)))
    rows = [Row(f"miron, {name}", statistics.median(values), "ms") for name, values in stages.items()]
    if theirs:
        rows.append(Row("ultralytics YOLO11n, all", statistics.median(theirs), "ms"))
        rows.append(Row("ratio", statistics.median(theirs) / statistics.median(stages["all"]), "×"))
    rows.append(Row("start-up (miron --version)", _start_up("--version"), "ms"))
    rows.append(Row("start-up to the first photograph read", _start_up("detect", str(picture)), "ms"))
    rows.append(Row("installed size of this environment", _installed_mb(), "MB"))
    rows.append(Row("peak memory of miron detect", _peak_mb("detect", str(picture)), "MB"))
    show(f"one picture of {image.shape[1]}x{image.shape[0]}", rows)


def _at_size(image: np.ndarray) -> np.ndarray:
    factor = SIZE_PX / max(image.shape[:2])
    return image if factor == 1 else cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)


def _timed(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return (perf_counter() - start) * 1e3


def _yardstick() -> Callable[[np.ndarray], object] | None:
    if importlib.util.find_spec("ultralytics") is None:
        return None
    from models.training.yardstick import ultralytics_yolo11n

    return ultralytics_yolo11n(SIZE_PX)


def _miron(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "scripts.main", *arguments], check=True, stdout=subprocess.DEVNULL)


def _start_up(*arguments: str) -> float:
    return statistics.median(_timed(lambda: _miron(*arguments)) for _ in range(3))


def _installed_mb() -> float:
    files = (f for f in Path(sys.prefix).rglob("*") if f.is_file() and not f.is_symlink())
    return sum(f.stat().st_size for f in files) / 1e6


def _peak_mb(*arguments: str) -> float:
    """Peak resident memory of the largest child so far; the calls before it were smaller or the same."""
    _miron(*arguments)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3
