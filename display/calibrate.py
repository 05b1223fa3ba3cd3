"""Serves the wizard of `miron calibrate`: one page, the picture, and what the page asks to be done.

Every address begins with a secret: who does not have it, another page of the same browser among them, can neither see nor do anything.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import uvicorn
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from rules.errors import BadInput

STATIC = Path(__file__).parent / "static"
LONGEST_BODY = 4096
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class Walk(Protocol):
    """What the wizard's page is a window on: JSON values and JPEG pictures."""

    def state(self) -> dict[str, Any]: ...
    def act(self, form: Any) -> dict[str, Any]: ...
    def picture(self) -> bytes: ...
    def from_above(self) -> bytes: ...


def wizard_app(walk: Walk, secret: str, over: Callable[[], None]) -> Starlette:
    """The web application; the page is at `/SECRET/`. over: called when the page has been told that the calibration is written."""

    def state(request: Request) -> Response:
        return JSONResponse(walk.state())

    async def act(request: Request) -> Response:
        body = await request.body()
        if len(body) > LONGEST_BODY:
            return Response(status_code=413)
        try:
            form = await request.json()
        except (ValueError, RecursionError):
            return Response(status_code=400)
        return await run_in_threadpool(_answer, form)

    def _answer(form: Any) -> Response:
        told = walk.act(form)
        return JSONResponse(told, background=BackgroundTask(over) if told["written"] else None)

    routes = [
        Route("/", lambda request: FileResponse(STATIC / "calibrate.html")),
        Route("/state.json", state),
        Route("/act", act, methods=["POST"]),
        Route("/picture.jpg", _jpeg(walk.picture)),
        Route("/above.jpg", _jpeg(walk.from_above)),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    return Starlette(routes=[Mount(f"/{secret}", routes=routes)], middleware=[Middleware(BaseHTTPMiddleware, dispatch=_sealed)])


def wizard_server(walk: Walk, secret: str, host: str, port: int) -> uvicorn.Server:
    """A server ready for `run()`, which ends when the calibration is written."""
    server: uvicorn.Server

    def over() -> None:
        server.should_exit = True

    app = wizard_app(walk, secret, over)
    server = uvicorn.Server(
        uvicorn.Config(app, host=host, port=port, log_level="warning", access_log=False, timeout_graceful_shutdown=5)
    )
    return server


def _jpeg(picture: Callable[[], bytes]) -> Callable[[Request], Response]:
    def answer(request: Request) -> Response:
        try:
            return Response(picture(), media_type="image/jpeg")
        except BadInput:
            return Response(status_code=503)

    return answer


async def _sealed(request: Request, call_next: RequestResponseEndpoint) -> Response:
    response = await call_next(request)
    response.headers.update(HEADERS)
    return response
