"""Figures for Prometheus: what is told of a table, and the address where it is served."""

from __future__ import annotations

import socket
import urllib.request

import numpy as np
import pytest
from prometheus_client.parser import text_string_to_metric_families

from rules.errors import BadInput
from table.metrics import TableMetrics, _Figures, serving
from vision.frame import Frame

FRAME = Frame(np.zeros((2, 2, 3), np.uint8), 0, 0.0)


class SeesNothing:
    def detect(self, image, min_confidence=0.5):
        return []


def test_frames_and_looks_are_counted():
    """Frames in all and a second, how old the newest is, and each look; before the first frame there is no age."""
    now = [0.0]
    metrics = TableMetrics(lambda: now[0])
    value = metrics.registry.get_sample_value
    assert value("miron_frame_age_seconds") is None
    for t_s in range(1, 9):
        now[0] = float(t_s)
        metrics.saw(FRAME)
    metrics.saw("a signal")
    now[0] = 10.0
    metrics.timed(SeesNothing()).detect(FRAME.image)
    assert value("miron_frames_total") == 8
    assert value("miron_frames_per_second") == pytest.approx(0.8)
    assert value("miron_frame_age_seconds") == pytest.approx(2.0)
    assert value("miron_look_seconds_count") == 1


def test_what_cannot_be_read_is_left_out():
    """A sensor that is gone, or a journal that is busy, costs its own figure alone."""

    def gone():
        raise OSError("no sensor")

    metrics = TableMetrics()
    metrics.registry.register(_Figures(lambda: [("miron_gone", "Gone.", gone), ("miron_up", "Up.", lambda: 1)]))
    assert metrics.registry.get_sample_value("miron_gone") is None
    assert metrics.registry.get_sample_value("miron_up") == 1


def test_figures_are_served_and_the_port_is_free_again():
    """The address gives the text format, nothing but our own figures and the process's; afterwards nobody listens."""
    with serving(TableMetrics().registry, "127.0.0.1", 0) as address, urllib.request.urlopen(address, timeout=10) as answer:
        assert answer.headers["Content-Type"].startswith("text/plain; version=")
        names = {family.name for family in text_string_to_metric_families(answer.read().decode())}
    assert {"miron_frames", "miron_look_seconds"} <= names and all(name.startswith(("miron_", "process_")) for name in names)
    socket.create_server(("127.0.0.1", int(address.split(":")[2].split("/")[0]))).close()


def test_a_taken_port_is_told_in_one_line():
    """The line names the port and the key to set."""
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(BadInput, match=r"metrics\.port") as told,
        serving(TableMetrics().registry, "127.0.0.1", taken.getsockname()[1]),
    ):
        pass
    assert "\n" not in str(told.value)
