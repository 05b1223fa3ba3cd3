"""Scenes without a tile, full of what is taken for one: printed dominoes, dice, keys, cells, planks, buttons."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from models.training.scene import Prop, Scene
from models.training.surfaces import SURFACES
from models.training.variety import SIZES_MM, random_scene, random_table

BARE = ("plain", "cloth", "wood", "leather", "marble")
ANYTHING = ("page", "keys", "tray", "keyboard", "printed", "die", "dice", "round", "card", "dots", "text", "blob", "block")


@dataclass(frozen=True, slots=True)
class Subject:
    """What a picture shows: one of these surfaces, and of each kind of thing from so many to so many."""

    name: str
    surfaces: tuple[str, ...]
    things: tuple[tuple[str, int, int], ...] = ()


SUBJECTS = (
    Subject("empty table", BARE),
    Subject("checks, boards, crosswords", ("checks", "board", "letters", "crossword")),
    Subject("bricks, planks, stripes", ("courses", "tiles", "stripes", "blobs")),
    Subject("cloth printed with dominoes", ("dominoes",)),
    Subject("pages of printed dominoes", BARE, (("page", 2, 5),)),
    Subject("printed dominoes, loose", BARE, (("printed", 10, 30),)),
    Subject("dice", BARE, (("die", 3, 12), ("dice", 3, 8))),
    Subject("keyboards, calculators", BARE, (("keys", 2, 4), ("keyboard", 1, 4))),
    Subject("buttons, coins, cups", BARE, (("round", 12, 40), ("dots", 0, 4))),
    Subject("odds and ends, empty racks", BARE, tuple((kind, 0, 2) for kind in ANYTHING)),
)


def bare_scene(seed: int, size_px: tuple[int, int], tile_px: tuple[float, float]) -> Scene:
    """A scene from its seed, the subjects one after the other, with light, camera, sensor and arms of any kind.

    tile_px: what the length of a tile would be.
    """
    subject, rng = SUBJECTS[seed % len(SUBJECTS)], np.random.default_rng([seed, 26])
    scene = random_scene(seed, size_px, tile_px)
    half_mm = (0.5 * scene.camera.mm_per_px * size_px[0], 0.5 * scene.camera.mm_per_px * size_px[1])
    table = random_table(rng, half_mm, {kind: float(kind in subject.surfaces) for kind in SURFACES})
    return replace(scene, tiles=(), table=table, props=tuple(_things(subject, half_mm, rng)))


def _things(subject: Subject, half_mm: tuple[float, float], rng: np.random.Generator) -> Iterator[Prop]:
    for kind, fewest, most in subject.things:
        for _ in range(int(rng.integers(fewest, most + 1))):
            x, y = rng.uniform(-0.9, 0.9, 2) * half_mm
            size = rng.uniform(*SIZES_MM.get(kind, (30, 160)))
            yield Prop(kind, float(x), float(y), float(rng.uniform(0, 360)), float(size), int(rng.integers(1 << 30)))
