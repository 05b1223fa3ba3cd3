"""A simulated hand as stills: after each act the scene that an overhead camera sees, for any renderer of models.training."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from models.training.scene import Camera, Light, Scene, SceneTile, Sensor, Table, TileSetStyle
from rules.observations import Observation, Pass, Place, Reveal, Withdraw
from rules.seats import Seat
from rules.tiles import Tile
from table.simulator import SimulatedHand, TableLayout
from vision.detections import TileState

RACK_MM = 385.0  # from the middle of the table to a rack
RACK_PITCH_MM = 62.0  # tiles of a rack stand a little apart
REVEAL_MM = 355.0
TABLE_HALF_MM = 460.0


@dataclass(frozen=True, slots=True)
class Still:
    """One settled look: the scene after observation `act` (None: before the first)."""

    t_s: float
    scene: Scene
    act: Observation | None


@dataclass(frozen=True, slots=True)
class Room:
    """What stays the same for a match: tile set, table, light, camera, sensor."""

    style: TileSetStyle
    table: Table
    light: Light
    camera: Camera
    sensor: Sensor

    def corners_px(self) -> np.ndarray:
        """The corners of the table top SW, SE, NE, NW in the picture, 4x2 px."""
        h = TABLE_HALF_MM
        return self.camera.project(np.array([[-h, -h, 0], [h, -h, 0], [h, h, 0], [-h, h, 0]]))


def club_room(size_px: tuple[int, int] = (1280, 960)) -> Room:
    """A green cloth under a lamp, thick white tiles with a brass pin."""
    return Room(
        style=TileSetStyle(body=(0.8, 0.83, 0.85), pin=0.045, gloss=0.3, thickness=0.5, bevel=0.04, corner_radius=0.12),
        table=Table("cloth", (0.07, 0.17, 0.05), (0.11, 0.24, 0.08), 20.0, 5, (TABLE_HALF_MM, TABLE_HALF_MM)),
        light=Light((0.25, 0.35, 0.9), 0.5, 0.5, (0.93, 1.0, 1.05), 10.0, 0.45, falloff=0.15),
        camera=Camera(size_px, 1010.0 / size_px[1], fov_deg=50.0, tilt_deg=2.0),
        sensor=Sensor(exposure=0.85, noise=0.008, blur_px=0.5, jpeg=95),
    )


def turned(seat: int, x: float, y: float) -> tuple[float, float]:
    """A point given as seen by the seat (x to its right, y from it to the centre, origin in the middle) in the table frame."""
    a = np.radians(90.0 * seat)
    return float(np.cos(a) * x - np.sin(a) * y), float(np.sin(a) * x + np.cos(a) * y)


def rack_tiles(seat: int, slots: list[Tile | None], rng: np.random.Generator) -> list[SceneTile]:
    """The standing tiles of a seat; an empty slot stays empty."""
    jitter = rng.normal(0, (0.5, 0.8, 0.8), (len(slots), 3))
    out = []
    for k, tile in enumerate(slots):
        if tile is not None:
            x, y = turned(seat, (k - 3) * RACK_PITCH_MM + jitter[k, 0], -RACK_MM + jitter[k, 1])
            out.append(SceneTile((tile.low, tile.high), x, y, 90.0 * seat + jitter[k, 2], TileState.STANDING))
    return out


def hand_stills(hand: SimulatedHand, room: Room, seed: int, start_s: float = 0.0) -> Iterator[Still]:
    """The stills of a hand: the dealt table, one after each act that the camera can see, the tiles turned up at the end."""
    slots: list[list[Tile | None]] = [list(tiles) for tiles in hand.hands]
    layout = TableLayout(seed)
    laid: list[SceneTile] = []

    def scene(extra: list[SceneTile], picture: int) -> Scene:
        # the same random numbers for every picture: racks stand still
        racks = [t for seat in range(4) for t in rack_tiles(seat, slots[seat], np.random.default_rng([seed, 9, seat]))]
        sensor = replace(room.sensor, seed=seed * 1000 + picture)
        return Scene(seed, room.style, (*laid, *extra, *racks), room.camera, room.light, room.table, sensor)

    yield Still(start_s, scene([], 0), None)
    for number, act in enumerate(hand.observations, start=1):
        t_s = start_s + act.t
        if isinstance(act, Place):
            assert act.tile is not None and act.seat is not None
            taken_back = any(isinstance(o, Withdraw) and o.tile == act.tile for o in hand.observations[number : number + 1])
            slots[act.seat][slots[act.seat].index(act.tile)] = None
            pose = layout.try_on(act) if taken_back else layout.lay(act)
            laid.append(SceneTile(pose.halves, pose.x_mm, pose.y_mm, pose.angle_deg))
            yield Still(t_s, scene([], number), act)
        elif isinstance(act, Withdraw):
            laid.pop()
            assert act.seat is not None and act.tile is not None
            slots[act.seat][hand.hands[act.seat].index(act.tile)] = act.tile
            yield Still(t_s, scene([], number), act)
        elif isinstance(act, Reveal):
            shown = [t for seat in Seat for t in _turned_up(seat, act, seed)]
            slots = [[None] * 7 for _ in range(4)]
            yield Still(t_s, scene(shown, number), act)
        elif not isinstance(act, Pass):
            raise ValueError(f"no still for {act.kind}")


def _turned_up(seat: Seat, act: Reveal, seed: int) -> list[SceneTile]:
    rng = np.random.default_rng([seed, 10, seat])
    tiles = act.hands[seat] or ()
    out = []
    for k, tile in enumerate(tiles):
        x, y = turned(seat, (k - (len(tiles) - 1) / 2) * 34.0, -REVEAL_MM + rng.normal(0, 2))
        out.append(SceneTile((tile.low, tile.high), x, y, 90.0 * seat + 90.0 + rng.normal(0, 4)))
    return out
