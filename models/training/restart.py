"""Train on from exported networks: put the weights of an ONNX file back into a torch module and hold its normalisation still.

An export folds batch normalisation into the convolutions, so here each one becomes neutral (scale 1, shift the convolution's bias).
Left in evaluation mode, it is a plain scale and shift that goes on learning.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from rules.errors import BadInput

Layer = tuple[np.ndarray, np.ndarray | None]


def exported_layers(onnx_file: Path) -> dict[str, Layer]:
    """Weight and bias of the convolutions and linear layers of an ONNX file by the weight's name, in the order in which they run."""
    import onnx

    graph = onnx.load(str(onnx_file)).graph
    values = {one.name: onnx.numpy_helper.to_array(one) for one in graph.initializer}
    nodes = [node for node in graph.node if node.op_type in ("Conv", "Gemm") and node.input[1] in values]
    return {node.input[1]: (values[node.input[1]], values[node.input[2]] if len(node.input) > 2 else None) for node in nodes}


def layers_as_they_run(net: Any, example: Any) -> dict[str, tuple[Any, Any]]:
    """The convolutions and linear layers of a torch module by their weight's name, each with the batch normalisation right after it."""
    import torch
    from torch import nn

    ran: list[Any] = []
    kinds = (nn.Conv2d, nn.Linear, nn.BatchNorm2d)
    names = {m: name for name, m in net.named_modules() if isinstance(m, kinds)}
    hooks = [m.register_forward_hook(lambda m, *_: ran.append(m)) for m in names]
    net.eval()
    with torch.no_grad():
        net(example)
    for hook in hooks:
        hook.remove()
    pairs = zip(ran, [*ran[1:], None], strict=True)
    return {
        f"{names[m]}.weight": (m, n if isinstance(n, nn.BatchNorm2d) else None)
        for m, n in pairs
        if not isinstance(m, nn.BatchNorm2d)
    }


def load_exported(net: Any, onnx_file: Path, example: Any) -> None:
    """Give a torch module the weights that were exported from one like it. BadInput where the two do not match.

    Layers go together by name; those that the export has renamed, by the order in which they run.
    """
    import torch

    exported, own = exported_layers(onnx_file), layers_as_they_run(net, example)
    renamed = zip([n for n in exported if n not in own], [n for n in own if n not in exported], strict=False)
    theirs = dict.fromkeys(exported) | {new: new for new in exported if new in own} | dict(renamed)
    pairs = [(exported[a], own[b]) for a, b in theirs.items() if b is not None]
    if len(pairs) != len(own) or any(weight.shape != tuple(m.weight.shape) for (weight, _), (m, _) in pairs):
        raise BadInput(f"expected the {len(own)} layers of this network in {onnx_file}, found other ones; train from nothing")
    with torch.no_grad():
        for (weight, bias), (layer, norm) in pairs:
            layer.weight.copy_(torch.from_numpy(weight.copy()))
            if norm is not None:
                norm.running_mean.zero_()
                norm.running_var.fill_(1 - norm.eps)
                norm.weight.fill_(1)
            target = layer.bias if norm is None else norm.bias
            if target is not None and bias is not None:
                target.copy_(torch.from_numpy(bias.copy()))


def hold_normalisation(net: Any) -> None:
    """Batch normalisation keeps its statistics from now on, until the next call of train()."""
    from torch import nn

    for m in net.modules():
        if isinstance(m, nn.BatchNorm2d):
            m.eval()
