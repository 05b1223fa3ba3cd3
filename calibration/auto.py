"""The table found in a picture without help: by the corner tags where there are any, for they know the seats; else by the tiles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from calibration.lens import Lens
from calibration.plane import TILE_MM, TablePlane
from calibration.tags import SeenTags, find_tags, plane_from_tags
from calibration.tiles import plane_from_tiles
from calibration.trouble import Trouble

FEW_TILES = 3  # fewer give a scale, but no plane to trust for a match
REFUSED_MM = 4.0  # tiles whose corners are further off than this on average are none, or do not lie flat
POOR_MM = 2.0  # worth a look: a card that does not lie in its corner, a wrong mark or size, a lens that should be calibrated


def find_table(
    picture: np.ndarray,
    find_tiles: Callable[[np.ndarray], np.ndarray],
    table_mm: tuple[float, float] | None = None,
    lens: Lens | None = None,
    seen: SeenTags | None = None,
    tile_mm: tuple[float, float] = TILE_MM,
) -> tuple[str, TablePlane]:
    """The method (`tags` or `tiles`) and the plane of the table in a BGR picture.

    find_tiles: gives the corners of the tiles lying flat in the picture, Nx4x2 px; asked only where there are no tags. table_mm: the size
    of the table top, where it is known. seen: the tags, where they were looked for already. tile_mm: length and width of
    the tiles. Trouble (a BadInput) where neither works: tags that lie wrong are told, never passed over.
    """
    size = (picture.shape[1], picture.shape[0])
    seen = seen or find_tags(picture)
    if seen.quads_px:
        return "tags", replace(plane_from_tags(seen, size, table_mm, lens), tile_mm=tile_mm)
    quads = find_tiles(picture)
    if len(quads) < FEW_TILES:
        raise Trouble(
            "nothing_found",
            f"expected four corner tags or {FEW_TILES} tiles in the picture, found no tag and {len(quads)} "
            f"{'tile' if len(quads) == 1 else 'tiles'}; print the tags with --print, or lay some tiles flat",
            tiles=len(quads),
        )
    plane = plane_from_tiles(quads, size, tile_mm, lens)
    if plane.rms_mm > REFUSED_MM:
        raise Trouble(
            "tiles_do_not_fit",
            f"expected tiles of one size lying flat, found {len(quads)} that do not fit (rms {plane.rms_mm:.1f} mm); "
            "lay them flat and apart, or use the tags",
            tiles=len(quads),
            mm=round(plane.rms_mm, 1),
        )
    return "tiles", plane
