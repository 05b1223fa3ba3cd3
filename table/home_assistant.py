"""Home Assistant finds the table by itself: one retained message that describes it as a device. See docs/mqtt.md."""

from __future__ import annotations

import importlib.metadata
from typing import Any

from table.envelope import json_line
from table.mqtt_settings import MqttSettings

SEATS = ("S", "E", "N", "W")


def discovery(settings: MqttSettings, prefix: str = "homeassistant") -> tuple[str, str]:
    """Topic and payload of the table's device (device discovery, Home Assistant 2024.11 and later)."""
    topic = f"{prefix}/device/{settings.table}/miron-{settings.event}/config"
    return topic, json_line(_device(settings))


def _device(settings: MqttSettings) -> dict[str, Any]:
    name = f"miron-{settings.event}-{settings.table}"
    return {
        "device": {"identifiers": [name], "name": f"Domino {settings.event} {settings.table}", "manufacturer": "miron"},
        "origin": {"name": "miron", "sw_version": importlib.metadata.version("miron")},
        "qos": 1,
        "availability": [
            {
                "topic": settings.topic("status"),
                "value_template": "{{ 'online' if value_json.status == 'online' else 'offline' }}",
            }
        ],
        "components": {key: {"unique_id": f"{name}-{key}", **told} for key, told in _components(settings).items()},
    }


def _components(settings: MqttSettings) -> dict[str, dict[str, Any]]:
    state, alerts, health = (settings.topic(leaf) for leaf in ("state", "alerts", "health"))
    seats = ", ".join(f"'{seat}'" for seat in SEATS)
    return {
        "score-a": _sensor("Score A", state, "{{ value_json.score.A + value_json.fines.A }}", icon="mdi:scoreboard"),
        "score-b": _sensor("Score B", state, "{{ value_json.score.B + value_json.fines.B }}", icon="mdi:scoreboard"),
        "match": _sensor("Match", state, "{{ value_json.match }}"),
        "hand": _sensor("Hand", state, "{{ value_json.hand }}"),
        "phase": _sensor("Phase", state, "{{ value_json.phase }}"),
        "turn": _sensor("Turn", state, f"{{{{ '-' if value_json.turn is none else [{seats}][value_json.turn] }}}}"),
        "incidents": _sensor("Open incidents", alerts, "{{ value_json.alerts | count }}", icon="mdi:whistle"),
        "referee-wanted": {
            "platform": "binary_sensor",
            "name": "Referee wanted",
            "device_class": "problem",
            "state_topic": alerts,
            "value_template": "{{ 'ON' if value_json.alerts | count else 'OFF' }}",
        },
        "looks": _sensor("Looks a second", health, "{{ value_json.fps }}", entity_category="diagnostic"),
        "waiting": _sensor("Events that wait", health, "{{ value_json.journal.waiting }}", entity_category="diagnostic"),
    }


def _sensor(name: str, topic: str, template: str, **more: str) -> dict[str, Any]:
    return {"platform": "sensor", "name": name, "state_topic": topic, "value_template": template, **more}
