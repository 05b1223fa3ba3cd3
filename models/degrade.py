"""Worse versions of labelled pictures, to see what a reader bears: one strength each, the same for the same picture's name.

Lengths are shares of the median tile's length in the picture (of an eighteenth of the long side where it has no tile), light is linear.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from models.scoring import LabelledPicture, Outline

BLUR = 0.06  # sigma, tile lengths
DIM = 0.12  # of the light
DIM_NOISE = 4.0  # grey levels, that come with little light
NOISE = 22.0  # grey levels
JPEG_QUALITY = 12
TILT_DEG = 30.0
FIELD_DEG = 55.0  # of the long side, of the camera that is tilted
GLARE = (1.5, 1.2)  # radius in tile lengths, peak in units of full white
SHADOW = (0.25, 0.15)  # light that is left, width of the edge in tile lengths

Change = Callable[[np.ndarray, LabelledPicture, np.random.Generator], tuple[np.ndarray, LabelledPicture]]


def degrade(name: str, image: np.ndarray, truth: LabelledPicture) -> tuple[np.ndarray, LabelledPicture]:
    """The version `name` (a key of CHANGES) of a BGR uint8 picture, with the labels that hold there."""
    rng = np.random.default_rng(zlib.crc32(f"{name} {truth.image}".encode()))
    return CHANGES[name](image, truth, rng)


def _tile_px(image: np.ndarray, truth: LabelledPicture) -> float:
    lengths = [np.linalg.norm(t.quad_px[1] - t.quad_px[0]) for t in truth.tiles]
    return float(np.median(lengths)) if lengths else max(image.shape[:2]) / 18


def _light(image: np.ndarray) -> np.ndarray:
    return (image.astype(np.float32) / 255) ** 2.2


def _developed(light: np.ndarray) -> np.ndarray:
    return (np.clip(light, 0, 1) ** (1 / 2.2) * 255 + 0.5).astype(np.uint8)


def _grainy(image: np.ndarray, sigma: float, rng: np.random.Generator) -> np.ndarray:
    noise = rng.normal(0, sigma, image.shape).astype(np.float32)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def _blur(image: np.ndarray, truth: LabelledPicture, _: np.random.Generator) -> tuple[np.ndarray, LabelledPicture]:
    return cv2.GaussianBlur(image, (0, 0), BLUR * _tile_px(image, truth)), truth


def _dim(image: np.ndarray, truth: LabelledPicture, rng: np.random.Generator) -> tuple[np.ndarray, LabelledPicture]:
    return _grainy(_developed(_light(image) * DIM), DIM_NOISE, rng), truth


def _noise(image: np.ndarray, truth: LabelledPicture, rng: np.random.Generator) -> tuple[np.ndarray, LabelledPicture]:
    return _grainy(image, NOISE, rng), truth


def _jpeg(image: np.ndarray, truth: LabelledPicture, _: np.random.Generator) -> tuple[np.ndarray, LabelledPicture]:
    data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR)), truth


def _glare(image: np.ndarray, truth: LabelledPicture, rng: np.random.Generator) -> tuple[np.ndarray, LabelledPicture]:
    """A soft white patch beside the middle of a tile."""
    tile_px = _tile_px(image, truth)
    places = [t.quad_px.mean(axis=0) for t in truth.tiles] or [np.array(image.shape[1::-1]) / 2]
    x, y = places[rng.integers(len(places))] + rng.uniform(-0.8, 0.8, 2) * tile_px
    rows, columns = np.ogrid[: image.shape[0], : image.shape[1]]
    radius, peak = GLARE
    patch = peak * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * (radius * tile_px / 2) ** 2))
    return _developed(_light(image) + patch[..., None].astype(np.float32)), truth


def _shadow(image: np.ndarray, truth: LabelledPicture, rng: np.random.Generator) -> tuple[np.ndarray, LabelledPicture]:
    """Everything on one side of a line near the middle lies in shadow."""
    height, width = image.shape[:2]
    left, edge = SHADOW
    angle = rng.uniform(0, 2 * np.pi)
    centre = (np.array([width, height]) * rng.uniform(0.35, 0.65, 2)).astype(np.float32)
    rows, columns = np.ogrid[:height, :width]
    beyond = (columns - centre[0]) * np.cos(angle) + (rows - centre[1]) * np.sin(angle)
    share = 1 / (1 + np.exp(-np.clip(beyond / (edge * _tile_px(image, truth) / 4), -30, 30)))
    return _developed(_light(image) * (1 - (1 - left) * share)[..., None].astype(np.float32)), truth


def _tilt(image: np.ndarray, truth: LabelledPicture, rng: np.random.Generator) -> tuple[np.ndarray, LabelledPicture]:
    """The picture as a flat thing seen from TILT_DEG off the upright, from any side; the labels move along."""
    height, width = image.shape[:2]
    matrix = _tilted_view(width, height, rng.uniform(0, 2 * np.pi))
    seen = cv2.warpPerspective(image, matrix, (width, height), flags=cv2.INTER_AREA, borderValue=(114, 114, 114))

    def moved(outline: Outline) -> Outline:
        return replace(outline, quad_px=_through(matrix, outline.quad_px))

    def bounding(rectangle: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        x, y, w, h = rectangle
        corners = _through(matrix, np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], np.float32))
        low, size = corners.min(axis=0), np.ptp(corners, axis=0)
        return float(low[0]), float(low[1]), float(size[0]), float(size[1])

    tiles, partial = tuple(map(moved, truth.tiles)), tuple(map(moved, truth.partial))
    return seen, replace(truth, tiles=tiles, partial=partial, ignore=tuple(map(bounding, truth.ignore)))


def _through(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    return cv2.perspectiveTransform(points[None].astype(np.float64), matrix)[0].astype(np.float32)


def _tilted_view(width: int, height: int, azimuth: float) -> np.ndarray:
    """Homography (3x3) of a pinhole camera that turns about the picture's middle, scaled so that the whole picture stays in view."""
    focal = 0.5 * max(width, height) / np.tan(np.radians(FIELD_DEG) / 2)
    axis = np.array([np.cos(azimuth), np.sin(azimuth), 0.0]) * np.radians(TILT_DEG)
    turn = cv2.Rodrigues(axis)[0]
    flat = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 0]], float)
    placed = turn @ flat + np.array([[0, 0, 0], [0, 0, 0], [0, 0, focal]], float)
    seen = np.diag([focal, focal, 1.0]) @ placed
    corners = _through(seen, np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32))
    low, size = corners.min(axis=0), np.ptp(corners, axis=0)
    scale = min(width / size[0], height / size[1])
    shift = np.array([width, height]) / 2 - (low + size / 2) * scale
    return np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1]]) @ seen


CHANGES: dict[str, Change] = {
    "blur": _blur,
    "dim": _dim,
    "noise": _noise,
    "jpeg": _jpeg,
    "tilt": _tilt,
    "glare": _glare,
    "shadow": _shadow,
}
