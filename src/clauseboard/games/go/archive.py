"""Reading archives of SGF games: a folder, a file of many games, or a tar of such files.

Games come one by one and only one is held at a time. A broken one is dropped, counted by its fault
and named with file and line; the next one is read. sgfmill reads a file as a whole and stops at
its first fault, so that where games begin and end is found here.
"""

from __future__ import annotations

import os
import re
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from clauseboard.game import NotationError
from clauseboard.games.go.records import GoRecord, read_sgf
from clauseboard.games.report import Report

MOST_BYTES = 1 << 20
"""A text of a game that is longer than this is broken, surely."""

_CHUNK = 1 << 16
_BEGIN = re.compile(rb"\(\s*;")
_ROOT = re.compile(rb"\(\s*;\s*(?:FF|GM|SZ|CA)\s*\[")
"""A game begins here even if the one before has not ended: no other node has these properties."""

_LONGEST_BEGINNING = 64
"""Bytes that are kept of what is no game: the next one may begin in them."""

_TOKEN = re.compile(rb"\[[^\\\]]*(?:\\.[^\\\]]*)*(?P<end>\]|\\?\Z)|[()]", re.DOTALL)
_SWALLOWED = re.compile(_ROOT.pattern + rb"[^\\\]]*\]\Z")
"""The beginning of a game at the end of a value: the value before it was never closed."""


def read_archive(
    path: str | os.PathLike[str],
    report: Report | None = None,
    *,
    superko: bool = False,
    suicide: bool = False,
) -> Iterator[GoRecord]:
    """The games of an archive one by one; the report grows with them.

    `path` is a folder (its .sgf files, also in folders below, in the order of their names), a tar,
    compressed or not, or else a file of one or more games.
    """
    counts = Report() if report is None else report
    for name, stream in _streams(Path(path), counts):
        found = False
        try:
            for line, text in split_games(stream):
                found = True
                if text is None:
                    counts.drop(name, line, "too long", f"no end within {MOST_BYTES} bytes.")
                    continue
                try:
                    record = read_sgf(text, superko=superko, suicide=suicide)
                except NotationError as error:
                    # It says first what kind of fault it is.
                    reason, _, detail = str(error).partition(": ")
                    counts.drop(name, line, reason, detail)
                    continue
                counts.keep()
                yield record
        except (OSError, EOFError, zlib.error, tarfile.TarError) as error:
            counts.drop(name, 1, "not readable", f"{error}.")
            continue
        if not found:
            counts.drop(name, 1, "not SGF", "there is no game in the file.")


def _streams(path: Path, report: Report) -> Iterator[tuple[str, BinaryIO]]:
    """The files of an archive, each open until the next one is asked for."""
    if path.is_dir():

        def cannot_enter(error: OSError) -> None:
            report.drop(str(error.filename), 1, "not readable", f"{error}.")

        for folder, below, files in os.walk(path, onerror=cannot_enter):
            below.sort()
            for name in sorted(files):
                if name.lower().endswith(".sgf"):
                    yield from _opened(Path(folder, name), report)
    elif not path.exists():
        raise FileNotFoundError(f"There is no file or folder {str(path)!r} to read games from.")
    elif re.search(r"\.(tar|tgz|tbz2?|txz|tar\.\w+)$", path.name.lower()):
        yield from _members(path, report)
    else:
        yield from _opened(path, report)


def _opened(path: Path, report: Report) -> Iterator[tuple[str, BinaryIO]]:
    try:
        stream = path.open("rb")
    except OSError as error:
        report.drop(str(path), 1, "not readable", f"{error}.")
        return
    with stream:
        yield str(path), stream


def _members(path: Path, report: Report) -> Iterator[tuple[str, BinaryIO]]:
    try:
        with tarfile.open(path, "r|*") as archive:
            for member in archive:
                # The list of all members seen would grow with the archive.
                archive.members = []  # type: ignore[attr-defined]
                if member.isfile() and member.name.lower().endswith(".sgf"):
                    stream = archive.extractfile(member)
                    if stream is not None:
                        yield f"{path}:{member.name}", stream  # type: ignore[misc]
    except (OSError, EOFError, zlib.error, tarfile.TarError) as error:
        report.drop(str(path), 1, "not readable", f"{error}.")


# ---------------------------------------------------------------------------- where games end


def split_games(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """The text of each game with the line it begins on; None for one that does not end.

    What lies between games is passed over. A game that is cut off ends where the next one begins.
    """
    buffer, line, begin, ended = b"", 1, _BEGIN, False
    while True:
        match = begin.search(buffer)
        if match is None:
            if ended:
                return
            keep = max(len(buffer) - _LONGEST_BEGINNING, 0)
        else:
            keep = match.start()
        line += buffer.count(b"\n", 0, keep)
        buffer = buffer[keep:]
        end = _end(buffer) if match is not None else 0
        if end:
            yield line, buffer[:end]
            line += buffer.count(b"\n", 0, end)
            buffer, begin = buffer[end:], _BEGIN
        elif len(buffer) > MOST_BYTES:
            yield line, None
            # Its variations are no games, so go on at something that can only be a root.
            line += buffer.count(b"\n", 0, 1)
            buffer, begin = buffer[1:], _ROOT
        elif match is not None and ended:
            yield line, buffer
            return
        else:
            chunk = stream.read(_CHUNK)
            buffer += chunk
            ended = not chunk


def _end(buffer: bytes) -> int:
    """Where the game at the beginning of a text ends; 0 if that is not to be seen yet."""
    depth = 0
    for token in _TOKEN.finditer(buffer):
        start, letter = token.start(), buffer[token.start() : token.start() + 1]
        if letter == b"[":
            if token["end"] != b"]":
                return 0
            swallowed = _SWALLOWED.search(buffer, start, token.end())
            if swallowed:
                return swallowed.start()
        elif letter == b"(":
            if depth and _ROOT.match(buffer, start):
                return start
            depth += 1
        else:
            depth -= 1
            if depth == 0:
                return token.end()
    return 0
