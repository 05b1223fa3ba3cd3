"""Pairs, rounds, sheets and their corrections, withdrawals: each entry adds to the tournament or is refused with the reason."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from rules.errors import BadInput
from rules.tournament.entries import Correction, PairEntered, Result, RoundOpened, Withdrawal
from rules.tournament.pairing import Pairing, expect_break, pairing
from rules.tournament.sheets import bye_sheet, round_of, sheet_of, table_of
from rules.tournament.state import Round, Tournament, Version


def enter_pair(tournament: Tournament, number: int, entry: PairEntered) -> Tournament:
    """A pair takes part from the next round on; BadInput for one that does already, or for other than two players."""
    if entry.pair in tournament.pairs:
        raise BadInput(f"expected a pair that is not there yet, found {entry.pair!r}")
    if len(entry.players) not in (0, 2) or len(set(entry.players)) != len(entry.players):
        raise BadInput(f"expected two players or none, found {len(entry.players)} of {entry.pair!r}")
    return tournament


def open_round(tournament: Tournament, number: int, entry: RoundOpened) -> Tournament:
    """Everybody who takes part sits at one table or has the bye; after the first round as the standings give it (FID-CLA-2).

    BadInput for a round that is not the next one, leaves somebody out, or is paired otherwise without a reason.
    """
    _expect_next_round(tournament, entry)
    _expect_everybody_once(tournament, entry)
    given = Pairing(entry.tables, entry.bye)
    if entry.number > 1 and entry.reason is None and given != pairing(tournament):
        raise BadInput(f"expected the pairing of the standings or a reason for another, found another in round {entry.number}")
    bye = None if entry.bye is None else bye_sheet(tournament, entry.number, entry.bye)
    opened = Round(number=entry.number, tables=entry.tables, bye=bye, versions=((),) * len(entry.tables))
    return replace(tournament, rounds=(*tournament.rounds, opened))


def hand_in(tournament: Tournament, number: int, entry: Result) -> Tournament:
    """A first sheet; the round goes on until all are in. BadInput for a table that has one, or does not exist."""
    table_of(tournament, entry)
    versions = round_of(tournament, entry.round).versions[entry.table - 1]
    if versions:
        raise BadInput(
            f"expected a table without a sheet, found entry {versions[-1].number} for round {entry.round}, table {entry.table};"
            " correct that one (FID-PUN-10)"
        )
    return _booked(tournament, number, entry, entry.round)


def correct(tournament: Tournament, number: int, entry: Correction) -> Tournament:
    """Another sheet in place of one that was handed in; it counts from the next round on (FID-PUN-10).

    BadInput when the entry that it voids is not the latest sheet of that table.
    """
    table_of(tournament, entry)
    versions = round_of(tournament, entry.round).versions[entry.table - 1]
    where = f"round {entry.round}, table {entry.table}"
    if not versions:
        raise BadInput(f"expected a sheet of {where} to correct, found none handed in")
    if versions[-1].number != entry.voids:
        raise BadInput(f"expected entry {versions[-1].number} of {where} to be corrected, found entry {entry.voids}")
    return _booked(tournament.returned(entry.voids), number, entry, counts_from(tournament, entry.round))


def counts_from(tournament: Tournament, number: int) -> int:
    """The first round whose standings show a correction, made now, of a sheet of round `number` (FID-PUN-10).

    A table that is out already stays as it is, and so does the round's own. After the last round there is no next one: then at once.
    """
    now = len(tournament.rounds)
    if tournament.conditions.corrections == "at_once":
        return now
    coming = now + 1 if tournament.rounds[-1].complete else now
    return min(max(number + 1, coming), tournament.conditions.rounds)


def withdraw(tournament: Tournament, number: int, entry: Withdrawal) -> Tournament:
    """A pair leaves at the handing in of the sheet, with the arbiter's leave, and only when nobody is harmed; else BadInput (FID-CLA-5)."""
    tournament.expect_pair(entry.pair)
    if entry.pair not in tournament.active:
        raise BadInput(f"expected a pair that still takes part, found {entry.pair!r}")
    if not entry.leave or entry.by is None:
        raise BadInput("expected the leave of the table's arbiter, with the name in by (FID-CLA-5), found none")
    if not entry.harms_nobody:
        raise BadInput(
            f"expected a withdrawal that harms no other pair (FID-CLA-5), found one that does; {entry.pair!r} plays on"
        )
    if not tournament.rounds or _without_sheet(tournament.rounds[-1], entry.pair):
        raise BadInput(f"expected a withdrawal at the handing in of the sheet (FID-CLA-5), found {entry.pair!r} without one")
    return tournament.without(entry.pair, "withdrawn", number)


def _booked(tournament: Tournament, number: int, entry: Result, from_round: int) -> Tournament:
    sheet = sheet_of(tournament, entry)
    booked = round_of(tournament, entry.round).with_version(entry.table, Version(number, from_round, sheet))
    at = entry.round - 1
    tournament = replace(tournament, rounds=(*tournament.rounds[:at], booked, *tournament.rounds[at + 1 :]))
    return tournament.without(entry.lost_by[0], "withdrawn", number) if entry.outcome == "withdrawn" else tournament


def _without_sheet(last: Round, pair: str) -> bool:
    return any(pair in table and not versions for table, versions in zip(last.tables, last.versions, strict=True))


def _expect_next_round(tournament: Tournament, entry: RoundOpened) -> None:
    expect_break(tournament)
    if entry.number != len(tournament.rounds) + 1:
        raise BadInput(f"expected round {len(tournament.rounds) + 1}, found {entry.number}")
    if not entry.tables:
        raise BadInput("expected at least one table, found none; two pairs are needed")


def _expect_everybody_once(tournament: Tournament, entry: RoundOpened) -> None:
    seated = Counter([pair for table in entry.tables for pair in table] + ([] if entry.bye is None else [entry.bye]))
    for pair, times in seated.items():
        if pair not in tournament.active:
            raise BadInput(f"expected only pairs that take part, found {pair!r:.60} in round {entry.number}")
        if times > 1:
            raise BadInput(f"expected everybody once, found {pair!r} {times} times in round {entry.number}")
    missing = [pair for pair in tournament.active if pair not in seated]
    if missing:
        raise BadInput(f"expected everybody in round {entry.number}, found no table for {missing[0]!r}")
