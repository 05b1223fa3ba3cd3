"""A reader of the text format of Prometheus, version 0.0.4, as strict as its rules: for tests of what is served."""

from __future__ import annotations

import re
from typing import NamedTuple

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*"'
SAMPLE = re.compile(rf"({NAME})(?:\{{({LABEL}(?:,{LABEL})*)\}})? (\S+)")
SUFFIXES = {"histogram": ("_bucket", "_sum", "_count"), "counter": ("",), "gauge": ("",)}


class Series(NamedTuple):
    """A metric as read: its kind, and each sample by name and labels."""

    kind: str
    help: str
    samples: dict[tuple[str, tuple[tuple[str, str], ...]], float]


def read_exposition(text: str) -> dict[str, Series]:
    """Every metric by name; AssertionError with the line that breaks a rule."""
    assert text.endswith("\n"), "the last line must end with a line feed"
    found: dict[str, Series] = {}
    help_of: dict[str, str] = {}
    current = ""
    for line in text.split("\n")[:-1]:
        if told := re.fullmatch(rf"# HELP ({NAME}) (.*)", line):
            assert told[1] not in help_of, f"a second HELP: {line}"
            help_of[told[1]] = told[2]
        elif told := re.fullmatch(rf"# TYPE ({NAME}) (counter|gauge|histogram|summary|untyped)", line):
            current = told[1]
            assert current not in found, f"a second TYPE, or one group torn apart: {line}"
            found[current] = Series(told[2], help_of.get(current, ""), {})
        else:
            told = SAMPLE.fullmatch(line)
            assert told, f"no sample: {line!r}"
            _keep(found[current], current, told)
    for name, series in found.items():
        _check(name, series)
    return found


def _keep(series: Series, name: str, told: re.Match[str]) -> None:
    assert told[1].startswith(name) and told[1][len(name) :] in SUFFIXES[series.kind], f"{told[1]} stands under {name}"
    labels = tuple(sorted(tuple(pair.split("=", 1)) for pair in re.findall(LABEL, told[2] or "")))
    assert len({label for label, _ in labels}) == len(labels), f"a label twice: {told[0]}"
    key = (told[1], tuple((label, value[1:-1]) for label, value in labels))
    assert key not in series.samples, f"the same sample twice: {told[0]}"
    series.samples[key] = float(told[3])


def _check(name: str, series: Series) -> None:
    assert series.help, f"{name} has no HELP"
    if series.kind == "counter":
        assert name.endswith("_total"), f"the counter {name} should end with _total"
        assert all(value >= 0 for value in series.samples.values())
    if series.kind == "histogram":
        bounds = [(float(dict(labels)["le"]), value) for (of, labels), value in series.samples.items() if of.endswith("_bucket")]
        assert [bound for bound, _ in bounds] == sorted(bound for bound, _ in bounds) and bounds[-1][0] == float("inf")
        counts = [count for _, count in bounds]
        assert counts == sorted(counts), f"{name} is not cumulative"
        assert counts[-1] == series.samples[(f"{name}_count", ())]
        assert (f"{name}_sum", ()) in series.samples
