"""Whether a broker takes a table: reach it, be accepted, write and read back under the table's own topics, and leave."""

from __future__ import annotations

import queue
import secrets
import time
from collections.abc import Callable

from table.mqtt_link import Link
from table.mqtt_settings import MqttSettings

LEAF = "rsp/doctor"  # nobody asks there, so nobody minds


def try_out(settings: MqttSettings, timeout_s: float = 5.0) -> str | None:
    """None when the broker accepts these settings and lets us write and read; else what went wrong, in words.

    The running monitor of the same table is not disturbed: the connection has a name of its own and says nothing about the table.
    """
    attempt = _Attempt()
    try:
        link = Link(settings, "", attempt, f"{settings.client_id}-doctor")
        link.open()
    except (OSError, ValueError) as error:  # a WebSocket handshake or a wrong certificate raises either
        return f"not reachable: {error}"
    try:
        return attempt.outcome(timeout_s)
    finally:
        link.close()


class _Attempt:
    """A connection's owner that says one word to itself."""

    def __init__(self) -> None:
        self._word = secrets.token_hex(8)
        self._accepted = False
        self._todo: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._outcome: list[str | None] = []

    def outcome(self, timeout_s: float) -> str | None:
        """What came of it, within the time."""
        end = time.monotonic() + timeout_s
        while not self._outcome and (left := end - time.monotonic()) > 0:
            try:
                self._todo.get(timeout=left)()
            except queue.Empty:
                break
        if self._outcome:
            return self._outcome[0]
        return f"accepted, but what is written to {LEAF} does not come back: check the rights" if self._accepted else "no answer"

    def tell(self, todo: Callable[[], None]) -> None:
        """Work from paho's thread."""
        self._todo.put(todo)

    def birth(self, link: Link) -> None:
        """Accepted: listen, and say the word."""
        self._accepted = True
        link.subscribe(LEAF)
        link.publish(LEAF, self._word)

    def is_up(self, link: Link) -> None:
        """Accepted; the word is on its way."""

    def is_down(self, link: Link, reason: str) -> None:
        """Refused, or thrown out for what we did."""
        self._outcome.append(
            f"accepted, then thrown out ({reason}): check the rights" if self._accepted else f"refused: {reason}"
        )

    def is_acknowledged(self, link: Link, message_id: int) -> None:
        """The broker has the word; whether it let it through shows when it comes back."""

    def heard(self, link: Link, topic: str, payload: bytes) -> None:
        """Our own word has come back, or somebody else's."""
        if payload == self._word.encode():
            self._outcome.append(None)
