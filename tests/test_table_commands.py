"""What people say to a table: each command is one observation with its author, done once, and nothing hostile does harm."""

from __future__ import annotations

import json

import pytest
from command_table import Table, wrong_tile
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.observations import Correction, Place
from rules.seats import Seat
from rules.tiles import Tile
from table.commands import COMMANDS, MAX_BYTES
from table.commands_desk import MAX_WAITING
from table.snapshot import snapshot
from table.telling import tell_event

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = sorted({name for model in COMMANDS.values() for name in model.model_fields})
LIKELY = st.sampled_from(
    [0, 1, 2, 3, 7, -1, 10**30, "A", "B", "6-4", "0-0", "a", "open", "uphold", "repeat_hand", "go_back", "black", "red", "dusa", "fid",
     "RENEGE", "voice", True, False, None, {"A": "x", "B": "y"}, "\ud800", "x" * 500, "two\nlines"]
)  # fmt: skip


def test_a_pass_is_entered_with_its_author(table):
    """The pass moves the turn on; the record has who entered it, under which transaction, before the pass itself."""
    table.play(0, 0, "6-6", "open")
    reply = table.say("pass", seat=1, via="knock", by="juez 2")
    assert reply == {"transaction": "n0", "ok": True, "error": None, "reason": None, "seq": table.events[0].seq}
    assert [e.type for e in table.events] == ["entered", "turn_passed"]
    assert table.events[0].data == {"what": "pass", "by": "juez 2", "transaction": "n0", "seat": 1, "via": "knock"}
    assert table.events[1].data == {"seat": 1, "via": "knock"}
    assert table.states[-1]["turn"] == 2
    assert tell_event(table.events[0]).endswith("juez 2 enters pass")


def test_time_is_that_of_the_table(table):
    """A command counts at the time of the newest frame plus what has passed since, whatever time its sender claims."""
    table.play(10, 0, "6-6", "open")
    table.clock += 2.5
    table.say("pass", seat=1, t=99999, time="2099-01-01T00:00:00Z")
    assert {e.t_s for e in table.events} == {12.5}


def test_upholding_moves_the_fine_once(table):
    """The ruling names the alert by its seq, the fine goes to the ledger, the alert is open no more; a second one is refused."""
    seq = wrong_tile(table)
    assert table.say("ruling", incident=seq, choice="uphold", text="visto")["ok"]
    assert [e.type for e in table.events] == ["entered", "ruling", "score_changed"]
    assert table.events[1].data == {"incident": seq, "choice": "uphold", "by": "ana", "text": "visto"}
    assert table.states[-1]["fines"] == {"A": 50, "B": 0}
    assert table.states[-1]["alerts"] == []
    before = table.journal.last_seq
    refused = table.say("ruling", incident=seq, choice="uphold")
    assert not refused["ok"]
    assert "already_ruled" in refused["error"]
    assert table.journal.last_seq == before


def test_dismissing_takes_the_alert_away_without_a_fine(table):
    """A dismissed incident is open no more and costs nothing."""
    assert table.say("ruling", incident=wrong_tile(table), choice="dismiss")["ok"]
    assert table.states[-1]["alerts"] == []
    assert table.states[-1]["fines"] == {"A": 0, "B": 0}


def test_the_choice_of_fid_is_taken(fid_table):
    """Under FID the hand is repeated when the holder of the choice says so."""
    assert fid_table.say("ruling", incident=wrong_tile(fid_table), choice="repeat_hand")["ok"]
    assert "hand_ended" in [e.type for e in fid_table.events]
    assert fid_table.states[-1]["alerts"] == []


def test_the_same_transaction_is_answered_again_and_done_once(table):
    """Said twice, over a restart too, a command has one effect and the same answer; other words under its name are refused."""
    seq = wrong_tile(table)
    first = table.say("ruling", incident=seq, choice="uphold", transaction="x")
    assert table.say("ruling", incident=seq, choice="uphold", transaction="x") == first
    assert table.events == []
    table.journal.close()
    again = Table(table.journal.path)
    with again.journal:
        assert again.say("ruling", incident=seq, choice="uphold", transaction="x") == first
        other = again.say("pass", seat=2, transaction="x")
        assert not other["ok"]
        assert "new transaction" in other["error"]
        assert again.say("announce", seat=2, transaction="x", by="beto")["ok"]  # another's name for another thing
        assert [e["what"] for e in again.told("entered")] == ["ruling", "announce"]


def test_what_was_refused_may_be_said_again(table):
    """A refusal is not remembered: the same transaction succeeds once it makes sense."""
    assert not table.say("ruling", incident=3, choice="uphold", transaction="x")["ok"]
    seq = wrong_tile(table)
    assert table.say("ruling", incident=seq, choice="uphold", transaction="x")["ok"]


def test_a_correction_far_back_gives_one_state(table):
    """A play ten plays back is put right: its events are taken back once, the true ones follow, screens get a single new state."""
    tiles = ["6-6", "6-5", "5-4", "4-3", "3-2", "2-1", "1-0", "0-6", "6-4", "4-1", "1-5", "5-0"]
    seqs = [table.play(2 * n, n % 4, tile, "open" if n == 0 else "b") for n, tile in enumerate(tiles)]
    states = len(table.states)
    assert table.say("correct", seq=seqs[1], tile="5-6", seat=3)["ok"]
    assert len(table.states) == states + 1
    types = [e.type for e in table.events]
    assert types[:2] == ["entered", "correction"]
    assert types.count("tile_played") == 11
    assert table.events[1].data["voids"][0] == seqs[1]
    assert table.states[-1]["line"][1]["seat"] == 3
    assert len(table.states[-1]["line"]) == 12
    assert next(e.data["seat"] for e in table.events if e.type == "tile_played") == 3


def test_a_play_is_taken_away(table):
    """What never was is voided; the tiles before it stay."""
    table.play(0, 0, "6-6", "open")
    seq = table.play(2, 1, "6-5")
    assert table.say("correct", seq=seq, void=True)["ok"]
    assert [laid["tile"] for laid in table.states[-1]["line"]] == ["6-6"]
    assert not table.say("correct", seq=seq, tile="6-4")["ok"]


def test_a_doubted_reading_is_settled(table):
    """The referee says what the tile is; the play resolves the doubt, and the end is known again."""
    table.play(0, 0, "6-6", "open")
    doubt = next(
        r for r in table.monitor.observe(
            Place(t=2, seat=Seat.E, tile=None, at="b", confidence=0.7, candidates=((Tile(6, 5), 0.6), (Tile(6, 4), 0.4)))
        ) if r.type == "reading_doubted"
    )  # fmt: skip
    assert table.say("correct", seq=doubt.seq, tile="6-4")["ok"]
    played = [e.data for e in table.events if e.type == "tile_played"]
    assert [(p["tile"], p["confidence"]) for p in played] == [("6-4", 1.0)]
    assert "resolves" in played[0]
    assert sorted(table.states[-1]["ends"]) == [4, 6]
    assert table.states[-1]["alerts"] == []


def test_undo_takes_back_the_newest_entry_and_then_the_one_before(table):
    """Undo goes through what people entered, newest first, never through what was seen; taking back an undo brings it back."""
    table.play(0, 0, "6-6", "open")
    first = table.say("pass", seat=1)["seq"]
    table.say("pass", seat=2)
    undo = table.say("undo")
    assert undo["ok"]
    assert table.states[-1]["turn"] == 2
    assert table.say("correct", seq=undo["seq"], void=True)["ok"]
    assert table.states[-1]["turn"] == 3
    assert table.say("undo")["ok"]  # the taking back of the undo
    assert table.states[-1]["turn"] == 2
    assert table.say("undo")["ok"]
    assert table.states[-1]["turn"] == 1
    assert first
    nothing = table.say("undo")
    assert not nothing["ok"]
    assert "found nothing" in nothing["error"]
    assert len(table.states[-1]["line"]) == 1


def test_an_undone_ruling_gives_the_fine_back(table):
    """A fine upheld by mistake is off the ledger again and the alert is open again."""
    seq = wrong_tile(table)
    table.say("ruling", incident=seq, choice="uphold")
    assert table.say("undo")["ok"]
    assert table.states[-1]["fines"] == {"A": 0, "B": 0}
    assert [a["seq"] for a in table.states[-1]["alerts"]] == [seq]


def test_the_camera_does_not_overrule_a_person(table):
    """After a person said what a tile was, the monitor says so to whoever looks again; taken back, the camera may speak."""
    table.play(0, 0, "6-6", "open")
    seq = table.play(2, 1, "6-5")
    number = table.monitor.source(seq)
    assert not table.monitor.settled(number)
    table.say("correct", seq=seq, tile="6-4")
    assert table.monitor.settled(number)
    table.say("undo")
    assert not table.monitor.settled(number)
    table.monitor.observe(Correction(t=5, voids=number, instead=Place(t=2, seat=Seat.E, tile=Tile(6, 3), at="b")))
    assert not table.monitor.settled(number)


def test_incident_card_entry_and_the_last_hand(table):
    """An incident in a person's words, cards of each colour, written points and the last hand are all on record with their author."""
    table.play(0, 0, "6-6", "open")
    assert table.say("incident", text="bebida sobre la mesa", seat=2)["ok"]
    assert table.told("infraction")[-1]["code"] == "INCIDENT"
    assert table.say("incident", code="TALK_OR_GESTURE", seat=1)["ok"]
    assert not table.say("incident", code="NO_SUCH_CODE", seat=1)["ok"]
    assert table.say("card", seat=1, colour="yellow", reason="voz alta")["ok"]
    assert table.told("ruling")[-1]["text"] == "yellow card, E of B: voz alta"
    assert table.say("last_hand")["ok"]
    assert table.say("entry", pair="A", points=20)["ok"]
    assert table.states[-1]["score"] == {"A": 20, "B": 0}
    assert table.states[-1]["phase"] == "over"
    assert {e["by"] for e in table.told("entered")} == {"ana"}


def test_a_black_card_ends_the_match(table):
    """The rivals win with at least half the target."""
    assert table.say("card", pair="A", colour="black", reason="agresión")["ok"]
    assert table.states[-1]["winner"] == "B"


def test_touch_announce_objection_and_time(table):
    """Each is entered; the call of the time lets the hand on the table be the last."""
    table.play(0, 0, "6-6", "open")
    for name, fields in (
        ("touch", {"seat": 1, "slot": 3}),
        ("announce", {"seat": 2}),
        ("objection", {"seat": 1}),
        ("time_called", {}),
    ):
        assert table.say(name, **fields)["ok"], name
    assert [e["what"] for e in table.told("entered")] == ["touch", "announce", "objection", "time_called"]


def test_a_new_match_begins(table):
    """Teams, rule set and opener are those said, the score is 0, the number goes up; in mid hand only when the match is abandoned."""
    table.play(0, 0, "6-6", "open")
    teams = {"A": "Los Robles", "B": "La Ceiba"}
    refused = table.say("start_match", ruleset="fid", teams=teams, opener=2)
    assert not refused["ok"]
    assert "abandon" in refused["error"]
    assert table.say("start_match", ruleset="fid", teams=teams, opener=2, abandon=True)["ok"]
    state = table.states[-1]
    assert (state["match"], state["ruleset"], state["phase"], state["hand"]) == (2, "fid", "waiting", 0)
    assert [state["teams"][p]["name"] for p in "AB"] == ["Los Robles", "La Ceiba"]
    table.play(5, 0, "6-6", "open")
    assert [i["code"] for i in table.told("infraction")] == ["WRONG_STARTER"]
    table.journal.close()
    again = Table(table.journal.path)
    with again.journal:
        assert again.monitor.match == 2
        assert again.monitor.teams == teams
        assert len(again.monitor.state.hand.line) == 1


def test_a_hand_is_started(table):
    """Between hands the deal begins and the table is waiting; while a hand lies there it is refused."""
    table.play(0, 0, "6-6", "open")
    assert table.say("start_hand")["reason"] == "hand_on_table"
    table.say("entry", pair="A", points=20)
    assert table.say("start_hand", opener=1)["ok"]
    assert table.states[-1]["phase"] == "waiting"


def test_snapshot_is_given(table):
    """snapshot publishes the state again and leaves no event."""
    assert table.say("snapshot")["ok"]
    assert len(table.states) == 1
    assert table.journal.last_seq == 0


@pytest.mark.parametrize("name", sorted(COMMANDS))
@pytest.mark.parametrize(
    "payload", [b"", b"[]", b"null", b"{", b"[" * 3000, b"\xff\xfe", b"{}", b'{"transaction":"t"}', b"x" * 10**6]
)
def test_every_command_answers_what_it_cannot_read(table, name, payload):
    """Empty, foreign, deep and huge payloads are answered with what was expected, and leave nothing behind."""
    reply = table.say_bytes(name, payload)
    assert not reply["ok"]
    assert reply["error"].startswith("expected")
    assert "\n" not in reply["error"]
    assert len(reply["error"]) < 400
    assert table.journal.last_seq == 0


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("pass", {"seat": 4}), ("pass", {"seat": True}), ("pass", {"seat": 1, "via": "seen"}), ("pass", {}),
        ("touch", {"seat": 0, "slot": -1}),
        ("ruling", {"choice": "behead", "incident": 1}), ("ruling", {"choice": "uphold", "incident": 10**40}),
        ("ruling", {"choice": "uphold"}),
        ("ruling", {"choice": "uphold", "incident": 77}), ("card", {"colour": "pink", "pair": "A"}), ("card", {"colour": "red"}),
        ("card", {"colour": "red", "pair": "A", "seat": 1}), ("correct", {"seq": 1}), ("correct", {"seq": 1, "void": True, "tile": "1-1"}),
        ("correct", {"seq": 1, "tile": "7-1"}), ("correct", {"seq": 99, "void": True}), ("correct", {"seq": 0, "void": True}),
        ("entry", {"pair": "C", "points": 1}), ("entry", {"pair": "A", "points": -1}), ("entry", {"pair": "A", "points": 169}),
        ("start_match", {"ruleset": "uno"}), ("start_match", {"teams": {"A": "x"}}), ("incident", {}), ("undo", {}),
        ("pass", {"seat": 1, "by": ""}), ("pass", {"seat": 1, "by": "two\nlines"}), ("pass", {"seat": 1, "transaction": "x" * 65}),
        ("pass", {"seat": 1, "transaction": 7}), ("incident", {"text": "\ud800"}), ("incident", {"text": "x" * 401}),
        ("frobnicate", {"seat": 1}),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(table, name, fields):
    """Values out of range, of another kind or about nothing get ok: false with one line, and the journal stays as it was."""
    reply = table.say(name, **fields)
    assert not reply["ok"]
    assert reply["error"].startswith("expected")
    assert "\n" not in reply["error"]
    assert table.journal.last_seq == 0


def test_letters_for_seats_and_unknown_keys_are_taken(table):
    """S, E, N, W mean 0 to 3, and keys of a later version are ignored."""
    table.play(0, 0, "6-6", "open")
    assert table.say("pass", seat="E", colour_of_the_sky=["blue"])["ok"]
    assert table.events[1].data["seat"] == 1


def test_more_than_can_wait_are_told_to_come_back(table):
    """A flood of commands is bounded: those beyond are answered at once, those taken are carried out in order."""
    for n in range(MAX_WAITING + 5):
        table.desk.hear("snapshot", json.dumps({"transaction": f"{n}", "by": "ana"}).encode())
    assert [reply["ok"] for _, reply in table.replies] == [False] * 5
    list(table.desk.serve())
    assert [reply["transaction"] for _, reply in table.replies[5:]] == [str(n) for n in range(MAX_WAITING)]


def test_a_fault_of_our_own_stops_nothing(table, monkeypatch):
    """An unforeseen error is answered and logged; the next command is carried out."""
    table.play(0, 0, "6-6", "open")
    monkeypatch.setattr("table.commands_desk.act_of", lambda *_: 1 / 0)
    assert "fault of miron" in table.say("pass", seat=1)["error"]
    monkeypatch.undo()
    assert table.say("pass", seat=1)["ok"]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=st.sampled_from([*COMMANDS, "resync", "nonsense"]),
    payload=st.one_of(
        st.binary(max_size=200),
        JSON.map(lambda value: json.dumps(value).encode()),
        st.dictionaries(st.sampled_from(FIELDS), LIKELY | JSON, max_size=6).map(
            lambda found: json.dumps({"transaction": "t", "by": "b"} | found).encode()
        ),
    ),
)
def test_nothing_that_is_said_stops_the_table(table, name, payload):
    """Whatever comes in on whatever command is answered, the match can go on, and the journal's chain holds."""
    table.desk.hear(name, payload)
    list(table.desk.serve())
    assert table.replies[-1][0] == name
    assert len(payload) > MAX_BYTES or isinstance(table.replies[-1][1]["ok"], bool)
    json.dumps(snapshot(table.monitor, "finals", "t07"))


def test_after_the_storm_the_journal_is_whole(table):
    """A hundred likely commands at random moments of a hand leave a journal that verifies and folds again to the same state."""
    import random

    rng = random.Random(7)
    tiles = ["6-6", "6-5", "5-4", "4-3", "3-2", "2-1", "1-0", "0-6"]
    for n, tile in enumerate(tiles):
        table.play(2 * n, n % 4, tile, "open" if n == 0 else "b")
        for _ in range(12):
            seq = rng.randint(1, table.journal.last_seq)
            name, fields = rng.choice(
                [("pass", {"seat": rng.randrange(4)}), ("correct", {"seq": seq, "tile": rng.choice(tiles)}), ("undo", {}),
                 ("correct", {"seq": seq, "void": True}), ("ruling", {"incident": seq, "choice": "uphold"}), ("announce", {"seat": 1}),
                 ("ruling", {"incident": seq, "choice": "dismiss"}), ("incident", {"text": "x", "seat": rng.randrange(4)})]
            )  # fmt: skip
            table.say(name, **fields)
    assert table.journal.verify() is None
    state = snapshot(table.monitor, "finals", "t07")
    table.journal.close()
    again = Table(table.journal.path)
    with again.journal:
        assert snapshot(again.monitor, "finals", "t07") == state
        assert again.monitor.state == table.monitor.state
