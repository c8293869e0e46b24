"""The tree search of chapter 8 of the Go thesis: on boards of unfinished games, seven moves on.

From the board after 90 moves the search looks at the three best moves of each side in turn; the
line to the best board at its end is followed, and after each of its moves the machine's prediction
and the count of the board are held against how the game really ended. Meanwhile it is counted what
every clause votes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from clauseboard.papers.boards import RESULTS, Boards
from clauseboard.papers.go_clauses import clause_rows
from clauseboard.papers.go_games import GAME
from clauseboard.papers.go_tables import SEARCHER, SIZES_OF_SEARCH, SOURCE, UNFINISHED, course
from clauseboard.papers.machines import fold_task, loaded
from clauseboard.papers.matches import games_of
from clauseboard.papers.materials import Materials
from clauseboard.papers.scores import scores
from clauseboard.papers.table import Done, Figure, Size, Table, Task, Told, Values, Work

WIDTH, DEPTH = 3, 7
FOLD = 0
"""Whose test boards are searched, with the machine that was trained on the other folds."""

GAMES_A_TASK = 15

BLACK, WHITE = "black", "white"
WINNERS = {"loss": WHITE, "win": BLACK}
"""Results are black's; draws are left out, as in the thesis."""

PUBLISHED_WINS = {BLACK: 562, WHITE: 406}
"""Of the thousand games that were searched; 32 draws were left out."""

DEPTHS = (
    "Initial 0",
    *(f"{'B' if move % 2 else 'W'} Move {move}" for move in range(1, DEPTH + 1)),
)
"""The columns of tables 8.2 to 8.5: the board as it was, and after each move of the line."""

UNSEEN = (
    "One machine, trained on nine folds of 90_100T; searched are boards of the tenth, which it has "
    "not seen."
)
NO_PASSES = (
    "What happened before the board is not known to the search, so that no ko forbids a move. "
    "As in the thesis, nobody passes while there is a point to play."
)
NOTES = (
    UNSEEN,
    "Games that were drawn are left out, as published, and so are votes for a draw.",
    NO_PASSES,
)
COUNTED = (
    "Numbers are those of games; where fewer were searched than published, ours are counted as if "
    "562 games had been won by black and 406 by white."
)


def machine_task(size: Size, materials: Materials) -> Task:
    """The task that trains the machine, and keeps it."""
    boards = materials.boards(UNFINISHED)
    return fold_task(boards, FOLD, SEARCHER.at(size), course(size), keep=True)


def search_tasks(size: Size, materials: Materials) -> tuple[Task, ...]:
    """Tasks that search some games each; together as many as the size has."""
    return tasks_over_games(search, DEPTH, size, materials)


def tasks_over_games(work: Work, depth: int, size: Size, materials: Materials) -> tuple[Task, ...]:
    """Tasks that do some work with some games each, and with the machine."""
    boards, machine = materials.boards(UNFINISHED), machine_task(size, materials)
    rows = np.flatnonzero(boards.folds == FOLD)[: size.games]
    settings = {"width": WIDTH, "depth": depth, "passes": False}
    return tuple(
        Task(work, settings, boards.part(rows[first : first + GAMES_A_TASK]), needs=(machine,))
        for first in range(0, len(rows), GAMES_A_TASK)
    )


def search(tasks: Sequence[Task], told: Told, device: str) -> list[Mapping[str, Any]]:
    """Do such tasks."""
    return [
        searched(task.boards, task.given[0], task.settings["width"], task.settings["depth"])
        for task in tasks
        if task.boards is not None
    ]


def searched(boards: Boards, trained: Mapping[str, Any], width: int, depth: int) -> dict[str, Any]:
    """What comes of searching boards: the line of each game, and what every clause did."""
    from clauseboard.explaining.clause_statistics import Counting
    from clauseboard.papers.go_stones import StoneSearch

    evaluator = Counting(evaluator_of(trained))
    finder = StoneSearch(width=width, depth=depth)
    games = []
    for row, result in zip(boards.X, boards.results, strict=True):
        winner = WINNERS.get(RESULTS[result])
        if winner is not None:
            position = GAME.decode(row, BLACK)
            line = finder.find(position, evaluator).line
            games.append({"winner": winner, **followed(position, line, evaluator.inner)})
            evaluator.ended(winner)
    return {"games": games, "clauses": clause_rows(evaluator.counts()) if games else []}


def evaluator_of(trained: Mapping[str, Any], game: Any = GAME) -> Any:
    """The machine that is in a task's result, as a judge of boards."""
    from clauseboard.learners.tsetlin.board_evaluator import MachineEvaluator

    return loaded(trained, lambda path: MachineEvaluator(game, path))


def followed(position: Any, line: Sequence[Any], evaluator: Any) -> dict[str, Any]:
    """The moves of a line; after each the votes for black and for white, and the count with komi.

    Where the game ends before the line does, its last board stands for the rest.
    """
    from clauseboard.games.go.scoring import score

    positions, moves = [position], []
    for move in line:
        moves.append(positions[-1].write_move(move))
        positions.append(positions[-1].play(move))
    positions += positions[-1:] * (DEPTH + 1 - len(positions))
    judged = evaluator.judge(positions)
    columns = [judged.winners.index(colour) for colour in (BLACK, WHITE)]
    return {
        "moves": moves,
        "votes": judged.votes[:, columns].tolist(),
        "margins": [score(one).margin for one in positions],
    }


# ---- reading results

Verdict = Callable[[Mapping[str, Any], int], str | None]
"""Who is said to win a game, after so many moves of the line; None: nobody."""


def predicted(game: Mapping[str, Any], depth: int) -> str | None:
    """Who has more votes."""
    black, white = game["votes"][depth]
    return BLACK if black >= white else WHITE


def counted(komi: float) -> Verdict:
    """Who has more points on the board, with so much komi."""

    def verdict(game: Mapping[str, Any], depth: int) -> str | None:
        margin = game["margins"][depth] + GAME.points_for_white - komi
        return None if margin == 0 else BLACK if margin > 0 else WHITE

    return verdict


def right(verdict: Verdict, colour: str, depth: int) -> Values:
    """A function that counts the wins of a colour that are seen, as if there were as published."""

    def values(done: Sequence[Done]) -> list[float]:
        won = [game for game in games_of(done) if game["winner"] == colour]
        seen = sum(verdict(game, depth) == colour for game in won)
        return [PUBLISHED_WINS[colour] * seen / len(won) if won else 0.0]

    return values


def correct_figures(
    verdict: Verdict, published: Mapping[str, Sequence[int]], size: Size, materials: Materials
) -> list[Figure]:
    """The rows of tables 8.2 to 8.4: wins of black and of white that are seen, by depth."""
    tasks, settings = search_tasks(size, materials), str(SEARCHER.at(size))
    return [
        Figure(
            f"Correct {colour[0].upper()}", column, number, tasks, right(verdict, colour, depth),
            settings=settings, digits=0,
        )
        for colour, numbers in published.items()
        for depth, (column, number) in enumerate(zip(DEPTHS, numbers, strict=True))
    ]  # fmt: skip


def correct_table(
    number: str,
    where: str,
    title: str,
    verdict: Verdict,
    published: Mapping[str, Sequence[int]],
    *notes: str,
) -> Table:
    """One of the tables 8.2 to 8.4: who is said to win, against who did."""

    def plan(size: Size, materials: Materials) -> list[Figure]:
        return correct_figures(verdict, published, size, materials)

    return Table(
        source=SOURCE,
        number=number,
        where=where,
        title=title,
        plan=plan,
        headline=("Correct B", "Initial 0"),
        notes=(*notes, COUNTED, *NOTES),
        sizes=SIZES_OF_SEARCH,
    )


def score_of(colour: str | None, name: str, depth: int) -> Values:
    """A function that reads off precision, recall or F of a colour; None: the mean of both."""
    results = [result for result, winner in WINNERS.items() if colour in (None, winner)]

    def values(done: Sequence[Done]) -> list[float]:
        confusion = np.zeros((len(RESULTS), len(RESULTS)), np.int64)
        place = {winner: RESULTS.index(result) for result, winner in WINNERS.items()}
        for game in games_of(done):
            said = predicted(game, depth)
            assert said is not None
            confusion[place[game["winner"]], place[said]] += 1
        found = [scores(confusion.tolist(), result)[name] for result in results]
        return [float(np.mean(found))]

    return values
