"""One scene as plain values: tiles with pose and state, the tile set's look, table, light, camera, props and arms.

A renderer turns a `Scene` into a picture with its exact labels (`TileLabel`, by `top_quad_px`). Any scene comes again from its seed, so a
renderer can be replaced by a better one without touching the layouts, the labels or the training.
Frame: millimetres, x right, y away from the viewer, z up from the table; angles counter-clockwise.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from rules.tiles import Tile
from vision.detections import TileState

NOMINAL_LENGTH_MM = 50.8


@dataclass(frozen=True, slots=True)
class TileSetStyle:
    """The look of one tile set. Lengths are shares of the tile's width unless named; colours are linear BGR 0-1."""

    ratio: float = 2.0  # length to width
    thickness: float = 0.4
    corner_radius: float = 0.1
    bevel: float = 0.06
    body: tuple[float, float, float] = (0.85, 0.9, 0.92)
    lower_body: tuple[float, float, float] | None = None  # two-tone bodies: the half with the back
    seam: float = 0.5  # share of the thickness that has the face's colour, where the back has another one
    groove: float = 0.3  # how dark the joint of the two is, 0 for none
    back: str = "plain"  # plain | dark | logo | coloured
    back_colour: tuple[float, float, float] = (0.1, 0.1, 0.1)
    pip_colours: tuple[tuple[float, float, float], ...] = ((0.05, 0.05, 0.05),) * 7
    pip_radius: float = 0.11
    pip_offset: float = 0.29
    pip_depth: float = 0.8
    mirrored: bool = False  # the diagonal of two and three runs the other way
    divider: str = "bar"  # bar | engraved | thin | none
    divider_width: float = 0.07
    divider_length: float = 0.75
    divider_colour: tuple[float, float, float] = (0.05, 0.05, 0.05)
    pin: float = 0.0  # radius of the brass pin, 0 for none
    gloss: float = 0.3
    grain: float = 0.0  # knobbly texture
    wear: float = 0.0  # dirt on the face

    @property
    def width_mm(self) -> float:
        return NOMINAL_LENGTH_MM / self.ratio

    @property
    def thickness_mm(self) -> float:
        return self.thickness * self.width_mm

    @property
    def back_body(self) -> tuple[float, float, float]:
        """Colour of the layer under the face: of a two-tone body, of a dark or coloured back, or the body's own."""
        return self.lower_body or (self.back_colour if self.back in ("dark", "coloured") else self.body)


@dataclass(frozen=True, slots=True)
class SceneTile:
    """A tile on the table. angle_deg: direction from half 0 to half 1 of the face (of the long axis if face down or standing).

    halves: numbers as laid along angle_deg. A standing tile stands on its long side, or on its short side if `upright`; its face
    looks to the right of angle_deg. lean_mm: how far the upper side of one that leans is off, away from its face.
    """

    halves: tuple[int, int]
    x_mm: float
    y_mm: float
    angle_deg: float
    state: TileState = TileState.FACE_UP
    z_mm: float = 0.0
    upright: bool = False
    lean_mm: float = 0.0

    @property
    def tile(self) -> Tile:
        return Tile.of(*self.halves)


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera that looks at the table's origin. size_px: width, height."""

    size_px: tuple[int, int]
    mm_per_px: float
    fov_deg: float = 55.0
    tilt_deg: float = 0.0
    azimuth_deg: float = 0.0
    roll_deg: float = 0.0
    centre_mm: tuple[float, float] = (0.0, 0.0)
    k1: float = 0.0
    stretch: float = 1.0  # horizontal squeeze of the finished picture

    def project(self, points_mm: np.ndarray) -> np.ndarray:
        """Nx3 millimetres to Nx2 pixels (float64)."""
        width, height = self.size_px
        focal, axes = _pose(self)
        rel = (np.asarray(points_mm, float) - (*self.centre_mm, 0.0)) @ axes
        depth = focal * self.mm_per_px - rel[:, 2]
        x, y = rel[:, 0] / depth, -rel[:, 1] / depth
        bend = focal * (1 + self.k1 * (x * x + y * y))
        return np.column_stack([x * bend * self.stretch + width / 2, y * bend + height / 2])


@lru_cache(maxsize=64)
def _pose(camera: Camera) -> tuple[float, np.ndarray]:
    """Focal length in pixels; right, up and toward the camera as columns (3x3)."""
    focal = 0.5 * max(camera.size_px) / np.tan(np.radians(camera.fov_deg) / 2)
    tilt, azimuth, roll = np.radians([camera.tilt_deg, camera.azimuth_deg, camera.roll_deg])
    out = np.array([np.sin(tilt) * np.sin(azimuth), -np.sin(tilt) * np.cos(azimuth), np.cos(tilt)])
    right = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
    up = np.cross(out, right)
    right, up = np.cos(roll) * right + np.sin(roll) * up, -np.sin(roll) * right + np.cos(roll) * up
    return float(focal), np.stack([right, up, out], axis=1)


@dataclass(frozen=True, slots=True)
class Light:
    """One lamp and the room. direction: unit vector toward the lamp; colour: BGR gains; softness: blur of shadows, mm."""

    direction: tuple[float, float, float] = (0.3, 0.3, 0.9)
    ambient: float = 0.55
    diffuse: float = 0.5
    colour: tuple[float, float, float] = (1.0, 1.0, 1.0)
    softness_mm: float = 6.0
    shadow: float = 0.5
    glare: float = 0.0
    falloff: float = 0.0


@dataclass(frozen=True, slots=True)
class Sensor:
    """What the camera does to the picture: exposure gain, noise (0-1), blur (px), motion (px), JPEG quality."""

    exposure: float = 1.0
    noise: float = 0.01
    blur_px: float = 0.4
    motion_px: float = 0.0
    motion_deg: float = 0.0
    jpeg: int = 85
    vignette: float = 0.0
    grey: bool = False
    gamma: float = 2.2
    seed: int | None = None  # of the noise alone, for a film of one scene; None: the scene's own


@dataclass(frozen=True, slots=True)
class Arm:
    """A forearm and hand reaching in: path in mm from the rim to the finger tips."""

    start_mm: tuple[float, float]
    tip_mm: tuple[float, float]
    width_mm: float = 60.0
    skin: tuple[float, float, float] = (0.4, 0.5, 0.7)
    sleeve: tuple[float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class Prop:
    """Something that is no tile: kind, place, size and a seed for its look."""

    kind: str  # a key of props.KINDS
    x_mm: float
    y_mm: float
    angle_deg: float
    size_mm: float
    seed: int


@dataclass(frozen=True, slots=True)
class Table:
    """The surface: kind of pattern, its two colours, its scale and seed; half the size of the top (None: endless)."""

    kind: str = "plain"
    colour: tuple[float, float, float] = (0.2, 0.3, 0.2)
    second: tuple[float, float, float] = (0.3, 0.4, 0.3)
    scale_mm: float = 40.0
    seed: int = 0
    half_mm: tuple[float, float] | None = None
    gloss: float = 0.0


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that a renderer needs."""

    seed: int
    style: TileSetStyle
    tiles: tuple[SceneTile, ...]
    camera: Camera
    light: Light = field(default_factory=Light)
    table: Table = field(default_factory=Table)
    sensor: Sensor = field(default_factory=Sensor)
    arms: tuple[Arm, ...] = ()
    props: tuple[Prop, ...] = ()


@dataclass(frozen=True, slots=True)
class TileBox:
    """The box of a tile in space: outline corners (4x2 mm) along the facing direction, z of the bottom and of the top.

    shift_mm: how far the upper outline is off the lower one (2 mm), for a tile that leans.
    """

    corners_mm: np.ndarray
    bottom_mm: float
    top_mm: float
    shift_mm: np.ndarray

    def at(self, outline_mm: np.ndarray, level: float) -> np.ndarray:
        """Points of an outline (Nx2 mm at the bottom) at a level of the box, 0 bottom to 1 top, Nx3 mm."""
        return np.column_stack([outline_mm + self.shift_mm * level, np.full(len(outline_mm), self.height(level))])

    def height(self, level: float) -> float:
        """z of a level, mm."""
        return self.bottom_mm + (self.top_mm - self.bottom_mm) * level


def tile_box(tile: SceneTile, style: TileSetStyle) -> TileBox:
    """The box of a tile as it lies or stands; corner order as a detection's quad seen from above with y up (0,3 on half 0)."""
    length, width, thick = NOMINAL_LENGTH_MM, style.width_mm, style.thickness_mm
    if tile.state is not TileState.STANDING:
        along, across, height = length, width, thick
    elif tile.upright:
        along, across, height = width, thick, length
    else:
        along, across, height = length, thick, width
    angle = np.radians(tile.angle_deg)
    u = np.array([np.cos(angle), np.sin(angle)])
    v = np.array([-u[1], u[0]])
    centre = np.array([tile.x_mm, tile.y_mm])
    a, b = u * along / 2, v * across / 2
    corners = np.stack([centre - a + b, centre + a + b, centre + a - b, centre - a - b])
    return TileBox(corners, tile.z_mm, tile.z_mm + height, v * tile.lean_mm)


@dataclass(frozen=True, slots=True)
class TileLabel:
    """The exact label of one tile in a picture. quad_px as in a detection; visible: share of the top face that shows, 0-1."""

    quad_px: np.ndarray
    halves: tuple[int, int]
    state: TileState
    visible: float

    @property
    def length_px(self) -> float:
        """Mean of the two long sides."""
        q = self.quad_px
        return float((np.linalg.norm(q[1] - q[0]) + np.linalg.norm(q[2] - q[3])) / 2)


def top_quad_px(tile: SceneTile, scene: Scene) -> np.ndarray:
    """The upper face of a tile in the picture, 4x2 px, clockwise as seen, corners 0 and 3 on half 0."""
    box = tile_box(tile, scene.style)
    return scene.camera.project(box.at(box.corners_mm, 1.0))
