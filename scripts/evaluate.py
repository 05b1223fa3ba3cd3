"""`miron evaluate`: the detector held against labelled pictures, folder by folder, and on worse versions of the same pictures."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import track

from models.degrade import CHANGES, degrade
from models.detector import WEIGHTS, Detector
from models.labels import found_for, read_detections, read_labels
from models.pictures import read_picture
from models.scoring import SURE, LabelledPicture, Outline, Score, calibration_error, reliability, score_picture, share, surest
from rules.errors import BadInput

Scores = dict[str, Score]  # by folder
COLUMNS = ("precision", "recall", "f1", "located", "halves", "heading", "exact", "corner_error", "calibration_error")
HEADS = ("precision", "recall", "F1", "located", "halves", "heading", "exact", "corners", "ECE")


def command(
    labels: Annotated[
        Path, typer.Argument(help="File of labels, JSON lines; pictures are looked for beside it.", show_default=False)
    ],
    predictions: Annotated[
        Path | None,
        typer.Option(help="Score this file of `detect --json` instead of looking at the pictures.", show_default=False),
    ] = None,
    degraded: Annotated[bool, typer.Option("--degraded", help="Also worse versions: blur, dim, noise, JPEG, tilt …")] = False,
    min_confidence: Annotated[float, typer.Option(min=0.0, max=1.0, help="Tiles below this do not count.")] = 0.5,
    exclude: Annotated[
        list[str] | None, typer.Option(help="Leave out pictures whose name begins so.", show_default=False)
    ] = None,
    runtime: Annotated[str, typer.Option(help="What runs the networks: onnxruntime, openvino or ncnn.")] = "onnxruntime",
    weights: Annotated[Path, typer.Option(help="Folder with the networks.")] = WEIGHTS,
    json_out: Annotated[Path | None, typer.Option("--json", help="Write all figures here.", show_default=False)] = None,
) -> None:
    """Find and read the tiles of labelled pictures and say how much of it is right: by folder, in all, and how far confidences hold."""
    truths = [t for t in read_labels(labels) if not t.image.startswith(tuple(exclude or ()))]
    if not truths:
        raise BadInput(f"expected labelled pictures in {labels}, found none that is not left out; name another file")
    if predictions and degraded:
        raise BadInput("expected --predictions or --degraded, found both; worse versions have to be looked at")
    versions = ["plain", *(CHANGES if degraded else ())]
    if predictions:
        tables = {"plain": _scored(_answers(truths, predictions, min_confidence))}
    else:
        tables = _look(Detector(weights, runtime=runtime), labels.parent, truths, versions, min_confidence)
    for version, scores in tables.items():
        _show(version if degraded else "", scores)
    if degraded:
        _show("all folders", {version: _all(scores) for version, scores in tables.items()}, total=False)
    for version, scores in tables.items():
        _show_reliability(version if degraded else "", _all(scores))
    if json_out is not None:
        _write(json_out, {version: _figures(scores) for version, scores in tables.items()})


def _answers(
    truths: Sequence[LabelledPicture], file: Path, min_confidence: float
) -> Iterator[tuple[LabelledPicture, list[Outline]]]:
    by_name = read_detections(file)
    silent = 0
    for truth in truths:
        found = found_for(truth.image, by_name)
        silent += found is None
        yield truth, [t for t in found or [] if t.confidence >= min_confidence]
    if silent:
        print(f"{silent} pictures without an answer")


def _look(
    detector: Detector, folder: Path, truths: Sequence[LabelledPicture], versions: Sequence[str], min_confidence: float
) -> dict[str, Scores]:
    """Look at each picture once in each version."""
    pairs: dict[str, list[tuple[LabelledPicture, list[Outline]]]] = {v: [] for v in versions}
    for truth in track(truths, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()):
        image = read_picture(folder / truth.image)
        for version in versions:
            seen, held = (image, truth) if version == "plain" else degrade(version, image, truth)
            found = detector.detect(seen, min_confidence)
            pairs[version].append((held, [Outline(d.pips, d.quad_px, d.confidence) for d in found if d.pips is not None]))
    return {version: _scored(each) for version, each in pairs.items()}


def _scored(pairs: Iterator[tuple[LabelledPicture, list[Outline]]] | Sequence[tuple[LabelledPicture, list[Outline]]]) -> Scores:
    scores: Scores = {}
    for truth, found in pairs:
        folder = truth.image.split("/")[0] if "/" in truth.image else "."
        scores[folder] = scores.get(folder, Score()) + score_picture(truth, found)
    return dict(sorted(scores.items()))


def _all(scores: Scores) -> Score:
    return sum(scores.values(), Score())


def _cell(value: float | None) -> str:
    return f"{value:10.4f}" if value is not None else f"{'-':>10}"


def _show(title: str, scores: Scores, total: bool = True) -> None:
    print(f"{title:24}{'pictures':>9}{'tiles':>7}" + "".join(f"{head:>10}" for head in HEADS))
    for name, score in [*scores.items(), *([("all", _all(scores))] if total else [])]:
        shares = score.shares()
        print(f"{name[:23]:24}{score.pictures:9}{score.labels:7}" + "".join(_cell(shares[c]) for c in COLUMNS))
    print()


def _show_reliability(title: str, score: Score) -> None:
    """Confidence against the share that is right, bin by bin, of the surest and of all; and how many empty pictures stay empty."""
    print(f"{(title + ' confidence').strip():24}{'tiles':>9}{'mean':>10}{'right':>10}")
    for one in reliability(score.claims):
        print(f"{f'{one.low:g} to {one.high:g}':24}{one.count:9}{one.mean:10.4f}{one.right:10.4f}")
    sure, right = surest(score.claims)
    print(f"{f'{SURE:g} or more, right':24}{sure:9}{'':10}{_cell(share(right, sure))}  {right} of {sure}")
    print(f"{'all, ECE':24}{len(score.claims):9}{'':10}{_cell(calibration_error(score.claims))}")
    if score.empty:
        print(f"{'pictures without tiles':24}{score.empty:9}{'':10}{_cell(share(score.silent, score.empty))}  show none")
    print()


def _figures(scores: Scores) -> dict[str, Any]:
    return {name: _figure(score) for name, score in [*scores.items(), ("all", _all(scores))]}


def _figure(score: Score) -> dict[str, Any]:
    counts = {k: v for k, v in asdict(score).items() if k not in ("claims", "corner_error")}
    sure, right = surest(score.claims)
    bins = [asdict(b) for b in reliability(score.claims)]
    return {**counts, **score.shares(), "sure": sure, "sure_right": right, "reliability": bins}


def _write(file: Path, figures: dict[str, Any]) -> None:
    try:
        file.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise BadInput(f"expected to write {file}, found {error.strerror}; name another file") from error
