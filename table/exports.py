"""A journal in other forms: JSON lines, scores by hand as CSV, `record.domino`. The match sheet is in table/exports_sheet.py."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from rules.errors import BadInput
from rules.notation import record_text
from rules.record import Header, record_of
from table.envelope import EventRecord
from table.journal_file import JournalReader
from table.matchbook import MatchBook

COLUMNS = (
    "event", "table", "match", "hand", "end", "by_seat", "winner", "points_a", "points_b", "left_a", "left_b", "counted",
    "total_a", "total_b", "fines_a", "fines_b", "time",
)  # fmt: skip


@dataclass(frozen=True)
class MatchFile:
    """One match as a journal holds it. header None: it was written before matches had one; `events` are all, in order."""

    number: int
    header: Header | None
    events: tuple[EventRecord, ...]

    @property
    def in_force(self) -> tuple[EventRecord, ...]:
        """The events that no correction took back."""
        gone = {seq for event in self.events if event.type == "correction" for seq in event.data.get("voids", ())}
        return tuple(event for event in self.events if event.seq not in gone)

    @property
    def teams(self) -> tuple[str, str]:
        """The names of the pairs; A and B where none were given."""
        a, b = self.header.pairs if self.header is not None else ("", "")
        return a or "A", b or "B"


def matches_in(reader: JournalReader, only: int | None = None) -> list[MatchFile]:
    """The matches of a journal in order, or the one asked for; BadInput when it is not there."""
    found: dict[int, list[EventRecord]] = {}
    for (line,) in reader.execute("SELECT line FROM event ORDER BY seq"):
        event = EventRecord.parse(line)
        found.setdefault(event.match, []).append(event)
    if only is not None and only not in found:
        has = f"matches {min(found)} to {max(found)}" if found else "no match"
        raise BadInput(f"expected match {only} in {reader.path}, found {has}; choose another --match")
    book = MatchBook(reader.execute) if reader.has_observations else None
    wanted = sorted(found) if only is None else [only]
    return [MatchFile(match, book.header(match) if book else None, tuple(found[match])) for match in wanted]


def as_json_lines(matches: Iterable[MatchFile]) -> str:
    """Every event as it was published, one a line."""
    return "".join(event.line() + "\n" for match in matches for event in match.events)


def as_csv(matches: Iterable[MatchFile]) -> str:
    """A row for each hand that ended: its points, and the totals after it."""
    out = io.StringIO()
    table = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    table.writeheader()
    table.writerows(row for match in matches for row in hand_rows(match))
    return out.getvalue()


def hand_rows(match: MatchFile) -> Iterator[dict[str, Any]]:
    """What the CSV and the sheet say of each hand; of a hand that was scored again, the last."""
    ended = {event.hand: event for event in match.in_force if event.type == "hand_ended"}
    scores = [event for event in match.in_force if event.type == "score_changed"]
    for hand, event in sorted(ended.items()):
        told = event.data
        left = told.get("left") or {}
        score: dict[str, Any] = next((s.data for s in reversed(scores) if s.hand == hand), {"points": {}, "fines": {}})
        yield {
            "event": event.event, "table": event.table, "match": event.match, "hand": hand, "end": told["end"],
            "by_seat": told["by_seat"], "winner": told["winner"], "points_a": told["points"]["A"], "points_b": told["points"]["B"],
            "left_a": left.get("A"), "left_b": left.get("B"), "counted": told["counted"],
            "total_a": score["points"].get("A"), "total_b": score["points"].get("B"),
            "fines_a": score["fines"].get("A"), "fines_b": score["fines"].get("B"), "time": event.time,
        }  # fmt: skip


def as_record(reader: JournalReader, match: MatchFile) -> str:
    """The match as `record.domino`, with the notes that judging it now gives. BadInput when its observations were not kept."""
    if match.header is None:
        raise BadInput(
            f"expected the observations of match {match.number} in {reader.path}, found none: it was written by an earlier miron; "
            "export jsonl, csv or sheet"
        )
    first = match.events[0]
    tags = (("event", first.event), ("date", first.time[:10]), ("table", first.table), ("match", str(match.number)))
    seen = [kept.seen for kept in MatchBook(reader.execute).observations(match.number)]
    return record_text(record_of(replace(match.header, tags=tags), seen))
