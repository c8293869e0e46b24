"""What the tests of the loop share: a life of a few small rounds, on a small board."""

from clauseboard.game import load_game
from clauseboard.selfplay.plan import plan_for
from clauseboard.selfplay.running import Life
from clauseboard.selfplay.store import LearningStore

HEX = load_game("hex", size=3)
SMALL = {
    "begin": "random",
    "search": "mcts,simulations=20",
    "games": 10,
    "match_games": 6,
    "n_clauses": 20,
    "kept": 40,
    "epochs": 1,
    "drawn": 2,
    "move_clauses": 4,
    "move_epochs": 1,
    "moves_kept": 100,
}


def life_in(path, game=HEX, **changes):
    return Life(game, plan_for(game, {**SMALL, **changes}), LearningStore(path))
