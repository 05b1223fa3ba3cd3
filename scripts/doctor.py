"""`miron doctor`: is everything well that a table needs."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from scripts.config import ConfigFile, Settings
from table.doctor import findings
from table.doctor_machine import Finding
from table.settings_layers import load_settings

COLOURS = {"ok": "green", "warning": "yellow", "fault": "bold red"}


def command(
    config: ConfigFile = None,
    set: Settings = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """Look at the machine, the camera, the networks, the journal and the broker; exit code 1 when something is at fault."""
    settings = load_settings(config, set or ()).settings
    console, faults = Console(soft_wrap=True, highlight=False), 0
    for finding in findings(settings):
        faults += finding.verdict == "fault"
        if as_json:
            print(json.dumps(asdict(finding), ensure_ascii=False), flush=True)
        else:
            console.print(_line(finding))
    if faults:
        raise typer.Exit(1)


def _line(finding: Finding) -> str:
    """`fault    camera       no camera at /dev/video0 → check the cable`."""
    advice = f" → {escape(finding.advice)}" if finding.advice else ""
    colour = COLOURS[finding.verdict]
    return f"[{colour}]{finding.verdict:8}[/] {finding.name:12} {escape(finding.found)}{advice}"
