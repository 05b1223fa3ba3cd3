"""Pictures to tile detections: propose at the sizes that are needed, look at each proposal, look again where it is not clear, settle
what overlaps, verify that what was read is no print.

No scale need be told. The localiser looks at the whole picture at a small and a middle size first; at a smaller one only when tiles are
large there or none is found, at larger ones only when tiles are small there or none is found. Where the length of a tile is known, one
size is enough.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

import numpy as np

from calibration.plane import TablePlane
from models.cascade import read_tiles
from models.heads import DecodedHeads
from models.localiser import Localiser, Proposals, concatenate, suppress
from models.reader import TileReader
from models.runtimes import open_session
from models.verifier import Claim, TileVerifier, verified
from rules.errors import BadInput
from vision.detections import TileDetection

WEIGHTS = Path(__file__).with_name("weights")
NETWORKS = ("localiser.onnx", "reader.onnx", "verifier.onnx")
USUAL = (320, 640)  # long sides that are always looked at
SMALLEST = 160  # finds tiles that fill the picture
LARGE_PX = 90.0  # tiles longer than this at 320 px get a look at 160 px
FINE, FINEST = 1280, 2560
SMALL_PX = 34.0  # tiles shorter than this at 640 px get a look at 1280 px
BEST_PX = 28.0  # length of a tile at the localiser's input where its length in the picture is told
MIN_SCORE = 0.06  # of the localiser
SURE = 0.5  # and of proposals that tell how long the tiles are
MIN_CONFIDENCE = 0.05
TILE_MM = 50.8
Box = tuple[int, int, int, int]  # left, top, right and bottom side, px
PLACES = ((0.5, 0.5), (0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8))  # in a picture, as shares of its sides; the middle first


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds of the stages of one picture; verifying counts as reading."""

    localise: float
    read: float


class Detector:
    """The tile detector.

    weights: folder with the NETWORKS and weights.json; threads: 0 for all cores; runtime: one of runtimes.RUNTIMES;
    tile_px: length of a tile in the pictures, where it is known (a fifth more or less does not matter); may be set between looks.
    verify: whether readings are held against what is printed and against the ink of the set (the verifier itself learns from a detector
    that does not).
    """

    def __init__(
        self,
        weights: Path = WEIGHTS,
        threads: int = 0,
        runtime: str = "onnxruntime",
        tile_px: float | None = None,
        *,
        verify: bool = True,
    ) -> None:
        card = weights / "weights.json"
        if not card.is_file():
            raise BadInput(
                f"expected trained weights in {weights}, found no weights.json; restore the folder or run `make train`"
            )
        about = json.loads(card.read_text())
        localiser, heads = open_session(weights / "localiser.onnx", threads, runtime)
        self._localiser = Localiser(localiser if "output0" in heads else DecodedHeads(localiser))
        reader, _ = open_session(weights / "reader.onnx", threads, runtime)
        self._reader = TileReader(reader, about["kind_temperature"], about["half_temperature"])
        self._verifier = TileVerifier(open_session(weights / "verifier.onnx", threads, runtime)[0]) if verify else None
        self.tile_px = tile_px
        self.timing = Timing(0.0, 0.0)

    def detect(self, image: np.ndarray, min_confidence: float = MIN_CONFIDENCE) -> list[TileDetection]:
        """All tiles of a BGR uint8 picture, best first."""
        return [d for d in verified(self.claims(image)) if d.confidence >= min_confidence]

    def claims(
        self, image: np.ndarray, boxes: Sequence[Box] | None = None, is_wanted: Callable[[np.ndarray], bool] = lambda middle: True
    ) -> list[Claim]:
        """What is read as a tile in a BGR uint8 picture, and how it looks beside print; `verified` makes tiles of that.

        boxes: the parts of the picture to look at, where the length of a tile is known; None for all of it. is_wanted: whether to read a
        tile with its middle (x, y, px) there.
        """
        start = perf_counter()
        proposals = self._propose(image) if boxes is None else self._propose_in(image, boxes)
        proposals = proposals.pick(np.array([is_wanted(quad.mean(axis=0)) for quad in proposals.quads_px], bool))
        middle = perf_counter()
        found = [d for d in read_tiles(self._reader, image, proposals) if is_wanted(d.centre_px)]
        claims = self._verifier.claims(image, found) if self._verifier is not None else [Claim(d) for d in found]
        self.timing = Timing((middle - start) * 1e3, (perf_counter() - middle) * 1e3)
        return claims

    def _propose_in(self, image: np.ndarray, boxes: Sequence[Box]) -> Proposals:
        """What is proposed in parts of a picture, each seen as large as it would be in the whole."""
        if self.tile_px is None:
            raise ValueError("expected the length of a tile, found none: a part of a picture does not tell it")
        scale = _best_side(image, self.tile_px) / max(image.shape[:2])
        levels = []
        for x0, y0, x1, y1 in boxes:
            part = self._localiser.propose(image[y0:y1, x0:x1], max(1, round(max(x1 - x0, y1 - y0) * scale)), MIN_SCORE)
            levels.append(replace(part, quads_px=part.quads_px + np.array([x0, y0], np.float32)))
        return concatenate(levels)

    def _propose(self, image: np.ndarray) -> Proposals:
        if self.tile_px is not None:
            return self._localiser.propose(image, _best_side(image, self.tile_px), MIN_SCORE)
        longest = max(image.shape[:2])
        levels = [self._localiser.propose(image, side, MIN_SCORE) for side in USUAL if side <= max(2 * longest, USUAL[0])]
        near, lengths = _sure_lengths(levels[:1]) * USUAL[0] / longest, _sure_lengths(levels) * USUAL[1] / longest
        if not len(near) or near.max() > LARGE_PX:
            levels.append(self._localiser.propose(image, SMALLEST, MIN_SCORE))
        if (not len(lengths) or np.median(lengths) < SMALL_PX) and 2 * longest >= FINE:
            levels.append(self._localiser.propose(image, FINE, MIN_SCORE))
            if not len(_sure_lengths(levels)) and 1.3 * longest >= FINEST:
                levels.append(self._localiser.propose(image, FINEST, MIN_SCORE))
        return suppress(concatenate(levels), 0.75, limit=250)


def _sure_lengths(levels: list[Proposals]) -> np.ndarray:
    """Lengths of what is surely proposed, px in the picture."""
    quads = np.concatenate([found.quads_px[found.scores > SURE] for found in levels])
    return np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)


def _best_side(image: np.ndarray, tile_px: float) -> int:
    """The long side, in steps of 32 px, at which a tile has its best length."""
    return int(np.clip(round(max(image.shape[:2]) * BEST_PX / tile_px / 32), 3, 80)) * 32


def tile_length_px(plane: TablePlane, length_mm: float = TILE_MM) -> float | None:
    """How long a tile is on this table, for `Detector.tile_px`; None where near ones and far ones differ by more than a half.

    length_mm: of a tile, which sets differ in by a tenth.
    """
    width, height = plane.image_size
    middle, *others = plane.px_to_mm(np.array([(x * width, y * height) for x, y in PLACES], np.float64))
    steps = np.array([(0, 0), (length_mm, 0), (0, length_mm)], np.float64)
    lengths = [np.linalg.norm(np.diff(plane.mm_to_px(at + steps)[[1, 0, 2]], axis=0), axis=1).mean() for at in (middle, *others)]
    return float(lengths[0]) if max(lengths) < 1.5 * min(lengths) else None


def model_hash(weights: Path = WEIGHTS) -> str:
    """SHA-256 over the networks, hex."""
    digest = hashlib.sha256()
    for name in NETWORKS:
        digest.update((weights / name).read_bytes())
    return digest.hexdigest()
