"""What the tests of alpha-beta share: judges, as data and as plain functions; and boards."""

import random

import numpy as np
import pytest

from clauseboard.evaluation import BitEvaluator, Compiled, Evaluator, Judgements, linear, network
from clauseboard.game import load_game
from clauseboard.games.checkers import Checkers, CheckersPosition
from clauseboard.games.checkers.rules import BLACK, CROWNS, SQUARES, WHITE, WORD
from clauseboard.kernels.clause_table import TILE_WORDS, fill_table
from clauseboard.kernels.compiler import JIT_DISABLED

ROUNDING = 1e-6
N = 9 if JIT_DISABLED else 60
TABLES = not JIT_DISABLED
"""Endgame tables take hours to make without the compiler."""


# ------------------------------------------------------------------ evaluators


class Bits(BitEvaluator):
    """An evaluator that is data, beside a plain function of the bits that says the same."""

    def __init__(self, game, compiled, value, hidden=False):
        self.game, self.data, self.value, self.hidden = game, compiled, value, hidden
        self.view = compiled.view

    def judge_bits(self, bits, sides):
        rows = np.unpackbits(bits, axis=1, bitorder="little")[:, : len(self.game.bits())]
        values = np.clip([self.value(row) for row in rows], -1, 1)
        return Judgements(np.where(sides == 1, -values, values) if self.view == "board" else values)

    def compiled(self):
        return None if self.hidden else (self.data, self.data)


def weighted(game, seed, view="board", hidden=False):
    weights = np.random.default_rng(seed).normal(0, 0.1, len(game.bits()))
    return Bits(game, linear(weights, view=view), lambda row: row @ weights, hidden)


def hashing(game, seed, hidden=False):
    """A network of large random weights: boards that differ in one piece have unlike values."""
    rng = np.random.default_rng(seed)
    hidden_layer, bias = rng.normal(0, 5, (len(game.bits()), 8)), rng.normal(0, 5, 8)
    out = rng.normal(0, 1, 8)

    def sigmoid(x):
        return 1 / (1 + np.exp(-x))

    def value(row):
        return 2 * sigmoid(sigmoid(row @ hidden_layer + bias) @ out + 0.1) - 1

    return Bits(game, network(hidden_layer, bias, out, 0.1, view="mover"), value, hidden)


def voting(game, seed, hidden=False):
    """Clauses of three literals each, most of them negated ones."""
    n_bits, n_clauses = len(game.bits()), 70
    rng = np.random.default_rng(seed)
    clauses = [
        rng.choice(n_bits, 3, replace=False) + n_bits * (rng.random(3) < 0.8)
        for _ in range(n_clauses)
    ]
    weights = rng.integers(-30, 31, n_clauses)
    include = np.zeros((n_clauses, -(-2 * n_bits // 64)), np.uint64)
    for n, clause in enumerate(clauses):
        for literal in clause:
            include[n, literal // 64] |= np.uint64(1) << np.uint64(literal % 64)
    table = np.zeros((1, 16 * -(-n_bits // 4), TILE_WORDS), np.uint64)
    out = np.full((1, 1, TILE_WORDS), ~np.uint64(0))
    fill_table(include, np.arange(n_clauses), n_bits, table, out)
    places = np.zeros(64 * TILE_WORDS, np.int64)
    places[:n_clauses] = weights
    owners = np.zeros(TILE_WORDS, np.int64)
    data = Compiled(
        Compiled.CLAUSES, scale=300, offset=7, table=table, out=out, weights=places, owners=owners
    )

    def value(row):
        literals = np.concatenate([row, 1 - row])
        return (
            sum(w for c, w in zip(clauses, weights, strict=True) if literals[c].all()) - 7
        ) / 300

    return Bits(game, data, value, hidden)


KINDS = {"linear": weighted, "network": hashing, "clauses": voting}


class Material(Evaluator):
    """A plain function of positions."""

    def __init__(self, game):
        self.game = game

    def judge(self, positions):
        return Judgements(np.array([self.one(position) for position in positions]))

    @staticmethod
    def one(position):
        black, white = position.black.bit_count(), position.white.bit_count()
        balance = (black - white) / 24
        return balance if position.to_move == BLACK else -balance


# ------------------------------------------------------------------ positions


def thrown(rng, most, game):
    """A few pieces thrown on the board, in a game that goes on."""
    while True:
        words, kings = {BLACK: 0, WHITE: 0}, 0
        for n, square in enumerate(rng.sample(list(SQUARES), rng.randint(2, 2 * most))):
            colour = (BLACK, WHITE)[n % 2]
            words[colour] |= WORD[square]
            if WORD[square] & CROWNS[colour] or rng.random() < 0.4:
                kings |= WORD[square]
        to_move = rng.choice((BLACK, WHITE))
        position = CheckersPosition(game, words[BLACK], words[WHITE], kings, to_move)
        if position.outcome() is None:
            return position


def positions(seed, count, most=4, game=None, plies=6):
    """Positions that came about by some moves, so that boards can come up again."""
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        position = thrown(rng, most, game or Checkers())
        for _ in range(rng.randrange(plies + 1)):
            if position.outcome() is None:
                position = position.play(rng.choice(position.moves()))
        if position.outcome() is None:
            found.append(position)
    return found


def hex_positions(seed, count, size=3):
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        position = load_game("hex", size=size).start()
        for _ in range(rng.randrange(size * size - 3)):
            if position.outcome() is None:
                position = position.play(rng.choice(position.moves()))
        if position.outcome() is None:
            found.append(position)
    return found


def judged(evaluator):
    return lambda position: float(evaluator.judge([position]).values[0])


def assert_same(choice, expected):
    """The choice is the best of the expected scores, and its value is the same."""
    best = max(expected.values())
    assert expected[choice.move] == pytest.approx(best, abs=ROUNDING)
    assert choice.value == pytest.approx(min(max(best, -1), 1), abs=ROUNDING)
    assert choice.candidates[0].move == choice.move == choice.line[0]
    for candidate in choice.candidates:
        # Exact, or what the move cannot be better than.
        assert candidate.value >= min(max(expected[candidate.move], -1), 1) - ROUNDING
        assert candidate.value <= choice.value
