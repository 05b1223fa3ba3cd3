"""Serves the pages and tells them where the broker is. The pages take everything else from MQTT."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from display.evidence import proof
from display.recordings import NoRecordings, Recordings
from display.recordings import routes as routes_of
from display.words import LANGUAGES, words_of
from rules.errors import BadInput

STATIC = Path(__file__).parent / "static"
PAGES = ("board", "overlay", "referee", "hall", "replay")
_NAME = re.compile(r"[a-z0-9-]{1,32}")
_HOST = re.compile(r"[A-Za-z0-9.:\[\]-]{1,255}")  # goes into a response header


@dataclass(frozen=True, slots=True)
class PageConfig:
    """What a page needs to follow one table; everybody who opens it can read it, so no secret belongs here.

    `ws_url`: the broker's WebSocket address, `ws://host:port/mqtt`. `event`, `table`: names as in the topics. `login`: user and
    password of somebody who may only look, where the broker lets nobody look without.
    """

    ws_url: str
    event: str
    table: str
    login: tuple[str, str] | None = field(default=None, repr=False)

    @property
    def told(self) -> dict[str, Any]:
        """What `/config.json` says."""
        login = {} if self.login is None else {"login": dict(zip(("username", "password"), self.login, strict=True))}
        return {"ws_url": self.ws_url, "event": self.event, "table": self.table} | login

    def __post_init__(self) -> None:
        for what in ("event", "table"):
            if not _NAME.fullmatch(getattr(self, what)):
                raise BadInput(
                    f"expected the {what}'s name as 1 to 32 of a-z, 0-9 and -, found {getattr(self, what)!r}; rename it"
                )
        _origin(self.ws_url)


def board_app(config: PageConfig, evidence: Path | None = None, recordings: Recordings | None = None) -> Starlette:
    """The web application: the pages, `/config.json`, `/words/es.json` and the like, the static files.

    evidence: folder of the pictures and clips under `/evidence/`; recordings: the matches of the replay page.
    """

    async def settings(request: Request) -> Response:
        return JSONResponse(config.told)

    async def home(request: Request) -> Response:
        return RedirectResponse("/board")

    routes = [
        Route("/", home),
        *(Route(f"/{page}", _page(f"{page}.html")) for page in PAGES),
        Route("/config.json", settings),
        Route("/evidence/{name}", partial(proof, evidence)),
        *routes_of(recordings or NoRecordings()),
        *(Route(f"/words/{language}.json", _words(language)) for language in LANGUAGES),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    return Starlette(routes=routes, middleware=[Middleware(BaseHTTPMiddleware, dispatch=_sealed(_headers(config)))])


def _page(name: str) -> Callable[[Request], Coroutine[Any, Any, Response]]:
    async def page(request: Request) -> Response:
        return FileResponse(STATIC / name)

    return page


def _words(language: str) -> Callable[[Request], Coroutine[Any, Any, Response]]:
    words = words_of(language)

    async def answer(request: Request) -> Response:
        return JSONResponse(words)

    return answer


def board_server(
    config: PageConfig,
    host: str = "127.0.0.1",
    port: int = 0,
    evidence: Path | None = None,
    recordings: Recordings | None = None,
) -> uvicorn.Server:
    """A server of `board_app` ready for `run()`; it stops when `should_exit` is set."""
    app = board_app(config, evidence, recordings)
    return uvicorn.Server(uvicorn.Config(app, host=host, port=port, log_level="warning", access_log=False))


def _sealed(headers: dict[str, str]) -> Callable[..., Coroutine[Any, Any, Response]]:
    async def dispatch(request: Request, call_next: Callable[[Request], Coroutine[Any, Any, Response]]) -> Response:
        response = await call_next(request)
        response.headers.update(headers)
        return response

    return dispatch


def _headers(config: PageConfig) -> dict[str, str]:
    policy = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self'",
        "media-src": "'self'",
        "connect-src": f"'self' {_origin(config.ws_url)}",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-cache",  # a screen left on for weeks takes the new page at its next load
    }


def _origin(ws_url: str) -> str:
    """Scheme, host and port of the broker's address; BadInput when it is none, or carries a password."""
    try:
        parts = urlsplit(ws_url)
        usable = parts.scheme in ("ws", "wss") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or "@" in parts.netloc or not _HOST.fullmatch(parts.netloc):
        raise BadInput(
            f"expected the broker's address for pages such as ws://127.0.0.1:9001/mqtt, found {ws_url!r}; no user in it"
        )
    return f"{parts.scheme}://{parts.netloc}"
