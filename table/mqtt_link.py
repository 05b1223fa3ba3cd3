"""One connection to a broker: the only file that knows paho."""

from __future__ import annotations

import functools
import logging
import queue
import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from rules.errors import BadInput
from table.mqtt_settings import MqttSettings

LOG = logging.getLogger(__name__)


class LinkOwner(Protocol):
    """Who has a connection: `birth` is called in paho's thread inside each connect, the rest is put to it through `tell`."""

    def tell(self, todo: Callable[[], None]) -> None: ...
    def birth(self, link: Link) -> None: ...
    def is_up(self, link: Link) -> None: ...
    def is_down(self, link: Link, reason: str) -> None: ...
    def is_acknowledged(self, link: Link, message_id: int) -> None: ...
    def heard(self, link: Link, topic: str, payload: bytes) -> None: ...


class Link:
    """One connection. Each attempt has a new one: paho resends what an old one left over, in an order of its own."""

    def __init__(self, settings: MqttSettings, will: str, owner: LinkOwner, client_id: str) -> None:
        self.up_since: float | None = None  # monotonic seconds, once the broker has accepted
        self._settings, self._owner = settings, owner
        self._refusal = ""  # why the broker did not accept us: the disconnect that follows does not say
        client = _client(settings, client_id)
        client.max_inflight_messages_set(0)  # the outbox bounds what is in flight
        client.will_set(settings.topic("status"), will, qos=1, retain=True)
        client.on_connect = _guarded(self._on_connect)
        client.on_disconnect = _guarded(self._on_disconnect)
        client.on_publish = _guarded(self._on_publish)
        client.on_message = _guarded(self._on_message)
        self._client = client

    def open(self) -> None:
        """Reach the broker; its answer comes later. Raises OSError or ValueError when nobody listens there."""
        # paho asks after a silence, and gives up after as long again.
        self._client.connect(self._settings.host, self._settings.port, max(1, self._settings.keepalive_s // 2))
        self._client.loop_start()

    def publish(self, leaf: str, payload: str, retain: bool = False, qos: int = 1) -> int:
        """Send with QoS 1 unless told; returns the message id that is acknowledged later."""
        return self._client.publish(self._settings.topic(leaf), payload, qos=qos, retain=retain).mid

    def publish_at(self, topic: str, payload: str) -> None:
        """Send a retained message with QoS 1 on a topic outside the table's subtree."""
        self._client.publish(topic, payload, qos=1, retain=True)

    def publish_and_wait(self, leaf: str, payload: str, timeout_s: float) -> None:
        """Send a retained message with QoS 1 and wait until the broker has it, or the time is over."""
        sent = self._client.publish(self._settings.topic(leaf), payload, qos=1, retain=True)
        try:
            sent.wait_for_publish(timeout_s)
        except (RuntimeError, ValueError):
            LOG.info("the broker was gone before it could be told that the table stopped")

    def subscribe(self, leaf: str) -> None:
        self._client.subscribe(self._settings.topic(leaf), qos=1)

    def close(self) -> None:
        """Disconnect and end paho's thread."""
        self._client.disconnect()
        self._client.loop_stop()

    def _on_connect(self, client: object, userdata: object, flags: object, reason: ReasonCode, properties: object) -> None:
        if reason.is_failure:
            self._refusal = str(reason)
            return  # the disconnect that follows carries it on
        self._owner.birth(self)
        self._owner.tell(functools.partial(self._owner.is_up, self))

    def _on_disconnect(self, client: object, userdata: object, flags: object, reason: ReasonCode, properties: object) -> None:
        self._owner.tell(functools.partial(self._owner.is_down, self, self._refusal or str(reason)))

    def _on_publish(self, client: object, userdata: object, mid: int, reason: object, properties: object) -> None:
        self._owner.tell(functools.partial(self._owner.is_acknowledged, self, mid))

    def _on_message(self, client: object, userdata: object, message: paho.MQTTMessage) -> None:
        # A retained command is an old one that somebody stored by mistake.
        if not (message.retain and "/cmd/" in message.topic):
            self._owner.tell(functools.partial(self._owner.heard, self, message.topic, bytes(message.payload)))


def _client(settings: MqttSettings, client_id: str = "") -> paho.Client:
    """Who signs in as the settings say, and does not come back by itself."""
    client = paho.Client(
        CallbackAPIVersion.VERSION2,
        client_id=client_id,
        protocol=paho.MQTTv311,
        transport=settings.transport,
        reconnect_on_failure=False,
    )
    if settings.user is not None:
        client.username_pw_set(settings.user, settings.password)
    if settings.ca is not None:
        client.tls_set(str(settings.ca))
    return client


def _guarded(callback: Callable[..., None]) -> Callable[..., None]:
    """An exception in a callback would end paho's thread without a word."""

    @functools.wraps(callback)
    def safe(*args: Any) -> None:
        try:
            callback(*args)
        except Exception:
            LOG.exception("error in the MQTT callback %s", callback.__name__)

    return safe


def publish_retained(topic: str, payload: str, settings: MqttSettings, timeout_s: float = 5.0) -> None:
    """Publish one retained message with QoS 1 at the broker of the settings, and leave once it has come back.

    A broker acknowledges what it may drop for want of rights. BadInput when it does not take it in time.
    """
    outcome: queue.SimpleQueue[str] = queue.SimpleQueue()  # why not; empty: it has it

    def connected(client: paho.Client, userdata: object, flags: object, reason: ReasonCode, properties: object) -> None:
        if reason.is_failure:
            outcome.put(str(reason))
        else:
            client.subscribe(topic, qos=1)

    def subscribed(client: paho.Client, *_: object) -> None:
        client.publish(topic, payload, qos=1, retain=True)

    def heard(client: paho.Client, userdata: object, message: paho.MQTTMessage) -> None:
        if not message.retain and message.payload == payload.encode():
            outcome.put("")

    client = _client(settings)
    client.on_connect = connected
    client.on_subscribe = subscribed
    client.on_message = heard
    client.on_disconnect = lambda client, userdata, flags, reason, properties: outcome.put(str(reason))
    try:
        client.connect(settings.host, settings.port, settings.keepalive_s)
        client.loop_start()
        refused = outcome.get(timeout=timeout_s)
    except queue.Empty:
        refused = f"that it does not come back within {timeout_s:.0f} s"
    except (OSError, ValueError) as error:
        refused = str(error)
    client.disconnect()
    client.loop_stop()
    if refused:
        where = f"{settings.host}:{settings.port}"
        raise BadInput(
            f"expected a broker at {where} that takes {topic}, found: {refused}; start one, or correct mqtt.* and its rights"
        )


class Ear:
    """A reader of topics, as a screen is one. `hear` gets topic and payload, in paho's thread. BadInput when nobody listens there."""

    def __init__(self, host: str, port: int, topics: Sequence[str], hear: Callable[[str, bytes], None]) -> None:
        self._ready = threading.Event()
        self._client = paho.Client(CallbackAPIVersion.VERSION2)
        self._client.on_connect = lambda client, *_: client.subscribe([(topic, 1) for topic in topics])
        self._client.on_subscribe = lambda *_: self._ready.set()
        self._client.on_message = lambda client, userdata, message: hear(message.topic, bytes(message.payload))
        try:
            self._client.connect(host, port)
        except OSError as error:
            raise BadInput(f"expected a broker at {host}:{port}, found: {error}; start one") from None
        self._client.loop_start()

    def __enter__(self) -> Ear:
        if not self._ready.wait(60):
            raise BadInput("expected the broker to take a subscription within a minute, found silence; look at its log")
        return self

    def __exit__(self, *exc: object) -> None:
        self._client.disconnect()
        self._client.loop_stop()
