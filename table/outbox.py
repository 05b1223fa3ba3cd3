"""Which rows of the journal go out next: in order, a bounded number at a time, none forgotten."""

from __future__ import annotations

from collections import deque

from table.journal import Journal, Row

WINDOW = 20


class Outbox:
    """The rows not yet acknowledged. Belongs to one thread, the sender's; the marker itself lives in the journal.

    A row may go out as several messages (event and alert); it is acknowledged when all of them are.
    """

    def __init__(self, journal: Journal, window: int = WINDOW) -> None:
        self._journal = journal
        self._window = window
        self._done: set[int] = set()  # acknowledged before an earlier row was
        self.rewind()

    def rewind(self) -> None:
        """The connection was lost: what was in flight is due again, what was acknowledged is not."""
        self._next_seq = self._journal.acknowledged + 1
        self._ready: deque[Row] = deque()
        self._waiting: dict[int, set[int]] = {}  # seq: message ids not yet acknowledged
        self._seq_of: dict[int, int] = {}

    def next_row(self) -> Row | None:
        """The next row to send; None when nothing waits or the window is full."""
        if len(self._waiting) >= self._window:
            return None
        if not self._ready:
            self._fetch()
        return self._ready.popleft() if self._ready else None

    @property
    def in_flight(self) -> bool:
        """Whether something sent is not acknowledged yet."""
        return bool(self._waiting)

    def sent(self, row: Row, message_ids: set[int]) -> None:
        """`row` is on its way as these messages."""
        self._waiting[row.seq] = message_ids
        self._seq_of.update(dict.fromkeys(message_ids, row.seq))

    def acknowledge(self, message_id: int) -> bool:
        """The broker has this message; whether that acknowledges a row. Ids that are not of the outbox are ignored."""
        seq = self._seq_of.pop(message_id, None)
        if seq is None:
            return False
        self._waiting[seq].discard(message_id)
        if self._waiting[seq]:
            return False
        del self._waiting[seq]
        self._done.add(seq)
        self._mark()
        return True

    def _mark(self) -> None:
        """Move the journal's marker over the rows acknowledged without a gap."""
        marker = self._journal.acknowledged
        while marker + 1 in self._done:
            marker += 1
            self._done.discard(marker)
        self._journal.mark_acknowledged(marker)

    def _fetch(self) -> None:
        if self._next_seq > self._journal.last_seq:
            return  # known without a look at the file
        page = self._journal.rows(self._next_seq)
        self._journal.sync()
        self._next_seq = page[-1].seq + 1
        self._ready.extend(row for row in page if row.seq not in self._done)
