"""Table 8.7 of the Go thesis: self-play; with the game and clauses of figures 8.28 to 8.45."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

from clauseboard.game import load_game
from clauseboard.papers.experiment import (
    BoardDrawing,
    Figure,
    PaperTable,
    ResultLookup,
    RunSize,
    Task,
    TaskResult,
)
from clauseboard.papers.go_clauses import AGAINST, FOR, ClauseFigure, added, signs_of
from clauseboard.papers.go_playing import (
    DEPTH,
    MACHINES,
    MOVES,
    PLAYING_SIZES,
    SHOWN_TURNS,
    WATCHED,
    WIDTH,
    game_tasks,
    machine_tasks,
)
from clauseboard.papers.go_searching import evaluator_of
from clauseboard.papers.go_tables import SOURCE
from clauseboard.papers.matches import match_figures
from clauseboard.papers.materials import BoardSource

PUBLISHED = (
    ("TM1", 10, 0, "Random"),
    ("TM2", 5, 5, "Random"),
    ("TM3", 8, 2, "Random"),
    ("Random", 0, 10, "TM3"),
    ("TM3", 1, 9, "TM4"),
    ("TM4", 6, 4, "TM3"),
    ("TM1", 0, 10, "TM4"),
    ("TM4", 8, 2, "TM1"),
)
"""Black machine, black wins, white wins, white machine."""

SHOWN = (
    ClauseFigure("8.34", "white", FOR, by_weight=True),
    ClauseFigure("8.35", "white", AGAINST, by_weight=True),
    ClauseFigure("8.36", "black", FOR, by_weight=True),
    ClauseFigure("8.37", "black", AGAINST, by_weight=True),
    ClauseFigure("8.38", "white", FOR, 0),
    ClauseFigure("8.39", "white", FOR, 1),
    ClauseFigure("8.40", "white", AGAINST, 0),
    ClauseFigure("8.41", "white", AGAINST, 1),
    ClauseFigure("8.42", "black", FOR, 0),
    ClauseFigure("8.43", "black", FOR, 1),
    ClauseFigure("8.44", "black", AGAINST, 1),
    ClauseFigure("8.45", "black", AGAINST, 0),
)
"""Clauses of TM4, in the order of the figures."""


def clause_tasks(size: RunSize, source: BoardSource) -> tuple[Task, ...]:
    """TM4 as it was trained for the first game, and that game."""
    return (
        machine_tasks(WATCHED[0], size, source)[0],
        game_tasks(*WATCHED, size, source)[0],
    )


def mean_signs(done: Sequence[TaskResult]) -> list[float]:
    """How many signs the clauses shown have, in the mean."""
    counts = added(evaluator_of(done[0].result), [done[1].result])
    found = [signs_of(one) for shown in SHOWN if (one := shown.chosen(counts)) is not None]
    return [statistics.fmean(len(signs) for signs in found) if found else 0.0]


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """Wins of black and white in each pairing, draws; and the size of clauses that vote most."""
    figures = []
    for black, black_wins, white_wins, white in PUBLISHED:
        tasks = game_tasks(black, white, size, source)
        names = [name for name in (black, white) if name in MACHINES]
        settings = "; ".join(f"{name}: {MACHINES[name][0].at(size)}" for name in names)
        row, published = f"{black} against {white}", (black_wins, white_wins, 0)
        figures += match_figures(row, ("black wins", "white wins"), published, tasks, settings)
    tasks = clause_tasks(size, source)
    return [*figures, Figure("figures 8.34 to 8.45", "signs a clause", None, tasks, mean_signs)]


def drawings(size: RunSize, source: BoardSource, look: ResultLookup) -> list[BoardDrawing]:
    """Turns of a game as in figures 8.28 to 8.33, and the clauses of 8.34 to 8.45."""
    machine, game = (look(task).result for task in clause_tasks(size, source))
    counts = added(evaluator_of(machine), [game])
    turns = [
        _turn(f"8.{28 + place}", number, game["turns"][number - 1])
        for place, number in enumerate(SHOWN_TURNS)
        if number <= len(game["turns"])
    ]
    return [*turns, *(drawing for shown in SHOWN for drawing in shown.drawing(counts))]


def _turn(figure: str, number: int, turn: dict[str, Any]) -> BoardDrawing:
    game = load_game("go", size=9, max_moves=MOVES["full"])
    position = game.read_position(turn["position"])
    title = (
        f"Figure {figure}: {' vs '.join(WATCHED)} turn {number}, {turn['mover']} {turn['move']}; "
        f"predicted {turn['predicted']}, votes {turn['votes']:,}, area {turn['area']:+g}"
    )
    return BoardDrawing(title, str(position), game.draw(position))


TABLE = PaperTable(
    source=SOURCE,
    number="8.7",
    where="section 8.2, table 8.7 and figures 8.28 to 8.45: results of self-play after 70 moves",
    title="self-play after 70 moves",
    plan=plan,
    headline=("TM1 against Random", "black wins"),
    notes=(
        f"A machine looks {DEPTH} moves ahead at the {WIDTH} best of each side. A game ends after "
        f"{MOVES['full']} moves ({MOVES['quick']} in the quick size) and is counted by area with a "
        "komi of 7. As in the thesis, nobody passes; unlike there, a game may be drawn.",
        "Where fewer games were played than ten, ours are counted as if there had been ten. In "
        "each, machines play that were trained without another fold.",
        "The thesis counts the clauses of TM4 as black in all ten games against TM3; ours are "
        "those of the first game. Its clauses are pictures that our text of it lacks.",
    ),
    drawings=drawings,
    sizes=PLAYING_SIZES,
)
