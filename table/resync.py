"""The answer to `cmd/resync`: stored events in pages, so that a subscriber that follows `seq` closes its gap."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from rules.errors import BadInput
from rules.fields import LARGEST, shown
from table.envelope import json_line
from table.journal import Journal, Row

PAGE_ROWS = 50
PAGE_BYTES = 64 * 1024
MAX_TEXT = 64
MOST_UNDER_WAY = 8  # requests answered at one time; a ninth is told to come back


@dataclass
class Resync:
    """One request being answered. `last_seq` is fixed when it is asked: later events come on the topic `event`."""

    transaction: str | None
    next_seq: int
    last_seq: int

    @classmethod
    def asked(cls, payload: bytes, journal: Journal) -> Resync:
        """Read `{"from": 17, "transaction": "…", "by": "…"}`; BadInput when it cannot be answered."""
        request = _request(payload)
        first = request.get("from")
        if not isinstance(first, int) or isinstance(first, bool) or not 1 <= first <= LARGEST:
            raise BadInput(f"expected from as a seq of 1 or more, found {shown(first)}; ask for the first seq that is missing")
        journal.sync()
        return cls(transaction_of(payload), first, journal.last_seq)

    @property
    def finished(self) -> bool:
        """Whether the last page has been taken."""
        return self.next_seq > self.last_seq

    def page(self, journal: Journal) -> str:
        """The next page's JSON text; an empty one when there is nothing from that `seq` on."""
        rows = _fitting(journal.rows(self.next_seq, min(PAGE_ROWS, max(0, self.last_seq - self.next_seq + 1))))
        first = self.next_seq
        self.next_seq = rows[-1].seq + 1 if rows else self.last_seq + 1
        head = {"transaction": self.transaction, "ok": True, "from": first, "to": self.next_seq - 1, "last": self.last_seq}
        # The events' own bytes, not a second printing of them.
        return f'{json_line({**head, "more": not self.finished})[:-1]},"events":[{",".join(row.line for row in rows)}]}}'


class Answers:
    """The requests that are being answered. `publish` sends a page and gives the id of its message.

    The next page of an answer goes out when the one before it has been acknowledged, so that live events pass in between.
    """

    def __init__(self, journal: Journal, publish: Callable[[str], int]) -> None:
        self._journal, self._publish = journal, publish
        self._under_way: dict[int, Resync] = {}  # message id of the page in flight: its request

    def begin(self, payload: bytes) -> None:
        """Answer a request, or say in words why not."""
        try:
            if len(self._under_way) >= MOST_UNDER_WAY:
                raise BadInput(f"expected at most {MOST_UNDER_WAY} answers under way, found as many; ask again in a second")
            self._go_on(Resync.asked(payload, self._journal))
        except BadInput as error:
            self._publish(refusal(payload, error))

    def acknowledged(self, message_id: int) -> None:
        """The broker has this message: if it was a page, the next one may go."""
        if resync := self._under_way.pop(message_id, None):
            self._go_on(resync)

    def forget(self) -> None:
        """The connection is gone, and who asked asks again."""
        self._under_way.clear()

    def _go_on(self, resync: Resync) -> None:
        message_id = self._publish(resync.page(self._journal))
        if not resync.finished:
            self._under_way[message_id] = resync


def transaction_of(payload: bytes) -> str | None:
    """The request's own name for itself, None when it gives none that can be sent back."""
    try:
        name = _request(payload).get("transaction")
    except BadInput:
        return None
    return name if isinstance(name, str) and len(name) <= MAX_TEXT and name.isprintable() else None


def refusal(payload: bytes, error: BadInput) -> str:
    """The answer to a request that cannot be served."""
    return json_line({"transaction": transaction_of(payload), "ok": False, "error": str(error)})


def _request(payload: bytes) -> dict[str, object]:
    try:
        request = json.loads(payload)
    except (ValueError, RecursionError):
        request = None
    if not isinstance(request, dict):
        raise BadInput("expected a JSON object with from and transaction, found something else; see docs/mqtt.md")
    return request


def _fitting(rows: list[Row]) -> list[Row]:
    """As many rows as fit into a page, and at least one."""
    size = 0
    for count, row in enumerate(rows):
        size += len(row.line.encode())
        if size > PAGE_BYTES and count:
            return rows[:count]
    return rows
