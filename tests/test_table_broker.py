"""The broker of our own, both kinds, for real."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import require
from mqtt_listener import Listener

from rules.errors import BadInput
from table.broker import Broker

ROOT = Path(__file__).parent.parent
MIRON = [sys.executable, "-c", "import sys; from scripts.main import main; main(sys.argv[1:])"]


def refuses(port, host="127.0.0.1"):
    try:
        socket.create_connection((host, port), timeout=1).close()
    except OSError:
        return True
    return False


def test_both_listeners_carry_messages(broker):
    """What is published over TCP arrives over WebSocket, retained messages too."""
    with Listener(broker.tcp_port) as table:
        table.say("state", {"seq": 1}, retain=True)
        with Listener(broker.ws_port, transport="websockets") as screen:
            assert screen.wait_until(lambda it: it.on("state") == [{"seq": 1}])
            table.say("event", {"seq": 2})
            assert screen.wait_until(lambda it: it.on("event") == [{"seq": 2}])


def test_stop_frees_the_ports_and_the_same_ones_can_be_taken_again(broker):
    """A broker that was stopped, twice even, starts again where it was."""
    broker.stop()
    broker.stop()
    assert refuses(broker.tcp_port) and refuses(broker.ws_port)
    with Broker(broker.kind, tcp_port=broker.tcp_port, ws_port=broker.ws_port) as again, Listener(again.tcp_port) as listener:
        assert listener.ready.is_set()


def test_the_tcp_listener_is_on_loopback_only(broker):
    """From another address of this machine nobody gets in."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            pytest.skip("this machine has no address but loopback")
        outside = probe.getsockname()[0]
    assert refuses(broker.tcp_port, outside)


def test_an_anonymous_screen_may_only_look_and_ask_for_missed_events(needs_mosquitto):
    """mosquitto may open its WebSocket listener to the network: there a stranger can write nothing but cmd/resync."""
    with Broker("mosquitto") as broker, Listener(broker.tcp_port) as table:
        for leaf in ("state", "event", "status", "cmd/ruling", "cmd/resync"):
            # mosquitto may hang up on who writes where he may not: each try has a connection of its own.
            with Listener(broker.ws_port, transport="websockets") as stranger, contextlib.suppress(RuntimeError):
                stranger.say(leaf, {"forged": leaf})
        assert table.wait_until(lambda it: it.on("cmd/resync"))
        assert [heard.leaf for heard in table.heard] == ["cmd/resync"]


def test_with_a_password_nobody_else_writes(needs_mosquitto):
    """A user with the password writes over both listeners; without one TCP is shut."""
    with Broker("mosquitto", user="table-7", password="s3cret ñ") as broker:
        login = ("table-7", "s3cret ñ")
        with (
            Listener(broker.tcp_port, login=login) as one,
            Listener(broker.ws_port, transport="websockets", login=login) as other,
        ):
            other.say("event", {"seq": 1})
            assert one.wait_until(lambda it: it.on("event"))
        assert connack(broker.tcp_port) == 5


def connack(port):
    """The answer to an anonymous CONNECT: 0 welcome, 5 not authorised."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(bytes([0x10, 13, 0, 4]) + b"MQTT" + bytes([4, 2, 0, 10, 0, 1]) + b"x")
        return connection.recv(4)[3]


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ({"host": "0.0.0.0"}, "a user and a password"),
        ({"host": "0.0.0.0", "user": "t"}, "a user and a password"),
        ({"host": "somewhere"}, "as numbers"),
        ({"kind": "amqtt"}, "mosquitto or iotcore"),
        ({"kind": "iotcore", "host": "0.0.0.0", "user": "t", "password": "p"}, "where a password is needed"),
        ({"tcp_port": 70000}, "1 to 65535"),
        ({"tcp_port": 45678, "ws_port": 45678}, "two different ports"),
    ],
)
def test_settings_that_cannot_be_are_bad_input(options, found):
    """Above all: no listening outside this machine without a password."""
    with pytest.raises(BadInput, match=found):
        Broker(**options)


def test_a_taken_port_is_bad_input():
    """The message names the port."""
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(BadInput, match=str(taken.getsockname()[1])):
        Broker(tcp_port=taken.getsockname()[1])


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_the_command_runs_until_it_is_stopped(broker_kind, stop):
    """`miron broker` prints its addresses, works, and ends with 0 leaving nothing behind."""
    command = [*MIRON, "broker", "--kind", broker_kind]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": "."}) as process:
        line = process.stdout.readline()
        tcp_port = int(line.split("mqtt://127.0.0.1:")[1].split()[0])
        with Listener(tcp_port):
            process.send_signal(stop)
        assert process.wait(20) == 0
    assert line.startswith(broker_kind) and refuses(tcp_port)


def test_a_killed_program_leaves_no_broker_behind():
    """The child ends with the program that started it, even when that was killed on the spot."""
    require(shutil.which("setpriv"), "setpriv")
    with subprocess.Popen(
        [*MIRON, "broker", "--kind", "iotcore"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": "."},
    ) as process:
        tcp_port = int(process.stdout.readline().split("mqtt://127.0.0.1:")[1].split()[0])
        assert not refuses(tcp_port)
        process.kill()
    deadline = time.monotonic() + 20
    while not refuses(tcp_port):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_the_command_refuses_to_be_open_to_everybody():
    """`miron broker --host 0.0.0.0` without a password is one line and exit code 2."""
    done = subprocess.run([*MIRON, "broker", "--host", "0.0.0.0"], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "password" in done.stderr and done.stderr.count("\n") == 1
