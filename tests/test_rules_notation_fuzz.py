"""Records with faults: what parses prints back the same, else there is the part before the fault and one clear line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from legal_play import play_hand
from long_run import times
from mutated_text import HOSTILE_TEXTS, mutated

from rules.errors import BadInput
from rules.notation import Reading, parse_record, read_record, record_text
from rules.observations import observation_from_dict
from rules.record import Header, record_of
from rules.ruleset import DUSA, FID
from rules.seats import Seat

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
HEADERS = (
    Header(players=("Ana", "Beto", "Carla", "Dora"), pairs=("1", "a b"), tags=(("event", "Copa #3"), ("date", "2026-11-30"))),
    Header(ruleset=FID.with_switches({"target": 150, "even_hands": False, "exposed_causes": ["drop"]}), opener=Seat.W, hand_no=3),
    Header(ruleset=DUSA.with_switches({"clock_s": None, "think_s": 2.5}), points=(120, 35)),
)


def _texts() -> list[str]:
    """Whole matches, every scenario of the suite under some header, and the examples of the page."""
    files = sorted((ROOT / "tests" / "scenarios").glob("*.yaml"))
    rows = [row["observations"] for path in files for row in yaml.safe_load(path.read_text(encoding="utf-8"))["scenarios"]]
    played = [list(play_hand(seed).observations) for seed in (1, 2)]
    matches = [*played, *([observation_from_dict(row) for row in scenario] for scenario in rows)]
    records = (record_of(HEADERS[number % len(HEADERS)], seen) for number, seen in enumerate(matches))
    return [*map(record_text, records), *re.findall(r"```domino\n(.*?)```", PAGE, re.DOTALL)]


TEXTS = _texts()
WORDS = st.lists(
    st.sampled_from(sorted({word for text in TEXTS for word in text.split()})) | st.sampled_from(HOSTILE_TEXTS), max_size=8
)


def holds(text: str) -> Reading:
    """What was read prints as a text that reads and prints the same; a stop is one short line, at a place in the text.

    Up to the stop, nothing depends on what comes after it: the lines before it read as the beginning of the record.
    """
    reading = read_record(text)
    printed = record_text(reading.record)
    assert parse_record(printed) == reading.record and record_text(parse_record(printed)) == printed
    if reading.stopped is None:
        return reading
    stop, lines = reading.stopped, text.removeprefix("\ufeff").split("\n")
    assert re.fullmatch(r"line \d+, column \d+: expected .*, found .+", str(stop)) and len(str(stop).splitlines()) == 1
    assert len(str(stop)) <= 400
    assert 1 <= stop.line <= len(lines) and 1 <= stop.column <= len(lines[stop.line - 1]) + 1
    before = read_record("\n".join(lines[: stop.line - 1])).record
    assert reading.record.entries[: len(before.entries)] == before.entries
    assert reading.record.header == before.header
    with pytest.raises(BadInput, match=r"^line .*; correct the record$"):
        parse_record(text)
    return reading


@settings(max_examples=times(200, 5000), deadline=None)
@given(text=mutated(TEXTS))
def test_a_mutated_record_prints_back_or_stops_with_one_line(text: str) -> None:
    """Records of every kind of line with pieces torn out, doubled, swapped, spliced, and hostile words put in."""
    holds(text)


@settings(max_examples=times(150, 3000), deadline=None)
@given(head=st.lists(WORDS, max_size=2), lines=st.lists(WORDS, max_size=3))
def test_the_words_of_records_in_any_order(head: list[list[str]], lines: list[list[str]]) -> None:
    """Headers and lines put together from the words of real records: the reader takes them or says where they go wrong."""
    holds("\n".join(["domino 1", *(f"{' '.join(words[:1])}: {' '.join(words[1:])}" for words in head), *map(" ".join, lines)]))


LONG = "x" * 5000


@pytest.mark.parametrize(
    "line",
    [
        f"rules: {LONG}",
        f"opener: {LONG}",
        f"points: {LONG}",
        f"switches: target={LONG}",
        f"switches: {LONG}=1",
        f"{LONG}: a\n{LONG}: b",
        f"S {LONG}",
        f"S 6-4 a {LONG}=1",
        f'S 6-4 a tip="{LONG}"',
        f"! CODE {LONG}",
        f"! CODE S RULE {LONG}=1",
        f"= {LONG}",
        f"= tie S A {LONG}",
        f"= tie S A 1:1 counted={LONG}",
        f"hand {LONG}",
        f"draw {LONG} 1-1 1-1 1-1",
    ],
)
def test_a_word_without_end_does_not_spoil_the_line(line: str) -> None:
    """Wherever a word of thousands of letters stands, the stop shows the beginning of it."""
    stop = holds(f"domino 1\n{line}").stopped
    assert stop is not None and "xxxxxxxxxx" in str(stop)


def test_a_result_of_no_kind_is_told_where_it_stands() -> None:
    """The stop is at the word that is no result, and names it."""
    stop = holds("domino 1\nS 6-4 open\n= victory S A 17:0").stopped
    assert (
        str(stop)
        == "line 3, column 3: expected score, match, or how the hand ended (domination, tranque, tie, void), found 'victory'"
    )


@settings(max_examples=times(100, 2000), deadline=None)
@given(data=st.data(), number=st.integers(0, len(TEXTS) - 1))
def test_one_fault_never_costs_the_lines_before_it(data: st.DataObject, number: int) -> None:
    """A single fault in a record: header and acts of all lines above it are read as they were."""
    right = TEXTS[number]
    wrong = data.draw(mutated([right], most=1))
    pairs = zip(wrong.split("\n"), right.split("\n"), strict=False)
    same = next((line for line, (one, other) in enumerate(pairs) if one != other), 0)
    expected = read_record("\n".join(right.split("\n")[:same])).record
    assert holds(wrong).record.entries[: len(expected.entries)] == expected.entries
