"""The program's own words: JSON lines for machines, short lines for people."""

from __future__ import annotations

import io
import json
import logging
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from table.logs import write_logs

ROOT = Path(__file__).parent.parent


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture(autouse=True)
def logging_as_before():
    """Puts the loggers back for the other tests."""
    root, hooks = logging.getLogger(), (sys.excepthook, threading.excepthook)
    before = root.level, list(root.handlers)
    yield
    root.setLevel(before[0])
    root.handlers[:] = before[1]
    sys.excepthook, threading.excepthook = hooks


def test_elsewhere_than_on_a_terminal_each_line_is_an_object():
    """Time, level, logger, message and what else was told; text of several lines and a traceback stay in one line."""
    out = io.StringIO()
    write_logs("info", "auto", out)
    logging.getLogger("table.mqtt").warning("no broker at %s\nor so", "hall", extra={"seq": 7, "path": Path("a")})
    try:
        raise ValueError("torn")
    except ValueError:
        logging.getLogger("table").exception("an error")
    logging.getLogger("table").debug("too much detail")
    first, second = map(json.loads, out.getvalue().splitlines())
    assert (first["level"], first["logger"], first["message"]) == ("warning", "table.mqtt", "no broker at hall\nor so")
    assert (first["seq"], first["path"]) == (7, "a")
    assert first["time"].endswith("Z")
    assert "ValueError: torn" in second["error"]


def test_on_a_terminal_lines_are_for_people():
    """Plain words with the time; a warning says that it is one and where it comes from."""
    out = Terminal()
    write_logs("info", "auto", out)
    logging.getLogger("table").info("watching v4l2:0")
    logging.getLogger("table.mqtt").warning("no broker")
    first, second = out.getvalue().splitlines()
    assert first[8:] == " watching v4l2:0"
    assert second[8:] == " warning  table.mqtt: no broker"


def test_the_form_can_be_told():
    """`human` without a terminal, `json` on one."""
    plain, terminal = io.StringIO(), Terminal()
    for form, out in (("human", plain), ("json", terminal)):
        write_logs("debug", form, out)
        logging.getLogger("x").debug("hello")
    assert "{" not in plain.getvalue() and "hello" in plain.getvalue()
    assert json.loads(terminal.getvalue())["message"] == "hello"


def test_errors_that_nobody_caught_are_lines_too():
    """An error that ends a thread, and one that ends the program, are JSON like the rest."""
    program = """
import threading
from table.logs import write_logs
write_logs()
threading.Thread(target=lambda: 1 / 0).start()
raise KeyError("gone")
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert sorted(line["error"].splitlines()[-1] for line in lines) == ["KeyError: 'gone'", "ZeroDivisionError: division by zero"]
    assert {line["level"] for line in lines} == {"critical"}
