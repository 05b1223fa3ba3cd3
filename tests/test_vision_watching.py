"""The camera that is watched itself: each fault is told within five seconds and taken back, and honest play raises none."""

from time import process_time

import cv2
import numpy as np
import pytest
from watched_table import SIZE, frame, plane, pose, scene

from vision.watching import FAULTS, Lasting, State, Watch
from vision.watching_pose import Reference, even, grey_of

TOLD_S = 5.0
cv2.setNumThreads(1)  # pictures this small are quicker so
KINDS = [("cloth", True), ("cloth", False), ("wood", True), ("wood", False), ("laminate", True), ("laminate", False)]
MIRROR = np.array([[-1.0, 0, SIZE[0] - 1], [0, 1, 0], [0, 0, 1]])
MOVES = {
    "10 px of 1280": pose(0, (2.0, 1.5)),
    "2 degrees": pose(2),
    "zoom of 5 %": pose(0, (0, 0), 1.05),
    "upside down": pose(180),
    "far": pose(0, (14, -9)),
}


class Film:
    """Frames given to a watch at a rate, with what it told."""

    def __init__(self, top="cloth", tags=True, fps=2.5, **options):
        self.kind, self.fps, self.t_s, self.number, self.told = (top, tags), fps, 0.0, 0, []
        self.watch = Watch(frame(scene(top, tags), 999), **options)

    def play(self, seconds, tiles=5, arms=None, **how):
        """So many seconds, an arm coming and going unless told; gives what was told meanwhile."""
        before = len(self.told)
        for _ in range(round(seconds * self.fps)):
            reach = ((), (0,), (0,), (1,))[self.number // 3 % 4] if arms is None else arms
            self.told += self.watch.look(frame(scene(*self.kind, tiles, reach), self.number, **how), self.t_s)
            self.number, self.t_s = self.number + 1, self.t_s + 1 / self.fps
        return self.told[before:]


# Honest play.


@pytest.mark.parametrize(("top", "tags"), KINDS)
def test_honest_play_raises_nothing(top, tags):
    """Arms in and out, tiles laid one after another, light stepping between gamma 0.4 and 2.5, a shadow that moves: watching."""
    film = Film(top, tags)
    for tiles, arms, light, shadow in (
        (0, (), 1.0, None),
        (2, (0,), 0.4, None),
        (5, (0, 1), 2.5, None),
        (5, (1, 2, 3), 1.0, 0.2),
        (8, (0, 1, 2, 3), 1.0, 0.5),
        (8, (2,), 1.6, 0.8),
        (10, (0, 3), 0.6, None),
    ):
        film.play(2.0, tiles, arms, light=light, shadow=shadow)
        assert film.watch.drift_px is not None and film.watch.drift_px < 0.5
    assert [(one.state, one.reason) for one in film.told] == [(State.WATCHING, None)]


def test_light_that_steps_with_every_frame_raises_nothing():
    """Exposure that hunts from frame to frame is no movement of the camera."""
    film = Film("wood", False)
    for number in range(15):
        film.play(0.4, 5, light=(0.5, 1.0, 2.0)[number % 3])
    assert [one.state for one in film.told] == [State.WATCHING]


# The camera moves.


@pytest.mark.parametrize(("top", "tags"), [("cloth", False), ("wood", True), ("laminate", False)])
@pytest.mark.parametrize("move", MOVES)
def test_a_moved_camera_is_told_and_taken_back(top, tags, move):
    """A bump, a turn, a zoom, a camera upside down: told within five seconds, since the right moment; watching again when it is back."""
    if (top, move) == ("laminate", "far"):
        pytest.xfail("a far jump of a table without edges is told, and then taken for over within five seconds")
    film = Film(top, tags)
    film.play(1.0)
    begun = film.t_s
    told = film.play(TOLD_S, tiles=6, move=MOVES[move])
    assert [one.state for one in told] == [State.CAMERA_MOVED] and begun <= told[0].since_s <= begun + 2.5
    back = film.play(TOLD_S, tiles=7)
    assert [one.state for one in back] == [State.WATCHING]


def test_a_slow_drift_is_told_before_it_is_a_pixel():
    """One pixel a minute, at 320 pixels: told between 0.6 and 1 pixel; the drift until then is known to a tenth of a pixel."""
    film, wrong = Film("wood", False, fps=1.0), []
    for second in range(75):
        film.play(1.0, arms=(), move=pose(0, (second / 60, 0)))
        wrong.append(abs((film.watch.drift_px or 0.0) - second / 60))
        if film.watch.current.state is State.CAMERA_MOVED:
            break
    assert 0.6 < second / 60 < 1.0 and max(wrong) < 0.1


def test_drift_in_millimetres():
    """A shift of two pixels of 4.8 mm is told as about 9.6 mm; without a plane nothing is told in millimetres."""
    film = Film("cloth", True, plane=plane())
    film.play(2.0, move=pose(0, (2.0, 0.0)))
    across = np.linalg.norm(np.diff(plane().px_to_mm(np.array([[160.0, 120.0], [162.0, 120.0]])), axis=0))
    assert film.watch.drift_mm == pytest.approx(across, rel=0.1)
    bare = Film("cloth", True)
    bare.play(1.0)
    assert bare.watch.drift_mm is None and bare.watch.drift_px is not None


# Going on after a move.

SPOTS_MM = np.stack(np.meshgrid(np.linspace(-400, 400, 5), np.linspace(-400, 400, 5)), axis=-1).reshape(-1, 2)


@pytest.mark.parametrize(("top", "tags"), [("cloth", True), ("wood", False)])
@pytest.mark.parametrize("move", ["10 px of 1280", "2 degrees", "zoom of 5 %", "upside down"])
def test_an_accepted_realignment_goes_on_with_the_same_seats(top, tags, move):
    """One acceptance gives the plane of the moved camera, right within 1.5 mm, every seat on its side, and the watching goes on."""
    film = Film(top, tags, plane=plane())
    film.play(1.0)
    film.play(TOLD_S, move=MOVES[move])
    proposal = film.watch.proposal()
    assert proposal is not None and proposal.is_sure
    found = film.watch.accept()
    assert found is not None and film.watch.plane is found
    now_px = plane().mm_to_px(SPOTS_MM) @ MOVES[move][:2, :2].T + MOVES[move][:2, 2]
    assert np.linalg.norm(found.px_to_mm(now_px) - SPOTS_MM, axis=1).max() < 1.5
    seats_px = (
        plane().mm_to_px(np.array([[0.0, -400], [400, 0], [0, 400], [-400, 0]])) @ MOVES[move][:2, :2].T + MOVES[move][:2, 2]
    )
    assert [found.rim_side(*point) for point in found.px_to_mm(seats_px)] == [0, 1, 2, 3]
    told = film.play(3.0, tiles=8, move=MOVES[move])
    assert [one.state for one in told] == [State.WATCHING] and film.watch.drift_px < 0.2
    again = film.play(TOLD_S, tiles=8)
    assert [one.state for one in again] == [State.CAMERA_MOVED]


def bare_table(number, shift_px=0):
    """A plain square table on a plain floor, alike from all four sides."""
    picture = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    cv2.rectangle(picture, (70 + shift_px, 30), (249 + shift_px, 209), (180, 210, 200), -1)
    noise = 2 * np.random.default_rng(number).standard_normal(picture.shape, np.float32)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 0.7) + noise, 0, 255).astype(np.uint8)


def test_a_table_that_looks_alike_from_all_sides_is_not_turned_by_itself():
    """A bare square table on a bare floor that was moved may have been turned as well: none is taken unless somebody looked."""
    watch = Watch(bare_table(0), plane())
    for number in range(16):
        watch.look(bare_table(1 + number, 0 if number < 3 else 4), number / 2.5)
    proposal = watch.proposal()
    assert watch.current.state is State.CAMERA_MOVED and proposal is not None and not proposal.is_sure
    assert watch.accept() is None and watch.current.state is State.CAMERA_MOVED
    assert watch.accept(even_if_doubtful=True) is not None


def test_nothing_to_accept_while_the_camera_stands():
    """While nothing has moved, or without a plane, there is no proposal."""
    film = Film("cloth", True, plane=plane())
    film.play(1.0)
    assert film.watch.proposal() is None and film.watch.accept() is None
    bare = Film("cloth", True)
    bare.play(4.0, move=pose(3))
    assert bare.watch.current.state is State.CAMERA_MOVED and bare.watch.proposal() is None


@pytest.mark.parametrize("top", ["cloth", "wood"])
def test_a_picture_that_is_mirrored_from_the_start_is_never_sure(top):
    """Against the calibrated view a flipped picture is a moved camera, and never put right without a person."""
    film = Film(top, True, plane=plane())
    told = film.play(TOLD_S, tiles=0, arms=(), move=MIRROR)
    assert told[-1].state is State.CAMERA_MOVED and film.watch.accept() is None


def test_a_picture_of_another_shape_is_a_moved_camera():
    """A camera set upright shows another shape: told as moved, without a pose."""
    film = Film("cloth", True)
    film.play(1.0)
    upright = np.ascontiguousarray(np.rot90(frame(scene("cloth"), 5)))
    for second in range(20):
        film.told += film.watch.look(upright + np.uint8(second % 3), film.t_s + second / 4)
    assert film.told[-1].state is State.CAMERA_MOVED


# Light, focus, colour.


@pytest.mark.parametrize(("top", "tags"), [("cloth", True), ("wood", False)])
@pytest.mark.parametrize(
    ("how", "state", "reason"),
    [
        ({"blur": 1.5}, State.OUT_OF_FOCUS, "out_of_focus"),
        ({"blur": 4.0}, State.OUT_OF_FOCUS, "out_of_focus"),
        ({"blur": 9.0}, State.OUT_OF_FOCUS, "out_of_focus"),
        ({"gain": 0.04}, State.TOO_DARK, "too_dark"),
        ({"gain": 6.0}, State.NOT_WATCHING, "burnt_out"),
    ],
)
def test_blur_darkness_and_glare_are_told_and_taken_back(top, tags, how, state, reason):
    """Each is told by its state within five seconds, and nothing else with it; clear pictures take it back."""
    film = Film(top, tags)
    film.play(1.0)
    begun = film.t_s
    told = film.play(TOLD_S, tiles=6, **how)
    assert [(one.state, one.reason) for one in told] == [(state, reason)] and begun <= told[0].since_s < begun + 1.0
    assert [one.state for one in film.play(4.0, tiles=6)] == [State.WATCHING]


def test_focus_that_creeps_away_while_a_hand_is_there():
    """A blur that grows over eight seconds is told before it is 2 pixels wide, and never as a movement."""
    film = Film("cloth", True)
    film.play(1.0)
    for step in range(20):
        film.play(0.4, arms=(0, 1), blur=0.1 + step / 8)
        if film.told[-1].state is not State.WATCHING:
            break
    assert film.told[-1].state is State.OUT_OF_FOCUS and 0.1 + step / 8 < 2.0


@pytest.mark.parametrize(("top", "tags"), [("cloth", True), ("wood", False), ("laminate", True)])
def test_exchanged_colours_are_told_and_taken_back(top, tags):
    """Red and blue exchanged, from one frame on: not watching within five seconds; right again: watching. Warm light is no exchange."""
    film = Film(top, tags)
    film.play(1.0)
    assert film.play(3.0, gain=np.array([0.75, 1.0, 1.25])) == []
    watch, t_s = film.watch, film.t_s
    for number in range(20):
        film.told += watch.look(frame(scene(top, tags, 6, (1,)), 300 + number)[..., ::-1], t_s + number / 4)
    assert (film.told[-1].state, film.told[-1].reason) == (State.NOT_WATCHING, "colours_swapped")
    film.t_s = t_s + 5
    assert [one.state for one in film.play(4.0)] == [State.WATCHING]


def test_a_camera_that_is_covered_is_not_watching():
    """A picture without anything in it is told as some fault within six seconds, never as a camera that has moved."""
    film = Film("wood", True)
    film.play(1.0)
    for number in range(26):
        flat = np.clip(np.random.default_rng(number).normal(110, 2, (SIZE[1], SIZE[0], 3)), 0, 255).astype(np.uint8)
        film.told += film.watch.look(flat, film.t_s + number / 4)
    assert film.told[-1].state in (State.NOT_WATCHING, State.OUT_OF_FOCUS)
    assert State.CAMERA_MOVED not in [one.state for one in film.told]


# Time.


@pytest.mark.parametrize("fps", [2.0, 10.0])
def test_a_frozen_picture_is_told(fps):
    """The same frame for more than three seconds is told, at any rate, since the first repeat; a new frame takes it back."""
    film = Film("cloth", True, fps=fps)
    film.play(1.0)
    still, begun = frame(scene("cloth", True, 5), 7), film.t_s
    for number in range(round(TOLD_S * fps)):
        film.told += film.watch.look(still, begun + number / fps)
    assert (film.told[-1].state, film.told[-1].reason) == (State.NOT_WATCHING, "frozen")
    assert film.told[-1].since_s == pytest.approx(begun + 1 / fps)
    film.t_s = begun + TOLD_S
    assert [one.state for one in film.play(2.0)] == [State.WATCHING]


def test_equal_frames_are_no_fault_where_they_are_expected():
    """A rendered film without noise may repeat its frames."""
    film = Film("cloth", True, frozen=False)
    still = frame(scene("cloth", True, 5), 7)
    for number in range(20):
        film.told += film.watch.look(still, number / 4)
    assert [one.state for one in film.told] == [State.WATCHING]


def test_a_camera_that_stalls_is_told_by_the_time_alone():
    """Without a frame for more than two seconds: not watching, since the last frame; half a second of frames takes it back."""
    film = Film("cloth", True)
    film.play(2.0)
    last = film.t_s - 0.4
    assert film.watch.tick(last + 1.9) == []
    told = film.watch.tick(last + 2.1)
    assert [(one.state, one.reason) for one in told] == [(State.NOT_WATCHING, "late")]
    assert told[0].since_s == pytest.approx(last)
    film.t_s += 6.0
    assert [one.state for one in film.play(2.0)] == [State.WATCHING]


def test_a_gap_in_a_recording_is_on_record():
    """A film whose frames jump by four seconds tells the gap, since the frame before it, and goes on."""
    film = Film("cloth", True)
    film.play(2.0)
    last, film.t_s = film.t_s - 0.4, film.t_s + 4.0
    told = film.play(2.0)
    assert [(one.state, one.reason) for one in told] == [(State.NOT_WATCHING, "late"), (State.WATCHING, None)]
    assert told[0].since_s == pytest.approx(last)


def test_frames_that_come_late_or_backwards():
    """Frames three seconds behind the clock are late; a frame older than the last one changes nothing."""
    film = Film("cloth", True)
    film.play(1.0)
    told = film.watch.look(frame(scene("cloth", True), 3), film.t_s, now_s=film.t_s + 3.0)
    assert [one.reason for one in told] == ["late"]
    pose_before = film.watch.drift_px
    assert film.watch.look(frame(scene("cloth", True), 4), film.t_s - 9.0) == [] and film.watch.drift_px == pose_before


# Parts.


def test_a_condition_must_last():
    """It holds after so many seconds without a break, and counts from its first moment; nothing known changes nothing."""
    lasting = Lasting(2.0, 1.0)
    for t_s, there in ((0.0, True), (1.5, False), (2.0, True), (3.9, None)):
        lasting.update(there, t_s)
        assert not lasting.holds
    lasting.update(True, 4.0)
    assert lasting.holds and lasting.since_s == 2.0
    lasting.update(False, 5.0)
    assert lasting.holds
    lasting.update(False, 6.0)
    assert not lasting.holds and lasting.since_s == 5.0


def test_every_fault_is_told_within_five_seconds():
    """No fault needs longer than the five seconds in which it is promised, and every state but watching has one."""
    assert all(enter <= TOLD_S for _, _, enter, _ in FAULTS)
    assert {state for _, state, _, _ in FAULTS} == set(State) - {State.WATCHING}


@pytest.mark.parametrize("turn", [-170, -40, 25, 180])
def test_the_search_finds_any_turn(turn):
    """A camera turned anyhow is found again within half a pixel where the table has a grain."""
    reference = Reference(frame(scene("wood", False), 1))
    move = pose(turn, (4, -3), 0.95)
    found = reference.search_in(frame(scene("wood", False, 5, (0,)), 2, move=move))
    box = np.array([[60.0, 40.0], [260, 40], [260, 200], [60, 200]])
    off = (box @ found.pose[:2, :2].T + found.pose[:2, 2]) - (box @ move[:2, :2].T + move[:2, 2])
    assert np.abs(off).max() < 0.5 or not found.is_sure


def test_without_a_reference_the_first_frame_is_it():
    """A camera that was never calibrated is watched against what it showed first."""
    watch = Watch()
    told = [one for n in range(8) for one in watch.look(frame(scene("cloth"), n), n / 4)]
    told += [one for n in range(20) for one in watch.look(frame(scene("cloth"), 50 + n, move=pose(3)), 2 + n / 4)]
    assert [one.state for one in told] == [State.WATCHING, State.CAMERA_MOVED]


def test_a_look_is_cheap():
    """The best of many looks takes under 20 ms of one core, however busy it is; five a second are taken."""
    watch, looks = Watch(frame(scene("wood"), 1)), []
    frames = [frame(scene("wood", True, 5, (0,)), n) for n in range(3)]
    for number in range(45):
        begun = process_time()
        watch.look(frames[number % 3], number / 4)
        looks.append(process_time() - begun)
    assert min(looks[3:]) < 0.020
    before = watch.signs
    watch.look(frames[1], 44 / 4 + 0.05)
    assert watch.signs is before and even(grey_of(frames[0])).dtype == np.float32


def test_a_patch_of_noise_on_a_plain_table_leaves_every_pixel_a_number():
    """Where nothing is the sums of squares may end a little below zero: no pixel is lost to that, in any of 60 pictures."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        picture = np.full((120, 160), int(rng.integers(0, 256)), np.uint8)
        y, x = rng.integers(0, 60, 2)
        picture[y : y + 20, x : x + 30] = rng.integers(0, 256, (20, 30))
        assert np.isfinite(even(picture)).all()
