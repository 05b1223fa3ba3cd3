"""What the book of a tournament folds into: pairs, rounds, sheets, and who has left."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from rules.errors import BadInput
from rules.tournament.conditions import Conditions
from rules.tournament.entries import Entry, Outcome, PairEntered

Kind = TypeVar("Kind", bound=Entry)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """The result of a table as it counts: `points` in the order of `pairs`; the bye has one pair and no table."""

    round: int
    table: int | None
    pairs: tuple[str, ...]
    points: tuple[int, int]
    outcome: Outcome
    winner: str | None

    def difference(self, pair: str) -> int:
        """Points for less points against."""
        own, other = self.points if pair == self.pairs[0] else self.points[::-1]
        return own - other


@dataclass(frozen=True, slots=True)
class Version:
    """A sheet as entry `number` has it; it counts in the standings after round `from_round` and later."""

    number: int
    from_round: int
    sheet: Sheet


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """`versions`: for each table its sheet and the corrections of it, in the order of entry; empty while nothing is handed in."""

    number: int
    tables: tuple[tuple[str, str], ...]
    bye: Sheet | None
    versions: tuple[tuple[Version, ...], ...]

    @property
    def complete(self) -> bool:
        """Whether every table has handed in its sheet."""
        return all(self.versions)

    @property
    def waiting(self) -> tuple[int, ...]:
        """Tables without a sheet."""
        return tuple(table for table, versions in enumerate(self.versions, start=1) if not versions)

    def sheets(self, after: int) -> tuple[Sheet, ...]:
        """The sheets that count in the standings after round `after`; a correction counts from its own round on (FID-PUN-10)."""
        counting = ([v.sheet for v in versions if v.from_round <= after] for versions in self.versions)
        return tuple(sheets[-1] for sheets in counting if sheets) + ((self.bye,) if self.bye else ())

    def without_version(self, number: int) -> Round:
        """This round without the sheet of entry `number`; its table waits again."""
        return replace(self, versions=tuple(tuple(v for v in table if v.number != number) for table in self.versions))

    def with_version(self, table: int, version: Version) -> Round:
        """This round with one more sheet of a table (from 1); those before it stay on record (FID-PUN-10)."""
        versions = list(self.versions)
        versions[table - 1] += (version,)
        return replace(self, versions=tuple(versions))


@dataclass(frozen=True, slots=True)
class Departure:
    """A pair left by entry `number`; the standings after round `after_round` and before those of `until` show it."""

    pair: str
    why: Literal["withdrawn", "expelled"]
    number: int
    after_round: int
    until: int | None = None

    def shows(self, after: int) -> bool:
        """Whether the standings after this round show the pair as gone."""
        return self.after_round <= after and (self.until is None or after < self.until)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """The fold of the entries. `live` are the entries that no annulment voids, with their numbers."""

    conditions: Conditions
    entries: tuple[Entry, ...] = ()
    live: tuple[tuple[int, Entry], ...] = ()
    rounds: tuple[Round, ...] = ()
    departures: tuple[Departure, ...] = ()

    @property
    def pairs(self) -> tuple[str, ...]:
        """All pairs, in the order of entry."""
        return tuple(entry.pair for _, entry in self.of(PairEntered))

    @property
    def active(self) -> tuple[str, ...]:
        """The pairs that are still to be paired."""
        return tuple(pair for pair in self.pairs if self.left(pair) is None)

    @property
    def rounds_done(self) -> int:
        """Rounds whose sheets are all in."""
        return sum(r.complete for r in self.rounds)

    def of(self, kind: type[Kind]) -> list[tuple[int, Kind]]:
        """The live entries of a kind, with their numbers."""
        return [(number, entry) for number, entry in self.live if isinstance(entry, kind)]

    def entry(self, number: int, kind: type[Kind]) -> Kind:
        """The live entry with this number; BadInput when it is none of that kind."""
        for n, entry in self.of(kind):
            if n == number:
                return entry
        raise BadInput(f"expected the number of {_name(kind)}, found {number}; see the log")

    def expect_pair(self, pair: str) -> None:
        """BadInput for a pair that never entered."""
        if pair not in self.pairs:
            raise BadInput(f"expected one of the pairs that entered, found {pair!r:.60}")

    def left(self, pair: str) -> Literal["withdrawn", "expelled"] | None:
        """Why a pair is no longer paired; None while it is."""
        return next((departure.why for departure in self.departures if departure.pair == pair and departure.until is None), None)

    def without(self, pair: str, why: Literal["withdrawn", "expelled"], number: int) -> Tournament:
        """This tournament after a pair has left it by entry `number`; a pair leaves once."""
        if self.left(pair):
            return self
        return replace(self, departures=(*self.departures, Departure(pair, why, number, len(self.rounds))))

    def returned(self, number: int) -> Tournament:
        """This tournament after whoever left by entry `number` has come back; the standings so far stay as they were."""
        back = (replace(d, until=len(self.rounds)) if d.number == number and d.until is None else d for d in self.departures)
        return replace(self, departures=tuple(back))


def _name(kind: type[Entry]) -> str:
    return f"an entry of kind {kind.kind}" if kind.kind else "an entry that stands"
