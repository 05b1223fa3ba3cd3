"""A small PDF writer: pages of black and white pictures, lines and words, placed to the millimetre."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

POINTS_PER_MM = 72 / 25.4
A4_MM = (210.0, 297.0)


@dataclass(slots=True)
class Page:
    """One page; its content is added in millimetres from the lower left corner, x right, y up."""

    size_mm: tuple[float, float] = A4_MM
    drawing: list[str] = field(default_factory=list)
    pictures: list[np.ndarray] = field(default_factory=list)

    def picture(self, x_mm: float, y_mm: float, width_mm: float, height_mm: float, picture: np.ndarray) -> None:
        """A grey picture (uint8 HxW, black below 128) with its lower left corner at x, y."""
        box = " ".join(_points(v) for v in (width_mm, 0, 0, height_mm, x_mm, y_mm))
        self.drawing.append(f"q {box} cm /I{len(self.pictures)} Do Q")
        self.pictures.append(picture)

    def box(self, x_mm: float, y_mm: float, width_mm: float, height_mm: float) -> None:
        """A black box."""
        self.drawing.append(" ".join(_points(v) for v in (x_mm, y_mm, width_mm, height_mm)) + " re f")

    def triangle(self, *corners_mm: tuple[float, float]) -> None:
        """A black triangle."""
        a, b, c = (f"{_points(x)} {_points(y)}" for x, y in corners_mm)
        self.drawing.append(f"{a} m {b} l {c} l f")

    def text(self, x_mm: float, y_mm: float, words: str, height_mm: float = 4.0) -> None:
        """Words in Helvetica, Latin letters only, starting at x on the line y."""
        safe = words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        self.drawing.append(f"BT /F {_points(height_mm)} Tf {_points(x_mm)} {_points(y_mm)} Td ({safe}) Tj ET")


def pdf_bytes(pages: Sequence[Page]) -> bytes:
    """The pages as a PDF 1.4 document. Same pages, same bytes."""
    objects: list[bytes] = [b"", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"]
    kids = []
    for page in pages:
        first = len(objects) + 1
        objects += [_picture(p) for p in page.pictures]
        objects.append(_stream(b"", "\n".join(page.drawing).encode("latin-1")))
        names = " ".join(f"/I{i} {first + i} 0 R" for i in range(len(page.pictures)))
        media = " ".join(_points(v) for v in (0, 0, *page.size_mm))
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [{media}] /Contents {len(objects)} 0 R "
            f"/Resources << /Font << /F 3 0 R >> /XObject << {names} >> >> >>".encode()
        )
        kids.append(len(objects))
    objects[0] = b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>"
    objects[1] = f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(f'{k} 0 R' for k in kids)}] >>".encode()
    return _document(objects)


def _document(objects: Sequence[bytes]) -> bytes:
    out, places = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(out))
    return out + b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table) + trailer


def _picture(picture: np.ndarray) -> bytes:
    height, width = picture.shape
    about = f"/Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace /DeviceGray /BitsPerComponent 1 "
    return _stream(about.encode(), np.packbits(picture > 127, axis=1).tobytes())


def _stream(about: bytes, content: bytes) -> bytes:
    packed = zlib.compress(content, 9)
    return b"<< %s/Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (about, len(packed), packed)


def _points(millimetres: float) -> str:
    return f"{millimetres * POINTS_PER_MM:.4f}".rstrip("0").rstrip(".")
