"""Pictures to tile detections: propose at several sizes, correct the corners, read, settle what overlaps.

No scale is told. The localiser looks at the whole picture at a small and a middle size first; larger sizes are looked at only when
tiles found are small in the middle one, or when none is found. What the reader takes for no tile is dropped.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import cv2
import numpy as np
import onnxruntime

from models.localiser import Localiser, Proposals, concatenate, intersection, quad_area, suppress
from models.reader import KINDS, Readings, TileReader
from rules.errors import BadInput
from vision.detections import TileDetection, TileState

WEIGHTS = Path(__file__).with_name("weights")
COARSE = (160, 320, 640)  # long sides that are always looked at; the smallest finds tiles that fill the picture
FINE, FINEST = 1280, 2560
SMALL_PX = 34.0  # tiles shorter than this at 640 px get a look at 1280 px
MIN_SCORE = 0.06  # of the localiser
NONE_SURE = 0.9  # the first look drops what is no tile with this probability
NONE_LIKELY = 0.8  # and so does the second
MIN_CONFIDENCE = 0.05


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds of the stages of one picture."""

    localise: float
    read: float


def _session(file: Path, threads: int) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime raises its own kinds
        raise BadInput(
            f"expected a network in {file}, found none that loads ({type(error).__name__}); restore models/weights"
        ) from error


class Detector:
    """The tile detector. weights: folder with localiser.onnx, reader.onnx and weights.json; threads: 0 for all cores."""

    def __init__(self, weights: Path = WEIGHTS, threads: int = 0) -> None:
        card = weights / "weights.json"
        if not card.is_file():
            raise BadInput(
                f"expected trained weights in {weights}, found no weights.json; restore the folder or run `make train`"
            )
        about = json.loads(card.read_text())
        self._localiser = Localiser(_session(weights / "localiser.onnx", threads))
        reader = _session(weights / "reader.onnx", threads)
        self._reader = TileReader(reader, about["kind_temperature"], about["half_temperature"])
        self.timing = Timing(0.0, 0.0)

    def detect(self, image: np.ndarray, min_confidence: float = MIN_CONFIDENCE) -> list[TileDetection]:
        """All tiles of a BGR uint8 picture, best first."""
        start = perf_counter()
        proposals = self._propose(image)
        middle = perf_counter()
        found = self._read(image, proposals)
        self.timing = Timing((middle - start) * 1e3, (perf_counter() - middle) * 1e3)
        return [d for d in found if d.confidence >= min_confidence]

    def _propose(self, image: np.ndarray) -> Proposals:
        longest = max(image.shape[:2])
        levels = [self._localiser.propose(image, side, MIN_SCORE) for side in COARSE if side <= max(2 * longest, COARSE[0])]
        sure = [p.quads_px[p.scores > 0.5] for p in levels]
        lengths = np.concatenate([np.linalg.norm(q[:, 1] - q[:, 0], axis=1) for q in sure]) * COARSE[-1] / longest
        if (len(lengths) == 0 or np.median(lengths) < SMALL_PX) and 2 * longest >= FINE:
            levels.append(self._localiser.propose(image, FINE, MIN_SCORE))
            if len(lengths) == 0 and not (levels[-1].scores > 0.5).any() and 1.3 * longest >= FINEST:
                levels.append(self._localiser.propose(image, FINEST, MIN_SCORE))
        return suppress(concatenate(levels), 0.75, limit=250)

    def _read(self, image: np.ndarray, proposals: Proposals) -> list[TileDetection]:
        if not len(proposals):
            return []
        kinds, quads = self._reader.refine(image, proposals.quads_px)
        keep = (kinds[:, KINDS.index("none")] < NONE_SURE) & np.array([_is_quad(q) for q in quads])
        merged = suppress(Proposals(quads[keep], 1 - kinds[keep, -1], proposals.lengths_net[keep]), 0.75, limit=120)
        if not len(merged):
            return []
        readings = self._reader.read(image, merged.quads_px)
        likely = [i for i, quad in enumerate(readings.quads_px) if readings.kinds[i, -1] < NONE_LIKELY and _is_quad(quad)]
        if not likely:
            return []
        # Once more where the corners are now: a box that fits is surer of being one.
        readings = self._reader.read(image, readings.quads_px[likely])
        return _settle([_detection(readings, i) for i, quad in enumerate(readings.quads_px) if _is_quad(quad)])


def _is_quad(quad: np.ndarray) -> bool:
    """Convex, clockwise, and not a sliver."""
    if not np.isfinite(quad).all() or not cv2.isContourConvex(quad.astype(np.float32)):
        return False
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return bool(sides.min() > 2 and cv2.contourArea(quad.astype(np.float32), oriented=True) > 0)


def _detection(readings: Readings, i: int) -> TileDetection:
    kind = readings.kinds[i]
    state = TileState(KINDS[int(kind[:3].argmax())])
    halves, quad = readings.halves[i].astype(np.float64), readings.quads_px[i]
    if state is not TileState.FACE_UP:
        return TileDetection(quad, np.full((2, 7), 1 / 7), state, float(kind[:3].max()))
    first, second = halves.argmax(axis=1)
    if first > second:
        halves, quad = halves[::-1].copy(), np.roll(quad, 2, axis=0)
    confidence = float(kind[0] * halves.max(axis=1).prod())
    return TileDetection(quad, halves, state, confidence)


def _settle(found: list[TileDetection]) -> list[TileDetection]:
    """Two tiles do not lie in one place: of those that share more than a third of the smaller one, the surer stays.

    Of standing tiles the longer one stays: half of a tile on its long side looks like a tile on its short side.
    """

    def claim(d: TileDetection) -> float:
        return 1 + quad_area(d.quad_px) if d.state is TileState.STANDING and d.confidence > 0.5 else d.confidence

    kept: list[TileDetection] = []
    for one in sorted(found, key=claim, reverse=True):
        area = quad_area(one.quad_px)
        if all(intersection(one.quad_px, k.quad_px) < 0.34 * min(area, quad_area(k.quad_px)) for k in kept):
            kept.append(one)
    return kept


def model_hash(weights: Path = WEIGHTS) -> str:
    """SHA-256 over the two networks, hex."""
    digest = hashlib.sha256()
    for name in ("localiser.onnx", "reader.onnx"):
        digest.update((weights / name).read_bytes())
    return digest.hexdigest()
