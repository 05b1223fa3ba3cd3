"""The event as it goes over the wire."""

import pytest

from rules.errors import BadInput
from table.envelope import EventRecord, checked_name, checked_type, event_id, json_line, sorted_data, wire_time


def an_event(**changes):
    fields = {
        "seq": 412,
        "id": event_id("finals", "t07", 3, 412),
        "boot": "b",
        "event": "finals",
        "table": "t07",
        "match": 3,
        "hand": 5,
        "time": "2026-11-30T00:10:11.123Z",
        "t_s": 812.345,
        "frame": 10233,
        "type": "tile_played",
        "data": {"tile": "6-4", "seat": 2},
    }
    return EventRecord.build(**{**fields, **changes})


def test_the_line_has_the_declared_keys_in_order():
    """The JSON text begins with schema and seq and ends with data, so that equal events are equal bytes."""
    line = an_event().line()
    assert line.startswith('{"schema":1,"seq":412,"id":"') and line.endswith(
        '"type":"tile_played","data":{"tile":"6-4","seat":2}}'
    )


def test_a_line_reads_back_the_same():
    """What is printed parses to the same event, and prints again to the same bytes."""
    record = an_event(data={"text": "«ñ» 🁫"})
    assert EventRecord.parse(record.line()) == record and EventRecord.parse(record.line()).line() == record.line()


def test_unknown_keys_are_ignored():
    """A line with a key of a later version is still read."""
    assert EventRecord.parse(an_event().line()[:-1] + ',"colour":"red"}') == an_event()


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"schema":1}', '{"schema":2' + an_event().line()[11:], an_event().line().replace("812.345", "NaN")]
)
def test_what_is_not_an_event_is_bad_input(text):
    """Broken, foreign and newer lines give one line of explanation."""
    with pytest.raises(BadInput, match="expected") as caught:
        EventRecord.parse(text)
    assert "\n" not in str(caught.value)


def test_the_id_is_a_function_of_match_and_seq():
    """Replaying gives the same ids; another match, table or seq gives another."""
    base = event_id("finals", "t07", 3, 412)
    assert base == event_id("finals", "t07", 3, 412)
    assert (
        len({base, event_id("finals", "t07", 4, 412), event_id("finals", "t08", 3, 412), event_id("finals", "t07", 3, 413)}) == 4
    )


@pytest.mark.parametrize("name", ["", "T07", "a/b", "#", "+", "ñ", "a" * 33, "t07\n"])
def test_names_that_cannot_stand_in_a_topic_are_bad_input(name):
    """Only 1 to 32 of a-z, 0-9 and - pass, so nobody can break out of the table's subtree."""
    with pytest.raises(BadInput, match="expected the table's name"):
        checked_name("table", name)


def test_names_that_fit_pass():
    """A usual name comes back unchanged."""
    assert checked_name("table", "t07") == "t07"


@pytest.mark.parametrize("data", [{"p": float("nan")}, {"p": float("inf")}, {"x": {1, 2}}, {"x": "\ud800"}])
def test_data_that_json_cannot_carry_is_bad_input(data):
    """NaN, infinity, sets and half a surrogate pair are refused before anything is written."""
    with pytest.raises(BadInput, match="expected event data"):
        sorted_data(data)


def test_data_keys_are_sorted_at_every_depth():
    """The order in which a dictionary was filled leaves no trace in the bytes."""
    assert json_line(sorted_data({"b": {"d": 1, "c": 2}, "a": 0})) == '{"a":0,"b":{"c":2,"d":1}}'


def test_an_unknown_type_is_bad_input():
    """A misspelt event type never reaches the journal."""
    with pytest.raises(BadInput, match="expected an event type"):
        checked_type("tile_plaid")


def test_wire_time_is_utc_with_milliseconds():
    """The clock is printed to the millisecond, with the carry right."""
    assert wire_time(0) == "1970-01-01T00:00:00.000Z"
    assert wire_time(1.9996) == "1970-01-01T00:00:02.000Z"
    assert wire_time(1795997411.123) == "2026-11-30T00:10:11.123Z"
