"""The data sets of Go: the board at the end of each game, or after so many of its moves.

Games that do not say who won, that have too few moves or another size of board, or whose moves are
not legal are dropped, and counted by the reason.

One process finds where games begin and end and hands out their texts, some hundred at a time;
others read and replay them. Only the texts that are being worked on are in memory.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from clauseboard.checks import whole_number
from clauseboard.game import Bit, NotationError, UnreadableError
from clauseboard.games.datasets import DRAW, Composition, Rows, key
from clauseboard.games.go import kernels
from clauseboard.games.go.encoding import pack
from clauseboard.games.go.records import codes_of, empty_state, noted_outcome, read_plain, read_sgf
from clauseboard.games.go.rules import Go, state_of
from clauseboard.games.records import Report
from clauseboard.games.sgf_files import game_texts
from clauseboard.games.solving import Progress

AT_A_TIME = 512
"""Games that are handed to a process together."""

GameText = tuple[str, int, bytes]
"""A game: its file, the line it begins on, and its SGF."""


@dataclass(frozen=True)
class FinalBoards(Composition):
    """The board at the end of each game on boards of `size` with at least `at_least` moves."""

    name: ClassVar[str] = "end"
    text: ClassVar[str] = "the board at the end of each game"
    reasons: ClassVar[tuple[str, ...]] = ("another size", "no result", "too few moves")

    size: int = 9
    at_least: int = 0

    def __post_init__(self) -> None:
        Go(size=self.size)
        whole_number("at_least", self.at_least)

    @property
    def game(self) -> Go:
        """The rules of the boards, with the usual komi; games with another one are noted."""
        return Go(size=self.size)

    def bits(self) -> tuple[Bit, ...]:
        """The bits of a row, in their order."""
        return self.game.bits()

    def fewest_moves(self) -> int:
        """Games with fewer moves are dropped."""
        return self.at_least

    def moves_played(self, n_moves: int) -> int:
        """How many moves of a game with so many are played before its board is taken."""
        return n_moves

    def rows(
        self,
        sources: Sequence[Path],
        report: Report,
        *,
        jobs: int = 1,
        progress: Progress | None = None,
    ) -> Iterator[Rows]:
        """The boards of SGF files, of folders of them, or of tars, in their order."""
        # Texts are found while other threads work, so that broken ones have a report of their own.
        broken = Report()
        parts = _parts(sources, broken, progress)
        if jobs == 1:
            results: Iterator[tuple[Rows, Report]] = map(self.boards_of, parts)
        else:
            from joblib import Parallel, delayed

            workers = Parallel(n_jobs=jobs, return_as="generator", pre_dispatch="2 * n_jobs")
            results = workers(delayed(self.boards_of)(part) for part in parts)
        n_games = 0
        for rows, counts in results:
            report.add(counts)
            rows.games[:] += n_games
            n_games += len(rows)
            yield rows
        report.add(broken)
        if progress is not None:
            progress(1.0)

    def boards_of(self, texts: Sequence[GameText]) -> tuple[Rows, Report]:
        """The boards of some games, numbered from 0 on, and the report of these games."""
        report = Report()
        kept = []
        for name, line, text in texts:
            try:
                kept.append(self._board_of(text, report))
            except NotationError as error:
                report.drop(name, line, error.fault, error.detail)
                continue
            report.keep()
        n = len(kept)
        boards, labels, plies, to_move, keys = zip(*kept, strict=True) if kept else ((),) * 5
        rows = Rows(
            packed=pack(np.array(boards, np.uint8).reshape(n, self.size**2)),
            labels=np.array(labels, np.uint8),
            games=np.arange(n, dtype=np.int64),
            plies=np.array(plies, np.int32),
            to_move=np.array(to_move, np.uint8),
            keys=np.array(keys, np.uint64).reshape(n, 2),
        )
        return rows, report

    def _board_of(
        self, text: bytes, report: Report
    ) -> tuple[NDArray[np.uint8], int, int, int, tuple[int, int]]:
        """The board of a game, its label, moves played, side to move and key; or an error.

        Oddities are noted in the report.
        """
        game = _read_game(text)
        if game.size != self.size:
            raise UnreadableError(f"the board has the size {game.size}.", fault="another size")
        label = _label(game.result)
        if label is None:
            raise UnreadableError(
                f"RE is {game.result!r}, which names no winner.", fault="no result"
            )
        n_moves, fewest = len(game.points), self.fewest_moves()
        if n_moves < fewest:
            raise UnreadableError(f"{n_moves}, not {fewest} or more.", fault="too few moves")
        if game.komi != self.game.points_for_white:
            report.notes[f"a komi of {game.komi:g}"] += 1
        if game.start:
            report.notes["stones set up, or white to begin"] += 1
        played = self.moves_played(n_moves)
        kernels.replay(game.state, game.points[:played], False)
        board = np.empty(game.size**2, np.uint8)
        kernels.read_board(game.state, board)
        side = int(game.state[kernels.INFO, kernels.SIDE]) - 1
        return board, label, played, side, key(game.start + game.points.tobytes())


@dataclass(frozen=True)
class BoardsAfter(FinalBoards):
    """The board after `moves` moves of each game with at least `at_least` moves, if given."""

    name: ClassVar[str] = "after"
    text: ClassVar[str] = "the board after so many moves of each game that is long enough"

    moves: int = 80

    def __post_init__(self) -> None:
        super().__post_init__()
        whole_number("moves", self.moves, 1)
        if 0 < self.at_least < self.moves:
            raise ValueError(
                f"at_least={self.at_least} moves are too few for a board after {self.moves}; leave "
                f"it out, or name {self.moves} or more."
            )

    def fewest_moves(self) -> int:
        """Games with fewer moves are dropped."""
        return max(self.at_least, self.moves)

    def moves_played(self, n_moves: int) -> int:
        """How many moves of a game with so many are played before its board is taken."""
        return self.moves


COMPOSITIONS: tuple[type[Composition], ...] = (FinalBoards, BoardsAfter)


def _parts(
    sources: Sequence[Path], report: Report, progress: Progress | None
) -> Iterator[list[GameText]]:
    """The texts of the games, some at a time; reports how much of the bytes has been read."""
    total = sum(map(_size, sources)) if progress is not None else 0
    done, part = 0, []
    for source in sources:
        for name, line, text in game_texts(source, report):
            part.append((name, line, text))
            done += len(text)
            if len(part) == AT_A_TIME:
                yield part
                part = []
                if progress is not None:
                    # Files that are compressed hold more than their size.
                    progress(min(done / max(total, 1), 0.99))
    if part:
        yield part


def _size(source: Path) -> int:
    files = source.rglob("*") if source.is_dir() else [source]
    return sum(path.stat().st_size for path in files if path.is_file())


@dataclass(frozen=True)
class _Game:
    """The state before the first move, the moves, and the result in the record.

    `start` identifies a start other than the empty board with black to move.
    """

    state: Any
    points: NDArray[np.int16]
    size: int
    komi: float
    result: str
    start: bytes = b""


def _read_game(text: bytes) -> _Game:
    plain = read_plain(text)
    if plain is not None:
        state = empty_state(plain.size)
        return _Game(state, plain.points, plain.size, plain.komi, plain.result)
    record = read_sgf(text)
    game, first = record.game, record.start
    odd = any(first.board) or first.to_move != game.colours[0]
    start = first.board + first.to_move.encode() if odd else b""
    komi, points = game.points_for_white, codes_of(record.moves)
    return _Game(state_of(first), points, game.size, komi, record.result, start)


@functools.lru_cache(maxsize=1024)
def _label(result: str) -> int | None:
    """The winner: 0 black, 1 white, 2 none (a draw); None if it is not known."""
    outcome = noted_outcome(result)
    if outcome is None:
        return None
    return DRAW if outcome.winner is None else Go.colours.index(outcome.winner)
