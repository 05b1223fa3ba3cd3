"""The sides of a tile's box: layers of its body under the face, both faces of one that stands. Seams show where two colours meet."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from models.training.props import fill
from models.training.scene import Scene, SceneTile, TileBox, tile_box
from vision.detections import TileState

HIDDEN = -2  # in the owner map: a side, a hand or another tile covers what lay here
Colour = tuple[float, float, float]


def outline_mm(tile: SceneTile, scene: Scene) -> np.ndarray:
    """The outline of the tile's box from above with rounded corners, Nx2 mm."""
    c = tile_box(tile, scene.style).corners_mm
    r = scene.style.corner_radius * scene.style.width_mm if tile.state is not TileState.STANDING else 1.5
    out = []
    for k in range(4):
        corner, before, after = c[k], c[k - 1], c[(k + 1) % 4]
        ub, ua = (before - corner), (after - corner)
        ub, ua = ub / np.linalg.norm(ub), ua / np.linalg.norm(ua)
        for s in (0.0, 0.3, 0.7, 1.0):
            out.append(corner + r * ((1 - s) ** 2 * ub + s**2 * ua))
    return np.array(out)


def draw_sides(canvas: np.ndarray, owner: np.ndarray, tile: SceneTile, scene: Scene) -> None:
    """Draw all sides that the camera sees; the pixels that they cover are HIDDEN in the owner map."""
    box, outline = tile_box(tile, scene.style), outline_mm(tile, scene)
    for low, high, colour in _layers(tile, scene):
        ring = np.concatenate([box.at(outline, low), box.at(outline, high)])
        hull = cv2.convexHull(scene.camera.project(ring).astype(np.float32))[:, 0]
        fill(owner, hull, HIDDEN)
        fill(canvas, hull, _lit(colour, scene, np.array([0, 0, 0.4])))
        for k in range(4):
            for corners, tone in _parts(tile, box, scene, k, low, high, colour):
                quad = scene.camera.project(corners)
                if cv2.contourArea(quad.astype(np.float32), oriented=True) > 0:
                    fill(canvas, quad, _lit(tone, scene, _outward(box, tile, k)))


def _layers(tile: SceneTile, scene: Scene) -> list[tuple[float, float, Colour]]:
    """Levels from the bottom up with their colour: of one that lies, the seam runs around it."""
    style = scene.style
    if tile.state is TileState.STANDING or style.back_body == style.body:
        return [(0.0, 1.0, style.body)]
    groove = style.groove if style.groove > 0.2 else 0.0
    if tile.state is TileState.FACE_DOWN:
        low, high, seam = style.body, style.back_body, style.seam
    else:
        low, high, seam = style.back_body, style.body, 1 - style.seam
    layers = [(0.0, seam, low), (seam, 1.0, high)]
    return [layers[0], (seam - 0.03, seam + 0.03, _scaled(low, 1 - groove)), layers[1]] if groove else layers


def _parts(
    tile: SceneTile, box: TileBox, scene: Scene, k: int, low: float, high: float, colour: Colour
) -> Iterator[tuple[np.ndarray, Colour]]:
    """The straight part of side k (between corners k and k + 1), 4x3 mm, with its colour; ends of a standing tile in two colours."""
    style = scene.style
    a, b = box.corners_mm[k], box.corners_mm[(k + 1) % 4]
    inset = (b - a) * 0.06
    a, b = a + inset, b - inset
    if tile.state is not TileState.STANDING:
        yield _wall(box, a, b, low, high), colour
    elif k % 2 == 0:
        yield _wall(box, a, b, low, high), style.back_body if k == 0 else style.body
    else:  # side 1 runs from the back to the face, side 3 from the face to the back
        share = style.seam if k == 3 else 1 - style.seam
        middle = a + (b - a) * share
        first, second = (style.body, style.back_body) if k == 3 else (style.back_body, style.body)
        yield _wall(box, a, middle, low, high), first
        yield _wall(box, middle, b, low, high), second


def _wall(box: TileBox, a: np.ndarray, b: np.ndarray, low: float, high: float) -> np.ndarray:
    bottom, top = box.at(np.stack([a, b]), low), box.at(np.stack([a, b]), high)
    return np.stack([bottom[0], bottom[1], top[1], top[0]])


def _outward(box: TileBox, tile: SceneTile, k: int) -> np.ndarray:
    a, b = box.corners_mm[k], box.corners_mm[(k + 1) % 4]
    n = np.array([-(b - a)[1], (b - a)[0], 0.0])
    away: np.ndarray = (a + b) / 2 - np.array([tile.x_mm, tile.y_mm])
    return n / np.linalg.norm(n) * (1.0 if n[:2] @ away > 0 else -1.0)


def _scaled(colour: Colour, by: float) -> Colour:
    return (colour[0] * by, colour[1] * by, colour[2] * by)


def _lit(colour: Colour, scene: Scene, normal: np.ndarray) -> Colour:
    light = scene.light
    return _scaled(colour, light.ambient * 0.8 + light.diffuse * max(0.0, float(normal @ light.direction)))
