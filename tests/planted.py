"""Hands that are honest but for one act, planted at a random moment; what has to be found is worked out while it is done.

A kind is a code and a way of doing it. Its function plants it now and says so, or says that this moment does not allow it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from harmless import look_at, something_harmless
from known_table import ARMS, KnownTable

from rules.observations import Drop, Expose, Move, Objection, Pass, Place, Referee, Touch, Withdraw
from rules.seats import Seat
from rules.tiles import Tile

Plant = Callable[[KnownTable], bool]
THINK_LIMIT_S = 20.0


@dataclass(frozen=True)
class Kind:
    """`when`: before the opening, at a tile of the play, or at the count. `mode`: heard or silent hands only."""

    name: str
    plant: Plant
    when: str = "play"
    heard: bool = False
    reliable: bool = False

    @property
    def code(self) -> str:
        return self.name.split(": ")[0]


KINDS: dict[str, Kind] = {}


def kind(name: str, **how: object) -> Callable[[Plant], Plant]:
    def keep(plant: Plant) -> Plant:
        KINDS[name] = Kind(name, plant, **how)  # type: ignore[arg-type]
        return plant

    return keep


def planted_hand(one: Kind, seed: int) -> KnownTable:
    """A random hand with this act in it, at a random moment. Deals and moments that do not allow it are dealt anew."""
    rng = random.Random(f"{one.name} {seed}")
    while True:
        silent = not one.heard and rng.random() < 0.4
        reliable = one.reliable or not silent or rng.random() < 0.5
        table = KnownTable(rng, Seat(rng.randrange(4)), silent=silent, reliable=reliable)
        if _play(table, one, rng.randrange(22) if one.when == "play" else 0) and _is_there(table, one):
            return table


def _play(table: KnownTable, one: Kind, moment: int) -> bool:
    planted = one.when == "before" and one.plant(table)
    while table.end is None:
        if one.when == "play" and not planted and table.line and len(table.seen) >= moment and not table.docket.mirrored:
            planted = one.plant(table)
        if table.end is None:
            table.step()
        if table.rng.random() < 0.12:
            something_harmless(table)
    if one.when == "count":
        return one.plant(table)
    if planted:
        table.count()
    return planted


def _is_there(table: KnownTable, one: Kind) -> bool:
    """Whether it came to the act (some need a later moment of the hand), or to one that leaves two explanations."""
    if table.docket.overlooked:
        return True
    found = {wanted.code for wanted in table.docket.wanted}
    found |= {code for code, _, _ in (*table.docket.doubts, *table.docket.advice)}
    if one.name == "EXPOSED: the last tile" and not table.scoreless:
        return False
    return one.code in found and (table.well_read or table.end == "domination")


# Out of turn.


def _out_of_turn(table: KnownTable, fits: bool) -> tuple[Seat, Tile, int] | None:
    """A seat that is not in turn, with a tile and an arm where it fits or does not; the turn is known to all."""
    early = [s for s in Seat if s not in (table.turn, *table.unheard, table.last) and (table.words or s not in table.passed_over)]
    every = [(s, tile, arm) for s in early for tile in table.hands[s] for arm in (0, 1) if tile.has(table.ends[arm]) == fits]
    return table.rng.choice(every) if every else None


@kind("OUT_OF_TURN: fits not")
def out_of_turn_not_fitting(table: KnownTable) -> bool:
    act = _out_of_turn(table, fits=False)
    if act is None:
        return False
    seat, tile, arm = act
    at = table.tell(Place, seat=seat, tile=tile, at=ARMS[arm])
    table.docket.want("OUT_OF_TURN", seat, at)
    table.docket.turned(False, at)
    return _take_back(table, seat, tile, "out_of_turn")


def _take_back(table: KnownTable, seat: Seat, tile: Tile, cause: str) -> bool:
    """The tile is lifted off again, and played when it fits (D-14); half of the time it stays face up beside the line."""
    table.in_sight[seat].add(tile)
    table.duty[seat].add(tile)
    if cause == "wrong_end" or table.rng.random() < 0.5:
        table.tell(Withdraw, seat=seat, tile=tile)
    else:
        table.tell(Expose, seat=seat, tile=tile, cause=cause)
        table.exposed[seat].add(tile)
    return True


@kind("OUT_OF_TURN: taken back")
def out_of_turn_taken_back(table: KnownTable) -> bool:
    act = _out_of_turn(table, fits=True)
    if act is None:
        return False
    seat, tile, arm = act
    at = table.tell(Place, seat=seat, tile=tile, at=ARMS[arm])
    if table.docket.reliable:
        table.docket.doubts.add(("OUT_OF_TURN", (seat, Seat((seat + 3) % 4)), at))
    table.docket.turned(table.is_against(seat), at)
    table.docket.want("OUT_OF_TURN", seat, at, at + 1)
    return _take_back(table, seat, tile, "out_of_turn")


def _jump(table: KnownTable) -> tuple[Seat, tuple[Seat, ...], int] | None:
    """A fitting tile over the heads of others, which stays: who laid it, whom it skipped, the observation."""
    act = _out_of_turn(table, fits=True)
    if act is None:
        return None
    seat, tile, arm = act
    skipped = table.turn.until(seat)
    return None if _seen_to_fit(table, skipped) else (seat, skipped, table.lay(seat, tile, arm))


def _seen_to_fit(table: KnownTable, seats: tuple[Seat, ...]) -> bool:
    """Whether a tile of these seats lies open and could be laid."""
    return any(tile in table.in_sight[seat] for seat in seats for tile, _ in table.options(seat))


def _decided(table: KnownTable, at: int) -> None:
    """It was out of turn, so that those it skipped did not pass."""
    table.docket.lies = [lie for lie in table.docket.lies if lie.at != at]


@kind("OUT_OF_TURN: objected to")
def out_of_turn_objected_to(table: KnownTable) -> bool:
    jump = _jump(table)
    if jump is None:
        return False
    seat, skipped, at = jump
    table.docket.want("OUT_OF_TURN", seat, at, table.tell(Objection, seat=table.rng.choice(skipped)))
    _decided(table, at)
    return True


@kind("OUT_OF_TURN: ruled")
def out_of_turn_ruled(table: KnownTable) -> bool:
    jump = _jump(table)
    if jump is None:
        return False
    seat, _, at = jump
    ruling = table.rng.choice(["out_of_turn", "uphold"])
    table.docket.want("OUT_OF_TURN", seat, at, table.tell(Referee, ruling=ruling, incident=at, seat=seat))
    table.docket.upheld.append(table.docket.wanted[-1])
    _decided(table, at)
    return True


@kind("RENEGE_OR_OUT_OF_TURN: play goes on")
def over_the_head(table: KnownTable) -> bool:
    return _jump(table) is not None


@kind("RENEGE_OR_OUT_OF_TURN: in silence")
def silent_lie(table: KnownTable) -> bool:
    """A seat that could play lets its turn go by without a word."""
    if not table.options(table.turn) or _seen_to_fit(table, (table.turn,)):
        return False
    table.pass_turn(None)
    return True


def _second_tile(table: KnownTable, announce: bool) -> bool:
    """The seat that laid last lays again before the others have passed."""
    seat = table.last
    if seat is None or seat == table.turn or not table.options(seat) or _seen_to_fit(table, table.turn.until(seat)):
        return False
    table.lay(seat, *table.rng.choice(table.options(seat)), announce=announce)
    return True


def _somebody_could(table: KnownTable) -> bool:
    return any(table.options(seat) for seat in table.turn.until(table.last or table.turn))


@kind("OUT_OF_TURN: a second tile in a row", reliable=True)
def second_tile_in_a_row(table: KnownTable) -> bool:
    return _somebody_could(table) and _second_tile(table, announce=False)


@kind("OUT_OF_TURN: a false announcement")
def false_announcement(table: KnownTable) -> bool:
    return _somebody_could(table) and _second_tile(table, announce=True)


@kind("PREMATURE_RUN: a second tile in a row", reliable=True)
def premature_run(table: KnownTable) -> bool:
    """Nobody else can play, and he does not wait until they have said so."""
    if table.docket.lies or table.last is None or _somebody_could(table):
        return False
    silent = table.turn == table.last and len(table.unheard) == 3
    if silent and table.options(table.turn):
        table.lay(table.turn, *table.rng.choice(table.options(table.turn)), announce=False)
        return True
    return _second_tile(table, announce=False)


# In turn, and wrong.


def _misfit(table: KnownTable, fits_other: bool) -> tuple[Seat, Tile, int] | None:
    """The seat in turn, as all know, with a tile that fits neither end, or the other one only."""
    seat, every = table.turn, []
    for tile in table.hands[seat]:
        every += [
            (seat, tile, arm) for arm in (0, 1) if not tile.has(table.ends[arm]) and tile.has(table.ends[1 - arm]) == fits_other
        ]
    return table.rng.choice(every) if every and not table.unheard else None


def _lay_wrong(table: KnownTable, code: str, act: tuple[Seat, Tile, int], **seen: object) -> int:
    seat, tile, arm = act
    at = table.tell(Place, seat=seat, tile=tile, at=ARMS[arm], **seen)
    table.docket.want(code, seat, at)
    table.docket.turned(False, at)
    return at


@kind("NON_MATCHING: taken back")
def non_matching_taken_back(table: KnownTable) -> bool:
    act = _misfit(table, fits_other=False)
    if act is None:
        return False
    _lay_wrong(table, "NON_MATCHING", act)
    return _take_back(table, act[0], act[1], "non_matching")


@kind("NON_MATCHING: stays", heard=True)
def non_matching_stays(table: KnownTable) -> bool:
    """The half that points away is the open number from now on."""
    act = _misfit(table, fits_other=False)
    if act is None:
        return False
    seat, tile, arm = act
    outer = table.rng.choice([tile.high, tile.low])
    at = _lay_wrong(table, "NON_MATCHING", act, tip=outer)
    table.sound = False
    table.put(seat, tile, arm, at, outer)
    return True


@kind("WRONG_END: moved")
def wrong_end_moved(table: KnownTable) -> bool:
    act = _misfit(table, fits_other=True)
    if act is None:
        return False
    seat, tile, arm = act
    at = _lay_wrong(table, "WRONG_END", act)
    table.tell(Move, seat=seat, tile=tile, to=ARMS[1 - arm], mm=60.0)
    table.put(seat, tile, 1 - arm, at)
    return True


@kind("WRONG_END: taken back")
def wrong_end_taken_back(table: KnownTable) -> bool:
    act = _misfit(table, fits_other=True)
    if act is None:
        return False
    _lay_wrong(table, "WRONG_END", act)
    return _take_back(table, act[0], act[1], "wrong_end")


# False passes.


def _lie(table: KnownTable) -> int | None:
    """The seat in turn says that it passes, and could play; none of its tiles lies open."""
    seat = table.turn
    fits = {tile for tile, _ in table.options(seat)}
    if not fits or table.unheard or fits & table.in_sight[seat]:
        return None
    return table.pass_turn("voice")


@kind("RENEGE: a later tile or the count")
def renege(table: KnownTable) -> bool:
    return _lie(table) is not None


@kind("RENEGE: an audit")
def renege_audited(table: KnownTable) -> bool:
    seat = table.turn
    if _lie(table) is None:
        return False
    look_at(table, seat)
    return True


@kind("RENEGE: a fallen tile")
def renege_dropped(table: KnownTable) -> bool:
    seat, fits = table.turn, [tile for tile, _ in table.options(table.turn)]
    if _lie(table) is None:
        return False
    expose(table, seat, table.rng.choice(fits), "drop")
    return True


@kind("RENEGE: a tile in sight")
def renege_in_sight(table: KnownTable) -> bool:
    """A tile fell before; it fits, and its player passes all the same."""
    one = _some_tile(table)
    if one is None:
        return False
    seat, tile = one
    expose(table, seat, tile, "drop")
    table.intents[seat] = lambda now: (
        tile in {t for t, _ in now.options(seat)} and not now.unheard and now.pass_turn("voice") is not None
    )
    return True


@kind("RENEGE_UNATTRIBUTED: four passes", heard=True)
def four_passes(table: KnownTable) -> bool:
    """Only one seat can play, and it passes too."""
    others = [seat for seat in Seat if seat != table.turn]
    return not any(table.options(seat) for seat in others) and _lie(table) is not None


# Tiles off the line.


def expose(table: KnownTable, seat: Seat, tile: Tile, cause: str) -> int:
    """A tile lies face up off the line: it must be played when it fits, scores nothing under DUSA and costs the next opening."""
    if cause == "drop" and table.rng.random() < 0.5:
        at = table.tell(Drop, seat=seat, tile=tile)
    else:
        at = table.tell(Expose, seat=seat, tile=tile, cause=cause)
    table.docket.want("EXPOSED", seat, at, only="dusa" if cause == "touch" else None)
    for lying in (table.duty, table.in_sight, table.fallen, table.exposed):
        lying[seat].add(tile)
    table.docket.shown(seat, (tile,), at)
    return at


def _some_tile(table: KnownTable) -> tuple[Seat, Tile] | None:
    seat = table.any_seat()
    hidden = [tile for tile in table.hands[seat] if tile not in table.exposed[seat]]
    return (seat, table.rng.choice(hidden)) if hidden else None


@kind("EXPOSED: fallen")
def fallen(table: KnownTable) -> bool:
    one = _some_tile(table)
    return one is not None and expose(table, *one, "drop") >= 0


@kind("EXPOSED: touched")
def exposed_by_touch(table: KnownTable) -> bool:
    one = _some_tile(table)
    return one is not None and expose(table, *one, "touch") >= 0


@kind("EXPOSED: the last tile")
def last_tile_fallen(table: KnownTable) -> bool:
    """The points that it wins do not count (DUSA-6)."""
    seat = table.turn
    return len(table.hands[seat]) == 1 and expose(table, seat, table.hands[seat][0], "drop") >= 0


def _knocked(table: KnownTable, seat: Seat) -> bool:
    """A touch right after a knock belongs to the knock (D-29)."""
    return any(isinstance(seen, Pass) and (seen.seat, seen.via, seen.t) == (seat, "knock", table.t) for seen in table.seen)


def _touch(table: KnownTable, seat: Seat, tile: Tile | None) -> int:
    at = table.tell(Touch, seat=seat, tile=tile, slot=table.rng.randrange(7), dur=table.rng.uniform(0.4, 2.0))
    table.docket.want("TOUCHED", seat, at)
    table.duty[seat] |= set() if tile is None else {tile}
    return at


@kind("TOUCHED: a slot or a tile")
def touched(table: KnownTable) -> bool:
    one = _some_tile(table)
    if one is None or _knocked(table, one[0]):
        return False
    return _touch(table, one[0], table.rng.choice([one[1], None])) >= 0


def _leave(seat: Seat, tile: Tile) -> Plant:
    """At its turn the seat leaves the tile that it must play, and lays another one."""

    def breach(table: KnownTable) -> bool:
        options = table.options(seat)
        others = [one for one in options if one[0] != tile]
        if tile not in {t for t, _ in options} or not others or table.unheard:
            return False
        table.docket.want("TOUCH_BREACH", seat, table.lay(seat, *table.rng.choice(others)))
        table.duty[seat] &= table.exposed[seat]
        return True

    return breach


@kind("TOUCH_BREACH: a touched tile")
def touched_tile_left(table: KnownTable) -> bool:
    one = _some_tile(table)
    if one is None or _knocked(table, one[0]):
        return False
    _touch(table, *one)
    table.intents[one[0]] = _leave(*one)
    return True


@kind("TOUCH_BREACH: an exposed tile")
def exposed_tile_left(table: KnownTable) -> bool:
    one = _some_tile(table)
    if one is None:
        return False
    expose(table, *one, table.rng.choice(["drop", "touch"]))
    table.intents[one[0]] = _leave(*one)
    return True
