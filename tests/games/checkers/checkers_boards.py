"""Boards for the tests of checkers: random ones, and as the slow twin writes them."""

import random

import numpy as np

from clauseboard.games.checkers import Checkers, CheckersPosition
from clauseboard.games.checkers.rules import BLACK, CROWNS, SQUARES, WHITE, WORD
from naive import checkers as naive

ENDLESS = Checkers(quiet_moves=None, repetitions=None)
"""Rules under which a game ends only when a side cannot move."""

LETTER = {"black man": "b", "black king": "B", "white man": "w", "white king": "W"}


def as_naive(position):
    """The board of a position as the twin has it."""
    found = {naive.CELL[square]: position.piece_on(square) for square in SQUARES}
    return {cell: LETTER[piece] for cell, piece in found.items() if piece}


def from_naive(board, to_move, game=ENDLESS):
    """The position of a board of the twin."""
    words = {"b": 0, "w": 0, "k": 0}
    for cell, piece in board.items():
        word = WORD[naive.SQUARE[cell]]
        words[piece.lower()] |= word
        words["k"] |= word if piece.isupper() else 0
    return CheckersPosition(game, words["b"], words["w"], words["k"], to_move)


def random_position(rng, most=12, game=ENDLESS):
    """Pieces thrown on the board, many of them kings: full of chains and rings."""
    words = {BLACK: 0, WHITE: 0}
    kings = 0
    places = rng.sample(list(SQUARES), 24)
    for n in range(rng.randint(2, 2 * most)):
        colour = (BLACK, WHITE)[n % 2]
        word = WORD[places[n]]
        words[colour] |= word
        if word & CROWNS[colour] or rng.random() < 0.4:
            kings |= word
    return CheckersPosition(game, words[BLACK], words[WHITE], kings, rng.choice((BLACK, WHITE)))


def random_positions(seed, count, **options):
    rng = random.Random(seed)
    return [random_position(rng, **options) for _ in range(count)]


def words(position):
    """What the kernels take: three words and the side."""
    return (*(np.uint64(word) for word in position.board), int(position.to_move == WHITE))
