"""`miron broker`: a broker in the foreground, for a table and its screens on this machine."""

from __future__ import annotations

import os
import signal
from typing import Annotated, cast

import typer

from rules.errors import BadInput
from table.broker import LOOPBACK, Broker, Kind


def command(
    port: Annotated[int, typer.Option(help="MQTT over TCP; 0 takes a free port")] = 0,
    ws_port: Annotated[int, typer.Option(help="MQTT over WebSocket, for pages; 0 takes a free port")] = 0,
    kind: Annotated[str | None, typer.Option(help="mosquitto or iotcore; mosquitto when it is installed")] = None,
    host: Annotated[
        str, typer.Option(help="address to listen on; elsewhere than loopback a user and a password are needed")
    ] = LOOPBACK,
    user: Annotated[str | None, typer.Option(help="the one who may write; the password is in MIRON_MQTT_PASSWORD")] = None,
) -> None:
    """Run a broker until Ctrl-C and print its addresses."""
    broker = Broker(cast("Kind | None", kind), host, port, ws_port, user, os.environ.get("MIRON_MQTT_PASSWORD"))
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
