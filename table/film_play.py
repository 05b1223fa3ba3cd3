"""The course of a filmed match: hands one after another, each with its share of the incidents that are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.errors import BadInput
from rules.seats import Seat
from table.film import Moment
from table.film_game import Game
from table.film_incidents import INCIDENTS, OPENINGS, lift

FIRST_INCIDENT, APART = 2, 3  # tiles that lie before the first incident, and between two


def film_match(game: Game, hands: int, incidents: Sequence[str] = ()) -> Iterator[Moment]:
    """Every frame of a match of so many hands (fewer when it is decided before); the truth gathers in `game.truth.rows`."""
    waiting = checked_incidents(incidents)
    for _ in range(hands):
        if game.truth.over:
            return
        yield from film_hand(game, waiting)


def checked_incidents(names: Sequence[str]) -> list[str]:
    """The names; BadInput for one that is none."""
    for name in names:
        if name not in (*INCIDENTS, *OPENINGS):
            raise BadInput(f"expected infractions among {', '.join((*OPENINGS, *INCIDENTS))}, found {name!r}; correct the list")
    return list(names)


def film_hand(game: Game, waiting: list[str]) -> Iterator[Moment]:
    """One hand from the empty table to the count; the incidents that took place leave the list."""
    asked = {name for name in OPENINGS if name in waiting}
    waiting[:] = [name for name in waiting if name not in asked]
    hide = "premature_lift" in asked
    yield from game.clear()
    yield from game.deal(hide)
    yield from _open(game, asked)
    next_at = FIRST_INCIDENT
    while game.hand.closed is None:
        seat = game.hand.turn
        assert seat is not None
        if hide and seat in game.stage.hidden:
            yield from lift(game, seat)
        incident = _possible(game, seat, waiting) if len(game.hand.line) >= next_at else None
        if incident is not None:
            next_at = len(game.hand.line) + APART
            yield from incident
            continue
        yield from _act(game, seat)
    yield from game.reveal()


def _open(game: Game, asked: set[str]) -> Iterator[Moment]:
    seat = game.truth.due.right if "wrong_starter" in asked else game.truth.due
    if "premature_lift" in asked:
        yield from lift(game, seat.right)
        yield from game.think()
        yield from lift(game, seat)
    tiles = game.hands[seat]
    yield from game.play(seat, tiles[int(game.rng.integers(len(tiles)))], "open", wrong_pose="opening_orientation" in asked)
    yield from game.think()


def _possible(game: Game, seat: Seat, waiting: list[str]) -> Iterator[Moment] | None:
    """The first incident of the list that can take place now; it leaves the list."""
    for name in waiting:
        frames = INCIDENTS[name](game, seat)
        if frames is not None:
            waiting.remove(name)
            return frames
    return None


def _act(game: Game, seat: Seat) -> Iterator[Moment]:
    choice = game.choose(seat)
    if choice is None:
        yield from game.knock(seat)
    else:
        yield from game.play(seat, *choice)
    yield from game.think(after_knock=choice is None)
