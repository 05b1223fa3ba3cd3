"""Calibration files: the minimal form, the four corners of the table top in a picture, and the full one of `calibration.stored`."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.fields import brief, numbers
from calibration.lens import Lens
from calibration.plane import TablePlane
from calibration.stored import Calibration, calibration_from_form, lens_from_form, tile_from_form
from calibration.trouble import Trouble
from rules.errors import BadInput

FORM = '{"image_size": [w, h], "table_mm": [w, h], "corners_px": [[x, y] x 4: SW, SE, NE, NW]}'


def load_calibration(path: str | Path) -> Calibration:
    """Read a calibration file, in the minimal or the full form.

    BadInput, one line, for a file that is missing or no JSON, for keys, counts or numbers that are wrong, for corners that make
    no convex four-sided table, for corners that run the wrong way round (a mirrored picture, or a wrong order), and for a full form
    that was changed since it was written.
    """
    form = read_json(Path(path))
    if isinstance(form, dict) and "homography" in form:
        return calibration_from_form(form, str(path))
    return Calibration(plane_from_form(form, str(path)), "corners")


def load_plane(path: str | Path) -> TablePlane:
    """The plane of a calibration file; BadInput as `load_calibration`."""
    return load_calibration(path).plane


def plane_from_form(form: Any, name: str = "calibration") -> TablePlane:
    """The plane of a minimal calibration already read; `name` stands in the error messages."""
    if not isinstance(form, dict):
        raise BadInput(f"{name}: expected {FORM}, found {type(form).__name__}; write the calibration in that form")
    missing = [key for key in ("image_size", "table_mm", "corners_px") if key not in form]
    if missing:
        raise BadInput(f"{name}: expected {FORM}, found no {', '.join(missing)}; add what is missing")
    width, height = numbers(form["image_size"], 2, f"{name}: image_size")
    table = numbers(form["table_mm"], 2, f"{name}: table_mm")
    if min(width, height) < 1 or min(table) <= 0:
        raise BadInput(
            f"{name}: expected sizes above 0, found image_size {form['image_size']} and table_mm {form['table_mm']}; correct them"
        )
    corners = _corners(form["corners_px"], name)
    lens = lens_from_form(form["lens"], f"{name}: lens") if form.get("lens") is not None else None
    plane = plane_from_corners(corners, (round(width), round(height)), (table[0], table[1]), name, lens)
    return replace(plane, tile_mm=tile_from_form(form, name))


def plane_from_corners(
    corners_px: np.ndarray,
    image_size: tuple[int, int],
    table_mm: tuple[float, float],
    name: str = "calibration",
    lens: Lens | None = None,
    is_mirrored: bool = False,
) -> TablePlane:
    """The plane with corners_px (4x2: SW, SE, NE, NW) as the corners of a table top of table_mm; BadInput as `load_plane`.

    is_mirrored: whether the picture is known to show the table as a mirror does; its corners then run clockwise as seen.
    """
    check_corners(corners_px, name, is_mirrored)
    straight = corners_px if lens is None else lens.undistort(corners_px)
    half_w, half_h = table_mm[0] / 2, table_mm[1] / 2
    corners_mm = np.array([[-half_w, -half_h], [half_w, -half_h], [half_w, half_h], [-half_w, half_h]], dtype=np.float32)
    homography = cv2.getPerspectiveTransform(straight.astype(np.float32), corners_mm)
    return TablePlane(np.asarray(homography, dtype=np.float64), image_size, table_mm, lens=lens)


def check_corners(corners_px: np.ndarray, name: str, is_mirrored: bool) -> None:
    """Trouble unless corners are convex and run counter-clockwise as seen from above: so SW, SE, NE, NW do where nothing is mirrored."""
    sides = np.roll(corners_px, -1, axis=0) - corners_px
    following = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0]
    if not (np.all(turns > 1.0) or np.all(turns < -1.0)):
        raise Trouble(
            "corners_crossed",
            f"{name}: expected corners_px that make a convex table top, found {corners_px.tolist()}; "
            "mark SW, SE, NE, NW in that order",
        )
    is_clockwise = bool(turns[0] > 0)  # y runs down in a picture, so a positive turn is clockwise to the eye
    if is_clockwise and not is_mirrored:
        raise Trouble(
            "corners_clockwise",
            f"{name}: expected corners SW, SE, NE, NW to run counter-clockwise as seen, found them clockwise: the picture is "
            "mirrored or the order is wrong; switch the camera's flip off or reorder the corners",
        )
    if is_mirrored and not is_clockwise:
        raise Trouble(
            "corners_not_mirrored",
            f"{name}: expected corners SW, SE, NE, NW of a mirrored picture to run clockwise as seen, found them "
            "counter-clockwise; reorder the corners",
        )


def _corners(value: Any, name: str) -> np.ndarray:
    if not isinstance(value, list | tuple) or len(value) != 4:
        raise BadInput(f"{name}: expected corners_px with 4 points, found {brief(value)}; mark SW, SE, NE, NW")
    return np.array([numbers(point, 2, f"{name}: corners_px point") for point in value], dtype=np.float64)


def read_json(path: Path) -> Any:
    """The JSON of a calibration file; BadInput, one line, where there is none."""
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
