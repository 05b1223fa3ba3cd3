"""What miron's speed is held against: plain ultralytics with an untrained YOLO11n on the same picture."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def ultralytics_yolo11n(size_px: int = 1280) -> Callable[[np.ndarray], object]:
    """A function that predicts on one BGR picture; needs the extra `train`. Untrained weights take the same time as trained ones."""
    import os

    os.environ.setdefault("YOLO_OFFLINE", "1")
    os.environ.setdefault("YOLO_AUTOINSTALL", "false")
    from ultralytics import YOLO

    model = YOLO("yolo11n.yaml")
    return lambda image: model.predict(image, imgsz=size_px, device="cpu", verbose=False)
