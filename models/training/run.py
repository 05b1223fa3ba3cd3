"""The whole training: render, train localiser, reader and verifier, calibrate, export, measure, write the card.

Every stage leaves a file behind; a run that was stopped goes on from there.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from models.detector import NETWORKS
from models.runtimes import sha256
from models.training import localiser, reader, verifier
from models.training.card import read_tables, write_card
from models.training.claims import ClaimSet, write_claims
from models.training.cpu import at_once
from models.training.dataset import CropSet, PictureSet, write_crops, write_mined, write_pictures
from models.training.localiser import LocaliserRecipe
from models.training.ncnn_files import write_ncnn
from models.training.reader import ReaderRecipe
from models.training.verifier import VerifierRecipe

# glibc gives freed memory back too eagerly for a training on a CPU: these make it about 1.45 times faster.
MALLOC = {
    "MALLOC_MMAP_THRESHOLD_": "4294967296",
    "MALLOC_TRIM_THRESHOLD_": "17179869184",
    "MALLOC_TOP_PAD_": "268435456",
    "MALLOC_ARENA_MAX": "1",
}


@dataclass(frozen=True, slots=True)
class Stage:
    """One training of both networks: pictures for the localiser, crops for the reader."""

    pictures: PictureSet
    crops: CropSet
    localiser: LocaliserRecipe | None  # None: the network of the stage before is kept
    reader: ReaderRecipe


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that decides the weights. Seeds of the training and the validation sets do not meet.

    `first` trains from nothing. `second` trains on what came of it, gently; its crops go together with `hard` ones and with `mined` ones,
    which lie where the first localiser proposes tiles. What both networks together take for tiles in `claims` teaches the `verifier`.
    tables: how many rendered whole tables the card's figures come from.
    """

    first: Stage
    second: Stage
    hard: CropSet
    mined: CropSet
    pictures_val: PictureSet
    crops_val: CropSet
    mined_val: CropSet
    claims: ClaimSet
    verifier: VerifierRecipe
    tables: int


STANDARD = Recipe(
    first=Stage(PictureSet(9000, 0), CropSet(6000, 20_000_000), LocaliserRecipe(epochs=6), ReaderRecipe(steps=6000)),
    second=Stage(
        PictureSet(2000, 5_000_000),
        CropSet(3500, 10_000_000),
        None,
        ReaderRecipe(steps=3600, lr=6e-4, share=0.7),
    ),
    hard=CropSet(1800, 30_000_000, hard=True),
    mined=CropSet(1200, 40_000_000, hard=True),
    pictures_val=PictureSet(150, 9_000_000),
    crops_val=CropSet(100, 19_000_000),
    mined_val=CropSet(60, 49_000_000),
    claims=ClaimSet(1450),
    verifier=VerifierRecipe(),
    tables=40,
)
_TINY = Stage(
    PictureSet(24, 0, size_px=160),
    CropSet(10, 10_000_000, size_px=224),
    LocaliserRecipe(size_px=160, epochs=1, batch=8),
    ReaderRecipe(steps=6, batch=16, save_every=3, share=0.7),
)
SMOKE = Recipe(
    first=_TINY,
    second=replace(_TINY, localiser=LocaliserRecipe(size_px=160, epochs=1, batch=8, lr=1e-4)),
    hard=CropSet(4, 30_000_000, size_px=224, hard=True),
    mined=CropSet(4, 40_000_000, size_px=224, min_score=0.0),
    pictures_val=PictureSet(8, 9_000_000, size_px=160),
    crops_val=CropSet(4, 19_000_000, size_px=224),
    mined_val=CropSet(2, 49_000_000, size_px=224, min_score=0.0),
    claims=ClaimSet(2, told=True),
    verifier=VerifierRecipe(steps=4, batch=8, save_every=2),
    tables=2,
)


class StageLog:
    """Writes what each stage took into the file log.jsonl, for the card."""

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        self.file = folder / "log.jsonl"
        self._say = say

    def run(self, name: str, stage: Callable[[], Any]) -> Any:
        """Run one stage and note its seconds."""
        self._say(name)
        start = time.monotonic()
        result = stage()
        with self.file.open("a") as out:
            out.write(
                json.dumps({"stage": name, "seconds": round(time.monotonic() - start, 1), "machine": platform.machine()}) + "\n"
            )
        return result


def _from_nothing(recipe: Recipe, folder: Path, workers: int, log: StageLog) -> Path:
    """The first stage; gives a folder with localiser.onnx and reader.onnx."""
    data, out = folder / "data", folder / "first"
    log.run("render first pictures", lambda: write_pictures(recipe.first.pictures, data / "first", workers))
    log.run("render first crops", lambda: write_crops(recipe.first.crops, data / "first_crops", workers))
    both = (
        partial(localiser.train, recipe.first.localiser or LocaliserRecipe(), data / "first", data / "val", out / "localiser"),
        partial(reader.train, recipe.first.reader, [data / "first_crops"], out / "reader"),
    )
    found, read = log.run("train both from nothing", lambda: at_once(both))
    log.run("export the first localiser", lambda: localiser.export(found, out / "localiser.onnx"))
    log.run("export the first reader", lambda: reader.export(read, out / "reader.onnx"))
    return out


def train(
    recipe: Recipe, folder: Path, weights: Path, workers: int, say: Callable[[str], None] = print, start: Path | None = None
) -> dict[str, Any]:
    """Run every stage that is not done yet; leaves the networks and weights.json in `weights`, card.md in `folder`.

    start: a folder with both networks of an earlier training, taken instead of the first stage.
    """
    folder.mkdir(parents=True, exist_ok=True)
    weights.mkdir(parents=True, exist_ok=True)
    log = StageLog(folder, say)
    data = folder / "data"
    log.run("render validation pictures", lambda: write_pictures(recipe.pictures_val, data / "val", workers))
    log.run("render validation crops", lambda: write_crops(recipe.crops_val, data / "crops_val", workers))
    first = start if start is not None else _from_nothing(recipe, folder, workers, log)
    log.run("render crops", lambda: write_crops(recipe.second.crops, data / "crops", workers))
    log.run("render hard crops", lambda: write_crops(recipe.hard, data / "hard", workers))
    mine = first / "localiser.onnx"
    log.run("render crops where the localiser looks", lambda: write_mined(recipe.mined, mine, data / "mined", workers))
    crops = [data / name for name in ("crops", "hard", "mined")]
    jobs = [partial(reader.train, recipe.second.reader, crops, folder / "reader", first / "reader.onnx")]
    network, found = weights / "localiser.onnx", None
    if recipe.second.localiser is not None:
        log.run("render pictures", lambda: write_pictures(recipe.second.pictures, data / "train", workers))
        jobs.append(partial(localiser.train, recipe.second.localiser, data / "train", data / "val", folder / "localiser", mine))
    read, *others = log.run("train on", lambda: at_once(jobs))
    if others:
        found = others[0]
        log.run("export localiser", lambda: localiser.export(others[0], network))
    elif mine.resolve() != network.resolve():
        shutil.copy(mine, network)
    log.run("export reader", lambda: reader.export(read, weights / "reader.onnx"))
    log.run("render validation crops there", lambda: write_mined(recipe.mined_val, network, data / "mined_val", workers))
    measured = _measure(recipe, folder, found, read, log)
    _describe(recipe, weights, measured)  # what the verifier learns from is claimed with these temperatures
    log.run("render what is taken for tiles", lambda: write_claims(recipe.claims, weights, data / "claims", workers))
    sifted = log.run("train the verifier", lambda: verifier.train(recipe.verifier, data / "claims", folder / "verifier"))
    log.run("export verifier", lambda: verifier.export(sifted, weights / "verifier.onnx"))
    log.run("export for NCNN", lambda: write_ncnn(weights, weights))
    about = _describe(recipe, weights, measured)
    tables = log.run("read whole tables", lambda: read_tables(weights, recipe.tables))
    write_card(folder / "card.md", weights, about, log.file, tables)
    return about


def _measure(recipe: Recipe, folder: Path, found: Path | None, read: Path, log: StageLog) -> dict[str, float]:
    """Figures on the rendered validation sets, and the temperatures."""
    data = folder / "data"
    measured = log.run("evaluate reader", lambda: reader.evaluate(read, [data / "mined_val"]))
    random = reader.evaluate(read, [data / "crops_val"])
    measured |= {f"random_{name}": random[name] for name in ("kind_right", "halves_right", "corner_error")}
    if found is not None and recipe.second.localiser is not None:
        size_px = recipe.second.localiser.size_px
        map50 = log.run("evaluate localiser", lambda: localiser.validate(found, folder / "localiser" / "data.yaml", size_px))
        measured |= {f"map50_{name}": value for name, value in map50.items()}
    return dict(measured)


def _describe(recipe: Recipe, weights: Path, measured: dict[str, float]) -> dict[str, Any]:
    """Write weights.json: temperatures, recipe, figures on the rendered validation sets, hashes of the networks that are there."""
    about = {
        "kind_temperature": round(measured["kind_temperature"], 4),
        "half_temperature": round(measured["half_temperature"], 4),
        "measured": {k: round(v, 4) for k, v in measured.items()},
        "recipe": asdict(recipe),
        "sha256": {name: sha256(weights / name) for name in NETWORKS if (weights / name).is_file()},
    }
    (weights / "weights.json").write_text(json.dumps(about, indent=1) + "\n")
    return about


def prefer_fast_malloc(argv: list[str]) -> None:
    """Start this process again with the allocator settings, which glibc reads only once."""
    import sys

    if os.environ.get("MALLOC_ARENA_MAX") == "1" or not sys.platform.startswith("linux"):
        return
    os.execve(sys.executable, [sys.executable, *argv], {**os.environ, **MALLOC})
