"""What a state costs: as much at the end of a match as at its beginning, whatever was played and entered before."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace

from command_table import Table
from legal_play import play_hand

from rules.ruleset import DUSA
from rules.seats import Seat
from table.snapshot import snapshot


def work(act: Callable[[], object]) -> int:
    """How many bytecode instructions of the package `table` an act runs: the same on every machine and at any load."""
    count = 0

    def trace(frame, event, arg):
        nonlocal count
        if "/table/" not in frame.f_code.co_filename:
            return None
        frame.f_trace_opcodes = True
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        act()
    finally:
        sys.settrace(before)
    return count


def test_a_state_costs_the_same_in_every_hand(tmp_path):
    """After the second tile of each of nine hands an observation and a state take nearly the same work, and the same statements.

    A card shown in the first hand and an opener by order stand in the record all the time.
    """
    table = Table(tmp_path / "t07.db", replace(DUSA, target=10**6, clock_s=None))
    observed, stated, written = list[int](), list[int](), list[int]()
    with table.journal as journal:
        assert table.say("start_hand", opener=0)["ok"] and table.say("card", colour="yellow", pair="A")["ok"]
        for seed in range(9):
            start_s = table.monitor.state.heard[-1].t + 10
            opening, second, *rest = play_hand(seed, table.monitor.next_opener or Seat.S, t=start_s).observations
            table.monitor.observe(opening)
            statements = list[str]()
            journal._db.set_trace_callback(statements.append)
            observed.append(work(lambda seen=second: table.monitor.observe(seen)))
            written.append(len(statements))
            stated.append(work(lambda: snapshot(table.monitor, "finals", "t07")))
            assert len(statements) == written[-1], "a state asks the journal nothing"
            journal._db.set_trace_callback(None)
            for seen in rest:
                table.monitor.observe(seen)
        assert table.monitor.last.seq >= 250
    assert set(written[1:]) == {written[1]}
    assert max(stated[1:]) <= 1.2 * min(stated[1:])
    assert max(observed[1:]) <= 1.05 * min(observed[1:])
