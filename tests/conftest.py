"""What several tests share: the rule for real parts that may be missing, and brokers."""

import contextlib
import os
import shutil
import socket
import threading

import pytest

from display.server import PageConfig, board_server
from table.broker import KINDS, Broker


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
def serving_board(ws_url):
    """Serves the board of finals/t07 for a broker at `ws_url`; gives the board's address."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = board_server(PageConfig(ws_url, "finals", "t07"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/board"
        server.should_exit = True
        thread.join(10)
