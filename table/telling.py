"""One event as one line that a person reads on a terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.seats import Seat
from table.envelope import EventRecord

Data = dict[str, Any]


def seat_text(seat: Any) -> str:
    """S, E, N, W; `?` where the seat is not known; several joined by /."""
    if isinstance(seat, (list, tuple)):
        return "/".join(seat_text(s) for s in seat)
    return "?" if seat is None else Seat(seat).name


def _played(d: Data) -> str:
    ends = "-".join("?" if e is None else str(e) for e in d["ends"])
    return f"{seat_text(d['seat'])} plays {d['tile']} at {d['end']}, ends {ends}"


def _ended(d: Data) -> str:
    points = ", ".join(f"{pair} {n}" for pair, n in d["points"].items())
    return f"hand over ({d['end']} by {seat_text(d['by_seat'])}): {points}"


def _infraction(d: Data) -> str:
    fine = f", fine {d['fine']} proposed" if d.get("fine") else ""
    holder = f", choice of {seat_text(d['remedy_holder'])}" if "remedy_holder" in d else ""
    return f"INFRACTION {d['code']} ({d['rule']}) by {seat_text(d['seat'])}{fine}{holder}"


def _ruled(d: Data) -> str:
    about = f" on event {d['incident']}" if d.get("incident") is not None else ""
    return f"ruling: {d['choice']}{about}" + (f" by {d['by']}" if d.get("by") else "")


def _doubted(d: Data) -> str:
    return "reading in doubt: " + " ".join(f"{tile} {p:.2f}" for tile, p in d["candidates"][:3])


LINES: dict[str, Callable[[Data], str]] = {
    "hand_opened": lambda d: f"hand opened by {seat_text(d['opener'])}",
    "tile_played": _played,
    "turn_passed": lambda d: f"{seat_text(d['seat'])} passes ({d['via']})",
    "tile_withdrawn": lambda d: f"{seat_text(d['seat'])} takes {d['tile']} back",
    "tile_exposed": lambda d: f"{d['tile']} of {seat_text(d['seat'])} lies face up off the line",
    "hand_closed": lambda d: f"hand closed ({d['end']} by {seat_text(d['by_seat'])}), {d['unplayed']} pips not played",
    "hand_ended": _ended,
    "score_changed": lambda d: "score " + ", ".join(f"{p} {n}" for p, n in d["points"].items()),
    "match_ended": lambda d: f"match over: {d['winner']} wins",
    "infraction": _infraction,
    "suspicion": lambda d: f"to the referee: {d['code']}? ({seat_text(d['seats'])})",
    "advice": lambda d: f"advice: {d['code']} ({seat_text(d['seat'])})",
    "reading_doubted": _doubted,
    "evidence": lambda d: f"evidence for event {d['incident']}: {', '.join(one['url'] for one in d['evidence'])}",
    "entered": lambda d: f"{d['by']} enters {d['what']}",
    "ruling": _ruled,
    "correction": lambda d: f"correction: takes back {', '.join(map(str, d['voids']))}",
}


def tell_event(record: EventRecord) -> str:
    """`  12.0 s  S plays 6-4 at a, ends 6-1`."""
    line = LINES.get(record.type)
    return f"{record.t_s:8.1f} s  {line(record.data) if line else record.type}"
