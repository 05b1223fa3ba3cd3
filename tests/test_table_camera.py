"""A table watched by a camera that fails in mid hand: what is told of it, what is held back, and how the hand goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from filmed_table import SIZE, FilmedTable, plane
from running_table import NoTiles

from calibration.plane import project
from calibration.stored import Calibration, calibration_to_form, write_form
from rules.errors import BadInput
from rules.ruleset import DUSA
from rules.seats import Seat
from rules.tiles import Tile
from table.envelope import EventRecord
from table.evidence import Evidence
from table.journal import Journal
from table.live import TablePlan, WatchedTable
from table.monitor import Monitor
from table.pipeline import Pipeline
from table.recorder import Recorder
from table.snapshot import snapshot
from table.sources import open_source
from vision.attention import Attention
from vision.detections import TileDetection, TileState
from vision.frame import Frame
from vision.stills import StillsFollower
from vision.watching import Watch

# A straight line northwards: who lays what and where, and the numbers on its southern and northern half; the opening lies across.
HAND = [
    (Seat.S, Tile(6, 6), 0.0, (6, 6)),
    (Seat.E, Tile(6, 5), 39.0, (6, 5)),
    (Seat.N, Tile(6, 4), -39.0, (4, 6)),
    (Seat.W, Tile(5, 1), 91.0, (5, 1)),
    (Seat.S, Tile(4, 2), -91.0, (2, 4)),
    (Seat.E, Tile(3, 1), 143.0, (1, 3)),
]
BUMP, UPSIDE_DOWN = (
    np.vstack([cv2.getRotationMatrix2D((SIZE[0] / 2 + shift, SIZE[1] / 2), turn_deg, 1.0), [0, 0, 1]])
    for shift, turn_deg in ((90, 2.0), (0, 180.0))
)


class Table:
    """A drawn table, the camera over it, and what the pipeline told. pose: where pixels lie since the camera was knocked (3x3)."""

    def __init__(self, journal: Journal, seed: int = 4, evidence: Evidence | None = None) -> None:
        self.film, self.pose, self.laid = FilmedTable(seed), np.eye(3), 0
        self.film.racks = [0, 0, 0, 0]
        self.read_as: dict[int, tuple[int, int]] = {}  # tiles of the hand that are other ones
        self._recorder: Recorder | None = None
        self.monitor = Monitor(DUSA, journal, start_s=0.0, opener=Seat.S)
        self.camera = Watch(None, plane())
        self._parts = {"attention": Attention(plane()), "camera": self.camera, "evidence": evidence}
        self.pipeline = Pipeline(self, StillsFollower(plane(), Seat.S), self.monitor, **self._parts)  # type: ignore[arg-type]
        self.told: list[EventRecord] = []
        self.wait(2.0)

    def detect(self, image: np.ndarray, min_confidence: float = 0.0) -> list[TileDetection]:
        """What a detector without fault says of the table as it lies."""
        return [
            _detection(self.read_as.get(n, numbers), y, self.pose, across=n == 0)
            for n, (_, _, y, numbers) in enumerate(HAND[: self.laid])
        ]

    def record(self, recorder: Recorder, evidence: Evidence) -> None:
        """From now on everything is recorded, with its evidence; to be called before the first tile."""
        self._recorder, self._parts["evidence"] = recorder, evidence
        follower: Any = recorder.follower(StillsFollower(plane(), Seat.S))
        self.pipeline = Pipeline(self, follower, self.monitor, **self._parts)  # type: ignore[arg-type]

    def wait(self, seconds: float, spoil: Callable[[np.ndarray], np.ndarray] = lambda image: image) -> list[EventRecord]:
        """So many seconds without a hand over the table; spoil: what the camera makes of each picture."""
        return self._play(self.film.hold(seconds), spoil)

    def lay(self, spoil: Callable[[np.ndarray], np.ndarray] = lambda image: image) -> list[EventRecord]:
        """The next player lays the next tile."""
        seat, _, y, _ = HAND[self.laid]
        told = self._play(self.film.hold(0.8, [(seat, 0.0, y)]), spoil)
        self.film.tiles.append((0.0, y))
        self.laid += 1
        return [*told, *self.wait(1.4, spoil)]

    def _play(self, frames: Iterable[Frame], spoil: Callable[[np.ndarray], np.ndarray]) -> list[EventRecord]:
        told = []
        for frame in frames:
            seen = cv2.warpPerspective(frame.image, self.pose, SIZE, borderMode=cv2.BORDER_REPLICATE)
            (shown,) = self._on_record(Frame(spoil(seen), frame.index, frame.t_s))
            told += self.pipeline.take(shown)
            if self._recorder is not None:
                self._recorder.after()
        self.told += told
        return told

    def _on_record(self, frame: Frame) -> Iterable[Any]:
        return [frame] if self._recorder is None else self._recorder.source([frame])


def _detection(numbers: tuple[int, int], y: float, pose: np.ndarray, across: bool) -> TileDetection:
    corners = np.array([[-25.0, 12.5], [25.0, 12.5], [25.0, -12.5], [-25.0, -12.5]])  # clockwise as seen, half 0 in the west
    corners = corners if across else corners @ [[0.0, 1.0], [-1.0, 0.0]]
    halves = np.full((2, 7), 0.0001)
    halves[0, numbers[0]] = halves[1, numbers[1]] = 0.9994
    quad = project(pose, plane().mm_to_px(np.add(corners, [0.0, y]))).astype(np.float32)
    return TileDetection(quad, halves / halves.sum(axis=1, keepdims=True), TileState.FACE_UP, 0.999)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Journal(tmp_path / "journal.db", "finals", "t07") as journal:
        yield Table(journal)


def types(records: Iterable[EventRecord]) -> list[str]:
    return [record.type for record in records]


def states(records: Iterable[EventRecord]) -> list[str]:
    return [record.data["state"] for record in records if record.type == "watching"]


def plays(records: Iterable[EventRecord]) -> list[tuple[int | None, str]]:
    return [(record.data["seat"], record.data["tile"]) for record in records if record.type == "tile_played"]


def truth(first: int, last: int) -> list[tuple[int | None, str]]:
    return [(int(seat), str(tile)) for seat, tile, _, _ in HAND[first:last]]


def test_honest_play_is_watched_all_the_time(table: Table) -> None:
    """A camera that stands still is told to watch once, and every play comes with its seat."""
    for _ in HAND:
        table.lay()
    assert states(table.told) == ["watching"]
    assert plays(table.told) == truth(0, 6)
    assert snapshot(table.monitor, "finals", "t07")["watching"]["state"] == "watching"


@pytest.mark.parametrize("knock", [BUMP, UPSIDE_DOWN], ids=["bump", "upside down"])
def test_after_a_move_one_acceptance_goes_on_with_the_hand(table: Table, knock: np.ndarray) -> None:
    """Nothing is told but the move until somebody accepts; then the tile laid meanwhile is told, later ones with the right seats."""
    for _ in range(3):
        table.lay()
    table.pose = knock
    told = table.wait(3.0)
    assert types(told) == ["watching"] and states(told) == ["camera_moved"]
    assert snapshot(table.monitor, "finals", "t07")["watching"]["state"] == "camera_moved"
    assert table.lay() == []
    table.pipeline.recalibrate(False)
    assert table.wait(1.0) == []
    table.pipeline.recalibrate(True)
    told = table.wait(2.0)
    assert states(told) == ["watching"]
    assert plays(told) == [(None, "5-1")]  # nobody watched whose hand it was
    assert plays([*table.lay(), *table.lay()]) == truth(4, 6)
    assert not {"infraction", "suspicion", "tile_moved", "tile_withdrawn"} & set(types(table.told))


def test_a_camera_that_stands_has_no_new_place(table: Table) -> None:
    """Accepting a move that nobody noticed is refused in one line, and nothing changes."""
    table.lay()
    with pytest.raises(BadInput, match="expected a camera that has moved"):
        table.pipeline.recalibrate(True)
    assert plays(table.lay()) == truth(1, 2)


SPOILT = {
    "too_dark": lambda image: image // 12,
    "out_of_focus": lambda image: cv2.GaussianBlur(image, (0, 0), 6.0),
    "not_watching": lambda image: np.clip(image * 3.4, 0, 255).astype(np.uint8),
}


@pytest.mark.parametrize("state", SPOILT)
def test_what_is_laid_while_the_picture_is_bad_is_told_once_it_is_good(table: Table, state: str) -> None:
    """In the dark, out of focus or burnt out no play is told; afterwards the tiles that lie there are, and nobody is accused."""
    for _ in range(2):
        table.lay()
    told = table.wait(2.5, SPOILT[state])
    assert states(told)[-1] == state and set(types(told)) == {"watching"}
    assert set(types(table.lay(SPOILT[state]))) <= {"watching"}
    told = table.wait(3.0)
    assert states(told)[-1] == "watching"
    assert plays(told) == [(None, "6-4")]
    assert plays([*table.lay(), *table.lay()]) == truth(3, 5)
    assert not {"infraction", "suspicion", "tile_moved", "tile_withdrawn"} & set(types(table.told))


def test_a_gap_in_the_frames_is_on_record_and_accuses_nobody(table: Table) -> None:
    """A camera that gave nothing for ten seconds: the gap is told with when it began; two tiles laid in it accuse nobody."""
    for _ in range(2):
        table.lay()
    last_s = (table.film.index - 1) / 5.0
    table.film.index += 50
    for _, _, y, _ in HAND[2:4]:
        table.film.tiles.append((0.0, y))
    table.laid = 4
    told = table.wait(3.0)
    assert states(told) == ["not_watching", "watching"]
    assert told[0].data["since"] == table.monitor.time_of(last_s)
    assert sorted(plays(told), key=str) == sorted([(None, "6-4"), (None, "5-1")], key=str)
    assert plays([*table.lay(), *table.lay()]) == truth(4, 6)
    assert not {"infraction", "suspicion", "tile_moved", "tile_withdrawn"} & set(types(table.told))


@pytest.mark.parametrize(("reference", "orientation"), [(None, "unknown"), (np.full((48, 64, 3), 90, np.uint8), "known")])
def test_only_a_picture_of_the_calibration_shows_how_the_camera_looks(
    tmp_path: Path, reference: np.ndarray | None, orientation: str
) -> None:
    """Where the calibration kept none, the table is judged as one whose picture may be mirrored or turned."""
    cv2.imwrite(str(tmp_path / "000.png"), np.zeros((*SIZE[::-1], 3), np.uint8))
    write_form(tmp_path / "c.json", calibration_to_form(Calibration(plane(), "corners", reference)))
    plan = TablePlan(journal=tmp_path / "t.db", ruleset=DUSA, calibration=tmp_path / "c.json")
    with WatchedTable(plan, open_source(str(tmp_path)), NoTiles()) as table:
        assert table.monitor.state.ruleset == DUSA.with_switches({"orientation": orientation})
