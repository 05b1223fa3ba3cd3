"""The card of FID: the right of the rival at the offender's right to choose, until he lays his next tile (FID-ACT-3, D-17)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules.errors import BadInput
from rules.events import Ruled
from rules.observations import Place, Referee
from rules.register import Card
from rules.seats import Seat
from rules.state import MatchState
from rules.step import Step


def lapse_at_placement(step: Step, seen: Place) -> None:
    """The holder lays a tile: what he has not chosen is "go on", and what he has chosen is final."""
    cards = step.state.cards
    if cards:
        held = (card for card in cards if card.holder == seen.seat and card.lapses == "placement")
        _close(step, tuple(card for card in held if card.opened < step.index))


def lapse_at_count(step: Step) -> None:
    """The points of the hand are written down: the count is signed."""
    number = step.state.hand_no
    _close(step, tuple(card for card in step.state.cards if card.hand <= number))


def lapse_before_hand(step: Step, number: int) -> None:
    """Hand `number` begins: nobody can choose about an earlier one any more."""
    _close(step, tuple(card for card in step.state.cards if card.hand < number))


def lapse_since(step: Step, obs: int, chosen: tuple[Card, ...]) -> None:
    """The play from observation `obs` on is undone, and with it what else could be chosen about it."""
    _close(step, tuple(card for card in step.state.cards if card.at_obs >= obs and card not in chosen))


def _close(step: Step, cards: tuple[Card, ...]) -> None:
    for card in cards:
        if card.closed is not None:
            continue
        if card.status == "open":
            change(step, card, status="lapsed", choice="continue", closed=step.index)
            step.emit(Ruled(obs=step.index, incident=card.at_obs, choice="continue", lapsed=True))
        else:
            change(step, card, closed=step.index)


def change(step: Step, card: Card, **changes: Any) -> None:
    """Put the card with these fields changed in its place on record."""
    step.set_match(cards=tuple(replace(other, **changes) if other is card else other for other in step.state.cards))


def pick(state: MatchState, seen: Referee) -> tuple[tuple[Card, ...], str | None]:
    """The cards that a choice is about (those of one act), and why it cannot be made, if so.

    The seat named is the one at fault or the one who chooses. Nothing named means the only card that is open.
    """
    meant = tuple(card for card in state.cards if _means(seen, card))
    if seen.incident is None and seen.code is None and seen.seat is None:
        meant = tuple(card for card in state.cards if card.options)
        meant = meant if len({(card.offender, card.at_obs) for card in meant}) == 1 else ()
    free = [card for card in meant if card.options]
    if not meant:
        stranger = seen.seat is not None and any(card.status == "open" for card in state.cards)
        return (), "not_the_holder" if stranger else None
    card = free[-1] if free else meant[-1]
    cards = tuple(other for other in free if (other.offender, other.at_obs) == (card.offender, card.at_obs))
    if any(seat not in (None, card.holder) for seat in _choosers(seen, card)):
        return (card,), "not_the_holder"
    if not free:
        return (card,), "lapsed" if card.status == "lapsed" else "already_chosen"
    return cards, None


def _means(seen: Referee, card: Card) -> bool:
    if seen.incident is None and seen.code is None and seen.seat is None:
        return False
    named = seen.incident in (None, card.at_obs) and seen.code in (None, card.code)
    return named and (seen.incident is not None or seen.seat in (None, card.offender, card.holder))


def _choosers(seen: Referee, card: Card) -> tuple[Seat | None, ...]:
    """Who chooses, as far as the ruling says: the seat named, unless it is the one at fault, and the author, when it is a seat."""
    try:
        author = None if seen.by is None else Seat.parse(seen.by)
    except BadInput:
        author = None
    return None if seen.seat == card.offender else seen.seat, author
