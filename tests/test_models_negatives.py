"""Pictures without a tile: each kind is drawn, by either renderer, the same one from the same number."""

from __future__ import annotations

import numpy as np

from models.training import negatives
from models.training.bare import SUBJECTS, bare_scene
from models.training.negatives import RENDERERS, render_negative


def test_no_scene_has_a_tile_and_each_shows_its_subject() -> None:
    """Over two rounds: no tile, a surface of the subject, things of its kinds alone, and no fewer than it asks for."""
    for seed in range(2 * len(SUBJECTS)):
        scene, subject = bare_scene(seed, (320, 240), (30, 110)), SUBJECTS[seed % len(SUBJECTS)]
        assert scene.tiles == ()
        assert scene.table.kind in subject.surfaces
        assert {prop.kind for prop in scene.props} <= {kind for kind, _, _ in subject.things}
        assert len(scene.props) >= sum(fewest for _, fewest, _ in subject.things)


def test_the_renderers_take_turns(monkeypatch) -> None:
    """Ten pictures by the first renderer, ten by the second, then the first again."""
    drawn: list[int] = []
    monkeypatch.setattr(negatives, "RENDERERS", [lambda scene, k=k: drawn.append(k) or _Blank for k in range(len(RENDERERS))])
    for number in range(0, 30, 5):
        render_negative(number)
    assert drawn == [0, 0, 1, 1, 0, 0]


class _Blank:
    image = np.zeros((2, 2, 3), np.uint8)


def test_the_same_number_gives_the_same_picture() -> None:
    """To the byte; another number gives another one."""
    one, again, other = (render_negative(number) for number in (6, 6, 5))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)
