"""The desk where commands wait: anybody's thread puts them in, the thread that owns the match takes them out."""

from __future__ import annotations

import logging
import queue
import time
from collections.abc import Callable, Iterator
from typing import Any

from rules.errors import BadInput
from rules.events import Ruled
from rules.observations import Observation, Referee
from rules.referee import observe
from rules.ruleset import ruleset_named
from rules.seats import Seat
from rules.texts import title
from table.commands import (
    Command,
    RecalibrateCommand,
    RulingCommand,
    SnapshotCommand,
    StartMatchCommand,
    read_command,
    transaction_in,
)
from table.commands_acts import act_of
from table.commands_reply import Refused, Reply
from table.envelope import EventRecord
from table.monitor import Monitor
from table.snapshot_incidents import open_alerts

LOG = logging.getLogger(__name__)
MAX_WAITING = 32


class CommandDesk:
    """Commands of one table.

    answer: called with the name and the reply's JSON text; changed: called once after each command that was carried out, to
    publish the state. A command counts at the time of the newest frame or signal (`tick`) plus what has passed since on `now`'s
    clock, seconds; never at a time that its sender claims. recalibrate: takes the camera's new place as right, or (False) does not;
    raises BadInput when it cannot. None where nobody can calibrate.
    """

    def __init__(
        self,
        monitor: Monitor,
        answer: Callable[[str, str], None],
        changed: Callable[[], None],
        now: Callable[[], float] = time.monotonic,
        recalibrate: Callable[[bool], None] | None = None,
    ) -> None:
        self._monitor, self._answer, self._changed, self._now = monitor, answer, changed, now
        self._recalibrate = recalibrate
        self._waiting: queue.Queue[tuple[Command, float]] = queue.Queue(MAX_WAITING)
        self._t_s, self._since = 0.0, now()

    @property
    def waiting(self) -> int:
        """How many commands wait."""
        return self._waiting.qsize()

    def hear(self, name: str, payload: bytes) -> None:
        """Take a message in, from any thread: it is answered at once when it makes no sense or too many wait."""
        try:
            self._waiting.put_nowait((read_command(name, payload), self._now()))
        except BadInput as error:
            self._reply(name, Reply.refusing(transaction_in(payload), error))
        except queue.Full:
            busy = Refused("busy", f"expected at most {MAX_WAITING} commands waiting, found as many; say it again in a second")
            self._reply(name, Reply.refusing(transaction_in(payload), busy))

    def tick(self, t_s: float) -> None:
        """A frame or signal of time `t_s` has been dealt with."""
        self._t_s, self._since = t_s, self._now()

    def serve(self, for_s: float = 0.0) -> Iterator[EventRecord]:
        """Carry out what waits, and what comes in for `for_s` seconds; the events that follow from it."""
        end = self._now() + for_s
        while True:
            try:
                left = end - self._now()
                command, heard = self._waiting.get(timeout=left) if left > 0 else self._waiting.get_nowait()
            except queue.Empty:
                return
            yield from self._deal(command, self._t_s + max(0.0, heard - self._since))

    def _deal(self, command: Command, t: float) -> list[EventRecord]:
        try:
            records, seq = self._carry_out(command, t)
            reply = Reply(transaction=command.transaction, ok=True, seq=seq)
            self._changed()
        except BadInput as error:
            records, reply = [], Reply.refusing(command.transaction, error)
        except Exception:
            LOG.exception("the command %s was not carried out", command.name)
            wrong = "expected to carry the command out, found a fault of miron's own; nothing was changed, its log says more"
            records, reply = [], Reply.refusing(command.transaction, Refused("fault", wrong))
        self._reply(command.name, reply)
        return records

    def _carry_out(self, command: Command, t: float) -> tuple[list[EventRecord], int | None]:
        """The events of a command and the seq of its own; none for one that was carried out before."""
        if isinstance(command, SnapshotCommand):
            return [], None
        done = self._monitor.book.done(command.by, command.transaction)
        if done is not None and done.digest != command.digest:
            raise Refused(
                "transaction_used",
                f"expected a new transaction for a new command, found {done.name} done as {done.label!r}; take another",
            )
        if done is not None:
            return [], done.seq
        records = self._done_now(command, t)
        return records, records[0].seq

    def _done_now(self, command: Command, t: float) -> list[EventRecord]:
        if isinstance(command, StartMatchCommand):
            return self._start_match(command, t)
        if isinstance(command, RecalibrateCommand):
            return self._calibrate(command, t)
        if isinstance(command, RulingCommand) and command.choice == "acknowledge":
            return self._acknowledge(command, t)
        return self._enter(command, t)

    def _calibrate(self, said: RecalibrateCommand, t: float) -> list[EventRecord]:
        if self._recalibrate is None:
            raise Refused(
                "no_camera", "expected a camera that is being calibrated, found none: recalibrate is not available here"
            )
        self._recalibrate(said.accept)
        return [self._monitor.note(said, t)]

    def _acknowledge(self, said: RulingCommand, t: float) -> list[EventRecord]:
        """Somebody has seen an open incident; the rules are not asked, for nothing is decided."""
        if said.incident not in {alert["seq"] for alert in open_alerts(self._monitor)}:
            raise Refused(
                "no_incident", f"expected incident as the seq of an open alert, found {said.incident}; take it from alerts"
            )
        return [self._monitor.note(said, t)]

    def _enter(self, command: Command, t: float) -> list[EventRecord]:
        act = act_of(command, self._monitor, t)
        self._refuse_what_has_no_effect(act)
        return self._monitor.observe(act, command)

    def _refuse_what_has_no_effect(self, act: Observation) -> None:
        """A ruling that the rules would refuse is not entered: whoever says it is told why."""
        if not isinstance(act, Referee):
            return
        for event in observe(self._monitor.state, act)[1]:
            if isinstance(event, Ruled) and event.refused is not None:
                found = f"{event.refused} ({_words(event.refused)})"
                raise Refused(event.refused, f"expected a ruling that can have an effect, found {found}")

    def _start_match(self, said: StartMatchCommand, t: float) -> list[EventRecord]:
        state = self._monitor.state
        if len(state.hand.line) > 0 and state.hand.result is None and not said.abandon:
            raise Refused(
                "hand_on_table",
                "expected no hand on the table, found one; end it first (entry), or leave it as it is with abandon: true",
            )
        ruleset = state.ruleset
        if said.ruleset not in (None, ruleset.name):
            ruleset = ruleset_named(said.ruleset or "").at_the_table_of(ruleset)
        teams: dict[str, Any] = said.teams.model_dump() if said.teams is not None else self._monitor.teams
        return [self._monitor.begin(ruleset, None if said.opener is None else Seat(said.opener), teams, said, t)]

    def _reply(self, name: str, reply: Reply) -> None:
        self._answer(name, reply.line())


def _words(refused: str) -> str:
    try:
        return title(refused, "en")
    except BadInput:
        return "it changes nothing"
