"""Observations in, numbered events out: the fold of rules.referee with every event in the journal before anybody hears of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from rules.errors import BadInput
from rules.events import Event
from rules.observations import Correction, Observation, Referee
from rules.record import Header
from rules.referee import observe
from rules.rotation import due_opener
from rules.ruleset import Ruleset
from rules.seats import PAIRS, Seat
from rules.state import MatchState
from table.commands import Command
from table.envelope import EventRecord, sorted_data, wire_time
from table.journal import DURABLE_TYPES, Journal
from table.matchbook import Done, Kept, MatchBook, line_of, seen_in
from table.numbering import Incident, Numbering, place_of
from table.opening_order import Order, let_open, ordered_opener, wrong_starter
from table.written import Written

EVIDENCED = ("infraction", "suspicion", "reading_doubted")
"""Events that are put to the referee and carry the proof of it."""

Prove = Callable[[int, tuple[object, ...], Sequence[float]], list[dict[str, str]]]
START = "start_s"  # the header's tag for the time of t = 0


class _Taken(NamedTuple):
    """One observation taken in and not written down yet; `hand` is the number of the hand before it."""

    number: int
    seen: Observation
    hand: int
    state: MatchState
    events: tuple[Event, ...]


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
        self._told = Written()
        self._corrections = list[tuple[int, Correction]]()  # those among the observations, by number
        self.ahead_s = 0.0  # t = 0 of this run on the clock of the match, which an earlier run began
        self.prove: Prove | None = None
        """Gives the evidence (url, sha256, kind) of an incident: its seq, what names it whatever its seq, and the moments that it is about
        on this run's clock (s). None: there are no pictures."""
        self.watching: dict[str, str] | None = None
        """Whether the table is watched (`state`, `since`), as told in this run; None: nobody has said."""

    @classmethod
    def take_up(
        cls,
        journal: Journal,
        ruleset: Ruleset,
        *,
        start_s: float,
        opener: Seat | None = None,
        teams: Mapping[str, str] | None = None,
    ) -> Monitor:
        """The match that an earlier run left open, with its own rule set and teams, else a new one: for a table that goes on.

        start_s: seconds since 1970 at t = 0 of this run's observations. Raises BadInput as `resume` does.
        """
        left = cls.resume(journal, start_s=start_s)
        return cls(ruleset, journal, start_s=start_s, opener=opener, teams=teams) if left is None else left

    @classmethod
    def resume(cls, journal: Journal, *, start_s: float | None = None) -> Monitor | None:
        """The match in the journal that is not over, folded again from its observations; None when there is none.

        start_s: seconds since 1970 at t = 0 of what will be observed; None when that goes on on the clock of the match.
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
        for done in book.done_in(match):
            monitor._hear_again(done)
        for (line,) in journal.execute("SELECT line FROM event WHERE type = 'evidence'"):
            record = EventRecord.parse(line)
            if record.match == match:
                monitor._told.add(record)
        monitor.last = EventRecord.parse(journal.rows(journal.last_seq, 1)[0].line) if journal.last_seq else None
        monitor._go_on_from(start_s)
        return None if monitor.state.over else monitor

    def begin(self, ruleset: Ruleset, opener: Seat | None, teams: Mapping[str, str], entered: Command, t: float) -> EventRecord:
        """Leave the match as it is and begin the next one, as a person said."""
        with self._journal.together(durable=True):
            match = next_match(self._journal) if self._written else self.match
            header = _header(ruleset, opener, teams, self._start_s)
            self.book.open_match(match, header)
            record = self._append("entered", entered.data(), t + self.ahead_s, None, match, 0)
            self._keep_done(entered, record.seq, match, None)
        self.match = match
        self._take_over(header)
        return self._keep(record)

    def observe(self, observation: Observation, entered: Command | None = None) -> list[EventRecord]:
        """Take one observation in; it and the events that it causes are in the journal when this returns.

        entered: the command that it comes from, written down with it.
        """
        taken = [self._take_in(self.state, self._on_match_clock(observation, of_this_run=entered is None))]
        if (ordered := self._let_open(taken[0])) is not None:
            taken.append(self._take_in(taken[0].state, ordered))
        types = {event.type for step in taken for event in step.events}
        numbers, records = self._numbers.copy(), list[EventRecord]()
        with self._journal.together(durable=entered is not None or not types.isdisjoint(DURABLE_TYPES)):
            if not self._written:
                self.book.open_match(self.match, self.header)
            if entered is not None:
                records.append(self._append("entered", entered.data(), taken[0].seen.t, None, self.match, taken[0].hand))
                numbers.source[records[0].seq] = taken[0].number
                self._keep_done(entered, records[0].seq, self.match, taken[0].number)
            for step in taken:
                records += self._write(step, numbers)
        self.state, self._numbers, self._written = taken[-1].state, numbers, True
        self._corrections += [(step.number, step.seen) for step in taken if isinstance(step.seen, Correction)]
        return [self._keep(record) for record in records]

    def note(self, entered: Command, t: float) -> EventRecord:
        """Write down what a person said at time `t` (s) that no rule is asked about."""
        hand = self.state.hands_opened
        with self._journal.together(durable=True):
            if not self._written:
                self.book.open_match(self.match, self.header)
            record = self._append("entered", entered.data(), t + self.ahead_s, None, self.match, hand)
            self._keep_done(entered, record.seq, self.match, None)
        self._written = True
        return self._keep(record)

    def tell(self, event: Event, observation: Observation) -> EventRecord:
        """Write an event that no rule was asked about (another game on the table)."""
        t = observation.t + self.ahead_s
        return self._keep(self._append(event.type, event.data(), t, observation.frame, self.match, 0))

    def tell_watching(self, state: str, t_s: float, since_s: float) -> EventRecord:
        """Write that the table is watched from now on, or why not: a `vision.watching.State`.

        since_s: when that began, on the frames' clock like t_s.
        """
        self.watching = {"state": state, "since": self.time_of(since_s + self.ahead_s)}
        match = self.match if self._written else self.match - 1  # one that has not begun may never begin under this number
        told = self._append("watching", dict(self.watching), t_s + self.ahead_s, None, match, self.state.hands_opened)
        return self._keep(told)

    def tell_evidence(self, incident: int, evidence: Sequence[Mapping[str, str]], t_s: float) -> EventRecord:
        """Write that there is more evidence for an incident, named by its seq."""
        data = {"incident": incident, "evidence": [dict(one) for one in evidence]}
        return self._keep(self._append("evidence", data, t_s + self.ahead_s, None, self.match, self.state.hands_opened))

    def evidence_of(self, seq: int) -> list[dict[str, str]]:
        """The evidence of the incident with this seq, what came later among it."""
        told = self.record(seq)
        return [*(told.data.get("evidence", []) if told else []), *self._told.later_evidence(seq)]

    def time_of(self, t: float) -> str:
        """The wall time of a moment on the clock of the match, as it stands in events."""
        return wire_time(self._start_s + t)

    @property
    def start_s(self) -> float:
        """Seconds since 1970 at t = 0 on the clock of the match."""
        return self._start_s

    @property
    def teams(self) -> dict[str, str]:
        """The names of the pairs; A and B where none were given."""
        return {pair: name or pair for pair, name in zip(PAIRS, self.header.pairs, strict=True)}

    def seqs_in_force(self) -> Sequence[tuple[Event, int]]:
        """Every event that no correction took back, with its seq."""
        return list(self._numbers.in_force)

    def in_force(self, type: str) -> Sequence[tuple[Event, int]]:
        """The events of one type that no correction took back, with their seq, oldest first."""
        return self._numbers.of_type(type)

    def event(self, seq: int) -> Event | None:
        """The event of this match with this seq; None when there is none in force."""
        return self._numbers.event(seq)

    def source(self, seq: int) -> int | None:
        """The number of the observation that the event with this seq came from; None when it is none of this match."""
        return self._numbers.source.get(seq)

    def record(self, seq: int) -> EventRecord | None:
        """The event with this seq as it was written; None when there is none."""
        if (told := self._told.record(seq)) is not None:
            return told
        rows = self._journal.rows(seq, 1)
        return EventRecord.parse(rows[0].line) if rows and rows[0].seq == seq else None

    def entered(self, name: str) -> list[EventRecord]:
        """What people entered in this match under the name of a command and did not take back, in order."""
        said = self._told.entered(name)
        gone = self.taken_back() if said else set()
        return [record for record in said if self._numbers.source.get(record.seq) not in gone]

    @property
    def next_opener(self) -> Seat | None:
        """Who is to open the next hand: by order of a person, else by the rules; None: whoever does."""
        ordered = self._ordered_opener(len(self.state.heard))
        return due_opener(self.state)[0] if ordered is None else ordered[0]

    def type_of(self, seq: int) -> str:
        """The type of a written event, empty where there is none."""
        record = self.record(seq)
        return record.type if record is not None else ""

    def taken_back(self) -> set[int]:
        """The observations that a correction took back without another in their place, and that none brought back."""
        gone = set[int]()
        for number, seen in reversed(self._corrections):
            if seen.instead is None and number not in gone:
                gone.add(seen.voids)
        return gone

    def settled(self, number: int) -> bool:
        """Whether a person has said what observation `number` was: a later look is no reason to change it."""
        gone = self.taken_back()
        return any(seen.by is not None and seen.voids == number and n not in gone for n, seen in self._corrections)

    def _take_in(self, state: MatchState, observation: Observation) -> _Taken:
        seen = seen_in(line_of(observation))  # as it will be read again, so that a later fold cannot differ
        after, events = observe(state, seen)
        return _Taken(len(state.heard), seen, state.hands_opened, after, events)

    def _write(self, step: _Taken, numbers: Numbering) -> list[EventRecord]:
        """Write an observation and its events; a hand that it opens counts from its event on."""
        kept = Kept(step.number, step.seen, self._journal.last_seq + 1, len(step.events))
        self.book.keep(self.match, kept, self._journal.last_hash)
        hand, records = step.hand, list[EventRecord]()
        for event in step.events:
            hand = step.state.hands_opened if event.type == "hand_opened" else hand
            data = numbers.data(event) | self._evidence(event, step)
            record = self._append(event.type, data, step.seen.t, step.seen.frame, self.match, hand)
            numbers.give(event, record.seq)
            records.append(record)
        return records

    def _evidence(self, event: Event, step: _Taken) -> dict[str, Any]:
        """`evidence` of what is put to the referee: of the act that it is about, and of the one by which it is known."""
        if event.type not in EVIDENCED:
            return {}
        place = place_of(event) if isinstance(event, Incident) else event.obs
        act = step.state.observations[place]
        moments = [seen.t - self.ahead_s for seen in (act, step.seen) if seen is not None]
        what = self.match, event.type, getattr(event, "code", ""), place
        return {"evidence": [] if self.prove is None else self.prove(self._journal.last_seq + 1, what, moments)}

    def _let_open(self, step: _Taken) -> Referee | None:
        wrong = wrong_starter(step.events, step.state)
        return None if wrong is None else let_open(wrong, self._ordered_opener(wrong.at_obs), step.seen.t)

    def _ordered_opener(self, before: int) -> Order | None:
        started = ((self._numbers.source[record.seq], record.data) for record in self.entered("start_hand"))
        return ordered_opener((event for event, _ in self.in_force("hand_opened")), started, before)

    def _on_match_clock(self, observation: Observation, of_this_run: bool) -> Observation:
        """What was observed in this run with its times on the clock of the match; what a person corrects is on it already."""
        if self.ahead_s == 0:
            return observation
        if isinstance(observation, Correction) and observation.instead is not None and of_this_run:
            observation = replace(observation, instead=self._on_match_clock(observation.instead, of_this_run))
        return replace(observation, t=observation.t + self.ahead_s)

    def _go_on_from(self, start_s: float | None) -> None:
        """Set this run's clock against that of the match, which never goes back, whatever the wall clock did meanwhile."""
        if start_s is not None:
            newest = max((seen.t for seen in self.state.heard), default=0.0)
            self.ahead_s = round(max(start_s - self._start_s, newest), 3)

    def _take_over(self, header: Header) -> None:
        """The match before its first observation, its header in the journal."""
        self.header, self.state, self._numbers, self._written = header, header.start(), Numbering(), True
        self._told, self._corrections = Written(), []

    def _hear_again(self, done: Done) -> None:
        record = self.record(done.seq)
        if record is not None:
            self._told.add(record)
        if done.number is not None:
            self._numbers.source[done.seq] = done.number

    def _fold_again(self, kept: Kept) -> None:
        self.state, events = observe(self.state, kept.seen)
        given = list[tuple[str, dict[str, Any]]]()
        for seq, event in enumerate(events, start=kept.first_seq):
            given.append((event.type, _judged(sorted_data(self._numbers.data(event)))))
            self._numbers.give(event, seq)
        rows = self._journal.rows(kept.first_seq, kept.events) if kept.events else []
        records = [EventRecord.parse(row.line) for row in rows]
        for record in records:
            self._told.add(record)
        if isinstance(kept.seen, Correction):
            self._corrections.append((kept.number, kept.seen))
        written = [(record.type, _judged(record.data)) for record in records]
        if given != written:
            raise BadInput(
                f"expected observation {kept.number} of match {self.match} to be judged as it was, found a difference; "
                f"go on with the miron that wrote {self._journal.path}, or start a new match"
            )

    def _append(self, type: str, data: dict[str, Any], t: float, frame: int | None, match: int, hand: int) -> EventRecord:
        return self._journal.append(type, data, t, frame, match, hand, wire_time(self._start_s + t))

    def _keep(self, record: EventRecord) -> EventRecord:
        """Keep an event at hand, the newest, once nothing can take it back: until then its seq may go to another."""
        self._told.add(record)
        self.last = record
        return record

    def _keep_done(self, entered: Command, seq: int, match: int, number: int | None) -> None:
        self.book.keep_done(Done(entered.by, entered.name, entered.transaction, entered.digest, seq, match, number))


def _judged(data: dict[str, Any]) -> dict[str, Any]:
    """What the rules say of an event: all but the pictures of it."""
    return {key: value for key, value in data.items() if key != "evidence"}


def next_match(journal: Journal) -> int:
    """The number after that of the last match in a journal."""
    rows = journal.rows(max(journal.last_seq, 1), 1)
    told = EventRecord.parse(rows[0].line).match if rows else 0
    return max(told, MatchBook(journal.execute).last_match()) + 1  # a match that gave no event yet counts too


def _header(ruleset: Ruleset, opener: Seat | None, teams: Mapping[str, str], start_s: float) -> Header:
    pairs = teams.get("A", ""), teams.get("B", "")
    return Header(ruleset=ruleset, opener=opener, pairs=pairs, tags=((START, repr(float(start_s))),))
