"""The kinds of camera: each opens its device and gives (time, picture) until that fails. Times: seconds of the monotonic clock."""

from __future__ import annotations

import importlib
import re
import time
from collections.abc import Callable, Generator
from typing import Any

import cv2
import numpy as np

from rules.errors import BadInput
from table.sources_video import open_container, pictures

Pictures = Generator[tuple[float, np.ndarray], None, None]
"""(time, BGR picture) as they come; closing it releases the device."""

SIZE_PX = (1280, 720)
FPS = 10
SETTLE_S = 2.0  # exposure and white balance find their values, and are then held
READ_TIMEOUT_S = 10.0
NUMBERED = re.compile(r"(v4l2|picamera):(\S*)")


def is_camera(text: str) -> bool:
    """Whether a text names a camera and not a file."""
    return "://" in text or NUMBERED.fullmatch(text) is not None


def pictures_of(text: str) -> Callable[[], Pictures]:
    """What opens the camera that a text names; BadInput when it names none."""
    if "://" in text:
        return lambda: stream_pictures(text)
    found = NUMBERED.fullmatch(text)
    if found is None or not found[2].isdigit():
        raise BadInput(f"expected a camera as v4l2:0, picamera:0 or rtsp://…, found {text!r}; give its number")
    opener, number = (v4l2_pictures if found[1] == "v4l2" else picamera_pictures), int(found[2])
    return lambda: opener(number)


def v4l2_pictures(number: int) -> Pictures:
    """A USB camera of Linux, /dev/videoN."""
    camera = cv2.VideoCapture(number, cv2.CAP_V4L2)
    try:
        if not camera.isOpened():
            raise OSError(f"no camera at /dev/video{number}")
        camera.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        camera.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE_PX[0])
        camera.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE_PX[1])
        camera.set(cv2.CAP_PROP_BUFFERSIZE, 1)  # some drivers ignore it: reading at once keeps the queue short all the same
        while camera.grab():
            t_s = time.monotonic()
            good, image = camera.retrieve()
            if good:
                yield t_s, image
    finally:
        camera.release()


def stream_pictures(address: str) -> Pictures:
    """A network camera (rtsp://, http://, tcp://, udp://). The time is that of arrival: its own clock starts anew at every opening."""
    options = {"rtsp_transport": "tcp", "fflags": "nobuffer"} if address.startswith("rtsp") else None
    with open_container(address, options, READ_TIMEOUT_S) as container:
        for _, image in pictures(container):
            yield time.monotonic(), image


def picamera_pictures(number: int) -> Pictures:
    """A camera of the Raspberry Pi, with the time of the sensor; exposure, gain, colours and focus are held after a while."""
    try:
        module: Any = importlib.import_module("picamera2")
    except ImportError:
        raise BadInput(
            "expected picamera2, found no such module; apt install python3-picamera2 and make the environment with --system-site-packages"
        ) from None
    camera = module.Picamera2(number)
    try:
        camera.configure(camera.create_video_configuration(
            main={"size": SIZE_PX, "format": "RGB888"},  # its RGB888 lies in memory as B, G, R
            controls={"FrameRate": FPS}, buffer_count=2,
        ))  # fmt: skip
        camera.start()
        opened_s, held = time.monotonic(), False
        while True:
            request = camera.capture_request()
            try:
                image, metadata = request.make_array("main"), request.get_metadata()
            finally:
                request.release()
            yield _sensor_time_s(metadata), np.ascontiguousarray(image[..., :3])
            if not held and time.monotonic() - opened_s > SETTLE_S:
                camera.set_controls(held_controls(metadata))
                held = True
    finally:
        camera.close()


def held_controls(metadata: dict[str, Any]) -> dict[str, Any]:
    """The controls that keep exposure, gain, white balance and focus as the metadata of a settled picture has them."""
    controls: dict[str, Any] = {"AeEnable": False, "AwbEnable": False}
    controls |= {key: metadata[key] for key in ("ExposureTime", "AnalogueGain", "ColourGains") if key in metadata}
    if "LensPosition" in metadata:  # cameras without autofocus have none
        controls |= {"AfMode": 0, "LensPosition": metadata["LensPosition"]}
    return controls


def _sensor_time_s(metadata: dict[str, Any]) -> float:
    """When the sensor took the picture, on the monotonic clock: the sensor's own clock counts sleep, the monotonic one does not."""
    stamp = metadata.get("SensorTimestamp")
    asleep_s = time.clock_gettime(time.CLOCK_BOOTTIME) - time.monotonic()
    return time.monotonic() if stamp is None else stamp / 1e9 - asleep_s
