"""Arms and hands over a table as capsules: forearm, palm, bent fingers, thumb; a watch and a ring now and then."""

from __future__ import annotations

import numpy as np

from models.training.scene import Arm, Scene

SKIN, CLOTH, METAL = 0.0, 1.0, 2.0
Row = tuple[float, ...]


def arm_instances(scene: Scene) -> np.ndarray:
    """Capsules of all arms: end and radius, other end and radius, colour and kind (Nx12, mm, linear BGR)."""
    rng = np.random.default_rng([scene.seed, 23])
    rows = [row for arm in scene.arms for row in _arm(arm, rng)]
    return np.array(rows, np.float32).reshape(-1, 12)


def _capsule(a: np.ndarray, ra: float, b: np.ndarray, rb: float, colour: tuple[float, ...], kind: float) -> Row:
    return (*a, ra, *b, rb, *colour, kind)


def _arm(arm: Arm, rng: np.random.Generator) -> list[Row]:
    start, tip, w = np.array([*arm.start_mm, 0.0]), np.array([*arm.tip_mm, 0.0]), arm.width_mm
    u = (tip - start) / max(float(np.linalg.norm(tip - start)), 1e-6)
    v, up = np.array([-u[1], u[0], 0.0]) * rng.choice([-1.0, 1.0]), np.array([0.0, 0.0, 1.0])
    lift = rng.uniform(0.0, 15.0)
    wrist, knuckles = tip - u * 2.6 * w + up * (38 + lift), tip - u * 1.4 * w + up * (42 + lift)
    elbow = start + up * rng.uniform(70, 130)
    cuff = wrist + (elbow - wrist) / max(float(np.linalg.norm(elbow - wrist)), 1e-6) * rng.uniform(0.3, 1.6) * w
    rows = [_capsule(elbow, 0.6 * w, wrist, 0.33 * w, arm.skin, SKIN)]
    if arm.sleeve is not None:
        rows.append(_capsule(elbow, 0.72 * w, cuff, 0.52 * w, arm.sleeve, CLOTH))
    elif rng.random() < 0.3:
        rows.append(_capsule(wrist - u * 0.5 * w, 0.43 * w, wrist - u * 0.35 * w, 0.43 * w, (0.05, 0.05, 0.05), METAL))
    return rows + _hand(arm, rng, wrist, knuckles, tip, u, v, w)


def _hand(
    arm: Arm,
    rng: np.random.Generator,
    wrist: np.ndarray,
    knuckles: np.ndarray,
    tip: np.ndarray,
    u: np.ndarray,
    v: np.ndarray,
    w: float,
) -> list[Row]:
    """The back of the hand, fingers in three parts that bend down to the table, the thumb at the side of v."""
    rows = []
    for k in np.linspace(-1.5, 1.5, 7):  # close together: one surface with shallow furrows
        end = knuckles + v * k * 0.27 * w - u * 0.08 * w * k * k / 2
        rows.append(_capsule(wrist + v * k * 0.14 * w, 0.27 * w, end, 0.2 * w, arm.skin, SKIN))
    splay, curl = rng.uniform(0.0, 0.12), rng.uniform(0.85, 1.0)
    ring = int(rng.integers(0, 4)) if rng.random() < 0.2 else -1
    for n, (k, reach) in enumerate(((-1.5, 0.8), (-0.5, 0.95), (0.5, 1.0), (1.5, 0.9))):
        base = knuckles + v * k * 0.27 * w - u * 0.08 * w * k * k / 2
        end = base + (u + v * k * splay) * 1.4 * w * reach * curl
        end[2] = rng.uniform(10, 22)
        joints = [base + (end - base) * t for t in (0.0, 0.45, 0.75, 1.0)]
        joints[1][2] = base[2] + 2
        joints[2][2] = (joints[1][2] + end[2]) / 2 + 4
        radii = np.array([0.185, 0.165, 0.15, 0.125]) * w
        for i in range(3):
            rows.append(_capsule(joints[i], radii[i], joints[i + 1], radii[i + 1], arm.skin, SKIN))
        if n == ring:
            a, b = (joints[0] + (joints[1] - joints[0]) * t for t in (0.5, 0.56))
            rows.append(_capsule(a, 0.187 * w, b, 0.187 * w, (0.02, 0.05, 0.06), METAL))
    root = wrist + u * 0.35 * w + v * 0.38 * w
    middle, end = root + u * 0.5 * w + v * 0.38 * w, root + u * 1.05 * w + v * 0.45 * w
    end[2] = rng.uniform(12, 30)
    rows.append(_capsule(wrist + v * 0.1 * w, 0.27 * w, root, 0.24 * w, arm.skin, SKIN))
    rows.append(_capsule(root, 0.24 * w, middle, 0.19 * w, arm.skin, SKIN))
    rows.append(_capsule(middle, 0.19 * w, end, 0.14 * w, arm.skin, SKIN))
    return rows
