"""What the program says of its own work: lines for people on a terminal, JSON lines for machines."""

from __future__ import annotations

import json
import logging
import sys
import threading
from types import TracebackType
from typing import Any, Literal, TextIO

import cv2

from table.envelope import wire_time

Form = Literal["auto", "human", "json"]
_OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_SERVERS = ("uvicorn", "uvicorn.error", "uvicorn.access")


class JsonLines(logging.Formatter):
    """One object a line: `time` (UTC), `level`, `logger`, `message`, what was given as `extra`, and `error` with a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as one line."""
        line: dict[str, Any] = {
            "time": wire_time(record.created),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in _OWN}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


class HumanLines(logging.Formatter):
    """`21:04:09 warning  table.mqtt: no broker at …`, in local time; nothing but the words where all is well."""

    def __init__(self) -> None:
        super().__init__(datefmt="%H:%M:%S")

    def format(self, record: logging.LogRecord) -> str:
        """A record as a line, with its traceback below."""
        where = "" if record.levelno <= logging.INFO else f"{record.levelname.lower():8} {record.name}: "
        text = f"{self.formatTime(record, self.datefmt)} {where}{record.getMessage()}"
        return f"{text}\n{self.formatException(record.exc_info)}" if record.exc_info else text


def write_logs(level: str = "info", form: Form = "auto", out: TextIO | None = None) -> None:
    """Send what every part of the program says to one stream (stderr) in one form; errors that nobody caught too.

    form: `auto` is human on a terminal and JSON elsewhere.
    """
    stream = sys.stderr if out is None else out
    human = form == "human" or (form == "auto" and stream.isatty())
    handler = logging.StreamHandler(stream)
    handler.setFormatter(HumanLines() if human else JsonLines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)  # it writes lines of its own; what fails is told by us
    for name in _SERVERS:  # the web server brings handlers of its own
        server = logging.getLogger(name)
        server.handlers.clear()
        server.propagate = True
    if not human:  # a person reads a traceback as it is
        sys.excepthook = _told_uncaught
    threading.excepthook = lambda failed: _told_uncaught(failed.exc_type, failed.exc_value, failed.exc_traceback)


def _told_uncaught(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    if error is not None:
        logging.getLogger("miron").critical("an error that nobody expected: %s", error, exc_info=(kind, error, trace))
