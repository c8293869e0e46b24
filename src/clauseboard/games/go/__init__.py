"""Go, from 2×2 to 19×19: rules, counting, records (SGF) and archives of them, bits and pictures."""

from clauseboard.games.go.drawing import clause_text
from clauseboard.games.go.records import GoRecord, read_archive, read_sgf, result_text, write_sgf
from clauseboard.games.go.rules import PASS, Go, GoMove, GoPosition
from clauseboard.games.go.scoring import Score, dead_by_playouts, playouts, score

GAME = Go

__all__ = [
    "GAME",
    "PASS",
    "Go",
    "GoMove",
    "GoPosition",
    "GoRecord",
    "Score",
    "clause_text",
    "dead_by_playouts",
    "playouts",
    "read_archive",
    "read_sgf",
    "result_text",
    "score",
    "write_sgf",
]
