"""A film of a table for tests of the watching: rendered once, then noise, light, arms, tiles and the camera's own faults by OpenCV."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np

from calibration.corners import plane_from_corners
from calibration.tags import DICTIONARY, tag_places_mm
from models.training.compositor import render
from models.training.scene import Arm, Camera, Light, Scene, SceneTile, Sensor, Table, TileSetStyle

SIZE = (320, 240)
LARGE = (448, 336)  # what is rendered: the camera may turn without showing an end of the world
TABLE_MM = (920.0, 920.0)
TILES = tuple(SceneTile((n % 7, (2 * n + 1) % 7), -240.0 + 53 * n, 20.0 * (n % 2), 0.0 if n % 3 else 90.0) for n in range(10))
ARMS = (
    Arm((0.0, -1000.0), (30.0, -60.0), 62.0, (0.25, 0.35, 0.6), (0.5, 0.2, 0.1)),
    Arm((1000.0, 50.0), (-40.0, 30.0), 58.0, (0.12, 0.18, 0.3)),
    Arm((-100.0, 1000.0), (-30.0, 90.0), 66.0, (0.3, 0.4, 0.66), (0.1, 0.1, 0.1)),
    Arm((-1000.0, -80.0), (60.0, -20.0), 60.0, (0.4, 0.5, 0.75), (0.7, 0.7, 0.75)),
)
TOPS = {
    "cloth": Table("cloth", (0.07, 0.17, 0.05), (0.11, 0.24, 0.08), 20.0, 5, (460.0, 460.0)),
    "wood": Table("wood", (0.10, 0.2, 0.33), (0.06, 0.12, 0.2), 40.0, 4, (460.0, 460.0)),
    "laminate": Table("plain", (0.5, 0.55, 0.6), (0.55, 0.6, 0.62), 60.0, 7, (460.0, 460.0)),
}
CAMERA = Camera(LARGE, 1150.0 / SIZE[1], tilt_deg=4.0, azimuth_deg=15.0)


def plane():
    """The plane of the frames, from the corners of the table as the camera shows them."""
    corners_mm = np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]) * TABLE_MM[0] / 2
    corners_px = CAMERA.project(corners_mm) - (np.array(LARGE) - SIZE) / 2
    return plane_from_corners(corners_px, SIZE, TABLE_MM)


@cache
def scene(top="cloth", tags=True, tiles=0, arms=()):
    """A noiseless picture, LARGE: a table top, tags or none, so many tiles laid, arms by number."""
    sensor = Sensor(exposure=0.9, noise=0.0, blur_px=0.5, jpeg=95)
    shown = tuple(ARMS[n] for n in arms)
    everything = Scene(3, TileSetStyle(), TILES[:tiles], CAMERA, Light(shadow=0.45), TOPS[top], sensor, shown)
    picture = render(everything).image
    return _tagged(picture, render(replace(everything, tiles=(), arms=())).image) if tags else picture


def _tagged(picture, bare):
    """The tags lie under everything: they show wherever the picture is as the bare table."""
    laid = bare.copy()
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    for tag, corners in enumerate(tag_places_mm(TABLE_MM)):
        marker = cv2.aruco.generateImageMarker(dictionary, tag, 160)
        card = cv2.copyMakeBorder(marker, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=255)
        outer = corners.mean(axis=0) + (corners - corners.mean(axis=0)) * 1.5
        quad = CAMERA.project(np.column_stack([outer, np.zeros(4)])).astype(np.float32)
        matrix = cv2.getPerspectiveTransform(np.array([[0, 0], [240, 0], [240, 240], [0, 240]], np.float32), quad)
        mask = cv2.warpPerspective(np.full_like(card, 255), matrix, LARGE)
        shown = cv2.warpPerspective(cv2.GaussianBlur(card, (0, 0), 4.0), matrix, LARGE)
        laid[mask > 127] = (shown[mask > 127] * 0.9)[:, None].astype(np.uint8)
    bare_here = np.abs(picture.astype(int) - bare).max(axis=2, keepdims=True) < 12
    return np.where(bare_here, laid, picture)


def pose(turn_deg=0.0, shift_px=(0.0, 0.0), zoom=1.0):
    """3x3: where pixels of the frame lie after the camera has moved."""
    matrix = np.vstack([cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), turn_deg, zoom), [0, 0, 1]])
    matrix[:2, 2] += shift_px
    return matrix


def frame(picture, seed, move=None, light=1.0, gain=1.0, blur=0.0, shadow=None, noise=2.0):
    """One frame of SIZE. light: gamma; gain: of exposure; blur: sigma, px; shadow: where its edge runs, 0 left to 1 right."""
    inner = np.array([[1, 0, (SIZE[0] - LARGE[0]) / 2], [0, 1, (SIZE[1] - LARGE[1]) / 2], [0, 0, 1]])
    way = cv2.INTER_NEAREST if move is None else cv2.INTER_CUBIC
    out = cv2.warpPerspective(picture, inner if move is None else move @ inner, SIZE, flags=way).astype(np.float32)
    if shadow is not None:
        edge = 1 / (1 + np.exp(-(np.arange(SIZE[0]) - shadow * SIZE[0]) / 2.5))
        out *= (0.45 + 0.55 * edge)[None, :, None].astype(np.float32)
    if blur > 0:
        out = cv2.GaussianBlur(out, (0, 0), blur)
    out = 255 * (np.clip(out * gain, 0, 255) / 255).astype(np.float32) ** np.float32(light)
    grain = noise * np.random.default_rng(seed).standard_normal(out.shape, np.float32)
    return np.clip(out + grain, 0, 255).astype(np.uint8)
