"""The shaded renderer: real geometry under a lamp, the room and its reflections, drawn by OpenGL in software.

`render(scene)` has the signature of the quick renderer's and gives the same labels; `visible` is counted in a picture of tile numbers.
"""

from __future__ import annotations

import os

import cv2
import moderngl
import numpy as np

from models.training.compositor import Rendered, sense
from models.training.faces import PIP_LAYOUT
from models.training.scene import NOMINAL_LENGTH_MM, Scene, TileLabel, TileSetStyle, _pose, tile_box, top_quad_px
from models.training.shaded_arms import arm_instances
from models.training.shaded_ground import ground_mm, paint_ground, plan_of
from models.training.shaded_light import light_values, table_values
from models.training.shaded_props import solid_instances
from models.training.shaded_solids import Mesh, capsule_mesh, rounded_box, tile_instances, tile_mesh
from models.training.shaded_stage import Stage, stage
from models.training.sides import outline_mm

UNITS = {"ground": 0, "ground_at": 1, "plan": 2, "noise": 3, "shadow_map": 4, "shadow_heights": 5}
Thing = tuple[str, Mesh, np.ndarray]  # kind of program, mesh, instances
ROUNDED_OFF = 0.96  # share of an upper face's outline that is not lost to the rounding of its edge


def render(scene: Scene) -> Rendered:
    """Render a scene. Same scene, same picture (on one machine). Needs EGL: else BadInput."""
    rng = np.random.default_rng([scene.seed, 22])
    at_mm = ground_mm(scene.camera)
    ground, arms = paint_ground(scene, at_mm), arm_instances(scene)
    plan = plan_of(scene, at_mm, arms, rng)
    here = stage(os.getpid())
    for name, data in (("ground", ground), ("ground_at", at_mm)):
        here.texture(name, data).use(UNITS[name])
    here.texture("plan", plan.near, smooth=True).use(UNITS["plan"])
    light = light_values(scene, ground, rng)
    values = {**UNITS, **_camera(scene), **_style(scene.style), **light, **table_values(scene), "plan_box": plan.box_mm}
    things: list[Thing] = [
        ("tile", tile_mesh(scene.style), tile_instances(scene)),
        ("tile", rounded_box((1.0, 1.0, 1.0), 0.08, 0.06, 2, 2), solid_instances(scene.props)),
        ("arm", capsule_mesh(), arms),
    ]
    canvas, numbers = _draw(here, scene.camera.size_px, values, things)
    canvas = _veil(canvas * _vignette(scene))
    image = sense(canvas, scene, rng if scene.sensor.seed is None else np.random.default_rng(scene.sensor.seed))
    return Rendered(image, _labels(scene, numbers))


def _draw(here: Stage, size_px: tuple[int, int], values: dict[str, object], things: list[Thing]) -> tuple[np.ndarray, np.ndarray]:
    """The picture (HxWx3 linear BGR float32) and the number of the tile whose upper face each pixel shows (HxW, -1: none)."""
    many, one, numbers = here.buffers(size_px)
    for part, buffer in (("shadow", here.shadow_buffer), ("number", numbers), ("picture", many)):
        here.bind(part, values)
        buffer.use()
        here.context.enable_only(moderngl.DEPTH_TEST)
        here.context.depth_func = "<="
        buffer.clear(-1.0, -1.0, -1.0, 1.0)
        if part == "picture":
            here.compared.use(UNITS["shadow_map"])
            here.heights.use(UNITS["shadow_heights"])
        for kind, mesh, instances in things:
            here.draw(kind, part, mesh, instances)
    here.draw_ground()
    here.context.copy_framebuffer(one, many)
    width, height = size_px
    canvas = np.frombuffer(one.read(components=3, dtype="f2", alignment=1), np.float16).reshape(height, width, 3)
    number = np.frombuffer(numbers.read(components=1, dtype="f4", alignment=1), np.float32).reshape(height, width)
    return canvas.astype(np.float32), number.astype(np.int32)


def _camera(scene: Scene) -> dict[str, object]:
    camera = scene.camera
    focal, axes = _pose(camera)
    return {
        "axes": axes.T,  # OpenGL reads columns
        "centre": (*camera.centre_mm, 0.0),
        "lens": (focal, focal * camera.mm_per_px, camera.k1, camera.stretch),
        "picture": camera.size_px,
    }


def _style(style: TileSetStyle) -> dict[str, object]:
    width = style.width_mm
    groove = style.groove if style.back_body != style.body or style.groove > 0.6 else 0.0
    half_bar = {"bar": 0.5, "engraved": 0.4, "thin": 0.2, "none": 0.0}[style.divider] * style.divider_width
    masks = [sum(1 << (3 * (a + 1) + b + 1) for a, b in PIP_LAYOUT[n]) for n in range(7)]
    return {
        "size": (NOMINAL_LENGTH_MM, width, style.thickness_mm),
        "body": style.body,
        "back_body": style.back_body,
        "back_colour": style.back_colour,
        "divider_colour": style.divider_colour,
        "joint": (style.seam, groove),
        "logo": int(style.back == "logo"),
        "pip_colours": style.pip_colours,
        "pip_masks": np.array(masks),
        "pip": (style.pip_radius, style.pip_offset * style.ratio / 2, style.pip_offset * (-1 if style.mirrored else 1),
                style.pip_depth),
        "bar": (half_bar, style.divider_length / 2, 0.7, float(style.divider != "engraved")),
        "pin": style.pin,
        "skin": (0.56 - 0.44 * style.gloss, 0.6 * style.grain, style.wear, 0.02),
    }  # fmt: skip


def _vignette(scene: Scene) -> np.ndarray:
    """Share of the light that reaches each pixel through the lens, HxWx1."""
    width, height = scene.camera.size_px
    u, v = np.arange(width) / width - 0.5, np.arange(height) / height - 0.5
    fall: np.ndarray = 1 - scene.sensor.vignette * 2 * (u[None] ** 2 + v[:, None] ** 2)
    return np.maximum(fall, 0.05).astype(np.float32)[..., None]


def _veil(canvas: np.ndarray) -> np.ndarray:
    """Light of what is burnt out spreads in the lens."""
    over = np.maximum(canvas - 1, 0)
    if not over.any():
        return canvas
    small = cv2.resize(np.minimum(over, 20), None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    spread = 0.06 * cv2.GaussianBlur(small, (0, 0), 3) + 0.02 * cv2.GaussianBlur(small, (0, 0), 15)
    veiled: np.ndarray = canvas + cv2.resize(spread, canvas.shape[1::-1])
    return veiled


def _labels(scene: Scene, numbers: np.ndarray) -> tuple[TileLabel, ...]:
    """The labels of the tiles in the picture; visible: pixels that show against the area of the rounded outline."""
    counts = np.bincount(numbers[numbers >= 0].ravel(), minlength=len(scene.tiles))
    labels = []
    for i, tile in enumerate(scene.tiles):
        quad = top_quad_px(tile, scene)
        if (quad.max(axis=0) < 0).any() or (quad.min(axis=0) > np.array(scene.camera.size_px)).any():
            continue
        outline = scene.camera.project(tile_box(tile, scene.style).at(outline_mm(tile, scene), 1.0))
        area = max(float(abs(cv2.contourArea(outline.astype(np.float32)))), 1.0)
        labels.append(
            TileLabel(quad.astype(np.float32), tile.halves, tile.state, min(1.0, float(counts[i]) / (ROUNDED_OFF * area)))
        )
    return tuple(labels)
