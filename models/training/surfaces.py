"""Table tops as texture: cloth, wood, laminate, checks, leather, printed boards. Each is a function of the position in millimetres."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from models.training import patterns
from models.training.scene import Table

Surface = Callable[[np.ndarray, np.ndarray, np.random.Generator, Table], np.ndarray]


def _noise(rng: np.random.Generator, shape: tuple[int, int], cell_px: float) -> np.ndarray:
    """Smooth noise of about unit spread; cell_px: size of its features."""
    cell = max(1.0, cell_px)
    rows, cols = int(shape[0] / cell) + 3, int(shape[1] / cell) + 3
    small = rng.normal(0, 1, (rows, cols)).astype(np.float32)
    return cv2.resize(small, shape[::-1], interpolation=cv2.INTER_CUBIC)


def _px_per_mm(x: np.ndarray) -> float:
    step = abs(float(x[x.shape[0] // 2, -1] - x[x.shape[0] // 2, 0])) / x.shape[1]
    return 1 / max(step, 1e-3)


def _mix(table: Table, share: np.ndarray) -> np.ndarray:
    first, second = np.asarray(table.colour, np.float32), np.asarray(table.second, np.float32)
    return first + (second - first) * np.clip(share, 0, 1)[..., None]


def _plain(x: np.ndarray, y: np.ndarray, rng: np.random.Generator, table: Table) -> np.ndarray:
    return _mix(table, 0.15 + 0.1 * _noise(rng, x.shape, table.scale_mm * _px_per_mm(x)))


def _cloth(x: np.ndarray, y: np.ndarray, rng: np.random.Generator, table: Table) -> np.ndarray:
    pitch = 0.6 + table.scale_mm / 30
    weave = 0.5 + 0.25 * np.sin(2 * np.pi * x / pitch) + 0.25 * np.sin(2 * np.pi * y / pitch)
    fade = min(1.0, _px_per_mm(x) * pitch / 3)  # a weave finer than the pixels is grey, not moire
    return _mix(table, 0.4 * weave * fade + 0.1 + 0.12 * _noise(rng, x.shape, 2) + 0.1 * _noise(rng, x.shape, 60))


def _wood(x: np.ndarray, y: np.ndarray, rng: np.random.Generator, table: Table) -> np.ndarray:
    s = table.scale_mm
    wobble = _noise(rng, x.shape, 90) * 0.35 * s
    grain = np.sin(2 * np.pi * (y + wobble + 0.03 * x) / (s * 0.35))
    fibre = cv2.blur(_noise(rng, x.shape, 1.3), (25, 1)) * 1.5
    out = _mix(table, 0.5 + 0.22 * grain + 0.3 * fibre)
    if table.seed % 3 == 0:  # planks
        seam = np.abs(((y / (s * 3)) % 1) - 0.5) > 0.492
        out = out * np.where(seam, 0.45, 1.0)[..., None]
    return out


def _checks(x: np.ndarray, y: np.ndarray, rng: np.random.Generator, table: Table) -> np.ndarray:
    s = table.scale_mm
    a, b = (x // s) % 2, (y // s) % 2
    share = (a + b) / 2 if table.seed % 2 else np.abs(a - b)
    return _mix(table, share + 0.05 * _noise(rng, x.shape, 2))


def _stripes(x: np.ndarray, y: np.ndarray, rng: np.random.Generator, table: Table) -> np.ndarray:
    """Striped cloth: bands of a few widths and colours along one axis."""
    place = ((y + 2 * _noise(rng, x.shape, 80)) / (2 * table.scale_mm)) % 1
    edges = np.sort(rng.uniform(0, 1, int(rng.integers(2, 8))))
    colours = np.concatenate([[table.colour, table.second], rng.uniform(0.02, 0.9, (len(edges) - 1, 3))]).astype(np.float32)
    return colours[np.searchsorted(edges, place)] * (1 + 0.04 * _noise(rng, x.shape, 2))[..., None]


def _leather(x: np.ndarray, y: np.ndarray, rng: np.random.Generator, table: Table) -> np.ndarray:
    bumps = _noise(rng, x.shape, max(1.5, 2.0 * _px_per_mm(x)))
    folds = _noise(rng, x.shape, x.shape[0] / 3)
    return _mix(table, 0.3 + 0.3 * np.gradient(bumps)[0] + 0.35 * folds)


def _marble(x: np.ndarray, y: np.ndarray, rng: np.random.Generator, table: Table) -> np.ndarray:
    veins = np.abs(_noise(rng, x.shape, x.shape[0] / 5) + 0.5 * _noise(rng, x.shape, x.shape[0] / 12))
    return _mix(table, 0.9 - 1.5 * np.minimum(veins, 0.4) + 0.05 * _noise(rng, x.shape, 2))


def _tiles(x: np.ndarray, y: np.ndarray, rng: np.random.Generator, table: Table) -> np.ndarray:
    s = table.scale_mm * 2
    line = np.minimum(np.abs((x / s) % 1 - 0.5), np.abs((y / s) % 1 - 0.5))
    return _mix(table, np.where(line < 0.02, 1.0, 0.15 + 0.06 * _noise(rng, x.shape, 30)))


def _board(x: np.ndarray, y: np.ndarray, rng: np.random.Generator, table: Table) -> np.ndarray:
    s = table.scale_mm
    cx, cy = np.floor(x / s), np.floor(y / s)
    line = np.minimum((x / s) % 1, (y / s) % 1) < 0.05
    chosen = (np.sin(cx * 12.9898 + cy * 78.233 + table.seed) * 43758.5453) % 1 < 0.15
    star = (np.abs((x / s) % 1 - 0.5) + np.abs((y / s) % 1 - 0.5)) < 0.4
    out = _mix(table, line * 0.8)
    hue = np.stack([(np.sin(cx * k + cy * 3 + table.seed) + 1) / 2 for k in (1.3, 2.1, 3.7)], axis=-1)
    return np.where((chosen & star)[..., None], hue, out)


def _blobs(x: np.ndarray, y: np.ndarray, rng: np.random.Generator, table: Table) -> np.ndarray:
    """A busy print: flowers, letters, anything with hard edges."""
    out = _mix(table, 0.3 + 0.2 * _noise(rng, x.shape, 40))
    for _ in range(4):
        mask = _noise(rng, x.shape, rng.uniform(8, 60)) > rng.uniform(0.6, 1.4)
        out = np.where(mask[..., None], rng.uniform(0, 1, 3), out)
    return out


SURFACES: dict[str, Surface] = {
    "plain": _plain,
    "cloth": _cloth,
    "wood": _wood,
    "checks": _checks,
    "stripes": _stripes,
    "leather": _leather,
    "marble": _marble,
    "tiles": _tiles,
    "board": _board,
    "blobs": _blobs,
    "courses": patterns.courses,
    "letters": patterns.letters,
    "crossword": patterns.crossword,
    "keys": patterns.keys,
    "dominoes": patterns.dominoes,
}


def paint_table(table: Table, x_mm: np.ndarray, y_mm: np.ndarray) -> np.ndarray:
    """The table's colour at each pixel, HxWx3 linear BGR. Outside the top the floor shows."""
    rng = np.random.default_rng(table.seed)
    out = SURFACES[table.kind](x_mm, y_mm, rng, table).astype(np.float32)
    if table.half_mm is None:
        return np.clip(out, 0.003, 1)
    floor = _plain(x_mm, y_mm, rng, Table(colour=tuple(rng.uniform(0.02, 0.4, 3)), second=(0.4, 0.4, 0.4), scale_mm=200))
    beyond = np.maximum(np.abs(x_mm) - table.half_mm[0], np.abs(y_mm) - table.half_mm[1])
    rim = np.where(beyond > -12, 0.6, 1.0)[..., None]
    return np.clip(np.where((beyond > 0)[..., None], floor, out * rim), 0.003, 1)
