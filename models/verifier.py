"""The verifier: whether what was read as a tile is one, or printed, painted, two dice side by side, a key of a keyboard.

It sees more than the reader, the tile and half as much again on every side, and it asks all that a picture shows: where everything
else looks printed this is likely to be printed too, and among real tiles none is doubted for a small likeness.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from models.ink import Ink, ink_of, weighed
from models.reader import crop_tile
from models.runtimes import Session
from vision.detections import TileDetection, TileState

CROP_SIZE = (128, 96)  # width, height in px; the tile in the middle is as large as in the reader's crop
CLAIMED = 0.2  # confidence from which a reading is verified: what the network learnt on
COMPANY = 3.0  # what the others say counts so many times as much as what the crop itself shows
ENOUGH = 3.0  # others: fewer count less
# Log-odds below which belief ends, and how fast. A face must look printed beyond doubt, for a tile not told is lost; a back or a side
# has nothing else that speaks for it.
FACE_DOUBT, OTHER_DOUBT, STEEP = -3.0, 1.0, 2.0
# The faces of a set look alike. So much surer than a face does the surest fifth of those that are read with SURE look (log-odds), before
# it tells against that face; and so much of what is more than that counts.
SURE, SUREST, MARGIN, COUNTS = 0.9, 0.8, 1.0, 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Claim:
    """A reading, as sure as it was read; how its crop looks beside print (log-odds), and what ink its halves show. None: too unsure a
    reading to be verified."""

    tile: TileDetection
    log_odds: float | None = None
    ink: Ink | None = None


class TileVerifier:
    """Runs the verifier network over readings."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def claims(self, image: np.ndarray, found: Sequence[TileDetection]) -> list[Claim]:
        """Readings of a picture (BGR uint8), each with what its crop shows."""
        asked = [one for one in found if one.confidence >= CLAIMED]
        odds = {id(one): float(value) for one, value in zip(asked, self._log_odds(image, asked), strict=True)}
        faces = {id(one): ink_of(image, one) for one in asked if one.state is TileState.FACE_UP}
        return [Claim(one, odds.get(id(one)), faces.get(id(one))) for one in found]

    def _log_odds(self, image: np.ndarray, asked: Sequence[TileDetection]) -> np.ndarray:
        if not asked:
            return np.zeros(0)
        crops = np.stack([crop_tile(image, one.quad_px, CROP_SIZE) for one in asked])
        (odds,) = self._session.run(["real"], {"crops": np.ascontiguousarray(crops.transpose(0, 3, 1, 2), np.float32)})
        return np.asarray(odds, np.float64).reshape(-1)


def verified(claims: Sequence[Claim]) -> list[TileDetection]:
    """All readings of one picture, surest first: what the ink on a half speaks against, what looks printed, and a face that looks less
    like a tile than the sure ones beside it has lost confidence."""
    tiles = weighed([one.tile for one in claims], [one.ink for one in claims])
    asked = [one for one in claims if one.log_odds is not None]
    confidence = np.array([one.tile.confidence for one in asked])
    doubt = np.array([FACE_DOUBT if one.tile.state is TileState.FACE_UP else OTHER_DOUBT for one in asked])
    shares = belief(np.array([one.log_odds for one in asked], np.float64), confidence, doubt)
    believed = {id(one): float(share) for one, share in zip(asked, shares, strict=True)}
    out = [
        replace(tile, confidence=tile.confidence * believed.get(id(one), 1.0)) for tile, one in zip(tiles, claims, strict=True)
    ]
    return sorted(_beside_sure_ones(out, claims), key=lambda one: -one.confidence)


def _beside_sure_ones(tiles: Sequence[TileDetection], claims: Sequence[Claim]) -> list[TileDetection]:
    """The same tiles, the faces as sure as their looks allow beside the others'."""
    odds = {i: one.log_odds for i, one in enumerate(claims) if one.log_odds is not None and one.tile.state is TileState.FACE_UP}
    shares = compared(np.array(list(odds.values()), np.float64), np.array([tiles[i].confidence for i in odds], np.float64))
    out = list(tiles)
    for i, confidence in zip(odds, shares, strict=True):
        out[i] = replace(tiles[i], confidence=float(confidence))
    return out


def compared(log_odds: np.ndarray, confidence: np.ndarray) -> np.ndarray:
    """The confidences of the N faces of one picture, where one looks less like a tile (log-odds) than the sure ones lowered."""
    sure = log_odds[confidence >= SURE]
    if not len(sure):
        return confidence
    lacks = np.maximum(0.0, np.quantile(sure, SUREST) - MARGIN - log_odds)
    return confidence / (confidence + (1 - confidence) * np.exp(COUNTS * lacks))


def belief(log_odds: np.ndarray, confidence: np.ndarray, doubt: np.ndarray) -> np.ndarray:
    """What of each of N confidences is left, 0 to 1: by what its own crop shows and what those of the others do, the surer
    ones counting more. 1 from `doubt` on (N log-odds), so that a real tile is as sure as it was read.
    """
    others = confidence.sum() - confidence
    said = ((confidence * log_odds).sum() - confidence * log_odds) / np.maximum(others, 1e-9)
    together = log_odds + COMPANY * np.minimum(1.0, others / ENOUGH) * said
    return np.asarray(np.minimum(1.0, 2 / (1 + np.exp(-np.clip(STEEP * (together - doubt), -30, 30)))))
