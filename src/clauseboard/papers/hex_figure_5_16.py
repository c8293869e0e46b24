"""Figure 5.16 of the Hex thesis: the first moves of the players with machines, and of a solver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from clauseboard.game import load_game
from clauseboard.papers.experiment import (
    BoardDrawing,
    EpochCallback,
    Figure,
    PaperTable,
    ReadValues,
    ResultLookup,
    RunSize,
    Task,
    TaskResult,
)
from clauseboard.papers.hex_boards import PERFECT, side_of
from clauseboard.papers.hex_players import GAMES, MACHINE_PLAYERS, pairing, sizes
from clauseboard.papers.hex_tables import COLOURS, MADE, NO_NUMBERS, SOURCE
from clauseboard.papers.matches import Pairing
from clauseboard.papers.materials import BoardSource

SOLVER = "solver"
"""In the place of MoHex 2.0, which plays perfectly on this board, too."""

WINS, CENTRE = "first moves that win", "first moves in the centre"


def openings(size: RunSize, source: BoardSource) -> dict[str, Task]:
    """By player, a task that looks at its games against itself."""
    side = side_of(source.boards(PERFECT))
    own = Pairing("hex", "solver", "solver", parameters={"size": side})
    games = {SOLVER: own.tasks(size.games_of(GAMES))}
    for player in MACHINE_PLAYERS:
        games[player.name] = pairing(player.name, player.name, size, source)
    return {name: Task(look_at, {"size": side}, needs=tasks) for name, tasks in games.items()}


def look_at(tasks: Sequence[Task], told: EpochCallback, device: str) -> list[Mapping[str, Any]]:
    """How games begin, and whether their first moves win against any reply."""
    return [_looked_at(task) for task in tasks]


def _looked_at(task: Task) -> dict[str, Any]:
    from clauseboard.games.hex.boards import boards_of
    from clauseboard.games.hex.solver import Solver

    game: Any = load_game("hex", size=task.settings["size"])
    start = game.start()
    games = [found["begins"] for match in task.given for found in match["games"]]
    word = Solver(game.size).label_moves(game, boards_of(game, [start]), np.zeros(1, np.int8))[0]
    cells = [divmod(n, game.size) for n in range(game.size**2) if int(word) >> n & 1]
    first = [start.read_move(moves[0]) for moves in games]
    middle = ((game.size - 1) // 2, game.size // 2)
    return {
        "begins": games,
        "wins": [(move.row, move.column) in cells for move in first],
        "centre": [{move.row, move.column} <= set(middle) for move in first],
    }


def percent(name: str) -> ReadValues:
    """A function that reads off the share of games of which something is true."""
    return lambda done: [100 * float(np.mean(one.result[name])) for one in done]


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """What can be counted: how many of the first moves win, and how many are in the centre."""
    return [
        Figure(name, what, None, (task,), percent(key))
        for name, task in openings(size, source).items()
        for what, key in ((WINS, "wins"), (CENTRE, "centre"))
    ]


def drawings(size: RunSize, source: BoardSource, look: ResultLookup) -> list[BoardDrawing]:
    """The board after the first three moves of either side, in each player's first game."""
    return [_drawn(name, task, look(task)) for name, task in openings(size, source).items()]


def _drawn(name: str, task: Task, done: TaskResult) -> BoardDrawing:
    moves = done.result["begins"][0]
    position = load_game("hex", size=task.settings["size"]).start()
    for move in moves:
        position = position.play(position.read_move(move))
    game = position.game
    return BoardDrawing(f"{name}: {' '.join(moves)}", game.text(position), game.draw(position))


TABLE = PaperTable(
    source=SOURCE,
    number="figure 5.16",
    where="section 5.4.3, figure 5.16: first moves, MoHex 2.0 and the TM players in the tournament",
    title="first moves",
    plan=plan,
    headline=("TM3", WINS),
    notes=(
        NO_NUMBERS,
        "Drawn are the first three moves of either side in a game of each player against itself; "
        "counted is how many first moves win by the solver, and are on one of the four middle "
        "cells (one, if there is just one), in percent of such games.",
        "The solver stands in the place of MoHex 2.0; of moves that are as good it takes any.",
        MADE,
        COLOURS,
    ),
    drawings=drawings,
    sizes=sizes(),
)
