"""The kernels as plain Python: finds indices out of range, which compiled code does not check."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from clauseboard.kernels.compiler import JIT_DISABLED

HERE = Path(__file__).parent
FILES = [
    "kernels/test_bits.py",
    "kernels/test_simd.py",
    "tsetlin/test_kernels.py",
    "tsetlin/test_kernels_choices.py",
    "tsetlin/test_kernels_feedback.py",
    "tsetlin/test_kernels_machines.py",
    "tsetlin/test_inference.py",
    "tsetlin/test_packing.py",
    "datasets/test_folds.py",
    "games/test_squares.py",
    "games/checkers/test_encoding.py",
    "games/checkers/test_kernels.py",
    "games/checkers/test_board_features.py",
    "games/checkers/test_selfplay.py",
    "games/checkers/test_playouts.py",
    "games/go/test_shape_playouts.py",
    "games/go/test_encoding.py",
    "games/go/test_kernels.py",
    "games/hex/test_concepts.py",
    "games/hex/test_h_search.py",
    "games/hex/test_kernels.py",
    "learners/swarm/test_network.py",
    "learners/swarm/test_play.py",
    "search/test_alpha_beta.py",
    "search/test_alpha_beta_lines.py",
    "search/test_alpha_beta_promises.py",
    "search/test_move_features.py",
    "search/test_compiled_rules.py",
    "search/test_breadth_first.py",
    "search/test_full_width.py",
    "search/test_mcts.py",
    "search/test_mcts_concepts.py",
    "search/test_mcts_positions.py",
    "search/test_mcts_promises.py",
    "search/test_mcts_refused.py",
    "search/test_mcts_truth.py",
    "search/test_rave.py",
    "search/test_width_depth.py",
    "kernels/test_evaluators.py",
]


SLOW = (
    "time_is_up or alike_are_chosen or test_limits or again_and_again or slow_twin or "
    "played_out or depth_that_it_reached or are_the_textbook or forgetting_stops or "
    "ladder_with_an_escape or calls_won_is_won or feedback_from_one_board or what_players_say or "
    "shortest_paths_of_both or checkers_is_minimax or go_as_in_the_twin or test_large_boards or "
    "a_connection_has_decided or the_plan_of_the_other_one or has_won_and_plays_it_out"
)
"""Words in the names of tests that take seconds so; `make test-long` runs them, too."""


@pytest.mark.skipif(JIT_DISABLED, reason="the compiler is off already")
@pytest.mark.parametrize("which", ["most", pytest.param("all", marks=pytest.mark.long)])
def test_the_kernels_pass_their_tests_without_the_compiler(which):
    chosen = ["--examples", "few", "-k", f"not ({SLOW})"] if which == "most" else []
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-m", "not long", "-p", "no:cacheprovider"),
            *(*chosen, *FILES),
        ],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        cwd=HERE,
        capture_output=True,
        text=True,
        timeout=1800,
    )
    assert done.returncode == 0, done.stdout + done.stderr
