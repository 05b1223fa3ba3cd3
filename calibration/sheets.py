"""The sheets to print: the cards of the four corner tags, and the board that the lens is calibrated with."""

from __future__ import annotations

import cv2

from calibration import charuco
from calibration.pdf import A4_MM, Page, pdf_bytes
from calibration.tags import CORNERS, DICTIONARY, MARGIN_MM, QUARTER, TAG_MM

CARD_MM = TAG_MM + 2 * MARGIN_MM
CARDS_LEFT_MM, CARDS_LOW_MM = 15.0, 60.0
BAR_MM = (100.0, 1.0)
LINE_MM = 0.2
MARK_MM = 6.0  # legs of the triangle in the corner of a card that goes into the corner of the table
TAG_CELLS = 8
PX_PER_CELL = 60
BOARD_PX_PER_MM = 14  # the edges of squares and markers fall between pixels


def calibration_sheets() -> bytes:
    """A PDF of two A4 pages: the tag cards and the ChArUco board, each with a bar of 100 mm to check the print by."""
    return pdf_bytes([_cards(), _board()])


def _cards() -> Page:
    page = Page()
    page.text(CARDS_LEFT_MM, 282, "miron: corner tags", 6)
    for line, words in enumerate((
        "Print at 100 % (not fitted to the page) and check the bar below. Cut along the lines.",
        "Lay each card with its black triangle into the corner of the table that it names, the words to be read",
        "from the south. South is the seat that you choose; the seats then follow counter-clockwise: S, E, N, W.",
    )):  # fmt: skip
        page.text(CARDS_LEFT_MM, 273 - 6 * line, words, 4)
    for tag, (east, north) in enumerate(QUARTER):
        _card(page, tag, CARDS_LEFT_MM + CARD_MM * (east > 0), CARDS_LOW_MM + CARD_MM * (north > 0))
    _bar(page)
    return page


def _card(page: Page, tag: int, x: float, y: float) -> None:
    marker = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(DICTIONARY), tag, TAG_CELLS * PX_PER_CELL)
    page.picture(x + MARGIN_MM, y + MARGIN_MM, TAG_MM, TAG_MM, marker)
    for low in (y, y + CARD_MM):
        page.box(x, low - LINE_MM / 2, CARD_MM, LINE_MM)
    for left in (x, x + CARD_MM):
        page.box(left - LINE_MM / 2, y, LINE_MM, CARD_MM)
    east, north = QUARTER[tag]
    corner = (x + CARD_MM * (east > 0), y + CARD_MM * (north > 0))
    page.triangle(corner, (corner[0] - east * MARK_MM, corner[1]), (corner[0], corner[1] - north * MARK_MM))
    page.text(x + 28, y + CARD_MM - 5, f"{tag}  {CORNERS[tag]}", 4)


def _board() -> Page:
    page = Page()
    columns, rows = charuco.SQUARES
    width, height = columns * charuco.SQUARE_MM, rows * charuco.SQUARE_MM
    size_px = (round(width * BOARD_PX_PER_MM), round(height * BOARD_PX_PER_MM))
    page.picture((A4_MM[0] - width) / 2, 32, width, height, charuco.board().generateImage(size_px, marginSize=0, borderBits=1))
    page.text(
        CARDS_LEFT_MM, 286, "miron: board for the lens. Print at 100 %, glue it to something flat, take it from several sides.", 4
    )
    _bar(page)
    return page


def _bar(page: Page) -> None:
    x, y = CARDS_LEFT_MM, 20.0
    page.box(x, y, *BAR_MM)
    for end in (x, x + BAR_MM[0] - LINE_MM):
        page.box(end, y - 2, LINE_MM, 5)
    page.text(x + BAR_MM[0] + 4, y - 1, "this bar is 100 mm long", 4)
