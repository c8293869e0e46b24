"""Lets the tests of the arena share `arena_doubles.py`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
