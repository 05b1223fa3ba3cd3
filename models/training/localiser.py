"""Train the localiser, a small YOLO-OBB built from a YAML, with ultralytics; export it to ONNX.

ultralytics refuses mixed precision on a CPU, so the network's forward pass is wrapped here where the processor has bfloat16: bfloat16
inside, float32 for the loss.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.training.cpu import fast_bfloat16
from models.training.restart import hold_normalisation, load_exported

MODEL_YAML = Path(__file__).with_name("yolo11n-tiles-obb.yaml")
NAMES = ("face_up", "face_down", "standing")


@dataclass(frozen=True, slots=True)
class LocaliserRecipe:
    """size_px: side of the training pictures; the other names are ultralytics' own."""

    size_px: int = 320
    epochs: int = 8
    batch: int = 16
    lr: float = 2e-3
    seed: int = 0
    device: str = "cpu"


def _prepare_environment() -> None:
    os.environ.setdefault("YOLO_OFFLINE", "1")
    os.environ.setdefault("YOLO_AUTOINSTALL", "false")


def _trainer_class(start: Path | None = None) -> type:
    import torch
    from ultralytics.models.yolo.obb import OBBTrainer
    from ultralytics.nn.tasks import OBBModel

    def fp32(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return value.float() if value.is_floating_point() else value
        if isinstance(value, dict):
            return {k: fp32(v) for k, v in value.items()}
        if isinstance(value, (list, tuple)):
            return type(value)(fp32(v) for v in value)
        return value

    class TileTrainer(OBBTrainer):
        """ultralytics' trainer with the forward pass in bfloat16 on a CPU that has it."""

        def get_model(self, cfg: Any = None, weights: Any = None, verbose: bool = True) -> Any:
            model = OBBModel(cfg, nc=self.data["nc"], ch=3, verbose=False)
            if start is not None:
                load_exported(model, start, torch.zeros(1, 3, 64, 64))
                model.train()
            if weights is not None:
                model.load(weights)
            return model.to(memory_format=torch.channels_last)

        def _model_train(self) -> None:
            """Called before every epoch, on the live model only: the saved copy stays a plain one."""
            super()._model_train()
            if start is not None:
                hold_normalisation(self.model)
            if self.device.type != "cpu" or "predict" in vars(self.model) or not fast_bfloat16():
                return
            plain = self.model.predict

            def predict(x: Any, *args: Any, **kwargs: Any) -> Any:
                if not self.model.training:
                    return plain(x, *args, **kwargs)
                with torch.autocast("cpu", torch.bfloat16):
                    out = plain(x.to(memory_format=torch.channels_last), *args, **kwargs)
                return fp32(out)

            self.model.predict = predict

    return TileTrainer


def train(recipe: LocaliserRecipe, train_dir: Path, val_dir: Path, out: Path, start: Path | None = None) -> Path:
    """Train from nothing or from the exported network `start`; a run that was stopped goes on. Gives the path of the checkpoint."""
    _prepare_environment()
    from ultralytics import YOLO

    out.mkdir(parents=True, exist_ok=True)
    done = out / "weights" / "done.pt"
    if done.exists():
        return done
    data = out / "data.yaml"
    names = "".join(f"  {i}: {n}\n" for i, n in enumerate(NAMES))
    data.write_text(f"path: /\ntrain: {(train_dir / 'images').resolve()}\nval: {(val_dir / 'images').resolve()}\nnames:\n{names}")
    last = out / "weights" / "last.pt"
    settings: dict[str, Any] = dict(
        data=str(data), imgsz=recipe.size_px, epochs=recipe.epochs, batch=recipe.batch, nbs=recipe.batch, optimizer="AdamW",
        lr0=recipe.lr, lrf=0.01, cos_lr=True, weight_decay=1e-4, warmup_epochs=0.3, mosaic=0.0, degrees=0.0, translate=0.05,
        scale=0.15, fliplr=0.5, flipud=0.5, hsv_h=0.02, hsv_s=0.4, hsv_v=0.3, cache="ram", workers=0, amp=False, plots=False,
        device=recipe.device, seed=recipe.seed, project=str(out.parent.resolve()), name=out.name, exist_ok=True, val=False,
        save_period=1, warmup_bias_lr=0.1 if start is None else 0.0,
    )  # fmt: skip
    if last.exists():
        YOLO(str(last)).train(trainer=_trainer_class(start), resume=True)
    else:
        YOLO(str(MODEL_YAML), task="obb").train(trainer=_trainer_class(start), **settings)
    shutil.copy(last, done)
    return done


def validate(checkpoint: Path, data: Path, size_px: int = 320) -> dict[str, float]:
    """mAP50 of each class on the validation pictures."""
    _prepare_environment()
    from ultralytics import YOLO

    result = YOLO(str(checkpoint)).val(data=str(data), imgsz=size_px, device="cpu", workers=0, plots=False, verbose=False)
    return {NAMES[i]: float(v) for i, v in zip(result.box.ap_class_index, result.box.ap50, strict=True)}


def export(checkpoint: Path, onnx_file: Path) -> Path:
    """Export the raw head with free picture sizes: input `images` 1x3xHxW (RGB 0-1), output `output0` 1x8xN."""
    _prepare_environment()
    from ultralytics import YOLO

    produced = YOLO(str(checkpoint)).export(format="onnx", dynamic=True, simplify=True, nms=False, opset=17, device="cpu")
    onnx_file.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(str(produced), onnx_file)
    return onnx_file
