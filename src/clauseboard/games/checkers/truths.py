"""The truth about checkers positions of few pieces, from the endgame tables; see `games.truths`."""

from __future__ import annotations

from collections.abc import Sequence

from clauseboard.games.checkers import endgames
from clauseboard.games.checkers.rules import Checkers, CheckersPosition
from clauseboard.games.checkers.solving import PIECES, _kept_tables
from clauseboard.games.truths import Truth

QUICK = True


def truths(game: Checkers, positions: Sequence[CheckersPosition]) -> list[Truth | None]:
    """Who wins where there are up to four pieces; draws by counting are not looked at."""
    if game.blocked != "loss":
        return [None] * len(positions)
    tables = _kept_tables(PIECES, endgames.tables_folder())
    found: list[Truth | None] = []
    for position in positions:
        verdict = tables.probe(position)
        if verdict is None:
            found.append(None)
        else:
            other = game.other(position.to_move)
            found.append(Truth({1: position.to_move, 0: None, -1: other}[verdict.value]))
    return found
