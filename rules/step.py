"""One step of the fold: the state being built and the events given out while one observation is taken in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules.changes import changed
from rules.codes import Charge
from rules.events import Accused, Advice, Event, Infraction, Suspicion
from rules.observations import Observation
from rules.register import Card, Moment
from rules.seats import Seat, rivals
from rules.state import Held, MatchState


class Step:
    """The working copy of a match while observations are taken in; the state it was made from stays as it was.

    `seen` is the observation that is being taken in, `index` its number, `sure` whether it may be the ground of an infraction.
    """

    __slots__ = ("_begun", "_match", "events", "hand", "index", "moments", "observations", "ruleset", "seen", "sure")

    def __init__(self, state: MatchState) -> None:
        self._match = state
        self.hand = state.hand
        self.ruleset = state.ruleset
        self.observations = list(state.observations)
        self.events = list(state.events)
        self.moments = list(state.moments)

    @property
    def state(self) -> MatchState:
        """The match with the hand as it is now; observations, events and moments are the step's own until it is finished."""
        if self._match.hand is not self.hand:
            self._match = changed(self._match, hand=self.hand)
        return self._match

    def begin(self, seen: Observation) -> None:
        """Another observation is taken in: keep the table as it was before it."""
        match = self._match
        self.seen = seen
        self.index = len(self.observations)
        self.sure = seen.confidence >= self.ruleset.sure
        self._begun = len(self.events)
        self.observations.append(seen)
        self.moments.append(
            Moment(
                self.index, self.hand, match.last_opener, match.repeat_opener, match.repeating, match.hands_opened,
                match.lost_openings, match.last_result,
            )
        )  # fmt: skip

    def skip(self) -> None:
        """An observation that was taken back keeps its number and does nothing."""
        self.observations.append(None)

    @property
    def told_now(self) -> tuple[Event, ...]:
        """What this observation gave."""
        return tuple(self.events[self._begun :])

    def finish(self, start: MatchState, heard: tuple[Observation, ...]) -> MatchState:
        """The match after the observations, of which `heard` are all as they came since `start`."""
        return changed(
            self._match, hand=self.hand, observations=tuple(self.observations), events=tuple(self.events),
            moments=tuple(self.moments), heard=heard, start=start,
        )  # fmt: skip

    @property
    def may_be_turned(self) -> bool:
        """Whether nothing has shown yet that the picture is neither mirrored nor turned: it names no culprit."""
        return self.ruleset.orientation == "unknown" and not self.state.seats_shown

    def moment_before(self, obs: int) -> Moment | None:
        """The table just before an observation; None when that is too long ago."""
        return next((moment for moment in self.moments if moment.obs == obs), None)

    def set_hand(self, **changes: Any) -> None:
        """Go on with these fields of the hand changed."""
        self.hand = changed(self.hand, **changes)

    def set_match(self, **changes: Any) -> None:
        """Go on with these fields of the match changed."""
        self._match = changed(self.state, **changes)
        self.hand = self._match.hand

    def emit(self, event: Event) -> None:
        """Give an event out."""
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
        """Tell an infraction, once; a suspicion instead when the evidence is not sure, or while the seats themselves may be other ones.

        Nothing when the rule set has no such code.

        What a person dismissed is not told again.
        """
        charge = self.ruleset.charge(code)
        if charge is None or self.told(code, seat, at):
            return
        if not (sure and self.sure):
            self.suspect(code, seat, at)
            return
        certain = self.index if certain_at is None else certain_at
        proof = tuple(dict.fromkeys((at, *because, self.index)))
        charge = replace(charge, rule=rule or charge.rule)
        if seat is not None and self.may_be_turned:
            self.suspect(code, seat, at, alternatives=("turned picture",))
            self.set_hand(held_back=(*self.hand.held_back, Held(charge=charge, code=code, seat=seat, at_obs=at, because=proof)))
            return
        self.enter(charge, code, seat, at, certain, proof, difference)

    def enter(
        self,
        charge: Charge,
        code: str,
        seat: Accused,
        at: int,
        certain: int,
        because: tuple[int, ...],
        difference: int | None = None,
    ) -> Infraction:
        """Put an infraction on the list; under FID it opens a card for the rival at the right of the one at fault (FID-ACT-3)."""
        one = seat if isinstance(seat, Seat) else None
        fined = charge.fine > 0 and one is not None
        infraction = Infraction(
            obs=certain,
            code=code,
            rule=charge.rule,
            seat=seat,
            at_obs=at,
            fine=charge.fine or None,
            credit=rivals(one.pair) if one is not None and fined and self.ruleset.fine_mode == "award" else None,
            remedy_holder=one.right if self.ruleset.name == "fid" and one is not None else None,
            difference=difference,
            because=because,
        )
        self.emit(infraction)
        self.set_match(infractions=(*self.state.infractions, infraction))
        if one is not None and infraction.remedy_holder is not None:
            card = Card(
                code=code, offender=one, holder=infraction.remedy_holder, at_obs=at, opened=self.index, hand=self.state.hand_no,
                lapses=self.ruleset.card_lapses,
            )  # fmt: skip
            self.set_match(cards=(*self.state.cards, card))
        return infraction

    def told(self, code: str, seat: Accused, at: int) -> bool:
        """Whether this infraction is on the list, or was and a person decided it."""
        known = (*self.state.infractions, *self.state.ruled)
        return any((told.code, told.seat, told.at_obs) == (code, seat, at) for told in known)

    def suspect(self, code: str, seat: Accused, at: int | None = None, alternatives: tuple[str, ...] = ()) -> None:
        """Put a doubt to the referee, once."""
        seats = () if seat is None else (seat,) if isinstance(seat, Seat) else seat
        at_obs = self.index if at is None else at
        for told in self.events:
            if isinstance(told, Suspicion) and (told.code, told.seats, told.at_obs) == (code, seats, at_obs):
                return
        self.emit(Suspicion(obs=self.index, code=code, seats=seats, at_obs=at_obs, alternatives=alternatives))

    def advise(self, code: str, seat: Seat | None) -> None:
        """Tell the referee of something that is never an infraction by itself, where the rule set knows it."""
        if code in self.ruleset.advice:
            self.emit(Advice(obs=self.index, code=code, rule=self.ruleset.advice[code], seat=seat))
