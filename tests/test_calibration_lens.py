"""The lens: points with its bend taken out, and what the lens is, from pictures of a board."""

import cv2
import numpy as np
import pytest
from seen_table import SIZE, lens, photograph, see, table_to_rays

from calibration import charuco
from calibration.charuco import lens_from_pictures
from calibration.corners import plane_from_corners
from calibration.lens import Lens
from rules.errors import BadInput

BARREL = (-0.28, 0.09, 0.001, -0.0015, -0.01)
CORNERS_MM = np.array([[-460.0, -450], [460, -450], [460, 450], [-460, 450]])


def test_distortion_is_opencv_s():
    """A point is bent as cv2.projectPoints bends it, to a thousandth of a pixel."""
    camera = lens(BARREL)
    rays = np.random.default_rng(0).uniform(-0.5, 0.5, (200, 2))
    straight = rays * 1100 + camera.camera_matrix[:2, 2]
    there, _ = cv2.projectPoints(
        np.column_stack([rays, np.ones(200)]), np.zeros(3), np.zeros(3), camera.camera_matrix, camera.distortion
    )
    assert np.allclose(camera.distort(straight), there.reshape(-1, 2), atol=1e-3)


@pytest.mark.parametrize("distortion", [BARREL, (0.15, -0.02, 0, 0, 0), (-0.14, 0, 0, 0, 0), (0, 0, 0, 0, 0)])
def test_undistorting_takes_the_bend_out(distortion):
    """Bent and straightened, every pixel of the picture is where it was, to a thousandth of a pixel; no points give no points."""
    camera = lens(distortion)
    grid = np.stack(np.meshgrid(np.linspace(60, 1220, 30), np.linspace(60, 900, 30)), axis=-1).reshape(-1, 2)
    assert np.allclose(camera.undistort(camera.distort(grid)), grid, atol=1e-3)
    assert camera.undistort(np.zeros((0, 2))).shape == (0, 2)


@pytest.mark.parametrize("tilt", [(0.0, 0.0), (12.0, -8.0)])
def test_with_the_lens_the_table_is_flat_to_a_fraction_of_a_millimetre(tilt):
    """Through a barrel lens, four corners put every point of the table within 0.05 mm; without the lens they are 5 mm out."""
    camera, rays = lens(BARREL), table_to_rays(tilt)
    corners = see(CORNERS_MM, rays, camera)
    grid = np.stack(np.meshgrid(np.linspace(-450, 450, 12), np.linspace(-440, 440, 12)), axis=-1).reshape(-1, 2)
    seen = see(grid, rays, camera)
    known = plane_from_corners(corners, SIZE, (920.0, 900.0), lens=camera)
    blind = plane_from_corners(corners, SIZE, (920.0, 900.0))
    assert np.abs(known.px_to_mm(seen) - grid).max() < 0.05
    assert np.abs(known.mm_to_px(grid) - seen).max() < 0.05
    assert np.abs(blind.px_to_mm(seen) - grid).max() > 5


def test_a_lens_scales_with_the_picture():
    """A picture of half the size has half the focal length, and the same millimetres."""
    camera, rays = lens(BARREL), table_to_rays()
    plane = plane_from_corners(see(CORNERS_MM, rays, camera), SIZE, (920.0, 900.0), lens=camera)
    spot = np.array([[900.0, 700.0]])
    assert np.allclose(plane.for_image((640, 480)).px_to_mm(spot / 2), plane.px_to_mm(spot), atol=1e-6)


def test_shapes_are_checked():
    """A matrix or a distortion of another shape is refused when the lens is built."""
    with pytest.raises(ValueError, match="3x3"):
        Lens(np.eye(2), np.zeros(5), SIZE)
    with pytest.raises(ValueError, match="k1"):
        Lens(np.eye(3), np.zeros(4), SIZE)


def board_pictures(camera, count):
    """The board in the hand, from several sides."""
    texture = charuco.board().generateImage((700, 1000), marginSize=0, borderBits=1)
    framed = cv2.copyMakeBorder(texture, 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=255)
    rng = np.random.default_rng(3)
    for n in range(count):
        rays = table_to_rays(rng.uniform(-28, 28, 2), rng.uniform(0, 360), rng.uniform(300, 430))
        rays[:, 2] += [*rng.uniform(-60, 60, 2), 0.0]
        yield photograph(framed, (-102.5, -140.0), 4.0, rays, camera, seed=n)


def test_pictures_of_the_board_give_the_lens():
    """Seven rendered pictures give the focal length within 0.5 %, and straighten the picture as the true lens does within a pixel."""
    true = lens((-0.2, 0.05, 0, 0, 0))
    found = lens_from_pictures(list(board_pictures(true, 7)))
    assert found.rms_px < 0.3 and found.image_size == SIZE
    assert abs(found.camera_matrix[0, 0] / 1100 - 1) < 0.005
    grid = np.stack(np.meshgrid(np.linspace(100, 1180, 9), np.linspace(100, 860, 9)), axis=-1).reshape(-1, 2)
    rays = (true.undistort(grid) - true.camera_matrix[:2, 2]) / 1100
    back = found.distort(rays * found.camera_matrix[[0, 1], [0, 1]] + found.camera_matrix[:2, 2])
    off = back - grid
    assert np.abs(off - off.mean(axis=0)).max() < 1.0


def test_too_few_pictures_of_the_board():
    """Pictures without the board do not count, and the message says how many there were."""
    blank = [np.full((960, 1280), 128, np.uint8)] * 7
    with pytest.raises(BadInput, match="found 0 among 7"):
        lens_from_pictures(blank)
    with pytest.raises(BadInput, match="one size"):
        lens_from_pictures([blank[0], blank[0][:480]])
