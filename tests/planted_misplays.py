"""Planted acts in turn: tiles that do not fit, tiles at the wrong end, false passes."""

from __future__ import annotations

from harmless import look_at
from known_table import ARMS, KnownTable
from planted import kind
from planted_tiles import expose, some_tile, take_back

from rules.observations import (
    Move,
    Place,
)
from rules.seats import Seat
from rules.tiles import Tile

# In turn, and wrong.


def _misfit(table: KnownTable, fits_other: bool) -> tuple[Seat, Tile, int] | None:
    """The seat in turn, as all know, with a tile that fits neither end, or the other one only."""
    seat, every = table.turn, []
    for tile in table.hands[seat]:
        every += [
            (seat, tile, arm) for arm in (0, 1) if not tile.has(table.ends[arm]) and tile.has(table.ends[1 - arm]) == fits_other
        ]
    return table.rng.choice(every) if every and not table.unheard else None


def _lay_wrong(table: KnownTable, code: str, act: tuple[Seat, Tile, int], **seen: object) -> int:
    seat, tile, arm = act
    at = table.tell(Place, seat=seat, tile=tile, at=ARMS[arm], **seen)
    table.docket.want(code, seat, at)
    table.docket.turned(False, at)
    return at


@kind("NON_MATCHING: taken back")
def non_matching_taken_back(table: KnownTable) -> bool:
    act = _misfit(table, fits_other=False)
    if act is None:
        return False
    _lay_wrong(table, "NON_MATCHING", act)
    return take_back(table, act[0], act[1], "non_matching")


@kind("NON_MATCHING: stays", heard=True)
def non_matching_stays(table: KnownTable) -> bool:
    """The half that points away is the open number from now on."""
    act = _misfit(table, fits_other=False)
    if act is None:
        return False
    seat, tile, arm = act
    outer = table.rng.choice([tile.high, tile.low])
    at = _lay_wrong(table, "NON_MATCHING", act, tip=outer)
    table.sound = False
    table.put(seat, tile, arm, at, outer)
    return True


@kind("WRONG_END: moved")
def wrong_end_moved(table: KnownTable) -> bool:
    act = _misfit(table, fits_other=True)
    if act is None:
        return False
    seat, tile, arm = act
    at = _lay_wrong(table, "WRONG_END", act)
    table.tell(Move, seat=seat, tile=tile, to=ARMS[1 - arm], mm=60.0)
    table.put(seat, tile, 1 - arm, at)
    return True


@kind("WRONG_END: taken back")
def wrong_end_taken_back(table: KnownTable) -> bool:
    act = _misfit(table, fits_other=True)
    if act is None:
        return False
    _lay_wrong(table, "WRONG_END", act)
    return take_back(table, act[0], act[1], "wrong_end")


# False passes.


def _lie(table: KnownTable) -> int | None:
    """The seat in turn says that it passes, and could play; none of its tiles lies open."""
    seat = table.turn
    fits = {tile for tile, _ in table.options(seat)}
    if not fits or table.unheard or fits & table.in_sight[seat]:
        return None
    return table.pass_turn("voice")


@kind("RENEGE: a later tile or the count")
def renege(table: KnownTable) -> bool:
    return _lie(table) is not None


@kind("RENEGE: an audit")
def renege_audited(table: KnownTable) -> bool:
    seat = table.turn
    if _lie(table) is None:
        return False
    look_at(table, seat)
    return True


@kind("RENEGE: a fallen tile")
def renege_dropped(table: KnownTable) -> bool:
    seat, fits = table.turn, [tile for tile, _ in table.options(table.turn)]
    if _lie(table) is None:
        return False
    expose(table, seat, table.rng.choice(fits), "drop")
    return True


@kind("RENEGE: a tile in sight")
def renege_in_sight(table: KnownTable) -> bool:
    """A tile fell before; it fits, and its player passes all the same."""
    one = some_tile(table)
    if one is None:
        return False
    seat, tile = one
    expose(table, seat, tile, "drop")
    table.intents[seat] = lambda now: (
        tile in {t for t, _ in now.options(seat)} and not now.unheard and now.pass_turn("voice") is not None
    )
    return True


@kind("RENEGE_UNATTRIBUTED: four passes", heard=True)
def four_passes(table: KnownTable) -> bool:
    """Only one seat can play, and it passes too."""
    others = [seat for seat in Seat if seat != table.turn]
    return not any(table.options(seat) for seat in others) and _lie(table) is not None
