"""`miron bench detector`: how long a look takes, how quickly miron starts, and what it weighs."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter, process_time
from typing import Annotated

import cv2
import numpy as np
import typer

from models.detector import Detector
from models.runtimes import RUNTIMES, open_session
from models.training.compositor import render
from models.training.odd_sets import laid_out
from models.training.scene import Scene, TileSetStyle
from rules.errors import BadInput
from scripts.bench_table import Row, show, show_columns

SIZE_PX = (1280, 960)
TILE_PX = 56.0  # of a table of one metre
THREADS = (1, 2)
STAGES = ("localise", "read", "all", "CPU")
# ONNX Runtime, 640x640, all four cores: Ultralytics' guide "Raspberry Pi with Ultralytics YOLO11", benchmarked with 8.3.39.
PI5_YOLO11N_MS = 168.1
PI5_AREA = 3.0  # of 1280x960 over 640x640
Look = Callable[[np.ndarray], dict[str, float]]  # a picture to the milliseconds of the stages that are known


def measure(
    repeats: Annotated[int, typer.Option(min=3, help="Measurements of each; the median is shown.")] = 15,
    yardstick: Annotated[
        Path | None,
        typer.Option(help="YOLO11n-OBB as ONNX (python -m models.training.yardstick) where the extra `train` is not installed."),
    ] = None,
) -> None:
    """Milliseconds a look at 28 tiles by stage, start-up, sizes and peak memory; against YOLO11n-OBB where it can be had."""
    image = whole_set()
    with tempfile.TemporaryDirectory() as place:
        picture = Path(place) / "set.png"
        cv2.imwrite(str(picture), image)
        file, why = _yardstick_file(yardstick, Path(place))
        looks = {f"miron, {told}, {_threads(n)}": _miron_look(n, px) for n in THREADS for told, px in _TOLD}
        looks |= {f"YOLO11n-OBB, onnxruntime, {_threads(n)}": _network_look(file, n) for n in THREADS if file}
        if _has_ultralytics():
            looks["YOLO11n-OBB, ultralytics predict"] = _predict_look()
        times = _rounds(looks, image, repeats)
        show_columns(f"one picture of {SIZE_PX[0]}x{SIZE_PX[1]} with 28 tiles, ms", STAGES, times)
        show("held against each other", list(_ratios(times)))
        show("starting, size, memory", [*_starting(picture), *_sizes()])
    if why:
        print(why)


_TOLD = (("tile length known", TILE_PX), ("tile length not known", None))


def set_scene() -> Scene:
    """All 28 tiles of an ivory set on a table."""
    return laid_out(TileSetStyle(body=(0.55, 0.76, 0.84), pin=0.045), 7, SIZE_PX, TILE_PX)


def whole_set() -> np.ndarray:
    """The picture of it, BGR uint8."""
    return render(set_scene()).image


def _threads(n: int) -> str:
    return "1 thread" if n == 1 else f"{n} threads"


def _miron_look(threads: int, tile_px: float | None) -> Look:
    detector = Detector(threads=threads, tile_px=tile_px)

    def look(image: np.ndarray) -> dict[str, float]:
        detector.detect(image, 0.5)
        return {"localise": detector.timing.localise, "read": detector.timing.read}

    return look


def _network_look(file: Path, threads: int) -> Look:
    """The network on a picture that has its size already; what becomes of its boxes is left out, in its favour."""
    session, outputs = open_session(file, threads)

    def look(image: np.ndarray) -> dict[str, float]:
        blob = np.ascontiguousarray(image[:, :, ::-1].transpose(2, 0, 1)[None], np.float32) / 255
        session.run(sorted(outputs), {"images": blob})
        return {}

    return look


def _predict_look() -> Look:
    from models.training.yardstick import ultralytics_predict

    predict = ultralytics_predict()

    def look(image: np.ndarray) -> dict[str, float]:
        predict(image)
        return {}

    return look


def _has_ultralytics() -> bool:
    return importlib.util.find_spec("ultralytics") is not None


def _yardstick_file(told: Path | None, place: Path) -> tuple[Path | None, str]:
    """YOLO11n-OBB as ONNX, or why there is none."""
    if told is not None:
        if not told.is_file():
            raise BadInput(f"expected YOLO11n-OBB in {told}, found no such file; run python -m models.training.yardstick {told}")
        return told, ""
    if not _has_ultralytics():
        return None, "YOLO11n-OBB was not measured: it needs the extra `train`, or --yardstick FILE (docs/detector.md)."
    from models.training.yardstick import write_onnx

    write_onnx(place / "yolo11n-obb.onnx")
    return place / "yolo11n-obb.onnx", ""


def _rounds(looks: dict[str, Look], image: np.ndarray, repeats: int) -> dict[str, dict[str, float]]:
    """Median milliseconds of each look's stages; turn and turn about, for a noisy machine disturbs all alike."""
    taken: dict[str, list[dict[str, float]]] = {name: [] for name in looks}
    for number in range(repeats + 1):
        for name, look in looks.items():
            wall, cpu = perf_counter(), process_time()
            stages = look(image)
            stages |= {"all": (perf_counter() - wall) * 1e3, "CPU": (process_time() - cpu) * 1e3}
            if number:  # the first one warms up
                taken[name].append(stages)
    return {name: {k: statistics.median(s[k] for s in rows) for k in rows[0]} for name, rows in taken.items()}


def _ratios(times: dict[str, dict[str, float]]) -> Iterator[Row]:
    for n in THREADS:
        theirs = times.get(f"YOLO11n-OBB, onnxruntime, {_threads(n)}")
        for told, _ in _TOLD:
            ours = times[f"miron, {told}, {_threads(n)}"]
            if theirs:
                stage = "CPU" if n == 1 else "all"  # what one thread takes is best told by the processor's own clock
                ratio = theirs[stage] / ours[stage]
                yield Row(f"YOLO11n-OBB over miron, {told}, {_threads(n)}", ratio, "×")
                yield Row(f"computed for a Raspberry Pi 5, {told}, {_threads(n)}", PI5_YOLO11N_MS * PI5_AREA / ratio, "ms")


def _miron(*arguments: str) -> float:
    """Run `miron`; its peak resident memory, MB."""
    done = subprocess.Popen([sys.executable, "-m", "scripts.main", *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(done.pid, 0)
    done.returncode = os.waitstatus_to_exitcode(status)
    if done.returncode:
        raise BadInput(f"expected miron {arguments[0]} to run, found exit code {done.returncode}; run it by hand")
    return usage.ru_maxrss / 1e3


def _starting(picture: Path) -> Iterator[Row]:
    for what, arguments in (("miron --version", ("--version",)), ("miron detect, first picture read", ("detect", str(picture)))):
        yield Row(f"start-up: {what}", statistics.median(_seconds(arguments) for _ in range(3)), "s")
    yield Row("peak memory of miron detect", _miron("detect", str(picture)), "MB")
    yield Row("peak memory of miron detect, ten pictures", _miron("detect", *[str(picture)] * 10), "MB")


def _seconds(arguments: tuple[str, ...]) -> float:
    start = perf_counter()
    _miron(*arguments)
    return perf_counter() - start


def _sizes() -> Iterator[Row]:
    for name in RUNTIMES:
        if importlib.util.find_spec(name) is not None:
            yield Row(f"installed size of {name}", _package_mb(name), "MB")
    files = (f for f in Path(sys.prefix).rglob("*") if f.is_file() and not f.is_symlink())
    yield Row("installed size of this environment", sum(f.stat().st_size for f in files) / 1e6, "MB")


def _package_mb(name: str) -> float:
    files = importlib.metadata.files(name) or []
    return sum(Path(str(f.locate())).stat().st_size for f in files if Path(str(f.locate())).is_file()) / 1e6
