"""What the tests of the loop share: a run of a few small rounds, on a small board."""

from clauseboard.game import load_game
from clauseboard.selfplay.games import LearningStore
from clauseboard.selfplay.running import SelfPlayRun
from clauseboard.selfplay.settings import settings_for

HEX = load_game("hex", size=3)
SMALL = {
    "begin": "random",
    "search": "mcts,simulations=20",
    "games": 10,
    "match_games": 6,
    "n_clauses": 20,
    "kept": 40,
    "epochs": 1,
    "random_moves": 2,
    "move_clauses": 4,
    "move_epochs": 1,
    "moves_kept": 100,
}


def small_run(path, game=HEX, **changes):
    return SelfPlayRun(game, settings_for(game, {**SMALL, **changes}), LearningStore(path))
