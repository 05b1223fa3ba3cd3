"""Layers that the reader and the verifier are built of. Imports torch: to be imported where a network is built."""

from __future__ import annotations

import torch
from torch import nn


def conv(cin: int, cout: int, stride: int = 1) -> nn.Sequential:
    """A 3x3 convolution with batch normalisation and SiLU: NxCxHxW, H and W divided by `stride`."""
    return nn.Sequential(nn.Conv2d(cin, cout, 3, stride, 1, bias=False), nn.BatchNorm2d(cout), nn.SiLU())


class Residual(nn.Module):
    """Two convolutions of c channels, added to what came in."""

    def __init__(self, c: int) -> None:
        super().__init__()
        self.body = nn.Sequential(conv(c, c), nn.Conv2d(c, c, 3, 1, 1, bias=False), nn.BatchNorm2d(c))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return nn.functional.silu(x + self.body(x))


def same_exposure(x: torch.Tensor) -> torch.Tensor:
    """Crops (NxCxHxW, 0-255) less their mean over their spread: exposure falls out, and a flat crop stays flat."""
    mean = x.mean(dim=(1, 2, 3), keepdim=True)
    spread = (x - mean).pow(2).mean(dim=(1, 2, 3), keepdim=True).sqrt()
    return (x - mean) / (spread + 4.0)
