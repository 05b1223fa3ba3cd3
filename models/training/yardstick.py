"""What miron's speed is held against: plain YOLO11n with oriented boxes, untrained, which takes the same time as a trained one.

`python -m models.training.yardstick OUT.onnx` writes it for `miron bench detector --yardstick OUT.onnx` on machines without torch.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

SIZE_PX = (1280, 960)  # width, height: small tiles need the long side


def ultralytics_predict() -> Callable[[np.ndarray], object]:
    """ultralytics' own `predict` on one BGR picture; needs the extra `train`."""
    model = _untrained()
    return lambda image: model.predict(image, imgsz=SIZE_PX[0], device="cpu", verbose=False)


def ultralytics_every_frame() -> Callable[[np.ndarray], object]:
    """Plain YOLO11n at 640 px on one BGR picture, as it would look at every frame of a film; needs the extra `train`."""
    model = _untrained("yolo11n.yaml")
    return lambda image: model.predict(image, imgsz=640, device="cpu", verbose=False)


def write_onnx(out: Path) -> None:
    """The network for pictures of SIZE_PX as an ONNX file; needs the extra `train`."""
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        made = _untrained().export(format="onnx", imgsz=(SIZE_PX[1], SIZE_PX[0]), simplify=False, verbose=False)
        shutil.copy(Path(place) / made, out)


def _untrained(network: str = "yolo11n-obb.yaml") -> Any:
    os.environ.setdefault("YOLO_OFFLINE", "1")
    os.environ.setdefault("YOLO_AUTOINSTALL", "false")
    from ultralytics import YOLO

    return YOLO(network)


def main() -> None:
    """Parse the argument and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    write_onnx(parser.parse_args().out.resolve())


if __name__ == "__main__":
    main()
