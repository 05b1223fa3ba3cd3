"""The table that each part of `miron bench` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
        table.add_row(row.what, _digits(row.value), row.unit)
    Console().print(table)


def show_columns(title: str, columns: Sequence[str], rows: Mapping[str, Mapping[str, float]]) -> None:
    """Print figures of several columns, a row a name; what was not measured is a dash."""
    table = Table(title=title)
    table.add_column("what")
    for column in columns:
        table.add_column(column, justify="right")
    for name, values in rows.items():
        table.add_row(name, *(_digits(values[c]) if c in values else "-" for c in columns))
    Console().print(table)


def _digits(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
