"""Observations in, numbered events out: the fold of rules.referee with every event in the journal before anybody hears of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from rules.errors import BadInput
from rules.events import Event
from rules.observations import Correction, Observation
from rules.record import Header
from rules.referee import observe
from rules.ruleset import Ruleset
from rules.seats import PAIRS, Seat
from table.commands import Command
from table.envelope import EventRecord, sorted_data, wire_time
from table.journal import DURABLE_TYPES, Journal
from table.matchbook import Done, Kept, MatchBook, line_of, seen_in
from table.numbering import Numbering

START = "start_s"  # the header's tag for the time of t = 0
Watching = Literal["watching", "not_watching", "camera_moved", "out_of_focus", "too_dark"]


class Monitor:
    """The match at one table. Belongs to one thread.

    start_s: seconds since 1970 at t = 0 of the observations; match: number of the match at this table, from 1;
    teams: names of the pairs A and B. What `observe` could not write down did not happen: it raises BadInput and changes nothing.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        journal: Journal,
        *,
        start_s: float,
        match: int | None = None,
        opener: Seat | None = None,
        teams: Mapping[str, str] | None = None,
    ) -> None:
        self._journal, self.book = journal, MatchBook(journal.execute)
        self._start_s = start_s
        self.match = next_match(journal) if match is None else match
        self.last: EventRecord | None = None
        self.header = _header(ruleset, opener, teams or {}, start_s)
        self.state, self._numbers = self.header.start(), Numbering()
        self._written = False  # whether the header is in the journal

    @classmethod
    def resume(cls, journal: Journal) -> Monitor | None:
        """The match in the journal that is not over, folded again from its observations; None when there is none.

        Raises BadInput when the rules of this version judge it otherwise than it was judged.
        """
        book = MatchBook(journal.execute)
        match = book.last_match()
        header = book.header(match)
        if header is None or match != next_match(journal) - 1:
            return None
        monitor = cls(header.ruleset, journal, start_s=float(dict(header.tags)[START]), match=match)
        monitor._take_over(header)
        for kept in book.observations(match):
            monitor._fold_again(kept)
        monitor._numbers.source |= {done.seq: done.number for done in book.entered(match) if done.number is not None}
        monitor.last = EventRecord.parse(journal.rows(journal.last_seq, 1)[0].line) if journal.last_seq else None
        return None if monitor.state.over else monitor

    def begin(self, ruleset: Ruleset, opener: Seat | None, teams: Mapping[str, str], entered: Command, t: float) -> EventRecord:
        """Leave the match as it is and begin the next one, as a person said."""
        with self._journal.together(durable=True):
            match = next_match(self._journal) if self._written else self.match
            header = _header(ruleset, opener, teams, self._start_s)
            self.book.open_match(match, header)
            record = self._append("entered", entered.data(), t, None, match, 0)
            self._keep_done(entered, record.seq, match, None)
        self.match, self.last = match, record
        self._take_over(header)
        return record

    def observe(self, observation: Observation, entered: Command | None = None) -> list[EventRecord]:
        """Take one observation in; it and the events that it causes are in the journal when this returns.

        entered: the command that it comes from, written down with it.
        """
        seen = seen_in(line_of(observation))  # as it will be read again, so that a later fold cannot differ
        hand, number = self.state.hands_opened, len(self.state.heard)
        state, events = observe(self.state, seen)
        numbers, records = self._numbers.copy(), list[EventRecord]()
        with self._journal.together(durable=entered is not None or any(e.type in DURABLE_TYPES for e in events)):
            if not self._written:
                self.book.open_match(self.match, self.header)
            if entered is not None:
                records.append(self._append("entered", entered.data(), seen.t, None, self.match, hand))
                numbers.source[records[0].seq] = number
                self._keep_done(entered, records[0].seq, self.match, number)
            kept = Kept(number, seen, self._journal.last_seq + 1, len(events))
            self.book.keep(self.match, kept, self._journal.last_hash)
            for event in events:
                hand = state.hands_opened if event.type == "hand_opened" else hand
                record = self._append(event.type, numbers.data(event), seen.t, seen.frame, self.match, hand)
                numbers.give(event, record.seq)
                records.append(record)
        self.state, self._numbers, self._written = state, numbers, True
        self.last = records[-1] if records else self.last
        return records

    def tell(self, event: Event, observation: Observation) -> EventRecord:
        """Write an event that no rule was asked about (another game on the table)."""
        self.last = self._append(event.type, event.data(), observation.t, observation.frame, self.match, 0)
        return self.last

    def tell_watching(self, state: Watching, t_s: float, since_s: float) -> EventRecord:
        """Write that the table is watched from now on, or why not. since_s: when that began, on the frames' clock like t_s."""
        since = wire_time(self._start_s + since_s)
        self.last = self._append("watching", {"state": state, "since": since}, t_s, None, self.match, self.state.hands_opened)
        return self.last

    @property
    def teams(self) -> dict[str, str]:
        """The names of the pairs; A and B where none were given."""
        return {pair: name or pair for pair, name in zip(PAIRS, self.header.pairs, strict=True)}

    def seqs_in_force(self) -> Sequence[tuple[Event, int]]:
        """Every event that no correction took back, with its seq."""
        return list(self._numbers.in_force)

    def event(self, seq: int) -> Event | None:
        """The event of this match with this seq; None when there is none in force."""
        return self._numbers.event(seq)

    def source(self, seq: int) -> int | None:
        """The number of the observation that the event with this seq came from; None when it is none of this match."""
        return self._numbers.source.get(seq)

    def type_of(self, seq: int) -> str:
        """The type of a written event, empty where there is none."""
        rows = self._journal.rows(seq, 1)
        return rows[0].type if rows and rows[0].seq == seq else ""

    def taken_back(self) -> set[int]:
        """The observations that a correction took back without another in their place, and that none brought back."""
        gone = set[int]()
        for number, seen in reversed(list(enumerate(self.state.heard))):
            if isinstance(seen, Correction) and seen.instead is None and number not in gone:
                gone.add(seen.voids)
        return gone

    def settled(self, number: int) -> bool:
        """Whether a person has said what observation `number` was: a later look is no reason to change it."""
        gone = self.taken_back()
        told = ((n, seen) for n, seen in enumerate(self.state.heard) if isinstance(seen, Correction) and seen.by is not None)
        return any(seen.voids == number and n not in gone for n, seen in told)

    def _take_over(self, header: Header) -> None:
        """The match before its first observation, its header in the journal."""
        self.header, self.state, self._numbers, self._written = header, header.start(), Numbering(), True

    def _fold_again(self, kept: Kept) -> None:
        self.state, events = observe(self.state, kept.seen)
        given = list[tuple[str, dict[str, Any]]]()
        for seq, event in enumerate(events, start=kept.first_seq):
            given.append((event.type, sorted_data(self._numbers.data(event))))
            self._numbers.give(event, seq)
        rows = self._journal.rows(kept.first_seq, kept.events) if kept.events else []
        written = [(record.type, record.data) for record in (EventRecord.parse(row.line) for row in rows)]
        if given != written:
            raise BadInput(
                f"expected observation {kept.number} of match {self.match} to be judged as it was, found a difference; "
                f"go on with the miron that wrote {self._journal.path}, or start a new match"
            )

    def _append(self, type: str, data: dict[str, Any], t: float, frame: int | None, match: int, hand: int) -> EventRecord:
        return self._journal.append(type, data, t, frame, match, hand, wire_time(self._start_s + t))

    def _keep_done(self, entered: Command, seq: int, match: int, number: int | None) -> None:
        self.book.keep_done(Done(entered.by, entered.name, entered.transaction, entered.digest, seq, match, number))


def next_match(journal: Journal) -> int:
    """The number after that of the last match in a journal."""
    rows = journal.rows(max(journal.last_seq, 1), 1)
    told = EventRecord.parse(rows[0].line).match if rows else 0
    return max(told, MatchBook(journal.execute).last_match()) + 1  # a match that gave no event yet counts too


def _header(ruleset: Ruleset, opener: Seat | None, teams: Mapping[str, str], start_s: float) -> Header:
    pairs = teams.get("A", ""), teams.get("B", "")
    return Header(ruleset=ruleset, opener=opener, pairs=pairs, tags=((START, repr(float(start_s))),))
