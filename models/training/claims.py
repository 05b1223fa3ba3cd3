"""What the detector takes for tiles in rendered scenes, right and wrong: crops for the verifier.

A data set is described by its numbers alone; a run that was stopped goes on with the files that are missing.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from pathlib import Path

import cv2
import numpy as np

from models.detector import Detector
from models.reader import NONE, crop_tile
from models.training.bare import bare_scene
from models.training.compositor import Rendered
from models.training.compositor import render as quick_render
from models.training.dataset import target_of
from models.training.scene import Scene
from models.training.shaded import render as shaded_render
from models.training.variety import random_scene
from models.verifier import CLAIMED, CROP_SIZE

SIZE_PX = (512, 512)
MOST = 30  # claims of one scene
A_FILE = 50  # scenes
Drawn = tuple[Scene, Callable[[Scene], Rendered]]


@dataclass(frozen=True, slots=True)
class ClaimSet:
    """Scenes 0 to `scenes`. told: the tiles themselves too, for networks that find none yet."""

    scenes: int
    told: bool = False


# By the last digit of a scene's number, which decides the last digit of its seed too: bare ones show buttons, keyboards, pages and cloth
# of dominoes. With loose printed dominoes and dice among them real tiles are refused that lie in flat light (models/cards/detector.md).
KINDS = ("usual", "hard", "bare", "bare", "usual", "hard shaded", "bare shaded", "bare", "usual", "hard")
FIRST_SEED, STEP, SEEDS = 60_000_000, 7919, 10_000_000


def scene_of(number: int) -> Drawn:
    """The scene of a number, and what draws it."""
    rng = np.random.default_rng([number, 77])
    tile_px = (26.0, 110.0) if rng.random() < 0.7 else (60.0, 200.0)
    kind, seed = KINDS[number % 10], FIRST_SEED + number * STEP % SEEDS
    render = shaded_render if kind.endswith("shaded") else quick_render
    if kind.startswith("bare"):
        return bare_scene(seed, SIZE_PX, tile_px), render
    return random_scene(seed, SIZE_PX, tile_px, kind.startswith("hard")), render


@lru_cache(maxsize=1)
def _detector(weights: str) -> Detector:
    """One a process, which claims without a verifier."""
    cv2.setNumThreads(1)
    return Detector(Path(weights), threads=1, verify=False)


def claims_of(number: int, weights: str, told: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Crops (NxHxWx3 uint8) of what is claimed in a scene, and whether a tile is there (N)."""
    scene, render = scene_of(number)
    picture = render(scene)
    quads = [claim.quad_px for claim in _detector(weights).detect(picture.image, CLAIMED)[:MOST]]
    quads += [label.quad_px for label in picture.labels] if told else []
    crops, real = [], []
    for quad in quads:
        target = target_of(quad, picture.labels)
        if target is not None:
            crops.append(crop_tile(picture.image, quad, CROP_SIZE))
            real.append(target.kind != NONE)
    return np.array(crops, np.uint8).reshape(-1, CROP_SIZE[1], CROP_SIZE[0], 3), np.array(real, bool)


def _write(first: int, last: int, weights: str, told: bool, folder: Path) -> None:
    file = folder / f"{first:06d}.npz"
    if file.exists():
        return
    columns = zip(*(claims_of(number, weights, told) for number in range(first, min(first + A_FILE, last))), strict=True)
    crops, real = (np.concatenate(column) for column in columns)
    part = folder / f"{first:06d}.part.npz"
    np.savez(part, crops=crops, real=real)
    part.rename(file)


def write_claims(spec: ClaimSet, weights: Path, folder: Path, workers: int) -> None:
    """Render the scenes, look at them with the networks in `weights`, write what they claim into folder/*.npz."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "spec.json").write_text(json.dumps(asdict(spec)))
    with ProcessPoolExecutor(workers) as pool:
        write = partial(_write, last=spec.scenes, weights=str(weights.resolve()), told=spec.told, folder=folder)
        list(pool.map(write, range(0, spec.scenes, A_FILE)))
