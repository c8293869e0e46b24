"""Endgame tables: for every checkers board of up to five pieces who wins, and in how many moves.

The tables are worked out backwards from the ends of games (retrograde analysis), in seconds for
four pieces and about a minute for five, and kept in the user's cache folder. They know the official
rules: who cannot move has lost. Draws by counting moves or boards are not in them.

A file holds one byte a board, as it is, so that processes map it into memory and share it. It is
made under a lock, in a file of another name that is continued after an interruption, and gets its
own name when it is complete.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import mmap
import os
import shutil
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.checks import whole_number
from clauseboard.files import try_lock, user_cache
from clauseboard.games.checkers import endgame_kernels
from clauseboard.games.checkers.endgame_kernels import (
    CHOOSE,
    MOST_PIECES,
    NO_BOARD,
    Material,
    materials,
    table_size,
)
from clauseboard.games.checkers.rules import BLACK, EVERY, WHITE, CheckersMove, CheckersPosition

VERSION = 2
"""Of the files: numbering, values and form."""

MAGIC = b"clauseboard checkers endgames\n"
HEAD = 4096
"""Bytes of a file before its values: the first line, and one of JSON."""

SPARE_DISK, SPARE_MEMORY = 64 << 20, 256 << 20
"""Bytes that must be free beside those of the tables."""

TableProgress = Callable[[int, int], None]
"""Told how many of how many numbers of boards are done."""


class TableError(ValueError):
    """A file that is not an endgame table, or is a damaged one, or one of another version."""


class RoomError(ValueError):
    """Disk or memory does not suffice for the tables."""


@dataclass(frozen=True)
class TableVerdict:
    """How a game ends with best play: 1, 0 or -1 for the side to move, and after how many moves.

    Every turn of either side is a move. Of a draw there is no number: it is None.
    """

    value: int
    plies: int | None

    def winner(self, position: CheckersPosition) -> str | None:
        """The side that wins the position that this is the verdict of."""
        if not self.value:
            return None
        mover = position.to_move
        return mover if self.value > 0 else position.game.other(mover)

    def __str__(self) -> str:
        if self.plies is None:
            return "draw"
        plural = "" if self.plies == 1 else "s"
        return f"{'win' if self.value > 0 else 'loss'} in {self.plies} move{plural}"


def verdict(value: int) -> TableVerdict:
    """What a byte of the tables says.

    >>> verdict(0), verdict(4)
    (TableVerdict(value=0, plies=None), TableVerdict(value=1, plies=3))
    """
    return TableVerdict(-1 if value % 2 else 1, value - 1) if value else TableVerdict(0, None)


@dataclass(frozen=True, repr=False, eq=False)
class EndgameTables:
    """The tables of 2 to `pieces` pieces, in one array of bytes (see `endgame_kernels`)."""

    pieces: int
    values: NDArray[np.uint8]
    offsets: NDArray[np.int64]

    def __repr__(self) -> str:
        return f"<endgame tables of checkers, up to {self.pieces} pieces>"

    def probe(self, position: CheckersPosition) -> TableVerdict | None:
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
            return TableVerdict(1, 0)
        if not ours:
            return TableVerdict(-1, 0)
        if (ours | theirs).bit_count() > self.pieces:
            return None
        code, at = place_of(ours, theirs, position.kings, position.to_move)
        return verdict(int(self.values[int(self.offsets[code]) + at]))

    def best_moves(self, position: CheckersPosition) -> tuple[CheckersMove, ...]:
        """The moves that win soonest, or draw, or lose latest; none where the tables end.

        All of a position's moves lead into the tables if it is itself in them.
        """
        here = self.probe(position)
        if here is None:
            return ()
        after = {move: self.probe(position.after(move)) for move in position.possible_moves}
        plies = None if here.plies is None else here.plies - 1
        wanted = TableVerdict(-here.value, plies)
        return tuple(move for move, reached in after.items() if reached == wanted)

    def look_up(self, boards: NDArray[np.uint64], sides: NDArray[np.int64]) -> NDArray[np.uint8]:
        """The bytes of many boards, n × 3 words, each with its side to move (1: white).

        Nothing is checked: both sides have a piece, and no more together than the tables have.
        """
        values = np.empty(len(boards), np.uint8)
        endgame_kernels.look_up_each(boards, sides, self.values, self.offsets, values)
        return values

    def release(self) -> None:
        """Forget what was looked up: the system reads it again from its own memory of the file."""
        room = getattr(self.values.base, "obj", self.values.base)
        if isinstance(room, mmap.mmap) and hasattr(room, "madvise"):
            room.madvise(mmap.MADV_DONTNEED)

    def of(self, pieces: int) -> NDArray[np.uint8]:
        """The bytes of all numbers of exactly so many pieces."""
        start = n_values(pieces - 1)
        return self.values[start : start + table_size(pieces)]

    def count_faults(self) -> int:
        """How many boards contradict the boards after their moves: 0, or the tables are wrong.

        A win needs a move to a lost board, one move nearer to the end, and none nearer still; and
        so on. As the numbers of moves can only go down to 0, this proves every win and loss; and
        who has a draw has a move to another one, for ever.
        """
        words, starts = endgame_kernels.groups()
        return sum(
            endgame_kernels.count_faults(self.values, self.offsets, words, starts, tuple(material))
            for pieces in range(2, self.pieces + 1)
            for material in materials(pieces)
        )


def n_values(pieces: int) -> int:
    """How many values the tables of 2 to so many pieces have."""
    return sum(table_size(n) for n in range(2, pieces + 1))


def place_of(ours: int, theirs: int, kings: int, to_move: str) -> tuple[int, int]:
    """The code of a board's material, and its number: `endgame_kernels.number` without a kernel."""
    men, other_men, crowned, other_crowned = (
        ours & ~kings, theirs & ~kings, ours & kings, theirs & kings,
    )  # fmt: skip
    other = WHITE if to_move == BLACK else BLACK
    free = EVERY & ~(men | other_men)
    at = 0
    for group, squares, side, least in (
        (men, EVERY, to_move, 28),
        (other_men, EVERY, other, 28),
        (crowned, free, to_move, free.bit_count()),
        (other_crowned, free & ~ours, other, (free & ~ours).bit_count()),
    ):
        size = group.bit_count()
        at = at * int(CHOOSE[least, size]) + _rank(group, squares, side)
    material = Material(*(w.bit_count() for w in (men, crowned, other_men, other_crowned)))
    return material.code, at


def _rank(group: int, squares: int, side: str) -> int:
    """The rank of a group among all groups as large on some squares, from its side's end."""
    size, total = group.bit_count(), 0
    for nth in range(1, size + 1):
        piece = group & -group
        group ^= piece
        if side == BLACK:
            total += int(CHOOSE[(squares & (piece - 1)).bit_count(), nth])
        else:
            total += int(CHOOSE[(squares & ~(2 * piece - 1)).bit_count(), size + 1 - nth])
    return total


# ---- making and opening them


def build_tables(
    pieces: int = 4, folder: str | Path | None = None, progress: TableProgress | None = None
) -> EndgameTables:
    """Make the tables anew, and keep them in a folder; without one, the user's cache folder."""
    path = table_path(_checked(pieces, folder), pieces)
    with locked(path, lambda: None):
        _part_path(path).unlink(missing_ok=True)
        _build(path, pieces, progress)
    return _mapped(path, pieces)


def open_tables(
    pieces: int = 4,
    folder: str | Path | None = None,
    progress: TableProgress | None = None,
    rebuild: bool = True,
) -> EndgameTables:
    """Map the tables of a folder into memory; without one, the user's cache folder.

    What is missing is made, unless another process is making it, which is waited for; what is
    damaged is made again, with a warning. With `rebuild=False` either is an error:
    `FileNotFoundError` or `TableError`.
    """
    folder = _checked(pieces, folder, make=rebuild)
    path = table_path(folder, pieces)

    def wait() -> None:
        if progress is not None:
            progress(int(share_made(pieces, folder) * n_values(pieces)), n_values(pieces))

    try:
        return _mapped(path, pieces)
    except FileNotFoundError:
        if not rebuild:
            raise FileNotFoundError(
                f"There is not an endgame table {str(path)!r}; build_tables makes it."
            ) from None
    except TableError as error:
        if not rebuild:
            raise
        warnings.warn(f"{error} It is made again.", stacklevel=2)
    with locked(path, wait):
        with contextlib.suppress(FileNotFoundError, TableError):
            return _mapped(path, pieces)  # another process has made it
        _build(path, pieces, progress)
    return _mapped(path, pieces)


def tables_folder() -> Path:
    """Where tables are kept unless another folder is named."""
    return user_cache() / "checkers-endgames"


def table_path(folder: str | Path, pieces: int) -> Path:
    """The file of the boards of up to so many pieces."""
    return Path(folder) / f"up-to-{pieces}-pieces.table"


def share_made(pieces: int, folder: str | Path) -> float:
    """How much of the tables has been made so far, from 0 to 1, by whichever process makes them."""
    path = table_path(folder, pieces)
    if path.exists():
        return 1.0
    with contextlib.suppress(OSError, TableError), open(_part_path(path), "rb") as file:
        return float(_read_head(file, path).get("share", 0.0))
    return 0.0


def _checked(pieces: int, folder: str | Path | None, make: bool = True) -> Path:
    whole_number("pieces", pieces, 2, MOST_PIECES)
    folder = tables_folder() if folder is None else Path(folder)
    if make:
        # If this cannot be done, it is better known before the work than after it.
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def _part_path(path: Path) -> Path:
    """The file in which a table is made."""
    return path.with_suffix(".unfinished")


def _build(path: Path, pieces: int, progress: TableProgress | None) -> None:
    """Make a file, or go on with one that was begun; the caller has locked it."""
    part, total = _part_path(path), n_values(pieces)
    check_room(path.parent, total, part)
    begun = _begun(part, pieces)
    with open(part, "r+b" if begun else "w+b") as file:
        if not begun:
            try:
                _reserve(file, HEAD + total)
            except OSError:
                part.unlink(missing_ok=True)  # it would fill the disk for nothing
                raise
        room = mmap.mmap(file.fileno(), HEAD + total)
        values = np.frombuffer(room, np.uint8, offset=HEAD)
        tables = EndgameTables(pieces, values, endgame_kernels.offsets(pieces))
        pairs = _pairs(pieces)
        done = sum(material.size for pair in pairs[:begun] for material in pair)
        for n, pair in enumerate(pairs[begun:], begun + 1):
            for share in _solve(tables, pair):
                so_far = done + int(share * sum(material.size for material in pair))
                _write_head(room, pieces, solved=n - 1, share=so_far / total)
                if progress is not None:
                    progress(so_far, total)
            done += sum(material.size for material in pair)
            room.flush()  # its values are on the disk before the head says so
            _write_head(room, pieces, solved=n, share=done / total)
            if progress is not None:
                progress(done, total)
        _write_head(room, pieces, sha256=hashlib.sha256(values.data).hexdigest())
        room.flush()
        os.fsync(file.fileno())
        del values, tables
        room.close()
    os.replace(part, path)


def _pairs(pieces: int) -> list[list[Material]]:
    """Each material together with the same pieces when the other side is to move.

    The two lead to each other, and so are solved together.
    """
    return [
        sorted({material, material.turned})
        for n in range(2, pieces + 1)
        for material in materials(n)
        if material <= material.turned
    ]


def _solve(tables: EndgameTables, pair: list[Material]) -> Iterator[float]:
    """Fill in the boards of a pair, those they lead to being there; about how much is done."""
    words, starts = endgame_kernels.groups()
    values, offsets = tables.values, tables.offsets
    parts = [values[offsets[one.code] : offsets[one.code] + one.size] for one in pair]
    unknown = [np.zeros(one.size, np.uint8) for one in pair]
    for n, material in enumerate(pair):
        endgame_kernels.look_out(values, unknown[n], offsets, words, starts, tuple(material))
        yield 0.2 * (n + 1)
    level = 1
    while level <= max(part.max() for part in parts):
        for n, material in enumerate(pair):
            endgame_kernels.step_back(
                values, unknown[n], unknown[-1 - n], offsets, words, starts, tuple(material), level
            )
        level += 1
        yield 0.4 + 0.6 * level / (level + 10)
    for part, open_moves in zip(parts, unknown, strict=True):
        # A loss that still has a move not known to lose is none.
        part[(part % 2 == 1) & (open_moves > 0)] = 0
        part[open_moves == NO_BOARD] = NO_BOARD


# ---- files


def _write_head(room: mmap.mmap, pieces: int, **content: object) -> None:
    """Write the head of a file; one with a checksum is complete."""
    head = {"version": VERSION, "pieces": pieces, "values": n_values(pieces), **content}
    room[:HEAD] = (MAGIC + json.dumps(head).encode() + b"\n").ljust(HEAD, b"\n")


def _read_head(file: IO[bytes], path: Path) -> dict[str, Any]:
    """The head of a file of this version."""
    text = file.read(HEAD)
    if not text.startswith(MAGIC):
        raise TableError(f"{str(path)!r} is not an endgame table: its first line is another.")
    try:
        head = json.loads(text[len(MAGIC) :].partition(b"\n")[0])
        version = head["version"]
    except (ValueError, KeyError, TypeError):
        raise TableError(f"{str(path)!r} is damaged: its second line cannot be read.") from None
    if version != VERSION:
        raise TableError(f"{str(path)!r} has version {version!r}; this program needs {VERSION}.")
    assert isinstance(head, dict)
    return head


def _begun(part: Path, pieces: int) -> int:
    """How many pairs of materials an unfinished file has."""
    try:
        with open(part, "rb") as file:
            head = _read_head(file, part)
            size = os.fstat(file.fileno()).st_size
        solved = int(head["solved"])
    except (OSError, TableError, KeyError, ValueError, TypeError):
        return 0
    fits = head.get("pieces") == pieces and size == HEAD + n_values(pieces)
    return solved if fits and 0 <= solved <= len(_pairs(pieces)) else 0


def _mapped(path: Path, pieces: int) -> EndgameTables:
    """The tables of a file, mapped into memory, once its checksum has been found right."""
    with open(path, "rb") as file:
        head = _read_head(file, path)
        try:
            shape, checksum = (head["pieces"], head["values"]), head["sha256"]
        except KeyError:
            raise TableError(f"{str(path)!r} is damaged: its second line is incomplete.") from None
        if shape != (pieces, n_values(pieces)):
            raise TableError(f"{str(path)!r} is not the table of {pieces} pieces.")
        if os.fstat(file.fileno()).st_size != HEAD + n_values(pieces):
            raise TableError(f"{str(path)!r} is damaged: its length is wrong.")
        # Read and not mapped: all of what a process has looked at in a map counts as its memory.
        file.seek(HEAD)
        if hashlib.file_digest(file, "sha256").hexdigest() != checksum:
            raise TableError(f"{str(path)!r} is damaged: its checksum is wrong.")
        # Kernels take arrays that could be written to; what is written would stay private.
        room = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    values = np.frombuffer(room, np.uint8, offset=HEAD)
    return EndgameTables(pieces, values, endgame_kernels.offsets(pieces))


def _reserve(file: IO[bytes], n_bytes: int) -> None:
    """Take room on the disk: a full disk is an error now, not a crash at some later write."""
    file.truncate(n_bytes)
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), 0, n_bytes)


def check_room(folder: Path, n_bytes: int, part: Path) -> None:
    """A `RoomError` if disk or memory does not suffice for tables of so many bytes."""
    taken = part.stat().st_size if part.exists() else 0
    free = shutil.disk_usage(folder).free + taken
    if free < n_bytes + SPARE_DISK:
        raise RoomError(
            f"The endgame tables need {_megabytes(n_bytes + SPARE_DISK)} of disk; "
            f"{folder} has {_megabytes(free)} free."
        )
    available = _available_memory()
    if available is not None and available < n_bytes + SPARE_MEMORY:
        raise RoomError(
            f"To make the endgame tables takes {_megabytes(n_bytes + SPARE_MEMORY)} of memory; "
            f"{_megabytes(available)} are free."
        )


def _megabytes(n_bytes: int) -> str:
    return f"{n_bytes / 1e6:,.0f} MB"


def _available_memory() -> int | None:
    """Bytes of memory that programs may still take, where the system says so."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return None


@contextlib.contextmanager
def locked(path: Path, wait: Callable[[], None]) -> Iterator[None]:
    """Be the only process that makes a file; `wait` is called while another one does.

    The system ends the lock with the process, however that ends.
    """
    with open(path.with_suffix(".lock"), "a+b") as file:
        while not try_lock(file):
            wait()
            time.sleep(0.2)
        yield
