"""`miron detect`: the tiles of photographs, as a table, as JSON lines, as annotated pictures."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import cv2
import numpy as np
import typer
from rich.console import Console
from rich.progress import track

from models.detector import Detector
from models.pictures import list_pictures, read_picture
from rules.errors import BadInput
from vision.detections import TileDetection, TileState
from vision.drawing import draw_detections


def detection_row(detection: TileDetection) -> dict[str, Any]:
    """One tile as `detect --json` writes it: low number first."""
    row: dict[str, Any] = {
        "tile": None,
        "state": detection.state.value,
        "quad": [[round(float(x), 1), round(float(y), 1)] for x, y in detection.quad_px],
        "confidence": round(detection.confidence, 4),
        "halves": None,
    }
    if detection.pips is not None:
        low, high = detection.pips
        row["tile"] = f"{low}-{high}"
        row["halves"] = [{"pips": int(p.argmax()), "confidence": round(float(p.max()), 4)} for p in detection.halves]
    return row


def picture_row(name: str, image: np.ndarray, found: list[TileDetection], ms: float) -> dict[str, Any]:
    """One picture as `detect --json` writes it."""
    height, width = image.shape[:2]
    return {"image": name, "width": width, "height": height, "ms": round(ms, 1), "tiles": [detection_row(d) for d in found]}


def _summary(row: dict[str, Any]) -> str:
    tiles = [t["tile"] for t in row["tiles"] if t["tile"]]
    others = [s for s in (TileState.FACE_DOWN, TileState.STANDING) if any(t["state"] == s for t in row["tiles"])]
    rest = "".join(f", {sum(t['state'] == s for t in row['tiles'])} {s.value.replace('_', ' ')}" for s in others)
    return f"{row['image']}: {' '.join(tiles) or 'no tile face up'}{rest} ({row['ms']:.0f} ms)"


def _open_output(file: Path | None) -> Any:
    if file is None:
        return None
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        return file.open("w", encoding="utf-8")
    except OSError as error:
        raise BadInput(f"expected to write {file}, found {error.strerror}; name another file") from error


def command(
    images: Annotated[list[Path], typer.Argument(help="Photographs or folders of them.", show_default=False)],
    json_out: Annotated[Path | None, typer.Option("--json", help="Write one JSON line a picture here.")] = None,
    min_confidence: Annotated[float, typer.Option(min=0.0, max=1.0, help="Tiles below this are not told.")] = 0.5,
    draw: Annotated[Path | None, typer.Option(help="Write annotated pictures into this folder.")] = None,
    runtime: Annotated[str, typer.Option(help="What runs the networks: onnxruntime, openvino or ncnn.")] = "onnxruntime",
    tile_px: Annotated[
        float | None,
        typer.Option(min=8.0, help="Length of a tile in the pictures, where it is known: quicker.", show_default=False),
    ] = None,
) -> None:
    """Find and read the tiles of photographs. No calibration is needed."""
    files = list_pictures(images)
    detector = Detector(runtime=runtime, tile_px=tile_px)
    out = _open_output(json_out)
    shown = track(files, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty() or len(files) < 2)
    for file in shown:
        image = read_picture(file)
        start = perf_counter()
        found = detector.detect(image, min_confidence)
        row = picture_row(str(file), image, found, (perf_counter() - start) * 1e3)
        if out is not None:
            out.write(json.dumps(row) + "\n")
            out.flush()
        else:
            print(_summary(row))
        if draw is not None:
            draw.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(draw / f"{file.stem}.jpg"), draw_detections(image, found))
    if out is not None:
        out.close()
