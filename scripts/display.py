"""`miron display`: the scoreboard and the referee's console of one table."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from typing import Annotated

import typer

from display.server import PageConfig, board_server
from rules.errors import BadInput


def command(
    mqtt_ws: Annotated[
        str, typer.Option(help="the broker's WebSocket address, as screens reach it")
    ] = "ws://127.0.0.1:9001/mqtt",
    port: Annotated[int, typer.Option(help="port of the page; 0 takes a free one")] = 8080,
    host: Annotated[str, typer.Option(help="address to serve on; 0.0.0.0 for every screen on the network")] = "127.0.0.1",
    event: Annotated[str, typer.Option(help="the event's name, as in the topics")] = "local",
    table: Annotated[str, typer.Option(help="the table's name, as in the topics")] = "t01",
) -> None:
    """Serve the scoreboard and the referee's console until Ctrl-C."""
    config = PageConfig(mqtt_ws, event, table)
    with listening(host, port) as listener:
        taken = listener.getsockname()[1]
        print(f"The scoreboard of {event}/{table}: http://{host}:{taken}/board (?lang=en, ?lang=pt). Ctrl-C stops it.")
        print(f"The referee's console: http://{host}:{taken}/referee", flush=True)
        with contextlib.suppress(KeyboardInterrupt):  # uvicorn has shut down in order by then
            board_server(config, host, taken).run(sockets=[listener])


def listening(host: str, port: int) -> socket.socket:
    """A socket on this address, so that a taken port is said in one line."""
    try:
        family = socket.AF_INET6 if ipaddress.ip_address(host).version == 6 else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except (OSError, ValueError, OverflowError) as error:
        raise BadInput(f"expected to serve on port {port} of {host}, found: {error}; choose another address or port") from None
