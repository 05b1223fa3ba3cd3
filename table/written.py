"""The events of a match as they were written, kept so that what is asked for at every state is found without a walk over all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from table.envelope import EventRecord


class Written:
    """Events that are in the journal for good: one that may still be rolled back does not belong here, for its seq goes to another."""

    def __init__(self) -> None:
        self._by_seq = dict[int, EventRecord]()
        self._entered = defaultdict[str, list[EventRecord]](list)  # by the name of the command
        self._evidence = defaultdict[int, list[dict[str, Any]]](list)  # what came later, by the seq of the incident

    def add(self, record: EventRecord) -> None:
        """Keep one more event, the newest."""
        self._by_seq[record.seq] = record
        if record.type == "entered":
            self._entered[record.data["what"]].append(record)
        elif record.type == "evidence":
            self._evidence[record.data["incident"]] += record.data["evidence"]

    def record(self, seq: int) -> EventRecord | None:
        """The event with this seq; None when it is not of this match."""
        return self._by_seq.get(seq)

    def entered(self, name: str) -> Sequence[EventRecord]:
        """What people entered under the name of a command, oldest first."""
        return self._entered.get(name, ())

    def later_evidence(self, incident: int) -> Sequence[dict[str, Any]]:
        """The evidence of the incident with this seq that came after its event, oldest first."""
        return self._evidence.get(incident, ())
