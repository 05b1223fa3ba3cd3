"""A look at the table as one line of JSON, exact to the last bit: what the detector found and what was seen of arms and racks."""

from __future__ import annotations

import base64
import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from calibration.plane import TablePlane
from rules.errors import BadInput
from rules.seats import Seat
from vision.activity import SmallTable
from vision.attention import Witness
from vision.detections import TileDetection, TileState


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What the follower was given once. seq: the last event before it; size_px: width and height of the picture.

    homography: of the plane (3x3), where the camera has been moved and accepted in its new place since the recording began.
    """

    seq: int
    index: int
    t_s: float
    size_px: tuple[int, int]
    tiles: tuple[TileDetection, ...]
    witness: Witness | None = None
    seat: Seat | None = None
    homography: np.ndarray | None = None


def look_row(look: Look) -> dict[str, Any]:
    """A look as plain values."""
    row: dict[str, Any] = {"seq": look.seq, "index": look.index, "t_s": look.t_s, "size": list(look.size_px)}
    if look.seat is not None:
        row["seat"] = int(look.seat)
    if look.homography is not None:
        row["homography"] = look.homography.tolist()
    row["tiles"] = [_tile_row(tile) for tile in look.tiles]
    return row if look.witness is None else row | {"witness": _witness_row(look.witness)}


def look_in(row: dict[str, Any], plane: TablePlane | None) -> Look:
    """The look that a row holds; BadInput when it holds none, or a witness without the plane that arms were seen on."""
    try:
        witness = _witness_in(row["witness"], plane) if row.get("witness") is not None else None
        seat = None if row.get("seat") is None else Seat.parse(row["seat"])
        width, height = row["size"]
        tiles = tuple(_tile_in(tile) for tile in row["tiles"])
        homography = None if row.get("homography") is None else np.array(row["homography"], np.float64).reshape(3, 3)
        when = int(row["seq"]), int(row["index"]), float(row["t_s"])
        return Look(*when, (int(width), int(height)), tiles, witness, seat, homography)
    except (KeyError, TypeError, ValueError, zlib.error) as error:
        raise BadInput(f"expected a look with seq, index, t_s, size and tiles, found a fault ({error}); record again") from None


def rounded(tiles: Sequence[TileDetection]) -> list[TileDetection]:
    """The detections as they will be read again, so that a replay cannot differ."""
    return [_tile_in(_tile_row(tile)) for tile in tiles]


def _tile_row(tile: TileDetection) -> dict[str, Any]:
    low, high = (tile.pips or (None, None)) if tile.state is TileState.FACE_UP else (None, None)
    return {
        "tile": None if low is None else f"{low}-{high}",
        "state": str(tile.state),
        "quad": np.asarray(tile.quad_px, np.float32).tolist(),
        "confidence": float(tile.confidence),
        "halves": np.asarray(tile.halves, np.float64).tolist(),
    }


def _tile_in(row: dict[str, Any]) -> TileDetection:
    quad, halves = np.array(row["quad"], np.float32), np.array(row["halves"], np.float64)
    return TileDetection(quad, halves, TileState(row["state"]), float(row["confidence"]))


def _witness_row(witness: Witness) -> dict[str, Any]:
    return {
        "size": [int(n) for n in witness.changed.shape],
        "visits": {str(int(seat)): _packed(cover) for seat, cover in witness.visits.items()},
        "changed": _packed(witness.changed),
        "racks": sorted(int(seat) for seat in witness.racks),
        "parts": [_witness_row(part) for part in witness.parts],
        "t_s": witness.t_s,
    }


def _witness_in(row: dict[str, Any], plane: TablePlane | None) -> Witness:
    if plane is None:
        raise BadInput("expected the calibration that arms were seen with, found none; put calibration.json back")
    shape = (int(row["size"][0]), int(row["size"][1]))
    visits = {Seat.parse(seat): _unpacked(text, shape) for seat, text in row["visits"].items()}
    racks = frozenset(Seat.parse(seat) for seat in row["racks"])
    parts = tuple(_witness_in(part, plane) for part in row.get("parts", ()))
    return Witness(_small_table(plane), visits, _unpacked(row["changed"], shape), racks, parts, float(row.get("t_s", math.inf)))


@lru_cache(maxsize=4)
def _small_table(plane: TablePlane) -> SmallTable:
    """One for all looks of a recording."""
    return SmallTable(plane)


def _packed(mask: np.ndarray) -> str:
    return base64.b64encode(zlib.compress(np.packbits(mask).tobytes())).decode()


def _unpacked(text: str, shape: tuple[int, int]) -> np.ndarray:
    bits = np.frombuffer(zlib.decompress(base64.b64decode(text)), np.uint8)
    return np.unpackbits(bits, count=shape[0] * shape[1]).reshape(shape).astype(bool)
