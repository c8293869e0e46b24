"""Bits that look ahead: each is true just when its sentence is, by a search of every line."""

import functools
import random
import re

import numpy as np
import pytest
from checkers_boards import ENDLESS, as_naive, random_position, random_positions
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.games.checkers import board_features
from clauseboard.games.checkers.encoding import board_words
from clauseboard.games.checkers.rules import turned
from clauseboard.kernels.compiler import JIT_DISABLED
from naive import checkers as naive

FEW = settings(max_examples=3 if JIT_DISABLED else 25)
SEED = st.integers(0, 2**32)


def worth(board, side):
    """What a side has more than the other, in men."""
    each = {"b": 1.0, "B": 1.5, "w": 1.0, "W": 1.5}
    return sum(each[p] * (1 if naive.colour(p) == side else -1) for p in board.values())


def outlook(board, side, depth):
    """What a side to move comes out ahead by: every line to the end of its exchanges."""
    moves = naive.moves(board, side)
    if not moves:
        return -np.inf if depth > 0 else worth(board, side)
    if depth <= 0 and not moves[0][1]:
        return worth(board, side)
    other = naive.other(side)
    return max(-outlook(naive.play(board, move), other, depth - 1) for move in moves)


@functools.lru_cache(20)
def outlook_of(items, side, depth):
    """The same, remembered: many sentences ask for it."""
    return outlook(dict(items), side, depth)


def is_true(board, sentence):
    """Read a sentence and look."""
    side, told = sentence.split(", to move, comes out ")
    depth = re.search(r"within (\d+) moves", told)
    found = outlook_of(tuple(board.items()), side, int(depth[1]) if depth else 0)
    number = re.match(r"(at most )?(\d*)(½?)", told)
    men = int(number[2] or 0) + (0.5 if number[3] else 0.0)
    return found >= (-men if number[1] else men)


def check(position, depths):
    board = as_naive(position)
    seen = board_features.lookahead_columns(board_words([position]), depths=depths)[0]
    for name, bit in zip(board_features.lookahead_names(depths), seen, strict=True):
        assert is_true(board, name) == bool(bit), f"{name}\n{position}"


@FEW
@given(SEED)
def test_each_bit_says_what_comes_of_thrown_boards(seed):
    check(random_position(random.Random(seed), most=2), (0, 1, 2))


@FEW
@given(SEED, st.integers(0, 60))
def test_each_bit_says_what_comes_of_boards_in_random_games(seed, n_moves):
    rng = random.Random(seed)
    position = ENDLESS.start()
    for _ in range(n_moves):
        if moves := position.moves():
            position = position.play(rng.choice(moves))
    check(position, (0, 2))


@FEW
@given(SEED)
def test_a_board_seen_from_white_is_the_board_turned(seed):
    positions = random_positions(seed, 4, most=4)
    boards = board_words(positions)
    other = np.array(
        [[turned(p.white), turned(p.black), turned(p.kings)] for p in positions], np.uint64
    )
    seen = board_features.lookahead_columns(boards, True, (0, 2))
    assert (seen == board_features.lookahead_columns(other, False, (0, 2))).all()
    turns = np.arange(4) % 2 == 1
    mixed = np.where(turns[:, None], seen, board_features.lookahead_columns(boards, depths=(0, 2)))
    assert (board_features.lookahead_columns(boards, turns, (0, 2)) == mixed).all()


@pytest.mark.parametrize("depths", [(), (0,), (0, 2, 4, 6)])
def test_there_is_a_name_for_each_column(depths):
    names = board_features.lookahead_names(depths)
    assert len(set(names)) == len(names) == 2 * len(board_features.LEVELS) * len(depths)
    boards = board_words(random_positions(3, 3, most=2))
    assert board_features.lookahead_columns(boards, depths=depths).shape == (3, len(names))


def test_names_are_sentences():
    names = board_features.lookahead_names((0, 4))
    assert "black, to move, comes out not behind by jumps" in names
    assert "white, to move, comes out 1½ or more ahead within 4 moves" in names
    assert "white, to move, comes out at most ½ behind within 4 moves" in names


@pytest.mark.parametrize("depth", [-1, 11, 2.0, True, "2"])
def test_what_is_no_number_of_moves_is_refused(depth):
    with pytest.raises(ValueError, match="must be an integer from 0 to 10"):
        board_features.lookahead_columns(np.zeros((0, 3), np.uint64), depths=(2, depth))
    with pytest.raises(ValueError, match="must be an integer"):
        board_features.lookahead_names((depth,))
