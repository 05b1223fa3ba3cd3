"""A match as it is written down: who played under which rules, every observation, and what was said of them.

The observations carry the match; notes (infractions, results, scores) and hand marks are annotations. Judging the observations
again gives the notes again: `judged` puts them in, `differences` tells where a record says something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from rules.errors import BadInput
from rules.events import Event, HandEnded, Infraction, MatchEnded, Points, ScoreChanged
from rules.observations import Draw, Lift, Observation, Place, Shuffle, Take
from rules.referee import observe, start_match
from rules.ruleset import DUSA, Ruleset
from rules.seats import Seat
from rules.state import MatchState

NOTED = (Infraction, HandEnded, ScoreChanged, MatchEnded)
"""The events that a record notes."""

RESERVED = ("rules", "switches", "opener", "hand", "points", *Seat.__members__, "A", "B")
"""Header keys with a meaning of their own; every other key is a free tag."""

TAG = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What is known before the first tile.

    `opener` None: whoever opens first. `hand_no` and `points` (A, B) are those of a match that was entered in progress.
    `players` by seat S, E, N, W and `pairs` A, B are names, empty where not given. `tags`: event, date, table, anything else.
    """

    ruleset: Ruleset = DUSA
    opener: Seat | None = None
    hand_no: int = 1
    points: Points = (0, 0)
    players: tuple[str, str, str, str] = ("", "", "", "")
    pairs: tuple[str, str] = ("", "")
    tags: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        keys = [key for key, _ in self.tags]
        for key in keys:
            if not TAG.fullmatch(key) or key in RESERVED or keys.count(key) > 1:
                raise BadInput(f"expected tags with a name of letters and digits, each once and none of ours, found {key!r}")
        if self.hand_no < 1:
            raise BadInput(f"expected a first hand from 1, found {self.hand_no}")

    def start(self) -> MatchState:
        """The match before its first observation."""
        return start_match(self.ruleset, first_opener=self.opener, hand_no=self.hand_no, points=self.points)


def _one_line(text: str) -> None:
    if text != text.strip() or "\n" in text or "\r" in text:
        raise BadInput(f"expected a comment of one line without blanks around it, found {text!r:.60}")


@dataclass(frozen=True, slots=True)
class Act:
    """An observation, with a comment of one line."""

    seen: Observation
    comment: str = ""

    def __post_init__(self) -> None:
        _one_line(self.comment)


@dataclass(frozen=True, slots=True)
class Note:
    """What was told after the act before it: an infraction, a result, a score, the end of the match."""

    event: Infraction | HandEnded | ScoreChanged | MatchEnded
    comment: str = ""

    def __post_init__(self) -> None:
        _one_line(self.comment)


@dataclass(frozen=True, slots=True)
class HandMark:
    """The acts from here on belong to the hand with this number."""

    number: int
    comment: str = ""

    def __post_init__(self) -> None:
        _one_line(self.comment)


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment on a line of its own."""

    text: str

    def __post_init__(self) -> None:
        _one_line(self.text)


Entry = Act | Note | HandMark | Remark
"""One line of a record."""


@dataclass(frozen=True, slots=True)
class Record:
    """One match: its header and what is written below, in order."""

    header: Header = Header()
    entries: tuple[Entry, ...] = ()

    @property
    def observations(self) -> tuple[Observation, ...]:
        """The acts without what was written about them; the number of an act is its index here."""
        return tuple(entry.seen for entry in self.entries if isinstance(entry, Act))


def record_of(header: Header, observations: Iterable[Observation]) -> Record:
    """The record of a match with its notes and hand marks, as the rule set of the header judges it."""
    return judged(Record(header, tuple(Act(seen) for seen in observations)))


def judged(record: Record) -> Record:
    """The same acts and comments, with the notes and hand marks that judging gives now."""
    state, marked, entries = record.header.start(), False, list[Entry]()
    for entry in record.entries:
        if not isinstance(entry, Act):
            entries += _kept(entry)
            continue
        opens = isinstance(entry.seen, Place) and entry.seen.at == "open"
        if not marked and (opens or _deals(state, entry.seen)):
            entries.append(HandMark(next_hand(state)))
        marked = not opens and (marked or _deals(state, entry.seen))
        state, told = observe(state, entry.seen)
        entries.append(entry)
        entries += (Note(event) for event in told if isinstance(event, NOTED))
    return Record(record.header, tuple(entries))


def _kept(entry: Note | HandMark | Remark) -> list[Entry]:
    """A remark stays; of an old note only what a person wrote beside it."""
    text = entry.text if isinstance(entry, Remark) else entry.comment
    return [Remark(text)] if isinstance(entry, Remark) or text else []


def _deals(state: MatchState, seen: Observation) -> bool:
    """Whether the act belongs to the deal of the next hand."""
    return isinstance(seen, Draw | Shuffle | Take | Lift) and (len(state.hand.line) == 0 or state.hand.result is not None)


def next_hand(state: MatchState) -> int:
    """The number of the hand that opens next; an ordered repeat keeps its number."""
    return state.hands_opened + (0 if state.repeating else 1)


def differences(record: Record) -> tuple[str, ...]:
    """One line for each note that judging does not give, each that it gives and the record lacks, each wrong hand mark.

    A record without any note was written without verdicts: nothing is missing there.
    """
    written, given = _notes_by_act(record), _notes_by_act(judged(record))
    lines = list(_wrong_marks(record))
    for act in sorted({*written, *given}):
        noted, told = written.get(act, []), given.get(act, [])
        lines += (f"act {act}: noted {_short(event)}, and judging does not give it" for event in noted if event not in told)
        if written:
            lines += (f"act {act}: judging gives {_short(event)}, and it is not noted" for event in told if event not in noted)
    return tuple(lines)


def _notes_by_act(record: Record) -> dict[int, list[Event]]:
    notes: dict[int, list[Event]] = {}
    act = -1
    for entry in record.entries:
        if isinstance(entry, Act):
            act += 1
        elif isinstance(entry, Note):
            notes.setdefault(act, []).append(entry.event)
    return notes


def _wrong_marks(record: Record) -> Iterable[str]:
    state, act = record.header.start(), -1
    for entry in record.entries:
        if isinstance(entry, Act):
            state, _ = observe(state, entry.seen)
            act += 1
        elif isinstance(entry, HandMark) and entry.number != next_hand(state):
            yield f"after act {act}: expected hand {next_hand(state)}, found hand {entry.number}"


def _short(event: Event) -> str:
    values = ", ".join(f"{name} {value}" for name, value in event.data().items() if value is not None and name != "because")
    return f"{event.type} ({values})"
