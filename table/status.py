"""Who says what on the topic `status`, and what to do when somebody else speaks for this table."""

from __future__ import annotations

import json
import logging
from typing import Any, Literal

from table.envelope import json_line

LOG = logging.getLogger(__name__)
MAX_RIVALS = 8  # more are somebody's game with us


class Presence:
    """This run's word on its own state, and the other agents that claim the same table."""

    def __init__(self, boot: str, host: str, since: str) -> None:
        """`since`: start of this run, as `wire_time` writes it."""
        self._boot, self._host, self._since = boot, host, since
        self._rivals: dict[str, str] = {}  # boot: host

    def says(self, status: Literal["online", "stopped", "offline"]) -> str:
        """The payload of `status`."""
        return json_line({"schema": 1, "status": status, "boot": self._boot, "host": self._host, "since": self._since})

    def must_answer(self, payload: bytes) -> bool:
        """Whether what was heard calls for a new `online`: this table was declared gone, or a rival has just turned up."""
        word = _word(payload)
        boot, status = str(word.get("boot", ""))[:64], word.get("status")
        if status == "online":
            if boot == self._boot or boot in self._rivals or len(self._rivals) >= MAX_RIVALS:
                return False
            self._rivals[boot] = str(word.get("host", "?"))[:64]
            LOG.error("two agents on one table: the other is on host %s", self._rivals[boot])
            return True
        self._rivals.pop(boot, None)
        return True

    def alarms(self) -> list[dict[str, Any]]:
        """One open alert for each other agent on this table."""
        return [
            {
                "seq": None,
                "type": "alarm",
                "code": "DUPLICATE_TABLE",
                "rule": None,
                "seat": None,
                "text_key": "DUPLICATE_TABLE",
                "host": host,
            }
            for host in self._rivals.values()
        ]


def _word(payload: bytes) -> dict[str, Any]:
    try:
        word = json.loads(payload)
    except (ValueError, RecursionError):
        return {}
    return word if isinstance(word, dict) else {}
