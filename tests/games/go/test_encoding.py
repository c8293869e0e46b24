"""Boards as bits: names, order, views, symmetries, and the kernel that packs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.game import load_game
from clauseboard.games.go import encoding
from clauseboard.games.go.board import symmetries
from clauseboard.kernels.compiler import JIT_DISABLED

FEW = settings(max_examples=5 if JIT_DISABLED else 50)


def random_boards(n, size, seed=0):
    return np.random.default_rng(seed).integers(0, 3, (n, size * size)).astype(np.uint8)


def rows_of(boards):
    return np.hstack([boards == 1, boards == 2]).astype(np.uint8)


@pytest.mark.parametrize("size", [2, 9, 19])
def test_bits_are_blacks_stones_and_then_whites_from_the_top(size):
    bits = load_game("go", size=size).bits()
    points = size * size
    assert len(bits) == 2 * points
    assert bits[0].name == f"black stone at A{size}"
    assert bits[size].name == f"black stone at A{size - 1}"
    assert bits[points].name == f"white stone at A{size}"
    assert (bits[-1].piece, bits[-1].cell) == ("white stone", {2: "B1", 9: "J1", 19: "T1"}[size])


def test_a_board_by_hand():
    game = load_game("go", size=2)
    row = game.encode([game.read_position("b./.w white")])[0]
    assert row.tolist() == [1, 0, 0, 0, 0, 0, 0, 1]
    assert game.write_position(game.decode(row, "white")) == "b./.w white"


def test_the_movers_view_has_its_own_stones_first():
    game = load_game("go", size=2)
    black, white = (game.read_position(f"b./.w {side}") for side in game.colours)
    rows = encoding.encode(load_game("go", size=2), [black, white], view="mover")
    assert rows.tolist() == [[1, 0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 1, 1, 0, 0, 0]]
    names = [bit.name for bit in encoding.bits(load_game("go", size=2), "mover")]
    assert (names[0], names[4]) == ("own stone at A2", "opposing stone at A2")
    assert len(set(names)) == 8


@pytest.mark.parametrize(
    "call", [encoding.bits, lambda game, view: encoding.encode(game, [], view)]
)
def test_there_are_two_views(call):
    with pytest.raises(ValueError, match="view is 'board' or 'mover', not 'white'"):
        call(load_game("go", size=3), "white")


@FEW
@given(st.integers(2, 19), st.integers(0, 30), st.integers(0, 7), st.integers(0, 99))
def test_packed_rows_are_packbits_of_the_rows(size, n, way, seed):
    boards = random_boards(n, size, seed)
    swapped = np.random.default_rng(seed).integers(0, 2, n).astype(bool)
    turned = boards[:, symmetries(size)[way]]
    turned[swapped] = np.array([0, 2, 1], np.uint8)[turned[swapped]]
    packed = encoding.pack(boards, swapped=swapped, symmetry=way)
    assert np.array_equal(packed, np.packbits(rows_of(turned), axis=1, bitorder="little"))


def test_packing_is_encoding():
    game = load_game("go", size=5)
    position = game.start()
    positions = [position]
    for text in ("C3", "C2", "pass", "D3"):
        position = position.play(position.read_move(text))
        positions.append(position)
    boards = np.stack([np.frombuffer(position.board, np.uint8) for position in positions])
    whites = [position.to_move == "white" for position in positions]
    for view, swapped in (("board", None), ("mover", whites)):
        rows = encoding.encode(game, positions, view)
        unpacked = np.unpackbits(encoding.pack(boards, swapped=swapped), axis=1, bitorder="little")
        assert np.array_equal(unpacked[:, :50], rows)
        assert not unpacked[:, 50:].any()


def test_boards_that_may_not_be_written_to_or_lie_apart_are_packed_too():
    boards = random_boards(10, 5)
    expected = encoding.pack(boards)
    boards.flags.writeable = False
    assert np.array_equal(encoding.pack(boards), expected)
    assert np.array_equal(encoding.pack(boards[::2]), expected[::2])
    assert np.array_equal(encoding.pack(np.asfortranarray(boards)), expected)


def test_the_eight_symmetries_are_a_group():
    for size in (2, 3, 9):
        ways = symmetries(size)
        assert np.array_equal(ways[0], np.arange(size * size))
        assert len({way.tobytes() for way in ways}) == 8
        known = {way.tobytes() for way in ways}
        assert all(one[other].tobytes() in known for one in ways for other in ways)
        # Neighbours stay neighbours: the first two points end side by side.
        for way in ways:
            places = [divmod(int(np.flatnonzero(way == point)[0]), size) for point in (0, 1)]
            assert abs(places[0][0] - places[1][0]) + abs(places[0][1] - places[1][1]) == 1
    with pytest.raises(ValueError, match="read-only"):
        symmetries(3)[0, 0] = 5


def test_planes_are_lines_columns_and_colours():
    boards = random_boards(4, 3)
    planes = encoding.planes(rows_of(boards), 3)
    assert planes.shape == (4, 3, 3, 2)
    for colour in (1, 2):
        assert np.array_equal(planes[..., colour - 1], boards.reshape(4, 3, 3) == colour)
    with pytest.raises(ValueError, match="Rows of 18 bits are needed"):
        encoding.planes(rows_of(boards)[:, 1:], 3)


@pytest.mark.parametrize(
    ("boards", "message"),
    [
        (np.zeros(9, np.uint8), "one row for each square board"),
        (np.zeros((2, 8), np.uint8), "one row for each square board"),
        (np.zeros((2, 400), np.uint8), "square board of 2x2 to 19x19, not uint8 of shape"),
        (np.zeros((2, 9)), "not float64 of shape"),
        (np.full((2, 9), 3, np.uint8), "not 3"),
    ],
)
def test_boards_of_another_form_are_refused(boards, message):
    with pytest.raises(ValueError, match=message):
        encoding.pack(boards)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"symmetry": 8}, "symmetry is 0 to 7, not 8"),
        ({"symmetry": -1}, "symmetry is 0 to 7, not -1"),
        ({"swapped": [True]}, "each of the 2 boards"),
    ],
)
def test_options_of_packing_are_checked(options, message):
    with pytest.raises(ValueError, match=message):
        encoding.pack(random_boards(2, 3), **options)


@pytest.mark.parametrize(
    ("row", "to_move", "message"),
    [
        ([1] * 7, "black", "A row is 8 bits"),
        ([2] + [0] * 7, "black", "A row is 8 bits"),
        ([0] * 8, "red", "to_move is 'black' or 'white', not 'red'"),
        ([0, 1, 0, 0, 0, 1, 0, 0], "black", "B2 cannot have a black and a white stone"),
    ],
)
def test_rows_that_show_no_board_are_refused(row, to_move, message):
    with pytest.raises(ValueError, match=message):
        load_game("go", size=2).decode(np.array(row, np.uint8), to_move)


def test_positions_of_another_size_are_refused():
    start = load_game("go", size=5).start()
    with pytest.raises(ValueError, match="A board of size 5 is among boards of size 9"):
        load_game("go", size=9).encode([start])
    with pytest.raises(ValueError, match="The board has size 5, not 9"):
        load_game("go", size=9).draw(start)
