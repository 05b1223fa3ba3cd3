"""`miron display`: the pages that people look at."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from display.server import PageConfig, board_server
from rules.errors import BadInput
from scripts.config import ConfigFile, Settings, settings_of
from table.settings import TableSettings

if TYPE_CHECKING:
    from table.library import Library


def command(
    mqtt_ws: Annotated[
        str | None, typer.Option(help="the broker's WebSocket address, as screens reach it: pages.mqtt_ws")
    ] = None,
    port: Annotated[int | None, typer.Option(help="port of the page; 0 takes a free one: pages.port")] = None,
    host: Annotated[
        str | None, typer.Option(help="address to serve on; 0.0.0.0 for every screen on the network: pages.host")
    ] = None,
    event: Annotated[str | None, typer.Option(help="the event's name, as in the topics")] = None,
    table: Annotated[str | None, typer.Option(help="the table's name, as in the topics")] = None,
    evidence: Annotated[Path | None, typer.Option(help="folder of the pictures and clips that incidents point to")] = None,
    user: Annotated[
        str | None,
        typer.Option(help="a screen's user at the broker, for every page to look with: pages.user; see pages.password_file"),
    ] = None,
    recordings: Annotated[Path | None, typer.Option(help="a recording, or a folder of recordings, for /replay")] = None,
    config: ConfigFile = None,
    set: Settings = None,
) -> None:
    """Serve the scoreboard, the referee's console, the hall, the overlay and the replay page until Ctrl-C."""
    own = {"pages.mqtt_ws": mqtt_ws, "pages.port": port, "pages.host": host, "pages.user": user}
    settings = settings_of(config, set, event=event, table=table, **own)
    page, host, port = page_config(settings), settings.pages.host, settings.pages.port
    with contextlib.ExitStack() as stack:
        library = None if recordings is None else stack.enter_context(_library(recordings))
        listener = stack.enter_context(listening(host, port))
        address = f"http://{host}:{listener.getsockname()[1]}"
        print(f"The scoreboard of {page.event}/{page.table}: {address}/board (?lang=en, ?lang=pt). Ctrl-C stops it.")
        print(f"The referee's console: {address}/referee; the hall: {address}/hall; over a broadcast: {address}/overlay")
        print(f"Recorded matches: {address}/replay", flush=True)
        with contextlib.suppress(KeyboardInterrupt):  # uvicorn has shut down in order by then
            board_server(page, host, port, evidence, library).run(sockets=[listener])


def page_config(settings: TableSettings) -> PageConfig:
    """What the pages are told of these settings."""
    return PageConfig(settings.pages.mqtt_ws, settings.event, settings.table, settings.screen)


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
