"""The outbox: what goes out is on the disk, in order, and nothing is forgotten whatever is acknowledged when."""

from __future__ import annotations

import random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from table.journal import Journal
from table.outbox import Outbox


class WatchedJournal(Journal):
    """Remembers up to which event the disk was waited for."""

    on_disk = 0

    def sync(self) -> None:
        super().sync()
        self.on_disk = self.last_seq


def write(journal: Journal, count: int) -> None:
    for n in range(count):
        journal.append("tile_played", {"n": n}, 0.0, None, 1, 1, "2026-11-30T00:10:11.123Z")


def test_an_event_is_on_the_disk_before_it_may_be_sent(tmp_path):
    """No row is given out that the disk was not waited for, those written meanwhile included."""
    with WatchedJournal(tmp_path / "t07.db", "finals", "t07") as journal:
        outbox, sent = Outbox(journal), 0
        for _ in range(5):
            write(journal, 3)
            while row := outbox.next_row():
                assert row.seq <= journal.on_disk
                sent += 1
                outbox.sent(row, {sent})
                outbox.acknowledge(sent)
        assert journal.acknowledged == sent == 15


def test_a_file_without_news_is_not_asked(tmp_path):
    """While nothing new is in the journal, the outbox asks it nothing, however often it is looked at; what comes then goes out."""
    with Journal(tmp_path / "t07.db", "finals", "t07") as journal:
        outbox, statements = Outbox(journal), list[str]()
        write(journal, 1)
        row = outbox.next_row()
        assert row is not None
        outbox.sent(row, {1, 2})
        journal._db.set_trace_callback(statements.append)
        for _ in range(50):
            assert outbox.next_row() is None
        assert not outbox.acknowledge(1), "its other message is still on the way"
        assert statements == []
        assert outbox.acknowledge(2) and not outbox.acknowledge(2)
        assert [line.split()[0] for line in statements] == ["UPDATE"]
        write(journal, 1)
        assert (outbox.next_row() or row).seq == 2


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32), window=st.integers(1, 7))
def test_whatever_is_acknowledged_when_every_row_goes_out(tmp_path, seed, window):
    """Connections are lost and messages acknowledged at random: rows go out in order on each, and the marker passes over none."""
    rng = random.Random(seed)
    path = tmp_path / f"{seed}-{window}.db"
    path.unlink(missing_ok=True)
    with Journal(path, "finals", "t07") as journal:
        outbox, on_the_way, told, message = Outbox(journal, window), dict[int, int](), set[int](), 0
        last = 0
        for _ in range(120):
            act = rng.choice(("write", "send", "send", "send", "acknowledge", "acknowledge", "lose"))
            if act == "write" and journal.last_seq < 30:
                write(journal, 1)
            elif act == "send" and (row := outbox.next_row()):
                assert row.seq > last and row.seq not in told, "in order, and nothing that the broker has told us it has"
                last, ids = row.seq, {message + 1, message + 2} if rng.random() < 0.3 else {message + 1}
                message += 2
                on_the_way |= dict.fromkeys(ids, row.seq)
                outbox.sent(row, ids)
                assert len(set(on_the_way.values())) <= window
            elif act == "acknowledge" and on_the_way:
                one = rng.choice(list(on_the_way))
                seq = on_the_way.pop(one)
                outbox.acknowledge(one)
                told |= set() if seq in on_the_way.values() else {seq}
            elif act == "lose":
                outbox.rewind()
                on_the_way.clear()
                last = 0
            assert journal.acknowledged == next(n for n in range(40) if n + 1 not in told)
        outbox.rewind()
        while row := outbox.next_row():
            message += 2
            outbox.sent(row, {message})
            outbox.acknowledge(message)
        assert journal.acknowledged == journal.last_seq and not outbox.in_flight
