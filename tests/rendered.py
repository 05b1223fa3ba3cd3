"""Small rendered tables for tests."""

from __future__ import annotations

from models.training.compositor import Rendered, render
from models.training.scene import NOMINAL_LENGTH_MM, Camera, Light, Scene, SceneTile, Sensor, Table, TileSetStyle

IVORY = TileSetStyle(body=(0.55, 0.76, 0.84), pin=0.045, gloss=0.3)
CLOTH = Table("cloth", (0.07, 0.17, 0.05), (0.11, 0.24, 0.08), 20.0, 5)


def table_picture(
    *tiles: SceneTile, tile_px: float = 60.0, size_px: tuple[int, int] = (640, 480), style: TileSetStyle = IVORY, seed: int = 1
) -> Rendered:
    """A picture from above of some tiles on green cloth; tile_px: length of a tile."""
    camera = Camera(size_px, NOMINAL_LENGTH_MM / tile_px, tilt_deg=3.0)
    sensor = Sensor(exposure=0.9, noise=0.006, blur_px=0.5, jpeg=92)
    return render(Scene(seed, style, tiles, camera, Light((0.25, 0.35, 0.9), shadow=0.45), CLOTH, sensor))
