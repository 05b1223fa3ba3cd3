"""The table plane from four printed AprilTags, one at each corner of the table top."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.edges import refined
from calibration.lens import Lens
from calibration.plane import TablePlane, project
from calibration.rectangles import fit_rectangles
from calibration.trouble import Trouble

DICTIONARY = cv2.aruco.DICT_APRILTAG_36h11
TAG_MM = 60.0  # side of the black square
MARGIN_MM = 15.0  # from the tag's black square to the edges of its card, which lie flush with the table's edges
CORNERS = ("south-west", "south-east", "north-east", "north-west")  # of tags 0, 1, 2, 3
CORNER_SD_MM = 0.3  # how well the corners of a tag are found
CARELESS_DEG = 25.0  # a card that lies further round does not lie with its corner in the table's corner
CARELESS_MM = 40.0  # and one that is further off neither; a wide lens that is not known puts good ones up to 25 mm off
SIZE_ERROR = 0.05  # of the table's size as the tags measure it, right to 1 %, or to 3 % through a wide lens that is not known
# Corners of a black square about its middle, as the detector lists them: clockwise from its upper left, y north.
SQUARE = np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]) * TAG_MM / 2
QUARTER = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


@dataclass(frozen=True, slots=True, eq=False)
class SeenTags:
    """The corner tags of one picture. quads_px: id (0-3) to 4x2 px, clockwise from the upper left of the tag as printed.

    is_mirrored: the tags were readable only in a mirror.
    """

    quads_px: dict[int, np.ndarray]
    is_mirrored: bool


def find_tags(picture: np.ndarray) -> SeenTags:
    """The tags 0 to 3 in a BGR or grey picture; in a mirrored picture, in which no tag can be read, it is turned over first."""
    plain = _decode(picture)
    if plain:
        return SeenTags(plain, False)
    width = picture.shape[1]
    flipped = {tag: np.column_stack([width - 1 - quad[:, 0], quad[:, 1]]) for tag, quad in _decode(picture[:, ::-1]).items()}
    return SeenTags(flipped, bool(flipped))


def plane_from_tags(
    seen: SeenTags, image_size: tuple[int, int], table_mm: tuple[float, float] | None = None, lens: Lens | None = None
) -> TablePlane:
    """The plane of a table with the cards of tags 0, 1, 2, 3 lying in its corners SW, SE, NE, NW, each upright as seen from the south.

    table_mm: width and height of the table top; None to measure it by the size of the tags, to about 0.5 %. With it three tags are
    enough. Mirrored and turned pictures need nothing: the tags say where south is. rms_mm is how far a tag lies from where the other
    three put it. BadInput for tags that are missing or misplaced, and for a table that has another size than was told.
    """
    missing = [tag for tag in range(4) if tag not in seen.quads_px]
    if len(missing) > (0 if table_mm is None else 1):
        names = ", ".join(map(str, missing))
        raise Trouble(
            "tags_missing",
            f"expected the corner tags 0 to 3, found no {names}; uncover them, print them larger or come nearer with the camera",
            tags=names,
        )
    straight = {tag: quad if lens is None else lens.undistort(quad) for tag, quad in sorted(seen.quads_px.items())}
    _check_order(straight, seen.is_mirrored)
    size = table_mm or _measured(straight, image_size, seen.is_mirrored)
    places = tag_places_mm(size)
    homography = _through(straight, places)
    off = _off_mm(straight, places)
    _check_places(straight, homography, off)
    if table_mm is not None and not missing:
        _check_size(table_mm, _measured(straight, image_size, seen.is_mirrored))
    rms = float(np.sqrt(np.mean(np.sum(np.square(list(off.values())), axis=-1))))
    return TablePlane(homography, image_size, size, rms, lens)


def tag_places_mm(table_mm: tuple[float, float]) -> np.ndarray:
    """4x4x2: where the corners of tags 0 to 3 lie on a table top of table_mm."""
    inset = TAG_MM / 2 + MARGIN_MM
    middles = QUARTER * (np.array(table_mm) / 2 - inset)
    return np.asarray(middles[:, None] + SQUARE)


def _decode(picture: np.ndarray) -> dict[int, np.ndarray]:
    grey = np.ascontiguousarray(picture if picture.ndim == 2 else cv2.cvtColor(np.ascontiguousarray(picture), cv2.COLOR_BGR2GRAY))
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    quads, ids, _ = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), parameters).detectMarkers(grey)
    found = zip([] if ids is None else np.ravel(ids), quads, strict=True)
    return {int(tag): refined(grey, np.reshape(quad, (4, 2))) for tag, quad in found if tag < 4}


def _check_order(quads: dict[int, np.ndarray], is_mirrored: bool) -> None:
    """Tags 0 to 3 must run counter-clockwise about the table, which their own corners, clockwise as printed, tell to the eye."""
    middles = np.array([quad.mean(axis=0) for quad in quads.values()])
    about = middles - middles.mean(axis=0)
    turn = np.degrees(np.unwrap(np.arctan2(-about[:, 1], about[:, 0])))
    steps = np.diff(turn) * (-1 if is_mirrored else 1)
    if np.any(steps <= 0):
        raise Trouble(
            "tags_exchanged",
            f"expected tags 0 to 3 at the corners {', '.join(CORNERS)}, found them in another order; exchange the cards",
        )


def _measured(quads: dict[int, np.ndarray], image_size: tuple[int, int], is_mirrored: bool) -> tuple[float, float]:
    """Width and height of the table top in whole millimetres, by the size of the tags."""
    # A mirrored square runs the other way round; from the next corner on it is a square as seen.
    seen = np.array([quad[::-1] if is_mirrored else quad for quad in quads.values()])
    homography, _ = fit_rectangles(seen, image_size, (TAG_MM, TAG_MM), CORNER_SD_MM)
    middles = project(homography, np.concatenate(list(quads.values()))).reshape(4, 4, 2).mean(axis=1)
    inset = TAG_MM + 2 * MARGIN_MM
    sides = np.linalg.norm(np.roll(middles, -1, axis=0) - middles, axis=1)
    return float(round((sides[0] + sides[2]) / 2 + inset)), float(round((sides[1] + sides[3]) / 2 + inset))


def _through(quads: dict[int, np.ndarray], places_mm: np.ndarray) -> np.ndarray:
    """The homography that puts these tags at their places."""
    homography, _ = cv2.findHomography(np.concatenate(list(quads.values())), np.concatenate([places_mm[tag] for tag in quads]))
    return np.asarray(homography, np.float64)


def _off_mm(quads: dict[int, np.ndarray], places_mm: np.ndarray) -> dict[int, np.ndarray]:
    """How far each corner (4x2 mm) of each tag lies from where the other tags put it.

    A homography through all four follows a misplaced card and the bend of the lens nearly everywhere, and then says that all fits; this
    error is about as large as the greatest one on the table. With three tags there is nothing left to check them by but their shapes.
    """
    if len(quads) < 4:
        return {tag: project(_through(quads, places_mm), quad) - places_mm[tag] for tag, quad in quads.items()}
    others = {tag: {other: quads[other] for other in quads if other != tag} for tag in quads}
    return {tag: project(_through(others[tag], places_mm), quad) - places_mm[tag] for tag, quad in quads.items()}


def _check_places(quads: dict[int, np.ndarray], homography: np.ndarray, off_mm: dict[int, np.ndarray]) -> None:
    for tag, quad in quads.items():
        upper_left, upper_right = project(homography, quad)[:2]
        turn = float(np.degrees(np.arctan2(*(upper_right - upper_left)[::-1])))
        if abs(turn) > CARELESS_DEG:
            raise _misplaced("tag_turned", tag, f"turned by {turn:.0f}°", deg=round(turn))
    distances = {tag: float(np.hypot(*off.mean(axis=0))) for tag, off in off_mm.items()}
    worst = max(distances, key=lambda tag: distances[tag])
    if distances[worst] > CARELESS_MM:
        raise _misplaced("tag_off", worst, f"{distances[worst]:.0f} mm off", mm=round(distances[worst]))


def _misplaced(key: str, tag: int, how: str, **values: int) -> Trouble:
    return Trouble(
        key,
        f"expected tag {tag} in the {CORNERS[tag]} corner of the table, found it {how}; "
        "lay the marked corner of its card into that corner, and check the table's size",
        tag=tag,
        **values,
    )


def _check_size(told_mm: tuple[float, float], measured_mm: tuple[float, float]) -> None:
    if max(abs(measured / told - 1) for told, measured in zip(told_mm, measured_mm, strict=True)) > SIZE_ERROR:
        raise Trouble(
            "table_size",
            f"expected a table of {told_mm[0]:g} x {told_mm[1]:g} mm, found {measured_mm[0]:g} x {measured_mm[1]:g} mm by the size of "
            "the tags; correct the table's size, or print the tags at 100 %",
            told=f"{told_mm[0]:g} x {told_mm[1]:g}",
            measured=f"{measured_mm[0]:g} x {measured_mm[1]:g}",
        )
