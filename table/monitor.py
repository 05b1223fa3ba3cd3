"""Observations in, numbered events out: the fold of rules.referee with every event in the journal before anybody hears of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.events import Corrected, Event
from rules.observations import Observation
from rules.referee import observe, start_match
from rules.ruleset import Ruleset
from rules.seats import Seat
from table.envelope import EventRecord, wire_time
from table.journal import Journal

# Fields of events that name observations, and the fields that carry the seq of the event in their place.
REFERENCES = {"at_obs": "at_seq", "because": "because", "resolves": "resolves"}


class Monitor:
    """One match at one table.

    start_s: seconds since 1970 at t = 0 of the observations; match: number of the match at this table, from 1.
    """

    def __init__(
        self, ruleset: Ruleset, journal: Journal, *, start_s: float, match: int | None = None, opener: Seat | None = None
    ) -> None:
        self.state = start_match(ruleset, first_opener=opener)
        self.match = next_match(journal) if match is None else match
        self._journal = journal
        self._start_s = start_s
        self._seqs: list[int] = []  # seq of each event of state.events
        self._first_seq: dict[int, int] = {}  # observation: seq of the first event that it caused
        self.last: EventRecord | None = None

    def observe(self, observation: Observation) -> list[EventRecord]:
        """Take one observation in; the events that it causes are in the journal when this returns."""
        hand = self.state.hands_opened
        self.state, events = observe(self.state, observation)
        records: list[EventRecord] = []
        for event in events:
            if event.type == "hand_opened":
                hand = self.state.hands_opened
            if isinstance(event, Corrected):
                voided = self._void(len(event.voids))
                records.append(self._write(event, {"voids": voided, "by": event.by}, observation, hand))
            else:
                record = self._write(event, self._numbered(event.data()), observation, hand)
                self._seqs.append(record.seq)
                self._first_seq.setdefault(event.obs, record.seq)
                records.append(record)
        return records

    def tell(self, event: Event, observation: Observation) -> EventRecord:
        """Write an event that no rule was asked about (another game on the table)."""
        return self._write(event, event.data(), observation, 0)

    def _void(self, count: int) -> list[int]:
        """Forget the numbers of the last events in force, which a correction takes back."""
        kept = len(self._seqs) - count
        voided, self._seqs = self._seqs[kept:], self._seqs[:kept]
        gone = set(voided)
        self._first_seq = {obs: seq for obs, seq in self._first_seq.items() if seq not in gone}
        return voided

    def _numbered(self, data: dict[str, Any]) -> dict[str, Any]:
        """Event data with the numbers of events in the place of those of observations."""
        out = {}
        for name, value in data.items():
            if name not in REFERENCES:
                out[name] = value
            elif isinstance(value, list):
                out[REFERENCES[name]] = [self._first_seq[v] for v in value if v in self._first_seq]
            else:
                out[REFERENCES[name]] = self._first_seq.get(value)
        return out

    def _write(self, event: Event, data: dict[str, Any], observation: Observation, hand: int) -> EventRecord:
        time = wire_time(self._start_s + observation.t)
        self.last = self._journal.append(event.type, data, observation.t, observation.frame, self.match, hand, time)
        return self.last

    def seqs_in_force(self) -> Sequence[tuple[Event, int]]:
        """Every event that no correction took back, with its seq."""
        return list(zip(self.state.events, self._seqs, strict=True))


def next_match(journal: Journal) -> int:
    """The number after that of the last match in a journal."""
    rows = journal.rows(max(journal.last_seq, 1), 1)
    return EventRecord.parse(rows[0].line).match + 1 if rows else 1
