"""A look as a picture for the referee: the table from straight above, with what was read, the two ends and the seats drawn in."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.plane import TablePlane
from rules.seats import Seat
from vision.detections import TileDetection, TileState
from vision.drawing import draw_detections
from vision.identity import GATE
from vision.laid import SIDES, FollowedLine, LaidTile, Side

LONGEST_PX = 1000  # of the picture
MARGIN_MM = 60.0  # round the table top
FONT = 0.55
READ, ASKED, END, SEAT = (90, 230, 90), (0, 165, 255), (255, 190, 90), (255, 255, 255)
FORWARD = {Seat.S: (0, -1), Seat.E: (1, 0), Seat.N: (0, 1), Seat.W: (-1, 0)}


class TablePicture:
    """Makes pictures of the table from straight above, south below. Needs a plane that knows the table top."""

    def __init__(self, plane: TablePlane) -> None:
        if plane.table_mm is None:
            raise ValueError("expected a plane that knows the table top")
        self._half = plane.table_mm[0] / 2 + MARGIN_MM, plane.table_mm[1] / 2 + MARGIN_MM
        self._rim = plane.table_mm[0] / 2, plane.table_mm[1] / 2
        self._per_mm = LONGEST_PX / (2 * max(self._half))
        width, height = (round(2 * half * self._per_mm) for half in self._half)
        y, x = np.mgrid[0:height, 0:width]
        mm = np.column_stack([(x.ravel() + 0.5) / self._per_mm - self._half[0], self._half[1] - (y.ravel() + 0.5) / self._per_mm])
        self._plane, self._mm, self._from = plane, mm, np.zeros((0, 0, 2), np.float32)
        self._size = (height, width)

    def of(self, image: np.ndarray, line: FollowedLine | None) -> np.ndarray:
        """BGR uint8 of a frame, with the tiles of the line as they are read together, its open ends, and the seats."""
        out = self._above(image)
        for laid in line.tiles if line else ():
            self._tile(out, laid)
        for side in SIDES if line else ():
            self._end(out, line, side)
        for seat in Seat:
            east, north = FORWARD[seat]
            self._word(out, np.array([east * (self._rim[0] + 20), north * (self._rim[1] + 20)]), seat.name, SEAT)
        return out

    def _above(self, image: np.ndarray) -> np.ndarray:
        if self._from.shape[:2] != self._size:  # known with the first picture
            self._from = self._plane.mm_to_px(self._mm).astype(np.float32).reshape(*self._size, 2)
        scale = image.shape[1] / self._plane.image_size[0]  # pixels are counted from their middles
        x, y = np.moveaxis((self._from + 0.5) * scale - 0.5, 2, 0)
        return cv2.remap(image, np.ascontiguousarray(x), np.ascontiguousarray(y), cv2.INTER_LINEAR)

    def _tile(self, out: np.ndarray, laid: LaidTile) -> None:
        seen, place = laid.rest.seen, laid.place
        along, (length, width) = seen.axis, self._plane.tile_mm
        across = np.array([-along[1], along[0]])
        corners = [
            seen.centre_mm + a * along * length / 2 + b * across * width / 2 for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
        told = place.tile is not None
        cv2.polylines(out, [self._px(np.array(corners)).astype(np.int32)], True, READ if told else ASKED, 2, cv2.LINE_AA)
        beside = across if across[1] > 0 or (across[1] == 0 and across[0] > 0) else -across
        self._word(out, seen.centre_mm + beside * 1.1 * width, _reading(laid), READ if told else ASKED)

    def _end(self, out: np.ndarray, line: FollowedLine | None, side: Side) -> None:
        """The number that an arm leaves open, beyond its tip."""
        assert line is not None
        tip = line.tip(side)
        if tip.place.tile is None or tip.entered is None:
            return
        outer = tip.entered.across.half
        beyond = tip.rest.seen.axis * (0 if outer is None else self._plane.tile_mm[0] * (0.95 if outer else -0.95))
        self._word(out, tip.rest.seen.centre_mm + beyond, f"{side}:{tip.rest.number_at(tip.place.tile, outer)}", END)

    def _px(self, points_mm: np.ndarray) -> np.ndarray:
        return np.column_stack([points_mm[:, 0] + self._half[0], self._half[1] - points_mm[:, 1]]) * self._per_mm

    def _word(self, out: np.ndarray, at_mm: np.ndarray, text: str, colour: tuple[int, int, int]) -> None:
        (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, FONT, 2)
        x, y = self._px(at_mm[None])[0]
        where = int(x - width / 2), int(y + height / 2)
        for shade, thick in (((0, 0, 0), 5), (colour, 2)):
            cv2.putText(out, text, where, cv2.FONT_HERSHEY_SIMPLEX, FONT, shade, thick, cv2.LINE_AA)


def still(image: np.ndarray, found: Sequence[TileDetection], line: FollowedLine | None, above: TablePicture | None) -> np.ndarray:
    """What one look showed, BGR uint8: from above where the table is known, else the picture itself with what was read in it."""
    if above is not None:
        return above.of(image, line)
    drawn = draw_detections(image, [one for one in found if one.state is TileState.FACE_UP])
    scale = min(1.0, LONGEST_PX / max(drawn.shape[:2]))
    return cv2.resize(drawn, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else drawn


def _reading(laid: LaidTile) -> str:
    """`6-4 99%`, and of a question what it may be."""
    place = laid.place
    if place.tile is not None:
        sure = "" if place.confidence >= (1 + GATE) / 2 else f" {round(100 * place.confidence)}%"
        return f"{place.tile}{sure}"
    return " or ".join(str(tile) for tile, _ in place.candidates[:2]) + "?"
