"""Complaints and cards with their procedure (FID-DEN, FID-TAR): each step is refused while one of its conditions is missing."""

from __future__ import annotations

from rules.errors import BadInput
from rules.tournament.entries import Card, Complaint, PairEntered, Posting, Referee
from rules.tournament.state import Tournament

PRINCIPAL_JUDGES = ("competition_committee", "organising_committee", "federation")
"""The offices whose presidents are principal judges and may show the black card (FID-TAR-N1)."""

SEATED_M = (3.0, 7.0)
STANDING_M = (5.0, 7.0)
"""Distances to the watched player in metres (FID-DEN-2)."""

CHIEF_ARBITER_GROUNDS = ("third_time", "doping", "drunkenness", "disorder", "disrespect")
"""What the chief arbiter may expel for after seeing it himself (FID-TAR-N2)."""

Duty = tuple[str, str]
"""A rule and what it asks for."""

_SHOWN: tuple[Duty, ...] = (
    ("FID-TAR-Y", "show the card publicly and leave it beside the player for the whole match"),
    ("FID-TAR-Y", "note the irregularity on the back of the sheet, without discussion"),
    ("FID-TAR-Y", "demand that the player does not repeat it"),
    ("FID-TAR-Y", "the names of card holders may be told in the break"),
)
DUTIES: dict[str, tuple[Duty, ...]] = {
    "yellow": _SHOWN,
    "red": tuple(("FID-TAR-R", text) for _, text in _SHOWN),
    "black": (
        ("FID-TAR-N2", "stop the whole tournament and inform security"),
        ("FID-TAR-N2", "take written statements of referees, rivals and complainants"),
        ("FID-TAR-N3", "an unfinished match is won by the rivals with at least their share of the target"),
        ("FID-TAR-N3", "keep all papers, open a file and pass it to the board of the FID"),
    ),
}
"""What goes with each card."""


def complain(tournament: Tournament, number: int, entry: Complaint) -> Tournament:
    """Anyone may complain, in writing and by name, else BadInput; it informs and punishes nobody (FID-DEN-1)."""
    _expect_player(tournament, entry.pair, entry.player)
    if not entry.written:
        raise BadInput("expected a complaint in writing (FID-DEN-1), found a spoken one")
    if entry.by is None:
        raise BadInput("expected the name of whoever complains in by (FID-DEN-1), found none")
    return tournament


def is_valid(complaint: Complaint) -> bool:
    """Whether a complaint has a proof or a witness; without them nothing may follow from it (FID-DEN-3)."""
    return complaint.proof is not None or complaint.witness is not None


def post(tournament: Tournament, number: int, entry: Posting) -> Tournament:
    """One referee sits facing the player, one stands behind or beside, each at the distance in metres of FID-DEN-2; else BadInput."""
    complaint = tournament.entry(entry.complaint, Complaint)
    if not is_valid(complaint):
        raise BadInput(f"expected a complaint with a proof or a witness (FID-DEN-3), found entry {entry.complaint} without")
    if entry.by is None:
        raise BadInput("expected the name of the chief arbiter in by (FID-DEN-2), found none")
    if entry.seated.name == entry.standing.name:
        raise BadInput(f"expected two referees (FID-DEN-2), found {entry.seated.name!r} twice")
    _expect_posted(entry.seated, ("facing",), SEATED_M, "seated")
    _expect_posted(entry.standing, ("behind", "beside"), STANDING_M, "standing")
    return tournament


def show_card(tournament: Tournament, number: int, entry: Card) -> Tournament:
    """A yellow or red card of the posted referees, or a black one of a principal judge; the black one expels the pair (FID-TAR).

    BadInput names the condition of the procedure that is missing.
    """
    _expect_player(tournament, entry.pair, entry.player)
    if entry.at is None:
        raise BadInput("expected the time of the card in at, for appeals run from it (FID-APE), found none")
    held = cards_of(tournament, entry.pair, entry.player)
    if entry.colour in held:
        raise BadInput(f"expected the next card, found a second {entry.colour} one for {entry.player!r}")
    if entry.colour == "black":
        _expect_principal_judge(tournament, entry, held)
        return tournament.without(entry.pair, "expelled", number)
    if entry.colour == "red" and "yellow" not in held:
        raise BadInput(f"expected a yellow card before the red one (FID-TAR-R), found none of {entry.player!r}")
    _expect_reported_and_ratified(tournament, entry)
    return tournament


def cards_of(tournament: Tournament, pair: str, player: str) -> tuple[str, ...]:
    """The colours of the cards that a player holds."""
    return tuple(card.colour for _, card in tournament.of(Card) if (card.pair, card.player) == (pair, player))


def _expect_player(tournament: Tournament, pair: str, player: str) -> None:
    tournament.expect_pair(pair)
    players = next(entry.players for _, entry in tournament.of(PairEntered) if entry.pair == pair)
    if players and player not in players:
        raise BadInput(f"expected {' or '.join(map(repr, players))} of {pair!r}, found {player!r:.60}")


def _expect_posted(referee: Referee, places: tuple[str, ...], metres: tuple[float, float], stance: str) -> None:
    if referee.place not in places:
        raise BadInput(f"expected the {stance} referee {' or '.join(places)} (FID-DEN-2), found {referee.place}")
    if not metres[0] <= referee.distance_m <= metres[1]:
        raise BadInput(
            f"expected the {stance} referee {metres[0]:g} to {metres[1]:g} m away (FID-DEN-2), found {referee.distance_m:g} m"
        )


def _expect_reported_and_ratified(tournament: Tournament, entry: Card) -> None:
    """FID-TAR-Y, FID-TAR-R: one posted referee reports, the other ratifies, both sign."""
    rule = "FID-TAR-Y" if entry.colour == "yellow" else "FID-TAR-R"
    if entry.posting is None:
        raise BadInput(f"expected the posting whose referees watched the player ({rule}), found none")
    posting = tournament.entry(entry.posting, Posting)
    complaint = tournament.entry(posting.complaint, Complaint)
    if (complaint.pair, complaint.player) != (entry.pair, entry.player):
        raise BadInput(f"expected a posting for {entry.player!r} ({rule}), found entry {entry.posting} for {complaint.player!r}")
    both = {posting.seated.name, posting.standing.name}
    if entry.reported_by not in both:
        raise BadInput(f"expected a report by one of the two posted referees ({rule}), found {entry.reported_by!r:.60}")
    if entry.ratified_by not in both or entry.ratified_by == entry.reported_by:
        raise BadInput(f"expected the other posted referee to ratify ({rule}), found {entry.ratified_by!r:.60}")
    if not both <= set(entry.signed):
        raise BadInput(f"expected the signatures of both referees ({rule}), found {', '.join(entry.signed) or 'none'}")


def _expect_principal_judge(tournament: Tournament, entry: Card, held: tuple[str, ...]) -> None:
    """FID-TAR-N1; FID-ACT-8 and ACT-9 need no card before; the third time needs yellow and red."""
    if entry.by is None or entry.ground is None:
        raise BadInput("expected the judge's name in by and the ground of a black card, found none")
    chief = tournament.conditions.chief_arbiter_black and entry.ground in CHIEF_ARBITER_GROUNDS
    if entry.office not in PRINCIPAL_JUDGES and not (chief and entry.office == "chief_arbiter"):
        raise BadInput(
            "expected a principal judge, president of the competition_committee, organising_committee or federation (FID-TAR-N1),"
            f" found {entry.office}"
        )
    if entry.ground == "third_time" and "red" not in held:
        raise BadInput(f"expected a red card before a black one for the third time (FID-TAR-N2), found none of {entry.player!r}")
