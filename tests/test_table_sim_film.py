"""Simulated matches: legal play, infractions on demand, their truth; what the renderer and the faults make of them."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from rules.errors import BadInput
from rules.observations import KINDS, Place, observation_from_dict
from rules.referee import replay, start_match
from rules.ruleset import RULESETS
from rules.seats import Seat
from rules.tiles import ALL_TILES
from table.fault_plan import Plan
from table.faults import PICTURES, TABLES, Faults, catalogue
from table.film import Moment
from table.film_incidents import INCIDENTS, OPENINGS
from table.film_render import FilmRenderer
from table.film_room import THINGS, film_room
from table.film_write import Film, FilmOrder, play_film, write_film
from table.sources import open_source
from vision.detections import TileState
from vision.frame import Frame

FPS = 4.0
FID_ONLY = {"premature_lift", "touched", "tile_moved"}
DUSA_ONLY = {"touch_breach"}


def film(seed: int = 1, **order: object) -> Film:
    return play_film(FilmOrder(seed=seed, fps=FPS, **order))  # type: ignore[arg-type]


def infractions(truth: list[dict], ruleset: str) -> Counter:
    return Counter((r["code"], r["seat"]) for r in truth if r["kind"] == "infraction" and r["ruleset"] == ruleset)


def observations(truth: list[dict]) -> list:
    return [observation_from_dict(row) for row in truth if row["kind"] in KINDS]


@pytest.mark.parametrize("seed", range(8))
def test_honest_hands_bring_no_infraction(seed: int) -> None:
    """Random legal play is judged clean under both rule sets, each hand has its result, and times rise."""
    truth = film(seed, hands=2).truth
    assert not infractions(truth, "dusa") and not infractions(truth, "fid")
    assert sum(r["kind"] == "deal" for r in truth) == 2
    assert [r["kind"] for r in truth if r["kind"] in ("reveal", "hand")] == ["reveal", "hand"] * 2
    times = [r["t"] for r in truth]
    assert times == sorted(times)


@pytest.mark.parametrize("name", [*OPENINGS, *INCIDENTS])
def test_each_infraction_is_in_the_truth_when_it_is_asked_for(name: str) -> None:
    """The code is found by the rules in the observations of the film, under the rule sets that know it, and for one seat."""
    for seed in (2, 3, 4, 5):
        got = film(seed, hands=2, infractions=(name,))
        if not got.left_out:
            break
    assert not got.left_out
    for ruleset in {"dusa", "fid"} - ({"dusa"} if name in FID_ONLY else {"fid"} if name in DUSA_ONLY else set()):
        assert [code for code, _ in infractions(got.truth, ruleset).elements()].count(name.upper()) == 1


def test_the_truth_judges_again_to_the_same_verdicts() -> None:
    """Folding the rows of truth.jsonl as observations gives its infractions, results and points."""
    truth = film(3, hands=2, infractions=("non_matching", "out_of_turn", "exposed")).truth
    truth = [json.loads(json.dumps(row)) for row in truth]
    for name, rules in RULESETS.items():
        state = replay(start_match(rules, first_opener=Seat.S), observations(truth))
        told = Counter((i.code, None if i.seat is None else int(i.seat)) for i in state.infractions)  # type: ignore[arg-type]
        assert told == infractions(truth, name)
        last = [r for r in truth if r["kind"] == "hand" and r.get("ruleset", name) == name][-1]
        assert state.last_result is not None and last["points"] == dict(zip("AB", state.last_result.points, strict=True))


def test_the_same_seed_gives_the_same_truth_and_another_seed_another() -> None:
    """Truth is a function of the order, byte for byte."""
    order = FilmOrder(seed=9, fps=FPS, infractions=("renege",))
    assert json.dumps(play_film(order).truth) == json.dumps(play_film(order).truth)
    assert json.dumps(play_film(FilmOrder(seed=10, fps=FPS)).truth) != json.dumps(play_film(FilmOrder(seed=9, fps=FPS)).truth)


def test_every_placed_tile_lies_in_the_frame_of_its_time() -> None:
    """At the time of a placement the tile lies released for the first time, at the seat's own hand; before it does not."""
    got = film(4)
    for row in (r for r in got.truth if r["kind"] == "place"):
        k = round(row["t"] * FPS)
        tile = observation_from_dict(row).tile  # type: ignore[attr-defined]
        lies = [any(t.tile == tile and t.state is TileState.FACE_UP for t in got.moments[i].tiles) for i in (k - 1, k)]
        assert lies == [False, True]
        assert [int(reach.seat) for reach in got.moments[k].reaches] == [row["seat"]]


def test_between_two_moves_the_table_is_still() -> None:
    """Between two placements there is a frame without arms that shows the table as it is then."""
    got = film(4)
    places = [round(r["t"] * FPS) for r in got.truth if r["kind"] == "place"]
    for a, b in itertools.pairwise(places):
        assert any(m.settled for m in got.moments[a:b])


def test_no_two_laid_tiles_overlap_and_none_is_lost() -> None:
    """At the end of a hand all 28 tiles are on the table once, laid tiles a tile's width apart at least."""
    for seed in range(6):
        last = film(seed).moments[-1]
        up = [t for t in last.tiles if t.state is TileState.FACE_UP]
        assert sorted(t.tile for t in up) == sorted(ALL_TILES)
        spots = np.array([(t.x_mm, t.y_mm) for t in up])
        apart = np.linalg.norm(spots[:, None] - spots[None], axis=2) + 1000 * np.eye(len(up))
        assert apart.min() > 22


def test_an_unknown_name_is_refused_with_the_list() -> None:
    """Faults and infractions that do not exist are one line naming those that do."""
    with pytest.raises(BadInput, match=r"expected infractions among wrong_starter, .* found 'cheating'"):
        film(infractions=("cheating",))
    with pytest.raises(BadInput, match=r"expected faults among slid, .* found 'rain'"):
        film(faults=("rain",))


# Pictures


SMALL = (160, 120)


@pytest.fixture(scope="module")
def pictures() -> list[Frame]:
    """Frames of a plain film: a grey scale that moves, with the frame's number in its brightness."""
    ramp = np.tile(np.linspace(30, 200, SMALL[0]).astype(np.uint8), (SMALL[1], 1))
    return [Frame(np.dstack([ramp, ramp // 2, np.roll(ramp, k, 1)]), k, k / FPS) for k in range(240)]


def plan(seed: int = 1) -> Plan:
    return Plan(np.random.default_rng(seed), FPS, 60.0, tuple(np.arange(10.0, 55.0, 2.5)), 10.0, seed)


@pytest.mark.parametrize("name", PICTURES)
def test_each_fault_of_pictures_changes_frames_or_times(pictures: list[Frame], name: str) -> None:
    """Every fault does something, within the film, the same with the same seed; frames keep their type and the film its order."""
    first, again = (list(PICTURES[name](iter(pictures), plan())) for _ in range(2))
    by_index = {f.index: f for f in first}
    changed = [f for f in pictures if f.index not in by_index or not _same(f, by_index[f.index])]
    assert changed and all(_same(a, b) for a, b in zip(first, again, strict=True))
    assert [f.index for f in first] == sorted(by_index)
    assert all(f.image.dtype == np.uint8 and f.image.ndim == 3 for f in first)


def _same(a: Frame, b: Frame) -> bool:
    return a.t_s == b.t_s and a.image.shape == b.image.shape and bool((a.image == b.image).all())


def test_a_gap_loses_seconds_and_drops_lose_a_third(pictures: list[Frame]) -> None:
    """`gap` leaves one hole of 5 to 12 s; `stall` one of fifteen seconds; `drops` loses about 30 %."""
    holes = {name: max(b.t_s - a.t_s for a, b in _pairs(PICTURES[name](iter(pictures), plan()))) for name in ("gap", "stall")}
    assert 5 <= holes["gap"] <= 12.5 and holes["stall"] == pytest.approx(15, abs=0.5)
    assert 0.55 < len(list(PICTURES["drops"](iter(pictures), plan()))) / len(pictures) < 0.85


def _pairs(frames: object) -> list[tuple[Frame, Frame]]:
    listed = list(frames)  # type: ignore[call-overload]
    return list(itertools.pairwise(listed))


def test_late_pictures_are_four_frames_old(pictures: list[Frame]) -> None:
    """The picture of frame n is that of frame n - 4, with the time of frame n."""
    late = list(PICTURES["late"](iter(pictures), plan()))
    assert (late[100].image == pictures[96].image).all() and late[100].t_s == pictures[100].t_s


@pytest.mark.parametrize("name", TABLES)
def test_each_fault_of_the_table_changes_moments_and_never_the_truth(name: str) -> None:
    """The film keeps its length; some moments show other tiles or other arms; what comes before the play is untouched."""
    got = film(3)
    plays = [r["t"] for r in got.truth if r["kind"] == "place"]
    made = TABLES[name](got.moments, Plan(np.random.default_rng(1), FPS, len(got.moments) / FPS, tuple(plays), plays[0], 1))
    different = [k for k, (a, b) in enumerate(zip(got.moments, made, strict=True)) if a != b]
    assert different and min(different) >= round((plays[0] - 1) * FPS)


@pytest.mark.parametrize("manner", ["slid", "crooked", "lifted_again", "nearly_straight", "stirred_reveal"])
def test_manners_change_the_film_and_not_what_happened(manner: str) -> None:
    """The same hand is played with other moves: seats and tiles in the truth are legal and clean as before."""
    plain, got = film(3), film(3, faults=(manner,))
    assert [m.tiles for m in got.moments] != [m.tiles for m in plain.moments] or len(got.moments) != len(plain.moments)
    assert not infractions(got.truth, "dusa")
    assert all(isinstance(o, Place) is (o.kind == "place") for o in observations(got.truth))


def test_every_fault_says_what_it_does() -> None:
    """The help has a few words for each name, and each name belongs to one group."""
    assert all(said and "\n" not in said for said in catalogue().values())
    groups = [len(group) for group in (Faults.named(list(catalogue())).manners, THINGS, TABLES, PICTURES)]
    assert sum(groups) == len(catalogue())


def test_the_renderer_shows_arms_over_a_table_that_stays() -> None:
    """Without noise two frames of one table are equal; an arm changes pixels at its tip; the same seed gives the same picture."""
    got = film(2)
    place = next(r for r in got.truth if r["kind"] == "place")
    k = round(place["t"] * FPS)
    with_arm = got.moments[k]
    room = film_room(2, (320, 240))
    render = FilmRenderer(room, 2)
    bare, again = (render.picture(Moment(with_arm.tiles), noisy=False) for _ in range(2))
    assert (bare == again).all()
    arm = render.picture(with_arm, noisy=False)
    x, y = room.room.camera.project(np.array([[*with_arm.reaches[0].tip_mm, 0.0]]))[0].astype(int)
    changed = (arm.astype(int) - bare).any(axis=2)
    assert changed[max(0, y - 12) : y + 12, max(0, x - 12) : x + 12].any() and changed.mean() < 0.5
    noisy = FilmRenderer(room, 2).picture(with_arm), FilmRenderer(room, 2).picture(with_arm)
    assert (noisy[0] == noisy[1]).all() and (noisy[0] != arm).any()


def test_what_changed_is_drawn_as_if_all_were_drawn_again() -> None:
    """Tables one after the other, each drawn from the one before, are those that the renderer draws from nothing."""
    got, room = film(2), film_room(2, (320, 240))
    tables = list(dict.fromkeys(m.tiles for m in got.moments))
    renderer = FilmRenderer(room, 2)
    for number, tiles in enumerate(tables):
        image = renderer.picture(Moment(tiles), noisy=False)
        if number % 12 == 0:
            whole = FilmRenderer(room, 2).picture(Moment(tiles), noisy=False)
            assert (np.abs(image.astype(int) - whole).max(axis=2) > 2).mean() < 1e-4


def test_a_written_film_is_a_source_with_its_truth(tmp_path: Path) -> None:
    """video.mkv has a frame for each row of frames.jsonl, at its time; calibration.json has the table's corners."""
    short = film(1)
    short = Film(FilmOrder(seed=1, fps=FPS, size_px=(160, 120)), short.moments[:40], short.truth, ())
    assert write_film(short, tmp_path / "out") == 40
    rows = [json.loads(line) for line in (tmp_path / "out" / "frames.jsonl").read_text().splitlines()]
    frames = [f for f in open_source(str(tmp_path / "out")) if isinstance(f, Frame)]
    assert [(f.index, f.t_s) for f in frames] == [(r["index"], r["t_s"]) for r in rows] == [(k, k / FPS) for k in range(40)]
    assert frames[0].size_px == (160, 120)
    calibration = json.loads((tmp_path / "out" / "calibration.json").read_text())
    assert calibration["image_size"] == [160, 120] and len(calibration["corners_px"]) == 4
    assert [json.loads(line) for line in (tmp_path / "out" / "truth.jsonl").read_text().splitlines()] == json.loads(
        json.dumps(short.truth)
    )
    with pytest.raises(BadInput, match="new or empty folder"):
        write_film(short, tmp_path / "out")


def test_stills_show_each_settled_table_once(tmp_path: Path) -> None:
    """Every placement has a picture of its own, with the seat that acted; passes are signals."""
    got = film(5)
    few = [k for k, m in enumerate(got.moments) if m.settled][:70]
    upto = few[-1] + 1
    part = Film(FilmOrder(seed=5, fps=FPS, size_px=(160, 120), stills=True), got.moments[:upto], got.truth, ())
    write_film(part, tmp_path)
    rows = [json.loads(line) for line in (tmp_path / "frames.jsonl").read_text().splitlines()]
    places = [r for r in got.truth if r["kind"] == "place" and r["t"] <= rows[-1]["t_s"]]
    assert [r["seat"] for r in rows if r["seat"] is not None] == [r["seat"] for r in places]
    assert all((tmp_path / r["file"]).exists() for r in rows)
    signals = [json.loads(line) for line in (tmp_path / "signals.jsonl").read_text().splitlines()]
    assert [s["t"] for s in signals] == [r["t"] for r in got.truth if r["kind"] == "pass"]
