"""Small machines for tests of players, and their votes counted the slow way, by names of bits."""

import functools
import random

from clauseboard.game import load_game
from clauseboard.tsetlin import TsetlinMachineClassifier, TsetlinMachineRegressor

GAMES = {
    "checkers": {"max_moves": 60},
    "go": {"size": 4, "max_moves": 24},
    "hex": {"size": 4},
}


def small_game(name):
    return load_game(name, **GAMES[name])


@functools.cache
def played(game, n_games=60, seed=0):
    """Positions of random games, each with the winner of its game, None for a draw."""
    draw = random.Random(seed)
    found = []
    for _ in range(n_games):
        position, line = game.start(), []
        while position.outcome() is None:
            position = position.play(draw.choice(position.moves()))
            line.append(position)
        found += [(p, position.outcome().winner) for p in line]
    return found


@functools.cache
def small_machine(game, view="board", named=True, seed=0, n_clauses=30, **label):
    """A machine of winners' names; `label` gives other labels, as in first=1, second=0, draw=2."""
    boards = played(game)
    first = game.colours[0]
    labels = []
    for position, winner in boards:
        word = "draw" if winner is None else winner
        if view == "mover" and winner is not None:
            word = first if winner == position.to_move else game.other(first)
        names = {first: "first", game.other(first): "second", "draw": "draw"}
        labels.append(label[names[word]] if label else word)
    rows = game.encode([p for p, _ in boards], view=view)
    names = [bit.name for bit in game.bits()] if named else None
    machine = TsetlinMachineClassifier(
        n_clauses=n_clauses, threshold=50, specificity=4.0, epochs=2, random_state=seed
    )
    return machine.fit(rows, labels, bit_names=names)


@functools.cache
def small_regressor(game, lowest=-1.0, highest=1.0):
    """A machine of values for the first colour."""
    boards = played(game)
    middle = (lowest + highest) / 2
    worth = {game.colours[0]: highest, game.colours[1]: lowest, None: middle}
    machine = TsetlinMachineRegressor(n_clauses=40, epochs=2, random_state=0)
    return machine.fit(game.encode([p for p, _ in boards]), [worth[w] for _, w in boards])


def slow_votes(machine, class_, names_on_board):
    """The votes about a class on a board, given by the names of its bits that are set."""
    total = 0
    for clause in machine.clauses_of(class_):
        there = all(name in names_on_board for name in clause.required)
        if there and not any(name in names_on_board for name in clause.forbidden):
            total += clause.votes
    return total


def names_on(game, position, view="board"):
    row = game.encode([position], view=view)[0]
    return {bit.name for bit, there in zip(game.bits(), row, strict=True) if there}
