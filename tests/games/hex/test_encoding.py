"""Hex boards as bits."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.game import Bit, load_game
from clauseboard.games.hex import encoding
from clauseboard.games.hex.encoding import boards_of, winners

FEW = settings(max_examples=60)
every_size = pytest.mark.parametrize("size", [1, 6, 8, 11, 19])


def random_positions(size, seed=0, games=3):
    rng = random.Random(seed)
    game = load_game("hex", size=size)
    positions = []
    for _ in range(games):
        position = game.start()
        positions.append(position)
        while position.winner is None:
            position = position.play(rng.choice(position.moves()))
            positions.append(position)
    return game, positions


def test_the_bits_of_a_board_of_six_are_72_red_ones_first():
    bits = load_game("hex", size=6).bits()
    assert len(bits) == 72
    assert bits[0] == Bit("red stone at a1", "a1", "red")
    assert bits[1].name == "red stone at b1"
    assert bits[6].name == "red stone at a2"
    assert bits[36].name == "blue stone at a1"
    assert bits[71] == Bit("blue stone at f6", "f6", "blue")


def test_the_example_of_the_thesis():
    """Black (our red) on the second cell, white (our blue) on the third, of four."""
    game = load_game("hex", size=2)
    row = game.encode([game.read_position(".R/B. red")])[0]
    assert "".join(map(str, row)) == "01000010"


@every_size
def test_a_bit_is_set_where_its_stone_stands(size):
    game, positions = random_positions(size)
    rows = game.encode(positions)
    assert rows.shape == (len(positions), 2 * size**2)
    for position, row in zip(positions[:: max(size, 1)], rows[:: max(size, 1)], strict=True):
        board = game.write_position(position).split()[0].split("/")
        for bit, value in zip(game.bits(), row, strict=True):
            column, line = ord(bit.cell[0]) - ord("a"), int(bit.cell[1:]) - 1
            assert value == (board[line][column] == bit.piece[0].upper())


@every_size
def test_decoding_gives_the_position_back(size):
    game, positions = random_positions(size)
    for position, row in zip(positions, game.encode(positions), strict=True):
        assert game.decode(row, position.to_move) == position
        board = boards_of(game, [position])[0].astype("<u8")
        red, blue = (int.from_bytes(words.tobytes(), "little") for words in board)
        assert game.position(red, blue, position.to_move) == position


@every_size
def test_packed_boards_are_the_packed_rows(size):
    game, positions = random_positions(size)
    boards = boards_of(game, positions)
    blue_moves = np.array([position.to_move == "blue" for position in positions])
    for view, reverse in (("board", None), ("mover", blue_moves)):
        rows = game.encode(positions, view=view)
        expected = np.packbits(rows, axis=1, bitorder="little")
        assert np.array_equal(encoding.pack(game, boards, reverse), expected)
    assert encoding.pack(game, boards[:0]).shape == (0, -(-2 * size**2 // 8))


@every_size
def test_the_movers_view_has_red_to_move(size):
    game, positions = random_positions(size)
    for position, row in zip(positions, game.encode(positions, view="mover"), strict=True):
        shown = game.decode(row, "red")
        assert shown == (position if position.to_move == "red" else position.reversed())


@every_size
def test_layers_for_windows(size):
    game, positions = random_positions(size, games=1)
    rows = game.encode(positions)
    layers = encoding.as_layers(game, rows)
    assert layers.shape == (len(rows), size, size, 2)
    for number, bit in enumerate(game.bits()):
        column, line = ord(bit.cell[0]) - ord("a"), int(bit.cell[1:]) - 1
        layer = layers[:, line, column, ("red", "blue").index(bit.piece)]
        assert np.array_equal(layer, rows[:, number])


@FEW
@given(st.integers(1, 13), st.integers(0, 2**32))
def test_symmetric_copies_are_those_of_the_positions(size, seed):
    game, positions = random_positions(size, seed, games=1)
    rows = game.encode(positions)
    plain, turned, reverse, both = encoding.symmetries(game)
    assert [s.exchanges for s in (plain, turned, reverse, both)] == [False, False, True, True]
    assert len({s.name for s in (plain, turned, reverse, both)}) == 4
    for symmetry, copies in (
        (plain, positions),
        (turned, [p.half_turned() for p in positions]),
        (reverse, [p.reversed() for p in positions]),
        (both, [p.reversed().half_turned() for p in positions]),
    ):
        assert np.array_equal(symmetry.copy(rows), game.encode(copies))
        assert np.array_equal(symmetry.copy(symmetry.copy(rows)), rows)


def test_exchanging_the_colours_alone_is_no_symmetry():
    game = load_game("hex", size=2)
    won = game.read_position("RB/R. blue")
    row = game.encode([won])[0].reshape(2, -1)[::-1].reshape(-1)
    assert game.decode(row, "red").winner is None
    assert game.write_position(game.decode(row, "red")) == "BR/B. red"
    row = encoding.symmetries(game)[2].copy(game.encode([won]))[0]
    assert game.decode(row, "red").winner == "blue"


# ---- what is refused


def test_rows_that_are_no_board():
    game = load_game("hex", size=2)
    for row in (np.zeros(7, np.uint8), np.zeros((1, 8), np.uint8)):
        with pytest.raises(ValueError, match="is a row of 8 bits, not of shape"):
            game.decode(row, "red")
    with pytest.raises(ValueError, match="holds 0 and 1 only"):
        game.decode(np.array([0, 2, 0, 0, 0, 0, 0, 0]), "red")
    with pytest.raises(ValueError, match="a1 cannot have a red stone and a blue one"):
        game.decode(np.array([1, 0, 0, 0, 1, 0, 0, 0]), "red")
    with pytest.raises(ValueError, match="It cannot be red's turn with 1 red"):
        game.decode(np.array([1, 0, 0, 0, 0, 0, 0, 0]), "red")


def test_views_and_sizes_that_are_none():
    game = load_game("hex", size=2)
    with pytest.raises(ValueError, match="A view is 'board' or 'mover', not 'red'"):
        game.encode([game.start()], view="red")
    with pytest.raises(ValueError, match="A board of size 3 is among boards of size 2"):
        game.encode([load_game("hex", size=3).start()])


def test_arrays_that_are_no_boards():
    game = load_game("hex", size=3)
    good = boards_of(game, [game.start()] * 2)
    with pytest.raises(ValueError, match=r"uint64 with the shape \(boards, 2, 1\), not of int64"):
        encoding.pack(game, good.astype(np.int64))
    with pytest.raises(ValueError, match=r"not of uint64 with the shape \(2, 1, 1\)"):
        encoding.pack(game, good[:, :1])
    both = good.copy()
    both[1] = 1
    with pytest.raises(ValueError, match="a red stone and a blue one on the same cell"):
        encoding.pack(game, both)
    outside = good.copy()
    outside[0, 1] = 1 << 9
    with pytest.raises(ValueError, match="a stone outside the board of size 3"):
        encoding.pack(game, outside)
    for reverse in (np.zeros(3, np.bool_), np.zeros(2, np.int64)):
        with pytest.raises(ValueError, match="True or False for each of the 2 boards"):
            encoding.pack(game, good, reverse)


@every_size
def test_boards_are_packed_in_all_four_ways(size):
    game, positions = random_positions(size)
    boards, rows = boards_of(game, positions), game.encode(positions)
    reverse = np.arange(len(boards)) % 3 == 0
    for number, way in enumerate(encoding.symmetries(game)):
        expected = np.packbits(way.copy(rows), axis=1, bitorder="little")
        assert np.array_equal(encoding.pack(game, boards, symmetry=number), expected)
        turned = np.where(reverse[:, None], encoding.symmetries(game)[2].copy(rows), rows)
        expected = np.packbits(way.copy(turned), axis=1, bitorder="little")
        assert np.array_equal(encoding.pack(game, boards, reverse, symmetry=number), expected)
    with pytest.raises(ValueError, match="`symmetry` is 0 to 3, not 4"):
        encoding.pack(game, boards, symmetry=4)


def test_boards_that_may_not_be_written_to_or_lie_apart_are_taken():
    game, positions = random_positions(5)
    boards = boards_of(game, positions)
    frozen = np.frombuffer(boards.tobytes(), np.uint64).reshape(boards.shape)
    reverse = np.frombuffer(b"\1" * len(boards), np.bool_)
    expected = encoding.pack(game, boards, np.ones(len(boards), np.bool_))
    assert np.array_equal(encoding.pack(game, frozen, reverse), expected)
    assert np.array_equal(encoding.pack(game, frozen[::2], reverse[::2]), expected[::2])
    assert winners(game, frozen) == winners(game, boards)
