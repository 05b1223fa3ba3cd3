"""Serves pictures and clips from one folder, and nothing that lies outside it."""

from __future__ import annotations

import re
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response

TYPES = {
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".png": "image/png",
    ".webp": "image/webp",
    ".mp4": "video/mp4",
    ".webm": "video/webm",
    ".mkv": "video/x-matroska",
}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


def proof_in(folder: Path, name: str) -> Path | None:
    """The picture or clip of this name that lies in the folder itself; None for any other name, kind of file, or way out of it."""
    file = folder / name
    if not _NAME.fullmatch(name) or file.suffix not in TYPES or not file.is_file():
        return None
    return file if file.resolve().parent == folder.resolve() else None  # a link may point elsewhere


def served(file: Path | None) -> Response:
    """The file with its content type, in parts where they are asked for; 404 for None."""
    return Response(status_code=404) if file is None else FileResponse(file, media_type=TYPES[file.suffix])


async def proof(folder: Path | None, request: Request) -> Response:
    """The answer to `…/{name}`."""
    return served(None if folder is None else proof_in(folder, request.path_params["name"]))
