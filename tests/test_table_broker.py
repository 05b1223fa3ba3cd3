"""The broker of our own, both kinds, for real."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import paho.mqtt.client as paho
import pytest
from conftest import require, serving_board
from mqtt_listener import Listener
from running_table import RunningTable

from rules.errors import BadInput
from table.broker import Broker
from table.broker_users import User, made_users, read_users

ROOT = Path(__file__).parent.parent
PATIENCE_MS = 120_000  # of a browser on a busy machine
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


def test_both_listeners_are_on_loopback_only(broker):
    """From another address of this machine nobody gets in, over WebSocket neither."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            pytest.skip("this machine has no address but loopback")
        outside = probe.getsockname()[0]
    assert refuses(broker.tcp_port, outside) and refuses(broker.ws_port, outside)


def test_an_anonymous_screen_may_only_look_and_ask_for_missed_events(needs_mosquitto):
    """Any page in a browser on this machine can come in over WebSocket: without a name it can write nothing but cmd/resync."""
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
        try:
            with Listener(tcp_port):
                process.send_signal(stop)
            assert process.wait(20) == 0
        finally:
            process.kill()  # else the test would wait for it for ever
    assert line.startswith(broker_kind) and refuses(tcp_port)


def test_a_killed_program_leaves_no_broker_behind(broker_kind):
    """The child ends with the program that started it, even when that was killed on the spot; started by root, mosquitto too."""
    require(shutil.which("setpriv"), "setpriv")
    with subprocess.Popen(
        [*MIRON, "broker", "--kind", broker_kind],
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


def test_no_password_stays_on_the_disk(broker_kind, monkeypatch):
    """What the child was told in files is gone as soon as it runs, so that no end of this program can leave it behind; it works on."""
    made, folder = [], tempfile.TemporaryDirectory
    monkeypatch.setattr(tempfile, "TemporaryDirectory", lambda **more: made.append(folder(**more)) or made[-1])
    login = ("t07", "hush") if broker_kind == "mosquitto" else (None, None)
    with Broker(broker_kind, user=login[0], password=login[1]) as running:
        assert len(made) == 1 and not Path(made[0].name).exists()
        with Listener(running.tcp_port, login=login if login[0] else None) as listener:
            listener.say("event", {"seq": 1})
            assert listener.wait_until(lambda it: it.on("event"))


def test_a_file_of_users_is_made_once_and_kept_to_ourselves(tmp_path):
    """The first start writes a user for each role, with passwords that differ and that nobody else can read; the next one reads them."""
    file = tmp_path / "users.txt"
    made = made_users(file)
    assert read_users(file) == made
    assert file.stat().st_mode & 0o777 == 0o600
    assert [user.role for user in made] == ["table", "referee", "screen", "organiser"]
    assert len({user.password for user in made}) == 4 and min(len(user.password) for user in made) >= 16
    assert made[0].password not in repr(made)
    with pytest.raises(BadInput, match="another file"):
        made_users(file)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "none"),
        ("# nobody\n", "none"),
        ("table t01", "2 words"),
        ("king t01 pw", "'king'"),
        ("table t/1 pw", "'t/1'"),
        ("table t01\x00x pw", "letters, digits"),
        ("table t01 a\nscreen t01 b", "t01, t01"),
    ],
)
def test_a_file_of_users_that_makes_no_sense_is_bad_input(tmp_path, text, found):
    """The message says the line, or what is wrong with the whole."""
    file = tmp_path / "users.txt"
    file.write_text(text)
    with pytest.raises(BadInput, match=found):
        read_users(file)


@pytest.mark.parametrize(("host", "reason"), [("127.0.0.1", 0), ("0.0.0.0", 5)])
def test_guests_look_on_loopback_alone(needs_mosquitto, host, reason):
    """With users, one without a name may look over WebSocket on loopback; where others can come in he is sent away."""
    with Broker("mosquitto", host, users=[User("screen", "screen", "pw")]) as broker:
        answers, done = [], threading.Event()
        client = paho.Client(paho.CallbackAPIVersion.VERSION2, transport="websockets", reconnect_on_failure=False)
        client.on_connect = lambda *args: (answers.append(args[3].value), done.set())
        client.connect("127.0.0.1", broker.ws_port)
        client.loop_start()
        assert done.wait(20)
        client.loop_stop()
        assert answers == [0 if reason == 0 else 135], "paho tells code 5 of MQTT 3.1.1 as 135"
        assert connack(broker.tcp_port) == 5


def test_the_command_makes_users_and_the_console_signs_in(needs_mosquitto, tmp_path, browser):
    """`miron broker --users FILE` without guests: the board looks as the screen of that file, the referee signs in and plays a pass."""
    file = tmp_path / "users.txt"
    command = [*MIRON, "broker", "--users", str(file), "--no-guests"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": "."}) as process:
        assert str(file) in process.stdout.readline()
        line = process.stdout.readline()
        tcp_port, ws_port = (int(line.split(f"{scheme}://127.0.0.1:")[1].split("/")[0].split()[0]) for scheme in ("mqtt", "ws"))
        file.write_text(file.read_text().replace("table t01", "table t07"))  # the table of these tests
        process.send_signal(signal.SIGINT)
        process.wait(20)
    users = {user.role: user for user in read_users(file)}
    with (
        Broker("mosquitto", tcp_port=tcp_port, ws_port=ws_port, users=list(users.values()), guests=False) as broker,
        serving_board(broker.ws_url, ("screen", users["screen"].password)) as board,
        RunningTable(tmp_path / "t.db", tcp_port, user="t07", password=users["table"].password) as table,
    ):
        table.play("6-6:open")
        context = browser.new_context()
        context.add_init_script("localStorage.setItem('miron-by', 'Rosa')")
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(board)
        page.wait_for_selector("body[data-signal=live]", timeout=PATIENCE_MS)
        page.goto(board.replace("/board", "/referee"))
        page.wait_for_selector("[data-id=seat-1-pass]:enabled", timeout=PATIENCE_MS)
        page.click("[data-id=seat-1-pass]")
        page.locator(".toast.bad button").click()
        page.fill("#field-username", "referee")
        page.fill("#field-password", users["referee"].password)
        page.keyboard.press("Enter")
        page.wait_for_selector("[data-id=seat-1-pass]:enabled", timeout=PATIENCE_MS)
        page.click("[data-id=seat-1-pass]")
        deadline = time.monotonic() + 60
        while table.monitor.state.hand.turn != 2:
            assert time.monotonic() < deadline
            page.wait_for_timeout(100)
        context.close()


def test_the_command_refuses_to_be_open_to_everybody():
    """`miron broker --host 0.0.0.0` without a password is one line and exit code 2."""
    done = subprocess.run([*MIRON, "broker", "--host", "0.0.0.0"], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "password" in done.stderr and done.stderr.count("\n") == 1
