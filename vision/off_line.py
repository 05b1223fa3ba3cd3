"""Tiles face up off the line: turned up for the count, or exposed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import chain

from rules.observations import Correction, Expose, Hands, Reveal
from rules.seats import Seat
from vision.elimination import missing_of, with_hidden
from vision.followed import Counted, Loose
from vision.identity import EXISTS, GATE, top
from vision.laid import growth
from vision.reveal import ALL, SEVERAL, UNSURE, hands_of, is_reveal, shown_by_seat
from vision.step import Step

RUN_OUT = 5  # of its seven tiles a seat has laid, as far as was seen: it may have none left
SEEN_OFTEN = 3  # looks that show a loose tile before it is told without a rack's witness


def off_the_line(step: Step) -> None:
    """Account for the new tiles that nobody laid."""
    for rest in step.fresh:
        step.loose.append(Loose(rest, before=step.is_thing(rest) or (step.line is None and not step.may_open(rest))))
    step.fresh = []
    lying = [one for one in step.loose if one.struck is None and not one.before]
    shown = [one for one in lying if step.view.is_at_rim(one.rest.seen)]
    on_table = len(lying) + (len(step.line.tiles) if step.line else 0)
    rests = [one.rest for one in shown]
    if step.line and (
        step.reveal or is_reveal(rests, on_table, step.before.racks, step.now, step.view, step.witness is not None)
    ):
        _tell_count(step, shown, on_table)
    elif step.reveal is None:
        _tell_exposed(step)


def goes_on(step: Step) -> bool:
    """Whether the hand goes on after what was taken for the count: a tile is laid and no hand is shown any more. Takes the count back."""
    shown = [one for one in step.loose if step.view.is_at_rim(one.rest.seen) and one.rest.missed == 0]
    if step.reveal is None or step.line is None or shown:
        return False
    if not any(growth(step.line, rest.seen, step.length_mm, step.opener) for rest in step.fresh):
        return False
    step.tell(Correction(**step.when, voids=step.reveal.number))
    step.reveal = None
    return True


def _tell_count(step: Step, shown: list[Loose], on_table: int) -> None:
    """The count; a later look that shows more corrects it."""
    assert step.line is not None
    readings = step.readings(everything=True)
    by_seat = shown_by_seat([one.rest for one in shown], step.view)
    tiles = {seat: [top(readings[id(rest)])[0] for rest in rests] for seat, rests in by_seat.items()}
    if len(step.line.tiles) + len(shown) == on_table < ALL:
        tiles = with_hidden(tiles, step.line, missing_of([*step.line.known, *chain.from_iterable(tiles.values())]))
    sure = min((top(readings[id(one.rest)])[1] for one in shown), default=1.0)
    sure = sure if on_table == ALL else min(sure, UNSURE)
    hands = hands_of(tiles, on_table == ALL, step.before.racks)
    reveal = Reveal(**step.when, confidence=round(sure, 4), hands=hands)
    if step.reveal is None:
        step.reveal = Counted(reveal, step.tell(reveal))
    elif _shown(hands) > _shown(step.reveal.reveal.hands):
        step.reveal = Counted(reveal, step.reveal.number)
        step.tell(Correction(**step.when, voids=step.reveal.number, instead=reveal))


def _tell_exposed(step: Step) -> None:
    """A tile off the line is told when a rack lost it, by its count or by what a film saw, or else when three looks show it.

    Without a rack's witness not in front of a seat: what is seen there may be a standing tile, or shown for the count.
    Nor is what lay there before the hand, or is a thing.
    Several loose tiles on a table without seats are a count rather than an accident, and nothing is told; nor is what lies in front of a
    seat once a rack is empty: the hand may be over, and tiles are turned up for the count. While a tile of the line is not seen or not
    read, what lies off it may belong to it, and nobody is accused.
    """
    if step.line is None or (len(step.loose) > 1 and not step.knows_seats):
        return
    readings = step.readings()
    over = _may_be_over(step)
    for i, one in enumerate(step.loose):
        seat = _loser(step, one) if one.rest.looks == 1 else one.seat
        tile, probability = top(readings[id(one.rest)])
        lies_apart = one.rest.looks >= SEEN_OFTEN and not step.view.is_at_rim(one.rest.seen)
        seen_enough = seat is not None or (lies_apart and not step.racks_count)
        counted = over and step.view.is_at_rim(one.rest.seen)
        is_tile = probability >= GATE and not one.before and not step.is_thing(one.rest)
        one = step.loose[i] = replace(one, seat=seat)
        if is_tile and seen_enough and not counted and not one.told:
            sure = probability if step.line.is_whole else min(probability, UNSURE)
            expose = Expose(**step.when, confidence=round(sure, 4), seat=seat, tile=tile)
            step.loose[i] = replace(one, told=True, exposed=(expose, step.tell(expose)))
        if seat is not None and one.rest.looks == 1:
            step.explained.add(seat)


def _may_be_over(step: Step) -> bool:
    """Whether a rack shows no tile any more, and its seat may have run out, or several tiles lie in front of the seats.

    A rack that is badly seen shows none either: one tile alone beside it has fallen.
    """
    laid = Counter(tile.place.seat for tile in step.line.tiles) if step.line else Counter[Seat | None]()
    empty = [seat for seat in Seat if step.now[seat] == 0]
    shown = [one for one in step.loose if not one.told and step.view.is_at_rim(one.rest.seen)]
    ran_out = any(laid[seat] + laid[None] >= RUN_OUT for seat in empty)
    return step.before.racks.are_seen and bool(empty) and (ran_out or len(shown) >= SEVERAL)


def _loser(step: Step, one: Loose) -> Seat | None:
    """Whose rack lost a tile that lies there for the first time: by the counts of two looks, in a film by arm and rack.

    A rack that only looks otherwise is believed where the place of the tile does too, and no play explains either.
    """
    lost = [seat for seat in step.fell if seat not in step.explained]
    seen, witness = one.rest.seen, step.witness
    if witness is None or not witness.visits:
        return lost[0] if len(lost) == 1 else None
    seat = witness.who(seen.x_mm, seen.y_mm)
    if seat is None or seat in step.explained:
        return None
    fell = seat in witness.racks and seen.confidence >= EXISTS and witness.differs(seen.x_mm, seen.y_mm)
    return seat if fell or seat in lost else None


def _shown(hands: Hands) -> int:
    return sum(len(hand) for hand in hands if hand)
