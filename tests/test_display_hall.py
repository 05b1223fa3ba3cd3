"""The hall's page in a real Chromium, fed by a real broker: every table of an event, and its tournament."""

from __future__ import annotations

import json
import re

import pytest
from board_states import snapshot
from conftest import serving_board
from mqtt_listener import Listener
from shown_pages import EVIL, contains, count, expect, let_down, picture, reads

from scripts.main import main
from scripts.tournament_file import read_tournament
from scripts.tournament_publish import announcement
from table.broker import Broker
from table.mqtt_link import publish_retained
from table.mqtt_settings import MqttSettings

PAGE = "hall"
TIME = "2026-11-30T00:10:11.123Z"
RENEGE = {"seq": 410, "type": "infraction", "code": "RENEGE", "rule": "DUSA-5", "seat": 1}
DOUBT = {"seq": 411, "type": "suspicion", "code": "RENEGE_OR_OUT_OF_TURN", "seat": [1, 2]}


class Hall:
    """Says what the tables of an event say, and takes it away again."""

    def __init__(self, port):
        self.port, self._tables, self._told = port, {}, set()

    def say(self, name, leaf, payload, retain=True):
        if name not in self._tables:
            self._tables[name] = Listener(self.port, table=name)
        self._told.add((name, leaf))
        self._tables[name].say(leaf, payload, retain=retain)

    def table(self, name, plays=9, alerts=(), status="online", **changes):
        self.say(name, "status", {"schema": 1, "status": status, "boot": "b", "host": "h", "since": TIME})
        self.say(name, "state", snapshot(plays, table=name, **changes))
        self.say(name, "alerts", {"schema": 1, "alerts": list(alerts)})

    def tournament(self, payload):
        text = payload if isinstance(payload, str) else json.dumps(payload)
        publish_retained("miron/v1/finals/tournament", text, MqttSettings("finals", "t07", port=self.port))

    def close(self):
        for name, leaf in list(self._told):
            self.say(name, leaf, "")
        self.tournament("")
        for listener in self._tables.values():
            listener.close()


@pytest.fixture
def hall(one_broker):
    """Each test begins with nothing retained."""
    saying = Hall(one_broker.tcp_port)
    yield saying
    saying.close()


@pytest.fixture
def cup(tmp_path):
    """A tournament of five pairs whose first round is over and whose second one is being played."""
    file = tmp_path / "cup.json"
    for words in (
        ["new", file, "Rojas-Díaz", "Luna-Paz", "Mora-Gil", "Vega-Sol", "Cruz-Rey", "--rounds", 5, "--name", "Sunday cup"],
        ["pairing", file, "--open"],
        ["result", file, 1, 300, 180],
        ["result", file, 2, 120, 300],
        ["pairing", file, "--open"],
        ["result", file, 1, 300, 250],
    ):
        with pytest.raises(SystemExit) as done:
            main(["tournament", *map(str, words)])
        assert not done.value.code
    return file


def test_every_table_of_the_event_is_a_card(hall, pages, address):
    """State, score, fines, open incidents and health of each table, in the order of their numbers, from retained messages."""
    for n in (10, 2, 1):
        hall.table(f"t{n}", 9, score={"A": 10 * n, "B": 5}, alerts=[RENEGE, DOUBT] if n == 2 else [])
    page = pages.show(address)
    count(page, ".card", 3)
    assert page.locator(".card h3").all_inner_texts() == ["t1", "t2", "t10"]
    reads(page, "[data-table=t10] .pair-A b", "100")
    reads(page, "[data-table=t10] .pair-B small", "Multas +20")
    contains(page, "[data-table=t10] .play", "Turno Este")
    contains(page, "[data-table=t1] .incidents", "Sin incidencias")
    contains(page, "[data-table=t2] .incidents", "Incidencias abiertas: 2")
    contains(page, "[data-table=t2] .incidents li.infraction", "Este: pasó con ficha")
    reads(page, "#counts", "3 de 3 en vivo")
    contains(page, "[data-table=t1] .health", "sin datos")
    hall.say("t1", "health", {"fps": 4.2, "latency_ms": 190.5, "journal": {"waiting": 3}}, retain=False)
    contains(page, "[data-table=t1] .health", "4.2 miradas/s · 190.5 ms · 3 por enviar")
    hall.table("t1", 10, score={"A": 11, "B": 5}, watching={"state": "camera_moved"})
    reads(page, "[data-table=t1] .pair-A b", "11")
    contains(page, "[data-table=t1] .health", "la cámara se ha movido")
    page.click("#waiting")
    count(page, ".card", 1)
    assert page.get_attribute(".card .links a >> nth=0", "href") == "/board?table=t2"


def test_a_table_that_is_gone_is_never_shown_as_live(hall, pages, address):
    """Its will greys its card and says since when; the others stay live. A table whose topics were emptied disappears."""
    hall.table("t1")
    hall.table("t2")
    page = pages.show(f"{address}?lang=en")
    reads(page, "#counts", "2 of 2 live")
    hall.say("t2", "status", {"status": "offline", "boot": "b"})
    contains(page, "[data-table=t2] .signal", re.compile("No signal since [1-9] s"))
    contains(page, "[data-table=t2] .old", "match 3, hand 5")
    reads(page, "[data-table=t1] .signal", "Live")
    reads(page, "#counts", "1 of 2 live")
    for leaf in ("status", "state", "alerts"):
        hall.say("t2", leaf, "")
    count(page, ".card", 1)


def test_a_table_that_says_nothing_is_not_live(hall, pages, address):
    """Retained words alone keep no card live: after 35 s without one of the moment it has no signal, with the next one it is live again."""
    hall.table("t1")
    hall.table("t2")
    page = pages.show("about:blank")
    page.clock.install()
    page.goto(f"{address}?lang=en")
    reads(page, "#counts", "2 of 2 live")
    page.clock.fast_forward(20_000)
    hall.say("t2", "health", {"fps": 4.2}, retain=False)
    contains(page, "[data-table=t2] .health", "4.2")
    page.clock.fast_forward(20_000)
    contains(page, "[data-table=t1] .signal", re.compile("No signal since 4[0-9] s"))
    reads(page, "[data-table=t2] .signal", "Live")
    reads(page, "#signal", "Live")
    hall.say("t1", "health", {"fps": 4.2}, retain=False)
    reads(page, "#counts", "2 of 2 live")


def test_the_hall_outlives_its_broker(pages):
    """Without the broker no table counts as live and the page says so; with it back, everything is live again."""
    with Broker("iotcore") as first:
        tcp_port, ws_port, ws_url = first.tcp_port, first.ws_port, first.ws_url
    with serving_board(ws_url) as board:
        page = pages.show(board.replace("/board", "/hall"))
        for score in (20, 30):
            with Broker("iotcore", tcp_port=tcp_port, ws_port=ws_port), Listener(tcp_port) as listener:
                listener.say("status", {"status": "online"}, retain=True)
                listener.say("state", snapshot(5, score={"A": score, "B": 0}), retain=True)
                reads(page, "#counts", "1 de 1 en vivo")
                reads(page, ".pair-A b", str(score))
            contains(page, "#signal", "Sin señal desde hace")
            reads(page, "#counts", "0 de 1 en vivo")
            assert page.locator("#stale").is_visible()


def test_the_tournament_is_published_and_shown(hall, pages, address, one_broker, cup):
    """`miron tournament publish` puts the Swiss table and the round that is played on the page; an empty message takes them away."""
    hall.table("t1")
    page = pages.show(f"{address}?lang=pt")
    with pytest.raises(SystemExit) as done:
        main(["tournament", "publish", str(cup), "--event", "finals", "--broker", f"127.0.0.1:{one_broker.tcp_port}"])
    assert not done.value.code
    reads(page, "#head-tournament", "Sunday cup")
    contains(page, "#standings h3", "Classificação após a rodada 1 de 5")
    rows = [row.locator("th, td").all_inner_texts() for row in page.locator("#standings tbody tr").all()]
    assert rows[0] == ["1", "Vega-Sol", "1", "+180", "300", "1"] and rows[-1] == ["5", "Mora-Gil", "0", "-180", "120", "1"]
    contains(page, "#pairing h3", "Rodada 2: em jogo")
    assert page.locator("#pairing tbody tr").count() == 2
    contains(page, "#pairing tbody tr", "300 : 250")
    contains(page, "#pairing p", "Folga")
    hall.tournament("")
    expect(page, "#tournament").to_be_hidden()


def test_what_is_announced_of_a_tournament(cup):
    """Before the first round the pairing that comes; while one is played its sheets; a round that has gone on is not `open`."""
    told = announcement(read_tournament(cup), "finals", TIME)
    assert (told["after"], told["third_key"], told["pairing"]["round"], told["pairing"]["open"]) == (1, "points_for", 2, True)
    assert told["pairing"]["tables"][0]["points"] == [300, 250] and "points" not in told["pairing"]["tables"][1]
    with pytest.raises(SystemExit):
        main(["tournament", "result", str(cup), "2", "300", "10"])
    told = announcement(read_tournament(cup), "finals", TIME)
    assert (told["after"], told["pairing"]["round"], told["pairing"]["open"]) == (2, 3, False)


@pytest.mark.parametrize("option", [["--broker", "nowhere"], ["--broker", "127.0.0.1:1"], ["--event", "A B"]])
def test_publishing_says_what_is_wrong_in_one_line(cup, capsys, option):
    """A broker that cannot be, one that is not there, and a name that is none are exit code 2 and one line."""
    with pytest.raises(SystemExit) as done:
        main(["tournament", "publish", str(cup), *option])
    said = capsys.readouterr().err
    assert done.value.code == 2 and said.startswith("miron: expected") and said.count("\n") == 1


def test_hostile_text_is_shown_as_text(hall, pages, address):
    """HTML in names, codes, pairs and the tournament's name is printed; rubbish on every topic leaves the page standing."""
    teams = {"A": {"name": EVIL, "seats": [0, 2]}, "B": {"name": ["x"], "seats": "no"}}
    evil = {"seq": 1, "type": EVIL, "code": EVIL, "rule": EVIL, "seat": EVIL}
    hall.table("t1", 3, teams=teams, ruleset=EVIL, alerts=[evil], watching={"state": EVIL})
    standing = {"place": EVIL, "pair": EVIL, "status": EVIL}
    pairing = {"round": 1, "tables": [{"table": 1, "pairs": [EVIL, EVIL], "points": [EVIL], "winner": EVIL}], "bye": EVIL}
    hall.tournament(
        {"name": EVIL, "after": 1, "standings": [standing, None], "pairing": pairing, "time": EVIL, "third_key": EVIL}
    )
    page = pages.show(address)
    reads(page, "[data-table=t1] .pair-A dt", EVIL[:64])
    reads(page, "#head-tournament", EVIL[:120])
    contains(page, "#pairing", EVIL[:60])
    for rubbish in (
        "{",
        "null",
        "[]",
        '"x"',
        json.dumps({"standings": 3, "pairing": [], "alerts": [3], "journal": 7, "line": [None]}),
    ):
        for leaf in ("status", "state", "alerts", "health"):
            hall.say("t9", leaf, rubbish)
        hall.tournament(rubbish)
    hall.say("__proto__", "state", {"x": 1})
    hall.table("t3")
    count(page, "[data-table=t3]", 1)
    assert page.evaluate("window.caught") is None and page.locator("main img").count() == 0


@pytest.mark.parametrize(("width", "height", "scheme"), [(1920, 1080, "dark"), (1366, 768, "light"), (390, 844, "light")])
def test_the_hall_can_be_read_by_everybody(hall, pages, address, cup, width, height, scheme):
    """No serious finding of the accessibility check, at every size, light and dark, with incidents, a lost table and a tournament."""
    for n in range(1, 9):
        hall.table(f"t{n:02}", 3 + 2 * n, alerts=[RENEGE, DOUBT] if n == 2 else [DOUBT] if n == 7 else [])
    hall.table("t05", 0, phase="waiting", turn=0, ends=None)
    hall.say("t04", "status", {"status": "offline", "boot": "b"})
    hall.table("t08", 23, phase="over", winner="A", score={"A": 201, "B": 122})
    hall.tournament(announcement(read_tournament(cup), "finals", TIME))
    page = pages.show(address, width, height, scheme)
    count(page, ".card", 8)
    contains(page, "#standings", "Vega-Sol")
    hall.say("t01", "health", {"fps": 4.2, "latency_ms": 190.5, "drift_mm": 0.3, "journal": {"waiting": 0}}, retain=False)
    contains(page, "[data-table=t01] .health", "4.2")
    picture(page, f"hall-{width}x{height}-{scheme}")
    assert let_down(page) == []
