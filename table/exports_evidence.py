"""The proofs of a match's incidents on its sheet: each still is printed if its bytes are those of the record, each clip is named."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from table.envelope import EventRecord

MOST_BYTES = 4_000_000  # of one still; what is larger was not made by miron


def proofs_by_incident(events: tuple[EventRecord, ...]) -> dict[int, list[dict[str, Any]]]:
    """The proofs of each incident, by its seq: those told with it, then those that came later."""
    found: dict[int, list[dict[str, Any]]] = {}
    for event in events:
        incident: int = event.data["incident"] if event.type == "evidence" else event.seq
        found.setdefault(incident, []).extend(event.data.get("evidence") or ())
    return {incident: proofs for incident, proofs in found.items() if proofs}


def figures(incident: int, proofs: list[dict[str, Any]], folder: Path | None, words: dict[str, str]) -> str:
    """An incident's proofs as HTML. folder: where the files lie; what is not there, or is not what was recorded, is said to be so."""
    parts = (f"<figure>{''.join(_figure(proof, folder, words))}</figure>\n" for proof in proofs)
    return f"<h3>#{incident}</h3>\n{''.join(parts)}"


def _figure(proof: dict[str, Any], folder: Path | None, words: dict[str, str]) -> Iterator[str]:
    name, digest, kind = Path(str(proof.get("url", ""))).name, str(proof.get("sha256", "")), proof.get("kind")
    packed = _packed(folder, name)
    if packed is None:
        told = words["proof_missing"]
    elif hashlib.sha256(packed).hexdigest() != digest:
        told = words["proof_differs"]
    else:
        told = words["proof_holds"]
        if kind == "still":
            yield f'<img alt="{escape(name)}" src="data:image/jpeg;base64,{base64.b64encode(packed).decode()}">'
    yield f"<figcaption>{escape(name)} · {escape(told)}<br>SHA-256 {escape(digest)}</figcaption>"


def _packed(folder: Path | None, name: str) -> bytes | None:
    """The bytes of the file of this name that lies in the folder itself."""
    if folder is None or not name or not (folder / name).is_file() or (folder / name).resolve().parent != folder.resolve():
        return None
    if name.endswith(".jpg") and (folder / name).stat().st_size > MOST_BYTES:
        return None
    return (folder / name).read_bytes()
