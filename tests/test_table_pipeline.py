"""From pictures to events: the simulator's truth against what the monitor makes of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from followed_table import FIVE, PLANE, covered, exact_table, filmed
from laid_tiles import IMAGE_SIZE, Table, detect_all

from calibration.plane import TablePlane
from models.training.scene import Scene, tile_box, top_quad_px
from rules.observations import Correction, Pass, Place, Reveal, Withdraw
from rules.referee import replay, start_match
from rules.ruleset import DUSA, FID, Ruleset
from rules.seats import Seat
from rules.tiles import ALL_TILES, Tile
from table.envelope import EventRecord
from table.journal import Journal
from table.monitor import Monitor
from table.pipeline import Pipeline
from table.scenery import club_room, hand_stills
from table.simulator import TableLayout, simulate_hand
from table.snapshot import snapshot
from table.telling import tell_event
from vision.attention import Witness
from vision.detections import TileDetection, TileState
from vision.frame import Frame
from vision.stills import StillsFollower

ROOM = club_room()


def perfect_detections(scene: Scene) -> list[TileDetection]:
    """What a detector without fault would say of a scene."""
    out = []
    for tile in scene.tiles:
        halves, quad = np.full((2, 7), 0.0001), top_quad_px(tile, scene).astype(np.float32)
        first, second = tile.halves
        if first > second:
            (first, second), quad = (second, first), np.roll(quad, 2, axis=0)
        halves[0, first] = halves[1, second] = 0.9994
        if tile.state is not TileState.FACE_UP:
            halves = np.full((2, 7), 1 / 7)
        out.append(TileDetection(quad, halves / halves.sum(axis=1, keepdims=True), tile.state, 0.999))
    return out


class KnownScenes:
    """A detector that is handed the answers, one picture after another."""

    def __init__(self, scenes: list[Scene]) -> None:
        self._scenes = iter(scenes)

    def detect(self, image: np.ndarray, min_confidence: float = 0.0) -> list[TileDetection]:
        return perfect_detections(next(self._scenes))


def corner_plane() -> TablePlane:
    from calibration.corners import plane_from_form

    width, height = ROOM.camera.size_px
    return plane_from_form({"image_size": [width, height], "table_mm": [920, 920], "corners_px": ROOM.corners_px().tolist()})


def watched(tmp_path: Path, hand, ruleset: Ruleset = DUSA, opener: Seat | None = Seat.S) -> tuple[Monitor, list[EventRecord]]:
    """Play a simulated hand through follower, rules and journal."""
    stills = list(hand_stills(hand, ROOM, seed=5))
    source: list = [Frame(np.zeros((960, 1280, 3), np.uint8), i, s.t_s) for i, s in enumerate(stills)]
    source += [act for act in hand.observations if isinstance(act, Pass)]
    source.sort(key=lambda item: item.t_s if isinstance(item, Frame) else item.t)
    with Journal(tmp_path / "journal.db", "test", "t01", "boot") as journal:
        monitor = Monitor(ruleset, journal, start_s=1_700_000_000, opener=opener)
        pipeline = Pipeline(KnownScenes([s.scene for s in stills]), StillsFollower(corner_plane(), opener), monitor)
        return monitor, list(pipeline.run(source))


@pytest.mark.parametrize("seed", range(6))
def test_a_simulated_hand_comes_out_as_it_was_played(tmp_path: Path, seed: int) -> None:
    """Every play with its seat, every end, the result and the points are those of the truth, and nobody is accused."""
    hand = simulate_hand(seed, Seat.S)
    truth = replay(start_match(DUSA, first_opener=Seat.S), hand.observations)
    monitor, events = watched(tmp_path, hand)
    played = [(e.data["seat"], e.data["tile"]) for e in events if e.type == "tile_played"]
    assert played == [(int(o.seat), str(o.tile)) for o in hand.observations if isinstance(o, Place)]
    assert monitor.state.points == truth.points
    assert monitor.state.hand.ends == truth.hand.ends
    assert not [e for e in events if e.type in ("infraction", "suspicion", "correction", "reading_doubted")]


@pytest.mark.parametrize(("ruleset", "rule"), [(DUSA, "DUSA-8"), (FID, "FID-ACT-10")])
def test_a_tile_that_does_not_match_is_told_once_and_the_hand_goes_on(tmp_path: Path, ruleset: Ruleset, rule: str) -> None:
    """A wrong tile that is taken back gives one infraction against its seat; every later play is seen and the count is right."""
    hand = simulate_hand(3, Seat.S, {6: "non_matching"})
    (taken,) = [o for o in hand.observations if isinstance(o, Withdraw)]
    monitor, events = watched(tmp_path, hand, ruleset)
    told = [e for e in events if e.type == "infraction"]
    assert [(e.data["code"], e.data["seat"], e.data["rule"]) for e in told] == [("NON_MATCHING", int(taken.seat), rule)]
    by_seq = {e.seq: e for e in events}
    assert by_seq[told[0].data["at_seq"]].data["tile"] == str(taken.tile)
    assert monitor.state.points == (22, 0)


def test_seqs_rise_by_one_and_every_event_is_in_the_journal(tmp_path: Path) -> None:
    """What the pipeline gives out is what the journal holds, in order, without a gap; the chain holds."""
    _, events = watched(tmp_path, simulate_hand(1, Seat.S))
    assert [e.seq for e in events] == list(range(1, len(events) + 1))
    with Journal(tmp_path / "journal.db", "test", "t01") as journal:
        assert [r.line() for r in journal.read()] == [e.line() for e in events]
        assert journal.verify() is None


def test_a_correction_takes_back_the_numbers_of_its_events(tmp_path: Path) -> None:
    """After a correction the voided seqs are named once, the true events follow, and later references point at them."""
    with Journal(tmp_path / "journal.db", "test", "t01") as journal:
        monitor = Monitor(DUSA, journal, start_s=0.0, opener=Seat.S)
        monitor.observe(Place(t=0, seat=Seat.S, tile=Tile(6, 4), at="open", pose_deg=90))
        first = monitor.observe(Place(t=2, seat=Seat.E, tile=Tile(6, 5), at="b"))
        told = monitor.observe(Correction(t=4, voids=1, instead=Place(t=2, seat=Seat.E, tile=Tile(6, 3), at="b")))
        assert told[0].type == "correction"
        assert told[0].data["voids"] == [e.seq for e in first]
        assert [e.data.get("tile") for e in told[1:]] == ["6-3"]
        assert monitor.state.hand.ends == (4, 3)
        assert [seq for _, seq in monitor.seqs_in_force()] == [1, 2, told[1].seq]


def test_snapshot_shows_the_table_as_it_stands(tmp_path: Path) -> None:
    """Line, ends, turn, tiles held, score and open alerts of the snapshot are those of the state; it is plain JSON."""
    hand = simulate_hand(3, Seat.S, {6: "non_matching"})
    monitor, events = watched(tmp_path, hand)
    shown = json.loads(json.dumps(snapshot(monitor, "test", "t01", {"A": "one", "B": "two"})))
    assert shown["seq"] == events[-1].seq
    assert len(shown["line"]) == sum(isinstance(o, Place) for o in hand.observations) - 1
    assert shown["score"] == {"A": 22, "B": 0}
    assert shown["phase"] == "ended"
    assert [a["code"] for a in shown["alerts"]] == ["NON_MATCHING"]
    (count,) = [o for o in hand.observations if isinstance(o, Reveal)]
    assert shown["held"] == [len(tiles or ()) for tiles in count.hands]


def test_every_event_has_a_line_for_people(tmp_path: Path) -> None:
    """Each event of a hand is told in words with its time."""
    _, events = watched(tmp_path, simulate_hand(3, Seat.S, {6: "non_matching"}))
    lines = [tell_event(e) for e in events]
    assert any("INFRACTION NON_MATCHING (DUSA-8) by N, fine 50 proposed" in line for line in lines)
    assert all(" s  " in line for line in lines)


def test_simulated_hands_are_legal_and_complete() -> None:
    """All 28 tiles are dealt, each tile is laid or left, and the rules find nothing wrong with a clean hand under either rule set."""
    for seed in range(30):
        hand = simulate_hand(seed, Seat(seed % 4))
        assert sorted(t for tiles in hand.hands for t in tiles) == sorted(ALL_TILES)
        laid = {o.tile for o in hand.observations if isinstance(o, Place)}
        (reveal,) = [o for o in hand.observations if isinstance(o, Reveal)]
        left = {t for tiles in reveal.hands for t in tiles or ()}
        assert laid | left == set(ALL_TILES)
        assert not laid & left
        for ruleset in (DUSA, FID):
            end = replay(start_match(ruleset, first_opener=Seat(seed % 4)), hand.observations)
            assert [i.code for i in end.infractions if i.code != "FALSE_THINK"] == []
            assert end.last_result is not None or end.hand.result is not None


def test_laid_tiles_touch_and_do_not_overlap() -> None:
    """Tiles laid by the layout lie side by side: no two share more than a sliver of the table."""
    from models.training.dataset import overlap
    from models.training.scene import SceneTile, TileSetStyle

    for seed in range(12):
        hand = simulate_hand(seed, Seat.S)
        layout = TableLayout(seed)
        quads = []
        for act in hand.observations:
            if isinstance(act, Place):
                pose = layout.lay(act)
                quads.append(tile_box(SceneTile(pose.halves, pose.x_mm, pose.y_mm, pose.angle_deg), TileSetStyle()).corners_mm)
        assert max(overlap(p, q) for i, p in enumerate(quads) for q in quads[:i]) < 0.08


class Settled:
    """What the pipeline asks of an `Attention` whose looks are given by hand."""

    knows_seats = True

    def looked(self, t_s: float, leaves_question: bool) -> None:
        """Nothing to be remembered."""


class Laid:
    """A detector that sees the first tiles of a table."""

    def __init__(self, table: Table) -> None:
        self.table, self.count = table, 0

    def detect(self, image: np.ndarray, min_confidence: float = 0.0) -> list[TileDetection]:
        return detect_all(self.table.laid[: self.count], PLANE)


Look = Callable[[int, Witness], list[EventRecord]]


@contextmanager
def looking(table: Table, folder: Path) -> Iterator[tuple[Monitor, Look]]:
    """A monitor, and a look at the first so many tiles of a table."""
    laid = Laid(table)
    with Journal(folder / "journal.db", "test", "t01") as journal:
        monitor = Monitor(DUSA, journal, start_s=0.0, opener=Seat.S)
        attention: Any = Settled()
        pipeline, looks = Pipeline(laid, StillsFollower(PLANE, Seat.S), monitor, attention=attention), count()

        def look(tiles: int, witness: Witness) -> list[EventRecord]:
            laid.count, n = tiles, next(looks)
            return pipeline.look(Frame(np.zeros((IMAGE_SIZE[1], IMAGE_SIZE[0], 3), np.uint8), n, 3.0 * n), witness)

        yield monitor, look


@pytest.fixture
def table(tmp_path: Path) -> Iterator[tuple[Monitor, Look]]:
    """The same of a line."""
    with looking(exact_table(*FIVE), tmp_path) as monitor_and_look:
        yield monitor_and_look


def laying(seat: Seat, number: int) -> Witness:
    """The arm, the rack and the place of a tile of that line."""
    tile = exact_table(*FIVE).laid[number]
    return covered(tile, visits=[(seat, tile.x, tile.y)], racks=[seat])


def test_a_reading_that_becomes_surer_hides_no_pass(table) -> None:
    """N's arm comes and goes while the tile before is read surer in the same look: N passed, as soon as W lays a tile."""
    _, look = table
    told = [*look(1, laying(Seat.S, 0)), *look(2, laying(Seat.E, 1)), *look(2, filmed(visits=[(Seat.N, 0.0, 200.0)]))]
    told += look(3, laying(Seat.W, 2))
    assert [(e.type, e.data["seat"]) for e in told if e.type in ("turn_passed", "tile_played")] == [
        ("tile_played", 0), ("tile_played", 1), ("turn_passed", 2), ("tile_played", 3)
    ]  # fmt: skip
    assert not [e for e in told if e.type == "correction"]


def test_a_strike_that_is_undone_lays_the_tile_again(table) -> None:
    """The referee strikes a play out and undoes that: the next tile is told against it, in its seat's turn."""
    monitor, look = table
    told = [*look(1, laying(Seat.S, 0)), *look(2, laying(Seat.E, 1))]
    struck = monitor.source(told[-1].seq)
    monitor.observe(Correction(t=7.0, voids=struck, by="referee"))
    assert not [e for e in look(2, filmed()) if e.type == "tile_played"]
    monitor.observe(Correction(t=8.0, voids=len(monitor.state.heard) - 1, by="referee"))
    (played,) = [e for e in look(3, laying(Seat.N, 2)) if e.type == "tile_played"]
    assert (played.data["seat"], played.data["tile"], played.data["end"]) == (2, "5-5", "b")
    assert [str(laid.tile) for laid in monitor.state.hand.line.laid] == ["6-2", "6-5", "5-5"]


@pytest.mark.parametrize("ruled", [False, True])
def test_a_hand_is_judged_again_from_the_tile_that_began_it(ruled: bool, tmp_path: Path) -> None:
    """South's double blank is seen after the tiles of north and west: the suspicion that north began in its stead is taken back with the
    plays, and the hand stands as it was played. Where a referee has put the told opening right, it stays as he said."""
    table = exact_table(("6-0", "a"), ("6-3", "a"), ("5-0", "b"), opening=Tile(0, 0), opener=0)
    opening, *others = table.laid
    table.laid = [*others[:2], opening, others[2]]

    def played(number: int, seat: Seat) -> Witness:
        tile = table.laid[number]
        return covered(tile, visits=[(seat, tile.x, tile.y)], racks=[seat])

    with looking(table, tmp_path) as (monitor, look):
        unseen = played(2, Seat.S)
        told = [*look(0, unseen), *look(1, played(0, Seat.N).after(unseen)), *look(2, played(1, Seat.W))]
        assert [e.data["code"] for e in told if e.type == "suspicion"] == ["WRONG_STARTER"]
        if ruled:
            first = monitor.state.heard[0]
            assert isinstance(first, Place)
            monitor.observe(Correction(t=8.0, voids=0, instead=replace(first, confidence=1.0), by="referee"))
        told += look(4, played(3, Seat.S))
        gone = {seq for e in told if e.type == "correction" for seq in e.data["voids"]}
        codes = [e.data["code"] for e in told if e.type in ("suspicion", "infraction") and e.seq not in gone]
        assert ("WRONG_STARTER" in codes) == ruled
        assert str(monitor.state.hand.line.laid[0].tile) == ("6-0" if ruled else "0-0")
        if not ruled:
            assert [(str(one.tile), one.seat) for one in monitor.state.hand.line.laid] == [
                ("0-0", 0), ("6-0", 2), ("6-3", 3), ("5-0", 0)
            ]  # fmt: skip
