"""Train the verifier, a small convolutional network on wide crops of what the detector claims; export it to ONNX."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from models.training.reader import changed_light
from models.verifier import CROP_SIZE
from rules.errors import BadInput


@dataclass(frozen=True, slots=True)
class VerifierRecipe:
    """steps: batches in all; lr: peak of a one-cycle schedule; real: share of real tiles in a batch."""

    steps: int = 1500
    batch: int = 64
    lr: float = 2e-3
    real: float = 0.4
    seed: int = 0
    save_every: int = 100


def build_network() -> Any:
    """The network as a torch module: crops Nx3x96x128 float 0-255 -> log-odds N that a real tile is in the middle."""
    import torch
    from torch import nn

    from models.training.layers import conv, residual, same_exposure

    class Verifier(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.features = nn.Sequential(
                conv(3, 20, 2), conv(20, 32, 2), residual(32), conv(32, 64, 2), residual(64), conv(64, 96, 2), residual(96)
            )
            self.head = nn.Sequential(nn.Dropout(0.2), nn.Linear(2 * 96, 64), nn.SiLU(), nn.Linear(64, 1))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            seen = self.features(same_exposure(x))
            tile = seen[:, :, 2:4, 2:6].mean((2, 3))
            return self.head(torch.cat([seen.mean((2, 3)), tile], 1))[:, 0]

    return Verifier()


def load_claims(folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """All crops of a folder (NxHxWx3 uint8), and whether a tile is there (N)."""
    files = [file for file in sorted(folder.glob("*.npz")) if ".part" not in file.name]
    parts = [np.load(file) for file in files]
    if not sum(len(part["real"]) for part in parts):
        raise BadInput(f"expected claims of the detector in {folder}, found none; train localiser and reader first")
    return np.concatenate([part["crops"] for part in parts]), np.concatenate([part["real"] for part in parts])


def _batches(crops: np.ndarray, real: np.ndarray, recipe: VerifierRecipe, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(seed)
    chance = np.where(real, recipe.real / max(real.sum(), 1), (1 - recipe.real) / max((~real).sum(), 1))
    while True:
        pick = rng.choice(len(real), recipe.batch, p=chance / chance.sum())
        yield _varied(crops[pick], rng), real[pick].astype(np.float32)


def _varied(crops: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Light, colour and noise as for the reader; mirrored either way, and moved by up to 3 px. NxHxWx3 float32."""
    x = changed_light(crops, rng)
    for axis in (1, 2):
        flip = rng.random(len(x)) < 0.5
        x[flip] = np.flip(x[flip], axis)
    for one, shift in zip(x, rng.integers(-3, 4, (len(x), 2)), strict=True):
        one[:] = np.roll(one, tuple(shift), (0, 1))
    return x


def train(recipe: VerifierRecipe, claims: Path, out: Path) -> Path:
    """Train from nothing; a run that was stopped goes on from out/verifier.pt. Gives the path of the finished checkpoint."""
    import torch

    out.mkdir(parents=True, exist_ok=True)
    file, done = out / "verifier.pt", out / "verifier_done.pt"
    if done.exists():
        return done
    torch.manual_seed(recipe.seed)
    net = build_network().to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(net.parameters(), lr=recipe.lr, weight_decay=2e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, recipe.lr, total_steps=recipe.steps + 1, pct_start=0.1)
    parts, step, total = {"net": net, "optimizer": optimizer, "schedule": schedule}, 0, 0.0
    if file.exists():
        saved = torch.load(file, weights_only=False)
        step = saved["step"]
        for name, part in parts.items():
            part.load_state_dict(saved[name])
    with (out / "log.jsonl").open("a") as log:
        for crops, real in _batches(*load_claims(claims), recipe, recipe.seed + step):
            if step >= recipe.steps:
                break
            step, total = step + 1, total + _learn(parts, crops, real)
            if step % recipe.save_every == 0 or step == recipe.steps:
                torch.save({name: part.state_dict() for name, part in parts.items()} | {"step": step}, file.with_suffix(".part"))
                file.with_suffix(".part").rename(file)
                log.write(json.dumps({"step": step, "loss": total / recipe.save_every}) + "\n")
                log.flush()
                total = 0.0
    torch.save({"net": net.state_dict()}, done)
    return done


def _learn(parts: dict[str, Any], crops: np.ndarray, real: np.ndarray) -> float:
    """One batch; its loss."""
    import torch

    parts["net"].train()
    images = torch.from_numpy(np.ascontiguousarray(crops.transpose(0, 3, 1, 2))).contiguous(memory_format=torch.channels_last)
    loss = torch.nn.functional.binary_cross_entropy_with_logits(parts["net"](images), torch.from_numpy(real))
    parts["optimizer"].zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(parts["net"].parameters(), 5.0)
    parts["optimizer"].step()
    parts["schedule"].step()
    return float(loss.detach())


def export(checkpoint: Path, onnx_file: Path) -> Path:
    """Export to ONNX: input `crops` Nx3x96x128 float 0-255 (BGR), output `real` (N log-odds)."""
    import torch

    net = build_network()
    net.load_state_dict(torch.load(checkpoint, weights_only=False)["net"])
    net.eval()
    onnx_file.parent.mkdir(parents=True, exist_ok=True)
    example = torch.zeros(2, 3, CROP_SIZE[1], CROP_SIZE[0])
    torch.onnx.export(
        net, (example,), str(onnx_file), input_names=["crops"], output_names=["real"],
        dynamic_axes={name: {0: "n"} for name in ("crops", "real")}, opset_version=17, dynamo=False,
    )  # fmt: skip
    return onnx_file
