"""Where the broker is, and which subtree of topics is ours."""

from __future__ import annotations

import re
import socket
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from rules.errors import BadInput
from table.envelope import checked_name


@dataclass(frozen=True, slots=True)
class MqttSettings:
    """Where the broker is and whose table this is. `back_off_s`: first and longest pause between attempts, seconds.

    keepalive_s: a broker that is silent for so long is taken for gone. ca: TLS, with a broker that one of these certificates vouches
    for; None: in the clear. home_assistant: whether Home Assistant is told of the table (table/home_assistant.py).
    """

    event: str
    table: str
    host: str = "127.0.0.1"
    port: int = 1883
    transport: Literal["tcp", "websockets"] = "tcp"
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    back_off_s: tuple[float, float] = (1.0, 30.0)
    keepalive_s: int = 10
    agent: str = field(default_factory=socket.gethostname)
    ca: Path | None = None
    home_assistant: bool = False

    def __post_init__(self) -> None:
        checked_name("event", self.event)
        checked_name("table", self.table)
        if not 1 <= self.port <= 65535:
            raise BadInput(f"expected the broker's port as 1 to 65535, found {self.port}; correct it")
        if self.transport not in ("tcp", "websockets"):
            raise BadInput(f"expected transport tcp or websockets, found {self.transport!r}; correct it")
        if self.ca is not None and not self.ca.is_file():
            raise BadInput(f"expected the broker's certificates (PEM) at {self.ca}, found none; copy them there")
        if not 0 < self.back_off_s[0] <= self.back_off_s[1]:
            raise BadInput(f"expected back_off_s as first and longest pause in seconds, found {self.back_off_s}; such as (1, 30)")

    @property
    def client_id(self) -> str:
        """The same after a restart, another on another host: two hosts do not throw each other out."""
        return self.client_id_of(self.agent)

    def client_id_of(self, agent: str) -> str:
        """The client id that an agent of this name has."""
        return f"miron-{self.event}-{self.table}-{re.sub('[^A-Za-z0-9-]', '-', agent)[:32]}"

    def topic(self, leaf: str) -> str:
        """`miron/v1/<event>/table/<table>/<leaf>`."""
        return f"miron/v1/{self.event}/table/{self.table}/{leaf}"
