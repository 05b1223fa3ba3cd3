"""New tiles that are laid: on which arm, how, by whom, and what they read."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from rules.observations import Correction, Hands, Place
from rules.seats import Seat
from rules.tiles import ALL_TILES, Tile
from vision.attention import Witness
from vision.beginning import begun_before, laid_unseen
from vision.board import SeenTile, overlap_share
from vision.contact import Contact, Port
from vision.departures import IN_ITS_STEAD
from vision.elimination import all_are_shown, missing_of, unread_by_joints
from vision.hidden import Bridge, beyond, bridge, unread
from vision.identity import EXISTS, GATE, candidates, probability_of, top
from vision.laid import SIDES, UNTOLD, FollowedLine, LaidTile, Resting, Side, bend_of, growth, outer_number
from vision.opening import line_begun, seat_by_pose
from vision.racks import Counts
from vision.reveal import SEVERAL, UNSURE, shown_by_seat
from vision.step import Step
from vision.sureness import sureness

SURE = 0.95  # a told tile is changed only for a reading as sure as this
RECONSIDERED_AFTER = 3  # looks


def placements(step: Step) -> None:
    """Lay the new tiles on the arms, the best fit first, each on the arm as the ones before have left it."""
    laid: list[Resting] = []
    if step.line is None:
        rest = _opening(step)
        if rest is None:
            return
        step.line = FollowedLine(LaidTile(rest, "open", Place(**step.when, at="open"), UNTOLD))
        laid.append(_taken(step, rest))
    _show_after_all(step)
    step.held_back = _doubtful(step)
    if (unshown := _unread(step)) is not None:
        laid.append(_lay(step, *unshown))
    if not laid and _waits(step):
        return
    while True:
        if (grown := _best_growth(step)) is not None:
            rest, side, contact = grown
            laid.append(_lay(step, side, _taken(step, rest), contact.other, contact.one))
        elif (onwards := _best_beyond(step)) is not None:
            rest, turned = onwards
            step.change(step.line.tip(turned.side), rest=turned.hidden, entered=turned.entered, against=turned.against)
            laid.append(_lay(step, turned.side, _taken(step, rest), turned.contact.other, turned.contact.one))
        elif (hidden := _best_bridge(step)) is not None:
            laid.append(_lay(step, hidden.side, hidden.hidden, hidden.entered, hidden.against))
        else:
            break
    again = begun_before(step, laid)
    for tile in again:
        _tell(step, tile, tile.place)
    new = [rest for rest in laid if all(rest is not tile.rest for tile in again)]
    if new:
        _tell_places(step, new)
    if step.before.line is None:
        step.laid_unseen = laid_unseen(step)


def settled(step: Step) -> None:
    """A doubt that later looks end, and a told tile that they read otherwise, become corrections of that placement."""
    if step.line is None:
        return
    readings = step.readings(everything=step.reveal is not None)
    for laid in step.line.tiles:
        tile, probability = top(readings[id(laid.rest)])
        doubt = laid.place.tile is None and probability >= GATE
        changed = laid.place.tile not in (None, tile) and probability >= SURE and laid.rest.looks >= RECONSIDERED_AFTER
        if laid.number < step.before.told and (doubt or changed):
            _put_right(step, laid, _read_as(step, laid, laid.place, readings[id(laid.rest)], tile))
    if step.reveal is not None:
        _read_by_elimination(step, step.reveal.reveal.hands)


def _read_by_elimination(step: Step, hands: Hands) -> None:
    """At the count a tile of the line that no look could read is one that nobody shows, where every hand has as many as it should."""
    assert step.line is not None
    if not all_are_shown({seat: hand or () for seat, hand in zip(Seat, hands, strict=True)}, step.line):
        return
    missing = missing_of([*step.line.known, *(tile for hand in hands for tile in hand or ())])
    for laid in step.line.tiles:
        tile = unread_by_joints(step.line, missing).get(laid.number)
        if tile is not None and laid.number < step.before.told:
            reading = np.array([float(one == tile) for one in ALL_TILES])
            _put_right(step, laid, replace(_read_as(step, laid, laid.place, reading, tile), confidence=UNSURE))


def _put_right(step: Step, laid: LaidTile, place: Place) -> None:
    step.change(laid, place=place)
    step.tell(Correction(**step.when, voids=laid.number, instead=place))


def _opening(step: Step) -> Resting | None:
    """The tile that opened the hand, if one did. What lay there before the hand is a tile of it where the line begins with it."""
    lying = [one for one in step.loose if one.struck is None]
    came = [rest for rest in step.fresh if step.may_open(rest)] + [one.rest for one in lying if not one.before]
    begun = line_begun([*step.fresh, *(one.rest for one in lying)], came, step.view, step.length_mm)
    step.loose = [replace(one, before=one.before and all(one.rest is not rest for rest in begun)) for one in step.loose]
    return begun[0] if begun else None


def _best_growth(step: Step) -> tuple[Resting, Side, Contact] | None:
    """Also a loose tile is laid when the line has come to it: the tile between was not seen before."""
    assert step.line is not None
    found = [
        (rest, *grown)
        for rest in [*_came(step), *(one.rest for one in step.loose if one.may_be_laid and not step.is_thing(one.rest))]
        if (grown := growth(step.line, rest.seen, step.length_mm, step.opener)) is not None
    ]
    return min(found, key=lambda g: g[2].cost, default=None)


def _best_beyond(step: Step) -> tuple[Resting, Bridge] | None:
    """A new tile beyond one that no look has shown, and how that one then lies: where it seemed to lie it only was thought to."""
    assert step.line is not None
    found = [
        (rest, turned)
        for rest in _came(step)
        for side in SIDES
        if (turned := beyond(step.line, side, rest.seen, step.length_mm, step.opener)) is not None
    ]
    return min(found, key=lambda one: one[1].contact.cost, default=None)


def _best_bridge(step: Step) -> Bridge | None:
    """A tile between that no look shows; the new tile beyond it is then laid against it."""
    assert step.line is not None
    bridges = [b for rest in _came(step) if (b := bridge(step.line, rest.seen, step.length_mm, step.opener)) is not None]
    return min(bridges, key=lambda b: b.contact.cost, default=None)


def _came(step: Step) -> list[Resting]:
    """The new tiles that can have been laid."""
    return [rest for rest in step.fresh if all(rest is not other for other in step.held_back)]


def _doubtful(step: Step) -> list[Resting]:
    """New tiles that are not laid in this look: things, and, beside what an arm surely laid, a doubtful one of the
    same arm, which another look has to show."""
    things = [rest for rest in step.fresh if step.is_thing(rest)]
    if step.witness is None:
        return things
    whose = {id(rest): step.witness.who(rest.seen.x_mm, rest.seen.y_mm) for rest in step.fresh}
    laid = {whose[id(rest)] for rest in step.fresh if rest.seen.confidence >= EXISTS}
    several = {None, *(seat for seat, number in step.fell.items() if number >= SEVERAL)}
    return things + [rest for rest in step.fresh if rest.seen.confidence < EXISTS and whose[id(rest)] in laid - several]


def _waits(step: Step) -> bool:
    """Whether the one tile that came is not read clearly: another look is taken before anybody is asked."""
    if step.witness is None or step.acts or len(step.fresh) != 1 or (grown := _best_growth(step)) is None:
        return False
    rest = grown[0]
    came = step.witness.latest.differs(rest.seen.x_mm, rest.seen.y_mm)
    return came and rest.looks == 1 and top(step.readings()[id(rest)])[1] < GATE


def _unread(step: Step) -> tuple[Side, Resting, Port, Port] | None:
    """A tile that a seat laid at an end of the line and that two looks have not shown: its arm was there, the place looks otherwise, and
    so does its rack, or most of the place and the rack never bore witness. Better a question than a seat that seems to have been
    passed over."""
    line, witness = step.line, step.witness
    if line is None or witness is None:
        return None
    shown = [rest.seen for rest in (*step.fresh, *(one.rest for one in step.loose)) if rest.missed == 0]
    parts, ends = witness.parts, unread(line, step.length_mm, step.opener)
    seen_at_racks = {tile.place.seat for tile in line.tiles if tile.filmed}

    def laid(ago: int, side: Side, at: SeenTile) -> bool:
        """In the part so many looks ago, when the tip lay already where it does."""
        part, tip = parts[-1 - ago], line.tip(side)
        if tip.age <= ago or part.differs(tip.rest.seen.x_mm, tip.rest.seen.y_mm):
            return False
        seat = part.seems_to_have_laid(at.x_mm, at.y_mm)
        if seat is None or seat in step.rose or any(part.seems_to_have_laid(seen.x_mm, seen.y_mm) == seat for seen in shown):
            return False
        if seat not in part.racks and seat in seen_at_racks:
            return False
        if any(later.touched(at.x_mm, at.y_mm) for later in parts[len(parts) - ago :]):
            return False  # taken back, or something else
        return all(overlap_share(seen, at, step.length_mm) <= IN_ITS_STEAD for seen in shown)

    for ago in reversed(range(1, len(parts))):
        found = [end for end in ends if laid(ago, end[0], end[1].seen)]
        if len({side for side, *_ in found}) == 1:
            return max(found, key=lambda end: parts[-1 - ago].changed_share(end[1].seen.x_mm, end[1].seen.y_mm))
    return None


def _show_after_all(step: Step) -> None:
    """A new tile that lies well where the line ends in one that no look has shown is that one, however it was thought to lie."""
    assert step.line is not None
    for side in SIDES:
        tip = step.line.tip(side)
        if not step.line.arm(side) or tip.rest.looks:
            continue
        shorter = step.line.without_tip(side)
        shown = [
            (rest, grown[1])
            for rest in step.fresh
            if overlap_share(rest.seen, tip.rest.seen, step.length_mm) > IN_ITS_STEAD
            and (grown := growth(shorter, rest.seen, step.length_mm, step.opener)) is not None
            and grown[0] == side
        ]
        if shown:
            rest, contact = min(shown, key=lambda one: one[1].cost)
            step.change(tip, rest=_taken(step, rest), entered=contact.other, against=contact.one)


def _lay(step: Step, side: Side, rest: Resting, entered: Port, against: Port) -> Resting:
    assert step.line is not None
    step.line = step.line.with_tip(side, LaidTile(rest, side, Place(**step.when, at=side), UNTOLD, entered, against))
    return rest


def _taken(step: Step, rest: Resting) -> Resting:
    """A tile that is no longer new or loose."""
    step.fresh = [other for other in step.fresh if other is not rest]
    step.loose = [one for one in step.loose if one.rest is not rest]
    return rest


def _tell_places(step: Step, laid: list[Resting]) -> None:
    """Tell the tiles laid in this look. Of several, the order on one arm of the line is that of the arm; across both, that of the hands."""
    assert step.line is not None
    came = [rest for rest in laid if rest.looks == 1 or step.witness is None]  # the racks of the others were short a look ago
    witnessed = not step.racks_count or sum(step.before.racks.lost(_held(step)).values()) >= len(came)
    seats = _seats(step, laid)
    t_s = 0.0
    for rest in _as_the_arms_came(step, laid, seats):
        t_s = max(t_s, _came_s(step, rest.seen))
        tile = next(tile for tile in step.line.tiles if tile.rest is rest)
        tile = step.change(tile, filmed=_is_filmed(step, rest, seats.get(id(rest))))
        tile = step.change(tile, witnessed=witnessed)
        _tell(step, tile, replace(tile.place, t=t_s, seat=seats.get(id(rest))))


def _tell(step: Step, laid: LaidTile, place: Place) -> None:
    """Tell a tile as it is read now, where that is sure enough, else as a question."""
    reading = step.readings()[id(laid.rest)]
    likely, probability = top(reading)
    place = _read_as(step, laid, place, reading, likely if probability >= GATE else None)
    step.change(laid, place=place, number=step.tell(place))


def _came_s(step: Step, at: SeenTile) -> float:
    """Time of the look by which a tile lay there: of an earlier one, where that was not enough to tell it."""
    return step.view.t_s if step.witness is None else min(step.view.t_s, step.witness.changed_s(at.x_mm, at.y_mm))


def _is_filmed(step: Step, rest: Resting, seat: Seat | None) -> bool:
    """Whether the film itself showed that a tile was laid where this one is seen."""
    at, witness = rest.seen, step.witness
    return witness is not None and rest.looks > 0 and witness.saw_laid(at.x_mm, at.y_mm) and seat not in step.rose


def _as_the_arms_came(step: Step, laid: list[Resting], seats: dict[int, Seat]) -> list[Resting]:
    """Tiles of this look in the order in which the arms of their seats came in, where all are known and the line allows that order."""
    assert step.line is not None
    if step.witness is None or len(seats) < len(laid):
        return laid
    came = list(step.witness.visits)
    ordered = sorted(laid, key=lambda rest: came.index(seats[id(rest)]) if seats[id(rest)] in came else -1)
    for arm in (step.line.a, step.line.b):
        inner_first = [id(tile.rest) for tile in (step.line.opening, *arm)]
        places = [inner_first.index(id(rest)) for rest in ordered if id(rest) in inner_first]
        if places != sorted(places):
            return laid
    return ordered


def _read_as(step: Step, laid: LaidTile, place: Place, reading: np.ndarray, tile: Tile | None) -> Place:
    """What is told of a laid tile; where its value is a question, what it may be."""
    rest, likely = laid.rest, tile or top(reading)[0]
    joined = laid.entered is not None
    return replace(
        place,
        confidence=sureness(laid, probability_of(reading, likely)),
        tile=tile,
        candidates=() if tile else candidates(reading, count=4 if rest.looks else 28),
        pose_deg=rest.pose_deg(likely) if rest.looks else None,
        tip=outer_number(rest, laid.entered, tile) if laid.entered is not None and tile else None,
        across=laid.entered.is_mid if laid.entered is not None and likely.is_double and rest.looks else None,
        bend=_bend(step, laid) if joined else None,
    )


def _bend(step: Step, laid: LaidTile) -> str | None:
    assert step.line is not None and laid.entered is not None and laid.against is not None
    arm = (step.line.opening, *(step.line.a if laid.at == "a" else step.line.b))
    inner = arm[next(i for i, tile in enumerate(arm) if tile.rest is laid.rest) - 1]
    return bend_of(inner.rest.seen, laid.against, inner.entered, laid.rest.seen, laid.entered)


def _held(step: Step) -> Counts:
    """What the seats hold: their racks, and what they have turned up in this look."""
    shown = shown_by_seat(step.fresh, step.view)
    south, east, north, west = (step.now[seat] + len(shown[seat]) for seat in Seat)
    return south, east, north, west


def _seats(step: Step, laid: list[Resting]) -> dict[int, Seat]:
    """Who laid the tiles of this look: the arm that was there, else the one rack that lost as many. Nobody is guessed by turn.

    Without arms and racks the pose of the opening tile speaks for its player.
    """
    assert step.line is not None
    if step.witness is not None and step.witness.visits:
        return _seats_by_arm(step, step.witness, laid)
    seat = step.before.racks.witness(_held(step), len(laid))
    if seat is not None:
        step.explained.update(Seat)
        return {id(rest): seat for rest in laid}
    step.unseated = len(laid)
    if step.racks_count or len(laid) > 1 or laid[0] is not step.line.opening.rest:
        return {}
    seat_of_pose = seat_by_pose(laid[0], step.view, step.opener)
    return {} if seat_of_pose is None else {id(laid[0]): seat_of_pose}


def _seats_by_arm(step: Step, witness: Witness, laid: list[Resting]) -> dict[int, Seat]:
    """The seat whose arm came to each tile, where that is one. A tile that no look has shown may have lain there before another one, unless
    the film saw it laid. One whose place looks as before lay there already, whoever has reached over it since, unless that seat's rack
    looks otherwise and nothing else explains it: a tile may look like the table. Of several that point to one seat, whose rack lost fewer,
    those to which another arm came as well have none.
    """

    def was_seen(at: SeenTile) -> bool:
        return any(part.may_have_laid(at.x_mm, at.y_mm) is not None for part in witness.parts[:-1])

    seen = [rest for rest in laid if rest.looks or was_seen(rest.seen)] or laid
    seats = dict[int, Seat]()
    for rest in sorted(seen, key=step.may_have_come, reverse=True):  # those whose place changed come first
        seat = witness.who(rest.seen.x_mm, rest.seen.y_mm)
        alone = seat in witness.racks and seat not in seats.values()
        if seat is not None and (alone or step.may_have_come(rest)):
            seats[id(rest)] = seat
    often = Counter(seats.values())
    for rest in seen:
        seat, came = seats.get(id(rest)), witness.near(rest.seen.x_mm, rest.seen.y_mm)
        if seat is not None and often[seat] > max(1, step.fell.get(seat, 0)) and len(came) > 1:
            del seats[id(rest)]
    if len(seats) == len(laid):
        step.explained.update(Seat)
    step.unseated = len(laid) - len(seats)
    return seats
