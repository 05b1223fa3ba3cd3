"""Planted acts at the opening and with the pose of tiles."""

from __future__ import annotations

from known_table import FORWARD_DEG, KnownTable
from planted import kind

from rules.observations import (
    Lift,
    Move,
)
from rules.seats import Seat

# The opening.


@kind("WRONG_STARTER", when="before")
def wrong_starter(table: KnownTable) -> bool:
    seat = Seat((table.turn + table.rng.randrange(1, 4)) % 4)
    table.docket.want("WRONG_STARTER", seat, table.lay_first(seat))
    return True


@kind("OPENING_ORIENTATION: wrong", when="before")
def opening_wrong(table: KnownTable) -> bool:
    table.docket.want("OPENING_ORIENTATION", table.turn, _open_askew(table, 66.0, 180.0))
    return True


@kind("OPENING_ORIENTATION: in doubt", when="before")
def opening_in_doubt(table: KnownTable) -> bool:
    seat = table.turn
    table.docket.doubts.add(("OPENING_ORIENTATION", (seat,), _open_askew(table, 26.0, 64.0)))
    return True


def _open_askew(table: KnownTable, least: float, most: float) -> int:
    """The opening tile lies so many degrees off; a double can be a quarter turn off at most."""
    tile = table.rng.choice(table.hands[table.turn])
    off = table.rng.uniform(least, min(most, 90.0) if tile.is_double else most) * table.rng.choice([1, -1])
    right = FORWARD_DEG[table.turn] + (90.0 if tile.is_double else 0.0)
    return table.lay(table.turn, tile, 0, pose_deg=(right + off) % (180.0 if tile.is_double else 360.0))


@kind("PREMATURE_LIFT: before the opening", when="before")
def lift_before_opening(table: KnownTable) -> bool:
    step = table.rng.randrange(1, 4)
    seat = Seat((table.turn + step) % 4)
    table.docket.want("PREMATURE_LIFT", seat, table.tell(Lift, seat=seat), rule="FID-SAL-7" if step == 1 else None)
    return True


@kind("PREMATURE_LIFT: before the partner", when="before", heard=True)
def lift_before_partner(table: KnownTable) -> bool:
    """The fourth seat stands its tiles up before the second has acted."""
    table.step()
    seat = Seat((table.opener + 3) % 4)
    table.docket.want("PREMATURE_LIFT", seat, table.tell(Lift, seat=seat))
    return True


# How tiles lie.


@kind("DOUBLE_POSE")
def double_in_line(table: KnownTable) -> bool:
    doubles = [one for one in table.proper(table.turn) if one[0].is_double]
    if not doubles:
        return False
    seat = table.turn
    table.docket.advice.add(("DOUBLE_POSE", seat, table.lay(seat, *table.rng.choice(doubles), across=False)))
    return True


@kind("BEND_DIRECTION")
def bend_to_the_right(table: KnownTable) -> bool:
    proper, seat = table.proper(table.turn), table.turn
    if not proper:
        return False
    table.docket.advice.add(("BEND_DIRECTION", seat, table.lay(seat, *table.rng.choice(proper), bend="right")))
    return True


@kind("TILE_MOVED")
def tile_moved(table: KnownTable) -> bool:
    """Further than a hand's brush, and long after it was laid."""
    rested = [tile for tile in table.line if table.t - table.laid_s[tile] >= 1.0]
    if not rested:
        return False
    mm, deg = table.rng.choice(
        [(table.rng.uniform(12.5, 200), 0.0), (0.0, table.rng.uniform(15.5, 170) * table.rng.choice([1, -1]))]
    )
    seat = table.any_seat()
    at = table.tell(Move, seat=seat, tile=table.rng.choice(rested), mm=mm, deg=deg)
    table.docket.want("TILE_MOVED", seat, at)
    return True
