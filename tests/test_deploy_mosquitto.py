"""The ready configuration for mosquitto, and the users of `miron broker`: each role may do what it should, and nothing else."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

import paho.mqtt.client as paho
import paho.mqtt.subscribe as paho_subscribe
import pytest
from board_states import snapshot
from conftest import require, serving_board
from mqtt_listener import Follower, Listener
from shown_pages import contains, reads

from rules.errors import BadInput
from scripts.config import broker_settings
from scripts.main import main
from table.broker import Broker
from table.broker_users import User
from table.health import health
from table.journal import Journal
from table.mqtt import MqttPublisher, MqttSettings
from table.mqtt_link import publish_retained

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy" / "mosquitto"
NAMES = ("t07", "t08", "screen", "referee", "organiser", "hall-1")
TIME = "2026-11-30T00:10:11.123Z"
FORBIDDEN = {
    "screen": ("status", "state", "event", "alerts", "cmd/ruling", "cmd/pass", "rsp/ruling"),
    "referee": ("status", "state", "event", "alerts", "info", "rsp/ruling"),
    "organiser": ("status", "event", "cmd/ruling", "cmd/resync"),
    "t08": ("status", "state", "event", "cmd/ruling"),
}
ALLOWED = {"screen": "cmd/resync", "referee": "cmd/ruling", "t07": "event"}


def password(name):
    return f"the {name}'s own"


class Service:
    """A mosquitto as it is deployed, with files and ports of its own."""

    def __init__(self, folder: Path, certificates: Path, bridge_to: int | None = None) -> None:
        self.ca = certificates / "ca.crt"
        shutil.copytree(DEPLOY, folder)
        (folder / "data").mkdir()
        for name in NAMES:
            subprocess.run(
                ["mosquitto_passwd", "-b", *(["-c"] if name == "t07" else []), folder / "passwords", name, password(name)],
                check=True,
            )
        for file in ("ca.crt", "broker.crt", "broker.key"):
            shutil.copy(certificates / file, folder)
        self.tcp_port, self.ws_port = free_port(), free_port()
        text = (folder / "broker.conf").read_text()
        text = text.replace("listener 8883", f"listener {self.tcp_port}").replace("listener 9443", f"listener {self.ws_port}")
        text = text.replace("/var/lib/mosquitto", str(folder / "data")).replace("/etc/mosquitto/miron", str(folder))
        (folder / "broker.conf").write_text(text + ("user root\n" if os.geteuid() == 0 else ""))
        if bridge_to:
            example = (folder / "bridges" / "centre.conf.example").read_text()
            example = example.replace("centre.example:8883", f"127.0.0.1:{bridge_to}").replace("change-me", password("hall-1"))
            example = example.replace("/etc/mosquitto/miron", str(folder)).replace("restart_timeout 1 30", "restart_timeout 1 2")
            (folder / "bridges" / "centre.conf").write_text(example)
        self._folder = folder
        self.start()

    def start(self) -> None:
        with open(self._folder / "log", "a") as log:
            path = shutil.which("mosquitto", path=f"{os.environ['PATH']}:/usr/sbin")
            self.process = subprocess.Popen([str(path), "-c", self._folder / "broker.conf"], stdout=log, stderr=log)
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.tcp_port), timeout=1):
                return
            time.sleep(0.05)
        raise AssertionError((self._folder / "log").read_text())

    def stop(self, how=signal.SIGTERM) -> None:
        self.process.send_signal(how)
        self.process.wait(10)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    """An authority and a broker's certificate, by the very commands of the README."""
    require(shutil.which("mosquitto_passwd") and shutil.which("openssl"), "mosquitto or openssl")
    folder = tmp_path_factory.mktemp("certificates")
    lines = [line for line in (DEPLOY / "README.md").read_text().splitlines() if line.startswith(("openssl", "printf"))]
    script = "\n".join(lines).replace("192.168.1.10", "127.0.0.1")
    subprocess.run(["sh", "-ec", script], cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module", params=["deployed", "embedded"])
def service(request, tmp_path_factory, certificates):
    """The ready configuration, and `miron broker` with users and a certificate."""
    if request.param == "deployed":
        running = Service(tmp_path_factory.mktemp("deployed") / "miron", certificates)
        yield running
        running.stop()
        return
    users = [User("table" if n[0] == "t" else "everything" if n == "hall-1" else n, n, password(n)) for n in NAMES]
    tls = certificates / "broker.crt", certificates / "broker.key"
    with Broker("mosquitto", users=users, guests=False, tls=tls) as running:
        running.ca = certificates / "ca.crt"
        yield running


@contextlib.contextmanager
def signed_in(service, name, **more):
    with Listener(service.tcp_port, login=(name, password(name)), ca=service.ca, **more) as listener:
        yield listener


def welcome(port, ca, login=None, transport="tcp"):
    """The broker's answer to a connection: `Success`, or why not."""
    said, done = [], threading.Event()
    client = paho.Client(paho.CallbackAPIVersion.VERSION2, transport=transport, reconnect_on_failure=False)
    if login:
        client.username_pw_set(*login)
    client.tls_set(str(ca))
    client.on_connect = lambda client, userdata, flags, reason, properties: (said.append(str(reason)), done.set())
    client.connect("127.0.0.1", port)
    client.loop_start()
    assert done.wait(20)
    client.disconnect()
    client.loop_stop()
    return said[0]


@pytest.mark.parametrize("login", [None, ("stranger", "x"), ("screen", "wrong"), ("screen", "")], ids=str)
def test_a_stranger_gets_nothing(service, login):
    """Without a name, with an unknown one and with a wrong password both listeners are shut."""
    assert welcome(service.tcp_port, service.ca, login) == "Not authorized"
    assert welcome(service.ws_port, service.ca, login, "websockets") == "Not authorized"


def test_nothing_is_said_in_the_clear(service):
    """A connection without TLS gets no answer."""
    with socket.create_connection(("127.0.0.1", service.tcp_port), timeout=10) as plain:
        plain.sendall(bytes([0x10, 13, 0, 4]) + b"MQTT" + bytes([4, 2, 0, 10, 0, 1]) + b"x")
        plain.settimeout(2)
        try:
            said = plain.recv(4)
        except OSError:
            said = b""
        assert said[:1] != b"\x20", "no CONNACK"


@pytest.mark.parametrize("role", sorted(FORBIDDEN))
def test_a_role_cannot_write_elsewhere(service, role):
    """A screen writes nothing, a referee nothing outside cmd/#, a table nothing of another table; over either listener."""
    with signed_in(service, "hall-1") as witness:
        for n, leaf in enumerate(FORBIDDEN[role]):
            # mosquitto may hang up on who writes where he may not: each try has a connection of its own.
            over = {"port": service.ws_port, "transport": "websockets"} if n % 2 else {"port": service.tcp_port}
            with Listener(login=(role, password(role)), ca=service.ca, **over) as forger, contextlib.suppress(RuntimeError):
                forger.say(leaf, {"forged": leaf}, timeout_s=1)
        with signed_in(service, "t07") as table:
            table.say("event", {"seq": 1})
        assert witness.wait_until(lambda it: it.on("event") == [{"seq": 1}])
        assert [heard.leaf for heard in witness.heard] == ["event"]


@pytest.mark.parametrize("role", sorted(ALLOWED))
def test_a_role_can_write_what_is_its_own(service, role):
    """A screen asks for what it missed, a referee rules, a table tells its events; screen and referee hear it."""
    with signed_in(service, "screen") as screen, signed_in(service, "referee") as referee, signed_in(service, role) as writer:
        writer.say(ALLOWED[role], {"seq": 5})
        for reader in (screen, referee):
            assert reader.wait_until(lambda it: it.on(ALLOWED[role]) == [{"seq": 5}])


def test_a_table_hears_its_own_commands_alone(service):
    """What is said to t07 is not heard by t08's user."""
    with signed_in(service, "t08") as other, signed_in(service, "t07") as own, signed_in(service, "referee") as referee:
        referee.say("cmd/pass", {"seat": 1})
        assert own.wait_until(lambda it: it.on("cmd/pass"))
        time.sleep(0.2)
        assert not other.heard


@contextlib.contextmanager
def publishing(journal, service, health=None, **changes):
    settings = {"user": "t07", "password": password("t07"), "ca": service.ca, "back_off_s": (0.1, 0.4), **changes}
    publisher = MqttPublisher(journal, MqttSettings("finals", "t07", port=service.tcp_port, **settings), {})
    publisher.start(health=health)
    try:
        yield publisher
    finally:
        publisher.stop()


def write(journal, count):
    for n in range(count):
        journal.append("tile_played", {"n": n}, n / 10, n, 1, 1, TIME)


def test_a_table_publishes_over_tls(service, tmp_path, certificates):
    """With the authority's certificate every event goes out; a broker that another authority vouches for is told nothing."""
    with Journal(tmp_path / "t07.db", "finals", "t07") as journal, signed_in(service, "screen") as screen:
        write(journal, 10)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=x", "-keyout", "k", "-out", "other.crt"],
            cwd=tmp_path, check=True, capture_output=True,
        )  # fmt: skip
        with publishing(journal, service, ca=tmp_path / "other.crt") as deceived:
            assert not deceived.drain(1.5)
        assert not screen.on("event")
        with publishing(journal, service) as publisher:
            assert publisher.drain(30)
            assert screen.wait_until(lambda it: it.seqs() == list(range(1, 11)))


def test_the_organiser_publishes_over_tls_with_the_settings_of_a_table(service, tmp_path, capsys):
    """`miron tournament publish` takes the authority, user and password file of a `table.toml`; without the authority it is refused."""
    (tmp_path / "secret").write_text(password("organiser"))
    secure = f'ca = "{service.ca}"\nuser = "organiser"\npassword_file = "secret"\n'
    (tmp_path / "hall.toml").write_text(f'event = "finals"\n[mqtt]\nport = {service.tcp_port}\n{secure}')
    (tmp_path / "clear.toml").write_text(f'event = "finals"\n[mqtt]\nport = {service.tcp_port}\n')
    cup = str(tmp_path / "cup.json")
    told = [["new", cup, "Rojas-Díaz", "Luna-Paz", "--rounds", "1"]]
    told += [["publish", cup, "--config", str(tmp_path / name)] for name in ("clear.toml", "hall.toml")]
    codes = []
    for words in told:
        with pytest.raises(SystemExit) as done:
            main(["tournament", *words])
        codes.append(done.value.code)
    said = capsys.readouterr().err
    assert codes == [0, 2, 0] and said.startswith("miron: expected a broker at 127.0.0.1") and said.count("\n") == 1
    heard = paho_subscribe.simple(
        "miron/v1/finals/tournament", qos=1, hostname="127.0.0.1", port=service.tcp_port,
        auth={"username": "screen", "password": password("screen")}, tls={"ca_certs": str(service.ca)},
    )  # fmt: skip
    assert [line["pair"] for line in json.loads(heard.payload)["standings"]] == ["Rojas-Díaz", "Luna-Paz"]


def test_who_may_not_publish_is_told_so(service):
    """A broker acknowledges what it drops for want of rights: a screen that publishes the tournament learns that nobody has it."""
    screen = MqttSettings("finals", "t07", port=service.tcp_port, user="screen", password=password("screen"), ca=service.ca)
    with pytest.raises(BadInput, match="correct mqtt"):
        publish_retained("miron/v1/finals/tournament", "{}", screen, timeout_s=1.0)


def test_an_address_of_a_command_counts_before_its_settings(tmp_path, monkeypatch):
    """--broker and the names that a command gives cover file and options; what they leave open, TLS and login, stays as it is there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MIRON_MQTT_PASSWORD", "hush")
    (tmp_path / "ca.crt").touch()
    (tmp_path / "table.toml").write_text('event = "e"\ntable = "t"\n[mqtt]\nenabled = false\nhost = "hall"\nca = "ca.crt"\n')
    found = broker_settings(None, ["mqtt.port=1", "mqtt.user=ana"], "centre:8883", event="finals", table=None)
    assert (found.event, found.table, found.host, found.port, found.user) == ("finals", "t", "centre", 8883, "ana")
    assert (found.ca, found.password) == (Path("ca.crt"), "hush")
    assert broker_settings(None, ["mqtt.port=1"], None).host == "hall"
    with pytest.raises(BadInput, match="HOST:PORT"):
        broker_settings(None, None, "centre")


def test_the_centres_hall_page_says_that_a_bridge_is_down(tmp_path, certificates, pages):
    """With the hall's broker gone the centre's page says so at once, and no card of the hall stays live; with it back all is live again."""
    centre = Service(tmp_path / "centre", certificates)
    hall = Service(tmp_path / "hall", certificates, bridge_to=centre.tcp_port)
    try:
        with (
            serving_board(f"wss://127.0.0.1:{centre.ws_port}", ("screen", password("screen"))) as board,
            Journal(tmp_path / "t07.db", "finals", "t07") as journal,
            publishing(journal, hall, health=lambda: health(None, journal, 0)) as publisher,
        ):
            publisher.publish_state(snapshot(5))
            page = pages.show("about:blank", ignore_https_errors=True)
            page.clock.install()
            page.goto(board.replace("/board", "/hall?lang=en"))
            reads(page, "#counts", "1 of 1 live")
            reads(page, "#bridges", "")
            hall.stop(signal.SIGKILL)
            contains(page, "#bridges", "Bridge without a connection: hall-1")
            page.clock.fast_forward(40_000)
            contains(page, "[data-table=t07] .signal", "No signal since")
            reads(page, "#counts", "0 of 1 live")
            hall.start()
            reads(page, "#bridges", "")
            reads(page, "#counts", "1 of 1 live")
    finally:
        hall.stop()
        centre.stop()


def test_a_bridged_hall_plays_on_without_the_centre(tmp_path, certificates):
    """What happens while the centre is down follows in order when it is back; a resync asked for at the centre is answered through it."""
    centre = Service(tmp_path / "centre", certificates)
    hall = Service(tmp_path / "hall", certificates, bridge_to=centre.tcp_port)
    try:
        with (
            Journal(tmp_path / "t07.db", "finals", "t07") as journal,
            signed_in(centre, "screen") as screen,
            publishing(journal, hall) as publisher,
        ):
            write(journal, 20)
            assert publisher.drain(30)
            follower = Follower(screen)
            assert follower.reach(20, timeout_s=30)
            centre.stop(signal.SIGKILL)
            write(journal, 39)
            assert publisher.drain(30), "the hall has all of it"
            centre.start()
            assert screen.wait_until(lambda it: it.seqs()[-1:] == [59])
            assert follower.reach(59, timeout_s=30)
            assert sorted(set(screen.seqs())) == list(range(1, 60)), "without a resync: the bridge kept what it could not pass on"
            screen.say("cmd/resync", {"from": 50, "transaction": "t", "by": "centre"})
            assert screen.wait_until(lambda it: it.on("rsp/resync") and it.on("rsp/resync")[-1]["to"] == 59)
            assert screen.wait_until(lambda it: it.on("status")[-1]["status"] == "online")
    finally:
        hall.stop()
        centre.stop()
