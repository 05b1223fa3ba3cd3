"""A hand in the making, with all four hands in sight: legal play, passes aloud or in silence, and what the referee has to find.

Turn, ends, block, points and next opening are worked out here, without the package: only its values (tiles, seats, observations) are used.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from docket import Docket, Lie

from rules.line import Arm
from rules.observations import Announce, Expose, Move, Observation, Pass, Place, Reveal
from rules.seats import Seat
from rules.tiles import ALL_TILES, Tile

ARMS: tuple[Arm, Arm] = ("a", "b")
FORWARD_DEG = (90.0, 180.0, 270.0, 0.0)
WORDS = ("voice", "button", "knock")
GAP_S, SLOW_S = 2.0, (3.5, 9.0)


class KnownTable:
    """`silent`: passes are neither spoken nor seen. `reliable`: a pass that is made can be heard; silent players announce a second play."""

    def __init__(self, rng: random.Random, opener: Seat = Seat.S, *, silent: bool = False, reliable: bool = True) -> None:
        self.rng, self.due, self.opener, self.silent = rng, opener, opener, silent
        pile = list(ALL_TILES)
        rng.shuffle(pile)
        self.hands = [pile[seat::4] for seat in range(4)]
        self.docket = Docket(reliable)
        self.seen: list[Observation] = []
        self.t, self.turn, self.ends, self.line = 0.0, opener, [-1, -1], list[Tile]()
        self.arms: list[int | None] = []
        self.laid_s = dict[Tile, float]()
        self.thought = set[Seat]()
        self.last: Seat | None = None
        self.unheard: list[Seat] = []
        """Seats that passed without a sign since the last act that could be seen."""
        self.passed_over: tuple[Seat, ...] = ()
        """Seats that the last tile passed over without a sign."""
        self.words = 0
        """Passes told since the last tile."""
        self.passes = 0
        """Passes since the last tile, told or not."""
        self.sound, self.scoreless = True, False
        self.end: str | None = None
        self.well_read = True
        self.scored: bool | None = True
        """Whether the count can be scored; None when the arbiter has to say."""
        self.duty = [set[Tile]() for _ in range(4)]
        """Tiles that have to be played when they fit: exposed or touched."""
        self.in_sight = [set[Tile]() for _ in range(4)]
        self.fallen = [set[Tile | None]() for _ in range(4)]
        """Exposed by a touch or a fall: they do not score under DUSA, and cost the next opening."""
        self.turn_known = True
        """Whether it was certain whose turn the last tile took."""
        self.audited = set[Seat]()
        self.exposed = [set[Tile]() for _ in range(4)]
        self.intents: dict[Seat, Callable[[KnownTable], bool]] = {}

    # What can be done.

    def tell(self, kind: type[Observation], **values: Any) -> int:
        """Add an observation of this moment; its number."""
        self.seen.append(kind(t=self.t, **values))
        return len(self.seen) - 1

    def is_free(self, tile: Tile) -> bool:
        """Whether nothing is joined to a laid tile on its outer side."""
        arm = self.arms[self.line.index(tile)]
        return arm is not None and arm not in self.arms[self.line.index(tile) + 1 :]

    def any_seat(self) -> Seat:
        return Seat(self.rng.randrange(4))

    @property
    def told_turn(self) -> Seat:
        """Whose turn it is as far as it could be heard and seen."""
        return self.unheard[0] if self.unheard else self.turn

    def options(self, seat: Seat) -> list[tuple[Tile, int]]:
        """Tiles of this seat that fit, with the arm (0 a, 1 b)."""
        if not self.line:
            return [(tile, 0) for tile in self.hands[seat]]
        return [(tile, arm) for tile in self.hands[seat] for arm in (0, 1) if tile.has(self.ends[arm])]

    def has_choice(self, seat: Seat) -> bool:
        """FID-ACT-2: two tiles that fit, or one on two different numbers."""
        fitting = self.options(seat)
        return len({tile for tile, _ in fitting}) > 1 or len({self.ends[arm] for _, arm in fitting}) > 1

    def proper(self, seat: Seat) -> list[tuple[Tile, int]]:
        """The options that leave no exposed or touched tile behind that fits (DUSA-6)."""
        fitting = self.options(seat)
        return [one for one in fitting if one[0] in self.duty[seat]] or fitting

    # What is done.

    def step(self) -> None:
        """The seat in turn acts as it should, or as it means to."""
        seat = self.turn
        intent = self.intents.get(seat)
        if intent is not None and self.line and intent(self):
            self.intents.pop(seat, None)
            return
        free = self.line and (self.has_choice(seat) or len(self.line) < 4)
        slow = free and self.rng.random() < 0.08
        self.thought |= {seat} if slow else set()
        self.t += self.rng.uniform(*SLOW_S) if slow else GAP_S
        proper = self.proper(seat)
        if not proper:
            self.pass_turn(None if self.silent or self._would_be_late() else self.rng.choice(WORDS))
        else:
            self.lay(seat, *self.rng.choice(proper))

    def _would_be_late(self) -> bool:
        """Whether a word now could be one about an earlier turn: it would tell nothing."""
        return bool(self.unheard) and (self.turn in self.passed_over or not self.turn_known)

    def pass_turn(self, via: str | None) -> int | None:
        """The seat in turn passes, aloud or not at all; a lie when it could play. The number of the word."""
        seat, fits = self.turn, {tile for tile, _ in self.options(self.turn)}
        self.turn, self.passes = Seat((seat + 1) % 4), self.passes + 1
        at = None if via is None else self.tell(Pass, seat=seat, via=via)
        if at is None:
            self.unheard.append(seat)
        else:
            self.docket.spoken_over()
            self.unheard, self.words = [], self.words + 1
        if fits & self.in_sight[seat] and at is not None:
            self.docket.want("RENEGE", seat, at)
        elif fits:
            self.docket.lies.append(Lie(seat, (self.ends[0], self.ends[1]), at is not None, at))
        if at is not None:  # the word of a seat is held against what it was seen to hold, and so are its silent passes before
            self.docket.shown(seat, self.in_sight[seat] & set(self.hands[seat]), at)
        if len(self.unheard) == 4:  # a round of silent passes looks like one long thought
            self.unheard = []
            self.docket.overlook("a whole round of silent passes")
        self._all_passed(at)
        return at

    def _all_passed(self, at: int | None) -> None:
        if self.words == 4 and self.passes == 4 and at is not None:
            if self.sound:
                self.docket.want("RENEGE_UNATTRIBUTED", None, at)
            else:
                self.docket.doubts.add(("FALSE_BLOCK", (), at))
        if self.passes >= 4 and not any(self.options(seat) for seat in Seat):
            self.end = "tranque"

    def lay(self, seat: Seat, tile: Tile, arm: int, *, announce: bool | None = None, **seen: Any) -> int:
        """A tile that fits is laid, by the seat in turn or over the heads of others. The number of the observation."""
        if not self.line:
            return self._open(seat, tile, **seen)
        over = self.turn
        while over != seat:
            self.turn = over
            over = self._skip(over)
        self.turn = seat
        passed_over, known = tuple(self.unheard), not self._may_take_back(seat)
        if not known:
            self.unheard = []
            self.docket.overlook("the seat that was passed over lays the next tile")
        again = bool(self.unheard) and self.last == seat
        announced = again and (self.docket.reliable if announce is None else announce)
        if announced:
            self.tell(Announce, seat=seat)
        at = self.tell(Place, seat=seat, tile=tile, at=ARMS[arm], **seen)
        self.docket.jumped(seat, tuple(self.unheard), again, announced, at)
        self.docket.turned(self.is_against(seat), at)
        self.put(seat, tile, arm, at)
        self.passed_over, self.turn_known = passed_over, known
        return at

    def is_against(self, seat: Seat) -> bool:
        """Whether a tile of this seat looks like play the wrong way round: right before the one who laid last, and no pass was told."""
        return self.last is not None and seat == self.last.left and self.words == 0

    def _may_take_back(self, seat: Seat) -> bool:
        """The last tile passed over this seat in silence, and now it lays one before anybody else gave a sign.

        Either it takes its turn back, or all those between passed in silence: nobody can say.
        """
        return bool(self.unheard) and not self.words and seat in self.passed_over and seat != self.last

    def lay_first(self, seat: Seat) -> int:
        """Any tile opens the hand."""
        return self._open(seat, self.rng.choice(self.hands[seat]))

    def _skip(self, seat: Seat) -> Seat:
        self.unheard.append(seat)
        if self.options(seat):
            self.docket.lies.append(Lie(seat, (self.ends[0], self.ends[1]), False))
        return Seat((seat + 1) % 4)

    def _open(self, seat: Seat, tile: Tile, **seen: Any) -> int:
        right = FORWARD_DEG[seat] + (90.0 if tile.is_double else 0.0) + self.rng.uniform(-20, 20)
        pose = {"pose_deg": right % (180.0 if tile.is_double else 360.0), **seen}
        at = self.tell(Place, seat=seat, tile=tile, at="open", **pose)
        self.ends, self.opener = [tile.low, tile.high], seat
        self.put(seat, tile, None, at)
        self.passed_over = self.due.until(seat)
        return at

    def put(self, seat: Seat, tile: Tile, arm: int | None, at: int, outer: int | None = None) -> None:
        """The tile lies now, and the turn goes on; `outer` is the half that points away where it does not match."""
        self.hands[seat].remove(tile)
        self.line.append(tile)
        self.arms.append(arm)
        self.laid_s[tile] = self.t
        if arm is not None:
            self.ends[arm] = tile.other(self.ends[arm]) if outer is None else outer
        self.last, self.turn = seat, Seat((seat + 1) % 4)
        self.unheard, self.words, self.passes, self.passed_over = [], 0, 0, ()
        self.docket.shown(seat, (tile,), at)
        nobody = not any(self.options(other) for other in Seat)
        seven = self.ends[0] == self.ends[1] and sum(one.has(self.ends[0]) for one in self.line) == 7
        if not self.hands[seat] or (nobody and (self.sound or seven)):
            self.end = "tranque" if self.hands[seat] else "domination"
        self.scoreless = self.end is not None and tile in self.fallen[seat]

    def count(self) -> int:
        """Everybody turns up what is left."""
        self._turn_up()
        self.t += 4.0
        s, e, n, w = (tuple(hand) for hand in self.hands)
        at = self.tell(Reveal, final=True, hands=(s, e, n, w))
        self.docket.opened_up({seat: self.hands[seat] for seat in Seat}, at, True)
        return at

    def _turn_up(self) -> None:
        """After the last tile some turn theirs up one by one: that belongs to the count."""
        closed = isinstance(self.seen[-1], Place | Move) and self.sound and self.well_read and self.scored is not None
        seat = self.any_seat()
        for tile in self.hands[seat] if closed and self.rng.random() < 0.2 else ():
            self.tell(Expose, seat=seat, tile=tile)

    def finish(self) -> KnownTable:
        """Play on to the end and count."""
        while self.end is None:
            self.step()
        self.count()
        return self

    # What comes of it.

    @property
    def lost(self) -> tuple[Seat, ...]:
        """Seats that exposed a tile and lose an opening (DUSA-6)."""
        return tuple(seat for seat in Seat if self.fallen[seat])
