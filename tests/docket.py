"""What a referee who sees all four hands would write down: the infractions, doubts and pieces of advice that have to be found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from law import ADVICE, Accused, Wanted

from rules.seats import Seat
from rules.tiles import Tile

Ends = tuple[int, int]
MIRRORED = "three plays in a row against the order of play"


@dataclass
class Run:
    """A second play in a row that skipped seats in silence: premature, or out of turn when one of them could have played."""

    seat: Seat
    at: int
    announced: bool
    proved: bool = False


@dataclass
class Lie:
    """A pass of a seat that could have played. Voiced, `at` is its word; silent, the tile of `by` that passed over the seat."""

    seat: Seat
    ends: Ends
    voiced: bool
    at: int | None = None
    by: Seat | None = None
    run: Run | None = None
    heard_over: bool = False
    kept: int | None = None


@dataclass
class Docket:
    """`reliable`: passes that are made can be heard. `backward`: plays in a row against the order of play."""

    reliable: bool
    wanted: list[Wanted] = field(default_factory=list)
    doubts: set[tuple[str, tuple[Seat, ...], int]] = field(default_factory=set)
    advice: set[tuple[str, Seat, int]] = field(default_factory=set)
    upheld: list[Wanted] = field(default_factory=list)
    lies: list[Lie] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    slow: list[tuple[Seat, int]] = field(default_factory=list)
    backward: int = 0
    mirrored: bool = False
    overlooked: list[str] = field(default_factory=list)
    """Why silent passes that were lies can never be proved."""

    def want(self, code: str, seat: Accused, at: int, certain: int | None = None, **more: object) -> None:
        self.wanted.append(Wanted(code, seat, at, at if certain is None else certain, **more))  # type: ignore[arg-type]

    def verdicts(self, ruleset: str) -> list[tuple]:
        """What has to be on the list of infractions, in a fixed order."""
        return sorted((one.verdict(ruleset) for one in self.wanted if one.listed(ruleset)), key=str)

    def advised(self, ruleset: str) -> set[tuple[str, Seat, int]]:
        return {one for one in self.advice if ruleset in ADVICE[one[0]]}

    def jumped(self, seat: Seat, skipped: tuple[Seat, ...], again: bool, announced: bool, at: int) -> None:
        """A tile was laid and seats before its player had given no sign; `again`: by the seat that laid the last one, too."""
        if self.mirrored:
            self.overlook(MIRRORED)
            return
        run = Run(seat, at, announced) if again and (announced or self.reliable) else None
        self.runs += [run] if run else []
        for lie in self.lies:
            if lie.at is None:
                lie.at, lie.by, lie.run = at, seat, None if lie.heard_over else run
        if skipped and self.reliable and not (again and announced):
            code, seats = ("PREMATURE_RUN", (seat,)) if again else ("OUT_OF_TURN", (seat, skipped[-1]))
            self.doubts.add((code, seats, at))

    def spoken_over(self) -> None:
        """A later seat said that it passes: those before it passed in silence, whoever lays next."""
        for lie in self.lies:
            lie.heard_over = lie.heard_over or lie.at is None

    def overlook(self, why: str) -> None:
        """The silent passes since the last tile leave two explanations: they are held against nobody."""
        self.overlooked += [why for lie in self.lies if lie.at is None]
        self.lies = [lie for lie in self.lies if lie.at is not None]

    def turned(self, against: bool, at: int) -> None:
        """Three plays in a row against the order of play, no pass told: the picture may be mirrored, and no turn is judged any more."""
        self.backward = self.backward + 1 if against else 0
        if self.backward >= 3 and not self.mirrored:
            self.mirrored, self.runs = True, []
            self.overlooked += [MIRRORED for lie in self.lies if not lie.voiced]
            self.lies = [lie for lie in self.lies if lie.voiced]
            self.doubts.add(("CALIBRATION_ALARM", (), at))
        self._tell_kept()

    def shown(self, seat: Seat, tiles: Iterable[Tile], at: int) -> None:
        """Nobody draws tiles: what a seat shows now it had when it passed."""
        seen = list(tiles)
        for lie in list(self.lies):
            if lie.seat == seat and lie.at is not None and any(tile.has(end) for tile in seen for end in lie.ends):
                self._prove(lie, at)

    def _prove(self, lie: Lie, at: int) -> None:
        if lie.run is not None:
            if not lie.run.proved:
                self.want("OUT_OF_TURN", lie.run.seat, lie.run.at, at)
            lie.run.proved = True
        elif lie.voiced:
            self.want("RENEGE", lie.seat, lie.at, at)
        elif self.backward >= 2:
            lie.kept = lie.kept or at
            return
        else:
            self.want("RENEGE_OR_OUT_OF_TURN", (lie.by, lie.seat), lie.at, at)
        self.lies.remove(lie)

    def _tell_kept(self) -> None:
        if self.backward < 2:
            for lie in [lie for lie in self.lies if lie.kept is not None]:
                self._prove(lie, lie.kept)

    def opened_up(self, hands: dict[Seat, list[Tile]], at: int, final: bool) -> None:
        """The tiles of these seats lie open: slow plays without a choice are certain; at the count also that nobody could play."""
        self.backward = self.backward if self.mirrored else 0
        self._tell_kept()
        for seat, tiles in hands.items():
            self.shown(seat, tiles, at)
        for seat, play in [one for one in self.slow if one[0] in hands]:
            self.want("FALSE_THINK", seat, play, at)
            self.slow.remove((seat, play))
        for run in self.runs if final else ():
            if not run.proved and not run.announced:
                self.want("PREMATURE_RUN", run.seat, run.at, at)

    def strike(self, at: int) -> None:
        """The act with this observation never happened: nothing that belongs to it is to be found."""
        self.wanted = [one for one in self.wanted if one.at != at]
        self.doubts = {one for one in self.doubts if one[2] != at}
        self.advice = {one for one in self.advice if one[2] != at}
