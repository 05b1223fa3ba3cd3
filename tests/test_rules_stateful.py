"""A hand step by step: play, pass, plant, take back, correct, rule and look, in any order, held against a model that sees all hands."""

from __future__ import annotations

import random
from dataclasses import replace

from conftest import examples
from every_kind import KINDS
from hand_result import result_of
from harmless import look_at, something_harmless
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from judged import doubts, opening_state, verdicts
from known_table import KnownTable
from law import Wanted

from rules.observations import Correction, Drop, Expose, Observation, Place, Referee, Touch
from rules.referee import observe, replay
from rules.seats import Seat
from rules.state import MatchState
from rules.tiles import ALL_TILES

BESIDE = (
    "EXPOSED: fallen",
    "EXPOSED: touched",
    "TOUCHED: a slot or a tile",
    "TILE_MOVED",
    "RACK_REARRANGED",
    "HANDS_ON_TABLE",
    "STRIKE_OR_THROW",
    "TALK_OR_GESTURE",
    "CONDUCT",
)
"""Acts beside the play: any number of them, and each can be taken back as a wrong observation."""
READINGS = ("TILE_SET_FAULT", "READ_CONFLICT")
IN_PLAY = sorted(
    kind.name for kind in KINDS.values() if kind.when == "play" and kind.name not in BESIDE and kind.code not in READINGS
)
"""Acts that change the play: one in a hand, for two could hide each other."""


class HandMachine(RuleBasedStateMachine):
    """`fed` observations were told to the referee; `beside` are those of acts that can be taken back without a trace."""

    @initialize(seed=st.integers(0, 10**9), ruleset=st.sampled_from(["dusa", "fid"]), reliable=st.booleans())
    def deal(self, seed: int, ruleset: str, reliable: bool) -> None:
        rng = random.Random(seed)
        self.table, self.ruleset = KnownTable(rng, Seat(rng.randrange(4)), reliable=reliable), ruleset
        self.state: MatchState = opening_state(self.table, ruleset)
        self.fed, self.planted, self.counted = 0, False, False
        self.beside: list[int] = []
        self.ruled: list[Wanted] = []
        self.dismissed: list[Wanted] = []
        self.table.step()
        self._tell()

    def _tell(self) -> None:
        for seen in self.table.seen[self.fed :]:
            self.state, _ = observe(self.state, seen)
        self.fed = len(self.table.seen)

    def _is_on(self) -> bool:
        return self.table.end is None

    # The play.

    @precondition(_is_on)
    @rule(silent=st.booleans())
    def act(self, silent: bool) -> None:
        """The seat in turn acts; a pass is spoken, or (`silent`) nobody notices it."""
        self.table.silent = silent
        self.table.step()
        self._tell()

    @precondition(_is_on)
    @rule()
    def do_no_harm(self) -> None:
        something_harmless(self.table)
        self._tell()

    @precondition(lambda self: self._is_on() and not self.table.docket.runs)
    @rule(seat=st.sampled_from(Seat))
    def reveal(self, seat: Seat) -> None:
        look_at(self.table, seat)
        self._tell()

    # What should not happen.

    @precondition(lambda self: self._is_on() and not self.planted and not self.table.docket.mirrored)
    @rule(name=st.sampled_from(IN_PLAY))
    def plant(self, name: str) -> None:
        kind = KINDS[name]
        if kind.reliable and not self.table.docket.reliable:
            return
        self.planted = kind.plant(self.table)
        self._tell()

    @precondition(_is_on)
    @rule(name=st.sampled_from(BESIDE))
    def plant_beside(self, name: str) -> None:
        at, known = len(self.table.seen), len(self.table.docket.wanted)
        if KINDS[name].plant(self.table) and len(self.table.docket.wanted) <= known + 1:
            self.beside.append(at)
        self._tell()

    # What is put right.

    def _revocable(self) -> list[int]:
        """Acts that may never have been: of a tile that was seen lying only at once, for a rack may be counted after it."""
        return [at for at in self.beside if at == self.fed - 1 or not isinstance(self.table.seen[at], Expose | Drop | Touch)]

    @precondition(lambda self: self._revocable())
    @rule(data=st.data())
    def take_back(self, data: st.DataObject) -> None:
        """An act was seen that never was: what followed from it is gone."""
        at = data.draw(st.sampled_from(self._revocable()))
        self.beside.remove(at)
        self._forget(self.table.seen[at])
        self.table.docket.strike(at)
        self.dismissed = [one for one in self.dismissed if one.at != at]
        self.table.tell(Correction, voids=at)
        self._tell()

    def _forget(self, seen: Observation) -> None:
        """The tile of an act that never was lies nowhere and need not be played."""
        if isinstance(seen, Expose | Drop | Touch) and seen.seat is not None:
            marks = (self.table.duty, self.table.fallen, self.table.exposed)
            for lying in marks if seen.seat in self.table.audited else (*marks, self.table.in_sight):
                lying[seen.seat].discard(seen.tile)  # type: ignore[arg-type]

    @precondition(_is_on)
    @rule(data=st.data(), silent=st.booleans())
    def misread(self, data: st.DataObject, silent: bool) -> None:
        """A tile is read as another one, with certainty, and the reading is corrected a few acts later."""
        self.table.silent = silent
        at = len(self.table.seen)
        self.table.step()
        for _ in range(data.draw(st.integers(0, 3))):
            if self.table.end is None:
                self.table.step()
        right = next((n for n in range(at, len(self.table.seen)) if isinstance(self.table.seen[n], Place)), None)
        if right is not None:
            self._read_wrong_first(right, data.draw(st.sampled_from(ALL_TILES)))
        self._tell()

    def _read_wrong_first(self, at: int, tile: object) -> None:
        right = self.table.seen[at]
        self.table.seen[at] = replace(right, tile=tile)  # type: ignore[call-arg]
        self.table.tell(Correction, voids=at, instead=right)

    @precondition(lambda self: self.fed > 1)
    @rule(data=st.data())
    def correct_to_the_same(self, data: st.DataObject) -> None:
        """A person confirms an earlier tile: nothing changes."""
        plays = [n for n in range(self.fed) if isinstance(self.state.observations[n], Place)]
        at = data.draw(st.sampled_from(plays))
        self.table.tell(Correction, voids=at, instead=self.state.observations[at])
        self._tell()

    # What a person rules.

    def _open(self) -> list[Wanted]:
        listed = [
            one
            for one in self.table.docket.wanted
            if one.listed(self.ruleset) and one.code != "EXPOSED" and isinstance(one.seat, Seat)
        ]
        return [one for one in listed if one not in self.ruled and one not in self.table.docket.upheld]

    @precondition(lambda self: self._open())
    @rule(data=st.data(), ruling=st.sampled_from(["uphold", "dismiss"]))
    def decide(self, data: st.DataObject, ruling: str) -> None:
        one = data.draw(st.sampled_from(self._open()))
        self.table.tell(Referee, ruling=ruling, incident=one.at, seat=one.seat, code=one.code)
        self.ruled.append(one)
        self.dismissed += [one] if ruling == "dismiss" else []
        self.beside = [at for at in self.beside if at != one.at]
        self._tell()

    # What always holds.

    @invariant()
    def nothing_but_what_was_planted(self) -> None:
        wanted = [
            one.verdict(self.ruleset)
            for one in self.table.docket.wanted
            if one.listed(self.ruleset) and one not in self.dismissed
        ]
        assert verdicts(self.state) == sorted(wanted, key=str)
        assert self.table.docket.doubts == doubts(self.state)

    @invariant()
    def ends_and_turn_are_those_of_the_model(self) -> None:
        assert self.state.hand.ends == tuple(self.table.ends)
        if self.table.end is None and self.table.turn_known and not self.table.docket.mirrored:
            assert self.state.hand.turn == self.table.told_turn

    def teardown(self) -> None:
        """Played to its end and counted: the right result, and every prefix folded again gives what it gave."""
        if not hasattr(self, "table"):
            return
        if self.table.end is None:
            self.table.silent = False
        self.table.finish()
        self._tell()
        self.nothing_but_what_was_planted()
        result, told = result_of(self.table, self.ruleset), self.state.last_result
        assert told is not None
        assert (told.end, told.by_seat, told.winner, told.points, told.left) == (
            result.end, result.by, result.winner, result.points, result.left,
        )  # fmt: skip
        assert replay(opening_state(self.table, self.ruleset), self.table.seen) == self.state


TestHand = HandMachine.TestCase
TestHand.settings = settings(max_examples=examples(25, 1000), stateful_step_count=35, deadline=None)
