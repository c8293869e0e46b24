"""Self-play learns the same on a GPU as on the CPU: machines, moves and patterns, bit for bit."""

import dataclasses

import numpy as np
import pytest

from clauseboard.game import load_game
from clauseboard.selfplay.find_clauses import move_machine, value_machine
from clauseboard.selfplay.games import LearningStore
from clauseboard.selfplay.running import SelfPlayRun, run
from clauseboard.selfplay.settings import MachineSettings, settings_for
from clauseboard.selfplay.training_set import TrainingSet

pytestmark = pytest.mark.gpu

NAMES = [f"bit {k}" for k in range(8)]
SMALL = MachineSettings(
    n_clauses=60, kept=50, epochs=3, penalty=0.5, move_clauses=10, moves_kept=60, move_epochs=2
)
HEX = load_game("hex", size=4)
RUN = {
    "begin": "random",
    "search": "mcts,simulations=20",
    "games": 12,
    "match_games": 4,
    "n_clauses": 40,
    "kept": 60,
    "epochs": 2,
    "random_moves": 2,
    "move_clauses": 6,
    "move_epochs": 2,
    "moves_kept": 100,
}


def boards():
    """Boards with values between win and loss, and some with two good moves."""
    draws = np.random.default_rng(0)
    rows = draws.integers(2, size=(700, 8)).astype(np.uint8)
    values = np.where(rows[:, 0] ^ rows[:, 1], 0.8, -0.7) * draws.random(700)
    moves = rows[:, 2] + 2 * rows[:, 3].astype(np.int64)
    good = np.eye(4, dtype=bool)[moves]
    good[::3, 1] = True
    return TrainingSet(rows, values, moves, np.arange(700), good)


@pytest.mark.parametrize("second", [0, 4])
def test_machines_have_the_same_clauses_and_weights(second):
    for make in (value_machine, move_machine):
        here, there = (
            make(boards(), NAMES, dataclasses.replace(SMALL, second_literals=second, device=device))
            for device in ("cpu", "gpu")
        )
        assert np.array_equal(here.banks_.automata, there.banks_.automata)
        assert np.array_equal(here.banks_.weights, there.banks_.weights)
        assert np.array_equal(here.classes_, there.classes_)


@pytest.mark.parametrize("changes", [{}, {"local_moves": True, "kept": 0, "move_clauses": 20}])
def test_a_run_keeps_the_same_games_and_machines(tmp_path, changes):
    runs = []
    for device in ("cpu", "gpu"):
        with LearningStore(tmp_path / device) as store:
            settings = settings_for(
                HEX, {**RUN, "search": "mcts,simulations=40,rollouts=1"} | changes
            )
            run(SelfPlayRun(HEX, settings, store).on(device, 1, None), rounds=2)
            games = [game.write() for game in store.games(1, 2)]
            matches = [[game.moves for game in store.match_games(n)] for n in (1, 2)]
            runs.append((games, matches, store.generations()))
    assert runs[0] == runs[1]
