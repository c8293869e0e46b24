"""Whole games of Hex as text: SGF, and plain lists of moves.

SGF for Hex (GM[11]) calls red B and blue W. Cells are written a1 and so on; letters as for Go
("ab" is a2) are read, too. In the files of Little Golem the moves of red, who begins there as
well, are marked W, while PB and RE[B] still mean red; both kinds are read.

Every error has its kind of fault, by which the games that an archive drops are counted.

    >>> record = read_sgf(b"(;GM[11]SZ[3]RE[B+];B[b2];W[swap-pieces];B[a3])")
    >>> print(write_moves(record))
    b2 swap a3
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from sgfmill import sgf_grammar

from clauseboard.game import Ending, IllegalMoveError, Outcome, UnreadableError
from clauseboard.games import sgf_files
from clauseboard.games.hex.notation import read_cell, read_move
from clauseboard.games.hex.rules import BLUE, RED, SWAP, Hex, HexMove, HexPosition, Swap
from clauseboard.games.records import Recorded, RecordNotes, Report, decoded
from clauseboard.games.sgf_files import Pieces

DEFAULT_SIZE = 11
"""The size of a board in SGF that does not name one."""

GIVES_UP = ("resign", "forfeit")
SWAPS = ("swap", "swap-pieces")
MOVER, WAITER = "mover", "waiter"

_WORDS = re.compile(r"swap-pieces|swap|resign|forfeit|[a-z][0-9]+|[^\s,]+")


@dataclass(frozen=True)
class HexRecord:
    """A game that was played: its rules, its moves, its outcome, and other notes.

    `outcome` is None where neither the board nor the record gives one. `players` has the names by
    colour; `notes` has the other properties of an SGF game as they are.
    """

    game: Hex
    moves: tuple[HexMove | Swap, ...]
    outcome: Outcome | None = None
    players: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)

    def positions(self) -> Iterator[HexPosition]:
        """The positions from the empty board on."""
        position = self.game.start()
        yield position
        for move in self.moves:
            position = position.play(move)
            yield position


# ---- lists of moves


def read_moves(game: Hex, text: str) -> HexRecord:
    """A game from its moves: "a1 b2 c3", with spaces, commas or nothing between them.

    The last word may be "resign", by the side to move.
    """
    words = _WORDS.findall(text.lower())
    quits = None
    if words and words[-1] in GIVES_UP:
        quits = MOVER
        del words[-1]
    if not words:
        raise UnreadableError(f"the line is {text.strip()!r}.", fault="no moves")
    return _replayed(game, words, quits)


def write_moves(record: HexRecord) -> str:
    """The moves of a game as one line."""
    return " ".join(str(move) for move in record.moves)


def _replayed(game: Hex, words: list[str], quits: str | None) -> HexRecord:
    """Play the moves that some words mean, and see how the game ends.

    `quits` is the side that gave up after the last move, if any: MOVER or WAITER.
    """
    position = game.start()
    moves: list[HexMove | Swap] = []
    for number, word in enumerate(words, 1):
        if position.outcome() is not None:
            raise IllegalMoveError(
                f"{position.outcome()}, but move {number} is {word!r}.",
                fault="moves after the end",
                position=game.write_position(position),
            )
        try:
            moves.append(read_move(position, "swap" if word in SWAPS else word))
        except UnreadableError as error:
            problem = f"move {number}, {error.reason}"
            raise UnreadableError(
                problem, fault="unreadable move", position=error.position
            ) from None
        except IllegalMoveError as error:
            problem = f"move {number}, {error.reason}"
            raise IllegalMoveError(problem, fault="illegal move", position=error.position) from None
        position = position.play(moves[-1])
    outcome = position.outcome()
    if outcome is None and quits is not None:
        loser = position.to_move if quits == MOVER else game.other(position.to_move)
        outcome = Outcome(game.other(loser), f"{loser} gave up", Ending.RESIGNATION)
    return HexRecord(game, tuple(moves), outcome)


# ---- SGF


def read_sgf(data: bytes | str) -> HexRecord:
    """The main line of the first SGF game in a text; an error says what is wrong with it."""
    raw = data.encode("utf-8", "replace") if isinstance(data, str) else data
    try:
        tree = sgf_grammar.parse_sgf_game(raw)
    except ValueError as error:
        raise UnreadableError(f"{error}.", fault="not SGF") from None
    nodes = list(sgf_grammar.main_sequence_iter(tree))
    root = {name: _text(name, values[0]) for name, values in nodes[0].items()}
    if root.get("GM", "11").strip() != "11":
        raise UnreadableError(
            f"GM[{root['GM']}] is not Hex, which is GM[11].", fault="another game"
        )
    size = _size(root.get("SZ", str(DEFAULT_SIZE)))
    marked = []
    for node in nodes:
        for name in node:
            if name in ("AB", "AW", "AE"):
                raise UnreadableError(f"{name} puts stones on the board.", fault="set-up stones")
            if name in ("B", "W"):
                marked.append((name, _text(name, node[name][0]).strip().lower()))
    line = _in_turn(marked, size, root.get("PL", "").strip().upper())
    swap = line.words[1:2] == ["swap"] or _allows_swap(root.get("RU", ""))
    played = _replayed(Hex(size, swap), line.words, line.quits)
    if line.fault:
        *_, last = played.positions()
        raise IllegalMoveError(
            f"{line.problem}.", fault=line.fault, position=played.game.write_position(last)
        )
    return HexRecord(
        played.game,
        played.moves,
        _checked_outcome(played, root.get("RE", ""), line.red),
        players={c: root[name] for c, name in ((RED, "PB"), (BLUE, "PW")) if name in root},
        notes={
            name: text
            for name, text in root.items()
            if name not in _OURS and (name, text) != ("RU", "swap")
        },
    )


_OURS = ("FF", "GM", "SZ", "PB", "PW", "RE", "PL", "CA", "AP", "B", "W")
"""Properties that are not kept as notes: the record has them otherwise, or they are the file's."""


_LONG_TEXTS = ("C", "GC")
_NO_SWAP = re.compile(
    r"\b(?:no|not|non|without|never)\W*(?:\w+\W+)?swap|swap\w*[\s:=-]*(?:no|not|off|false)\b"
)


def _allows_swap(rules: str) -> bool:
    """Whether RU speaks of swapping, and not to forbid it.

    >>> [_allows_swap(rules) for rules in ("swap", "Swap rule", "noswap", "No swap rule", "")]
    [True, True, False, False, False]
    """
    return "swap" in rules.lower() and not _NO_SWAP.search(rules.lower())


def _size(text: str) -> int:
    """The size of the board that SZ names."""
    sides = text.strip().split(":")
    if len(set(sides)) == 1 and sides[0].isdecimal():
        try:
            return Hex(int(sides[0])).size
        except ValueError as error:
            raise UnreadableError(f"SZ[{text}]: {error}", fault="size of the board") from None
    raise UnreadableError(f"SZ[{text}] is no size of a square board.", fault="size of the board")


@dataclass
class _Line:
    """The moves of a game in words, who gave up after them, and how RE marks red.

    `fault` and `problem` say what is wrong with the move after these.
    """

    words: list[str]
    quits: str | None = None
    red: str = "B"
    fault: str = ""
    problem: str = ""


def _in_turn(marked: list[tuple[str, str]], size: int, begins: str) -> _Line:
    """The line that moves with their marks (B or W) make, if they are made in turn.

    Red begins, however its moves are marked. After "swap-sides" the stone stays and the players
    change colours; that is the same game as with the stone reflected, so that all later cells are
    reflected. If colours, not players, are marked from there on, the marks change places.
    """
    if not marked:
        raise UnreadableError("the main line is empty.", fault="no moves")
    if begins == "W":
        raise UnreadableError("PL[W] says so; here red begins.", fault="blue begins")
    line = _Line([])
    turn, reflect = marked[0][0], False
    for number, (mark, text) in enumerate(marked, 1):
        if line.quits is not None:
            line.fault = "moves after the end"
            line.problem = f"move {number} is {text!r}, but a side has given up"
            break
        if number == 3 and reflect and mark != turn:
            turn, line.red = mark, "W"
        if text in GIVES_UP:
            line.quits = MOVER if mark == turn else WAITER
            continue
        if mark != turn:
            line.fault = "out of turn"
            line.problem = f"move {number}, {text!r}, is by {mark} again"
            break
        if text == "swap-sides":
            line.words.append("swap")
            reflect = True
        else:
            # Two letters, as for Go, are a column and a row.
            two = re.fullmatch("[a-z]{2}", text) is not None
            word = f"{text[0]}{ord(text[1]) - ord('a') + 1}" if two else text
            word = "swap" if word in SWAPS else word
            line.words.append(_reflected(word, size) if reflect else word)
        turn = "W" if turn == "B" else "B"
    return line


def _reflected(word: str, size: int) -> str:
    try:
        cell = read_cell(word, size)
    except UnreadableError:
        return word  # whoever plays it says what is wrong
    return str(HexMove(cell.column, cell.row))


_WAYS = {"r": ("gave up", Ending.RESIGNATION), "t": ("ran out of time", Ending.TIME)}
"""What stands behind the + of RE, and what it means."""


def _checked_outcome(played: HexRecord, result: str, red: str) -> Outcome | None:
    """How a game ended by its moves and by RE, which must not contradict each other."""
    match = re.fullmatch(r"([BW])(?:\+(.*))?", result.strip(), re.IGNORECASE)
    if match is None:
        return played.outcome
    winner = RED if match[1].upper() == red else BLUE
    if played.outcome is None:
        way = (match[2] or "").strip().lower()[:1]
        how, ending = _WAYS.get(way, ("lost, as the record says", Ending.UNKNOWN))
        return Outcome(winner, f"{played.game.other(winner)} {how}", ending)
    if played.outcome.winner != winner:
        raise UnreadableError(
            f"RE[{result}] says {winner}, but {played.outcome}.", fault="contradictory result"
        )
    return played.outcome


def write_sgf(record: HexRecord) -> str:
    """A game as SGF that `read_sgf` takes back."""
    properties = {"FF": "4", "GM": "11", "CA": "UTF-8", "SZ": str(record.game.size)}
    properties |= {
        name: record.players[colour]
        for colour, name in ((RED, "PB"), (BLUE, "PW"))
        if colour in record.players
    }
    if record.outcome is not None and record.outcome.winner is not None:
        mark = "B" if record.outcome.winner == RED else "W"
        how = [way for way, (_, ending) in _WAYS.items() if ending == record.outcome.ending]
        properties["RE"] = f"{mark}+{''.join(how).upper()}"
    if record.game.swap:
        properties["RU"] = "swap"
    properties |= record.notes
    written = "".join(f"{name}[{_escaped(value)}]" for name, value in properties.items())
    for number, move in enumerate(record.moves):
        text = "swap-pieces" if move == SWAP else str(move)
        written += f";{'BW'[number % 2]}[{text}]"
    return f"(;{written})\n"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


def _text(name: str, raw: bytes) -> str:
    """The value of a property: UTF-8, else Latin-1. Comments keep their lines."""
    value = sgf_grammar.text_value if name in _LONG_TEXTS else sgf_grammar.simpletext_value
    return decoded(value(raw))


# ---- archives of Hex games, in SGF (`sgf_files` says what they may be) or as lists of moves

ENDINGS = (".sgf", ".hsgf")
"""How the files are called that are read in folders and tars."""

Where = str | os.PathLike[str]


def read_archive(
    paths: Where | Iterable[Where], report: Report | None = None, game: Hex | None = None
) -> Iterator[HexRecord]:
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

    def read_line(line: bytes) -> HexRecord:
        return read_moves(rules, decoded(line))

    for path in map(Path, paths):
        if not alone and not path.exists():
            counts.drop(str(path), 1, "not readable", "there is no such file or folder.")
        elif path.suffix.lower() == ".txt" and not path.is_dir():
            yield from sgf_files.read_games(path, counts, _of_size(game, read_line), split=_lines)
        else:
            yield from sgf_files.read_games(path, counts, _of_size(game, read_sgf), endings=ENDINGS)


def _of_size(game: Hex | None, read: Callable[[bytes], HexRecord]) -> Callable[[bytes], HexRecord]:
    """A reader that refuses games of another size."""

    def checked(text: bytes) -> HexRecord:
        record = read(text)
        if game is not None and record.game.size != game.size:
            raise UnreadableError(
                f"the board has the size {record.game.size}, not {game.size}.", fault="another size"
            )
        return record

    return checked


def _lines(stream: BinaryIO) -> Pieces:
    """The lines of a file that are lists of moves."""
    for number, line in enumerate(stream, 1):
        if line.strip() and not line.lstrip().startswith(b"#"):
            yield number, line


# ---- the plug-in of `games.plugins`

SUFFIXES: tuple[str, ...] = (".sgf", ".hsgf")


def write_game(
    game: Hex,
    moves: Sequence[HexMove | Swap],
    outcome: Outcome | None,
    players: Mapping[str, str],
    event: str,
    number: int,
    start: HexPosition | None = None,
    notes: RecordNotes | None = None,
) -> str:
    """A game as SGF; see `games.plugins.RecordsPlugin`."""
    if start is not None and start != game.start():
        raise ValueError("A record of Hex begins with the empty board, not with one set up.")
    texts = {"EV": event, "RO": str(number)} if event else {}
    texts |= {"GC": str(outcome)} if event and outcome is not None else {}
    written = write_sgf(HexRecord(game, tuple(moves), outcome, players, texts))
    return sgf_files.with_notes(written, notes)


def read_games(path: Path, report: Report) -> Iterator[Recorded]:
    """The games of a file that can be replayed."""
    if path.suffix.lower() == ".txt":
        for record in read_archive(path, report):
            yield _recorded(record, RecordNotes())
    else:
        yield from sgf_files.read_games(path, report, _read, endings=ENDINGS)


def _read(text: bytes) -> Recorded:
    record = read_sgf(text)
    # Where red's moves are marked W, or cells are reflected, variations would be wrong here.
    first = re.search(rb";\s*([BW])\[", text)
    as_here = first is not None and first[1] == b"B" and b"swap-sides" not in text
    return _recorded(record, sgf_files.read_notes(text, len(record.moves), as_here))


def _recorded(record: HexRecord, notes: RecordNotes) -> Recorded:
    players = {colour: record.players.get(colour, "?") for colour in record.game.colours}
    positions = tuple(record.positions())
    return Recorded(record.game, positions, record.moves, record.outcome, players, notes)
