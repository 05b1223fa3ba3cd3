"""The answer to a command, and why one is refused."""

from __future__ import annotations

from pydantic import BaseModel

from rules.errors import BadInput
from table.envelope import json_line


class Refused(BadInput):
    """A command that cannot be carried out as the table stands. `reason`: why, as a code that pages have words for (docs/mqtt.md)."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class Reply(BaseModel):
    """The answer on `rsp/<name>`. `seq`: the event `entered` of what was done; `error`: what was expected, found and is to be done.

    `reason`: the code of the refusal, for pages that say it in their own language.
    """

    transaction: str | None
    ok: bool
    error: str | None = None
    reason: str | None = None
    seq: int | None = None

    @classmethod
    def refusing(cls, transaction: str | None, error: BadInput) -> Reply:
        """The answer to what was refused; a plain BadInput is a command that cannot be read."""
        reason = error.reason if isinstance(error, Refused) else "unreadable"
        return cls(transaction=transaction, ok=False, error=str(error), reason=reason)

    def line(self) -> str:
        """Its JSON text."""
        return json_line(self.model_dump())
