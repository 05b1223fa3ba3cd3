"""Holds the events of a replay against those recorded."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from table.envelope import EventRecord, json_line
from table.recording import EVENTS, Recording
from table.sources import json_lines

MEASURED = ("confidence", "pose_deg", "candidates")
"""What a network's answer gives: processors differ in its last digits."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first event that is not the recorded one; None where one of the two lists has ended. number: counted from 1."""

    number: int
    recorded: str | None
    replayed: str | None

    def __str__(self) -> str:
        recorded, replayed = (line or "nothing" for line in (self.recorded, self.replayed))
        return f"event {self.number} differs\nrecorded  {recorded}\nreplayed  {replayed}"


def first_difference(recording: Recording, replayed: Iterable[EventRecord], exact: bool = True) -> Difference | None:
    """The first event that is not the one recorded, None when all are. A recording that was cut may have fewer.

    exact: to the byte; else without what was measured (MEASURED), for events read anew from pictures.
    """
    recorded = json_lines(recording.folder / EVENTS, cut=True)
    whole = recording.manifest.get("complete", True)
    lines = (record.line() for record in replayed)
    for number, (row, line) in enumerate(zip_longest(recorded, lines), start=1):
        same = row is not None and line is not None and _compared(row, exact) == _compared(json.loads(line), exact)
        if not same and (whole or row is not None):
            return Difference(number, None if row is None else json_line(row), line)
    return None


def _compared(row: dict[str, Any], exact: bool) -> str:
    if exact:
        return json_line(row)
    return json_line(row | {"data": {key: value for key, value in row["data"].items() if key not in MEASURED}})
