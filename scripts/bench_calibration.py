"""`miron bench calibration`: how far each way of calibrating is off, on rendered tables seen by cameras of several sizes and tilts."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import cv2
import numpy as np
import typer

from calibration.charuco import SQUARE_MM, SQUARES, board, lens_from_pictures
from calibration.corners import plane_from_corners
from calibration.lens import Lens
from calibration.plane import TablePlane
from calibration.tags import DICTIONARY, MARGIN_MM, TAG_MM, find_tags, plane_from_tags, tag_places_mm
from calibration.tiles import plane_from_tiles, table_by_tiles_mm, tiles_off_mm
from rules.errors import BadInput
from scripts.bench_table import show_columns
from scripts.calibrate import tile_quads

if TYPE_CHECKING:
    from models.training.scene import SceneTile

TABLE_MM = (920.0, 880.0)
SIZES = ((640, 480), (1280, 720), (1280, 960), (1920, 1080))
TILTS_DEG = (0.0, 8.0, 16.0, 25.0)
LENS_SIZES = ((640, 480), (1280, 960))
MARGIN = 1.2  # of the table's height that the picture shows, from straight above; more when tilted
MARK_SD_PX = 1.0  # of a person's marks
CORNERS_MM = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * np.array(TABLE_MM) / 2
GRID_MM = np.stack(np.meshgrid(np.linspace(-1, 1, 9), np.linspace(-1, 1, 9)), axis=-1).reshape(-1, 2) * np.array(TABLE_MM) / 2
LENSES = {
    "straight": (0.0, 0.0, 0.0, 0.0, 0.0),
    "mild": (-0.08, 0.01, 0.0, 0.0, 0.0),
    "wide": (-0.28, 0.09, 0.001, -0.0015, -0.01),
}
BOARDS = 10


def measure(
    scenes: Annotated[int, typer.Option(min=1, help="Tables a size of picture and a tilt of the camera.")] = 3,
    seed: Annotated[int, typer.Option(help="Of the tables.")] = 0,
) -> None:
    """Millimetres that points of the table are off, by way of calibration; needs no training environment."""
    for name, kinds in (("size", SIZES), ("tilt", TILTS_DEG)):
        _show(name, {kind: _measured(name, kind, scenes, seed) for kind in kinds})
    for size in LENS_SIZES:
        rows: dict[str, dict[str, float]] = {}
        for lens, distortion in LENSES.items():
            for what, value in lens_found(size, distortion, BOARDS, seed).items():
                rows.setdefault(what, {})[lens] = value
        show_columns(f"the lens from {BOARDS} pictures of the board, {size[0]}x{size[1]}", list(LENSES), rows)


def _measured(name: str, kind: Any, scenes: int, seed: int) -> list[dict[str, float]]:
    size, tilt = (kind, 8.0) if name == "size" else ((1280, 960), kind)
    return [one_table(size, tilt, seed + n) for n in range(scenes)]


def one_table(size: tuple[int, int], tilt_deg: float, seed: int) -> dict[str, float]:
    """One table, photographed scattered and heaped; the figures by name, those left out that could not be had."""
    found: dict[str, float] = {}
    rng = np.random.default_rng(seed)
    picture, truth = photograph("scattered", size, tilt_deg, seed)
    with contextlib.suppress(BadInput):
        plane = plane_from_tags(find_tags(picture), size, TABLE_MM)
        found |= {"tags: worst mm": worst_mm(plane, truth), "tags: told mm": plane.rms_mm}
    with contextlib.suppress(BadInput):
        plane = plane_from_tags(find_tags(picture), size)
        assert plane.table_mm is not None
        found["tags: table's size, % off"] = max(abs(m / t - 1) for m, t in zip(plane.table_mm, TABLE_MM, strict=True)) * 100
    quads = tile_quads(picture)
    marks = truth.mm_to_px(CORNERS_MM) + rng.normal(0, MARK_SD_PX, (4, 2))
    plane = plane_from_corners(marks, size, TABLE_MM)
    found["marks, 1 px: worst mm"] = worst_mm(plane, truth)
    found |= {"marks, 1 px: told by tiles mm": tiles_off_mm(plane, quads) or 0.0} if len(quads) else {}
    found |= {f"scattered tiles: {what}": value for what, value in by_tiles(quads, truth).items()}
    if len(quads):
        size_mm = table_by_tiles_mm(truth.mm_to_px(CORNERS_MM), plane_from_tiles(quads, size))
        found["scattered tiles: table's size, % off"] = max(abs(m / t - 1) for m, t in zip(size_mm, TABLE_MM, strict=True)) * 100
    heaped, truth = photograph("heap", size, tilt_deg, seed)
    return found | {f"heap of tiles: {what}": value for what, value in by_tiles(tile_quads(heaped), truth).items()}


def by_tiles(quads: np.ndarray, truth: TablePlane) -> dict[str, float]:
    """How well tiles give the plane: its scale, and its shape when turned, shifted and scaled to fit best."""
    if len(quads) < 3:
        return {}
    plane = plane_from_tiles(quads, truth.image_size)
    seen = plane.px_to_mm(truth.mm_to_px(GRID_MM))
    a, b = (points[:, 0] + 1j * points[:, 1] for points in (seen - seen.mean(axis=0), GRID_MM))
    similarity = np.vdot(a, b) / np.vdot(a, a)
    return {
        "found": len(quads),
        "scale, % off": abs(abs(similarity) - 1) * 100,
        "shape, worst mm": float(np.abs(similarity * a - b).max()),
        "told mm": plane.rms_mm,
    }


def worst_mm(plane: TablePlane, truth: TablePlane) -> float:
    """How far the worst point of the table is off."""
    return float(np.linalg.norm(plane.px_to_mm(truth.mm_to_px(GRID_MM)) - GRID_MM, axis=1).max())


def photograph(layout: str, size: tuple[int, int], tilt_deg: float, seed: int) -> tuple[np.ndarray, TablePlane]:
    """A rendered table (BGR) with its four tags and tiles laid `scattered` or as a `heap`, and where it truly lies."""
    from models.training.compositor import render
    from models.training.scene import Camera, Light, Scene, Sensor, Table
    from models.training.variety import random_style

    rng = np.random.default_rng([seed, len(layout)])
    style = random_style(rng)
    tiles = tuple(_laid(layout, rng, style.thickness_mm))
    roll, azimuth = float(rng.uniform(-8, 8)), float(rng.uniform(0, 360))
    shown_mm = TABLE_MM[1] * (MARGIN + 0.008 * tilt_deg)
    camera = Camera(size, shown_mm / size[1], tilt_deg=tilt_deg, azimuth_deg=azimuth, roll_deg=roll - azimuth)
    light = Light((0.25, 0.35, 0.9), shadow=0.45)
    cloth = Table("cloth", (0.07, 0.17, 0.05), (0.11, 0.24, 0.08), 20.0, 5)
    picture = render(
        Scene(seed, style, tiles, camera, light, cloth, Sensor(exposure=0.9, noise=0.008, blur_px=0.5, jpeg=90))
    ).image
    corners = camera.project(np.column_stack([CORNERS_MM, np.zeros(4)]))
    homography, _ = cv2.findHomography(corners, CORNERS_MM)
    truth = TablePlane(np.asarray(homography), size, TABLE_MM)
    return lay_tags(picture, truth, rng), truth


def _laid(layout: str, rng: np.random.Generator, thickness_mm: float) -> Iterator[SceneTile]:
    """All 28 tiles, a third of them face down: `scattered` over the table, or pushed together to a `heap`, some on top of others."""
    from models.training.scene import SceneTile
    from vision.detections import TileState

    middles = np.zeros((0, 2))
    for high in range(7):
        for low in range(high + 1):
            while True:
                spot = rng.uniform(-1, 1, 2) * (360.0, 340.0) if layout == "scattered" else rng.normal(0, 110.0, 2)
                near = np.hypot(*(middles - spot).T).min(initial=1e3)
                if near > (62.0 if layout == "scattered" else 26.0):
                    break
            middles = np.vstack([middles, spot])
            state = TileState.FACE_DOWN if rng.random() < 0.33 else TileState.FACE_UP
            z = thickness_mm if near < 38.0 else 0.0
            yield SceneTile((low, high), float(spot[0]), float(spot[1]), float(rng.uniform(0, 360)), state, z)


def lay_tags(picture: np.ndarray, truth: TablePlane, rng: np.random.Generator) -> np.ndarray:
    """The four cards, laid into the corners of a picture that has been rendered, with the blur and noise of its sensor."""
    cell, half = 24, TAG_MM / 2 + MARGIN_MM
    out = picture.astype(np.float32)
    for tag, corners in enumerate(tag_places_mm(TABLE_MM)):
        marker = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(DICTIONARY), tag, 8 * cell)
        card = np.pad(marker, round(MARGIN_MM / TAG_MM * 8 * cell), constant_values=235).clip(18, 235)
        middle = corners.mean(axis=0)
        rim = truth.mm_to_px(middle + np.array([[-half, half], [half, half], [half, -half], [-half, -half]]))
        side = card.shape[0] - 0.5
        onto = cv2.getPerspectiveTransform(
            np.array([[-0.5, -0.5], [side, -0.5], [side, side], [-0.5, side]], np.float32), rim.astype(np.float32)
        )
        many = np.diag([4.0, 4.0, 1.0]) @ onto  # drawn four times as large, so that an edge between pixels shows as one
        many[:2] += 1.5 * many[2]
        width, height = truth.image_size
        seen, there = (
            cv2.resize(
                cv2.warpPerspective(layer, many, (4 * width, 4 * height), flags=cv2.INTER_LINEAR),
                (width, height),
                interpolation=cv2.INTER_AREA,
            )
            for layer in (card, np.full_like(card, 255))
        )
        share = cv2.GaussianBlur(there, (0, 0), 0.5)[..., None] / 255.0
        shown = cv2.GaussianBlur(seen, (0, 0), 0.5)[..., None].astype(np.float32)
        out = (out * (1 - share) + shown + rng.normal(0, 2.0, out.shape) * (share > 0.5)).astype(np.float32)
    return np.asarray(np.clip(out, 0, 255).astype(np.uint8))


def _show(name: str, measured: dict[Any, list[dict[str, float]]]) -> None:
    columns = ["x".join(map(str, kind)) if isinstance(kind, tuple) else f"{kind:g}°" for kind in measured]
    rows: dict[str, dict[str, float]] = {}
    for column, tables in zip(columns, measured.values(), strict=True):
        for what in dict.fromkeys(key for table in tables for key in table):
            values = [table[what] for table in tables if what in table]
            rows.setdefault(what, {})[column] = float(np.median(values))
        rows.setdefault("tables where the tags were found", {})[column] = sum("tags: worst mm" in table for table in tables)
    fixed = "the camera tilted by 8°" if name == "size" else "1280x960"
    show_columns(f"calibration, {fixed}; medians", columns, rows)


def lens_found(size: tuple[int, int], distortion: tuple[float, ...], pictures: int, seed: int) -> dict[str, float]:
    """The lens from rendered pictures of the board: how far focal length and straightened points are off."""
    true = Lens(
        np.array([[0.86 * size[0], 0, size[0] / 2 + 7], [0, 0.86 * size[0], size[1] / 2 - 5], [0, 0, 1.0]]),
        np.array(distortion),
        size,
    )
    rng = np.random.default_rng(seed)
    found = lens_from_pictures([_board_picture(true, rng) for _ in range(pictures)])
    grid = np.stack(np.meshgrid(np.linspace(0.03, 0.97, 9), np.linspace(0.03, 0.97, 9)), axis=-1).reshape(-1, 2) * size
    straight = (true.undistort(grid) - true.camera_matrix[:2, 2]) / true.camera_matrix[[0, 1], [0, 1]]
    again = found.distort(straight * found.camera_matrix[[0, 1], [0, 1]] + found.camera_matrix[:2, 2])
    # A shift of all is a turn of the camera, which the table's plane takes up.
    off = np.linalg.norm(again - grid - (again - grid).mean(axis=0), axis=1)
    return {
        "lens: told rms px": found.rms_px,
        "lens: focal length, % off": abs(found.camera_matrix[0, 0] / true.camera_matrix[0, 0] - 1) * 100,
        "lens: worst point, px": float(off.max()),
    }


def _board_picture(lens: Lens, rng: np.random.Generator) -> np.ndarray:
    """The board held before the camera, anyhow."""
    px_per_mm, edge = 6, 60
    width, height = (round(squares * SQUARE_MM * px_per_mm) for squares in SQUARES)
    texture = np.pad(board().generateImage((width, height), marginSize=0, borderBits=1), edge, constant_values=255)
    turn = (
        cv2.Rodrigues(np.radians([*rng.uniform(-30, 30, 2), 0.0]))[0]
        @ cv2.Rodrigues(np.radians([0.0, 0.0, rng.uniform(0, 360)]))[0]
    )
    reach = rng.uniform(300, 450)
    to_rays = np.column_stack([turn[:, 0], turn[:, 1], [*rng.uniform(-0.3, 0.3, 2) * reach, reach]])
    w, h = lens.image_size
    spots = np.stack(np.meshgrid(np.arange(w), np.arange(h)), axis=-1).reshape(-1, 2).astype(float)
    rays = (lens.undistort(spots) - lens.camera_matrix[:2, 2]) / lens.camera_matrix[[0, 1], [0, 1]]
    flat = np.column_stack([rays, np.ones(len(rays))]) @ np.linalg.inv(to_rays).T
    maps = (flat[:, :2] / flat[:, 2:]) * px_per_mm + np.array(texture.shape[::-1]) / 2 - 0.5
    x, y = (m.reshape(h, w).astype(np.float32) for m in maps.T)
    shown = cv2.remap(cv2.GaussianBlur(texture, (0, 0), 2.0), x, y, cv2.INTER_LINEAR, borderValue=100)
    noisy = cv2.GaussianBlur(shown.astype(np.float32), (0, 0), 0.6) + rng.normal(0, 2.5, shown.shape)
    return np.asarray(np.clip(noisy, 0, 255).astype(np.uint8))
