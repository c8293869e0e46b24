"""Archives of Hex games, in SGF (`sgf_files` says what they may be) or as lists of moves.

>>> report = Report()
>>> list(read_archive(["no-such-file.sgf"], report))
[]
>>> print(report)
1 games read, 0 kept, 1 dropped
  1 for not readable
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from clauseboard.game import UnreadableError
from clauseboard.games.hex.records import DEFAULT_SIZE, Record, read_moves, read_sgf
from clauseboard.games.hex.rules import Hex
from clauseboard.games.report import Report, decoded
from clauseboard.games.sgf_files import Pieces, read_games

ENDINGS = (".sgf", ".hsgf")
"""How the files are called that are read in folders and tars."""

Where = str | os.PathLike[str]


def read_archive(
    paths: Where | Iterable[Where], report: Report | None = None, game: Hex | None = None
) -> Iterator[Record]:
    """The games of an archive one by one; what is broken is noted in the report.

    An archive is a folder (its .sgf and .hsgf files, also in folders below), a tar of such files,
    compressed or not, or else a file of one or more games. There may be a list of them, in which
    one that is not there is noted as well.

    A file named *.txt has a game a line as a list of moves, played by the rules of `game` (11 × 11
    with swap, if none is given); empty lines and lines that start with # are passed over. With
    `game`, games of another size are dropped.
    """
    counts = Report() if report is None else report
    if alone := isinstance(paths, str | os.PathLike):
        paths = [paths]
    rules = game or Hex(DEFAULT_SIZE, swap=True)

    def read_line(line: bytes) -> Record:
        return read_moves(rules, decoded(line))

    for path in map(Path, paths):
        if not alone and not path.exists():
            counts.drop(str(path), 1, "not readable", "there is no such file or folder.")
        elif path.suffix.lower() == ".txt" and not path.is_dir():
            yield from read_games(path, counts, _of_size(game, read_line), split=_lines)
        else:
            yield from read_games(path, counts, _of_size(game, read_sgf), endings=ENDINGS)


def _of_size(game: Hex | None, read: Callable[[bytes], Record]) -> Callable[[bytes], Record]:
    """A reader that refuses games of another size."""

    def checked(text: bytes) -> Record:
        record = read(text)
        if game is not None and record.game.size != game.size:
            raise UnreadableError(
                f"another size: the board has the size {record.game.size}, not {game.size}."
            )
        return record

    return checked


def _lines(stream: BinaryIO) -> Pieces:
    """The lines of a file that are lists of moves."""
    for number, line in enumerate(stream, 1):
        if line.strip() and not line.lstrip().startswith(b"#"):
            yield number, line
