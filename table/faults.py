"""What goes wrong at real tables, by name: faults of a film, each one small. `miron simulate --faults` takes their names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rules.errors import BadInput
from table import faults_camera, faults_light, faults_table, faults_time
from table.fault_plan import Plan
from table.film import Moment
from table.film_room import THINGS
from vision.frame import Frame

PictureFault = Callable[[Iterator[Frame], Plan], Iterator[Frame]]
TableFault = Callable[[list[Moment], Plan], list[Moment]]

MANNERS = {
    "slid": "some tiles are set down elsewhere and slid to their place under the hand",
    "slid_across": "some tiles are laid at one end, held there, and slid to the other end within three seconds",
    "crooked": "tiles are set down turned by up to 13 degrees and straightened at once",
    "lifted_again": "some tiles are lifted a little and set down again before the hand lets go",
    "nearly_straight": "tiles lie within two degrees of the axes",
    "stirred_reveal": "after the count the tiles that were turned up are pushed about in the middle",
}
"""Ways of the players (names that `Game` knows)."""

THINGS_SAID = {name: (THINGS[name].__doc__ or "").strip().rstrip(".").lower() for name in THINGS}


def _listed(*modules: object) -> dict[str, Callable[..., object]]:
    return {f.__name__: f for module in modules for f in module.FAULTS}  # type: ignore[attr-defined]


PICTURES: dict[str, PictureFault] = _listed(faults_light, faults_camera, faults_time)  # type: ignore[assignment]
TABLES: dict[str, TableFault] = _listed(faults_table)  # type: ignore[assignment]


def catalogue() -> dict[str, str]:
    """Every fault with what it does, in a few words."""
    said = {name: (f.__doc__ or "").strip().splitlines()[0].rstrip(".") for name, f in {**TABLES, **PICTURES}.items()}
    return {**MANNERS, **THINGS_SAID, **said}


@dataclass(frozen=True, slots=True)
class Faults:
    """The faults that were asked for, by what they change: manners, things on the table, moments, pictures."""

    manners: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()

    @classmethod
    def named(cls, names: Sequence[str]) -> Faults:
        """BadInput for a name that is no fault."""
        for name in names:
            if name not in catalogue():
                raise BadInput(f"expected faults among {', '.join(catalogue())}, found {name!r}; correct the list")
        groups = (MANNERS, THINGS, TABLES, PICTURES)
        return cls(*(tuple(name for name in names if name in group) for group in groups))

    def on_the_table(self, moments: list[Moment], plan: Plan) -> list[Moment]:
        """The moments with the faults of the table."""
        for name in self.tables:
            moments = TABLES[name](moments, plan)
        return moments

    def on_the_pictures(self, frames: Iterator[Frame], plan: Plan) -> Iterator[Frame]:
        """The frames with the faults of light, camera and time, in the order asked."""
        for name in self.pictures:
            frames = PICTURES[name](frames, plan.again(name))
        return frames


def plan_of(seed: int, fps: float, length: int, plays_s: Sequence[float], first_s: float) -> Plan:
    """When faults may strike: within the play of the film."""
    return Plan(np.random.default_rng([seed, 15]), fps, length / fps, tuple(plays_s), first_s, seed)
