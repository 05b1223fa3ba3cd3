"""How two tiles lie against each other: the places where a tile can be joined, and how well two of them fit."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from vision.board import SeenTile, wrap_deg


class Port(IntEnum):
    """A place on a tile's rim where another tile can lie against it (FID-SAL-6 and the geometry of the line).

    END: the short side of a half. SIDE: the long side of a half, where a bend is laid. MID: the middle of a long side, where a
    double lies across. LEFT and RIGHT as seen when looking from half 0 to half 1.
    """

    END_0 = 0
    END_1 = 1
    SIDE_0_LEFT = 2
    SIDE_0_RIGHT = 3
    SIDE_1_LEFT = 4
    SIDE_1_RIGHT = 5
    MID_LEFT = 6
    MID_RIGHT = 7

    @property
    def half(self) -> int | None:
        """The half it belongs to, None in the middle."""
        return _HALF[self]

    @property
    def is_end(self) -> bool:
        return self <= Port.END_1

    @property
    def is_mid(self) -> bool:
        return self >= Port.MID_LEFT

    @property
    def is_side(self) -> bool:
        return not self.is_end and not self.is_mid

    @property
    def across(self) -> Port:
        """Where the line leaves a tile that it entered here: the other half's end, or the middle of the other long side."""
        return _ACROSS[self]

    @property
    def turned_about(self) -> Port:
        """The same place when the halves are named the other way round."""
        return _TURNED[self]


_HALF = (0, 1, 0, 0, 1, 1, None, None)
_ACROSS = tuple(map(Port, (1, 0, 1, 1, 0, 0, 7, 6)))
_TURNED = tuple(map(Port, (1, 0, 5, 4, 3, 2, 7, 6)))
# In tile lengths, along the axis from half 0 to half 1 and to its left: where each port lies, and which way it faces.
_AT = np.array([[-0.5, 0], [0.5, 0], [-0.25, 0.25], [-0.25, -0.25], [0.25, 0.25], [0.25, -0.25], [0, 0.25], [0, -0.25]])
_FACING = np.array([[-1, 0], [1, 0], [0, 1], [0, -1], [0, 1], [0, -1], [0, 1], [0, -1]], dtype=np.float64)
_FACING_DEG = np.degrees(np.arctan2(_FACING[:, 1], _FACING[:, 0]))

# What a join costs before anything is measured; a join that is not here does not occur in a line.
_IN_LINE, _BEND, _TURN_AT_DOUBLE, _BESIDE = 0.0, 1.0, 4.0, 9.0
NEVER = float("inf")

GAP_MM_SHARE = 0.02  # the gap that players leave most often, in tile lengths (1 mm)
GAP_SD = 0.08  # 4 mm
SLIP_SD = 0.08  # 4 mm sideways
TURN_SD_DEG = 9.0  # two tiles, each set down within about 6 degrees
WIDEST_GAP = 0.30  # 0.6 of a tile's width: beyond, a tile is not laid against the arm
DEEPEST_OVERLAP = 0.20
WIDEST_SLIP = 0.30
WIDEST_TURN_DEG = 35.0
WIDEST_COST = 16.0  # about four deviations in all
MATCH_HINT = 0.5  # equal numbers decide between joins that fit equally well, never more


@dataclass(frozen=True, slots=True)
class Contact:
    """Port `one` of a first tile against port `other` of a second one; the lower the cost the better the fit."""

    one: Port
    other: Port
    gap_mm: float
    slip_mm: float
    cost: float


def port_mm(tile: SeenTile, port: Port, length_mm: float) -> np.ndarray:
    """Where a port lies on the table, x and y."""
    along, left = _AT[port] * length_mm
    ux, uy = tile.axis
    return np.array([tile.x_mm + along * ux - left * uy, tile.y_mm + along * uy + left * ux])


def port_facing(tile: SeenTile, port: Port) -> np.ndarray:
    """Unit vector out of the tile at a port."""
    along, left = _FACING[port]
    ux, uy = tile.axis
    return np.array([along * ux - left * uy, along * uy + left * ux])


def through_cost(entered: Port | None, left: Port) -> float:
    """What it costs that a line which entered a tile at one port leaves it at another; NEVER when it cannot."""
    if entered is None or left is entered.across:
        return 0.0
    if entered.is_mid and left.is_mid:
        return NEVER
    if entered.is_mid or left.is_mid:
        return _TURN_AT_DOUBLE
    return NEVER if entered.half == left.half else _BEND


def best_contact(
    one: SeenTile, other: SeenTile, length_mm: float, entered: Port | None = None, entered_other: Port | None = None
) -> Contact | None:
    """The best join of two tiles, or None when they do not touch.

    entered, entered_other: the port of each tile that the line already uses.
    """
    found = contacts(one, other, length_mm, entered, entered_other)
    return min(found, key=lambda c: c.cost, default=None)


def contacts(
    one: SeenTile, other: SeenTile, length_mm: float, entered: Port | None = None, entered_other: Port | None = None
) -> list[Contact]:
    """Every join of two tiles that fits within the limits."""
    if np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm) > 1.5 * length_mm:
        return []
    return [
        contact
        for port in Port
        for against in Port
        if (base := _join_cost(port, against) + through_cost(entered, port) + through_cost(entered_other, against)) < NEVER
        and (contact := _measure(one, port, other, against, length_mm, base)) is not None
    ]


def _join_cost(port: Port, against: Port) -> float:
    ends = port.is_end + against.is_end
    sides = port.is_side + against.is_side
    if ends == 2 or (ends == 1 and sides == 0):
        return _IN_LINE
    if ends == 1:
        return _BEND
    if sides == 1:
        return _TURN_AT_DOUBLE
    return NEVER if sides == 2 else _BESIDE


def _measure(one: SeenTile, port: Port, other: SeenTile, against: Port, length_mm: float, base: float) -> Contact | None:
    turn = abs(wrap_deg(one.angle_deg + _FACING_DEG[port] - other.angle_deg - _FACING_DEG[against] - 180.0))
    if turn > WIDEST_TURN_DEG:
        return None
    out = port_facing(one, port) - port_facing(other, against)
    out /= np.hypot(*out)
    dx, dy = (port_mm(other, against, length_mm) - port_mm(one, port, length_mm)) / length_mm
    gap, slip = dx * out[0] + dy * out[1], dx * out[1] - dy * out[0]
    if not -DEEPEST_OVERLAP <= gap <= WIDEST_GAP or abs(slip) > WIDEST_SLIP:
        return None
    cost = base + ((gap - GAP_MM_SHARE) / GAP_SD) ** 2 + (slip / SLIP_SD) ** 2 + (turn / TURN_SD_DEG) ** 2
    cost += _across_cost(one, port) + _across_cost(other, against)
    if cost > WIDEST_COST:
        return None
    cost -= MATCH_HINT * float(_numbers(one, port) @ _numbers(other, against))
    return Contact(port, against, float(gap * length_mm), float(slip * length_mm), float(cost))


def _across_cost(tile: SeenTile, port: Port) -> float:
    """A mixed tile is hardly ever laid across; a doubtful reading keeps both doors open."""
    return -float(np.log(max(tile.double_probability, 0.02))) if port.is_mid else 0.0


def _numbers(tile: SeenTile, port: Port) -> np.ndarray:
    """Probabilities of the number that faces out at a port."""
    return np.asarray(tile.halves.mean(axis=0) if port.half is None else tile.halves[port.half])
