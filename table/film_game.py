"""A match that is filmed: random legal play with a fixed seed, incidents on demand, and its truth as the rules engine judges it."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace

import numpy as np

from models.training.scene import SceneTile
from rules.line import ARMS, Arm
from rules.observations import Hands, Pass, Place, Reveal, Shuffle, Take, Withdraw
from rules.seats import Seat
from rules.state import HandState
from rules.tiles import ALL_TILES, Tile
from table.film import Moment, Point
from table.film_stage import KNOCK_MM, LEAVE_S, LOOSE_MM, REACH_S, REST_S, Stage, grip_mm
from table.film_truth import Truth
from table.scenery import RACK_MM, RACK_PITCH_MM, REVEAL_MM, turned
from table.simulator import TableLayout, opening_pose_deg
from vision.detections import TileState

EMPTY_S, STIR_S, DEALT_S, END_S, BETWEEN_S = 1.0, 1.6, 1.5, 2.5, 2.0
THINK_S = (0.45, 1.0)  # with the arm's way it stays below what FID-ACT-2 calls thinking
KNOCK_S = 0.3
AFTER_KNOCK_S = (0.3, 0.6)  # a knock takes longer than a tile to be over


class Game:
    """The match while it is filmed. manners: names of `faults.MANNERS`."""

    def __init__(self, seed: int, fps: float, opener: Seat = Seat.S, manners: Sequence[str] = ()) -> None:
        self.seed, self.rng = seed, np.random.default_rng([seed, 12])
        self.manners = tuple(manners)
        self.stage = Stage(seed, fps)
        self.truth = Truth(opener)
        self.hands: list[list[Tile]] = [[], [], [], []]
        self.hands_played = 0
        self.layout = self._layout()
        self.fallen: list[set[Tile]] = [set() for _ in Seat]

    def _layout(self) -> TableLayout:
        return TableLayout(self.seed * 100 + self.hands_played, turn_sd_deg=0.8 if "nearly_straight" in self.manners else 2.0)

    # What the players know

    @property
    def hand(self) -> HandState:
        """The hand as the rules see it."""
        return self.truth.hand

    def options(self, seat: Seat) -> list[tuple[Tile, Arm]]:
        """What a seat may lay: each of its tiles with each end that it fits."""
        if not len(self.hand.line):
            return [(tile, "open") for tile in self.hands[seat]]
        ends = self.hand.line.ends
        return [(tile, arm) for tile in self.hands[seat] for arm, end in zip(ARMS, ends, strict=True) if end in tile]

    def choose(self, seat: Seat) -> tuple[Tile, Arm] | None:
        """A legal play at random, a tile in sight first (DUSA-6); None when there is none."""
        options = self.options(seat)
        options = [one for one in options if one[0] in self.fallen[seat]] or options
        return options[int(self.rng.integers(len(options)))] if options else None

    # What is filmed

    def deal(self, hide: bool = False) -> Iterator[Moment]:
        """Tiles are mixed in the middle and each seat takes seven. hide: they stay face down until each seat stands them."""
        order = self.rng.permutation(len(ALL_TILES))
        self.hands = [[ALL_TILES[i] for i in order[7 * seat : 7 * seat + 7]] for seat in Seat]
        self.layout = self._layout()
        self.fallen = [set() for _ in Seat]
        starter = self.truth.due
        self.truth.rows.append({
            "kind": "deal", "t": self.stage.t_s, "starter": int(starter),
            "hands": {str(int(seat)): " ".join(map(str, self.hands[seat])) for seat in Seat},
        })  # fmt: skip
        self.truth.saw(Shuffle(t=self.stage.t_s, seat=starter.left))
        yield from self.stage.stir([starter.left, starter.right], STIR_S)
        for seat in (*starter.until(starter.left), starter.left):
            yield from self.stage.take(seat, self.hands[seat], hide)
            self.truth.saw(Take(t=self.stage.t_s, seat=seat, count=7))
        yield from self.stage.still(DEALT_S)

    def play(self, seat: Seat, tile: Tile, arm: Arm, *, kept: bool = True, wrong_pose: bool = False) -> Iterator[Moment]:
        """A seat lays a tile. kept: it is not taken back; wrong_pose: an opening tile lies a quarter turn off."""
        place = Place(t=0.0, seat=seat.right if wrong_pose else seat, tile=tile, at=arm)
        laid = (self.layout.lay if kept else self.layout.try_on)(place)
        pose = SceneTile(laid.halves, laid.x_mm, laid.y_mm, laid.angle_deg)
        start = yield from self._pick(seat, tile)
        yield from self._bring(seat, start, pose, arm)
        self.stage.line.append(pose)
        self.stage.changed()
        self.hands[seat].remove(tile)
        self.fallen[seat].discard(tile)
        assert place.seat is not None
        self.truth.saw(Place(
            t=self.stage.t_s, seat=seat, tile=tile, at=arm, tip=self._tip(tile, arm),
            pose_deg=None if arm != "open" else opening_pose_deg(place.seat, tile),
        ))  # fmt: skip
        at = grip_mm(seat, (pose.x_mm, pose.y_mm))
        yield from self.stage.stay(seat, at, REST_S)
        yield from self._straighten(seat, at)
        yield from self._lift_again(seat, pose)
        yield from self.stage.leave(seat, at)

    def _tip(self, tile: Tile, arm: Arm) -> int | None:
        """The half that points away where a tile does not match; where it matches the line tells."""
        end = None if arm == "open" else self.hand.line.end(arm)
        return tile.high if end is not None and not tile.has(end) else None

    def _pick(self, seat: Seat, tile: Tile) -> Generator[Moment, None, SceneTile]:
        """An arm takes a tile from the rack, or from the table where it fell; gives its pose there."""
        lying = next((t for t in self.stage.loose if t.tile == tile), None)
        if lying is not None:
            at = grip_mm(seat, (lying.x_mm, lying.y_mm))
            yield from self.stage.enter(seat, at)
            self.stage.loose.remove(lying)
            self.stage.changed()
            return lying
        slot = self.stage.slots[seat].index(tile)
        yield from self.stage.pick(seat, slot)
        x, y = self.stage.slot_mm(seat, slot)
        return SceneTile((tile.low, tile.high), x, y, 90.0 * seat)

    def _bring(self, seat: Seat, start: SceneTile, pose: SceneTile, arm: Arm) -> Iterator[Moment]:
        """The tile to its place: straight, or where tiles are slid by way of another place, the other end's maybe."""
        manner = next((name for name in ("slid", "slid_across") if name in self.manners), None)
        if manner is None or arm == "open" or len(self.stage.line) < 3 or self.rng.random() < 0.5:
            yield from self.stage.carry(seat, start, pose)
            return
        slide_s = 0.8
        if manner == "slid_across":
            tried = self.layout.try_on(Place(t=0.0, seat=seat, tile=Tile.of(*pose.halves), at="b" if arm == "a" else "a"))
            first = SceneTile(tried.halves, tried.x_mm, tried.y_mm, tried.angle_deg)
            slide_s = float(self.rng.uniform(0.3, 2.6))
        else:
            x, y = self.stage.line[0].x_mm, self.stage.line[0].y_mm
            first = SceneTile(pose.halves, (x + pose.x_mm) / 2 + 45, (y + pose.y_mm) / 2 + 45, pose.angle_deg)
        yield from self.stage.carry(seat, start, first)
        yield from self._hold(seat, first, 0.4)
        yield from self.stage.carry(seat, first, pose, slide_s)

    def _hold(self, seat: Seat, tile: SceneTile, seconds: float) -> Iterator[Moment]:
        """A tile lies on the table with the hand still on it."""
        return self.stage.move(seat, (grip_mm(seat, (tile.x_mm, tile.y_mm)),) * 2, seconds, (tile, tile))

    def _straighten(self, seat: Seat, at: Point) -> Iterator[Moment]:
        """Where tiles are set down crooked: the tile just laid lies turned, and is put straight."""
        if "crooked" not in self.manners:
            return
        right = self.stage.line[-1]
        self.stage.line[-1] = SceneTile(right.halves, right.x_mm, right.y_mm, right.angle_deg + float(self.rng.uniform(6, 13)))
        self.stage.changed()
        yield from self.stage.stay(seat, at, 0.3)
        self.stage.line[-1] = right
        self.stage.changed()
        yield from self.stage.stay(seat, at, 0.2)

    def _lift_again(self, seat: Seat, pose: SceneTile) -> Iterator[Moment]:
        """Where tiles are lifted again before the hand lets go: half of them."""
        if "lifted_again" not in self.manners or self.rng.random() < 0.5:
            return
        self.stage.line.pop()
        self.stage.changed()
        yield from self._hold(seat, replace(pose, z_mm=25.0), 0.3)
        self.stage.line.append(pose)
        self.stage.changed()
        yield from self.stage.stay(seat, grip_mm(seat, (pose.x_mm, pose.y_mm)), 0.2)

    def take_back(self, seat: Seat, tile: Tile) -> Iterator[Moment]:
        """A seat lifts the tile that it laid last and stands it in its rack again."""
        lying = self.stage.line[-1]
        at, slot = grip_mm(seat, (lying.x_mm, lying.y_mm)), self.stage.slots[seat].index(None)
        yield from self.stage.enter(seat, at)
        self.stage.line.pop()
        self.stage.changed()
        self.truth.saw(Withdraw(t=self.stage.t_s, seat=seat, tile=tile))
        x, y = self.stage.slot_mm(seat, slot)
        rack = SceneTile(lying.halves, x, y, 90.0 * seat)
        yield from self.stage.carry(seat, lying, rack)
        self.stage.slots[seat][slot] = tile
        self.hands[seat].append(tile)
        self.stage.changed()
        yield from self.stage.leave(seat, (x, y))

    def knock(self, seat: Seat) -> Iterator[Moment]:
        """A seat passes: its flat hand knocks on the table in front of it."""
        at, up = turned(seat, 0.0, -KNOCK_MM), turned(seat, 0.0, -KNOCK_MM - 25)
        yield from self.stage.enter(seat, at)
        self.truth.saw(Pass(t=self.stage.t_s, seat=seat, via="knock"))
        yield from self.stage.stay(seat, at, 0.2, flat=True)
        yield from self.stage.move(seat, (at, up, at), KNOCK_S, flat=True)
        yield from self.stage.leave(seat, at)

    def think(self, after_knock: bool = False) -> Iterator[Moment]:
        """Nobody's arm is over the table."""
        yield from self.stage.still(float(self.rng.uniform(*(AFTER_KNOCK_S if after_knock else THINK_S))))

    def reveal(self) -> Iterator[Moment]:
        """Each seat turns up what it has left; then the count."""
        for seat in [seat for seat in Seat if self.hands[seat]]:
            left, right = turned(seat, -150, -RACK_MM + 20), turned(seat, 150, -RACK_MM + 20)
            yield from self.stage.enter(seat, left)
            yield from self.stage.move(seat, (left, right), 0.6)
            self.stage.slots[seat] = [None] * 7
            self.stage.hidden.discard(seat)
            fallen = {t.tile for t in self.stage.loose}
            self.stage.loose += self._turned_up(seat, [tile for tile in self.hands[seat] if tile not in fallen])
            self.stage.changed()
            yield from self.stage.leave(seat, right)
        s, e, n, w = (tuple(hand) for hand in self.hands)
        hands: Hands = (s, e, n, w)
        self.truth.saw(Reveal(t=self.stage.t_s, final=True, hands=hands))
        self.truth.close_hand()
        self.hands_played += 1
        yield from self.stage.still(END_S)
        if "stirred_reveal" in self.manners:
            yield from self.stage.stir_loose(list(Seat)[:2], 3.0)

    def _turned_up(self, seat: Seat, tiles: Sequence[Tile]) -> list[SceneTile]:
        row = []
        for k, tile in enumerate(tiles):
            x, y = turned(seat, (k - (len(tiles) - 1) / 2) * 34.0, -REVEAL_MM + self.rng.normal(0, 2))
            row.append(SceneTile((tile.low, tile.high), x, y, 90.0 * seat + 90.0 + float(self.rng.normal(0, 4))))
        return row

    def clear(self) -> Iterator[Moment]:
        """The tiles go back into the middle."""
        self.stage.line.clear()
        self.stage.loose.clear()
        self.stage.slots = [[], [], [], []]
        self.stage.changed()
        yield from self.stage.still(BETWEEN_S if self.hands_played else EMPTY_S)

    def fall(self, seat: Seat, tile: Tile) -> Iterator[Moment]:
        """A tile of the rack falls over and lies face up before it."""
        slot = self.stage.slots[seat].index(tile)
        at = self.stage.slot_mm(seat, slot)
        x, y = turned(seat, (slot - 3) * RACK_PITCH_MM, -LOOSE_MM)
        yield from self.stage.enter(seat, at)
        self.stage.slots[seat][slot] = None
        lying = SceneTile((tile.low, tile.high), x, y, 90.0 * seat + 90.0 + float(self.rng.normal(0, 10)), TileState.FACE_UP)
        self.stage.loose.append(lying)
        self.stage.changed()
        yield from self.stage.leave(seat, at, LEAVE_S + REACH_S - REST_S)
        self.fallen[seat].add(tile)
