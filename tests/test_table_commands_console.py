"""What a referee's console needs from the table: incidents with their grounds, cards, the log of cards, openers by order."""

from __future__ import annotations

import json
import re
from pathlib import Path

from command_table import Table, wrong_tile

from rules.errors import BadInput
from rules.observations import Correction, Impact, Place, Withdraw
from rules.ruleset import DUSA, FID
from rules.seats import Seat
from rules.tiles import Tile
from table.journal import Journal
from table.monitor import Monitor

ROOT = Path(__file__).parent.parent


def state_of(table: Table) -> dict:
    """The state as published now."""
    assert table.say("snapshot")["ok"]
    json.dumps(table.states[-1])
    return table.states[-1]


def test_an_open_incident_says_what_a_referee_asks(table):
    """Code, rule, seat, tile, end, moment, hand, proposed fine and to whom it goes, and the play that it is about."""
    seq = wrong_tile(table)
    (alert,) = state_of(table)["alerts"]
    play = next(e for e in table.journal.read() if e.type == "tile_played" and e.data["tile"] == "5-4")
    assert alert == {
        "seq": seq, "type": "infraction", "code": "NON_MATCHING", "rule": "DUSA-8", "seat": 1, "hand": 1, "fine": 50, "credit": "A",
        "at_seq": play.seq, "because": [play.seq], "t_s": 2.0, "time": "2023-11-14T22:13:22.000Z", "tile": "5-4", "end": "b",
    }  # fmt: skip


def test_a_doubt_says_the_other_explanations(table):
    """A suspicion carries its alternatives, a doubted reading what the tile may be, advice is listed beside the alerts."""
    table.play(0, 0, "6-6", "open")
    table.monitor.observe(Place(t=2, seat=None, tile=Tile(5, 4), at="b"))
    maybe = ((Tile(6, 5), 0.6), (Tile(6, 4), 0.4))
    table.monitor.observe(Place(t=4, seat=Seat.N, tile=None, at="a", confidence=0.6, candidates=maybe))
    alerts = {alert["code"]: alert for alert in state_of(table)["alerts"]}
    assert alerts["NON_MATCHING"]["alternatives"] == ["OUT_OF_TURN"]
    assert alerts["READING_DOUBTED"]["candidates"] == [["6-5", 0.6], ["6-4", 0.4]]
    assert alerts["READING_DOUBTED"]["end"] == "a"


def test_advice_is_listed_until_somebody_decides_on_it(fid_table):
    """A blow is advice; dismissed, or made an incident of, it is advice no more."""
    fid_table.play(0, 0, "6-6", "open")
    fid_table.monitor.observe(Impact(t=1, seat=Seat.E, level=3.0))
    (advice,) = state_of(fid_table)["advice"]
    assert (advice["code"], advice["type"], advice["seat"]) == ("STRIKE_OR_THROW", "advice", 1)
    assert fid_table.say("ruling", incident=advice["seq"], choice="uphold")["ok"]
    assert fid_table.states[-1]["advice"] == []


def test_somebody_acknowledges_an_incident(table):
    """The alert says who has seen it, after a restart too; nothing is decided by it; what is not open cannot be acknowledged."""
    seq = wrong_tile(table)
    assert table.say("ruling", incident=seq, choice="acknowledge", by="Rosa")["ok"]
    (alert,) = table.states[-1]["alerts"]
    assert (alert["seq"], alert["acknowledged"]) == (seq, "Rosa")
    assert [e.type for e in table.events] == ["entered"]
    table.journal.close()
    again = Table(table.journal.path)
    with again.journal:
        assert state_of(again)["alerts"] == [alert]
        assert again.say("ruling", incident=seq, choice="uphold")["ok"]
        assert again.say("ruling", incident=seq, choice="acknowledge")["reason"] == "no_incident"
        assert again.say("undo")["ok"]  # the ruling: there is nothing to undo about having seen it
        assert [a["seq"] for a in again.states[-1]["alerts"]] == [seq]
        assert again.say("undo")["reason"] == "nothing_to_undo"


def test_who_has_seen_an_incident_stands_after_a_correction(table):
    """A play before it is put right and the incident told anew under another seq: it is still acknowledged."""
    first = table.play(0, 0, "6-6", "open")
    table.play(2, 1, "5-4")
    table.monitor.observe(Withdraw(t=4, seat=Seat.E, tile=Tile(5, 4)))
    seq = table.told_seq("infraction")
    table.say("ruling", incident=seq, choice="acknowledge", by="Rosa")
    assert table.say("correct", seq=first, tile="6-0")["ok"]
    (alert,) = table.states[-1]["alerts"]
    assert alert["seq"] > seq
    assert alert["acknowledged"] == "Rosa"


def test_the_card_of_fid_is_a_value(fid_table):
    """Holder, the three choices and the deadline while it is open; chosen to go on, it can still be changed, then no more."""
    seq = wrong_tile(fid_table)
    (card,) = state_of(fid_table)["cards"]
    assert card == {
        "incident": seq, "code": "NON_MATCHING", "rule": "FID-ACT-10", "offender": 1, "holder": 2, "hand": 1, "status": "open",
        "choice": None, "deadline": "placement", "options": ["continue", "repeat_hand", "go_back"],
    }  # fmt: skip
    assert fid_table.say("ruling", incident=seq, choice="continue")["ok"]
    (card,) = fid_table.states[-1]["cards"]
    assert (card["status"], card["choice"], len(card["options"])) == ("chosen", "continue", 3)
    fid_table.play(6, 1, "6-5")
    fid_table.play(8, 2, "5-1")
    (card,) = state_of(fid_table)["cards"]
    assert (card["status"], card["options"]) == ("chosen", [])


def test_the_cards_that_were_shown_are_logged_by_pair(table):
    """Colour, seat, reason and author in the order they were shown; one that was taken back is gone, after a restart too."""
    table.play(0, 0, "6-6", "open")
    table.say("card", seat=1, colour="yellow", reason="voz alta", by="Rosa")
    table.say("card", pair="B", colour="red")
    table.say("card", pair="A", colour="yellow")
    assert table.say("undo")["ok"]
    shown = table.states[-1]["discipline"]
    assert shown["A"] == []
    assert [(row["colour"], row["seat"], row["reason"], row["by"], row["hand"]) for row in shown["B"]] == [
        ("yellow", 1, "voz alta", "Rosa", 1),
        ("red", None, None, "ana", 1),
    ]
    table.journal.close()
    again = Table(table.journal.path)
    with again.journal:
        assert state_of(again)["discipline"] == shown


def test_another_opener_by_order(table):
    """The referee orders another opener: when it opens, nothing stays open and nothing is fined, and the rotation goes on from it."""
    table.play(0, 0, "6-6", "open")
    table.say("entry", pair="A", points=20)
    assert table.states[-1]["next_opener"] == 1
    assert table.say("start_hand", opener=3, by="Rosa")["ok"]
    assert table.states[-1]["next_opener"] == 3
    table.journal.close()
    again = Table(table.journal.path)
    with again.journal:
        again.play(30, 3, "5-5", "open")
        state = state_of(again)
        assert (state["opener"], state["turn"], state["alerts"], state["next_opener"]) == (3, 0, [], 0)
        assert again.told("ruling")[-1] == {"incident": again.told_seq("infraction"), "choice": "dismiss", "by": "Rosa"}
        assert again.monitor.state.fines == (0, 0)
        assert again.journal.verify() is None


UNSURE = DUSA.with_switches({"pass_channel": "unreliable", "orientation": "unknown"})


def test_another_opener_by_order_where_the_picture_may_be_turned(tmp_path):
    """The opening that was ordered is a question there, and the order answers it."""
    table = Table(tmp_path / "t.db", UNSURE)
    with table.journal:
        assert table.say("start_hand", opener=1, by="Rosa")["ok"]
        table.play(5, 1, "6-6", "open")
        assert state_of(table)["alerts"] == [] and not table.told("infraction")
        assert table.told("ruling")[-1] == {"incident": table.told_seq("suspicion"), "choice": "dismiss", "by": "Rosa"}


def test_a_match_under_other_rules_is_judged_at_the_same_table(tmp_path):
    """Begun under FID at a table without buttons and with a picture that may be turned: it still has neither."""
    table = Table(tmp_path / "t.db", UNSURE)
    with table.journal:
        assert table.say("start_match", ruleset="fid")["ok"]
        assert table.monitor.state.ruleset == FID.at_the_table_of(UNSURE)


def test_who_opens_without_the_order_is_a_wrong_starter(table):
    """The order is for one seat and one hand; taken back, or followed by a start without an opener, it holds no more."""
    table.play(0, 0, "6-6", "open")
    table.say("entry", pair="A", points=20)
    table.say("start_hand", opener=3)
    table.play(30, 2, "5-5", "open")
    assert [alert["code"] for alert in state_of(table)["alerts"]] == ["WRONG_STARTER"]
    table.say("entry", pair="A", points=20)
    table.say("start_hand", opener=0)
    assert table.say("start_hand")["ok"]
    assert table.states[-1]["next_opener"] == 3
    table.say("start_hand", opener=1)
    assert table.say("undo")["ok"]
    table.play(60, 0, "4-4", "open")
    assert [alert["code"] for alert in state_of(table)["alerts"]] == ["WRONG_STARTER"] * 2


def test_an_order_holds_when_the_hand_before_is_corrected(table):
    """A play of the hand before is put right: the opening by order is told again and stays no infraction."""
    first = table.play(0, 0, "6-6", "open")
    table.say("entry", pair="A", points=20)
    table.say("start_hand", opener=3)
    table.play(30, 3, "5-5", "open")
    assert table.say("correct", seq=first, tile="4-4")["ok"]
    assert table.states[-1]["alerts"] == []
    assert table.states[-1]["opener"] == 3


def test_plays_have_their_seq_and_the_count_its_figures(table):
    """Each tile of the line bears the seq to correct it by; 168 less the line and the result of the hand are told."""
    seqs = [table.play(0, 0, "6-6", "open"), table.play(2, 1, "6-5")]
    state = state_of(table)
    assert [laid["seq"] for laid in state["line"]] == seqs
    assert (state["unplayed"], state["result"]) == (168 - 12 - 11, None)
    table.say("correct", seq=seqs[1], tile="6-4")
    state = table.states[-1]
    assert [laid["seq"] for laid in state["line"]] == [seqs[0], table.told_seq("tile_played")]
    table.say("entry", pair="B", points=40)
    assert table.states[-1]["result"] == {
        "end": "domination", "by_seat": None, "winner": "B", "points": {"A": 0, "B": 40}, "left": None, "counted": False
    }  # fmt: skip


def test_watching_is_in_the_state(table):
    """Null until somebody says how well the table is watched, then the last word of this run."""
    assert state_of(table)["watching"] is None
    table.monitor.tell_watching("camera_moved", 12.0, 10.5)
    assert state_of(table)["watching"] == {"state": "camera_moved", "since": "2023-11-14T22:13:30.500Z"}


def test_recalibration_is_answered_by_who_can_do_it(tmp_path):
    """Without a camera it is refused; with one it is carried out once and on record, or refused in the camera's words."""
    asked = []

    def camera(accept: bool) -> None:
        asked.append(accept)
        if not accept:
            raise BadInput("expected the corners in sight, found two; take the hand away")

    with Journal(tmp_path / "none.db", "finals", "t07"):
        pass
    none = Table(tmp_path / "none.db")
    with none.journal:
        refused = none.say("recalibrate", accept=True)
        assert (refused["ok"], refused["reason"]) == (False, "no_camera")
        assert none.journal.last_seq == 0
    one = Table(tmp_path / "one.db", recalibrate=camera)
    with one.journal:
        first = one.say("recalibrate", accept=True, transaction="x")
        assert first["ok"]
        assert one.say("recalibrate", accept=True, transaction="x") == first
        assert "two; take" in one.say("recalibrate", accept=False)["error"]
        assert asked == [True, False]
        assert one.told("entered")[-1] == {"what": "recalibrate", "by": "ana", "transaction": "x", "accept": True}


def test_a_later_run_goes_on_on_the_clock_of_the_match(tmp_path):
    """Taken up ten minutes later, times of plays, of commands and of corrections by the camera go on where the match stands."""
    with Journal(tmp_path / "t.db", "finals", "t07") as journal:
        before = Monitor.take_up(journal, FID, start_s=1000.0, opener=Seat.S, teams={"A": "Uno", "B": "Dos"})
        before.observe(Place(t=5, seat=Seat.S, tile=Tile(6, 6), at="open"))
    with Journal(tmp_path / "t.db", "finals", "t07") as journal:
        after = Monitor.take_up(journal, FID, start_s=1600.0)
        assert (after.match, after.teams) == (1, {"A": "Uno", "B": "Dos"})
        (play,) = after.observe(Place(t=2, seat=Seat.E, tile=Tile(6, 5), at="b"))
        assert (play.t_s, play.time) == (602.0, "1970-01-01T00:26:42.000Z")
        after.observe(Correction(t=3, voids=1, instead=Place(t=2, seat=Seat.E, tile=Tile(6, 4), at="b")))
        assert [laid.t for laid in after.state.hand.line.laid] == [5.0, 602.0]
        assert after.tell_watching("watching", 4.0, 4.0).t_s == 604.0


def test_a_wall_clock_that_went_back_turns_no_match_back(tmp_path):
    """Started again with a clock of 1970, the match goes on from its last act."""
    with Journal(tmp_path / "t.db", "finals", "t07") as journal:
        before = Monitor.take_up(journal, FID, start_s=1e9, opener=Seat.S)
        before.observe(Place(t=50, seat=Seat.S, tile=Tile(6, 6), at="open"))
    with Journal(tmp_path / "t.db", "finals", "t07") as journal:
        after = Monitor.take_up(journal, FID, start_s=0.0)
        (play,) = after.observe(Place(t=2, seat=Seat.E, tile=Tile(6, 5), at="b"))
        assert play.t_s == 52.0


def test_every_reason_of_a_refusal_is_on_the_page_of_the_contract():
    """A console says each reason in its own language, so docs/mqtt.md lists them; the rules' own are in docs/rules.md."""
    sources = [path.read_text() for path in (ROOT / "table").glob("commands*.py")]
    reasons = {reason for source in sources for reason in re.findall(r'Refused\(\s*"(\w+)"', source)} | {"unreadable"}
    assert len(reasons) >= 8
    row = next(line for line in (ROOT / "docs" / "mqtt.md").read_text().splitlines() if line.startswith("`reason` is "))
    assert reasons <= set(re.findall(r"`(\w+)`", row))
