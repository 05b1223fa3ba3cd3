"""Meshes and poses of the shaded renderer: a tile as a rounded box, a plain box, a capsule; which way each tile of a scene is turned."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from models.training.scene import NOMINAL_LENGTH_MM, Scene, SceneTile, TileSetStyle, tile_box
from vision.detections import TileState

Mesh = tuple[np.ndarray, np.ndarray]
"""Vertices (NxK float32) and triangles (M int32, three to one)."""


def _outline(half: tuple[float, float], radius: float, parts: tuple[int, int], bend: int) -> tuple[np.ndarray, np.ndarray]:
    """A rounded rectangle as centres of its rounding (Nx2) and outward normals (Nx2); sides in parts, corners in `bend` steps.

    A lens bends straight edges, so they need points between their ends.
    """
    centres, normals = [], []
    inner = np.array(half) - radius
    for k in range(4):
        corner = inner * [(1, 1), (-1, 1), (-1, -1), (1, -1)][k]
        following = inner * [(-1, 1), (-1, -1), (1, -1), (1, 1)][k]
        for t in np.linspace(0, np.pi / 2, bend + 1):
            centres.append(corner)
            normals.append((np.cos(t + k * np.pi / 2), np.sin(t + k * np.pi / 2)))
        for t in np.linspace(0, 1, parts[k % 2], endpoint=False)[1:]:
            centres.append(corner + (following - corner) * t)
            normals.append(normals[-1])
    return np.array(centres), np.array(normals)


def rounded_box(size: tuple[float, float, float], radius: float, bevel: float, bend: int = 4, round_: int = 3) -> Mesh:
    """A box with rounded upright edges (radius) and rounded upper and lower edges (bevel), around the origin: position, normal."""
    bevel = max(min(bevel, radius, 0.45 * size[2]), 1e-3)
    centres, normals = _outline((size[0] / 2, size[1] / 2), radius, (4, 2), bend)
    flat = np.zeros(len(centres))
    rings = []

    def ring(level: float, inset: float, scale: float, lean: float) -> None:
        at = (centres + normals * (radius - inset)) * scale
        upright = np.sqrt(1 - lean * lean)
        rings.append(np.column_stack([at, flat + level, normals * upright, flat + lean]))

    for side in (-1.0, 1.0):
        top, steps = side * size[2] / 2, np.linspace(0, np.pi / 2, round_ + 1)
        rounding = [(top - side * bevel * (1 - np.sin(t)), bevel * (1 - np.cos(t)), 1.0, side * np.sin(t)) for t in steps]
        cap = [(top, bevel, scale, side) for scale in (0.6, 0.0)]
        for one in (rounding + cap)[:: int(side)]:
            ring(*one)
    return np.concatenate(rings).astype(np.float32), _between_rings(len(rings), len(centres))


def _between_rings(rings: int, points: int) -> np.ndarray:
    """Triangles between neighbouring closed rings of points."""
    ring, k = (a.ravel() for a in np.meshgrid(np.arange(rings - 1), np.arange(points), indexing="ij"))
    a, b = ring * points + k, ring * points + (k + 1) % points
    quads = np.stack([a, b, b + points, a, b + points, a + points], axis=1)
    return quads.ravel().astype(np.int32)


@lru_cache(maxsize=16)
def tile_mesh(style: TileSetStyle) -> Mesh:
    """A tile of a set in mm, along x, its face toward +z."""
    width = style.width_mm
    size = (NOMINAL_LENGTH_MM, width, style.thickness_mm)
    return rounded_box(size, style.corner_radius * width, style.bevel * width)


@lru_cache(maxsize=1)
def capsule_mesh() -> Mesh:
    """A capsule as share of the way, part along the axis and two parts across it."""
    turn = np.linspace(0, 2 * np.pi, 18, endpoint=False)
    bends = np.linspace(-np.pi / 2, 0, 5)
    rings = [(0.0, t) for t in bends] + [(s, 0.0) for s in (0.2, 0.4, 0.6, 0.8)] + [(1.0, -t) for t in bends[::-1]]
    points = [(way, np.sin(t), np.cos(t) * np.cos(a), np.cos(t) * np.sin(a)) for way, t in rings for a in turn]
    return np.array(points, np.float32), _between_rings(len(rings), len(turn))


def tile_axes(tile: SceneTile, style: TileSetStyle) -> np.ndarray:
    """Where the mesh of a tile lies: directions of its length, width and face, and its middle (4x3, mm; a lean is a shear)."""
    box = tile_box(tile, style)
    a = np.radians(tile.angle_deg)
    u, up = np.array([np.cos(a), np.sin(a), 0.0]), np.array([0.0, 0.0, 1.0])
    v = np.array([-u[1], u[0], 0.0])
    shift = np.array([*box.shift_mm, 0.0])
    middle = np.array([tile.x_mm, tile.y_mm, (box.bottom_mm + box.top_mm) / 2]) + shift / 2
    rise = up + shift / (box.top_mm - box.bottom_mm)
    if tile.state is TileState.FACE_UP:
        return np.stack([u, v, up, middle])
    if tile.state is TileState.FACE_DOWN:
        return np.stack([u, -v, -up, middle])
    return np.stack([-rise, u, -v, middle]) if tile.upright else np.stack([u, rise, -v, middle])


def tile_instances(scene: Scene) -> np.ndarray:
    """Axes (12), halves, seed and number of every tile, colour unused: Nx19."""
    rows = [
        (*tile_axes(tile, scene.style).ravel(), *tile.halves, (scene.seed % 97) + k, k, 0, 0, 0)
        for k, tile in enumerate(scene.tiles)
    ]
    return np.array(rows, np.float32).reshape(-1, 19)
