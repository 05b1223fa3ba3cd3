"""A referee at the demo, as a user would start it: commands while the match is played, and when it is over."""

from __future__ import annotations

from mqtt_listener import Listener
from test_scripts_demo import demo

from scripts.demo import EVENT, TABLE


def ask(listener: Listener, name: str, **fields: object) -> dict:
    """Say a command and wait for its reply."""
    count = len(listener.on(f"rsp/{name}"))
    listener.say(f"cmd/{name}", {"by": "referee", **fields})
    assert listener.wait_until(lambda it: len(it.on(f"rsp/{name}")) > count, 60)
    return listener.on(f"rsp/{name}")[-1]


def test_a_referee_rules_on_the_demo_while_it_plays() -> None:
    """The fine of the wrong tile is upheld while the match goes on; the opening is corrected and the correction is undone."""
    with demo("--longest-pause", "0.2", "--port", "0") as (_, _, port), Listener(port, EVENT, TABLE) as listener:
        assert listener.wait_until(lambda it: any(e["type"] == "infraction" for e in it.on("event")), 200)
        alert = next(e for e in listener.on("event") if e["type"] == "infraction")
        assert alert["data"]["code"] == "NON_MATCHING"
        ruled = ask(listener, "ruling", transaction="1", incident=alert["seq"], choice="uphold")
        assert ruled["ok"], ruled
        assert listener.on("state")[-1]["fines"] == {"A": 0, "B": 50}
        assert ask(listener, "ruling", transaction="1", incident=alert["seq"], choice="uphold") == ruled
        assert not ask(listener, "pass", transaction="2", seat=9)["ok"]
        opening = next(e for e in listener.on("event") if e["type"] == "tile_played")
        laid = opening["data"]["tile"]
        other = "0-0" if laid != "0-0" else "1-1"
        assert ask(listener, "correct", transaction="3", seq=opening["seq"], tile=other)["ok"]
        assert listener.on("state")[-1]["line"][0]["tile"] == other
        assert ask(listener, "undo", transaction="4")["ok"]
        with Listener(port, EVENT, TABLE) as late:
            assert late.wait_until(lambda it: it.on("state") and it.on("alerts"))
            state, alerts = late.on("state")[0], late.on("alerts")[0]
        assert state["line"][0]["tile"] == laid
        assert (state["fines"], state["phase"], alerts["alerts"]) == ({"A": 0, "B": 50}, "playing", [])
        assert [e["data"]["what"] for e in listener.on("event") if e["type"] == "entered"] == ["ruling", "correct", "undo"]
        seqs = listener.seqs()
        assert seqs == list(range(1, len(seqs) + 1))
