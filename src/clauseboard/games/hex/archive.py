"""Archives of Hex games: many files, read one game at a time, that never stop at a broken one.

>>> report = Report()
>>> list(read_archive(["no-such-file.sgf"], report))
[]
>>> print(report)
1 games read, 0 kept, 1 dropped
  1 for unreadable file
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from clauseboard.games.hex.records import (
    DEFAULT_SIZE,
    BrokenRecordError,
    Record,
    read_moves,
    read_tree,
    sgf_trees,
)
from clauseboard.games.hex.rules import Hex
from clauseboard.games.report import Report, decoded


def read_archive(
    paths: Iterable[str | Path], report: Report, game: Hex | None = None
) -> Iterator[Record]:
    """The games of many files, one at a time; what is broken is noted in the report.

    Files named *.txt have a game a line as a list of moves, played by the rules of `game` (11 × 11
    with swap, if none is given); empty lines and lines that start with # are passed over. Every
    other file is SGF with any number of games. With `game`, games of another size are dropped.
    """
    for path in map(Path, paths):
        for line, found in _games_in(path, game):
            if isinstance(found, BrokenRecordError):
                report.drop(str(path), line, found.reason, str(found))
            else:
                report.keep()
                yield found


def _games_in(path: Path, game: Hex | None) -> Iterator[tuple[int, Record | BrokenRecordError]]:
    """The games of a file, each with its line: a record, or what is wrong with it."""
    try:
        with path.open("rb") as lines:
            if path.suffix.lower() == ".txt":
                rules = game or Hex(DEFAULT_SIZE, swap=True)
                for number, line in enumerate(lines, 1):
                    if line.strip() and not line.lstrip().startswith(b"#"):
                        yield number, _attempt(game, read_moves, rules, decoded(line))
            else:
                for number, piece in _cut_sgf(lines):
                    try:
                        trees = sgf_trees(piece)
                    except BrokenRecordError as error:
                        yield number, error
                        continue
                    for tree in trees:
                        yield number, _attempt(game, read_tree, tree)
    except OSError as error:
        sentence = f"The file cannot be read: {error.strerror or error}."
        yield 0, BrokenRecordError("unreadable file", sentence)


def _attempt(
    game: Hex | None, read: Callable[..., Record], *arguments: Any
) -> Record | BrokenRecordError:
    """What a reader makes of a game, or what it found wrong with it."""
    try:
        record = read(*arguments)
    except BrokenRecordError as error:
        return error
    if game is not None and record.game.size != game.size:
        sentence = f"The board has the size {record.game.size}, not {game.size}."
        return BrokenRecordError("another size", sentence)
    return record


_GAME_BEGINS = re.compile(
    rb"\(\s*;\s*(?=(?:FF|GM|SZ|CA|AP|ST|EV|RO|DT|PC|PB|PW|GN|RE|RU|SO|US|GC|PL|AN|VW)\s*\[)"
)
_MAY_BEGIN = re.compile(rb"\(\s*(?:;\s*)?$")


def _cut_sgf(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Cut lines of SGF where games begin; each piece comes with the number of its first line.

    A property of a whole game behind "(;" tells a new game from a variation, so that a game whose
    end is missing spoils none but itself. Words before the first game are passed over.
    """
    begun, piece, game_seen = 1, bytearray(), False
    held, held_number = b"", 0
    for number, text in enumerate(lines, 1):
        line, first = held + text, held_number if held else number
        # The beginning of a game may be spread over lines.
        found = _MAY_BEGIN.search(line)
        held, held_number = (line[found.start() :], number) if found else (b"", 0)
        line = line[: found.start()] if found else line
        cuts = [start.start() for start in _GAME_BEGINS.finditer(line)]
        for start, end in zip([0, *cuts], [*cuts, len(line)], strict=True):
            if start in cuts:
                if piece.strip() and (game_seen or b";" in piece):
                    yield begun, bytes(piece)
                begun, piece, game_seen = first, bytearray(), True
            piece += line[start:end]
    piece += held
    if piece.strip():
        yield begun, bytes(piece)
