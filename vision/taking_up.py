"""A hand that goes on after the program was started again: the table as a journal knows it, laid over the first look that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rules.observations import Expose, Observation, Place, Reveal
from rules.tiles import Tile
from vision.board import BoardView, SeenTile
from vision.contact import Contact, Port, best_contact
from vision.followed import Counted, Followed, Loose
from vision.hidden import straight_on
from vision.identity import evidence_of, probability_of, tile_likelihood
from vision.laid import SETTLING_LOOKS, FollowedLine, LaidTile, Resting, Side

ALIKE = 0.3  # probability of the tile that lies there from which a seen one may be it
MOST = 0.6  # of the known tiles must be found, or the look shows something else
GONE = 0.25  # with fewer of them found the table has been cleared
CLEARED_LOOKS = 2  # that agree on it


@dataclass(frozen=True, slots=True)
class Lying:
    """What was told of the hand on the table: its line in the order of play, tiles face up off it, and the count that closed it."""

    places: tuple[Place, ...] = ()
    exposed: tuple[Expose, ...] = ()
    reveal: Reveal | None = None

    @property
    def told(self) -> tuple[Observation, ...]:
        """All of it; a `Correction.voids` of a follower that has taken it up counts from its beginning."""
        return (*self.places, *self.exposed, *(() if self.reveal is None else (self.reveal,)))


class TakingUp:
    """Waits for a look that shows what lies on the table."""

    def __init__(self, lying: Lying) -> None:
        self._lying, self._cleared = lying, 0

    def look(self, view: BoardView) -> Followed | None:
        """The table before this look, its known tiles where the look shows them; None: this look does not show them, wait for another.

        When looks agree that the table was cleared meanwhile, an empty one. New tiles are left for the follower to tell.
        """
        told = len(self._lying.told)
        found = _recognised(self._lying.places, view.face_up)
        known = [place for place in self._lying.places if place.tile is not None]
        if len(found) < GONE * max(len(known), 1):
            self._cleared += 1
            return Followed(told=told, length_mm=view.length_mm) if self._cleared >= CLEARED_LOOKS else None
        line = _line(self._lying.places, view, found) if len(found) >= MOST * len(known) else None
        if line is None:
            return None
        count = None if self._lying.reveal is None else Counted(self._lying.reveal, told - 1)
        return Followed(line, self._loose(view, line), length_mm=view.length_mm, told=told, reveal=count)

    def _loose(self, view: BoardView, line: FollowedLine) -> tuple[Loose, ...]:
        """The tiles that were told as exposed and are still seen."""
        laid = {id(tile.rest.seen) for tile in line.tiles}
        others = [seen for seen in view.face_up if id(seen) not in laid]
        told = enumerate(self._lying.exposed, start=len(self._lying.places))
        shown = [(n, one, _likest(one.tile, others)) for n, one in told if one.tile is not None]
        return tuple(
            Loose(Resting.first(seen), one.seat, told=True, exposed=(one, n)) for n, one, seen in shown if seen is not None
        )


def _recognised(places: Sequence[Place], seen: Sequence[SeenTile]) -> dict[int, SeenTile]:
    """The seen tile of each placement that can be told by its numbers, by the placement's position."""
    found = {n: _likest(place.tile, seen) for n, place in enumerate(places) if place.tile is not None}
    return {n: tile for n, tile in found.items() if tile is not None}


def _likest(tile: Tile, seen: Sequence[SeenTile]) -> SeenTile | None:
    """The seen tile that reads most like a tile; None when none does."""
    likeness = [probability_of(tile_likelihood(evidence_of(one.halves)), tile) for one in seen]
    best = int(np.argmax(likeness)) if likeness else 0
    return seen[best] if likeness and likeness[best] >= ALIKE else None


def _line(places: Sequence[Place], view: BoardView, found: dict[int, SeenTile]) -> FollowedLine | None:
    """The line, joined in the order of play; a tile that is not seen is taken to lie straight on. None when the opening is not seen."""
    if not places or 0 not in found:
        return None
    line = FollowedLine(LaidTile(Resting.first(found[0]), "open", places[0], 0))
    free = [seen for seen in view.face_up if all(seen is not other for other in found.values())]
    for number, place in enumerate(places[1:], start=1):
        if place.at == "open":
            return None
        inner, used = line.tip(place.at).rest.seen, line.entered_at_tip(place.at)
        seen, contact = _joined(inner, used, [found[number]] if number in found else free, view.length_mm)
        if contact is None and number in found:
            seen, contact = _joined(inner, used, free, view.length_mm)
        if seen is not None and contact is not None:
            free = [other for other in free if other is not seen]
            rest, ports = Resting.first(seen), (contact.other, contact.one)
        else:
            rest, ports = _unseen(line, place, view.length_mm)
        line = line.with_tip(place.at, LaidTile(rest, place.at, place, number, *ports))
    return line


def _joined(
    inner: SeenTile, used: Port | None, seen: Sequence[SeenTile], length_mm: float
) -> tuple[SeenTile | None, Contact | None]:
    """The tile that lies best against the tip of an arm."""
    contacts = [(one, contact) for one in seen if (contact := best_contact(inner, one, length_mm, used)) is not None]
    return min(contacts, key=lambda pair: pair[1].cost, default=(None, None))


def _unseen(line: FollowedLine, place: Place, length_mm: float) -> tuple[Resting, tuple[Port, Port]]:
    """A tile that lies there and is not seen: straight on, a double across."""
    side: Side = "b" if place.at == "b" else "a"
    tip, entered = line.tip(side), line.entered_at_tip(side)
    sideways = tip.place.tile is not None and tip.place.tile.is_double and not line.arm(side)
    first = (Port.MID_LEFT if side == "a" else Port.MID_RIGHT) if sideways else (Port.END_0 if side == "a" else Port.END_1)
    leaving = entered.across if entered is not None else first
    ways = straight_on(tip.rest.seen, leaving, length_mm)
    seen, port = ways[1] if place.tile is not None and place.tile.is_double else ways[0]
    return Resting(seen, evidence_of(seen.halves), looks=SETTLING_LOOKS), (port, leaving)
