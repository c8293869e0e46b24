"""Lets the tests of the loop share `small_lives.py`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
