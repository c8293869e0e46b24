"""The compositions of Go: the board at the end of each game, or after so many of its moves.

Games that do not say who won, that have too few moves or another size of board, or whose moves are
not legal are left out, and counted by the reason.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from clauseboard.game import Bit, NotationError, UnreadableError
from clauseboard.games.datasets import DRAW, Composition, Rows, key
from clauseboard.games.go.encoding import pack
from clauseboard.games.go.records import empty_state, noted_outcome, read_quickly, read_sgf
from clauseboard.games.go.rules import Go
from clauseboard.games.go.scoring import state_of
from clauseboard.games.records import Report
from clauseboard.games.sgf_files import game_texts
from clauseboard.games.solving import Progress

# One board of each game of an archive of Go: read in parts, by several processes if asked for.
#
# One process finds where games begin and end, and hands out their texts, some hundred at a time;
# others read and replay them. No more texts are held than are being worked on.

AT_A_TIME = 512
"""Games that are handed to a process together."""

Text = tuple[str, int, bytes]
"""A game: its file, the line it begins on, and how it is written."""


@dataclass(frozen=True)
class Wanted:
    """Which board: after so many moves (None: after all), of games with at least so many."""

    game: Go
    moves: int | None
    at_least: int


def extract(
    sources: Sequence[Path], wanted: Wanted, report: Report, jobs: int, told: Progress | None
) -> Iterator[Rows]:
    """The boards of the games of some archives, in their order."""
    # Texts are found while other threads work, so that what is broken is noted by itself.
    broken = Report()
    parts = _parts(sources, broken, told)
    if jobs == 1:
        found: Iterator[tuple[Rows, Report]] = (boards_of(part, wanted) for part in parts)
    else:
        from joblib import Parallel, delayed

        workers = Parallel(n_jobs=jobs, return_as="generator", pre_dispatch="2 * n_jobs")
        found = workers(delayed(boards_of)(part, wanted) for part in parts)
    n_games = 0
    for rows, counts in found:
        report.add(counts)
        rows.games[:] += n_games
        n_games += len(rows)
        yield rows
    report.add(broken)
    if told is not None:
        told(1.0)


def _parts(sources: Sequence[Path], report: Report, told: Progress | None) -> Iterator[list[Text]]:
    """The texts of the games, some at a time; tells how much of the bytes has been read."""
    total = sum(map(_size, sources)) if told is not None else 0
    done, part = 0, []
    for source in sources:
        for name, line, text in game_texts(source, report):
            part.append((name, line, text))
            done += len(text)
            if len(part) == AT_A_TIME:
                yield part
                part = []
                if told is not None:
                    # Files that are compressed hold more than their size.
                    told(min(done / max(total, 1), 0.99))
    if part:
        yield part


def _size(source: Path) -> int:
    files = source.rglob("*") if source.is_dir() else [source]
    return sum(path.stat().st_size for path in files if path.is_file())


def boards_of(texts: Sequence[Text], wanted: Wanted) -> tuple[Rows, Report]:
    """The boards of some games, numbered from 0 on, and what became of each game."""
    report = Report()
    boards, labels, plies, to_move, keys = [], [], [], [], []
    for name, line, text in texts:
        try:
            replayed, label = _replayed(text, wanted, report)
        except NotationError as error:
            report.drop(name, line, error.fault, error.detail)
            continue
        report.keep()
        boards.append(replayed.board)
        labels.append(label)
        plies.append(replayed.n_moves)
        to_move.append(replayed.to_move)
        keys.append(replayed.key)
    n = len(boards)
    stones = np.array(boards, np.uint8).reshape(n, wanted.game.size**2)
    rows = Rows(
        packed=pack(stones),
        labels=np.array(labels, np.uint8),
        games=np.arange(n, dtype=np.int64),
        plies=np.array(plies, np.int32),
        to_move=np.array(to_move, np.uint8),
        keys=np.array(keys, np.uint64).reshape(n, 2),
    )
    return rows, report


@dataclass(frozen=True)
class _Game:
    """The state before the first move, the moves, and what was noted."""

    state: Any
    points: NDArray[np.int16]
    size: int
    komi: float
    result: str
    start: bytes = b""
    """What sets it apart from a game from the empty board."""


@dataclass(frozen=True)
class _Replayed:
    board: NDArray[np.uint8]
    n_moves: int
    to_move: int
    key: tuple[int, int]


def _replayed(text: bytes, wanted: Wanted, report: Report) -> tuple[_Replayed, int]:
    """The board that is wanted of a game, and who won; an error if there is none.

    Notes what is odd.
    """
    from clauseboard.games.go import kernels

    game = _read(text)
    if game.size != wanted.game.size:
        raise UnreadableError(f"the board has the size {game.size}.", fault="another size")
    label = _label(game.result)
    if label is None:
        raise UnreadableError(f"RE is {game.result!r}, which tells no winner.", fault="no result")
    n_moves = len(game.points)
    if n_moves < wanted.at_least:
        raise UnreadableError(f"{n_moves}, not {wanted.at_least} or more.", fault="too few moves")
    if game.komi != wanted.game.points_for_white:
        report.notes[f"a komi of {game.komi:g}"] += 1
    if game.start:
        report.notes["stones set up, or white to begin"] += 1
    played = n_moves if wanted.moves is None else wanted.moves
    kernels.replay(game.state, game.points[:played], False)
    board = np.empty(game.size**2, np.uint8)
    kernels.read_board(game.state, board)
    side = int(game.state[kernels.INFO, kernels.SIDE]) - 1
    return _Replayed(board, played, side, key(game.start + game.points.tobytes())), label


def _read(text: bytes) -> _Game:
    quick = read_quickly(text)
    if quick is not None:
        state = empty_state(quick.size)
        return _Game(state, quick.points, quick.size, quick.komi, quick.result)
    record = read_sgf(text)
    points = np.array([-1 if m.point is None else m.point for m in record.moves], np.int16)
    game, first = record.game, record.start
    odd = any(first.board) or first.to_move != game.colours[0]
    start = first.board + first.to_move.encode() if odd else b""
    return _Game(state_of(first), points, game.size, game.points_for_white, record.result, start)


@functools.lru_cache(maxsize=1024)
def _label(result: str) -> int | None:
    """Who has won: 0 black, 1 white, 2 nobody; None if it is not known."""
    outcome = noted_outcome(result)
    if outcome is None:
        return None
    return DRAW if outcome.winner is None else Go.colours.index(outcome.winner)


@dataclass(frozen=True)
class End(Composition):
    """The board at the end of each game on boards of `size` with at least `at_least` moves."""

    name: ClassVar[str] = "end"
    text: ClassVar[str] = "the board at the end of each game"
    reasons: ClassVar[tuple[str, ...]] = ("another size", "no result", "too few moves")

    size: int = 9
    at_least: int = 0

    def __post_init__(self) -> None:
        Go(size=self.size)
        _check_moves("at_least", self.at_least, 0)

    @property
    def game(self) -> Go:
        """The rules of the boards, with the usual komi; games with another one are noted."""
        return Go(size=self.size)

    def bits(self) -> tuple[Bit, ...]:
        """The bits of a row, in their order."""
        return self.game.bits()

    def wanted(self) -> Wanted:
        """Which board of a game it is."""
        return Wanted(self.game, None, self.at_least)

    def rows(
        self,
        sources: Sequence[Path],
        report: Report,
        *,
        jobs: int = 1,
        told: Progress | None = None,
    ) -> Iterator[Rows]:
        """The boards of SGF files, of folders of them, or of tars, in their order."""
        return extract(sources, self.wanted(), report, jobs, told)


@dataclass(frozen=True)
class After(End):
    """The board after `moves` moves of each game that has `at_least` so many, or more.

    Without `at_least`, those that have `moves` moves.
    """

    name: ClassVar[str] = "after"
    text: ClassVar[str] = "the board after so many moves of each game that is long enough"

    moves: int = 80

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_moves("moves", self.moves, 1)
        if 0 < self.at_least < self.moves:
            raise ValueError(
                f"at_least={self.at_least} moves are too few for a board after {self.moves}; leave "
                f"it out, or name {self.moves} or more."
            )

    def wanted(self) -> Wanted:
        """Which board of a game it is."""
        return Wanted(self.game, self.moves, max(self.at_least, self.moves))


COMPOSITIONS: tuple[type[Composition], ...] = (End, After)


def _check_moves(name: str, value: int, least: int) -> None:
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not whole or value < least:
        raise ValueError(f"{name}={value!r} is no whole number of moves from {least} on.")
