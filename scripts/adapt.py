"""`miron adapt`: whether a tile set can be read, by one photograph of its 28 tiles laid out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import cv2
import typer

from models.adapt import MIN_CONFIDENCE, LaidTile, SetCheck, check_set
from models.detector import Detector
from models.pictures import read_picture
from rules.errors import BadInput
from rules.tiles import ALL_TILES
from vision.drawing import draw_detections


def command(
    photo: Annotated[Path, typer.Argument(help="The 28 tiles face up, none touching another.", show_default=False)],
    draw: Annotated[Path | None, typer.Option(help="Write the picture with the readings here.", show_default=False)] = None,
    runtime: Annotated[str, typer.Option(help="What runs the networks: onnxruntime, openvino or ncnn.")] = "onnxruntime",
) -> None:
    """Check a new tile set: all 28 found, all different, and what is doubtful. Exit code 1 when it is not read beyond doubt."""
    image = read_picture(photo)
    found = Detector(runtime=runtime).detect(image, MIN_CONFIDENCE)
    check = check_set(found)
    if not check.tiles:
        raise BadInput(f"expected the 28 tiles of a set face up in {photo}, found none; take another picture from above")
    if draw is not None and not cv2.imwrite(str(draw), draw_detections(image, found)):
        raise BadInput(f"expected to write a picture to {draw}, found that it cannot be written; name another file")
    for line in _told(check):
        print(line)
    if not check.is_whole:
        raise typer.Exit(1)


def _told(check: SetCheck) -> Iterator[str]:
    yield f"{len(check.tiles)} tiles face up of {len(ALL_TILES)}, {len(check.tiles) - len(check.doubtful)} read beyond doubt"
    if check.others:
        yield f"{check.others} face down or standing: turn them face up"
    if check.missing:
        yield f"not found: {' '.join(map(str, check.missing))}"
    for laid in check.doubtful:
        yield f"doubtful: {_doubt(laid)}"
    for (read, lies), times in sorted(check.mixed_up.items()):
        yield f"{read} was read where {lies} lies, {times} times"
    yield "this set can be read" if check.is_whole else "this set is not read beyond doubt: see docs/detector.md"


def _doubt(laid: LaidTile) -> str:
    x, y = laid.detection.centre_px
    choices = " or ".join(f"{tile} ({share:.2f})" for tile, share in laid.candidates)
    return f"the tile at {x:.0f},{y:.0f} is {choices}; alone it reads {laid.alone} ({laid.detection.confidence:.2f})"
