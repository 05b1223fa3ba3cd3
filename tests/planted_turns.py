"""Planted acts out of turn: tiles over the heads of others, second tiles in a row, turns that go by in silence."""

from __future__ import annotations

from known_table import ARMS, KnownTable
from planted import kind
from planted_tiles import seen_to_fit, take_back

from rules.observations import (
    Objection,
    Place,
    Referee,
)
from rules.seats import Seat
from rules.tiles import Tile


def _out_of_turn(table: KnownTable, fits: bool, *, anybody: bool = False) -> tuple[Seat, Tile, int] | None:
    """A seat that is not in turn, with a tile and an arm where it fits or does not.

    The turn is known to all, unless `anybody`: a seat that the last tile passed over in silence may be taking its turn back.
    """
    early = [seat for seat in Seat if seat not in (table.turn, *table.unheard, table.last)]
    clear = [seat for seat in early if anybody or table.words or seat not in table.passed_over]
    every = [(s, tile, arm) for s in clear for tile in table.hands[s] for arm in (0, 1) if tile.has(table.ends[arm]) == fits]
    return table.rng.choice(every) if every else None


@kind("OUT_OF_TURN: fits not")
def out_of_turn_not_fitting(table: KnownTable) -> bool:
    act = _out_of_turn(table, fits=False)
    if act is None:
        return False
    seat, tile, arm = act
    at = table.tell(Place, seat=seat, tile=tile, at=ARMS[arm])
    table.docket.want("OUT_OF_TURN", seat, at)
    table.docket.turned(False, at)
    return take_back(table, seat, tile, "out_of_turn")


@kind("OUT_OF_TURN: taken back")
def out_of_turn_taken_back(table: KnownTable) -> bool:
    act = _out_of_turn(table, fits=True)
    if act is None:
        return False
    seat, tile, arm = act
    at = table.tell(Place, seat=seat, tile=tile, at=ARMS[arm])
    if table.docket.reliable:
        table.docket.doubts.add(("OUT_OF_TURN", (seat, Seat((seat + 3) % 4)), at))
    table.docket.turned(table.is_against(seat), at)
    table.docket.want("OUT_OF_TURN", seat, at, at + 1)
    return take_back(table, seat, tile, "out_of_turn")


def _jump(table: KnownTable, *, anybody: bool = False) -> tuple[Seat, tuple[Seat, ...], int] | None:
    """A fitting tile over the heads of others, which stays: who laid it, whom it skipped, the observation."""
    act = _out_of_turn(table, fits=True, anybody=anybody)
    if act is None:
        return None
    seat, tile, arm = act
    skipped = table.turn.until(seat)
    return None if seen_to_fit(table, skipped) else (seat, skipped, table.lay(seat, tile, arm))


def _decided(table: KnownTable, at: int) -> None:
    """It was out of turn, so that those it skipped did not pass."""
    table.docket.lies = [lie for lie in table.docket.lies if lie.at != at]


@kind("OUT_OF_TURN: objected to")
def out_of_turn_objected_to(table: KnownTable) -> bool:
    jump = _jump(table)
    if jump is None:
        return False
    seat, skipped, at = jump
    table.docket.want("OUT_OF_TURN", seat, at, table.tell(Objection, seat=table.rng.choice(skipped)))
    _decided(table, at)
    return True


@kind("OUT_OF_TURN: ruled")
def out_of_turn_ruled(table: KnownTable) -> bool:
    jump = _jump(table)
    if jump is None:
        return False
    seat, _, at = jump
    ruling = table.rng.choice(["out_of_turn", "uphold"])
    table.docket.want("OUT_OF_TURN", seat, at, table.tell(Referee, ruling=ruling, incident=at, seat=seat))
    table.docket.upheld.append(table.docket.wanted[-1])
    _decided(table, at)
    return True


@kind("RENEGE_OR_OUT_OF_TURN: play goes on")
def over_the_head(table: KnownTable) -> bool:
    return _jump(table, anybody=True) is not None


@kind("RENEGE_OR_OUT_OF_TURN: in silence")
def silent_lie(table: KnownTable) -> bool:
    """A seat that could play lets its turn go by without a word."""
    if not table.options(table.turn) or seen_to_fit(table, (table.turn,)):
        return False
    table.pass_turn(None)
    return True


def _second_tile(table: KnownTable, announce: bool) -> bool:
    """The seat that laid last lays again before the others have passed."""
    seat = table.last
    if seat is None or seat == table.turn or not table.options(seat) or seen_to_fit(table, table.turn.until(seat)):
        return False
    table.lay(seat, *table.rng.choice(table.options(seat)), announce=announce)
    return True


def _somebody_could(table: KnownTable) -> bool:
    return any(table.options(seat) for seat in table.turn.until(table.last or table.turn))


@kind("OUT_OF_TURN: a second tile in a row", reliable=True)
def second_tile_in_a_row(table: KnownTable) -> bool:
    return _somebody_could(table) and _second_tile(table, announce=False)


@kind("OUT_OF_TURN: a false announcement")
def false_announcement(table: KnownTable) -> bool:
    return _somebody_could(table) and _second_tile(table, announce=True)


@kind("PREMATURE_RUN: a second tile in a row", reliable=True)
def premature_run(table: KnownTable) -> bool:
    """Nobody else can play, and he does not wait until they have said so."""
    if table.docket.lies or table.last is None or _somebody_could(table):
        return False
    silent = table.turn == table.last and len(table.unheard) == 3
    if silent and table.options(table.turn):
        table.lay(table.turn, *table.rng.choice(table.options(table.turn)), announce=False)
        return True
    return _second_tile(table, announce=False)
