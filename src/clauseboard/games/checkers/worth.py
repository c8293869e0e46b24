"""What pieces of checkers are worth, for who counts them."""

from __future__ import annotations

WORTH = {"man": 1.0, "king": 1.5}
