"""Files as a careless or hostile hand leaves them: strategies for texts, values and whole documents that went wrong."""

from __future__ import annotations

import copy
import datetime
import re
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

HOSTILE_TEXTS = (
    *list("[]{}\"'\\#:;,-?!&*%@|<>=.~+ \t\r\n0123456789SENWabx"), "", "[[", "]]", "{}", "- ", ": ", "# ", "...", "--- ", "<<: ",
    "&a ", "*a", "&a [*a]", "!!bool x", "!!int x", "!!timestamp x", "!!set {a}", "!!binary x", "!!python/name:os.system", "%YAML 9",
    "null", "true", "yes", "none", "nan", ".nan", ".inf", "NaN", "-Infinity", "1e999", "1.5e308", "-1", "-0", "0x", "0o9", "1_0",
    "1:1:1", "7-7", "6-6", "0-6", "6-4-1", "٣", "𝟛", "é", "\0", "\x1b[31m", "\x85", "\u2028", "\ufeff", "\ud800", "\\ud800",
    "9" * 50, "9" * 5000, "0x" + "f" * 5000, "1:" * 400 + "1.5", "x" * 5000, "[" * 2000, "{a: " * 300, "2026-11-30", "2026-99-99",
)  # fmt: skip
"""What readers stumble over: marks that mean something, numbers without end, other scripts, half characters, tags, depth."""

HOSTILE_VALUES = (
    None, True, False, 0, 1, 3, 4, -1, 7, 28, 2**53, 10**40, -(10**400), 0.0, -0.5, 1e308, float("nan"), float("inf"),
    "", " ", "S", "4", "A", "C", "open", "b", "6-6", "7-7", "6-4-1", "٣-٣", "yes", "pass", "place", "correction", "incident", "x" * 5000,
    "two\nlines", "\0", "\x1b[31m", "[/red]", "\u2028", "é", [], {}, [[]], [None], [1, 2], ["6-6"], ["6-6", 0.5], [["6-6", 7]],
    {"a": 1}, {0: "6-6"}, {"0": "6-6", "S": "5-5"}, {4: ""}, {0: 1, 1: 2, 2: 3, 3: 4},
    {"kind": "clock", "t": 0}, datetime.date(2026, 11, 30),
)  # fmt: skip
"""Values of every type that a field may hold by mistake."""

Way = Callable[[st.DrawFn, str, Sequence[str]], str]


def _span(draw: st.DrawFn, text: str, most: int = 60) -> tuple[int, int]:
    start = draw(st.integers(0, len(text)))
    return start, min(len(text), start + draw(st.integers(0, most)))


def _cut(draw: st.DrawFn, text: str, texts: Sequence[str]) -> str:
    start, stop = _span(draw, text)
    return text[:start] + text[stop:]


def _doubled(draw: st.DrawFn, text: str, texts: Sequence[str]) -> str:
    start, stop = _span(draw, text)
    return text[:stop] + text[start:]


def _broken_off(draw: st.DrawFn, text: str, texts: Sequence[str]) -> str:
    return text[: draw(st.integers(0, len(text)))]


def _put_in(draw: st.DrawFn, text: str, texts: Sequence[str]) -> str:
    start, stop = _span(draw, text, most=1)
    return text[:start] + draw(st.sampled_from(HOSTILE_TEXTS) | st.characters()) + text[stop:]


def _another_word(draw: st.DrawFn, text: str, texts: Sequence[str]) -> str:
    """A word of the text in place of another one, or something hostile there."""
    words = list(re.finditer(r"[\w.+-]+", text))
    if not words:
        return text
    there, other = draw(st.sampled_from(words)), draw(st.sampled_from(words))
    return text[: there.start()] + draw(st.just(other[0]) | st.sampled_from(HOSTILE_TEXTS)) + text[there.end() :]


def _another_line(draw: st.DrawFn, text: str, texts: Sequence[str]) -> str:
    """A line of this or another text at a place where it does not belong, or in place of the one there."""
    lines, others = text.split("\n"), draw(st.sampled_from(texts)).split("\n")
    at = draw(st.integers(0, len(lines)))
    return "\n".join([*lines[:at], draw(st.sampled_from(others)), *lines[at + draw(st.integers(0, 1)) :]])


WAYS: tuple[Way, ...] = (
    _cut,
    _doubled,
    _broken_off,
    _put_in,
    _put_in,
    _another_word,
    _another_word,
    _another_line,
    _another_line,
)


@st.composite
def mutated(draw: st.DrawFn, texts: Sequence[str], most: int = 4) -> str:
    """One of the texts with up to so many faults."""
    text = draw(st.sampled_from(texts))
    for way in draw(st.lists(st.sampled_from(WAYS), min_size=1, max_size=most)):
        text = way(draw, text, texts)
    return text


@st.composite
def miswritten(draw: st.DrawFn, documents: Sequence[Any], most: int = 3) -> Any:
    """One of the documents with up to so many values replaced, left out or said twice."""
    document = copy.deepcopy(draw(st.sampled_from(documents)))
    for _ in range(draw(st.integers(1, most))):
        _miswrite(draw, document)
    return document


def _miswrite(draw: st.DrawFn, document: Any) -> None:
    places = list(_places(document))
    if not places:
        return
    parent, key = draw(st.sampled_from(places))
    what = draw(st.sampled_from(["replace", "replace", "replace", "drop", "another"]))
    if what == "drop":
        del parent[key]
    elif what == "replace":
        parent[key] = copy.deepcopy(draw(st.sampled_from(HOSTILE_VALUES)))
    else:
        other, name = draw(st.sampled_from(places))
        parent[key] = copy.deepcopy(other[name])


def _places(value: Any) -> Any:
    """Every place of a document, as the mapping or list and the key in it."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])


ANY_VALUE = st.recursive(
    st.sampled_from(HOSTILE_VALUES) | st.text(max_size=8) | st.integers() | st.floats(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4) | st.integers(0, 4), inner, max_size=4),
    max_leaves=12,
)
"""Any document at all."""
