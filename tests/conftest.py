"""What several tests share: the rule for real parts that may be missing, and brokers."""

import os
import shutil

import pytest

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


@pytest.fixture
def needs_chromium():
    """The test drives a real Chromium; gives its path."""
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
