"""The drawing machine of the shaded renderer: an OpenGL context without a window (EGL, in software), its programs and buffers.

One context a process, made at its first picture; OpenGL binds it to the thread that made it.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

import moderngl
import numpy as np

from models.training.shaded_solids import Mesh
from rules.errors import BadInput

SHADERS = Path(__file__).with_name("shaders")
SHADOW_PX = 1024
SAMPLES = 4
GL_INT = 0x1404
# What the vertices and the instances of each kind of thing carry.
LAYOUTS = {
    "tile": ("3f 3f", ("in_position", "in_normal"), "3f 3f 3f 3f 4f 3f/i",
             ("in_along", "in_across", "in_facing", "in_centre", "in_face", "in_colour")),
    "arm": ("4f", ("in_shape",), "4f 4f 4f/i", ("in_a", "in_b", "in_skin")),
}  # fmt: skip
Buffers = tuple[moderngl.Framebuffer, moderngl.Framebuffer, moderngl.Framebuffer]
PASSES = {"shadow": ("depth", True), "number": ("number", False)}


def _text(*names: str) -> str:
    return "\n".join((SHADERS / name).read_text() for name in names)


def _context() -> moderngl.Context:
    # One core a process: data sets are rendered by several processes.
    os.environ.setdefault("LP_NUM_THREADS", "1")
    try:
        return moderngl.create_context(standalone=True, backend="egl", require=330)  # type: ignore[arg-type]
    except Exception as error:  # moderngl and its loader raise bare exceptions
        raise BadInput(
            f"expected OpenGL by EGL for the shaded renderer, found none ({error}); install libegl1, libgl1 and libgl1-mesa-dri"
        ) from error


class Stage:
    """Programs, textures and frame buffers, used again from picture to picture."""

    def __init__(self) -> None:
        self.context = _context()
        self.context.gc_mode = "auto"  # what nobody holds is freed
        self._programs: dict[tuple[str, str], moderngl.Program] = {}
        self._buffers: dict[tuple[int, int], Buffers] = {}
        self._textures: dict[str, moderngl.Texture] = {}
        self.shadow_map = self.context.depth_texture((SHADOW_PX, SHADOW_PX))
        self.shadow_map.compare_func = "<="
        self.shadow_buffer = self.context.framebuffer(depth_attachment=self.shadow_map)
        self.compared = self.context.sampler(texture=self.shadow_map, compare_func="<=", repeat_x=False, repeat_y=False)
        self.heights = self.context.sampler(
            texture=self.shadow_map, compare_func="", filter=(moderngl.NEAREST,) * 2, repeat_x=False, repeat_y=False
        )
        self._texture_of_noise()

    def _texture_of_noise(self) -> None:
        texture = self.texture("noise", _noise(256), smooth=True)
        texture.repeat_x = texture.repeat_y = True
        texture.build_mipmaps()
        texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)

    def program(self, kind: str, part: str) -> moderngl.Program:
        """The program that draws a kind of thing in one pass: picture, shadow or number."""
        if (kind, part) not in self._programs:
            fragment, shadow = PASSES.get(part, (kind, False))
            head = "#version 330\n" + "#define SHADOW\n" * shadow
            light = ("light.glsl",) if part == "picture" else ()
            place = () if kind == "ground" else ("place.glsl",)
            self._programs[kind, part] = self.context.program(
                vertex_shader=head + _text(*place, f"{kind}.vert.glsl"),
                fragment_shader=head + _text(*light, f"{fragment}.frag.glsl"),
            )
        return self._programs[kind, part]

    def texture(self, name: str, data: np.ndarray, smooth: bool = False) -> moderngl.Texture:
        """A texture (HxWxC, uint8 or float32) under a name; what had the name before is replaced."""
        size, parts, kind = data.shape[1::-1], data.shape[2], "f1" if data.dtype == np.uint8 else "f4"
        old = self._textures.get(name)
        if old is not None and (old.size, old.components) == (size, parts):
            old.write(data.tobytes())
            return old
        if old is not None:
            old.release()
        texture = self.context.texture(size, parts, data.tobytes(), alignment=1, dtype=kind)
        texture.filter = (moderngl.LINEAR,) * 2 if smooth else (moderngl.NEAREST,) * 2
        texture.repeat_x = texture.repeat_y = False
        self._textures[name] = texture
        return texture

    def draw(self, kind: str, part: str, mesh: Mesh, instances: np.ndarray) -> None:
        """Draw a mesh once for each instance (NxK float32) with the program's present uniforms."""
        if not len(instances):
            return
        program = self.program(kind, part)
        layout, names, layout_each, names_each = LAYOUTS[kind]
        buffers = [self.context.buffer(np.ascontiguousarray(a).tobytes()) for a in (*mesh, instances.astype(np.float32))]
        vertices = _used(buffers[0], layout, names, program), _used(buffers[2], layout_each, names_each, program)
        array = self.context.vertex_array(program, list(vertices), index_buffer=buffers[1], index_element_size=4)
        array.render(instances=len(instances))
        array.release()
        for buffer in buffers:
            buffer.release()

    def draw_ground(self) -> None:
        """Draw the table behind everything."""
        corners = self.context.buffer(np.array([-1, -1, 3, -1, -1, 3], np.float32).tobytes())
        array = self.context.vertex_array(self.program("ground", "picture"), [(corners, "2f", "in_corner")])
        array.render()
        array.release()
        corners.release()

    def bind(self, part: str, values: dict[str, object]) -> None:
        """Set uniforms in every program of a pass, as far as it has them."""
        for kind in (*LAYOUTS, *(("ground",) if part == "picture" else ())):
            program = self.program(kind, part)
            for name, value in values.items():
                if name in program:
                    _set(program[name], value)

    def buffers(self, size_px: tuple[int, int]) -> Buffers:
        """Frame buffers for a size: the picture with several samples a pixel, the picture, the numbers of the tiles."""
        if size_px not in self._buffers:
            self._buffers.clear()  # one size at a time
            self._buffers[size_px] = self._new_buffers(size_px)
        return self._buffers[size_px]

    def _new_buffers(self, size_px: tuple[int, int]) -> Buffers:
        c = self.context
        many = c.framebuffer(
            [c.renderbuffer(size_px, 4, samples=SAMPLES, dtype="f2")], c.depth_renderbuffer(size_px, samples=SAMPLES)
        )
        one = c.framebuffer([c.renderbuffer(size_px, 4, dtype="f2")])
        numbers = c.framebuffer([c.renderbuffer(size_px, 1, dtype="f4")], c.depth_renderbuffer(size_px))
        return many, one, numbers


def _used(
    buffer: moderngl.Buffer, layout: str, names: tuple[str, ...], program: moderngl.Program
) -> tuple[moderngl.Buffer, str, *tuple[str, ...]]:
    """Buffer, layout and names for a program; what the program does not use is skipped."""
    sizes, each = (layout[:-2], "/i") if layout.endswith("/i") else (layout, "")
    parts = [size if name in program else f"{4 * int(size[0])}x" for size, name in zip(sizes.split(), names, strict=True)]
    return (buffer, " ".join(parts) + each, *(name for name in names if name in program))


def _set(uniform: object, value: object) -> None:
    """Set a number, a vector or an array of vectors."""
    if isinstance(value, int | float):
        uniform.value = value  # type: ignore[attr-defined]
    else:
        kind = "i4" if uniform.gl_type == GL_INT else "f4"  # type: ignore[attr-defined]
        uniform.write(np.ascontiguousarray(value, kind).tobytes())  # type: ignore[attr-defined]


def _noise(size: int) -> np.ndarray:
    """Tiling noise of about unit spread: slope along, slope across, height, a second height."""
    rng = np.random.default_rng(5)
    frequency = np.hypot(*np.meshgrid(np.fft.fftfreq(size), np.fft.fftfreq(size))) * size
    layers = []
    for _ in range(2):
        spectrum = np.fft.fft2(rng.normal(0, 1, (size, size))) * np.exp(-((frequency / 28) ** 2)) / np.sqrt(1 + frequency / 6)
        height = np.real(np.fft.ifft2(spectrum))
        layers.append((height - height.mean()) / height.std())
    along, across = (np.roll(layers[0], -1, axis) - np.roll(layers[0], 1, axis) for axis in (1, 0))
    return np.dstack([along / along.std(), across / across.std(), *layers]).astype(np.float32)


@lru_cache(maxsize=2)
def stage(process: int) -> Stage:
    """The stage of a process (its id: a context does not live on in a child)."""
    del process
    return Stage()
