"""Complaints, cards, incidents, appeals: each step with its conditions, and refused while one is missing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tournament_books import NOON, black, last_number, tournament

from rules.errors import BadInput
from rules.tournament.appeals import BODIES, appeal_steps, deadlines, next_step
from rules.tournament.book import add
from rules.tournament.cards import DUTIES, cards_of, is_valid
from rules.tournament.conditions import Conditions
from rules.tournament.entries import (
    Agreement,
    Annulment,
    Appeal,
    Card,
    Complaint,
    Entry,
    Escalation,
    Incident,
    PairEntered,
    Posting,
    Referee,
)
from rules.tournament.incidents import due_step, log, open_incidents
from rules.tournament.moments import Moment
from rules.tournament.state import Tournament

COMPLAINT = Complaint(pair="A", player="Ana", text="signals with the tiles", written=True, by="an onlooker", proof="clip 7")
SEATED, STANDING = Referee(name="Ruiz", place="facing", distance_m=3.0), Referee(name="Soto", place="behind", distance_m=5.0)
POSTING = Posting(complaint=3, seated=SEATED, standing=STANDING, by="chief")
YELLOW = Card(
    colour="yellow", pair="A", player="Ana", text="signalled", posting=4, at=NOON,
    reported_by="Ruiz", ratified_by="Soto", signed=("Ruiz", "Soto"),
)  # fmt: skip
RED = replace(YELLOW, colour="red")


def hall() -> Tournament:
    """Entries 1 and 2: a pair whose players are known, and one whose are not."""
    return add(add(tournament(), PairEntered(pair="A", players=("Ana", "Abel"))), PairEntered(pair="B"))


def book(*entries: Entry) -> Tournament:
    made = hall()
    for entry in entries:
        made = add(made, entry)
    return made


def refused(made: Tournament, entry: Entry, reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        add(made, entry)


def test_anyone_may_complain_in_writing_and_nothing_follows_from_it() -> None:
    """An onlooker's complaint is noted in the pair's log; it is no card, no incident and no step (FID-DEN-1)."""
    made = book(COMPLAINT)
    assert [number for number, _ in log(made, "A")] == [3] and log(made, "B") == ()
    assert cards_of(made, "A", "Ana") == () and open_incidents(made, "A") == () and made.active == ("A", "B")


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ({"written": False}, "in writing"),
        ({"by": None}, "whoever complains"),
        ({"pair": "X"}, "pairs that entered"),
        ({"player": "Bob"}, "'Ana' or 'Abel' of 'A', found 'Bob'"),
    ],
)
def test_a_complaint_is_written_signed_and_against_a_player(told: dict[str, Any], reason: str) -> None:
    """Spoken, anonymous, against nobody: refused (FID-DEN-1)."""
    refused(hall(), replace(COMPLAINT, **told), reason)


def test_referees_are_posted_only_after_a_complaint_with_proof_or_witness() -> None:
    """A complaint is not valid without one of them (FID-DEN-3); it stays in the log all the same."""
    bare = replace(COMPLAINT, proof=None)
    assert not is_valid(bare) and is_valid(replace(bare, witness="Eva")) and is_valid(COMPLAINT)
    refused(book(bare), POSTING, "a proof or a witness")
    assert log(book(COMPLAINT, POSTING), "A")[-1] == (4, POSTING)


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ({"by": None}, "chief arbiter"),
        ({"complaint": 1}, "an entry of kind complaint, found 1"),
        ({"standing": replace(STANDING, name="Ruiz")}, "two referees"),
        ({"seated": replace(SEATED, place="behind")}, "seated referee facing"),
        ({"standing": replace(STANDING, place="facing")}, "standing referee behind or beside"),
        ({"seated": replace(SEATED, distance_m=2.9)}, "3 to 7 m away .*found 2.9 m"),
        ({"seated": replace(SEATED, distance_m=7.1)}, "3 to 7 m"),
        ({"standing": replace(STANDING, distance_m=4.9)}, "5 to 7 m"),
    ],
)
def test_one_referee_sits_facing_and_one_stands_at_their_distances(told: dict[str, Any], reason: str) -> None:
    """3 to 7 m facing, 5 to 7 m behind or beside (FID-DEN-2)."""
    refused(book(COMPLAINT), replace(POSTING, **told), reason)


def test_yellow_then_red_then_black() -> None:
    """Reported by one posted referee, ratified by the other, twice; the third time a principal judge expels the pair (FID-TAR)."""
    made = book(COMPLAINT, POSTING, YELLOW, RED)
    assert cards_of(made, "A", "Ana") == ("yellow", "red") and made.active == ("A", "B")
    made = add(made, black("A", player="Ana", ground="third_time"))
    assert cards_of(made, "A", "Ana")[-1] == "black" and made.active == ("B",) and made.left("A") == "expelled"
    assert cards_of(made, "A", "Abel") == ()


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ({"posting": None}, "posting whose referees"),
        ({"posting": 3}, "kind posting, found 3"),
        ({"player": "Abel"}, "posting for 'Abel'"),
        ({"reported_by": "Eva"}, "report by one of the two"),
        ({"reported_by": None}, "report by one of the two"),
        ({"ratified_by": None}, "the other posted referee"),
        ({"ratified_by": "Ruiz"}, "the other posted referee"),
        ({"signed": ("Ruiz",)}, "signatures of both"),
        ({"at": None}, "time of the card"),
        ({"colour": "red"}, "yellow card before the red"),
    ],
)
def test_a_card_without_one_of_its_conditions_is_refused(told: dict[str, Any], reason: str) -> None:
    """Two posted referees, report, ratification, both signatures, the time, and the order of the colours (FID-TAR-Y, FID-TAR-R)."""
    refused(book(COMPLAINT, POSTING), replace(YELLOW, **told), reason)


def test_nobody_has_two_cards_of_a_colour() -> None:
    """The second time is red."""
    refused(book(COMPLAINT, POSTING, YELLOW), YELLOW, "a second yellow one")
    refused(book(black("A", player="Ana")), black("A", player="Ana"), "a second black one")


@pytest.mark.parametrize("office", ["competition_committee", "organising_committee", "federation"])
def test_the_three_presidents_may_show_the_black_card(office: str) -> None:
    """They are the principal judges (FID-TAR-N1)."""
    assert book(black("A", player="Ana", office=office)).left("A") == "expelled"


@pytest.mark.parametrize("ground", ["fixing", "fight"])
def test_fixing_and_fights_need_no_card_before(ground: str) -> None:
    """Black at once (FID-ACT-8, FID-ACT-9)."""
    assert book(black("A", player="Ana", ground=ground)).left("A") == "expelled"


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ({"office": "arbiter"}, "a principal judge.*found arbiter"),
        ({"office": "chief_arbiter"}, "a principal judge.*found chief_arbiter"),
        ({"by": None}, "the judge's name"),
        ({"ground": None}, "the ground"),
        ({"ground": "third_time"}, "a red card before"),
    ],
)
def test_a_black_card_of_somebody_else_or_without_ground_is_refused(told: dict[str, Any], reason: str) -> None:
    """Only a principal judge, by name, for a ground that holds (FID-TAR-N1, FID-TAR-N2)."""
    refused(hall(), black("A", **{"player": "Ana", **told}), reason)


def test_the_chief_arbiter_may_show_black_where_the_organiser_says_so() -> None:
    """The laws say both; with the switch he may, for what he has seen himself, and not for fixing (FID-TAR-N2)."""
    made = add(tournament(chief_arbiter_black=True), PairEntered(pair="A"))
    assert add(made, black("A", office="chief_arbiter", ground="drunkenness")).left("A") == "expelled"
    refused(made, black("A", office="chief_arbiter", ground="fixing"), "a principal judge")


def test_each_card_comes_with_its_duties() -> None:
    """Showing, noting, demanding for yellow and red; stopping, statements, the file for black (FID-TAR)."""
    assert set(DUTIES) == {"yellow", "red", "black"} and all(
        rule.startswith("FID-TAR-") for d in DUTIES.values() for rule, _ in d
    )


def test_what_a_card_stands_on_cannot_be_annulled_before_it() -> None:
    """Complaint, posting, yellow, red: from the end only."""
    made = book(COMPLAINT, POSTING, YELLOW, RED)
    for number, leaning in ((3, 4), (4, 5), (5, 6)):
        refused(made, Annulment(voids=number, reason="x"), f"entry {leaning} does")
    assert cards_of(add(made, Annulment(voids=6, reason="appeal upheld")), "A", "Ana") == ("yellow",)
    fight = add(book(COMPLAINT, POSTING, YELLOW), black("A", player="Ana"))
    assert cards_of(add(fight, Annulment(voids=5, reason="a fight needs no yellow")), "A", "Ana") == ("black",)


def incidents(count: int, **switches: Any) -> Tournament:
    made = tournament("A", "B", **switches)
    for _ in range(count):
        made = add(made, Incident(pair="A", text="talked in the hand", rule="FID-BEH-2", at=NOON))
    return made


def step(name: Any, **told: Any) -> Escalation:
    return Escalation(**{"pair": "A", "step": name, "at": NOON, "by": "chief", "office": "federation", **told})


def test_repetition_brings_notification_then_warning_then_expulsion() -> None:
    """From the second incident on, one more incident a step, and a person takes each (FID-ACT-7)."""
    assert [due_step(incidents(count), "A") for count in range(3)] == [None, None, "notification"]
    made = incidents(3)
    refused(made, step("warning"), "expected notification")
    made = add(made, step("notification"))
    assert due_step(made, "A") == "warning" and due_step(made, "B") is None
    other = add(add(made, Incident(pair="B", text="x", at=NOON)), Incident(pair="B", text="y", at=NOON))
    assert due_step(other, "B") == "notification"
    made = add(made, step("warning"))
    assert due_step(made, "A") is None
    refused(made, step("expulsion"), "no step yet.*after 3 incidents")
    made = add(made, Incident(pair="A", text="again", at=NOON))
    refused(made, step("expulsion", office="arbiter"), "a principal judge")
    made = add(made, step("expulsion"))
    assert made.left("A") == "expelled" and due_step(made, "A") is None


def test_when_repetition_begins_is_a_switch() -> None:
    """With notification_at 1 the first incident already brings the notification."""
    assert due_step(incidents(1, notification_at=1), "A") == "notification"
    refused(incidents(2), step("notification", by=None), "who took the step")


def test_an_incident_that_the_players_settled_counts_no_more() -> None:
    """The players' agreement comes first (FID-ESP); both stay in the log, and it is settled once."""
    made = add(incidents(2), Agreement(incident=3, text="shook hands"))
    assert open_incidents(made, "A") == (4,) and due_step(made, "A") is None
    assert [entry.kind for _, entry in log(made, "A")] == ["incident", "incident", "agreement"]
    refused(made, Agreement(incident=3, text="x"), "not settled yet")
    refused(made, Agreement(incident=1, text="x"), "kind incident")


TIMES = ["2026-11-30T12:15", "2026-11-30T13:15", "2026-11-30T23:59", "2026-12-07T23:59", "2026-12-22T23:59", "2027-01-22T23:59"]


def test_the_six_deadlines_add_up() -> None:
    """A decision at noon: at once, 1 hour, the same day, 1 week, 15 days, 1 month, each from the end of the one before (FID-APE)."""
    assert [str(time) for time in deadlines(Conditions(rounds=1), NOON)] == TIMES
    late = [str(time) for time in deadlines(Conditions(rounds=1), Moment.parse("2026-11-30T23:50"))]
    assert late[:3] == ["2026-12-01T00:05", "2026-12-01T01:05", "2026-12-01T23:59"]


def test_the_deadlines_can_all_run_from_the_decision() -> None:
    """With the switch: a week, 15 days and a month after noon."""
    found = deadlines(Conditions(rounds=1, appeal_times="from_decision", at_once_min=0), NOON)
    assert [str(time) for time in found] == [
        "2026-11-30T12:00", "2026-11-30T13:00", "2026-11-30T23:59", "2026-12-07T12:00", "2026-12-15T12:00", "2026-12-30T12:00",
    ]  # fmt: skip


def appeal(body: Any, at: str | None, **told: Any) -> Appeal:
    return Appeal(**{"decision": 3, "body": body, "written": True, "at": at and Moment.parse(at), **told})


def states(made: Tournament, now: str) -> list[tuple[str, bool]]:
    """The state of each step, and whether the body may leave the appeal unheard."""
    return [(s.state, s.unheard is not None) for s in appeal_steps(made, 3, Moment.parse(now))]


def test_the_next_step_is_open_without_an_answer() -> None:
    """Appealed to the arbiter at 12:05: the chief arbiter is next until 13:15, whatever the arbiter says (FID-APE)."""
    made = add(book(black("A", player="Ana")), appeal("sanctioning_arbiter", "2026-11-30T12:05"))
    upcoming = next_step(made, 3, Moment.parse("2026-11-30T12:06"))
    assert upcoming is not None and (upcoming.body, str(upcoming.until), upcoming.unheard) == ("chief_arbiter", TIMES[1], None)
    assert states(made, "2026-11-30T12:06") == [("appealed", False), ("open", False)] + [("open", True)] * 4


def test_the_way_goes_forward_only() -> None:
    """Straight to the chief arbiter: the committee is next, though the first step would still be open (FID-APE)."""
    made = add(book(black("A", player="Ana")), appeal("chief_arbiter", "2026-11-30T12:05"))
    upcoming = next_step(made, 3, Moment.parse("2026-11-30T12:06"))
    assert upcoming is not None and upcoming.body == "committee" and upcoming.unheard is not None


def test_a_step_that_was_left_out_lets_the_later_bodies_leave_it_unheard() -> None:
    """Nothing at once and nothing in the hour: the committee is open and need not hear it (FID-APE)."""
    made = book(black("A", player="Ana"))
    upcoming = next_step(made, 3, Moment.parse("2026-11-30T14:00"))
    assert upcoming is not None and upcoming.body == "committee"
    assert upcoming.unheard == "not without an appeal in time to chief_arbiter before"
    assert states(made, "2026-11-30T14:00")[:3] == [("closed", True), ("closed", True), ("open", True)]


def test_a_late_appeal_is_taken_in_and_may_be_left_unheard() -> None:
    """The body decides whether to hear it; the book only says that it was late, and so for those after it (FID-APE)."""
    made = add(book(black("A", player="Ana")), appeal("sanctioning_arbiter", "2026-11-30T12:20"))
    made = add(made, appeal("chief_arbiter", "2026-11-30T12:30"))
    found = appeal_steps(made, 3, Moment.parse("2026-11-30T12:31"))
    assert [s.unheard for s in found[:2]] == [f"after {TIMES[0]}", "not without an appeal in time to sanctioning_arbiter before"]


def test_after_the_last_step_there_is_no_next_one() -> None:
    """All six taken, or all times over."""
    made = book(black("A", player="Ana"))
    assert next_step(made, 3, Moment.parse("2027-02-01T00:00")) is None
    for (body, _), until in zip(BODIES, TIMES, strict=True):
        made = add(made, appeal(body, until))
    assert next_step(made, 3, NOON) is None and {s.unheard for s in appeal_steps(made, 3, NOON)} == {None}


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (appeal("fid", "2026-11-30T12:05", written=False), "in writing"),
        (appeal("fid", None), "time of the appeal"),
        (appeal("fid", "2026-11-30T11:59"), "after the decision"),
        (appeal("fid", "2026-11-30T12:05", decision=1), "a decision, found entry 1 of kind pair"),
        (appeal("fid", "2026-11-30T12:05", decision=9), "an entry that stands, found 9"),
        (appeal("chief_arbiter", "2026-11-30T12:05"), "a second one to chief_arbiter"),
    ],
)
def test_an_appeal_that_is_none_is_refused(entry: Appeal, reason: str) -> None:
    """Spoken, timeless, before the decision, against no decision, twice to one body (FID-APE)."""
    refused(add(book(black("A", player="Ana")), appeal("chief_arbiter", "2026-11-30T12:02")), entry, reason)


def test_a_decision_without_a_time_has_no_deadlines() -> None:
    """The times run from the decision; without it none can be told."""
    made = book(Incident(pair="A", text="x"))
    refused(made, appeal("fid", "2026-11-30T12:05"), "whose time is known")


def test_an_appeal_is_in_the_log_of_the_pair_it_is_about() -> None:
    """So is everything else that hangs on the card."""
    made = add(book(black("A", player="Ana")), appeal("sanctioning_arbiter", "2026-11-30T12:05"))
    assert [number for number, _ in log(made, "A")] == [3, last_number(made)] == [number for number, _ in log(made)]
