"""`miron bench film`: what watching a frame costs, looks of the detector left out."""

from __future__ import annotations

import statistics
from time import process_time
from typing import Annotated

import cv2
import typer

from calibration.corners import load_plane
from models.pictures import list_pictures, read_picture
from scripts.bench_table import Row, show
from scripts.demo import MATCH
from vision.activity import ActivityWatch
from vision.frame import Frame


def measure(
    repeats: Annotated[int, typer.Option(min=3, help="Rounds over the recorded pictures; the median is shown.")] = 9,
) -> None:
    """CPU milliseconds a frame of the recorded match, one thread, and what a minute at 10 frames a second costs."""
    cv2.setNumThreads(1)
    frames = [Frame(read_picture(file), index, index / 10) for index, file in enumerate(list_pictures([MATCH]))]
    plane = load_plane(MATCH / "calibration.json")
    ms = statistics.median(_round(ActivityWatch(plane), frames) for _ in range(repeats))
    width, height = frames[0].size_px
    rows = [Row("watching a frame", ms, "ms of CPU"), Row("a minute at 10 frames a second", ms * 0.6, "s of CPU")]
    show(f"a film of {width}x{height}", rows)


def _round(watch: ActivityWatch, frames: list[Frame]) -> float:
    start = process_time()
    for frame in frames:
        watch.watch(frame)
    return (process_time() - start) * 1e3 / len(frames)
