"""The folded state: one hand, and the match around it. Frozen values; a step gives a new one."""

from __future__ import annotations

from dataclasses import dataclass

from rules.codes import Charge
from rules.events import Accused, Event, Infraction, Points
from rules.line import EMPTY, Ends, Line
from rules.observations import Hands, Observation
from rules.register import Booking, Card, Moment
from rules.ruleset import Ruleset
from rules.seats import Pair, Seat
from rules.tiles import Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class PassRecord:
    """A pass and the ends it was made at, kept because a later tile can refute it.

    `plays` tiles lay then. `signalled` is False for a silent or merely seen pass; `jumper` is then who laid next, with observation `jump`.
    `refuted_by` holds a proof back while the seats themselves are in doubt; `proved` marks a pass already told.
    """

    seat: Seat
    obs: int
    ends: Ends
    plays: int
    signalled: bool
    sure: bool = True
    jumper: Seat | None = None
    jump: int | None = None
    refuted_by: int | None = None
    proved: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Jump:
    """A play before the turn came: out of turn, or after silent passes of `skipped`. Not decided yet.

    `run`: the second play in a row of one seat; `announced`: he had said that nobody else can play.
    """

    seat: Seat
    obs: int
    skipped: tuple[Seat, ...]
    ends: Ends
    run: bool = False
    announced: bool = False
    sure: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A tile that a seat is known to hold: exposed, touched or taken back. `cause` says how it came to be known.

    `sure` is False when it was not seen well: such a tile brings no infraction.
    """

    seat: Seat
    tile: Tile | None
    obs: int
    cause: str
    slot: int | None = None
    sure: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SlowPlay:
    """A play after more than the thinking time, to be held against the hand when it is known (FID-ACT-2)."""

    seat: Seat
    obs: int
    ends: Ends
    sure: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """An infraction that is held back: it names a seat, and nothing has shown yet that seats lie where the picture shows them."""

    charge: Charge
    code: str
    seat: Accused
    at_obs: int
    because: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """How the hand closed: domination or tranque, at observation `obs`, with an exposed tile that does not score or not (DUSA-6)."""

    end: str
    by_seat: Seat | None
    obs: int
    t: float
    scoreless: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HandResult:
    """Hand points (A, B) without fines; `left` = unplayed pips (A, B) when they were counted."""

    end: str
    by_seat: Seat | None
    winner: Pair | None
    points: Points
    left: Points | None
    next_starter: Seat | None
    counted: bool


@dataclass(frozen=True, kw_only=True)
class HandState:
    """One deal: `turn` is the seat to act (None = not known), `clock` the seat and time of the last act that thinking counts from.

    `awaiting`: the last tile does not match, and may still be taken back or put right: neither ends nor turn have moved on.
    `blind`: the turn is told by a word alone that may have come late, and nobody is judged by it.
    `shuffling`: the tiles are face down in the middle and nobody's. `backward` counts plays in a row against the order of play;
    `forward` plays with it since the last one against it; `held_back` what waits until enough of those are seen.
    `audit` has the tiles turned up so far, `audited` the observation in which each seat's were last seen well; `entry` is what was
    written down before the count (observation, pair, points); `booked` is the row of the ledger with the hand's points.
    """

    due: Seat | None = None
    opener: Seat | None = None
    line: Line = EMPTY
    turn: Seat | None = None
    passes: tuple[PassRecord, ...] = ()
    jumps: tuple[Jump, ...] = ()
    exposed: tuple[Shown, ...] = ()
    touched: tuple[Shown, ...] = ()
    withdrawn: tuple[Shown, ...] = ()
    slow: tuple[SlowPlay, ...] = ()
    clock: tuple[Seat, float] | None = None
    announced: Seat | None = None
    awaiting: bool = False
    blind: bool = False
    shuffling: bool = False
    backward: int = 0
    forward: int = 0
    held_back: tuple[Held, ...] = ()
    seats_doubted: bool = False
    lifted: tuple[Seat, ...] = ()
    miscounted: tuple[Seat, ...] = ()
    audit: Hands = (None, None, None, None)
    audited: tuple[int | None, int | None, int | None, int | None] = (None, None, None, None)
    closed: Closing | None = None
    entry: tuple[int, Pair, int] | None = None
    result: HandResult | None = None
    booked: int | None = None

    @property
    def ends(self) -> Ends:
        """The open numbers; while a tile that does not match may still be taken back, those before it."""
        if not self.awaiting or not self.line.laid:
            return self.line.ends
        last = self.line.laid[-1]
        a, b = self.line.ends
        return (last.joined, b) if last.arm == "a" else (a, last.joined)

    @property
    def playing(self) -> bool:
        """Whether a tile lies and the hand has not closed."""
        return self.closed is None and self.result is None and bool(self.line.laid)

    @property
    def may_be_over(self) -> bool:
        """Whether a seat may have run out unseen: with the tiles whose seat is not known it would have laid all its seven."""
        players = [laid.seat for laid in self.line.laid]
        unknown = players.count(None)
        return unknown > 0 and any(players.count(seat) + unknown >= 7 for seat in Seat)

    def held(self, seat: Seat) -> int | None:
        """Tiles a seat still has: seven less its plays; None while the seat of some play is not known."""
        players = [laid.seat for laid in self.line.laid]
        return None if None in players else 7 - players.count(seat)

    def known_tiles(self, seat: Seat, least: float = 0.98) -> tuple[Tile, ...]:
        """Tiles that this seat surely holds now: exposed, taken back, or seen in an audit, and not laid since.

        `least` is the confidence of a good reading.
        """
        shown = (*self.exposed, *self.withdrawn)
        seen = [one.tile for one in shown if one.seat == seat and one.sure and not self.may_have_laid(seat, one.obs, least)]
        looked = self.audited[seat]
        audited = () if looked is None or self.may_have_laid(seat, looked, least) else self.audit[seat] or ()
        return tuple(dict.fromkeys(tile for tile in (*seen, *audited) if tile is not None and tile not in self.line.tiles))

    def may_have_laid(self, seat: Seat, since: int, least: float) -> bool:
        """Whether this seat laid a tile since observation `since` whose value is not well known, or may have."""
        last = self.line.last
        if last is None or last.obs <= since:
            return False
        later = (laid for laid in self.line.laid if laid.obs > since and laid.seat in (seat, None))
        return any(laid.tile is None or laid.confidence < least for laid in later)


@dataclass(frozen=True, kw_only=True)
class MatchState:
    """The whole match. `heard` are all observations as they came; `observations` those in force, corrections applied, by the same
    numbers; `events` are those they give.

    `first_opener` None: whoever opens first. `repeat_opener` is due instead of the rotation; `repeating`: that hand is not counted anew.
    `dealt`: tiles were shuffled for the next hand. `seats_shown`: three plays in a row ran in the order of play; `seats_doubted`: three ran
    against it, and none did so since. `points` and `fines` (upheld ones only) are the sums of the `ledger`, on top of those the match was
    entered with. `infractions` are those that nobody dismissed, `ruled` those that a person decided,
    `settled` the doubts (code, observation) that a person decided.
    `lost_openings` are still to be served, `lost_ever` all there were. `cards` are those of FID, closed ones too.
    `moments` is the table before each observation since the last hand but one ended.
    `start` is the match before its first observation, None while this is it.
    `last_hand` is the number of hands to stop after, once it was called; `level` the number of hands after which the totals were level
    when the match should have ended; `ended_by` the reason it ended for.
    """

    ruleset: Ruleset
    first_opener: Seat | None = None
    hand: HandState = HandState()
    last_opener: Seat | None = None
    repeat_opener: Seat | None = None
    repeating: bool = False
    dealt: bool = False
    seats_shown: bool = False
    seats_doubted: bool = False
    points: Points = (0, 0)
    fines: Points = (0, 0)
    lost_openings: tuple[Seat, ...] = ()
    lost_ever: tuple[Seat, ...] = ()
    hands_opened: int = 0
    infractions: tuple[Infraction, ...] = ()
    ruled: tuple[Infraction, ...] = ()
    settled: tuple[tuple[str, int], ...] = ()
    cards: tuple[Card, ...] = ()
    ledger: tuple[Booking, ...] = ()
    moments: tuple[Moment, ...] = ()
    last_result: HandResult | None = None
    started_t: float | None = None
    last_hand: int | None = None
    level: int | None = None
    over: bool = False
    ended_by: str | None = None
    winner: Pair | None = None
    match_lost: Pair | None = None
    heard: tuple[Observation, ...] = ()
    observations: tuple[Observation | None, ...] = ()
    events: tuple[Event, ...] = ()
    start: MatchState | None = None

    @property
    def totals(self) -> Points:
        """Hand points and upheld fines together: what the target is held against."""
        return self.points[0] + self.fines[0], self.points[1] + self.fines[1]

    @property
    def hand_no(self) -> int:
        """The number of the hand that is on the table or being dealt."""
        return self.hands_opened if len(self.hand.line) or self.repeating else self.hands_opened + 1
