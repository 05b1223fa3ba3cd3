"""The plane in which flat things of one known size are that size: tiles, or printed tags."""

from __future__ import annotations

import numpy as np

STRETCH_SD = 0.15  # how far an overhead camera may be from square, before anything is seen (uneven scale, skew)
PERSPECTIVE_SD = 0.15  # and from vertical (change of scale from the picture's centre to its corner)
STEPS = 12
NO_SUCH_THING = 2.0  # times what the median quad is off: such a quad is left out when the plane is known roughly
LOOKS_AGAIN = 2  # each time those that are left are fitted better, and what does not belong stands out more
BEST_SEEN = 0.2  # of the worst spread of corners: a better one is not believed, for their errors have something in common
FEW = 4  # of so few nobody can say which one does not belong


def fit_rectangles(
    quads_px: np.ndarray, image_size: tuple[int, int], size_mm: tuple[float, float], corner_sd_mm: float, shape_sd: float = 0.0
) -> tuple[np.ndarray, float]:
    """Homography (3x3) from pixels to millimetres in which the quads are rectangles of size_mm, and the rms of the corners
    of those that fit, mm. Quads that are no such thing are left out.

    quads_px: Nx4x2, N >= 1, corners clockwise as seen, 0 to 1 along size_mm[0]. Origin in the picture's centre, y up in it.
    corner_sd_mm: how well corners are known at worst; where they show that they are better, more is believed of them. Tilt and stretch are
    held near none by a prior that is as strong against it.
    shape_sd: how far the things may be from the shape of size_mm, all alike, as a share of size_mm[1]; 0 where it is exact.
    """
    fit = every = _Fit(quads_px, image_size, size_mm, corner_sd_mm, shape_sd)
    parameters = fit.solve()
    for _ in range(LOOKS_AGAIN):
        good = those_that_fit(every.misfit_mm(parameters), corner_sd_mm)
        if good.sum() < FEW:
            break
        seen_sd_mm = _spread_mm(every.misfit_mm(parameters)[good], len(parameters))
        sd_mm = float(np.clip(seen_sd_mm, BEST_SEEN * corner_sd_mm, corner_sd_mm))
        fit = _Fit(quads_px[good], image_size, size_mm, sd_mm, shape_sd)
        parameters = fit.solve()
    homography = _matrix(parameters) @ fit.to_unit
    misfit = fit.misfit_mm(parameters)
    return homography / homography[2, 2], float(np.sqrt(np.mean(misfit**2)))


def off_rectangle_mm(quads_mm: np.ndarray, size_mm: tuple[float, float]) -> np.ndarray:
    """Nx4x2: how far each corner of quads on the plane (Nx4x2 mm) lies from the rectangle of size_mm that fits its quad best."""
    rectangle = np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]) * np.array(size_mm) / 2
    centred = quads_mm - quads_mm.mean(axis=1, keepdims=True)
    dot = np.sum(centred * rectangle, axis=(1, 2))
    cross = centred[..., 1] @ rectangle[:, 0] - centred[..., 0] @ rectangle[:, 1]
    norm = np.maximum(np.hypot(dot, cross), 1e-9)
    cos, sin = dot / norm, cross / norm
    turned = rectangle @ np.array([[cos, sin], [-sin, cos]]).transpose(2, 0, 1)
    return np.asarray(centred - turned)


def _spread_mm(off_mm: np.ndarray, parameters: int) -> float:
    """Standard deviation of one coordinate of a corner, by N quads (N >= 4) that were fitted: each has a place and a turn of its own."""
    freedom = off_mm.size - 3 * len(off_mm) - parameters
    return float(np.sqrt(np.sum(off_mm**2) / max(freedom, 1)))


def those_that_fit(off_mm: np.ndarray, corner_sd_mm: float) -> np.ndarray:
    """N booleans: the quads whose corners (Nx4x2 mm off) are not far more off than those of most."""
    off = np.sqrt(np.mean(off_mm**2, axis=(1, 2)))
    return np.asarray(off <= max(NO_SUCH_THING * float(np.median(off)), corner_sd_mm))


class _Fit:
    """One least squares problem: log scale, two of stretch, two of perspective, and how much narrower all things are than size_mm
    (in log); turn and shift are free and stay out."""

    def __init__(
        self,
        quads_px: np.ndarray,
        image_size: tuple[int, int],
        size_mm: tuple[float, float],
        corner_sd_mm: float,
        shape_sd: float,
    ) -> None:
        self.to_unit = _to_unit(image_size)
        self.quads = _apply(self.to_unit, quads_px)
        self.size_mm, self.corner_sd_mm = size_mm, corner_sd_mm
        self.prior_sd = np.array([STRETCH_SD, STRETCH_SD, PERSPECTIVE_SD, PERSPECTIVE_SD, *([shape_sd] if shape_sd else [])])

    def solve(self) -> np.ndarray:
        """Levenberg-Marquardt from a camera that looks straight down."""
        parameters = np.concatenate([[self._log_scale()], np.zeros(len(self.prior_sd))])
        damping, cost = 1e-3, self._cost(parameters)
        for _ in range(STEPS):
            residuals, jacobian = self._linearise(parameters)
            normal = jacobian.T @ jacobian
            step = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), -jacobian.T @ residuals)
            new_cost = self._cost(parameters + step)
            if new_cost < cost:
                parameters, damping, done = parameters + step, damping / 5, cost - new_cost < 1e-6 * cost
                cost = new_cost
                if done:
                    break
            else:
                damping *= 10
        return parameters

    def misfit_mm(self, parameters: np.ndarray) -> np.ndarray:
        """Nx4x2: each corner's distance from the rectangle of the known size that fits its quad best."""
        narrower = np.exp(-parameters[5]) if len(parameters) > 5 else 1.0
        return off_rectangle_mm(_apply(_matrix(parameters), self.quads), (self.size_mm[0], self.size_mm[1] * narrower))

    def _log_scale(self) -> float:
        x, y = self.quads[..., 0], self.quads[..., 1]
        areas = np.abs(np.sum(x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1), axis=1)) / 2
        return float(np.log(np.sqrt(self.size_mm[0] * self.size_mm[1] / max(float(np.median(areas)), 1e-9))))

    def _residuals(self, parameters: np.ndarray) -> np.ndarray:
        misfit = self.misfit_mm(parameters) / self.corner_sd_mm
        # A quad that is no such thing at all must not bend the table: its pull is bounded at a few times what most quads show.
        size = np.sqrt(np.mean(misfit**2, axis=(1, 2), keepdims=True))
        calm = 1 / np.sqrt(1 + (size / (3.0 + 2.0 * np.median(size))) ** 2)
        prior = parameters[1:] / self.prior_sd
        return np.concatenate([(misfit * calm).ravel(), prior])

    def _cost(self, parameters: np.ndarray) -> float:
        if 1 - np.hypot(parameters[3], parameters[4]) <= 0.05:  # the horizon would cross the picture
            return np.inf
        return float(np.sum(self._residuals(parameters) ** 2))

    def _linearise(self, parameters: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        residuals = self._residuals(parameters)
        columns = []
        for i in range(len(parameters)):
            nudge = np.zeros(len(parameters))
            nudge[i] = 1e-6
            columns.append((self._residuals(parameters + nudge) - residuals) / 1e-6)
        return residuals, np.stack(columns, axis=1)


def _to_unit(image_size: tuple[int, int]) -> np.ndarray:
    """Pixels to a frame with the picture's centre as origin, half its diagonal as unit and y up."""
    width, height = image_size
    unit = np.hypot(width, height) / 2
    return np.array([[1 / unit, 0, -width / 2 / unit], [0, -1 / unit, height / 2 / unit], [0, 0, 1]])


def _matrix(parameters: np.ndarray) -> np.ndarray:
    log_scale, stretch, skew, tilt_x, tilt_y = parameters[:5]
    scale = np.exp(log_scale)
    return np.array([[scale * (1 + stretch), scale * skew, 0], [scale * skew, scale * (1 - stretch), 0], [tilt_x, tilt_y, 1]])


def _apply(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    homogeneous = np.concatenate([points, np.ones((*points.shape[:-1], 1))], axis=-1) @ matrix.T
    return np.asarray(homogeneous[..., :2] / homogeneous[..., 2:])
