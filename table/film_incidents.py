"""Infractions that a camera can see, on demand: each is filmed before or in place of the act of the seat in turn, when it is possible."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from models.training.scene import SceneTile
from rules.observations import Expose, Lift, Move, RackSwap, Touch
from rules.seats import Seat
from rules.tiles import Tile
from table.film import Moment
from table.film_game import Game
from table.film_stage import grip_mm

Incident = Callable[[Game, Seat], Iterator[Moment] | None]
"""The frames of an incident with the seat in turn, or None when it is not possible now."""

MOVED_MM = 20.0
TOUCH_S = 1.0


def non_matching(game: Game, seat: Seat) -> Iterator[Moment] | None:
    """A tile that fits neither end is laid and taken back."""
    wrong = [tile for tile in game.hands[seat] if not set(tile) & set(game.hand.line.ends)]
    return _try_out(game, seat, wrong[0], "b") if wrong else None


def wrong_end(game: Game, seat: Seat) -> Iterator[Moment] | None:
    """A tile that fits the other end only is laid, and taken back."""
    a, b = game.hand.line.ends
    wrong = [tile for tile in game.hands[seat] if a in tile and b not in tile]
    return _try_out(game, seat, wrong[0], "b") if wrong else None


def out_of_turn(game: Game, seat: Seat) -> Iterator[Moment] | None:
    """The partner of the seat in turn lays a tile that fits, and takes it back."""
    options = game.options(seat.partner)
    return _try_out(game, seat.partner, *options[0]) if options and game.hands[seat] else None


def renege(game: Game, seat: Seat) -> Iterator[Moment] | None:
    """A seat that could play passes; its tile proves it later."""
    return game.knock(seat) if len(game.options(seat)) > 1 and not game.fallen[seat] else None


def exposed(game: Game, seat: Seat) -> Iterator[Moment] | None:
    """A tile of the right-hand neighbour falls out of its rack."""
    hands = game.hands[seat.right]
    return _fall(game, seat.right, hands[0]) if len(hands) > 1 else None


def touch_breach(game: Game, seat: Seat) -> Iterator[Moment] | None:
    """A tile that fits falls out of the rack of the seat in turn, and another one is played."""
    options = game.options(seat)
    fallen = next((tile for tile, _ in options), None)
    other = next((one for one in options if one[0] != fallen), None)
    return None if fallen is None or other is None else _breach(game, seat, fallen, other)


def touched(game: Game, seat: Seat) -> Iterator[Moment] | None:
    """The seat after the next rests a finger on a tile of its rack and leaves it there."""
    return _touch(game, seat.partner) if game.hands[seat.partner] else None


def tile_moved(game: Game, seat: Seat) -> Iterator[Moment] | None:
    """The seat in turn pushes a tile aside that has lain for a while."""
    return _push(game, seat, 1) if len(game.stage.line) > 4 else None


def rack_rearranged(game: Game, seat: Seat) -> Iterator[Moment] | None:
    """The next seat puts a tile of its rack into another slot."""
    slots = game.stage.slots[seat.right]
    return _swap(game, seat.right) if slots.count(None) > 0 and any(slots) else None


INCIDENTS: dict[str, Incident] = {
    f.__name__: f
    for f in (non_matching, wrong_end, out_of_turn, renege, exposed, touch_breach, touched, tile_moved, rack_rearranged)
}
OPENINGS = ("wrong_starter", "opening_orientation", "premature_lift")
"""Infractions of the first tile, which the hand itself begins with."""


def _try_out(game: Game, seat: Seat, tile: Tile, arm: str) -> Iterator[Moment]:
    yield from game.play(seat, tile, arm, kept=False)  # type: ignore[arg-type]
    yield from game.stage.still(0.5)
    yield from game.take_back(seat, tile)
    yield from game.stage.still(0.6)


def _fall(game: Game, seat: Seat, tile: Tile) -> Iterator[Moment]:
    frames = game.fall(seat, tile)
    yield from _until_loose(game, frames)
    game.truth.saw(Expose(t=game.stage.t_s, seat=seat, tile=tile, cause="drop"))
    yield from frames
    yield from game.stage.still(0.6)


def _until_loose(game: Game, frames: Iterator[Moment]) -> Iterator[Moment]:
    """Frames up to the first with one more loose tile, which is told by the tiles that the stage then has."""
    before = len(game.stage.loose)
    for moment in frames:
        yield moment
        if len(game.stage.loose) > before:
            return


def _breach(game: Game, seat: Seat, fallen: Tile, other: tuple[Tile, str]) -> Iterator[Moment]:
    yield from _fall(game, seat, fallen)
    yield from game.play(seat, *other)  # type: ignore[arg-type]
    yield from game.think()


def _touch(game: Game, seat: Seat) -> Iterator[Moment]:
    slot = next(k for k, tile in enumerate(game.stage.slots[seat]) if tile is not None)
    at = game.stage.slot_mm(seat, slot)
    yield from game.stage.enter(seat, at)
    yield from game.stage.stay(seat, at, TOUCH_S)
    game.truth.saw(Touch(t=game.stage.t_s, seat=seat, slot=slot, dur=TOUCH_S))
    yield from game.stage.leave(seat, at)
    yield from game.stage.still(0.4)


def _push(game: Game, seat: Seat, index: int) -> Iterator[Moment]:
    old = game.stage.line[index]
    away = 1.0 if old.y_mm >= 0 else -1.0
    side = (MOVED_MM, 0.0) if round(old.angle_deg / 90) % 2 else (0.0, MOVED_MM * away)
    new = SceneTile(old.halves, old.x_mm + side[0], old.y_mm + side[1], old.angle_deg)
    yield from game.stage.enter(seat, grip_mm(seat, (old.x_mm, old.y_mm)))
    game.stage.line.pop(index)
    game.stage.changed()
    ways = [grip_mm(seat, (t.x_mm, t.y_mm)) for t in (old, new)]
    yield from game.stage.move(seat, ways, 0.3, (old, new))
    game.stage.line.insert(index, new)
    game.stage.changed()
    game.truth.saw(Move(t=game.stage.t_s, seat=seat, tile=old.tile, mm=MOVED_MM))
    yield from game.stage.leave(seat, ways[1])
    yield from game.stage.still(0.6)


def _swap(game: Game, seat: Seat) -> Iterator[Moment]:
    slots = game.stage.slots[seat]
    to = slots.index(None)
    origin = next(k for k, tile in enumerate(slots) if tile is not None)
    tile = slots[origin]
    assert tile is not None
    yield from game.stage.pick(seat, origin)
    (x0, y0), (x1, y1) = game.stage.slot_mm(seat, origin), game.stage.slot_mm(seat, to)
    yield from game.stage.move(seat, ((x0, y0), (x1, y1)), 0.5)
    slots[to] = tile
    game.stage.changed()
    game.truth.saw(RackSwap(t=game.stage.t_s, seat=seat, slots=(origin, to)))
    yield from game.stage.leave(seat, (x1, y1))
    yield from game.stage.still(0.5)


def lift(game: Game, seat: Seat) -> Iterator[Moment]:
    """A seat stands its tiles up."""
    yield from game.stage.stand_up(seat)
    game.truth.saw(Lift(t=game.stage.t_s, seat=seat))
