"""What each seat can still hold: nobody draws in this game, so a pass tells for the rest of the hand what a seat does not have.

Facts are the tiles laid, the tiles shown (exposed, taken back, turned up) and seven tiles a seat; a *signalled* pass is taken at its
word, until no deal agrees with it. A contradiction is evidence of a false pass (DUSA-5, FID-ACT-3), never an infraction by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from rules.deals import Counted, Holder, can_be_dealt, count_deals
from rules.proofs import fits_ends
from rules.seats import Seat
from rules.state import HandState, MatchState, PassRecord
from rules.tiles import ALL_TILES, PIPS, Tile

MOST_UNREAD = 3
"""So many tiles of the line without a value are counted with; each doubles the work."""

MOST_SEARCHED = 14
"""Among so many passes the smallest sets that explain a contradiction are looked for: at most 2^14 sets, a few microseconds each."""

Chances = tuple[Fraction, Fraction, Fraction, Fraction]
"""Probabilities by seat S, E, N, W; they add up to 1 unless the tile may be one of the line that could not be read."""

Row = Callable[[int], tuple[tuple[Seat, ...], Chances | None]]
"""For a tile by its number: the seats that can hold it and how probable each is, None where that is not counted."""


@dataclass(frozen=True, slots=True)
class Holding:
    """One tile that does not lie in the line: the seats that can hold it, and how likely each is over all deals alike."""

    tile: Tile
    seats: tuple[Seat, ...]
    chances: Chances | None = None


@dataclass(frozen=True, slots=True)
class Contradiction:
    """No deal agrees with every pass.

    `passes`: a smallest set that cannot all be true. `explanations`: the smallest sets that, taken as false, leave a deal; none when
    the tiles seen contradict each other, whoever passed.
    """

    passes: tuple[PassRecord, ...]
    explanations: tuple[tuple[PassRecord, ...], ...]

    @property
    def suspects(self) -> tuple[PassRecord, ...]:
        """Each pass that explains everything if it alone is false."""
        return tuple(only[0] for only in self.explanations if len(only) == 1)


@dataclass(frozen=True, slots=True)
class Holdings:
    """What can be known of the tiles not laid.

    `missing`: by seat, the numbers it has not, by its passes. `refuted`: passes that a tile seen later proves false, not counted with.
    `deals`: how many deals agree with everything; None when they could not be counted, and `because` says why.
    """

    tiles: tuple[Holding, ...]
    missing: tuple[tuple[int, ...], ...]
    refuted: tuple[PassRecord, ...] = ()
    deals: int | None = None
    contradiction: Contradiction | None = None
    because: str | None = None

    def of(self, tile: Tile) -> Holding | None:
        """What is known of one tile; None when it lies."""
        return next((holding for holding in self.tiles if holding.tile == tile), None)

    def chance(self, seat: Seat, tile: Tile) -> Fraction | None:
        """The probability that this seat holds this tile; 0 for a tile that lies, None when it could not be counted."""
        holding = self.of(tile)
        if holding is None:
            return Fraction(0)
        return None if holding.chances is None else holding.chances[seat]

    def tiles_of(self, seat: Seat) -> tuple[Tile, ...]:
        """Every tile that this seat can hold."""
        return tuple(holding.tile for holding in self.tiles if seat in holding.seats)


def holdings(state: HandState | MatchState, *, unsignalled: bool = False) -> Holdings:
    """What each seat can hold now, with exact probabilities over all deals that agree with what was seen.

    `unsignalled`: take silent passes, and those the camera alone saw, at their word too. Passes at ends that were not read surely are never
    counted with. Without the seat of some play, or with more tiles unread than can be counted, the seats of a tile come from the
    passes alone.
    """
    hand = state.hand if isinstance(state, MatchState) else state
    passes = [p for p in hand.passes if p.sure and (p.signalled or unsignalled)]
    refuted = tuple(p for p in passes if p.proved or _refuted(hand, p))
    table = _Table(hand, [p for p in passes if p not in refuted])
    missing = tuple(_missing(seat, table.passes) for seat in Seat)
    if table.because is not None:
        return Holdings(table.by_passes(), missing, refuted, because=table.because)
    counted = count_deals(table.tiles, table.holders(table.passes))
    if counted.deals == 0:
        return Holdings(
            table.by_passes(), missing, refuted, 0, _explain(table), "no deal agrees with everything that was seen and heard"
        )
    return Holdings(table.counted(counted), missing, refuted, counted.deals)


def _bits(tiles: Iterable[Tile]) -> int:
    return sum(1 << ALL_TILES.index(tile) for tile in set(tiles))


def _barred(record: PassRecord) -> int:
    """The tiles that a pass says a seat has not."""
    return _bits(tile for tile in ALL_TILES if fits_ends(tile, record.ends))


def _refuted(hand: HandState, record: PassRecord) -> bool:
    """Whether the seat laid or showed a tile after its pass that fitted then."""
    later = [laid.tile for laid in hand.line.plays_of(record.seat) if laid.obs > record.obs and laid.tile is not None]
    return any(fits_ends(tile, record.ends) for tile in (*later, *hand.known_tiles(record.seat)))


def _missing(seat: Seat, passes: Sequence[PassRecord]) -> tuple[int, ...]:
    return tuple(number for number in PIPS if any(p.seat == seat and number in p.ends for p in passes))


class _Table:
    """The tiles that nobody has seen, and who has room for them: the four seats, then each tile of the line without a value."""

    def __init__(self, hand: HandState, passes: Sequence[PassRecord]) -> None:
        self.passes = tuple(passes)
        self.known = tuple(hand.known_tiles(seat) for seat in Seat)
        self.unread = tuple(laid for laid in hand.line.laid if laid.tile is None)
        held = [hand.held(seat) for seat in Seat]
        self.room = tuple((n or 0) - len(known) for n, known in zip(held, self.known, strict=True))
        shown = _bits(tile for known in self.known for tile in known)
        self.tiles = _bits(ALL_TILES) & ~_bits(hand.line.tiles) & ~shown
        self.because = self._why_not(hand)
        self._barred = {p: _barred(p) for p in self.passes}

    def _why_not(self, hand: HandState) -> str | None:
        """Why the deals cannot be counted, if they cannot."""
        if any(laid.seat is None for laid in hand.line.laid):
            return "the seat of a play is not known"
        if hand.seats_doubted:
            return "the seats are in doubt"
        if hand.miscounted:
            return "a rack had not seven tiles"
        if len(self.unread) > MOST_UNREAD:
            return "too many tiles of the line are not read"
        return None

    def holders(self, passes: Iterable[PassRecord]) -> list[Holder]:
        """The room and the barred tiles if these passes are true. A tile unread was held until it was laid: passes before bar it too."""
        barred, early = [0] * 4, [0] * len(self.unread)
        for record in passes:
            mask = self._barred[record]
            barred[record.seat] |= mask
            for index, laid in enumerate(self.unread):
                if laid.seat == record.seat and laid.obs > record.obs:
                    early[index] |= mask
        return [*map(Holder, self.room, barred), *(Holder(1, mask) for mask in early)]

    def by_passes(self) -> tuple[Holding, ...]:
        """Without counting: a tile shown is where it was shown, any other with every seat that no pass bars from it."""
        barred = [holder.barred for holder in self.holders(self.passes)]
        return self._rows(lambda bit: (tuple(seat for seat in Seat if not barred[seat] >> bit & 1), None))

    def counted(self, counted: Counted) -> tuple[Holding, ...]:
        """The seats that have the tile in some deal, and in what share of them."""

        def row(bit: int) -> tuple[tuple[Seat, ...], Chances | None]:
            s, e, n, w = counted.shares[bit][:4]
            return tuple(seat for seat in Seat if (s, e, n, w)[seat]), (s, e, n, w)

        return self._rows(row)

    def _rows(self, row: Row) -> tuple[Holding, ...]:
        rows = []
        for bit, tile in enumerate(ALL_TILES):
            owners = tuple(seat for seat in Seat if tile in self.known[seat])
            if owners:
                one = tuple(Fraction(int(seat in owners)) for seat in Seat) if len(owners) == 1 else None
                rows.append(Holding(tile, owners, one))  # type: ignore[arg-type]
            elif self.tiles >> bit & 1:
                rows.append(Holding(tile, *row(bit)))
        return tuple(rows)


def _explain(table: _Table) -> Contradiction:
    """The smallest set of passes that cannot all be true, and the smallest sets that explain it when they are false."""
    passes = table.passes

    def agree(true: Iterable[PassRecord]) -> bool:
        return can_be_dealt(table.tiles, table.holders(true))

    if not agree(()):
        return Contradiction((), ())
    if len(passes) > MOST_SEARCHED:
        core = _irreducible(passes, agree)
        return Contradiction(core, tuple((p,) for p in core if agree(_others(passes, (p,)))))
    core = next(some for some in _subsets(passes) if not agree(some))
    first = next(some for some in _subsets(passes) if agree(_others(passes, some)))
    false = tuple(some for some in combinations(passes, len(first)) if agree(_others(passes, some)))
    return Contradiction(core, false)


def _subsets(passes: Sequence[PassRecord]) -> Iterator[tuple[PassRecord, ...]]:
    """Small sets first, each in the order of the passes."""
    for size in range(1, len(passes) + 1):
        yield from combinations(passes, size)


def _others(passes: Sequence[PassRecord], some: Sequence[PassRecord]) -> list[PassRecord]:
    return [record for record in passes if record not in some]


def _irreducible(passes: Sequence[PassRecord], agree: Callable[[Iterable[PassRecord]], bool]) -> tuple[PassRecord, ...]:
    """A set that cannot be true and that is true without any one of its passes: found by leaving out, not always the smallest."""
    core = tuple(passes)
    for record in passes:
        less = _others(core, (record,))
        if not agree(less):
            core = tuple(less)
    return core
