"""A rendered hand whose every frame is known: for tests that watch a film as the program does, without the network's time and faults."""

from __future__ import annotations

import json
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
from test_table_pipeline import perfect_detections

from models.training.scene import Scene
from table.film_room import film_room
from table.film_write import Film, FilmOrder, play_film, write_film
from table.sources import open_source
from vision.detections import TileDetection
from vision.frame import Frame

ORDER = FilmOrder(seed=6, fps=5.0, size_px=(320, 240))
FRAMES = 240  # eleven plays and two passes
PIXELS = "pixels.json"


def known_film() -> Film:
    """The first frames of a hand."""
    film = play_film(ORDER)
    return replace(film, moments=film.moments[:FRAMES])


def write_known_film(folder: Path) -> None:
    """Render it into a folder."""
    write_film(known_film(), folder)
    frames = (item for item in open_source(str(folder)) if isinstance(item, Frame))
    (folder / PIXELS).write_text(json.dumps({zlib.crc32(frame.image.tobytes()): frame.index for frame in frames}))


class KnowingDetector:
    """Tells what truly lies in a picture of the film in a folder; it knows the picture by its pixels."""

    def __init__(self, folder: Path) -> None:
        self._moments, self._room = known_film().moments, film_room(ORDER.seed, ORDER.size_px).room
        self._number = {int(key): number for key, number in json.loads((folder / PIXELS).read_text()).items()}

    def detect(self, image: np.ndarray, min_confidence: float = 0.0) -> list[TileDetection]:
        """Every tile that lies there."""
        tiles = self._moments[self._number[zlib.crc32(image.tobytes())]].tiles
        return perfect_detections(Scene(0, self._room.style, tiles, self._room.camera))
