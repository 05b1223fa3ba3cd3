"""The end of a hand: the 28 tiles, hands that nobody counts, entries, and the golden counts of legal play."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from legal_play import play_hand

from rules.elimination import check_set
from rules.events import HandEnded, Infraction, ScoreChanged, Suspicion
from rules.observations import Clock, Drop, Entry, Observation, Pass, Place, Reveal
from rules.referee import observe, replay, start_match
from rules.ruleset import DUSA, FID
from rules.seats import PAIRS, Seat
from rules.state import MatchState
from rules.thinking import has_choice
from rules.tiles import ALL_TILES, Tile


def test_a_badly_read_twin_becomes_the_only_missing_tile() -> None:
    """6-4 read at 0.97 and again at 0.71 while 6-5 is missing: the second one is 6-5, no fault of the set."""
    readings = [(tile, 0.99) for tile in ALL_TILES if tile not in (Tile(6, 4), Tile(6, 5))]
    check = check_set((*readings, (Tile(6, 4), 0.97), (Tile(6, 4), 0.71)), 0.95)
    assert check.complete and not check.surely_doubled and check.settled[-2:] == (Tile(6, 4), Tile(6, 5))
    assert not check_set((*readings, (Tile(6, 4), 0.97), (Tile(6, 4), 0.96)), 0.95).complete


def test_one_unread_tile_is_the_missing_one() -> None:
    """Two unread tiles stay a question."""
    rest = [(tile, 1.0) for tile in ALL_TILES]
    assert check_set((*rest[1:], (None, 0.0)), 0.95).complete
    assert not check_set((*rest[2:], (None, 0.0), (None, 0.0)), 0.95).complete


@given(st.permutations(ALL_TILES), st.integers(0, 27), st.integers(0, 27))
def test_a_full_set_is_complete_and_any_double_is_not(tiles: list[Tile], one: int, other: int) -> None:
    """28 sure readings are complete exactly when they are the 28 tiles."""
    changed = [*tiles]
    changed[one] = tiles[other]
    assert check_set(tuple((tile, 1.0) for tile in changed), 0.95).complete == (one == other)


def test_a_badly_read_line_tile_is_scored_as_the_missing_one() -> None:
    """A tile in a revealed hand misread as its neighbour: the elimination gives the right points, and the doubt is told."""
    hand = next(h for h in map(play_hand, range(99)) if h.end == "domination" and sum(h.left) > 0)
    count = hand.observations[-1]
    assert isinstance(count, Reveal)
    seat = next(s for s in Seat if hand.leftover[s])
    laid = next(seen.tile for seen in hand.observations if isinstance(seen, Place))
    wrong = tuple((laid, *tiles[1:]) if s == seat and tiles else tiles for s, tiles in zip(Seat, count.hands, strict=True))
    state = replay(start_match(FID), [*hand.observations[:-1], replace(count, hands=wrong, confidence=0.9)])
    assert state.infractions == () and state.last_result is not None and state.last_result.left == hand.left
    assert "READ_CONFLICT" in [event.code for event in state.events if isinstance(event, Suspicion)]


def test_a_doubted_tile_is_settled_by_the_count() -> None:
    """One play was never read: the 27 others tell it, and the hand is scored."""
    hand = next(h for h in map(play_hand, range(99)) if h.end == "domination")
    plays = [index for index, seen in enumerate(hand.observations) if isinstance(seen, Place)]
    seen: list[Observation] = list(hand.observations)
    unread = seen[plays[5]]
    assert isinstance(unread, Place) and unread.tile is not None
    seen[plays[5]] = replace(unread, tile=None, candidates=((unread.tile, 0.5),))
    state = replay(start_match(FID, first_opener=Seat.S), seen)
    assert state.last_result is not None and state.last_result.left == hand.left and state.infractions == ()


def _uncounted(seed: int = 1) -> tuple[MatchState, int, str]:
    hand = play_hand(seed)
    assert hand.end == "domination"
    return replay(start_match(DUSA, first_opener=Seat.S), hand.observations[:-1]), sum(hand.left), PAIRS[hand.by % 2]


def test_a_domination_that_nobody_counts_is_scored_from_the_line() -> None:
    """After 60 s: 168 less the line, `left` unknown, `counted` false."""
    state, total, winner = _uncounted()
    assert state.hand.closed is not None
    early, _ = observe(state, Clock(t=state.hand.closed.t + 59.9))
    assert early.last_result is None
    late, told = observe(state, Clock(t=state.hand.closed.t + 60.0))
    assert [type(event) for event in told] == [HandEnded, ScoreChanged]
    assert late.last_result is not None and not late.last_result.counted and late.last_result.left is None
    assert (late.last_result.winner, sum(late.last_result.points)) == (winner, total)


def test_the_next_opening_also_ends_an_uncounted_domination() -> None:
    """Nobody waits a minute: the points are booked when the next hand begins."""
    state, total, _ = _uncounted()
    state = replay(state, [Place(t=80.0, seat=Seat.E, tile=Tile(1, 1), at="open")])
    assert sum(state.points) == total and state.hand.ends == (1, 1) and state.infractions == ()


def test_a_count_after_the_entry_adds_what_was_not_known() -> None:
    """The hand is told once; the tiles turned up later fill in what each pair had left."""
    hand = play_hand(1)
    entry = Entry(t=70.0, pair=PAIRS[hand.by % 2], points=sum(hand.left))
    state = replay(start_match(DUSA, first_opener=Seat.S), [*hand.observations[:-1], entry, hand.observations[-1]])
    assert [type(event) for event in state.events].count(HandEnded) == 1
    assert state.last_result is not None and state.last_result.left == hand.left and sum(state.points) == sum(hand.left)
    assert state.infractions == ()


def test_a_block_is_ended_by_what_a_person_enters() -> None:
    """Who won a block is not known before the count: the entry names the pair, the line gives the points."""
    hand = next(h for h in map(play_hand, range(99)) if h.end == "tranque")
    seen = [*hand.observations[:-1], Entry(t=90.0, pair="B", points=sum(hand.left))]
    state = replay(start_match(FID), seen)
    assert state.last_result is not None and (state.last_result.end, state.last_result.points) == ("tranque", (0, sum(hand.left)))
    assert not any(isinstance(event, Infraction) for event in state.events)


def test_an_entry_for_the_wrong_pair_is_found_by_the_count() -> None:
    """The block went to the other pair: the score follows the tiles, and the entry is told as wrong when they are seen."""
    hand = next(h for h in map(play_hand, range(99)) if h.end == "tranque" and h.left[0] < h.left[1])
    total = sum(hand.left)
    seen = [*hand.observations[:-1], Entry(t=90.0, pair="B", points=total), hand.observations[-1]]
    state = replay(start_match(FID), seen)
    (told,) = state.infractions
    assert (told.code, told.at_obs, told.certain_at, told.difference) == ("SCORE_MISMATCH", len(seen) - 2, len(seen) - 1, total)
    assert state.points == (total, 0)


def test_a_final_count_of_a_hand_that_goes_on_is_no_end() -> None:
    """Players turn their tiles up though somebody can play: nothing is scored, the referee is told."""
    hand = play_hand(1)
    held = [list(tiles) for tiles in hand.dealt]
    opening = hand.observations[0]
    assert isinstance(opening, Place) and opening.tile is not None
    held[0].remove(opening.tile)
    state = replay(start_match(DUSA), [opening, Reveal(t=9.0, final=True, hands=tuple(map(tuple, held)))])  # type: ignore[arg-type]
    assert state.last_result is None and state.hand.playing
    assert [event.code for event in state.events if isinstance(event, Suspicion)] == ["FALSE_BLOCK"]


def test_tiles_turned_up_one_seat_after_the_other_are_no_fault() -> None:
    """A final count that does not show every seat yet waits; the hand ends when the 28 tiles are there."""
    hand = next(h for h in map(play_hand, range(99)) if h.end == "domination" and all(h.leftover[s] for s in Seat if s != h.by))
    count = hand.observations[-1]
    assert isinstance(count, Reveal)
    first = replace(count, hands=(*count.hands[:2], None, None))
    state = replay(start_match(DUSA), [*hand.observations[:-1], first])
    assert state.last_result is None and state.infractions == ()
    state = replay(state, [count])
    assert state.last_result is not None and state.last_result.left == hand.left and state.infractions == ()


def test_a_seat_left_out_of_a_complete_count_has_no_tiles() -> None:
    """The one who ran out need not be named."""
    hand = next(h for h in map(play_hand, range(99)) if h.end == "domination")
    count = hand.observations[-1]
    assert isinstance(count, Reveal)
    hands = tuple(tiles or None for tiles in count.hands)
    state = replay(start_match(DUSA), [*hand.observations[:-1], replace(count, hands=hands)])
    assert state.last_result is not None and state.last_result.left == hand.left and state.infractions == ()


def test_a_false_pass_can_stop_the_hand() -> None:
    """`renege_ends_hand`: void at the proof (D-15); without the switch the hand goes on."""
    seen = [
        Place(t=0.0, seat=Seat.S, tile=Tile(6, 6), at="open"),
        Pass(t=1.0, seat=Seat.E),
        Drop(t=2.0, seat=Seat.E, tile=Tile(6, 4)),
    ]
    stopped = replay(start_match(replace(DUSA, renege_ends_hand=True)), seen)
    assert stopped.last_result is not None and stopped.last_result.end == "void"
    assert replay(start_match(DUSA), seen).hand.playing


@pytest.mark.parametrize(
    ("tiles", "ends", "choice"),
    [
        ("6-4", (6, 4), True), ("6-4", (6, 6), False), ("6-4", (6, 1), False), ("6-4 6-1", (6, 6), True), ("3-2", (6, 5), False),
        ("6-6", (6, 6), False), ("6-6 5-5", (6, 5), True), ("", (0, 0), False),
    ],
)  # fmt: skip
def test_what_is_a_choice(tiles: str, ends: tuple[int, int], choice: bool) -> None:
    """Two tiles that fit, or one tile at two different numbers (FID-ACT-2)."""
    assert has_choice(tuple(Tile.parse(text) for text in tiles.split()), ends) == choice


def _positions(state: MatchState, held: tuple[frozenset[Tile], ...], depth: int) -> int:
    """Number of ways to go on legally for `depth` acts, turn and ends taken from the fold."""
    if depth == 0 or state.hand.closed is not None:
        return 1
    seat = state.hand.turn
    assert seat is not None
    ways = [
        (tile, at)
        for tile in sorted(held[seat])
        for at, end in zip("ab", state.hand.ends, strict=True)
        if end is not None and tile.has(end)
    ]
    total = 0
    for tile, at in ways:
        after, _ = observe(state, Place(t=0.0, seat=seat, tile=tile, at=at))  # type: ignore[arg-type]
        rest = tuple(tiles - {tile} if s == seat else tiles for s, tiles in zip(Seat, held, strict=True))
        total += _positions(after, rest, depth - 1)
    if not ways:
        total = _positions(replace(state, hand=replace(state.hand, turn=seat.right)), held, depth - 1)
    return total


@pytest.mark.parametrize(("depth", "count"), [(1, 5), (2, 15), (3, 39), (4, 130), (5, 319), (6, 771)])
def test_golden_number_of_legal_lines(depth: int, count: int) -> None:
    """From one fixed deal and opening the number of legal continuations, counted once without the rules package, stays the same."""
    hand = play_hand(20)
    state = replay(start_match(DUSA), hand.observations[:1])
    opening = hand.observations[0]
    assert isinstance(opening, Place) and opening.tile is not None
    held = tuple(frozenset(tiles) - {opening.tile} for tiles in hand.dealt)
    assert _positions(state, held, depth) == count


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_points_need_no_pass_to_be_heard(seed: int) -> None:
    """The same hand with and without its passes ends with the same result."""
    loud, silent = play_hand(seed), play_hand(seed, silent=True)
    rules = replace(FID, pass_channel="unreliable")
    results = [replay(start_match(rules, first_opener=Seat.S), hand.observations).last_result for hand in (loud, silent)]
    assert results[0] == results[1]
