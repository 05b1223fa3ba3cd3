"""Strategies for observations of every kind, likely and unlikely."""

from __future__ import annotations

from dataclasses import fields

from hypothesis import strategies as st

from rules.observations import KINDS, Place
from rules.seats import Seat
from rules.tiles import ALL_TILES

TILES = st.sampled_from(ALL_TILES)
SEATS = st.sampled_from(Seat)
NUMBERS = st.floats(0, 1e6, allow_nan=False)
TEXTS = st.text("abcdefgh _", min_size=1, max_size=12)
BY_NAME = {
    "t": NUMBERS, "confidence": st.floats(0, 1), "frame": st.integers(0, 10**6), "seat": SEATS, "tile": TILES,
    "at": st.sampled_from(["open", "a", "b"]), "pose_deg": st.floats(0, 360), "tip": st.integers(0, 6), "slot": st.integers(0, 6),
    "across": st.booleans(), "bend": st.sampled_from(["left", "right"]),
    "candidates": st.lists(st.tuples(TILES, st.floats(0, 1))).map(tuple),
    "to": st.sampled_from(["a", "b"]), "mm": NUMBERS, "deg": NUMBERS, "whole_line": st.booleans(),
    "via": st.sampled_from(["voice", "knock", "button", "seen", "unsignalled"]), "what": TEXTS, "dur": NUMBERS, "cause": TEXTS,
    "ruling": TEXTS, "incident": st.integers(0, 999), "code": TEXTS, "text": TEXTS, "by": TEXTS, "final": st.booleans(),
    "hands": st.tuples(*[st.none() | st.lists(TILES, max_size=7).map(tuple)] * 4), "count": st.integers(0, 28),
    "slots": st.lists(st.integers(0, 6)).map(tuple), "level": NUMBERS, "tiles": st.tuples(TILES, TILES, TILES, TILES),
    "pair": st.sampled_from(["A", "B"]), "points": st.integers(0, 168), "voids": st.integers(0, 999),
    "instead": st.none() | st.builds(Place, t=NUMBERS, tile=TILES, at=st.just("a")),
}  # fmt: skip
ANY_OBSERVATION = st.one_of([st.builds(cls, **{f.name: BY_NAME[f.name] for f in fields(cls)}) for cls in KINDS.values()])
