"""Incidents as a person speaks of them: which one is meant, what is still open, and those that a person opens."""

from __future__ import annotations

from dataclasses import replace

from rules.codes import CONDUCT_RULES, KNOWN_CODES, Charge
from rules.conduct import lose_opening
from rules.events import Advice, Infraction, Suspicion
from rules.observations import Referee
from rules.proofs import close_jump
from rules.register import Card
from rules.seats import Seat
from rules.state import Jump, MatchState
from rules.step import Step

FREE = "INCIDENT"
"""The code of an incident in the referee's own words (DUSA-12)."""

EITHER = "RENEGE_OR_OUT_OF_TURN"
JUMP_CODES = ("OUT_OF_TURN", "PREMATURE_RUN")
Doubt = Suspicion | Advice
"""What was put to the referee without being an infraction."""


def means(seen: Referee, code: str, seat: object, at: int) -> bool:
    """Whether a ruling speaks of this incident: by observation, code and seat, as far as it names them, and it must name one."""
    named = seen.incident is not None or seen.code is not None or seen.seat is not None
    return (
        named
        and seen.incident in (None, at)
        and seen.code in (None, code)
        and (seen.seat is None or seat is None or seen.seat == seat or (isinstance(seat, tuple) and seen.seat in seat))
    )


def find_incident(state: MatchState, seen: Referee) -> Infraction | None:
    """The latest infraction that the ruling can mean, not decided yet."""
    undecided = (told for told in reversed(state.infractions) if told not in state.ruled)
    return next((told for told in undecided if means(seen, told.code, told.seat, told.at_obs)), None)


def is_decided(state: MatchState, seen: Referee) -> bool:
    """Whether a person decided before on what the ruling means; one of two that was chosen decides the other too."""
    return any(
        means(seen, told.code, told.seat, told.at_obs)
        or (told.code == EITHER and seen.code in ("RENEGE", "OUT_OF_TURN") and means(seen, seen.code, told.seat, told.at_obs))
        for told in state.ruled
    )


def find_jump(state: MatchState, seen: Referee) -> Jump | None:
    """The latest undecided jump that the ruling can mean."""
    return next((jump for jump in reversed(state.hand.jumps) if means(seen, "OUT_OF_TURN", jump.seat, jump.obs)), None)


def find_doubt(step: Step, seen: Referee) -> Doubt | None:
    """The latest doubt or advice that the ruling can mean, not decided yet."""
    for event in reversed(step.events):
        if not isinstance(event, Suspicion | Advice) or (event.code, _place_of(event)) in step.state.settled:
            continue
        if means(seen, event.code, _seats_of(event), _place_of(event)):
            return event
    return None


def _place_of(doubt: Doubt) -> int:
    return doubt.at_obs if isinstance(doubt, Suspicion) else doubt.obs


def _seats_of(doubt: Doubt) -> Seat | tuple[Seat, ...] | None:
    return doubt.seat if isinstance(doubt, Advice) else doubt.seats or None


def settle(step: Step, code: str, at: int) -> None:
    """A person decided on this doubt: it is asked no more."""
    step.set_match(settled=(*step.state.settled, (code, at)))


def decide(step: Step, incident: Infraction) -> None:
    """A person decided on this infraction."""
    step.set_match(ruled=(*step.state.ruled, incident))


def card_of(state: MatchState, infraction: Infraction) -> Card | None:
    """The card that the infraction opened, if it opened one (FID-ACT-3)."""
    return next((card for card in state.cards if card.belongs_to(infraction)), None)


def open_incidents(state: MatchState) -> tuple[Infraction | Suspicion, ...]:
    """What waits for a person: infractions until they are decided or their card is closed, doubts of this hand until they are settled."""
    doubts = (event for event in state.events if isinstance(event, Suspicion))
    return (*(i for i in state.infractions if _is_open(state, i)), *(doubt for doubt in doubts if _is_doubted(state, doubt)))


def _is_open(state: MatchState, infraction: Infraction) -> bool:
    card = card_of(state, infraction)
    return infraction not in state.ruled if card is None else card.status == "open"


def _is_doubted(state: MatchState, doubt: Suspicion) -> bool:
    if (doubt.code, doubt.at_obs) in state.settled or not state.moments or doubt.at_obs < state.moments[0].obs:
        return False
    if doubt.code in JUMP_CODES:
        if any((told.code, told.at_obs) == (EITHER, doubt.at_obs) for told in (*state.infractions, *state.ruled)):
            return False
        counted = state.hand.result is not None and state.hand.result.counted
        undecided = (*(jump.obs for jump in state.hand.jumps), *(one.at_obs for one in state.hand.held_back))
        return not counted and doubt.at_obs in undecided
    return not any((told.code, told.at_obs) == (doubt.code, doubt.at_obs) for told in state.infractions)


def open_by_person(step: Step, seen: Referee) -> Infraction | str:
    """An incident that a person opens, by a code of the catalogue or in free words; else why it cannot be opened (DUSA-12)."""
    code = seen.code if seen.code is not None and _is_known(step, seen.code) else FREE
    charge = _charge(step, code)
    if charge is None:
        return "not_in_rule_set"
    at = step.index if seen.incident is None or seen.incident > step.index else seen.incident
    if step.told(code, seen.seat, at):
        return "already_open"
    rule = next((rule for rule in CONDUCT_RULES if code == "CONDUCT" and (seen.text or "").startswith(rule)), charge.rule)
    return step.enter(replace(charge, rule=rule), code, seen.seat, at, step.index, tuple(dict.fromkeys((at, step.index))))


def _charge(step: Step, code: str) -> Charge | None:
    return step.ruleset.charge(code) or step.ruleset.by_a_person.get(code)


def _is_known(step: Step, code: str) -> bool:
    return _charge(step, code) is not None or code in KNOWN_CODES


def make_certain(step: Step, seen: Referee) -> Infraction | None:
    """What was open until now becomes an infraction because a person says so: a jump, one of two, a doubt, an advice."""
    chosen = one_of_two(step, seen)
    if chosen is not None:
        return chosen
    jump = find_jump(step.state, seen)
    if jump is not None:
        close_jump(step, jump)
        return _enter(step, "OUT_OF_TURN", jump.seat, jump.obs)
    doubt = find_doubt(step, seen)
    if doubt is None:
        return None
    settle(step, doubt.code, _place_of(doubt))
    seats = _seats_of(doubt)
    seat = seats[0] if isinstance(seats, tuple) and len(seats) == 1 else seen.seat if isinstance(seats, tuple) else seats
    return _enter(step, doubt.code, seen.seat if seat is None else seat, _place_of(doubt))


def _enter(step: Step, code: str, seat: Seat | None, at: int, because: tuple[int, ...] = ()) -> Infraction | None:
    charge = _charge(step, code)
    if charge is None or step.told(code, seat, at):
        return None
    if code == "EXPOSED" and seat is not None:
        shown = tuple(replace(one, sure=True) if (one.seat, one.obs) == (seat, at) else one for one in step.hand.exposed)
        step.set_hand(exposed=shown)
        lose_opening(step, seat)
    return step.enter(charge, code, seat, at, step.index, tuple(dict.fromkeys((at, *because, step.index))))


def one_of_two(step: Step, seen: Referee) -> Infraction | None:
    """The person says which it was, where a seat was skipped in silence: RENEGE of the skipped or OUT_OF_TURN of the other."""
    for either in reversed(step.state.infractions):
        if either.code != EITHER or not isinstance(either.seat, tuple) or either in step.state.ruled:
            continue
        if seen.incident not in (None, either.at_obs):
            continue
        jumper, skipped = either.seat
        accused = {"OUT_OF_TURN": jumper, "RENEGE": skipped, None: seen.seat}.get(seen.code)
        if accused is not None and accused in either.seat and seen.seat in (None, accused):
            decide(step, either)
            settle(step, "OUT_OF_TURN", either.at_obs)
            step.set_hand(jumps=tuple(jump for jump in step.hand.jumps if jump.obs != either.at_obs))
            return _enter(step, "OUT_OF_TURN" if accused == jumper else "RENEGE", accused, either.at_obs, either.because)
    return None
