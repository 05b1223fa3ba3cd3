"""The table plane from the tiles themselves: every tile is a 2:1 rectangle of known size lying flat."""

from __future__ import annotations

import numpy as np

from calibration.plane import TablePlane
from rules.errors import BadInput

TILE_MM = (50.8, 25.4)  # length and width of a tile of a professional set (2 x 1 in)

CORNER_SD_MM = 2.0  # detected corners are within 3-5 % of a tile's length
STRETCH_SD = 0.15  # how far an overhead camera may be from square, before any tile is seen (uneven scale, skew)
PERSPECTIVE_SD = 0.15  # and from vertical (change of scale from the picture's centre to its corner)
STEPS = 12
RECTANGLE_MM = np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]) * np.array(TILE_MM) / 2


def plane_from_tiles(quads_px: np.ndarray, image_size: tuple[int, int]) -> TablePlane:
    """The plane in which tiles are tiles.

    quads_px: Nx4x2, corners clockwise as seen, corners 0 and 3 on one short side. Origin in the picture's centre, north up in the
    picture, seats unknown. One tile gives little more than its scale, several give the camera's tilt as well: tilt and stretch
    carry a prior of a camera that looks straight down, so few tiles cannot bend the table. BadInput without any tile.
    """
    quads = np.asarray(quads_px, dtype=np.float64).reshape(-1, 4, 2)
    if len(quads) == 0:
        raise BadInput("expected at least one tile to take the scale from, found none; lay a tile or give a calibration")
    to_unit = _to_unit(image_size)
    unit = _apply(to_unit, quads)
    parameters = np.array([_log_scale(unit), 0.0, 0.0, 0.0, 0.0])
    damping = 1e-3
    cost = _cost(parameters, unit)
    for _ in range(STEPS):
        residuals, jacobian = _linearise(parameters, unit)
        normal = jacobian.T @ jacobian
        step = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), -jacobian.T @ residuals)
        new_cost = _cost(parameters + step, unit)
        if new_cost < cost:
            parameters, damping, done = parameters + step, damping / 5, cost - new_cost < 1e-6 * cost
            cost = new_cost
            if done:
                break
        else:
            damping *= 10
    homography = _matrix(parameters) @ to_unit
    misfit = _misfit_mm(parameters, unit)
    return TablePlane(homography / homography[2, 2], image_size, None, float(np.sqrt(np.mean(misfit**2))))


def _to_unit(image_size: tuple[int, int]) -> np.ndarray:
    """Pixels to a frame with the picture's centre as origin, half its diagonal as unit and y up."""
    width, height = image_size
    unit = np.hypot(width, height) / 2
    return np.array([[1 / unit, 0, -width / 2 / unit], [0, -1 / unit, height / 2 / unit], [0, 0, 1]])


def _matrix(parameters: np.ndarray) -> np.ndarray:
    """Log scale, two of stretch, two of perspective, as a homography; turn and shift are free and stay out."""
    log_scale, stretch, skew, tilt_x, tilt_y = parameters
    scale = np.exp(log_scale)
    return np.array([[scale * (1 + stretch), scale * skew, 0], [scale * skew, scale * (1 - stretch), 0], [tilt_x, tilt_y, 1]])


def _apply(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    homogeneous = np.concatenate([points, np.ones((*points.shape[:-1], 1))], axis=-1) @ matrix.T
    return np.asarray(homogeneous[..., :2] / homogeneous[..., 2:])


def _log_scale(unit_quads: np.ndarray) -> float:
    x, y = unit_quads[..., 0], unit_quads[..., 1]
    areas = np.abs(np.sum(x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1), axis=1)) / 2
    return float(np.log(np.sqrt(TILE_MM[0] * TILE_MM[1] / max(float(np.median(areas)), 1e-9))))


def _misfit_mm(parameters: np.ndarray, unit_quads: np.ndarray) -> np.ndarray:
    """Nx4x2: each corner's distance from the tile-sized rectangle that fits its quad best."""
    quads = _apply(_matrix(parameters), unit_quads)
    centred = quads - quads.mean(axis=1, keepdims=True)
    dot = np.sum(centred * RECTANGLE_MM, axis=(1, 2))
    cross = centred[..., 1] @ RECTANGLE_MM[:, 0] - centred[..., 0] @ RECTANGLE_MM[:, 1]
    norm = np.maximum(np.hypot(dot, cross), 1e-9)
    cos, sin = dot / norm, cross / norm
    turned = RECTANGLE_MM @ np.array([[cos, sin], [-sin, cos]]).transpose(2, 0, 1)
    return np.asarray(centred - turned)


def _residuals(parameters: np.ndarray, unit_quads: np.ndarray) -> np.ndarray:
    misfit = _misfit_mm(parameters, unit_quads) / CORNER_SD_MM
    # A quad that is no tile at all must not bend the table: its pull is bounded at a few times what most quads show.
    size = np.sqrt(np.mean(misfit**2, axis=(1, 2), keepdims=True))
    calm = 1 / np.sqrt(1 + (size / (3.0 + 2.0 * np.median(size))) ** 2)
    prior = parameters[1:] / np.array([STRETCH_SD, STRETCH_SD, PERSPECTIVE_SD, PERSPECTIVE_SD])
    return np.concatenate([(misfit * calm).ravel(), prior])


def _cost(parameters: np.ndarray, unit_quads: np.ndarray) -> float:
    if 1 - np.hypot(parameters[3], parameters[4]) <= 0.05:  # the horizon would cross the picture
        return np.inf
    return float(np.sum(_residuals(parameters, unit_quads) ** 2))


def _linearise(parameters: np.ndarray, unit_quads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    residuals = _residuals(parameters, unit_quads)
    columns = []
    for i in range(len(parameters)):
        nudge = np.zeros(len(parameters))
        nudge[i] = 1e-6
        columns.append((_residuals(parameters + nudge, unit_quads) - residuals) / 1e-6)
    return residuals, np.stack(columns, axis=1)
