"""The overlay over the picture of a broadcast, in a real Chromium, fed by a real broker."""

from __future__ import annotations

import json
import re

from board_states import snapshot
from shown_pages import EVIL, contains, count, expect, let_down, picture, reads

PAGE = "overlay"
ALERT = {"seq": 9, "type": "infraction", "code": "RENEGE", "rule": "DUSA-5", "seat": 1}


def say(spoken, plays=9, alerts=(), **changes):
    spoken.say("status", {"status": "online", "boot": "b"}, retain=True)
    spoken.say("state", snapshot(plays, **changes), retain=True)
    spoken.say("alerts", {"alerts": list(alerts)}, retain=True)


def test_the_score_stands_on_no_ground(spoken, pages, address):
    """Teams, score, fines, turn, line and alerts over nothing; a new state moves them; the line can be left out."""
    say(spoken, 9, alerts=[ALERT])
    page = pages.show(address, 1920, 1080)
    reads(page, "#score-A", "87")
    reads(page, "#fines-B", "+20")
    contains(page, "#turn", "Turno: Este")
    count(page, "#line .tile", 9)
    contains(page, "#alerts li", "Este: pasó con ficha")
    grounds = page.evaluate(
        "[document.documentElement, document.body, document.querySelector('main')].map(e => getComputedStyle(e).backgroundColor)"
    )
    assert grounds == ["rgba(0, 0, 0, 0)"] * 3
    picture(page, "overlay-1920x1080", transparent=True)
    assert let_down(page) == []
    say(spoken, 23, phase="over", winner="A", score={"A": 203, "B": 122})
    reads(page, "#score-A", "203")
    reads(page, "#turn", "Ganó Los Pinos")
    bare = pages.show(f"{address}?line=off&position=top&lang=en", 1280, 720)
    reads(bare, "#turn", "Los Pinos won")
    assert not bare.locator("#line").is_visible()


def test_no_score_without_a_signal(spoken, pages, address):
    """Before the table is there, and once it is gone, no number is on the screen; the page says since when."""
    page = pages.show(address)
    reads(page, "#signal", "Esperando la mesa")
    reads(page, "#score-A", "–")
    say(spoken)
    reads(page, "#score-A", "87")
    spoken.say("status", {"status": "offline", "boot": "b"}, retain=True)
    contains(page, "#signal", re.compile("Sin señal desde hace [0-9]+ s"))
    assert page.locator("#score-A").inner_text() == "–" and page.locator("#fines-B").inner_text() == ""
    expect(page, "#line").to_be_hidden()
    picture(page, "overlay-no-signal", transparent=True)
    assert let_down(page) == []


def test_hostile_text_is_shown_as_text(spoken, pages, address):
    """HTML in names and codes is printed; rubbish leaves the page standing."""
    say(spoken, 3, teams={"A": {"name": EVIL}, "B": 7}, alerts=[{"seq": 1, "type": EVIL, "code": EVIL, "seat": EVIL}])
    page = pages.show(address, 390, 844)
    reads(page, "#name-A", EVIL[:64])
    contains(page, "#alerts li", "<img src=x")
    for rubbish in ("{", "[]", '"x"', json.dumps({"line": [None, {"tile": EVIL, "x_mm": EVIL}], "ends": "no"})):
        for leaf in ("status", "state", "alerts", "event"):
            spoken.say(leaf, rubbish, retain=leaf != "event")
    say(spoken, 4)
    count(page, "#line .tile", 4)
    assert page.evaluate("window.caught") is None and page.locator("main img").count() == 0
