"""The truth about checkers positions of few pieces, from the endgame tables."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import random
import warnings
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.checkers import endgame_kernels as endgame_index
from clauseboard.games.checkers.board import WHITE
from clauseboard.games.checkers.endgame_kernels import MOST_PIECES, materials, table_size
from clauseboard.games.checkers.rules import Checkers, CheckersMove, CheckersPosition
from clauseboard.games.solving import Progress, Solution, Truth
from clauseboard.kernels.cache import user_cache

# ---- endgame tables
# for every board of up to five pieces who wins, and in how many moves.  The tables are worked out
# backwards from the ends of games (retrograde analysis), in seconds for four pieces and minutes
# for five, and kept in the user's cache folder. They know the official rules: who cannot move has
# lost. Draws by counting moves or boards are not in them.

VERSION = 1
"""Of the files: numbering, values and form."""

MAGIC = b"clauseboard checkers endgames\n"

TableProgress = Callable[[int, int], None]
"""Told how many of how many numbers of boards are done."""


class TableError(ValueError):
    """A file that is no endgame table, or is a damaged one, or one of another version."""


@dataclass(frozen=True)
class Verdict:
    """How a game ends with best play: 1, 0 or -1 for the side to move, and after how many moves.

    Every turn of either side is a move. Of a draw there is no number: it is None.
    """

    value: int
    plies: int | None

    def __str__(self) -> str:
        if self.plies is None:
            return "draw"
        plural = "" if self.plies == 1 else "s"
        return f"{'win' if self.value > 0 else 'loss'} in {self.plies} move{plural}"


@dataclass(frozen=True, repr=False, eq=False)
class EndgameTables:
    """The tables of 2 to `pieces` pieces, in one array of bytes (see `endgame_kernels`)."""

    pieces: int
    values: NDArray[np.uint8]
    offsets: NDArray[np.int64]

    def __repr__(self) -> str:
        return f"<endgame tables of checkers, up to {self.pieces} pieces>"

    def probe(self, position: CheckersPosition) -> Verdict | None:
        """How a position ends with best play; None where it has more pieces than the tables.

        Draws by counting moves or boards, and what has been counted so far, are not looked at.
        """
        if position.game.blocked != "loss":
            raise ValueError(
                f"The tables hold that who cannot move has lost, but the game has "
                f"blocked={position.game.blocked!r}; they serve games with blocked='loss'."
            )
        ours = position.pieces(position.to_move)
        theirs = position.pieces(position.game.other(position.to_move))
        if not theirs:
            return Verdict(1, 0)
        if not ours:
            return Verdict(-1, 0)
        if (ours | theirs).bit_count() > self.pieces:
            return None
        board = np.array([position.board], np.uint64)
        side = np.array([position.to_move == WHITE], np.int64)
        return verdict(int(self.look_up(board, side)[0]))

    def best_moves(self, position: CheckersPosition) -> tuple[CheckersMove, ...]:
        """The moves that win soonest, or draw, or lose latest; none where the tables end.

        All of a position's moves lead into the tables if it is itself in them.
        """
        here = self.probe(position)
        if here is None:
            return ()
        after = {move: self.probe(position.after(move)) for move in position.possible_moves}
        plies = None if here.plies is None else here.plies - 1
        wanted = Verdict(-here.value, plies)
        return tuple(move for move, found in after.items() if found == wanted)

    def look_up(self, boards: NDArray[np.uint64], sides: NDArray[np.int64]) -> NDArray[np.uint8]:
        """The bytes of many boards, n × 3 words, each with its side to move (1: white).

        Nothing is checked: both sides have a piece, and no more together than the tables have.
        """
        from clauseboard.games.checkers import endgame_kernels

        found = np.empty(len(boards), np.uint8)
        endgame_kernels.look_up_each(boards, sides, self.values, self.offsets, found)
        return found

    def of(self, pieces: int) -> NDArray[np.uint8]:
        """The bytes of all numbers of exactly so many pieces."""
        start = sum(table_size(fewer) for fewer in range(2, pieces))
        return self.values[start : start + table_size(pieces)]

    def count_faults(self) -> int:
        """How many boards contradict the boards after their moves: 0, or the tables are wrong.

        A win needs a move to a lost board, one move nearer to the end, and none nearer still; and
        so on. As the numbers of moves can only go down to 0, this proves every win and loss; and
        who has a draw has a move to another one, for ever.
        """
        from clauseboard.games.checkers import endgame_kernels

        words, starts = endgame_index.groups()
        return sum(
            endgame_kernels.count_faults(self.values, self.offsets, words, starts, tuple(one))
            for pieces in range(2, self.pieces + 1)
            for one in materials(pieces)
        )


def verdict(value: int) -> Verdict:
    """What a byte of the tables says.

    >>> verdict(0), verdict(1), verdict(4)
    (Verdict(value=0, plies=None), Verdict(value=-1, plies=0), Verdict(value=1, plies=3))
    """
    return Verdict(-1 if value % 2 else 1, value - 1) if value else Verdict(0, None)


def build_tables(
    pieces: int = 4, folder: str | Path | None = None, progress: TableProgress | None = None
) -> EndgameTables:
    """Make the tables anew, and keep them in a folder; without one, the user's cache folder."""
    return _tables(pieces, folder, progress, keep=False, rebuild=True)


def open_tables(
    pieces: int = 4,
    folder: str | Path | None = None,
    progress: TableProgress | None = None,
    rebuild: bool = True,
) -> EndgameTables:
    """Read the tables from their folder; without one, the user's cache folder.

    What is missing is made; what is damaged is made again, with a warning. With `rebuild=False`
    either is an error: `FileNotFoundError` or `TableError`.
    """
    return _tables(pieces, folder, progress, keep=True, rebuild=rebuild)


def tables_folder() -> Path:
    """Where tables are kept unless another folder is named."""
    return user_cache() / "checkers-endgames"


def table_path(folder: str | Path, pieces: int) -> Path:
    """The file of the boards of exactly so many pieces."""
    return Path(folder) / f"{pieces}-pieces.table"


def _tables(
    pieces: int,
    folder: str | Path | None,
    progress: TableProgress | None,
    keep: bool,
    rebuild: bool,
) -> EndgameTables:
    if isinstance(pieces, bool) or not isinstance(pieces, int) or not 2 <= pieces <= MOST_PIECES:
        raise ValueError(f"pieces={pieces!r} is no whole number from 2 to {MOST_PIECES}.")
    folder = tables_folder() if folder is None else Path(folder)
    if rebuild:
        # If this cannot be done, it is better known before the work than after it.
        folder.mkdir(parents=True, exist_ok=True)
    total = sum(table_size(n) for n in range(2, pieces + 1))
    tables = EndgameTables(pieces, np.zeros(total, np.uint8), endgame_index.offsets(pieces))
    done = 0
    for n in range(2, pieces + 1):
        path = table_path(folder, n)
        if not keep or not _read_into(tables.of(n), path, n, rebuild):
            for size in _solve(tables, n):
                if progress is not None:
                    progress(done + size, total)
            _write(path, n, tables.of(n))
        done += table_size(n)
        if progress is not None:
            progress(done, total)
    return tables


def _solve(tables: EndgameTables, pieces: int) -> Iterator[int]:
    """Fill in the boards of so many pieces, those of fewer being there; how far, after each step.

    A material and the same with the other side to move lead to each other, and so are solved
    together.
    """
    from clauseboard.games.checkers import endgame_kernels

    words, starts = endgame_index.groups()
    values, offsets = tables.values, tables.offsets
    unknown = np.zeros_like(values)
    done = 0
    for material in materials(pieces):
        if material > material.turned:
            continue
        pair = sorted({material, material.turned})
        parts = [slice(offsets[one.code], offsets[one.code] + one.size) for one in pair]
        for one in pair:
            endgame_kernels.look_out(values, unknown, offsets, words, starts, tuple(one))
        level = 1
        while level <= max(values[part].max() for part in parts):
            for one in pair:
                endgame_kernels.step_back(
                    values, unknown, offsets, words, starts, tuple(one), level
                )
            level += 1
        for part in parts:
            # A loss that still has a move not known to lose is none.
            here, open_moves = values[part], unknown[part]
            here[(here % 2 == 1) & (open_moves > 0)] = 0
            here[open_moves == endgame_kernels.NO_BOARD] = endgame_kernels.NO_BOARD
        done += sum(one.size for one in pair)
        yield done


def _write(path: Path, pieces: int, values: NDArray[np.uint8]) -> None:
    """Write a table so that it is there as a whole or not at all."""
    packed = zlib.compress(values.tobytes(), 6)
    head = {
        "version": VERSION,
        "pieces": pieces,
        "values": len(values),
        "sha256": hashlib.sha256(packed).hexdigest(),
    }
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    unfinished.write_bytes(MAGIC + json.dumps(head).encode() + b"\n" + packed)
    os.replace(unfinished, path)


def _read_into(values: NDArray[np.uint8], path: Path, pieces: int, rebuild: bool) -> bool:
    """Read a table from its file; False if that cannot be done and it is to be made."""
    try:
        values[:] = np.frombuffer(_read(path, pieces), np.uint8)
    except FileNotFoundError:
        if not rebuild:
            raise FileNotFoundError(
                f"There is no endgame table {str(path)!r}; build_tables makes it."
            ) from None
        return False
    except TableError as error:
        if not rebuild:
            raise
        warnings.warn(f"{error} It is made again.", stacklevel=4)
        return False
    return True


def _read(path: Path, pieces: int) -> bytes:
    """What is in a file, as many bytes as there are numbers."""
    text = path.read_bytes()
    if not text.startswith(MAGIC):
        raise TableError(f"{str(path)!r} is no endgame table: its first line is another.")
    first, _, packed = text[len(MAGIC) :].partition(b"\n")
    try:
        head = json.loads(first)
        version, checksum = head["version"], head["sha256"]
        shape = (head["pieces"], head["values"])
    except (ValueError, KeyError, TypeError):
        raise TableError(f"{str(path)!r} is damaged: its second line cannot be read.") from None
    if version != VERSION:
        raise TableError(f"{str(path)!r} has version {version!r}; this program needs {VERSION}.")
    if shape != (pieces, table_size(pieces)):
        raise TableError(f"{str(path)!r} is not the table of {pieces} pieces.")
    if hashlib.sha256(packed).hexdigest() != checksum:
        raise TableError(f"{str(path)!r} is damaged: its checksum is wrong.")
    try:
        values = zlib.decompress(packed)
    except zlib.error as error:
        raise TableError(f"{str(path)!r} is damaged: {error}.") from None
    if len(values) != table_size(pieces):
        raise TableError(f"{str(path)!r} is damaged: it holds {len(values)} values.")
    return values


PIECES = 4
"""The tables are made, in seconds, when they are first needed."""

LONGEST_LINE = 200


def check(game: Checkers) -> None:
    """Refuse a game with rules that the tables were not made for."""
    if game.blocked != "loss":
        raise ValueError(
            f"The endgame tables serve games with blocked='loss', not blocked={game.blocked!r}."
        )


def best_move(position: CheckersPosition, seed: int) -> tuple[CheckersMove, str | None] | None:
    """One of the best moves, and the winner; None where there are more pieces than in the tables.

    Draws by counting are not looked at.
    """
    tables = _kept_tables(PIECES, tables_folder())
    verdict = tables.probe(position)
    moves = tables.best_moves(position)
    if verdict is None or not moves:
        return None
    other = position.game.other(position.to_move)
    winner = {1: position.to_move, 0: None, -1: other}[verdict.value]
    return random.Random(seed).choice(moves), winner


@functools.lru_cache(maxsize=1)
def _kept_tables(pieces: int, folder: Path) -> EndgameTables:
    return open_tables(pieces, folder)


def solve(position: CheckersPosition, progress: Progress | None = None) -> Solution:
    """Who wins a position of up to four pieces; draws by counting are not looked at."""

    def tell(done: int, total: int) -> None:
        if progress is not None:
            progress(done / total)

    tables = open_tables(PIECES, progress=tell)
    verdict = tables.probe(position)
    if verdict is None:
        raise ValueError(
            f"{position.game.write_position(position)!r} has more than {PIECES} pieces; the truth "
            f"is known of boards with up to {PIECES}."
        )
    game = position.game
    winner = None
    if verdict.value:
        winner = position.to_move if verdict.value > 0 else game.other(position.to_move)
    good: list[CheckersMove] = []
    if verdict.value >= 0:
        for move in position.possible_moves:
            after = tables.probe(position.after(move))
            if after is not None and after.value == -verdict.value:
                good.append(move)
    line: list[CheckersMove] = []
    here = position
    # A draw has no end to play to.
    while verdict.value and len(line) < LONGEST_LINE:
        best = tables.best_moves(here)
        if not best:
            break
        line.append(best[0])
        here = here.after(best[0])
    return Solution(winner, tuple(good), tuple(line), verdict.plies)


# ---- the truth about checkers positions of few pieces, from the endgame tables; see
# `games.solving`

QUICK = True


def truths(game: Checkers, positions: Sequence[CheckersPosition]) -> list[Truth | None]:
    """Who wins where there are up to four pieces; draws by counting are not looked at."""
    if game.blocked != "loss":
        return [None] * len(positions)
    tables = _kept_tables(PIECES, tables_folder())
    found: list[Truth | None] = []
    for position in positions:
        verdict = tables.probe(position)
        if verdict is None:
            found.append(None)
        else:
            other = game.other(position.to_move)
            found.append(Truth({1: position.to_move, 0: None, -1: other}[verdict.value]))
    return found
