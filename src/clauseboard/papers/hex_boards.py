"""Boards of Hex for experiments, made as the Hex thesis made its own, which are not available.

Perfect games are the solver's, in the place of MoHex's; the doubled boards are made from them. For
the searched ones, in each iteration two machines, one for the boards after red's moves and one for
those after blue's, learn from the perfect games and from all that was found before. From random
boards the machine of the side to move scores every board three moves on; the highest hundred are
kept, with their winner by the solver. How many of those it calls wins are wins (precision), and how
many of the wins it calls so (recall), is counted over the first k boards of every search.

For a few boards only, all is done on a smaller board.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import json
import math
import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from clauseboard.datasets import build, generating, load_dataset
from clauseboard.files import replaced
from clauseboard.game import load_game
from clauseboard.games.datasets import load_composition
from clauseboard.games.hex.datasets import ENDING, read_line, write_line
from clauseboard.games.hex.rules import Hex
from clauseboard.games.hex.solving import Solver
from clauseboard.papers import SIZES, EpochCallback, JsonObject, Task, recorded_as
from clauseboard.papers.boards import BoardSet, LabelledBoards, Run, generated_boards
from clauseboard.papers.training import MachineParameters
from clauseboard.parallel import spread

if TYPE_CHECKING:
    from clauseboard.evaluation import Evaluator
    from clauseboard.games.hex.datasets import SearchedBoard
    from clauseboard.tsetlin.machine import BaseTsetlinMachine

PERFECT = BoardSet("hex", "perfect")
"""Called the 17k dataset in the thesis."""

DOUBLED = BoardSet("hex", "doubled")
"""Each board of those a second time, with the colours exchanged and the board reflected."""

EXCHANGED = BoardSet("hex", "doubled, not reflected")
"""The same without the reflection: the 35k dataset, as the thesis describes it."""

SEARCHED = BoardSet("hex", "searched")
"""The boards that searches found: the 287k dataset without the 17k that it contains."""

ALIKE = tuple(kind.composition for kind in (PERFECT, DOUBLED, EXCHANGED, SEARCHED))

FEW = 1000
"""No more boards than this are those of the smaller board."""

SIZE, SMALL_SIZE = 6, 4
SEED = 1


def composition_name(composition: str, options: Mapping[str, object]) -> str:
    """The composition of a file, told apart by the options in which the thesis's boards differ."""
    if composition == "doubled" and options.get("as_published"):
        return EXCHANGED.composition
    if composition == "searched" and options.get("with_perfect", True):
        return "searched, with perfect games"
    if options.get("last", "both") != "both":
        return f"{composition}, last={options['last']}"
    return composition


def derived(kind: BoardSet, found: Mapping[BoardSet, LabelledBoards]) -> LabelledBoards | None:
    """Doubled boards from perfect ones that are given."""
    perfect = found.get(PERFECT)
    if perfect is None or kind not in (DOUBLED, EXCHANGED):
        return None
    return doubled(perfect, kind)


def generated(
    kind: BoardSet,
    n_boards: int | None,
    folder: Path | None = None,
    jobs: int = 1,
    device: str = "cpu",
) -> LabelledBoards:
    """The boards of a set; as many as in the thesis, or about `n_boards`."""
    if kind in (DOUBLED, EXCHANGED):
        return doubled(perfect_games(_size(n_boards), folder, jobs), kind)
    if kind == SEARCHED:
        return searched(n_boards, folder, jobs, device)
    if kind != PERFECT:
        raise ValueError(f"{kind} boards cannot be generated; give a file of them.")
    return perfect_games(_size(n_boards), folder, jobs)


def planes(X: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], tuple[int, int, int]]:
    """Boards with the two colours of a cell side by side, as a window needs them."""
    side = math.isqrt(X.shape[1] // 2)
    cells = X.reshape(len(X), 2, side * side).swapaxes(1, 2)
    return np.ascontiguousarray(cells).reshape(len(X), -1), (side, side, 2)


def _size(n_boards: int | None) -> int:
    return SIZE if n_boards is None or n_boards > FEW else SMALL_SIZE


@functools.cache
def perfect_games(size: int, folder: Path | None = None, jobs: int = 1) -> LabelledBoards:
    """All boards of perfect games, one game for each pair of first stones.

    Those of a whole board take minutes, and stay in `folder` as a data set.
    """
    if size < SIZE:
        # To begin processes takes longer than these games.
        folder, jobs = None, 1
    path = None if folder is None else folder / f"hex-{size}x{size}-perfect-games.npz"
    if path is not None and path.is_file():
        data = load_dataset(path)
    else:
        data = build(load_composition("hex", "perfect", size=size), jobs=jobs)
        if path is not None:
            data.save(path)
    return generated_boards(
        data, PERFECT, f"perfect games of the solver on {size} by {size}", alike=True
    )


def doubled(perfect: LabelledBoards, kind: BoardSet) -> LabelledBoards:
    """Each board and, after it, the same with the colours exchanged; in the same fold."""
    side = side_of(perfect)
    X = perfect.X.reshape(len(perfect), 2, side, side)
    copies = X[:, ::-1]
    if kind == DOUBLED:
        # Each colour has sides of its own, so that the board has to be turned over, too.
        copies = copies.swapaxes(2, 3)
    both = np.stack([X, copies], axis=1).reshape(2 * len(perfect), -1)
    return replace(
        perfect,
        kind=kind,
        packed=np.packbits(both, axis=1, bitorder="little"),
        results=np.stack([perfect.results, 1 - perfect.results], axis=1).ravel(),
        folds=np.repeat(perfect.folds, 2),
    )


@functools.cache
def searched(
    n_boards: int | None, folder: Path | None = None, jobs: int = 1, device: str = "cpu"
) -> LabelledBoards:
    """Boards that searches found, shuffled, so that the first ones are of all iterations."""
    size, settings = _size(n_boards), searches_at(n_boards)
    perfect = perfect_games(size, folder, jobs)
    composition = load_composition("hex", "searched", size=size, with_perfect=False)
    with searches_folder(perfect, settings, folder) as found:
        write_iterations(perfect, settings, found, jobs, device)
        data = build(composition, [found])
    origin = f"{settings.iterations} times {settings.boards} searches on {size} by {size}"
    boards = generated_boards(data, SEARCHED, origin, alike=True)
    return boards.take(np.random.default_rng(SEED).permutation(len(boards)))


@contextlib.contextmanager
def searches_folder(
    perfect: LabelledBoards, settings: SearchSettings, folder: Path | None
) -> Iterator[Path]:
    """The folder of the files of some searches: in `folder`, where they stay, or a temporary one.

    A run that was interrupted goes on with the next iteration; so does another table.
    """
    if folder is None:
        with tempfile.TemporaryDirectory() as temporary:
            yield Path(temporary)
        return
    side, key = side_of(perfect), search_task(perfect, settings).key[:12]
    found = folder / f"hex-{side}x{side}-searches-{key}"
    found.mkdir(exist_ok=True)
    yield found


def side_of(boards: LabelledBoards) -> int:
    """The number of cells of a side of the board; each cell has a bit for either colour."""
    return math.isqrt(boards.n_bits // 2)


def game_of(boards: LabelledBoards) -> Hex:
    """The rules of boards, whose size shows in their bits."""
    game = load_game("hex", size=side_of(boards))
    assert isinstance(game, Hex)
    return game


# ---- halves for the dual machines: one for the boards after red's moves, one for blue's


@dataclass(frozen=True)
class HalfBoards:
    """The boards of a set right after the moves of a colour."""

    boards: BoardSet
    colour: str
    shuffled: bool = False
    """Whether boards are put into folds one by one, as if they were independent."""

    def take(self, run: Run) -> LabelledBoards:
        """The boards."""
        boards = half(run.boards(self.boards), self.colour)
        return shuffled_folds(boards) if self.shuffled else boards


@functools.lru_cache(maxsize=8)
def half(boards: LabelledBoards, colour: str) -> LabelledBoards:
    """The boards right after the moves of a colour."""
    return boards.part(after_move_of(boards.X, colour))


def after_move_of(X: NDArray[np.uint8], colour: str) -> NDArray[np.bool_]:
    """Which boards are right after a move of a colour: red, who begins, has a stone more."""
    red, blue = np.split(X, 2, axis=1)
    more: NDArray[np.bool_] = red.sum(axis=1, dtype=np.int64) > blue.sum(axis=1, dtype=np.int64)
    return more if colour == "red" else ~more


def shuffled_folds(boards: LabelledBoards) -> LabelledBoards:
    """The same boards, put into the folds as if they were independent of each other."""
    return replace(boards, folds=np.random.default_rng(1).permutation(boards.folds))


# ---- searches

FEWEST, MOST, DEPTH = 2, 15, 3
"""Stones of a random board, and moves that are searched."""

SHOWN = (1, 2, 10, 27)
"""Iterations whose recall and precision the thesis draws."""


MACHINE = MachineParameters(6_400, 12_000, 40)
"""The machine of the searches."""


@dataclass(frozen=True)
class SearchSettings:
    """The number of iterations, the searches of each, and their machines."""

    iterations: int = 27
    boards: int = 100
    """Random boards of an iteration."""
    top: int = 100
    """Boards that are kept from each search."""
    machine: MachineParameters = MACHINE
    epochs: int = 50
    learned: int = 100
    """Of the boards that are kept from a search, those that machines learn from."""
    seed: int = 1


def searches_at(n_boards: int | None) -> SearchSettings:
    """As published, or so that about `n_boards` are found, by smaller machines."""
    whole = SearchSettings()
    if n_boards is None:
        return whole
    share = min(1.0, n_boards / (whole.iterations * whole.boards * whole.top))
    # Machines are trained 27 times: these are smaller by half as much again.
    machine = whole.machine.at(replace(SIZES["default"], share=min(1.0, share / 2)))
    if share < 0.01:
        return SearchSettings(4, 15, 20, machine, epochs=3, learned=10)
    # Fewer boards of as many searches tell more than as many boards of fewer.
    return SearchSettings(machine=machine, epochs=6, learned=max(1, int(whole.top * share)))


@dataclass(frozen=True)
class SearchResult:
    """The boards that one search of a side found, best first."""

    colour: str
    lines: tuple[SearchedBoard, ...]

    def some(self, n: int) -> list[SearchedBoard]:
        """`n` of the lines, evenly spread; all of them, if there are no more."""
        places = np.linspace(0, len(self.lines) - 1, min(n, len(self.lines)))
        return [self.lines[round(place)] for place in places]

    @property
    def called_wins(self) -> NDArray[np.bool_]:
        """Which boards the machine predicts as wins of the side that searched."""
        return np.array([line.predicted == self.colour for line in self.lines])

    @property
    def wins(self) -> NDArray[np.bool_]:
        """Which of them are."""
        return np.array([line.winner == self.colour for line in self.lines])


def iterations(
    perfect: LabelledBoards,
    settings: SearchSettings,
    known: Sequence[Sequence[SearchedBoard]] = (),
    jobs: int = 1,
    device: str = "cpu",
) -> Iterator[list[SearchResult]]:
    """The searches of each iteration; the machines are trained anew before each.

    `known` are the boards that machines learn from the first iterations, which are then left out.
    The searches are the same for any number of `jobs`, and on any device.
    """
    game = game_of(perfect)

    def learned(
        X: NDArray[np.uint8], results: NDArray[np.uint8], fresh: Sequence[SearchedBoard]
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        won = np.array([line.winner == game.colours[0] for line in fresh], np.uint8)
        X = np.concatenate([X, game.encode([line.position for line in fresh])])
        return X, np.concatenate([results, won])

    search = generating.SearchPlan(
        game, "", fewest=FEWEST, most=min(MOST, game.size**2 // 2), depth=DEPTH, top=settings.top
    )
    X, results = perfect.X, perfect.results
    for fresh in known:
        X, results = learned(X, results, fresh)
    for number in range(len(known) + 1, settings.iterations + 1):
        machines = _trained(X, results, settings, game, jobs, device)
        seed = f"{settings.seed} {number}"
        tasks = ((machines, search, seed, range(settings.boards)[n::jobs]) for n in range(jobs))
        found = dict(pair for some in spread(_search_from, tasks, jobs) for pair in some)
        searches = [found[board] for board in range(settings.boards)]
        yield searches
        X, results = learned(X, results, boards_to_learn(searches, settings))


def _search_from(
    machines: Mapping[str, BaseTsetlinMachine],
    search: generating.SearchPlan,
    seed: str,
    boards: range,
) -> list[tuple[int, SearchResult]]:
    """The searches from some random boards, by their numbers."""
    from clauseboard.learners.tsetlin import make_evaluator

    game, solver = search.game, Solver(search.game.size)
    judge = make_evaluator(game, **machines)
    assert not isinstance(judge, Mapping)
    judges: dict[str, Evaluator] = dict.fromkeys(game.colours, judge)
    searches = []
    for board in boards:
        draws = random.Random(f"{seed} {board}")
        root = generating.random_board(game, search.fewest, search.most, draws)
        lines = tuple(generating.found_from(root, board, judges, search, solver))
        searches.append((board, SearchResult(root.to_move, lines)))
    return searches


def boards_to_learn(
    searches: Sequence[SearchResult], settings: SearchSettings
) -> list[SearchedBoard]:
    """The boards of an iteration that machines learn from."""
    return [line for result in searches for line in result.some(settings.learned)]


def _trained(
    X: NDArray[np.uint8],
    results: NDArray[np.uint8],
    settings: SearchSettings,
    game: Hex,
    jobs: int,
    device: str,
) -> dict[str, BaseTsetlinMachine]:
    """A machine for the boards after each side's moves; class 1 is a win of that side."""
    from clauseboard.tsetlin import Fit, fit_many

    names = [bit.name for bit in game.bits()]
    fits = []
    for side, colour in enumerate(game.colours):
        rows = after_move_of(X, colour)
        won = (results[rows] == 1 - side).astype(np.uint8)
        # Probabilities are not asked for; folds to fit them would be trained for a pickle.
        machine = settings.machine.classifier(
            epochs=settings.epochs,
            random_state=settings.seed,
            n_jobs=jobs,
            device=device,
            inner_folds=0,
        )
        fits.append(Fit(machine, X[rows], won, bit_names=names))
    return dict(zip(game.colours, fit_many(fits, n_jobs=1, progress=False), strict=True))


def write_iterations(
    perfect: LabelledBoards,
    settings: SearchSettings,
    folder: Path,
    jobs: int = 1,
    device: str = "cpu",
) -> list[JsonObject]:
    """Write the boards that the machines learn into files, one an iteration; return the scores.

    Recall and precision of each iteration (`top_scores`) are in a second file. Iterations whose
    files are there already are not searched again.
    """
    game = game_of(perfect)
    names = [f"iteration-{n:04}" for n in range(1, settings.iterations + 1)]
    boards = [folder / f"{name}{ENDING}" for name in names]
    scores = [folder / f"{name}-scores.json" for name in names]
    # The boards are written last: where they are, the scores are, too.
    there = list(itertools.takewhile(Path.is_file, boards))
    missing = list(zip(boards, scores, strict=True))[len(there) :]
    known = [
        [read_line(game, line) for line in file.read_text("utf-8").splitlines()]
        for file in (there if missing else ())
    ]
    searched = iterations(perfect, settings, known, jobs, device) if missing else ()
    for (board_file, score_file), searches in zip(missing, searched, strict=True):
        with replaced(score_file) as whole:
            whole.write(json.dumps(top_scores(searches, settings.top)).encode())
        lines = map(write_line, boards_to_learn(searches, settings))
        with replaced(board_file) as whole:
            whole.write("".join(lines).encode())
    return [json.loads(file.read_text("utf-8")) for file in scores]


def search_task(
    perfect: LabelledBoards, settings: SearchSettings, folder: Path | None = None
) -> Task:
    """All iterations, one after the other: each needs the boards of the last one."""
    page = {"searches": asdict(settings), "seed": settings.seed}
    return Task(search_all, page, perfect, on_gpu=True, folder=folder)


@recorded_as("hex_searching.search_all")
def search_all(tasks: Sequence[Task], epoch_done: EpochCallback, device: str) -> list[JsonObject]:
    """Recall and precision of the iterations that are shown, and of the last."""
    return [_search(task, device) for task in tasks]


def _search(task: Task, device: str) -> JsonObject:
    assert task.boards is not None
    given = task.settings["searches"]
    settings = SearchSettings(**{**given, "machine": MachineParameters(**given["machine"])})
    last = min(settings.iterations, max(SHOWN))
    with searches_folder(task.boards, settings, task.folder) as folder:
        scores = write_iterations(task.boards, settings, folder, device=device)
    return {
        str(number): found
        for number, found in enumerate(scores, 1)
        if number in SHOWN or number == last
    }


def top_scores(searches: Sequence[SearchResult], top: int) -> dict[str, list[float | None]]:
    """Recall and precision over the first 1, 2, ... boards of every search, in percent.

    None where there is nothing to divide by: no win, or nothing that is called one.
    """
    called = np.zeros((len(searches), top), np.bool_)
    wins, there = called.copy(), called.copy()
    for row, result in enumerate(searches):
        n = len(result.lines)
        called[row, :n], wins[row, :n], there[row, :n] = result.called_wins, result.wins, True

    def upto(chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.cumsum((chosen & there).sum(axis=0))

    right, all_wins, all_called = upto(called & wins), upto(wins), upto(called)

    def percent(of: NDArray[np.int64]) -> list[float | None]:
        return [100 * int(r) / int(n) if n else None for r, n in zip(right, of, strict=True)]

    return {"recall": percent(all_wins), "precision": percent(all_called)}
