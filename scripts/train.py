"""`miron train`: the detector from nothing: scenes, localiser, reader, calibration, export."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from models.detector import WEIGHTS
from rules.errors import BadInput


def command(
    folder: Annotated[
        Path, typer.Option(help="Where data sets and checkpoints are kept; a stopped run goes on from there.")
    ] = Path("runs/train"),
    weights: Annotated[Path, typer.Option(help="Where the finished networks go.")] = WEIGHTS,
    smoke: Annotated[bool, typer.Option(help="A few scenes and steps only, to see that every stage works.")] = False,
    workers: Annotated[int, typer.Option(min=1, help="Processes that render.")] = os.cpu_count() or 2,
) -> None:
    """Render, train, calibrate, export and measure the detector; write its card. About three hours on two cores.

    Needs the extra `train`.
    """
    for module in ("torch", "ultralytics", "onnx", "pnnx"):
        if importlib.util.find_spec(module) is None:
            raise BadInput(f"expected the extra `train`, found no {module}; run `make train` or pip install -e '.[train]'")
    if smoke and weights.resolve() == WEIGHTS.resolve():
        raise BadInput("expected another --weights folder for a smoke run, found the shipped one; name a new folder")
    from models.training.run import SMOKE, STANDARD, prefer_fast_malloc, train

    prefer_fast_malloc(sys.argv)
    about = train(SMOKE if smoke else STANDARD, folder, weights, workers)
    for name, value in about["measured"].items():
        print(f"{name:20} {value:.4f}")
    print(f"{'card':20} {folder / 'card.md'}")
