"""The web server of the pages: what it gives away, and what it forbids."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from conftest import serving_board

from display.server import PAGES, STATIC, PageConfig
from rules.codes import DOUBTS, DUSA_ADVICE, DUSA_CHARGES, FID_ADVICE, FID_CHARGES
from rules.errors import BadInput
from rules.ruleset import DUSA, FID
from rules.texts import LANGUAGES, rule_text, title

ROOT = Path(__file__).parent.parent
WS_URL = "ws://127.0.0.1:9001/mqtt"


@pytest.fixture(scope="module")
def get():
    """Asks the running server for a path as it stands, following nothing."""
    with serving_board(WS_URL) as address:
        host = address.split("/")[2]

        def ask(path):
            connection = http.client.HTTPConnection(host, timeout=30)
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.body = answer.read()
            connection.close()
            return answer

        yield ask


def test_the_config_holds_what_a_page_needs_and_nothing_else(get):
    """Address, event and table: nothing that only some may know. A screen's login is there when it was given to be."""
    assert json.loads(get("/config.json").body) == {"ws_url": WS_URL, "event": "finals", "table": "t07"}
    shared = PageConfig(WS_URL, "finals", "t07", ("screen", "hush"))
    assert shared.told["login"] == {"username": "screen", "password": "hush"} and "hush" not in repr(shared)


@pytest.mark.parametrize(
    "path",
    [
        "/board",
        "/overlay",
        "/hall",
        "/replay",
        "/referee",
        "/words/es.json",
        "/evidence/no.jpg",
        "/recordings.json",
        "/config.json",
        "/static/board.js",
        "/static/nothing",
        "/nothing",
    ],
)
def test_every_answer_carries_the_security_policy(get, path):
    """Scripts and styles from here only, connections to the broker only, no frames; errors included."""
    headers = get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "connect-src 'self' ws://127.0.0.1:9001;" in policy and "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_the_rules_are_served(get, language):
    """Titles, sentences and quoted rules of rules/texts as one value, every rule that a charge or advice names among them."""
    words = json.loads(get(f"/words/{language}.json").body)
    assert words["titles"]["RENEGE"] == title("RENEGE", language)
    assert words["rules"]["DUSA-2/7"] == rule_text("DUSA-2/7", language)
    assert words["codes"]["dusa"]["WRONG_STARTER"] == {"rule": "DUSA-2/7", "fine": 20}
    assert set(words["codes"]["fid"]) == FID.charges.keys() | FID.by_a_person.keys()
    named = {charge.rule for rules in (DUSA, FID) for charge in (*rules.charges.values(), *rules.by_a_person.values())}
    assert named | set(DUSA.advice.values()) | set(FID.advice.values()) <= words["rules"].keys()
    assert get("/words/xx.json").status == 404


@pytest.mark.parametrize("name", sorted(f"{page}.html" for page in PAGES))
def test_the_page_needs_no_other_machine_and_no_build(name):
    """Nothing in the page points outside; no script or style is written into it, so the policy can forbid them."""
    page = (STATIC / name).read_text()
    assert not re.search(r"https?:|style=|<style|\son\w+=", page) and not re.search(r"<script(?![^>]*\bsrc=)", page)


def test_no_script_of_ours_writes_html():
    """What arrives is put in as text: none of the ways to write HTML is used."""
    for script in STATIC.glob("*.js"):
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", script.read_text()
        ), script.name


def test_the_files_outside_static_are_not_served(get):
    """A path that climbs out finds nothing."""
    assert get("/static/..%2fserver.py").status == get("/static/../server.py").status == 404
    assert get("/").headers["location"] == "/board"


@pytest.fixture(scope="module")
def proofs(tmp_path_factory):
    """A folder of proofs with a secret beside it, a link to the secret, and what is no proof; asks the server that serves it."""
    folder = tmp_path_factory.mktemp("table") / "evidence"
    (folder / "deep.jpg").mkdir(parents=True)
    secret = folder.parent / "secret.jpg"
    secret.write_bytes(b"secret")
    (folder / "linked.jpg").symlink_to(secret)
    for name, held in {
        "000042-before.jpg": b"still",
        "000042.mp4": b"0123456789",
        "notes.html": b"<b>",
        ".hidden.jpg": b"x",
    }.items():
        (folder / name).write_bytes(held)
    with serving_board(WS_URL, evidence=folder) as address:
        yield address.split("/")[2]


def asked(host, path, **headers):
    connection = http.client.HTTPConnection(host, timeout=30)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    answer.body = answer.read()
    connection.close()
    return answer


def test_proofs_are_served_as_what_they_are(proofs):
    """Stills and clips by name with their content type, parts of a clip to who asks for them, the security policy with them."""
    still, clip = asked(proofs, "/evidence/000042-before.jpg"), asked(proofs, "/evidence/000042.mp4", Range="bytes=2-4")
    assert (still.status, still.body, still.headers["content-type"]) == (200, b"still", "image/jpeg")
    assert (clip.status, clip.body, clip.headers["content-type"]) == (206, b"234", "video/mp4")
    assert still.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "name",
    [
        *(
            "../secret.jpg",
            "..%2fsecret.jpg",
            "%2e%2e/secret.jpg",
            "%2e%2e%2fsecret.jpg",
            "..%5csecret.jpg",
            "/etc/passwd",
            "%2fetc%2fpasswd",
        ),
        *(
            "linked.jpg",
            "notes.html",
            ".hidden.jpg",
            "deep.jpg",
            "deep.jpg/x.jpg",
            "no.jpg",
            "000042.mp4%00.jpg",
            "a" * 200 + ".jpg",
            "",
        ),
    ],
)
def test_no_proof_leaves_its_folder(proofs, name):
    """Ways up, links out, other kinds of files, folders and names that are none are not found, whatever the spelling."""
    assert asked(proofs, f"/evidence/{name}").status == 404


@pytest.mark.parametrize(
    "path", ["/recordings/x/dusa.json", "/recordings/x/video.mp4", "/recordings/x/evidence/a.jpg", "/recordings/x/go.json"]
)
def test_without_recordings_there_are_none(get, path):
    """A server that was given no folder lists nothing and finds nothing."""
    assert json.loads(get("/recordings.json").body) == {"recordings": []}
    assert get(path).status == 404


@pytest.mark.parametrize(
    "wrong",
    [
        {"ws_url": "http://127.0.0.1:9001"},
        {"ws_url": "ws://"},
        {"ws_url": "ws://user:secret@127.0.0.1:9001/"},
        {"ws_url": "ws://a; script-src *"},
        {"ws_url": "ws://127.0.0.1:99999"},
        {"event": "../x"},
        {"table": "T 7"},
    ],
)
def test_settings_that_cannot_be_are_bad_input(wrong):
    """No password in what everybody reads, no name that breaks out of the topics, nothing that bends the policy."""
    with pytest.raises(BadInput, match="expected"):
        PageConfig(**{"ws_url": WS_URL, "event": "finals", "table": "t07", **wrong})


def test_every_infraction_has_its_words_in_three_languages():
    """Each code of both rule sets, each advice and each doubt is in the catalogue, and no entry lacks a language."""
    source = (STATIC / "words.js").read_text()
    catalogue = source[source.index("CATALOGUE") : source.index("};")]
    entries = dict(re.findall(r"^  (\w+): \[(.*?)\],\n(?=  \w+:|$)", catalogue, re.M | re.S))
    codes = DUSA_CHARGES.keys() | FID_CHARGES.keys() | DUSA_ADVICE.keys() | FID_ADVICE.keys() | set(DOUBTS)
    assert entries.keys() >= codes
    assert all(len(re.findall(r'"[^"]+"', words)) == 3 for words in entries.values())


def test_the_command_serves_until_it_is_stopped():
    """`miron display` prints the address, serves the page there, and ends with 0 on Ctrl-C."""
    code = "import sys; from scripts.main import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", code, "display", "--port", "0", "--table", "t07", "--event", "finals"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": "."}) as process:
        address = re.search(r"http://\S+/board", process.stdout.readline()).group()
        with urllib.request.urlopen(address, timeout=30) as page:
            assert b"<title>miron</title>" in page.read()
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0


@pytest.mark.parametrize("option", [["--host", "nowhere"], ["--port", "70000"], ["--mqtt-ws", "http://x"], ["--table", "T"]])
def test_the_command_says_what_is_wrong_in_one_line(option):
    """A wrong option is exit code 2 and no traceback."""
    code = "import sys; from scripts.main import main; main(sys.argv[1:])"
    done = subprocess.run([sys.executable, "-c", code, "display", *option], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and done.stderr.startswith("miron: expected") and done.stderr.count("\n") == 1
