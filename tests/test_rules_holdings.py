"""What each seat can still hold, counted exactly, and passes that contradict each other."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st
from legal_play import play_hand

from rules.deals import Holder, can_be_dealt, count_deals
from rules.holdings import Holdings, holdings
from rules.observations import Expose, Observation, Pass, Place, RackCount, Reveal
from rules.referee import observe, replay, start_match
from rules.ruleset import DUSA, FID
from rules.seats import Seat
from rules.state import MatchState
from rules.tiles import ALL_TILES, Tile

SMALL = st.lists(st.builds(Holder, st.integers(0, 3), st.integers(0, 63)), min_size=2, max_size=4)


def _brute(tiles: int, holders: list[Holder]) -> tuple[int, dict[tuple[int, int], int]]:
    """Every way to give each tile to a holder, counted one by one: all, and by tile and holder."""
    bits = [bit for bit in range(tiles.bit_length()) if tiles >> bit & 1]
    deals, having = 0, dict.fromkeys(product(bits, range(len(holders))), 0)
    for owners in product(range(len(holders)), repeat=len(bits)):
        fits = all(not holders[owner].barred >> bit & 1 for bit, owner in zip(bits, owners, strict=True))
        if fits and all(owners.count(index) == holder.room for index, holder in enumerate(holders)):
            deals += 1
            for bit, owner in zip(bits, owners, strict=True):
                having[bit, owner] += 1
    return deals, having


@settings(max_examples=150, deadline=None)
@given(tiles=st.integers(0, 63), holders=SMALL)
def test_deals_are_counted_as_one_by_one(tiles: int, holders: list[Holder]) -> None:
    """Number of deals and the share of each holder in each tile, against every deal tried; Hall's condition tells whether there is one."""
    deals, having = _brute(tiles, holders)
    counted = count_deals(tiles, holders)
    assert counted.deals == deals
    assert can_be_dealt(tiles, holders) == (deals > 0)
    for (bit, owner), number in having.items() if deals else ():
        assert counted.shares[bit][owner] == Fraction(number, deals)


def test_the_first_opening_leaves_all_deals() -> None:
    """27 tiles for 6, 7, 7 and 7 places: the multinomial number, and equal chances within a seat."""
    state = replay(start_match(DUSA), [Place(t=0.0, seat=Seat.S, tile=Tile(6, 6), at="open")])
    found = holdings(state)
    assert found.deals == 472518347558400 // 4  # 28! / 7!^4, a quarter of them with 6-6 at one seat
    assert found.chance(Seat.S, Tile(6, 5)) == Fraction(6, 27) and found.chance(Seat.E, Tile(0, 0)) == Fraction(7, 27)
    assert found.chance(Seat.S, Tile(6, 6)) == 0 and found.of(Tile(6, 6)) is None


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), exposed=st.booleans(), silent=st.booleans())
def test_the_true_deal_is_always_among_them(seed: int, exposed: bool, silent: bool) -> None:
    """Honest random play: no contradiction, every tile is possible where it is, and the chances add up by tile and by seat."""
    played = play_hand(seed, silent=silent)
    state = start_match(FID, first_opener=played.opener)
    if exposed:
        shown = Expose(t=0.0, seat=Seat.W, tile=played.dealt[Seat.W][0], cause="drop")
        state, _ = observe(state, shown)
    for seen in played.observations:
        state, _ = observe(state, seen)
        _true_deal_holds(state, played.dealt)


def _true_deal_holds(state: MatchState, dealt: tuple[tuple[Tile, ...], ...]) -> None:
    for unsignalled in (False, True):
        found = holdings(state, unsignalled=unsignalled)
        assert found.contradiction is None and found.refuted == () and found.because is None and found.deals
        for holding in found.tiles:
            owner = next(seat for seat in Seat if holding.tile in dealt[seat])
            assert holding.chances is not None and holding.chances[owner] > 0 and owner in holding.seats
            assert sum(holding.chances) == 1
            assert {seat for seat in Seat if holding.chances[seat]} == set(holding.seats)
        for seat in Seat:
            assert sum(holding.chances[seat] for holding in found.tiles if holding.chances) == state.hand.held(seat)


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6), unread=st.booleans())
def test_late_in_a_hand_every_deal_can_be_tried(seed: int, unread: bool) -> None:
    """With few tiles left the chances are those of trying every deal of them against the passes heard."""
    seen = list(play_hand(seed).observations[:-1])
    if unread:
        seen[-1] = _unread(seen[-1])
    state = start_match(DUSA)
    passed: list[tuple[Seat, tuple[int | None, int | None], int]] = []
    for index, observation in enumerate(seen):
        if isinstance(observation, Pass):
            passed.append((observation.seat, state.hand.ends, index))
        state, _ = observe(state, observation)
    lying = {o.tile for o in seen if isinstance(o, Place)}
    left = [tile for tile in ALL_TILES if tile not in lying]
    if len(left) > 8:
        return
    places = [(seat, len(seen)) for seat in Seat for _ in range(state.hand.held(seat) or 0)]
    places += [(o.seat, index) for index, o in enumerate(seen) if isinstance(o, Place) and o.tile is None and o.seat is not None]
    deals = _deals_of(left, places, passed)
    found = holdings(state)
    assert found.deals == len(deals)
    for tile in left:
        for seat in Seat:
            having = sum(deal[tile] == (seat, len(seen)) for deal in deals)
            assert found.chance(seat, tile) == Fraction(having, len(deals))


def _unread(seen: Observation) -> Observation:
    return replace(seen, tile=None, candidates=((Tile(0, 0), 0.5),)) if isinstance(seen, Place) else seen


def _deals_of(left: list[Tile], places: list[tuple[Seat, int]], passed: list) -> list[dict[Tile, tuple[Seat, int]]]:  # type: ignore[type-arg]
    """Every different filling of the places that no pass speaks against; a place is a seat, and when the tile left its hand."""
    if not left:
        return [{}]
    tile, deals = left[0], []
    for seat, until in set(places):
        if any(who == seat and at < until and any(e is not None and tile.has(e) for e in ends) for who, ends, at in passed):
            continue
        rest = list(places)
        rest.remove((seat, until))
        deals += [deal | {tile: (seat, until)} for deal in _deals_of(left[1:], rest, passed)]
    return deals


def _contradictory() -> list[Observation]:
    """S keeps both ends by 6-6 and 6-0: after three passes each he would hold more sixes and blanks than he has room for."""
    line = [Place(t=0.0, seat=Seat.S, tile=Tile(6, 6), at="open"), *_passes(2.0)]
    return [*line, Place(t=8.0, seat=Seat.S, tile=Tile(6, 0), at="a"), *_passes(10.0)]


def _passes(t: float) -> list[Observation]:
    return [Pass(t=t + 2.0 * step, seat=seat) for step, seat in enumerate((Seat.E, Seat.N, Seat.W))]


def test_passes_that_cannot_all_be_true_are_named() -> None:
    """Eleven sixes and blanks for five places: the three later passes cannot all be true, and each alone explains it."""
    found = holdings(replay(start_match(DUSA), _contradictory()))
    assert found.deals == 0 and found.contradiction is not None and found.because is not None
    assert [(record.seat, record.obs) for record in found.contradiction.passes] == [(Seat.E, 5), (Seat.N, 6), (Seat.W, 7)]
    assert [record.obs for record in found.contradiction.suspects] == [5, 6, 7]
    assert found.chance(Seat.E, Tile(5, 5)) is None and found.tiles_of(Seat.E) == found.tiles_of(Seat.N)
    assert found.missing[Seat.E] == (0, 6) and found.missing[Seat.S] == ()


def test_one_pass_less_and_it_agrees() -> None:
    """Without any one of the suspects there are deals again."""
    seen = _contradictory()
    for suspect in (5, 6, 7):
        told = [Pass(t=o.t, seat=o.seat, via="seen") if i == suspect and isinstance(o, Pass) else o for i, o in enumerate(seen)]
        assert holdings(replay(start_match(DUSA), told)).deals
    told = [Pass(t=o.t, seat=o.seat, via="seen") if isinstance(o, Pass) else o for o in seen]
    assert holdings(replay(start_match(DUSA), told)).contradiction is None
    assert holdings(replay(start_match(DUSA), told), unsignalled=True).contradiction is not None


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_an_explanation_explains(seed: int) -> None:
    """Random passes at random places: when they contradict, taking an explanation as false leaves deals, and `passes` alone has none."""
    rng = random.Random(seed)
    played = [seen for seen in play_hand(seed, silent=True).observations[:-1] if isinstance(seen, Place)][: rng.randint(3, 12)]
    seen: list[Observation] = []
    for place in played:
        seen.append(place)
        if place.seat is not None:
            seen += [Pass(t=place.t, seat=seat) for seat in (place.seat.right, place.seat.partner) if rng.random() < 0.6]
    state = replay(start_match(DUSA), seen)
    found = holdings(state)
    assert (found.deals == 0) == (found.contradiction is not None)
    if found.contradiction is None:
        return
    assert _with_passes(state, found.contradiction.passes).deals == 0
    assert found.contradiction.explanations
    for false in found.contradiction.explanations:
        assert _with_passes(state, [p for p in state.hand.passes if p not in false]).deals
        assert not any(_with_passes(state, [p for p in state.hand.passes if p not in false[1:]]).deals for _ in false[1:2])


def _with_passes(state: MatchState, passes: object) -> Holdings:
    return holdings(replace(state.hand, passes=tuple(passes)))  # type: ignore[call-overload]


def test_a_pass_refuted_by_a_tile_is_told_and_not_counted_with() -> None:
    """The tile that E lays later fitted when he passed: a false pass, and what it said of E holds no more."""
    seen = [
        Place(t=0.0, seat=Seat.S, tile=Tile(6, 6), at="open"),
        Pass(t=2.0, seat=Seat.E),
        Place(t=4.0, seat=Seat.N, tile=Tile(6, 3), at="a"),
        Place(t=6.0, seat=Seat.W, tile=Tile(3, 1), at="a"),
        Pass(t=8.0, seat=Seat.S),
        Place(t=10.0, seat=Seat.E, tile=Tile(6, 4), at="b"),
    ]
    found = holdings(replay(start_match(DUSA), seen))
    assert [record.obs for record in found.refuted] == [1]
    assert found.missing[Seat.E] == () and found.missing[Seat.S] == (1, 6) and found.deals


def test_a_tile_that_is_shown_is_where_it_is() -> None:
    """Exposed and audited tiles are certain, and take their room."""
    seen: list[Observation] = [
        Place(t=0.0, seat=Seat.S, tile=Tile(6, 6), at="open"),
        Expose(t=1.0, seat=Seat.W, tile=Tile(5, 5), cause="drop"),
        Reveal(t=2.0, final=False, hands=(None, tuple(ALL_TILES[:7]), None, None)),
    ]
    found = holdings(replay(start_match(DUSA), seen))
    assert found.chance(Seat.W, Tile(5, 5)) == 1 and found.chance(Seat.E, ALL_TILES[0]) == 1
    assert found.chance(Seat.E, Tile(6, 5)) == 0 and set(found.tiles_of(Seat.E)) == set(ALL_TILES[:7])


def test_tiles_that_contradict_each_other_need_no_pass() -> None:
    """One tile shown by two seats: no deal, and no pass to blame."""
    seen = [Place(t=0.0, seat=Seat.S, tile=Tile(6, 6), at="open")]
    shown = [Expose(t=1.0, seat=seat, tile=Tile(5, 5), cause="drop") for seat in (Seat.W, Seat.E)]
    found = holdings(replay(start_match(DUSA), [*seen, *shown]))
    assert found.contradiction is not None and found.contradiction.passes == () and found.contradiction.explanations == ()


def test_without_a_seat_less_is_told_and_why() -> None:
    """A play of an unknown seat: what the passes say still holds, chances are not given."""
    seen = [
        Place(t=0.0, seat=Seat.S, tile=Tile(6, 6), at="open"),
        Pass(t=2.0, seat=Seat.E),
        Place(t=4.0, tile=Tile(6, 3), at="a"),
    ]
    found = holdings(replay(start_match(DUSA), seen))
    assert found.deals is None and found.because == "the seat of a play is not known"
    holding = found.of(Tile(6, 5))
    assert holding is not None and holding.chances is None and holding.seats == (Seat.S, Seat.N, Seat.W)
    rack = [*seen[:2], RackCount(t=3.0, seat=Seat.N, count=6)]
    assert holdings(replay(start_match(DUSA), rack)).because == "a rack had not seven tiles"
