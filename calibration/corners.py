"""The minimal calibration: the four corners of the table top in a picture, read from a JSON file."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.plane import TablePlane
from rules.errors import BadInput

FORM = '{"image_size": [w, h], "table_mm": [w, h], "corners_px": [[x, y] x 4: SW, SE, NE, NW]}'


def load_plane(path: str | Path) -> TablePlane:
    """Read a minimal calibration file.

    BadInput, one line, for a file that is missing or no JSON, for keys, counts or numbers that are wrong, for corners that make
    no convex four-sided table, and for corners that run the wrong way round (a mirrored picture, or a wrong order).
    """
    return plane_from_form(_read_json(Path(path)), str(path))


def plane_from_form(form: Any, name: str = "calibration") -> TablePlane:
    """The plane of a minimal calibration already read; `name` stands in the error messages."""
    if not isinstance(form, dict):
        raise BadInput(f"{name}: expected {FORM}, found {type(form).__name__}; write the calibration in that form")
    missing = [key for key in ("image_size", "table_mm", "corners_px") if key not in form]
    if missing:
        raise BadInput(f"{name}: expected {FORM}, found no {', '.join(missing)}; add what is missing")
    width, height = _numbers(form["image_size"], 2, f"{name}: image_size")
    table = _numbers(form["table_mm"], 2, f"{name}: table_mm")
    if min(width, height) < 1 or min(table) <= 0:
        raise BadInput(
            f"{name}: expected sizes above 0, found image_size {form['image_size']} and table_mm {form['table_mm']}; correct them"
        )
    corners = _corners(form["corners_px"], name)
    return plane_from_corners(corners, (round(width), round(height)), (table[0], table[1]), name)


def plane_from_corners(
    corners_px: np.ndarray, image_size: tuple[int, int], table_mm: tuple[float, float], name: str = "calibration"
) -> TablePlane:
    """The plane with corners_px (4x2: SW, SE, NE, NW) as the corners of a table top of table_mm; BadInput as `load_plane`."""
    _check_shape(corners_px, name)
    half_w, half_h = table_mm[0] / 2, table_mm[1] / 2
    corners_mm = np.array([[-half_w, -half_h], [half_w, -half_h], [half_w, half_h], [-half_w, half_h]], dtype=np.float32)
    homography = cv2.getPerspectiveTransform(corners_px.astype(np.float32), corners_mm)
    return TablePlane(np.asarray(homography, dtype=np.float64), image_size, table_mm)


def _check_shape(corners_px: np.ndarray, name: str) -> None:
    """Convex, and counter-clockwise as seen from above: that is how SW, SE, NE, NW run on any table that is not mirrored."""
    sides = np.roll(corners_px, -1, axis=0) - corners_px
    following = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0]
    if not (np.all(turns > 1.0) or np.all(turns < -1.0)):
        raise BadInput(
            f"{name}: expected corners_px that make a convex table top, found {corners_px.tolist()}; "
            "mark SW, SE, NE, NW in that order"
        )
    if turns[0] > 0:  # y runs down in a picture, so a positive turn is clockwise to the eye
        raise BadInput(
            f"{name}: expected corners SW, SE, NE, NW to run counter-clockwise as seen, found them clockwise: the picture is "
            "mirrored or the order is wrong; switch the camera's flip off or reorder the corners"
        )


def _corners(value: Any, name: str) -> np.ndarray:
    if not isinstance(value, list | tuple) or len(value) != 4:
        raise BadInput(f"{name}: expected corners_px with 4 points, found {_brief(value)}; mark SW, SE, NE, NW")
    return np.array([_numbers(point, 2, f"{name}: corners_px point") for point in value], dtype=np.float64)


def _numbers(value: Any, count: int, what: str) -> list[float]:
    good = isinstance(value, list | tuple) and len(value) == count
    if not good or not all(isinstance(v, int | float) and not isinstance(v, bool) and math.isfinite(v) for v in value):
        raise BadInput(f"{what}: expected {count} finite numbers, found {_brief(value)}; correct it")
    return [float(v) for v in value]


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadInput(f"{path}: expected a calibration file, found nothing there; check the path") from None
    except OSError as error:
        raise BadInput(f"{path}: expected a calibration file, could not read it ({error.strerror}); check the path") from None
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        reason = str(error).splitlines()[0]
        raise BadInput(
            f"{path}: expected JSON {FORM}, found something else ({reason}); write the calibration in that form"
        ) from None
