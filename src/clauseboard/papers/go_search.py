"""The tree search of chapter 8 of the Go thesis: from boards of unfinished games, some moves on.

From the board after 90 moves the search looks at the three best moves of each side in turn. The
line to the best board at its end is followed; after each move the machine's prediction and the
score of the board are compared with how the game really ended. Meanwhile the votes of every clause
are counted.

As in the thesis, nobody passes: a search that may pass finds the end of the game by two passes, and
the machine is no longer asked. Where there is no point left to play, a pass is the only move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from clauseboard.evaluation import Evaluator, Judgements, Limit
from clauseboard.game import Ending, Outcome, Position
from clauseboard.games.go.rules import PASS, Go, GoMove, GoPosition, score
from clauseboard.papers import (
    BoardDrawing,
    Contents,
    Figure,
    JsonObject,
    ReadValues,
    ResultLookup,
    Task,
    TaskResult,
    Work,
    one_by_one,
)
from clauseboard.papers.boards import RESULTS, BoardSet, Run
from clauseboard.papers.go_boards import GAME
from clauseboard.papers.matches import games_of
from clauseboard.papers.shapes import MachineRow, scores
from clauseboard.papers.training import MachineParameters, loaded
from clauseboard.player import Choice
from clauseboard.players.simple import RandomPlayer
from clauseboard.search.batch import Boards, LimitedEvaluator, Scores
from clauseboard.search.width_depth import WidthDepth

if TYPE_CHECKING:
    from clauseboard.explaining.clause_statistics import ClauseCount
    from clauseboard.learners.tsetlin.board_evaluator import MachineEvaluator

UNFINISHED = BoardSet("go", "after 90 of 100")
"""Called 90_100T in the thesis: after 90 moves, of games that have 100 or more."""

SEARCHER = MachineParameters(1_000, 8_000, 80)
"""The machine of the tree search, called TM2 from section 8.1.1 on."""

FOLD = 0
"""The fold whose boards are searched, with the machine that was trained on the other folds."""

WIDTH, DEPTH = 3, 7
CAPTURE_DEPTH = 5
"""The depth of the searches with and without captures."""

GAMES_PER_TASK = 15

BLACK, WHITE = "black", "white"
WINNERS = {"loss": WHITE, "win": BLACK}
"""Results are black's; draws are left out, as in the thesis."""

PUBLISHED_WINS = {BLACK: 562, WHITE: 406}
"""Of the thousand games that were searched; 32 draws were left out."""

COLUMNS = (
    "Initial 0",
    *(f"{'B' if move % 2 else 'W'} Move {move}" for move in range(1, DEPTH + 1)),
)
"""The columns of tables 8.2 to 8.5: the board as it was, and after each move of the line."""


# ---- players that do not pass


@dataclass
class NoPassSearch(WidthDepth):
    """Looks at stones only. The evaluator has to be one that sees bits."""

    def _best(self, boards: Boards, side: int, judge: LimitedEvaluator) -> tuple[Boards, Scores]:
        stones = boards.codes != GAME.size**2
        has_stones = np.isin(boards.parents, boards.parents[stones])
        return super()._best(boards.take(np.flatnonzero(stones | ~has_stones)), side, judge)


GoLine = tuple[GoMove, ...]


class NoPassRandomPlayer(RandomPlayer):
    """Puts a stone at any legal point."""

    plays_at_random = False  # in the sense of the arena, which would let it pass

    def choose(self, position: Position, limit: Limit | None = None) -> Choice:
        """A random stone; a pass if there is none."""
        stones = [move for move in position.moves() if not move.is_pass] or [PASS]
        return Choice(stones[self.picker(position.to_move)(len(stones))], value=0.0)


# ---- the search of tables 8.2 to 8.5


def machine_task(run: Run) -> Task:
    """The task that trains the machine, and keeps it."""
    row = MachineRow("", SEARCHER, UNFINISHED, (), fold=FOLD, keep=True)
    return row.tasks(run, stop=None)[0]


def search_tasks(run: Run) -> tuple[Task, ...]:
    """Tasks that search some games each; together as many as the size has."""
    return tasks_over_games(search, DEPTH, run)


def tasks_over_games(work: Work, depth: int, run: Run) -> tuple[Task, ...]:
    """Tasks that do some work with some games each, and with the machine."""
    boards, machine = run.boards(UNFINISHED), machine_task(run)
    rows = np.flatnonzero(boards.folds == FOLD)[: run.size.games]
    settings = {"width": WIDTH, "depth": depth, "passes": False}
    return tuple(
        Task(work, settings, boards.part(rows[first : first + GAMES_PER_TASK]), needs=(machine,))
        for first in range(0, len(rows), GAMES_PER_TASK)
    )


@one_by_one("go_searching.search")
def search(task: Task) -> JsonObject:
    """Search boards: the line of each game, and the votes of every clause."""
    from clauseboard.explaining.clause_statistics import Counting

    assert task.boards is not None
    evaluator = Counting(evaluator_of(task.given[0]))
    finder = NoPassSearch(width=task.settings["width"], depth=task.settings["depth"])
    games = []
    for row, result in zip(task.boards.X, task.boards.results, strict=True):
        winner = WINNERS.get(RESULTS[result])
        if winner is not None:
            position = GAME.decode(row, BLACK)
            line = cast("GoLine", finder.find(position, evaluator).line)
            games.append({"winner": winner, **follow(position, line, evaluator.inner)})
            evaluator.ended(winner)
    return {"games": games, "clauses": clause_rows(evaluator.counts()) if games else []}


def clause_rows(counts: Iterable[ClauseCount]) -> list[list[object]]:
    """For JSON: colour, number, boards on which a clause fired, those on which it was right."""
    return [[c.reason.about, c.index, c.fired, c.right] for c in counts if c.fired]


def evaluator_of(trained: JsonObject, game: Go = GAME) -> MachineEvaluator:
    """The machine in a task's result, as an evaluator of positions."""
    from clauseboard.learners.tsetlin.board_evaluator import MachineEvaluator

    return loaded(trained, lambda path: MachineEvaluator(game, path))


def follow(position: GoPosition, line: Sequence[GoMove], evaluator: Evaluator) -> JsonObject:
    """The moves of a line; after each the votes for black and white, and the score with komi.

    Where the game ends before the line does, its last board stands for the rest.
    """
    positions, moves = [position], []
    for move in line:
        moves.append(positions[-1].write_move(move))
        positions.append(positions[-1].play(move))
    positions += positions[-1:] * (DEPTH + 1 - len(positions))
    judged = evaluator.judge(positions)
    assert judged.votes is not None
    by_colour = [judged.winners.index(colour) for colour in (BLACK, WHITE)]
    return {
        "moves": moves,
        "votes": judged.votes[:, by_colour].tolist(),
        "margins": [score(board).margin for board in positions],
    }


Verdict = Callable[[JsonObject, int], str | None]
"""The predicted winner of a game, after so many moves of the line; None: nobody."""


def predicted(game: JsonObject, depth: int) -> str:
    """The colour with more votes."""
    black, white = game["votes"][depth]
    return BLACK if black >= white else WHITE


def counted(komi: float) -> Verdict:
    """The colour with more points on the board, with so much komi."""

    def verdict(game: JsonObject, depth: int) -> str | None:
        margin = game["margins"][depth] + GAME.points_for_white - komi
        return None if margin == 0 else BLACK if margin > 0 else WHITE

    return verdict


def right(verdict: Verdict, colour: str, depth: int) -> ReadValues:
    """The percentage of the wins of a colour that were predicted."""

    def values(done: Sequence[TaskResult]) -> list[float]:
        won = [game for game in games_of(done) if game["winner"] == colour]
        seen = sum(verdict(game, depth) == colour for game in won)
        return [100 * seen / len(won) if won else 0.0]

    return values


def score_of(colour: str | None, name: str, depth: int) -> ReadValues:
    """Precision, recall or F of a colour; None: the mean of both."""
    results = [result for result, winner in WINNERS.items() if colour in (None, winner)]
    place = {winner: RESULTS.index(result) for result, winner in WINNERS.items()}

    def values(done: Sequence[TaskResult]) -> list[float]:
        confusion = np.zeros((len(RESULTS), len(RESULTS)), np.int64)
        for game in games_of(done):
            confusion[place[game["winner"]], place[predicted(game, depth)]] += 1
        return [float(np.mean([scores(confusion.tolist(), result)[name] for result in results]))]

    return values


@dataclass(frozen=True)
class DepthTable(Contents):
    """Figures of the search for each depth: tables 8.2 to 8.5."""

    rows: Mapping[str, tuple[Callable[[int], ReadValues], Sequence[float], int | None]]
    """By row: the function that reads the figure at a depth, the published numbers, and the games
    of which these count some, if they do."""

    def figures(self, run: Run) -> list[Figure]:
        """Eight figures for each row."""
        tasks, settings = search_tasks(run), str(SEARCHER.at(run.size))
        return [
            Figure(row, column, 100 * number / games if games else number, tasks, read(depth),
                   settings=settings)
            for row, (read, numbers, games) in self.rows.items()
            for depth, (column, number) in enumerate(zip(COLUMNS, numbers, strict=True))
        ]  # fmt: skip


# ---- figures 8.6 and 8.7: a search with captures and without
#
# In the first figure stones without a liberty stay on the boards that the machine is shown; in the
# second they are taken off, as on the boards that it has learned from.

UNALTERED, ALTERED = "unaltered", "altered"


@dataclass(frozen=True)
class UncapturedBoard:
    """A board on which stones without a liberty stay; any empty point may be played."""

    game: Go
    board: bytes
    to_move: str

    def moves(self) -> tuple[GoMove, ...]:
        """The empty points."""
        return tuple(GoMove(point) for point, stone in enumerate(self.board) if not stone)

    def play(self, move: GoMove) -> UncapturedBoard:
        """The board with one more stone."""
        assert move.point is not None
        board = bytearray(self.board)
        board[move.point] = 1 + self.game.colours.index(self.to_move)
        return UncapturedBoard(self.game, bytes(board), self.game.other(self.to_move))

    def outcome(self) -> Outcome | None:
        """Only a full board ends the game."""
        return None if 0 in self.board else Outcome(None, "the board is full", Ending.FULL_BOARD)

    def write_move(self, move: GoMove) -> str:
        """A move as "D5"."""
        return self.game.write_move(self.game.start(), move)


class PlainEvaluator(Evaluator):
    """Judges by the stones of any board; a search then plays by the board's own rules."""

    def __init__(self, inner: MachineEvaluator) -> None:
        self.inner, self.game = inner, inner.game

    def judge(self, positions: Sequence[Position]) -> Judgements:
        """As the other evaluator does."""
        return self.inner.judge(positions)


def capture_tasks(run: Run) -> tuple[Task, ...]:
    """Tasks that search some boards each in both ways."""
    return tasks_over_games(search_both_ways, CAPTURE_DEPTH, run)


@one_by_one("go_untaken.search")
def search_both_ways(task: Task) -> JsonObject:
    """Search each board with captures and without."""
    assert task.boards is not None
    evaluator = evaluator_of(task.given[0])
    width, depth = task.settings["width"], task.settings["depth"]
    return {"games": [both_ways(row, evaluator, width, depth) for row in task.boards.X]}


def both_ways(
    row: NDArray[np.uint8], evaluator: MachineEvaluator, width: int, depth: int
) -> JsonObject:
    """The two lines that are found from a board."""
    position = GAME.decode(row, BLACK)
    uncaptured = UncapturedBoard(GAME, position.board, position.to_move)
    any_line = WidthDepth(width, depth).find(uncaptured, PlainEvaluator(evaluator)).line
    stones = NoPassSearch(width, depth).find(position, evaluator).line
    return {
        UNALTERED: follow_both(uncaptured, cast("GoLine", any_line), evaluator, depth),
        ALTERED: follow_both(position, cast("GoLine", stones), evaluator, depth),
    }


def follow_both(
    first: GoPosition | UncapturedBoard, line: Sequence[GoMove], evaluator: Evaluator, depth: int
) -> JsonObject:
    """Moves, votes for the predicted result, and area with komi, for each board of a line.

    The area is that of the real board, from which stones are taken. The last board is kept, too.
    """
    shown: list[GoPosition | UncapturedBoard] = [first]
    real = [GAME.position(first.board, BLACK)]
    for move in line:
        shown.append(shown[-1].play(move))
        board = real[-1].board if move.point is None else real[-1].after(move.point)[0]
        real.append(GAME.position(board, GAME.other(real[-1].to_move)))
    shown += shown[-1:] * (depth + 1 - len(shown))
    real += real[-1:] * (depth + 1 - len(real))
    # An evaluator of bits asks no more of a board than both kinds offer.
    votes = evaluator.judge(cast("list[GoPosition]", shown)).votes
    assert votes is not None
    return {
        "moves": [first.write_move(move) for move in line],
        "votes": votes.max(axis=1).tolist(),
        "areas": [score(board).margin for board in real],
        "last": list(shown[-1].board),
    }


def mean_of(read: Callable[[JsonObject], float]) -> ReadValues:
    """The mean of a number over all games."""
    return lambda done: [float(np.mean([read(game) for game in games_of(done)]))]


def at(way: str, numbers: str, move: int) -> Callable[[JsonObject], float]:
    """A number of a game after a move."""
    return lambda game: game[way][numbers][move]


def stronger(game: JsonObject) -> float:
    """100 if the machine is surer at the end where stones are taken off, else 0."""
    return 100.0 * (game[ALTERED]["votes"][-1] > game[UNALTERED]["votes"][-1])


def differing(game: JsonObject) -> int:
    """Points that differ between the two boards at the end."""
    return sum(a != b for a, b in zip(game[UNALTERED]["last"], game[ALTERED]["last"], strict=True))


@dataclass(frozen=True)
class CaptureTable(Contents):
    """Votes and areas along the lines of both searches, and how often captures make it surer."""

    rows: Mapping[str, tuple[str, str, tuple[int, ...]]]
    """By row: which search, votes or areas, and the numbers on the board and after each move."""
    more_votes: str
    """The name of the last row."""

    def figures(self, run: Run) -> list[Figure]:
        """Six figures a row, and one for all."""
        tasks, settings = capture_tasks(run), str(SEARCHER.at(run.size))
        columns = ("Initial", *COLUMNS[1 : CAPTURE_DEPTH + 1])
        return [
            *(Figure(row, column, number, tasks, mean_of(at(way, kind, move)), settings=settings,
                     digits=0)
              for row, (way, kind, numbers) in self.rows.items()
              for move, (column, number) in enumerate(zip(columns, numbers, strict=True))),
            Figure(self.more_votes, "% of games", None, tasks, mean_of(stronger)),
        ]  # fmt: skip

    def drawings(self, run: Run, results: ResultLookup) -> list[BoardDrawing]:
        """The boards at the end of both lines, of the game in which most points differ."""
        games = games_of([results(task) for task in capture_tasks(run)])
        chosen = max(games, key=differing)
        return [
            _line_drawing(number, way, chosen[way])
            for number, way in (("8.6", UNALTERED), ("8.7", ALTERED))
        ]


def _line_drawing(number: str, way: str, line: JsonObject) -> BoardDrawing:
    position = GAME.position(bytes(line["last"]), WHITE)
    steps = zip(["initial", *line["moves"]], line["votes"], line["areas"], strict=False)
    moves = ", ".join(f"{move} {votes:,} ({area:+g})" for move, votes, area in steps)
    title = f"Figure {number}: {way} board; moves with votes and area: {moves}"
    return BoardDrawing(title, str(position), GAME.draw(position))
