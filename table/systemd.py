"""Words to systemd, for a service of `Type=notify` with a watchdog: one datagram each, no library. Elsewhere they go nowhere."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Callable, Mapping

PATIENCE_S = 0.2  # with one who does not listen: the table comes first


class Service:
    """This process as systemd sees it.

    environment: `NOTIFY_SOCKET` says where to speak, `WATCHDOG_USEC` how often at least; both are taken out: no child speaks for us.
    """

    def __init__(self, environment: dict[str, str] | None = None, now: Callable[[], float] = time.monotonic) -> None:
        given = os.environ if environment is None else environment
        self._address = _address(given.pop("NOTIFY_SOCKET", ""))
        self._every_s = _watchdog_s(given) / 3
        given.pop("WATCHDOG_USEC", None)
        given.pop("WATCHDOG_PID", None)
        self._now, self._said_s = now, float("-inf")

    def ready(self, status: str) -> None:
        """The table is being watched from now on."""
        self._say(f"READY=1\nSTATUS={status}")

    def stopping(self) -> None:
        """We have been told to end, and do so."""
        self._say("STOPPING=1")

    def alive(self, status: str = "") -> None:
        """We are at work: to be called after each frame, said three times within the watchdog's patience. status: as systemctl shows it."""
        if self._now() - self._said_s >= self._every_s:
            self._said_s = self._now()
            self._say(f"WATCHDOG=1\nSTATUS={status}" if status else "WATCHDOG=1")

    def _say(self, words: str) -> None:
        if self._address:
            with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as datagram:
                datagram.settimeout(PATIENCE_S)
                datagram.sendto(words.encode(), self._address)


def _address(told: str) -> str:
    """A path, or a name in the abstract space, which is written with @ and begins with a zero."""
    return "\0" + told[1:] if told.startswith("@") else told


def _watchdog_s(given: Mapping[str, str]) -> float:
    """How long systemd waits for a word; without a watchdog, as long as a status may be old."""
    asked = given.get("WATCHDOG_USEC", "")
    meant = given.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(asked) / 1e6 if asked.isdigit() and meant else 30.0
