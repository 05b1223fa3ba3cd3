"""A tile of the line that no look has shown: glare or a cup hides it, or it cannot be read; the next tile lies one tile further out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rules.seats import Seat
from vision.board import SeenTile, wrap_deg
from vision.contact import GAP_MM_SHARE, Contact, Port, contacts, port_facing, port_mm
from vision.detections import TileState
from vision.laid import SIDES, FollowedLine, LaidTile, Resting, Side, side_of_port

TIGHT = 9.0  # cost of a join to a tile that only may be there: no more than a careless joint, twice, straight on
UNREAD = np.full((2, 7), 1 / 7)


@dataclass(frozen=True, slots=True, eq=False)
class Bridge:
    """A hidden tile that would join a seen one to an arm: how it would lie, and both joins."""

    side: Side
    hidden: Resting
    entered: Port
    against: Port
    contact: Contact


def bridge(line: FollowedLine, seen: SeenTile, length_mm: float, opener: Seat | None) -> Bridge | None:
    """The hidden tile, straight on and in line or across, behind which a tile that touches no tip would lie well; None when none fits."""
    found = [
        Bridge(side, _never_seen(hidden), entered, leaving, contact)
        for side, tip, leaving in _ways_out(line, opener)
        for hidden, entered in straight_on(tip.rest.seen, leaving, length_mm)
        for contact in contacts(hidden, seen, length_mm, entered)
        if contact.one is entered.across and contact.cost < TIGHT
    ]
    return min(found, key=lambda b: b.contact.cost, default=None)


def unread(line: FollowedLine, length_mm: float, opener: Seat | None) -> list[tuple[Side, Resting, Port, Port]]:
    """Where a tile would lie that was laid on an arm, in line, across, or, the later choices, round a bend: the arm, the tile, the port
    by which it is joined, its neighbour's."""
    return [
        (side, _never_seen(hidden), entered, leaving)
        for side, tip, leaving in _ways_out(line, opener)
        for hidden, entered in [
            *straight_on(tip.rest.seen, leaving, length_mm),
            *round_a_bend(tip.rest.seen, leaving, length_mm),
        ]
    ]


def beyond(line: FollowedLine, side: Side, seen: SeenTile, length_mm: float, opener: Seat | None) -> Bridge | None:
    """An arm's tip that no look has shown, lying otherwise than it was thought to, where a tile would lie well beyond it; None where
    the tip was seen, or the tile lies well at none of the ways that it may lie."""
    if not line.arm(side) or line.tip(side).rest.looks:
        return None
    found = [
        Bridge(side, hidden, entered, leaving, contact)
        for arm, hidden, entered, leaving in unread(line.without_tip(side), length_mm, opener)
        if arm == side
        for contact in contacts(hidden.seen, seen, length_mm, entered)
        if contact.one is entered.across and contact.cost < TIGHT
    ]
    return min(found, key=lambda b: b.contact.cost, default=None)


def _never_seen(at: SeenTile) -> Resting:
    return Resting(at, np.log(UNREAD), looks=0, missed=1)


def _ways_out(line: FollowedLine, opener: Seat | None) -> list[tuple[Side, LaidTile, Port]]:
    """Each arm's tip, and the port at which the arm would go straight on."""
    if line.a or line.b:
        tips = [(side, line.tip(side), line.entered_at_tip(side)) for side in SIDES]
        return [(side, tip, entered.across) for side, tip, entered in tips if entered is not None]
    double = line.opening.rest.seen.tile.is_double
    ports = (Port.MID_LEFT, Port.MID_RIGHT) if double else (Port.END_0, Port.END_1)
    return [(side_of_port(line.opening, port, opener), line.opening, port) for port in ports]


def straight_on(tip: SeenTile, leaving: Port, length_mm: float) -> list[tuple[SeenTile, Port]]:
    """A tile in line and one across beyond a port, each with the port by which it is joined."""
    start, out = port_mm(tip, leaving, length_mm), port_facing(tip, leaving)
    out_deg = float(np.degrees(np.arctan2(out[1], out[0])))
    tiles = []
    for reach, turn_deg, entered in ((0.5, 0.0, Port.END_0), (0.25, 90.0, Port.MID_LEFT)):
        x, y = start + (GAP_MM_SHARE + reach) * length_mm * out
        tiles.append((_unread_tile(x, y, out_deg + turn_deg), entered))
    return tiles


def round_a_bend(tip: SeenTile, leaving: Port, length_mm: float) -> list[tuple[SeenTile, Port]]:
    """A tile laid sideways beyond a port, to the left and to the right, each with the port by which it is joined."""
    start, out = port_mm(tip, leaving, length_mm), port_facing(tip, leaving)
    out_deg = float(np.degrees(np.arctan2(out[1], out[0])))
    tiles = []
    for way, entered in ((1.0, Port.SIDE_0_LEFT), (-1.0, Port.SIDE_0_RIGHT)):
        sideways = way * np.array([-out[1], out[0]])
        x, y = start + length_mm * ((GAP_MM_SHARE + 0.25) * out + 0.25 * sideways)
        tiles.append((_unread_tile(x, y, out_deg + 90.0 * way), entered))
    return tiles


def _unread_tile(x_mm: float, y_mm: float, angle_deg: float) -> SeenTile:
    return SeenTile(float(x_mm), float(y_mm), wrap_deg(angle_deg), UNREAD, TileState.FACE_UP, 0.0, 0.0)
