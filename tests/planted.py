"""Hands that are honest but for one act, planted at a random moment; what has to be found is worked out while it is done.

A kind is a code and a way of doing it. Its function plants it now and says so, or says that this moment does not allow it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from harmless import something_harmless
from known_table import KnownTable

from rules.seats import Seat

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
