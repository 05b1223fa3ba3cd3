"""Planted acts beside the play: thinking, racks, manners."""

from __future__ import annotations

from harmless import on_rack
from known_table import KnownTable
from planted import THINK_LIMIT_S, kind

from rules.observations import (
    HandOverTable,
    Impact,
    Pass,
    Place,
    RackCount,
    RackSwap,
    Referee,
)
from rules.seats import Seat

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
