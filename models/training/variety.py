"""Random scenes: how tile sets, tables, lights, cameras and clutter vary. One seed, one scene."""

from __future__ import annotations

from typing import Any

import numpy as np

from models.training.layouts import LAYOUTS
from models.training.props import KINDS
from models.training.scene import NOMINAL_LENGTH_MM, Arm, Camera, Light, Prop, Scene, Sensor, Table, TileSetStyle
from models.training.surfaces import SURFACES

Colour = tuple[float, float, float]


def _near(rng: np.random.Generator, colour: Colour, spread: float = 0.05) -> Colour:
    return tuple(float(np.clip(c + rng.normal(0, spread), 0.01, 1)) for c in colour)  # type: ignore[return-value]


def _any(rng: np.random.Generator, low: float = 0.02, high: float = 0.9) -> Colour:
    return tuple(float(v) for v in rng.uniform(low, high, 3))  # type: ignore[return-value]


WHITE, IVORY, BLACK, GREEN = (0.86, 0.87, 0.87), (0.55, 0.76, 0.84), (0.03, 0.03, 0.03), (0.05, 0.13, 0.03)
RED, BLUE, PINK, WOOD = (0.05, 0.04, 0.45), (0.4, 0.12, 0.04), (0.55, 0.15, 0.8), (0.2, 0.4, 0.6)
BODIES: tuple[tuple[Colour, float], ...] = (
    (WHITE, 0.28), (IVORY, 0.30), (BLACK, 0.12), (GREEN, 0.08), (RED, 0.05), (BLUE, 0.05), (PINK, 0.06), (WOOD, 0.06),
)  # fmt: skip
PALETTES: tuple[tuple[Colour, ...], ...] = (
    (BLACK, (0.6, 0.4, 0.1), (0.1, 0.5, 0.1), (0.05, 0.05, 0.7), (0.1, 0.3, 0.35), (0.5, 0.15, 0.1), (0.05, 0.6, 0.8)),
    (BLACK, (0.05, 0.05, 0.6), (0.5, 0.1, 0.05), (0.05, 0.35, 0.05), (0.3, 0.05, 0.3), (0.05, 0.35, 0.7), (0.03, 0.03, 0.03)),
    (BLACK, (0.7, 0.5, 0.2), (0.1, 0.4, 0.05), (0.1, 0.05, 0.7), (0.35, 0.05, 0.35), (0.05, 0.5, 0.75), (0.04, 0.04, 0.04)),
)


def random_style(rng: np.random.Generator) -> TileSetStyle:
    """A tile set: body, pips, divider, shape."""
    kinds, shares = zip(*BODIES, strict=True)
    body = _near(rng, kinds[rng.choice(len(kinds), p=shares)], 0.03) if rng.random() < 0.92 else _any(rng)
    dark = sum(body) / 3 < 0.3
    ink = _near(rng, (0.85, 0.85, 0.85) if dark else (0.03, 0.03, 0.03), 0.02)
    if rng.random() < 0.12:
        ink = (0.05, 0.45, 0.85) if rng.random() < 0.5 else _any(rng, 0.0, 0.9)
    pips: tuple[Colour, ...] = (ink,) * 7
    if not dark and rng.random() < 0.15:
        pips = PALETTES[rng.integers(len(PALETTES))]
    if dark and sum(body) / 3 < 0.1 and rng.random() < 0.3:  # unfilled holes on black tiles
        pips = (tuple(c * 0.4 for c in body),) * 7  # type: ignore[assignment]
    two_tone = _near(rng, (RED, BLACK, BLUE, GREEN, WOOD)[rng.integers(5)], 0.02) if rng.random() < 0.2 else None
    back = str(rng.choice(["plain", "dark", "logo", "coloured"], p=[0.6, 0.15, 0.15, 0.1]))
    divider = str(rng.choice(["bar", "engraved", "thin", "none"], p=[0.68, 0.1, 0.17, 0.05]))
    return TileSetStyle(
        ratio=float(rng.normal(2.0, 0.06)) if rng.random() < 0.8 else float(rng.uniform(1.85, 2.4)),
        thickness=float(rng.uniform(0.18, 0.5)),
        corner_radius=float(rng.uniform(0.05, 0.18)),
        bevel=float(rng.uniform(0.02, 0.12)),
        body=body,
        lower_body=two_tone,
        back=back,
        back_colour=BLACK if back == "dark" else _any(rng),
        pip_colours=pips,
        pip_radius=float(rng.uniform(0.085, 0.13)),
        pip_offset=float(rng.uniform(0.26, 0.32)),
        pip_depth=float(rng.uniform(0.1, 1.3)),
        mirrored=bool(rng.random() < 0.5),
        divider=divider,
        divider_width=float(rng.uniform(0.04, 0.1)),
        divider_length=float(rng.uniform(0.6, 1.0) if rng.random() < 0.9 else 1.0),
        divider_colour=ink if rng.random() < 0.8 else _any(rng),
        pin=float(rng.uniform(0.035, 0.07)) if rng.random() < 0.35 else 0.0,
        gloss=float(rng.uniform(0, 0.9)),
        grain=float(rng.uniform(0.1, 0.5)) if dark and rng.random() < 0.4 else 0.0,
    )


TABLE_SHARES = {
    "plain": 4,
    "cloth": 3,
    "wood": 4,
    "checks": 1,
    "leather": 1.5,
    "marble": 1,
    "tiles": 0.7,
    "board": 0.7,
    "blobs": 1,
}


# Surfaces and things that are taken for tiles: cells of a grid, printed dominoes, dice, keys.
HARD_SHARES = {
    "plain": 0.5,
    "cloth": 0.5,
    "wood": 1,
    "checks": 2,
    "leather": 0.5,
    "marble": 0.5,
    "tiles": 3,
    "board": 4,
    "blobs": 2,
}


def random_table(rng: np.random.Generator, half_mm: tuple[float, float], shares: dict[str, float] | None = None) -> Table:
    kinds = list(SURFACES)
    weights = np.array([(shares or TABLE_SHARES)[k] for k in kinds])
    kind = kinds[rng.choice(len(kinds), p=weights / weights.sum())]
    colour = _any(rng, 0.005, 0.12) if rng.random() < 0.4 else _any(rng, 0.02, 0.85)
    if rng.random() < 0.25:  # grey, white or black
        colour = (float(rng.choice([0.01, 0.05, 0.2, 0.5, 0.8])),) * 3
    second = _near(rng, colour, 0.1) if kind != "checks" else _any(rng)
    if kind == "wood":
        tone = rng.uniform(0.08, 0.9)
        colour = _near(rng, (0.28 * tone, 0.45 * tone, 0.65 * tone), 0.03)
        second = tuple(float(c * rng.uniform(0.4, 0.8)) for c in colour)  # type: ignore[assignment]
    bounded = (half_mm[0] * rng.uniform(0.9, 1.6), half_mm[1] * rng.uniform(0.9, 1.6)) if rng.random() < 0.25 else None
    return Table(
        kind=kind,
        colour=colour,
        second=second,  # type: ignore[arg-type]
        scale_mm=float(rng.uniform(15, 90)),
        seed=int(rng.integers(1 << 30)),
        half_mm=bounded,
        gloss=float(rng.uniform(0, 0.6)) if rng.random() < 0.25 else 0.0,
    )


def random_light(rng: np.random.Generator) -> Light:
    height, a = rng.uniform(0.35, 0.98), rng.uniform(0, 2 * np.pi)
    flat = np.sqrt(1 - height * height)
    warm = rng.normal(0, 0.12)
    return Light(
        direction=(float(flat * np.cos(a)), float(flat * np.sin(a)), float(height)),
        ambient=float(rng.uniform(0.25, 0.7)),
        diffuse=float(rng.uniform(0.25, 0.7)),
        colour=(float(1 - warm), float(1 + rng.normal(0, 0.03)), float(1 + warm)),
        softness_mm=float(rng.uniform(1, 25)),
        shadow=float(rng.uniform(0.1, 0.8)),
        glare=float(rng.uniform(0.2, 1.0)) if rng.random() < 0.2 else 0.0,
        falloff=float(rng.uniform(0, 1.0)) if rng.random() < 0.6 else 0.0,
    )


def random_sensor(rng: np.random.Generator, tile_px: float) -> Sensor:
    """Blur grows with the size of the tiles in pixels, so that numbers stay readable."""
    exposure = float(2 ** rng.normal(0.1, 0.6))
    if rng.random() < 0.12:
        exposure = float(rng.choice([0.08, 0.15, 3.5]))
    return Sensor(
        exposure=exposure,
        noise=float(rng.uniform(0.002, 0.05)),
        blur_px=float(rng.uniform(0, 0.012) * tile_px + rng.uniform(0.2, 0.7)),
        motion_px=float(0.05 * tile_px) if rng.random() < 0.1 else 0.0,
        motion_deg=float(rng.uniform(0, 180)),
        jpeg=int(rng.integers(45, 100)),
        vignette=float(rng.uniform(0, 0.7)) if rng.random() < 0.5 else 0.0,
        grey=bool(rng.random() < 0.12),
        gamma=float(rng.uniform(1.9, 2.6)),
    )


def random_camera(rng: np.random.Generator, size_px: tuple[int, int], tile_px: float) -> Camera:
    tilt = float(abs(rng.normal(0, 8))) if rng.random() < 0.7 else float(rng.uniform(0, 45))
    return Camera(
        size_px=size_px,
        mm_per_px=NOMINAL_LENGTH_MM / tile_px,
        fov_deg=float(rng.uniform(35, 70)),
        tilt_deg=tilt,
        azimuth_deg=float(rng.uniform(0, 360)),
        roll_deg=float(rng.choice([0.0, rng.uniform(0, 360)])),
        k1=float(rng.uniform(-0.14, 0.05)),
        stretch=float(rng.uniform(0.72, 1.3)) if rng.random() < 0.12 else 1.0,
    )


def _arms(rng: np.random.Generator, half_mm: tuple[float, float]) -> tuple[Arm, ...]:
    if rng.random() > 0.2:
        return ()
    out = []
    for _ in range(int(rng.integers(1, 3))):
        a = rng.uniform(0, 2 * np.pi)
        far = 2.5 * np.hypot(*half_mm)
        tone = rng.uniform(0.1, 0.9)
        out.append(Arm(
            (float(far * np.cos(a)), float(far * np.sin(a))),
            (float(rng.uniform(-0.9, 0.9) * half_mm[0]), float(rng.uniform(-0.9, 0.9) * half_mm[1])),
            width_mm=float(rng.uniform(45, 75)),
            skin=_near(rng, (0.32 * tone, 0.42 * tone, 0.72 * tone), 0.02),
            sleeve=_any(rng) if rng.random() < 0.6 else None,
        ))  # fmt: skip
    return tuple(out)


def _props(rng: np.random.Generator, half_mm: tuple[float, float], share: float) -> tuple[Prop, ...]:
    if rng.random() > share:
        return ()
    kinds = list(KINDS)

    def one() -> dict[str, Any]:
        kind = str(rng.choice(kinds))
        size = {"die": rng.uniform(14, 25), "round": rng.uniform(15, 70), "printed": rng.uniform(40, 60)}.get(
            kind, rng.uniform(30, 160)
        )
        x, y = rng.uniform(-1.2, 1.2, 2) * half_mm
        return dict(kind=kind, x_mm=float(x), y_mm=float(y), angle_deg=float(rng.uniform(0, 360)), size_mm=float(size),
                    seed=int(rng.integers(1 << 30)))  # fmt: skip

    return tuple(Prop(**one()) for _ in range(int(rng.integers(1, 10))))


def random_scene(seed: int, size_px: tuple[int, int], tile_px: tuple[float, float], hard: bool = False) -> Scene:
    """A scene from its seed. tile_px: range of the tile's length in the picture, drawn evenly in octaves.

    hard: with many things that are taken for tiles.
    """
    rng = np.random.default_rng([seed, 20])
    length = float(np.exp(rng.uniform(*np.log(tile_px))))
    style = random_style(rng)
    camera = random_camera(rng, size_px, length)
    half_mm = (0.5 * size_px[0] * camera.mm_per_px, 0.5 * size_px[1] * camera.mm_per_px)
    layouts, shares = zip(*LAYOUTS, strict=True)
    layout = layouts[rng.choice(len(layouts), p=shares)]
    if length > 0.2 * min(size_px) and layout.__name__ in ("whole_table", "hand_turned_up", "heap"):
        layout = layouts[rng.integers(0, 3)]
    tiles = layout(rng, style, half_mm)[:80]
    if rng.random() < (0.2 if hard else 0.05):
        tiles = []
    return Scene(
        seed=seed,
        style=style,
        tiles=tuple(tiles),
        camera=camera,
        light=random_light(rng),
        table=random_table(rng, half_mm, HARD_SHARES if hard else None),
        sensor=random_sensor(rng, length),
        arms=_arms(rng, half_mm),
        props=_props(rng, half_mm, 0.9 if hard else 0.45),
    )
