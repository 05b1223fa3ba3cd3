"""Snapshots of a table for the tests of the board, made from a list of plays."""

START = {
    "schema": 1,
    "event": "finals",
    "table": "t07",
    "match": 3,
    "hand": 5,
    "ruleset": "dusa",
    "phase": "playing",
    "teams": {"A": {"name": "Los Pinos", "seats": [0, 2]}, "B": {"name": "La Ceiba", "seats": [1, 3]}},
    "score": {"A": 87, "B": 122},
    "fines": {"A": 0, "B": 20},
    "target": 200,
    "opener": 0,
    "alerts": [],
    "winner": None,
    "time": "2026-11-30T00:10:11.123Z",
}
# A whole hand, opening first: tile and arm, as on the wire.
HAND = (
    "4-4:open 4-1:a 6-1:a 4-3:b 3-2:b 6-3:a 6-2:b 6-6:b 5-3:a 6-5:b 5-4:a 4-2:a "
    "5-5:b 2-1:a 5-2:b 2-0:b 3-1:a 4-0:b 3-3:a 6-4:b 3-0:a 6-0:b 0-0:a"
)


def snapshot(plays=23, seq=None, **changes):
    """The state after so many plays of HAND."""
    line = [
        {"tile": tile, "arm": arm, "seat": n % 4}
        for n, (tile, arm) in enumerate(word.split(":") for word in HAND.split()[:plays])
    ]
    last = {"type": "tile_played", "seat": (plays - 1) % 4, "tile": line[-1]["tile"]} if line else None
    held = [7 - sum(1 for laid in line if laid["seat"] == seat) for seat in range(4)]
    ends = changes.pop("ends", tips(line))
    now = {"seq": seq or plays, "turn": plays % 4, "ends": ends, "line": line, "held": held, "last": last}
    return {**START, **now, **changes}


def tips(line):
    """The open numbers of both arms, by joining the tiles."""
    if not line:
        return None
    ends = dict(zip("ab", sorted(halves(line[0])), strict=True))
    for laid in line[1:]:
        low, high = sorted(halves(laid))
        ends[laid["arm"]] = high if low == ends[laid["arm"]] else low
    return [ends["a"], ends["b"]]


def halves(laid):
    return [int(half) for half in laid["tile"].split("-")]
