"""The truth about checkers positions of few pieces, from the endgame tables."""

from __future__ import annotations

import random
from collections.abc import Sequence

from clauseboard.games.checkers import endgames
from clauseboard.games.checkers.endgame_tables import open_tables
from clauseboard.games.checkers.rules import Checkers, CheckersMove, CheckersPosition
from clauseboard.games.solving import Progress, Solution, Truth

QUICK = True

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
    tables = endgames.tables_in_use()
    verdict = tables.probe(position)
    moves = tables.best_moves(position)
    if verdict is None or not moves:
        return None
    return random.Random(seed).choice(moves), verdict.winner(position)


def solve(position: CheckersPosition, progress: Progress | None = None) -> Solution:
    """Who wins a position of up to five pieces; draws by counting are not looked at.

    Tables that are not there are made.
    """

    def tell(done: int, total: int) -> None:
        if progress is not None:
            progress(done / total)

    check(position.game)
    game, most = position.game, endgames.most_pieces()
    n_pieces = (position.board[0] | position.board[1]).bit_count()
    if n_pieces > most:
        raise ValueError(
            f"{game.write_position(position)!r} has more than {most} pieces; the truth is known of "
            f"boards with up to {most}."
        )
    tables = open_tables(endgames.SMALL if n_pieces <= endgames.SMALL else most, progress=tell)
    verdict = tables.probe(position)
    assert verdict is not None
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
    return Solution(verdict.winner(position), tuple(good), tuple(line), verdict.plies)


def truths(game: Checkers, positions: Sequence[CheckersPosition]) -> list[Truth | None]:
    """Who wins where there are up to four pieces; draws by counting are not looked at.

    The tables of five pieces are left alone: what is learned from truths must not depend on whether
    they are in the cache.
    """
    if game.blocked != "loss":
        return [None] * len(positions)
    tables = endgames.small_tables()
    answers: list[Truth | None] = []
    for position in positions:
        verdict = tables.probe(position)
        answers.append(None if verdict is None else Truth(verdict.winner(position)))
    return answers
