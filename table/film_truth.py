"""The truth of a filmed match: what happened, and what both rule sets say of it, in the rows that docs/recording.md describes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.events import HandEnded, Infraction
from rules.observations import Observation, Pass, observation_from_dict, observation_to_dict
from rules.referee import observe, start_match
from rules.rotation import due_opener
from rules.ruleset import RULESETS
from rules.seats import PAIRS, Seat
from rules.state import HandState, MatchState

RULES = "dusa"  # whose turns and rotation the players follow


class Truth:
    """Observations judged as they happen. rows: the lines of `truth.jsonl` so far; opener: who opens the first hand; switches: of
    both rule sets."""

    def __init__(self, opener: Seat, switches: Mapping[str, Any] | None = None) -> None:
        self.rows: list[dict[str, Any]] = []
        self._states: dict[str, MatchState] = {
            name: start_match(rules.with_switches(switches or {}), first_opener=opener) for name, rules in RULESETS.items()
        }
        self._results: dict[str, dict[str, Any]] = {}

    @property
    def hand(self) -> HandState:
        """The hand as the rules see it."""
        return self._states[RULES].hand

    @property
    def over(self) -> bool:
        """Whether the match is decided."""
        return self._states[RULES].over

    @property
    def due(self) -> Seat:
        """Who opens the next hand."""
        return due_opener(self._states[RULES])[0] or Seat.S

    def saw(self, seen: Observation) -> None:
        """Something happened: a row, with the ends and the turn after it, and a row for each infraction that is certain now."""
        row, verdicts = observation_to_dict(seen), list[dict[str, Any]]()
        for name, state in self._states.items():
            self._states[name], told = observe(state, seen)
            verdicts += [_infraction_row(event, name, seen.t) for event in told if isinstance(event, Infraction)]
            for ended in (event for event in told if isinstance(event, HandEnded)):
                self._results[name] = _hand_row(ended, seen.t)
        if self.hand.turn is not None and len(self.hand.line):
            row |= {"ends": list(self.hand.ends), "turn": int(self.hand.turn)}
        self.rows += [row, *verdicts]

    def close_hand(self) -> None:
        """The result of the hand: one row where both rule sets agree, else one for each."""
        results, self._results = self._results, {}
        if len(results) == len(self._states) and len({str(row) for row in results.values()}) == 1:
            self.rows.append(next(iter(results.values())))
        else:
            self.rows += [row | {"ruleset": name} for name, row in results.items()]


def known_to_a_camera(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A film's truth as the rules judge it at a table without buttons or microphone, however well it is watched.

    A knock that only the camera saw is no signal in law (rules.md, "Pass channel"): a false pass is then never certain by itself, and
    the two seats of RENEGE_OR_OUT_OF_TURN go to the referee.
    """
    truth = Truth(Seat(rows[0]["starter"]), {"pass_channel": "unreliable"})
    for row in rows:
        if row["kind"] == "deal":
            truth.rows.append(dict(row))
        elif row["kind"] == "hand":
            truth.close_hand()
        elif row["kind"] != "infraction":
            truth.saw(_seen(row))
    return truth.rows


def _seen(row: Mapping[str, Any]) -> Observation:
    """An observation of the truth; a pass is one that was only seen."""
    seen = observation_from_dict({name: value for name, value in row.items() if name not in ("ends", "turn")})
    return replace(seen, via="seen") if isinstance(seen, Pass) else seen


def _infraction_row(told: Infraction, ruleset: str, t: float) -> dict[str, Any]:
    seat = [int(s) for s in told.seat] if isinstance(told.seat, tuple) else None if told.seat is None else int(told.seat)
    return {"kind": "infraction", "t": t, "code": told.code, "seat": seat, "rule": told.rule, "ruleset": ruleset}


def _hand_row(told: HandEnded, t: float) -> dict[str, Any]:
    return {
        "kind": "hand", "t": t, "end": told.end, "winner": told.winner, "points": dict(zip(PAIRS, told.points, strict=True)),
        "by_seat": None if told.by_seat is None else int(told.by_seat),
    }  # fmt: skip
