"""Where a film takes place: tile set, table, light, camera, the players' arms and the things that lie about. One seed, one room."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from models.training.scene import NOMINAL_LENGTH_MM, Camera, Prop, Sensor, Table, TileSetStyle
from models.training.variety import IVORY, RED, WHITE, random_light, random_style
from table.scenery import TABLE_HALF_MM, Room, club_room

HEIGHT_MM = 1010.0  # of the table and the floor around it, in the picture's height
CALM_TABLES = {"plain": 3, "cloth": 3, "wood": 4, "leather": 1, "checks": 1}
TONES = (0.25, 0.45, 0.62, 0.78, 0.9)


@dataclass(frozen=True, slots=True)
class FilmRoom:
    """A room with its players: skins and sleeves by seat (linear BGR, None for a bare arm)."""

    room: Room
    skins: tuple[tuple[float, float, float], ...]
    sleeves: tuple[tuple[float, float, float] | None, ...]
    arm_mm: tuple[float, ...]
    props: tuple[Prop, ...] = ()


def film_room(seed: int, size_px: tuple[int, int], things: tuple[str, ...] = ()) -> FilmRoom:
    """The club's room for seed 0, another one for every other seed. things: names of THINGS that lie about as well."""
    rng = np.random.default_rng([seed, 13])
    room = club_room(size_px) if seed == 0 else _varied(rng, size_px)
    tones = rng.choice(TONES, 4)
    return FilmRoom(
        room=room,
        skins=tuple((0.32 * tone, 0.42 * tone, 0.72 * tone) for tone in tones),
        sleeves=tuple(None if rng.random() < 0.35 else tuple(float(v) for v in rng.uniform(0.02, 0.7, 3)) for _ in range(4)),  # type: ignore[misc]
        arm_mm=tuple(float(v) for v in rng.uniform(48, 66, 4)),
        props=tuple(prop for thing in things for prop in THINGS[thing](rng)),
    )


def _varied(rng: np.random.Generator, size_px: tuple[int, int]) -> Room:
    style = random_style(rng)
    if sum(style.body) / 3 < 0.3 and rng.random() < 0.6:  # most sets on real tables are light
        style = replace(style, body=IVORY if rng.random() < 0.5 else WHITE, pip_colours=((0.03, 0.03, 0.03),) * 7)
    kinds, shares = zip(*CALM_TABLES.items(), strict=True)
    light = replace(random_light(rng), glare=0.0, falloff=float(rng.uniform(0, 0.4)), shadow=float(rng.uniform(0.2, 0.6)))
    azimuth = float(rng.uniform(0, 360))  # where the camera leans; south stays at the bottom
    return Room(
        style=_legible(replace(style, ratio=2.0)),
        table=_table(rng, str(rng.choice(kinds, p=np.array(shares) / sum(shares)))),
        light=light,
        camera=Camera(
            size_px, HEIGHT_MM / size_px[1], fov_deg=float(rng.uniform(45, 65)), tilt_deg=float(rng.uniform(0, 7)),
            azimuth_deg=azimuth, roll_deg=float(rng.normal(0, 2)) - azimuth,
        ),
        sensor=Sensor(exposure=float(rng.uniform(0.75, 1.05)), noise=float(rng.uniform(0.006, 0.02)), blur_px=size_px[1] / 1500),
    )  # fmt: skip


def _legible(style: TileSetStyle) -> TileSetStyle:
    """The same set with black or white pips where its own can hardly be told from the body: nobody plays with those."""
    body = sum(style.body) / 3
    ink = (0.85, 0.85, 0.85) if body < 0.35 else (0.03, 0.03, 0.03)
    return replace(style, pip_colours=tuple(c if abs(sum(c) / 3 - body) > 0.3 else ink for c in style.pip_colours))


def _table(rng: np.random.Generator, kind: str) -> Table:
    tone = rng.uniform(0.06, 0.6)
    colours = {"cloth": (0.07, 0.2, 0.06), "wood": (0.28, 0.45, 0.65), "checks": RED}
    base = np.array(colours.get(kind, tuple(rng.uniform(0.2, 0.9, 3)))) * (tone if kind != "cloth" else rng.uniform(0.5, 1.2))
    second = (0.75, 0.78, 0.8) if kind == "checks" else tuple(float(c) for c in base * rng.uniform(0.5, 1.5))
    half = (TABLE_HALF_MM, TABLE_HALF_MM)
    return Table(kind, tuple(float(c) for c in base), second, float(rng.uniform(15, 60)), int(rng.integers(1 << 30)), half)  # type: ignore[arg-type]


def _printed(rng: np.random.Generator) -> list[Prop]:
    """Dominoes printed on the cloth, outside the line's way."""
    return [Prop("printed", x, y, a, NOMINAL_LENGTH_MM, int(rng.integers(1 << 30))) for x, y, a in _corners(rng)[:3]]


def _phone(rng: np.random.Generator) -> list[Prop]:
    """A phone, or a card, near a corner."""
    x, y, angle = _corners(rng)[0]
    return [Prop("card", x, y, angle, 140.0, int(rng.integers(1 << 30)))]


def _clutter(rng: np.random.Generator) -> list[Prop]:
    """A cup, dice, coins, a score sheet."""
    kinds = (("round", 75.0), ("dice", 16.0), ("round", 25.0), ("card", 110.0))
    spots = _corners(rng)
    return [Prop(k, *spots[i], size, int(rng.integers(1 << 30))) for i, (k, size) in enumerate(kinds)]


def _corners(rng: np.random.Generator) -> list[tuple[float, float, float]]:
    """Four spots near the corners of the table, in any order."""
    spots = [
        (sx * 395.0 + rng.normal(0, 10), sy * 395.0 + rng.normal(0, 10), rng.uniform(0, 360)) for sx in (-1, 1) for sy in (-1, 1)
    ]
    return [tuple(float(v) for v in spots[i]) for i in rng.permutation(4)]  # type: ignore[misc]


THINGS = {"printed_dominoes": _printed, "phone": _phone, "clutter": _clutter}
"""What may lie on the table besides the tiles."""
