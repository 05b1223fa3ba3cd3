"""The training path in miniature: every stage for real, in the environment with the extra `train`."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from models.detector import NETWORKS, Detector
from models.localiser import Localiser, box_quads
from models.runtimes import made_from, sha256
from models.training import localiser, reader, verifier
from models.training.compositor import render
from models.training.restart import hold_normalisation, load_exported
from models.training.run import SMOKE, train
from models.training.variety import random_scene
from rules.errors import BadInput

pytest.importorskip("torch")


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A run folder and the weights that it gave."""
    folder = tmp_path_factory.mktemp("run")
    train(SMOKE, folder, folder / "weights", workers=2)
    return folder, folder / "weights"


def test_every_stage_leaves_weights_that_the_detector_loads(trained: tuple[Path, Path]) -> None:
    """A smoke training ends with three networks and their card data, and the detector runs on them, on a blank picture too."""
    detector = Detector(trained[1])
    picture = render(random_scene(5, (320, 320), (30, 90))).image
    for image in (picture, np.zeros((200, 300, 3), np.uint8)):
        for found in detector.detect(image, 0.0):
            assert np.isfinite(found.quad_px).all()
            np.testing.assert_allclose(found.halves.sum(axis=1), 1, atol=1e-5)
    assert (trained[1] / "weights.json").is_file()


def test_a_finished_run_is_not_repeated(trained: tuple[Path, Path]) -> None:
    """Running again trains nothing anew: the checkpoints keep their times."""
    files = [
        trained[0] / "first/localiser/weights/done.pt",
        trained[0] / "first/reader/reader_done.pt",
        trained[0] / "localiser/weights/done.pt",
        trained[0] / "reader/reader_done.pt",
        trained[0] / "verifier/verifier_done.pt",
    ]
    before = [f.stat().st_mtime_ns for f in files]
    train(SMOKE, trained[0], trained[1], workers=2)
    assert [f.stat().st_mtime_ns for f in files] == before


def test_the_card_tells_what_was_trained_and_what_came_of_it(trained: tuple[Path, Path]) -> None:
    """card.md names networks and hashes, recipe, times, figures and how far confidences hold; NCNN has its files."""
    card = (trained[0] / "card.md").read_text()
    for name in NETWORKS:
        assert f"| {name} | " in card and sha256(trained[1] / name) in card
        assert (trained[1] / name).with_suffix(".ncnn.bin").is_file()
    assert made_from(trained[1]) == {name: sha256(trained[1] / name) for name in NETWORKS}
    for told in (
        '"first_seed": 49000000',
        "| train the verifier | ",
        "| kind_right | ",
        "| f1 | ",
        "2 rendered whole tables",
        "readings of 0.99",
    ):
        assert told in card


def test_localiser_says_the_same_in_both_runtimes(trained: tuple[Path, Path]) -> None:
    """ONNX Runtime and torch give the same boxes, to a hundredth of a pixel, on a rendered picture and on a blank one."""
    import onnxruntime
    import torch
    from ultralytics import YOLO

    session = onnxruntime.InferenceSession(str(trained[1] / "localiser.onnx"), providers=["CPUExecutionProvider"])
    net = YOLO(str(trained[0] / "localiser/weights/done.pt")).model.float().eval()
    for picture in (render(random_scene(6, (320, 320), (30, 90))).image, np.full((320, 320, 3), 90, np.uint8)):
        blob = np.ascontiguousarray(picture[:, :, ::-1].transpose(2, 0, 1)[None], np.float32) / 255
        theirs = session.run(None, {session.get_inputs()[0].name: blob})[0]
        with torch.no_grad():
            out = net(torch.from_numpy(blob))
        ours = (out[0] if isinstance(out, (list, tuple)) else out).numpy()
        assert theirs.shape == ours.shape
        np.testing.assert_allclose(theirs, ours, atol=1e-2, rtol=1e-3)
    assert Localiser(session).propose(picture, 320, 0.01).quads_px.shape[1:] == (4, 2)


def test_verifier_says_the_same_in_both_runtimes(trained: tuple[Path, Path]) -> None:
    """The exported verifier gives the log-odds of the torch one."""
    import onnxruntime
    import torch

    net = verifier.build_network()
    net.load_state_dict(torch.load(trained[0] / "verifier/verifier_done.pt", weights_only=False)["net"])
    net.eval()
    crops = np.random.default_rng(3).uniform(0, 255, (4, 3, 96, 128)).astype(np.float32)
    session = onnxruntime.InferenceSession(str(trained[1] / "verifier.onnx"), providers=["CPUExecutionProvider"])
    (theirs,) = session.run(["real"], {"crops": crops})
    with torch.no_grad():
        np.testing.assert_allclose(theirs, net(torch.from_numpy(crops)).numpy(), atol=1e-3)


def test_reader_says_the_same_in_both_runtimes(trained: tuple[Path, Path]) -> None:
    """The exported reader gives the logits of the torch one."""
    import onnxruntime
    import torch

    net = reader.build_network()
    net.load_state_dict(torch.load(trained[0] / "reader/reader_done.pt", weights_only=False)["net"])
    net.eval()
    crops = np.random.default_rng(0).uniform(0, 255, (3, 3, 64, 96)).astype(np.float32)
    crops[0] = 40.0
    session = onnxruntime.InferenceSession(str(trained[1] / "reader.onnx"), providers=["CPUExecutionProvider"])
    with torch.no_grad():
        ours = [o.numpy() for o in net(torch.from_numpy(crops))]
    for a, b in zip(session.run(["kind", "corners", "left"], {"crops": crops}), ours, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-3, rtol=1e-3)


def test_exported_weights_go_back_into_a_module(trained: tuple[Path, Path]) -> None:
    """A network that takes exported weights says what the exported one says, and is trained on from there."""
    import onnxruntime
    import torch

    net = reader.build_network()
    load_exported(net, trained[1] / "reader.onnx", torch.zeros(2, 3, 64, 96))
    crops = np.random.default_rng(1).uniform(0, 255, (3, 3, 64, 96)).astype(np.float32)
    session = onnxruntime.InferenceSession(str(trained[1] / "reader.onnx"), providers=["CPUExecutionProvider"])
    net.train()
    hold_normalisation(net)
    net.trunk[0].p = 0.0
    ours = [o.detach().numpy() for o in net(torch.from_numpy(crops))]
    for a, b in zip(session.run(["kind", "corners", "left"], {"crops": crops}), ours, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-3, rtol=1e-3)
    with pytest.raises(BadInput, match="train from nothing"):
        load_exported(net, trained[1] / "localiser.onnx", torch.zeros(2, 3, 64, 96))


def test_localiser_takes_its_exported_weights_back(trained: tuple[Path, Path]) -> None:
    """The localiser built anew with the exported weights gives the exported boxes."""
    import onnxruntime
    import torch
    from ultralytics.nn.tasks import OBBModel

    net = OBBModel(str(localiser.MODEL_YAML), nc=3, ch=3, verbose=False)
    load_exported(net, trained[1] / "localiser.onnx", torch.zeros(1, 3, 64, 64))
    blob = np.random.default_rng(2).uniform(0, 1, (1, 3, 96, 128)).astype(np.float32)
    session = onnxruntime.InferenceSession(str(trained[1] / "localiser.onnx"), providers=["CPUExecutionProvider"])
    with torch.no_grad():
        out = net.eval()(torch.from_numpy(blob))
    ours = (out[0] if isinstance(out, (list, tuple)) else out).numpy()
    np.testing.assert_allclose(session.run(None, {session.get_inputs()[0].name: blob})[0], ours, atol=2e-2, rtol=1e-3)


def test_decoded_boxes_are_those_of_ultralytics() -> None:
    """Our corners of an oriented box are ultralytics' corners, whatever the angle and whichever side is the longer."""
    import torch
    from ultralytics.utils.ops import xywhr2xyxyxyxy

    boxes = np.array([[50, 40, 30, 15, 0.3], [50, 40, 15, 30, 0.3], [10, 10, 9, 20, 1.4], [5, 5, 20, 9, -0.6]], np.float32)
    theirs = xywhr2xyxyxyxy(torch.from_numpy(boxes)).numpy()
    for ours, other in zip(box_quads(boxes), theirs, strict=True):
        assert cv2.contourArea(ours, oriented=True) > 0
        assert np.linalg.norm(ours[1] - ours[0]) >= np.linalg.norm(ours[2] - ours[1])
        assert {tuple(p) for p in np.round(ours, 2)} == {tuple(p) for p in np.round(other, 2)}


def test_localiser_names_its_states() -> None:
    """The classes of the localiser are the states of a detection, in the order of the labels."""
    from models.training.dataset import STATES

    assert [s.value for s in STATES] == list(localiser.NAMES)
