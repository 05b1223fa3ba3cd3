"""One step of the fold: the state being built and the events given out while one observation is taken in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules.events import Accused, Advice, Event, Infraction, Suspicion
from rules.observations import Observation
from rules.ruleset import Ruleset
from rules.seats import Seat, rivals
from rules.state import HandState, MatchState


class Step:
    """Lives for one observation only; the states it replaces stay as they were."""

    def __init__(self, state: MatchState, seen: Observation, index: int) -> None:
        self.state = state
        self.seen = seen
        self.index = index
        self.events: list[Event] = []

    @property
    def hand(self) -> HandState:
        return self.state.hand

    @property
    def ruleset(self) -> Ruleset:
        return self.state.ruleset

    @property
    def sure(self) -> bool:
        """Whether the observation may be the ground of an infraction."""
        return self.seen.confidence >= self.ruleset.sure

    def set_hand(self, **changes: Any) -> None:
        self.state = replace(self.state, hand=replace(self.state.hand, **changes))

    def set_match(self, **changes: Any) -> None:
        self.state = replace(self.state, **changes)

    def emit(self, event: Event) -> None:
        self.events.append(event)

    def charge(
        self,
        code: str,
        seat: Accused,
        at: int,
        *,
        because: tuple[int, ...] = (),
        sure: bool = True,
        certain_at: int | None = None,
        rule: str | None = None,
        difference: int | None = None,
    ) -> None:
        """Tell an infraction, once; a suspicion instead when the evidence is not sure. Nothing when the rule set has no such code."""
        charge = self.ruleset.charge(code)
        if charge is None or self._told(code, seat, at):
            return
        if not (sure and self.sure):
            self.suspect(code, seat, at)
            return
        one = seat if isinstance(seat, Seat) else None
        infraction = Infraction(
            obs=self.index if certain_at is None else certain_at,
            code=code,
            rule=rule or charge.rule,
            seat=seat,
            at_obs=at,
            fine=charge.fine or None,
            credit=rivals(one.pair) if charge.fine and one is not None else None,
            remedy_holder=one.right if self.ruleset.name == "fid" and one is not None else None,
            difference=difference,
            because=tuple(dict.fromkeys((at, *because, self.index))),
        )
        self.emit(infraction)
        self.set_match(infractions=(*self.state.infractions, infraction))

    def _told(self, code: str, seat: Accused, at: int) -> bool:
        return any((told.code, told.seat, told.at_obs) == (code, seat, at) for told in self.state.infractions)

    def suspect(self, code: str, seat: Accused, at: int | None = None, alternatives: tuple[str, ...] = ()) -> None:
        """Put a doubt to the referee."""
        seats = () if seat is None else (seat,) if isinstance(seat, Seat) else seat
        self.emit(
            Suspicion(obs=self.index, code=code, seats=seats, at_obs=self.index if at is None else at, alternatives=alternatives)
        )

    def advise(self, code: str, seat: Seat | None) -> None:
        """Tell the referee of something that is never an infraction by itself, where the rule set knows it."""
        if code in self.ruleset.advice:
            self.emit(Advice(obs=self.index, code=code, rule=self.ruleset.advice[code], seat=seat))
