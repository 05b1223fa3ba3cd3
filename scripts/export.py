"""`miron export`: the trained networks as files of other runtimes."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Annotated

import typer

from models.detector import NETWORKS, WEIGHTS
from rules.errors import BadInput


def command(
    weights: Annotated[Path, typer.Option(help="Folder with the ONNX networks.")] = WEIGHTS,
    out: Annotated[
        Path | None, typer.Option(help="Where the files go; beside the networks unless told.", show_default=False)
    ] = None,
) -> None:
    """Make NCNN's files from the trained networks. OpenVINO reads the ONNX files as they are."""
    for name in NETWORKS:
        if not (weights / name).is_file():
            raise BadInput(f"expected trained weights in {weights}, found no {name}; name another folder or run `miron train`")
    for module, how in (("onnx", "onnx"), ("pnnx", "--no-deps pnnx==20260526")):
        if importlib.util.find_spec(module) is None:
            raise BadInput(f"expected the package {module}, found none; run pip install {how}")
    from models.training.ncnn_files import write_ncnn

    for file in write_ncnn(weights, out or weights):
        print(f"{file} ({file.stat().st_size / 1e6:.1f} MB)")
