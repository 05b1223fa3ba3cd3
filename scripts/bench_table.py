"""The table that each part of `miron bench` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.console import Console
from rich.table import Table


class Row(NamedTuple):
    """One measured figure."""

    what: str
    value: float
    unit: str


def show(title: str, rows: Sequence[Row]) -> None:
    """Print measured figures; three digits count."""
    table = Table(title=title)
    table.add_column("what")
    table.add_column("value", justify="right")
    table.add_column("")
    for row in rows:
        table.add_row(row.what, f"{row.value:,.0f}" if row.value >= 100 else f"{row.value:.3g}", row.unit)
    Console().print(table)
