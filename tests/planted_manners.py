"""More planted acts: the opening, how tiles are laid and moved, thinking, racks, manners, the count, and doubtful readings."""

from __future__ import annotations

from dataclasses import replace

from harmless import on_rack
from known_table import FORWARD_DEG, KnownTable
from planted import THINK_LIMIT_S, kind

from rules.observations import (
    Entry,
    Expose,
    HandOverTable,
    Impact,
    Lift,
    Move,
    Observation,
    Pass,
    Place,
    RackCount,
    RackSwap,
    Referee,
    Reveal,
    Withdraw,
)
from rules.seats import Seat
from rules.tiles import Tile

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
    if len(table.line) < 2:
        return False
    mm, deg = table.rng.choice(
        [(table.rng.uniform(12.5, 200), 0.0), (0.0, table.rng.uniform(15.5, 170) * table.rng.choice([1, -1]))]
    )
    seat = table.any_seat()
    at = table.tell(Move, seat=seat, tile=table.rng.choice(table.line[:-1]), mm=mm, deg=deg)
    table.docket.want("TILE_MOVED", seat, at)
    return True


# Thinking.


def _clock_runs(table: KnownTable) -> bool:
    """The seat before acted last and was heard or seen, so that the time of the one in turn is known."""
    before = table.seen[-1]
    return isinstance(before, Place | Pass) and before.seat == table.turn.left and not table.unheard


@kind("FALSE_THINK: a pass", heard=True)
def slow_pass(table: KnownTable) -> bool:
    if table.options(table.turn) or len(table.line) < 5 or not _clock_runs(table):
        return False
    table.t += table.rng.uniform(3.1, 15.0)
    seat, at = table.turn, table.pass_turn("voice")
    if at is not None:
        table.docket.want("FALSE_THINK", seat, at)
    return True


@kind("FALSE_THINK: a tile")
def slow_tile(table: KnownTable) -> bool:
    """One tile at one number is no choice; the count shows that there was no other."""
    options, seat = table.options(table.turn), table.turn
    if not options or table.has_choice(seat) or len(table.line) < 4 or not _clock_runs(table):
        return False
    table.t += table.rng.uniform(3.1, 15.0)
    table.docket.slow.append((seat, table.lay(seat, *table.rng.choice(options))))
    return True


@kind("EXCESSIVE_THINK")
def long_thought(table: KnownTable) -> bool:
    """With a choice, but longer than the organiser allows."""
    proper, seat = table.proper(table.turn), table.turn
    if not proper or not (table.has_choice(seat) or len(table.line) < 4) or not _clock_runs(table):
        return False
    table.t += THINK_LIMIT_S + table.rng.uniform(0.5, 30.0)
    table.docket.advice.add(("EXCESSIVE_THINK", seat, table.lay(seat, *table.rng.choice(proper))))
    return True


# Racks and manners.


@kind("RACK_REARRANGED")
def rack_rearranged(table: KnownTable) -> bool:
    seat = table.any_seat()
    table.docket.want("RACK_REARRANGED", seat, table.tell(RackSwap, seat=seat, slots=(1, 4)))
    return True


@kind("DEAL_FAULT", when="before")
def deal_fault(table: KnownTable) -> bool:
    """Six or eight tiles were taken; it is put right before the opening."""
    return miscounted(table)


@kind("DEAL_FAULT: in play")
def miscounted(table: KnownTable) -> bool:
    seat = table.any_seat()
    wrong = on_rack(table, seat) + table.rng.choice([-1, 1])
    table.docket.want("DEAL_FAULT", seat, table.tell(RackCount, seat=seat, count=wrong))
    return wrong >= 0


@kind("HANDS_ON_TABLE")
def hands_on_table(table: KnownTable) -> bool:
    others = [seat for seat in Seat if seat not in (table.turn, *table.unheard)]
    if not others:
        return False
    seat = table.rng.choice(others)
    table.docket.advice.add(("HANDS_ON_TABLE", seat, table.tell(HandOverTable, seat=seat, dur=table.rng.uniform(2.1, 9))))
    return True


@kind("STRIKE_OR_THROW")
def strike(table: KnownTable) -> bool:
    seat = table.any_seat()
    table.docket.advice.add(("STRIKE_OR_THROW", seat, table.tell(Impact, seat=seat, level=table.rng.uniform(1.1, 5))))
    return True


@kind("TALK_OR_GESTURE")
def talk(table: KnownTable) -> bool:
    seat = table.any_seat()
    at = table.tell(Referee, ruling="incident", code="TALK_OR_GESTURE", seat=seat, text="se oyó «dobla»")
    table.docket.want("TALK_OR_GESTURE", seat, at)
    return True


@kind("CONDUCT")
def conduct(table: KnownTable) -> bool:
    seat, rule = table.any_seat(), table.rng.choice(["FID-BEH-4", "FID-ACT-4", "FID-ACT-8", "FID-ACT-9"])
    at = table.tell(Referee, ruling="incident", code="CONDUCT", seat=seat, text=f"{rule}: visto desde la mesa")
    table.docket.want("CONDUCT", seat, at, rule=rule)
    return True


# The count and the set.


@kind("SCORE_MISMATCH", when="count")
def score_mismatch(table: KnownTable) -> bool:
    table.count()
    pair = table.rng.randrange(2)
    true = table.result("fid").points[pair]
    told = table.rng.choice([n for n in (true - 10, true - 1, true + 1, true + 10) if n >= 0])
    at = table.tell(Entry, pair="AB"[pair], points=told)
    table.docket.want("SCORE_MISMATCH", None, at, difference=abs(true - told))
    return True


@kind("TILE_SET_FAULT: the count", when="count")
def wrong_set(table: KnownTable) -> bool:
    """A tile is missing at the count, or another one takes its place for the second time: no score is made."""
    holders = [seat for seat in Seat if table.hands[seat]]
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
    others = [tile for tile in table.line]
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
    assert isinstance(seen, Place | Pass)
    if isinstance(seen, Place) and seen.pose_deg is not None and seen.tile is not None:
        seen = replace(seen, pose_deg=(180.0 - seen.pose_deg) % (180.0 if seen.tile.is_double else 360.0))
    return replace(seen, seat=_other(seen.seat))
