"""docs/operating.md and deploy/: every alarm is explained, every figure named, and what is deployed is what there is."""

from __future__ import annotations

import configparser
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from conftest import require
from prometheus_client import generate_latest

from rules.codes import DOUBTS, KNOWN_CODES
from rules.texts import title
from scripts.main import COMMANDS
from table.metrics import TableMetrics
from table.mqtt import ALERT_TYPES
from vision.watching import FAULTS, State

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
UNIT = DEPLOY / "miron@.service"
TEXT = (ROOT / "docs" / "operating.md").read_text()


@pytest.mark.parametrize("state", State)
def test_every_state_of_the_camera_has_its_row(state: State) -> None:
    """Each state, with each reason that leads to it, says what happened and what to do."""
    rows = re.findall(rf"^\| `{state.value}` \| (?:`(\w+)`)? ?\| (.+) \| (.+) \|$", TEXT, re.M)
    assert {reason for reason, *_ in rows} == ({name for name, of, *_ in FAULTS if of is state} or {""})


@pytest.mark.parametrize("code", sorted(KNOWN_CODES | set(DOUBTS)))
def test_every_code_of_an_incident_has_its_row(code: str) -> None:
    """Each code of an alert stands there with its title and what to look at."""
    assert re.search(rf"^\| `{code}` \| {re.escape(title(code, 'en'))} \| .{{10,}} \|$", TEXT, re.M)


@pytest.mark.parametrize("word", [*sorted(ALERT_TYPES), "online", "stopped", "offline", "DUPLICATE_TABLE"])
def test_every_kind_of_alert_and_word_of_the_connection_has_its_row(word: str) -> None:
    """What arrives on `alert` and `status` is explained."""
    assert re.search(rf"^\| `{word}` \| .+ \| .+ \|$", TEXT, re.M)


def test_every_metric_is_explained() -> None:
    """The names in the code are those of the table, no more and no fewer."""
    source = (ROOT / "table" / "metrics.py").read_text()
    text = generate_latest(TableMetrics().registry).decode()
    named = set(re.findall(r'"(miron_\w+)"', source)) | set(re.findall(r"^# TYPE (\w+)", text, re.M))
    assert len(named) > 15
    assert named == set(re.findall(r"^\| `((?:miron|process)_\w+)` \|", TEXT, re.M))


def test_every_command_that_is_named_exists() -> None:
    """The operator is told of no command that is not there."""
    assert set(re.findall(r"`(?:\.venv/bin/)?miron ([a-z]+)", TEXT)) <= set(COMMANDS)


def unit() -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=True, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(UNIT)
    return parser


def test_the_service_runs_the_monitor_with_a_watchdog() -> None:
    """systemd waits for READY and for signs of life, starts again whatever happens, and never gives up; the command exists."""
    service = unit()["Service"]
    assert (service["Type"], service["Restart"]) == ("notify", "always")
    assert 10 <= int(service["WatchdogSec"]) <= 60
    assert unit()["Unit"]["StartLimitIntervalSec"] == "0"
    program, command, *options = shlex.split(service["ExecStart"])
    assert program.endswith("/.venv/bin/miron") and command in COMMANDS
    assert options == ["--config", "/etc/miron/%i.toml"]


def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    """`systemd-analyze verify` is silent about the unit, with a program in place of the one that is not installed here."""
    require(shutil.which("systemd-analyze"), "systemd-analyze")
    file = tmp_path / "miron@t07.service"
    text = UNIT.read_text().replace("/opt/miron/.venv/bin/miron", sys.executable)
    file.write_text(re.sub(r"^Documentation=.*\n", "", text, flags=re.M))
    done = subprocess.run(["systemd-analyze", "verify", str(file)], capture_output=True, text=True, timeout=60, env=os.environ)
    about_us = [line for line in (done.stdout + done.stderr).splitlines() if "miron@" in line]
    assert about_us == [] and done.returncode == 0, done.stderr
    file.write_text(text.replace("WatchdogSec=30", "WatchdogSeconds=30"))
    done = subprocess.run(["systemd-analyze", "verify", str(file)], capture_output=True, text=True, timeout=60)
    assert "WatchdogSeconds" in done.stderr  # it does look


def test_the_container_is_made_of_what_there_is() -> None:
    """Every file that is copied exists, every package is copied, and the command with its options exists."""
    lines = (DEPLOY / "Containerfile").read_text().splitlines()
    copied = [source for line in lines if line.startswith("COPY ") for source in line.split()[1:-1]]
    assert all((ROOT / source).exists() for source in copied)
    assert {"rules", "calibration", "vision", "models", "table", "display", "scripts", "pyproject.toml"} <= set(copied)
    (command,) = [re.findall(r'"([^"]+)"', line) for line in lines if line.startswith("CMD ")]
    assert options_known(command[0], [option for option in command if option.startswith("--")])


def test_the_halls_server_has_what_it_mounts_and_opens() -> None:
    """Folders that are mounted exist, the broker's ports are those of its file, and the pages know every option that they are given."""
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    broker, pages = services["broker"], services["pages"]
    folder, inside, _ = broker["volumes"][0].split(":")
    assert broker["command"][-1] == f"{inside}/broker.conf"
    listeners = re.findall(r"^listener (\d+)", (DEPLOY / folder / "broker.conf").read_text(), re.M)
    assert sorted(broker["ports"]) == sorted(f"{port}:{port}" for port in listeners)
    assert (DEPLOY / pages["build"]["context"] / pages["build"]["dockerfile"]).samefile(DEPLOY / "Containerfile")
    command, *options = pages["command"]
    assert options_known(command, [option.partition("=")[0] for option in options])


def options_known(command: str, options: list[str]) -> bool:
    """Whether `miron COMMAND --help` names each option."""
    asked = [sys.executable, "-m", "scripts.main", command, "--help"]
    shown = subprocess.run(
        asked, cwd=ROOT, capture_output=True, text=True, timeout=300, env={**os.environ, "COLUMNS": "200"}
    ).stdout
    return bool(options) and all(option in shown for option in options)
