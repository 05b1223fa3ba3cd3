"""Read pictures from disk, turned as their EXIF says."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np

from rules.errors import BadInput

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp"})


def read_picture(file: Path) -> np.ndarray:
    """BGR uint8 HxWx3, upright by EXIF. BadInput for a missing file or one that is no picture."""
    if not file.is_file():
        raise BadInput(f"expected a picture, found no file {file}; check the path")
    data = np.fromfile(file, np.uint8)
    image = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    if image is None:
        raise BadInput(f"expected a picture (JPEG, PNG, …), found {file} which does not decode as one; check the file")
    return image


def list_pictures(paths: Iterable[Path]) -> list[Path]:
    """The pictures named, folders opened in name order. BadInput for what is missing or a folder without pictures."""
    out: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(p for p in path.iterdir() if p.suffix.lower() in SUFFIXES)
            if not inside:
                raise BadInput(f"expected pictures in {path}, found none ({', '.join(sorted(SUFFIXES))}); name another folder")
            out += inside
        elif path.is_file():
            out.append(path)
        else:
            raise BadInput(f"expected a picture or a folder, found nothing at {path}; check the path")
    return out
