"""A table followed look by look, fed with tiles instead of pictures, and what a film would have seen of it."""

from dataclasses import replace

import numpy as np
from laid_tiles import IMAGE_SIZE, LENGTH, Sloppiness, Table, detect_all, overhead_plane, rack

from rules.observations import Correction, Place
from rules.tiles import Tile
from vision.activity import SmallTable
from vision.attention import Witness
from vision.stills import StillsFollower

PLANE = overhead_plane()


class Watched:
    """A follower fed with tiles instead of pictures.

    told: what happened, corrections with the number there of what they void; everything: that and what was read surer later, as it came.
    """

    def __init__(self, plane=PLANE, **options):
        self.follower = StillsFollower(plane, **options)
        self.looks = 0
        lying = options.get("lying")
        self.told = [] if lying is None else [*lying.places, *lying.exposed]
        self.everything = list(self.told)

    def see(self, tiles, racks=None, extra=(), camera=PLANE, rng=None, noise=0.0):
        detections = [*detect_all(tiles, camera, rng, noise), *extra]
        for seat, count in enumerate(racks or ()):
            detections += rack(seat, count, camera)
        return self.show(detections)

    def show(self, detections, witness=None):
        told = self.follower.look(detections, IMAGE_SIZE, float(self.looks), self.looks, witness)
        self.looks += 1
        self.everything += told
        happened = tuple(self._numbered(seen) for seen in told if not self._is_surer(seen))
        self.told += happened
        return happened

    def strike(self, number):
        """A person says that what was told by `told[number]` is no tile."""
        self.follower.strike(self._as_it_came(number))

    def restore(self, number):
        """And takes that back."""
        self.follower.restore(self._as_it_came(number))

    def _as_it_came(self, number):
        return next(n for n, seen in enumerate(self.everything) if seen is self.told[number])

    def _numbered(self, seen):
        if not isinstance(seen, Correction):
            return seen
        return replace(seen, voids=next(n for n, one in enumerate(self.told) if one is self.everything[seen.voids]))

    def _is_surer(self, seen):
        """Whether it says of something told before only how sure that is now."""
        if not isinstance(seen, Correction) or seen.instead is None:
            return False
        return seen.instead == replace(self.everything[seen.voids], confidence=seen.instead.confidence)


def exact_table(*lays, opening=Tile(6, 2), opener=0):
    """An opening and (tile, arm[, turn[, facing]]) laid without slips."""
    table = Table(np.random.default_rng(0), Sloppiness(0.0, (1.0, 1.0), 0.0))
    table.open(opening, opener)
    for tile, arm, *how in lays:
        table.lay(Tile.parse(tile), arm, *how)
    return table


def played(told):
    return [(str(o.tile), o.at) for o in told if isinstance(o, Place)]


FIVE = (("6-5", "b"), ("5-5", "b"), ("5-1", "b"), ("2-1", "a"))


def filmed(*changed, visits=(), racks=()):
    """What a film knows: places that look otherwise, and (seat, x, y) where arms were."""
    small = SmallTable(PLANE)
    otherwise = sum((small.around(x, y, 30.0) for x, y in changed), np.zeros(small.size[::-1], bool))
    covers = {seat: small.around(x, y, 60.0) for seat, x, y in visits}
    return Witness(small, covers, otherwise, frozenset(racks))


def covered(tile, **seen):
    """The same where just the place of a tile looks otherwise."""
    table = filmed().table
    along, across = (LENGTH, LENGTH / 2) if abs(np.cos(np.radians(tile.angle))) > 0.5 else (LENGTH / 2, LENGTH)
    spots = [
        (tile.x + dx * along, tile.y + dy * across) for dx in np.linspace(-0.45, 0.45, 9) for dy in np.linspace(-0.45, 0.45, 9)
    ]
    changed = sum((table.around(x, y, 2.0) for x, y in spots), np.zeros(table.size[::-1], bool))
    return replace(filmed(**seen), changed=changed)
