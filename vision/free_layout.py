"""Other games on the table: lines may branch and tiles repeat, so only new tiles are told."""

from __future__ import annotations

from dataclasses import replace

from rules.observations import Correction, Observation, Place
from rules.tiles import Tile
from vision.board import BoardView
from vision.followed import Followed, Loose, look_at, seen_again
from vision.identity import GATE, candidates, identities, top
from vision.laid import Resting

NEVER = 1_000_000  # looks: a tile once told is not told again, however long it was hidden
CLAIMED = 0.5  # a box that is less probably a tile than not is none; what was none at first must surely be there,
BLANK = Tile(0, 0)  # and so must a box without pips, which a gap framed by tiles looks like
DOUBTED_AFTER = 2  # looks that show a tile before it is told as a question: a thing read unclearly once may be no tile


def follow_freely(state: Followed, view: BoardView) -> tuple[Followed, tuple[Observation, ...]]:
    """One look more: new tiles, wherever they lie and however often they occur, as placements `open` without a seat.

    A tile that is there is told when it reads clearly, at the latest as a question when a second look shows it; a question that later
    looks settle becomes a correction of that placement.
    """
    if not state.resting:
        state = replace(state, length_mm=view.length_mm)
    look = look_at(state, view)
    known = [
        *seen_again(state, look, forget_after=NEVER).loose,
        *(Loose(Resting.first(seen), faint=seen.confidence < CLAIMED) for seen in look.fresh),
    ]
    told: list[Observation] = []
    loose = []
    for one in known:
        after, observation = _told(one, view, state.told + len(told))
        loose.append(after)
        told += [observation] if observation is not None else []
    return replace(state, loose=tuple(loose), told=state.told + len(told)), tuple(told)


def _told(one: Loose, view: BoardView, number: int) -> tuple[Loose, Observation | None]:
    """What is told of a tile in this look, if anything, as the observation with that number."""
    tile, probability = top(identities([one.rest.evidence], unique=False)[0])
    sure = probability >= GATE
    there = one.rest.seen.confidence >= (GATE if one.faint or tile == BLANK else CLAIMED)
    if one.rest.missed or not there or (one.told and not (sure and one.doubt)) or not (sure or one.rest.looks >= DOUBTED_AFTER):
        return one, None
    place = _place(one.rest, view, sure)
    if one.doubt is not None:
        first, voids = one.doubt
        settled = replace(place, t=first.t, frame=first.frame)
        return replace(one, doubt=None), Correction(t=view.t_s, frame=view.frame, voids=voids, instead=settled)
    return replace(one, told=True, doubt=None if sure else (place, number)), place


def _place(rest: Resting, view: BoardView, sure: bool) -> Place:
    reading = identities([rest.evidence], unique=False)[0]
    tile, probability = top(reading)
    return Place(
        t=view.t_s,
        frame=view.frame,
        confidence=round(min(probability, rest.seen.confidence), 4),
        at="open",
        tile=tile if sure else None,
        candidates=() if sure else candidates(reading),
        pose_deg=rest.pose_deg(tile),
    )
