"""Acts that look like infractions and are none, found by random play."""

from __future__ import annotations

from dataclasses import replace

import pytest
from legal_play import play_hand

from rules.events import Suspicion
from rules.observations import Drop, Expose, Lift, Move, Observation, Pass, Place, RackCount, Referee, Reveal, Touch, Withdraw
from rules.referee import observe, replay, start_match
from rules.ruleset import DUSA, FID, RULESETS, Ruleset
from rules.seats import Seat
from rules.state import MatchState
from rules.tiles import Tile

BOTH = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
S, E, N, W = Seat


def judge(ruleset: Ruleset, *seen: Observation, channel: str = "unreliable") -> MatchState:
    return replay(start_match(replace(ruleset, pass_channel=channel), first_opener=S), seen)  # type: ignore[arg-type]


def lay(t: float, seat: Seat, tile: str, at: str) -> Place:
    return Place(t=t, seat=seat, tile=Tile.parse(tile), at=at)  # type: ignore[arg-type]


def test_a_touched_tile_that_was_played_after_a_silent_pass_is_no_duty_any_more() -> None:
    """N lays the tile it had touched, E having passed unheard; that it would fit again later is no breach (DUSA-6)."""
    state = judge(
        DUSA,
        lay(0, S, "4-1", "open"),
        Touch(t=1, seat=N, tile=Tile.parse("5-4"), dur=0.5),
        lay(2, N, "5-4", "b"),
        lay(4, W, "5-5", "b"),
        lay(6, S, "3-1", "a"),
        lay(8, E, "3-2", "a"),
        lay(10, N, "5-3", "b"),
    )
    assert state.infractions == ()


@pytest.mark.parametrize(("channel", "certain"), [("unreliable", 0), ("reliable", 1)])
def test_the_fourth_seat_may_stand_up_after_a_silent_pass_of_its_partner(channel: str, certain: int) -> None:
    """E and N pass and W takes its tiles up: where passes cannot be heard that is a doubt, elsewhere PREMATURE_LIFT (FID-SAL-8)."""
    state = judge(FID, lay(0, S, "6-4", "open"), Lift(t=6, seat=W), lay(7, W, "6-5", "b"), channel=channel)
    assert len([one for one in state.infractions if one.code == "PREMATURE_LIFT"]) == certain


@BOTH
def test_a_fallen_tile_whose_face_nobody_saw_may_be_back_on_the_rack(ruleset: Ruleset) -> None:
    """S takes it up again or plays it: six or seven tiles on the rack are no fault of the deal."""
    state = judge(ruleset, Drop(t=0, seat=S), lay(1, S, "6-4", "open"), RackCount(t=2, seat=S, count=6))
    assert [one.code for one in state.infractions] == ["EXPOSED"]


def test_a_tile_that_was_not_read_may_have_been_the_other_choice() -> None:
    """S thinks with 2-1 and 2-0 in hand; that its later 2-0 could not be read leaves the thought in doubt (FID-ACT-2)."""
    left = tuple(Tile.parse(tile) for tile in ("3-3", "5-5", "6-6", "6-3"))
    state = judge(
        FID,
        lay(0, S, "6-4", "open"),
        lay(2, E, "6-5", "b"),
        lay(4, N, "5-3", "b"),
        lay(6, W, "3-2", "b"),
        lay(16, S, "2-1", "b"),
        lay(18, E, "1-1", "b"),
        lay(20, N, "5-1", "b"),
        lay(22, W, "4-2", "a"),
        replace(lay(24, S, "2-0", "a"), tile=None, candidates=((Tile.parse("2-0"), 0.6), (Tile.parse("2-2"), 0.4))),
        Reveal(t=26, final=False, hands=(left, None, None, None)),
        channel="reliable",
    )
    assert state.infractions == ()


@BOTH
def test_a_seat_that_was_passed_over_may_take_its_turn_back(ruleset: Ruleset) -> None:
    """N laid over E in silence and E lays next: E takes its turn back, or W and S passed unheard; W's tile that fitted decides nothing."""
    seen = (lay(0, S, "6-4", "open"), lay(2, N, "6-5", "b"), lay(4, E, "5-3", "b"), lay(6, W, "4-1", "a"))
    assert judge(ruleset, *seen, channel="reliable").infractions == ()


def test_a_last_tile_put_right_ends_the_hand() -> None:
    """The last tile at the wrong end waits to be put right; moved to the end that it fits, it is the domination (FID-VOC-2)."""
    hand = next(hand for hand in map(play_hand, range(200)) if _last_fits_one_end(hand.observations))
    *before, last, _ = hand.observations
    other = "b" if last.at == "a" else "a"
    state = replay(start_match(FID, first_opener=S), [*before, replace(last, at=other)])
    assert [one.code for one in state.infractions] == ["WRONG_END"] and state.hand.closed is None
    moved, events = observe(state, Move(t=last.t + 1, seat=last.seat, tile=last.tile, to=last.at, mm=200.0))
    assert moved.hand.closed is not None and (moved.hand.closed.end, moved.hand.closed.by_seat) == ("domination", last.seat)
    assert [event.type for event in events] == ["hand_closed", "tile_moved"]
    turned_up = next((seat, tiles[0]) for seat, tiles in enumerate(hand.leftover) if tiles)
    shown, _ = observe(moved, Expose(t=last.t + 3, seat=Seat(turned_up[0]), tile=turned_up[1]))
    assert shown.infractions == state.infractions


def _last_fits_one_end(seen: tuple[Observation, ...]) -> bool:
    """Whether the hand ends by a last tile that fits the end where it was laid alone."""
    last = seen[-2]
    ends = replay(start_match(FID, first_opener=S), seen[:-2]).hand.ends
    whole = replay(start_match(FID, first_opener=S), seen[:-1]).hand.closed
    fits = [end for end in ends if isinstance(last, Place) and last.tile is not None and end is not None and last.tile.has(end)]
    return whole is not None and whole.end == "domination" and len(fits) == 1


@BOTH
def test_no_score_while_one_tile_was_well_read_twice(ruleset: Ruleset) -> None:
    """A tile read surely as one that lies already is a fault of the set; the count scores when a person has settled it (FID-BEH-5)."""
    hand = play_hand(3)
    *played, count = hand.observations
    places = [index for index, seen in enumerate(played) if isinstance(seen, Place)]
    played[places[6]] = replace(played[places[6]], tile=played[places[2]].tile)
    twice = replay(start_match(ruleset, first_opener=S), [*played, count])
    assert [one.code for one in twice.infractions] == ["TILE_SET_FAULT"] and twice.hand.result is None
    settled = replay(twice, [Referee(t=count.t + 1, ruling="dismiss", code="TILE_SET_FAULT"), replace(count, t=count.t + 2)])
    assert settled.infractions == () and settled.hand.result is not None and settled.hand.result.counted


def test_thinking_is_not_judged_by_a_count_with_a_tile_twice() -> None:
    """A hand rebuilt from readings of which one is wrong proves no lack of choice (FID-ACT-2)."""
    *played, count = play_hand(3, gap_s=4.0).observations
    state = replay(start_match(FID, first_opener=S), played)
    right, _ = observe(state, count)
    late = {one.code for one in right.infractions if one not in state.infractions}
    assert late == {"FALSE_THINK"}
    seat = next(seat for seat in Seat if count.hands[seat])
    hands = list(count.hands)
    hands[seat] = (played[0].tile, *count.hands[seat][1:])
    wrong, _ = observe(state, replace(count, hands=tuple(hands)))
    assert {one.code for one in wrong.infractions if one not in state.infractions} == {"TILE_SET_FAULT"}


def test_who_owes_two_tiles_may_play_either() -> None:
    """N took 2-1 back and dropped 3-3; when both fit, either may be laid, and only a third tile is a breach (DUSA-6, D-14)."""
    seen = (
        lay(0, S, "3-0", "open"),
        lay(2, E, "4-0", "a"),
        lay(4, N, "2-1", "a"),
        Withdraw(t=5, seat=N, tile=Tile.parse("2-1")),
        lay(6, N, "5-4", "a"),
        Drop(t=7, seat=N, tile=Tile.parse("3-3")),
        lay(8, W, "5-1", "a"),
        lay(10, S, "1-1", "a"),
        Pass(t=12, seat=E),
    )
    breaches = {
        tile: [one.at_obs for one in judge(DUSA, *seen, lay(14, N, tile, at)).infractions if one.code == "TOUCH_BREACH"]
        for tile, at in (("2-1", "a"), ("3-3", "b"), ("6-1", "a"))
    }
    assert breaches == {"2-1": [], "3-3": [], "6-1": [9]}


def test_who_owed_two_tiles_still_owes_the_other() -> None:
    """N touched 2-1 and dropped 3-3: it lays one when both fit, and a third tile while the other fits is the breach (DUSA-6)."""
    seen = (
        lay(0, S, "3-1", "open"),
        Touch(t=1, seat=N, tile=Tile.parse("2-1"), dur=0.5),
        Drop(t=2, seat=N, tile=Tile.parse("3-3")),
        Pass(t=4, seat=E),
        lay(6, N, "3-3", "b"),
        Pass(t=8, seat=W),
        Pass(t=10, seat=S),
        Pass(t=12, seat=E),
        lay(14, N, "5-1", "a"),
    )
    assert [(one.code, one.seat, one.at_obs) for one in judge(DUSA, *seen).infractions] == [
        ("EXPOSED", N, 2),
        ("TOUCH_BREACH", N, 8),
    ]


def test_a_tile_taken_back_for_one_that_had_to_be_played_is_no_question() -> None:
    """N takes 3-0 back and lays the tile that it had dropped: both had to be played, and nothing is asked (DUSA-6, D-14)."""
    state = judge(
        DUSA,
        lay(0, S, "6-3", "open"),
        Pass(t=1, seat=E),
        Drop(t=2, seat=N, tile=Tile.parse("6-4")),
        lay(3, N, "3-0", "b"),
        Withdraw(t=4, seat=N, tile=Tile.parse("3-0")),
        lay(5, N, "6-4", "b"),
    )
    assert not [one for one in state.events if isinstance(one, Suspicion)]
    assert [one.code for one in state.infractions] == ["EXPOSED", "WRONG_END"]


@BOTH
def test_tiles_turned_up_where_a_seat_may_have_run_out_unseen_are_no_exposure(ruleset: Ruleset) -> None:
    """S has laid six, and the seat of one tile was not seen: what is turned up may belong to the count, one question and no charge."""
    seats = (S, E, N, W)
    tiles = "6-4 4-4 4-3 3-3 3-2 2-2 2-1 1-1 1-0 0-0 0-6 6-6 6-5 5-5 5-4 4-2 2-0 0-3 3-1 1-4 4-0 0-5 5-1"
    plays = [lay(k, seats[k % 4], tile, "b" if k else "open") for k, tile in enumerate(tiles.split(" "))]
    plays[5] = replace(plays[5], seat=None)
    shown = [Expose(t=30, seat=S, tile=Tile.parse("5-2")), Expose(t=31, seat=S, tile=Tile.parse("6-2"))]
    state = judge(ruleset, *plays, *shown)
    assert "EXPOSED" not in [one.code for one in state.infractions]
    assert state.lost_openings == ()
    assert [one.seats for one in state.events if isinstance(one, Suspicion) and one.code == "EXPOSED"] == [(S,)]
    early = judge(ruleset, *plays[:16], *shown)
    assert [one.code for one in early.infractions].count("EXPOSED") == 2
