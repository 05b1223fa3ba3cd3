"""The calibration wizard in a real Chromium: the whole walk on rendered pictures, by pointer and by keyboard, to a file that reads back."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from pathlib import Path

import cv2
import numpy as np
import pytest
from shown_pages import PATIENCE_MS, contains, count, expect, let_down, picture
from test_calibration_wizard import SIZE, TABLE, corners, off_mm, tiles
from test_calibration_wizard import picture as photographed

from calibration.corners import load_calibration
from calibration.wizard import Wizard
from display.calibrate import wizard_server
from rules.errors import BadInput
from scripts.calibrate_wizard import pictures

ROOT = Path(__file__).parent.parent
STATIC = ROOT / "display" / "static"
LANGUAGES = ("es", "en", "pt")


@contextlib.contextmanager
def served(walk):
    """The wizard's page for a walk; the server ends by itself when the calibration is written."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = wizard_server(walk, "s3cret", "127.0.0.1", listener.getsockname()[1])
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/s3cret/"
        server.should_exit = True
        thread.join(15)
        assert not thread.is_alive()


def walk_of(shown, tmp_path, quads=None, **known):
    walk = Wizard(lambda _: np.zeros((0, 4, 2)) if quads is None else quads, tmp_path / "c.json", **known)
    walk.show(shown)
    return walk


@pytest.fixture(scope="module")
def tagged():
    return photographed()


@pytest.fixture(scope="module")
def bare():
    return photographed(without=(0, 1, 2, 3))


def place(page, corner):
    """Where a mark is, pixels of the picture."""
    mark, stage = page.locator(f".mark[data-corner='{corner}']").bounding_box(), page.locator("#stage").bounding_box()
    scale = SIZE[0] / stage["width"]
    return np.array([mark["x"] + mark["width"] / 2 - stage["x"], mark["y"] + mark["height"] / 2 - stage["y"]]) * scale


def drag(page, corner, to):
    """Drag a mark with the mouse to pixels of the picture, in a few steps."""
    stage = page.locator("#stage").bounding_box()
    scale = stage["width"] / SIZE[0]
    start = place(page, corner)
    page.mouse.move(stage["x"] + start[0] * scale, stage["y"] + start[1] * scale)
    page.mouse.down()
    page.mouse.move(stage["x"] + to[0] * scale, stage["y"] + to[1] * scale, steps=4)
    page.mouse.up()


def test_automatic_finds_all_and_it_is_accepted(tagged, tmp_path, pages):
    """One press finds the table; error, size, seats and a tile are shown; accepting writes the file, and the program ends."""
    walk = walk_of(tagged, tmp_path, tiles(), table_mm=TABLE)
    with served(walk) as address:
        page = pages.show(address)
        expect(page, "#auto").to_be_focused(timeout=PATIENCE_MS)
        expect(page, "#accept").to_be_disabled()
        page.keyboard.press("Enter")
        contains(page, "#facts", "las cuatro tarjetas")
        contains(page, "#facts", "920 × 880 mm")
        assert re.search(r"0,\d\d mm en la mesa, según las tarjetas", page.locator("#facts").inner_text())
        assert page.locator(".seat").all_inner_texts() == ["Sur", "Este", "Norte", "Oeste"]
        contains(page, "#real", "La ficha que hay debajo mide 50,")
        assert page.locator("#trouble").inner_text() == "" and page.locator("#above").evaluate("e => e.naturalWidth") == 480
        assert let_down(page) == []
        picture(page, "wizard-found")
        page.click("#accept")
        contains(page, "#done", "Calibración escrita en")
        assert all(page.locator("main button").evaluate_all("all => all.map(e => e.disabled || e.hidden)"))
    assert off_mm(tmp_path) < 1.0


def test_a_size_half_typed_outlives_an_answer(bare, tmp_path, pages):
    """One side is typed, then an answer to something else comes: the side still stands, and both are taken once the other is there."""
    with served(walk_of(bare, tmp_path)) as address:
        page = pages.show(address + "?lang=en", scheme="light")
        page.click("#by_hand")
        count(page, ".mark:visible", 4)
        page.fill("#width", "920")
        page.focus("#height")
        page.evaluate("document.getElementById('mirror').click()")
        expect(page, "#mirror").to_have_attribute("aria-pressed", "true")
        assert page.locator("#width").input_value() == "920"
        page.fill("#height", "880")
        page.keyboard.press("Tab")
        contains(page, "#facts", "920 × 880 mm")


def test_where_it_fails_corners_are_dragged(bare, tmp_path, pages):
    """Nothing is found: it is said, marks are dragged to the corners by mouse, refined by arrow keys, the size is typed, and the file
    is right within 2 mm."""
    walk = walk_of(bare, tmp_path)
    with served(walk) as address:
        page = pages.show(address + "?lang=en", scheme="light")
        page.click("#auto")
        contains(page, "#trouble", "No cards are seen, and 0 tiles")
        count(page, ".mark:visible", 4)
        for corner, to in enumerate(corners()):
            drag(page, corner, to)
        contains(page, "#trouble", "Write down the size of the table top")
        page.fill("#width", "920")
        page.fill("#height", "880")
        page.keyboard.press("Tab")
        contains(page, "#facts", "the marked corners")
        contains(page, "#facts", "nothing to check it by")
        for corner, to in enumerate(corners()):
            mark = page.locator(f".mark[data-corner='{corner}']")
            mark.focus()
            expect(page, "#loupe").to_be_visible()
            for axis, (back, on) in enumerate((("ArrowLeft", "ArrowRight"), ("ArrowUp", "ArrowDown"))):
                missing = round(float(to[axis] - place(page, corner)[axis]))
                for _ in range(abs(missing)):
                    page.keyboard.press(on if missing > 0 else back)
        picture(page, "wizard-corners")
        assert let_down(page) == []
        page.click("#accept")
        contains(page, "#done", "Calibration written to")
    assert off_mm(tmp_path) < 2.0 and load_calibration(tmp_path / "c.json").method == "corners"


def test_a_mirrored_picture_is_corrected_by_hand(bare, tmp_path, pages):
    """In a flipped picture the marks are refused until it is said to be mirrored; seats turned by a button are those of the file."""
    walk = walk_of(np.ascontiguousarray(bare[:, ::-1]), tmp_path, table_mm=TABLE)
    flipped = [(SIZE[0] - 1 - x, y) for x, y in corners()]
    with served(walk) as address:
        page = pages.show(address + "?lang=pt", width=420, height=900)
        page.click("#by_hand")
        count(page, ".mark:visible", 4)
        for corner in (0, 1):
            drag(page, corner, flipped[corner])
        for corner in (2, 3):
            drag(page, corner, flipped[corner])
        contains(page, "#trouble", "sentido horário")
        page.click("#mirror")
        contains(page, "#facts", "espelhada; corrige-se")
        page.click("#turn")
        contains(page, "#facts", "880 × 920 mm")
        assert let_down(page) == []
        picture(page, "wizard-narrow")
        page.click("#accept")
        contains(page, "#done", "Calibração escrita em")
    plane = load_calibration(tmp_path / "c.json").plane
    assert plane.is_mirrored and plane.table_mm == TABLE[::-1]
    east_of_before = np.mean([flipped[1], flipped[2]], axis=0)
    assert plane.rim_side(*plane.px_to_mm(east_of_before[None])[0]) == 0


def test_the_virtual_tile_follows_mouse_and_keys(tagged, tmp_path, pages):
    """It is dragged, moved by arrows, turned by R and buttons, and goes to the next real tile; what it lies over is measured."""
    walk = walk_of(tagged, tmp_path, tiles(count=3), table_mm=TABLE)
    with served(walk) as address:
        page = pages.show(address + "?lang=en")
        page.click("#auto")
        contains(page, "#real", "measures")
        grip = page.locator(".grip")
        box, stage = grip.bounding_box(), page.locator("#stage").bounding_box()
        page.mouse.move(box["x"] + 22, box["y"] + 22)
        page.mouse.down()
        page.mouse.move(stage["x"] + 30, stage["y"] + 30, steps=3)
        page.mouse.up()
        contains(page, "#real", "No tile is recognised beneath")
        angle = walk.state()["tile"]["angle_deg"]
        grip.focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("r")
        page.click("#tile_left")
        page.click("#next_tile")
        contains(page, "#real", "it should be 50.8 × 25.4")
        assert (walk.act({"do": "tile", "at": [40, 40]})["tile"]["angle_deg"] - angle) % 180 != 0


def test_the_command_leads_through_and_ends(tagged, tmp_path, pages):
    """`miron calibrate PICTURE` prints an address with a secret on loopback, finds the tags with the real detector at hand, and after
    accepting prints one line and ends with 0."""
    cv2.imwrite(str(tmp_path / "table.png"), tagged)
    with command(tmp_path, "table.png", "--table", "920x880", "--out", "c.json") as (process, address):
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{12}/", address)
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(address.rsplit("/", 2)[0] + "/state.json", timeout=30)
        page = pages.show(address)
        page.click("#auto")
        expect(page, "#accept").to_be_enabled(timeout=4 * PATIENCE_MS)
        page.click("#accept")
        contains(page, "#done", "Calibración escrita en c.json")
        assert process.stdout.read().startswith("tags: rms 0.") and process.wait(20) == 0
    assert off_mm(tmp_path) < 1.0


def test_leaving_without_a_file(tagged, tmp_path):
    """Ctrl-C ends the wizard with 130, and writes nothing."""
    cv2.imwrite(str(tmp_path / "table.png"), tagged)
    with command(tmp_path, "table.png", "--out", "c.json") as (process, address):
        with urllib.request.urlopen(address + "picture.jpg", timeout=30) as answer:
            shown = cv2.imdecode(np.frombuffer(answer.read(), np.uint8), cv2.IMREAD_COLOR)
            assert shown.shape == tagged.shape and answer.headers["cache-control"] == "no-store"
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
    assert not (tmp_path / "c.json").exists()


@contextlib.contextmanager
def command(folder, *arguments):
    """`miron calibrate` in a folder, with the address that it prints."""
    code = "import sys; from scripts.main import main; main(sys.argv[1:])"
    line = [sys.executable, "-c", code, "calibrate", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(line, cwd=folder, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            yield process, re.search(r"http://\S+", process.stdout.readline()).group()
        finally:
            process.kill()


@pytest.mark.parametrize(
    ("body", "status"),
    [(b'{"do": "fly"}', 200), (b"{", 400), (b"\xff", 400), (b"[" * 4000, 400), (b" " * 5000, 413)],
)
def test_what_is_sent_is_held_in_bounds(tagged, tmp_path, body, status):
    """What is no JSON is refused, and what is too long; an unknown act is told."""
    with served(walk_of(tagged, tmp_path)) as address:
        try:
            answer = urllib.request.urlopen(urllib.request.Request(address + "act", body), timeout=30)
        except urllib.error.HTTPError as error:
            answer = error
        assert answer.status == status
        assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_a_film_begins_again_and_a_still_stays(tmp_path):
    """A still gives one picture; a folder of stills goes round; a source that is none is bad input."""
    for number in range(2):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((24, 32, 3), 100 * number, np.uint8))
    assert [int(shown.mean()) for shown in pictures(str(tmp_path / "1.png"))] == [100]
    (tmp_path / "frames.jsonl").write_text('{"file": "0.png", "t_s": 0.0}\n{"file": "1.png", "t_s": 0.05}\n')
    round_and_round = pictures(str(tmp_path))
    assert [int(next(round_and_round).mean()) for _ in range(5)] == [0, 100, 0, 100, 0]
    with pytest.raises(BadInput, match="expected a video"):
        next(pictures(str(tmp_path / "nothing.mkv")))


def test_every_trouble_has_its_words():
    """Each thing that can stand in the way of a calibration is said in three languages, with the values that it carries."""
    raised = {
        key
        for file in (ROOT / "calibration").glob("*.py")
        for key in re.findall(r'(?:Trouble|_misplaced)\(\s*"(\w+)"', file.read_text(encoding="utf-8"))
    }
    source = (STATIC / "words_calibrate.js").read_text(encoding="utf-8")
    assert {"nothing_found", "tag_off", "corners_crossed", "size_needed"} <= raised
    assert raised | {"other"} == set(re.findall(r"^  trouble_(\w+):", source, re.MULTILINE))
    built = {f"method_{name}" for name in ("tags", "tiles", "corners")} | {f"corner_name{n}" for n in range(4)}
    built |= {f"error_{kind}{by}" for kind in ("by_", "poor_") for by in ("tags", "tiles")}
    assert built <= set(re.findall(r"^  (\w+):", source, re.MULTILINE))


def test_the_page_needs_no_other_machine():
    """Nothing in the page points outside or begins at the root, and no script or style is written into it."""
    page = (STATIC / "calibrate.html").read_text(encoding="utf-8")
    assert not re.search(r"https?:|style=|<style|\son\w+=|\"/", page) and not re.search(r"<script(?![^>]*\bsrc=)", page)
