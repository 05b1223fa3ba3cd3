"""`miron bench hall` in miniature: it counts what was told and what was heard."""

from __future__ import annotations

from scripts.bench_hall import Answer, _late, _rows, measure


class Heard:
    """Readers that heard what they are told."""

    def __init__(self, hall, screens):
        self.hall, self.screens = hall, screens


def test_what_is_lost_doubled_and_late_is_counted():
    """One event that the hall missed, one that a screen missed, one that came twice; lateness is that of the first coming."""
    written = {("t001", 1): 10.0, ("t001", 2): 11.0, ("t002", 1): 10.0}
    heard = Heard([("t001", 1, 10.5), ("t001", 2, 11.1), ("t001", 2, 12.0)], [("t001", 1, 10.2)])
    rows = {row.what: row.value for row in _rows(heard, [Answer(written, 3.0, 0.02), Answer({}, 2.0, 0.5)], 10.0, 1.0, 5.0, 4.0)}
    assert rows["lost, at the hall and at the screens"] == 2
    assert rows["doubled at the hall"] == 1
    assert (rows["events"], rows["CPU of the broker, of one core"], rows["CPU of the readers, of one core"]) == (3, 10, 40)
    assert (rows["CPU of all tables, of one core"], rows["behind the pace of play, at most"]) == (50, 500)
    late = {row.what: round(row.value) for row in _late("x", written, heard.hall)}
    assert late == {"x, 50%": 500, "x, 99%": 500, "x, 100%": 500}


def test_a_small_hall_loses_nothing(capsys):
    """Ten tables, ten screens and a hall, a hand each: every event is heard once everywhere."""
    measure(tables=10, speed=200.0, hands=1, processes=1)
    told = capsys.readouterr().out
    assert "10 tables at 200 times" in told
    figures = {line.split("│")[1].strip(): line.split("│")[2].strip() for line in told.splitlines() if line.count("│") == 4}
    assert int(figures["events"].replace(",", "")) > 250
    assert (figures["lost, at the hall and at the screens"], figures["doubled at the hall"]) == ("0", "0")
