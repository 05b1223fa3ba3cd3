"""A recorded match: a folder that is also a test. What it holds is in docs/recording.md; `recorder` writes it, `replay` plays it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from calibration.corners import load_calibration
from calibration.plane import TablePlane
from rules.errors import BadInput
from rules.notation import parse_record
from rules.ruleset import Ruleset, ruleset_named
from rules.seats import Seat
from table.sources import VIDEO, StillsFolder, VideoFile, open_stills, open_video_folder

SCHEMA = 1
MANIFEST, RECORD = "manifest.json", "record.domino"
BEFORE = "before.db"
EVENTS, OBSERVATIONS, LOOKS = "events.jsonl", "observations.jsonl", "detections.jsonl"


@dataclass(frozen=True, slots=True)
class Recording:
    """An opened recording. start_s: seconds since 1970 of t = 0; teams: names of the pairs A and B; reference: the calibrated view."""

    folder: Path
    ruleset: Ruleset
    opener: Seat | None
    teams: Mapping[str, str]
    start_s: float
    boot: str
    plane: TablePlane | None
    source: StillsFolder | VideoFile
    manifest: Mapping[str, Any]
    reference: np.ndarray | None = None


def open_recording(folder: Path) -> Recording:
    """Open a recording; BadInput when its manifest is missing, broken or of a later schema."""
    manifest = _manifest(folder / MANIFEST)
    try:
        file = folder / "calibration.json"
        calibration = load_calibration(file) if file.exists() else None
        header = parse_record(manifest["header"]).header if "header" in manifest else None
        ruleset = ruleset_named(manifest["ruleset"]).with_switches(manifest.get("switches", {}))
        start_s = datetime.fromisoformat(manifest["start"]).timestamp()
        return Recording(
            folder=folder,
            ruleset=ruleset if header is None else header.ruleset,
            opener=None if manifest.get("opener") is None else Seat.parse(manifest["opener"]),
            teams={"A": str(manifest["teams"]["A"]), "B": str(manifest["teams"]["B"])},
            start_s=float(manifest.get("start_s", start_s)),  # exact, where `start` is rounded to milliseconds
            boot=str(manifest["boot"]),
            plane=calibration.plane if calibration is not None else None,
            source=open_video_folder(folder) if (folder / VIDEO).exists() else open_stills(folder),
            manifest=manifest,
            reference=calibration.reference if calibration is not None else None,
        )
    except (KeyError, TypeError) as error:
        raise BadInput(
            f"expected ruleset, teams, start and boot in {folder / 'manifest.json'}, found no {error}; record again"
        ) from None


def _manifest(file: Path) -> dict[str, Any]:
    if not file.is_file():
        raise BadInput(f"expected a recording, found no {file}; name the folder of a recording")
    try:
        manifest = json.loads(file.read_text(encoding="utf-8"))
    except ValueError:
        manifest = None
    if not isinstance(manifest, dict):
        raise BadInput(f"expected a JSON object in {file}, found something else; record again")
    if manifest.get("schema") != SCHEMA:
        raise BadInput(f"expected a recording of schema {SCHEMA}, found {manifest.get('schema')} in {file}; use a matching miron")
    return manifest
