"""Recorded matches for the replay page: which there are, how each rule set judges them, their pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from display.evidence import proof_in, served
from rules.errors import BadInput
from rules.ruleset import RULESETS


class Recordings(Protocol):
    """What the replay page is a window on. A name that `listed` does not give is BadInput."""

    def listed(self) -> list[dict[str, Any]]:
        """Each recording's `name`, `title`, `teams`, `ruleset`, `start`, `video`, newest first."""
        ...

    def judged(self, name: str, ruleset: str) -> dict[str, Any]:
        """Its `events`, and the state of the table after each in `steps`, as a rule set judges it. May take long."""
        ...

    def video(self, name: str) -> Path | None:
        """A film that browsers play; None where there is none."""
        ...

    def evidence(self, name: str) -> Path:
        """The folder of its proofs."""
        ...


class NoRecordings:
    """Where no folder of recordings was named."""

    def listed(self) -> list[dict[str, Any]]:
        return []

    def judged(self, name: str, ruleset: str) -> dict[str, Any]:
        raise BadInput(f"expected a folder of recordings, found none for {name!r:.80}; name one with --recordings")

    def video(self, name: str) -> Path | None:
        return None

    def evidence(self, name: str) -> Path:
        raise BadInput(f"expected a folder of recordings, found none for {name!r:.80}; name one with --recordings")


def routes(recordings: Recordings) -> list[Route]:
    """`/recordings.json`, and below `/recordings/NAME/` the judgements, the film and the proofs."""

    async def listed(request: Request) -> Response:
        return JSONResponse({"recordings": await run_in_threadpool(recordings.listed)})

    async def judged(request: Request) -> Response:
        ruleset = request.path_params["ruleset"]
        if ruleset not in RULESETS:
            return Response(status_code=404)
        try:
            return JSONResponse(await run_in_threadpool(recordings.judged, request.path_params["name"], ruleset))
        except BadInput as error:
            return JSONResponse({"error": str(error)}, status_code=404)

    async def video(request: Request) -> Response:
        try:
            return served(await run_in_threadpool(recordings.video, request.path_params["name"]))
        except BadInput:
            return Response(status_code=404)

    async def evidence(request: Request) -> Response:
        try:
            folder = recordings.evidence(request.path_params["name"])
        except BadInput:
            return Response(status_code=404)
        return served(proof_in(folder, request.path_params["file"]))

    return [
        Route("/recordings.json", listed),
        Route("/recordings/{name}/video.mp4", video),
        Route("/recordings/{name}/evidence/{file}", evidence),
        Route("/recordings/{name}/{ruleset}.json", judged),
    ]
