"""Pictures of tables whose tiles change one by one: only what changed is drawn again, as the quick renderer would draw it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from models.training.compositor import bare_table, draw_tiles, light_field, sense
from models.training.scene import Camera, Scene, SceneTile, tile_box

BLURS = 3.0  # standard deviations beyond which a blur is nothing
EDGE_PX = 4  # of antialiasing and of the lens


@dataclass(frozen=True, slots=True)
class Window(Camera):
    """A part of another camera's picture: `size_px` of it, from `left_px`, `top_px` on."""

    whole: Camera | None = None
    left_px: int = 0
    top_px: int = 0

    def project(self, points_mm: np.ndarray) -> np.ndarray:
        """Nx3 millimetres to Nx2 pixels of the part."""
        assert self.whole is not None
        return self.whole.project(points_mm) - (self.left_px, self.top_px)


Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels."""


class TablePictures:
    """BGR uint8 pictures of one room without noise. scene: everything but the tiles; its table must not shine."""

    def __init__(self, scene: Scene) -> None:
        self._scene = replace(scene, tiles=(), sensor=replace(scene.sensor, noise=0.0, jpeg=100))
        self._bare = bare_table(self._scene)
        self._light = np.ones_like(self._bare)
        light_field(self._light, self._scene, np.random.default_rng(scene.seed))
        self._tiles: frozenset[SceneTile] = frozenset()
        self._image: np.ndarray | None = None

    def picture(self, tiles: tuple[SceneTile, ...]) -> np.ndarray:
        """The table with these tiles."""
        width, height = self._scene.camera.size_px
        if self._image is None:
            self._image = self._drawn(tiles, (0, 0, width, height))
        else:
            changed = self._tiles ^ frozenset(tiles)
            if changed:
                self._image = self._redrawn(tiles, self._around(changed))
        self._tiles = frozenset(tiles)
        return self._image

    def _redrawn(self, tiles: tuple[SceneTile, ...], box: Box) -> np.ndarray:
        assert self._image is not None
        width, height = self._scene.camera.size_px
        if box[0] >= box[2] or box[1] >= box[3]:
            return self._image  # beyond the picture
        image, margin = self._image.copy(), self._reach_px()
        wide = (max(0, box[0] - margin), max(0, box[1] - margin), min(width, box[2] + margin), min(height, box[3] + margin))
        part = self._drawn(tiles, wide)
        left, top, right, bottom = box
        image[top:bottom, left:right] = part[top - wide[1] : bottom - wide[1], left - wide[0] : right - wide[0]]
        return image

    def _drawn(self, tiles: tuple[SceneTile, ...], box: Box) -> np.ndarray:
        left, top, right, bottom = box
        whole = self._scene.camera
        size = (right - left, bottom - top)
        window = Window(size, whole.mm_per_px, azimuth_deg=whole.azimuth_deg, whole=whole, left_px=left, top_px=top)
        scene = replace(self._scene, tiles=tiles, camera=window)
        canvas = self._bare[top:bottom, left:right].copy()
        draw_tiles(canvas, np.full(canvas.shape[:2], -1, np.int16), scene)
        canvas *= self._light[top:bottom, left:right]
        return sense(canvas, scene, np.random.default_rng(1))

    def _around(self, tiles: Collection[SceneTile]) -> Box:
        """All that tiles and their shadows touch."""
        scene, points = self._scene, []
        for tile in tiles:
            box = tile_box(tile, scene.style)
            lean = -np.array(scene.light.direction[:2]) / max(scene.light.direction[2], 0.25) * box.top_mm
            foot = box.at(box.corners_mm, 0.0)
            points += [foot, box.at(box.corners_mm, 1.0), foot + np.array([*(lean + box.shift_mm), -box.bottom_mm])]
        px, reach = scene.camera.project(np.concatenate(points)), self._reach_px()
        width, height = scene.camera.size_px
        low, high = np.floor(px.min(axis=0)).astype(int) - reach, np.ceil(px.max(axis=0)).astype(int) + reach
        left, top = np.clip(low, 0, (width, height))
        right, bottom = np.clip(high, 0, (width, height))
        return int(left), int(top), int(right), int(bottom)

    def _reach_px(self) -> int:
        """How far a change goes beyond the outlines: soft shadows and the lens."""
        shadow = max(0.5, self._scene.light.softness_mm / self._scene.camera.mm_per_px / 2)
        return int(np.ceil(BLURS * (shadow + self._scene.sensor.blur_px))) + EDGE_PX
