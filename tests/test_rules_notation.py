"""The text of a match: prints and parses back the same, and a broken one gives its valid part and one line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import MISSING, fields, replace
from pathlib import Path

import pytest
import yaml
from any_observation import ANY_OBSERVATION, BY_NAME, SEATS
from hypothesis import example, given, settings
from hypothesis import strategies as st
from legal_play import play_hand

from rules.errors import BadInput
from rules.events import HandEnded, Infraction, MatchEnded, ScoreChanged
from rules.notation import parse_record, read_record, record_text
from rules.notation_acts import IN_ORDER, WITHOUT_SEAT
from rules.observations import KINDS, Correction, Observation, Pass, Place, observation_from_dict
from rules.record import Act, HandMark, Header, Note, Record, Remark, differences, judged, record_of
from rules.referee import replay
from rules.ruleset import DUSA, FID, RULESETS
from rules.seats import Seat
from rules.tiles import Tile

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")

TEXTS = st.text(max_size=12) | st.sampled_from(["open", "S", "6-4", "yes", "none", "7", "a b", "# no", '"', "\\n", "x=1", ":="])
ANY_VALUES = BY_NAME | {
    **dict.fromkeys(("what", "cause", "ruling", "code", "text", "by"), TEXTS),
    **{name: st.floats(allow_nan=False, allow_infinity=False) for name in ("t", "mm", "deg", "dur", "level", "pose_deg")},
    "instead": st.none() | ANY_OBSERVATION.filter(lambda seen: not isinstance(seen, Correction)),
}
ANY_FULL = [st.builds(cls, **{f.name: ANY_VALUES[f.name] for f in fields(cls)}) for cls in KINDS.values()]
ANY_BARE = [
    st.builds(cls, **{f.name: ANY_VALUES[f.name] for f in fields(cls) if f.default is MISSING or f.name == "tile"})
    for cls in KINDS.values()
]


def _readable(seen: Observation) -> bool:
    inner = seen.instead if isinstance(seen, Correction) else None
    return all(
        not isinstance(one, Place) or one.tile is not None or bool(one.candidates) for one in (seen, inner) if one is not None
    )


ACTS = st.one_of(*ANY_FULL, *ANY_BARE, ANY_OBSERVATION).filter(_readable)
COMMENTS = st.just("") | st.text(max_size=10).map(lambda text: text.replace("\n", "").replace("\r", "").strip())
POINTS = st.tuples(st.integers(-300, 300), st.integers(-300, 300))
PAIRS = st.sampled_from(["A", "B"])
NUMBERS = st.integers(0, 99)
EVENTS = st.one_of(
    st.builds(
        Infraction, obs=NUMBERS, code=TEXTS, rule=TEXTS, seat=st.none() | SEATS | st.tuples(SEATS, SEATS), at_obs=NUMBERS,
        fine=st.none() | NUMBERS, credit=st.none() | PAIRS, remedy_holder=st.none() | SEATS, difference=st.none() | NUMBERS,
        because=st.lists(NUMBERS, max_size=3).map(tuple),
    ),
    st.builds(
        HandEnded, obs=NUMBERS, end=st.sampled_from(["domination", "tranque", "tie", "void"]), by_seat=st.none() | SEATS,
        winner=st.none() | PAIRS, points=POINTS, left=st.none() | POINTS, next_starter=st.none() | SEATS, counted=st.booleans(),
    ),
    st.builds(ScoreChanged, obs=NUMBERS, points=POINTS, fines=POINTS),
    st.builds(MatchEnded, obs=NUMBERS, winner=st.none() | PAIRS, reason=TEXTS, score=POINTS),
)  # fmt: skip
SWITCHES = st.fixed_dictionaries(
    {},
    optional={
        "target": st.integers(1, 500), "clock_s": st.none() | st.floats(0, 9999), "fine_mode": st.sampled_from(["award", "deduct"]),
        "even_hands": st.booleans(), "exposed_causes": st.lists(TEXTS, max_size=3), "sure": st.floats(0, 1),
    },
)  # fmt: skip
HEADERS = st.builds(
    Header,
    ruleset=st.builds(lambda name, switches: RULESETS[name].with_switches(switches), st.sampled_from(["dusa", "fid"]), SWITCHES),
    opener=st.none() | SEATS,
    hand_no=st.integers(1, 20),
    points=POINTS,
    players=st.tuples(TEXTS, TEXTS, TEXTS, TEXTS),
    pairs=st.tuples(TEXTS, TEXTS),
    tags=st.dictionaries(st.from_regex(r"[a-z][a-z0-9_-]{5,9}", fullmatch=True), TEXTS, max_size=3)
    .map(lambda tags: {key: text for key, text in tags.items() if key not in ("switches", "opener", "points")})
    .map(lambda tags: tuple(tags.items())),
)
ENTRIES = st.one_of(
    st.builds(Act, ACTS, COMMENTS),
    st.builds(Act, ACTS, COMMENTS),
    st.builds(Note, EVENTS, COMMENTS),
    st.builds(HandMark, NUMBERS, COMMENTS),
    st.builds(Remark, COMMENTS),
)
RECORDS = st.builds(Record, HEADERS, st.lists(ENTRIES, max_size=8).map(tuple))


def two_hands() -> tuple[Observation, ...]:
    first = play_hand(1)
    return (*first.observations, *play_hand(2, Seat.E, t=first.observations[-1].t + 9.0).observations)


PLAYED = record_text(record_of(Header(players=("Ana", "Beto", "Carla", "Dora"), tags=(("event", "Copa"),)), two_hands()))


@settings(max_examples=120, deadline=None)
@given(record=RECORDS)
def test_every_record_prints_and_parses_back(record: Record) -> None:
    """Any header, any observation of any kind, any note and comment: the text reads back as the same record, and prints the same."""
    text = record_text(record)
    assert parse_record(text) == record
    assert record_text(parse_record(text)) == text


@settings(max_examples=150, deadline=None)
@given(
    data=st.lists(st.tuples(st.integers(0, len(PLAYED)), st.sampled_from(["drop", "put", "swap"]), st.characters()), max_size=4)
)
def test_if_it_parses_it_prints_back_the_same(data: list[tuple[int, str, str]]) -> None:
    """Characters of a whole match dropped, put in, changed: what could be read prints canonically, and a stop is one clear line."""
    _holds(_mutated(PLAYED, data))


@settings(max_examples=80, deadline=None)
@given(record=RECORDS, where=st.floats(0, 1), put=st.sampled_from(list(' #;:=@?![]"\\-0679aESx\n\t.')))
@example(record=Record(entries=(Act(Pass(t=0.0, seat=Seat.S)),)), where=1.0, put="\ud800")
def test_rare_acts_survive_a_wrong_character_too(record: Record, where: float, put: str) -> None:
    """The same for records of every kind of line, with the characters that mean something in them."""
    text = record_text(record)
    at = round(where * len(text))
    _holds(text[:at] + put + text[at:])
    _holds(text[:at] + put + text[at + 1 :])


@settings(max_examples=80, deadline=None)
@given(lines=st.lists(st.text(st.sampled_from(list('SENW?@=:[]"#;!.-0126 ab pcounthd\\')), max_size=30), max_size=4))
def test_noise_is_no_exception(lines: list[str]) -> None:
    """Any lines below the first one: the reader gives what it could read."""
    _holds("domino 1\n" + "\n".join(lines))


def _mutated(text: str, data: list[tuple[int, str, str]]) -> str:
    for at, what, char in data:
        text = text[:at] + ("" if what == "drop" else char) + text[at + (what != "put") :]
    return text


def _holds(text: str) -> None:
    reading = read_record(text)
    assert parse_record(record_text(reading.record)) == reading.record
    if reading.stopped is None:
        assert parse_record(text) == reading.record
        return
    assert re.fullmatch(r"line \d+, column \d+: expected .*, found .*", str(reading.stopped))
    assert 1 <= reading.stopped.line <= text.count("\n") + 1
    with pytest.raises(BadInput, match=r"^line"):
        parse_record(text)


def _scenarios() -> Iterator[tuple[str, tuple[Observation, ...]]]:
    for path in sorted((ROOT / "tests" / "scenarios").glob("*.yaml")):
        for row in yaml.safe_load(path.read_text(encoding="utf-8"))["scenarios"]:
            yield row["id"], tuple(observation_from_dict(seen) for seen in row["observations"])


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
def test_a_record_is_judged_as_its_observations_are(ruleset: object) -> None:
    """Every scenario as a record under both rule sets: the text carries all that the verdict hangs on, and its notes hold."""
    for name, seen in _scenarios():
        record = record_of(Header(ruleset=ruleset), seen)  # type: ignore[arg-type]
        back = parse_record(record_text(record))
        state = replay(record.header.start(), seen)
        assert back == record and replay(back.header.start(), back.observations) == state, name
        assert differences(back) == (), name


def test_a_changed_note_is_found() -> None:
    """A score, a fine or a hand number that judging does not give is told with its act; so is a verdict that was left out."""
    record = record_of(Header(), two_hands())
    changed = parse_record(record_text(record).replace("0:12", "0:13").replace("hand 2", "hand 3"))
    assert any("act 28: noted hand_ended" in line for line in differences(changed))
    assert any("expected hand 2, found hand 3" in line for line in differences(changed))
    without = replace(record, entries=record.entries[:-1])
    assert any("is not noted" in line for line in differences(without))


def test_a_record_without_notes_lacks_none() -> None:
    """Who writes the plays only has said nothing wrong; judging fills the notes in."""
    bare = Record(Header(), tuple(Act(seen) for seen in two_hands()))
    assert differences(bare) == ()
    assert judged(bare) == record_of(Header(), two_hands())


def test_judging_again_under_another_rule_set_keeps_what_people_wrote() -> None:
    """Comments and remarks stay, notes are made anew."""
    record = parse_record("domino 1\nrules: dusa\n# good light\nS 6-6 open # slow\nE pass\nE 6-4 a\n! OLD S OLD # odd")
    other = judged(replace(record, header=Header(ruleset=FID)))
    assert Remark("good light") in other.entries and Remark("odd") in other.entries
    assert other.entries[2] == Act(Place(t=0.0, seat=Seat.S, tile=Tile(6, 6), at="open"), "slow")
    assert not any(isinstance(entry, Note) and entry.event.code == "OLD" for entry in other.entries)


def test_a_person_writes_little() -> None:
    """No numbers, no times, several acts a line, tiles in either order, seats in small letters: read, and printed in full."""
    text = "domino 1\nrules: FID\n\ns 4-6 open; e 6-1 b; n pass # late\n  w ? a candidates=[3-4:0.6 4-4:0.4]\n"
    record = parse_record(text)
    assert [seen.t for seen in record.observations] == [0.0, 2.0, 4.0, 6.0]
    assert record.header.ruleset == FID
    assert record_text(record).splitlines()[3:] == [
        "  0. S 6-4 open",
        "  1. E 6-1 b",
        "  2. N pass  # late",
        "  3. W ? a candidates=[4-3:0.6 4-4:0.4]",
    ]


def test_lines_of_other_systems_are_read() -> None:
    """A byte order mark and carriage returns change nothing."""
    assert parse_record("\ufeff" + PLAYED.replace("\n", "\r\n")) == parse_record(PLAYED)


@pytest.mark.parametrize(
    ("line", "stopped"),
    [
        ("S 7-1 a", "line 3, column 3: expected a tile"),
        ("S 6-4", "line 3, column 6: expected place with at"),
        ("9. S pass", "line 3, column 1: expected act number 1, found 9"),
        ("S pass @ten", "line 3, column 9: expected a number"),
        ("S pass p=7", "line 3, column 10: expected a probability"),
        ("S pass voice p=0.9 p=0.9", "found p again"),
        ("S jump", "line 3, column 3: expected a tile such as 6-4"),
        ("S ? a", "expected candidates="),
        ("correction 0 := correction 1", "expected an act that is no correction"),
        ("event: late", "line 3, column 1: expected a seat"),
        ("count S[1-1 S[]", "line 3"),
        ("= victory", "expected score, match, or how the hand ended"),
    ],
)
def test_what_stopped_the_reader_is_told(line: str, stopped: str) -> None:
    """Line and column, what was expected and what was found; the lines before are given."""
    reading = read_record(f"domino 1\nS 6-4 open\n{line}\nE pass")
    assert reading.stopped is not None and stopped in str(reading.stopped)
    assert len(reading.record.observations) == 1


@pytest.mark.parametrize(
    "header",
    ["rules: house", "switches: target=many", "opener: X", "hand: 0", "points: 3", "switches: think_s=1e999", "S: a\nS: b"],
)
def test_a_header_that_cannot_be_used_is_told(header: str) -> None:
    """A rule set, switch, seat or number that does not exist stops the reader in the header."""
    reading = read_record(f"domino 1\n{header}\nS 6-4 open")
    assert reading.stopped is not None and reading.stopped.line in (2, 3)


def test_what_no_text_can_hold_is_refused() -> None:
    """Endless times, corrections of corrections, tags with our names, comments of two lines, other codes in the rule set."""
    seen = Pass(t=0.0, seat=Seat.S)
    for record in (
        lambda: Record(entries=(Act(replace(seen, t=float("inf"))),)),
        lambda: Record(entries=(Act(Correction(t=0.0, voids=0, instead=Correction(t=0.0, voids=0))),)),
        lambda: Record(header=Header(tags=(("rules", "x"),))),
        lambda: Record(entries=(Act(seen, "two\nlines"),)),
        lambda: Record(header=Header(ruleset=replace(DUSA, charges={}))),
        lambda: Record(entries=(Note(ScoreChanged(obs=-1, points=(0, 0), fines=(0, 0))),)),
    ):
        with pytest.raises(BadInput):
            record_text(record())


def test_the_page_names_every_kind_and_its_examples_are_canonical() -> None:
    """docs/notation.md: each kind of observation with its fields, and whole records that print as they stand there."""
    for kind, cls in KINDS.items():
        assert f"`{kind}`" in PAGE, kind
        keys = {f.name for f in fields(cls)} - {"t", "confidence", "frame", "hands", "final", "instead", *IN_ORDER.get(kind, ())}
        for name in keys - (set() if kind in WITHOUT_SEAT else {"seat"}):
            assert f"`{'pose' if name == 'pose_deg' else name}`" in PAGE, (kind, name)
    records = re.findall(r"```domino\n(.*?)```", PAGE, re.DOTALL)
    assert len(records) >= 2
    for text in records:
        record = parse_record(text)
        assert record_text(record) == text
        assert differences(record) == ()
