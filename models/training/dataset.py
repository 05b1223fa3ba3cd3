"""Data sets rendered from seeds: pictures with oriented boxes for the localiser, rectified crops with targets for the reader.

A data set is described by its parameters and first seed alone; a run that was stopped goes on with the parts that are missing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import lru_cache, partial
from pathlib import Path

import cv2
import numpy as np
import onnxruntime

from models.localiser import Localiser, concatenate
from models.reader import CANONICAL, CROP_SIZE, KINDS, TILE_SIZE, crop_matrix, crop_tile
from models.training.compositor import Rendered, render
from models.training.patterns import cell_boxes
from models.training.scene import Scene, TileLabel
from models.training.variety import random_scene
from vision.detections import TileState

STATES = (TileState.FACE_UP, TileState.FACE_DOWN, TileState.STANDING)
MIN_VISIBLE = 0.55  # a tile with less of its face in sight is not asked of the localiser


@dataclass(frozen=True, slots=True)
class PictureSet:
    """Pictures for the localiser. tile_px: range of tile lengths; size_px: side of the square pictures."""

    count: int
    first_seed: int
    size_px: int = 320
    tile_px: tuple[float, float] = (17.0, 135.0)


@dataclass(frozen=True, slots=True)
class CropSet:
    """Crops for the reader, from `scenes` scenes of larger tiles."""

    scenes: int
    first_seed: int
    size_px: int = 448
    tile_px: tuple[float, float] = (26.0, 230.0)
    per_tile: int = 2
    max_per_scene: int = 26
    hard: bool = False  # scenes full of what is taken for tiles, with boxes laid exactly over it
    localiser: str | None = None  # the ONNX file of a trained localiser, whose proposals are taken
    min_score: float = 0.12  # of those proposals


def _picture(seed: int, spec: PictureSet) -> Rendered:
    return render(random_scene(seed, (spec.size_px, spec.size_px), spec.tile_px))


def _oriented_row(label: TileLabel, size_px: int) -> str:
    quad = label.quad_px / size_px
    return f"{STATES.index(label.state)} " + " ".join(f"{v:.5f}" for v in quad.ravel())


def _write_picture(seed: int, spec: PictureSet, folder: Path) -> None:
    image_file = folder / "images" / f"{seed:07d}.jpg"
    if image_file.exists():
        return
    picture = _picture(seed, spec)
    rows = [_oriented_row(label, spec.size_px) for label in picture.labels if label.visible >= MIN_VISIBLE]
    (folder / "labels" / f"{seed:07d}.txt").write_text("\n".join(rows))
    part = folder / f"{seed:07d}.part.jpg"
    cv2.imwrite(str(part), picture.image, [cv2.IMWRITE_JPEG_QUALITY, 92])
    part.rename(image_file)


def write_pictures(
    spec: PictureSet, folder: Path, workers: int, progress: Callable[[Iterable[int]], Iterable[int]] = iter
) -> None:
    """Render the picture set into folder/images and folder/labels (ultralytics' oriented-box format)."""
    for name in ("images", "labels"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "spec.json").write_text(json.dumps(asdict(spec)))
    seeds = range(spec.first_seed, spec.first_seed + spec.count)
    with ProcessPoolExecutor(workers) as pool:
        for _ in progress(pool.map(partial(_write_picture, spec=spec, folder=folder), seeds, chunksize=8)):  # type: ignore[arg-type]
            pass


# Crops


def _jitter(quad: np.ndarray, rng: np.random.Generator, amount: float) -> np.ndarray:
    """A proposal as the localiser might give it: moved, turned, scaled, each by `amount` of the tile."""
    centre = quad.mean(axis=0)
    u, v = (quad[1] - quad[0] + quad[2] - quad[3]) / 2, (quad[3] - quad[0] + quad[2] - quad[1]) / 2
    a = rng.normal(0, 0.14 * amount * 3)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    scale = np.exp(rng.normal(0, 0.6 * amount, 2))
    su, sv = u * scale[0] / 2, v * scale[1] / 2
    basis = np.stack([-su - sv, su - sv, su + sv, -su + sv])
    corners = quad + rng.normal(0, 0.02, (4, 2)) * np.linalg.norm(u) if amount < 0.05 else centre + basis
    shift = u * rng.normal(0, amount) + v * rng.normal(0, amount * 1.5)
    return (corners - centre) @ turn.T + centre + shift


def _wrong(quad: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A box that is no tile: half a tile off, across two tiles, one half or part only, twice the size, turned, two side by side.

    Or the place beside a tile, which is as large as one and bounded like one.
    """
    centre = quad.mean(axis=0)
    u, v = (quad[1] - quad[0] + quad[2] - quad[3]) / 2, (quad[3] - quad[0] + quad[2] - quad[1]) / 2
    kind = rng.integers(0, 9)
    if kind == 0:
        return quad + u * rng.choice([-1, 1]) * rng.uniform(0.4, 0.6)
    if kind == 1:
        return quad + v * rng.choice([-1, 1]) * rng.uniform(0.4, 0.7)
    if kind == 2:
        c, s = centre + u * rng.choice([-0.25, 0.25]), rng.uniform(0.4, 0.7)
        return c + (quad - centre) * s
    if kind == 3:
        return centre + (quad - centre) * rng.uniform(1.5, 2.4)
    if kind == 5:  # a part of the length in the full width: half a standing tile looks like one on its short side
        c, half = centre + u * rng.uniform(-0.25, 0.25), u * rng.uniform(0.2, 0.31)
        return np.stack([c - half - v / 2, c + half - v / 2, c + half + v / 2, c - half + v / 2])
    if kind == 4:
        w, h = v * rng.uniform(0.9, 1.3), u * rng.uniform(0.45, 0.7)
        return (
            np.stack([centre - w - h, centre + w - h, centre + w + h, centre - w + h])
            if rng.random() < 0.5
            else np.roll(quad, 1, 0)
        )
    if kind >= 7:
        off = v * rng.uniform(0.95, 1.25) if kind == 7 else u * rng.uniform(0.95, 1.25)
        return centre + off * rng.choice([-1, 1]) + (quad - centre) * rng.uniform(0.9, 1.1)
    a = rng.uniform(0.35, 1.2) * rng.choice([-1, 1])
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    return (quad - centre) @ turn.T + centre + u * rng.normal(0, 0.2)


def _strip(quad: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """One colour of the upper side of a standing tile, or that side and a part of the face under it."""
    low, high = sorted(rng.uniform(-0.3, 1.3, 2)) if rng.random() < 0.5 else ((0.0, 0.55), (0.45, 1.0))[rng.integers(2)]
    if high - low < 0.35:
        high = low + 0.5
    down = np.stack([quad[3] - quad[0], quad[2] - quad[1]])
    return np.concatenate([quad[:2] + down * low, (quad[:2] + down * high)[::-1]])


def _random_box(size_px: int, rng: np.random.Generator) -> np.ndarray:
    length = np.exp(rng.uniform(np.log(20), np.log(220)))
    a = rng.uniform(0, np.pi)
    u = np.array([np.cos(a), np.sin(a)]) * length / 2
    v = np.array([-u[1], u[0]]) / 2
    return rng.uniform(0, size_px, 2) + np.stack([-u - v, u - v, u + v, -u + v])


def overlap(p: np.ndarray, q: np.ndarray) -> float:
    """Intersection over union of two convex quads (4x2)."""
    p, q = cv2.convexHull(p.astype(np.float32)), cv2.convexHull(q.astype(np.float32))
    inter, _ = cv2.intersectConvexConvex(p, q)
    union = cv2.contourArea(p) + cv2.contourArea(q) - inter
    return float(inter / union) if union > 0 else 0.0


@dataclass(frozen=True, slots=True)
class CropTarget:
    """What the reader should say of a crop.

    kind: index into KINDS; corners: true corners less proposed ones, in tile lengths (8); halves: -1 where not asked.
    """

    kind: int
    corners: np.ndarray
    halves: tuple[int, int]


def _long_side(quad: np.ndarray) -> float:
    return float(np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2


def _along(proposal: np.ndarray, quad: np.ndarray) -> float:
    """How far the middles are apart along the quad, in its lengths."""
    u = (quad[1] + quad[2] - quad[0] - quad[3]) / 2
    return float(abs((proposal.mean(axis=0) - quad.mean(axis=0)) @ u) / max(u @ u, 1e-6))


def target_of(proposal: np.ndarray, labels: tuple[TileLabel, ...]) -> CropTarget | None:
    """The target of a proposed quad (either way round). None where the truth is not clear enough to teach."""
    best = max(labels, key=lambda label: overlap(label.quad_px, proposal), default=None)
    iou = overlap(best.quad_px, proposal) if best is not None else 0.0
    none = CropTarget(KINDS.index("none"), np.zeros(8, np.float32), (-1, -1))
    narrow = best is not None and best.state is TileState.STANDING and _along(proposal, best.quad_px) < 0.2
    wrong, right = (0.2, 0.3) if narrow else (0.42, 0.52)  # the upper side of one that stands is narrow and hard to hit
    if best is None or iou < wrong or not 0.66 < _long_side(proposal) / _long_side(best.quad_px) < 1.5:
        return none
    if iou < right or best.visible < 0.6:
        return None
    same = (
        np.linalg.norm(best.quad_px - proposal, axis=1).sum()
        <= np.linalg.norm(np.roll(best.quad_px, 2, 0) - proposal, axis=1).sum()
    )
    quad = best.quad_px if same else np.roll(best.quad_px, 2, axis=0)
    halves = best.halves if same else best.halves[::-1]
    corners = cv2.perspectiveTransform(quad[None].astype(np.float64), crop_matrix(proposal))[0]
    ask = best.state is TileState.FACE_UP and best.visible > 0.9
    offset = (corners - CANONICAL) / TILE_SIZE[0]
    return CropTarget(KINDS.index(best.state.value), offset.ravel().astype(np.float32), halves if ask else (-1, -1))


def _rectangle(scene: Scene, centre: np.ndarray, angle: float, length: float, width: float) -> np.ndarray:
    """A rectangle on the table (mm, radians) as seen in the picture, 4x2 px."""
    u = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    v = np.array([-np.sin(angle), np.cos(angle)]) * width / 2
    corners = np.stack([centre - u + v, centre + u + v, centre + u - v, centre - u - v])
    return scene.camera.project(np.column_stack([corners, np.zeros(4)]))


def _decoys(scene: Scene, rng: np.random.Generator) -> list[np.ndarray]:
    """Boxes laid exactly over what is no tile: two cells of the table's pattern, a printed domino, two dice, a card."""
    half = 0.5 * scene.camera.mm_per_px * np.array(scene.camera.size_px)
    out = [_rectangle(scene, *box) for box in cell_boxes(scene.table, half, rng, 8)]
    for prop in scene.props:
        angle, size = np.radians(prop.angle_deg), prop.size_mm
        along = np.array([np.cos(angle), np.sin(angle)]) * size
        for k in range(3 if prop.kind == "printed" else 1):
            width = rng.choice([0.5, 0.6, 1.0]) * size
            out.append(_rectangle(scene, np.array([prop.x_mm, prop.y_mm]) + k * along, angle, size, width))
    return out


def _proposals(scene: Scene, labels: tuple[TileLabel, ...], spec: CropSet, rng: np.random.Generator) -> list[np.ndarray]:
    seen = [label for label in labels if label.visible > 0.3]
    out = _decoys(scene, rng) if spec.hard else []
    for label in seen:
        quad = label.quad_px if rng.random() < 0.5 else np.roll(label.quad_px, 2, axis=0)
        for _ in range(spec.per_tile):
            out.append(_jitter(quad, rng, float(rng.choice([0.015, 0.05, 0.1]))))
        if label.state is TileState.STANDING:
            out.append(_strip(quad, rng))
        if rng.random() < 0.8:
            out.append(_wrong(quad, rng))
    for _ in range(3 if seen else 6):
        out.append(_random_box(spec.size_px, rng))
    rng.shuffle(out)
    return out[: spec.max_per_scene]


Crops = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""Crops (NxHxWx3 uint8), kinds (N), corner offsets (Nx8), halves (Nx2)."""


@lru_cache(maxsize=1)
def _localiser(file: str) -> Localiser:
    """One session a process."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return Localiser(onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"]))


def _network_proposals(image: np.ndarray, spec: CropSet, rng: np.random.Generator) -> list[np.ndarray]:
    """What the localiser proposes at the sizes that the detector uses, right and wrong."""
    network = _localiser(spec.localiser or "")
    found = concatenate([network.propose(image, size, spec.min_score) for size in (160, 320, 640)])
    out = [quad if rng.random() < 0.5 else np.roll(quad, 2, axis=0) for quad in found.quads_px]
    rng.shuffle(out)
    return out[: spec.max_per_scene]


def crops_of_scene(seed: int, spec: CropSet) -> Crops:
    """The crops of one scene, around proposals made at random; with spec.localiser around what that network proposes."""
    scene = random_scene(seed, (spec.size_px, spec.size_px), spec.tile_px, spec.hard)
    picture = render(scene)
    rng = np.random.default_rng([seed, 21])
    random = spec.localiser is None
    proposals = _proposals(scene, picture.labels, spec, rng) if random else _network_proposals(picture.image, spec, rng)
    crops, kinds, corners, halves = [], [], [], []
    for proposal in proposals:
        target = target_of(proposal, picture.labels)
        if target is None:
            continue
        crops.append(crop_tile(picture.image, proposal))
        kinds.append(target.kind)
        corners.append(target.corners)
        halves.append(target.halves)
    shape = (0, CROP_SIZE[1], CROP_SIZE[0], 3)
    return (np.array(crops, np.uint8) if crops else np.zeros(shape, np.uint8), np.array(kinds, np.int8),
            np.array(corners, np.float32).reshape(-1, 8), np.array(halves, np.int8).reshape(-1, 2))  # fmt: skip


def _write_crops(start: int, spec: CropSet, folder: Path, step: int) -> None:
    file = folder / f"{start:07d}.npz"
    if file.exists():
        return
    last = min(start + step, spec.first_seed + spec.scenes)
    parts = [crops_of_scene(seed, spec) for seed in range(start, last)]
    crops, kinds, corners, halves = (np.concatenate(column) for column in zip(*parts, strict=True))
    part = folder / f"{start:07d}.part.npz"
    np.savez(part, crops=crops, kinds=kinds, corners=corners, halves=halves)
    part.rename(file)


def write_mined(spec: CropSet, localiser: Path, folder: Path, workers: int) -> None:
    """Render crops around what a trained localiser (ONNX file) proposes."""
    write_crops(replace(spec, localiser=str(localiser.resolve())), folder, workers)


def write_crops(spec: CropSet, folder: Path, workers: int, progress: Callable[[Iterable[int]], Iterable[int]] = iter) -> None:
    """Render the crop set into folder/*.npz, 50 scenes a file."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "spec.json").write_text(json.dumps(asdict(spec)))
    starts = range(spec.first_seed, spec.first_seed + spec.scenes, 50)
    with ProcessPoolExecutor(workers) as pool:
        for _ in progress(pool.map(partial(_write_crops, spec=spec, folder=folder, step=50), starts)):  # type: ignore[arg-type]
            pass
