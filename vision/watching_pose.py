"""Whether the camera still sees what it saw when it was calibrated, or from where else it sees it.

What stands still (rims, tags, legs of chairs, the print of a cloth) gives the pose; arms, new tiles and shadows do not, because they do not
move together. Edges count as much as corners, so a plain cloth on a plain floor is enough.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

WIDTH = 320  # pictures are watched at this width
COARSE = 4  # and searched for at a quarter of it
WINDOW = 15  # px, of the light that is divided out
FAINT = 4.0  # grey levels: structure fainter than this is noise
PER_BLOCK = 24  # pixels of a block that are followed, the clearest
BLOCK = 20  # px
CLEAR = 0.25  # slope per pixel, in units of the local contrast, above which a pixel says where it is
ROUNDS = 8
CLOSE_PX = 0.01
AGREES = 0.55  # correlation of a block with the reference above which it shows the same
FEW_PIXELS = 8  # of a block: fewer have no say
TURNS_DEG = tuple(range(-180, 180, 12))
NEAR_DEG = (-8, -4, 0, 4, 8)
ZOOMS = (0.9, 0.95, 1.05, 1.1)
TRIED = 4  # of the poses that look best from afar are looked at closely
RIVAL = 0.6  # share of the best pose's agreement from which another pose is a rival
APART = 0.1  # of the picture's width: poses nearer to each other than that are one
FEW_TELLING = 3  # blocks that must speak for one of two rivals


def even(grey: np.ndarray) -> np.ndarray:
    """A picture (HxW) without its light: each pixel against its surroundings, in units of their contrast. float32."""
    plain = cv2.GaussianBlur(grey, (0, 0), 0.8).astype(np.float32)
    high = plain - cv2.blur(plain, (WINDOW, WINDOW))
    power = np.maximum(cv2.blur(high * high, (WINDOW, WINDOW)), 0)  # its running sums end a little below zero where nothing is
    return np.asarray(high / (np.sqrt(power) + FAINT), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """A pose and how much speaks for it. pose: 3x3, pixels of the reference to pixels of the picture now. agreement: 0-1, share of the
    blocks in view that show what they should; blocks: how many those are. is_sure: no other orientation explains the picture nearly as well
    (known after a search only)."""

    pose: np.ndarray
    agreement: float
    blocks: int
    is_sure: bool = False


class Template:
    """The reference picture's clear pixels, with what each tells about a motion."""

    def __init__(self, evened: np.ndarray) -> None:
        """`evened`: HxW as `even` gives it."""
        self.evened = evened
        self.size = (evened.shape[1], evened.shape[0])
        smooth = cv2.GaussianBlur(evened, (0, 0), 0.8)
        slope_x, slope_y = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8)
        rows, columns = _clear_pixels(np.hypot(slope_x, slope_y))
        self.points = np.column_stack([columns, rows]).astype(np.float64)
        self.values = evened[rows, columns]
        self.block = (rows // BLOCK) * (self.size[0] // BLOCK + 1) + columns // BLOCK
        self.reach = max(self.size) / 2
        x, y = ((self.points - self.middle) / self.reach).T
        gx, gy = slope_x[rows, columns], slope_y[rows, columns]
        self.tells = np.column_stack([gx * x + gy * y, gy * x - gx * y, gx, gy])

    @property
    def middle(self) -> np.ndarray:
        return (np.array(self.size) - 1) / 2

    @property
    def corners(self) -> np.ndarray:
        """Four points on a frame at a sixth of the picture, 4x2 px."""
        return np.array([[1.0, 1], [5, 1], [5, 5], [1, 5]]) / 6 * self.size

    def align(self, evened: np.ndarray, start: np.ndarray) -> Sight:
        """The pose near `start` that fits best; what does not fit has little weight."""
        if len(self.points) == 0:  # a picture with nothing in it
            return Sight(start, 0.0, 0)
        pose = start
        for _ in range(ROUNDS):
            seen, inside = _values_at(evened, _moved(pose, self.points))
            off = np.where(inside, seen - self.values, 0.0)
            spread = max(1.5 * float(np.median(np.abs(off))), 0.25)
            weight = inside / (1.0 + (off / spread) ** 2) ** 2
            weighted = self.tells * weight[:, None]
            normal = weighted.T @ self.tells + np.eye(4) * 1e-3
            step = np.linalg.solve(normal, weighted.T @ off)
            pose = pose @ np.linalg.inv(self._similarity(step))
            if np.abs(step * [self.reach, self.reach, 1, 1]).max() < CLOSE_PX:
                break
        return self.judge(evened, pose)

    def judge(self, evened: np.ndarray, pose: np.ndarray) -> Sight:
        """How much speaks for a pose as it is."""
        seen, inside = _values_at(evened, _moved(pose, self.points))
        correlation, count = _block_correlation(self.block[inside], self.values[inside], seen[inside])
        voting = count >= FEW_PIXELS
        blocks = int(voting.sum())
        return Sight(pose, float((correlation[voting] > AGREES).mean()) if blocks else 0.0, blocks)

    def likeness(self, evened: np.ndarray, pose: np.ndarray) -> float:
        """Correlation of all clear pixels at a pose, those out of view counting as unlike."""
        if len(self.points) == 0:
            return 0.0
        seen, inside = _values_at(evened, _moved(pose, self.points))
        return float(np.sum(seen * self.values * inside) / np.sqrt(np.sum(seen**2 * inside) * np.sum(self.values**2) + 1e-9))

    def _similarity(self, step: np.ndarray) -> np.ndarray:
        grow, turn = step[:2] / self.reach
        about = np.array([[1 + grow, -turn], [turn, 1 + grow]])
        return np.vstack([np.column_stack([about, self.middle - about @ self.middle + step[2:]]), [0, 0, 1]])


class Reference:
    """The picture the camera was calibrated with, as it should see it ever after."""

    def __init__(self, picture: np.ndarray) -> None:
        """`picture`: BGR or grey uint8, WIDTH wide."""
        grey = grey_of(picture)
        self.picture = picture
        self.fine, self.coarse = Template(even(grey)), Template(even(_coarse(grey)))
        self.window = cv2.createHanningWindow(self.coarse.size, cv2.CV_32F)

    @property
    def size(self) -> tuple[int, int]:
        return self.fine.size

    def find(self, evened: np.ndarray, start: np.ndarray) -> Sight:
        """The pose near `start` (3x3), cheap."""
        return self.fine.align(evened, start)

    def search_in(self, picture: np.ndarray, known: Sight | None = None) -> Sight:
        """The pose wherever it may be: any turn, a tenth nearer or farther, mirrored. Some 80 ms.

        picture: BGR or grey uint8, WIDTH wide. known: a pose that fits, to be held against all others.
        """
        grey = grey_of(picture)
        evened, small = even(grey), even(_coarse(grey))
        turns = self._turns()
        near = self._closer(evened, small, turns) + self._closer(evened, small, [turn @ self._mirror for turn in turns])
        near += self._quarters(
            evened, small, np.eye(3)
        )  # a camera is put up again upside down, and a plain table is hard to find
        near = sorted(near if known is None else [known, *near], key=_by_agreement)
        # A camera does not become a mirror: what looks so must win clearly, for many tables look alike in one.
        upright = [sight for sight in near if not _is_mirrored(sight)]
        best = next((sight for sight in upright if sight.agreement > RIVAL * near[0].agreement), near[0])
        for other in near:
            if self._is_rival(best, other) and self._beats(evened, other, best):
                best = other
        near += self._quarters(evened, small, best.pose)
        rivals = [other for other in near if self._is_rival(best, other)]
        return replace(best, is_sure=not _is_mirrored(best) and all(self._beats(evened, best, rival) for rival in rivals))

    def _quarters(self, evened: np.ndarray, small: np.ndarray, pose: np.ndarray) -> list[Sight]:
        """The poses a quarter, a half and three quarters of a turn from one, aligned."""
        turned = [pose @ _turn_about(self.fine.middle, 90.0 * quarter) for quarter in (1, 2, 3)]
        return [self.fine.align(evened, _enlarged(self.coarse.align(small, _reduced(one)).pose)) for one in turned]

    def _closer(self, evened: np.ndarray, small: np.ndarray, turns: list[np.ndarray]) -> list[Sight]:
        """The poses that look best, aligned, the best first."""
        there = np.fft.rfft2(small * self.window)
        guesses = sorted((self._guess(small, there, turn) for turn in turns), key=lambda guess: -guess[0])
        near = sorted((self.coarse.align(small, pose) for _, pose in guesses[: 2 * TRIED]), key=_by_agreement)
        return sorted((self.fine.align(evened, _enlarged(sight.pose)) for sight in near[:TRIED]), key=_by_agreement)

    def _is_rival(self, best: Sight, other: Sight) -> bool:
        """Whether another pose is quite another one and fits nearly as well."""
        apart = np.abs(_moved(best.pose, self.fine.corners) - _moved(other.pose, self.fine.corners)).max()
        return bool(apart > APART * self.size[0] and other.agreement > RIVAL * best.agreement)

    def _beats(self, evened: np.ndarray, one: Sight, other: Sight) -> bool:
        """Whether one pose is right where the two expect different things: a tag, a chair, a laid tile tells four alike sides apart."""
        points, values, block = self.fine.points, self.fine.values, self.fine.block
        if len(points) == 0:
            return False
        at = _moved(one.pose, points)
        seen, inside = _values_at(evened, at)
        expected, known = _values_at(self.fine.evened, _moved(np.linalg.inv(other.pose), at))
        both = inside & known
        alike, count = _block_correlation(block[both], values[both], expected[both])
        telling = (count >= FEW_PIXELS) & (alike < AGREES)
        first, _ = _block_correlation(block[both], values[both], seen[both])
        second, _ = _block_correlation(block[both], expected[both], seen[both])
        won = int((telling & (first > AGREES) & (first > second)).sum())
        lost = int((telling & (second > AGREES) & (second > first)).sum())
        return won >= FEW_TELLING and won > 2 * lost

    def _turns(self) -> list[np.ndarray]:
        """The turns about the middle of the coarse picture that are tried, 3x3."""
        middle = self.coarse.middle
        around = [_turn_about(middle, turn) for turn in TURNS_DEG]
        return [*around, *(_turn_about(middle, turn, zoom) for turn in NEAR_DEG for zoom in ZOOMS)]

    @property
    def _mirror(self) -> np.ndarray:
        return np.array([[-1, 0, self.coarse.size[0] - 1], [0, 1, 0], [0, 0, 1.0]])

    def _guess(self, small: np.ndarray, there: np.ndarray, turn: np.ndarray) -> tuple[float, np.ndarray]:
        """How alike the pictures are after this turn and the shift that phase correlation gives, and both as a pose."""
        turned = cv2.warpAffine(self.coarse.evened, turn[:2], self.coarse.size)
        cross = there * np.conj(np.fft.rfft2(turned * self.window))
        height, width = small.shape
        peak = int(np.argmax(np.fft.irfft2(cross / (np.abs(cross) + 1e-6), s=small.shape)))
        y, x = (peak // width + height // 2) % height - height // 2, (peak % width + width // 2) % width - width // 2
        pose = np.array([[1, 0, x], [0, 1, y], [0, 0, 1.0]]) @ turn
        return self.coarse.likeness(small, pose), pose


def _clear_pixels(slope: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows and columns of the clearest pixels, some of every block, none at the rim of the picture."""
    height, width = slope.shape
    clear = np.zeros_like(slope, dtype=bool)
    margin = 4
    for top in range(margin, height - margin, BLOCK):
        for left in range(margin, width - margin, BLOCK):
            part = slope[top : min(top + BLOCK, height - margin), left : min(left + BLOCK, width - margin)]
            least = max(CLEAR, float(np.partition(part.ravel(), -min(PER_BLOCK, part.size))[-min(PER_BLOCK, part.size)]))
            clear[top : top + part.shape[0], left : left + part.shape[1]] = part >= least
    rows, columns = np.nonzero(clear)
    return rows, columns


def _values_at(picture: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Values of a float32 picture at Nx2 points, and which of them lie inside."""
    height, width = picture.shape
    inside = (points[:, 0] > 2) & (points[:, 0] < width - 3) & (points[:, 1] > 2) & (points[:, 1] < height - 3)
    at = points.astype(np.float32)[None]
    return cv2.remap(picture, at[..., 0], at[..., 1], cv2.INTER_LINEAR)[0], inside


def _block_correlation(block: np.ndarray, one: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Correlation of two values of each pixel, block by block, and how many pixels each block has."""
    count = np.bincount(block)
    many = np.maximum(count, 1)

    def mean(values: np.ndarray) -> np.ndarray:
        return np.asarray(np.bincount(block, values) / many)

    first, second = one - mean(one)[block], other - mean(other)[block]
    return mean(first * second) / np.sqrt(mean(first**2) * mean(second**2) + 1e-9), count


def _moved(pose: np.ndarray, points: np.ndarray) -> np.ndarray:
    return np.asarray(points @ pose[:2, :2].T + pose[:2, 2])


def _turn_about(centre: np.ndarray, turn_deg: float, zoom: float = 1.0) -> np.ndarray:
    return np.vstack([cv2.getRotationMatrix2D((float(centre[0]), float(centre[1])), turn_deg, zoom), [0, 0, 1]])


def _coarse(grey: np.ndarray) -> np.ndarray:
    size = (grey.shape[1] // COARSE, grey.shape[0] // COARSE)
    return cv2.resize(grey, size, interpolation=cv2.INTER_AREA)


def _enlarged(pose: np.ndarray) -> np.ndarray:
    """A pose of the coarse pictures for the fine ones."""
    shift = (COARSE - 1) / 2
    grow = np.array([[COARSE, 0, shift], [0, COARSE, shift], [0, 0, 1.0]])
    return np.asarray(grow @ pose @ np.linalg.inv(grow))


def _reduced(pose: np.ndarray) -> np.ndarray:
    """The way back."""
    shift = (COARSE - 1) / 2
    shrink = np.linalg.inv(np.array([[COARSE, 0, shift], [0, COARSE, shift], [0, 0, 1.0]]))
    return np.asarray(shrink @ pose @ np.linalg.inv(shrink))


def _is_mirrored(sight: Sight) -> bool:
    return bool(np.linalg.det(sight.pose[:2, :2]) < 0)


def _by_agreement(sight: Sight) -> float:
    """Best first; one that is judged by a few blocks at the rim counts less."""
    return -sight.agreement * min(sight.blocks, 8)


def grey_of(picture: np.ndarray) -> np.ndarray:
    """A BGR or grey picture as grey."""
    return picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
