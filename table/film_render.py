"""Pictures of a film. Of the table with its resting tiles only what changed is rendered; arms and the tile in a hand are laid over it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import cv2
import numpy as np

from models.training.compositor import render
from models.training.props import arm_shapes, fill
from models.training.scene import Arm, Scene, SceneTile, Table, top_quad_px
from table.film import Moment, Reach
from table.film_room import FilmRoom
from table.film_tables import TablePictures
from table.scenery import turned
from vision.detections import TileState

ARM_Z_MM = 45.0
ARM_START_MM = 1500.0
SPRITE_PX = 160  # of the small picture that a tile in a hand is cut from
NOISES = 7
KEPT = 3  # tables that were rendered last, for a film that goes back and forth between them
FLICKER = 0.006


class FilmRenderer:
    """Moments to BGR uint8 pictures. Same room, same moments, same pictures.

    shaded: the table by the shaded renderer, which draws all of it at every change.
    """

    def __init__(self, room: FilmRoom, seed: int, shaded: bool = False) -> None:
        self._room, self._seed, self._shaded = room, seed, shaded
        self._rng = np.random.default_rng([seed, 14])
        self._tables = None if shaded else TablePictures(self._scene(()))
        self._base: dict[tuple[SceneTile, ...], np.ndarray] = {}
        self._sprites: dict[tuple[int, int], np.ndarray] = {}
        width, height = room.room.camera.size_px
        sensor = room.room.sensor
        levels = 255 * sensor.noise * 0.35
        self._noise = [cv2.GaussianBlur(n, (0, 0), 0.6) for n in self._rng.normal(0, 1.6 * levels, (NOISES, height, width, 3))]
        self._noise = [n.astype(np.int16) for n in self._noise]

    def picture(self, moment: Moment, noisy: bool = True) -> np.ndarray:
        """The picture of one frame; noisy: with the sensor's noise and a slight flicker of the exposure."""
        image = self._table(moment.tiles)
        if moment.reaches:
            image = image.copy()
            arms = [self._arm(reach) for reach in moment.reaches]
            for arm in arms:
                self._shade(image, arm)
            if moment.held is not None:
                self._lay_sprite(image, moment.held)
            for arm, reach in zip(arms, moment.reaches, strict=True):
                self._draw(image, arm, reach)
        return self._sensed(image) if noisy else image

    def _table(self, tiles: tuple[SceneTile, ...]) -> np.ndarray:
        if tiles not in self._base:
            for old in list(self._base)[: 1 - KEPT]:
                del self._base[old]
            self._base[tiles] = self._tables.picture(tiles) if self._tables else _shaded(self._scene(tiles))
        return self._base[tiles]

    def _scene(self, tiles: tuple[SceneTile, ...]) -> Scene:
        room = self._room.room
        sensor = replace(room.sensor, noise=0.0, jpeg=100, seed=1)
        return Scene(self._seed, room.style, tiles, room.camera, room.light, room.table, sensor, props=self._room.props)

    def _sensed(self, image: np.ndarray) -> np.ndarray:
        noise = self._noise[int(self._rng.integers(NOISES))]
        noise = np.roll(noise, int(self._rng.integers(noise.shape[0])), axis=0)
        lit = cv2.convertScaleAbs(image, alpha=1 + FLICKER * float(self._rng.normal()))
        return np.asarray(cv2.add(lit, noise, dtype=cv2.CV_8U))

    # Arms

    def _arm(self, reach: Reach) -> list[tuple[np.ndarray, bool]]:
        """Outlines in mm with whether the sleeve covers them; a flat hand is wider."""
        start = turned(reach.seat, 170.0, -ARM_START_MM)
        width = self._room.arm_mm[reach.seat] * (1.12 if reach.flat else 1.0)
        sleeve = self._room.sleeves[reach.seat]
        return arm_shapes(Arm(start, reach.tip_mm, width, self._room.skins[reach.seat], sleeve))

    def _project(self, points: np.ndarray, z_mm: float) -> np.ndarray:
        return self._room.room.camera.project(np.column_stack([points, np.full(len(points), z_mm)]))

    def _shade(self, image: np.ndarray, arm: Sequence[tuple[np.ndarray, bool]]) -> None:
        """The shadow of an arm."""
        light = self._room.room.light
        lean = -np.array(light.direction[:2]) / max(light.direction[2], 0.25) * ARM_Z_MM
        mask = np.zeros(image.shape[:2], np.uint8)
        for shape, _ in arm:
            fill(mask, self._project(shape + lean, 0.0), 255)
        k = max(3, round(light.softness_mm / self._room.room.camera.mm_per_px)) | 1
        dark = cv2.blur(mask, (k, k)).astype(np.float32) * np.float32(light.shadow * 0.45 / 255)
        x, y, w, h = cv2.boundingRect((dark > 0).astype(np.uint8))
        part = image[y : y + h, x : x + w]
        part[:] = (part * (1 - dark[y : y + h, x : x + w, None])).astype(np.uint8)

    def _draw(self, image: np.ndarray, arm: Sequence[tuple[np.ndarray, bool]], reach: Reach) -> None:
        for shape, sleeved in arm:
            outline = self._project(shape, 12.0 if reach.flat else ARM_Z_MM)
            x0, y0 = np.maximum(np.floor(outline.min(axis=0)).astype(int) - 2, 0)
            x1, y1 = np.minimum(np.ceil(outline.max(axis=0)).astype(int) + 3, image.shape[1::-1])
            if x0 >= x1 or y0 >= y1:
                continue
            mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
            fill(mask, outline - (x0, y0), 255)
            sleeve = self._room.sleeves[reach.seat]
            colour = self._seen(sleeve if sleeved and sleeve is not None else self._room.skins[reach.seat])
            round_ = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3)
            shading = 0.72 + 0.3 * np.sqrt(round_ / max(1.0, float(round_.max())))
            alpha = cv2.blur(mask, (3, 3)).astype(np.float32)[..., None] / 255
            part = image[y0:y1, x0:x1]
            part[:] = np.clip(part * (1 - alpha) + colour * shading[..., None] * alpha, 0, 255).astype(np.uint8)

    def _seen(self, linear: tuple[float, float, float]) -> np.ndarray:
        """How a colour comes out of the camera under the room's light, BGR 0 to 255."""
        room = self._room.room
        lit = np.array(linear) * room.light.colour * (room.light.ambient + room.light.diffuse * room.light.direction[2])
        return np.asarray(np.clip(lit * room.sensor.exposure, 0, 1) ** (1 / room.sensor.gamma) * 255, np.float32)

    # The tile in a hand

    def _lay_sprite(self, image: np.ndarray, tile: SceneTile) -> None:
        if tile.halves not in self._sprites:
            self._sprites[tile.halves] = self._sprite(tile.halves)
        sprite = self._sprites[tile.halves]
        quad = top_quad_px(tile, self._scene(()))
        h, w = sprite.shape[:2]
        corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
        warp = partial(
            cv2.warpPerspective, M=cv2.getPerspectiveTransform(corners, quad.astype(np.float32)), dsize=image.shape[1::-1]
        )
        x, y, bw, bh = _around(quad, image.shape)
        alpha = warp(np.full((h, w), 255, np.uint8))[y : y + bh, x : x + bw, None].astype(np.float32) / 255
        part = image[y : y + bh, x : x + bw]
        part[:] = (part * (1 - alpha) + warp(sprite)[y : y + bh, x : x + bw] * alpha).astype(np.uint8)

    def _sprite(self, halves: tuple[int, int]) -> np.ndarray:
        """The upright face of a tile, half 0 at the left, cut from a small picture of it alone."""
        camera = self._room.room.camera
        focal = 0.5 * max(camera.size_px) / np.tan(np.radians(camera.fov_deg) / 2)
        scale = 1.5
        fov = float(np.degrees(2 * np.arctan(0.5 * SPRITE_PX / (focal * scale))))
        small = replace(camera, size_px=(SPRITE_PX, SPRITE_PX), fov_deg=fov, mm_per_px=camera.mm_per_px / scale)
        tile = SceneTile(halves, 0.0, 0.0, 0.0, TileState.FACE_UP)
        scene = replace(self._scene((tile,)), camera=small, table=Table(), props=())
        quad = top_quad_px(tile, scene).astype(np.float32)
        w = max(8, round(float(np.linalg.norm(quad[1] - quad[0]))))
        target = np.array([[0, 0], [w, 0], [w, w / 2], [0, w / 2]], np.float32)
        return np.asarray(cv2.warpPerspective(render(scene).image, cv2.getPerspectiveTransform(quad, target), (w, w // 2)))


def _shaded(scene: Scene) -> np.ndarray:
    from models.training import shaded  # needs OpenGL, which the rest does not

    return shaded.render(scene).image


def _around(quad: np.ndarray, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """x, y, width, height of the part of a picture that a quad covers."""
    x0, y0 = np.clip(np.floor(quad.min(axis=0)).astype(int) - 1, 0, (shape[1], shape[0]))
    x1, y1 = np.clip(np.ceil(quad.max(axis=0)).astype(int) + 2, 0, (shape[1], shape[0]))
    return int(x0), int(y0), int(x1 - x0), int(y1 - y0)
