"""The end of play in a hand: the last tile of a seat, or a block."""

from __future__ import annotations

from rules.events import HandClosed
from rules.line import Laid
from rules.state import Closing
from rules.step import Step


def close_hand(step: Step, laid: Laid) -> None:
    """The last tile is looked at before the block (FID-VOC-2): who runs out has won, whatever the ends show."""
    line = step.hand.line
    out = laid.seat is not None and len(line) >= 7 and len(line.plays_of(laid.seat)) == 7
    if not out and not line.blocked:
        return
    end = "domination" if out else "tranque"
    scoreless = any(
        shown.sure and (shown.tile, shown.seat) == (laid.tile, laid.seat) and shown.cause in step.ruleset.exposed_causes
        for shown in step.hand.exposed
    )
    step.set_hand(closed=Closing(end=end, by_seat=laid.seat, obs=step.index, t=laid.t, scoreless=scoreless))
    step.emit(HandClosed(obs=step.index, end=end, by_seat=laid.seat, unplayed=line.unplayed))
