"""The work of one look: what is known before it, what it shows, and the observations it gives."""

from __future__ import annotations

from dataclasses import replace
from typing import TypedDict

import numpy as np

from rules.observations import Correction, Observation
from rules.seats import Seat
from vision.attention import CORE_MM, Witness
from vision.followed import Followed, Look, Loose, seen_again
from vision.identity import EXISTS, identities
from vision.laid import FollowedLine, LaidTile, Resting
from vision.racks import count_racks

TOOK = 3  # a rack that shows so many tiles more was just filled; fewer may be a miscount


class When(TypedDict):
    """Time and picture of an observation."""

    t: float
    frame: int


def is_reading(seen: Observation) -> bool:
    """Whether it only puts right what was read of something that lies there, and tells nothing that happened."""
    return isinstance(seen, Correction) and seen.instead is not None


class Step:
    """Lives for one look only. What happens in it is worked out on `line`, `loose` and `fresh`; `after` is the table it leaves.

    fresh: new tiles that are not accounted for yet. fell, rose: seats whose racks lost or got back tiles, by how many. explained:
    those of them that a play, an exposed tile or a withdrawal accounts for. unseated: tiles laid in this look by nobody knows whom.
    held_back: of the fresh ones, those that are not laid in this look. witness: whose arms were over the table since the last look,
    where that was watched. came: as `Followed.came`, this look included.
    """

    def __init__(self, before: Followed, look: Look, opener: Seat | None, witness: Witness | None = None) -> None:
        self.before, self.look, self.view, self.opener, self.witness = before, look, look.view, opener, witness
        seen = seen_again(before, look, witness)
        self.line: FollowedLine | None = seen.line
        self.loose: list[Loose] = list(seen.loose)
        self.fresh: list[Resting] = [Resting.first(tile) for tile in look.fresh]
        self.length_mm = before.length_mm
        self.now = count_racks(look.view)
        trusted = before.racks.are_trusted
        self.fell, self.rose = (before.racks.fell(self.now), before.racks.rose(self.now)) if trusted else ({}, {})
        self.explained: set[Seat] = set()
        self.unseated = 0
        self.held_back: list[Resting] = []
        self.reveal = before.reveal
        self.came, self.since = _came(before, witness)
        self.laid_unseen = before.laid_unseen
        self.observations: list[Observation] = []

    @property
    def when(self) -> When:
        return {"t": self.view.t_s, "frame": self.view.frame}

    @property
    def knows_seats(self) -> bool:
        return self.view.plane is not None and self.view.plane.knows_seats

    @property
    def racks_count(self) -> bool:
        """Whether the racks were counted before and can bear witness."""
        return self.before.racks.are_trusted

    def tell(self, observation: Observation) -> int:
        """Give an observation out; its number among all that were told."""
        self.observations.append(observation)
        return self.before.told + len(self.observations) - 1

    @property
    def acts(self) -> list[Observation]:
        """What was told so far to have happened."""
        return [seen for seen in self.observations if not is_reading(seen)]

    def readings(self, everything: bool = False) -> dict[int, np.ndarray]:
        """Probabilities over the 28 tiles, by the `id` of each tile's `Resting`.

        The line's tiles and those told as exposed exclude each other. Whatever else lies there may be a thing that is no tile, and
        must not take a tile's name away: it is read against the line, not the line against it. Nor may one that was taken up again, for it
        may be the very tile that is laid now. `everything`: at the count all that lies face up is a tile.
        """
        certain = [tile.rest for tile in self.line.tiles] if self.line else []
        claiming = [
            one.rest for one in self.loose if one.struck is None and (one.told or everything) and not self._was_taken(one)
        ]
        certain += claiming
        others = [*(one.rest for one in self.loose if all(one.rest is not rest for rest in claiming)), *self.fresh]
        known = identities([rest.evidence for rest in certain])
        found = {id(rest): row for rest, row in zip(certain, known, strict=True)}
        for rest in others:
            found[id(rest)] = identities([*(r.evidence for r in certain), rest.evidence])[-1]
        return found

    def _was_taken(self, one: Loose) -> bool:
        """Whether a film saw that a loose tile is gone: it is not seen, and its place looks otherwise."""
        seen = one.rest.seen
        return one.rest.missed > 0 and self.witness is not None and self.witness.differs(seen.x_mm, seen.y_mm)

    def may_have_come(self, rest: Resting) -> bool:
        """Whether a tile can have come there since the last look: where every frame was watched, its place looks otherwise."""
        return self.witness is None or self.witness.touched(rest.seen.x_mm, rest.seen.y_mm)

    def may_open(self, rest: Resting) -> bool:
        """Whether a tile can have been laid there as the first of a hand: it came, and one arm brought it, whose seat took none. A thing
        that the tiles of the shuffle had covered comes to sight when they are taken, by four at once or one after the other."""
        if self.witness is None or not self.witness.visits:
            return self.may_have_come(rest)
        seat = self.witness.who(rest.seen.x_mm, rest.seen.y_mm)
        took = seat is not None and self.before.racks.rose(self.now).get(seat, 0) >= TOOK
        return self.may_have_come(rest) and seat is not None and not took

    def is_thing(self, rest: Resting) -> bool:
        """Whether it is no tile that was laid: it is not seen as surely as tiles are, and other doubtful boxes read the same, or since the
        line began nothing of its place has looked otherwise and no rack lost a tile to it. Squares of a checked cloth look like blanks."""
        seen, witness = rest.seen, self.witness
        if self.came is None or witness is None or seen.confidence >= EXISTS:
            return False
        if sum(tile.confidence < EXISTS and tile.tile == seen.tile for tile in self.view.face_up) > 1:
            return True
        came = bool(self.came[witness.table.around(seen.x_mm, seen.y_mm, CORE_MM)].any())
        return not came and witness.who(seen.x_mm, seen.y_mm) not in witness.racks

    def change(self, laid: LaidTile, **changes: object) -> LaidTile:
        """Put a tile of the line in the place of an earlier value of it."""
        assert self.line is not None
        new = replace(laid, **changes)  # type: ignore[arg-type]
        self.line = self.line.with_tiles(tuple(new if tile is laid else tile for tile in self.line.tiles))
        return new

    def after(self) -> Followed:
        """The table that this look leaves."""
        lying = (
            len(self.view.face_down) + sum(one.struck is None for one in self.loose) + (len(self.line.tiles) if self.line else 0)
        )
        return Followed(
            line=self.line,
            loose=tuple(self.loose),
            racks=self.before.racks.after(self.now, self.explained, self.unseated, lying),
            length_mm=self.length_mm,
            told=self.before.told + len(self.observations),
            reveal=self.reveal,
            came=self.came,
            since=self.since,
            laid_unseen=self.laid_unseen,
        )


def _came(before: Followed, witness: Witness | None) -> tuple[np.ndarray | None, np.ndarray | None]:
    """`Followed.came` and `since` with what this look adds."""
    if witness is None:
        return None, None
    if before.line is None:
        return witness.changed, np.zeros_like(witness.changed)
    came, since = (None if mask is None else mask | witness.latest.changed for mask in (before.came, before.since))
    return came, since
