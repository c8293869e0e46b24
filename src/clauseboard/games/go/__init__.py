"""Go, from 2×2 to 19×19."""

from clauseboard.games.go.rules import PASS, Go, GoMove, GoPosition

GAME = Go

__all__ = ["GAME", "PASS", "Go", "GoMove", "GoPosition"]
