"""Figures of a running table in the text format of Prometheus (version 0.0.4). docs/operating.md lists them."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal, NamedTuple

from rules.errors import BadInput

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
REQUEST_S = 5.0  # who takes longer to ask is let go


class Sample(NamedTuple):
    """One number. suffix: `_bucket`, `_sum`, `_count` of a histogram, else empty."""

    value: float
    labels: Mapping[str, str] = {}
    suffix: str = ""


@dataclass(frozen=True, slots=True)
class Metric:
    """A name with its meaning; `read` gives its numbers when somebody asks, in any thread."""

    name: str
    kind: Literal["counter", "gauge", "histogram"]
    meaning: str
    read: Callable[[], Iterable[Sample]]


class Counter:
    """Counts by one label, or without any. Safe to use from several threads."""

    def __init__(self, label: str = "") -> None:
        self._label, self._lock = label, threading.Lock()
        self._counts: dict[str, float] = {} if label else {"": 0.0}

    def add(self, of: str = "", many: float = 1.0) -> None:
        """Count what has happened; of: the label's value."""
        with self._lock:
            self._counts[of] = self._counts.get(of, 0.0) + many

    def read(self) -> list[Sample]:
        """The counts so far."""
        with self._lock:
            return [Sample(count, {self._label: of} if self._label else {}) for of, count in self._counts.items()]


class Histogram:
    """How long things took: how many up to each bound (s), their sum and count."""

    def __init__(self, bounds_s: tuple[float, ...]) -> None:
        self._bounds, self._lock = bounds_s, threading.Lock()
        self._counts = [0] * (len(bounds_s) + 1)
        self._sum = 0.0

    def add(self, seconds: float) -> None:
        """One thing took so long."""
        place = next((n for n, bound in enumerate(self._bounds) if seconds <= bound), len(self._bounds))
        with self._lock:
            self._counts[place] += 1
            self._sum += seconds

    def read(self) -> Iterator[Sample]:
        """Cumulative buckets, sum and count."""
        with self._lock:
            counts, total = list(self._counts), self._sum
        upto = 0
        for bound, count in zip((*(f"{bound:g}" for bound in self._bounds), "+Inf"), counts, strict=True):
            upto += count
            yield Sample(upto, {"le": bound}, "_bucket")
        yield Sample(total, suffix="_sum")
        yield Sample(upto, suffix="_count")


def exposition(metrics: Iterable[Metric]) -> str:
    """The text of all metrics. One that cannot be read now is left out: the others are still worth having."""
    lines = []
    for metric in metrics:
        try:
            samples = list(metric.read())
        except (OSError, BadInput):
            continue
        lines += [f"# HELP {metric.name} {_escaped(metric.meaning)}", f"# TYPE {metric.name} {metric.kind}"]
        lines += [f"{metric.name}{sample.suffix}{_labels(sample.labels)} {_number(sample.value)}" for sample in samples]
    return "".join(f"{line}\n" for line in lines)


class MetricsServer:
    """Serves `/metrics` in threads of its own; a context manager. BadInput when the address cannot be had; port 0 takes a free one."""

    def __init__(self, text: Callable[[], str], host: str = "127.0.0.1", port: int = 0) -> None:
        handler = type("Handler", (_Handler,), {"text": staticmethod(text)})
        try:
            self._server = ThreadingHTTPServer((host, port), handler)
        except (OSError, OverflowError) as error:
            raise BadInput(f"expected to serve metrics on port {port} of {host}, found: {error}; set metrics.port") from None
        self._server.daemon_threads = True
        self.port = int(self._server.server_address[1])
        self.url = f"http://{host}:{self.port}/metrics"
        self._thread = threading.Thread(target=self._server.serve_forever, name="metrics", daemon=True)

    def __enter__(self) -> MetricsServer:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(REQUEST_S)


class _Handler(BaseHTTPRequestHandler):
    text: Callable[[], str]
    timeout = REQUEST_S

    def do_GET(self) -> None:
        known = self.path.partition("?")[0] == "/metrics"
        body = (self.text() if known else "expected /metrics\n").encode()
        self.send_response(200 if known else 404)
        self.send_header("Content-Type", CONTENT_TYPE if known else "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Whoever asks every few seconds is not worth a line."""


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def _labels(labels: Mapping[str, str]) -> str:
    pairs = ",".join('{}="{}"'.format(name, _escaped(value).replace('"', '\\"')) for name, value in labels.items())
    return f"{{{pairs}}}" if pairs else ""


def _number(value: float) -> str:
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "+Inf" if value > 0 else "-Inf"
    return str(int(value)) if float(value).is_integer() else repr(float(value))
