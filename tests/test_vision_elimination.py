"""At the count a tile that no look reads is known by what is missing of the 28."""

import pytest
from followed_table import Watched
from laid_tiles import Laid, Sloppiness, random_table

from rules.observations import Correction, Reveal
from rules.seats import Seat
from rules.tiles import ALL_TILES, Tile
from vision.elimination import missing_of

PLACES = {0: (0, -380, 90), 1: (380, 0, 0), 2: (0, 380, 90), 3: (-380, 0, 0)}  # the middle of each hand, its tiles' angle


def whole_hand(seed, laid=18):
    """A line, and the hands left: seven tiles a seat in all."""
    table = random_table(seed, laid, Sloppiness(1.0, (0.0, 2.0), 0.5), opener=0)
    played = {tile.tile for tile in table.laid}
    left = iter(tile for tile in ALL_TILES if tile not in played)
    hands = {seat: [next(left) for _ in range(7 - sum(t.seat == seat for t in table.laid))] for seat in range(4)}
    return table, hands


def turned_up(hands):
    """The hands as they lie face up in front of their players."""
    lying = []
    for seat, tiles in hands.items():
        x, y, angle = PLACES[seat]
        along = (1, 0) if seat in (0, 2) else (0, 1)
        steps = [40 * (n - (len(tiles) - 1) / 2) for n in range(len(tiles))]
        lying += [Laid(tile, x + along[0] * d, y + along[1] * d, angle) for tile, d in zip(tiles, steps, strict=True)]
    return lying


def followed(table, unseen=()):
    """The hand looked at after every play; some of its tiles no look shows."""
    watched, racks = Watched(opener=Seat.S), [7, 7, 7, 7]
    watched.see([], racks)
    for n, tile in enumerate(table.laid, start=1):
        racks[tile.seat] -= 1
        watched.see([one for one in table.laid[:n] if one.tile not in unseen], racks)
    return watched


def hands_told(reveal):
    return {seat: set(tiles or ()) for seat, tiles in enumerate(reveal.hands)}


@pytest.mark.parametrize("seed", range(4))
def test_a_tile_hidden_in_a_hand_is_the_one_that_is_missing(seed):
    """Where one seat shows a tile too few, the tile that nobody shows is his; it is told as doubtful, for nobody saw it."""
    table, hands = whole_hand(seed)
    seat = max(hands, key=lambda one: len(hands[one]))
    shown = hands | {seat: hands[seat][1:]}
    (count,) = followed(table).see([*table.laid, *turned_up(shown)])
    assert isinstance(count, Reveal) and hands_told(count) == {one: set(tiles) for one, tiles in hands.items()}
    assert count.confidence <= 0.5


def test_where_two_seats_show_too_few_nothing_is_guessed():
    """Two hands with a tile hidden in each are told as they are seen."""
    table, hands = whole_hand(0)
    one, other = sorted(hands, key=lambda seat: -len(hands[seat]))[:2]
    shown = hands | {one: hands[one][1:], other: hands[other][1:]}
    (count,) = followed(table).see([*table.laid, *turned_up(shown)])
    assert hands_told(count) == {seat: set(tiles) for seat, tiles in shown.items()}


@pytest.mark.parametrize("seed", range(7))
def test_an_unread_tile_of_the_line_is_told_at_the_count(seed):
    """A tile in the line that no look showed was told as a question; once all others are known it is told as the one that joins there."""
    table, hands = whole_hand(seed)
    inner = next(n for n in range(3, 12) if any(later.at == table.laid[n].at for later in table.laid[n + 1 :]))
    hidden = table.laid[inner]
    watched = followed(table, {hidden.tile})
    question = next((n for n, seen in enumerate(watched.told) if getattr(seen, "tile", 0) is None), None)
    if question is None:
        pytest.skip("the arm bends behind the tile: what lies beyond it is no part of a line that goes straight on")
    told = watched.see([*(one for one in table.laid if one is not hidden), *turned_up(hands)])
    read = [seen for seen in told if isinstance(seen, Correction) and seen.voids == question]
    assert [seen.instead.tile for seen in read] == [hidden.tile]


def test_too_much_missing_or_a_tile_twice_tells_nothing():
    """More than four tiles missing, or one that is there twice, are misreadings: nothing follows from them."""
    assert missing_of(ALL_TILES[4:]) == tuple(ALL_TILES[:4])
    assert missing_of(ALL_TILES[5:]) == ()
    assert missing_of([*ALL_TILES[2:], Tile(6, 6)]) == ()
