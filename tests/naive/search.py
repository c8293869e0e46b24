"""Searches written down plainly, one position after the other: slow twins of those by batches.

Also made-up evaluators to search with, and a made-up game whose positions are nested lists.
"""

import random
from fractions import Fraction

import numpy as np

from clauseboard.evaluation import BitEvaluator, Evaluator, Judgements
from clauseboard.game import Outcome, load_game

# ---- positions

GAMES = {
    "hex": {"size": 3},
    "hex with swap": {"size": 3, "swap": True},
    "go": {"size": 2, "max_moves": 9, "komi": 0.0},
    "go on 3 lines": {"size": 3, "max_moves": 12},
    "checkers": {"max_moves": 60},
}
"""Games with small trees, among them all ways to end; the first word is the name of the game."""


def position_of(name, seed):
    """A position of a random game in which it goes on."""
    game = load_game(name.split()[0], **GAMES[name])
    rng = random.Random(seed)
    position, positions = game.start(), []
    while position.moves():
        positions.append(position)
        position = position.play(rng.choice(position.moves()))
    return rng.choice(positions)


def replayed(position, moves):
    for move in moves:
        position = position.play(move)
    return position


# ---- evaluators


class MadeUp(BitEvaluator):
    """Votes that hang on every byte of a board, and on whose turn it is, in no sensible way.

    `winners` are columns: 0 and 1 for the game's colours, None for a draw. With a small `spread`
    many boards have equal votes.
    """

    def __init__(self, game, view="board", winners=(0, None, 1), spread=1000, seed=0):
        self.game, self.view, self.spread = game, view, spread
        self.winners = tuple(None if w is None else game.colours[w] for w in winners)
        rng = np.random.default_rng(seed)
        n_bytes = -(-len(game.bits()) // 8)
        self.table = rng.integers(-spread, spread + 1, size=(2, n_bytes, 256, len(winners)))

    def judge_bits(self, bits, sides):
        votes = self.table[sides[:, None], np.arange(bits.shape[1]), bits].sum(axis=1)
        votes = votes.astype(np.int64)
        first = Judgements(np.zeros(len(votes)), votes, self.winners).margins(self.game.colours[0])
        values = np.clip(first / (2 * self.spread * bits.shape[1]), -1, 1)
        return Judgements(np.where(sides == 0, values, -values), votes, self.winners)


class ByPositions(Evaluator):
    """The same evaluator, as one that can be asked by positions only."""

    def __init__(self, inner):
        self.inner, self.game = inner, inner.game

    def judge(self, positions):
        return self.inner.judge(positions)


class ValuesOnly(BitEvaluator):
    """The same evaluator without its votes."""

    def __init__(self, inner):
        self.inner, self.game, self.view = inner, inner.game, inner.view

    def judge_bits(self, bits, sides):
        return Judgements(self.inner.judge_bits(bits, sides).values)


# ---- a game of nested lists


class Tree:
    """A game of two sides, "us" and "them", in which everything is written in the position."""

    name, colours = "tree", ("us", "them")

    def other(self, colour):
        return "them" if colour == "us" else "us"


class Node:
    """A position: a list of what follows, a text for how the game ended, or a number.

    A number is what the evaluator says of the board, for "us"; the game goes on there.
    """

    def __init__(self, what, to_move="us"):
        self.what, self.to_move, self.game = what, to_move, Tree()

    def moves(self):
        if isinstance(self.what, list):
            return tuple(range(len(self.what)))
        return () if isinstance(self.what, str) else (0,)

    def play(self, move):
        below = self.what[move] if isinstance(self.what, list) else self.what
        return Node(below, self.game.other(self.to_move))

    def outcome(self):
        if not isinstance(self.what, str):
            return None
        return Outcome(None if self.what == "draw" else self.what, "it is written so")


class Written(Evaluator):
    """Says what is written: a value, or votes of us, nobody, them if it is a tuple of three."""

    game = Tree()

    def judge(self, positions):
        said = [p.what if isinstance(p.what, int | float | tuple) else 0 for p in positions]
        if any(isinstance(s, tuple) for s in said):
            votes = np.array([s if isinstance(s, tuple) else (0, 0, 0) for s in said], np.int64)
            values = (votes[:, 0] - votes[:, 2]) / 1000
            winners = ("us", None, "them")
        else:
            votes, values, winners = None, np.array(said, float), ()
        signs = [1 if p.to_move == "us" else -1 for p in positions]
        return Judgements(values * signs, votes, winners)


# ---- what an evaluator says of one position


def votes_on(evaluator, position):
    """The end that is predicted (a colour, or None for a draw), and the votes for it."""
    judged = evaluator.judge([position])
    counted = dict(zip(judged.winners, judged.votes[0].tolist(), strict=True))
    predicted = max(counted, key=counted.get)
    return predicted, counted[predicted]


def value_for(evaluator, position, colour):
    value = float(evaluator.judge([position]).values[0])
    return value if position.to_move == colour else -value


def score_for(evaluator, position, colour):
    """Votes for a win less votes for a loss; the value, if there are no votes."""
    judged = evaluator.judge([position])
    if judged.votes is None:
        return value_for(evaluator, position, colour)
    counted = dict(zip(judged.winners, judged.votes[0].tolist(), strict=True))
    other = position.game.other(colour)
    return counted.get(colour, 0) - counted.get(other, 0)


# ---- breadth first


def class_score(evaluator, position, colour):
    if evaluator.judge([position]).votes is None:
        value = value_for(evaluator, position, colour)
        return Fraction(1 if value > 0 else 0) if value else Fraction(1, 2)
    predicted, _ = votes_on(evaluator, position)
    return Fraction(1, 2) if predicted is None else Fraction(int(predicted == colour))


def confident_score(evaluator, position, colour):
    return (1 + Fraction(value_for(evaluator, position, colour))) / 2


def averages(position, evaluator, depth=3, forced=(9, -9), leaf=class_score, sees_last_end=True):
    """The averaged score of every move, as a fraction."""
    us = position.to_move

    def score(board, left):
        end = board.outcome()
        if end is not None and (left or sees_last_end):
            if end.winner is None:
                return Fraction(1, 2)
            return Fraction(forced[0] if end.winner == us else forced[1])
        if left == 0:
            return leaf(evaluator, board, us)
        below = [score(board.play(move), left - 1) for move in board.moves()]
        return sum(below) / len(below)

    return [score(position.play(move), depth - 1) for move in position.moves()]


# ---- the top board

LOST, OPEN, WON = -1, 0, 1


def won(moves):
    """A sure win: the sooner the better."""
    return (WON, -moves)


def lost(moves):
    """A sure loss: the later the better."""
    return (LOST, moves)


def joined(found, is_ours):
    """What is known of a board by what is known of all that follow."""
    if is_ours:
        return max(found)
    if any(state == LOST for state, _ in found):
        return min(found)
    undecided = [entry for entry in found if entry[0] == OPEN]
    return max(undecided) if undecided else min(found)


def top_boards(position, evaluator, depth=3, sees_end=True):
    """For every move what it leads to: (LOST, moves), (OPEN, score) or (WON, -moves)."""
    us = position.to_move

    def look(board, played):
        end = board.outcome()
        if end is not None and sees_end:
            if end.winner is None:
                return (OPEN, 0)
            return won(played) if end.winner == us else lost(played)
        if end is not None or played == depth:
            return (OPEN, score_for(evaluator, board, us))
        found = [look(board.play(move), played + 1) for move in board.moves()]
        return joined(found, board.to_move == us)

    return [look(position.play(move), 1) for move in position.moves()]


def all_paths(position, depth):
    """Every line of moves up to a depth or the end of the game, and where it leads."""
    lines, done = [((), position)], []
    for _ in range(depth):
        further = []
        for path, board in lines:
            if board.outcome() is not None:
                done.append((path, board))
            else:
                further += [((*path, move), board.play(move)) for move in board.moves()]
        lines = further
    return done + lines


# ---- width and depth


def preferred(boards, evaluator, colour, width):
    """The boards that a side likes best: lists by what is predicted, each of them in order."""
    lists = {name: [] for name in ("won", "win", "drawn", "draw", "loss", "lost")}
    for number, board in enumerate(boards):
        end = board.outcome()
        if end is not None:
            kind = "drawn" if end.winner is None else "won" if end.winner == colour else "lost"
            lists[kind].append((0, number))
        else:
            predicted, votes = votes_on(evaluator, board)
            kind = "draw" if predicted is None else "win" if predicted == colour else "loss"
            lists[kind].append((votes if kind == "loss" else -votes, number))
    ordered = [number for entries in lists.values() for _, number in sorted(entries)]
    return ordered[:width]


def widths_and_depths(position, evaluator, width, depth):
    """For the best moves: what each leads to, and how many boards the tree has below it.

    An undecided board is told by how it is predicted, and by the votes for that.
    """
    us = position.to_move

    def standing(board):
        if board.outcome() is not None:
            return (OPEN, (0, 1, 0))  # a draw
        predicted, votes = votes_on(evaluator, board)
        if predicted is None:
            return (OPEN, (0, 0, votes))
        return (OPEN, (1, 0, votes) if predicted == us else (-1, 0, -votes))

    def look(board, played):
        end = board.outcome()
        if end is not None and end.winner is not None:
            return (won(played) if end.winner == us else lost(played)), 1
        if end is not None or played == depth:
            return standing(board), 1
        found = list(grow(board, played).values())
        return (
            joined([entry for entry, _ in found], board.to_move == us),
            1 + sum(count for _, count in found),
        )

    def grow(board, played):
        moves = board.moves()
        below = [board.play(move) for move in moves]
        chosen = preferred(below, evaluator, board.to_move, width)
        return {moves[number]: look(below[number], played + 1) for number in chosen}

    return grow(position, 0)
