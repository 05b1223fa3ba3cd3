"""The score of a watched film: what counts as found, missed, spurious, silent."""

from __future__ import annotations

from typing import Any

from table.film_score import FilmScore, aligned, score_film

TRUTH: list[dict[str, Any]] = [
    {"kind": "place", "seat": 0, "tile": "6-4", "at": "open"},
    {"kind": "place", "seat": 1, "tile": "4-1", "at": "b"},
    {"kind": "pass", "seat": 2},
    {"kind": "place", "seat": 3, "tile": "6-0", "at": "a"},
    {"kind": "infraction", "code": "RENEGE", "seat": 2, "ruleset": "dusa"},
    {"kind": "place", "seat": 0, "tile": "2-1", "at": "b"},
    {"kind": "hand", "winner": "A", "points": {"A": 9, "B": 0}},
]


def told(*rows: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"type": name, "seq": seq, "data": data} for seq, (name, data) in enumerate(rows, start=1)]


def played(tile: str, seat: int | None, end: str) -> tuple[str, dict[str, Any]]:
    return "tile_played", {"tile": tile, "seat": seat, "end": end}


PERFECT = (
    played("6-4", 0, "open"),
    played("4-1", 1, "b"),
    ("turn_passed", {"seat": 2, "via": "knock"}),
    played("6-0", 3, "a"),
    ("infraction", {"code": "RENEGE", "seat": 2}),
    played("2-1", 0, "b"),
    ("hand_ended", {"winner": "A", "points": {"A": 9, "B": 0}}),
)


def test_events_that_equal_the_truth_are_perfect() -> None:
    """Every play, seat, end, pass, infraction and result counts as found, under the rule set of the truth's rows."""
    score = score_film(TRUTH, told(*PERFECT), "dusa")
    assert score == FilmScore(4, 4, 0, 4, 4, 0, 0, 1, 1, 0, 1, 1, 0, 1, 1) and score.is_perfect
    fid = score_film(TRUTH, told(*PERFECT), "fid")
    assert (fid.infractions, fid.infractions_false) == (0, 1) and not fid.is_perfect


def test_a_lost_play_costs_one_and_moves_the_pass() -> None:
    """Plays are aligned by their tiles: one that nobody told leaves the others matched; a pass after it is a false one."""
    score = score_film(TRUTH, told(PERFECT[0], *PERFECT[2:]), "dusa")
    assert (score.plays, score.matched, score.spurious, score.silent) == (4, 3, 0, 0)
    assert (score.passes_found, score.passes_false) == (0, 1)


def test_a_wrong_tile_and_a_wrong_seat_are_silent_errors() -> None:
    """A tile that was not played is spurious; a play with another seat is silent; a seat that is not known is neither."""
    wrong = score_film(TRUTH, told(played("6-5", 0, "open"), played("4-1", 2, "b"), *PERFECT[2:]), "dusa")
    assert (wrong.matched, wrong.spurious, wrong.silent, wrong.seats) == (3, 1, 2, 2)
    unknown = score_film(TRUTH, told(played("6-4", None, "open"), *PERFECT[1:]), "dusa")
    assert (unknown.silent, unknown.seats) == (0, 3)


def test_what_was_taken_back_was_never_said() -> None:
    """A correction voids events by their seq; a withdrawn play is no play; a doubt that stands is a question."""
    voided = told(played("6-5", 0, "open"), ("correction", {"voids": [1]}), *PERFECT)
    assert score_film(TRUTH, voided, "dusa").is_perfect
    withdrawn = told(*PERFECT[:2], played("4-3", 2, "b"), ("tile_withdrawn", {"tile": "4-3", "seat": 2}), *PERFECT[2:])
    assert score_film(TRUTH, withdrawn, "dusa").silent == 0
    assert score_film(TRUTH, told(("reading_doubted", {}), *PERFECT), "dusa").questions == 1


def test_the_ends_may_be_exchanged_throughout_a_hand() -> None:
    """Which end is a is a convention where the opening was a double: all exchanged is right, one exchanged is not."""
    other = {"open": "open", "a": "b", "b": "a"}
    turned = [(name, data | {"end": other[data["end"]]}) if name == "tile_played" else (name, data) for name, data in PERFECT]
    assert score_film(TRUTH, told(*turned), "dusa").ends == 4
    assert score_film(TRUTH, told(PERFECT[0], turned[1], *PERFECT[2:]), "dusa").ends == 3


def test_scores_add_up() -> None:
    """The score of several films is the sum of theirs."""
    one = score_film(TRUTH, told(*PERFECT), "dusa")
    assert (one + one).plays == 8 and (one + FilmScore()) == one


def test_alignment_is_a_longest_common_subsequence() -> None:
    """The pairs rise in both, hold equal items, and are as many as can be."""
    pairs = aligned("abcde", "xbdce")
    assert len(pairs) == 3 and all("abcde"[i] == "xbdce"[j] for i, j in pairs)
    assert [i for i, _ in pairs] == sorted({i for i, _ in pairs}) and [j for _, j in pairs] == sorted({j for _, j in pairs})
    assert aligned("", "abc") == [] and aligned("abc", "abc") == [(0, 0), (1, 1), (2, 2)]
