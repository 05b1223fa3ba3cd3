"""Proof of what is put to the referee: stills of the looks before and after an act, and a clip of the seconds round it."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from calibration.plane import TablePlane
from rules.errors import BadInput
from table.evidence_still import TablePicture, still
from table.video_writer import write_clip
from vision.detections import TileDetection
from vision.followed import Followed
from vision.frame import Frame
from vision.laid import FollowedLine

FOLDER = "evidence"
AROUND_S = 5.0  # a clip begins so long before the act is told, and ends so long after
CLIP_WIDTH, CLIP_FPS = 640, 10.0
LOOKS = 48  # that are kept; a hand has about as many
SHARP_LOOKS = 4  # of them in full size
QUALITY = 85  # of JPEG

Proof = dict[str, str]
"""url, sha256, kind: still or clip."""


@dataclass(frozen=True, slots=True, eq=False)
class KeptLook:
    """A look as far as a picture of it can be made later."""

    t_s: float
    image: np.ndarray
    found: tuple[TileDetection, ...]
    line: FollowedLine | None
    above: TablePicture | None

    def smaller(self) -> KeptLook:
        """Without a calibration what was read is drawn in at once: its place in the picture is all that is known of it."""
        if self.above is None:
            return replace(self, image=still(self.image, self.found, None, None), found=())
        return replace(self, image=_reduced(self.image))


@dataclass(slots=True, eq=False)
class _Clip:
    """A clip in the making: which incidents (seq) it is for, their proofs, when they were told, and its frames so far."""

    told_s: float
    frames: list[tuple[float, np.ndarray]]
    incidents: list[int] = field(default_factory=list)
    proofs: list[list[Proof]] = field(default_factory=list)


class Evidence:
    """Keeps what proofs are made of while a table is watched, and writes them into folders, each named `evidence`.

    plane: of the calibration. BadInput where a folder cannot be written.
    """

    def __init__(self, folders: Sequence[Path], plane: TablePlane | None) -> None:
        self.folders = list(folders)
        for folder in self.folders:
            _made(folder)
        self._looks: deque[KeptLook] = deque(maxlen=LOOKS)
        self._ring: deque[tuple[float, np.ndarray]] = deque()
        self._clips: list[_Clip] = []
        self._written: dict[tuple[object, ...], list[Proof]] = {}  # a correction that tells an incident again has the same proof
        self._above: TablePicture | None = None
        self.moved(plane)

    def moved(self, plane: TablePlane | None) -> None:
        """The camera looks from another place from now on."""
        self._above = TablePicture(plane) if plane is not None and plane.knows_seats else None

    def see(self, frame: Frame) -> None:
        """A frame of a film: it may be part of a clip."""
        if self._ring and frame.t_s - self._ring[-1][0] < 0.9 / CLIP_FPS:
            return
        small = frame.t_s, _reduced(frame.image)
        self._ring.append(small)
        while self._ring[0][0] < frame.t_s - AROUND_S:
            self._ring.popleft()
        for clip in self._clips:
            clip.frames.append(small)

    def look(self, frame: Frame, found: Sequence[TileDetection], state: Followed) -> None:
        """A look was taken; the table is as `state` says since."""
        self._looks.append(KeptLook(frame.t_s, frame.image, tuple(found), state.line, self._above))
        if len(self._looks) > SHARP_LOOKS:
            self._looks[-1 - SHARP_LOOKS] = self._looks[-1 - SHARP_LOOKS].smaller()

    def prove(self, seq: int, what: tuple[object, ...], moments_s: Sequence[float]) -> list[Proof]:
        """The stills for an incident that bears `seq`, before and after each of the moments that it is about; a clip follows (`due`).

        what: names the incident whatever its seq: told again after a correction, it has the proof that it had.
        """
        if what not in self._written:
            self._written[what] = [self._still(seq, name, look) for name, look in self._moments(moments_s)]
            if self._ring:
                self._clip_of_now().proofs.append(self._written[what])
        for clip in self._clips:
            if any(proofs is self._written[what] for proofs in clip.proofs):
                clip.incidents.append(seq)
        return list(self._written[what])

    def due(self, t_s: float) -> list[tuple[int, list[Proof]]]:
        """The clips that are complete at a time, written down: for which incident, and the proof."""
        ready = [clip for clip in self._clips if t_s - clip.told_s >= AROUND_S]
        self._clips = [clip for clip in self._clips if clip not in ready]
        return [told for clip in ready for told in self._finished(clip)]

    def _finished(self, clip: _Clip) -> list[tuple[int, list[Proof]]]:
        proof = self._kept(f"{clip.incidents[0]:06d}.mp4", write_clip(clip.frames, CLIP_FPS), "clip")
        for proofs in clip.proofs:
            proofs.append(proof)
        return [(incident, [proof]) for incident in clip.incidents]

    def _clip_of_now(self) -> _Clip:
        """The clip round the newest frame; one for all that is told at it."""
        told_s = self._ring[-1][0]
        going = next((clip for clip in self._clips if clip.told_s == told_s), None)
        if going is None:
            going = _Clip(told_s, list(self._ring))
            self._clips.append(going)
        return going

    def _moments(self, moments_s: Sequence[float]) -> list[tuple[str, KeptLook]]:
        """Looks by name: the last one of before each moment, and the one that showed it. None twice."""
        named: list[tuple[str, KeptLook]] = []
        for number, t_s in enumerate(sorted(set(moments_s))):
            last = number + 1 == len(set(moments_s))
            until = [look for look in self._looks if look.t_s <= t_s]
            names = ("before", "after") if last else ("then-before", "then-after")
            named += [(name, look) for name, look in zip(names[-len(until) :], until[-2:], strict=False)] if until else []
        return [(name, look) for n, (name, look) in enumerate(named) if all(look is not other for _, other in named[n + 1 :])]

    def _still(self, seq: int, name: str, look: KeptLook) -> Proof:
        picture = still(look.image, look.found, look.line, look.above)
        packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
        return self._kept(f"{seq:06d}-{name}.jpg", packed, "still")

    def _kept(self, name: str, packed: bytes, kind: str) -> Proof:
        """Written into the first folder, as a whole or not at all, and from there into the others."""
        first, *others = self.folders
        fresh = first / f".{name}.new"
        try:
            fresh.write_bytes(packed)
            fresh.replace(first / name)
            for other in others:
                _same_file(first / name, other / name)
        except OSError as error:
            raise BadInput(f"expected to write {first / name}, found: {error.strerror}; free some space") from None
        return {"url": f"{FOLDER}/{name}", "sha256": hashlib.sha256(packed).hexdigest(), "kind": kind}


def _same_file(file: Path, other: Path) -> None:
    """One file under two names; a copy where the disk does not allow that."""
    other.unlink(missing_ok=True)
    try:
        os.link(file, other)
    except OSError:
        shutil.copyfile(file, other)


def _made(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(
            f"expected a folder to write evidence into, found {folder}: {error.strerror}; name another place"
        ) from None


def _reduced(image: np.ndarray) -> np.ndarray:
    height, width = image.shape[:2]
    if width <= CLIP_WIDTH:
        return image
    size = CLIP_WIDTH, round(height * CLIP_WIDTH / width / 2) * 2
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA)
