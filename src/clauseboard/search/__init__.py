"""Searches: each takes any evaluator of any game. See `base` for what they share."""
