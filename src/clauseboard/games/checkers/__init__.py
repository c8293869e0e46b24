"""American checkers: rules, notation, bits and pictures."""

from clauseboard.games.checkers.drawing import clause_text
from clauseboard.games.checkers.rules import Checkers, CheckersMove, CheckersPosition

GAME = Checkers

__all__ = ["GAME", "Checkers", "CheckersMove", "CheckersPosition", "clause_text"]
