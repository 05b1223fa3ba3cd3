"""What a page shows of a walk, as JSON values. Pixels are those of the picture; the keys are in docs/calibration.md."""

from __future__ import annotations

from typing import Any

import numpy as np

from calibration.auto import POOR_MM
from calibration.marks import outline_px, seat_places_px
from calibration.walk import Walk


def told(walk: Walk) -> dict[str, Any]:
    """What was found or marked: the table, the seats, the error and the virtual tile."""
    plane = walk.plane
    about: dict[str, Any] = {
        "method": walk.method,
        "told_mm": walk.told_mm,
        "table_mm": None if plane is None else plane.table_mm,
        "marks": None if walk.marks is None else _points(walk.marks),
        "mirrored": None if walk.marks is None else walk.is_mirrored,
        "turned_deg": None,
        "outline": None,
        "seats": None,
        "error": _error(walk),
        "tile": _tile(walk),
    }
    if plane is not None and plane.knows_seats:
        about |= {
            "mirrored": plane.is_mirrored,
            "turned_deg": round(plane.turned_deg),
            "outline": _points(outline_px(plane)),
            "seats": _points(seat_places_px(plane)),
        }
    return about


def _error(walk: Walk) -> dict[str, Any] | None:
    """How far the plane is off, mm, and what says so; both null where nothing does."""
    if walk.plane is None:
        return None
    by = "tags" if walk.method == "tags" else "tiles" if len(walk.quads) else None
    poor = by is not None and walk.plane.rms_mm > POOR_MM
    return {"mm": round(walk.plane.rms_mm, 2) if by else None, "by": by, "tiles": len(walk.quads), "poor": poor}


def _tile(walk: Walk) -> dict[str, Any] | None:
    if walk.plane is None or walk.tile is None:
        return None
    real = walk.tile.size_under_it_mm(walk.plane, walk.quads)
    return {
        "drawn": _points(walk.tile.drawn_px(walk.plane)),
        "angle_deg": round(walk.tile.angle_deg),
        "tile_mm": list(walk.plane.tile_mm),
        "real_mm": None if real is None else [round(side, 1) for side in real],
    }


def _points(points: np.ndarray) -> list[list[float]]:
    return [[round(float(x), 2), round(float(y), 2)] for x, y in points]
