"""The truth about a position, where it can be known.

A game that can be solved, wholly or in part, says so in `games/<game>/solving.py`; see
`games.plugins.SolvingPlugin`. Others get a `ValueError`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from clauseboard.game import Ending, Game, Move, Outcome, Position
from clauseboard.games.plugins import ENDGAMES, SOLVING

Progress = Callable[[float], None]
"""Told how much of the work is done, from 0 to 1."""


@dataclass(frozen=True)
class Solution:
    """Who wins with best play, None for a draw; every move that keeps it so; and a best line.

    `good_moves` are the moves of the side to move that win, or draw if none wins; if all lose,
    there are none. `plies` is how many moves, of either side, the game still lasts with best play,
    where that is known.
    """

    winner: str | None
    good_moves: tuple[Move, ...]
    line: tuple[Move, ...]
    plies: int | None = None


def solve(position: Position, progress: Progress | None = None) -> Solution:
    """The truth about a position; a `ValueError` where it cannot be known."""
    return SOLVING.of(position.game).solve(position, progress)


def best_move(position: Position, seed: int = 0) -> tuple[Move, str | None] | None:
    """A move that wins soonest, draws, or loses latest, and who wins; None if it is not known.

    The seed decides between moves that are as good as each other.
    """
    return SOLVING.of(position.game).best_move(position, seed)


def check_solvable(game: Game) -> None:
    """Refuse a game without a solver, or with parameters that its solver does not take."""
    SOLVING.of(game).check(game)


@dataclass(frozen=True)
class Truth:
    """Who wins with best play, None for a draw, and the moves that win, where these are told."""

    winner: str | None
    good_moves: tuple[Move, ...] = ()


def truths(game: Game, positions: Sequence[Position]) -> list[Truth | None]:
    """The truth about each position; None where nobody knows it.

    >>> from clauseboard.game import load_game
    >>> game = load_game("hex", size=3)
    >>> [truth] = truths(game, [game.read_position(".../.R./... blue")])
    >>> truth.winner
    'red'
    """
    solver = SOLVING.find(game)
    return [None] * len(positions) if solver is None else list(solver.truths(game, positions))


def known_end(game: Game, position: Position) -> Outcome | None:
    """How a game ended, or will end with best play where a look into a table tells."""
    ended = position.outcome()
    solver = SOLVING.find(game)
    if ended is not None or solver is None or not solver.QUICK:
        return ended
    [truth] = solver.truths(game, [position])
    return (
        None
        if truth is None
        else Outcome(truth.winner, "by the endgame tables", Ending.SOLVED, joined=True)
    )


# ---- endgame tables that are made in the background


@dataclass(frozen=True)
class TablesStatus:
    """Whether large endgame tables are in use; how much of them is made, from 0 to 1, if any is.

    `text` says it in a sentence, or why they cannot be made; it is empty if there is nothing to
    say.
    """

    ready: bool
    share: float | None
    text: str


def exact_words(position: Position) -> str | None:
    """How a position ends with best play, in a sentence; None if no table at hand tells.

    It is a look into tables that are there: nothing is made, and nothing searched. A win is counted
    in the winner's own moves: "White wins in 9 moves.", or "Drawn with best play."
    """
    tables = ENDGAMES.find(position.game)
    return None if tables is None else tables.exact_words(position)


def exact_end(position: Position) -> Outcome | None:
    """How a position ends with best play, where `exact_words` has a sentence for it."""
    tables = ENDGAMES.find(position.game)
    return None if tables is None else tables.exact_end(position)


def solved_end(position: Position) -> Outcome | None:
    """How a position ends with best play, where the game's solver finds it out in a moment.

    The reason of the outcome is a sentence, as in `exact_words`.
    """
    end: Outcome | None = SOLVING.call(position.game, "solved_end", position)
    return end


def won_words(winner: str, n_moves: int | None = None) -> str:
    """Who wins, and in how many moves of its own, where that is known.

    >>> won_words("red", 3), won_words("blue")
    ('Red wins in 3 moves.', 'Blue wins with best play.')
    """
    if n_moves is None:
        return f"{winner.capitalize()} wins with best play."
    return f"{winner.capitalize()} wins in {n_moves} move{'' if n_moves == 1 else 's'}."


def make_tables_ready(game: Game, progress: Progress | None = None) -> str | None:
    """Use the game's large endgame tables from now on, made first if need be.

    Where that cannot be done, a sentence says why, and the game goes on without them.
    """
    tables = ENDGAMES.find(game)
    return None if tables is None else tables.make_ready(game, progress)


def start_tables(game: Game, build: bool = True) -> None:
    """Have the game's large endgame tables made in the background, and use them once they are.

    Without `build` another process has to make them.
    """
    tables = ENDGAMES.find(game)
    if tables is not None:
        tables.start(game, build)


def stop_tables(game: Game) -> None:
    """End the making of tables in the background; it is continued another time."""
    tables = ENDGAMES.find(game)
    if tables is not None:
        tables.stop()


def release_tables(game: Game) -> None:
    """Give back the memory of what was looked up in the game's large endgame tables."""
    tables = ENDGAMES.find(game)
    if tables is not None:
        tables.release()


def tables_status(game: Game) -> TablesStatus | None:
    """How far the game's large endgame tables are; None if it has none."""
    tables = ENDGAMES.find(game)
    return None if tables is None else tables.status()
