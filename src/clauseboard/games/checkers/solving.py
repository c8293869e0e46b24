"""The truth about checkers positions of few pieces, from the endgame tables."""

from __future__ import annotations

import functools
import random
from collections.abc import Sequence
from pathlib import Path

from clauseboard.games.checkers import endgames
from clauseboard.games.checkers.endgames import EndgameTables, open_tables
from clauseboard.games.checkers.rules import Checkers, CheckersMove, CheckersPosition
from clauseboard.games.solving import Progress, Solution, Truth

PIECES = 4
"""The tables are made, in seconds, when they are first needed."""

LONGEST_LINE = 200


def check(game: Checkers) -> None:
    """Refuse a game with rules that the tables were not made for."""
    if game.blocked != "loss":
        raise ValueError(
            f"The endgame tables serve games with blocked='loss', not blocked={game.blocked!r}."
        )


def best_move(position: CheckersPosition, seed: int) -> tuple[CheckersMove, str | None] | None:
    """One of the best moves, and the winner; None where there are more pieces than in the tables.

    Draws by counting are not looked at.
    """
    tables = _kept_tables(PIECES, endgames.tables_folder())
    verdict = tables.probe(position)
    moves = tables.best_moves(position)
    if verdict is None or not moves:
        return None
    other = position.game.other(position.to_move)
    winner = {1: position.to_move, 0: None, -1: other}[verdict.value]
    return random.Random(seed).choice(moves), winner


@functools.lru_cache(maxsize=1)
def _kept_tables(pieces: int, folder: Path) -> EndgameTables:
    return open_tables(pieces, folder)


def solve(position: CheckersPosition, progress: Progress | None = None) -> Solution:
    """Who wins a position of up to four pieces; draws by counting are not looked at."""

    def tell(done: int, total: int) -> None:
        if progress is not None:
            progress(done / total)

    tables = open_tables(PIECES, progress=tell)
    verdict = tables.probe(position)
    if verdict is None:
        raise ValueError(
            f"{position.game.write_position(position)!r} has more than {PIECES} pieces; the truth "
            f"is known of boards with up to {PIECES}."
        )
    game = position.game
    winner = None
    if verdict.value:
        winner = position.to_move if verdict.value > 0 else game.other(position.to_move)
    good: list[CheckersMove] = []
    if verdict.value >= 0:
        for move in position.possible_moves:
            after = tables.probe(position.after(move))
            if after is not None and after.value == -verdict.value:
                good.append(move)
    line: list[CheckersMove] = []
    here = position
    # A draw has no end to play to.
    while verdict.value and len(line) < LONGEST_LINE:
        best = tables.best_moves(here)
        if not best:
            break
        line.append(best[0])
        here = here.after(best[0])
    return Solution(winner, tuple(good), tuple(line), verdict.plies)


# The truth about checkers positions of few pieces, from the endgame tables; see `games.solving`.

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
