"""A plain subscriber for tests: it keeps what it hears, as any program on the network would."""

import contextlib
import json
import threading
import time
from typing import NamedTuple

import paho.mqtt.client as paho


class Heard(NamedTuple):
    leaf: str
    payload: dict | None
    retain: bool


class Listener:
    """Subscribes to one table's subtree; `heard` is everything in the order of arrival."""

    def __init__(self, port, event="finals", table="t07", transport="tcp", login=None, ca=None):
        self.heard = []
        self._root = f"miron/v1/{event}/table/{table}/"
        self._changed = threading.Condition()
        self.ready = threading.Event()
        self._client = paho.Client(paho.CallbackAPIVersion.VERSION2, transport=transport)
        if login:
            self._client.username_pw_set(*login)
        if ca:
            self._client.tls_set(str(ca))
        self._client.reconnect_delay_set(0.1, 0.3)
        self._client.on_connect = lambda client, *_: client.subscribe(self._root + "#", qos=1)
        self._client.on_subscribe = lambda *_: self.ready.set()
        self._client.on_message = self._keep
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        assert self.ready.wait(20)

    def _keep(self, client, userdata, message):
        with self._changed:
            leaf = message.topic.removeprefix(self._root)
            try:
                payload = json.loads(message.payload)
            except (ValueError, RecursionError):
                payload = None  # tests of hostile input say such things
            self.heard.append(Heard(leaf, payload, message.retain))
            self._changed.notify_all()

    def say(self, leaf, payload, retain=False, qos=1, timeout_s=10):
        """Publish as any other client could; `payload` a text or something for JSON. Waits for the broker unless told not to."""
        text = payload if isinstance(payload, str | bytes) else json.dumps(payload)
        self._client.publish(self._root + leaf, text, qos=qos, retain=retain).wait_for_publish(timeout_s)

    def on(self, leaf):
        """The payloads heard on one topic."""
        return [heard.payload for heard in list(self.heard) if heard.leaf == leaf]

    def seqs(self, leaf="event"):
        """The `seq` of each event heard."""
        return [payload["seq"] for payload in self.on(leaf)]

    def wait_until(self, condition, timeout_s=30):
        """Whether `condition(self)` came true."""
        with self._changed:
            return self._changed.wait_for(lambda: condition(self), timeout_s)

    def close(self):
        self._client.disconnect()
        self._client.loop_stop()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        with contextlib.suppress(Exception):
            self.close()


class Follower:
    """A subscriber that follows `seq`, as docs/mqtt.md tells it to: every event once, in order, whatever the network does."""

    def __init__(self, listener):
        self._listener, self._taken, self.events = listener, 0, []
        self._early = {}
        self._asked_s, self.asked = 0.0, 0

    def catch_up(self):
        """Take what was heard since the last call; returns the first `seq` that is missing before something already heard."""
        heard = self._listener.heard
        while self._taken < len(heard):
            leaf, payload, _ = heard[self._taken]
            self._taken += 1
            if leaf == "event":
                self._early[payload["seq"]] = payload
            elif leaf == "rsp/resync" and payload["ok"]:
                self._early.update({event["seq"]: event for event in payload["events"]})
        while (following := len(self.events) + 1) in self._early:
            self.events.append(self._early.pop(following))
        return len(self.events) + 1

    def keep_up(self):
        """Take what was heard, and ask for what is missing before it, twice a second at most."""
        missing = self.catch_up()
        if self._early:
            self._ask(missing)

    def reach(self, last, timeout_s):
        """Whether every event up to `last` came, asked for where need be."""
        end = time.monotonic() + timeout_s
        while (missing := self.catch_up()) <= last and time.monotonic() < end:
            self._ask(missing)
            self._listener.wait_until(lambda it: len(it.heard) > self._taken, 0.2)
        return missing > last

    def _ask(self, missing):
        if time.monotonic() - self._asked_s < 0.5:
            return
        self._asked_s, self.asked = time.monotonic(), self.asked + 1
        with contextlib.suppress(RuntimeError, ValueError):  # without a broker nobody hears it; it is asked again
            self._listener.say("cmd/resync", {"from": missing, "transaction": f"from-{missing}", "by": "follower"}, timeout_s=0)
