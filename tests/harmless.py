"""What honest players do beside laying tiles, and what an arbiter may look at: none of it is ever an infraction."""

from __future__ import annotations

from collections.abc import Callable

from known_table import KnownTable

from rules.observations import HandOverTable, Impact, Lift, Move, RackCount, Reveal, Touch
from rules.seats import Seat
from rules.tiles import Tile


def on_rack(table: KnownTable, seat: Seat) -> int:
    """Tiles that stand on the rack: what is held, less what lies face up."""
    return len([tile for tile in table.hands[seat] if tile not in table.exposed[seat]])


def look_at(table: KnownTable, seat: Seat) -> int:
    """The arbiter has one seat turn its tiles up."""
    hands: list[tuple[Tile, ...] | None] = [None, None, None, None]
    hands[seat] = tuple(table.hands[seat])
    at = table.tell(Reveal, final=False, hands=(hands[0], hands[1], hands[2], hands[3]))
    table.in_sight[seat] |= set(table.hands[seat])
    table.audited.add(seat)
    table.docket.opened_up({known: table.hands[known] for known in table.audited}, at, False)
    return at


def _audit(table: KnownTable) -> None:
    if not table.docket.runs:
        look_at(table, Seat(table.rng.randrange(4)))


def _align(table: KnownTable) -> None:
    tile = table.rng.choice(table.line)
    whole = table.rng.random() < 0.5
    mm, deg = (80.0, 40.0) if whole else (table.rng.uniform(0, 12), table.rng.uniform(0, 15))
    table.tell(Move, seat=table.any_seat(), tile=tile, mm=mm, deg=deg, whole_line=whole)


def _brush(table: KnownTable) -> None:
    table.tell(Touch, seat=table.any_seat(), slot=2, dur=table.rng.uniform(0, 0.3))


def _count_rack(table: KnownTable) -> None:
    seat = table.any_seat()
    if None in table.fallen[seat]:  # it may lie beside the rack, or stand on it again
        return
    table.tell(RackCount, seat=seat, count=on_rack(table, seat))


def _reach(table: KnownTable) -> None:
    if table.unheard or table.rng.random() < 0.5:
        table.tell(HandOverTable, seat=table.any_seat(), dur=table.rng.uniform(0, 2))
    else:
        table.tell(HandOverTable, seat=table.turn, dur=9.0)


def _lay_down(table: KnownTable) -> None:
    table.tell(Impact, seat=table.any_seat(), level=table.rng.uniform(0, 1))


def stand_up(table: KnownTable) -> None:
    """The seat in turn stands its tiles up, after it was told that those before it played or passed."""
    if not table.unheard:
        table.tell(Lift, seat=table.turn)


HARMLESS: tuple[Callable[[KnownTable], None], ...] = (_audit, _align, _brush, _count_rack, _reach, _lay_down, stand_up)


def something_harmless(table: KnownTable) -> None:
    """One harmless thing, while the hand is being played."""
    if table.line and table.end is None:
        table.rng.choice(HARMLESS)(table)
