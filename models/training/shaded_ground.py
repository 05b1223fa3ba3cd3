"""The table under the shaded renderer: where each pixel meets it, what colour it has there, and the map of what is near it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from models.training.props import draw_prop, fill
from models.training.scene import Camera, Scene, _pose
from models.training.shaded_props import SOLIDS
from models.training.sides import outline_mm
from models.training.surfaces import paint_table
from vision.detections import TileState

PLAN_PX = 512
# Roughness, reflectance at right angles and bumps of what is not polished.
FINISHES = {
    "cloth": (1.0, 0.0, 0.25), "checks": (1.0, 0.0, 0.2), "stripes": (1.0, 0.0, 0.2), "leather": (0.5, 0.04, 0.2),
    "marble": (0.3, 0.04, 0.0), "tiles": (0.35, 0.04, 0.0), "wood": (0.55, 0.035, 0.05),
}  # fmt: skip


def ground_mm(camera: Camera) -> np.ndarray:
    """Where the ray of each pixel meets the table: HxWx2 mm, float32. Above the horizon: very far."""
    width, height = camera.size_px
    focal, axes = _pose(camera)
    x = (np.arange(width, dtype=np.float32)[None] - width / 2) / np.float32(camera.stretch * focal)
    y = (np.arange(height, dtype=np.float32)[:, None] - height / 2) / np.float32(-focal)
    undone = _undo(np.hypot(x, y), camera.k1)
    x, y = x * undone, y * undone
    right, up, out = axes.astype(np.float32).T
    distance = np.float32(focal * camera.mm_per_px)
    depth = out[2] * distance / np.maximum(out[2] - up[2] * y - right[2] * x, np.float32(0.05))
    at = [(right[k] * x + up[k] * y - out[k]) * depth + (out[k] * distance + camera.centre_mm[k]) for k in (0, 1)]
    return np.stack(at, axis=-1).astype(np.float32)


def _undo(bent: np.ndarray, k1: float) -> np.ndarray:
    """Share of a distance from the middle of the picture that is left without the lens's bend, by Newton's method."""
    r = bent.copy()
    for _ in range(4):
        r -= (r * (1 + k1 * r * r) - bent) / np.maximum(1 + 3 * k1 * r * r, 0.2)
    return np.where(bent > 1e-9, r / np.maximum(bent, 1e-9), 1.0)


def paint_ground(scene: Scene, at_mm: np.ndarray) -> np.ndarray:
    """Colour of the table with the flat things that lie on it, HxWx3 linear BGR float32."""
    canvas = np.ascontiguousarray(paint_table(scene.table, at_mm[..., 0], at_mm[..., 1]), np.float32)
    for prop in scene.props:
        if prop.kind not in SOLIDS:
            draw_prop(canvas, prop, scene.camera.project)
    return canvas


def polish(scene: Scene) -> tuple[float, float, float]:
    """Roughness, reflectance and bumps of the table."""
    rough, reflectance, bumps = FINISHES.get(scene.table.kind, (0.7, 0.03, 0.03))
    if scene.table.gloss > 0:
        return max(0.08, 0.45 - 0.6 * scene.table.gloss), 0.045, bumps * 0.3
    return rough, reflectance, bumps


@dataclass(frozen=True, slots=True)
class Plan:
    """A part of the table as a map. box_mm: left, bottom, width, height; near: PLAN_PX x PLAN_PX x 3 uint8.

    Channels of near: at the foot of a tile, under an arm, in the shade of something outside the picture.
    """

    box_mm: tuple[float, float, float, float]
    near: np.ndarray


def plan_of(scene: Scene, at_mm: np.ndarray, arms: np.ndarray, rng: np.random.Generator) -> Plan:
    """The map of what is near the table, over all that the picture shows (of an oblique view, the nearer part)."""
    reach = 1.6 * scene.camera.mm_per_px * max(scene.camera.size_px)
    seen = np.clip(at_mm[::16, ::16].reshape(-1, 2), -reach, reach)
    low, high = seen.min(axis=0) - 60, seen.max(axis=0) + 60
    scale = PLAN_PX / (high - low)

    def to_map(points_mm: np.ndarray) -> np.ndarray:
        return (points_mm[:, :2] - low) * scale - 0.5

    foot, arm, shade = (np.zeros((PLAN_PX, PLAN_PX), np.uint8) for _ in range(3))
    for tile in scene.tiles:
        tall = tile.state is TileState.STANDING
        fill(foot, to_map(outline_mm(tile, scene)), 255 if tall or tile.z_mm < 1 else 120)
    for ax, ay, _, ra, bx, by, _, rb, *_ in arms:
        a, b = (to_map(np.array([[ax, ay], [bx, by]])) * 16).astype(int).tolist()
        cv2.line(arm, a, b, 255, max(1, int((ra + rb) * scale[0])), cv2.LINE_AA, 4)
    if rng.random() < 0.15:
        middle = (low + high) / 2
        corners = (middle + rng.uniform(-1.4, 1.4, (5, 2)) * (high - low) / 2).astype(np.float32)
        fill(shade, to_map(cv2.convexHull(corners)[:, 0]), 255)
    blurs = ((foot, 5.0), (arm, 30.0), (shade, float(rng.choice([1.5, 8.0, 30.0]))))
    layers = [cv2.GaussianBlur(layer, (0, 0), sigmaX=mm * scale[0], sigmaY=mm * scale[1]) for layer, mm in blurs]
    return Plan((*low, *(high - low)), np.ascontiguousarray(np.dstack(layers)))  # type: ignore[arg-type]
