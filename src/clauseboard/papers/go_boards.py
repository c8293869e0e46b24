"""Boards of 9×9 Go for experiments that have no file of them.

The composition of a set says which board of each game it has: "end", "after 80" moves, or "after 80
of 90": after 80 moves of the games that have 90 or more.

Where the archive of the Go thesis is not given, games are played for it. The side to move draws a
few random moves that fill no eye of its own, plays some random games on from each, and takes the
move after which it wins most of them. That player is not strong, but saves and takes stones; and
like those of the archive, its games go on until nothing is left to play.
"""

from __future__ import annotations

import functools
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from clauseboard.arena.playing import derived_seed
from clauseboard.datasets import build
from clauseboard.files import replaced
from clauseboard.games.datasets import Composition, load_composition
from clauseboard.games.go import kernels
from clauseboard.games.go.encoding import planes as by_points
from clauseboard.games.go.records import GoRecord, read_plain, result_text, write_sgf
from clauseboard.games.go.rules import PASS, Go, GoMove, score, state_of
from clauseboard.games.records import Report
from clauseboard.games.sgf_files import read_games
from clauseboard.papers import (
    BoardDrawing,
    Figure,
    JsonObject,
    Plot,
    ReadValues,
    ResultLookup,
    Task,
    TaskResult,
    one_by_one,
)
from clauseboard.papers.boards import BoardSet, LabelledBoards, Run, generated_boards
from clauseboard.papers.shapes import CountTable
from clauseboard.parallel import spread

GAME = Go(size=9)

ALIKE: tuple[str, ...] = ()

GAMES = 30_000
"""Games at full size, twenty minutes of work for one core; the Go thesis has 2,340,000."""

DEFAULT_GAMES = 3_000
"""The most at any other size: two cores play these in some minutes."""

RANDOM_UP_TO = 400
"""So few games only show that a table can be computed; random ones are enough then."""

MOST_MOVES = 3 * 81
"""A longer game is broken off and left out; there are hardly any."""

GAMES_PER_JOB = 50
SEED = 1


def derived(kind: BoardSet, found: Mapping[BoardSet, LabelledBoards]) -> LabelledBoards | None:
    """No set can be made from another one: games go on differently."""
    return None


def generated(
    kind: BoardSet,
    n_games: int | None,
    folder: Path | None = None,
    jobs: int = 1,
    device: str = "cpu",
) -> LabelledBoards:
    """The boards of a set from games that are played for it, or were for another set."""
    return _boards(kind, number_of_games(n_games), folder, jobs)


def number_of_games(most: int | None) -> int:
    """The number of games that are played where no more than `most` are asked for."""
    return GAMES if most is None else min(DEFAULT_GAMES, most)


@functools.cache
def _boards(kind: BoardSet, n_games: int, folder: Path | None, jobs: int) -> LabelledBoards:
    style = style_of(n_games)
    with tempfile.TemporaryDirectory() as temporary:
        file = games_file(n_games, style, folder or Path(temporary), jobs)
        data = build(composition_of(kind), [file], unique=kind.unique)
    return generated_boards(data, kind, f"{n_games:,} {style}")


def composition_of(kind: BoardSet) -> Composition:
    """How the boards of a set are made from games.

    >>> composition_of(BoardSet("go", "after 80 of 90"))
    BoardsAfter(size=9, at_least=90, moves=80)
    """
    name, *numbers = kind.composition.replace(" of ", " ").split()
    options = dict(zip(("moves", "at_least"), map(int, numbers), strict=False))
    return load_composition(kind.game, name, **options)


def composition_name(composition: str, options: Mapping[str, object]) -> str:
    """The other way round, for the data set of a file.

    >>> composition_name("after", {"moves": 80, "at_least": 90}), composition_name("end", {})
    ('after 80 of 90', 'end')
    """
    moves, at_least = options.get("moves"), options.get("at_least", 0)
    if not isinstance(moves, int) or not isinstance(at_least, int):
        return composition
    return f"{composition} {moves}{f' of {at_least}' if at_least > moves else ''}"


def planes(X: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], tuple[int, int, int]]:
    """Boards with the two colours of a point side by side, as a window needs them."""
    points = by_points(X, GAME.size)
    return points.reshape(len(X), -1), points.shape[1:]


# ---- games


@dataclass(frozen=True)
class GameStyle:
    """How moves are chosen: among some candidates, by some random games each."""

    candidates: int
    playouts: int

    def __str__(self) -> str:
        if self.candidates == 1:
            return "random games"
        return (
            f"games of a player that takes the best of {self.candidates} random moves by "
            f"{self.playouts} playouts each"
        )


RANDOM = GameStyle(1, 0)
USUAL = GameStyle(6, 8)


def style_of(n_games: int) -> GameStyle:
    """How so many games are played."""
    return RANDOM if n_games <= RANDOM_UP_TO else USUAL


def games_file(n_games: int, style: GameStyle, folder: Path, jobs: int = 1) -> Path:
    """A file of games in SGF; those that are not there yet are played.

    Games stay in a folder beside it, some in each file, until all are played; a run that was
    interrupted goes on from there.
    """
    path = folder / f"go-{n_games}-games-{style.candidates}x{style.playouts}.sgf"
    if path.is_file():
        return path
    if style == RANDOM:
        with replaced(path) as file:
            file.write("".join(_random_games(n_games)).encode())
        return path
    parts = {
        folder / path.stem / f"{first:08}.sgf": range(first, min(first + GAMES_PER_JOB, n_games))
        for first in range(0, n_games, GAMES_PER_JOB)
    }
    path.with_suffix("").mkdir(exist_ok=True)
    missing = {numbers.start: part for part, numbers in parts.items() if not part.is_file()}
    work = ((parts[part], style) for part in missing.values())
    for first, games in spread(play_some, work, jobs):
        with replaced(missing[first]) as file:
            file.write("".join(games).encode())
    with replaced(path) as file:
        for part in parts:
            file.write(part.read_bytes())
    shutil.rmtree(path.with_suffix(""))
    return path


@functools.lru_cache(maxsize=2)
def _random_games(n_games: int) -> list[str]:
    """Random games as SGF."""
    return play_some(range(n_games), RANDOM)[1]


def play_some(numbers: range, style: GameStyle) -> tuple[int, list[str]]:
    """The first of some numbers, and the games with these numbers as SGF."""
    return numbers.start, [write_sgf(record) for n in numbers for record in play_one(n, style)]


def play_one(number: int, style: GameStyle) -> Iterator[GoRecord]:
    """The game with a number, if it comes to an end.

    >>> record = next(play_one(1, RANDOM))
    >>> [record.game.write_move(record.start, move) for move in record.moves[-2:]]
    ['pass', 'pass']
    """
    state, board = state_of(GAME.start()), np.zeros(GAME.size**2, np.uint8)
    counter = np.uint64(derived_seed(SEED, number))
    moves = list[GoMove]()
    while len(moves) < MOST_MOVES and moves[-2:] != [PASS, PASS]:
        mine = 1 if len(moves) % 2 == 0 else 2
        before = board.copy()
        state, counter = best_of(state, mine, style, counter)
        kernels.read_board(state, board)
        put = np.flatnonzero((before == 0) & (board == mine))
        moves.append(GoMove(int(put[0])) if len(put) else PASS)
    if moves[-2:] == [PASS, PASS]:
        last = GAME.position(board.tobytes(), "black", passes=2)
        yield GoRecord(GAME.start(), tuple(moves), result_text(last))


def best_of(
    state: NDArray[np.int16], mine: int, style: GameStyle, counter: np.uint64
) -> tuple[NDArray[np.int16], np.uint64]:
    """The state after the move that a style takes for a colour (1 or 2), and the next counter."""
    scores, owned = np.empty(style.playouts, np.int16), np.zeros((0, 2), np.int32)
    best, most = state, -np.inf
    for _ in range(style.candidates):
        tried = state.copy()
        counter = kernels.playout(tried, 1, counter)
        kernels.playouts(tried, MOST_MOVES, counter, scores, owned)
        won = float(np.sign(scores - GAME.points_for_white).sum()) * (1 if mine == 1 else -1)
        if won > most:
            best, most = tried, won
    return best, counter


# ---- figures 4.2 and 4.3 of the Go thesis: how long games are, and who leads


MOMENTS = (50, 75, 100)
"""The parts of a game, in percent of its moves, after which figure 4.3 shows the board."""

LATE = 94
"""Half of the published games end after 92 to 94 moves."""


def games_task(run: Run) -> Task:
    """The task that measures the games that are played for a run."""
    n_games = number_of_games(run.size.boards)
    settings = {"games": n_games, **asdict(style_of(n_games))}
    return Task(measure_games, settings, folder=run.folder)


@one_by_one("go_games.measure")
def measure_games(task: Task) -> JsonObject:
    """The number of games by their length, and the moves of the first one.

    The two passes that end a game are not counted.
    """
    settings = task.settings
    style = GameStyle(settings["candidates"], settings["playouts"])
    with tempfile.TemporaryDirectory() as temporary:
        file = games_file(settings["games"], style, task.folder or Path(temporary))
        games = list(read_games(file, Report(), read_plain))
    lengths = np.bincount([len(game.points) - 2 for game in games if game is not None])
    assert games[0] is not None
    return {"lengths": lengths.tolist(), "first": games[0].points[:-2].tolist()}


def lengths_of(done: Sequence[TaskResult]) -> NDArray[np.int64]:
    """The length of every game."""
    counts = done[0].result["lengths"]
    return np.repeat(np.arange(len(counts)), counts)


LENGTHS: Mapping[str, tuple[ReadValues, float]] = {
    "fewest moves": (lambda done: [float(lengths_of(done).min())], 68),
    "most moves": (lambda done: [float(lengths_of(done).max())], 189),
    f"over after {LATE} moves, %": (
        lambda done: [100 * float((lengths_of(done) <= LATE).mean())], 50,
    ),
}  # fmt: skip
"""What the thesis says of the lengths of its games."""


@dataclass(frozen=True)
class GamesTable(CountTable):
    """What a set of boards holds, and the games that it comes from, where they were played here."""

    boards: BoardSet = field(kw_only=True)
    """The set; its games are not known if it was given as a file."""

    def played_here(self, run: Run) -> bool:
        """Whether the games are at hand."""
        return run.boards(self.boards).generated

    def figures(self, run: Run) -> list[Figure]:
        """The counts of each row, and a row of the lengths of games."""
        tasks = (games_task(run),) if self.played_here(run) else ()
        settings = f"games of {self.boards}" if tasks else "games are not at hand"
        return [
            *super().figures(run),
            *(Figure("moves of a game", name, published, tasks, read, settings=settings, digits=0)
              for name, (read, published) in LENGTHS.items()),
        ]  # fmt: skip

    def plots(self, run: Run, results: ResultLookup) -> list[Plot]:
        """Figure 4.2: how many games have how many moves."""
        if not self.played_here(run):
            return []
        counts = results(games_task(run)).result["lengths"]
        start = next(n for n, count in enumerate(counts) if count)
        title = "Figure 4.2: games by their number of moves"
        return [Plot("4_2", title, {"games": counts[start:]}, {}, "moves", "games", start=start)]

    def drawings(self, run: Run, results: ResultLookup) -> list[BoardDrawing]:
        """Figure 4.3: the first game after half of its moves, three quarters, and all."""
        if not self.played_here(run):
            return []
        moves = results(games_task(run)).result["first"]
        return [_moment_drawing(moves, part) for part in MOMENTS]


def _moment_drawing(moves: Sequence[int], part: int) -> BoardDrawing:
    """A game after some of its moves, with the score by area and without komi, as published."""
    position = GAME.start()
    for point in moves[: len(moves) * part // 100]:
        position = position.play(PASS if point < 0 else GoMove(point))
    margin = score(position).margin + GAME.points_for_white
    leader = "equal" if margin == 0 else f"{'B' if margin > 0 else 'W'} + {abs(margin):g}"
    title = f"Figure 4.3: after {part} % of the moves, {leader}"
    return BoardDrawing(title, str(position), GAME.draw(position))
