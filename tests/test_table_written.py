"""What people entered and what was told later is found again, and nothing that was rolled back."""

from __future__ import annotations

import pytest
from command_table import wrong_tile

from rules.errors import BadInput
from table.commands import read_command
from table.monitor import Monitor

CARD = read_command("card", b'{"transaction": "c", "by": "Rosa", "colour": "yellow", "pair": "A"}')
TOUCH = read_command("touch", b'{"transaction": "t", "by": "Ana", "seat": 1}')


def test_what_could_not_be_written_was_not_entered(table):
    """An entry that the disk refused halfway is not known, and its seq is that of the next one."""
    table.journal.execute(
        "CREATE TEMP TRIGGER full BEFORE INSERT ON command BEGIN SELECT RAISE(ABORT, 'full'); END"
    )  # the event `entered` is written before it
    with pytest.raises(BadInput, match="free some space"):
        table.monitor.note(CARD, 1.0)
    assert (list(table.monitor.entered("card")), table.monitor.record(1), table.monitor.last) == ([], None, None)
    table.journal.execute("DROP TRIGGER full")
    told = table.monitor.note(TOUCH, 1.0)
    assert told.seq == 1
    assert (list(table.monitor.entered("card")), table.monitor.entered("touch"), table.monitor.record(1)) == ([], [told], told)


def test_later_evidence_belongs_to_its_incident(table):
    """What came later stands behind what came with the event, in order, and after a restart too; another incident has none of it."""
    seq = wrong_tile(table)
    pictures = [{"url": f"/evidence/{n}.png", "sha256": "0" * 64, "kind": "still"} for n in range(3)]
    table.monitor.tell_evidence(seq, pictures[:2], 5.0)
    table.monitor.tell_evidence(seq, pictures[2:], 6.0)
    assert table.monitor.evidence_of(seq) == pictures and table.monitor.evidence_of(seq - 1) == []
    after = Monitor.resume(table.journal)
    assert after is not None and after.evidence_of(seq) == pictures


def test_what_a_correction_took_back_is_not_in_force_by_its_type(table):
    """The events of a type are those in force: after a play was struck out its event is gone, and so is the infraction it was."""
    seq = wrong_tile(table)
    plays = [told for _, told in table.monitor.in_force("tile_played")]
    assert [told for _, told in table.monitor.in_force("infraction")] == [seq]
    assert table.say("correct", seq=plays[-1], void=True)["ok"]
    assert table.monitor.in_force("infraction") == []
    types = {event.type for event, _ in table.monitor.seqs_in_force()}
    for type in types:
        assert table.monitor.in_force(type) == [told for told in table.monitor.seqs_in_force() if told[0].type == type]
