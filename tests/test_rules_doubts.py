"""What was badly seen: how far a doubt reaches, and what settles it."""

from __future__ import annotations

from dataclasses import replace

from legal_play import play_hand

from rules.events import Advice, HandEnded, Infraction, Suspicion
from rules.observations import Clock, Correction, Entry, Expose, Observation, Pass, Place, Referee, Reveal
from rules.referee import replay, start_match
from rules.ruleset import DUSA, FID
from rules.seats import Seat
from rules.state import MatchState
from rules.tiles import Tile


def place(seat: int | None, tile: str, at: str, **more: object) -> Place:
    return Place(t=0.0, seat=None if seat is None else Seat(seat), tile=Tile.parse(tile), at=at, **more)  # type: ignore[arg-type]


def dusa(*seen: Observation) -> MatchState:
    return replay(start_match(DUSA, first_opener=Seat.S), seen)


def codes(state: MatchState) -> list[str]:
    return [event.code for event in state.events if isinstance(event, Infraction)]


OPENING = place(0, "6-6", "open")
BADLY_READ = place(1, "6-4", "a", confidence=0.9)


def test_a_tile_on_a_badly_read_one_leaves_a_doubtful_end() -> None:
    """4-3 lies well read on what may not be 6-4: which of its halves is open is not certain, and nobody is accused there."""
    state = dusa(OPENING, BADLY_READ, place(2, "4-3", "a"), place(3, "4-1", "a"))
    assert codes(state) == [] and [e.code for e in state.events if isinstance(e, Suspicion)] == ["NON_MATCHING"]


def test_a_double_or_two_well_read_tiles_end_the_doubt() -> None:
    """The next tile shares one number only with 4-3, or is a double: from there on the end is certain again."""
    for settling in ("3-1", "3-3"):
        state = dusa(OPENING, BADLY_READ, place(2, "4-3", "a"), place(3, settling, "a"), place(0, "4-2", "a"))
        assert codes(state) == ["NON_MATCHING"]


def test_a_correction_ends_the_doubt_at_once() -> None:
    """The badly read tile was right: what was a doubt is judged."""
    seen = (OPENING, BADLY_READ, place(2, "4-3", "a"), place(3, "4-1", "a"))
    state = replay(dusa(*seen), [_correct(1, place(1, "6-4", "a"))])
    assert codes(state) == ["NON_MATCHING"]


def _correct(voids: int, instead: Observation) -> Observation:
    return Correction(t=0.0, voids=voids, instead=instead)


def test_an_exposed_tile_may_have_been_played_unread() -> None:
    """E laid a tile that was not read after 6-2 fell: it may be that one, so no duty is broken and no pass is false."""
    fell = Expose(t=0.0, seat=Seat.E, tile=Tile(6, 2), cause="drop")
    unread = Place(t=0.0, seat=Seat.E, at="a", candidates=((Tile(6, 2), 0.5), (Tile(6, 3), 0.5)))
    state = dusa(
        OPENING, fell, unread, place(2, "6-0", "b"), place(3, "0-0", "b"), place(0, "4-0", "b"), Pass(t=0.0, seat=Seat.E)
    )
    assert codes(state) == ["EXPOSED"]


def test_the_worse_of_two_readings_gives_way() -> None:
    """6-4 was read at 0.9 and now lies, well read, elsewhere: the first one is the doubt (MT-11)."""
    state = dusa(OPENING, BADLY_READ, place(2, "6-4", "b"))
    assert (
        codes(state) == []
        and state.hand.ends == (None, 4)
        and "READ_CONFLICT" in [event.code for event in state.events if isinstance(event, Suspicion)]
    )


def test_a_block_told_from_a_doubtful_reading_is_undone_by_the_next_tile() -> None:
    """The seventh tile was misread: somebody plays on, and the hand is not over."""
    hand = next(h for h in map(play_hand, range(99)) if h.end == "tranque")
    plays = [index for index, seen in enumerate(hand.observations) if isinstance(seen, Place)]
    seen = list(hand.observations[:-1])
    seen[plays[-1]] = replace(seen[plays[-1]], confidence=0.8)
    rest = next(tiles[0] for tiles in hand.leftover if tiles)
    state = replay(start_match(FID, first_opener=Seat.S), seen)
    assert state.hand.closed is not None
    assert replay(state, [Place(t=99.0, seat=hand.by.right, tile=rest, at="a")]).hand.closed is None
    sure = replay(start_match(FID, first_opener=Seat.S), hand.observations[:-1])
    assert replay(sure, [Place(t=99.0, seat=hand.by.right, tile=rest, at="a")]).hand.closed is not None


def test_hands_may_be_turned_up_one_look_after_the_other() -> None:
    """Each look shows one seat only; when all 28 tiles were seen the hand is scored, once."""
    hand = next(h for h in map(play_hand, range(99)) if h.end == "tranque" and h.left[0] != h.left[1])
    count = hand.observations[-1]
    assert isinstance(count, Reveal)
    looks = []
    for seat in Seat:
        hands: list[tuple[Tile, ...] | None] = [None, None, None, None]
        hands[seat] = count.hands[seat]
        looks.append(replace(count, hands=(hands[0], hands[1], hands[2], hands[3])))
    state = dusa(*hand.observations[:-1], *looks)
    assert state.last_result is not None and state.last_result.left == hand.left and codes(state) == []
    assert [type(event) for event in state.events].count(HandEnded) == 1


def test_level_totals_are_put_to_the_referee_once_a_hand() -> None:
    """Time goes by between two hands: the advice is not repeated with every tick (D-07)."""
    seen = [Place(t=0.0, seat=Seat.S, tile=Tile(6, 6), at="open"), Entry(t=10.0, pair="B", points=30)]
    state = replay(start_match(DUSA, points=(30, 0)), [*seen, *(Clock(t=2400.0 + i) for i in range(5))])
    assert [e.code for e in state.events if isinstance(e, Advice)] == ["LEVEL_SCORE"] and not state.over


def test_a_lost_opening_is_served_in_the_fold() -> None:
    """E's tile falls in hand 1: the openers are 0, 2, 3, 0, 1, 2, and nobody opens wrongly (MT-03, D-13)."""
    state = dusa(OPENING, Expose(t=1.0, seat=Seat.E, tile=Tile(2, 0), cause="drop"), Entry(t=9.0, pair="A", points=3))
    for opener in (2, 3, 0, 1, 2):
        state = replay(state, [place(opener, "6-6", "open"), Entry(t=9.0, pair="A", points=3)])
    assert codes(state) == ["EXPOSED"] and state.lost_openings == () and state.lost_ever == (Seat.E,)
    assert "WRONG_STARTER" in codes(replay(dusa(OPENING, Entry(t=9.0, pair="A", points=3)), [place(2, "6-6", "open")]))


def test_a_ruling_names_an_observation_of_any_time() -> None:
    """Numbers beyond the record are no incident; nothing is raised."""
    state = dusa(OPENING, Referee(t=1.0, ruling="go_back", incident=10**6), Referee(t=1.0, ruling="incident", incident=10**6))
    assert state.hand.ends == (6, 6) and [i.at_obs for i in state.infractions] == [2]
