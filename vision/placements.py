"""Two looks to observations: which tile is new and where it is laid, which one was taken back, pushed or turned up."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from rules.observations import Correction, Expose, Hands, Move, Observation, Place, Reveal, Withdraw
from rules.seats import Seat
from rules.tiles import Tile
from vision.board import BoardView, axis_difference_deg, distance_mm
from vision.contact import Contact, best_contact
from vision.followed import Followed, Look, Loose, look_at, seen_again
from vision.identity import GATE, candidates, identities, probability_of, top
from vision.laid import SIDES, FollowedLine, LaidTile, Resting, Side, bend_of, growth, outer_number
from vision.opening import in_rim_zone, opening_among, seat_by_pose
from vision.racks import count_racks
from vision.reveal import ALL, hands_of, is_reveal, shown_by_seat

MOVED_MM, MOVED_DEG = 12.0, 15.0  # beyond, a resting tile was pushed (FID-ACT-1)
PATIENCE = 2  # looks that the tip of an arm may be missed before it is taken for withdrawn
PATIENCE_WITH_RACKS = 4  # the same where a rack would show the tile coming back
COVERS = 0.45  # tile lengths: a new tile this near lies where the old one was
SURE = 0.95  # a told tile is changed only for a reading as sure as this
RECONSIDERED_AFTER = 3  # looks
UNTOLD = -1


def follow(state: Followed, view: BoardView, opener: Seat | None = None) -> tuple[Followed, tuple[Observation, ...]]:
    """One settled look more: the table after it, and what was seen to have happened.

    opener: the seat whose opening is due, if known; it only names the arms of an opening double whose player was not seen.
    """
    if not state.resting:
        state = replace(state, length_mm=view.length_mm)
    look = look_at(state, view)
    if _is_cleared(state, look):
        state = Followed(told=state.told, length_mm=view.length_mm, racks=state.racks)
        look = look_at(state, view)
    return Step(state, look, opener).run()


def _is_cleared(state: Followed, look: Look) -> bool:
    """Whether the line was taken off the table: after the count most of it, before it all of it, twice."""
    if state.line is None or len(state.line.tiles) < 3:
        return False
    seen = sum(tile is not None for tile in look.known[: len(state.line.tiles)])
    if state.reveal is not None:
        return 2 * seen < len(state.line.tiles)
    return seen == 0 and all(tile.rest.missed > 0 for tile in state.line.tiles)


class Step:
    """The work of one look; lives no longer than that."""

    def __init__(self, state: Followed, look: Look, opener: Seat | None) -> None:
        self.before, self.look, self.opener = state, look, opener
        self.state = seen_again(state, look)
        self.line: FollowedLine | None = self.state.line
        self.loose: list[Loose] = list(self.state.loose)
        self.fresh: list[Resting] = [Resting.first(tile) for tile in look.fresh]
        self.now = count_racks(look.view)
        self.fell, self.rose = state.racks.fell(self.now), state.racks.rose(self.now)
        self.explained: list[Seat] = []
        self.observations: list[Observation] = []
        self.reveal, self.reveal_number = state.reveal, state.reveal_number

    def run(self) -> tuple[Followed, tuple[Observation, ...]]:
        if self.line is not None:
            self._pushed()
            self._taken_back()
        if self.reveal is None:
            self._laid()
        self._turned_up()
        self._settled()
        after = replace(
            self.state,
            line=self.line,
            loose=tuple(self.loose),
            racks=self.before.racks.after(self.now, self.explained),
            told=self._next_number,
            reveal=self.reveal,
            reveal_number=self.reveal_number,
        )
        return after, tuple(self.observations)

    # What happened to tiles that lay before

    def _pushed(self) -> None:
        """Tiles of the line that lie where they lay, but not quite."""
        assert self.line is not None
        tiles = list(self.line.tiles)
        for i, (tile, seen) in enumerate(zip(self.before.line.tiles if self.before.line else (), self.look.known, strict=False)):
            if seen is None or tile.rest.looks < 2:
                continue
            mm = distance_mm(tile.rest.seen, seen) * 50.8 / self.state.length_mm
            deg = axis_difference_deg(tile.rest.seen.angle_deg, seen.angle_deg)
            if mm > MOVED_MM or deg > MOVED_DEG:
                at = replace(tiles[i].rest.seen, x_mm=seen.x_mm, y_mm=seen.y_mm, angle_deg=seen.angle_deg)
                tiles[i] = replace(tiles[i], rest=replace(tiles[i].rest, seen=at))
                self._tell_move(tile, mm, deg, None)
        self.line = self.line.with_tiles(tuple(tiles))

    def _tell_move(self, tile: LaidTile, mm: float, deg: float, to: Side | None) -> None:
        if tile.place.tile is not None:
            self._tell(Move(**self._when, tile=tile.place.tile, to=to, mm=round(mm, 1), deg=round(deg, 1)))

    def _taken_back(self) -> None:
        """Tips that are gone, from the outside inwards; a tile inside the line can only be hidden."""
        assert self.line is not None
        for side in SIDES:
            while self.line.arm(side) and self._is_gone(self.line.tip(side), side):
                tip = self.line.tip(side)
                self.line = self.line.without_tip(side)
                if not self._carried(tip):
                    self._tell_withdrawal(tip)
        if not self.line.a and not self.line.b and self._is_gone(self.line.opening, None):
            self._tell_withdrawal(self.line.opening)
            self.line = None

    def _is_gone(self, tip: LaidTile, side: Side | None) -> bool:
        """Not seen, and for a reason: its rack has it back, another tile lies in its place, it lies elsewhere, or it stays away."""
        if tip.rest.missed == 0:
            return False
        seen, length = tip.rest.seen, self.state.length_mm
        over = [rest for rest in self.fresh if distance_mm(rest.seen, seen) < COVERS * length]
        on_it = [rest for rest in self.fresh if rest not in over and best_contact(seen, rest.seen, length, tip.entered)]
        if on_it and side is not None:
            return False
        back = self.rose.get(tip.place.seat, 0) > 0 if tip.place.seat is not None else bool(self.rose)
        elsewhere = tip.place.tile is not None and any(self._reads_as(rest, tip) for rest in self.fresh)
        patience = PATIENCE_WITH_RACKS if self.before.racks.are_seen else PATIENCE
        return back or bool(over) or elsewhere or tip.rest.missed >= patience

    def _reads_as(self, rest: Resting, tip: LaidTile) -> bool:
        assert tip.place.tile is not None
        return probability_of(identities([rest.evidence])[0], tip.place.tile) >= GATE

    def _carried(self, tip: LaidTile) -> bool:
        """A tile taken up and laid at once on either arm again is one play at its last place."""
        assert self.line is not None
        for rest in self.fresh:
            if tip.place.tile is None or not self._reads_as(rest, tip):
                continue
            grown = growth(self.line, rest.seen, self.state.length_mm, self.opener)
            if grown is None:
                return False
            side, contact = grown
            self.fresh = [other for other in self.fresh if other is not rest]
            mm = distance_mm(rest.seen, tip.rest.seen) * 50.8 / self.state.length_mm
            self._tell_move(
                tip, mm, axis_difference_deg(rest.seen.angle_deg, tip.rest.seen.angle_deg), side if side != tip.at else None
            )
            self.line = self.line.with_tip(
                side,
                replace(tip, rest=rest, at=side, entered=contact.other, against=contact.one, place=replace(tip.place, at=side)),
            )
            return True
        return False

    def _tell_withdrawal(self, tip: LaidTile) -> None:
        """A tile that lay in one look only and that no rack ever missed was never there."""
        if self.before.racks.are_seen and tip.place.seat is None and tip.rest.looks == 1 and not self.rose:
            self._tell(Correction(**self._when, voids=tip.number))
            return
        seat = tip.place.seat if tip.place.seat is not None or len(self.rose) != 1 else next(iter(self.rose))
        if seat is not None and seat in self.rose:
            self.explained.append(seat)
        self._tell(Withdraw(**self._when, seat=seat, tile=tip.place.tile))

    # What is new

    def _laid(self) -> None:
        """Lay the new tiles on the arms, the best fit first, each on the arm as the ones before have left it."""
        laid: list[Resting] = []
        if self.line is None:
            rest = opening_among([*self.fresh, *(one.rest for one in self.loose)], self.look.view, self.state.length_mm)
            if rest is None:
                return
            self.line = FollowedLine(LaidTile(rest, "open", Place(**self._when, at="open"), UNTOLD))
            laid.append(self._taken(rest))
        while (grown := self._best_growth()) is not None:
            rest, side, contact = grown
            place = Place(**self._when, at=side)
            self.line = self.line.with_tip(side, LaidTile(rest, side, place, UNTOLD, contact.other, contact.one))
            laid.append(self._taken(rest))
        self._tell_places(laid)

    def _best_growth(self) -> tuple[Resting, Side, Contact] | None:
        """Also a loose tile is laid when the line has come to it: the tile between was not seen before."""
        assert self.line is not None
        found = [
            (rest, *grown)
            for rest in [*self.fresh, *(one.rest for one in self.loose if one.rest.missed == 0)]
            if (grown := growth(self.line, rest.seen, self.state.length_mm, self.opener)) is not None
        ]
        return min(found, key=lambda g: g[2].cost, default=None)

    def _taken(self, rest: Resting) -> Resting:
        """A tile that is no longer new or loose."""
        self.fresh = [other for other in self.fresh if other is not rest]
        self.loose = [one for one in self.loose if one.rest is not rest]
        return rest

    def _tell_places(self, laid: list[Resting]) -> None:
        """Tell the tiles laid in this look. Of several, the order on one arm is that of the arm; nobody saw who laid which."""
        assert self.line is not None
        seats = self._seats(laid)
        readings = self._readings()
        for rest in laid:
            tiles = list(self.line.tiles)
            i = next(i for i, tile in enumerate(tiles) if tile.rest is rest)
            place = self._place(tiles[i], readings[id(rest)], seats.get(id(rest)))
            tiles[i] = replace(tiles[i], place=place, number=self._next_number)
            self.line = self.line.with_tiles(tuple(tiles))
            self._tell(place)

    def _place(self, laid: LaidTile, reading: np.ndarray, seat: Seat | None) -> Place:
        """What is told of a laid tile; below the gate its value is a question."""
        tile, probability = top(reading)
        return self._read_as(replace(laid.place, seat=seat), laid, reading, tile if probability >= GATE else None)

    def _read_as(self, place: Place, laid: LaidTile, reading: np.ndarray, tile: Tile | None) -> Place:
        assert self.line is not None
        rest, likely = laid.rest, tile or top(reading)[0]
        bend = None
        if laid.entered is not None and laid.against is not None:
            side: Side = "a" if laid.at == "a" else "b"
            arm = (self.line.opening, *self.line.arm(side))
            inner = arm[next(i for i, other in enumerate(arm) if other.rest is rest) - 1]
            bend = bend_of(inner.rest.seen, laid.against, inner.entered, rest.seen, laid.entered)
        return replace(
            place,
            confidence=round(min(probability_of(reading, likely), rest.seen.confidence), 4),
            tile=tile,
            candidates=() if tile else candidates(reading),
            pose_deg=rest.pose_deg(likely),
            tip=outer_number(rest, laid.entered, tile) if laid.entered is not None and tile else None,
            across=laid.entered.is_mid if laid.entered is not None and likely.is_double else None,
            bend=bend,
        )

    def _seats(self, laid: list[Resting]) -> dict[int, Seat]:
        """Who laid the tiles of this look: the one rack that lost as many. Nobody is guessed by turn."""
        if not laid:
            return {}
        shown = shown_by_seat(self.fresh, self.look.view)
        lost = {seat: count - len(shown[seat]) for seat, count in self.fell.items() if count > len(shown[seat])}
        if len(lost) == 1:
            seat, count = next(iter(lost.items()))
            if count == len(laid):
                self.explained.append(seat)
                return {id(rest): seat for rest in laid}
        if lost or self.before.racks.are_seen or len(laid) > 1:
            return {}
        assert self.line is not None
        pose = seat_by_pose(laid[0], self.look.view, self.opener) if laid[0] is self.line.opening.rest else None
        return {} if pose is None else {id(laid[0]): pose}

    # Tiles off the line

    def _turned_up(self) -> None:
        """New tiles that are not laid: shown at the count, or exposed."""
        self.loose += [Loose(rest) for rest in self.fresh]
        view = self.look.view
        shown = [one.rest for one in self.loose if in_rim_zone(one.rest, view)]
        on_table = len(self.loose) + (len(self.line.tiles) if self.line else 0)
        if self.line and (self.reveal or is_reveal(shown, on_table, self.before.racks, self.now, view)):
            self._tell_reveal(shown, on_table)
        elif self.reveal is None:
            self._tell_exposed()

    def _tell_reveal(self, shown: list[Resting], on_table: int) -> None:
        """The count; a later look that shows more corrects it."""
        readings = self._readings()
        by_seat = shown_by_seat(shown, self.look.view)
        tiles = {seat: [top(readings[id(rest)])[0] for rest in rests] for seat, rests in by_seat.items()}
        sure = min((top(readings[id(rest)])[1] for rest in shown), default=1.0)
        hands = hands_of(tiles, on_table == ALL, self.before.racks)
        reveal = Reveal(**{**self._when, "confidence": round(sure, 4)}, hands=hands)
        if self.reveal is None:
            self.reveal_number = self._next_number
            self._tell(reveal)
        elif _shown(hands) > _shown(self.reveal.hands):
            self._tell(Correction(**self._when, voids=self.reveal_number, instead=reveal))
        else:
            return
        self.reveal = reveal

    def _tell_exposed(self) -> None:
        """A tile off the line is told when a rack lost it, or where racks are not seen when a second look shows it again."""
        readings = self._readings()
        several_unseated = len(self.loose) > 1 and not (self.look.view.plane and self.look.view.plane.knows_seats)
        lost = [seat for seat in self.fell if seat not in self.explained]
        for i, one in enumerate(self.loose):
            seat = lost[0] if len(lost) == 1 and one.rest.looks == 1 else one.seat
            tile, probability = top(readings[id(one.rest)])
            seen_enough = seat is not None or (one.rest.looks > 1 and not self.before.racks.are_seen)
            tell = not one.told and seen_enough and probability >= GATE and not several_unseated and self.line is not None
            self.loose[i] = replace(one, seat=seat, told=one.told or tell)
            if tell:
                self._tell(Expose(**{**self._when, "confidence": round(probability, 4)}, seat=seat, tile=tile))
            if seat is not None and one.rest.looks == 1:
                self.explained.append(seat)

    # Later looks settle what was in doubt

    def _settled(self) -> None:
        """A doubt that later looks end, and a told tile that they read otherwise, become corrections of that placement."""
        if self.line is None:
            return
        readings = self._readings()
        tiles = list(self.line.tiles)
        for i, laid in enumerate(tiles):
            tile, probability = top(readings[id(laid.rest)])
            doubt = laid.place.tile is None and probability >= GATE
            changed = laid.place.tile not in (None, tile) and probability >= SURE and laid.rest.looks >= RECONSIDERED_AFTER
            if laid.rest.looks > 1 and (doubt or changed):
                place = self._read_as(laid.place, laid, readings[id(laid.rest)], tile)
                tiles[i] = replace(laid, place=place)
                self._tell(Correction(**self._when, voids=laid.number, instead=place))
        self.line = self.line.with_tiles(tuple(tiles))

    # Telling

    @property
    def _when(self) -> dict[str, Any]:
        return {"t": self.look.view.t_s, "frame": self.look.view.frame}

    @property
    def _next_number(self) -> int:
        return self.state.told + len(self.observations)

    def _tell(self, observation: Observation) -> None:
        self.observations.append(observation)

    def _readings(self) -> dict[int, np.ndarray]:
        """Probabilities over the 28 tiles for every tile on the table, by the identity of its `Resting`."""
        laid = self.line.tiles if self.line else ()
        rests = list({id(r): r for r in [*(t.rest for t in laid), *(one.rest for one in self.loose), *self.fresh]}.values())
        return dict(zip((id(rest) for rest in rests), identities([rest.evidence for rest in rests]), strict=True))


def _shown(hands: Hands) -> int:
    return sum(len(hand) for hand in hands if hand)
