"""Lets the tests of searches share `mcts_judges.py` and `alpha_beta_judges.py`."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
pytest.register_assert_rewrite("alpha_beta_judges")  # so that `assert_same` tells what differs
