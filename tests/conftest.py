"""What several tests share: the rule for real parts that may be missing, brokers, and the long runs asked for by a hypothesis profile."""

import contextlib
import os
import shutil
import signal
import socket
import threading

import playwright.sync_api as playwright_api
import pytest
from command_table import Table
from hypothesis import settings
from mqtt_listener import Listener
from shown_pages import Pages

from display.server import PageConfig, board_server
from rules.ruleset import FID
from table.broker import KINDS, Broker

settings.register_profile("full", max_examples=1000, deadline=None)
"""`pytest --hypothesis-profile=full`: the counts that `make bench` wants; each test says how many that is for it."""

FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
"""For Chromium without a screen that talks to nobody."""

TALLY = pytest.StashKey[list]()


def examples(usual, full):
    """How many examples a test takes: usually, and in a full run."""
    return full if settings.get_current_profile_name() == "full" else usual


@pytest.fixture
def tally(request):
    """Rows (what, planted, found, undecidable, wrong) for the table at the end of the run."""
    return request.config.stash.setdefault(TALLY, [])


def pytest_configure():
    """A suite that a script has started in the background ignores Ctrl-C, and its commands, which tests stop with it, would too."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_terminal_summary(terminalreporter, config):
    """The table of the hands that were counted, in a full run."""
    rows = config.stash.get(TALLY, [])
    if not rows or settings.get_current_profile_name() != "full":
        return
    terminalreporter.section("hands judged under both rule sets")
    heads = ("kind", "hands", "found", "undecidable", "wrong")
    total = ("together", *(sum(column) for column in list(zip(*rows, strict=True))[1:]))
    for row in (heads, *rows, total):
        terminalreporter.write_line(f"{row[0]:48}" + "".join(f"{one:>12}" for one in row[1:]))


def require(present, what):
    """Skip with a visible reason where a real part is missing; in CI that is a failure, so that nothing goes untested unseen."""
    if present:
        return
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what} is missing, and CI=true wants every test to run")
    pytest.skip(f"{what} is missing")


@pytest.fixture
def needs_mosquitto():
    """The test drives a real mosquitto."""
    require(shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"), "mosquitto")


@pytest.fixture(scope="session")
def chromium_path():
    """The test drives a real Chromium, which is here."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    require(path, "chromium")
    return path


@pytest.fixture(scope="session")
def browser(chromium_path):
    """One Chromium for all pages."""
    with playwright_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium_path, args=FLAGS, timeout=60_000)
        yield running
        running.close()


@pytest.fixture
def pages(browser):
    """Opens pages; none may write an error to the browser's console."""
    opened = Pages(browser)
    yield opened
    opened.close()
    assert opened.faults == []


@pytest.fixture(scope="module")
def one_broker():
    """The broker of a file's pages."""
    with Broker() as running:
        yield running


@pytest.fixture(scope="module")
def address(request, one_broker):
    """Where the page that a file tests is served: its constant PAGE."""
    with serving_board(one_broker.ws_url) as found:
        yield found.replace("/board", f"/{request.module.PAGE}")


@pytest.fixture
def spoken(one_broker):
    """What says the words of finals/t07; each test begins with nothing retained."""
    with Listener(one_broker.tcp_port) as listener:
        for leaf in ("status", "state", "alerts"):
            listener.say(leaf, "", retain=True)
        yield listener


@pytest.fixture
def table(tmp_path):
    """A table with a desk, DUSA; some files have a table of their own kind."""
    made = Table(tmp_path / "t07.db")
    with made.journal:
        yield made


@pytest.fixture
def fid_table(tmp_path):
    """The same under FID."""
    made = Table(tmp_path / "fid.db", FID)
    with made.journal:
        yield made


@pytest.fixture(params=KINDS)
def broker_kind(request):
    """Each kind of broker in turn."""
    if request.param == "mosquitto":
        request.getfixturevalue("needs_mosquitto")
    return request.param


@pytest.fixture
def broker(broker_kind):
    """A running broker of each kind in turn."""
    with Broker(broker_kind) as running:
        yield running


@contextlib.contextmanager
def serving_board(ws_url, login=None, **more):
    """Serves the pages of finals/t07 for a broker at `ws_url`; gives the board's address. login: a screen's; more: evidence, recordings."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = board_server(PageConfig(ws_url, "finals", "t07", login), **more)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/board"
        server.should_exit = True
        thread.join(10)
