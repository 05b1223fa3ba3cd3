"""What is known of the table between two looks."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from calibration.plane import TILE_MM
from rules.observations import Expose, Place, Reveal
from rules.seats import Seat
from rules.tiles import Tile
from vision.attention import Witness
from vision.board import BoardView, SeenTile
from vision.laid import SIDES, FollowedLine, LaidTile, Resting
from vision.racks import Racks
from vision.registration import in_order_of, matches, register

FORGET_LOOSE = 2  # looks after which a loose tile that is not seen is gone
NO_RACKS = Racks()


@dataclass(frozen=True, slots=True, eq=False)
class Loose:
    """A tile that lies face up off the line.

    seat: whose rack lost it. told: whether it was told as exposed, or in a free layout as new. exposed: what told it as exposed, and its
    number. doubt: the placement that told it as a question, and its number. struck: what a person said is no tile, as it lay in the
    line. faint: in a free layout, whether the look that first showed it was not sure that it is a tile. before: whether it lay there
    before the hand, and no film saw it come: a thing, or a tile that somebody forgot.
    """

    rest: Resting
    seat: Seat | None = None
    told: bool = False
    exposed: tuple[Expose, int] | None = None
    doubt: tuple[Place, int] | None = None
    struck: LaidTile | None = None
    faint: bool = False
    before: bool = False

    @property
    def may_be_laid(self) -> bool:
        """Whether the line may have come to it: it is seen, it was not there before the line, and nobody said that it is no tile."""
        return self.rest.missed == 0 and self.struck is None and not self.before


@dataclass(frozen=True, slots=True)
class Counted:
    """A count that was told, and its number among the observations told."""

    reveal: Reveal
    number: int


@dataclass(frozen=True, slots=True, eq=False)
class Followed:
    """The table as the looks so far leave it.

    told: how many observations have been told. reveal: the count that closed the hand, until the line is cleared.
    length_mm: a tile's length in the frame of the first look. came: where the table has looked otherwise at some look since the line
    began, a mask of the small picture; None where it was not watched all the time. since: the same without the look that
    began it. laid_unseen: the seat that seems to have laid a tile before the line began.
    """

    line: FollowedLine | None = None
    loose: tuple[Loose, ...] = ()
    racks: Racks = NO_RACKS
    length_mm: float = TILE_MM[0]
    told: int = 0
    reveal: Counted | None = None
    came: np.ndarray | None = None
    since: np.ndarray | None = None
    laid_unseen: Seat | None = None

    @property
    def resting(self) -> tuple[Resting, ...]:
        """Every tile known, the line's first."""
        laid = self.line.tiles if self.line else ()
        return (*(tile.rest for tile in laid), *(loose.rest for loose in self.loose))

    def struck(self, resting: int) -> Tile | None:
        """What a thing among `resting` read when a person said that it is no tile; what reads otherwise at its place is another one."""
        loose = resting - (len(self.line.tiles) if self.line else 0)
        struck = self.loose[loose].struck if loose >= 0 else None
        return None if struck is None else struck.rest.seen.tile

    def without_covered_things(self, witness: Witness) -> Followed:
        """The table without the things over which something has come: what is seen there now is new."""
        covered = [one for one in self.loose if one.before and witness.differs(one.rest.seen.x_mm, one.rest.seen.y_mm)]
        return replace(self, loose=tuple(one for one in self.loose if one not in covered))

    def without(self, number: int) -> Followed:
        """The table after a person said that the tile told by observation `number` is none: no line grows from it or on it.

        A tile that others lie against stays: the line would fall apart.
        """
        line = self.line
        laid = next((tile for tile in line.tiles if tile.number == number), None) if line else None
        if line is None or laid is None:
            return self
        sides = [side for side in SIDES if line.arm(side) and line.tip(side) is laid]
        if not sides and len(line.tiles) > 1:
            return self
        shorter = line.without_tip(sides[0]) if sides else None
        return replace(self, line=shorter, loose=(*self.loose, Loose(laid.rest, told=True, struck=laid)))

    def with_fixed(self, number: int) -> Followed:
        """The table after a person said what the tile told by observation `number` was."""
        line = self.line
        if line is None:
            return self
        tiles = tuple(replace(tile, fixed=tile.fixed or tile.number == number) for tile in line.tiles)
        return replace(self, line=line.with_tiles(tiles))

    def with_again(self, number: int) -> Followed:
        """The table after a person took that back: the tile is the tip of its arm again, unless another one has been laid there since."""
        one = next((one for one in self.loose if one.struck is not None and one.struck.number == number), None)
        if one is None or one.struck is None:
            return self
        laid = replace(one.struck, rest=one.rest)
        if self.line is None and laid.at == "open":
            line = FollowedLine(laid)
        elif self.line is not None and laid.at != "open" and self._still_ends(laid):
            line = self.line.with_tip(laid.at, laid)
        else:
            return self
        return replace(self, line=line, loose=tuple(other for other in self.loose if other is not one))

    def _still_ends(self, laid: LaidTile) -> bool:
        """Whether the arm ends where a tile that was struck out lay against it: the tiles told after it lie on the other arm."""
        assert self.line is not None and laid.at != "open"
        return all(tile.number < laid.number for tile in self.line.arm(laid.at))


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A view brought into the frame of the looks before: how each known tile was seen, and the tiles that are new.

    known: one entry for each of `Followed.resting`, None where the tile was not seen.
    """

    view: BoardView
    known: tuple[SeenTile | None, ...]
    fresh: tuple[SeenTile, ...]


def look_at(state: Followed, view: BoardView) -> Look:
    """Lay a view over what is known and tell known tiles from new ones."""
    known = [rest.seen for rest in state.resting]
    view = register(known, state.length_mm, view).view(view)
    pairs = matches(known, view.face_up, state.length_mm, [rest.missed > 0 for rest in state.resting])
    pairs = {i: found for i, found in pairs.items() if state.struck(i) in (None, view.face_up[found].tile)}
    seen = tuple(in_order_of(one, view.face_up[pairs[i]]) if i in pairs else None for i, one in enumerate(known))
    taken = set(pairs.values())
    return Look(view, seen, tuple(tile for i, tile in enumerate(view.face_up) if i not in taken))


def seen_again(state: Followed, look: Look, witness: Witness | None = None, forget_after: int = FORGET_LOOSE) -> Followed:
    """The state with every known tile seen once more, or missed; loose ones are forgotten after some looks without them. One that was told
    as exposed is forgotten, where every frame was watched, as soon as it is missed and its place looks otherwise, and not before."""
    rests = [
        rest.again(seen) if seen is not None else rest.unseen() for rest, seen in zip(state.resting, look.known, strict=True)
    ]
    laid = state.line.tiles if state.line else ()
    line = state.line and state.line.with_tiles(
        tuple(replace(t, rest=r, age=t.age + 1) for t, r in zip(laid, rests, strict=False))
    )
    loose = [replace(one, rest=rest) for one, rest in zip(state.loose, rests[len(laid) :], strict=True)]

    def lies_there(one: Loose) -> bool:
        at, missed = one.rest.seen, one.rest.missed
        if missed and one.exposed is not None and witness is not None:
            return not witness.latest.differs(at.x_mm, at.y_mm)
        return missed < forget_after

    return replace(state, line=line, loose=tuple(one for one in loose if lies_there(one)))
