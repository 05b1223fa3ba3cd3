"""`miron bench rules`: how many hands a second are folded and judged, and what a match, a correction and `holdings` cost."""

from __future__ import annotations

import importlib.util
import statistics
from collections.abc import Callable, Sequence
from dataclasses import replace
from time import process_time
from typing import Annotated, Any

import typer

from rules.holdings import holdings
from rules.observations import Correction, Observation, Place
from rules.referee import observe, replay, start_match
from rules.ruleset import DUSA, FID, Ruleset
from rules.seats import Seat
from rules.state import MatchState
from scripts.bench_table import Row, show
from table.simulator import SimulatedHand, simulate_hand

HANDS_OF_A_MATCH = 12
BETWEEN_HANDS_S = 60.0


def measure(
    hands: Annotated[int, typer.Option(min=12, help="Hands in one measurement.")] = 300,
    repeats: Annotated[int, typer.Option(min=3, help="Measurements of each; the median is shown.")] = 9,
) -> None:
    """Hands a second on one core, against PyPI dominoes where it is installed; a match of 12, a correction, what seats can hold."""
    show(f"the rules, {hands} hands", [*_folding(hands, repeats), *_match(repeats), *_holdings(repeats)])


def _folding(count: int, repeats: int) -> list[Row]:
    """One hand after another, each a match of its own; ours and theirs turn and turn about."""
    played = [simulate_hand(seed, Seat(seed % 4)) for seed in range(count)]
    works = {name: _judging(played, ruleset) for name, ruleset in (("DUSA", DUSA), ("FID", FID))}
    works |= {"theirs": _their_play(played)} if importlib.util.find_spec("dominoes") else {}
    spent = _turn_about(works, repeats)
    rows = [Row(f"hands folded and judged, {name}", count / spent[name], "hands/s") for name in ("DUSA", "FID")]
    rows.append(Row("observations of a hand", statistics.mean(len(hand.observations) for hand in played), ""))
    if "theirs" in spent:
        rows.append(Row("the same hands played by PyPI dominoes, nothing judged", count / spent["theirs"], "hands/s"))
        rows.append(Row("ratio to dominoes, DUSA", spent["theirs"] / spent["DUSA"], "×"))
    return rows


def _judging(played: Sequence[SimulatedHand], ruleset: Ruleset) -> Callable[[], None]:
    def judge() -> None:
        for seed, hand in enumerate(played):
            replay(start_match(ruleset, first_opener=Seat(seed % 4)), hand.observations)

    return judge


def _their_play(played: Sequence[SimulatedHand]) -> Callable[[], None]:
    """The same deals and plays through PyPI dominoes, which passes by itself; what it needs is built before the clock runs."""
    import dominoes

    games: list[tuple[Any, ...]] = []
    for seed, hand in enumerate(played):
        deal = [[dominoes.Domino(tile.high, tile.low) for tile in tiles] for tiles in hand.hands]
        plays = [(seen.tile, seen.at) for seen in hand.observations if isinstance(seen, Place) and seen.tile is not None]
        games.append((seed % 4, deal, [(dominoes.Domino(tile.high, tile.low), at != "b") for tile, at in plays]))

    def play() -> None:
        for opener, deal, moves in games:
            hands = [dominoes.Hand(tiles) for tiles in deal]
            valid = tuple((tile, True) for tile in hands[opener])
            game = dominoes.Game(dominoes.Board(), hands, [], opener, valid, opener, None)
            # Their left end is whichever half of the opening tile they put there.
            first, _ = moves[0]
            game.make_move(first, True)
            turned = game.board.left_end() != first.second
            for tile, left in moves[1:]:
                game.make_move(tile, left != turned)

    return play


def _match(repeats: int) -> list[Row]:
    """A whole match, and all of it judged again after one correction early and one late."""
    endless = replace(DUSA, target=10**6, clock_s=None)
    one, seen = _observations(1), _observations(HANDS_OF_A_MATCH)
    match = replay(start_match(endless, first_opener=Seat.S), seen)
    works = {
        "one": lambda: replay(start_match(endless, first_opener=Seat.S), one),
        "twelve": lambda: replay(start_match(endless, first_opener=Seat.S), seen),
        "early": lambda: _correct(match, 3),
        "late": lambda: _correct(match, len(seen) - 4),
    }
    ms = {name: spent * 1e3 for name, spent in _turn_about(works, repeats).items()}
    return [
        Row("the first hand of a match", ms["one"], "ms"),
        Row(f"a match of {HANDS_OF_A_MATCH} hands", ms["twelve"], "ms"),
        Row("a hand of that match over the first one alone", ms["twelve"] / HANDS_OF_A_MATCH / ms["one"], "×"),
        Row("judged again after the second tile of the match is corrected", ms["early"], "ms"),
        Row("judged again after one of the last tiles is corrected", ms["late"], "ms"),
    ]


def _observations(hands: int) -> list[Observation]:
    seen: list[Observation] = []
    for number in range(hands):
        start = seen[-1].t + BETWEEN_HANDS_S if seen else 0.0
        seen += [replace(one, t=one.t + start) for one in simulate_hand(number, Seat(number % 4)).observations]
    return seen


def _correct(match: MatchState, index: int) -> None:
    """The tile of the play at or before `index` was read with less certainty than was said."""
    place = next(i for i in range(index, 0, -1) if isinstance(match.observations[i], Place))
    right = replace(match.observations[place], confidence=0.99)  # type: ignore[type-var]
    observe(match, Correction(t=match.heard[-1].t, voids=place, instead=right))


def _holdings(repeats: int) -> list[Row]:
    """Chances of every unseen tile, after the opening and when half of the tiles lie."""
    seen = simulate_hand(5, Seat.S).observations
    places = [index for index, one in enumerate(seen) if isinstance(one, Place)]
    rows = []
    for tiles in (1, 6, 14, 20):
        state = replay(start_match(DUSA, first_opener=Seat.S), seen[: places[tiles - 1] + 1])
        spent = _turn_about({"holdings": lambda state=state: holdings(state)}, repeats)["holdings"]  # type: ignore[misc]
        rows.append(Row(f"holdings with {tiles} tile{'s' if tiles > 1 else ''} in the line", spent * 1e3, "ms"))
    return rows


def _turn_about(works: dict[str, Callable[[], Any]], repeats: int) -> dict[str, float]:
    """Median CPU seconds of each; a noisy machine disturbs all alike."""
    spent: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            start = process_time()
            work()
            spent[name].append(process_time() - start)
    return {name: statistics.median(values) for name, values in spent.items()}
