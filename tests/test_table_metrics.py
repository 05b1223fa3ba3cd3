"""Figures for Prometheus: the text format's rules, and the address where they are served."""

from __future__ import annotations

import socket
import urllib.error
import urllib.request

import pytest
from exposition import read_exposition
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import BadInput
from table.metrics import CONTENT_TYPE, Counter, Histogram, Metric, MetricsServer, Sample, exposition


def read_one(metric):
    return read_exposition(exposition([metric]))[metric.name].samples


def test_a_counter_counts_by_its_label():
    """Each value of the label has a sample of its own; without a label there is one from the start."""
    events = Counter("type")
    events.add("tile_played")
    events.add("tile_played")
    events.add("infraction")
    samples = read_one(Metric("miron_events_total", "counter", "Events.", events.read))
    assert {labels: value for (_, labels), value in samples.items()} == {
        (("type", "tile_played"),): 2,
        (("type", "infraction"),): 1,
    }
    assert list(read_one(Metric("miron_frames_total", "counter", "Frames.", Counter().read)).values()) == [0]


@given(st.lists(st.floats(0, 100), max_size=30))
def test_a_histogram_is_cumulative(took):
    """A bucket counts all that took no longer than its bound; the last one counts everything."""
    histogram = Histogram((0.1, 1.0, 10.0))
    for seconds in took:
        histogram.add(seconds)
    samples = read_one(Metric("miron_look_seconds", "histogram", "Looks.", lambda: list(histogram.read())))
    for bound in ("0.1", "1", "10"):
        assert samples[("miron_look_seconds_bucket", (("le", bound),))] == sum(one <= float(bound) for one in took)
    assert samples[("miron_look_seconds_count", ())] == len(took)
    assert samples[("miron_look_seconds_sum", ())] == pytest.approx(sum(took))


@given(st.text(max_size=20), st.floats())
def test_any_label_and_number_keep_the_format(label, value):
    """Quotes, backslashes and line feeds in a label, and numbers that are none, stand as the format wants them."""
    text = exposition([Metric("miron_some", "gauge", "Any\nhelp \\ text.", lambda: [Sample(value, {"of": label})])])
    lines = [line for line in text.split("\n") if line]
    assert len(lines) == 3
    (read,) = read_exposition(text)["miron_some"].samples.values()
    assert read == value or (read != read and value != value)


def test_what_cannot_be_read_is_left_out():
    """A sensor that is gone, or a journal that is busy, costs its own figure alone."""

    def gone():
        raise OSError("no sensor")

    kept = Metric("miron_up", "gauge", "Up.", lambda: [Sample(1)])
    assert set(read_exposition(exposition([Metric("miron_gone", "gauge", "Gone.", gone), kept]))) == {"miron_up"}


def test_the_server_gives_metrics_and_nothing_else():
    """/metrics has the format's content type; any other path is 404; the port is free again afterwards."""
    with MetricsServer(lambda: "# HELP a b\n# TYPE a gauge\na 1\n") as server:
        with urllib.request.urlopen(server.url, timeout=10) as answer:
            assert answer.headers["Content-Type"] == CONTENT_TYPE
            assert read_exposition(answer.read().decode())["a"].samples == {("a", ()): 1}
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(server.url + "/../etc/passwd", timeout=10)
    socket.create_server(("127.0.0.1", server.port)).close()


def test_a_taken_port_is_told_in_one_line():
    """The line names the port and the key to set."""
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(BadInput, match=r"metrics\.port") as told:
        MetricsServer(str, port=taken.getsockname()[1])
    assert "\n" not in str(told.value)
