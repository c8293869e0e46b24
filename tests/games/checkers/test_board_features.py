"""Named bits: each is true just when its sentence is, by a twin that reads the sentence."""

import random

import numpy as np
import pytest
from checkers_boards import ENDLESS, as_naive, random_position, random_positions
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.games.checkers import Checkers, board_features
from clauseboard.games.checkers.board_features import N_MEASURES, N_NUMBERS, half_turned
from clauseboard.games.checkers.encoding import board_words
from clauseboard.games.checkers.rules import turned
from clauseboard.kernels.compiler import JIT_DISABLED
from naive import checkers_knowledge as naive

FEW = settings(max_examples=5 if JIT_DISABLED else 60)
SEED = st.integers(0, 2**32)


def check(position):
    board = as_naive(position)
    seen = board_features.columns(board_words([position]))[0]
    for name, bit in zip(board_features.names(ENDLESS), seen, strict=True):
        assert naive.is_true(board, name) == bool(bit), f"{name}\n{position}"


@FEW
@given(SEED)
def test_each_bit_says_what_is_so_on_thrown_boards(seed):
    check(random_position(random.Random(seed)))


@FEW
@given(SEED, st.integers(0, 120))
def test_each_bit_says_what_is_so_in_random_games(seed, n_moves):
    rng = random.Random(seed)
    position = ENDLESS.start()
    for _ in range(n_moves):
        moves = position.moves()
        if not moves:
            break
        position = position.play(rng.choice(moves))
    check(position)


@pytest.mark.parametrize("text", ["B:W18:BK15", "W:WK1:BK32", "B:W22,18,15,11:B1", "W:W:B7,K32"])
def test_each_bit_says_what_is_so_on_bare_boards(text):
    check(ENDLESS.read_position(text))


def test_names_are_distinct_and_tell_of_the_whole_board():
    names = board_features.names(Checkers())
    assert len(set(names)) == len(names) == len(board_features.BITS)
    assert all(bit.cell is None for bit in board_features.BITS)
    for known in (
        "black has 1 man or more",
        "white has 2 kings or more",
        "black is 2 or more ahead in men",
        "black is not behind in safe steps",
        "black is at most 1 behind in kings",
        "white would have the move, if it were to move",
    ):
        assert known in names


def test_the_table_fits_the_kernels():
    assert len(board_features.MEASURES) == N_MEASURES
    assert board_features.LADDERS.shape == (N_NUMBERS, 4)
    assert board_features.LADDERS[:, 1].sum() == len(board_features.BITS)
    assert all(measure.by in (1, 2) for measure in board_features.MEASURES)


@FEW
@given(SEED)
def test_a_board_seen_from_white_is_the_board_turned(seed):
    positions = random_positions(seed, 8)
    boards = board_words(positions)
    other = np.array(
        [[turned(p.white), turned(p.black), turned(p.kings)] for p in positions], np.uint64
    )
    assert (board_features.columns(boards, turn=True) == board_features.columns(other)).all()
    turns = np.arange(8) % 2 == 1
    mixed = np.where(turns[:, None], board_features.columns(other), board_features.columns(boards))
    assert (board_features.columns(boards, turns) == mixed).all()
    assert [int(half_turned(word)) for word in boards[:, 1]] == other[:, 0].tolist()


def test_packed_bits_are_those_that_numpy_packs():
    boards = board_words(random_positions(5, 20))
    packed = board_features.packed(boards)
    rows = np.packbits(board_features.columns(boards), axis=1, bitorder="little")
    assert (packed.view(np.uint8)[:, : rows.shape[1]] == rows).all()
    assert (packed.view(np.uint8)[:, rows.shape[1] :] == 0).all()


def test_no_boards_have_no_rows():
    assert board_features.columns(np.zeros((0, 3), np.uint64)).shape == (
        0,
        len(board_features.BITS),
    )


def test_what_is_no_array_of_boards_is_refused():
    with pytest.raises(ValueError, match="n x 3 of uint64"):
        board_features.columns(np.zeros((2, 4), np.uint64))
    with pytest.raises(ValueError, match="one for each of the 2 boards"):
        board_features.columns(np.zeros((2, 3), np.uint64), turn=[True, False, True])
