"""Lets the tests of checkers share `checkers_boards.py`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
