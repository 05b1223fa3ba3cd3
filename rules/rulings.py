"""What a person rules: fines upheld, incidents dismissed or opened, matches lost, the last hand called."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rules.cards import change
from rules.count import score_again
from rules.events import Infraction, Ruled
from rules.incidents import (
    EITHER,
    card_of,
    decide,
    find_doubt,
    find_incident,
    find_jump,
    is_decided,
    make_certain,
    one_of_two,
    open_by_person,
    settle,
)
from rules.ledger import book, fine_amounts, tell_score
from rules.match import after_fine, black_card_score, call_last_hand, end_match
from rules.observations import Referee
from rules.remedies import Verdict, choose
from rules.seats import PAIRS, Seat, rivals
from rules.step import Step


def on_referee(step: Step, seen: Referee) -> None:
    """Take a ruling in; one that cannot have an effect is told with the reason and changes nothing."""
    step.set_hand(clock=None)
    rule = RULINGS.get(seen.ruling)
    place = len(step.events)
    incident, refused = (seen.incident, "unknown_choice") if rule is None else rule(step, seen)
    told = Ruled(obs=step.index, incident=incident, choice=seen.ruling, by=seen.by, text=seen.text, refused=refused)
    step.events.insert(place, told)  # the ruling comes before what follows from it


def _uphold(step: Step, seen: Referee) -> Verdict:
    """The proposed fine moves the ledger of fines (D-05). What was only a doubt becomes an infraction by the person's word."""
    incident = find_incident(step.state, seen)
    if incident is None:
        incident = make_certain(step, seen)
    elif incident.code == EITHER:
        incident = one_of_two(step, seen) or incident
    if incident is None and is_decided(step.state, seen):
        return seen.incident, "already_ruled"
    if incident is None and seen.code is not None and seen.seat is not None:
        opened = open_by_person(step, seen)
        incident = opened if isinstance(opened, Infraction) else None
    if incident is None:
        return seen.incident, "no_incident"
    decide(step, incident)
    if incident.fine is not None and isinstance(incident.seat, Seat):
        book(step, "fines", fine_amounts(step.ruleset, incident.seat.pair, incident.fine), incident.code)
        tell_score(step)
        after_fine(step)
    return incident.at_obs, None


def _dismiss(step: Step, seen: Referee) -> Verdict:
    """No infraction: it is off the list, with the opening and the points it cost; a dismissed jump was a silent pass."""
    incident, jump, doubt = find_incident(step.state, seen), find_jump(step.state, seen), find_doubt(step, seen)
    if incident is not None:
        strike(step, incident)
        return incident.at_obs, None
    if jump is not None:
        if seen.ruling == "dismiss":
            step.set_hand(jumps=tuple(other for other in step.hand.jumps if other != jump))
        for code in ("OUT_OF_TURN", "PREMATURE_RUN"):
            settle(step, code, jump.obs)
        return jump.obs, None
    if doubt is not None:
        at = getattr(doubt, "at_obs", doubt.obs)
        settle(step, doubt.code, at)
        return at, None
    return seen.incident, "already_ruled" if is_decided(step.state, seen) else "no_incident"


def strike(step: Step, incident: Infraction) -> None:
    """Take an infraction off the list, with what it cost."""
    decide(step, incident)
    kept = tuple(other for other in step.state.infractions if other != incident)
    step.set_match(infractions=kept)
    card = card_of(step.state, incident)
    if card is not None:
        change(step, card, status="dismissed", closed=step.index)
    if incident.code == "EXPOSED" and isinstance(incident.seat, Seat):
        _forgive(step, incident, incident.seat)


def _forgive(step: Step, incident: Infraction, seat: Seat) -> None:
    """The tile was not exposed: no duty to play it, no points lost with it, and no opening unless another tile cost it."""
    if not any((other.code, other.seat) == ("EXPOSED", seat) for other in step.state.infractions):
        step.set_match(
            lost_openings=tuple(other for other in step.state.lost_openings if other != seat),
            lost_ever=tuple(other for other in step.state.lost_ever if other != seat),
        )
    tile = next((shown.tile for shown in step.hand.exposed if (shown.seat, shown.obs) == (seat, incident.at_obs)), None)
    step.set_hand(exposed=tuple(shown for shown in step.hand.exposed if (shown.seat, shown.tile) != (seat, tile)))
    closed, last = step.hand.closed, step.hand.line.last
    if closed is not None and closed.scoreless and closed.by_seat == seat and last is not None and last.tile == tile:
        step.set_hand(closed=replace(closed, scoreless=False))
        score_again(step)


def _lose_match(step: Step, seen: Referee) -> Verdict:
    """An intentional false pass loses the match (DUSA-5); intent is never inferred."""
    if step.ruleset.name != "dusa":
        return seen.incident, "not_in_rule_set"
    incident = find_incident(step.state, seen) or next(
        (told for told in reversed(step.state.ruled) if told.code.startswith("RENEGE") and seen.seat in (None, told.seat)), None
    )
    about_renege = seen.ruling == "renege_intentional" or (incident is not None and incident.code.startswith("RENEGE"))
    seat = seen.seat if seen.seat is not None else incident.seat if incident is not None else None
    if not about_renege or not isinstance(seat, Seat):
        return seen.incident, "no_incident"
    step.set_match(match_lost=seat.pair)
    if not step.state.over:
        end_match(step, rivals(seat.pair), "renege_intentional")
    return incident.at_obs if incident is not None else seen.incident, None


def _free(step: Step, seen: Referee) -> Verdict:
    """The arbiter decides in his own words; an incident that he names is decided with it (DUSA-12)."""
    incident = find_incident(step.state, seen)
    if incident is None:
        return seen.incident, None
    decide(step, incident)
    return incident.at_obs, None


def _open_incident(step: Step, seen: Referee) -> Verdict:
    opened = open_by_person(step, seen)
    return (opened.at_obs, None) if isinstance(opened, Infraction) else (seen.incident, opened)


def _last_hand(step: Step, seen: Referee) -> Verdict:
    call_last_hand(step)
    return seen.incident, None


def _black_card(step: Step, seen: Referee) -> Verdict:
    """The rivals win a match that is not over with their points, at least half the target (FID-TAR-N3, D-20)."""
    if seen.seat is None:
        return seen.incident, "no_seat"
    if step.state.over:
        return seen.incident, "match_over"
    winner = rivals(seen.seat.pair)
    points = list(step.state.totals)
    points[PAIRS.index(winner)] = black_card_score(step.ruleset, points[PAIRS.index(winner)])
    end_match(step, winner, "black_card", (points[0], points[1]))
    return seen.incident, None


RULINGS: dict[str, Callable[[Step, Referee], Verdict]] = {
    "uphold": _uphold,
    "out_of_turn": lambda step, seen: _uphold(step, replace(seen, code=seen.code or "OUT_OF_TURN")),
    "dismiss": _dismiss,
    "inconclusive": _dismiss,
    "intentional": _lose_match,
    "renege_intentional": _lose_match,
    "continue": choose,
    "repeat_hand": choose,
    "go_back": choose,
    "agreement": choose,
    "free": _free,
    "incident": _open_incident,
    "last_hand": _last_hand,
    "time_called": _last_hand,
    "black_card": _black_card,
}
