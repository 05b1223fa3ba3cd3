"""Render the demo's match and write the events expected of it: `make golden`."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

import cv2

from models.detector import Detector
from models.training.compositor import render
from rules.observations import Pass, Reveal, observation_to_dict
from rules.seats import Seat
from scripts.demo import EVENT, MATCH, TABLE
from table.journal import Journal
from table.monitor import Monitor
from table.pipeline import Pipeline
from table.recording import SCHEMA, open_recording
from table.scenery import Room, club_room, hand_stills
from table.simulator import SimulatedHand, simulate_hand
from vision.stills import StillsFollower

# Two hands: N tries a tile that does not match in the first and S wins it; the opening goes to E, and a block gives the second to E and W.
HANDS: Sequence[SimulatedHand] = (simulate_hand(3, Seat.S, {6: "non_matching"}), simulate_hand(37, Seat.E))
MANIFEST = {
    "schema": SCHEMA,
    "title": "Two hands at the club",
    "ruleset": "dusa",
    "switches": {"target": 50},
    "opener": "S",
    "teams": {"A": "Los Robles", "B": "La Ceiba"},
    "start": "2026-01-10T17:00:00+00:00",
    "boot": "recorded0001",
}
JPEG_QUALITY = 78
PAUSE_S = 10.0


def write_match(folder: Path, room: Room, hands: Sequence[SimulatedHand]) -> None:
    """Pictures, times, button signals, truth, calibration and manifest."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.jpg"):
        old.unlink()
    frames: list[dict[str, object]] = []
    signals: list[dict[str, object]] = []
    truth: list[dict[str, object]] = []
    start_s = 0.0
    for number, hand in enumerate(hands):
        for still in hand_stills(hand, room, seed=number + 1, start_s=start_s):
            name = f"{len(frames):03d}.jpg"
            cv2.imwrite(str(folder / name), render(still.scene).image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
            frames.append({"file": name, "t_s": round(still.t_s, 2), "seat": getattr(still.act, "seat", None)})
        for act in hand.observations:
            row = observation_to_dict(act) | {"t": round(act.t + start_s, 2)}
            truth.append(row)
            if isinstance(act, Pass):
                signals.append(row)
        assert isinstance(hand.observations[-1], Reveal)
        start_s += hand.observations[-1].t + PAUSE_S
    width, height = room.camera.size_px
    calibration = {"image_size": [width, height], "table_mm": [920, 920], "corners_px": room.corners_px().round(2).tolist()}
    (folder / "calibration.json").write_text(json.dumps(calibration) + "\n")
    (folder / "manifest.json").write_text(json.dumps(MANIFEST, indent=1) + "\n")
    for file, rows in (("frames", frames), ("signals", signals), ("truth", truth)):
        (folder / f"{file}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def events_of(folder: Path) -> list[str]:
    """The events that the recording gives today, as lines."""
    match = open_recording(folder)
    with tempfile.TemporaryDirectory() as scratch, Journal(Path(scratch) / "journal.db", EVENT, TABLE, match.boot) as journal:
        monitor = Monitor(match.ruleset, journal, start_s=match.start_s, opener=match.opener)
        pipeline = Pipeline(Detector(), StillsFollower(match.plane, match.opener), monitor)
        return [record.line() for record in pipeline.run(match.source)]


if __name__ == "__main__":
    write_match(MATCH, club_room(), HANDS)
    (MATCH / "events.jsonl").write_text("".join(line + "\n" for line in events_of(MATCH)))
