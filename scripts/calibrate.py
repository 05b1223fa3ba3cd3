"""`miron calibrate`: prints the sheets, finds the lens from pictures of the board, and the table in a still."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from calibration.charuco import lens_from_pictures
from calibration.corners import plane_from_corners, read_json
from calibration.lens import Lens
from calibration.plane import TablePlane
from calibration.sheets import calibration_sheets
from calibration.stored import Calibration, calibration_to_form, lens_from_form, lens_to_form, reduced, write_form
from calibration.tags import find_tags, plane_from_tags
from calibration.tiles import plane_from_tiles
from models.pictures import list_pictures, read_picture
from rules.errors import BadInput

FEW_TILES = 3  # fewer give a scale, but no plane to trust for a match
SURE = 0.9  # of a tile that the plane is taken from
POOR_MM = 4.0  # tiles whose corners are further off than this on average are none, or do not lie flat


def command(
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
    board: Annotated[
        Path | None, typer.Option(help="Find the lens from this folder of pictures of the board.", show_default=False)
    ] = None,
    print_to: Annotated[
        Path | None, typer.Option("--print", help="Write the sheets to print here, a PDF.", show_default=False)
    ] = None,
) -> None:
    """Calibrate the camera: where the table lies in its pictures, and what its lens does to them."""
    if sum(task is not None for task in (auto, board, print_to)) != 1:
        raise BadInput("expected one of --print FILE, --board FOLDER and --auto PICTURE, found none or several; see --help")
    if print_to is not None:
        _print(print_to)
    elif board is not None:
        _find_lens(board, out or Path("lens.json"))
    elif auto is not None:
        _find_table(auto, out or Path("calibration.json"), table, corners, lens)


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


def _find_table(file: Path, out: Path, table: str | None, corners: str | None, lens_file: Path | None) -> None:
    picture = read_picture(file)
    size = (picture.shape[1], picture.shape[0])
    table_mm = None if table is None else _table_mm(table)
    lens = None if lens_file is None else lens_from_form(read_json(lens_file), str(lens_file)).for_image(size)
    if corners is not None:
        if table_mm is None:
            raise BadInput("expected --table with --corners, found none; give the size of the table top, such as --table 920x920")
        method, plane = "corners", plane_from_corners(_corners_px(corners), size, table_mm, "--corners", lens)
    else:
        method, plane = _by_itself(picture, table_mm, lens)
    write_form(out, calibration_to_form(Calibration(plane, method, reduced(picture))))
    print(f"{_told(method, plane)}; written to {out}")


def _by_itself(picture: np.ndarray, table_mm: tuple[float, float] | None, lens: Lens | None) -> tuple[str, TablePlane]:
    """By the tags where there are any, for they know the seats; else by the tiles."""
    size = (picture.shape[1], picture.shape[0])
    seen = find_tags(picture)
    if seen.quads_px:
        return "tags", plane_from_tags(seen, size, table_mm, lens)
    quads = _tile_quads(picture)
    if len(quads) < FEW_TILES:
        raise BadInput(
            f"expected four corner tags or {FEW_TILES} tiles in the picture, found no tag and {len(quads)} "
            f"{'tile' if len(quads) == 1 else 'tiles'}; print the tags with --print, or lay some tiles flat"
        )
    plane = plane_from_tiles(quads, size, lens=lens)
    if plane.rms_mm > POOR_MM:
        raise BadInput(
            f"expected tiles of one size lying flat, found {len(quads)} that do not fit (rms {plane.rms_mm:.1f} mm); "
            "lay them flat and apart, or use the tags"
        )
    return "tiles", plane


def _tile_quads(picture: np.ndarray) -> np.ndarray:
    from models.detector import Detector
    from vision.detections import TileState

    flat = [d for d in Detector().detect(picture, 0.5) if d.state is not TileState.STANDING]
    sure = [d for d in flat if d.confidence >= SURE]
    return np.array([d.quad_px for d in (sure if len(sure) >= FEW_TILES else flat)]).reshape(-1, 4, 2)


def _told(method: str, plane: TablePlane) -> str:
    error = "nothing to check the error by" if method == "corners" else f"rms {plane.rms_mm:.2f} mm"
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
