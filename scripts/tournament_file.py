"""The file of a tournament: read from JSON or TOML, written so that an interrupt never leaves half of it."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from rules.errors import BadInput
from rules.fields import LARGEST, shown
from rules.tournament.book import add, from_document
from rules.tournament.entries import entry_from_row, entry_to_row
from rules.tournament.state import Tournament


def read_document(path: Path) -> dict[str, Any]:
    """The document of a file, TOML by its name's ending, else JSON; BadInput when it is none."""
    name, read = ("TOML", tomllib.loads) if path.suffix.lower() == ".toml" else ("JSON", _from_json)
    try:
        document = _plain(read(path.read_text(encoding="utf-8")))
        json.dumps(document, ensure_ascii=False).encode()  # half characters could not be written back
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None
    except OSError as error:
        raise BadInput(
            f"expected a tournament file, found {path}: {error.strerror}; make one with miron tournament new"
        ) from None
    except (ValueError, RecursionError) as error:
        raise BadInput(f"expected {name} in {path}, found {' '.join(str(error).split()):.120}; correct it") from None
    if not isinstance(document, dict):
        raise BadInput(f"expected a tournament in {path}, found a {type(document).__name__}; see docs/tournament.md")
    return document


def _from_json(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_once)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A mapping whose keys are said once: of two lists of entries, the first would be lost at the next writing."""
    found = dict(pairs)
    if len(found) < len(pairs):
        again = next(key for number, (key, _) in enumerate(pairs) if key in dict(pairs[:number]))
        raise BadInput(f"expected each key once, found {shown(again)} again; keep one")
    return found


def read_tournament(path: Path) -> Tournament:
    """The tournament of a file; BadInput lists all that is wrong with it."""
    return _checked(path, read_document(path))


def enter(path: Path, make: Callable[[Tournament], dict[str, Any]]) -> tuple[Tournament, int]:
    """Append the row that `make` gives for the tournament; the tournament with it, and its number.

    A refused entry is BadInput and leaves the file as it was.
    """
    with changing(path) as document:
        tournament = _checked(path, document)
        entry = entry_from_row(make(tournament))
        tournament = add(tournament, entry)
        document.setdefault("entries", []).append(entry_to_row(entry))  # rows of the file stay as they are, unknown keys and all
    return tournament, len(tournament.entries)


def create(path: Path, document: dict[str, Any]) -> Tournament:
    """Write a new file; BadInput when there is one already or when the tournament is not right."""
    with _alone(path):
        if path.exists():
            raise BadInput(f"expected a name that is free, found {path}; choose another or remove that file")
        tournament = _checked(path, document)
        _write(path, document)
    return tournament


@contextmanager
def changing(path: Path) -> Iterator[dict[str, Any]]:
    """The document of a file, written back after the block; nobody else changes it meanwhile."""
    if path.suffix.lower() == ".toml":
        raise BadInput(f"expected a JSON file to write to, found {path}; miron tournament new NAME.json --from {path} makes one")
    path = path.resolve()  # behind a link the file itself is replaced
    with _alone(path):
        document = read_document(path)
        yield document
        _write(path, document)


def _checked(path: Path, document: dict[str, Any]) -> Tournament:
    try:
        return from_document(document)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Waits until no other process changes a tournament in this folder."""
    try:
        folder = os.open(path.parent, os.O_RDONLY)
    except OSError as error:
        raise BadInput(f"expected a folder for {path.name}, found {path.parent}: {error.strerror}; give another place") from None
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _write(path: Path, document: dict[str, Any]) -> None:
    """The new text lies on disk before it takes the old one's place."""
    new = path.with_name(f".{path.name}.new")
    try:
        with new.open("w", encoding="utf-8") as file:
            file.write(_text(document))
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, new)
        new.replace(path)
    except OSError as error:
        raise BadInput(f"expected a file to write to, found {path}: {error.strerror}; give another place") from None
    finally:
        new.unlink(missing_ok=True)


def _text(document: dict[str, Any]) -> str:
    """JSON with an entry a line, for people who look into the file."""
    entries = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in document.get("entries", []))
    head = "".join(
        f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)},\n" for key, value in document.items() if key != "entries"
    )
    return "{\n" + head + ' "entries": [\n' + entries + "\n ]\n}\n"


def _plain(value: Any) -> Any:
    """TOML's own dates and times as text; numbers only as large as every reader of JSON takes them."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, int | float) and not -LARGEST <= value <= LARGEST:
        raise BadInput(f"expected numbers up to {LARGEST}, found {shown(value)}; correct it")
    return value.isoformat() if isinstance(value, datetime | date | time) else value
