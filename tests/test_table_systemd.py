"""Words to systemd: what is said, how often, and that nothing breaks where nobody listens."""

from __future__ import annotations

import os
import socket
import time

import pytest

from table.systemd import Service


@pytest.fixture(params=["path", "abstract"])
def ear(request, tmp_path):
    """A socket as systemd opens one, and the address that it gives."""
    address = f"{tmp_path}/notify" if request.param == "path" else f"@miron-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(address.replace("@", "\0", 1))
        listening.settimeout(5)
        yield listening, address


def test_ready_alive_and_stopping_are_datagrams(ear):
    """Each word is one datagram, at a path or at an abstract name."""
    listening, address = ear
    service = Service({"NOTIFY_SOCKET": address})
    service.ready("watching v4l2:0")
    service.alive("9.8 frames a second")
    service.stopping()
    assert listening.recv(1000) == b"READY=1\nSTATUS=watching v4l2:0"
    assert listening.recv(1000) == b"WATCHDOG=1\nSTATUS=9.8 frames a second"
    assert listening.recv(1000) == b"STOPPING=1"


def test_a_sign_of_life_comes_three_times_within_the_watchdogs_patience(ear):
    """Frames come often, words do not: with a watchdog of 30 s one each 10 s, and none where the watchdog is meant for another process."""
    listening, address = ear
    clock = [0.0]
    service = Service({"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "30000000"}, lambda: clock[0])
    for second in range(31):
        clock[0] = float(second)
        service.alive()
    listening.setblocking(False)
    said = []
    with pytest.raises(BlockingIOError):
        while True:
            said.append(listening.recv(100))
    assert said == [b"WATCHDOG=1"] * 4


def test_children_do_not_speak_for_us(ear):
    """The address is taken out of the environment that a broker of ours would inherit."""
    environment = {"NOTIFY_SOCKET": ear[1], "WATCHDOG_USEC": "1000000", "PATH": "/bin"}
    Service(environment)
    assert environment == {"PATH": "/bin"}


def test_without_systemd_nothing_happens():
    """No socket, or one that is gone: the words go nowhere and nobody minds."""
    for environment in ({}, {"NOTIFY_SOCKET": "/nowhere/notify"}):
        service = Service(environment)
        service.ready("here")
        service.alive()
        service.stopping()


def test_one_who_does_not_listen_holds_nobody_up(ear):
    """With the queue of the other side full a word is lost, and the watching goes on."""
    clock = [0.0]
    service = Service({"NOTIFY_SOCKET": ear[1], "WATCHDOG_USEC": "3000000"}, lambda: clock[0])
    began = time.monotonic()
    for second in range(1000):
        clock[0] = float(second)
        service.alive()
        if time.monotonic() - began > 1.0:
            break
    assert second < 999  # it did wait, a little each time
    service.stopping()
    assert time.monotonic() - began < 30
