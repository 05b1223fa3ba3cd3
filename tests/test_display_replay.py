"""The replay page in a real Chromium: a recorded match with its film and the drawn table, under either rule set."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import serving_board
from shown_pages import EVIL, contains, count, expect, let_down, picture, reads, until
from test_table_recording import record

from table.library import Library

WS_URL = "ws://127.0.0.1:9/mqtt"  # the page asks no broker


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    """One recorded hand: its second round has a tile that does not match and is taken back."""
    folder = tmp_path_factory.mktemp("recordings")
    record(folder / "final", tmp_path_factory.mktemp("journal") / "t07.db")
    (folder / "final" / "evidence").mkdir(exist_ok=True)
    with Library(folder) as library:
        yield library


@pytest.fixture(scope="module")
def address(recordings):
    with serving_board(WS_URL, recordings=recordings) as found:
        yield found.replace("/board", "/replay")


@pytest.fixture(scope="module")
def judged(recordings):
    """The recording under its own rules."""
    return recordings.judged("final", "dusa")


@pytest.fixture(scope="module")
def played(judged):
    """Its events."""
    return judged["events"]


def at_time(page, tS):
    """Put the slider a moment after that time."""
    tS += 0.2
    page.evaluate("tS => { const e = document.getElementById('time'); e.value = tS; e.dispatchEvent(new Event('input')); }", tS)


def test_a_recorded_match_is_gone_through(pages, address, played, judged):
    """Every play and incident is in the list; a click, the keys and the slider go there, and the table stands as it stood then."""
    page = pages.show(f"{address}?lang=en")
    plays = [e for e in played if e["type"] == "tile_played"]
    count(page, "#moments .play", sum(e["type"] in ("tile_played", "turn_passed", "tile_withdrawn") for e in played))
    contains(page, ".panel h2", "DUSA (as it was played)")
    reads(page, ".panel dt.pair-A", "Robles")
    contains(page, ".panel .facts", "Before the opening")
    page.locator("#moments .play").nth(2).click()
    expect(page, ".panel svg[role=img]").to_have_attribute("aria-label", re.compile(f"{plays[0]['data']['tile']}"))
    before = page.locator(".panel .tile").count()
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    assert page.locator("#moments [aria-current=true]").count() == 1
    at_time(page, 0)
    page.locator("h1").click()
    page.keyboard.press("Shift+ArrowRight")
    count(page, "#moments .incident[aria-current=true]", 1)
    at_time(page, played[-1]["t_s"])
    count(page, ".panel .tile", len(judged["steps"][-1]["state"]["line"]))
    assert page.locator(".panel .tile").count() > before
    at_time(page, 0)
    count(page, ".panel .tile", 0)
    page.check("#only-incidents")
    assert page.locator("#moments .play").count() == 0 and page.locator("#moments .incident").count() >= 1


def test_the_clock_runs_at_the_speed_that_is_asked_for(pages, address):
    """Played at sixteen times, the table fills by itself; a pause holds it; the film goes along and is put where one jumps to."""
    page = pages.show(address)
    count(page, ".panel", 1)
    page.select_option("#speed", "16")
    page.click("#play")
    until(page, "document.querySelectorAll('.panel .tile').length >= 3")
    page.click("#play")
    reads(page, "#play", "Reproducir")
    at = page.locator("#clock").inner_text()
    page.wait_for_timeout(400)
    assert page.locator("#clock").inner_text() == at
    until(page, "document.getElementById('video').readyState >= 1")
    page.locator("#moments .play").nth(5).click()
    seconds = float(page.evaluate("document.getElementById('time').value"))
    until(page, "tS => Math.abs(document.getElementById('video').currentTime - tS) < 6", seconds)
    page.uncheck("#show-film")
    expect(page, "#film").to_be_hidden()


def test_both_rule_sets_side_by_side(pages, address, recordings, played):
    """The same moment under DUSA, with its fine proposed, and under FID, with the choice of the rival, beside each other."""
    page = pages.show(address, 1600, 900)
    count(page, ".panel", 1)
    page.check("#compare")
    count(page, ".panel", 2)
    assert page.locator(".panel h2").all_inner_texts() == ["DUSA (así se jugó)", "FID"]
    wrong = next(e for e in played if e["type"] == "infraction")
    at_time(page, wrong["t_s"])
    contains(page, ".panel:nth-of-type(2) .incidents", wrong["data"]["rule"])
    other = next(e for e in recordings.judged("final", "fid")["events"] if e["type"] == "infraction")
    contains(page, ".panel:nth-of-type(3) .incidents", other["data"]["rule"])
    lines = [page.locator(".panel svg[role=img]").nth(n).get_attribute("aria-label") for n in (0, 1)]
    assert lines[0] == lines[1]
    picture(page, "replay-both-1600x900-dark")
    assert let_down(page) == []


class Told:
    """Recordings that say what a test wants."""

    def __init__(self, rows: list[dict[str, Any]], judgement: dict[str, Any], evidence: Path) -> None:
        self.rows, self.judgement, self.folder = rows, judgement, evidence

    def listed(self) -> list[dict[str, Any]]:
        return self.rows

    def judged(self, name: str, ruleset: str) -> dict[str, Any]:
        return self.judgement | {"ruleset": ruleset}

    def video(self, name: str) -> None:
        return None

    def evidence(self, name: str) -> Path:
        return self.folder


def test_proofs_and_hostile_text(pages, tmp_path, played):
    """The stills of an incident are beside it in the list; HTML in titles, names and events is printed, never obeyed."""
    proof = {"url": "evidence/none.jpg", "kind": "clip", "sha256": "0"}
    evil = {"url": "javascript:window.caught=1", "kind": "still"}
    event = {
        **played[0],
        "type": "infraction",
        "t_s": 3.0,
        "seq": 2,
        "data": {"code": EVIL, "rule": EVIL, "seat": 1, "evidence": [evil]},
    }
    later = {
        **played[0],
        "type": "evidence",
        "t_s": 9.0,
        "seq": 3,
        "data": {"incident": 2, "evidence": [proof | {"kind": "other"}]},
    }
    state = {
        "seq": 2,
        "match": 1,
        "hand": 1,
        "teams": {"A": {"name": EVIL}},
        "alerts": [{"code": EVIL, "type": EVIL, "rule": EVIL}],
        "ruleset": EVIL,
    }
    judgement = {
        "recorded": EVIL,
        "events": [event, later, None, {"seq": "x"}],
        "steps": [{"t_s": 3.0, "state": state}, None],
        "video": None,
    }
    rows = [{"name": "evil", "title": EVIL, "start": EVIL, "ruleset": EVIL}, None]
    with serving_board(WS_URL, recordings=Told(rows, json.loads(json.dumps(judgement)), tmp_path)) as board:
        page = pages.show(board.replace("/board", "/replay"))
        contains(page, "#moments .told", "<img src=x")
        at_time(page, 4.0)
        reads(page, ".panel dt.pair-A", EVIL[:64])
        assert page.locator("#which option").first.text_content().startswith("<img src=x")
        assert page.locator("#moments .proofs a").count() == 1
        assert page.get_attribute("#moments .proofs a", "href").endswith("/recordings/evil/evidence/none.jpg")
        assert page.evaluate("window.caught") is None and page.locator("main img").count() == 0


def test_where_there_is_nothing_the_page_says_so(pages, tmp_path):
    """Without recordings it says how to name them, in the language of the page."""
    with serving_board(WS_URL) as board:
        page = pages.show(board.replace("/board", "/replay?lang=pt"), scheme="light")
        contains(page, "#said", "Não há partidas gravadas")
        expect(page, "#match").to_be_hidden()
        assert let_down(page) == []


@pytest.mark.parametrize(("width", "height", "scheme"), [(1366, 768, "light"), (390, 844, "dark")])
def test_the_replay_can_be_used_by_everybody(pages, address, played, width, height, scheme):
    """No serious finding of the accessibility check in the middle of the match, at every size, light and dark."""
    page = pages.show(address, width, height, scheme)
    count(page, ".panel", 1)
    at_time(page, played[-1]["t_s"] - 10)
    until(page, "document.getElementById('video').readyState >= 2")
    picture(page, f"replay-{width}x{height}-{scheme}")
    assert let_down(page) == []
