"""`miron display`: the pages that people look at."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from display.server import PageConfig, board_server
from rules.errors import BadInput

if TYPE_CHECKING:
    from table.library import Library


def command(
    mqtt_ws: Annotated[
        str, typer.Option(help="the broker's WebSocket address, as screens reach it")
    ] = "ws://127.0.0.1:9001/mqtt",
    port: Annotated[int, typer.Option(help="port of the page; 0 takes a free one")] = 8080,
    host: Annotated[str, typer.Option(help="address to serve on; 0.0.0.0 for every screen on the network")] = "127.0.0.1",
    event: Annotated[str, typer.Option(help="the event's name, as in the topics")] = "local",
    table: Annotated[str, typer.Option(help="the table's name, as in the topics")] = "t01",
    evidence: Annotated[Path | None, typer.Option(help="folder of the pictures and clips that incidents point to")] = None,
    user: Annotated[
        str | None,
        typer.Option(help="a screen's user at the broker, for every page to look with; its password is in MIRON_MQTT_PASSWORD"),
    ] = None,
    recordings: Annotated[Path | None, typer.Option(help="a recording, or a folder of recordings, for /replay")] = None,
) -> None:
    """Serve the scoreboard, the referee's console, the hall, the overlay and the replay page until Ctrl-C."""
    config = PageConfig(mqtt_ws, event, table, _login(user))
    with contextlib.ExitStack() as stack:
        library = None if recordings is None else stack.enter_context(_library(recordings))
        listener = stack.enter_context(listening(host, port))
        address = f"http://{host}:{listener.getsockname()[1]}"
        print(f"The scoreboard of {event}/{table}: {address}/board (?lang=en, ?lang=pt). Ctrl-C stops it.")
        print(f"The referee's console: {address}/referee; the hall: {address}/hall; over a broadcast: {address}/overlay")
        print(f"Recorded matches: {address}/replay", flush=True)
        with contextlib.suppress(KeyboardInterrupt):  # uvicorn has shut down in order by then
            board_server(config, host, port, evidence, library).run(sockets=[listener])


def _login(user: str | None) -> tuple[str, str] | None:
    password = os.environ.get("MIRON_MQTT_PASSWORD")
    if user is not None and not password:
        raise BadInput(f"expected the password of {user} in MIRON_MQTT_PASSWORD, found none; set it there")
    return None if user is None or password is None else (user, password)


def _library(recordings: Path) -> Library:
    from table.library import Library  # here, so that a machine that only shows pages needs no network and no films

    return Library(recordings)


def listening(host: str, port: int) -> socket.socket:
    """A socket on this address, so that a taken port is said in one line."""
    try:
        family = socket.AF_INET6 if ipaddress.ip_address(host).version == 6 else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except (OSError, ValueError, OverflowError) as error:
        raise BadInput(f"expected to serve on port {port} of {host}, found: {error}; choose another address or port") from None
