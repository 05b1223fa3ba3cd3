"""The whole training: render, train the localiser and the reader, calibrate, export, write down what was done.

Every stage leaves a file behind; a run that was stopped goes on from there.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from models.training import localiser, reader
from models.training.dataset import CropSet, PictureSet, write_crops, write_mined, write_pictures
from models.training.localiser import LocaliserRecipe
from models.training.reader import ReaderRecipe

# glibc gives freed memory back too eagerly for a training on a CPU: these make it about 1.45 times faster.
MALLOC = {
    "MALLOC_MMAP_THRESHOLD_": "4294967296",
    "MALLOC_TRIM_THRESHOLD_": "17179869184",
    "MALLOC_TOP_PAD_": "268435456",
    "MALLOC_ARENA_MAX": "1",
}


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that decides the weights. Seeds of the training and the validation sets do not meet.

    The reader is trained on `crops`, then sharpened on them together with `hard` ones and with `mined` ones, which lie where the trained
    localiser proposes tiles.
    """

    pictures: PictureSet
    pictures_val: PictureSet
    crops: CropSet
    crops_val: CropSet
    hard: CropSet
    mined: CropSet
    mined_val: CropSet
    localiser: LocaliserRecipe
    reader: ReaderRecipe
    sharpen: ReaderRecipe


STANDARD = Recipe(
    pictures=PictureSet(9000, 0),
    pictures_val=PictureSet(400, 9_000_000),
    crops=CropSet(6000, 10_000_000),
    crops_val=CropSet(300, 19_000_000),
    hard=CropSet(2500, 30_000_000, hard=True),
    mined=CropSet(1500, 40_000_000),
    mined_val=CropSet(200, 49_000_000),
    localiser=LocaliserRecipe(epochs=6),
    reader=ReaderRecipe(steps=5000),
    sharpen=ReaderRecipe(steps=2500, lr=1.5e-3),
)
SMOKE = Recipe(
    pictures=PictureSet(24, 0, size_px=160),
    pictures_val=PictureSet(8, 9_000_000, size_px=160),
    crops=CropSet(10, 10_000_000, size_px=224),
    crops_val=CropSet(4, 19_000_000, size_px=224),
    hard=CropSet(4, 30_000_000, size_px=224, hard=True),
    mined=CropSet(4, 40_000_000, size_px=224, min_score=0.0),
    mined_val=CropSet(2, 49_000_000, size_px=224, min_score=0.0),
    localiser=LocaliserRecipe(size_px=160, epochs=1, batch=8),
    reader=ReaderRecipe(steps=6, batch=16, save_every=3),
    sharpen=ReaderRecipe(steps=3, batch=16, save_every=3),
)


class StageLog:
    """Writes what each stage took into log.jsonl, for the card."""

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        self._file = folder / "log.jsonl"
        self._say = say

    def run(self, name: str, stage: Callable[[], Any]) -> Any:
        """Run one stage and note its seconds."""
        self._say(name)
        start = time.monotonic()
        result = stage()
        with self._file.open("a") as out:
            out.write(
                json.dumps({"stage": name, "seconds": round(time.monotonic() - start, 1), "machine": platform.machine()}) + "\n"
            )
        return result


def train(recipe: Recipe, folder: Path, weights: Path, workers: int, say: Callable[[str], None] = print) -> dict[str, Any]:
    """Run every stage that is not done yet; leaves localiser.onnx, reader.onnx and weights.json in `weights`."""
    folder.mkdir(parents=True, exist_ok=True)
    weights.mkdir(parents=True, exist_ok=True)
    log = StageLog(folder, say)
    data = folder / "data"
    log.run("render pictures", lambda: write_pictures(recipe.pictures, data / "train", workers))
    log.run("render validation pictures", lambda: write_pictures(recipe.pictures_val, data / "val", workers))
    log.run("render crops", lambda: write_crops(recipe.crops, data / "crops", workers))
    log.run("render validation crops", lambda: write_crops(recipe.crops_val, data / "crops_val", workers))
    log.run("render hard crops", lambda: write_crops(recipe.hard, data / "hard", workers))
    found = log.run(
        "train localiser", lambda: localiser.train(recipe.localiser, data / "train", data / "val", folder / "localiser")
    )
    network = log.run("export localiser", lambda: localiser.export(found, weights / "localiser.onnx"))
    log.run("render crops where the localiser looks", lambda: write_mined(recipe.mined, network, data / "mined", workers))
    log.run("render validation crops there", lambda: write_mined(recipe.mined_val, network, data / "mined_val", workers))
    first = log.run("train reader", lambda: reader.train(recipe.reader, [data / "crops"], folder / "reader"))
    all_crops = [data / name for name in ("crops", "hard", "mined")]
    read = log.run("sharpen reader", lambda: reader.train(recipe.sharpen, all_crops, folder / "sharpened", first))
    log.run("export reader", lambda: reader.export(read, weights / "reader.onnx"))
    measured = log.run("evaluate reader", lambda: reader.evaluate(read, [data / "mined_val"]))
    random = reader.evaluate(read, [data / "crops_val"])
    measured |= {f"random_{name}": random[name] for name in ("kind_right", "halves_right", "corner_error")}
    map50 = log.run(
        "evaluate localiser", lambda: localiser.validate(found, folder / "localiser" / "data.yaml", recipe.localiser.size_px)
    )
    measured |= {f"map50_{name}": value for name, value in map50.items()}
    about = describe(recipe, weights, measured)
    (weights / "weights.json").write_text(json.dumps(about, indent=1) + "\n")
    return about


def describe(recipe: Recipe, weights: Path, measured: dict[str, float]) -> dict[str, Any]:
    """What weights.json holds: temperatures, recipe, figures on the rendered validation sets, hashes."""
    files = ("localiser.onnx", "reader.onnx")
    return {
        "kind_temperature": round(measured["kind_temperature"], 4),
        "half_temperature": round(measured["half_temperature"], 4),
        "measured": {k: round(v, 4) for k, v in measured.items()},
        "recipe": asdict(recipe),
        "sha256": {name: hashlib.sha256((weights / name).read_bytes()).hexdigest() for name in files},
    }


def prefer_fast_malloc(argv: list[str]) -> None:
    """Start this process again with the allocator settings, which glibc reads only once."""
    import sys

    if os.environ.get("MALLOC_ARENA_MAX") == "1" or not sys.platform.startswith("linux"):
        return
    os.execve(sys.executable, [sys.executable, *argv], {**os.environ, **MALLOC})
