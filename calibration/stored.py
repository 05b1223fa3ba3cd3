"""A calibration on disk: JSON with a version and a hash over everything in it."""

from __future__ import annotations

import base64
import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.fields import brief, numbers, square
from calibration.lens import Lens
from calibration.plane import TILE_MM, TablePlane
from rules.errors import BadInput

SCHEMA = 1
METHODS = ("tags", "corners", "tiles")
REFERENCE_WIDTH = 640
REFERENCE_QUALITY = 92


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """A plane with how it was found. reference: the picture it was found in, BGR uint8, at most 640 pixels wide, so that a camera
    that moves later is noticed; None where nobody kept one."""

    plane: TablePlane
    method: str
    reference: np.ndarray | None = None

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ValueError(f"method must be one of {METHODS}, got {self.method!r}")


def calibration_to_form(calibration: Calibration) -> dict[str, Any]:
    """The calibration as JSON values; `sha256` is over all the others, sorted, without spaces.

    The minimal form is a part of it (corners_px), so that what reads only that one can use it wherever the lens does not matter.
    """
    plane = calibration.plane
    form: dict[str, Any] = {
        "schema": SCHEMA,
        "method": calibration.method,
        "image_size": list(plane.image_size),
        "table_mm": None if plane.table_mm is None else list(plane.table_mm),
        "corners_px": _corners_px(plane),
        "homography": plane.homography.tolist(),
        "lens": None if plane.lens is None else lens_to_form(plane.lens),
        "rms_mm": plane.rms_mm,
        "mirrored": plane.is_mirrored,
        "turned_deg": round(plane.turned_deg, 2),
        "reference_jpeg": None if calibration.reference is None else _packed(calibration.reference),
    }
    if plane.tile_mm != TILE_MM:
        form["tile_mm"] = list(plane.tile_mm)
    return {**form, "sha256": _digest(form)}


def calibration_from_form(form: dict[str, Any], name: str) -> Calibration:
    """The way back. BadInput, one line, for another schema, missing or wrong fields, and a hash that does not fit."""
    if form.get("schema") != SCHEMA:
        raise BadInput(f"{name}: expected schema {SCHEMA}, found {brief(form.get('schema'))}; calibrate again with this version")
    needed = ("method", "image_size", "table_mm", "homography", "lens", "rms_mm", "sha256")
    missing = [key for key in needed if key not in form]
    if missing:
        raise BadInput(f"{name}: expected a calibration, found no {', '.join(missing)}; calibrate again")
    if form["sha256"] != _digest({key: value for key, value in form.items() if key != "sha256"}):
        raise BadInput(f"{name}: expected the hash to fit, found a file that was changed by hand or is damaged; calibrate again")
    if form["method"] not in METHODS:
        raise BadInput(f"{name}: expected a method of {', '.join(METHODS)}, found {brief(form['method'])}; calibrate again")
    return Calibration(_plane(form, name), form["method"], _unpacked(form.get("reference_jpeg"), name))


def lens_to_form(lens: Lens) -> dict[str, Any]:
    """A lens as JSON values."""
    return {
        "image_size": list(lens.image_size),
        "camera_matrix": lens.camera_matrix.tolist(),
        "distortion": lens.distortion.tolist(),
        "rms_px": lens.rms_px,
    }


def lens_from_form(form: Any, name: str) -> Lens:
    """The way back; BadInput, one line, for missing or wrong fields."""
    if not isinstance(form, dict) or not {"image_size", "camera_matrix", "distortion"} <= form.keys():
        raise BadInput(
            f"{name}: expected a lens (image_size, camera_matrix, distortion), found {brief(form)}; calibrate it again"
        )
    matrix = square(form["camera_matrix"], f"{name}: camera_matrix")
    distortion = np.array(numbers(form["distortion"], 5, f"{name}: distortion"))
    if min(matrix[0, 0], matrix[1, 1]) <= 0:
        raise BadInput(
            f"{name}: expected focal lengths above 0 in camera_matrix, found {brief(form['camera_matrix'])}; correct it"
        )
    return Lens(matrix, distortion, _size(form, name), numbers([form.get("rms_px", 0.0)], 1, f"{name}: rms_px")[0])


def tile_from_form(form: dict[str, Any], name: str) -> tuple[float, float]:
    """`tile_mm`, length and width of the tiles, which a form may leave out; BadInput, one line, for what is no size."""
    if form.get("tile_mm") is None:
        return TILE_MM
    length, width = numbers(form["tile_mm"], 2, f"{name}: tile_mm")
    if not 0 < width < length:
        raise BadInput(f"{name}: expected tile_mm as length and width above 0, found {brief(form['tile_mm'])}; correct it")
    return length, width


def calibration_id(calibration: Calibration) -> str:
    """The hash of a calibration, hex."""
    return str(calibration_to_form(calibration)["sha256"])


def write_form(file: Path, form: dict[str, Any]) -> None:
    """Write JSON so that a crash leaves the old file or the new one whole. BadInput where it cannot be written."""
    draft = file.with_name(file.name + ".part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(json.dumps(form) + "\n", encoding="utf-8")
        os.replace(draft, file)
    except OSError as error:
        raise BadInput(f"expected to write {file}, found: {error.strerror}; name another file") from error


def reduced(picture: np.ndarray, width: int = REFERENCE_WIDTH) -> np.ndarray:
    """The picture at most so wide, same shape."""
    if picture.shape[1] <= width:
        return picture
    return cv2.resize(picture, (width, round(picture.shape[0] * width / picture.shape[1])), interpolation=cv2.INTER_AREA)


def _plane(form: dict[str, Any], name: str) -> TablePlane:
    homography = square(form["homography"], f"{name}: homography")
    if abs(np.linalg.det(homography)) < 1e-12:
        raise BadInput(f"{name}: expected a homography that can be turned round, found a flat one; calibrate again")
    table = None if form["table_mm"] is None else numbers(form["table_mm"], 2, f"{name}: table_mm")
    if table is not None and min(table) <= 0:
        raise BadInput(f"{name}: expected a table_mm above 0, found {form['table_mm']}; calibrate again")
    lens = None if form["lens"] is None else lens_from_form(form["lens"], f"{name}: lens")
    rms = numbers([form["rms_mm"]], 1, f"{name}: rms_mm")[0]
    size, table_mm = _size(form, name), None if table is None else (table[0], table[1])
    return TablePlane(homography, size, table_mm, rms, lens, tile_from_form(form, name))


def _size(form: dict[str, Any], name: str) -> tuple[int, int]:
    width, height = numbers(form["image_size"], 2, f"{name}: image_size")
    if min(width, height) < 1:
        raise BadInput(f"{name}: expected an image_size above 0, found {form['image_size']}; correct it")
    return round(width), round(height)


def _corners_px(plane: TablePlane) -> list[list[float]] | None:
    if plane.table_mm is None:
        return None
    corners = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * np.array(plane.table_mm) / 2
    return [[round(float(x), 3), round(float(y), 3)] for x, y in plane.mm_to_px(corners)]


def _digest(form: dict[str, Any]) -> str:
    text = json.dumps(form, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _packed(picture: np.ndarray) -> str:
    _, data = cv2.imencode(".jpg", reduced(picture), [cv2.IMWRITE_JPEG_QUALITY, REFERENCE_QUALITY])
    return base64.b64encode(data.tobytes()).decode("ascii")


def _unpacked(text: Any, name: str) -> np.ndarray | None:
    if text is None:
        return None
    try:
        picture = cv2.imdecode(np.frombuffer(base64.b64decode(text, validate=True), np.uint8), cv2.IMREAD_COLOR)
    except (ValueError, TypeError, cv2.error):
        picture = None
    if picture is None:
        raise BadInput(f"{name}: expected a JPEG picture in reference_jpeg, found none; calibrate again")
    return picture
