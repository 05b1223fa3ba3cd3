"""What stands in the way of a calibration, as one line and as a key with values, so that a page can say it in its own language."""

from __future__ import annotations

from rules.errors import BadInput


class Trouble(BadInput):
    """Bad input with a name. key: which trouble; values: what its words are filled with. The message is the line for the terminal."""

    def __init__(self, key: str, message: str, **values: str | int | float) -> None:
        super().__init__(message)
        self.key, self.values = key, values
