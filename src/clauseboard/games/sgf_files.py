"""Archives of SGF games: a folder, a file of many games, or a tar of such files; and their notes.

Games come one by one and only one is held at a time. A broken one is dropped, counted by its fault
and named with file and line; the next one is read. sgfmill reads a file as a whole and stops at
its first fault, so that where games begin and end is found here.
"""

from __future__ import annotations

import os
import re
import tarfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from sgfmill import sgf_grammar

from clauseboard.game import NotationError
from clauseboard.games.records import RecordNotes, Report, decoded

Record = TypeVar("Record")
Pieces = Iterator[tuple[int, bytes | None]]
"""Texts of games, each with the line it begins on; None for one that does not end."""

MOST_BYTES = 1 << 20
"""A text of a game that is longer than this is broken, surely."""

_CHUNK = 1 << 16
_LONGEST_BEGINNING = 1024
"""Bytes that are kept of long text that is no game: the next one may begin in them."""

_OF_A_GAME = (
    rb"(?:FF|GM|SZ|CA|AP|ST|AN|BR|BT|CP|DT|EV|GC|GN|HA|KM|ON|OT|PB|PC|PW|RE|RO|RU|SO|TM|US|WR|WT)"
)
"""Properties of a whole game. Moves, stones set up, PL and comments may begin a variation, too."""

# In a value with "(;" another game may have begun, whose properties are not this node's.
# Its length has a bound: else a file of values that never end would be read over and over.
_PLAIN_VALUE = rb"\[(?:[^\\\](]|\\.|\((?!\s*;)){0,200}+\]"
_BEGIN = re.compile(rb"\(\s*;")
_ROOT = re.compile(
    rb"\(\s*;\s*(?:[A-Za-z]+\s*(?:%b\s*)+)*?%b\s*\[" % (_PLAIN_VALUE, _OF_A_GAME), re.DOTALL
)
"""A first node: a game begins here even if the one before has not ended."""

_STRAY = re.compile(rb"%b\s*\[" % _OF_A_GAME)
"""Between games: what is left of one whose beginning is damaged."""

_PLAIN_GAME = re.compile(rb"\((?:[^()\[\]\\]++|\[[^\[\]\\]*+\])*+\)")
"""A game without variations and without brackets or escapes in its values, as most of them are."""

_TOKEN = re.compile(rb"\[[^\\\]]*(?:\\.[^\\\]]*)*(?P<end>\]|\\?\Z)|[()]", re.DOTALL)
_SWALLOWED = re.compile(rb"\(\s*;\s*%b\s*\[[^\\\[\]]*\]\Z" % _OF_A_GAME)
"""The beginning of a game at the end of a value: the value before it was never closed."""


def split_games(stream: BinaryIO) -> Pieces:
    r"""The text of each game with the line it begins on; None for one that does not end.

    What lies between games is passed over, unless it was one. A game that is cut off ends where the
    next one begins. After a game without an end, the next one has to begin within `MOST_BYTES`.

    >>> import io
    >>> list(split_games(io.BytesIO(b"(;GM[1];B[aa]\n(;PB[Ann];B[bb])")))
    [(1, b'(;GM[1];B[aa]\n'), (2, b'(;PB[Ann];B[bb])')]
    """
    text, at, line, ended = b"", 0, 1, False
    astray = 0  # bytes read in a game that is too long, whose variations are no games
    while True:
        begin = (_ROOT if astray else _BEGIN).search(text, at)
        if begin is not None or ended or len(text) - at > (_CHUNK if astray else MOST_BYTES):
            until = len(text) if ended else len(text) - _LONGEST_BEGINNING
            until = until if begin is None else begin.start()
            stray = None if astray else _STRAY.search(text, at, until)
            if stray is not None:
                yield line + text.count(b"\n", at, stray.start()), text[stray.start() : until]
            line += text.count(b"\n", at, until)
            at = until
        if begin is None and ended:
            return
        end = 0 if begin is None else _end(text, at)
        if begin is not None and not end and ended:
            end = len(text)
        if end:
            yield line, text[at:end]
            line += text.count(b"\n", at, end)
            at, astray = end, 0
        elif begin is not None and len(text) - at > MOST_BYTES:
            yield line, None
            at, astray = at + 1, 1
        elif astray > MOST_BYTES:
            return
        else:
            chunk = stream.read(_CHUNK)
            text, at, ended = text[at:] + chunk, 0, not chunk
            astray += len(chunk) if astray else 0


def _end(text: bytes, start: int) -> int:
    """Where the game that begins here ends; 0 if that is not to be seen yet."""
    plain = _PLAIN_GAME.match(text, start)
    if plain is not None:
        return plain.end()
    depth = 0
    for token in _TOKEN.finditer(text, start):
        place, letter = token.start(), text[token.start() : token.start() + 1]
        if letter == b"[":
            if token["end"] != b"]":
                return 0
            swallowed = _SWALLOWED.search(text, place, token.end())
            if swallowed:
                return swallowed.start()
        elif letter == b"(":
            if depth and _ROOT.match(text, place):
                return place
            depth += 1
        else:
            depth -= 1
            if depth == 0:
                return token.end()
    return 0


# ---------------------------------------------------------------------------- files


def read_games(
    path: str | os.PathLike[str],
    report: Report,
    read: Callable[[bytes], Record],
    *,
    endings: tuple[str, ...] = (".sgf",),
    split: Callable[[BinaryIO], Pieces] = split_games,
) -> Iterator[Record]:
    """What `read` makes of the games of an archive, one by one; the report grows with them.

    `path` is a folder (its files with these endings, also in folders below, in the order of their
    names), a tar, compressed or not, or else a file, whatever its ending. An error of `read` begins
    with the kind of fault and a colon.
    """
    for name, line, text in game_texts(path, report, endings=endings, split=split):
        try:
            record = read(text)
        except NotationError as error:
            report.drop(name, line, error.fault, error.detail)
            continue
        report.keep()
        yield record


def game_texts(
    path: str | os.PathLike[str],
    report: Report,
    *,
    endings: tuple[str, ...] = (".sgf",),
    split: Callable[[BinaryIO], Pieces] = split_games,
) -> Iterator[tuple[str, int, bytes]]:
    """The texts of the games of an archive, each with its file and the line it begins on.

    Files that cannot be read, and games without an end, are dropped here.
    """
    for name, stream in _streams(Path(path), report, endings):
        found = False
        try:
            for line, text in split(stream):
                found = True
                if text is None:
                    report.drop(name, line, "too long", f"no end within {MOST_BYTES} bytes.")
                else:
                    yield name, line, text
        except (OSError, EOFError, zlib.error, tarfile.TarError) as error:
            report.drop(name, 1, "not readable", f"{error}.")
            continue
        if not found:
            report.drop(name, 1, "not SGF", "there is no game in the file.")


def _streams(
    path: Path, report: Report, endings: tuple[str, ...]
) -> Iterator[tuple[str, BinaryIO]]:
    """The files of an archive, each open until the next one is asked for."""
    if path.is_dir():

        def cannot_enter(error: OSError) -> None:
            report.drop(str(error.filename), 1, "not readable", f"{error}.")

        for folder, below, files in os.walk(path, onerror=cannot_enter):
            below.sort()
            for name in sorted(files):
                if name.lower().endswith(endings):
                    file = Path(folder, name)
                    if file.exists() and not file.is_file():
                        # A pipe would be waited for without end.
                        report.drop(str(file), 1, "no file", "it is a pipe, a device or the like.")
                    else:
                        yield from _opened(file, report)
    elif not path.exists():
        raise FileNotFoundError(f"There is no file or folder {str(path)!r} to read games from.")
    elif re.search(r"\.(tar|tgz|tbz2?|txz|tar\.\w+)$", path.name.lower()):
        yield from _members(path, report, endings)
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


def _members(
    path: Path, report: Report, endings: tuple[str, ...]
) -> Iterator[tuple[str, BinaryIO]]:
    ends: list[tarfile.HeaderError] = []

    class Header(tarfile.TarInfo):
        """Notes why no header follows, since `tarfile` takes a damaged one for the end."""

        @classmethod
        def fromtarfile(cls, archive: Any) -> Any:
            try:
                return super().fromtarfile(archive)
            except tarfile.HeaderError as error:
                ends.append(error)
                raise

    try:
        with tarfile.open(path, "r|*", tarinfo=Header) as archive:
            for member in archive:
                # The list of all members seen would grow with the archive.
                archive.members = []  # type: ignore[attr-defined]
                if member.isdir() or not member.name.lower().endswith(endings):
                    continue
                name = f"{path}:{member.name}"
                stream = archive.extractfile(member) if member.isfile() else None
                if stream is None:
                    # Where a link leads is nobody's business, least of all out of the archive.
                    report.drop(name, 1, "no file", "it is a link, a pipe or the like.")
                else:
                    yield name, stream  # type: ignore[misc]
    except Exception as error:  # of any kind: a damaged header may be a TypeError in `tarfile`
        report.drop(str(path), 1, "not readable", f"{error}.")
        return
    if not isinstance(ends[-1], tarfile.EOFHeaderError):  # type: ignore[attr-defined]
        what = f"there is no end mark ({ends[-1]}), so that files may be missing."
        report.drop(str(path), 1, "cut off", what)


# ---------------------------------------------------------------------------- notes

_KNOWN = "FF GM CA AP ST SZ KM HA AB AW AE PL RE B W C PB PW"
_TOLD = frozenset(_KNOWN.split())
"""Properties that are not kept as they are: the game has them, or they are the file's."""
_LONG = ("C", "GC")
"""Texts that may have several lines."""


def read_notes(text: bytes | str, moves: int, variations: bool = True) -> RecordNotes:
    """What the first game of a text says besides its players and its moves, of which there are so
    many. Without `variations` these are kept as comments, for a file whose moves are written
    otherwise than here.

    >>> read_notes("(;GM[1]SZ[9]DT[1999]RE[B+R];B[ee]C[Bold.](;W[cc])(;W[gg]))", 2)
    RecordNotes(headers={'DT': '1999'}, comments=((1, 'Bold.'),), variations=((1, '(;W[gg])'),), \
properties=(), result='B+R')
    """
    plain = text if isinstance(text, str) else decoded(text)
    tree = sgf_grammar.parse_sgf_game(plain.lstrip("\ufeff").encode("utf-8", "replace"))
    headers: dict[str, str] = {}
    result, played = "", -1
    said: dict[int, list[str]] = {}
    branches, properties = [], []
    while True:
        for node in tree.sequence:
            first = played < 0
            played += 1 if first or "B" in node or "W" in node else 0
            n = min(played, moves)
            for name, values in node.items():
                if name == "C":
                    said.setdefault(n, []).append(_value(name, values[0]))
                elif first and name == "RE":
                    result = _value(name, values[0]).strip()
                elif name in _TOLD:
                    continue
                elif first and len(values) == 1:
                    headers[name] = _value(name, values[0])
                else:
                    raw = "".join(f"[{value.decode('utf-8')}]" for value in values)
                    properties.append((n, f"{name}{raw}"))
        if not tree.children:
            break
        for branch in tree.children[1:]:
            written = sgf_grammar.serialise_game_tree(branch, wrap=None).decode("utf-8").strip()
            if variations:
                branches.append((n, written))
            else:
                said.setdefault(n, []).append(f"Variation: {written}")
        tree = tree.children[0]
    comments = tuple((n, "\n".join(texts)) for n, texts in sorted(said.items()))
    return RecordNotes(headers, comments, tuple(branches), tuple(properties), result)


def _value(name: str, raw: bytes) -> str:
    read = sgf_grammar.text_value if name in _LONG else sgf_grammar.simpletext_value
    value: bytes = read(raw)
    return value.decode("utf-8")


def with_notes(text: str, notes: RecordNotes | None) -> str:
    """A game of one line with notes.

    >>> notes = RecordNotes({"DT": "1999"}, ((1, "Bold."),), ((1, "(;W[gg])"),), result="B+R")
    >>> print(with_notes("(;GM[1]SZ[9];B[ee];W[cc])", notes).strip())
    (;DT[1999]GM[1]RE[B+R]SZ[9];B[ee]C[Bold.](;W[cc])(;W[gg]))
    """
    if notes is None or notes == RecordNotes():
        return text
    nodes = sgf_grammar.parse_sgf_game(text.encode("utf-8")).sequence
    for name, value in notes.headers.items():
        nodes[0][name] = [_raw(value)]
    if notes.result:
        nodes[0]["RE"] = [_raw(notes.result)]
    for n, comment in notes.comments:
        before = nodes[n].get("C", [])
        nodes[n]["C"] = [b"\n".join([*before, _raw(comment)])]
    for n, written in notes.properties:
        (other,) = sgf_grammar.parse_sgf_game(f"(;{written})".encode()).sequence
        nodes[n] = {**other, **nodes[n]}
    branches: dict[int, list[Any]] = {}
    for n, variation in notes.variations:
        if n < len(nodes) - 1:  # after the last move it would be taken for the game
            tree = sgf_grammar.parse_sgf_game(variation.encode())
            branches.setdefault(n, []).append(tree)
    rest = sgf_grammar.Coarse_game_tree()
    for n in reversed(range(len(nodes))):
        if n in branches:
            before_branch = sgf_grammar.Coarse_game_tree()
            before_branch.children = [rest, *branches[n]]
            rest = before_branch
        rest.sequence.insert(0, nodes[n])
    written_game: bytes = sgf_grammar.serialise_game_tree(rest)
    return written_game.decode("utf-8")


def _raw(text: str) -> bytes:
    raw: bytes = sgf_grammar.escape_text(text.encode("utf-8", "replace"))
    return raw
