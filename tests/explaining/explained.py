"""What the tests of reasons share: judges of all games, boards to judge, and their explanations."""

import functools

import numpy as np

from clauseboard.kernels.compiler import JIT_DISABLED
from clauseboard.learners.tsetlin.board_evaluator import MachineEvaluator
from clauseboard.tsetlin import TsetlinMachineClassifier
from naive.machines import played, small_game, small_machine, small_regressor

GAMES = ("checkers", "go", "hex")
MANY = 20 if JIT_DISABLED else 700


KINDS = ("board", "mover", "two machines", "window", "other order", "inverted")
"""Ways in which a machine may judge: as it sees boards, two of them, with a window, and so on."""


@functools.cache
def judge_of(name, kind="board"):
    game = small_game(name)
    if kind == "two machines":
        first, second = small_machine(game), small_machine(game, seed=1)
        return MachineEvaluator(game, (first, second))
    if kind == "window":
        return MachineEvaluator(game, _windowed(game, _grid(game)))
    if kind == "other order":
        return MachineEvaluator(game, _windowed(game, np.random.default_rng(5).permutation))
    if kind == "inverted":
        return MachineEvaluator(game, small_machine(game), inverted=True, scale=77)
    return MachineEvaluator(game, small_machine(game, kind), view=kind)


def _grid(game):
    """Puts the bits of a board as rows × columns × planes, which a window needs."""
    planes = len(game.bits()) // len({bit.cell for bit in game.bits()})
    return lambda n_bits: np.arange(n_bits).reshape(planes, -1).T.ravel()


def _windowed(game, ordering):
    """A machine whose bits stand in an order of their own; with a window, if it is a grid's."""
    boards = played(game)
    order = ordering(len(game.bits()))
    planes = len(game.bits()) // len({bit.cell for bit in game.bits()})
    rows, columns = (8, 4) if game.name == "checkers" else (4, 4)
    assert rows * columns * planes == len(game.bits())
    gridded = np.array_equal(order, _grid(game)(len(order)))
    shape = {"board_shape": (rows, columns, planes), "window": (2, 2)} if gridded else {}
    machine = TsetlinMachineClassifier(
        n_clauses=30, threshold=50, specificity=4.0, epochs=2, random_state=2, **shape
    )
    labels = ["draw" if winner is None else winner for _, winner in boards]
    bits = game.encode([position for position, _ in boards])[:, order]
    return machine.fit(bits, labels, bit_names=[game.bits()[k].name for k in order])


@functools.cache
def regressor_of(name):
    game = small_game(name)
    return MachineEvaluator(game, small_regressor(game))


@functools.cache
def boards_of(name, n=MANY):
    found = [position for position, _ in played(small_game(name))]
    return found[:: max(1, len(found) // n)][:n]


@functools.cache
def explanations_of(name, kind="board"):
    """Of many boards as machines see them, and of some in the other ways."""
    judge = judge_of(name, kind)
    boards = boards_of(name) if kind in ("board", "mover") else boards_of(name)[::3]
    return [judge.explain(position) for position in boards]


def totals(reasons):
    """Votes by end, added up the plain way."""
    found = {}
    for reason in reasons:
        found[reason.about] = found.get(reason.about, 0) + reason.votes
    return {end: votes for end, votes in found.items() if votes}


def without_zeros(votes):
    return {end: n for end, n in votes.items() if n}
