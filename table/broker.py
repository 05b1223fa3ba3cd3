"""A broker of our own: mosquitto when it is installed, else the one in the `iotcore` wheel. Both are a child and a file."""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import os
import pwd
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Literal, get_args

from rules.errors import BadInput

Kind = Literal["mosquitto", "iotcore"]
KINDS: tuple[Kind, ...] = get_args(Kind)
START_S = 20.0
LOOPBACK = "127.0.0.1"

# Debian's mosquitto 2.0.11 opens its websockets listener on every interface whatever it is told. So who comes in there without a
# name may look, and may ask for missed events, nothing else.
SCREEN_ROLE = "topic read miron/v1/#\ntopic write miron/v1/+/table/+/cmd/resync\n"
ALL_TOPICS = "\nuser {user}\ntopic readwrite #\n"

_MOSQUITTO = """\
persistence false
max_queued_messages 0
log_dest stderr
log_type error
log_type warning
per_listener_settings true

listener {tcp_port} {host}
allow_anonymous {anonymous_tcp}
{password_line}

listener {ws_port} {host}
protocol websockets
allow_anonymous true
acl_file {folder}/screens.acl
{password_line}
"""

_IOTCORE = """\
id = 0
[router]
id = 0
max_connections = 1000
max_outgoing_packet_count = 200
max_segment_size = 104857600
max_segment_count = 10
[v4.1]
name = "tcp"
listen = "{host}:{tcp_port}"
next_connection_delay_ms = 1
[v4.1.connections]
connection_timeout_ms = 60000
max_payload_size = 1048576
max_inflight_count = 100
dynamic_filters = true
[ws.1]
name = "ws"
listen = "{host}:{ws_port}"
next_connection_delay_ms = 1
[ws.1.connections]
connection_timeout_ms = 60000
max_payload_size = 1048576
max_inflight_count = 100
dynamic_filters = true
"""


class Broker:
    """A running broker; a context manager. `tcp_port` for programs, `ws_port` for pages; free ones are taken where 0 is given.

    `kind` is chosen when None. Elsewhere than on loopback it needs mosquitto, a user and a password: BadInput otherwise, also
    when a port is taken or the kind is not installed.
    """

    def __init__(
        self,
        kind: Kind | None = None,
        host: str = LOOPBACK,
        tcp_port: int = 0,
        ws_port: int = 0,
        user: str | None = None,
        password: str | None = None,
    ) -> None:
        self.kind = _chosen(kind)
        self.host = host
        self._login = (user, password) if user and password else None
        _check_reach(self.kind, host, self._login)
        self.tcp_port = _usable_port(host, tcp_port)
        self.ws_port = _usable_port(host, ws_port, other_than=self.tcp_port)
        self._process: subprocess.Popen[bytes] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    @property
    def ws_url(self) -> str:
        """The address for pages on this machine."""
        return f"ws://{self._near}:{self.ws_port}/mqtt"

    @property
    def tcp_url(self) -> str:
        """The address for programs on this machine."""
        return f"mqtt://{self._near}:{self.tcp_port}"

    @property
    def pid(self) -> int | None:
        """The child process, None when it is stopped."""
        return self._process.pid if self._process else None

    def start(self) -> Broker:
        """Start it and wait until both ports answer; BadInput with its own words when it does not come up."""
        self._folder = tempfile.TemporaryDirectory(prefix="miron-broker-")
        folder = Path(self._folder.name)
        command = self._mosquitto(folder) if self.kind == "mosquitto" else self._iotcore(folder)
        with open(folder / "log", "wb") as log:
            # A session of its own: Ctrl-C reaches us first, and we stop it after the last message has gone out.
            self._process = subprocess.Popen(
                _tied_to_us(command), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder, start_new_session=True
            )
        end = time.monotonic() + START_S
        while not (_answers(self._near, self.tcp_port) and _answers(self._near, self.ws_port)):
            if self._process.poll() is not None or time.monotonic() > end:
                words = (folder / "log").read_text(errors="replace").strip().splitlines()
                self.stop()
                raise BadInput(
                    f"expected {self.kind} to start, found: {words[-1] if words else 'silence'}; try another port or kind"
                )
            time.sleep(0.02)
        return self

    def stop(self) -> None:
        """Stop it and free the ports; safe to call twice."""
        process, self._process = self._process, None
        if process:
            process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if self._folder:
            self._folder.cleanup()
            self._folder = None

    def wait(self) -> int:
        """Wait until the child ends; its exit status."""
        return self._process.wait() if self._process else 0

    def __enter__(self) -> Broker:
        return self.start()

    def __exit__(self, *exc: object) -> None:
        self.stop()

    @property
    def _near(self) -> str:
        return LOOPBACK if self.host in ("0.0.0.0", "") else self.host

    def _mosquitto(self, folder: Path) -> list[str]:
        acl, password_line = SCREEN_ROLE, ""
        if self._login:
            user, password = self._login
            acl += ALL_TOPICS.format(user=user)
            password_line = f"password_file {folder}/passwords"
            _write(folder / "passwords", f"{user}:{_hashed(password)}\n")
        _write(folder / "screens.acl", acl)
        config = _MOSQUITTO.format(
            folder=folder,
            host=self.host,
            tcp_port=self.tcp_port,
            ws_port=self.ws_port,
            anonymous_tcp="false" if self._login else "true",
            password_line=password_line,
        )
        _write(folder / "mosquitto.conf", config)
        _hand_over(folder)
        return [str(_mosquitto_path()), "-c", str(folder / "mosquitto.conf")]

    def _iotcore(self, folder: Path) -> list[str]:
        _write(folder / "rumqttd.toml", _IOTCORE.format(host=self.host, tcp_port=self.tcp_port, ws_port=self.ws_port))
        return [sys.executable, "-P", "-m", "iotcore", "--log-level", "ERROR", "--config", str(folder / "rumqttd.toml")]


def _tied_to_us(command: list[str]) -> list[str]:
    """The command, to end when this program is killed. Linux ties a child to the thread that starts it: to the main one only."""
    setpriv = shutil.which("setpriv")
    if not setpriv or threading.current_thread() is not threading.main_thread():
        return command
    return [setpriv, "--pdeathsig", "TERM", *command]


def _mosquitto_path() -> str | None:
    return shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")  # not on a plain user's path


def _chosen(kind: Kind | None) -> Kind:
    if kind is None:
        return "mosquitto" if _mosquitto_path() else "iotcore"
    if kind not in KINDS:
        raise BadInput(f"expected a broker of kind {' or '.join(KINDS)}, found {kind!r}; choose one")
    if kind == "mosquitto" and not _mosquitto_path():
        raise BadInput(
            "expected the program mosquitto, found none; install it (apt install mosquitto) or choose the kind iotcore"
        )
    return kind


def _check_reach(kind: Kind, host: str, login: tuple[str, str] | None) -> None:
    try:
        inside = ipaddress.ip_address(host).is_loopback
    except ValueError:
        raise BadInput(f"expected the address to listen on as numbers, found {host!r}; such as {LOOPBACK}") from None
    if not inside and not login:
        raise BadInput(f"expected a user and a password to listen on {host}, found none; give both or listen on {LOOPBACK}")
    if kind == "iotcore" and (not inside or login):
        raise BadInput(
            f"expected mosquitto where a password is needed, found iotcore; install mosquitto or listen on {LOOPBACK} without one"
        )
    if login and not login[0].replace("-", "").replace("_", "").isalnum():
        raise BadInput(f"expected a user of letters, digits, - and _, found {login[0]!r}; choose another")


def _usable_port(host: str, port: int, other_than: int = 0) -> int:
    """`port` if it can be listened on, a free one for 0."""
    if not 0 <= port <= 65535 or (port and port == other_than):
        raise BadInput(f"expected two different ports of 1 to 65535 (0: a free one), found {port}; choose another")
    try:
        with closing(socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
            found = int(probe.getsockname()[1])
        return found if found != other_than else _usable_port(host, port, other_than)
    except OSError as error:
        raise BadInput(f"expected port {port} of {host} to be free, found: {error.strerror}; choose another port") from None


def _answers(host: str, port: int) -> bool:
    try:
        with socket.create_connection((host, port), timeout=0.5):
            return True
    except OSError:
        return False


def _hashed(password: str) -> str:
    """The password as mosquitto keeps it: PBKDF2 with SHA-512, 101 rounds, 12 bytes of salt."""
    salt = secrets.token_bytes(12)
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, 101)
    return f"$7$101${base64.b64encode(salt).decode()}${base64.b64encode(digest).decode()}"


def _write(path: Path, text: str) -> None:
    path.touch(mode=0o600)  # there may be a password in it
    path.write_text(text)


def _hand_over(folder: Path) -> None:
    """Started by root, mosquitto becomes the user of that name (else nobody), who has to read its files."""
    if os.geteuid() != 0:
        return
    owner = next((name for name in ("mosquitto", "nobody") if _exists(name)), "root")
    for path in (folder, *folder.iterdir()):
        shutil.chown(path, owner)


def _exists(user: str) -> bool:
    try:
        return bool(pwd.getpwnam(user))
    except KeyError:
        return False
