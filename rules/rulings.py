"""What a person rules: fines upheld, incidents dismissed, hands repeated, play taken back, matches lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rules.count import void_hand
from rules.events import Infraction, Ruled
from rules.match import add_fine, black_card_score, call_last_hand, end_if_over, end_match, tell_score
from rules.observations import Referee
from rules.proofs import tell_out_of_turn
from rules.rotation import repeat_opener
from rules.seats import PAIRS, Seat, rivals
from rules.state import Jump, MatchState
from rules.step import Step

Fold = Callable[[MatchState, int], MatchState]
"""The state before the observation with this index: what `go_back` returns to."""


def on_referee(step: Step, seen: Referee, before: Fold) -> None:
    """Take a ruling in; a choice that changes nothing on the table is told and no more."""
    incident = find_incident(step.state, seen)
    jump = find_jump(step.state, seen)
    step.emit(Ruled(obs=step.index, incident=_attributed(seen, incident, jump), choice=seen.ruling, by=seen.by, text=seen.text))
    step.set_hand(clock=None)
    choice = seen.ruling
    if choice in ("uphold", "out_of_turn") and incident is None:
        if jump is not None:
            tell_out_of_turn(step, jump)
        else:
            _decide_between_two(step, seen)
        incident = find_incident(step.state, seen)
    if choice in ("uphold", "out_of_turn") and incident is not None:
        _uphold(step, incident)
    elif choice == "dismiss":
        _dismiss(step, incident, jump)
    elif choice in ("renege_intentional", "intentional"):
        _lose_match(step, seen, incident)
    elif choice == "repeat_hand":
        _repeat_hand(step, seen, incident)
    elif choice == "go_back" and incident is not None:
        _go_back(step, incident, before)
    elif choice in ("last_hand", "time_called"):
        call_last_hand(step)
    elif choice == "black_card" and seen.seat is not None:
        _black_card(step, seen.seat)


def find_incident(state: MatchState, seen: Referee) -> Infraction | None:
    """The latest infraction that the ruling can mean, not ruled on yet."""
    for infraction in reversed(state.infractions):
        if infraction in state.ruled:
            continue
        if _means(seen, infraction.code, infraction.seat, infraction.at_obs):
            return infraction
    return None


def find_jump(state: MatchState, seen: Referee) -> Jump | None:
    """The latest undecided jump that the ruling can mean."""
    return next((jump for jump in reversed(state.hand.jumps) if _means(seen, "OUT_OF_TURN", jump.seat, jump.obs)), None)


def _means(seen: Referee, code: str, seat: object, at: int) -> bool:
    named = seen.incident is not None or seen.code is not None or seen.seat is not None
    return (
        named
        and (seen.incident is None or seen.incident == at)
        and (seen.code is None or seen.code == code)
        and (seen.seat is None or seat is None or seen.seat == seat or (isinstance(seat, tuple) and seen.seat in seat))
    )


def _attributed(seen: Referee, incident: Infraction | None, jump: Jump | None) -> int | None:
    if seen.incident is not None:
        return seen.incident
    return incident.at_obs if incident is not None else jump.obs if jump is not None else None


def _decide_between_two(step: Step, seen: Referee) -> None:
    """The person says which it was, where a seat was skipped in silence: RENEGE of the skipped or OUT_OF_TURN of the other."""
    for either in reversed(step.state.infractions):
        if (
            either.code != "RENEGE_OR_OUT_OF_TURN"
            or not isinstance(either.seat, tuple)
            or seen.incident not in (None, either.at_obs)
        ):
            continue
        accused = {"OUT_OF_TURN": either.seat[0], "RENEGE": either.seat[1]}.get(seen.code or "")
        if accused is not None and seen.seat in (None, accused):
            step.charge(seen.code or "", accused, either.at_obs, because=either.because)
            return


def _uphold(step: Step, incident: Infraction) -> None:
    """The proposed fine moves the ledger of fines (D-05)."""
    step.set_match(ruled=(*step.state.ruled, incident))
    if incident.fine is None or not isinstance(incident.seat, Seat):
        return
    step.set_match(fines=add_fine(step.ruleset, step.state.fines, incident.seat.pair, incident.fine))
    tell_score(step)
    if step.ruleset.fine_ends_match:
        end_if_over(step, step.seen.t)


def _dismiss(step: Step, incident: Infraction | None, jump: Jump | None) -> None:
    """No infraction: it is taken off the list, with the opening it cost."""
    if incident is None:
        step.set_hand(jumps=tuple(other for other in step.hand.jumps if other != jump))
        return
    kept = tuple(other for other in step.state.infractions if other != incident)
    step.set_match(infractions=kept)
    if incident.code == "EXPOSED" and not any((other.code, other.seat) == ("EXPOSED", incident.seat) for other in kept):
        step.set_match(
            lost_openings=tuple(seat for seat in step.state.lost_openings if seat != incident.seat),
            lost_ever=tuple(seat for seat in step.state.lost_ever if seat != incident.seat),
        )


def _lose_match(step: Step, seen: Referee, incident: Infraction | None) -> None:
    """An intentional false pass loses the match (DUSA-5); intent is never inferred."""
    about_renege = seen.ruling == "renege_intentional" or (incident is not None and incident.code.startswith("RENEGE"))
    seat = seen.seat if seen.seat is not None else incident.seat if incident is not None else None
    if step.ruleset.name != "dusa" or not about_renege or not isinstance(seat, Seat):
        return
    step.set_match(match_lost=seat.pair)
    if not step.state.over:
        end_match(step, rivals(seat.pair), "renege_intentional")


def _repeat_hand(step: Step, seen: Referee, incident: Infraction | None) -> None:
    """The hand is played again; it does not count among the hands, and the pair at fault may not open it (FID-ACT-3, D-17)."""
    offender = seen.seat
    if offender is None and incident is not None and isinstance(incident.seat, Seat):
        offender = incident.seat
    opener = step.hand.opener
    if opener is None:
        return
    if step.hand.result is None:
        void_hand(step)
    else:
        _take_points_back(step)
    step.set_match(repeat_opener=repeat_opener(step.ruleset, opener, offender), repeating=True)


def _take_points_back(step: Step) -> None:
    """The hand that had ended did not: its points leave the score."""
    won = (0, 0) if step.hand.result is None else step.hand.result.points
    if won != (0, 0):
        step.set_match(points=(step.state.points[0] - won[0], step.state.points[1] - won[1]))
        tell_score(step)


def _go_back(step: Step, incident: Infraction, before: Fold) -> None:
    """Line, turn and tiles as they were before the incident; score and incidents stay as they are (FID-ACT-3)."""
    past = before(step.state, incident.at_obs)
    _take_points_back(step)
    step.set_match(hand=replace(past.hand, clock=None), ruled=(*step.state.ruled, incident))


def _black_card(step: Step, expelled: Seat) -> None:
    """The rivals win with their points, at least half the target (FID-TAR-N3, D-20)."""
    winner = rivals(expelled.pair)
    points = list(step.state.totals)
    points[PAIRS.index(winner)] = black_card_score(step.ruleset, points[PAIRS.index(winner)])
    end_match(step, winner, "black_card", (points[0], points[1]))
