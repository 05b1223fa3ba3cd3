"""Planted faults of the count and of the set, doubtful readings, a mirrored picture."""

from __future__ import annotations

from dataclasses import replace

from hand_result import result_of
from known_table import KnownTable
from planted import kind

from rules.observations import (
    Entry,
    Expose,
    Observation,
    Pass,
    Place,
    Reveal,
    Withdraw,
)
from rules.seats import Seat
from rules.tiles import Tile

# The count and the set.


@kind("SCORE_MISMATCH", when="count")
def score_mismatch(table: KnownTable) -> bool:
    table.count()
    pair = table.rng.randrange(2)
    true = result_of(table, "fid").points[pair]
    told = table.rng.choice([n for n in (true - 10, true - 1, true + 1, true + 10) if n >= 0])
    at = table.tell(Entry, pair="AB"[pair], points=told)
    table.docket.want("SCORE_MISMATCH", None, at, difference=abs(true - told))
    return True


@kind("TILE_SET_FAULT: the count", when="count")
def wrong_set(table: KnownTable) -> bool:
    """A tile is missing at the count, or another one takes its place for the second time: no score is made."""
    holders = [seat for seat in Seat if table.hands[seat]]
    if not holders:
        return False
    seat = table.rng.choice(holders)
    gone = table.rng.randrange(len(table.hands[seat]))
    table.hands[seat][gone : gone + 1] = table.rng.choice([[], [table.rng.choice(table.line)]])
    table.docket.want("TILE_SET_FAULT", None, table.count())
    table.scored = False
    return True


def _tile_that_lies(table: KnownTable) -> list[tuple[Tile, int]]:
    return [(tile, arm) for tile in table.line for arm in (0, 1) if tile.has(table.ends[arm])]


@kind("TILE_SET_FAULT: a tile twice")
def twice(table: KnownTable) -> bool:
    """The set has a tile twice and another one never: the second is laid where it fits."""
    seat = table.turn
    if not table.hands[seat] or table.unheard:
        return False
    again, arm = table.rng.choice(_tile_that_lies(table))
    table.hands[seat][table.rng.randrange(len(table.hands[seat]))] = again
    table.sound, table.scored = False, None
    table.docket.want("TILE_SET_FAULT", None, table.lay(seat, again, arm))
    return True


@kind("READ_CONFLICT: a tile twice")
def read_twice(table: KnownTable) -> bool:
    """A tile is read as one that lies already, without certainty."""
    proper, seat = table.proper(table.turn), table.turn
    others = list(table.line)
    if not proper or table.unheard:
        return False
    tile, arm = table.rng.choice(proper)
    at = table.lay(seat, tile, arm)
    table.seen[at] = replace(table.seen[at], tile=table.rng.choice(others), confidence=table.rng.uniform(0.3, 0.94))  # type: ignore[call-arg]
    table.docket.doubts.add(("READ_CONFLICT", (), at))
    table.well_read = False
    return True


@kind("READ_CONFLICT: beside the line")
def read_beside_the_line(table: KnownTable) -> bool:
    """A tile that lies in the line is seen beside it, or lifted from its middle."""
    if len(table.line) < 6:
        return False
    tile, seat = table.rng.choice(table.line[:-4]), table.any_seat()
    if table.rng.random() < 0.5:
        table.docket.doubts.add(("READ_CONFLICT", (), table.tell(Expose, seat=seat, tile=tile)))
    elif not table.is_free(tile):
        table.docket.doubts.add(("READ_CONFLICT", (seat,), table.tell(Withdraw, seat=seat, tile=tile)))
    else:
        return False
    return True


# The camera.


@kind("CALIBRATION_ALARM", when="count", heard=True)
def mirrored(table: KnownTable) -> bool:
    """The whole hand as a mirrored picture shows it: east and west change places, and every angle turns round."""
    if table.opener % 2:  # east or west: who opens would look wrong before anything can tell that the picture is
        return False
    if any(not isinstance(seen, Place) for seen in table.seen[:4]) or any(
        not isinstance(seen, Place | Pass) for seen in table.seen
    ):
        return False
    table.count()
    table.seen = [_mirror(seen) for seen in table.seen]
    second = _other(table.opener.right)
    table.docket.doubts |= {("OUT_OF_TURN", (second, second.left), 1), ("CALIBRATION_ALARM", (), 3)}
    table.hands = [table.hands[(4 - seat) % 4] for seat in range(4)]
    table.last, table.opener = _other(table.last), _other(table.opener)
    return True


def _other(seat: Seat | None) -> Seat:
    return Seat((4 - (seat or 0)) % 4)


def _mirror(seen: Observation) -> Observation:
    if isinstance(seen, Reveal):
        s, e, n, w = seen.hands
        return replace(seen, hands=(s, w, n, e))
    if isinstance(seen, Place) and seen.pose_deg is not None and seen.tile is not None:
        seen = replace(seen, pose_deg=(180.0 - seen.pose_deg) % (180.0 if seen.tile.is_double else 360.0))
    return replace(seen, seat=_other(seen.seat))  # type: ignore[attr-defined, call-arg]
