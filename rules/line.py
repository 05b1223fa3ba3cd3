"""The line of tiles on the table, its two arms and its two open ends."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from rules.changes import changed
from rules.seats import Seat
from rules.tiles import PIPS, TOTAL_PIPS, Tile

Arm = Literal["open", "a", "b"]
"""Where a tile is laid: as the opening, or against arm a or b."""

ARMS: tuple[Arm, Arm] = ("a", "b")
Ends = tuple[int | None, int | None]
"""Open numbers (a, b); None where the number is not known."""


class Laid(NamedTuple):
    """One tile that lies in the line.

    `outer` is the number it leaves open on its arm (None = not known), `joined` the number it was laid against,
    `due` the seat that was to act when it was laid, `fits` False when it does not match and lies there all the same,
    `sure` whether the number it leaves open is certain, `turn_known` whether it was known whose turn it took,
    `pose_deg` how the opening tile lies.
    """

    tile: Tile | None
    seat: Seat | None
    arm: Arm
    outer: int | None
    joined: int | None
    due: Seat | None
    obs: int
    t: float
    confidence: float = 1.0
    fits: bool = True
    sure: bool = True
    turn_known: bool = True
    pose_deg: float | None = None


@dataclass(frozen=True)
class Line:
    """Every tile that lies, in the order of play.

    Arm a grows from the low half of a mixed opening, or from the side of an opening double nearer to the opener; b is the other.
    """

    laid: tuple[Laid, ...] = ()
    tips: tuple[Laid | None, Laid | None] = field(init=False, repr=False, compare=False)
    """The last tile of each arm (the opening tile while nothing lies beyond it); None before the opening."""
    ends: Ends = field(init=False, repr=False, compare=False)
    """The open numbers (a, b); (None, None) before the opening."""
    tiles: tuple[Tile, ...] = field(init=False, repr=False, compare=False)
    """The tiles whose value is known."""

    def __post_init__(self) -> None:
        a = b = None
        for laid in reversed(self.laid):
            a = laid if a is None and laid.arm != "b" else a
            b = laid if b is None and laid.arm != "a" else b
            if a is not None and b is not None:
                break
        object.__setattr__(self, "tips", (a, b))
        object.__setattr__(self, "ends", (_open_number(a, "a"), _open_number(b, "b")))
        object.__setattr__(self, "tiles", tuple(laid.tile for laid in self.laid if laid.tile is not None))

    def __len__(self) -> int:
        return len(self.laid)

    def end(self, arm: Arm) -> int | None:
        """The open number of one arm."""
        return self.ends[arm == "b"]

    def tip(self, arm: Arm) -> Laid | None:
        """The last tile of one arm."""
        return self.tips[arm == "b"]

    @property
    def pips(self) -> int:
        """Sum over the tiles whose value is known."""
        return sum(map(sum, self.tiles))

    @property
    def unplayed(self) -> int | None:
        """168 less the pips of the line; None while a tile's value is not known."""
        return TOTAL_PIPS - self.pips if self.known else None

    @property
    def known(self) -> bool:
        """Whether the value of every tile is known."""
        return len(self.tiles) == len(self.laid)

    @property
    def sound(self) -> bool:
        """Whether every joint matches: only then does the parity argument of a block hold."""
        return self.known and all(laid.fits for laid in self.laid)

    @property
    def blocked(self) -> bool:
        """Both ends show one number and its seven tiles lie: nobody can play, and no pass is needed to know it (DUSA-10, FID-PUN-6)."""
        a, b = self.ends
        return a is not None and a == b and sum([a in tile for tile in self.tiles]) == len(PIPS)

    @property
    def last(self) -> Laid | None:
        """The tile that was laid last; None before the opening."""
        return self.laid[-1] if self.laid else None

    def plays_of(self, seat: Seat) -> tuple[Laid, ...]:
        """The tiles that this seat laid, in the order of play."""
        return tuple([laid for laid in self.laid if laid.seat == seat])

    def find(self, tile: Tile | None, seat: Seat | None) -> Laid | None:
        """The latest tile with this value, or the latest of this seat when the value is not given."""
        if tile is None:
            return next((laid for laid in reversed(self.laid) if laid.seat == seat), None)
        return next((laid for laid in reversed(self.laid) if laid.tile == tile), None) if tile in self.tiles else None

    def is_free(self, laid: Laid) -> bool:
        """Whether nothing is joined to this tile, so that it can be taken away."""
        return self.laid == (laid,) if laid.arm == "open" else self.tip(laid.arm) is laid

    def add(self, laid: Laid) -> Line:
        """The line with one more tile at the tip of its arm."""
        if laid.arm == "open":
            return Line((*self.laid, laid))
        number = _open_number(laid, laid.arm)
        (tip_a, tip_b), (end_a, end_b) = self.tips, self.ends
        return changed(
            self,
            laid=(*self.laid, laid),
            tips=(laid, tip_b) if laid.arm == "a" else (tip_a, laid),
            ends=(number, end_b) if laid.arm == "a" else (end_a, number),
            tiles=self.tiles if laid.tile is None else (*self.tiles, laid.tile),
        )

    def without(self, laid: Laid) -> Line:
        """The line as if this tile had not been laid."""
        return Line(tuple(other for other in self.laid if other is not laid))

    def replaced(self, laid: Laid, **changes: Any) -> Line:
        """The line with some fields of one tile changed."""
        return Line(tuple(other._replace(**changes) if other is laid else other for other in self.laid))


def _open_number(tip: Laid | None, arm: Arm) -> int | None:
    if tip is None or tip.tile is None:
        return None
    if tip.arm != "open":
        return tip.outer
    return tip.tile.low if arm == "a" else tip.tile.high


EMPTY = Line()


def outer_number(tile: Tile, joined: int | None, tip: Laid | None, told: int | None) -> int | None:
    """The number that a tile leaves open.

    `told` (the half seen to point away) decides a tile that does not match. Against an unknown end the half is known when the
    tile shares exactly one number with the tile at the tip. None when nothing tells.
    """
    if joined is not None and tile.has(joined):
        return tile.other(joined)
    if told is not None and tile.has(told):
        return told
    if tile.is_double:
        return tile.high
    if joined is None and tip is not None and tip.tile is not None:
        shared = {tile.high, tile.low} & {tip.tile.high, tip.tile.low}
        if len(shared) == 1:
            return tile.other(shared.pop())
    return None


def outer_is_sure(tile: Tile | None, joined: int | None, tip: Laid | None, told: int | None, least: float) -> bool:
    """Whether the number that a well-read tile leaves open is certain: a badly read tile puts those laid on it in doubt as well.

    It is when the tip below it is, and for a double or a half seen to point away (`told`). A well-read tile at the tip settles it again
    when both share one number only. `least` is the confidence of a good reading.
    """
    if tile is None or tip is None:
        return tile is not None
    if tile.is_double or (told is not None and tile.has(told)) or (tip.sure and joined is not None):
        return True
    below = tip.tile
    return below is not None and tip.confidence >= least and len({tile.high, tile.low} & {below.high, below.low}) == 1
