"""The referee's console in a real Chromium, with a real broker and a whole table behind it."""

from __future__ import annotations

import json
import re

import cv2
import numpy as np
import playwright.sync_api as playwright_api
import pytest
from board_states import snapshot
from conftest import serving_board
from mqtt_listener import Listener
from running_table import RunningTable
from shown_pages import EVIL, PATIENCE_MS, let_down, picture, until

from rules.observations import Place, Withdraw
from rules.ruleset import DUSA, FID
from rules.seats import Seat
from rules.tiles import Tile
from table.broker import Broker
from table.video_writer import write_clip

PAGE = "referee"
TIME = "2026-11-30T00:10:11.123Z"
TEAMS = {"A": "Los Pinos", "B": "La Ceiba"}
HAND = "6-6:open 6-5:b 5-4:b 4-3:b 3-2:b 2-1:b 1-0:b 6-0:b 6-4:b 4-1:b 5-1:b 5-0:b"


@pytest.fixture(scope="module")
def one_broker():
    with Broker("iotcore") as running:  # without a list of who may write: one machine, one referee
        yield running


@pytest.fixture
def table(one_broker, tmp_path):
    with RunningTable(tmp_path / "t07.db", one_broker.tcp_port, DUSA, TEAMS) as running:
        yield running


@pytest.fixture
def fid_table(one_broker, tmp_path):
    with RunningTable(tmp_path / "fid.db", one_broker.tcp_port, FID, TEAMS) as running:
        yield running


@pytest.fixture
def console(browser, address):
    """Opens consoles; none may write an error to its console, but the browser may complain of a lost connection.

    by: the name that the browser remembers, None asks for it.
    """
    faults, contexts = [], []

    def show(query="", by="Rosa", at=address, width=1366, height=768, scheme="dark", live=True):
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        contexts.append(context)
        if by:
            context.add_init_script(f"localStorage.setItem('miron-by', {json.dumps(by)})")
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on(
            "console", lambda said: faults.append(said.text) if said.type == "error" and "WebSocket" not in said.text else None
        )
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(at + query)
        if live:
            expect(page, "body").to_have_attribute("data-signal", "live", timeout=PATIENCE_MS)
        return page

    show.faults = faults
    yield show
    for context in contexts:
        context.close()
    assert faults == []


def expect(page, selector):
    return playwright_api.expect(page.locator(selector))


def contains(page, selector, words):
    playwright_api.expect(page.locator(selector).first).to_contain_text(words, timeout=PATIENCE_MS)


def count(page, selector, number):
    expect(page, selector).to_have_count(number, timeout=PATIENCE_MS)


def wrong_tile(table):
    """S opens 6-6; E lays 5-4, which does not match, and takes it back."""
    table.play("6-6:open 5-4:b")
    table.see(Withdraw(t=table.t + 2, seat=Seat.E, tile=Tile(5, 4)))


def test_an_incident_is_ruled_and_the_score_board_shows_it(table, console, address):
    """Code, quoted rule, seat, tile and proposed fine are shown; acknowledged, then upheld, the fine stands on the scoreboard."""
    wrong_tile(table)
    board, page = console(at=address.replace("/referee", "/board"), live=False), console()
    contains(page, ".chosen .head", "Ficha que no casa")
    contains(page, ".chosen .head", "Este · 5-4 · Mano 1")
    contains(page, ".chosen blockquote", "DUSA-8")
    contains(page, ".chosen blockquote", "por ninguno de los dos lados")
    contains(page, ".chosen dl", "50 puntos de multa a favor de Los Pinos")
    page.click("[data-id$='-acknowledge']")
    count(page, ".incidents.acknowledged li", 1)
    contains(page, ".acknowledged .chosen dl", "Rosa")
    page.click("[data-id$='-uphold']")
    contains(page, ".toast.good", "Hecho: Fallo")
    expect(board, "#fines-A").to_have_text("+50", timeout=PATIENCE_MS)
    expect(page, "#fines-A").to_have_text("+50", timeout=PATIENCE_MS)
    count(page, ".incidents.acknowledged li", 0)
    page.click("summary")
    contains(page, ".ruled", "Ficha que no casa · Este")
    assert [e.data["by"] for e in table.journal.read() if e.type == "entered"] == ["Rosa", "Rosa"]


SEEN = """() => {
  window.seen = [];
  const line = document.getElementById('line');
  new MutationObserver(() => window.seen.push(line.getAttribute('aria-label'))).observe(line, { attributes: true, childList: true });
}"""


def test_a_play_ten_plays_back_is_corrected_with_one_new_state(table, console, one_broker, address):
    """The tiles that nobody has laid are offered; the table publishes one new state; console and board show that line, and none between."""
    table.play(HAND)
    page, board = console(), console(at=address.replace("/referee", "/board"))
    for shown in (page, board):
        count(shown, "#line .tile", 12)
        shown.evaluate(SEEN)
    old = page.get_attribute("#line", "aria-label")
    with Listener(one_broker.tcp_port) as listener:
        assert listener.wait_until(lambda it: it.on("state"))
        before = len(listener.on("state"))
        page.locator("#log li.tile_played").nth(10).locator("button").first.click()
        offered = page.locator("dialog .option", has_text=re.compile("^[0-6]-[0-6]$")).all_inner_texts()
        assert "6-5" in offered and "5-5" in offered and not {"6-6", "5-4", "4-3"} & set(offered)
        page.locator("dialog .option", has_text="5-5").click()
        page.locator("dialog .option", has_text="Oeste").click()
        page.click("dialog [type=submit]")
        contains(page, ".toast.good", "Jugada corregida")
        expect(page, "#line").to_have_attribute("aria-label", re.compile(": 6-6, 5-5, 5-4, "), timeout=PATIENCE_MS)
        assert len(listener.on("state")) == before + 1
        assert listener.on("state")[-1]["line"][1] | {"seq": 0} == {"tile": "5-5", "arm": "b", "seat": 3, "fits": False, "seq": 0}
        expect(board, "#line").to_have_attribute("aria-label", re.compile(": 6-6, 5-5, 5-4, "), timeout=PATIENCE_MS)
        for shown in (page, board):
            assert {*shown.evaluate("window.seen")} <= {old, shown.get_attribute("#line", "aria-label")}
    page.keyboard.press("z")
    expect(page, "#line").to_have_attribute("aria-label", re.compile(": 6-6, 6-5, 5-4, "), timeout=PATIENCE_MS)


def test_a_correction_tells_an_incident_once_more_and_speaks_it_once(table, console):
    """A play before an open incident is corrected: it stays open and chosen, and is not read aloud a second time."""
    wrong_tile(table)
    page = console()
    contains(page, "#announce", "Ficha que no casa, Este")
    seq = page.get_attribute(".chosen .head", "data-seq")
    page.evaluate("""() => {
      window.spoken = 0;
      new MutationObserver(() => (window.spoken += 1)).observe(document.getElementById('announce'), { childList: true });
    }""")
    page.locator("#log li.tile_played button").last.wait_for()
    page.locator("#log li.tile_played", has_text="6-6").locator("button").first.click()
    page.locator("dialog .option", has_text="6-0").click()
    page.click("dialog [type=submit]")
    expect(page, "#line").to_have_attribute("aria-label", re.compile(": 6-0$"), timeout=PATIENCE_MS)
    expect(page, ".chosen .head").not_to_have_attribute("data-seq", seq, timeout=PATIENCE_MS)
    assert page.evaluate("window.spoken") == 0


def test_a_doubted_reading_offers_what_it_may_be_first(table, console):
    """The candidates are buttons with their probability; the referee's word settles the doubt."""
    table.play("6-6:open")
    maybe = ((Tile(6, 4), 0.61), (Tile(6, 3), 0.33))
    table.see(Place(t=table.t + 2, seat=Seat.E, tile=None, at="b", confidence=0.61, candidates=maybe))
    page = console()
    contains(page, ".chosen .buttons", "6-4 (61 %)")
    count(page, "#log li.reading_doubted", 1)
    page.keyboard.press("x")
    contains(page, "dialog .option", "6-4")
    contains(page, "dialog .option >> nth=1", "6-3")
    page.keyboard.press("Escape")
    page.click("[data-id$='-is-1']")
    expect(page, "#line").to_have_attribute("aria-label", re.compile("6-6, 6-3$"), timeout=PATIENCE_MS)
    count(page, ".incidents li", 0)


def test_a_correction_waits_for_what_it_is_about(console, one_broker):
    """Pressed while the event of an incident is not there yet, it opens as soon as the event has come."""
    doubt = {"seat": 1, "end": "b", "candidates": [["6-4", 0.61]]}
    whole = {"schema": 1, "match": 3, "hand": 5, "time": TIME, "t_s": 1.0}
    events = [
        {**whole, "seq": 1, "type": "hand_opened", "data": {"opener": 0}},
        {**whole, "seq": 2, "type": "reading_doubted", "data": doubt},
    ]
    with Listener(one_broker.tcp_port) as table:
        table.say("state", snapshot(1, seq=2), retain=True)
        table.say("alerts", {"alerts": [{"seq": 2, "type": "reading_doubted", **doubt}]}, retain=True)
        table.say("status", {"status": "online", "boot": "b"}, retain=True)
        page = console()
        contains(page, ".chosen .buttons", "6-4 (61 %)")
        page.keyboard.press("x")
        assert not page.locator("dialog[open]").count()
        table.say("rsp/resync", {"ok": True, "from": 1, "to": 2, "last": 2, "more": False, "events": events})
        contains(page, "dialog .option", "6-4")
        for leaf in ("status", "state", "alerts"):
            table.say(leaf, "", retain=True)


def test_everything_by_keyboard_alone(table, console):
    """Name, seat buttons, a new incident, a ruling, points and undo without a pointer; nothing is pressed while one types."""
    table.play("6-6:open")
    page = console(by=None)
    expect(page, "dialog[open]").to_be_visible()
    page.keyboard.type("Juez Núñez")
    page.keyboard.press("Enter")
    expect(page, "body").to_have_attribute("data-signal", "live", timeout=PATIENCE_MS)
    expect(page, "[data-id=tool-undo]").to_be_enabled(timeout=PATIENCE_MS)
    page.keyboard.press("Shift+E")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Pasa: Este"
    page.keyboard.press("Enter")
    contains(page, "#facts", "Norte")
    page.keyboard.press("n")
    page.keyboard.type("Palabra")  # in the list of codes: a letter goes to an entry, and presses no button
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.type("zumba dos veces")
    page.keyboard.press("Enter")
    contains(page, ".chosen .head", "Palabra o gesto")
    page.keyboard.press("j")
    page.keyboard.press("d")
    count(page, ".incidents.open li", 0)
    page.keyboard.press("z")
    count(page, ".incidents.open li", 1)
    page.keyboard.press("p")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith("Anular: Juez Núñez: Deshacer")
    page.keyboard.press("e")
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.type("30")
    contains(page, "dialog .note", "No cuadra: 168 − línea = 156, diferencia 126")
    page.keyboard.press("Enter")
    expect(page, "#score-A").to_have_text("30", timeout=PATIENCE_MS)
    assert {e.data["by"] for e in table.journal.read() if e.type == "entered"} == {"Juez Núñez"}


def test_the_card_of_fid(fid_table, console):
    """Holder, three choices and deadline; going on may still be changed; a repeat is asked about and ends the hand."""
    wrong_tile(fid_table)
    page = console("?lang=en")
    contains(page, ".chosen .card", "North chooses, for the fault of East")
    contains(page, ".chosen .card", "until laying their next tile")
    contains(page, ".chosen blockquote", "FID-ACT-10")
    page.keyboard.press("c")
    contains(page, ".card", "chosen: Go on")
    page.locator(".buttons button", has_text="Repeat the hand").click()
    contains(page, "dialog", "played again")
    page.keyboard.press("Enter")
    contains(page, "#facts", "Hand ended")
    assert fid_table.monitor.state.cards[0].choice == "repeat_hand"


def test_cards_hands_and_matches(table, console):
    """A yellow card stands in the log of its pair with its reason; a hand and a match are started with their openers and names."""
    table.play("6-6:open")
    page = console("?lang=pt")
    expect(page, "[data-id=tool-undo]").to_be_enabled(timeout=PATIENCE_MS)
    page.keyboard.press("t")
    page.locator("dialog .option", has_text="La Ceiba").click()
    page.fill("#field-reason", "fala alto")
    page.keyboard.press("Enter")
    contains(page, "#discipline section:nth-child(2)", "fala alto")
    contains(page, "#discipline section:nth-child(2)", "Amarelo")
    page.keyboard.press("h")
    page.keyboard.press("Enter")
    contains(page, ".toast.bad", "Há uma mão na mesa")
    page.keyboard.press("m")
    page.locator("dialog .option", has_text="FID").click()
    page.fill("#field-A", "Um")
    page.fill("#field-B", "Dois")
    page.check("#field-abandon")
    page.locator("dialog .option", has_text="Oeste").click()
    page.click("dialog [type=submit]")
    expect(page, "#name-B").to_have_text("Dois", timeout=PATIENCE_MS)
    expect(page, "#ruleset").to_have_text("FID", timeout=PATIENCE_MS)
    contains(page, "#facts", "Oeste")
    contains(page, "#discipline section:nth-child(2)", "Nenhum")


@pytest.mark.parametrize(
    ("lang", "words", "rule"),
    [("es", "Incidencias", "La multa se aplica"), ("en", "Incidents", "The fine applies"), ("pt", "Incidências", "A multa")],
)  # fmt: skip
def test_three_languages(table, console, lang, words, rule):
    """Labels, the quoted rule and the reason of a refusal are in the language of the page."""
    wrong_tile(table)
    page = console(f"?lang={lang}")
    expect(page, "#head-incidents").to_have_text(words)
    contains(page, ".chosen blockquote", rule)
    assert page.evaluate("document.documentElement.lang") == lang
    page.keyboard.press("z")
    nothing = {"es": "No hay nada anotado", "en": "nothing entered to undo", "pt": "Não há nada anotado"}[lang]
    contains(page, ".toast.bad", nothing)


def test_a_late_joiner_and_a_table_started_again(console, one_broker, tmp_path):
    """Opened in mid match the page shows what was played before; the table's program starts again and the match goes on."""
    with RunningTable(tmp_path / "t.db", one_broker.tcp_port, DUSA, TEAMS) as table:
        table.play(HAND)
        page = console()
        count(page, "#log li.tile_played", 12)
        count(page, "#line .tile", 12)
    contains(page, "#signal", "Mesa detenida")
    expect(page, "[data-id=tool-undo]").to_be_disabled()
    with RunningTable(tmp_path / "t.db", one_broker.tcp_port, DUSA) as again:
        expect(page, "body").to_have_attribute("data-signal", "live", timeout=PATIENCE_MS)
        again.play("0-0:b", since=0)
        count(page, "#line .tile", 13)
        count(page, "#log li.tile_played", 13)
        expect(page, "#name-A").to_have_text("Los Pinos")
        assert again.monitor.match == 1


def test_the_page_outlives_its_broker_and_misses_nothing(console, tmp_path):
    """Without a broker the page says since when and sends nothing; back again it has the events of the meantime too."""
    with Broker("iotcore") as first:
        tcp_port, ws_port, ws_url = first.tcp_port, first.ws_port, first.ws_url
    with serving_board(ws_url) as board, RunningTable(tmp_path / "t.db", tcp_port, DUSA, TEAMS) as table:
        with Broker("iotcore", tcp_port=tcp_port, ws_port=ws_port):
            table.play("6-6:open 6-5:b")
            page = console(at=board.replace("/board", "/referee"))
            count(page, "#log li.tile_played", 2)
        contains(page, "#signal", "Sin señal desde hace")
        assert page.locator("#stale").is_visible() and "partida 1, mano 1" in page.locator("#stale").inner_text()
        expect(page, "[data-id=tool-undo]").to_be_disabled()
        table.play("5-4:b 4-3:b", since=2)
        with Broker("iotcore", tcp_port=tcp_port, ws_port=ws_port):
            expect(page, "body").to_have_attribute("data-signal", "live", timeout=PATIENCE_MS)
            count(page, "#log li.tile_played", 4)
            count(page, "#line .tile", 4)
            page.close()


def test_a_command_is_said_again_and_done_once(table, console):
    """While the table is busy the page says its command again under the same transaction; it is done once and told once."""
    table.play("6-6:open")
    page = console()
    expect(page, "[data-id=seat-1-pass]").to_be_enabled(timeout=PATIENCE_MS)
    table.busy_for(4.5)
    page.click("[data-id=seat-1-pass]")
    contains(page, ".toast.good", "Pasa: Este")
    assert [seen.kind for seen in table.monitor.state.heard].count("pass") == 1
    contains(page, "#facts", "Norte")


def test_a_broker_with_a_list_of_writers_wants_a_name_and_password(console, needs_mosquitto, tmp_path):
    """Who did not sign in may look, and is told so in words; with user and password the same page rules."""
    login = {"user": "referee", "password": "s3cret"}
    with (
        Broker("mosquitto", **login) as broker,
        serving_board(broker.ws_url) as board,
        RunningTable(tmp_path / "t.db", broker.tcp_port, DUSA, TEAMS, **login) as table,
    ):
        table.play("6-6:open")
        page = console(at=board.replace("/board", "/referee"))
        page.click("[data-id=seat-1-pass]")
        contains(page, ".toast.bad", "solo puede mirar")
        page.locator(".toast.bad button").click()
        page.fill("#field-username", "referee")
        page.fill("#field-password", "s3cret")
        page.keyboard.press("Enter")
        expect(page, "[data-id=seat-1-pass]").to_be_enabled(timeout=PATIENCE_MS)
        page.click("[data-id=seat-1-pass]")
        contains(page, "#facts", "Norte")
        assert table.monitor.state.hand.turn == Seat.N


def test_hostile_text_is_shown_as_text(table, console, one_broker):
    """HTML in names, reasons, authors and codes is printed, never obeyed; rubbish on every topic leaves the page standing."""
    table.play("6-6:open")
    with Listener(one_broker.tcp_port) as listener:
        say = {"by": EVIL[:60], "transaction": "x"}
        listener.say("cmd/start_match", {**say, "teams": {"A": EVIL[:64], "B": "B"}, "abandon": True})
        listener.say("cmd/incident", {**say, "transaction": "y", "text": EVIL, "seat": 1})
        listener.say("cmd/card", {**say, "transaction": "z", "seat": 1, "colour": "red", "reason": EVIL})
        page = console()
        expect(page, "#name-A").to_have_text(EVIL[:64], timeout=PATIENCE_MS)
        contains(page, "#discipline", EVIL)
        contains(page, "#log", EVIL)
        state = listener.on("state")[-1]
        alert = {
            "seq": 1,
            "type": EVIL,
            "code": EVIL,
            "rule": EVIL,
            "seat": EVIL,
            "alternatives": [EVIL],
            "candidates": [[EVIL, 1]],
        }
        proofs = [{"url": "javascript:window.caught=1", "kind": "clip"}, {"url": "https://example.org/a.jpg", "kind": EVIL}]
        listener.say("alerts", {"alerts": [{**alert, "evidence": proofs}]}, retain=True)
        contains(page, "#incidents .chosen .head", EVIL[:30])
        count(page, "#incidents .proofs a", 1)
        assert page.get_attribute("#incidents .proofs a", "rel") == "noopener noreferrer"
        for rubbish in (
            "{",
            "null",
            "[]",
            '"x"',
            json.dumps({"line": [None], "cards": [3], "discipline": {"A": 7}, "advice": [None]}),
        ):
            for leaf in ("state", "alerts", "event", "status", "rsp/resync", "rsp/pass"):
                listener.say(leaf, rubbish, retain=leaf == "state")
        for type in ("__proto__", "constructor", "ruling", "entered", "correction"):
            listener.say(
                "event", {"seq": state["seq"] + 1, "match": 2, "hand": 0, "type": type, "data": {"__proto__": 1, "what": [EVIL]}}
            )
        listener.say("status", {"status": "online"}, retain=True)
        table.do(table.publish)
        expect(page, "#name-A").to_have_text(EVIL[:64], timeout=PATIENCE_MS)
        assert page.evaluate("window.caught") is None and page.locator("main img").count() == 0


def test_how_well_the_table_is_watched_is_said(table, console):
    """A camera that moved is a banner with the button to accept its place, answered honestly where there is none."""
    table.do(lambda: (table.monitor.tell_watching("camera_moved", 3.0, 3.0), table.publish()))
    page = console()
    contains(page, "#watching", "cámara")
    page.click("[data-id=recalibrate]")
    contains(page, ".toast.bad", "Aquí no hay cámara")
    table.do(lambda: (table.monitor.tell_watching("watching", 5.0, 5.0), table.publish()))
    expect(page, "#watching").to_be_hidden(timeout=PATIENCE_MS)


@pytest.mark.parametrize(
    ("width", "height", "scheme"), [(1366, 768, "dark"), (1180, 820, "light"), (820, 1180, "dark"), (390, 844, "light")]
)
def test_the_page_can_be_read_and_used_at_every_size(fid_table, console, width, height, scheme):
    """Every control has a name, ids are unique, headings in order, text stands out by 4.5 : 1, and nothing is cut off sideways."""
    wrong_tile(fid_table)
    page = console(width=width, height=height, scheme=scheme)
    count(page, ".chosen .detail", 1)
    picture(page, f"referee-{width}x{height}-{scheme}")
    assert let_down(page) == []
    page.keyboard.press("n")
    assert let_down(page) == []


def test_proofs_are_shown_with_their_incident(table, console, one_broker, tmp_path):
    """Clip and stills of an incident are pictures on the page, from the server's folder; a proof elsewhere is a link."""
    folder = tmp_path / "evidence"
    folder.mkdir()
    cv2.imwrite(str(folder / "000005-before.jpg"), np.full((90, 160, 3), 120, np.uint8))
    (folder / "000005.mp4").write_bytes(write_clip([(n / 10, np.full((96, 160, 3), 9 * n, np.uint8)) for n in range(20)], 10.0))
    named = [("000005-before.jpg", "still"), ("000005.mp4", "clip")]
    proofs = [{"url": f"evidence/{name}", "sha256": "0" * 64, "kind": kind} for name, kind in named]
    proofs.append({"url": "https://example.org/x.jpg", "sha256": "0" * 64, "kind": "still"})
    wrong_tile(table)
    with serving_board(one_broker.ws_url, evidence=folder) as board, Listener(one_broker.tcp_port) as listener:
        page = console(at=board.replace("/board", "/referee"))
        contains(page, ".chosen .head", "Ficha que no casa")
        assert listener.wait_until(lambda it: it.on("alerts") and it.on("alerts")[-1]["alerts"])
        (alert,) = listener.on("alerts")[-1]["alerts"]
        listener.say("alerts", {"schema": 1, "alerts": [{**alert, "evidence": proofs}]}, retain=True)
        count(page, ".proofs video", 1)
        until(page, "document.querySelector('.proofs img').naturalWidth === 160")
        until(page, "document.querySelector('.proofs video').readyState >= 1")
        assert page.locator(".proofs > a:not(.proof)").get_attribute("href") == "https://example.org/x.jpg"
        video = page.locator(".proofs video").element_handle()
        state = listener.on("state")[-1]
        passed = {"seq": state["seq"] + 1, "match": 1, "hand": 1, "type": "turn_passed", "data": {"seat": 1, "via": "voice"}}
        listener.say("event", passed)
        count(page, "#log li.turn_passed", 1)
        assert video.evaluate("e => e.isConnected"), "what the table does meanwhile stops no clip"
        picture(page, "referee-proofs-1366x768-dark")
        assert let_down(page) == []


def test_a_likely_misreading_is_offered_first(table, console):
    """To correct a play the tile that was read comes first, then those a pip or two away, then the rest."""
    table.play("6-6:open 6-5:b")
    page = console()
    page.locator("#log li.tile_played").first.locator("button").first.click()
    offered = page.locator("dialog .option", has_text=re.compile("^[0-6]-[0-6]$")).all_inner_texts()
    assert offered[0] == "6-5" and set(offered[1:3]) == {"5-5", "6-4"} and offered[-1] == "0-0"
