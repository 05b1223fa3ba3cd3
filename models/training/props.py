"""Things on a table that are no tiles, and the arms of the players: flat drawings in millimetres that a renderer lays down."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from models.training.faces import PIP_LAYOUT
from models.training.scene import Arm, Prop
from models.training.sheets import draw_keys, draw_page, draw_tray

Project = Callable[[np.ndarray], np.ndarray]
Canvas = np.ndarray
SHIFT = 4


def fill(canvas: Canvas, points_px: np.ndarray, colour: object) -> None:
    """Fill a polygon (Nx2 px) with antialiased edges (hard ones on a map of whole numbers)."""
    points_px = np.clip(np.nan_to_num(points_px, nan=-1e4), -1e4, 1e4)
    edge = cv2.LINE_8 if canvas.dtype == np.int16 else cv2.LINE_AA
    cv2.fillPoly(canvas, [np.round(points_px * (1 << SHIFT)).astype(np.int32)], colour, edge, SHIFT)  # type: ignore[call-overload]


def _frame(prop: Prop, project: Project) -> Callable[[np.ndarray], np.ndarray]:
    a = np.radians(prop.angle_deg)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])

    def place(local: np.ndarray, z_mm: float = 0.0) -> np.ndarray:
        flat = np.asarray(local, float) @ turn.T * prop.size_mm + [prop.x_mm, prop.y_mm]
        return project(np.column_stack([flat, np.full(len(flat), z_mm)]))

    return place


def _rect(w: float, h: float, x: float = 0.0, y: float = 0.0) -> np.ndarray:
    return np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2 + [x, y]


def _disc(r: float, x: float = 0.0, y: float = 0.0) -> np.ndarray:
    t = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    return np.stack([r * np.cos(t) + x, r * np.sin(t) + y], axis=1)


def _colour(rng: np.random.Generator, low: float = 0.0, high: float = 1.0) -> tuple[float, ...]:
    return tuple(float(v) for v in rng.uniform(low, high, 3))


def _printed(canvas: Canvas, place: Callable[..., np.ndarray], rng: np.random.Generator) -> None:
    """A domino printed on the table: flat, with an outline, often in a row."""
    body, ink = _colour(rng, 0.5, 0.9), _colour(rng, 0.0, 0.15)
    for k in range(rng.integers(1, 6)):
        fill(canvas, place(_rect(1, 0.5, k * 1.0)), ink)
        fill(canvas, place(_rect(0.97, 0.47, k * 1.0)), body)
        fill(canvas, place(_rect(0.02, 0.42, k * 1.0)), ink)
        for side in (-0.25, 0.25):
            for along, across in PIP_LAYOUT[int(rng.integers(0, 7))]:
                fill(canvas, place(_disc(0.045, k + side + along * 0.14, across * 0.14)), ink)


def _die(canvas: Canvas, place: Callable[..., np.ndarray], rng: np.random.Generator) -> None:
    body, ink = _colour(rng, 0.4, 1.0), _colour(rng, 0.0, 0.3)
    foot, top = place(_rect(1, 1)), place(_rect(0.96, 0.96), 15.0)
    fill(canvas, cv2.convexHull(np.concatenate([foot, top]).astype(np.float32))[:, 0], tuple(0.6 * c for c in body))
    fill(canvas, top, body)
    for along, across in PIP_LAYOUT[int(rng.integers(1, 7))]:
        fill(canvas, place(_disc(0.1, along * 0.27, across * 0.27), 15.0), ink)


def _dice(canvas: Canvas, place: Callable[..., np.ndarray], rng: np.random.Generator) -> None:
    """Two to five dice side by side: two of them look like a tile."""
    apart = rng.uniform(1.0, 1.3)
    for k in range(int(rng.integers(2, 6))):
        _die(canvas, lambda local, z_mm=0.0, k=k: place(np.asarray(local) + np.array([k * apart, 0.0]), z_mm), rng)


def _round(canvas: Canvas, place: Callable[..., np.ndarray], rng: np.random.Generator) -> None:
    """A coin, a button, a coaster, a cup seen from above."""
    fill(canvas, place(_disc(0.5)), _colour(rng))
    fill(canvas, place(_disc(rng.uniform(0.25, 0.45))), _colour(rng))
    if rng.random() < 0.4:
        for along, across in PIP_LAYOUT[4]:
            fill(canvas, place(_disc(0.06, along * 0.13, across * 0.13)), _colour(rng, 0, 0.2))


def _card(canvas: Canvas, place: Callable[..., np.ndarray], rng: np.random.Generator) -> None:
    """A card, a score sheet or a phone: a rectangle with marks."""
    fill(
        canvas,
        place(_rect(1.0, rng.uniform(0.45, 0.75))),
        _colour(rng, 0.3, 1.0) if rng.random() < 0.6 else _colour(rng, 0.0, 0.15),
    )
    ink = _colour(rng, 0, 0.4)
    for _ in range(rng.integers(0, 14)):
        x, y = rng.uniform(-0.42, 0.42), rng.uniform(-0.2, 0.2)
        fill(canvas, place(_rect(rng.uniform(0.02, 0.2), rng.uniform(0.01, 0.05), x, y)), ink)


def _keyboard(canvas: Canvas, place: Callable[..., np.ndarray], rng: np.random.Generator) -> None:
    body, key, ink = _colour(rng, 0, 0.4), _colour(rng, 0.2, 1.0), _colour(rng, 0, 0.3)
    rows, cols = rng.integers(2, 5), rng.integers(4, 12)
    fill(canvas, place(_rect(cols * 0.2 + 0.1, rows * 0.2 + 0.1)), body)
    for r in range(rows):
        for c in range(cols):
            x, y = (c - (cols - 1) / 2) * 0.2, (r - (rows - 1) / 2) * 0.2
            fill(canvas, place(_rect(0.17, 0.16, x, y)), key)
            fill(canvas, place(_rect(0.03, 0.05, x, y)), ink)


def _dots(canvas: Canvas, place: Callable[..., np.ndarray], rng: np.random.Generator) -> None:
    """Loose dots, as on dotted cloth."""
    ink = _colour(rng)
    for _ in range(rng.integers(3, 25)):
        fill(canvas, place(_disc(rng.uniform(0.02, 0.06), *rng.uniform(-0.6, 0.6, 2))), ink)


def _text(canvas: Canvas, place: Callable[..., np.ndarray], rng: np.random.Generator) -> None:
    ink = _colour(rng)
    for k in range(rng.integers(3, 9)):
        for _ in range(rng.integers(1, 4)):
            fill(
                canvas,
                place(
                    _rect(
                        rng.uniform(0.02, 0.12), rng.uniform(0.02, 0.12), k * 0.16 + rng.uniform(0, 0.08), rng.uniform(-0.1, 0.1)
                    )
                ),
                ink,
            )


def _blob(canvas: Canvas, place: Callable[..., np.ndarray], rng: np.random.Generator) -> None:
    """Anything: an irregular patch, a strap, a stand."""
    n = int(rng.integers(4, 9))
    t = np.sort(rng.uniform(0, 2 * np.pi, n))
    r = rng.uniform(0.2, 0.8, n)
    fill(canvas, place(np.stack([r * np.cos(t), r * np.sin(t) * rng.uniform(0.2, 1)], axis=1)), _colour(rng))


def _blank_block(canvas: Canvas, place: Callable[..., np.ndarray], rng: np.random.Generator) -> None:
    """A plain light block that is no tile: eraser, box, folded paper."""
    body = _colour(rng, 0.3, 1.0)
    shape = _rect(rng.uniform(0.5, 1.4), rng.uniform(0.4, 1.0))
    fill(canvas, place(shape), tuple(0.5 * c for c in body))
    fill(canvas, place(shape, rng.uniform(2, 15)), body)


KINDS: dict[str, Callable[[Canvas, Callable[..., np.ndarray], np.random.Generator], None]] = {
    "printed": _printed,
    "die": _die,
    "dice": _dice,
    "round": _round,
    "card": _card,
    "keyboard": _keyboard,
    "dots": _dots,
    "text": _text,
    "blob": _blob,
    "block": _blank_block,
}


# Things that need to know their size in millimetres.
SHEETS: dict[str, Callable[[Canvas, Callable[..., np.ndarray], np.random.Generator, float], None]] = {
    "page": draw_page,
    "keys": draw_keys,
    "tray": draw_tray,
}


def draw_prop(canvas: Canvas, prop: Prop, project: Project) -> None:
    """Draw one prop on the canvas (HxWx3 linear BGR, in place)."""
    place, rng = _frame(prop, project), np.random.default_rng(prop.seed)
    if prop.kind in SHEETS:
        SHEETS[prop.kind](canvas, place, rng, prop.size_mm)
    else:
        KINDS[prop.kind](canvas, place, rng)


def _capsule(a: np.ndarray, b: np.ndarray, ra: float, rb: float) -> np.ndarray:
    d = b - a
    angle = np.arctan2(d[1], d[0])
    t = np.linspace(-np.pi / 2, np.pi / 2, 10)
    front = b + rb * np.stack([np.cos(angle + t), np.sin(angle + t)], axis=1)
    rear = a + ra * np.stack([np.cos(angle + np.pi + t), np.sin(angle + np.pi + t)], axis=1)
    return np.concatenate([front, rear])


def arm_shapes(arm: Arm) -> list[tuple[np.ndarray, bool]]:
    """Outlines of forearm, palm and fingers in mm (Nx2), each with whether the sleeve covers it."""
    start, tip = np.array(arm.start_mm), np.array(arm.tip_mm)
    u = (tip - start) / max(np.linalg.norm(tip - start), 1e-6)
    v = np.array([-u[1], u[0]])
    w = arm.width_mm
    wrist, knuckles = tip - u * 2.6 * w, tip - u * 1.4 * w
    shapes = [
        (_capsule(start, wrist, 0.6 * w, 0.42 * w), arm.sleeve is not None),
        (_capsule(wrist, knuckles, 0.4 * w, 0.62 * w), False),
    ]
    for k, reach in ((-1.5, 0.82), (-0.5, 0.97), (0.5, 1.0), (1.5, 0.85)):
        base = knuckles + v * k * 0.3 * w
        shapes.append((_capsule(base, base + (tip - knuckles) * reach + v * k * 0.05 * w, 0.17 * w, 0.13 * w), False))
    thumb = wrist + u * 0.3 * w + v * 0.5 * w
    shapes.append((_capsule(thumb, thumb + u * 0.9 * w + v * 0.5 * w, 0.19 * w, 0.15 * w), False))
    return shapes
