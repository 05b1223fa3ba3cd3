"""Holds the events of a watched film against its truth, play by play.

Plays are aligned in order by their tile (a longest common subsequence), so that one lost play costs one. A play that is withdrawn later
counts as none, in both. What a correction takes back was never said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from rules.tiles import Tile

Row = Mapping[str, Any]
KINDS = {"tile_played": "place", "tile_withdrawn": "withdraw", "infraction": "infraction", "hand_ended": "hand"}
"""Events by the kind of row in a film's truth that they should equal; `turn_passed` and `reading_doubted` are looked at apart."""


@dataclass(frozen=True, slots=True)
class FilmScore:
    """Counts of one film, or of several together.

    plays: of the truth; matched: told with the same tile in the same order; seats, ends: of those, told with the right seat and end;
    silent: spurious plays, and matched ones with a wrong seat; questions: doubtful readings put to a person.
    """

    plays: int = 0
    matched: int = 0
    spurious: int = 0
    seats: int = 0
    ends: int = 0
    silent: int = 0
    questions: int = 0
    passes: int = 0
    passes_found: int = 0
    passes_false: int = 0
    infractions: int = 0
    infractions_found: int = 0
    infractions_false: int = 0
    hands: int = 0
    hands_exact: int = 0

    def __add__(self, other: FilmScore) -> FilmScore:
        return FilmScore(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    @property
    def is_perfect(self) -> bool:
        """Whether all was told as it was, nothing else, and nobody was asked."""
        found = (self.matched, self.seats, self.passes_found, self.infractions_found, self.hands_exact)
        wrong = (self.silent, self.questions, self.passes_false, self.infractions_false)
        return found == (self.plays, self.plays, self.passes, self.infractions, self.hands) and not any(wrong)


def score_film(truth: Sequence[Row], events: Sequence[Row], ruleset: str) -> FilmScore:
    """Score the events told under a rule set. truth: rows of a film's truth; events: as `miron watch --events` writes them."""
    true = [row for row in truth if row.get("ruleset", ruleset) == ruleset]
    said = list(_as_truth(events))
    plays, told = _staying(true), _staying(said)
    pairs = aligned([_tile(row) for row in plays], [_tile(row) for row in told])
    both = [(plays[i], told[j]) for i, j in pairs]
    wrong_seats = sum(b["seat"] is not None and a["seat"] not in (None, b["seat"]) for a, b in both)
    spurious = len(told) - len(pairs)
    counts = {"plays": len(plays), "matched": len(pairs), "spurious": spurious, "silent": spurious + wrong_seats}
    for name, of in (("passes", _passes), ("infractions", _infractions)):
        one, other = of(true), of(said)
        counts |= {name: one.total(), f"{name}_found": (one & other).total(), f"{name}_false": (other - one).total()}
    results, said_results = _results(true), _results(said)
    return FilmScore(
        **counts,
        seats=sum(a["seat"] in (None, b["seat"]) for a, b in both),
        ends=_right_ends(true, both),
        questions=sum(row["kind"] == "question" for row in said),
        hands=len(results),
        hands_exact=sum(a == b for a, b in zip(results, said_results, strict=False)),
    )


def _as_truth(events: Sequence[Row]) -> Iterator[Row]:
    """The events that no correction takes back, in the form of a truth's rows."""
    void = {seq for event in events if event["type"] == "correction" for seq in event["data"].get("voids") or ()}
    for event in events:
        data, kind = event["data"], KINDS.get(event["type"])
        if event["seq"] in void:
            continue
        if kind is not None:
            yield {"seat": None, "at": data.get("end")} | data | {"kind": kind}
        elif event["type"] == "turn_passed" and data.get("via") != "unsignalled":
            yield data | {"kind": "pass"}
        elif event["type"] == "reading_doubted":
            yield {"kind": "question"}


def _staying(rows: Sequence[Row]) -> list[Row]:
    """The plays that nobody took back; a withdrawal takes back the latest play of its tile."""
    plays: list[Row] = []
    for row in rows:
        if row["kind"] == "place":
            plays.append(row)
        elif row["kind"] == "withdraw":
            last = next((play for play in reversed(plays) if _tile(play) == _tile(row)), None)
            plays = [play for play in plays if play is not last]
    return plays


def _tile(row: Row) -> Tile | None:
    return None if row.get("tile") is None else Tile.parse(row["tile"])


def _passes(rows: Sequence[Row]) -> Counter[Any]:
    """Passes by seat and by how many tiles had been laid."""
    found, laid = Counter[Any](), 0
    for row in rows:
        laid += row["kind"] == "place"
        found.update([(row["seat"], laid)] if row["kind"] == "pass" else [])
    return found


def _infractions(rows: Sequence[Row]) -> Counter[Any]:
    return Counter((row["code"], str(row.get("seat"))) for row in rows if row["kind"] == "infraction")


def _results(rows: Sequence[Row]) -> list[Any]:
    return [(row.get("winner"), row.get("points")) for row in rows if row["kind"] == "hand"]


def _right_ends(truth: Sequence[Row], both: Sequence[tuple[Row, Row]]) -> int:
    """Plays at the right end; a and b may be exchanged throughout one hand. An opening tile has one end only."""
    hand_of, hand = dict[int, int](), 0
    for row in truth:
        hand_of[id(row)] = hand
        hand += row["kind"] == "hand"
    right, exchanged, openings = Counter[int](), Counter[int](), 0
    for a, b in both:
        openings += a["at"] == "open"
        right[hand_of[id(a)]] += a["at"] != "open" and a["at"] == b["at"]
        exchanged[hand_of[id(a)]] += a["at"] != "open" and {a["at"], b["at"]} == {"a", "b"}
    return openings + sum(max(right[one], exchanged[one]) for one in right)


def aligned(one: Sequence[Any], other: Sequence[Any]) -> list[tuple[int, int]]:
    """Index pairs of a longest common subsequence."""
    length = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i in reversed(range(len(one))):
        for j in reversed(range(len(other))):
            longer = max(length[i + 1][j], length[i][j + 1])
            length[i][j] = length[i + 1][j + 1] + 1 if one[i] == other[j] else longer
    pairs, i, j = list[tuple[int, int]](), 0, 0
    while i < len(one) and j < len(other):
        if one[i] == other[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif length[i + 1][j] >= length[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs
