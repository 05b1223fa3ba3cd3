"""Follows a table through settled looks, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from calibration.plane import TablePlane
from rules.observations import Observation
from rules.seats import Seat
from vision.attention import Witness
from vision.board import BoardView, board_view
from vision.departures import departures
from vision.detections import TileDetection
from vision.followed import Followed, Look, look_at
from vision.free_layout import follow_freely
from vision.off_line import goes_on, off_the_line
from vision.placements import placements, settled
from vision.registration import matches
from vision.step import Step
from vision.sureness import surer
from vision.taking_up import Lying, TakingUp

CLEARED = 3  # tiles: shorter lines are taken back tile by tile
FEW, MOST = 3, 0.6  # so many known tiles, and such a share of them in their places, say that a view is the right way round


class StillsFollower:
    """Turns the detections of one look after another into observations.

    plane: the calibration; without it the scale comes from the tiles and the seats stay unknown. opener: the seat whose opening is
    due; it names the arms of an opening double where nobody was seen to lay it. free_layout: another game lies on the table, lines may
    branch and tiles repeat; only new tiles are told, all with `at` open.

    A hand that already lies in the first look is told as placements of that look, in an order that the line allows, seats unknown.
    A `Correction.voids` counts this follower's own observations from 0.

    lying: what another follower told of the hand on the table: this one goes on with it, and its observations count after those.
    """

    def __init__(
        self,
        plane: TablePlane | None = None,
        opener: Seat | None = None,
        free_layout: bool = False,
        lying: Lying | None = None,
    ) -> None:
        self._plane, self._opener, self._free_layout = plane, opener, free_layout
        self._state = Followed()
        self._taking_up = TakingUp(lying) if lying is not None and lying.places else None

    @property
    def state(self) -> Followed:
        """The table as the looks so far leave it."""
        return self._state

    @property
    def is_taking_up(self) -> bool:
        """Whether no look has shown yet what is known to lie on the table."""
        return self._taking_up is not None

    def moved(self, plane: TablePlane) -> None:
        """From the next look on the camera looks from another place; the table is the same."""
        self._plane = plane

    def strike(self, number: int) -> None:
        """A person said that what this follower's observation `number` (from 0) told as laid is no tile."""
        self._state = self._state.without(number)

    def fix(self, number: int) -> None:
        """A person said what this follower's observation `number` was: it is not told again."""
        self._state = self._state.with_fixed(number)

    def restore(self, number: int) -> None:
        """The person took that back: it is a tile."""
        self._state = self._state.with_again(number)

    def lie_as_before(self, detections: Sequence[TileDetection], image_size: tuple[int, int], plane: TablePlane) -> bool:
        """Whether enough of the known tiles lie in their places in a picture taken from another place of the camera."""
        known = [rest.seen for rest in self._state.resting]
        found = matches(known, board_view(detections, image_size, plane).face_up, self._state.length_mm)
        return len(known) >= FEW and len(found) >= MOST * len(known)

    def look(
        self,
        detections: Sequence[TileDetection],
        image_size: tuple[int, int],
        t_s: float,
        frame: int,
        witness: Witness | None = None,
    ) -> tuple[Observation, ...]:
        """What happened since the last look.

        detections: all of one settled picture of image_size (width, height in pixels), t_s its time in seconds, frame its index.
        witness: whose arms were over the table since the last look, where every frame was watched.
        BadInput when the picture's shape is not the calibration's. A look without any tile tells nothing by itself.
        """
        view = board_view(detections, image_size, self._plane, t_s, frame)
        if self._taking_up is not None:
            known = self._taking_up.look(view)
            if known is None:
                return ()
            self._state, self._taking_up = known, None
        step = follow_freely(self._state, view) if self._free_layout else follow(self._state, view, self._opener, witness)
        self._state, observations = step
        return observations


def follow(
    state: Followed, view: BoardView, opener: Seat | None = None, witness: Witness | None = None
) -> tuple[Followed, tuple[Observation, ...]]:
    """One settled look more: the table after it, and what was seen to have happened.

    opener: the seat whose opening is due, if known; it only names the arms of an opening double.
    """
    if witness is not None:
        state = state.without_covered_things(witness)
    knows_scale = view.plane is not None and view.plane.knows_seats
    if not state.resting or (state.line is None and knows_scale):  # things that were there before the hand are no measure
        state = replace(state, length_mm=view.length_mm)
    look = look_at(state, view)
    if _is_cleared(state, look):
        state = Followed(told=state.told, length_mm=view.length_mm)
        look = look_at(state, view)
    step = Step(state, look, opener, witness)
    departures(step)
    surer(step)
    if step.reveal is None or goes_on(step):
        placements(step)
    off_the_line(step)
    settled(step)
    return step.after(), tuple(step.observations)


def _is_cleared(state: Followed, look: Look) -> bool:
    """Whether the line was taken off the table: after the count most of it, before it all of it, in two looks."""
    if state.line is None or len(state.line.tiles) < CLEARED:
        return False
    seen = sum(tile is not None for tile in look.known[: len(state.line.tiles)])
    if state.reveal is not None:
        return 2 * seen < len(state.line.tiles)
    return seen == 0 and all(tile.rest.missed > 0 for tile in state.line.tiles)
