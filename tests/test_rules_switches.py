"""What each decision of a rule set changes when a federation settles it otherwise."""

from __future__ import annotations

from dataclasses import replace

from rules.events import Advice, Infraction, Ruled, Suspicion
from rules.incidents import open_incidents
from rules.observations import (
    Announce,
    Drop,
    Entry,
    Expose,
    Observation,
    Pass,
    Place,
    Referee,
    Reveal,
    Shuffle,
    Take,
    Touch,
    Withdraw,
)
from rules.referee import replay, start_match
from rules.ruleset import DUSA, FID, Ruleset
from rules.seats import Seat
from rules.state import MatchState
from rules.tiles import Tile

S, E, N, W = Seat


def place(seat: Seat, tile: str, at: str = "a", t: float = 0.0) -> Place:
    return Place(t=t, seat=seat, tile=Tile.parse(tile), at=at)  # type: ignore[arg-type]


def judged(ruleset: Ruleset, *seen: Observation, **switches: object) -> MatchState:
    return replay(start_match(ruleset.with_switches(switches), first_opener=S), seen)


def told(state: MatchState) -> list[tuple[str, Seat | tuple[Seat, Seat] | None, int | None]]:
    return [(one.code, one.seat, one.fine) for one in state.infractions]


def doubts(state: MatchState) -> list[tuple[str, tuple[Seat, ...]]]:
    return [(one.code, one.seats) for one in state.events if isinstance(one, Suspicion)]


def test_the_fine_of_a_wrong_opener() -> None:
    """20 by DUSA-7 unless the organiser says otherwise (D-16); never a fine under FID (FID-ACT-10)."""
    wrong = place(E, "6-6", "open")
    assert told(judged(DUSA, wrong)) == [("WRONG_STARTER", E, 20)]
    assert told(judged(DUSA, wrong, wrong_starter_fine=0)) == [("WRONG_STARTER", E, None)]
    assert told(judged(FID, wrong)) == [("WRONG_STARTER", E, None)]


def test_the_fine_of_a_wrong_end() -> None:
    """None by default (DUSA-12), or what the organiser sets (D-18)."""
    seen = (place(S, "6-5", "open"), place(E, "6-4", "a"))
    assert told(judged(DUSA, *seen)) == [("WRONG_END", E, None)]
    (told_once,) = judged(DUSA, *seen, wrong_end_fine=10).infractions
    assert (told_once.fine, told_once.credit) == (10, "A")


def test_who_opens_an_ordered_repeat() -> None:
    """By default the next seat where the opener's pair was at fault (D-17); or always the same, or always the next."""
    at_fault = (place(S, "6-6", "open"), place(E, "6-4"), place(N, "1-1"), Referee(t=1, ruling="repeat_hand", incident=2))
    clean = (place(S, "6-6", "open"), place(E, "1-1"), Referee(t=1, ruling="repeat_hand", incident=1))
    assert [judged(FID, *seen).repeat_opener for seen in (at_fault, clean)] == [E, S]
    assert [judged(FID, *seen, repeat_opener="same").repeat_opener for seen in (at_fault, clean)] == [S, S]
    assert [judged(FID, *seen, repeat_opener="next").repeat_opener for seen in (at_fault, clean)] == [E, E]


def test_until_when_a_card_can_be_used() -> None:
    """The holder's next tile ends his choice (D-17), or only the count does."""
    seen = (place(S, "6-6", "open"), place(E, "6-4"), place(N, "1-1"), place(W, "6-2", "b"))
    assert [card.status for card in judged(FID, *seen).cards] == ["lapsed"]
    (card,) = judged(FID, *seen, card_lapses="count").cards
    assert (card.status, card.deadline) == ("open", "count")
    (card,) = judged(FID, *seen, Entry(t=9, pair="A", points=30), place(E, "5-5", "open"), card_lapses="count").cards
    assert card.status == "lapsed"


def test_a_run_announced_falsely() -> None:
    """Somebody could play: out of turn (D-24), or premature where the organiser calls it so; one fine either way."""
    seen = (
        place(S, "6-6", "open"), place(E, "6-4"), Announce(t=3, seat=E), place(E, "4-2"),
        Reveal(t=5, final=False, hands=(None, None, (Tile(6, 3),), None)),
    )  # fmt: skip
    assert told(judged(DUSA, *seen)) == [("OUT_OF_TURN", E, 20)]
    assert told(judged(DUSA, *seen, false_announcement="premature_run")) == [("PREMATURE_RUN", E, 20)]


def test_four_passes_that_are_no_block() -> None:
    """The hand goes on after them (D-31), or is void."""
    seen = (place(S, "6-6", "open"), *(Pass(t=float(seat), seat=seat) for seat in (E, N, W, S)))
    on, void = judged(DUSA, *seen), judged(DUSA, *seen, four_passes="void")
    assert [one[0] for one in told(on)] == [one[0] for one in told(void)] == ["RENEGE_UNATTRIBUTED"]
    assert on.hand.result is None and void.hand.result is not None and void.hand.result.end == "void"


def test_how_long_a_knock_lasts() -> None:
    """A touch within a second of the knock is the knock (D-29); with 0 it is a touch as well."""
    seen = (place(S, "6-6", "open"), Pass(t=2.0, seat=E, via="knock"), Touch(t=2.8, seat=E, slot=1, dur=0.5))
    assert told(judged(FID, *seen)) == []
    assert told(judged(FID, *seen, knock_s=0.0)) == [("TOUCHED", E, None)]


def test_many_doubles_may_be_dealt_again_where_that_is_the_custom() -> None:
    """Never by the rules (D-10, FID-PUN-9); with the switch the referee is told before the opening, and nobody is accused."""
    doubles = tuple(Tile(n, n) for n in range(5))
    shown = Reveal(t=0, final=False, hands=(None, (*doubles, Tile(6, 5), Tile(6, 4)), None, None))
    assert judged(DUSA, shown).events == ()
    assert [(one.code, one.seat) for one in judged(DUSA, shown, redeal_doubles=5).events if isinstance(one, Advice)] == [
        ("REDEAL", E)
    ]
    assert judged(DUSA, shown, redeal_doubles=6).events == ()


def test_a_tile_turned_up_in_the_shuffle_is_nobodys() -> None:
    """No infraction, no lost opening, no duty (D-30); after the taking it is the seat's."""
    shuffle, fallen, opening = Shuffle(t=0, seat=W), Drop(t=1, seat=W, tile=Tile(2, 1)), place(S, "6-6", "open", 9)
    exposed = Expose(t=2, seat=N, tile=Tile(3, 1))
    for ruleset in (DUSA, FID):
        state = judged(ruleset, shuffle, fallen, exposed, opening)
        assert state.infractions == () and state.lost_openings == () and state.hand.exposed == ()
        taken = judged(ruleset, shuffle, Take(t=1, seat=W, count=7), replace(fallen, t=3), opening)
        assert told(taken) == [("EXPOSED", W, None)]


def test_a_tile_that_fitted_and_is_changed_for_another_is_put_to_the_referee() -> None:
    """Laid, taken back, another laid: a doubt under the rule that it may break (DUSA-6, FID-ACT-1), never an accusation by itself."""
    seen = (place(S, "6-6", "open"), place(E, "6-4"), Withdraw(t=3, seat=E, tile=Tile(6, 4)), place(E, "6-2"))
    for ruleset, code in ((DUSA, "TOUCH_BREACH"), (FID, "TILE_MOVED")):
        state = judged(ruleset, *seen)
        assert state.infractions == () and doubts(state) == [(code, (E,))]
        upheld = replay(state, [Referee(t=9, ruling="uphold", incident=3)])
        assert [(one.code, one.seat) for one in upheld.infractions] == [(code, E)]


def test_a_tile_laid_again_where_it_lay_is_no_change() -> None:
    """Taken back and laid again, or changed because it did not fit: nothing to ask."""
    again = (place(S, "6-6", "open"), place(E, "6-4"), Withdraw(t=3, seat=E, tile=Tile(6, 4)), place(E, "6-4", "b"))
    wrong = (place(S, "6-6", "open"), place(E, "4-4"), Withdraw(t=3, seat=E, tile=Tile(4, 4)), place(E, "6-2"))
    for ruleset in (DUSA, FID):
        assert doubts(judged(ruleset, *again)) == [] == doubts(judged(ruleset, *wrong))


def test_a_black_card_after_the_match_changes_nothing() -> None:
    """The result of a match that is over stands (FID-TAR-N3 speaks of one that is not): the ruling is refused with its reason."""
    state = judged(FID, place(S, "6-6", "open"), Entry(t=5, pair="A", points=300), Referee(t=9, ruling="black_card", seat=S))
    assert (state.winner, state.totals, state.ended_by) == ("A", (300, 0), "target")
    assert [event.refused for event in state.events if isinstance(event, Ruled)] == ["match_over"]


def test_what_is_open_goes_with_what_was_told() -> None:
    """A changed tile waits among the open incidents until a person decides it."""
    seen = (place(S, "6-6", "open"), place(E, "6-4"), Withdraw(t=3, seat=E, tile=Tile(6, 4)), place(E, "6-2"))
    state = judged(DUSA, *seen)
    assert [one.code for one in open_incidents(state)] == ["TOUCH_BREACH"]
    settled = replay(state, [Referee(t=9, ruling="dismiss", incident=3)])
    assert open_incidents(settled) == () and not any(isinstance(one, Infraction) for one in settled.events)
