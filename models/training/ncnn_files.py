"""Make NCNN's files from the exported ONNX networks: needs `onnx` and the converter `pnnx`, no torch.

The localiser is cut before its boxes are decoded: NCNN would freeze the grid of the size that it was converted at. `models/heads.py`
decodes them.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from models.heads import HEADS
from models.runtimes import NCNN_NOTE, sha256
from rules.errors import BadInput

SHAPES = {
    "localiser": ("inputshape=[1,3,320,320]", "inputshape2=[1,3,480,640]"),
    "reader": ("inputshape=[1,3,64,96]",),
    "verifier": ("inputshape=[1,3,96,128]",),
}


def write_ncnn(weights: Path, out: Path) -> list[Path]:
    """Write every network as .ncnn.param and .ncnn.bin into `out`; gives those files. ncnn.json says what they were made from."""
    out.mkdir(parents=True, exist_ok=True)
    written = []
    for name in SHAPES:
        with tempfile.TemporaryDirectory() as place:
            part, outputs = _raw(weights / f"{name}.onnx", Path(place))
            _convert(part, SHAPES[name])
            written += _named(part, ["images" if name == "localiser" else "crops"], outputs, out / f"{name}.onnx")
    note = {
        "made_from": {f"{name}.onnx": sha256(weights / f"{name}.onnx") for name in SHAPES},
        "sha256": {file.name: sha256(file) for file in written},
    }
    (out / NCNN_NOTE).write_text(json.dumps(note, indent=1) + "\n")
    return written


def _raw(file: Path, place: Path) -> tuple[Path, list[str]]:
    """A copy of the network in `place`, the localiser's without the decoding; and the names of its outputs.

    A last step that takes the one column of an Nx1 output is left out: pnnx makes a reshaping of it that NCNN does not run.
    """
    import onnx

    model = onnx.load(str(file))
    part = place / file.name
    if all(o.name != "output0" for o in model.graph.output):
        names = [o.name for o in model.graph.output]
        last = model.graph.node[-1]
        if last.op_type == "Gather" and list(last.output) == names:
            onnx.utils.extract_model(str(file), str(part), [model.graph.input[0].name], [last.input[0]])
        else:
            onnx.save(model, str(part))
        return part, names
    inside = [_last_convolution(model, f"{head}.{level}.2.weight") for level in (0, 1) for head in HEADS]
    onnx.utils.extract_model(str(file), str(part), [model.graph.input[0].name], inside)
    return part, [f"{name}{level}" for level in (0, 1) for name in HEADS.values()]


def _last_convolution(model: Any, weight: str) -> str:
    """The output of the convolution with this weight."""
    for node in model.graph.node:
        if node.op_type == "Conv" and node.input[1].endswith(weight):
            return str(node.output[0])
    raise BadInput(f"expected a localiser with a convolution {weight}, found none; export it again")


def _convert(file: Path, shapes: Sequence[str]) -> None:
    # fp16=0: half precision in the file would be half precision in the answer.
    done = subprocess.run([str(_converter()), file.name, *shapes, "fp16=0"], cwd=file.parent, capture_output=True, text=True)
    if not file.with_suffix(".ncnn.param").is_file():
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise BadInput(f"expected pnnx to convert {file.name}, found {last}; install pnnx 20260526 or later")


def _converter() -> Path:
    """The program inside the package pnnx, whose own entry point asks for torch."""
    found = importlib.util.find_spec("pnnx")
    if found is None or not found.submodule_search_locations:
        raise BadInput("expected the converter pnnx, found none; run pip install --no-deps pnnx==20260526")
    return Path(found.submodule_search_locations[0]) / "pnnx"


def _named(part: Path, inputs: Sequence[str], outputs: Sequence[str], target: Path) -> list[Path]:
    """Take pnnx's two files over, with its in0, out0 … called by the names of the ONNX file."""
    names = {f"in{k}": name for k, name in enumerate(inputs)} | {f"out{k}": name for k, name in enumerate(outputs)}
    rows = part.with_suffix(".ncnn.param").read_text().splitlines()
    param, weights = target.with_suffix(".ncnn.param"), target.with_suffix(".ncnn.bin")
    param.write_text("\n".join(rows[:2] + [" ".join(names.get(w, w) for w in row.split()) for row in rows[2:]]) + "\n")
    weights.write_bytes(part.with_suffix(".ncnn.bin").read_bytes())
    return [param, weights]
