"""What is found or marked in one held picture, and what a person changes about it: the steps of `calibration.wizard`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from calibration import virtual
from calibration.auto import find_table
from calibration.corners import check_corners, plane_from_corners
from calibration.fields import brief, numbers
from calibration.lens import Lens
from calibration.marks import first_marks, table_corners_px
from calibration.plane import TILE_MM, TablePlane, seats_turned
from calibration.tags import SeenTags, find_tags
from calibration.tiles import plane_from_tiles, table_by_tiles_mm, tiles_off_mm
from calibration.trouble import Trouble
from rules.errors import BadInput

TABLE_LIMITS_MM = (200.0, 5000.0)
FAR_OUTSIDE = 4  # times the picture's longer side: a corner may lie outside of it, but not as far as that


@dataclass(slots=True)
class Walk:
    """One picture (BGR) and what is known of the table in it. An act raises BadInput for what cannot be, Trouble for what is in the way.

    find_tiles: corners of the tiles lying flat in a picture, Nx4x2 px. told_mm: the size of the table top where a person gave it,
    tile_mm: of a tile.
    marks: 4x2 px, SW, SE, NE, NW, where a person marks them. is_mirrored: whether they are marked in a mirrored picture.
    """

    picture: np.ndarray
    find_tiles: Callable[[np.ndarray], np.ndarray]
    told_mm: tuple[float, float] | None = None
    lens: Lens | None = None
    tile_mm: tuple[float, float] = TILE_MM
    seen: SeenTags | None = None
    quads: np.ndarray = field(default_factory=lambda: np.zeros((0, 4, 2)))
    marks: np.ndarray | None = None
    is_mirrored: bool = False
    method: str | None = None
    plane: TablePlane | None = None
    tile: virtual.VirtualTile | None = None
    tiles_shown: int = 0
    quarters: int = 0  # how often the seats were turned

    @property
    def image_size(self) -> tuple[int, int]:
        return self.picture.shape[1], self.picture.shape[0]

    @property
    def unturned_mm(self) -> tuple[float, float] | None:
        """The told size as it was before the seats were turned."""
        return self.told_mm if self.told_mm is None or self.quarters % 2 == 0 else self.told_mm[::-1]

    def auto(self, form: dict[str, Any]) -> None:
        """Tags, else tiles; where neither works, corners to be dragged."""
        self.seen = find_tags(self.picture)
        self.quads = np.asarray(self.find_tiles(self.picture), np.float64).reshape(-1, 4, 2)
        self.is_mirrored = self.seen.is_mirrored
        try:
            self._by_itself()
            self.next_tile(form)
        except Trouble:
            self.marks = first_marks(self.image_size, self.seen)
            raise

    def by_hand(self, form: dict[str, Any]) -> None:
        """Corners to be dragged, from where the table is thought to be."""
        if len(self.quads) == 0:
            self.quads = np.asarray(self.find_tiles(self.picture), np.float64).reshape(-1, 4, 2)
        if self.plane is not None and self.plane.table_mm is not None:
            self.marks, self.is_mirrored = table_corners_px(self.plane), self.plane.is_mirrored
            self.told_mm = self.told_mm or self.plane.table_mm
        elif self.marks is None:
            self.marks = first_marks(self.image_size, self.seen)
        self._fit_marks()

    def mark(self, form: dict[str, Any]) -> None:
        """`corners`: SW, SE, NE, NW as pixels."""
        corners = form.get("corners")
        if not isinstance(corners, list) or len(corners) != 4:
            raise BadInput(f"expected four corners, found {brief(corners)}; load the page again")
        marks = np.array([numbers(corner, 2, "corner") for corner in corners])
        if np.abs(marks).max() > FAR_OUTSIDE * max(self.image_size):
            raise BadInput(f"expected corners in or near the picture, found {brief(corners)}; load the page again")
        self.marks = marks
        self._fit_marks()

    def size(self, form: dict[str, Any]) -> None:
        """`table_mm`: width west-east and height south-north, or null where it is not known."""
        self.told_mm = told_size(form)
        if self.marks is not None:
            self._fit_marks()
        elif self.seen is not None and self.seen.quads_px:
            self.method, self.plane = None, None
            self._by_itself()

    def turn(self, form: dict[str, Any]) -> None:
        """Every seat one side further on: what was east is south."""
        self.told_mm = None if self.told_mm is None else self.told_mm[::-1]
        self.quarters = (self.quarters + 1) % 4
        if self.marks is not None:
            self.marks = np.roll(self.marks, -1, axis=0)
            self._fit_marks()
        elif self.plane is not None:
            self.plane = seats_turned(self.plane)

    def mirror(self, form: dict[str, Any]) -> None:
        """The picture is a mirror's, or it is none after all: east and west change places, unless they were marked so already."""
        if self.marks is None:
            return
        self.is_mirrored = not self.is_mirrored
        try:
            self._fit_marks()
        except Trouble as trouble:
            if trouble.key not in ("corners_clockwise", "corners_not_mirrored"):
                raise
            self.marks = self.marks[[1, 0, 3, 2]]
            self._fit_marks()

    def move_tile(self, form: dict[str, Any]) -> None:
        """`at`: where its middle is to be, pixels; `turn`: degrees counter-clockwise on the table."""
        if self.plane is None or self.tile is None:
            return
        if "at" in form:
            self.tile = virtual.at(self.plane, np.array(numbers(form["at"], 2, "at")), self.tile.angle_deg)
        self.tile = self.tile.turned(numbers([form.get("turn", 0.0)], 1, "turn")[0])

    def next_tile(self, form: dict[str, Any]) -> None:
        """Over the next of the tiles that were found, the one nearest to the middle of the picture first."""
        if self.plane is None:
            return
        width, height = self.plane.image_size
        if len(self.quads) == 0:
            self.tile = virtual.at(self.plane, np.array([width / 2, height / 2]))
            return
        away = np.hypot(*(self.quads.mean(axis=1) - (width / 2, height / 2)).T)
        self.tile = virtual.over(self.plane, self.quads[np.argsort(away)[self.tiles_shown % len(away)]])
        self.tiles_shown += 1

    def _lens_here(self) -> Lens | None:
        return None if self.lens is None else self.lens.for_image(self.image_size)

    def _by_itself(self) -> None:
        self.method, plane = find_table(
            self.picture, lambda _: self.quads, self.unturned_mm, self._lens_here(), self.seen, self.tile_mm
        )
        for _ in range(self.quarters):
            plane = seats_turned(plane)
        self.plane = plane

    def _fit_marks(self) -> None:
        """The plane through the marked corners, with the tiles on the table as the judge of its error."""
        assert self.marks is not None
        self.method, self.plane = None, None
        size, lens = self.image_size, self._lens_here()
        check_corners(self.marks, "the corners", self.is_mirrored)  # crossed corners measure no table
        table_mm = self.told_mm or self._measured_mm(lens)
        plane = plane_from_corners(self.marks, size, table_mm, "the corners", lens, self.is_mirrored)
        plane = replace(plane, tile_mm=self.tile_mm)
        off = tiles_off_mm(plane, self.quads)
        self.method = "corners"
        self.plane = replace(plane, rms_mm=off or 0.0)
        if self.tile is None:
            self.next_tile({})

    def _measured_mm(self, lens: Lens | None) -> tuple[float, float]:
        assert self.marks is not None
        if len(self.quads) == 0:
            raise Trouble("size_needed", "expected the size of the table top, found none; measure it and write it down")
        return table_by_tiles_mm(self.marks, plane_from_tiles(self.quads, self.image_size, self.tile_mm, lens))


def told_size(form: dict[str, Any]) -> tuple[float, float] | None:
    """The `table_mm` of an act, None where it is not known; BadInput for what is no size of a table."""
    if form.get("table_mm") is None:
        return None
    width, height = numbers(form["table_mm"], 2, "table_mm")
    low, high = TABLE_LIMITS_MM
    if not (low <= min(width, height) and max(width, height) <= high):
        raise Trouble(
            "size_wrong",
            f"expected a table top of {low:g} to {high:g} mm, found {width:g} x {height:g}; measure it in millimetres",
            low=f"{low:g}",
            high=f"{high:g}",
        )
    return width, height
