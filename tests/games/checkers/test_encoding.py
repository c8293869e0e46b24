"""Boards as bits: named, packed, turned, by cells and by numbers."""

import numpy as np
import pytest
from checkers_boards import ENDLESS, as_naive, random_positions
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.games.checkers import Checkers, CheckersPosition
from clauseboard.games.checkers import encoding as e
from clauseboard.games.checkers.rules import turned
from clauseboard.kernels.compiler import JIT_DISABLED
from naive import checkers as naive

N = 20 if JIT_DISABLED else 400
SEED = st.integers(0, 2**32)
FEW = settings(max_examples=5 if JIT_DISABLED else 25)


def exchanged(position):
    """The same board with colours exchanged, from the other side of the table."""
    return CheckersPosition(
        ENDLESS,
        turned(position.white),
        turned(position.black),
        turned(position.kings),
        ENDLESS.other(position.to_move),
    )


def packed(rows):
    return np.packbits(rows, axis=1, bitorder="little")


def test_the_names_of_the_bits():
    assert len(e.BITS) == 128
    names = {0: "black man on 1", 45: "black king on 14", 95: "white man on 32"}
    assert {n: e.BITS[n].name for n in names} == names
    assert (e.BITS[127].cell, e.BITS[127].piece) == ("32", "white king")
    assert Checkers().bits() is e.BITS


def test_each_bit_tells_what_it_says():
    positions = random_positions(1, N)
    for position, row in zip(positions, e.encode(Checkers(), positions), strict=True):
        for bit, value in zip(e.BITS, row, strict=True):
            assert (position.piece_on(int(bit.cell)) == bit.piece) == bool(value)


def test_the_start():
    row = Checkers().encode([Checkers().start()])[0]
    assert np.flatnonzero(row).tolist() == [*range(12), *range(64 + 20, 64 + 32)]


@FEW
@given(SEED)
def test_packed_rows_are_those_that_numpy_packs(seed):
    positions = random_positions(seed, 20)
    boards = e.board_words(positions)
    words = e.packed_squares(boards)
    assert np.array_equal(words.view(np.uint8), packed(e.encode(Checkers(), positions)))
    assert np.array_equal(e.unpacked(words), e.encode(Checkers(), positions))


@FEW
@given(SEED)
def test_turning_exchanges_the_colours(seed):
    positions = random_positions(seed, 20)
    boards, other = e.board_words(positions), e.board_words(map(exchanged, positions))
    for function in (e.packed_squares, e.packed_cells, e.measures):
        assert np.array_equal(function(boards, True), function(other))
        assert np.array_equal(function(boards), function(other, True))


def test_the_view_of_the_side_to_move():
    positions = random_positions(2, N)
    sides = e.sides_to_move(positions)
    assert 0 < sides.sum() < len(sides)
    seen = [p if p.to_move == "black" else exchanged(p) for p in positions]
    words = e.packed_squares(e.board_words(positions), sides)
    assert np.array_equal(e.unpacked(words), e.encode(Checkers(), seen))


def test_cells_keep_the_diagonals():
    positions = random_positions(3, N)
    rows = e.unpacked(e.packed_cells(e.board_words(positions))).reshape(-1, *e.CELL_SHAPE)
    for position, cells in zip(positions, rows, strict=True):
        found = {
            (int(r), int(c)): "bBwW"[int(p)] for r, c, p in zip(*np.nonzero(cells), strict=True)
        }
        assert found == as_naive(position)


def test_the_names_of_the_cells():
    assert len(e.CELL_BITS) == np.prod(e.CELL_SHAPE) == 256
    assert len({bit.name for bit in e.CELL_BITS}) == 256
    positions = random_positions(4, 20)
    rows = e.unpacked(e.packed_cells(e.board_words(positions)))
    for position, row in zip(positions, rows, strict=True):
        for bit, value in zip(e.CELL_BITS, row, strict=True):
            there = bit.cell is not None and position.piece_on(int(bit.cell)) == bit.piece
            assert there == bool(value)


def seven(board):
    """The seven numbers, counted on the twin's board."""
    count = {kind: sum(piece == kind for piece in board.values()) for kind in "bBwW"}
    own = {cell: piece for cell, piece in board.items() if piece in "bB"}
    opponent = {cell: piece for cell, piece in board.items() if piece in "wW"}

    def centre(pieces):
        weights = [(cell[0] + 1, 2 if piece.isupper() else 1) for cell, piece in pieces.items()]
        total = sum(weight for _, weight in weights)
        return sum(row * weight for row, weight in weights) // total if total else 0

    edges = sum(cell[1] in (0, 7) for cell in own)
    return [count["b"], count["w"], count["B"], count["W"], edges, centre(own), centre(opponent)]


def test_the_seven_numbers():
    positions = [
        *random_positions(5, N),
        Checkers().start(),
        ENDLESS.read_position("B:W:B1,5"),
        ENDLESS.read_position("B:WK1,K32:B"),
    ]
    numbers = e.measures(e.board_words(positions))
    assert numbers.tolist() == [seven(as_naive(position)) for position in positions]
    assert numbers[N].tolist() == [12, 12, 0, 0, 3, 2, 7]


def test_the_seven_numbers_as_bits():
    numbers = e.measures(e.board_words(random_positions(6, N)))
    digits, levels = e.digits(numbers), e.levels(numbers)
    assert digits.shape == (N, len(e.DIGIT_BITS)) == (N, 28)
    assert levels.shape == (N, len(e.LEVEL_BITS)) == (N, 72)
    assert np.array_equal((digits.reshape(N, 7, 4) * [1, 2, 4, 8]).sum(axis=2), numbers)
    for row, number in zip(levels, numbers, strict=True):
        for bit, value in zip(e.LEVEL_BITS, row, strict=True):
            name, level = bit.name.split(": ")
            n = [measure for measure, _ in e.MEASURES].index(name)
            assert bool(value) == (number[n] >= int(level.split()[0]))
    for turn in (False, True, np.arange(N) % 3 == 0):
        boards = e.board_words(random_positions(6, N))
        numbers = e.measures(boards, turn)
        for packed, bits in (
            (e.packed_digits(boards, turn), e.digits(numbers)),
            (e.packed_levels(boards, turn), e.levels(numbers)),
        ):
            rows = e.unpacked(packed)
            assert np.array_equal(rows[:, : bits.shape[1]], bits)
            assert not rows[:, bits.shape[1] :].any()
    assert e.DIGIT_BITS[3].name == "own men: digit 8"
    assert (numbers <= [most for _, most in e.MEASURES]).all()


def test_copies_from_the_other_side():
    positions = random_positions(7, 9)
    boards = e.board_words(positions)
    results, mirrored = np.arange(9), np.arange(9)[::-1]
    rows, both = e.with_turned(boards, results, mirrored)
    assert np.array_equal(e.unpacked(rows[:9]), e.encode(Checkers(), positions))
    assert np.array_equal(e.unpacked(rows[9:]), e.encode(Checkers(), map(exchanged, positions)))
    assert both.tolist() == [*results, *mirrored]
    with pytest.raises(ValueError, match="9 boards need as many results and mirrored results"):
        e.with_turned(boards, results[1:], mirrored)


def test_decoding_gives_the_position_back():
    for position in random_positions(8, N):
        again = ENDLESS.decode(e.encode(Checkers(), [position])[0], position.to_move)
        assert again == position


@pytest.mark.parametrize(
    ("bits", "to_move", "message"),
    [
        ([0], "red", "to_move='red' must be one of 'black', 'white'"),
        ([], "black", "no piece on the board"),
        ([0, 32], "black", "1 holds two pieces at once"),
        ([13, 64 + 13], "black", "14 holds two pieces at once"),
        ([31], "black", "a black man cannot stand on 32"),
        ([64], "white", "a white man cannot stand on 1"),
        (range(13), "white", "black has 13 pieces"),
    ],
)
def test_rows_that_show_no_board(bits, to_move, message):
    row = np.zeros(128, np.uint8)
    row[list(bits)] = 1
    with pytest.raises(ValueError, match=message):
        Checkers().decode(row, to_move)


@pytest.mark.parametrize("row", [np.zeros(127, np.uint8), np.full(128, 2), np.zeros((2, 128))])
def test_rows_of_another_kind(row):
    with pytest.raises(ValueError, match="A board of checkers is 128 bits, 0 or 1"):
        Checkers().decode(row, "black")


def test_arrays_of_another_kind():
    boards = e.board_words(random_positions(9, 4))
    for wrong in (boards[:, :2], boards[0], boards.astype(np.int64)):
        with pytest.raises(ValueError, match="An array of boards is n x 3 of uint64"):
            e.packed_squares(wrong)
    with pytest.raises(ValueError, match=r"one for each of the 4 boards; here it has .* \(3,\)"):
        e.packed_squares(boards, [True, False, True])


def test_arrays_in_any_memory():
    boards = e.board_words(random_positions(10, 6))
    expected = e.packed_squares(boards)
    frozen = boards.copy()
    frozen.flags.writeable = False
    for same in (frozen, np.asfortranarray(boards), np.repeat(boards, 2, axis=0)[::2]):
        assert np.array_equal(e.packed_squares(same), expected)
    assert e.packed_squares(boards[:0]).shape == (0, 2)
    assert e.unpacked(e.packed_cells(boards[:0])).shape == (0, 256)


def test_squares_are_where_the_twin_has_them():
    for square in range(1, 33):
        position = ENDLESS.read_position(f"B:W:BK{square}")
        assert as_naive(position) == {naive.CELL[square]: "B"}


def test_boards_from_rows_of_bits():
    positions = random_positions(11, N)
    rows = e.encode(Checkers(), positions)
    assert (e.words_of_rows(rows) == e.board_words(positions)).all()
    assert e.words_of_rows(rows[:0]).shape == (0, 3)
    for wrong in (rows[:, :127], rows[0], rows + 1):
        with pytest.raises(ValueError, match="rows of 128 bits"):
            e.words_of_rows(wrong)
