"""The scoreboard in a real Chromium, fed by a real broker."""

import json
import re

import playwright.sync_api as playwright_api
import pytest
import shown_pages
from board_states import halves, snapshot
from conftest import serving_board
from shown_pages import PATIENCE_MS, let_down, picture, until

from table.broker import Broker
from table.journal import Journal
from table.mqtt import MqttPublisher, MqttSettings

PAGE = "board"
TIME = "2026-11-30T00:10:11.123Z"


@pytest.fixture
def screen(pages, address):
    """Opens the board, with a query."""
    return lambda query="", scheme="light", **more: pages.show(address + query, scheme=scheme, **more)


def say(spoken, plays=23, alerts=(), status="online", **changes):
    """What a table says of itself: status, the state after so many plays, and its alerts."""
    spoken.say("status", {"schema": 1, "status": status, "boot": "b", "host": "h", "since": TIME}, retain=True)
    spoken.say("state", snapshot(plays, **changes), retain=True)
    spoken.say("alerts", {"schema": 1, "alerts": list(alerts)}, retain=True)


def event(seq, type, data, **changes):
    return {"schema": 1, "seq": seq, "match": 3, "hand": 5, "time": TIME, "t_s": 1.0, "type": type, "data": data, **changes}


def reads(page, id, words):
    """Wait until the element says so."""
    shown_pages.reads(page, f"#{id}", words)


def tiles(page, count):
    shown_pages.count(page, "#line .tile", count)


def test_a_late_joiner_sees_the_whole_table(spoken, screen):
    """Opened in the middle of a hand, the page shows line, ends, turn, score, fines, hand and last play from the retained state."""
    say(spoken, 12)
    page = screen()
    tiles(page, 12)
    reads(page, "score-A", "87")
    reads(page, "score-B", "122")
    reads(page, "fines-B", "+20")
    reads(page, "total-B", "142")
    assert not page.locator("#total-A").is_visible()
    reads(page, "name-A", "Los Pinos")
    reads(page, "match", "Partida 3")
    reads(page, "hand", "Mano 5")
    reads(page, "ruleset", "DUSA")
    reads(page, "turn", "Sur")
    reads(page, "last", "Oeste: 4-2")
    reads(page, "ends", "2 · 5")
    reads(page, "signal", "En vivo")
    assert page.locator("#seat-0.turn").count() == 1 and page.locator("#seat-0 .held i").count() == 4
    assert page.get_attribute("#line", "aria-label").endswith("4-4, 4-1, 6-1, 4-3, 3-2, 6-3, 6-2, 6-6, 5-3, 6-5, 5-4, 4-2")


def test_snapshots_and_events_move_the_page(spoken, screen):
    """A new snapshot replaces everything; an event newer than it is shown at once, an older one changes nothing."""
    say(spoken, 5)
    page = screen()
    tiles(page, 5)
    spoken.say("event", event(6, "tile_played", {"seat": 1, "tile": "6-3", "end": "a", "ends": [3, 2], "confidence": 0.99}))
    tiles(page, 6)
    reads(page, "turn", "Norte")
    reads(page, "last", "Este: 6-3")
    spoken.say("event", event(4, "tile_played", {"seat": 3, "tile": "0-0", "end": "a", "ends": [0, 0]}))
    spoken.say("event", event(7, "turn_passed", {"seat": 2, "via": "voice"}))
    reads(page, "last", "Norte: pasó")
    reads(page, "passes", "Norte")
    tiles(page, 6)
    say(spoken, 9, score={"A": 101, "B": 122})
    tiles(page, 9)
    reads(page, "score-A", "101")
    reads(page, "passes", "–")


def test_an_alert_is_text_icon_and_colour(spoken, screen):
    """An infraction appears at once from its event, and goes when the table closes it; only alerts are read aloud at once."""
    say(spoken, 9)
    page = screen()
    tiles(page, 9)
    spoken.say("event", event(10, "infraction", {"code": "RENEGE", "rule": "DUSA-5", "seat": 1, "fine": 50}))
    item = page.locator("#alerts li.infraction")
    playwright_api.expect(item).to_contain_text("Este: pasó con ficha", timeout=PATIENCE_MS)
    assert "DUSA-5" in item.inner_text() and item.locator("svg.icon").count() == 1
    assert item.locator("b").evaluate("e => getComputedStyle(e).color") == "rgb(179, 32, 31)"
    assert page.locator("[aria-live=assertive]").evaluate_all("all => all.map(e => e.id)") == ["alerts"]
    spoken.say("alerts", {"schema": 1, "alerts": []}, retain=True)
    playwright_api.expect(page.locator("#alerts li")).to_have_count(0, timeout=PATIENCE_MS)


def test_a_doubt_names_every_seat_it_may_be(spoken, screen):
    """A suspicion about two seats names both; a doubted reading says nothing twice; a code without words is shown itself."""
    suspicion = {"seq": 5, "type": "suspicion", "code": "RENEGE_OR_OUT_OF_TURN", "seat": [1, 2]}
    doubted = {"seq": 6, "type": "reading_doubted", "code": "READING_DOUBTED", "seat": None}
    other = {"seq": 7, "type": "infraction", "code": "SINGING", "seat": 0}
    say(spoken, 9, alerts=[suspicion, doubted, other])
    page = screen("?lang=en")
    items = page.locator("#alerts li")
    playwright_api.expect(items).to_have_count(3, timeout=PATIENCE_MS)
    texts = [re.sub(r"\s+", " ", text).strip() for text in items.all_inner_texts()]
    assert texts == ["Doubt for the referee East / North: renege or out of turn", "Reading in doubt", "Infraction South: SINGING"]


def test_a_doubted_tile_is_shown_as_unknown(spoken, screen):
    """A tile whose value is not known lies there with question marks, and its end is unknown."""
    state = snapshot(9)
    say(spoken, line=[*state["line"], {"tile": None, "arm": "b", "seat": 1}], ends=[5, None])
    page = screen()
    tiles(page, 10)
    reads(page, "ends", "5 · ?")
    assert page.locator("#line .unknown").count() == 2


def test_offline_is_never_shown_as_live(spoken, screen):
    """When the table's will says offline, the page says for how long, and that the score is the last known, of which match."""
    say(spoken, 12)
    page = screen()
    reads(page, "signal", "En vivo")
    assert not page.locator("#stale").is_visible()
    spoken.say("status", {"status": "offline", "boot": "b"}, retain=True)
    playwright_api.expect(page.locator("#signal")).to_have_text(re.compile("Sin señal desde hace [1-9] s"), timeout=PATIENCE_MS)
    assert "partida 3, mano 5, hace" in page.locator("#stale").inner_text()
    assert page.evaluate("getComputedStyle(document.querySelector('main')).filter").startswith("grayscale")
    spoken.say("status", {"status": "stopped", "boot": "b"}, retain=True)
    reads(page, "signal", "Mesa detenida")
    assert page.locator("#stale").is_visible()
    say(spoken, 13)
    reads(page, "signal", "En vivo")


def test_a_page_opened_before_the_table_comes_alive_with_it(spoken, screen, one_broker, tmp_path):
    """The page waits for the table; the real publisher starts, and the page follows it to its clean stop."""
    page = screen("?lang=en")
    reads(page, "signal", "Waiting for the table")
    with Journal(tmp_path / "t07.db", "finals", "t07") as journal:
        publisher = MqttPublisher(journal, MqttSettings("finals", "t07", port=one_broker.tcp_port), {})
        publisher.start()
        journal.append("hand_opened", {"opener": 0}, 0.0, 0, 3, 5, TIME)
        publisher.publish_state(snapshot(0, seq=1, ends=None, turn=0))
        reads(page, "empty", "Waiting for the opening")
        journal.append("tile_played", {"seat": 0, "tile": "4-4", "end": "open", "ends": [4, 4]}, 1.0, 9, 3, 5, TIME)
        publisher.notify()
        tiles(page, 1)
        reads(page, "signal", "Live")
        publisher.stop()
    reads(page, "signal", "Table stopped")


def test_the_page_outlives_its_broker(browser, tmp_path):
    """With the broker away from the start, and gone in the middle, the page says so and comes back by itself."""
    with Broker() as first:
        tcp_port, ws_port, kind, ws_url = first.tcp_port, first.ws_port, first.kind, first.ws_url
    with serving_board(ws_url) as address:
        page = browser.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(address)
        playwright_api.expect(page.locator("#signal")).to_contain_text("Sin señal", timeout=PATIENCE_MS)
        with Journal(tmp_path / "t07.db", "finals", "t07") as journal:
            publisher = MqttPublisher(journal, MqttSettings("finals", "t07", port=tcp_port, back_off_s=(0.2, 1)), {})
            publisher.start()
            publisher.publish_state(snapshot(5))
            for plays in (5, 6):
                with Broker(kind, tcp_port=tcp_port, ws_port=ws_port):
                    publisher.publish_state(snapshot(plays))
                    reads(page, "signal", "En vivo")
                    tiles(page, plays)
                playwright_api.expect(page.locator("#signal")).to_contain_text("Sin señal desde hace", timeout=PATIENCE_MS)
                assert page.locator("#stale").is_visible()
            publisher.stop()
        page.close()


def test_hostile_text_is_shown_as_text(spoken, screen):
    """HTML in names, codes and rules is printed, never obeyed; wrong kinds and rubbish leave the page standing."""
    evil = "<img src=x onerror=window.caught=1><script>window.caught=1</script>"
    teams = {"A": {"name": evil, "seats": [0, 2]}, "B": {"name": ["x"], "seats": "no"}}
    say(spoken, 3, teams=teams, ruleset=evil, alerts=[{"seq": 1, "type": evil, "code": evil, "rule": evil, "seat": evil}])
    page = screen()
    reads(page, "name-A", evil[:64])
    playwright_api.expect(page.locator("#alerts li")).to_contain_text("<img src=x", timeout=PATIENCE_MS)
    for rubbish in (
        "{",
        "null",
        "[]",
        '"x"',
        json.dumps({"line": [None, 3, {"tile": evil, "arm": evil}], "held": {}, "score": 7, "ends": "no"}),
    ):
        spoken.say("state", rubbish, retain=True)
        spoken.say("alerts", rubbish, retain=True)
        spoken.say("event", rubbish)
        spoken.say("status", rubbish, retain=True)
    for type in ("__proto__", "constructor", "toString"):
        spoken.say("event", event(99, type, {"__proto__": {"x": 1}}))
    say(spoken, 4)
    tiles(page, 4)
    assert page.evaluate("window.caught") is None and page.locator("main img, #alerts img").count() == 0


@pytest.mark.parametrize(
    ("query", "lang", "words"),
    [("", "es", "Turno"), ("?lang=en", "en", "Turn"), ("?lang=pt", "pt", "Vez"), ("?lang=xx", "es", "Turno")],
)
def test_the_page_speaks_three_languages(spoken, screen, query, lang, words):
    """Spanish unless ?lang= asks for English or Portuguese; the document says which."""
    page = screen(query)
    playwright_api.expect(page.locator("[data-word=turn]")).to_have_text(words, timeout=PATIENCE_MS)
    assert page.evaluate("document.documentElement.lang") == lang


@pytest.mark.parametrize(("width", "height"), [(360, 740), (820, 1180), (1280, 720), (3840, 2160)])
def test_nothing_is_cut_off_from_phone_to_wall(spoken, screen, width, height):
    """At every size three-digit scores stay in their panels, the line in its table, and the page scrolls down at most."""
    say(spoken, 23, score={"A": 188, "B": 199})
    page = screen(width=width, height=height)
    tiles(page, 23)
    outside = """() => {
      const out = [];
      const inside = (child, parent, name) => {
        const [c, p] = [child.getBoundingClientRect(), parent.getBoundingClientRect()];
        if (c.left < p.left - 1 || c.right > p.right + 1 || c.top < p.top - 1 || c.bottom > p.bottom + 1) out.push(name);
      };
      for (const team of document.querySelectorAll('.team')) {
        const score = team.querySelector('.score');
        const range = document.createRange();
        range.selectNodeContents(score);
        inside(range, team, score.id);
      }
      for (const tile of document.querySelectorAll('#line .tile, #line .tip')) inside(tile, document.querySelector('.felt'), 'tile');
      if (document.documentElement.scrollWidth > innerWidth) out.push('page');
      return out;
    }"""
    assert page.evaluate(outside) == []


def test_no_two_tiles_of_a_line_overlap(screen):
    """Whatever the order of doubles and arms, at every row length tiles touch but never overlap, and none moves when one is added."""
    page = screen()
    faults = page.evaluate("""async () => {
      const { layOut } = await import('/static/layout.js');
      let seed = 7;
      const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
      const box = (p, double) => {
        const upright = p.degrees % 180 === 90;
        const [w, h] = upright ? [1, 2] : [2, 1];
        return [p.x - w / 2, p.y - h / 2, p.x + w / 2, p.y + h / 2];
      };
      const faults = [];
      for (let game = 0; game < 400; game++) {
        const share = random(5);
        const line = Array.from({ length: 28 }, (_, n) => ({
          tile: random(4) ? { high: 5, low: 2 } : { high: 3, low: 3 },
          arm: n === 0 ? 'open' : random(4) < share ? 'a' : 'b', lowFirst: null,
        }));
        const width = [11, 15, 19][game % 3];
        const { places } = layOut(line, width);
        const boxes = places.map((p) => box(p));
        boxes.forEach((one, i) => boxes.slice(0, i).forEach((other, j) => {
          const clear = one[2] <= other[0] + 1e-6 || other[2] <= one[0] + 1e-6 || one[3] <= other[1] + 1e-6 || other[3] <= one[1] + 1e-6;
          if (!clear) faults.push([game, i, j]);
        }));
        if (boxes.some((b) => b[0] < -width / 2 - 1 || b[2] > width / 2 + 1)) faults.push([game, 'out']);
        const before = layOut(line.slice(0, 20), width).places;
        if (JSON.stringify(before) !== JSON.stringify(places.slice(0, 20))) faults.push([game, 'moved']);
      }
      return faults.slice(0, 10);
    }""")
    assert faults == []


def test_halves_meet_with_equal_numbers(screen):
    """The half towards the opening is the equal one on both arms; a tile that does not match is marked."""
    page = screen()
    joined = page.evaluate("""async () => {
      const { layOut } = await import('/static/layout.js');
      const { tileOf } = await import('/static/model.js');
      const laid = (text, arm) => ({ tile: tileOf(text), arm, lowFirst: null });
      const line = [laid('6-4', 'open'), laid('4-1', 'a'), laid('2-6', 'b'), laid('1-1', 'a'), laid('5-0', 'b'), laid('5-3', 'b')];
      return layOut(line, 15).places.map((p) => [p.inner, p.outer, p.joined]);
    }""")
    assert joined == [[4, 6, True], [4, 1, True], [6, 2, True], [1, 1, True], [0, 5, False], [5, 3, True]]


def lying(plays):
    """The line after so many plays in places of its own: along the x axis, 60 mm from tile to tile, doubles across."""
    line = snapshot(plays)["line"]
    step = {"open": 0, "a": 0, "b": 0}
    for laid in line:
        side = {"open": 0, "a": -1, "b": 1}[laid["arm"]]
        step[laid["arm"]] += 1
        laid |= {"x_mm": side * 60.0 * step[laid["arm"]], "y_mm": 0.0, "angle_deg": 90.0 if len(set(halves(laid))) == 1 else 0.0}
    return line


def test_the_line_is_drawn_where_it_lies(spoken, screen):
    """With the place of every tile the line lies as on the table; with one place missing it is drawn in rows."""
    say(spoken, 3, line=lying(3))
    page = screen()
    tiles(page, 3)
    assert page.get_attribute("#line", "data-lying") == "true"
    xs = page.locator("#line .tile").evaluate_all("all => all.map(e => e.getBoundingClientRect()).map(r => r.x + r.width / 2)")
    gaps = [xs[0] - xs[1], xs[1] - xs[2]]
    assert gaps[0] > 0 and abs(gaps[0] - gaps[1]) < 1
    line = lying(4)
    del line[2]["x_mm"]
    say(spoken, 4, line=line)
    tiles(page, 4)
    assert page.get_attribute("#line", "data-lying") == "false"


def test_a_correction_far_back_is_seen_and_heard_once(spoken, screen):
    """Ten plays are taken back and told anew: the page goes from the old line to the new one, without a line that never lay between."""
    say(spoken, 12)
    page = screen()
    tiles(page, 12)
    page.evaluate("""() => {
      window.seen = [];
      window.rung = 0;
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (...all) { window.rung += 1; return start.apply(this, all); };
      const line = document.getElementById('line');
      new MutationObserver(() => window.seen.push(line.getAttribute('aria-label'))).observe(line, { attributes: true, childList: true });
    }""")
    page.click("#sound")
    playwright_api.expect(page.locator("#sound[aria-pressed=true]")).to_be_visible(timeout=PATIENCE_MS)
    old = page.get_attribute("#line", "aria-label")
    corrected = snapshot(12, seq=40)
    corrected["line"][2]["tile"] = "6-2"
    spoken.say("event", event(13, "correction", {"voids": list(range(3, 13)), "by": "Rosa"}))
    for n, laid in enumerate(corrected["line"][2:]):
        told = {"seat": laid["seat"], "tile": laid["tile"], "end": laid["arm"], "ends": [0, 0]}
        spoken.say("event", event(14 + n, "tile_played", told))
    spoken.say("event", event(24, "infraction", {"code": "RENEGE", "rule": "DUSA-5", "seat": 1}))
    until(page, "window.rung > 0")
    assert page.locator("#alerts li").count() == 0
    spoken.say("state", corrected, retain=True)
    playwright_api.expect(page.locator("#line")).to_have_attribute(
        "aria-label", re.compile("4-4, 4-1, 6-2, "), timeout=PATIENCE_MS
    )
    new = page.get_attribute("#line", "aria-label")
    assert set(page.evaluate("window.seen")) <= {old, new} and page.evaluate("window.rung") == 2
    spoken.say("event", event(41, "tile_played", {"seat": 0, "tile": "5-5", "end": "b", "ends": [2, 5]}))
    tiles(page, 13)


def test_what_another_run_left_behind_is_not_live(spoken, screen):
    """A state of another boot than the table's own word, and a table that has no state yet, are shown as waiting, never as live."""
    say(spoken, 12, boot="old")
    page = screen()
    reads(page, "signal", "Esperando la mesa")
    assert page.locator("#stale").is_visible()
    say(spoken, 5, boot="b")
    reads(page, "signal", "En vivo")
    spoken.say("state", "", retain=True)
    reads(page, "signal", "Esperando la mesa")
    tiles(page, 0)


def test_a_state_that_nobody_repeats_is_not_live(spoken, pages, address):
    """What a broker has kept for us may be as old as a break beyond it: without a word of the moment for 35 s the board is not live."""
    say(spoken, 5)
    page = pages.show("about:blank")
    page.clock.install()
    page.goto(address)
    reads(page, "signal", "En vivo")
    page.clock.fast_forward(40_000)
    reads(page, "signal", re.compile("Sin señal desde hace 4[0-9] s"))
    assert page.locator("#stale").is_visible()
    spoken.say("health", {"fps": 4.2})
    reads(page, "signal", "En vivo")


def test_the_clock_counts_the_turn(spoken, screen):
    """The time since the last play runs while the table is live, begins anew with the next play, and is gone without a signal."""
    say(spoken, 5)
    page = screen()
    tiles(page, 5)
    playwright_api.expect(page.locator("#clock")).to_be_hidden()  # the state is hours old: nobody knows since when
    spoken.say("state", snapshot(7), retain=False)
    tiles(page, 7)
    playwright_api.expect(page.locator("#clock")).to_have_text(re.compile("^0:0[1-9]$"), timeout=PATIENCE_MS)
    spoken.say("state", snapshot(8), retain=False)
    playwright_api.expect(page.locator("#clock")).to_have_text("0:00", timeout=PATIENCE_MS)
    spoken.say("status", {"status": "offline", "boot": "b"}, retain=True)
    playwright_api.expect(page.locator("#clock")).to_be_hidden(timeout=PATIENCE_MS)


def test_what_seats_can_hold_comes_late(spoken, screen):
    """With ?holdings= the tiles that no pass excludes are shown by seat, from what is older than the delay; else nothing is shown."""
    say(spoken, 2)
    page = screen("?holdings=10&lang=en")
    tiles(page, 2)
    for row in (
        event(1, "tile_played", {"seat": 0, "tile": "4-4", "end": "open", "ends": [4, 4]}),
        event(2, "tile_played", {"seat": 1, "tile": "4-1", "end": "a", "ends": [1, 4]}),
        event(3, "turn_passed", {"seat": 2, "via": "knock"}),
    ):
        spoken.say("event", row)
    seats = page.locator("#holdings-seats dd")
    playwright_api.expect(seats).to_have_count(4, timeout=PATIENCE_MS)
    assert "4-0" in seats.nth(2).inner_text(), "younger than the delay"
    playwright_api.expect(seats.nth(2)).not_to_contain_text("4-0", timeout=PATIENCE_MS)
    texts = [one.locator("span").all_inner_texts() for one in seats.all()]
    assert "4-0" in texts[0] and "5-0" in texts[2] and not {"4-4", "4-1"} & {tile for row in texts for tile in row}
    assert not any("1" in tile or "4" in tile for tile in texts[2])
    assert not screen().locator("#holdings").is_visible()


@pytest.mark.parametrize(
    ("width", "height", "scheme"),
    [(1920, 1080, "dark"), (1366, 768, "light"), (390, 844, "dark")],
)
def test_the_board_can_be_read_by_everybody(spoken, pages, address, width, height, scheme):
    """No serious finding of the accessibility check, live with an incident and without a signal, dark and light."""
    alert = {"seq": 9, "type": "infraction", "code": "RENEGE", "rule": "DUSA-5", "seat": 1}
    say(spoken, 19, alerts=[alert], line=lying(19) if scheme == "light" else snapshot(19)["line"])
    page = pages.show(address, width, height, scheme)
    reads(page, "signal", "En vivo")
    picture(page, f"board-{width}x{height}-{scheme}")
    assert let_down(page) == []
    spoken.say("status", {"status": "offline", "boot": "b"}, retain=True)
    playwright_api.expect(page.locator("#stale")).to_be_visible(timeout=PATIENCE_MS)
    picture(page, f"board-{width}x{height}-{scheme}-no-signal")
    assert let_down(page) == []
