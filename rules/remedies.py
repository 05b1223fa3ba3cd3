"""What is chosen after an infraction: go on, repeat the hand, go back, or what the players agree on (FID-ACT-3, FID-ESP, DUSA-12)."""

from __future__ import annotations

from rules.cards import change, lapse_since, pick
from rules.changes import changed
from rules.count import void_hand
from rules.events import Infraction
from rules.incidents import decide, find_doubt, find_incident, is_decided, settle
from rules.ledger import tell_score, void
from rules.match import reopen
from rules.observations import Referee
from rules.register import Card
from rules.rotation import repeat_opener
from rules.seats import Seat
from rules.state import MatchState
from rules.step import Step

Verdict = tuple[int | None, str | None]
"""The observation of the incident that was decided, and why the ruling was refused (None: it was not)."""


def choose(step: Step, seen: Referee) -> Verdict:
    """Under FID the holder of the card chooses; without a card it is the order of the arbiter (DUSA-12)."""
    cards, refused = pick(step.state, seen)
    incident = _incident_of(step.state, cards[0]) if cards else find_incident(step.state, seen)
    at = cards[0].at_obs if cards else incident.at_obs if incident is not None else seen.incident
    if refused == "not_the_holder" and not cards and incident is not None:
        refused = None  # an incident that names nobody, or two, opens no card: the arbiter decides
    if refused is None and not cards and incident is None and is_decided(step.state, seen):
        refused = "already_ruled"
    if refused is None:
        refused = _carry_out(step, seen, incident, at, cards)
    if refused is not None:
        return at, refused
    for card in cards:
        _close(step, card, seen.ruling)
    if incident is not None and incident not in step.state.ruled:
        decide(step, incident)
    return at, None


def _incident_of(state: MatchState, card: Card) -> Infraction | None:
    return next((told for told in reversed(state.infractions) if card.belongs_to(told)), None)


def _close(step: Step, card: Card, choice: str) -> None:
    """Going on may still be changed for another choice until the holder lays a tile; the others are carried out at once."""
    for other in step.state.cards:
        if (other.code, other.offender, other.at_obs) == (card.code, card.offender, card.at_obs):
            change(step, other, status="chosen", choice=choice, closed=None if choice == "continue" else step.index)


def _carry_out(step: Step, seen: Referee, incident: Infraction | None, at: int | None, cards: tuple[Card, ...]) -> str | None:
    """What the choice does to the table; the reason when it can do nothing."""
    if seen.ruling == "repeat_hand":
        at_fault = incident.seat if incident is not None else seen.seat
        return _repeat_hand(step, at_fault if isinstance(at_fault, Seat) else None, at, cards)
    if seen.ruling == "go_back":
        return "no_incident" if at is None else _go_back(step, at, cards)
    doubt = None if incident is not None or cards else find_doubt(step, seen)
    if doubt is not None:
        settle(step, doubt.code, getattr(doubt, "at_obs", doubt.obs))
    return None


def _repeat_hand(step: Step, offender: Seat | None, at: int | None, cards: tuple[Card, ...]) -> str | None:
    """The hand is played again; it does not count among the hands, and the pair at fault may not open it (FID-ACT-3, D-17)."""
    if at is not None and step.moment_before(at) is None:
        return "hand_over"
    if step.hand.opener is None:
        _take_up_again(step)
    opener = step.hand.opener
    if opener is None:
        return "hand_over"
    step.set_match(repeat_opener=repeat_opener(step.ruleset, opener, offender), repeating=True)
    void_hand(step)
    _undo_since(step, step.hand.line.laid[0].obs, cards)
    return None


def _take_up_again(step: Step) -> None:
    """The next hand was being dealt: the one that ended is the one meant."""
    ended = next((m.hand for m in reversed(step.moments) if m.hand.result is not None), None)
    if ended is not None and len(step.hand.line) == 0:
        step.set_match(hand=ended, dealt=False)


def _go_back(step: Step, at: int, cards: tuple[Card, ...]) -> str | None:
    """Line, turn and tiles as they were before the incident; fines and incidents stay as they are (FID-ACT-3)."""
    moment = step.moment_before(at)
    if moment is None:
        return "hand_over"
    ledger = step.state.ledger
    gone = {row.voids for row in ledger}
    undone = [
        n for n, row in enumerate(ledger) if row.column == "points" and row.obs >= at and row.voids is None and n not in gone
    ]
    for number in undone:
        void(step, number)
    unopened = moment.hands_opened != step.state.hands_opened or moment.last_opener != step.state.last_opener
    lost = {*moment.lost_openings, *step.state.lost_openings} if unopened else step.state.lost_openings
    step.set_match(
        hand=changed(moment.hand, clock=None),
        last_opener=moment.last_opener,
        repeat_opener=moment.repeat_opener,
        repeating=moment.repeating,
        hands_opened=moment.hands_opened,
        lost_openings=tuple(sorted(lost)),
        last_result=moment.last_result,
    )
    if undone:
        reopen(step)
        tell_score(step)
    _undo_since(step, at, cards)
    return None


def _undo_since(step: Step, at: int, cards: tuple[Card, ...]) -> None:
    """What was open about the play that is undone is open no more, and nobody goes back into it."""
    lapse_since(step, at, cards)
    step.moments = [moment for moment in step.moments if moment.obs <= at]
