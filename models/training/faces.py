"""The face of a tile as material maps: colour, slope of the surface, gloss and outline. Shading happens in the renderer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from models.training.scene import TileSetStyle

# Pip positions in a half, in units of the pip offset; first along the tile, second across.
PIP_LAYOUT: dict[int, tuple[tuple[int, int], ...]] = {
    0: (),
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (0, -1), (1, -1), (-1, 1), (0, 1), (1, 1)),
}


@dataclass(frozen=True, slots=True)
class FaceMaps:
    """Maps of H x W pixels, half 0 at the left: albedo (HxWx3, linear BGR), slope (HxWx2: along, across), gloss, alpha (HxW)."""

    albedo: np.ndarray
    slope: np.ndarray
    gloss: np.ndarray
    alpha: np.ndarray


def _grid(style: TileSetStyle, width_px: int) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates in units of the tile's width, origin in the middle: along (x), across (y)."""
    length_px = round(width_px * style.ratio)
    x = (np.arange(length_px, dtype=np.float32) + 0.5) / width_px - style.ratio / 2
    y = (np.arange(width_px, dtype=np.float32) + 0.5) / width_px - 0.5
    return np.meshgrid(x, y)


def _outline(style: TileSetStyle, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Signed distance to the rounded outline, units of the width, positive inside."""
    r = style.corner_radius
    qx, qy = np.abs(x) - (style.ratio / 2 - r), np.abs(y) - (0.5 - r)
    outside = np.hypot(np.maximum(qx, 0), np.maximum(qy, 0))
    return r - outside - np.minimum(np.maximum(qx, qy), 0)


def _blank(
    style: TileSetStyle, width_px: int, seed: int, body: tuple[float, float, float]
) -> tuple[FaceMaps, np.ndarray, np.ndarray]:
    x, y = _grid(style, width_px)
    inside = _outline(style, x, y)
    rng = np.random.default_rng(seed)
    albedo = np.empty((*x.shape, 3), np.float32)
    albedo[:] = body
    stain = cv2.resize(rng.normal(0, 1, (5, 9)).astype(np.float32), x.shape[::-1], interpolation=cv2.INTER_CUBIC)
    albedo *= (1 + 0.02 * stain)[..., None]
    gy, gx = np.gradient(inside)
    edge = np.clip(1 - inside / max(style.bevel, 1e-3), 0, 1) ** 2
    slope = np.stack([-gx, -gy], axis=-1) * (edge * width_px * 1.2)[..., None]
    if style.grain:
        bumps = cv2.GaussianBlur(rng.normal(0, 1, x.shape).astype(np.float32), (0, 0), max(0.6, width_px / 60))
        by, bx = np.gradient(bumps)
        slope = slope + np.stack([bx, by], axis=-1) * style.grain * 3
    gloss = np.full(x.shape, style.gloss, np.float32)
    alpha = np.clip(inside * width_px + 0.5, 0, 1).astype(np.float32)
    return FaceMaps(albedo, slope.astype(np.float32), gloss, alpha), x, y


def _paint(maps: FaceMaps, mask: np.ndarray, colour: tuple[float, float, float], gloss: float | None = None) -> None:
    maps.albedo[:] = maps.albedo * (1 - mask[..., None]) + np.asarray(colour, np.float32) * mask[..., None]
    if gloss is not None:
        maps.gloss[:] = maps.gloss * (1 - mask) + gloss * mask


def _wear(maps: FaceMaps, style: TileSetStyle, seed: int, width_px: int) -> None:
    """Dirt in small spots; what is worn never hides a pip."""
    if not style.wear:
        return
    rng = np.random.default_rng(seed + 7)
    spots = cv2.GaussianBlur(rng.normal(0, 1, maps.alpha.shape).astype(np.float32), (0, 0), max(0.7, width_px / 30))
    spots = np.clip(spots / max(float(spots.std()), 1e-6) - 1.6, 0, 1)
    maps.albedo[:] *= (1 - style.wear * spots)[..., None]


def _pip(
    maps: FaceMaps, style: TileSetStyle, dx: np.ndarray, dy: np.ndarray, colour: tuple[float, float, float], width_px: int
) -> None:
    """One dip: a painted bowl whose wall leans inward."""
    r = np.hypot(dx, dy)
    mask = np.clip((style.pip_radius - r) * width_px + 0.5, 0, 1)
    _paint(maps, mask, colour, min(1.0, style.gloss * 1.5))
    lean = style.pip_depth * mask / max(style.pip_radius, 1e-3)
    maps.slope[..., 0] = maps.slope[..., 0] * (1 - mask) - lean * dx
    maps.slope[..., 1] = maps.slope[..., 1] * (1 - mask) - lean * dy


def _divider(maps: FaceMaps, style: TileSetStyle, x: np.ndarray, y: np.ndarray, width_px: int) -> None:
    if style.divider == "none":
        return
    half = {"bar": 0.5, "engraved": 0.4, "thin": 0.2}[style.divider] * style.divider_width
    mask = np.clip((half - np.abs(x)) * width_px + 0.5, 0, 1) * np.clip(
        (style.divider_length / 2 - np.abs(y)) * width_px + 0.5, 0, 1
    )
    colour = style.divider_colour if style.divider != "engraved" else tuple(0.6 * c for c in style.body)
    _paint(maps, mask, colour)  # type: ignore[arg-type]
    maps.slope[..., 0] -= 0.6 * mask * np.sign(x)


@lru_cache(maxsize=1024)
def face_up(style: TileSetStyle, halves: tuple[int, int], width_px: int, seed: int) -> FaceMaps:
    """The pip face, half 0 at the left. width_px: pixels across the tile."""
    maps, x, y = _blank(style, width_px, seed, style.body)
    _wear(maps, style, seed, width_px)
    _divider(maps, style, x, y, width_px)
    flip = -1 if style.mirrored else 1
    for side, number in ((-1, halves[0]), (1, halves[1])):
        for along, across in PIP_LAYOUT[number]:
            dx = x - side * style.ratio / 4 - along * style.pip_offset * style.ratio / 2
            dy = y - flip * across * style.pip_offset
            _pip(maps, style, dx, dy, style.pip_colours[number], width_px)
    if style.pin:
        r = np.hypot(x, y)
        mask = np.clip((style.pin - r) * width_px + 0.5, 0, 1)
        _paint(maps, mask, (0.25, 0.55, 0.7), 1.0)
        maps.slope[..., 0] += mask * x / style.pin * 0.8
        maps.slope[..., 1] += mask * y / style.pin * 0.8
    return maps


@lru_cache(maxsize=128)
def back(style: TileSetStyle, width_px: int, seed: int) -> FaceMaps:
    """The back of a tile: plain, dark, coloured or with a logo."""
    maps, x, y = _blank(style, width_px, seed, style.back_body)
    if style.back != "logo":
        return maps
    ring = np.abs(np.hypot(x / style.ratio * 1.6, y) - 0.3) < 0.04
    star = np.abs(np.sin(3 * np.arctan2(y, x))) * 0.25 > np.hypot(x, y)
    _paint(maps, cv2.GaussianBlur((ring | star).astype(np.float32), (0, 0), 0.7), style.back_colour)
    return maps


@lru_cache(maxsize=128)
def edge(style: TileSetStyle, upright: bool, width_px: int) -> FaceMaps:
    """The narrow side of a standing tile from above: the face's colour in the lower rows, the back's in the upper ones.

    width_px: pixels across the thickness.
    """
    ratio = (1.0 if upright else style.ratio) / style.thickness
    narrow = replace(
        style, ratio=ratio, corner_radius=min(0.35, 0.06 / style.thickness), bevel=min(0.4, style.bevel / style.thickness)
    )
    maps, _, y = _blank(narrow, width_px, 0, style.body)
    depth = 0.5 - y  # from the face
    _paint(maps, np.clip((depth - style.seam) * width_px + 0.5, 0, 1), style.back_body)
    if style.back_body != style.body or style.groove > 0.6:
        line = np.clip((0.02 - np.abs(depth - style.seam)) * width_px + 0.7, 0, 1)
        maps.albedo[:] *= (1 - style.groove * line)[..., None]
    return maps


def shade(maps: FaceMaps, angle_deg: float, light: tuple[float, float, float], ambient: float, diffuse: float) -> np.ndarray:
    """Lambert and a narrow highlight. HxWx4 float32: linear BGR and alpha. angle_deg turns the face on the table."""
    a = np.radians(angle_deg)
    lx, ly = light[0] * np.cos(a) + light[1] * np.sin(a), -light[0] * np.sin(a) + light[1] * np.cos(a)
    sx, sy = maps.slope[..., 0], -maps.slope[..., 1]  # rows run downward
    norm = 1 / np.sqrt(1 + sx * sx + sy * sy)
    facing = np.maximum(0, (sx * lx + sy * ly + light[2]) * norm)
    hx, hy, hz = lx, ly, light[2] + 1
    size = np.sqrt(hx * hx + hy * hy + hz * hz)
    shine = np.maximum(0, (sx * hx + sy * hy + hz) * norm / size) ** 40
    out = np.empty((*sx.shape, 4), np.float32)
    out[..., :3] = maps.albedo * (ambient + diffuse * facing)[..., None] + (0.35 * maps.gloss * shine)[..., None]
    out[..., 3] = maps.alpha
    return out
