"""What one table publishes and hears over MQTT. What goes over which topic is in docs/mqtt.md."""

from __future__ import annotations

import functools
import json
import logging
import queue
import re
import threading
import time
from collections.abc import Callable
from typing import Any

from rules.errors import BadInput
from table.envelope import json_line, wire_time
from table.home_assistant import discovery
from table.journal import Journal, Row
from table.mqtt_link import Link
from table.mqtt_settings import MqttSettings
from table.outbox import Outbox
from table.resync import Answers
from table.status import Presence

LOG = logging.getLogger(__name__)
__all__ = ["MqttPublisher", "MqttSettings"]

ALERT_TYPES = frozenset({"infraction", "suspicion", "reading_doubted"})
COMMAND_NAME = re.compile(r"[a-z_]{1,32}")
HEALTH_S = 10.0
SHORT_S = 20.0  # a connection that holds for less is one that did not last
THROWN_OUT = 2  # so many of them in a row: two hosts of one name may be throwing each other out
GOODBYE_S = 2.0
LOOK_S = 5.0  # how often the journal is looked at without being told


class MqttPublisher:
    """Publishes one table's journal. Nothing here blocks or stops the watching: with no broker, events wait in the journal.

    One thread of its own, the sender, does all the work; paho's callbacks and the caller only put work into its inbox.
    """

    def __init__(self, journal: Journal, settings: MqttSettings, info: dict[str, Any]) -> None:
        """`info`: versions, model hash, calibration id, capabilities; published retained."""
        theirs, ours = f"{journal.event}/{journal.table}", f"{settings.event}/{settings.table}"
        if theirs != ours:
            raise BadInput(f"expected the journal of {ours}, found that of {theirs}; correct the settings")
        self._journal, self._settings = journal, settings
        self._info = json_line(info)
        self._presence = Presence(journal.boot, settings.agent, wire_time(time.time()))
        self._state = journal.snapshot()
        self._alerts: list[dict[str, Any]] = json.loads(self._state or "{}").get("alerts", [])
        self._state_seq: int | None = None  # of the state published last in this run
        self._state_waits = False  # whether there is a newer state than the one that went out last
        self._alerts_said = ""  # the `alerts` that this connection sent last; empty: they are due, whatever they are
        self._outbox = Outbox(journal)
        self._answers = Answers(journal, self._send_page)
        self._inbox: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._link: Link | None = None
        self.connections = 0
        """How often a broker has accepted us in this run."""
        self._thrown_out = 0  # how often in a row a connection did not last
        self._hear: Callable[[str, bytes], None] | None = None
        self._health: Callable[[], dict[str, Any]] | None = None
        self._health_due_s = 0.0  # monotonic
        self.complaint = ""
        """Why there is no connection, as the broker or the network says it; empty while there is one."""
        self._progress = threading.Condition()
        self._stopping = threading.Event()
        self._sender = threading.Thread(target=self._run, name="mqtt-sender", daemon=True)

    def start(self, hear: Callable[[str, bytes], None] | None = None, health: Callable[[], dict[str, Any]] | None = None) -> None:
        """Begin to connect and to send, in the background.

        hear: given the name and payload of each command, resync apart; health: asked every 10 s for what `health` says. Both are
        called in the sender's thread, and must not block.
        """
        self._hear, self._health = hear, health
        self._sender.start()

    def notify(self) -> None:
        """New rows wait in the journal."""
        self._inbox.put(self._send_rows)

    def publish_state(self, snapshot: dict[str, Any]) -> None:
        """Keep `snapshot` in the journal and publish it, retained, with the `boot` of this run; only the newest counts.

        Its `alerts` have a topic too, and go out there when they have changed, or when the same state is published again.
        """
        alerts = list(snapshot.get("alerts", ()))
        again = snapshot.get("seq") == self._state_seq
        self._state_seq = snapshot.get("seq")
        self._state, self._alerts = self._journal.keep_snapshot({**snapshot, "boot": self._journal.boot}), alerts
        if again:
            self._alerts_said = ""
        if not self._state_waits:  # else the one that waits takes this state along
            self._state_waits = True
            self._inbox.put(self._send_state)

    def answer(self, name: str, reply: str) -> None:
        """Publish the reply to a command; without a connection it is lost, and whoever asked says the command again."""
        self._inbox.put(functools.partial(self._send_reply, name, reply))

    @property
    def connected(self) -> bool:
        """Whether a broker has accepted us and the connection holds, as far as is known."""
        link = self._link
        return link is not None and link.up_since is not None

    def drain(self, timeout_s: float) -> bool:
        """Wait until every row is acknowledged by the broker; False when `timeout_s` was not enough."""
        self.notify()
        with self._progress:
            return self._progress.wait_for(lambda: self._journal.acknowledged >= self._journal.last_seq, timeout_s)

    def stop(self) -> None:
        """Say `stopped`, disconnect and end the sender. Rows not yet sent stay in the journal for the next start."""
        self._inbox.put(self._stopping.set)  # behind what was put there before: the last state still goes out
        if self._sender.is_alive():
            self._sender.join(15)

    def tell(self, todo: Callable[[], None]) -> None:
        """Put work into the sender's inbox, from any thread."""
        self._inbox.put(todo)

    # Everything below runs in the sender's thread, except birth.

    def _run(self) -> None:
        first_s, longest_s = self._settings.back_off_s
        pause_s = first_s
        while not self._stopping.is_set():
            held_s = self._hold_a_connection()
            if held_s and self._thrown_out < THROWN_OUT:
                self._thrown_out = self._thrown_out + 1 if held_s < SHORT_S else 0
            # One that fell at once is no reason to hurry: two agents with one client id would throw each other out for ever.
            pause_s = first_s if held_s > pause_s else pause_s
            self._rest(pause_s)
            pause_s = min(2 * pause_s, longest_s)
        self._say_goodbye()

    def _hold_a_connection(self) -> float:
        """Connect and work until the connection is gone; how long it was good for, seconds."""
        self._outbox.rewind()
        self._answers.forget()
        link = None
        try:
            link = Link(self._settings, self._presence.says("offline"), self, self._client_id())
            link.open()
            self._link = link
        except (OSError, ValueError) as error:  # paho's WebSocket handshake raises either
            self._complain(str(error))
        while self._link is not None and not self._stopping.is_set():
            self._work(LOOK_S)
            self._send_health()
        return time.monotonic() - link.up_since if link and link.up_since else 0.0

    def _client_id(self) -> str:
        """Ours after a restart too. Thrown out again and again we may have a namesake, so take one that no other run has."""
        agent = self._settings.agent
        return self._settings.client_id_of(agent if self._thrown_out < THROWN_OUT else f"{self._journal.boot}-{agent}")

    def birth(self, link: Link) -> None:
        """Inside every connect: how the table stands and who is here. Runs in paho's thread.

        `online` comes last: it promises that the table hears, and that what is retained is how it stands.
        """
        link.subscribe("cmd/+")
        self._state_waits, self._alerts_said = False, ""
        self._publish_state_on(link)
        link.publish("info", self._info, retain=True)
        if self._settings.home_assistant:
            link.publish_at(*discovery(self._settings))
        link.publish("status", self._presence.says("online"), retain=True)
        link.subscribe("status")

    def _work(self, timeout_s: float) -> None:
        """Do one thing from the inbox; without any, look at the journal."""
        try:
            todo = self._inbox.get(timeout=timeout_s)
        except queue.Empty:
            todo = self._send_rows
        try:
            todo()
        except Exception:
            LOG.exception("the MQTT sender goes on after this error")

    def _rest(self, pause_s: float) -> None:
        end = time.monotonic() + pause_s
        while not self._stopping.is_set() and (left := end - time.monotonic()) > 0:
            self._work(left)  # without a connection there is little to do, but the inbox must not grow

    def is_up(self, link: Link) -> None:
        """`link` was accepted."""
        if link is self._link:
            LOG.info("connected to the broker at %s:%s", self._settings.host, self._settings.port)
            self.complaint = ""
            link.up_since = time.monotonic()
            self.connections += 1
            self._send_rows()
            if self._state_waits:  # it came after the birth
                self._send_state()

    def is_down(self, link: Link, reason: str) -> None:
        """`link` was refused or lost."""
        if link is self._link:
            self._complain("the connection was lost" if link.up_since else reason)
            self._link = None
            link.close()

    def _complain(self, reason: str) -> None:
        """Say once why there is no connection, not at every attempt."""
        if reason != self.complaint:
            where = f"{self._settings.host}:{self._settings.port}"
            LOG.warning("no broker at %s: %s; events wait in the journal", where, reason)
        self.complaint = reason

    def is_acknowledged(self, link: Link, message_id: int) -> None:
        """The broker has this message."""
        if link is not self._link:
            return
        if self._outbox.acknowledge(message_id):
            with self._progress:
                self._progress.notify_all()
            self._send_rows()
        else:
            self._answers.acknowledged(message_id)

    def heard(self, link: Link, topic: str, payload: bytes) -> None:
        """A message came in on a topic of ours."""
        if link is not self._link:
            return
        if topic == self._settings.topic("status"):
            self._hear_status(payload)
        elif topic == self._settings.topic("cmd/resync"):
            self._answers.begin(payload)
        else:
            self._hear_command(topic.rpartition("/")[2], payload)

    def _hear_command(self, name: str, payload: bytes) -> None:
        if self._hear is not None and COMMAND_NAME.fullmatch(name):
            self._hear(name, payload)

    def _send_reply(self, name: str, reply: str) -> None:
        if self._link and self._link.up_since:
            self._link.publish(f"rsp/{name}", reply)

    def _send_health(self) -> None:
        """What is known of the work, when it is due; not worth a second try (QoS 0)."""
        if self._health is None or self._link is None or not self._link.up_since or time.monotonic() < self._health_due_s:
            return
        self._health_due_s = time.monotonic() + HEALTH_S
        self._link.publish("health", json_line(self._health()), qos=0)

    def _send_rows(self) -> None:
        while self._link and self._link.up_since and (row := self._outbox.next_row()):
            self._outbox.sent(row, self._publish_row(self._link, row))

    def _publish_row(self, link: Link, row: Row) -> set[int]:
        ids = {link.publish("event", row.line)}
        if row.type in ALERT_TYPES:
            ids.add(link.publish("alert", row.line))
        return ids

    def _send_state(self) -> None:
        if self._link and self._link.up_since:
            self._state_waits = False  # before the look at it: one that comes now is put into the inbox once more
            self._send_rows()
            self._publish_state_on(self._link)

    def _publish_state_on(self, link: Link) -> None:
        link.publish("state", self._state or "", retain=True)  # nothing yet: what an earlier journal left there is not ours
        alerts = json_line({"schema": 1, "alerts": self._alerts + self._presence.alarms()})
        if alerts != self._alerts_said:
            self._alerts_said = alerts
            link.publish("alerts", alerts, retain=True)

    def _hear_status(self, payload: bytes) -> None:
        """Somebody else's word about this table, or our own will come too late, is answered once."""
        if self._link and self._presence.must_answer(payload):
            self._link.publish("status", self._presence.says("online"), retain=True)
            self._alerts_said = ""  # whoever spoke for this table may have written over them
            self._send_state()

    def _send_page(self, page: str) -> int:
        assert self._link, "asked over a connection"
        return self._link.publish("rsp/resync", page)

    def _say_goodbye(self) -> None:
        end = time.monotonic() + GOODBYE_S
        while self._link and self._outbox.in_flight and (left := end - time.monotonic()) > 0:
            self._work(left)  # what is acknowledged now need not be said again at the next start
        if self._link:
            self._link.publish_and_wait("status", self._presence.says("stopped"), timeout_s=GOODBYE_S)
            self._link.close()
            self._link = None
