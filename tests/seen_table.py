"""Pictures of a table for tests of the calibration: tags, a board, any flat thing, seen by a camera with a lens."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.lens import Lens
from calibration.tags import DICTIONARY, TAG_MM, tag_places_mm

SIZE = (1280, 960)
STRAIGHT = np.zeros(5)


def lens(distortion=STRAIGHT, focal=1100.0, size=SIZE):
    """A lens with its centre a little off the middle of the picture."""
    return Lens(np.array([[focal, 0, size[0] / 2 + 9], [0, focal, size[1] / 2 - 7], [0, 0, 1.0]]), np.array(distortion), size)


def table_to_rays(tilt_deg=(0.0, 0.0), turn_deg=0.0, height_mm=1500.0, mirrored=False):
    """3x3: table millimetres to rays of a camera above the table's centre, tilted and turned."""
    down = np.diag([-1.0 if mirrored else 1.0, -1.0, -1.0])
    tilt = cv2.Rodrigues(np.radians([*tilt_deg, 0.0]))[0] @ cv2.Rodrigues(np.radians([0.0, 0.0, turn_deg]))[0]
    turn = tilt @ down
    return np.column_stack([turn[:, 0], turn[:, 1], [0.0, 0.0, height_mm]])


def see(points_mm, rays, camera):
    """Nx2 millimetres to Nx2 pixels of a picture of this lens."""
    seen = np.column_stack([points_mm, np.ones(len(points_mm))]) @ rays.T
    pixels = (seen[:, :2] / seen[:, 2:]) * camera.camera_matrix[[0, 1], [0, 1]] + camera.camera_matrix[:2, 2]
    return camera.distort(pixels)


def photograph(texture, origin_mm, px_per_mm, rays, camera, noise=3.0, seed=0):
    """The picture of a flat grey texture: its lower left corner lies at origin_mm, its rows run north to south."""
    width, height = camera.image_size
    grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2).astype(float)
    straight = camera.undistort(grid)
    ray = np.column_stack([(straight - camera.camera_matrix[:2, 2]) / camera.camera_matrix[[0, 1], [0, 1]], np.ones(len(grid))])
    flat = ray @ np.linalg.inv(rays).T
    x = (flat[:, 0] / flat[:, 2] - origin_mm[0]) * px_per_mm - 0.5
    y = texture.shape[0] - (flat[:, 1] / flat[:, 2] - origin_mm[1]) * px_per_mm - 0.5
    maps = [m.reshape(height, width).astype(np.float32) for m in (x, y)]
    soft = cv2.GaussianBlur(texture, (0, 0), 1.2)  # an edge between pixels shows as one: no aliasing
    picture = cv2.remap(soft, *maps, cv2.INTER_LINEAR, borderValue=90)
    picture = cv2.GaussianBlur(picture.astype(np.float32), (0, 0), 0.7) + np.random.default_rng(seed).normal(
        0, noise, picture.shape
    )
    return np.clip(picture, 0, 255).astype(np.uint8)


def tagged_table(table_mm, px_per_mm=2.0, shift_mm=None, turned=None, exchanged=None, without=()):
    """The texture of a table with its four tags; shift_mm, turned: tag to its offset or its quarter turns; exchanged: two tags."""
    size = np.round(np.array(table_mm) * px_per_mm).astype(int)
    texture = np.full((size[1], size[0]), 150, np.uint8)
    side = round(TAG_MM * px_per_mm)
    for tag, corners in enumerate(tag_places_mm(table_mm)):
        if tag in without:
            continue
        shown = dict(zip(exchanged, exchanged[::-1], strict=True)).get(tag, tag) if exchanged else tag
        marker = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(DICTIONARY), shown, side)
        marker = np.rot90(marker, (turned or {}).get(tag, 0))
        west, north = corners[0] + (shift_mm or {}).get(tag, (0.0, 0.0))
        column, row = round((west + table_mm[0] / 2) * px_per_mm), round((table_mm[1] / 2 - north) * px_per_mm)
        texture[row - 16 : row + side + 16, column - 16 : column + side + 16] = 255
        texture[row : row + side, column : column + side] = marker
    return texture
