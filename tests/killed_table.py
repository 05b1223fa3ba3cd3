"""A table to be killed: plays stored observations from where its journal stands and publishes what follows from them.

`python killed_table.py JOURNAL OBSERVATIONS PORT PAUSE_S`. Prints the newest seq after each observation, `done` when the broker has every
event, and leaves when its input is closed.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from rules.observations import Observation, observation_from_dict
from rules.ruleset import DUSA
from rules.seats import Seat
from table.journal import Journal
from table.monitor import Monitor
from table.mqtt import MqttPublisher, MqttSettings
from table.snapshot import snapshot

BOOT = "boot"  # the same for each run, so that what was killed can be held against what was not, byte for byte


def new_match(journal: Journal) -> Monitor:
    """The next match at this table."""
    return Monitor(DUSA, journal, start_s=1_700_000_000.25, opener=Seat.S)


def main(journal_file: str, observations: str, port: str, pause_s: str) -> None:
    """Play on, tell the broker, stay to answer."""
    rows: list[Observation] = [observation_from_dict(json.loads(line)) for line in Path(observations).read_text().splitlines()]
    with Journal(journal_file, "finals", "t07", BOOT) as journal:
        publisher = MqttPublisher(journal, MqttSettings("finals", "t07", port=int(port), back_off_s=(0.1, 0.4)), {})
        publisher.start()
        ((done,),) = journal.execute("SELECT count(*) FROM observation")
        monitor = Monitor.resume(journal) or new_match(journal)
        for seen in rows[done:]:
            monitor = new_match(journal) if monitor.state.over else monitor
            monitor.observe(seen)
            publisher.publish_state(snapshot(monitor, "finals", "t07"))
            publisher.notify()
            print(journal.last_seq, flush=True)
            time.sleep(float(pause_s))
        while not publisher.drain(60):
            pass
        print("done", flush=True)
        sys.stdin.read()
        publisher.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
