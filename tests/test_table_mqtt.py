"""The publisher against real brokers: every event, once, in order, whatever happens to the broker."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from mqtt_listener import Follower, Listener

from rules.errors import BadInput
from table.broker import Broker
from table.journal import Journal
from table.mqtt import MqttPublisher, MqttSettings

ROOT = Path(__file__).parent.parent
TIME = "2026-11-30T00:10:11.123Z"
INFO = {"versions": {"miron": "0.1.0"}}
STATE = {"schema": 1, "seq": 3, "score": {"A": 30, "B": 12}, "alerts": [{"seq": 2, "type": "infraction", "code": "RENEGE"}]}


@pytest.fixture
def journal(tmp_path):
    with Journal(tmp_path / "t07.db", "finals", "t07") as opened:
        yield opened


def settings(port, **changes):
    return MqttSettings("finals", "t07", port=port, back_off_s=(0.1, 0.4), **changes)


@contextlib.contextmanager
def publishing(journal, port, **changes):
    publisher = MqttPublisher(journal, settings(port, **changes), INFO)
    publisher.start()
    try:
        yield publisher
    finally:
        publisher.stop()


def write(journal, count, type="tile_played"):
    for n in range(count):
        journal.append(type, {"n": n}, n / 10, n, 1, 1, TIME)


def settle(journal, publisher):
    """Wait until the publisher hears commands: its subscriptions go out before its first event."""
    write(journal, 1)
    assert publisher.drain(30)


def statuses(listener):
    return [word["status"] for word in listener.on("status")]


def test_a_plain_subscriber_gets_every_event_exactly_once(journal, broker):
    """In a normal run nobody needs to ask for anything: 1 to 500, in order, byte for byte what the journal holds."""
    with Listener(broker.tcp_port) as listener, publishing(journal, broker.tcp_port) as publisher:
        for _ in range(500):
            write(journal, 1)
            publisher.notify()
        assert publisher.drain(60) and listener.wait_until(lambda it: len(it.on("event")) >= 500)
        assert listener.seqs() == list(range(1, 501))
        assert listener.on("event") == [record.model_dump(by_alias=True) for record in journal.read()]


def test_birth_and_clean_stop(journal, broker):
    """At birth status, info, state and alerts are there, retained, for who comes later; a clean stop says stopped."""
    with publishing(journal, broker.tcp_port) as publisher:
        publisher.publish_state(STATE)
        write(journal, 1)
        assert publisher.drain(30)
        with Listener(broker.tcp_port) as late:
            assert late.wait_until(lambda it: {heard.leaf for heard in it.heard} >= {"status", "info", "state", "alerts"})
            assert all(heard.retain for heard in late.heard)
            word = late.on("status")[0]
            assert word["status"] == "online" and word["boot"] == journal.boot and word["host"] and word["since"].endswith("Z")
            assert late.on("info") == [INFO] and late.on("state") == [{**STATE, "boot": journal.boot}]
            assert late.on("alerts") == [{"schema": 1, "alerts": STATE["alerts"]}]
            publisher.stop()
            assert late.wait_until(lambda it: statuses(it)[-1:] == ["stopped"])


def test_kill_9_leaves_the_will_and_the_rest_in_the_journal(tmp_path, broker):
    """An agent killed on the spot is told offline by the broker; its successor sends what is left and says online."""
    code = """
import sys, time
from table.journal import Journal
from table.mqtt import MqttPublisher, MqttSettings
journal = Journal(sys.argv[1], "finals", "t07")
publisher = MqttPublisher(journal, MqttSettings("finals", "t07", port=int(sys.argv[2])), {})
publisher.start()
while True:
    journal.append("tile_played", {}, 0.0, None, 1, 1, "2026-11-30T00:10:11.123Z")
    publisher.notify()
    time.sleep(0.001)
"""
    with Listener(broker.tcp_port) as listener:
        agent = subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "t07.db"), str(broker.tcp_port)], cwd=ROOT)
        assert listener.wait_until(lambda it: len(it.on("event")) > 100)
        os.kill(agent.pid, signal.SIGKILL)
        agent.wait()
        assert listener.wait_until(lambda it: statuses(it) == ["online", "offline"])
        with Journal(tmp_path / "t07.db", "finals", "t07") as journal, publishing(journal, broker.tcp_port) as publisher:
            assert listener.wait_until(lambda it: statuses(it)[2:] == ["online"])
            assert publisher.drain(30) and listener.wait_until(lambda it: it.seqs()[-1] == journal.last_seq)
            follower = Follower(listener)
            follower.catch_up()
            assert [event["seq"] for event in follower.events] == list(range(1, journal.last_seq + 1))
            assert len(listener.on("event")) - journal.last_seq <= 20  # a crash repeats at most one window


def test_no_broker_at_start_stops_nothing(journal, broker_kind):
    """The table plays on without a broker; when one comes up, everything goes out in order."""
    with Broker(broker_kind) as found:
        tcp_port, ws_port = found.tcp_port, found.ws_port
    with publishing(journal, tcp_port) as publisher:
        began = time.monotonic()
        for _ in range(50):
            write(journal, 1)
            publisher.notify()
            publisher.publish_state(STATE)
        assert time.monotonic() - began < 5
        assert not publisher.drain(0.3) and journal.acknowledged == 0
        with Broker(broker_kind, tcp_port=tcp_port, ws_port=ws_port), Listener(tcp_port) as listener:
            assert publisher.drain(60)
            assert journal.acknowledged == 50
            follower = Follower(listener)
            missing = follower.catch_up()
            listener.say("cmd/resync", {"from": missing, "transaction": "t"})
            assert listener.wait_until(lambda it: follower.catch_up() == 51)
            publisher.stop()


def test_a_broker_killed_again_and_again_loses_nothing(journal, broker_kind):
    """Over broker kills mid-way, a subscriber that follows seq and asks for what it missed has every event once, in order."""
    broker = Broker(broker_kind).start()
    with Listener(broker.tcp_port) as listener, publishing(journal, broker.tcp_port) as publisher:
        for kill in range(5):
            for n in range(60):
                write(journal, 1)
                publisher.notify()
                if n == 30:
                    os.kill(broker.pid, signal.SIGKILL)
                    broker.stop()
            broker = Broker(broker_kind, tcp_port=broker.tcp_port, ws_port=broker.ws_port).start()
            assert publisher.drain(60), f"after kill {kill + 1}"
        follower = Follower(listener)
        assert follower.reach(journal.last_seq, timeout_s=60)
        assert [event["seq"] for event in follower.events] == list(range(1, 301))
    broker.stop()


def test_a_broker_that_freezes_is_left_and_found_again(journal, needs_mosquitto):
    """A peer that neither answers nor hangs up is noticed by the missing heartbeat; afterwards nothing is missing."""
    with Broker("mosquitto") as broker, publishing(journal, broker.tcp_port, keepalive_s=1) as publisher:
        settle(journal, publisher)
        os.kill(broker.pid, signal.SIGSTOP)
        write(journal, 50)
        assert not publisher.drain(4)
        os.kill(broker.pid, signal.SIGCONT)
        assert publisher.drain(30) and journal.acknowledged == 51


def test_the_last_state_goes_out_before_a_stop(journal, broker):
    """A state published right before stop() is the one that stays."""
    with Listener(broker.tcp_port) as listener:
        with publishing(journal, broker.tcp_port) as publisher:
            settle(journal, publisher)
            for seq in range(1, 200):
                publisher.publish_state({**STATE, "seq": seq})
        assert listener.wait_until(lambda it: statuses(it)[-1:] == ["stopped"])
        assert listener.on("state")[-1]["seq"] == 199


def test_of_states_that_wait_only_the_newest_goes_out(journal, broker):
    """States put in while the sender is busy with something else go out as one, the last of them."""
    with Listener(broker.tcp_port) as listener, publishing(journal, broker.tcp_port) as publisher:
        settle(journal, publisher)
        busy = threading.Event()
        publisher.tell(busy.wait)
        for seq in range(1, 30):
            publisher.publish_state({**STATE, "seq": seq})
        busy.set()
        assert listener.wait_until(lambda it: any(it.on("state")))
        publisher.publish_state({**STATE, "seq": 30})
        assert listener.wait_until(lambda it: it.on("state")[-1]["seq"] == 30)
        assert [state["seq"] for state in listener.on("state") if state] == [29, 30]


def test_a_state_that_comes_inside_a_connect_goes_out(journal, broker):
    """A state published when the connection has said its own, and is not yet taken for good, is not left behind."""

    class Hurried(MqttPublisher):
        def birth(self, link):
            super().birth(link)
            self.publish_state(STATE)

    with Listener(broker.tcp_port) as listener:
        publisher = Hurried(journal, settings(broker.tcp_port), INFO)
        publisher.start()
        assert listener.wait_until(lambda it: it.on("state")[-1:] == [{**STATE, "boot": journal.boot}])
        publisher.stop()


def test_the_list_of_alerts_is_sent_when_it_changes(journal, broker):
    """At birth, then with a state whose alerts are others, and when the same state is published again, as somebody asked."""
    with Listener(broker.tcp_port) as listener, publishing(journal, broker.tcp_port) as publisher:
        settle(journal, publisher)
        for n, (seq, alerts) in enumerate([(3, STATE["alerts"]), (4, STATE["alerts"]), (5, []), (6, []), (6, [])]):
            publisher.publish_state({**STATE, "seq": seq, "alerts": alerts})
            assert listener.wait_until(lambda it, n=n: len([state for state in it.on("state") if state]) == n + 1)
        write(journal, 1)
        assert publisher.drain(30) and listener.wait_until(lambda it: len(it.on("event")) == 2)
        assert [page["alerts"] for page in listener.on("alerts")] == [[], STATE["alerts"], [], []]
    with publishing(journal, broker.tcp_port), Listener(broker.tcp_port) as late:
        assert late.wait_until(lambda it: it.on("alerts"))


def test_alerts_go_to_their_own_topic_too(journal, broker):
    """infraction, suspicion and reading_doubted are on alert as well as on event; other events are not."""
    with Listener(broker.tcp_port) as listener, publishing(journal, broker.tcp_port) as publisher:
        for type in ("tile_played", "infraction", "suspicion", "reading_doubted", "hand_ended", "advice"):
            write(journal, 1, type)
        assert publisher.drain(30) and listener.wait_until(lambda it: len(it.on("event")) == 6 and len(it.on("alert")) == 3)
        assert [event["type"] for event in listener.on("alert")] == ["infraction", "suspicion", "reading_doubted"]


def test_resync_answers_in_pages(journal, broker):
    """The pages join without gap or overlap from the seq asked for to the last, and say whether more follow."""
    with Listener(broker.tcp_port) as listener, publishing(journal, broker.tcp_port) as publisher:
        write(journal, 180)
        assert publisher.drain(60)
        listener.say("cmd/resync", {"from": 11, "transaction": "abc", "by": "screen"})
        assert listener.wait_until(lambda it: it.on("rsp/resync") and not it.on("rsp/resync")[-1]["more"])
        pages = listener.on("rsp/resync")
        assert [event["seq"] for page in pages for event in page["events"]] == list(range(11, 181))
        assert [page["more"] for page in pages] == [True] * (len(pages) - 1) + [False] and len(pages) > 1
        assert {page["transaction"] for page in pages} == {"abc"} and {page["last"] for page in pages} == {180}
        assert all(len(str(page)) < 200_000 and page["ok"] for page in pages)
        assert len(listener.on("event")) == 180  # other readers saw nothing twice


@pytest.mark.parametrize(
    "request_text",
    [
        "",
        "[]",
        "{",
        '{"transaction":"x"}',
        '{"from":0}',
        '{"from":"1"}',
        '{"from":true}',
        '{"from":1.5}',
        "[" * 5000,
        b"\xff\xfe",
    ],
)
def test_a_resync_that_makes_no_sense_is_answered_and_survived(journal, needs_mosquitto, request_text):
    """Hostile requests get ok: false with a reason, and the publisher goes on."""
    with Broker("mosquitto") as broker, Listener(broker.tcp_port) as listener, publishing(journal, broker.tcp_port) as publisher:
        settle(journal, publisher)
        listener.say("cmd/resync", request_text)
        assert listener.wait_until(lambda it: it.on("rsp/resync"))
        answer = listener.on("rsp/resync")[0]
        assert answer["ok"] is False and answer["error"].startswith("expected")
        write(journal, 1)
        assert publisher.drain(30)


def test_a_resync_beyond_the_end_is_one_empty_page(journal, broker):
    """Who is up to date learns just that."""
    with Listener(broker.tcp_port) as listener, publishing(journal, broker.tcp_port) as publisher:
        write(journal, 3)
        assert publisher.drain(30)
        listener.say("cmd/resync", {"from": 4, "transaction": "t"})
        assert listener.wait_until(lambda it: it.on("rsp/resync"))
        page = listener.on("rsp/resync")[0]
        assert (page["events"], page["more"], page["last"]) == ([], False, 3)


def test_a_retained_command_is_not_obeyed(journal, broker):
    """A resync somebody stored on the broker by mistake is not answered at every connect."""
    with Listener(broker.tcp_port) as listener:
        listener.say("cmd/resync", {"from": 1}, retain=True)
        with publishing(journal, broker.tcp_port) as publisher:
            write(journal, 1)
            assert publisher.drain(30)
            listener.say("cmd/resync", {"from": 1, "transaction": "real"})
            assert listener.wait_until(lambda it: it.on("rsp/resync"))
        assert [page["transaction"] for page in listener.on("rsp/resync")] == ["real"]


def test_an_agent_that_is_told_dead_says_that_it_lives(journal, broker):
    """A late will of an old connection, or somebody's mistake, is answered with online at once."""
    with Listener(broker.tcp_port) as listener, publishing(journal, broker.tcp_port) as publisher:
        settle(journal, publisher)
        for wrong in ({"status": "offline", "boot": journal.boot}, {"status": "stopped", "boot": "old"}, {}):
            before = len(listener.heard)
            listener.say("status", wrong, retain=True)
            assert listener.wait_until(
                lambda it, n=before: len(it.heard) > n + 1 and it.on("status")[-1].get("status") == "online"
            )


def test_two_agents_on_one_table_raise_an_alarm_on_both(tmp_path, journal, broker):
    """Each host sees the other, both alarms are on alerts, neither is thrown out, and they do not shout at each other for ever."""
    with (
        Journal(tmp_path / "other.db", "finals", "t07") as other,
        Listener(broker.tcp_port) as listener,
        publishing(journal, broker.tcp_port, agent="north") as north,
    ):
        settle(journal, north)
        with publishing(other, broker.tcp_port, agent="south") as south:

            def alarmed(it):
                return {alert.get("host") for page in it.on("alerts") for alert in page["alerts"]}

            assert listener.wait_until(lambda it: alarmed(it) == {"north", "south"})
            write(other, 1)
            assert south.drain(30)
            time.sleep(0.5)
            assert len(listener.on("status")) <= 6
        assert listener.wait_until(lambda it: it.on("alerts")[-1]["alerts"] == [] and statuses(it)[-1] == "online")


def test_a_restart_publishes_the_last_state_it_knew(journal, broker):
    """After a start the retained state is the journal's, before the first event of the new run."""
    journal.keep_snapshot(STATE)
    with publishing(journal, broker.tcp_port), Listener(broker.tcp_port) as listener:
        assert listener.wait_until(lambda it: it.on("state") and it.on("alerts"))
        assert all(state == STATE for state in listener.on("state"))  # heard live, kept by the broker, or both
        assert listener.on("alerts")[0]["alerts"] == STATE["alerts"]


def test_websockets_carry_the_publisher_too(journal):
    """With transport websockets the same events arrive."""
    with Broker("iotcore") as broker, Listener(broker.tcp_port) as listener:
        with publishing(journal, broker.ws_port, transport="websockets") as publisher:
            write(journal, 20)
            assert publisher.drain(30)
        assert listener.wait_until(lambda it: it.seqs() == list(range(1, 21)))


def test_a_refusal_is_not_taken_for_a_connection(journal, needs_mosquitto):
    """With a wrong password nothing is marked as sent; with the right one everything goes out."""
    with Broker("mosquitto", user="table", password="right") as broker:
        write(journal, 5)
        with publishing(journal, broker.tcp_port, user="table", password="wrong") as publisher:
            assert not publisher.drain(1.5) and journal.acknowledged == 0
        with publishing(journal, broker.tcp_port, user="table", password="right") as publisher:
            assert publisher.drain(30) and journal.acknowledged == 5


def test_a_missing_broker_is_complained_of_once(journal, caplog):
    """The log names the broker and the reason at the first failure, not at every attempt."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with publishing(journal, port):
        time.sleep(1.2)  # four attempts
    assert [record.getMessage() for record in caplog.records if f"127.0.0.1:{port}" in record.getMessage()] == [
        f"no broker at 127.0.0.1:{port}: [Errno 111] Connection refused; events wait in the journal"
    ]


def test_a_port_that_swallows_everything_is_retried_with_pauses(journal):
    """A peer that accepts and never answers, or hangs up at once, is tried at most once per back-off step, and stop() still works."""
    with socket.create_server(("127.0.0.1", 0)) as trap:
        trap.settimeout(0.1)
        tries = 0
        with publishing(journal, trap.getsockname()[1]) as publisher:
            end = time.monotonic() + 2
            while time.monotonic() < end:
                with contextlib.suppress(TimeoutError):
                    trap.accept()[0].close()
                    tries += 1
            write(journal, 1)
            assert not publisher.drain(0.1)
    assert 2 <= tries <= 8  # 0.1, 0.2, 0.4, 0.4 … seconds


@pytest.mark.parametrize("changes", [{"port": 0}, {"transport": "pigeon"}, {"back_off_s": (0, 1)}, {"back_off_s": (2, 1)}])
def test_settings_that_cannot_be_are_bad_input(changes):
    """A wrong setting is found when it is read, not when the broker is needed."""
    with pytest.raises(BadInput, match="expected"):
        MqttSettings("finals", "t07", **changes)


def test_a_publisher_speaks_for_its_own_table_only(journal):
    """A journal of another table is refused."""
    with pytest.raises(BadInput, match="finals/t07"):
        MqttPublisher(journal, MqttSettings("finals", "t08"), {})


def test_the_client_id_is_stable_per_table_and_host():
    """A restart takes its own place again; another host has another id; the password is never printed."""
    one = MqttSettings("finals", "t07", agent="pi-7.local", password="s3cret")
    assert one.client_id == "miron-finals-t07-pi-7-local" != MqttSettings("finals", "t07", agent="pi-8").client_id
    assert "s3cret" not in repr(one)
