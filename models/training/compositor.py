"""The quick renderer: 2.5-D layers of shaded faces, sides, soft shadows, light field, sensor. About 0.05 s a picture of 320x320.

`render(scene)` gives the picture and its exact labels. Any renderer with this signature can take its place.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from models.training import faces
from models.training.props import arm_shapes, draw_prop, fill
from models.training.scene import Scene, SceneTile, TileBox, TileLabel, tile_box, top_quad_px
from models.training.sides import HIDDEN, draw_sides, outline_mm
from models.training.surfaces import paint_table
from vision.detections import TileState


@dataclass(frozen=True, slots=True)
class Rendered:
    """image: BGR uint8 HxWx3; labels: every tile whose top is inside the picture, hidden or not."""

    image: np.ndarray
    labels: tuple[TileLabel, ...]


def render(scene: Scene) -> Rendered:
    """Render a scene. Same scene, same picture."""
    rng = np.random.default_rng(scene.seed)
    canvas = bare_table(scene)
    owner = np.full(canvas.shape[:2], -1, np.int16)
    full = draw_tiles(canvas, owner, scene)
    for arm in scene.arms:
        _draw_arm(canvas, owner, arm, scene)
    light_field(canvas, scene, rng)
    image = sense(canvas, scene, rng if scene.sensor.seed is None else np.random.default_rng(scene.sensor.seed))
    return Rendered(image, _labels(scene, owner, full))


def bare_table(scene: Scene) -> np.ndarray:
    """The table with the flat things on it, evenly lit: HxWx3 linear BGR float32."""
    canvas = _table(scene)
    for prop in scene.props:
        draw_prop(canvas, prop, scene.camera.project)
    return canvas


def draw_tiles(canvas: np.ndarray, owner: np.ndarray, scene: Scene) -> np.ndarray:
    """Lay the tiles with their shadows on a canvas and mark their pixels in the owner map; gives the area of each face in px."""
    _cast_shadows(canvas, scene)
    full = np.zeros(len(scene.tiles))
    for i in _back_to_front(scene):
        full[i] = _draw_tile(canvas, owner, i, scene)
    return full


def _back_to_front(scene: Scene) -> list[int]:
    """Lower tiles first, then those farther from the camera, so that what stands in front covers what lies behind."""
    a = np.radians(scene.camera.azimuth_deg)
    away = np.array([-np.sin(a), np.cos(a)])
    return sorted(
        range(len(scene.tiles)), key=lambda i: (scene.tiles[i].z_mm, -away @ (scene.tiles[i].x_mm, scene.tiles[i].y_mm))
    )


def _table(scene: Scene) -> np.ndarray:
    width, height = scene.camera.size_px
    span = 2.2 * scene.camera.mm_per_px * max(width, height)
    plane = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * span / 4 + scene.camera.centre_mm
    px = scene.camera.project(np.column_stack([plane, np.zeros(4)]))
    back, _ = cv2.findHomography(px, plane)
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    w = back[2, 0] * xs + back[2, 1] * ys + back[2, 2]
    x = (back[0, 0] * xs + back[0, 1] * ys + back[0, 2]) / w
    y = (back[1, 0] * xs + back[1, 1] * ys + back[1, 2]) / w
    base = paint_table(scene.table, x.astype(np.float32), y.astype(np.float32))
    light = scene.light
    return np.ascontiguousarray(base * np.float32(light.ambient + light.diffuse * light.direction[2]), np.float32)


def _at(points_mm: np.ndarray, z_mm: float) -> np.ndarray:
    return np.column_stack([points_mm, np.full(len(points_mm), z_mm)])


def _cast_shadows(canvas: np.ndarray, scene: Scene) -> None:
    light = scene.light
    if light.shadow <= 0:
        return
    mask = np.zeros(canvas.shape[:2], np.uint8)
    lean = -np.array(light.direction[:2]) / max(light.direction[2], 0.25)
    for tile in scene.tiles:
        box = tile_box(tile, scene.style)
        outline = outline_mm(tile, scene)
        foot = np.concatenate([outline, outline + box.shift_mm + lean * box.top_mm])
        fill(mask, cv2.convexHull(scene.camera.project(_at(foot, 0)).astype(np.float32))[:, 0], 255)
    for arm in scene.arms:
        for shape, _ in arm_shapes(arm):
            fill(mask, scene.camera.project(_at(shape + lean * 60, 0)), 200)
    soft = max(0.5, light.softness_mm / scene.camera.mm_per_px / 2)
    blurred = cv2.GaussianBlur(mask, (0, 0), soft).astype(np.float32) / 255
    contact = cv2.GaussianBlur(mask, (0, 0), max(0.5, soft / 4)).astype(np.float32) / 255
    canvas *= (1 - light.shadow * (0.7 * blurred + 0.3 * contact))[..., None]


def _top(tile: SceneTile, scene: Scene, width_px: int) -> faces.FaceMaps:
    seed = (scene.seed * 31 + tile.halves[0] * 7 + tile.halves[1]) % 3
    if tile.state is TileState.FACE_UP:
        return faces.face_up(scene.style, tile.halves, width_px, seed)
    if tile.state is TileState.STANDING:
        return faces.edge(scene.style, tile.upright, width_px)
    return faces.back(scene.style, width_px, seed)


def _warp(canvas: np.ndarray, texture: np.ndarray, quad_px: np.ndarray, owner: np.ndarray | None, index: int) -> float:
    """Lay a shaded texture (HxWx4) on a quad; marks the owner of its pixels; gives the area of the quad in px."""
    height, width = texture.shape[:2]
    x0, y0 = np.floor(quad_px.min(axis=0)).astype(int) - 1
    x1, y1 = np.ceil(quad_px.max(axis=0)).astype(int) + 2
    area = float(abs(cv2.contourArea(quad_px.astype(np.float32))))
    cx0, cy0, cx1, cy1 = max(x0, 0), max(y0, 0), min(x1, canvas.shape[1]), min(y1, canvas.shape[0])
    if cx0 >= cx1 or cy0 >= cy1:
        return area
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    m = cv2.getPerspectiveTransform(source, (quad_px - [cx0, cy0]).astype(np.float32))
    part = cv2.warpPerspective(texture, m, (cx1 - cx0, cy1 - cy0), flags=cv2.INTER_LINEAR)
    alpha = part[..., 3:]
    view = canvas[cy0:cy1, cx0:cx1]
    view[:] = view * (1 - alpha) + part[..., :3] * alpha
    if owner is not None:
        owner[cy0:cy1, cx0:cx1][alpha[..., 0] > 0.5] = index
    return area


def _draw_tile(canvas: np.ndarray, owner: np.ndarray, index: int, scene: Scene) -> float:
    tile = scene.tiles[index]
    box = tile_box(tile, scene.style)
    quad = top_quad_px(tile, scene)
    if (quad.max(axis=0) < -40).any() or (quad.min(axis=0) > np.array(scene.camera.size_px) + 40).any():
        return 1.0
    draw_sides(canvas, owner, tile, scene)
    light = scene.light
    if tile.state is TileState.STANDING:
        _draw_standing(canvas, tile, scene, box)
    size = (np.linalg.norm(quad[0] - quad[3]) + np.linalg.norm(quad[1] - quad[2])) / 2
    width_px = int(np.clip(_texture_width(float(size)), 8, 320))
    maps = _top(tile, scene, width_px)
    texture = faces.shade(maps, tile.angle_deg, light.direction, light.ambient, light.diffuse)
    if light.glare > 0:
        _glare(texture, scene.seed + index, light.glare * scene.style.gloss)
    return _warp(canvas, texture, quad, owner, index)


def _texture_width(size_px: float) -> float:
    """Texture sizes come in steps of a third of an octave, so that faces are shared between tiles of nearly one size."""
    return float(2 ** (np.round(np.log2(max(size_px, 6.0)) * 3) / 3))


def _draw_standing(canvas: np.ndarray, tile: SceneTile, scene: Scene, box: TileBox) -> None:
    """The pip face of a standing tile, when the camera sees that side."""
    ends = box.corners_mm[[3, 2]]  # the side to the right of the facing direction
    top, bottom = box.at(ends, 1.0), box.at(ends, 0.0)
    around = [top[0], top[1], bottom[1], bottom[0]]
    if tile.upright:  # half 0 up
        around = [top[1], bottom[1], bottom[0], top[0]]
    quad = scene.camera.project(np.array(around))
    if cv2.contourArea(quad.astype(np.float32), oriented=True) <= 4:
        return
    size = np.linalg.norm(quad[1] - quad[0]) / scene.style.ratio
    maps = faces.face_up(scene.style, tile.halves, int(np.clip(_texture_width(float(size)), 8, 160)), 0)
    texture = faces.shade(maps, tile.angle_deg, (0.1, 0.3, 0.6), scene.light.ambient * 0.8, scene.light.diffuse * 0.6)
    _warp(canvas, texture, quad, None, 0)


def _glare(texture: np.ndarray, seed: int, strength: float) -> None:
    rng = np.random.default_rng(seed)
    height, width = texture.shape[:2]
    ys, xs = np.mgrid[0:height, 0:width]
    x, y = rng.uniform(-0.3, 1.3) * width, rng.uniform(-0.3, 1.3) * height
    spread = rng.uniform(0.15, 0.6) * height
    texture[..., :3] += (strength * np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * spread**2)))[..., None].astype(np.float32)


def _draw_arm(canvas: np.ndarray, owner: np.ndarray, arm: object, scene: Scene) -> None:
    for shape, sleeved in arm_shapes(arm):  # type: ignore[arg-type]
        outline = np.clip(np.nan_to_num(scene.camera.project(_at(shape, 40.0)), nan=-1e4), -1e4, 1e4)
        x0, y0 = np.maximum(np.floor(outline.min(axis=0)).astype(int) - 2, 0)
        x1, y1 = np.minimum(np.ceil(outline.max(axis=0)).astype(int) + 3, canvas.shape[1::-1])
        if x0 >= x1 or y0 >= y1:
            continue
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        fill(mask, outline - (x0, y0), 255)
        round_ = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3)
        shading = 0.55 + 0.5 * np.sqrt(round_ / max(1.0, float(round_.max())))
        colour = np.asarray(arm.sleeve if sleeved else arm.skin, np.float32)  # type: ignore[attr-defined]
        alpha, view = (mask.astype(np.float32) / 255)[..., None], canvas[y0:y1, x0:x1]
        view[:] = view * (1 - alpha) + colour * shading[..., None].astype(np.float32) * alpha
        owner[y0:y1, x0:x1][mask > 127] = HIDDEN


def light_field(canvas: np.ndarray, scene: Scene, rng: np.random.Generator) -> None:
    """Uneven light: a slope over the picture, a pool of light, shadow edges of things outside, a lamp mirrored in the table."""
    height, width = canvas.shape[:2]
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    u, v = xs / width - 0.5, ys / height - 0.5
    a = rng.uniform(0, 2 * np.pi)
    field = 1 + scene.light.falloff * (np.cos(a) * u + np.sin(a) * v)
    field *= 1 - scene.sensor.vignette * (u * u + v * v) * 2
    if scene.light.falloff > 0.5:
        x, y, s = rng.uniform(-0.4, 0.4), rng.uniform(-0.4, 0.4), rng.uniform(0.2, 0.6)
        field *= 0.5 + 0.8 * np.exp(-((u - x) ** 2 + (v - y) ** 2) / (2 * s * s))
    if rng.random() < 0.15:
        mask = np.zeros((height, width), np.float32)
        fill(mask, rng.uniform(-0.3, 1.3, (4, 2)) * [width, height], 1.0)
        field *= 1 - rng.uniform(0.2, 0.6) * cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.6, 12))
    canvas *= np.maximum(field, 0.05)[..., None]
    canvas *= np.asarray(scene.light.colour, np.float32)
    if scene.table.gloss > 0:
        x, y, s = rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), rng.uniform(0.05, 0.25)
        canvas += (scene.table.gloss * np.exp(-((u - x) ** 2 + (v - y) ** 2) / (2 * s * s)))[..., None]


def sense(canvas: np.ndarray, scene: Scene, rng: np.random.Generator) -> np.ndarray:
    """What the camera makes of linear light: blur, motion, noise, the curve of its greys, JPEG; BGR uint8."""
    sensor = scene.sensor
    if sensor.blur_px > 0.2:
        canvas = cv2.GaussianBlur(canvas, (0, 0), sensor.blur_px)
    if sensor.motion_px >= 1.5:
        n = int(np.ceil(sensor.motion_px)) | 1
        kernel = np.zeros((n, n), np.float32)
        d = np.array([np.cos(np.radians(sensor.motion_deg)), np.sin(np.radians(sensor.motion_deg))]) * n / 2
        c = np.array([n / 2, n / 2])
        cv2.line(kernel, tuple((c - d).astype(int).tolist()), tuple((c + d).astype(int).tolist()), 1.0, 1)
        canvas = cv2.filter2D(canvas, -1, kernel / kernel.sum())
    bright = np.clip(canvas * sensor.exposure, 0, None)
    noisy = bright + rng.normal(0, 1, bright.shape).astype(np.float32) * sensor.noise * np.sqrt(bright + 0.05)
    image = np.clip(noisy, 0, 1) ** (1 / sensor.gamma) * 255
    out: np.ndarray = image.astype(np.uint8)
    if sensor.grey:
        out = cv2.cvtColor(cv2.cvtColor(out, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    if sensor.jpeg < 95:
        out = _through_jpeg(out, sensor.jpeg)
    return out


def _through_jpeg(image: np.ndarray, quality: int) -> np.ndarray:
    decoded = cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
    assert decoded is not None
    return decoded


def _labels(scene: Scene, owner: np.ndarray, full: np.ndarray) -> tuple[TileLabel, ...]:
    counts = np.bincount(owner[owner >= 0].ravel(), minlength=len(scene.tiles))
    labels = []
    for i, tile in enumerate(scene.tiles):
        quad = top_quad_px(tile, scene)
        if (quad.max(axis=0) < 0).any() or (quad.min(axis=0) > np.array(scene.camera.size_px)).any():
            continue
        labels.append(
            TileLabel(quad.astype(np.float32), tile.halves, tile.state, float(min(1.0, counts[i] / max(full[i] * 0.96, 1))))
        )
    return tuple(labels)
