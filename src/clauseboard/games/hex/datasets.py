"""The data sets of Hex: boards of recorded games, of perfect games, and those of a search.

A row's `plies` are its stones, so that boards can be divided by their number. `last` takes the
boards after one side's moves only, which are those that the machine of that side evaluates.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from clauseboard.checks import flag, whole_number
from clauseboard.game import Bit, NotationError, UnreadableError
from clauseboard.games.datasets import Composition, Rows, key
from clauseboard.games.hex import encoding
from clauseboard.games.hex.encoding import boards_of
from clauseboard.games.hex.records import ENDINGS, read_sgf
from clauseboard.games.hex.rules import Hex, HexMove, HexPosition, Swap, cells_of
from clauseboard.games.hex.solving import LARGEST, Solver
from clauseboard.games.records import Report, decoded
from clauseboard.games.sgf_files import read_games
from clauseboard.games.solving import Progress

# ---- boards that a search found and the solver labelled, as files of lines

ENDING = ".boards"


@dataclass(frozen=True)
class SearchedBoard:
    r"""A board that a search found: from which board, its score, and the winners.

    `predicted` wins by the score, `winner` by the solver. A line of a file has the fields with tabs
    between them.

    >>> board = SearchedBoard(3, 0.95, "red", "blue", Hex(2).read_position("R./B. red"))
    >>> write_line(board)
    '3\t0.95\tred\tblue\tR./B. red\n'
    >>> read_line(Hex(2), write_line(board)) == board
    True
    """

    root: int
    score: float
    predicted: str
    winner: str
    position: HexPosition


def write_line(board: SearchedBoard) -> str:
    """A line that `read_line` takes back."""
    position = board.position.game.write_position(board.position)
    return f"{board.root}\t{board.score!r}\t{board.predicted}\t{board.winner}\t{position}\n"


def read_line(game: Hex, text: str) -> SearchedBoard:
    """The board of a line."""
    words = text.rstrip("\r\n").split("\t")
    try:
        root, score, predicted, winner, written = words
        number, value = int(root), float(score)
        if number < 0 or not math.isfinite(value) or not {predicted, winner} <= set(game.colours):
            raise ValueError
    except ValueError:
        raise UnreadableError(
            f"{text.strip()[:80]!r} is not a number, a score, two colours and a "
            "position, with tabs between them.",
            fault="no board",
        ) from None
    try:
        position = game.read_position(written)
    except NotationError as error:
        raise UnreadableError(str(error), fault="no board") from None
    return SearchedBoard(number, value, predicted, winner, position)


# ---- perfect games
# The first two stones are given, every pair of them, so that both sides win some games. From there
# on both sides play best moves (`Solver.best_move`); the seed chooses between equally good ones.

TABLE = 2**18
"""Entries of the solver's table; every first stone has a solver of its own."""


@dataclass(frozen=True)
class PerfectGame:
    """A game: its moves, the position after each, and the winner."""

    moves: tuple[HexMove | Swap, ...]
    positions: tuple[HexPosition, ...]
    winner: str


def perfect_games(size: int, seed: int, effort: int, jobs: int = 1) -> Iterator[PerfectGame]:
    """The games of all pairs of first stones, in the order of the first one, then of the second.

    `effort` is how many positions the solver may look at for the shortest win; with 0 it takes the
    shortest by its proof. The games are the same for any number of `jobs`.
    """
    if not 2 <= size <= LARGEST:
        raise ValueError(f"Perfect games are on boards of size 2 to {LARGEST}, not {size!r}.")
    firsts = range(size * size)
    if jobs == 1:
        for first in firsts:
            yield from games_from(size, first, seed, effort)
        return
    from joblib import Parallel, delayed

    workers = Parallel(n_jobs=jobs, return_as="generator")
    for games in workers(delayed(games_from)(size, first, seed, effort) for first in firsts):
        yield from games


def games_from(size: int, first: int, seed: int, effort: int) -> list[PerfectGame]:
    """The games that begin on one cell."""
    # Which of several good moves a solver proves first depends on what it has solved before. With a
    # solver for each first stone, the games do not depend on the number of jobs.
    solver = Solver(size, TABLE)
    start = Hex(size).start()
    cells = cells_of(size)
    return [
        _play((cells[first], second), start, solver, random.Random(f"{seed} {first} {n}"), effort)
        for n, second in enumerate(cells)
        if n != first
    ]


def _play(
    given: tuple[HexMove, ...],
    position: HexPosition,
    solver: Solver,
    draws: random.Random,
    effort: int,
) -> PerfectGame:
    moves: list[HexMove | Swap] = []
    positions = []
    while position.winner is None:
        if len(moves) < len(given):
            move: HexMove | Swap = given[len(moves)]
        else:
            move = solver.best_move(position, draws.getrandbits(63), effort)
        position = position.play(move)
        moves.append(move)
        positions.append(position)
    return PerfectGame(tuple(moves), tuple(positions), position.winner)


# ---- compositions

AT_A_TIME = 256
"""Games whose boards are packed together."""

BOTH = "both"


@dataclass(frozen=True)
class Group:
    """Boards that belong together, the winner of each, and text that identifies the group."""

    positions: Sequence[HexPosition]
    winners: Sequence[str]
    moves: str


@dataclass(frozen=True)
class RecordedBoards(Composition):
    """Every board of recorded games on boards of `size`, which the noted winner wins.

    - `last`: the side that made the last move, "red", "blue" or "both";
    - `stones_from`, `stones_to`: how many stones there are on a board.
    """

    name: ClassVar[str] = "games"
    text: ClassVar[str] = "every board of recorded games"
    several: ClassVar[bool] = True
    reasons: ClassVar[tuple[str, ...]] = ("another size", "no result", "no such board")

    size: int = 6
    last: str = BOTH
    stones_from: int = 2
    stones_to: int = 361

    def __post_init__(self) -> None:
        Hex(self.size)
        if self.last not in (*Hex.colours, BOTH):
            raise ValueError(f"last={self.last!r} is not one of 'red', 'blue', 'both'.")
        whole_number("stones_from", self.stones_from)
        whole_number("stones_to", self.stones_to, self.stones_from)

    @property
    def game(self) -> Hex:
        """The rules of the boards."""
        return Hex(self.size)

    def bits(self) -> tuple[Bit, ...]:
        """The bits of a row, in their order."""
        return self.game.bits()

    def rows(
        self,
        sources: Sequence[Path],
        report: Report,
        *,
        jobs: int = 1,
        progress: Progress | None = None,
    ) -> Iterator[Rows]:
        """The boards, some games at a time."""
        groups: list[Group] = []
        n_games = 0
        for group in self.groups(sources, report, jobs, progress):
            groups.append(group)
            if len(groups) == AT_A_TIME:
                yield self._packed(groups, n_games)
                n_games, groups = n_games + len(groups), []
        if groups:
            yield self._packed(groups, n_games)

    def groups(
        self, sources: Sequence[Path], report: Report, jobs: int, progress: Progress | None
    ) -> Iterator[Group]:
        """Boards that are kept together, one group at a time; each one is counted."""

        def read(text: bytes) -> Group:
            record = read_sgf(text)
            if record.game.size != self.size:
                raise UnreadableError(
                    f"the board has the size {record.game.size}.", fault="another size"
                )
            if record.outcome is None or record.outcome.winner is None:
                raise UnreadableError("neither the board nor RE tells who won.", fault="no result")
            return self._chosen(list(record.positions())[1:], record.outcome.winner, record.moves)

        for number, source in enumerate(sources, 1):
            yield from read_games(source, report, read, endings=ENDINGS)
            if progress is not None:
                progress(number / len(sources))

    def shown(self, positions: Sequence[HexPosition], winner: str) -> list[tuple[HexPosition, str]]:
        """The boards that the boards of a game are shown as, each with its winner."""
        return [(position, winner) for position in positions]

    def _chosen(self, positions: Sequence[HexPosition], winner: str, moves: Sequence[Any]) -> Group:
        """The boards of a game that are wanted; an error if there are none."""
        kept = [pair for pair in self.shown(positions, winner) if self._wants(pair[0])]
        if not kept:
            raise UnreadableError(
                f"none of the {len(positions)} boards of the game is wanted.", fault="no such board"
            )
        boards, winners = zip(*kept, strict=True)
        return Group(boards, winners, " ".join(map(str, moves)))

    def _wants(self, position: HexPosition) -> bool:
        stones = (position.red | position.blue).bit_count()
        return self.stones_from <= stones <= self.stones_to and (
            self.last in (BOTH, self.game.other(position.to_move))
        )

    def _packed(self, groups: Sequence[Group], first: int) -> Rows:
        """The boards of some groups as rows; the groups are numbered from `first` on."""
        positions = list(chain.from_iterable(group.positions for group in groups))
        sizes = [len(group.positions) for group in groups]
        colours = self.game.colours
        winners = chain.from_iterable(group.winners for group in groups)
        keys = np.array([key(group.moves.encode()) for group in groups], np.uint64)
        stones = [(position.red | position.blue).bit_count() for position in positions]
        return Rows(
            packed=encoding.pack(self.game, boards_of(self.game, positions)),
            labels=np.array([colours.index(winner) for winner in winners], np.uint8),
            games=np.repeat(np.arange(first, first + len(groups)), sizes),
            plies=np.array(stones, np.int32),
            to_move=np.array([colours.index(p.to_move) for p in positions], np.uint8),
            keys=np.repeat(keys, sizes, axis=0),
        )


@dataclass(frozen=True)
class PerfectBoards(RecordedBoards):
    """Every board of perfect games, one game for each pair of first stones.

    - `seed`: which of equally good moves are played;
    - `effort`: how many positions may be looked at to find the shortest win.
    """

    name: ClassVar[str] = "perfect"
    text: ClassVar[str] = "every board of perfect games, one for each pair of first stones"
    from_files: ClassVar[bool] = False

    seed: int = 1
    effort: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 2 <= self.size <= LARGEST:
            raise ValueError(
                f"Perfect games are on boards of size 2 to {LARGEST}, not {self.size}."
            )
        whole_number("seed", self.seed)
        whole_number("effort", self.effort)

    def groups(
        self, sources: Sequence[Path], report: Report, jobs: int, progress: Progress | None
    ) -> Iterator[Group]:
        """The games one by one."""
        total = self.size**2 * (self.size**2 - 1)
        games = perfect_games(self.size, self.seed, self.effort, jobs)
        for number, game in enumerate(games, 1):
            if progress is not None:
                progress(number / total)
            try:
                group = self._chosen(game.positions, game.winner, game.moves)
            except UnreadableError as error:
                report.drop("", number, error.fault, error.detail)
                continue
            report.keep()
            yield group


@dataclass(frozen=True)
class DoubledBoards(PerfectBoards):
    """The boards of perfect games, each a second time with the colours exchanged.

    The board is reflected at its long diagonal, since each colour has sides of its own. With
    `as_published` it stays as it is, as the thesis has it, which makes boards that nobody wins.
    A board and its copy are in the same fold.
    """

    name: ClassVar[str] = "doubled"
    text: ClassVar[str] = "the boards of perfect games, and the same with colours exchanged"

    as_published: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        flag("as_published", self.as_published)

    def shown(self, positions: Sequence[HexPosition], winner: str) -> list[tuple[HexPosition, str]]:
        """The boards as they are, and then with the colours exchanged."""
        copies = [self._exchanged(position) for position in positions]
        other = self.game.other(winner)
        return [*super().shown(positions, winner), *super().shown(copies, other)]

    def _exchanged(self, position: HexPosition) -> HexPosition:
        if not self.as_published:
            return position.reversed()
        # No symmetry of Hex: red's chain from top to bottom becomes one of blue's, which wins
        # nothing, so that the rules need not allow the position.
        to_move = self.game.other(position.to_move)
        return HexPosition(position.game, position.blue, position.red, to_move)


@dataclass(frozen=True)
class SearchedBoards(PerfectBoards):
    """The boards that a search found, from files that `clauseboard data search` wrote.

    The boards found from one board are kept together. With `with_perfect` those of perfect games
    are there, too, and come first.
    """

    name: ClassVar[str] = "searched"
    text: ClassVar[str] = "boards that a search found, from files, and those of perfect games"
    from_files: ClassVar[bool] = True

    with_perfect: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        flag("with_perfect", self.with_perfect)

    def groups(
        self, sources: Sequence[Path], report: Report, jobs: int, progress: Progress | None
    ) -> Iterator[Group]:
        """The perfect games, and then the boards of the files, by the boards they were found from.

        A line that cannot be read is dropped like a game.
        """
        if self.with_perfect:
            yield from super().groups((), report, jobs, progress)
        for path in chain.from_iterable(map(_files, sources)):
            lines = self._lines(path, report)
            for root, boards in groupby(lines, key=lambda line: line.root):
                kept = [line for line in boards if self._wants(line.position)]
                if not kept:
                    report.drop(str(path), 1, "no such board", f"none from board {root} is wanted.")
                    continue
                report.keep()
                positions = [line.position for line in kept]
                yield Group(positions, [line.winner for line in kept], f"{path.name} {root}")

    def _lines(self, path: Path, report: Report) -> Iterator[SearchedBoard]:
        with path.open("rb") as file:
            # Pieces of a set size, for a file without an end of line may be of any size.
            for number, raw in enumerate(iter(lambda: file.readline(LONGEST), b""), 1):
                if raw.startswith(b"#") or not raw.strip():
                    continue
                try:
                    yield read_line(self.game, decoded(raw))
                except NotationError as error:
                    report.drop(str(path), number, error.fault, error.detail)


LONGEST = 4096
"""Bytes of a line that are read at once."""

COMPOSITIONS: tuple[type[Composition], ...] = (
    RecordedBoards,
    PerfectBoards,
    DoubledBoards,
    SearchedBoards,
)


def _files(source: Path) -> list[Path]:
    """A file, or those of a folder whose names end as they should, in their order."""
    if not source.is_dir():
        return [source]
    return sorted(path for path in source.rglob(f"*{ENDING}") if path.is_file())
