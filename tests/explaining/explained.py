"""What the tests of reasons share: judges of all games, boards to judge, and their explanations."""

import functools

from clauseboard.compiled import JIT_DISABLED
from clauseboard.learners.tsetlin.evaluator import MachineEvaluator
from naive.machines import played, small_game, small_machine, small_regressor

GAMES = ("checkers", "go", "hex")
MANY = 20 if JIT_DISABLED else 700


@functools.cache
def judge_of(name, view="board"):
    game = small_game(name)
    return MachineEvaluator(game, small_machine(game, view), view=view)


@functools.cache
def regressor_of(name):
    game = small_game(name)
    return MachineEvaluator(game, small_regressor(game))


@functools.cache
def boards_of(name, n=MANY):
    found = [position for position, _ in played(small_game(name))]
    return found[:: max(1, len(found) // n)][:n]


@functools.cache
def explanations_of(name, view="board", n=MANY):
    judge = judge_of(name, view)
    return [judge.explain(position) for position in boards_of(name, n)]


def totals(reasons):
    """Votes by end, added up the plain way."""
    found = {}
    for reason in reasons:
        found[reason.about] = found.get(reason.about, 0) + reason.votes
    return {end: votes for end, votes in found.items() if votes}


def without_zeros(votes):
    return {end: n for end, n in votes.items() if n}
