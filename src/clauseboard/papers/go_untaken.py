"""Searching with and without captures: what figures 8.6 and 8.7 of the Go thesis show.

In the first figure stones without a liberty stay on the boards that the machine is shown; in the
second they are taken off, as on the boards that it has learned from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clauseboard.evaluation import Evaluator, Judgements
from clauseboard.game import Ending, Outcome
from clauseboard.games.go.rules import Go, GoMove
from clauseboard.games.go.scoring import score
from clauseboard.papers.boards import Boards
from clauseboard.papers.go_games import GAME
from clauseboard.papers.go_searching import BLACK, evaluator_of, tasks_over_games
from clauseboard.papers.matches import games_of
from clauseboard.papers.materials import Materials
from clauseboard.papers.table import Size, Task, Told, Values

DEPTH = 5
UNALTERED, ALTERED = "unaltered", "altered"


@dataclass(frozen=True)
class Untaken:
    """A board on which stones stay that have no liberty; any empty point may be played."""

    game: Go
    board: bytes
    to_move: str

    def moves(self) -> tuple[GoMove, ...]:
        """The empty points."""
        return tuple(GoMove(point) for point, stone in enumerate(self.board) if not stone)

    def play(self, move: GoMove) -> Untaken:
        """The board with one more stone."""
        assert move.point is not None
        board = bytearray(self.board)
        board[move.point] = 1 + self.game.colours.index(self.to_move)
        return Untaken(self.game, bytes(board), self.game.other(self.to_move))

    def outcome(self) -> Outcome | None:
        """Nothing ends it but a full board."""
        return None if 0 in self.board else Outcome(None, "the board is full", Ending.FULL_BOARD)

    def write_move(self, move: GoMove) -> str:
        """A move as "D5"."""
        return self.game.write_move(self.game.start(), move)


class AsItIs(Evaluator):
    """Judges by the stones of any board; a search then plays by the board's own rules."""

    def __init__(self, inner: Any) -> None:
        self.inner, self.game = inner, inner.game

    def judge(self, positions: Sequence[Any]) -> Judgements:
        """As the other evaluator does."""
        found: Judgements = self.inner.judge(positions)
        return found


def untaken_tasks(size: Size, materials: Materials) -> tuple[Task, ...]:
    """Tasks that search some boards each in both ways."""
    return tasks_over_games(search, DEPTH, size, materials)


def search(tasks: Sequence[Task], told: Told, device: str) -> list[Mapping[str, Any]]:
    """Do such tasks."""
    return [
        {
            "games": both_ways(
                task.boards, evaluator_of(task.given[0]), task.settings["width"],
                task.settings["depth"],
            )
        }
        for task in tasks
        if task.boards is not None
    ]  # fmt: skip


def both_ways(boards: Boards, evaluator: Any, width: int, depth: int) -> list[dict[str, Any]]:
    """For each board the two lines that are found."""
    from clauseboard.papers.go_stones import StoneSearch
    from clauseboard.search.width_depth import WidthDepth

    wide, stones = WidthDepth(width, depth), StoneSearch(width, depth)
    found = []
    for row in boards.X:
        position = GAME.decode(row, BLACK)
        untaken = Untaken(GAME, position.board, position.to_move)
        lines = {
            UNALTERED: (untaken, wide.find(untaken, AsItIs(evaluator)).line),
            ALTERED: (position, stones.find(position, evaluator).line),
        }
        found.append({way: followed(*line, evaluator, depth) for way, line in lines.items()})
    return found


def followed(first: Any, line: Sequence[Any], evaluator: Any, depth: int) -> dict[str, Any]:
    """Moves, votes for what is predicted, and area with komi, for each board of a line.

    The area is that of the real board, from which stones are taken. The last board is kept, too.
    """
    shown, real = [first], [GAME.position(first.board, BLACK)]
    for move in line:
        shown.append(shown[-1].play(move))
        board = real[-1].board if move.point is None else real[-1].after(move.point)[0]
        real.append(GAME.position(board, GAME.other(real[-1].to_move)))
    for boards in (shown, real):
        boards += boards[-1:] * (depth + 1 - len(boards))
    votes = evaluator.judge(shown).votes
    return {
        "moves": [first.write_move(move) for move in line],
        "votes": votes.max(axis=1).tolist(),
        "areas": [score(one).margin for one in real],
        "last": list(shown[-1].board),
    }


def mean_of(read: Callable[[Mapping[str, Any]], float]) -> Values:
    """A function that takes the mean of something over all games."""
    return lambda done: [float(np.mean([read(game) for game in games_of(done)]))]
