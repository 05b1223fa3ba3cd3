"""The recordings of a folder as the replay page asks for them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import av
import numpy as np
import pytest
from test_table_recording import record

from rules.errors import BadInput
from table.library import Library, as_mp4
from table.video_writer import VideoWriter


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one recording in it, and things that are none."""
    made = tmp_path_factory.mktemp("recordings")
    record(made / "final", tmp_path_factory.mktemp("journal") / "t07.db")
    (made / "empty").mkdir()
    (made / "notes.txt").write_text("no recording")
    return made


def test_the_recordings_of_a_folder_are_listed(folder: Path) -> None:
    """Name, teams, rule set, start and whether there is a film; what is no recording is left out; a recording alone lists itself."""
    with Library(folder) as library:
        (row,) = library.listed()
    assert (row["name"], row["ruleset"], row["teams"], row["video"]) == ("final", "dusa", {"A": "Robles", "B": "Ceiba"}, True)
    with Library(folder / "final") as alone:
        assert alone.listed() == [row]


def test_a_recording_is_judged_under_both_rule_sets(folder: Path) -> None:
    """Under its own rules the events are those recorded; under the others the incident is FID's; each step is how the table stood then."""
    with Library(folder) as library:
        own, other = library.judged("final", "dusa"), library.judged("final", "fid")
        assert library.judged("final", "dusa") is own, "a second asking costs nothing"
    recorded = [json.loads(line) for line in (folder / "final" / "events.jsonl").read_text().splitlines()]
    assert own["events"] == recorded and own["recorded"] == other["recorded"] == "dusa"
    codes = {
        name: {e["data"]["code"]: e["data"] for e in told["events"] if e["type"] == "infraction"}
        for name, told in (("dusa", own), ("fid", other))
    }
    assert codes["dusa"]["NON_MATCHING"]["fine"] == 50 and "remedy_holder" in codes["fid"]["NON_MATCHING"]
    lines = [len(step["state"]["line"]) for step in own["steps"]]
    assert lines[-1] == max(lines) > 10 and own["steps"][-1]["state"]["seq"] == recorded[-1]["seq"]
    assert all({"x_mm", "y_mm", "angle_deg"} <= laid.keys() for laid in own["steps"][-1]["state"]["line"]), "where each tile lies"
    times = [step["t_s"] for step in own["steps"]]
    assert times == sorted(times) and {step["state"]["ruleset"] for step in other["steps"]} == {"fid"}


def test_the_film_is_what_browsers_play(folder: Path) -> None:
    """The film comes as MP4 with every frame, and the time of its first one is told."""
    with Library(folder) as library:
        told = library.judged("final", "dusa")["video"]
        film = library.video("final")
        assert film is not None and film.suffix == ".mp4"
        with av.open(str(film)) as mp4, av.open(str(folder / "final" / "video.mkv")) as recorded:
            assert mp4.streams.video[0].codec_context.name == "h264"
            assert sum(1 for _ in mp4.decode(video=0)) == sum(1 for _ in recorded.decode(video=0))
    assert not film.exists() and told["start_s"] >= 0


def test_a_recording_that_is_being_written_is_judged_as_far_as_it_goes(folder: Path, tmp_path: Path) -> None:
    """Half of it gives the first half of the events, the whole of it all of them from the same library; its film waits for its end."""
    growing = tmp_path / "growing"
    shutil.copytree(folder / "final", growing)
    whole = {name: (growing / name).read_text().splitlines(keepends=True) for name in ("events.jsonl", "detections.jsonl")}
    for name, lines in whole.items():
        (growing / name).write_text("".join(lines[: len(lines) // 2]))
    with Library(tmp_path, making=growing) as library:
        (row,) = library.listed()
        begun = library.judged("growing", "dusa")
        assert (row["video"], begun["video"], library.video("growing")) == (False, None, None)
        for name, lines in whole.items():
            (growing / name).write_text("".join(lines))
        ended = library.judged("growing", "dusa")
    tiles, all_tiles = ([e for e in told["events"] if e["type"] == "tile_played"] for told in (begun, ended))
    assert 2 < len(tiles) < len(all_tiles) and [e["data"] for e in all_tiles[: len(tiles)]] == [e["data"] for e in tiles]


def test_copies_of_films_do_not_fill_the_disk(folder: Path, tmp_path: Path) -> None:
    """Of three films the two that were asked for last are kept; the other one is there again when it is asked for."""
    for name in "abc":
        shutil.copytree(folder / "final", tmp_path / name)
    with Library(tmp_path) as library:
        first, second, third = (library.video(name) for name in "abc")
        assert first and second and third and not first.exists() and second.exists() and third.exists()
        assert library.video("a") == first and first.exists() and not second.exists()


def test_a_recording_that_cannot_be_judged_is_told_in_one_line(folder: Path, tmp_path: Path) -> None:
    """What the program that judges says against it comes back as bad input."""
    shutil.copytree(folder / "final", tmp_path / "broken")
    (tmp_path / "broken" / "manifest.json").write_text("no manifest")
    with Library(tmp_path) as library, pytest.raises(BadInput, match="expected a JSON object in ") as told:
        library.judged("broken", "dusa")
    assert "\n" not in str(told.value)


def test_a_film_that_was_cut_is_copied_as_far_as_it_goes(tmp_path: Path) -> None:
    """Of half a file the whole seconds come; its times begin at 0; of none, one line says what was found."""
    whole, cut = tmp_path / "whole.mkv", tmp_path / "cut.mkv"
    with VideoWriter(whole, (64, 48), 10) as writer:
        for n in range(60):
            writer.write(np.full((48, 64, 3), 4 * n, np.uint8), 3.0 + n / 10)
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size * 2 // 3])
    assert as_mp4(cut, tmp_path / "cut.mp4") == 3.0
    with av.open(str(tmp_path / "cut.mp4")) as mp4:
        times = [float(frame.pts * frame.time_base) for frame in mp4.decode(video=0)]
    assert times[0] == 0 and 10 <= len(times) < 60
    cut.write_bytes(b"no film")
    with pytest.raises(BadInput, match="expected a film"):
        as_mp4(cut, tmp_path / "none.mp4")


@pytest.mark.parametrize("name", ["", "..", "../final", "no", "final/evidence", "empty"])
def test_only_what_is_listed_has_a_name(folder: Path, name: str) -> None:
    """No name leads out of the folder or to what is no recording."""
    with Library(folder) as library:
        for ask in (lambda: library.judged(name, "dusa"), lambda: library.video(name), lambda: library.evidence(name)):
            with pytest.raises(BadInput, match="expected the name of a recording"):
                ask()


def test_a_place_without_recordings_is_refused(tmp_path: Path) -> None:
    """A folder that is not there is bad input; one without recordings lists nothing."""
    with pytest.raises(BadInput, match="expected a recording or a folder"):
        Library(tmp_path / "no")
    with Library(tmp_path) as library:
        assert library.listed() == []
