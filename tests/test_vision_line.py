"""The line found from scratch in one view."""

import numpy as np
import pytest
from laid_tiles import IMAGE_SIZE, Laid, Sloppiness, Table, detect, detect_all, overhead_plane, random_table

from rules.tiles import Tile
from vision.board import board_view
from vision.contact import Port
from vision.line import find_line

PLANE = overhead_plane()


def view_of(laid, plane=PLANE, known=True, rng=None, noise=0.0):
    return board_view(detect_all(laid, plane, rng, noise), IMAGE_SIZE, plane if known else None)


def chain_of(table):
    """Tiles from the tip of arm a to the tip of arm b, and the two open numbers."""
    arms = {at: [t.tile for t in table.laid if t.at == at] for at in ("a", "open", "b")}
    return [*arms["a"][::-1], *arms["open"], *arms["b"]], (table.tips["a"].number, table.tips["b"].number)


def found_right(table, line):
    tiles, numbers = chain_of(table)
    found = [t.seen.tile for t in line.tiles]
    return (found, line.open_numbers) in ((tiles, numbers), (tiles[::-1], numbers[::-1]))


def exact_table():
    return Table(np.random.default_rng(0), Sloppiness(0.0, (1.0, 1.0), 0.0))


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(
    ("sloppiness", "noise"),
    [
        (Sloppiness(3.0, (0.0, 4.0), 1.5), 0.03),
        (Sloppiness(6.0, (0.0, 4.0), 2.0), 0.03),
        (Sloppiness(4.0, (0.0, 6.0), 2.5), 0.05),
    ],
)
def test_random_lines_are_found(known, sloppiness, noise):
    """Of lines of up to 22 tiles, laid with turns, slips and gaps and read with corner errors, at least 99 % come out exactly
    right: every tile, the order, and the number at both ends, with and without a calibration."""
    right = 0
    for seed in range(100):
        table = random_table(seed, 4 + seed % 19, sloppiness)
        rng = np.random.default_rng(seed)
        plane = overhead_plane(90.0 * (seed % 4) + seed % 9, 0.5)
        detections = detect_all(table.laid, plane, rng, noise)
        rng.shuffle(detections)
        right += found_right(table, find_line(board_view(detections, IMAGE_SIZE, plane if known else None)))
    assert right >= 99


def test_no_tiles_no_line():
    """An empty view has no line."""
    assert find_line(board_view([], IMAGE_SIZE, PLANE)) is None
    assert find_line(board_view([], IMAGE_SIZE)) is None


def test_a_lone_tile_has_its_two_halves_open():
    """The opening tile alone is the line, open at its low and its high half."""
    table = exact_table()
    table.open(Tile(6, 2))
    line = find_line(view_of(table.laid))
    assert line.open_numbers == (2, 6) and line.opening == 0


def test_a_tile_that_matches_nowhere_is_laid_all_the_same():
    """Numbers do not decide: a 5-4 against a 6 is part of the line, its far half open."""
    table = exact_table()
    table.open(Tile(6, 2))
    table.lay(Tile(5, 4), "b", facing=4)
    assert find_line(view_of(table.laid)).open_numbers in ((2, 5), (5, 2))


@pytest.mark.parametrize(("turn", "joined_by"), [("straight", Port.is_mid), ("in line", Port.is_end), ("left", Port.is_side)])
def test_doubles_across_in_line_and_in_a_bend(turn, joined_by):
    """A double joins with its long side, with its short side, and with the side of one half as a bend."""
    table = exact_table()
    table.open(Tile(6, 2))
    table.lay(Tile(6, 6), "b", turn)
    table.lay(Tile(6, 3), "b")
    line = find_line(view_of(table.laid))
    opening_last = line.tiles[-1].seen.tile == Tile(6, 2)
    port = line.tiles[1].ahead if opening_last else line.tiles[1].back
    assert joined_by.fget(port)
    assert sorted(line.open_numbers) == [2, 3]


def test_hands_turned_up_at_the_rims_are_not_the_line():
    """Tiles shown in front of the seats, side by side, stay out of the line."""
    table = random_table(3, 14)
    hands = [
        Laid(Tile(h, w), x, y, angle)
        for h, w, x, y, angle in (
            (9 - 3, 0, -20, 390, 88),
            (0, 0, 14, 390, 92),
            (1, 1, 400, 0, 2),
            (2, 2, 400, 33, 0),
            (3, 3, 5, -400, 90),
        )
    ]
    line = find_line(view_of([*table.laid, *hands]))
    assert [t.seen.tile for t in line.tiles] in (chain_of(table)[0], chain_of(table)[0][::-1])
    assert sorted(line.loose) == list(range(len(table.laid), len(table.laid) + 5))


def test_bends_tell_what_came_first():
    """The tile laid sideways came after the one it is laid against: the opening is found before every bend."""
    table = exact_table()
    table.open(Tile(6, 2), x=-200.0)
    for tile, turn in ((Tile(6, 5), "straight"), (Tile(5, 4), "left"), (Tile(4, 3), "straight")):
        table.lay(tile, "b", turn)
    line = find_line(view_of(table.laid))
    assert line.tiles[line.opening].seen.tile in (Tile(6, 2), Tile(6, 5))


@pytest.mark.parametrize("quarter", [0, 90, 180, 270])
def test_near_the_axes_nothing_flips(quarter):
    """A tile turned by -2 to 2 degrees around each quarter keeps its open half, in steps of a tenth of a degree."""
    for tenth in range(-20, 21):
        opening = Laid(Tile(5, 4), 0, 0, quarter + tenth / 10)
        table = exact_table()
        table.laid.append(opening)
        line = find_line(view_of([opening]))
        axis = line.tiles[0].seen.axis
        assert line.open_numbers == (4, 5)
        assert axis @ [np.cos(np.radians(quarter)), np.sin(np.radians(quarter))] > 0.99


def test_a_misread_double_does_not_break_the_line():
    """A double across that is read as a mixed tile still joins both neighbours when the reader leaves it some doubt."""
    table = exact_table()
    table.open(Tile(6, 2))
    table.lay(Tile(6, 6), "b")
    table.lay(Tile(6, 3), "b")
    detections = [detect(t, PLANE, read_as=Tile(6, 5) if t.tile.is_double else None, sure=0.9) for t in table.laid]
    assert len(find_line(board_view(detections, IMAGE_SIZE, PLANE)).tiles) == 3
