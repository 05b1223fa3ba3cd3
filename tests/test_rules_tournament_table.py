"""Standings, pairing, sheets, corrections, withdrawals: small tournaments worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tournament_books import NOON, black, last_number, opened, played, tournament

from rules.errors import BadInput
from rules.tournament.book import add
from rules.tournament.entries import Annulment, Correction, PairEntered, Result, RoundOpened, Withdrawal
from rules.tournament.pairing import SEARCH_STEPS, Pairing, Search, nearest, pairing
from rules.tournament.standings import standings
from rules.tournament.state import Tournament


def table(book: Tournament, after: int | None = None) -> list[tuple[int | None, str, int, int]]:
    """Place, pair, wins, difference."""
    return [(line.place, line.pair, line.wins, line.difference) for line in standings(book, after)]


def sheet(book: Tournament, number: int = 1, at: int = 1) -> tuple[tuple[int, int], str | None]:
    """Points and winner of a table."""
    found = book.rounds[number - 1].versions[at - 1][-1].sheet
    return found.points, found.winner


def test_wins_rank_before_differences_and_differences_before_points() -> None:
    """Two rounds of four pairs: 300-100, 300-290, then 1-2 and 3-4 of the table meet (FID-CLA-1, FID-CLA-2)."""
    book = played(tournament("A", "B", "C", "D"), (300, 100), (290, 300))
    assert table(book) == [(1, "A", 1, 200), (2, "D", 1, 10), (3, "C", 0, -10), (4, "B", 0, -200)]
    assert pairing(book) == Pairing((("A", "D"), ("C", "B")), None)
    book = played(book, (100, 310), (250, 300))
    assert table(book) == [(1, "D", 2, 220), (2, "A", 1, -10), (3, "B", 1, -150), (4, "C", 0, -60)]


def test_an_odd_number_gives_the_last_pair_a_win_with_half_the_target() -> None:
    """150 at 300, 100 at 200; the first round's last by entry, later the last of the table (FID-CLA-3, D-20)."""
    book = played(tournament("A", "B", "C"), (300, 0))
    assert table(book) == [(1, "A", 1, 300), (2, "C", 1, 150), (3, "B", 0, -300)]
    assert pairing(book) == Pairing((("A", "C"),), "B")
    assert table(played(tournament("A", "B", "C", ruleset="dusa"), (200, 0)))[1] == (2, "C", 1, 100)
    assert table(played(tournament("A", "B", "C", target=400), (400, 0)))[1] == (2, "C", 1, 200)
    assert table(played(tournament("A", "B", "C", bye_share=1.0), (200, 0)))[0] == (1, "C", 1, 300)


def test_level_pairs_share_a_place_and_stand_in_the_order_of_entry() -> None:
    """No chance decides: equal in all keys, they are told in the order of entry."""
    book = played(tournament("A", "B", "C", "D"), (300, 200), (300, 200))
    assert [(place, pair) for place, pair, *_ in table(book)] == [(1, "A"), (1, "C"), (3, "B"), (3, "D")]


@pytest.mark.parametrize(("key", "order"), [("points_for", "CADB"), ("rivals_wins", "ACBD"), ("none", "ACBD")])
def test_the_third_key_is_a_switch(key: str, order: str) -> None:
    """A 300-200 and C 310-210 are level in wins and difference; C has more points for itself (D-21)."""
    book = played(tournament("A", "B", "C", "D", third_key=key), (300, 200), (310, 210))
    assert "".join(line.pair for line in standings(book)) == order


def test_rivals_wins_rank_the_pair_that_met_stronger_rivals_first() -> None:
    """C and D are level in wins, difference and points; C's rivals won three matches, D's one (D-21)."""
    book = played(tournament("A", "B", "C", "D", third_key="rivals_wins"), (300, 200), (310, 210))
    book = played(book, (300, 200), (200, 300))  # A-C, B-D
    told = [(line.place, line.pair, line.wins, line.difference, line.points_for, line.rivals_wins) for line in standings(book)]
    assert told == [(1, "A", 2, 200, 600, 1), (2, "C", 1, 0, 510, 3), (3, "D", 1, 0, 510, 1), (4, "B", 0, -200, 400, 3)]


def test_a_difference_can_be_capped_at_the_target() -> None:
    """350-0 counts 350, or 300 with the cap, for both pairs (D-21)."""
    assert table(played(tournament("A", "B"), (350, 0)))[0] == (1, "A", 1, 350)
    assert [line[3] for line in table(played(tournament("A", "B", cap_difference=True), (350, 0)))] == [300, -300]


def test_rematches_are_avoided_only_when_told() -> None:
    """Literally 1-2 and 3-4 meet again; with the switch the first pair meets the nearest one it has not met (D-21)."""
    for avoid, expected in ((False, (("A", "B"), ("C", "D"))), (True, (("A", "D"), ("B", "C")))):
        book = played(tournament("A", "B", "C", "D", avoid_rematches=avoid), (300, 100), (300, 250))
        assert pairing(book).tables == (("A", "C"), ("D", "B"))
        book = played(book, (300, 299), (0, 300))
        assert [line.pair for line in standings(book)] == ["A", "B", "C", "D"]
        assert pairing(book).tables == expected


def test_the_bye_too_comes_only_once_when_rematches_are_avoided() -> None:
    """C, last by entry, had it; though C is last again, the next from below has it (FID-CLA-3, D-21)."""
    for avoid in (False, True):
        book = tournament("A", "B", "C", avoid_rematches=avoid, bye_share=0.0)
        book = played(played(book, (300, 299)), (300, 0))
        assert [line.pair for line in standings(book)][-1] == "C"
        assert pairing(book).bye == ("A" if avoid else "C")


def test_the_nearest_pairing_has_the_fewest_rematches() -> None:
    """When everybody has met everybody, nobody is left out: 1-2, 3-4 again; one free meeting is used where there is one."""
    everybody = frozenset(frozenset((a, b)) for a in "ABCD" for b in "ABCD" if a != b)
    assert nearest("ABCD", everybody) == [("A", "B"), ("C", "D")]
    assert nearest("ABCD", everybody - {frozenset("BD")}) == [("A", "C"), ("B", "D")]
    assert nearest("ABCD", frozenset({frozenset("AB"), frozenset("AC")})) == [("A", "D"), ("B", "C")]


def test_a_large_hall_is_paired_quickly_even_where_it_is_hard() -> None:
    """60 pairs of which the first 31 have all met each other and so have the others: one rematch, found at once."""
    ranked = [f"{n:02}" for n in range(60)]
    met = frozenset(frozenset((a, b)) for a in ranked for b in ranked if a < b and (a < "31") == (b < "31"))
    found = nearest(ranked, met)
    assert sorted(name for meeting in found for name in meeting if name) == ranked
    assert sum(frozenset(meeting) in met for meeting in found) == 1


def test_the_search_remembers_what_cannot_be_paired() -> None:
    """7 pairs have all met each other and so have 9 others: that no pairing is free of rematches is proved, not given up."""
    ranked = [f"{n:02}" for n in range(16)]
    met = frozenset(frozenset((a, b)) for a in ranked for b in ranked if a < b and (a < "07") == (b < "07"))
    search = Search(ranked, met)
    assert search.pair(tuple(range(16)), 0) is None and search.steps < SEARCH_STEPS // 10
    assert sum(frozenset(meeting) in met for meeting in nearest(ranked, met)) == 1


REFUSED_ROUNDS: list[tuple[dict[str, Any], str]] = [
    ({"number": 2}, "expected round 1"),
    ({"tables": (("A", "B"), ("A", "C"))}, "expected everybody once, found 'A' 2 times"),
    ({"tables": (("A", "B"),)}, "no table for 'C'"),
    ({"tables": (("A", "B"), ("C", "X"))}, "found 'X'"),
    ({"tables": (("A", "B"),), "bye": "C"}, "no table for 'D'"),
    ({"tables": ()}, "at least one table"),
]


@pytest.mark.parametrize(("told", "reason"), REFUSED_ROUNDS)
def test_a_round_seats_everybody_once(told: dict[str, Any], reason: str) -> None:
    """A pairing that forgets, repeats or invents a pair is refused with the name."""
    with pytest.raises(BadInput, match=reason):
        opened(tournament("A", "B", "C", "D"), **told)


def test_a_round_waits_for_all_sheets_and_there_are_no_more_than_agreed() -> None:
    """FID-VOC-5: the number of rounds is agreed; each waits for the sheets of the one before."""
    book = opened(tournament("A", "B", rounds=1))
    with pytest.raises(BadInput, match="all sheets of round 1"):
        opened(book)
    with pytest.raises(BadInput, match="the 1 agreed"):
        opened(add(book, Result(round=1, table=1, points=(300, 0))))
    with pytest.raises(BadInput, match="at least one table"):
        add(tournament("A"), RoundOpened(number=1, tables=(), bye="A"))


def test_the_first_round_may_be_given_and_a_later_one_needs_a_reason() -> None:
    """The first-round order is the organiser's; after it FID-CLA-2 holds, or a reason is written down."""
    book = opened(tournament("A", "B", "C", "D"), tables=(("D", "A"), ("C", "B")))
    for number in (1, 2):
        book = add(book, Result(round=1, table=number, points=(300, 100)))
    other = {"tables": (("D", "A"), ("C", "B"))}
    with pytest.raises(BadInput, match="a reason"):
        opened(book, **other)
    assert len(opened(book, reason="same club", **other).rounds) == 2


def test_a_late_pair_loses_and_two_late_pairs_both_lose() -> None:
    """After more than 7 minutes the others win with half the target; with both late nobody wins or has points (FID-CLA-4, MT-17)."""
    book = opened(tournament("A", "B"))
    with pytest.raises(BadInput, match=r"more than 7 minutes.*found 7"):
        add(book, Result(round=1, table=1, outcome="late", lost_by=("A",), after_min=7.0))
    late = add(book, Result(round=1, table=1, outcome="late", lost_by=("A",), after_min=7.02))
    assert sheet(late) == ((0, 150), "B") and table(late) == [(1, "B", 1, 150), (2, "A", 0, -150)]
    both = add(book, Result(round=1, table=1, outcome="late", lost_by=("A", "B")))
    assert sheet(both) == ((0, 0), None) and [line[2:] for line in table(both)] == [(0, 0), (0, 0)]


@pytest.mark.parametrize(("points", "final"), [((120, 180), (150, 0)), ((210, 40), (210, 0))])
def test_a_black_card_gives_the_rivals_at_least_half_the_target(points: tuple[int, int], final: tuple[int, int]) -> None:
    """Own points or 150, whichever is more (FID-TAR-N3, MT-16); the expelled pair leaves the pairing and the places."""
    book = opened(tournament("A", "B", "C", "D"))
    with pytest.raises(BadInput, match="enter the card first"):
        add(book, Result(round=1, table=1, outcome="black_card", points=points, lost_by=("B",)))
    book = add(book, black("B"))
    with pytest.raises(BadInput, match="'B' was expelled"):
        add(book, Result(round=1, table=1, points=points))
    book = add(book, Result(round=1, table=1, outcome="black_card", points=points, lost_by=("B",)))
    assert sheet(book) == (final, "A")
    book = add(book, Result(round=1, table=2, points=(0, 300)))
    assert standings(book)[-1].pair == "B" and standings(book)[-1].place is None and standings(book)[-1].status == "expelled"
    assert pairing(book) == Pairing((("D", "A"),), "C")


def test_points_of_the_expelled_can_be_kept() -> None:
    """With the switch the sheet reads 150-180 and A still wins (FID-TAR-N3)."""
    book = add(opened(tournament("A", "B", expelled_points="keep")), black("B"))
    book = add(book, Result(round=1, table=1, outcome="black_card", points=(120, 180), lost_by=("B",)))
    assert sheet(book) == ((150, 180), "A")


def test_a_card_after_the_sheet_changes_no_match() -> None:
    """The match was over: its sheet stands, the pair is not paired again."""
    book = add(played(tournament("A", "B", "C", "D"), (0, 300), (0, 300)), black("B"))
    assert sheet(book) == ((0, 300), "B") and "B" not in {p for t in pairing(book).tables for p in t}


def test_a_level_score_needs_the_arbiters_word_and_a_word_against_the_score_a_reason() -> None:
    """Nobody wins at 200-200 by itself; DUSA-5 may give the match against the score."""
    book = opened(tournament("A", "B"))
    with pytest.raises(BadInput, match="score is level"):
        add(book, Result(round=1, table=1, points=(200, 200)))
    assert sheet(add(book, Result(round=1, table=1, points=(200, 200), winner="B"))) == ((200, 200), "B")
    with pytest.raises(BadInput, match="a reason"):
        add(book, Result(round=1, table=1, points=(200, 100), winner="B"))
    assert sheet(add(book, Result(round=1, table=1, points=(200, 100), winner="B", reason="DUSA-5")))[1] == "B"


REFUSED_SHEETS: list[tuple[dict[str, Any], str]] = [
    ({"round": 2}, "round from 1 to 1"),
    ({"table": 2}, "table from 1 to 1"),
    ({"table": 0}, "table from 1 to 1"),
    ({"outcome": "bye"}, "the round itself"),
    ({"outcome": "late"}, "lost_by with 1 or 2"),
    ({"outcome": "late", "lost_by": ("A",), "points": (5, 0)}, "no points"),
    ({"outcome": "withdrawn", "lost_by": ("A", "B")}, "lost_by with 1 "),
    ({"outcome": "void"}, "the reason"),
    ({"outcome": "void", "reason": "x", "winner": "A"}, "no winner"),
    ({"lost_by": ("A",)}, "lost_by with no pair"),
    ({"lost_by": ("Z",)}, "'A' or 'B' at table 1, found 'Z'"),
]


@pytest.mark.parametrize(("told", "reason"), REFUSED_SHEETS)
def test_a_sheet_that_says_too_much_or_too_little_is_refused(told: dict[str, Any], reason: str) -> None:
    """Each outcome asks for its own fields and no others."""
    with pytest.raises(BadInput, match=reason):
        add(opened(tournament("A", "B")), Result(**{"round": 1, "table": 1, "points": (0, 0), **told}))


def test_a_void_sheet_gives_nobody_anything() -> None:
    """The round goes on without that match."""
    book = add(opened(tournament("A", "B")), Result(round=1, table=1, outcome="void", reason="power cut", points=(120, 80)))
    assert sheet(book) == ((0, 0), None) and pairing(book)


def test_a_pair_that_leaves_its_match_loses_it_and_is_paired_no_more() -> None:
    """Without leave and in the middle: the rivals win as after a black card."""
    book = opened(tournament("A", "B", "C"))
    book = add(book, Result(round=1, table=1, outcome="withdrawn", points=(200, 90), lost_by=("A",)))
    assert sheet(book) == ((0, 150), "B") and book.active == ("B", "C")
    assert next(line.status for line in standings(book) if line.pair == "A") == "withdrawn"


def test_a_correction_changes_the_standings_from_the_next_round_on() -> None:
    """Handed in 100-300 by mistake: round 2 is still paired by it, the table after round 2 has it right (FID-PUN-10)."""
    book = played(tournament("A", "B", "C", "D"), (100, 300), (300, 200))
    before, next_round = table(book), pairing(book)
    book = add(book, Correction(voids=6, round=1, table=1, points=(300, 100), at=NOON))
    assert table(book) == before and pairing(book) == next_round
    book = played(book, (300, 250), (300, 250))
    assert table(book, 1) == before
    wins = {pair: (won, difference) for _, pair, won, difference in table(book)}
    assert next_round.tables == (("B", "C"), ("D", "A"))
    assert wins == {"A": (1, 150), "B": (1, -150), "C": (1, 50), "D": (1, -50)}


def test_a_correction_during_the_round_counts_at_its_end() -> None:
    """Entered while round 2 is played, it is in the table after round 2; entered after it, in the one after round 3."""
    book = played(tournament("A", "B", "C", "D"), (300, 100), (300, 200))
    during = add(opened(book), Correction(voids=6, round=1, table=1, points=(300, 0)))
    assert during.rounds[0].versions[0][-1].from_round == 2
    after = add(played(book, (300, 0), (300, 0)), Correction(voids=6, round=1, table=1, points=(300, 0)))
    assert after.rounds[0].versions[0][-1].from_round == 3
    own = add(played(book, (300, 0), (300, 0)), Correction(voids=9, round=2, table=1, points=(310, 0)))
    assert own.rounds[1].versions[0][-1].from_round == 3
    early = add(opened(book), Result(round=2, table=1, points=(300, 0)))
    early = add(early, Correction(voids=last_number(early), round=2, table=1, points=(310, 0)))
    assert early.rounds[1].versions[0][-1].from_round == 3


def test_after_the_last_round_a_correction_counts_at_once() -> None:
    """There is no next round, and the final table must be right."""
    book = played(tournament("A", "B", rounds=1), (300, 100))
    book = add(book, Correction(voids=last_number(book), round=1, table=1, points=(100, 300)))
    assert table(book) == [(1, "B", 1, 200), (2, "A", 0, -200)]


def test_corrections_can_count_at_once() -> None:
    """With the switch the next pairing already knows of it (FID-PUN-10)."""
    book = played(tournament("A", "B", "C", "D", corrections="at_once"), (100, 300), (300, 200))
    book = add(book, Correction(voids=6, round=1, table=1, points=(300, 100)))
    assert table(book)[0] == (1, "A", 1, 200)


def test_a_correction_names_the_sheet_that_stands() -> None:
    """A second sheet is refused, so is correcting what was corrected already, or what was never handed in."""
    book = opened(tournament("A", "B"))
    with pytest.raises(BadInput, match="found none handed in"):
        add(book, Correction(voids=3, round=1, table=1, points=(1, 0)))
    book = add(book, Result(round=1, table=1, points=(300, 0)))
    with pytest.raises(BadInput, match="FID-PUN-10"):
        add(book, Result(round=1, table=1, points=(300, 0)))
    book = add(book, Correction(voids=4, round=1, table=1, points=(0, 300)))
    with pytest.raises(BadInput, match="expected entry 5"):
        add(book, Correction(voids=4, round=1, table=1, points=(0, 300)))


def test_a_correction_may_say_that_the_match_ended_otherwise() -> None:
    """Noted as left, yet played out: the pair is back. And a sheet of before the card is still corrected after it."""
    book = opened(tournament("A", "B"))
    left = add(book, Result(round=1, table=1, outcome="withdrawn", lost_by=("A",)))
    assert add(left, Correction(voids=4, round=1, table=1, points=(300, 0))).active == ("A", "B")
    carded = add(add(book, Result(round=1, table=1, points=(300, 0))), black("B"))
    assert sheet(add(carded, Correction(voids=4, round=1, table=1, points=(290, 300)))) == ((290, 300), "B")


def leaving(pair: str, **told: Any) -> Withdrawal:
    return Withdrawal(**{"pair": pair, "leave": True, "harms_nobody": True, "by": "Ruiz", "at": NOON, **told})


def test_a_pair_withdraws_at_the_handing_in_of_its_sheet() -> None:
    """It keeps its place and results, and the next round is paired without it (FID-CLA-5)."""
    book = add(played(tournament("A", "B", "C", "D"), (300, 0), (300, 200)), leaving("A"))
    assert standings(book)[0].pair == "A" and standings(book)[0].status == "withdrawn"
    assert pairing(book) == Pairing((("C", "D"),), "B")


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (leaving("A", leave=False), "leave of the table's arbiter"),
        (leaving("A", by=None), "leave of the table's arbiter"),
        (leaving("A", harms_nobody=False), "harms no other pair"),
        (leaving("C"), "at the handing in of the sheet"),
        (leaving("X"), "pairs that entered"),
    ],
)
def test_a_withdrawal_without_its_conditions_is_refused(entry: Withdrawal, reason: str) -> None:
    """No leave, somebody harmed, no sheet handed in yet (FID-CLA-5)."""
    book = add(opened(tournament("A", "B", "C", "D")), Result(round=1, table=1, points=(300, 0)))
    with pytest.raises(BadInput, match=reason):
        add(book, entry)


def test_nobody_leaves_twice_or_before_the_first_round() -> None:
    """Before the first sheet there is none to hand in; annul the entry of the pair instead."""
    with pytest.raises(BadInput, match="handing in"):
        add(tournament("A", "B"), leaving("A"))
    book = add(played(tournament("A", "B", "C"), (300, 0)), leaving("A"))
    with pytest.raises(BadInput, match="still takes part"):
        add(book, leaving("A"))
    assert add(tournament("A", "B", "C"), Annulment(voids=3, reason="did not come")).active == ("A", "B")


def test_a_pair_may_enter_late_and_is_paired_from_the_next_round_on() -> None:
    """It begins with nothing."""
    book = add(played(tournament("A", "B"), (300, 0)), PairEntered(pair="C"))
    assert pairing(book) == Pairing((("A", "C"),), "B")
    for wrong in (PairEntered(pair="A"), PairEntered(pair="E", players=("x",)), PairEntered(pair="E", players=("x", "x"))):
        with pytest.raises(BadInput):
            add(book, wrong)


def test_an_annulled_round_or_sheet_was_a_slip_of_the_pen() -> None:
    """Until somebody builds on it: then a sheet is corrected and a round stays."""
    book = opened(tournament("A", "B"))
    assert add(book, Annulment(voids=3, reason="wrong hall")).rounds == ()
    handed = add(book, Result(round=1, table=1, points=(300, 0)))
    again = add(handed, Annulment(voids=4, reason="wrong table"))
    assert again.rounds[0].waiting == (1,)
    with pytest.raises(BadInput, match="entry 4 does"):
        add(handed, Annulment(voids=3, reason="x"))
    with pytest.raises(BadInput, match="entry 5 does"):
        add(opened(handed), Annulment(voids=4, reason="x"))
    with pytest.raises(BadInput, match="entry 3 does"):
        add(handed, Annulment(voids=1, reason="x"))
    corrected = add(handed, Correction(voids=4, round=1, table=1, points=(0, 300)))
    for number in (4, 5, 99):
        with pytest.raises(BadInput):
            add(corrected, Annulment(voids=number, reason="x"))


def test_an_expelled_pair_whose_card_is_annulled_plays_again_and_published_tables_stay() -> None:
    """An upheld appeal: from the next pairing on the pair is back, the earlier tables are as they were."""
    book = add(played(tournament("A", "B", "C", "D"), (300, 0), (300, 0)), black("A"))
    card = last_number(book)
    shown = standings(book)
    book = played(book, (300, 200))
    assert standings(book)[-1].status == "expelled"
    book = add(book, Annulment(voids=card, reason="appeal upheld"))
    assert standings(book, 1) == shown and "A" in book.active
    assert {p for t in pairing(book).tables for p in t} == set("ABCD")
    assert {line.status for line in standings(played(book, (300, 0), (300, 0)))} == {"in"}


def test_a_round_that_is_not_over_has_no_table() -> None:
    """Only whole rounds are ranked."""
    book = opened(tournament("A", "B"))
    for after in (-1, 1):
        with pytest.raises(BadInput, match="sheets are all in"):
            standings(book, after)
