"""What runs the networks: ONNX Runtime by default, OpenVINO or NCNN where they are installed. One thread count, float32 everywhere.

Each runtime gives a `Session`: `run(outputs, {input: array})`, as ONNX Runtime has it. OpenVINO reads the same ONNX files; NCNN has
files of its own beside them, made by `miron export`.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from rules.errors import BadInput

RUNTIMES = ("onnxruntime", "openvino", "ncnn")
BATCH = 32  # items that ONNX Runtime is given at once
NCNN_NOTE = "ncnn.json"  # beside NCNN's files: hashes of what they were made from, and their own


class Session(Protocol):
    """A loaded network."""

    def run(self, outputs: Sequence[str], feeds: Mapping[str, np.ndarray]) -> list[np.ndarray]:
        """The named outputs for one batch of input."""


def open_session(file: Path, threads: int = 0, runtime: str = "onnxruntime") -> tuple[Session, frozenset[str]]:
    """Load the network of an ONNX file; gives it with the names of its outputs. threads: 0 for all cores.

    NCNN takes the files of the same name that end in .ncnn.param and .ncnn.bin.
    BadInput for an unknown runtime, one that is not installed, a file that does not load and NCNN files made from another network.
    """
    if runtime not in RUNTIMES:
        raise BadInput(f"expected a runtime of {', '.join(RUNTIMES)}, found {runtime!r}; name one of them")
    if importlib.util.find_spec(runtime) is None:
        raise BadInput(f"expected {runtime} to be installed, found no such package; run pip install -e '.[{runtime}]'")
    try:
        return {"onnxruntime": _onnxruntime, "openvino": _openvino, "ncnn": _ncnn}[runtime](file, threads)
    except BadInput:
        raise
    except Exception as error:  # each runtime raises its own kinds
        kind = type(error).__name__
        raise BadInput(f"expected a network in {file}, found none that loads ({kind}); restore models/weights") from error


def sha256(file: Path) -> str:
    """Of a file's bytes, hex."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def made_from(weights: Path) -> dict[str, str]:
    """SHA-256 of the ONNX files that NCNN's files in a folder were made from, by name; empty where there are none."""
    note = weights / NCNN_NOTE
    return dict(json.loads(note.read_text())["made_from"]) if note.is_file() else {}


class _OnnxRuntime:
    """Runs a large batch in parts: the memory that is needed grows with a part, and two small ones are no slower than a large one."""

    def __init__(self, session: Any) -> None:
        self._session = session

    def run(self, outputs: Sequence[str], feeds: Mapping[str, np.ndarray]) -> list[np.ndarray]:
        ((name, batch),) = feeds.items()
        if len(batch) <= BATCH:
            return list(self._session.run(list(outputs), {name: batch}))
        parts = [self._session.run(list(outputs), {name: batch[k : k + BATCH]}) for k in range(0, len(batch), BATCH)]
        return [np.concatenate(column) for column in zip(*parts, strict=True)]


def _onnxruntime(file: Path, threads: int) -> tuple[Session, frozenset[str]]:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    options.enable_cpu_mem_arena = False  # the arena keeps the largest look's memory for ever, and picture sizes differ
    # Threads that wait for work by spinning take the other programs' time: video, recording, pages.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    return _OnnxRuntime(session), frozenset(o.name for o in session.get_outputs())


class _OpenVino:
    def __init__(self, compiled: Any) -> None:
        self._compiled = compiled

    def run(self, outputs: Sequence[str], feeds: Mapping[str, np.ndarray]) -> list[np.ndarray]:
        found = self._compiled(dict(feeds))
        return [np.array(found[name]) for name in outputs]


def _openvino(file: Path, threads: int) -> tuple[Session, frozenset[str]]:
    import openvino

    # On some machines it would take bfloat16 by itself, which moves corners by a third of a pixel.
    hints = {"INFERENCE_PRECISION_HINT": "f32", "PERFORMANCE_HINT": "LATENCY"} | (
        {"INFERENCE_NUM_THREADS": threads} if threads else {}
    )
    compiled = openvino.Core().compile_model(str(file), "CPU", hints)
    return _OpenVino(compiled), frozenset(o.any_name for o in compiled.outputs)


class _Ncnn:
    """Runs one item of a batch at a time: NCNN has no batches."""

    def __init__(self, net: Any) -> None:
        self._net = net

    def run(self, outputs: Sequence[str], feeds: Mapping[str, np.ndarray]) -> list[np.ndarray]:
        ((name, batch),) = feeds.items()
        rows = [self._one(outputs, name, item) for item in batch]
        return [np.stack(column) for column in zip(*rows, strict=True)]

    def _one(self, outputs: Sequence[str], name: str, item: np.ndarray) -> list[np.ndarray]:
        import ncnn

        extractor = self._net.create_extractor()
        extractor.input(name, ncnn.Mat(np.ascontiguousarray(item)).clone())
        found = []
        for output in outputs:
            code, mat = extractor.extract(output)
            if code != 0:
                raise RuntimeError(f"NCNN gave {code} for {output}")
            found.append(np.array(mat))
        return found


def _ncnn(file: Path, threads: int) -> tuple[Session, frozenset[str]]:
    import ncnn

    if made_from(file.parent).get(file.name) != sha256(file):
        raise BadInput(f"expected NCNN files made from {file}, found none or those of another network; run `miron export`")
    net = ncnn.Net()
    if threads:
        net.opt.num_threads = threads
    for option in ("use_fp16_packed", "use_fp16_storage", "use_fp16_arithmetic", "use_bf16_storage"):
        setattr(net.opt, option, False)
    param, weights = (file.with_suffix(f".ncnn.{kind}") for kind in ("param", "bin"))
    if net.load_param(str(param)) != 0 or net.load_model(str(weights)) != 0:
        raise FileNotFoundError(param)
    return _Ncnn(net), frozenset(net.output_names())
