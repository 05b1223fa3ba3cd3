"""Sources of frames: video files, recordings, stills, cameras."""

from __future__ import annotations

import http.server
import json
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import islice, pairwise
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from rules.errors import BadInput
from rules.observations import Clock, Pass
from table import sources_live
from table.cameras import held_controls, pictures_of, stream_pictures
from table.sources import VideoFile, open_source
from table.sources_live import LiveSource
from table.sources_video import upright
from vision.frame import Frame

SIZE_PX = (96, 64)


def grey(level: int) -> np.ndarray:
    """A picture of one grey."""
    return np.full((SIZE_PX[1], SIZE_PX[0], 3), level, np.uint8)


def write_video(file: Path, times_ms: list[int], container: str | None = None) -> Path:
    """H.264 with a frame at each time; frame n has the grey 8 n a blue corner and one of noise."""
    with av.open(str(file), "w", format=container) as out:
        stream = out.add_stream("libx264", rate=10, options={"preset": "ultrafast", "g": "10", "bf": "0"})
        stream.width, stream.height = SIZE_PX
        stream.pix_fmt = "yuv420p"
        stream.codec_context.time_base = Fraction(1, 1000)
        noise = np.random.default_rng(1)
        for number, ms in enumerate(times_ms):
            image = grey(min(8 * number, 255))
            image[-16:, -16:] = (255, 0, 0)
            image[:16, -32:] = noise.integers(0, 255, (16, 32, 3))
            frame = av.VideoFrame.from_ndarray(image, format="bgr24")
            frame.pts, frame.time_base = ms, Fraction(1, 1000)
            out.mux(stream.encode(frame))
        out.mux(stream.encode())
    return file


def frames_of(source: object) -> list[Frame]:
    return [item for item in source if isinstance(item, Frame)]  # type: ignore[attr-defined]


@pytest.mark.parametrize("suffix", [".mkv", ".mp4"])
def test_a_video_gives_its_frames_with_the_times_of_the_container(tmp_path: Path, suffix: str) -> None:
    """Every frame comes in order, at its own presentation time from the first frame on, gaps and all, as BGR."""
    times = [500, 600, 700, 1900, 2000]
    video = open_source(str(write_video(tmp_path / f"v{suffix}", times)))
    frames = frames_of(video)
    assert [f.index for f in frames] == [0, 1, 2, 3, 4]
    assert [f.t_s for f in frames] == pytest.approx([0.0, 0.1, 0.2, 1.4, 1.5], abs=0.002)
    assert [round(float(f.image[:, :40].mean())) for f in frames] == pytest.approx([0, 8, 16, 24, 32], abs=5)
    assert frames[-1].image[:, :40].mean(axis=(0, 1)) == pytest.approx([32, 32, 32], abs=5)
    assert frames[-1].image[-8:, -8:].mean(axis=(0, 1)) == pytest.approx([255, 0, 0], abs=12)
    assert frames[0].size_px == SIZE_PX and frames[0].image.dtype == np.uint8


def test_a_video_can_be_watched_twice_and_is_never_held_in_memory(tmp_path: Path) -> None:
    """Iterating anew starts from the first frame; the first frame comes without the rest having been read."""
    video = open_source(str(write_video(tmp_path / "v.mkv", [100 * k for k in range(30)])))
    assert [f.index for f in islice(iter(video), 3)] == [0, 1, 2]
    assert len(frames_of(video)) == 30
    assert isinstance(iter(video), Iterator)


def test_a_video_that_was_cut_gives_the_frames_before_the_cut(tmp_path: Path) -> None:
    """A Matroska file cut at 70 % still gives more than half of its frames, and no error."""
    whole = write_video(tmp_path / "v.mkv", [100 * k for k in range(200)])
    data = whole.read_bytes()
    cut = tmp_path / "cut.mkv"
    cut.write_bytes(data[: len(data) * 7 // 10])
    frames = frames_of(open_source(str(cut)))
    assert 100 < len(frames) < 200
    assert [f.index for f in frames] == list(range(len(frames)))


def test_a_recording_tells_the_times_and_numbers_of_its_frames(tmp_path: Path) -> None:
    """In a folder with video.mkv the rows of frames.jsonl count, a torn last row does not; signals come between the frames."""
    write_video(tmp_path / "video.mkv", [0, 100, 200])
    rows = [{"index": 7, "t_s": 3.0}, {"index": 9, "t_s": 3.5}, {"index": 10, "t_s": 4.0}]
    (tmp_path / "frames.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows) + '{"index": 11, "t_')
    (tmp_path / "signals.jsonl").write_text('{"t": 3.2, "kind": "pass", "seat": 1, "via": "button"}\n')
    source = open_source(str(tmp_path))
    items = list(source)
    assert [(i.index, i.t_s) if isinstance(i, Frame) else (i.kind, i.t) for i in items] == [
        (7, 3.0),
        ("pass", 3.2),
        (9, 3.5),
        (10, 4.0),
    ]
    assert isinstance(items[1], Pass) and source.length == 4


def test_times_never_run_backwards(tmp_path: Path) -> None:
    """A clock that was put back by an hour while it was recorded holds nothing up: times go on from where they were."""
    write_video(tmp_path / "video.mkv", [0, 100, 200, 300])
    stamps = (5.0, 5.5, -3594.5, -3594.0)
    (tmp_path / "frames.jsonl").write_text("".join(json.dumps({"index": k, "t_s": t}) + "\n" for k, t in enumerate(stamps)))
    assert [f.t_s for f in frames_of(open_source(str(tmp_path)))] == [5.0, 5.5, 5.5, 6.0]


def test_a_folder_of_pictures_is_a_source_of_stills(tmp_path: Path) -> None:
    """Without video.mkv the pictures come in name order."""
    for name in ("b.png", "a.png"):
        cv2.imwrite(str(tmp_path / name), grey(10 if name == "a.png" else 20))
    assert [int(f.image[0, 0, 0]) for f in frames_of(open_source(str(tmp_path)))] == [10, 20]


@pytest.mark.parametrize("text", ["nothing-here.mkv", "v4l2:front", "picamera:"])
def test_what_is_no_source_is_refused_in_one_line(text: str) -> None:
    """A missing file and a camera without a number say what was expected and found."""
    with pytest.raises(BadInput, match=r"expected .* found .*;"):
        open_source(text)


def test_a_file_that_is_no_video_is_refused(tmp_path: Path) -> None:
    """A text file is refused when it is opened, before any frame is asked for; so is a sound file."""
    (tmp_path / "notes.mkv").write_text("not a video")
    with pytest.raises(BadInput, match="expected a video"):
        open_source(str(tmp_path / "notes.mkv"))
    sound = tmp_path / "sound.wav"
    with av.open(str(sound), "w") as out:
        stream = out.add_stream("pcm_s16le", rate=8000)
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 800), np.int16), layout="mono")
        frame.rate = 8000
        out.mux(stream.encode(frame))
    with pytest.raises(BadInput, match="no picture stream"):
        open_source(str(sound))


def test_a_turned_phone_video_stands_upright() -> None:
    """A turn by 90° counter-clockwise puts the right edge on top; none leaves the picture alone."""
    image = np.zeros((2, 3, 3), np.uint8)
    image[0, 2] = 255
    assert upright(image, 90).shape == (3, 2, 3) and upright(image, 90)[0, 0, 0] == 255
    assert upright(image, -180)[1, 0, 0] == 255
    assert upright(image, 0) is image


# Cameras


class Device:
    """A camera of the test: gives what it is told to, opening by opening; then waits until the test ends."""

    def __init__(self, *openings: list[tuple[float, np.ndarray] | Exception]) -> None:
        self.openings, self.opened, self.closed = list(openings), 0, 0
        self.over = threading.Event()

    def __call__(self) -> Iterator[tuple[float, np.ndarray]]:
        self.opened += 1
        try:
            for item in self.openings.pop(0) if self.openings else []:
                if isinstance(item, Exception):
                    raise item
                yield item
            if not self.openings:
                self.over.wait(20)
        finally:
            self.closed += 1


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits of the live source, shortened."""
    monkeypatch.setattr(sources_live, "SILENCE_S", 0.05)
    monkeypatch.setattr(sources_live, "BACK_OFF_S", (0.01, 0.02))
    monkeypatch.setattr(sources_live, "FIRST_PICTURE_S", 5.0)


def taken(source: LiveSource, enough: Callable[[list], bool]) -> list:
    """Items of a live source until there are enough; the camera is then released."""
    items: list = []
    for item in source:
        items.append(item)
        if enough(items):
            break
    source.close()
    return items


def test_a_slow_reader_gets_the_newest_frame(quick: None) -> None:
    """Of a hundred pictures that came while the reader was busy it sees the last; the index tells how many it missed."""
    device = Device([(1.0, grey(1))], [(2.0 + k / 100, grey(k)) for k in range(100)])
    source = LiveSource(device, "test")
    items = iter(source)
    first = next(items)
    assert isinstance(first, Frame)
    deadline = time.monotonic() + 5
    while source._newest is None or source._newest.number < 100:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    second = next(i for i in items if isinstance(i, Frame))
    device.over.set()
    source.close()
    assert (second.index, int(second.image[0, 0, 0])) == (100, 99)
    assert second.t_s == pytest.approx(1.99)


def test_a_camera_that_fails_is_opened_again(quick: None) -> None:
    """After an error and after an end the device is released and opened anew; time and index go on, the first frame is t = 0."""
    device = Device([(5.0, grey(1)), OSError("unplugged")], [], [(7.0, grey(2))])
    items = taken(LiveSource(device, "test"), lambda seen: any(isinstance(i, Frame) and i.t_s > 0 for i in seen))
    device.over.set()
    frames = [i for i in items if isinstance(i, Frame)]
    assert [(f.index, f.t_s) for f in frames] == [(0, 0.0), (1, 2.0)]
    assert device.opened >= 3 and device.closed >= 2


def test_while_a_camera_stalls_the_time_is_told(quick: None) -> None:
    """No picture for a while gives Clock observations that rise, on the same clock as the frames."""
    device = Device([(100.0, grey(1))])
    clock = iter(np.arange(101.0, 200.0, 1.0))
    source = LiveSource(device, "test", clock=lambda: float(next(clock)))
    items = taken(source, lambda seen: sum(isinstance(i, Clock) for i in seen) == 3)
    device.over.set()
    assert [i.t for i in items if isinstance(i, Clock)] == [1.0, 2.0, 3.0]


def test_pictures_from_before_are_dropped(quick: None) -> None:
    """A picture that is not newer than the one before it, queued in the driver, is never given."""
    device = Device([(3.0, grey(1)), (2.0, grey(2)), (3.0, grey(3)), (4.0, grey(4))])
    source = LiveSource(device, "test")
    items = taken(source, lambda seen: isinstance(seen[-1], Frame) and int(seen[-1].image[0, 0, 0]) == 4)
    device.over.set()
    assert {int(i.image[0, 0, 0]) for i in items if isinstance(i, Frame)} <= {1, 4}


def test_a_camera_that_never_gives_a_picture_is_refused(quick: None) -> None:
    """A device that cannot be opened at the start is one line with its own reason, and a missing /dev/video too."""
    with pytest.raises(BadInput, match="expected pictures from test, found no such device; "):
        next(iter(LiveSource(Device([OSError("no such device")]), "test")))
    with pytest.raises(BadInput, match="found no camera at /dev/video97"):
        next(iter(open_source("v4l2:97")))


def test_without_picamera2_the_message_says_how_to_get_it(quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The import is asked for only when such a camera is opened."""
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(BadInput, match="apt install python3-picamera2"):
        next(iter(open_source("picamera:0")))


class FakePicamera2:
    """What miron uses of picamera2: two pictures, then a failure."""

    made: FakePicamera2

    def __init__(self, number: int) -> None:
        FakePicamera2.made = self
        self.number, self.left, self.controls, self.closed = number, 2, [], False
        self.stamp = time.clock_gettime_ns(time.CLOCK_BOOTTIME)

    def create_video_configuration(self, **kwargs: object) -> dict:
        return kwargs

    def configure(self, configuration: dict) -> None:
        self.configuration = configuration

    def start(self) -> None:
        pass

    def set_controls(self, controls: dict) -> None:
        self.controls.append(controls)

    def capture_request(self) -> FakePicamera2:
        self.left -= 1
        if self.left < 0:
            raise RuntimeError("camera front end has timed out")
        return self

    def make_array(self, stream: str) -> np.ndarray:
        return np.dstack([grey(10), grey(99)[..., :1]])  # rows may be padded to four channels

    def get_metadata(self) -> dict:
        self.stamp += 100_000_000
        return {"SensorTimestamp": self.stamp, "ExposureTime": 10000, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.7)}

    def release(self) -> None:
        pass

    def close(self) -> None:
        self.closed = True


def test_the_raspberry_camera_tells_the_time_of_its_sensor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures have three channels, B first, and times 0.1 s apart as the sensor says; settled controls are held; the camera is closed."""
    monkeypatch.setitem(sys.modules, "picamera2", types.SimpleNamespace(Picamera2=FakePicamera2))
    monkeypatch.setattr("table.cameras.SETTLE_S", -1.0)
    got = []
    with pytest.raises(RuntimeError):
        for shot in pictures_of("picamera:1")():
            got.append(shot)
    camera = FakePicamera2.made
    assert (camera.number, camera.closed) == (1, True)
    assert camera.configuration["main"]["format"] == "RGB888"
    assert [image.shape for _, image in got] == [(64, 96, 3)] * 2
    assert got[1][0] - got[0][0] == pytest.approx(0.1, abs=0.001)
    assert abs(got[0][0] - time.monotonic()) < 5
    assert camera.controls == [
        {"AeEnable": False, "AwbEnable": False, "ExposureTime": 10000, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.7)}
    ]


def test_focus_is_held_where_there_is_one() -> None:
    """A camera with autofocus is put to manual at the lens position it had."""
    assert held_controls({"LensPosition": 2.5}) == {"AeEnable": False, "AwbEnable": False, "AfMode": 0, "LensPosition": 2.5}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """The address of a video that a socket serves as a stream."""
    write_video(tmp_path / "live.ts", [100 * k for k in range(20)], "mpegts")

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/live.ts"
    server.shutdown()
    server.server_close()


def test_a_network_stream_is_read_and_opened_again_when_it_ends(served: str, quick: None) -> None:
    """The frames of a stream over a socket come with rising times; after its end it is opened again."""
    assert len(list(stream_pictures(served))) == 20
    source = open_source(served)
    items = taken(source, lambda seen: isinstance(seen[-1], Frame) and seen[-1].index > 25)  # more than one opening gives
    frames = [i for i in items if isinstance(i, Frame)]
    assert all(a.t_s < b.t_s and a.index < b.index for a, b in pairwise(frames))
    assert frames[0].t_s == 0.0 and frames[0].size_px == SIZE_PX


def test_a_stream_that_is_not_there_is_refused(quick: None) -> None:
    """An address where nobody answers is one line."""
    with pytest.raises(BadInput, match=r"expected .* found http://127.0.0.1:9/none"):
        next(iter(open_source("http://127.0.0.1:9/none")))


def test_only_a_video_file_knows_its_length_beforehand(tmp_path: Path) -> None:
    """A file tells about how many frames will come, for the progress bar; a camera does not."""
    video = open_source(str(write_video(tmp_path / "v.mp4", [100 * k for k in range(30)])))
    assert isinstance(video, VideoFile) and video.length == 30 and not video.live
    assert LiveSource(Device(), "test").length is None and LiveSource(Device(), "test").live
