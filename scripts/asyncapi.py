"""Writes docs/asyncapi.yaml anew: `python -m scripts.asyncapi`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from table.asyncapi import document

FILE = Path(__file__).parent.parent / "docs" / "asyncapi.yaml"


class _Plain(yaml.SafeDumper):
    """YAML without anchors: every schema is written out where it stands."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def text() -> str:
    """The document as YAML."""
    return yaml.dump(document(), Dumper=_Plain, sort_keys=False, allow_unicode=True, width=120)


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
