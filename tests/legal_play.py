"""Whole hands of random legal play, worked out here without the rules package, for tests to hold it against."""

from __future__ import annotations

import random
from dataclasses import dataclass

from rules.observations import Hands, Observation, Pass, Place, Reveal
from rules.seats import Seat
from rules.tiles import ALL_TILES, Tile

FORWARD_DEG = {Seat.S: 90.0, Seat.E: 180.0, Seat.N: 270.0, Seat.W: 0.0}


@dataclass(frozen=True)
class PlayedHand:
    """What happened: `observations` end with the count; `leftover` are the tiles by seat; `end` is domination or tranque."""

    opener: Seat
    dealt: tuple[tuple[Tile, ...], ...]
    observations: tuple[Observation, ...]
    leftover: Hands
    end: str
    by: Seat

    @property
    def left(self) -> tuple[int, int]:
        """Unplayed pips of both pairs."""
        s, e, n, w = (sum(tile.high + tile.low for tile in tiles or ()) for tiles in self.leftover)
        return s + n, e + w


def play_hand(seed: int, opener: Seat = Seat.S, *, silent: bool = False, gap_s: float = 2.0, t: float = 0.0) -> PlayedHand:
    """A hand of uniformly random legal play; `silent` leaves the passes out of the observations."""
    rng = random.Random(seed)
    pile = list(ALL_TILES)
    rng.shuffle(pile)
    hands = [pile[7 * i : 7 * i + 7] for i in range(4)]
    dealt = tuple(tuple(hand) for hand in hands)
    seat, ends, passes, seen = opener, None, 0, []
    last, end = opener, "tranque"
    while passes < 4:
        options = [(tile, at) for tile in hands[seat] for at in ((0, 1) if ends else (0,)) if ends is None or tile.has(ends[at])]
        if not options:
            passes += 1
            if not silent and passes < 4:
                seen.append(Pass(t=t, seat=seat, via="voice"))
        else:
            tile, at = rng.choice(options)
            hands[seat].remove(tile)
            if ends is None:
                pose = FORWARD_DEG[seat] + (90.0 if tile.is_double else 0.0)
                seen.append(Place(t=t, seat=seat, tile=tile, at="open", pose_deg=pose % (180.0 if tile.is_double else 360.0)))
                ends = [tile.low, tile.high]
            else:
                seen.append(Place(t=t, seat=seat, tile=tile, at="ab"[at]))
                ends[at] = tile.other(ends[at])
            passes, last = 0, seat
            if not hands[seat]:
                end = "domination"
                break
        t += gap_s
        seat = seat.right
    if end == "tranque":
        # The passes after the closing tile belong to nobody: the hand was over.
        while seen and isinstance(seen[-1], Pass):
            seen.pop()
    leftover = (tuple(hands[0]), tuple(hands[1]), tuple(hands[2]), tuple(hands[3]))
    seen.append(Reveal(t=t + 4.0, final=True, hands=leftover))
    return PlayedHand(opener, dealt, tuple(seen), leftover, end, last)
