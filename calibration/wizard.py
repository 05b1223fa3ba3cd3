"""The walk of a calibration with a person, from the live picture to the file that is written at the end.

Values in, values out (JSON), so that a page, a test or a terminal can lead the walk. It knows no network and no detector.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.above import seen_from_above
from calibration.fields import brief
from calibration.lens import Lens
from calibration.plane import TILE_MM
from calibration.stored import Calibration, calibration_to_form, reduced, write_form
from calibration.told import told
from calibration.trouble import Trouble
from calibration.walk import Walk, told_size
from rules.errors import BadInput

ACTS = {
    "auto": Walk.auto, "by_hand": Walk.by_hand, "mark": Walk.mark, "size": Walk.size, "turn": Walk.turn,
    "mirror": Walk.mirror, "tile": Walk.move_tile, "next_tile": Walk.next_tile,
}  # fmt: skip
JPEG_QUALITY = 88


class Wizard:
    """Holds what the walk has come to. Every method may be called from any thread.

    find_tiles: corners of the tiles lying flat in a BGR picture, Nx4x2 px. out: where the accepted calibration is written. table_mm, lens:
    where they are known beforehand. tile_mm: length and width of a tile.
    """

    def __init__(
        self,
        find_tiles: Callable[[np.ndarray], np.ndarray],
        out: Path,
        table_mm: tuple[float, float] | None = None,
        lens: Lens | None = None,
        tile_mm: tuple[float, float] = TILE_MM,
    ) -> None:
        self._find_tiles, self._out, self._table_mm, self._lens, self._tile_mm = find_tiles, out, table_mm, lens, tile_mm
        self._lock = threading.Lock()
        self._newest: np.ndarray | None = None
        self._walk: Walk | None = None
        self._held = 0
        self.accepted: Calibration | None = None
        """What was written; None until then."""

    def show(self, picture: np.ndarray) -> None:
        """The newest picture of the camera, BGR. The walk goes on in the one that it holds."""
        self._newest = picture

    def picture(self) -> bytes:
        """The held picture, else the newest one, as a JPEG; BadInput before there is one."""
        walk = self._walk
        return _jpeg(self._now() if walk is None else walk.picture)

    def from_above(self) -> bytes:
        """The table laid flat with south below, as a JPEG; a grey speck while nothing is found."""
        with self._lock:
            walk = self._walk
            plane = None if walk is None else walk.plane
        return _jpeg(np.full((1, 1, 3), 96, np.uint8) if walk is None or plane is None else seen_from_above(walk.picture, plane))

    def state(self) -> dict[str, Any]:
        """All that a page shows, as JSON values."""
        with self._lock:
            return self._state(None)

    def act(self, form: Any) -> dict[str, Any]:
        """Do `{"do": name, …}` and give the state. What stands in the way is its `trouble`; nothing is raised for it."""
        with self._lock:
            trouble = None
            try:
                if self.accepted is None:
                    self._do(form)
            except Trouble as error:
                trouble = {"key": error.key, "values": error.values}
            except BadInput as error:
                trouble = {"key": "other", "values": {"text": str(error)}}
            return self._state(trouble)

    def _do(self, form: Any) -> None:
        name = form.get("do") if isinstance(form, dict) else None
        if name == "live":
            self._walk = None
        elif name == "size" and self._walk is None:
            self._table_mm = told_size(form)
        elif name == "accept":
            self._accept()
        elif isinstance(name, str) and name in ACTS:
            if self._walk is None or name == "auto":
                self._held += 1
                self._walk = Walk(self._now(), self._find_tiles, self._table_mm, self._lens, self._tile_mm)
            ACTS[name](self._walk, form)
            self._table_mm = self._walk.unturned_mm if name == "size" else self._table_mm
        else:
            raise BadInput(f"expected an act of {', '.join(ACTS)}, live, accept, found {brief(name)}; load the page again")

    def _accept(self) -> None:
        """Write what was found; the walk is over."""
        walk = self._walk
        if walk is None or walk.plane is None or walk.method is None:
            raise Trouble("nothing_yet", "expected a table that was found or marked, found none yet; find or mark it first")
        calibration = Calibration(walk.plane, walk.method, reduced(walk.picture))
        write_form(self._out, calibration_to_form(calibration))
        self.accepted = calibration

    def _now(self) -> np.ndarray:
        if self._newest is None:
            raise BadInput("expected a picture, found none yet; wait for the camera")
        return self._newest

    def _state(self, trouble: dict[str, Any] | None) -> dict[str, Any]:
        walk, newest = self._walk, self._newest
        picture = newest if walk is None else walk.picture
        return {
            "live": walk is None,
            "held": self._held,
            "image_size": None if picture is None else (picture.shape[1], picture.shape[0]),
            "trouble": trouble,
            "written": None if self.accepted is None else str(self._out),
            **({"told_mm": self._table_mm} if walk is None else told(walk)),
        }


def _jpeg(picture: np.ndarray) -> bytes:
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1])
