"""How sure what was told of a tile is, and telling it again when later looks have made it surer, or put it in doubt."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rules.observations import Correction
from vision.followed import Loose
from vision.identity import EXISTS, GATE, WITNESSED, probability_of
from vision.laid import LaidTile
from vision.step import Step

SURE_ENOUGH = 0.98  # told as sure as this a tile need not be told again: what the rules judge by
SURER = 2.0  # times: the doubt that is left must have shrunk so much


def sureness(laid: LaidTile, reading: float) -> float:
    """How sure a play is: that its numbers are as read (`reading`), and, where the detector hesitates, that a tile lies there at all.

    A film may have shown that by other signs than the look of the tile.
    """
    seen = laid.rest.seen
    if seen.confidence >= EXISTS:
        return round(reading, 4)
    if not laid.filmed:
        return round(min(reading, seen.confidence), 4)
    odds = WITNESSED * seen.there
    return round(min(reading, odds / (odds + 1 - seen.there)), 4)


def surer(step: Step) -> None:
    """Put right how sure what lies there was told to be, before what this look shows is judged against it: line and exposed tiles."""
    readings = step.readings()
    for laid in step.line.tiles if step.line else ():
        if laid.place.tile is None or laid.rest.missed or not laid.rest.looks:
            continue
        reading = probability_of(readings[id(laid.rest)], laid.place.tile)
        confidence = _now(laid.place.confidence, sureness(laid, reading), reading)
        if confidence is not None:
            laid = step.change(laid, place=replace(laid.place, confidence=confidence))
            step.tell(Correction(**step.when, voids=laid.number, instead=laid.place))
    step.loose = [_exposed_surer(step, one, readings) for one in step.loose]


def _exposed_surer(step: Step, one: Loose, readings: dict[int, np.ndarray]) -> Loose:
    if one.exposed is None or one.rest.missed or step.line is None or not step.line.is_whole:
        return one
    expose, number = one.exposed
    reading = round(probability_of(readings[id(one.rest)], expose.tile), 4)
    confidence = _now(expose.confidence, reading, reading)
    if confidence is None:
        return one
    expose = replace(expose, confidence=confidence)
    step.tell(Correction(**step.when, voids=number, instead=expose))
    return replace(one, exposed=(expose, number))


def _now(told: float, now: float, reading: float) -> float | None:
    """What should be told instead: the doubt has shrunk to half of what it was, or the reading is a question again; else None.

    That one look hesitates whether it is a tile takes nothing back.
    """
    if told < SURE_ENOUGH and SURER * (1 - now) <= 1 - told:
        return now
    return round(reading, 4) if reading < GATE <= told else None
