"""Teach an exported reader to read the right half too, so that one look at a crop reads a whole tile.

The reader's convolutions stay as they are; they see both halves alike. A second head starts as the left one's weights moved along by half
a tile and learns from labels and from what the reader itself says of the same crop turned by 180 degrees. A few minutes on one core.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from models.reader import CROP_SIZE, TILE_SIZE
from models.training.reader import _augment, load_crops

CELL = 8  # px of the crop that one cell of the features stands for


@dataclass(frozen=True, slots=True)
class FarHalfRecipe:
    """crops: how many are looked at, each twice (both ways round); label_share: of labels against the reader's own word."""

    crops: int = 24000
    epochs: int = 10
    batch: int = 256
    lr: float = 1.5e-3
    label_share: float = 0.5
    seed: int = 0


def add_far_half(reader: Path, crops: Sequence[Path], out: Path, recipe: FarHalfRecipe = FarHalfRecipe()) -> Path:
    """Give the exported network `reader` a fourth output `right` (Nx7 logits), learnt on folders of crops; writes `out`."""
    import onnx

    model = onnx.load(str(reader))
    features, truth, teacher = _looks(model, crops, recipe)
    heads = _learn(_shifted(_weights(model)), features, truth, teacher, recipe)
    _splice(model, heads)
    onnx.checker.check_model(model)
    onnx.save(model, str(out))
    return out


def _weights(model: Any) -> dict[str, np.ndarray]:
    from onnx import numpy_helper

    names = ("trunk.1.weight", "trunk.1.bias", "left.weight", "left.bias")
    found = {i.name: numpy_helper.to_array(i) for i in model.graph.initializer if i.name in names}
    return {name: found[name].copy() for name in names}


def _feature_name(model: Any) -> str:
    return next(node.input[0] for node in model.graph.node if "trunk.1.weight" in node.input)


def _shifted(weights: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The left head's weights, looking half a tile further to the right."""
    rows, columns, step = CROP_SIZE[1] // CELL, CROP_SIZE[0] // CELL, TILE_SIZE[0] // 2 // CELL
    kernel = weights["trunk.1.weight"]
    cells = kernel.reshape(len(kernel), -1, rows, columns)
    moved = np.zeros_like(cells)
    moved[..., step:] = cells[..., : columns - step]
    return {**weights, "trunk.1.weight": moved.reshape(len(kernel), -1)}


def _looks(model: Any, crops: Sequence[Path], recipe: FarHalfRecipe) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features (float16), labels of the right half (-1: not known) and the reader's probabilities for it, each crop both ways round."""
    import onnxruntime
    from onnx import TensorProto, helper

    probe = type(model)()
    probe.CopyFrom(model)
    name = _feature_name(model)
    probe.graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", None]))
    session = onnxruntime.InferenceSession(probe.SerializeToString(), providers=["CPUExecutionProvider"])
    images, kinds, _, halves = load_crops(crops)
    rng = np.random.default_rng(recipe.seed)
    tiles = np.flatnonzero(kinds == 0)
    tiles = rng.permutation(tiles)[: recipe.crops]
    parts = []
    for k in range(0, len(tiles), 128):
        pick = tiles[k : k + 128]
        x = _augment(images[pick], rng)
        (seen, left), (turned_seen, right) = (_run(session, name, view) for view in (x, x[:, ::-1, ::-1]))
        parts.append((seen, halves[pick, 1], right))
        parts.append((turned_seen, halves[pick, 0], left))
    features, truth, teacher = (np.concatenate(column) for column in zip(*parts, strict=True))
    return features, truth.astype(np.int64), teacher


def _run(session: Any, name: str, images: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    batch = np.ascontiguousarray(images.transpose(0, 3, 1, 2), np.float32)
    features, left = session.run([name, "left"], {"crops": batch})
    odds = np.exp(left - left.max(axis=1, keepdims=True))
    return features.astype(np.float16), odds / odds.sum(axis=1, keepdims=True)


def _learn(
    start: dict[str, np.ndarray], features: np.ndarray, truth: np.ndarray, teacher: np.ndarray, recipe: FarHalfRecipe
) -> dict[str, np.ndarray]:
    import torch
    from torch import nn

    torch.manual_seed(recipe.seed)
    values = [nn.Parameter(torch.from_numpy(v)) for v in start.values()]
    steps = recipe.epochs * -(-len(features) // recipe.batch)
    optimizer = torch.optim.AdamW(values, lr=recipe.lr, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, recipe.lr, total_steps=steps, pct_start=0.1)
    for _ in range(recipe.epochs):
        for pick in torch.randperm(len(features)).split(recipe.batch):
            hidden = nn.functional.dropout(torch.from_numpy(features[pick].astype(np.float32)), 0.1)
            logits = nn.functional.linear(nn.functional.silu(nn.functional.linear(hidden, *values[:2])), *values[2:])
            loss = nn.functional.cross_entropy(logits, torch.from_numpy(teacher[pick])) * (1 - recipe.label_share)
            known = torch.from_numpy(truth[pick])
            loss = loss + nn.functional.cross_entropy(logits, known, ignore_index=-1) * recipe.label_share
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    return {name: value.detach().numpy() for name, value in zip(start, values, strict=True)}


def _splice(model: Any, heads: dict[str, np.ndarray]) -> None:
    """Add the second head and its output `right` to the graph."""
    from onnx import TensorProto, helper, numpy_helper

    rename = {
        "trunk.1.weight": "far.weight",
        "trunk.1.bias": "far.bias",
        "left.weight": "right.weight",
        "left.bias": "right.bias",
    }
    graph = model.graph
    graph.initializer.extend(numpy_helper.from_array(heads[old], new) for old, new in rename.items())
    graph.node.extend(
        [
            helper.make_node("Gemm", [_feature_name(model), "far.weight", "far.bias"], ["far_sum"], transB=1),
            helper.make_node("Sigmoid", ["far_sum"], ["far_gate"]),
            helper.make_node("Mul", ["far_sum", "far_gate"], ["far"]),
            helper.make_node("Gemm", ["far", "right.weight", "right.bias"], ["right"], transB=1),
        ]
    )
    graph.output.append(helper.make_tensor_value_info("right", TensorProto.FLOAT, ["n", 7]))
