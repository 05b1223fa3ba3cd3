"""Which number in the journal (`seq`) each event of a match bears, and which observation it came from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.events import Advice, Corrected, Event, Infraction, Ruled, Suspicion

# Fields of events that name observations, and the fields that carry the seq of the event in their place.
REFERENCES = {"at_obs": "at_seq", "because": "because", "resolves": "resolves"}
Incident = Infraction | Suspicion | Advice
Told = tuple[Event, int]
"""An event and its seq."""


@dataclass
class Numbering:
    """`in_force`: each event that no correction took back, with its seq; `source`: every seq ever given, with its observation."""

    in_force: list[Told] = field(default_factory=list)
    source: dict[int, int] = field(default_factory=dict)
    _first: dict[int, int] = field(default_factory=dict)  # observation: seq of the first event in force that it caused
    _of_type: defaultdict[str, list[Told]] = field(default_factory=lambda: defaultdict(list))  # those in force once more, by type

    def copy(self) -> Numbering:
        """The same numbers, to go on with."""
        of_type = defaultdict(list, {type: list(told) for type, told in self._of_type.items()})
        return Numbering(list(self.in_force), dict(self.source), dict(self._first), of_type)

    def data(self, event: Event) -> dict[str, Any]:
        """What an event says, with numbers of events in the place of those of observations; a correction takes its events back."""
        if isinstance(event, Corrected):
            return {"voids": self._void(len(event.voids)), "by": event.by}
        out: dict[str, Any] = {}
        for name, value in event.data().items():
            if name not in REFERENCES:
                out[name] = value
            elif isinstance(value, list):
                out[REFERENCES[name]] = [self._first[v] for v in value if v in self._first]
            else:
                out[REFERENCES[name]] = self._first.get(value)
        if isinstance(event, Ruled):
            out["incident"] = self._ruled_on(event.incident)
        return out

    def give(self, event: Event, seq: int) -> None:
        """`event` bears `seq`."""
        self.source[seq] = event.obs
        if not isinstance(event, Corrected):
            self.in_force.append((event, seq))
            self._of_type[event.type].append((event, seq))
            self._first.setdefault(event.obs, seq)

    def of_type(self, type: str) -> Sequence[Told]:
        """The events of a type in force, with their seq, oldest first; found without a look at the others."""
        return self._of_type.get(type, ())

    def event(self, seq: int) -> Event | None:
        """The event with this seq; None when there is none in force."""
        return next((event for event, number in reversed(self.in_force) if number == seq), None)

    def _void(self, count: int) -> list[int]:
        """Forget the numbers of the last events in force, which a correction takes back."""
        kept = len(self.in_force) - count
        voided, self.in_force = self.in_force[kept:], self.in_force[:kept]
        for event, _ in voided:
            self._of_type[event.type].pop()
        gone = {seq for _, seq in voided}
        self._first = {obs: seq for obs, seq in self._first.items() if seq not in gone}
        return [seq for _, seq in voided]

    def _ruled_on(self, observation: int | None) -> int | None:
        """The seq of the newest incident that is attributed to an observation, else of the first event that it caused."""
        if observation is None:
            return None
        told = (seq for event, seq in reversed(self.in_force) if isinstance(event, Incident) and place_of(event) == observation)
        return next(told, self._first.get(observation))


def place_of(incident: Incident) -> int:
    """The observation that an incident is attributed to."""
    return incident.obs if isinstance(incident, Advice) else incident.at_obs
