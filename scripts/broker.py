"""`miron broker`: a broker in the foreground, for a table and its screens on this machine, or for a hall."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Annotated, cast

import typer

from rules.errors import BadInput
from table.broker import LOOPBACK, Broker, Kind
from table.broker_users import User, made_users, read_users


def command(
    port: Annotated[int, typer.Option(help="MQTT over TCP; 0 takes a free port")] = 0,
    ws_port: Annotated[int, typer.Option(help="MQTT over WebSocket, for pages; 0 takes a free port")] = 0,
    kind: Annotated[str | None, typer.Option(help="mosquitto or iotcore; mosquitto when it is installed")] = None,
    host: Annotated[str, typer.Option(help="address to listen on; elsewhere than loopback users are needed")] = LOOPBACK,
    users: Annotated[
        Path | None,
        typer.Option(help="a file of users, one a line: role, name, password; it is made, with passwords, when it is not there"),
    ] = None,
    user: Annotated[str | None, typer.Option(help="one who may write everything; the password is in MIRON_MQTT_PASSWORD")] = None,
    guests: Annotated[
        bool | None,
        typer.Option("--guests/--no-guests", help="who gives no name may look; on loopback alone unless told"),
    ] = None,
    cert: Annotated[Path | None, typer.Option(help="TLS: certificate of the broker (PEM)")] = None,
    key: Annotated[Path | None, typer.Option(help="TLS: its key (PEM)")] = None,
) -> None:
    """Run a broker until Ctrl-C and print its addresses."""
    broker = Broker(
        cast("Kind | None", kind),
        host,
        port,
        ws_port,
        user,
        os.environ.get("MIRON_MQTT_PASSWORD"),
        _users(users),
        guests,
        _certificate(cert, key),
    )
    # A stop from outside ends like Ctrl-C, so that the child never stays behind.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with broker:
            print(
                f"{broker.kind} is listening: {broker.tcp_url} for tables, {broker.ws_url} for screens. Ctrl-C stops it.",
                flush=True,
            )
            status = broker.wait()
    except KeyboardInterrupt:
        return
    raise BadInput(
        f"expected {broker.kind} to run until Ctrl-C, found that it ended with status {status}; look at the system's log"
    )


def _users(file: Path | None) -> list[User]:
    if file is None:
        return []
    if file.exists():
        return read_users(file)
    made = made_users(file)
    print(f"{file} is new: users {', '.join(user.name for user in made)} with their passwords; only you can read it.", flush=True)
    return made


def _certificate(cert: Path | None, key: Path | None) -> tuple[Path, Path] | None:
    if (cert is None) != (key is None):
        raise BadInput("expected --cert and --key together, found one of them; give both")
    for file in (cert, key):
        if file is not None and not file.is_file():
            raise BadInput(f"expected a PEM file at {file}, found none; docs/mqtt.md says how to make one")
    return None if cert is None or key is None else (cert, key)
