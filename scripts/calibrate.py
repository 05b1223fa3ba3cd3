"""`miron calibrate`: the wizard for a camera; prints the sheets, finds the lens from pictures of the board, and the table in a still."""

from __future__ import annotations

import functools
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from calibration.auto import FEW_TILES, find_table
from calibration.charuco import lens_from_pictures
from calibration.corners import plane_from_corners, read_json
from calibration.lens import Lens
from calibration.plane import TILE_MM, TablePlane
from calibration.sheets import calibration_sheets
from calibration.stored import Calibration, calibration_to_form, lens_from_form, lens_to_form, reduced, write_form
from calibration.tiles import tiles_off_mm
from models.pictures import list_pictures, read_picture
from rules.errors import BadInput

if TYPE_CHECKING:
    from models.detector import Detector

TILE_LIMITS_MM = (20.0, 150.0)
SURE = 0.9  # of a tile that the plane is taken from


def command(
    source: Annotated[
        str | None,
        typer.Argument(
            help="A camera (v4l2:0, picamera:0, rtsp://…), a video or a still: the wizard, in a browser.", show_default=False
        ),
    ] = None,
    auto: Annotated[
        Path | None, typer.Option(help="Find the table in this picture: by corner tags, else by tiles.", show_default=False)
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write the result here; calibration.json or lens.json unless told.", show_default=False)
    ] = None,
    table: Annotated[
        str | None, typer.Option(help="Size of the table top, millimetres west-east x south-north: 920x920.", show_default=False)
    ] = None,
    corners: Annotated[
        str | None,
        typer.Option(help='Corners of the table top in the picture, SW SE NE NW: "x,y x,y x,y x,y".', show_default=False),
    ] = None,
    lens: Annotated[Path | None, typer.Option(help="Take the lens of this file into account.", show_default=False)] = None,
    tile: Annotated[float, typer.Option(help="Length of a tile of the set, millimetres.")] = TILE_MM[0],
    board: Annotated[
        Path | None, typer.Option(help="Find the lens from this folder of pictures of the board.", show_default=False)
    ] = None,
    print_to: Annotated[
        Path | None, typer.Option("--print", help="Write the sheets to print here, a PDF.", show_default=False)
    ] = None,
    host: Annotated[
        str, typer.Option(help="Address that the wizard listens on; 0.0.0.0 for a machine without a screen.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port of the wizard; 0 takes a free one.")] = 0,
) -> None:
    """Calibrate the camera: where the table lies in its pictures, and what its lens does to them."""
    if sum(task is not None for task in (source, auto, board, print_to)) != 1:
        raise BadInput(
            "expected one of a camera or film, --print FILE, --board FOLDER and --auto PICTURE, found none or several; see --help"
        )
    if corners is not None and auto is None:
        raise BadInput("expected --corners with --auto PICTURE, found it without; in the wizard the corners are dragged")
    if not TILE_LIMITS_MM[0] <= tile <= TILE_LIMITS_MM[1]:
        raise BadInput(f"expected --tile from 20 to 150 mm, found {tile:g}; measure the long side of a tile")
    tile_mm = (tile, tile * TILE_MM[1] / TILE_MM[0])
    if source is not None:
        _lead_through(source, out or Path("calibration.json"), table, lens, tile_mm, (host, port))
    elif print_to is not None:
        _print(print_to)
    elif board is not None:
        _find_lens(board, out or Path("lens.json"))
    elif auto is not None:
        _find_table(auto, out or Path("calibration.json"), table, corners, lens, tile_mm)


def _lead_through(
    source: str, out: Path, table: str | None, lens_file: Path | None, tile_mm: tuple[float, float], at: tuple[str, int]
) -> None:
    from scripts.calibrate_wizard import walk_through

    table_mm = None if table is None else _table_mm(table)
    accepted = walk_through(source, tile_quads, out, table_mm, _lens(lens_file), tile_mm, at)
    print(f"{_told(accepted.method, accepted.plane)}; written to {out}")


def _print(file: Path) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(calibration_sheets())
    except OSError as error:
        raise BadInput(f"expected to write {file}, found: {error.strerror}; name another file") from error
    print(f"{file}: 2 pages, tags and board; print at 100 % and check the bar of 100 mm")


def _find_lens(folder: Path, out: Path) -> None:
    files = list_pictures([folder])
    found = lens_from_pictures([read_picture(file) for file in files], [file.name for file in files])
    write_form(out, lens_to_form(found))
    focal, k1 = found.camera_matrix[0, 0], found.distortion[0]
    print(f"lens: rms {found.rms_px:.2f} px, focal length {focal:.0f} px, k1 {k1:+.3f}; written to {out}")


def _find_table(
    file: Path, out: Path, table: str | None, corners: str | None, lens_file: Path | None, tile_mm: tuple[float, float]
) -> None:
    picture = read_picture(file)
    size = (picture.shape[1], picture.shape[0])
    table_mm = None if table is None else _table_mm(table)
    found = _lens(lens_file)
    lens = None if found is None else found.for_image(size)
    if corners is not None:
        if table_mm is None:
            raise BadInput("expected --table with --corners, found none; give the size of the table top, such as --table 920x920")
        plane = replace(plane_from_corners(_corners_px(corners), size, table_mm, "--corners", lens), tile_mm=tile_mm)
        method, plane = "corners", replace(plane, rms_mm=tiles_off_mm(plane, tile_quads(picture)) or 0.0)
    else:
        method, plane = find_table(picture, tile_quads, table_mm, lens, tile_mm=tile_mm)
    write_form(out, calibration_to_form(Calibration(plane, method, reduced(picture))))
    print(f"{_told(method, plane)}; written to {out}")


def _lens(file: Path | None) -> Lens | None:
    return None if file is None else lens_from_form(read_json(file), str(file))


def tile_quads(picture: np.ndarray) -> np.ndarray:
    """Nx4x2 px: the corners of the tiles lying flat in a BGR picture, the sure ones alone where there are enough of them."""
    from vision.detections import TileState

    flat = [d for d in _detector().detect(picture, 0.5) if d.state is not TileState.STANDING]
    sure = [d for d in flat if d.confidence >= SURE]
    return np.array([d.quad_px for d in (sure if len(sure) >= FEW_TILES else flat)]).reshape(-1, 4, 2)


@functools.cache
def _detector() -> Detector:
    from models.detector import Detector

    return Detector()


def _told(method: str, plane: TablePlane) -> str:
    error = f"rms {plane.rms_mm:.2f} mm{' by the tiles' if method == 'corners' else ''}"
    if method == "corners" and plane.rms_mm == 0:
        error = "nothing to check the error by"
    if plane.table_mm is None:
        return f"{method}: {error}, seats unknown, mirrored unknown, turned unknown"
    width, height = plane.table_mm
    mirrored = "mirrored" if plane.is_mirrored else "not mirrored"
    seats = f"seats S {_side(plane, 0)}, E {_side(plane, 1)}, N {_side(plane, 2)}, W {_side(plane, 3)}"
    return f"{method}: {error}, table {width:g} x {height:g} mm, {seats}, {mirrored}, turned {plane.turned_deg:.0f}°"


def _side(plane: TablePlane, seat: int) -> str:
    """Where in the picture a seat sits."""
    assert plane.table_mm is not None
    half_width, half_height = plane.table_mm[0] / 2, plane.table_mm[1] / 2
    rim = np.array([[0.0, -half_height], [half_width, 0.0], [0.0, half_height], [-half_width, 0.0]])[seat]
    right, down = np.diff(plane.mm_to_px(np.array([[0.0, 0.0], rim])), axis=0)[0]
    if abs(right) > abs(down):
        return "right" if right > 0 else "left"
    return "below" if down > 0 else "above"


def _table_mm(text: str) -> tuple[float, float]:
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*[xX×]\s*(\d+(?:\.\d+)?)\s*", text)
    if found is None or min(map(float, found.groups())) < 200:
        raise BadInput(f"expected --table as WIDTHxHEIGHT in millimetres, found {text[:40]!r}; such as 920x920")
    return float(found[1]), float(found[2])


def _corners_px(text: str) -> np.ndarray:
    numbers = re.findall(r"-?\d+(?:\.\d+)?", text)
    if len(numbers) != 8 or re.sub(r"[-\d.,;\s]", "", text):
        raise BadInput(f'expected --corners as "x,y x,y x,y x,y", found {text[:60]!r}; mark SW, SE, NE, NW')
    return np.array(numbers, dtype=np.float64).reshape(4, 2)
