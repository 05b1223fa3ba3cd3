"""Layers that the reader and the verifier are built of, as torch modules."""

from __future__ import annotations

from typing import Any


def conv(cin: int, cout: int, stride: int = 1) -> Any:
    """A 3x3 convolution with batch normalisation and SiLU: NxCxHxW, H and W divided by `stride`."""
    from torch import nn

    return nn.Sequential(nn.Conv2d(cin, cout, 3, stride, 1, bias=False), nn.BatchNorm2d(cout), nn.SiLU())


def residual(c: int) -> Any:
    """Two convolutions of c channels, added to what came in."""
    from torch import nn

    class Residual(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.body = nn.Sequential(conv(c, c), nn.Conv2d(c, c, 3, 1, 1, bias=False), nn.BatchNorm2d(c))

        def forward(self, x: Any) -> Any:
            return nn.functional.silu(x + self.body(x))

    return Residual()


def same_exposure(x: Any) -> Any:
    """Crops (NxCxHxW, 0-255) less their mean, over their spread: exposure falls out, and a flat crop stays flat."""
    mean = x.mean(dim=(1, 2, 3), keepdim=True)
    spread = (x - mean).pow(2).mean(dim=(1, 2, 3), keepdim=True).sqrt()
    return (x - mean) / (spread + 4.0)
