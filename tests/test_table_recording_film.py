"""Recordings of films: what was seen of arms over the table is in the looks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_table_pipeline import corner_plane, perfect_detections
from test_table_recording import START_S, lines, replayed

from calibration.corners import plane_from_form
from models.training.scene import Scene
from rules.errors import BadInput
from rules.ruleset import DUSA
from rules.seats import Seat
from table.film_render import FilmRenderer
from table.film_room import film_room
from table.film_write import Film, FilmOrder, minimal_calibration, play_film
from table.journal import Journal
from table.monitor import Monitor
from table.pipeline import Pipeline
from table.recorded_looks import Look, look_in, look_row
from table.recorder import Recorder
from table.scenery import Room
from vision.activity import SmallTable
from vision.attention import Attention, Witness
from vision.detections import TileDetection, TileState
from vision.frame import Frame
from vision.stills import StillsFollower


def test_a_look_is_read_again_bit_for_bit() -> None:
    """Corners, probabilities, seat, and the masks of the witness come back as they were."""
    rng = np.random.default_rng(1)
    halves = rng.random((2, 7))
    tile = TileDetection(
        rng.random((4, 2)).astype(np.float32) * 1000, halves / halves.sum(axis=1, keepdims=True), TileState.FACE_UP, 0.1 + 0.2
    )
    plane = corner_plane()
    table = SmallTable(plane)
    mask = rng.random(table.size[::-1]) < 0.3
    earlier = Witness(table, {Seat.E: ~mask}, mask, frozenset({Seat.S}))
    witness = Witness(table, {Seat.N: mask}, ~mask, frozenset({Seat.W}), (replace(earlier, t_s=9.5),), 0.1 + 0.2)
    row = json.loads(json.dumps(look_row(Look(7, 12, 0.1 + 0.2, (1280, 960), (tile,), witness, Seat.E))))
    back = look_in(row, plane)
    assert (back.seq, back.index, back.t_s, back.size_px, back.seat) == (7, 12, 0.1 + 0.2, (1280, 960), Seat.E)
    assert (back.tiles[0].quad_px == tile.quad_px).all() and (back.tiles[0].halves == tile.halves).all()
    assert back.tiles[0].confidence == tile.confidence and back.tiles[0].quad_px.dtype == np.float32
    assert back.witness is not None and (back.witness.visits[Seat.N] == mask).all() and (back.witness.changed == ~mask).all()
    assert (back.witness.t_s, back.witness.latest.t_s) == (0.1 + 0.2, 9.5)
    assert back.witness.racks == {Seat.W} and (back.witness.latest.visits[Seat.E] == ~mask).all()
    with pytest.raises(BadInput, match="calibration"):
        look_in(row, None)
    with pytest.raises(BadInput, match="expected a look"):
        look_in({"seq": 1}, plane)


class SeesAll:
    """A detector that knows the frame at hand and tells what lies there."""

    def __init__(self, film: Film, room: Room) -> None:
        self._film, self._room, self.now = film, room, 0

    def follow(self, frames: Iterator[Frame]) -> Iterator[Frame]:
        for frame in frames:
            self.now = frame.index
            yield frame

    def detect(self, image: np.ndarray, min_confidence: float = 0.0) -> list[TileDetection]:
        room = self._room
        return perfect_detections(Scene(0, room.style, self._film.moments[self.now].tiles, room.camera))


def test_a_recorded_film_replays_to_the_byte_without_its_pictures(tmp_path: Path) -> None:
    """Where every frame was watched for arms, what was seen of them is in the looks: passes and seats come out as they did."""
    fps, size_px, seed = 5.0, (320, 240), 6
    film = play_film(FilmOrder(seed=seed, fps=fps, size_px=size_px, infractions=("non_matching",)))
    stage = film_room(seed, size_px)
    plane = plane_from_form(minimal_calibration(stage.room))
    renderer = FilmRenderer(stage, seed)
    frames = (Frame(renderer.picture(moment), k, k / fps) for k, moment in enumerate(film.moments[:260]))
    with Journal(tmp_path / "j.db", "finals", "t07") as journal:
        monitor = Monitor(DUSA, journal, start_s=START_S, opener=Seat.S)
        detector = SeesAll(film, stage.room)
        with Recorder(tmp_path / "film", journal, monitor, minimal_calibration(stage.room), start_s=START_S, fps=fps) as recorder:
            follower: Any = recorder.follower(StillsFollower(plane, Seat.S))
            pipeline = Pipeline(detector, follower, monitor, attention=Attention(plane))
            list(pipeline.run(recorder.source(detector.follow(frames)), recorder.after))
    events = lines(tmp_path / "film" / "events.jsonl")
    assert sum('"tile_played"' in line for line in events) >= 8
    assert 8 < len(lines(tmp_path / "film" / "detections.jsonl")) < 130  # looks, not frames
    assert replayed(tmp_path / "film") == events
