"""A broker of our own: mosquitto when it is installed, else the one in the `iotcore` wheel. Both are a child and a file."""

from __future__ import annotations

import ipaddress
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Literal, get_args

from rules.errors import BadInput
from table.broker_config import IOTCORE, MOSQUITTO
from table.broker_users import User, acl_text

Kind = Literal["mosquitto", "iotcore"]
KINDS: tuple[Kind, ...] = get_args(Kind)
START_S = 20.0
LOOPBACK = "127.0.0.1"


class Broker:
    """A running broker; a context manager. `tcp_port` for programs, `ws_port` for pages; free ones are taken where 0 is given.

    `kind` is chosen when None. Elsewhere than on loopback it needs mosquitto and users: BadInput otherwise, also when a port is
    taken or the kind is not installed. `user` with `password` may write everything; `users` may do what their roles say. `guests`:
    whether one without a name may look over WebSocket; None: on loopback alone. `tls`: certificate and key.
    """

    def __init__(
        self,
        kind: Kind | None = None,
        host: str = LOOPBACK,
        tcp_port: int = 0,
        ws_port: int = 0,
        user: str | None = None,
        password: str | None = None,
        users: Sequence[User] = (),
        guests: bool | None = None,
        tls: tuple[Path, Path] | None = None,
    ) -> None:
        self.kind = _chosen(kind)
        self.host = host
        self._users = [User("everything", user, password), *users] if user and password else list(users)
        inside = _is_inside(host)
        _check_reach(self.kind, host, inside, bool(self._users))
        self._guests = inside if guests is None else guests
        self._tls = tls
        if tls and self.kind != "mosquitto":
            raise BadInput("expected mosquitto where a certificate is given, found iotcore; install mosquitto or leave it out")
        self.tcp_port = _usable_port(host, tcp_port)
        self.ws_port = _usable_port(host, ws_port, other_than=self.tcp_port)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def ws_url(self) -> str:
        """The address for pages on this machine."""
        return f"{'wss' if self._tls else 'ws'}://{self._near}:{self.ws_port}/mqtt"

    @property
    def tcp_url(self) -> str:
        """The address for programs on this machine."""
        return f"{'mqtts' if self._tls else 'mqtt'}://{self._near}:{self.tcp_port}"

    @property
    def pid(self) -> int | None:
        """The child process, None when it is stopped."""
        return self._process.pid if self._process else None

    def start(self) -> Broker:
        """Start it and wait until both ports answer; BadInput with its own words when it does not come up."""
        with tempfile.TemporaryDirectory(prefix="miron-broker-") as name:  # read once: passwords and key do not stay on the disk
            folder = Path(name)
            command = self._mosquitto(folder) if self.kind == "mosquitto" else self._iotcore(folder)
            owner = _hand_over(folder) if self.kind == "mosquitto" else None
            with open(folder / "log", "wb") as log:
                # A session of its own: Ctrl-C reaches us first, and we stop it after the last message has gone out.
                self._process = subprocess.Popen(
                    _tied_to_us(command, owner), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", start_new_session=True
                )
            self._wait_until_up(self._process, folder / "log")
        return self

    def _wait_until_up(self, process: subprocess.Popen[bytes], log: Path) -> None:
        end = time.monotonic() + START_S
        while not (_answers(self._near, self.tcp_port) and _answers(self._near, self.ws_port)):
            if process.poll() is not None or time.monotonic() > end:
                words = log.read_text(errors="replace").strip().splitlines()
                self.stop()
                raise BadInput(
                    f"expected {self.kind} to start, found: {words[-1] if words else 'silence'}; try another port or kind"
                )
            time.sleep(0.02)

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
        passwords = f"password_file {folder}/passwords" if self._users else ""
        tls = f"certfile {folder}/broker.crt\nkeyfile {folder}/broker.key" if self._tls else ""
        config = MOSQUITTO.format(
            folder=folder,
            host=self.host,
            ws_host=_ws_interface(self.host),
            tcp_port=self.tcp_port,
            ws_port=self.ws_port,
            anonymous_tcp="false" if self._users else "true",
            guests="true" if self._guests else "false",
            passwords=passwords,
            logins=f"{passwords}\nacl_file {folder}/users.acl" if self._users else "",
            tls=tls,
        )
        _write(folder / "mosquitto.conf", config)
        for file, name in zip(self._tls or (), ("broker.crt", "broker.key"), strict=False):
            _write(folder / name, file.read_text())
        _write(folder / "passwords", "".join(user.hashed() for user in self._users))
        _write(folder / "users.acl", acl_text(self._users, guests=False))
        _write(folder / "guests.acl", acl_text(self._users, guests=self._guests))
        return [str(_mosquitto_path()), "-c", str(folder / "mosquitto.conf")]

    def _iotcore(self, folder: Path) -> list[str]:
        _write(folder / "rumqttd.toml", IOTCORE.format(host=self.host, tcp_port=self.tcp_port, ws_port=self.ws_port))
        return [sys.executable, "-P", "-m", "iotcore", "--log-level", "ERROR", "--config", str(folder / "rumqttd.toml")]


def _tied_to_us(command: list[str], owner: pwd.struct_passwd | None) -> list[str]:
    """The command, to end when this program is killed. Linux ties a child to the thread that starts it: to the main one only.

    owner: who it shall run as. A child that changes its user itself, as mosquitto does when root starts it, is tied no more.
    """
    setpriv = shutil.which("setpriv")
    if not setpriv:
        return command
    become = [f"--reuid={owner.pw_uid}", f"--regid={owner.pw_gid}", "--clear-groups"] if owner else []
    tie = ["--pdeathsig=TERM"] if threading.current_thread() is threading.main_thread() else []
    return [setpriv, *become, *tie, *command]


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


def _is_inside(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        raise BadInput(f"expected the address to listen on as numbers, found {host!r}; such as {LOOPBACK}") from None


def _check_reach(kind: Kind, host: str, inside: bool, users: bool) -> None:
    if not inside and not users:
        raise BadInput(
            f"expected a user and a password to listen on {host}, found none; give users (--users FILE) or listen on {LOOPBACK}"
        )
    if kind == "iotcore" and (not inside or users):
        raise BadInput(
            f"expected mosquitto where a password is needed, found iotcore; install mosquitto or listen on {LOOPBACK} without one"
        )


def _ws_interface(host: str) -> str:
    """What tells mosquitto where to open its WebSocket listener: 2.0 ignores an address there, and keeps to the name of an interface."""
    if host != LOOPBACK or "lo" not in (name for _, name in socket.if_nameindex()):
        return host
    said = subprocess.run([str(_mosquitto_path()), "-h"], capture_output=True, text=True, timeout=START_S).stdout
    return "lo" if said.startswith("mosquitto version 2.0.") else host


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


def _write(path: Path, text: str) -> None:
    path.touch(mode=0o600)  # there may be a password in it
    path.write_text(text)


def _hand_over(folder: Path) -> pwd.struct_passwd | None:
    """Started by root, a broker is to be run by the user mosquitto (else nobody), who has to read its files; None: by who we are."""
    if os.geteuid() != 0:
        return None
    owner = next((user for user in pwd.getpwall() if user.pw_name == "mosquitto"), pwd.getpwnam("nobody"))
    for path in (folder, *folder.iterdir()):
        shutil.chown(path, owner.pw_uid, owner.pw_gid)
    return owner
