"""Train the reader, a small convolutional network on rectified crops; calibrate its probabilities; export it to ONNX.

One pass reads what the crop shows, where the corners are and the number of the LEFT half; the right half is read from the crop turned
by 180 degrees. So both halves share every weight, and the two passes check each other on the rest.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from models.reader import CROP_SIZE
from models.training.cpu import fast_bfloat16
from models.training.restart import hold_normalisation, load_exported

CORNER_SCALE = 5.0  # weight of the corner loss


@dataclass(frozen=True, slots=True)
class ReaderRecipe:
    """steps: batches in all; lr: peak of a one-cycle schedule.

    share: of the trained weights in the result; the rest are those that the training started from. The mean of the two keeps what the
    start could do on pictures that the new crops do not show.
    """

    steps: int = 6000
    batch: int = 96
    lr: float = 3e-3
    seed: int = 0
    save_every: int = 250
    share: float = 1.0


def build_network() -> Any:
    """The network as a torch module: crops Nx3x64x96 float 0-255 -> kind logits Nx4, corner offsets Nx8, left-half logits Nx7."""
    import torch
    from torch import nn

    from models.training.layers import conv, residual, same_exposure

    class Reader(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.features = nn.Sequential(
                conv(3, 24, 2), conv(24, 40, 2), residual(40), conv(40, 80, 2), residual(80), residual(80),
                nn.Conv2d(80, 32, 1), nn.SiLU(), nn.Flatten(),
            )  # fmt: skip
            flat = 32 * (CROP_SIZE[0] // 8) * (CROP_SIZE[1] // 8)
            self.trunk = nn.Sequential(nn.Dropout(0.1), nn.Linear(flat, 160), nn.SiLU())
            self.kind, self.corners, self.left = nn.Linear(160, 4), nn.Linear(160, 8), nn.Linear(160, 7)

        def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
            t = self.trunk(self.features(same_exposure(x)))
            return self.kind(t), self.corners(t), self.left(t)

    return Reader()


def load_crops(folders: Sequence[Path]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """All crops of some folders: NxHxWx3 uint8, kinds, corner offsets, halves."""
    files = [file for folder in folders for file in sorted(folder.glob("*.npz")) if ".part" not in file.name]
    parts = [np.load(file) for file in files]
    return tuple(np.concatenate([part[name] for part in parts]) for name in ("crops", "kinds", "corners", "halves"))  # type: ignore[return-value]


def turned(corners: np.ndarray) -> np.ndarray:
    """Corner offsets (Nx8) after the crop is turned by 180 degrees."""
    return -corners.reshape(-1, 4, 2)[:, [2, 3, 0, 1]].reshape(-1, 8)


def changed_light(crops: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Light, contrast, colour and noise. NxHxWx3 float32."""
    n = len(crops)
    x = crops.astype(np.float32)
    x = x * rng.uniform(0.7, 1.3, (n, 1, 1, 3)).astype(np.float32) + rng.normal(0, 8, (n, 1, 1, 3)).astype(np.float32)
    x += rng.normal(0, 1, x.shape).astype(np.float32) * rng.uniform(0, 7, (n, 1, 1, 1)).astype(np.float32)
    grey = rng.random(n) < 0.15
    x[grey] = x[grey].mean(axis=-1, keepdims=True)
    swap = rng.random(n) < 0.3
    x[swap] = x[swap][..., rng.permutation(3)]
    return np.clip(x, 0, 255)


def _batches(data: tuple[np.ndarray, ...], batch: int, seed: int) -> Iterator[tuple[np.ndarray, ...]]:
    crops, kinds, corners, halves = data
    rng = np.random.default_rng(seed)
    while True:
        order = rng.permutation(len(crops))
        for k in range(0, len(order) - batch + 1, batch):
            pick = order[k : k + batch]
            x, o, h = changed_light(crops[pick], rng), corners[pick].copy(), halves[pick].copy()
            flip = rng.random(batch) < 0.5
            x[flip], o[flip], h[flip] = x[flip][:, ::-1, ::-1], turned(o[flip]), h[flip][:, ::-1]
            yield np.ascontiguousarray(x.transpose(0, 3, 1, 2)), kinds[pick], o, h


def _loss(out: Any, kinds: Any, corners: Any, left: Any) -> Any:
    from torch.nn import functional as f

    kind, offset, number = (o.float() for o in out)
    tile, known = kinds < 3, left >= 0
    loss = f.cross_entropy(kind, kinds)
    loss = loss + CORNER_SCALE * f.smooth_l1_loss(offset[tile], corners[tile], beta=0.02)
    return loss + f.cross_entropy(number[known], left[known])


class _Training:
    """Network, optimiser and schedule of one run, at `step`; saved together and taken up together."""

    def __init__(self, recipe: ReaderRecipe, start: Path | None) -> None:
        import torch

        torch.manual_seed(recipe.seed)
        self.net = build_network().to(memory_format=torch.channels_last)
        self.optimizer = torch.optim.AdamW(self.net.parameters(), lr=recipe.lr, weight_decay=1e-2)
        self.schedule = torch.optim.lr_scheduler.OneCycleLR(
            self.optimizer, recipe.lr, total_steps=recipe.steps + 1, pct_start=0.1
        )
        self.step, self._held = 0, start is not None
        if start is not None:
            load_exported(self.net, start, torch.zeros(2, 3, CROP_SIZE[1], CROP_SIZE[0]))

    def take_up(self, file: Path) -> None:
        """Go on where a run was stopped."""
        import torch

        saved = torch.load(file, weights_only=False)
        for part in ("net", "optimizer", "schedule"):
            getattr(self, part).load_state_dict(saved[part])
        self.step = saved["step"]

    def save(self, file: Path) -> None:
        """Whole or not at all."""
        import torch

        parts = {part: getattr(self, part).state_dict() for part in ("net", "optimizer", "schedule")}
        torch.save(parts | {"step": self.step}, file.with_suffix(".part"))
        file.with_suffix(".part").rename(file)

    def learn(self, x: np.ndarray, kinds: np.ndarray, corners: np.ndarray, halves: np.ndarray) -> float:
        """One batch; its loss."""
        import torch

        self.net.train()
        if self._held:
            hold_normalisation(self.net)
        images = torch.from_numpy(x).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16, enabled=fast_bfloat16()):
            result = self.net(images)
        truth = ((kinds, np.int64), (corners, np.float32), (halves[:, 0], np.int64))
        loss = _loss(result, *(torch.from_numpy(values.astype(kind)) for values, kind in truth))
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimizer.step()
        self.schedule.step()
        self.step += 1
        return float(loss.detach())


def train(recipe: ReaderRecipe, crops: Sequence[Path], out: Path, start: Path | None = None) -> Path:
    """Train from nothing or from the exported network `start`; a run that was stopped goes on from out/reader.pt.

    crops: folders of crops. Gives the path of the finished checkpoint.
    """
    import torch

    out.mkdir(parents=True, exist_ok=True)
    file, done = out / "reader.pt", out / "reader_done.pt"
    if done.exists():
        return done
    run, total = _Training(recipe, start), 0.0
    if file.exists():
        run.take_up(file)
    with (out / "log.jsonl").open("a") as log:
        for batch in _batches(load_crops(crops), recipe.batch, recipe.seed + run.step):
            if run.step >= recipe.steps:
                break
            total += run.learn(*batch)
            if run.step % recipe.save_every == 0 or run.step == recipe.steps:
                run.save(file)
                log.write(json.dumps({"step": run.step, "loss": total / recipe.save_every}) + "\n")
                log.flush()
                total = 0.0
    trained = {k: v.clone() for k, v in run.net.state_dict().items()}
    if start is not None and recipe.share < 1:
        load_exported(run.net, start, torch.zeros(2, 3, CROP_SIZE[1], CROP_SIZE[0]))
        trained = mean_of(run.net.state_dict(), trained, recipe.share)
    torch.save({"net": trained}, done)
    return done


def mean_of(start: dict[str, Any], trained: dict[str, Any], share: float) -> dict[str, Any]:
    """Weights between two trainings of one network: `share` of the second, the rest of the first."""
    return {k: v * share + start[k] * (1 - share) if v.is_floating_point() else v for k, v in trained.items()}


def _logits(checkpoint: Path, crops: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    import torch

    net = build_network()
    net.load_state_dict(torch.load(checkpoint, weights_only=False)["net"])
    net.eval()
    out = []
    with torch.no_grad():
        for k in range(0, len(crops), 256):
            x = torch.from_numpy(crops[k : k + 256].astype(np.float32).transpose(0, 3, 1, 2).copy())
            out.append([o.numpy() for o in net(x)])
    return tuple(np.concatenate(column) for column in zip(*out, strict=True))  # type: ignore[return-value]


def _temperature(logits: np.ndarray, truth: np.ndarray) -> float:
    """The temperature with the least cross entropy (grid search)."""

    def entropy(t: float) -> float:
        z = logits / t
        z = z - z.max(axis=1, keepdims=True)
        return float(-(z[np.arange(len(z)), truth] - np.log(np.exp(z).sum(axis=1))).mean())

    return float(min(np.geomspace(0.5, 5.0, 60), key=entropy))


def evaluate(checkpoint: Path, crops: Sequence[Path]) -> dict[str, float]:
    """Accuracy of kind and halves, corner error, and the temperatures that calibrate the two, on crop sets."""
    data = load_crops(crops)
    kind, corners, left = _logits(checkpoint, data[0])
    tile, known = data[1] < 3, data[3][:, 0] >= 0
    error = np.linalg.norm((corners - data[2])[tile].reshape(-1, 4, 2), axis=2).mean()
    return {
        "kind_right": float((kind.argmax(1) == data[1]).mean()),
        "halves_right": float((left[known].argmax(1) == data[3][known, 0]).mean()),
        "corner_error": float(error),
        "kind_temperature": _temperature(kind, data[1].astype(int)),
        "half_temperature": _temperature(left[known], data[3][known, 0].astype(int)),
    }


def export(checkpoint: Path, onnx_file: Path) -> Path:
    """Export to ONNX: input `crops` Nx3x64x96 float 0-255 (BGR), outputs `kind`, `corners`, `left`."""
    import torch

    net = build_network()
    net.load_state_dict(torch.load(checkpoint, weights_only=False)["net"])
    net.eval()
    onnx_file.parent.mkdir(parents=True, exist_ok=True)
    example = torch.zeros(2, 3, CROP_SIZE[1], CROP_SIZE[0])
    torch.onnx.export(
        net, (example,), str(onnx_file), input_names=["crops"], output_names=["kind", "corners", "left"],
        dynamic_axes={name: {0: "n"} for name in ("crops", "kind", "corners", "left")}, opset_version=17, dynamo=False,
    )  # fmt: skip
    return onnx_file
