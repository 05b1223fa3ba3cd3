"""What lights a shaded scene: the key lamp, the room, the rectangles that shine in polished surfaces, uneven light."""

from __future__ import annotations

import numpy as np

from models.training.scene import Scene, _pose
from models.training.shaded_ground import polish

Values = dict[str, object]


def light_values(scene: Scene, ground: np.ndarray, rng: np.random.Generator) -> Values:
    """Uniforms of the light. A level white surface gets as much as in the quick renderer; `shadow` is the lamp's share of it."""
    light = scene.light
    white = np.asarray(light.colour)
    total = light.ambient + light.diffuse * light.direction[2]
    tint = 1 + rng.normal(0, 0.06) * np.array([1.0, 0.0, -1.0])  # the lamp and the room differ a little in colour
    key = white * tint * total * light.shadow / max(light.direction[2], 0.25)
    fill = white / tint * total * (1 - light.shadow)
    focal, axes = _pose(scene.camera)
    eye = np.array([*scene.camera.centre_mm, 0.0]) + axes[:, 2] * focal * scene.camera.mm_per_px
    mean = ground[::8, ::8].mean(axis=(0, 1))
    return {
        "lamp": light.direction,
        "key": key,
        "fill": fill,
        "eye": eye,
        "bounce": mean * (fill + key * light.direction[2]),
        "softness": light.softness_mm,
        "lamp_slope": np.array(light.direction[:2]) / max(light.direction[2], 0.25),
        **_panels(scene, fill + 0.5 * key, eye, rng),
        **_uneven(scene, rng),
    }


def _panels(scene: Scene, white: np.ndarray, eye: np.ndarray, rng: np.random.Generator) -> Values:
    """A lamp that the table mirrors to the eye if there is glare, else one off to the side; a window low in a wall."""
    light, reach = scene.light, scene.camera.mm_per_px * max(scene.camera.size_px)
    away = (np.asarray(scene.camera.centre_mm) - eye[:2]) / eye[
        2
    ]  # where the middle of the table mirrors the eye's look, per mm up
    at, shape, strength = [], [], []
    shows = light.glare > 0 or scene.table.gloss > 0
    for rise, near in ((1800.0, shows), (rng.uniform(900, 1600), shows and rng.random() < 0.4)):
        spot = rng.uniform(-0.4, 0.4, 2) * reach if near else _aside(rng) * reach * rng.uniform(1.2, 2.5)
        at.append((*(spot * (1 + rise / eye[2]) + away * rise), rise))
        a, half = rng.uniform(0, np.pi), np.exp(rng.uniform(np.log(90), np.log(700), 2))
        shape.append((np.cos(a), np.sin(a), *half))
        power = np.clip(np.pi * rise * rise / (4 * half[0] * half[1]), 4, 80)  # what makes it light the table as it is lit
        strength.append(white * power * (0.15 + 0.85 * max(light.glare, scene.table.gloss) if near else 0.3))
    return {"panel_at": at, "panel_shape": shape, "panel_light": strength}


def _aside(rng: np.random.Generator) -> np.ndarray:
    a = rng.uniform(0, 2 * np.pi)
    return np.array([np.cos(a), np.sin(a)])


def _uneven(scene: Scene, rng: np.random.Generator) -> Values:
    """A slope of brightness over the table, and a pool of light under a near lamp."""
    reach = scene.camera.mm_per_px * max(scene.camera.size_px)
    falloff = scene.light.falloff
    slope = _aside(rng) * falloff / reach
    spread = rng.uniform(0.2, 0.6) * reach
    return {
        "slope": (*slope, 0.0),
        "pool": (*(rng.uniform(-0.4, 0.4, 2) * reach), 1 / spread, 1.0 if falloff > 0.5 else 0.0),
    }


def table_values(scene: Scene) -> Values:
    """Uniforms of the table's surface."""
    return {"polish": polish(scene)}
