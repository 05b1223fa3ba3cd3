"""The lens from pictures of a printed ChArUco board."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.lens import Lens
from rules.errors import BadInput

SQUARES = (7, 10)  # columns and rows of the board
SQUARE_MM = 25.0
MARKER_MM = 18.0
DICTIONARY = cv2.aruco.DICT_5X5_100
FEW_CORNERS = 12  # of 54: a picture that shows less of the board says too little
FEW_PICTURES = 5
POOR_PX = 1.5  # an rms above is no calibration: a board that is not flat, or pictures of several cameras or zooms


def board() -> cv2.aruco.CharucoBoard:
    """The board that `miron calibrate --print` prints, 175 x 250 mm."""
    return cv2.aruco.CharucoBoard(SQUARES, SQUARE_MM, MARKER_MM, cv2.aruco.getPredefinedDictionary(DICTIONARY))


def lens_from_pictures(pictures: Sequence[np.ndarray], names: Sequence[str] = ()) -> Lens:
    """The lens that took BGR or grey pictures of the board, from several sides and distances, all of one size.

    BadInput for pictures of two sizes, for fewer than 5 that show the board, and for pictures that fit no lens. Names stand in errors.
    """
    sizes = {(p.shape[1], p.shape[0]) for p in pictures}
    if len(sizes) > 1:
        raise BadInput(f"expected pictures of one size, found {sorted(sizes)}; take them all with the camera as it will be used")
    seen = [points for points in map(_find, pictures) if points is not None]
    if len(seen) < FEW_PICTURES:
        of = f" ({', '.join(names[:3])}, …)" if names else ""
        raise BadInput(
            f"expected {FEW_PICTURES} or more pictures that show the ChArUco board, found {len(seen)} among {len(pictures)}{of}; "
            "print it with --print and take it from several sides, sharp and whole"
        )
    return _fit(seen, sizes.pop())


def _find(picture: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Board points (Nx1x3 mm) and where they are (Nx1x2 px); None where too little of the board shows."""
    pattern = board()
    corners, ids, _, _ = cv2.aruco.CharucoDetector(pattern).detectBoard(picture)
    if ids is None or len(ids) < FEW_CORNERS:
        return None
    on_board, in_picture = pattern.matchImagePoints(list(corners), ids)
    return np.asarray(on_board, np.float32), np.asarray(in_picture, np.float32)


def _fit(seen: Sequence[tuple[np.ndarray, np.ndarray]], image_size: tuple[int, int]) -> Lens:
    on_board, in_picture = [one for one, _ in seen], [other for _, other in seen]
    rms, matrix, distortion, _, _ = cv2.calibrateCamera(on_board, in_picture, image_size, np.eye(3), np.zeros(5))
    if not np.isfinite(rms) or rms > POOR_PX:
        raise BadInput(
            f"expected pictures of a flat board by one camera, found that they fit no lens (rms {rms:.1f} px); "
            "glue the board to something flat, leave zoom and focus alone and take them again"
        )
    return Lens(np.asarray(matrix), np.asarray(distortion).ravel()[:5], image_size, float(rms))
