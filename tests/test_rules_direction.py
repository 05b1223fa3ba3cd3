"""Which way round the plays run: what is held back until it is known, and what an alarm takes back."""

from __future__ import annotations

import pytest

from rules.events import HandOpened, Infraction, Ruled, Suspicion
from rules.incidents import open_incidents
from rules.observations import Entry, Expose, Observation, Place, Referee
from rules.referee import observe, replay, start_match
from rules.ruleset import DUSA, FID, RULESETS, Ruleset
from rules.seats import Seat
from rules.state import MatchState
from rules.tiles import Tile

S, E, N, W = Seat
TILES = ("6-6 open", "6-4 a", "6-1 b", "4-2 a", "2-2 a", "2-0 a")
BOTH = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)


def plays(seats: str, start_s: float = 0.0) -> list[Observation]:
    """Matching tiles, laid by these seats."""
    laid = (tile.split() for tile in TILES)
    return [
        Place(t=start_s + 2.0 * i, seat=Seat.parse(seat), tile=Tile.parse(tile), at=at)  # type: ignore[arg-type]
        for i, (seat, (tile, at)) in enumerate(zip(seats, laid, strict=False))
    ]


def judged(ruleset: Ruleset, *seen: Observation, opener: Seat | None = S, **switches: object) -> MatchState:
    return replay(start_match(ruleset.with_switches(switches), first_opener=opener), seen)


def told(state: MatchState, kind: type) -> list[tuple[str, object]]:
    events = [event for event in state.events if isinstance(event, kind)]
    return [(e.code, e.seats) if isinstance(e, Suspicion) else (e.code, e.seat) for e in events]  # type: ignore[attr-defined]


@BOTH
@pytest.mark.parametrize("seats", ["WNES", "ESWN"])
def test_an_alarm_takes_back_that_the_wrong_seat_opened(ruleset: Ruleset, seats: str) -> None:
    """E opens in turn and a mirrored picture shows W (or W and E): after the alarm nobody is accused, no card is open, a ruling says so."""
    state = judged(ruleset, *plays(seats), opener=Seat.parse(seats[0]).partner)
    assert ("CALIBRATION_ALARM", ()) in told(state, Suspicion)
    assert state.infractions == () and not [card for card in state.cards if card.status == "open"]
    assert [(e.incident, e.choice) for e in state.events if isinstance(e, Ruled) and not e.lapsed] == [(0, "dismiss")]


def test_after_an_alarm_nobody_opens_wrongly_until_the_plays_run_right() -> None:
    """Every hand that begins in a mirrored picture seems to be opened by the wrong seat; three plays the right way round end that."""
    mirrored = [*plays("SWNE"), Entry(t=20.0, pair="A", points=5)]
    state = judged(DUSA, *mirrored, *plays("WNES", 30.0))
    assert state.infractions == ()
    assert told(state, Suspicion).count(("CALIBRATION_ALARM", ())) == 1
    righted = replay(state, [Entry(t=50.0, pair="A", points=5), *plays("NWSE", 60.0), Entry(t=70.0, pair="A", points=5)])
    assert replay(righted, plays("N", 80.0)).infractions != () == righted.infractions


@BOTH
def test_where_the_picture_may_be_turned_an_infraction_is_held_back_and_then_told(ruleset: Ruleset) -> None:
    """W opens for S: a question first, an infraction of the same opening once three plays in a row ran in the order of play."""
    state = judged(ruleset, *plays("WSE"), orientation="unknown")
    assert told(state, Suspicion) == [("WRONG_STARTER", (W,))] and state.infractions == ()
    assert [one.code for one in open_incidents(state)] == ["WRONG_STARTER"]
    state, events = observe(state, plays("WSEN")[3])
    (infraction,) = [event for event in events if isinstance(event, Infraction)]
    assert (infraction.code, infraction.seat, infraction.at_obs, infraction.certain_at) == ("WRONG_STARTER", W, 0, 3)
    assert infraction.fine == (20 if ruleset.name == "dusa" else None) and infraction.because == (0, 3)
    assert open_incidents(state) == (infraction,)


@BOTH
@pytest.mark.parametrize("rotation", ["actual", "due"])
def test_a_picture_on_its_head_accuses_nobody(ruleset: Ruleset, rotation: str) -> None:
    """N opens for S and the plays run in order: a question for good; the next hand is opened by who sits at N's right."""
    switches = {"orientation": "unknown", "wrong_starter_rotation": rotation}
    state = judged(ruleset, *plays("NWSENW"), Entry(t=20.0, pair="A", points=5), *plays("W", 30.0), **switches)
    assert state.infractions == () and told(state, Suspicion) == [("WRONG_STARTER", (N,))]
    assert [event.opener for event in state.events if isinstance(event, HandOpened)] == [N, W]


@pytest.mark.parametrize("ruling", ["dismiss", "uphold"])
def test_what_a_person_decided_is_not_told_again(ruling: str) -> None:
    """A person rules on the question before the plays show the direction: that stands, and nothing is asked or charged twice."""
    seen = [*plays("WS"), Referee(t=3.0, ruling=ruling, incident=0, code="WRONG_STARTER"), *plays("WSEN")[2:]]
    state = judged(DUSA, *seen, orientation="unknown")
    assert [one.code for one in state.infractions] == (["WRONG_STARTER"] if ruling == "uphold" else [])
    assert len(told(state, Infraction)) == (ruling == "uphold") and open_incidents(state) == ()


def test_a_mirrored_picture_of_unknown_orientation_names_nobody() -> None:
    """A tile seen exposed by W before and after the alarm: questions, for it may have been E's."""
    seen = plays("SWNES")
    state = judged(
        DUSA, *seen[:2], Expose(t=3.0, seat=W, tile=Tile.parse("5-5")), *seen[2:], Expose(t=12.0, seat=E, tile=Tile.parse("5-3")),
        orientation="unknown",
    )  # fmt: skip
    assert state.infractions == ()
    assert {("EXPOSED", (W,)), ("EXPOSED", (E,)), ("CALIBRATION_ALARM", ())} <= set(told(state, Suspicion))


def test_a_play_backwards_begins_the_count_anew() -> None:
    """Two plays in order, one against it, two in order: that shows nothing yet; the third does."""
    wrong = plays("WSE")
    more = [
        Place(t=6.0, seat=S, tile=Tile.parse("4-2"), at="a"),
        Place(t=8.0, seat=E, tile=Tile.parse("2-2"), at="a"),
        Place(t=10.0, seat=N, tile=Tile.parse("2-0"), at="a"),
    ]
    state = judged(FID, *wrong, *more, orientation="unknown", pass_channel="unreliable")
    assert state.infractions == () and not state.seats_shown
    state = replay(state, [Place(t=12.0, seat=W, tile=Tile.parse("3-0"), at="a")])
    assert [one.code for one in state.infractions] == ["WRONG_STARTER"]


def test_another_rule_set_at_the_same_table_hears_and_sees_no_more() -> None:
    """Chosen for a table without buttons and with a picture that may be turned, FID keeps both."""
    there = FID.at_the_table_of(DUSA.with_switches({"pass_channel": "unreliable", "orientation": "unknown"}))
    assert (there.name, there.pass_channel, there.orientation) == ("fid", "unreliable", "unknown")
