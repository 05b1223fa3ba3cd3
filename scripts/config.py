"""`miron config`: the settings in force, and where each came from."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from rules.errors import BadInput
from table.mqtt_settings import MqttSettings
from table.settings import TableSettings
from table.settings_layers import Loaded, example, ignored_variables, load_settings, variable

ConfigFile = Annotated[
    Path | None, typer.Option("--config", help="File of settings; table.toml of this folder where there is one.")
]
Settings = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting that counts before file and environment.")
]

BrokerAddress = Annotated[
    str | None, typer.Option("--broker", help="HOST:PORT of the broker; user, password and TLS as the settings mqtt.* say.")
]

command = typer.Typer(no_args_is_help=True, help="The settings of a table: table.toml < environment MIRON_… < --set.")


@command.command("show")
def show(
    config: ConfigFile = None,
    set: Settings = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """Every value in force and where it came from; secrets are masked."""
    loaded = load_settings(config, set or ())
    for name in ignored_variables():
        print(f"miron: {name} in the environment names no setting and is ignored", file=sys.stderr)
    if as_json:
        for row in loaded.rows():
            print(
                json.dumps({"key": row.key, "value": row.value, "from": row.origin, "where": _where(loaded, row.key, row.origin)})
            )
    else:
        Console(soft_wrap=True).print(_drawn(loaded))


@command.command("example")
def print_example() -> None:
    """A table.toml with every key, its default and its meaning."""
    print(example(), end="")


def settings_of(config: Path | None, told: list[str] | None, **own: str | int | None) -> TableSettings:
    """The settings in force; options of a command's own, by their keys, count before all layers where they were given."""
    options = [f"{key}={value}" for key, value in own.items() if value is not None]
    return load_settings(config, [*(told or ()), *options]).settings


def broker_settings(config: Path | None, told: list[str] | None, address: str | None, **own: str | None) -> MqttSettings:
    """The broker as a table's settings have it. `address` (HOST:PORT) and `own` keys that are told count before all of them.

    BadInput for an address that is none, and as `load_settings`.
    """
    host, _, port = (address or "").rpartition(":")
    if address is not None and not (host and port.isdigit()):
        raise BadInput(f"expected a broker as HOST:PORT, found {address!r}; such as localhost:1883")
    first = {"mqtt.enabled": "true", "mqtt.host": host or None, "mqtt.port": port or None}
    found = settings_of(config, told, **first, **own).broker
    assert found is not None, "mqtt.enabled"
    return found


def _drawn(loaded: Loaded) -> Table:
    drawn = Table("key", "value", "from", box=None, pad_edge=False)
    for row in loaded.rows():
        drawn.add_row(row.key, _shown(row.value), _where(loaded, row.key, row.origin))
    return drawn


def _shown(value: object) -> str:
    return "-" if value is None else value if isinstance(value, str) else json.dumps(value)


def _where(loaded: Loaded, key: str, origin: str) -> str:
    return {"file": str(loaded.file), "environment": variable(key), "option": "--set"}.get(origin, origin)
