"""Planted acts with tiles off the line: exposed, touched, taken back, and left although they must be played."""

from __future__ import annotations

from known_table import KnownTable
from planted import Plant, kind

from rules.observations import (
    Drop,
    Expose,
    Pass,
    Touch,
    Withdraw,
)
from rules.seats import Seat
from rules.tiles import Tile

TOUCH_S = 2.0


def expose(table: KnownTable, seat: Seat, tile: Tile, cause: str) -> int:
    """A tile lies face up off the line: it must be played when it fits, scores nothing under DUSA and costs the next opening."""
    if cause == "drop" and table.rng.random() < 0.5:
        at = table.tell(Drop, seat=seat, tile=tile)
    else:
        at = table.tell(Expose, seat=seat, tile=tile, cause=cause)
    table.docket.want("EXPOSED", seat, at, only="dusa" if cause == "touch" else None)
    for lying in (table.duty, table.in_sight, table.fallen, table.exposed):
        lying[seat].add(tile)
    table.docket.shown(seat, (tile,), at)
    return at


def some_tile(table: KnownTable) -> tuple[Seat, Tile] | None:
    seat = table.any_seat()
    hidden = [tile for tile in table.hands[seat] if tile not in table.exposed[seat]]
    return (seat, table.rng.choice(hidden)) if hidden else None


@kind("EXPOSED: fallen")
def fallen(table: KnownTable) -> bool:
    one = some_tile(table)
    return one is not None and expose(table, *one, "drop") >= 0


@kind("EXPOSED: fallen, its face not seen")
def fallen_unseen(table: KnownTable) -> bool:
    """It costs the opening, but nobody knows which tile has to be played."""
    seat = table.any_seat()
    table.docket.want("EXPOSED", seat, table.tell(Drop, seat=seat))
    table.fallen[seat].add(None)
    return True


@kind("EXPOSED: touched")
def exposed_by_touch(table: KnownTable) -> bool:
    one = some_tile(table)
    return one is not None and expose(table, *one, "touch") >= 0


@kind("EXPOSED: the last tile")
def last_tile_fallen(table: KnownTable) -> bool:
    """The points that it wins do not count (DUSA-6)."""
    seat = table.turn
    return len(table.hands[seat]) == 1 and expose(table, seat, table.hands[seat][0], "drop") >= 0


def _knocked(table: KnownTable, seat: Seat) -> bool:
    """A touch that began within a second of a knock belongs to the knock (D-29); it may have lasted two."""
    knocks = [one.t for one in table.seen if isinstance(one, Pass) and (one.seat, one.via) == (seat, "knock")]
    return any(table.t - t <= 1.0 + TOUCH_S for t in knocks)


def _touch(table: KnownTable, seat: Seat, tile: Tile | None) -> int:
    at = table.tell(Touch, seat=seat, tile=tile, slot=table.rng.randrange(7), dur=table.rng.uniform(0.4, TOUCH_S))
    table.docket.want("TOUCHED", seat, at)
    table.duty[seat] |= set() if tile is None else {tile}
    return at


@kind("TOUCHED: a slot or a tile")
def touched(table: KnownTable) -> bool:
    one = some_tile(table)
    if one is None or _knocked(table, one[0]):
        return False
    return _touch(table, one[0], table.rng.choice([one[1], None])) >= 0


def _leave(seat: Seat, tile: Tile) -> Plant:
    """At its turn the seat leaves the tile that it must play, and lays another one."""

    def breach(table: KnownTable) -> bool:
        options = table.options(seat)
        others = [one for one in options if one[0] not in table.duty[seat]]  # who owes two tiles may play either
        if tile not in {t for t, _ in options} or not others or table.unheard:
            return False
        table.docket.want("TOUCH_BREACH", seat, table.lay(seat, *table.rng.choice(others)))
        table.duty[seat] &= table.exposed[seat]
        return True

    return breach


@kind("TOUCH_BREACH: a touched tile")
def touched_tile_left(table: KnownTable) -> bool:
    one = some_tile(table)
    if one is None or _knocked(table, one[0]):
        return False
    _touch(table, *one)
    table.intents[one[0]] = _leave(*one)
    return True


@kind("TOUCH_BREACH: an exposed tile")
def exposed_tile_left(table: KnownTable) -> bool:
    one = some_tile(table)
    if one is None:
        return False
    expose(table, *one, table.rng.choice(["drop", "touch"]))
    table.intents[one[0]] = _leave(*one)
    return True


def take_back(table: KnownTable, seat: Seat, tile: Tile, cause: str) -> bool:
    """The tile is lifted off again, and played when it fits (D-14); half of the time it stays face up beside the line."""
    table.in_sight[seat].add(tile)
    table.duty[seat].add(tile)
    if cause == "wrong_end" or table.rng.random() < 0.5:
        table.tell(Withdraw, seat=seat, tile=tile)
    else:
        table.tell(Expose, seat=seat, tile=tile, cause=cause)
        table.exposed[seat].add(tile)
    return True


def seen_to_fit(table: KnownTable, seats: tuple[Seat, ...]) -> bool:
    """Whether a tile of these seats lies open and could be laid."""
    return any(tile in table.in_sight[seat] for seat in seats for tile, _ in table.options(seat))
