"""Random scenes: how tile sets, tables, lights, cameras and clutter vary. One seed, one scene."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from models.training.layouts import LAYOUTS, board_cell_mm, on_board, whole_table
from models.training.props import KINDS, SHEETS
from models.training.scene import NOMINAL_LENGTH_MM, Arm, Camera, Light, Prop, Scene, SceneTile, Sensor, Table, TileSetStyle
from models.training.surfaces import SURFACES
from vision.detections import TileState

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
    two_tone = _near(rng, (RED, BLACK, BLUE, GREEN, WOOD, WHITE, IVORY)[rng.integers(7)], 0.03) if rng.random() < 0.35 else None
    back = str(rng.choice(["plain", "dark", "logo", "coloured"], p=[0.55, 0.18, 0.12, 0.15]))
    divider = str(rng.choice(["bar", "engraved", "thin", "none"], p=[0.68, 0.1, 0.17, 0.05]))
    return TileSetStyle(
        ratio=float(rng.normal(2.0, 0.06)) if rng.random() < 0.8 else float(rng.uniform(1.85, 2.4)),
        thickness=float(rng.uniform(0.18, 0.5)),
        corner_radius=float(rng.uniform(0.05, 0.18)),
        bevel=float(rng.uniform(0.02, 0.12)),
        body=body,
        lower_body=two_tone,
        seam=float(rng.uniform(0.35, 0.65) if rng.random() < 0.7 else rng.uniform(0.2, 0.88)),
        groove=float(rng.uniform(0, 0.9)),
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
        wear=float(rng.uniform(0.1, 0.6)) if rng.random() < 0.2 else 0.0,
    )


def _divided_across(rng: np.random.Generator, style: TileSetStyle) -> TileSetStyle:
    """Three sets in ten more with a bar from side to side: in a line it looks like the joint of two tiles, which takes practice."""
    return replace(style, divider="bar", divider_length=1.0) if rng.random() < 0.3 else style


TABLE_SHARES = {
    "plain": 4,
    "cloth": 3,
    "wood": 4,
    "checks": 1.6,
    "stripes": 0.7,
    "leather": 1.2,
    "marble": 1,
    "tiles": 0.7,
    "board": 0.5,
    "blobs": 1,
    "courses": 1.2,
    "letters": 0.7,
    "crossword": 0.2,
    "keys": 0.2,
    "dominoes": 0.3,
}


# Surfaces and things that are taken for tiles: cells of a grid, printed dominoes, dice, keys.
HARD_SHARES = {
    "plain": 0.5,
    "cloth": 0.5,
    "wood": 1,
    "checks": 3,
    "stripes": 0.7,
    "leather": 0.5,
    "marble": 0.3,
    "tiles": 1.5,
    "board": 1.5,
    "blobs": 1,
    "courses": 3,
    "letters": 3,
    "crossword": 1,
    "keys": 1.5,
    "dominoes": 2.5,
}
CELLS = ("letters", "board", "checks", "crossword")  # patterns of squares, on which tiles may lie two cells long


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
    """Arms from anywhere to anywhere, or from a seat to its rack."""
    if rng.random() > 0.22:
        return ()
    out = []
    for _ in range(int(rng.integers(1, 4))):
        a, tip = rng.uniform(0, 2 * np.pi), rng.uniform(-0.9, 0.9, 2) * half_mm
        if rng.random() < 0.4:
            a = rng.integers(0, 4) * np.pi / 2 + rng.normal(0, 0.15)
            tip = np.array([np.cos(a), np.sin(a)]) * half_mm * rng.uniform(0.5, 0.9) + rng.normal(0, 30, 2)
        far = 2.5 * np.hypot(*half_mm)
        tone = rng.uniform(0.1, 0.9)
        out.append(Arm(
            (float(far * np.cos(a)), float(far * np.sin(a))), (float(tip[0]), float(tip[1])),
            width_mm=float(rng.uniform(45, 75)),
            skin=_near(rng, (0.32 * tone, 0.42 * tone, 0.72 * tone), 0.02),
            sleeve=_any(rng) if rng.random() < 0.6 else None,
        ))  # fmt: skip
    return tuple(out)


SIZES_MM = {"die": (14, 25), "dice": (14, 32), "round": (15, 70), "printed": (40, 60), "page": (120, 420), "keys": (60, 420)}


def _props(rng: np.random.Generator, half_mm: tuple[float, float], share: float) -> tuple[Prop, ...]:
    if rng.random() > share:
        return ()
    kinds = [*KINDS, "page", "keys", "keys"]

    def one() -> dict[str, Any]:
        kind = str(rng.choice(kinds))
        x, y = rng.uniform(-1.2, 1.2, 2) * half_mm
        return dict(kind=kind, x_mm=float(x), y_mm=float(y), angle_deg=float(rng.uniform(0, 360)),
                    size_mm=float(rng.uniform(*SIZES_MM.get(kind, (30, 160)))), seed=int(rng.integers(1 << 30)))  # fmt: skip

    props = [Prop(**one()) for _ in range(int(rng.integers(1, 10)))]
    return tuple(sorted(props, key=lambda prop: prop.kind not in SHEETS))  # what is flat and large lies under the rest


def _trays(rng: np.random.Generator, tiles: list[SceneTile]) -> tuple[Prop, ...]:
    """A tray under the rack of each seat."""
    out = []
    for seat in range(4):
        near = [t for t in tiles if t.state is TileState.STANDING and round(t.angle_deg / 90) % 4 == seat]
        if len(near) < 2:
            continue
        spots = np.array([(t.x_mm, t.y_mm) for t in near])
        low, high = spots.min(axis=0), spots.max(axis=0)
        x, y = (low + high) / 2
        size = float((high - low).max() + NOMINAL_LENGTH_MM * rng.uniform(1.1, 1.8))
        out.append(Prop("tray", float(x), float(y), 90.0 * seat, size, int(rng.integers(1 << 30))))
    return tuple(out)


def _on_its_board(rng: np.random.Generator, table: Table, style: TileSetStyle) -> Table:
    """The same table with cells of half a tile's length in most cases, so that two of them are as large as a tile."""
    if rng.random() < 0.15:
        return table
    return replace(table, kind=str(rng.choice(CELLS, p=[0.5, 0.2, 0.2, 0.1])), scale_mm=board_cell_mm(style))


def random_scene(seed: int, size_px: tuple[int, int], tile_px: tuple[float, float], hard: bool = False) -> Scene:
    """A scene from its seed. tile_px: range of the tile's length in the picture, drawn evenly in octaves.

    hard: with many things that are taken for tiles.
    """
    rng = np.random.default_rng([seed, 20])
    length = float(np.exp(rng.uniform(*np.log(tile_px))))
    style = _divided_across(np.random.default_rng([seed, 23]), random_style(rng))
    camera = random_camera(rng, size_px, length)
    half_mm = (0.5 * size_px[0] * camera.mm_per_px, 0.5 * size_px[1] * camera.mm_per_px)
    shares = np.array([share * (4 if hard and layout is on_board else 1) for layout, share in LAYOUTS])
    layout = LAYOUTS[rng.choice(len(LAYOUTS), p=shares / shares.sum())][0]
    if length > 0.2 * min(size_px) and layout.__name__ in ("whole_table", "hand_turned_up", "heap", "on_board"):
        layout = LAYOUTS[rng.integers(0, 3)][0]
    tiles = layout(rng, style, half_mm)[:80]
    empty = rng.random() < (0.25 if hard else 0.08)
    hard = hard or empty  # what has no tiles shows what is taken for them
    table = random_table(rng, half_mm, HARD_SHARES if hard else None)
    if layout is on_board:
        table = _on_its_board(rng, table, style)
    trays = _trays(rng, tiles) if layout is whole_table and rng.random() < 0.2 and not empty else ()
    return Scene(
        seed=seed,
        style=style,
        tiles=() if empty else tuple(tiles),
        camera=camera,
        light=random_light(rng),
        table=table,
        sensor=random_sensor(rng, length),
        arms=_arms(rng, half_mm),
        props=_props(rng, half_mm, 0.9 if hard else 0.45) + trays,
    )
