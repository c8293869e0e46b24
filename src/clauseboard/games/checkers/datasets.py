"""The compositions of checkers: which boards of recorded games make a data set.

Games that do not say who won, that comments call irregular, that break the pattern of records, or
whose moves are not legal are left out, one reason at a time (see `oddities`, `archive`).
"""

from __future__ import annotations

import io
import re
import warnings
from array import array
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from clauseboard.checks import flag, one_of
from clauseboard.game import Bit, NotationError
from clauseboard.games.checkers import encoding
from clauseboard.games.checkers.notation import read_path
from clauseboard.games.checkers.pdn_games import REASONS, Draft, drafts, oddity, text_lines, tokens
from clauseboard.games.checkers.records import AS_PLAYED, Archive, DroppedError
from clauseboard.games.checkers.rules import (
    BLACK,
    WHITE,
    WORD,
    Board,
    Checkers,
    CheckersPosition,
    board_after,
    different,
    jumpers,
    jumps_of,
    sides,
    steps_of,
)
from clauseboard.games.datasets import DRAW, Composition, Rows, key
from clauseboard.games.records import Report, decoded
from clauseboard.games.solving import Progress

# ---- boards out of files of PDN, part by part, so that several processes can read one file
# A file is cut where a game seems to begin. Whoever reads a part also looks at the first line of
# the next one, and tells whether a game began there indeed; where none did, the rest of the file
# is read in one go. So the boards and the report are those of reading it from top to bottom.

PART = 1 << 20
"""Bytes of a part, about: some two thousand games."""

_BEGIN = re.compile(rb'[^\]\s][ \t]*[\r\n]+(?=\[\w+\s+"[^\r\n]*[\r\n])')
"""Where a line with a tag follows one without."""


@dataclass(frozen=True)
class Wanted:
    """Which games and boards are wanted.

    `rounds`: the board at the end and those before as many rounds, of two moves each, as this;
    None: the board after every move. `odd`: also games that `oddities` has something against.
    `strict` and `one_zero` are those of `Archive`.
    """

    rounds: int | None = 0
    strict: bool = True
    odd: bool = False
    one_zero: str = "black"

    def plies(self, n_moves: int) -> range:
        """After how many moves the boards of a game are wanted, the last one first."""
        if self.rounds is None:
            return range(n_moves, 0, -1)
        return range(n_moves, max(n_moves - 2 * self.rounds - 1, 0), -2)


@dataclass(frozen=True)
class Part:
    """A part of a file: its first byte and the one after its last, and the lines before it."""

    path: Path
    begin: int = 0
    end: int | None = None
    lines_before: int = 0
    next_line: str | None = None
    """The line that follows, with which another game should begin."""


@dataclass
class Extract:
    """What is found in a part."""

    boards: NDArray[np.uint64]
    """Black's pieces, white's pieces, kings: boards by 3."""
    labels: NDArray[np.uint8]
    games: NDArray[np.int64]
    plies: NDArray[np.int32]
    to_move: NDArray[np.uint8]
    keys: NDArray[np.uint64]
    report: Report
    n_games: int
    whole: bool
    """Whether another game begins with the line after it."""


def extract_files(
    paths: Sequence[Path], wanted: Wanted, report: Report, jobs: int, progress: Progress | None
) -> Iterator[Extract]:
    """The boards of some files, in their order; numbers of games go on from file to file."""
    n_games, done = 0, 0
    sizes = [path.stat().st_size for path in paths]
    total = sum(sizes)
    for path, size in zip(paths, sizes, strict=True):
        n_before = report.read
        try:
            for part, found in _extracts(path, wanted, jobs):
                report.add(found.report, str(path), part.lines_before)
                found.games += n_games
                n_games += found.n_games
                yield found
                if progress is not None and total:
                    progress((done + (size if part.end is None else part.end)) / total)
        except OSError as error:
            report.drop(str(path), 1, "not readable", f"{error}.")
            continue
        if report.read == n_before:
            report.drop(str(path), 1, "not PDN", "there is no game in the file.")
        done += size


def _extracts(path: Path, wanted: Wanted, jobs: int) -> Iterator[tuple[Part, Extract]]:
    """The parts of a file with what is in them, in their order."""
    cut = list(parts(path))
    if jobs == 1 or len(cut) == 1:
        found = (extract(part, wanted) for part in cut)
    else:
        found = _in_processes(cut, wanted, jobs)
    for part, extracted in zip(cut, found, strict=True):
        if extracted.whole:
            yield part, extracted
            continue
        found.close()
        rest = Part(path, part.begin, None, part.lines_before)
        yield rest, extract(rest, wanted)
        return


def _in_processes(cut: list[Part], wanted: Wanted, jobs: int) -> Generator[Extract, None, None]:
    """What is in the parts of a file, in their order, found by several processes."""
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    workers = Parallel(n_jobs=jobs, return_as="generator")
    found = workers(delayed(extract)(part, wanted) for part in cut)
    try:
        with warnings.catch_warnings():
            # Whoever stops early has not used what other processes read meanwhile.
            warnings.filterwarnings("ignore", r"\d+ tasks (have been|which were)")
            yield from found
    except TerminatedWorkerError:
        raise ValueError(
            "A process that read games was ended from outside; perhaps the memory ran out. With "
            "fewer jobs it needs less."
        ) from None


def parts(path: Path, size: int = PART) -> Iterator[Part]:
    """A file cut where games seem to begin, at least so many bytes apart."""
    begin, at, lines, lines_before = 0, 0, 0, 0
    with path.open("rb") as file:
        while block := file.read(size):
            if block.endswith(b"\r"):
                block += file.read(1)
            border = _BEGIN.search(block) if at > begin else None
            if border:
                here = border.end()
                end_of_line = re.search(rb"[\r\n]", block[here:])
                assert end_of_line is not None  # the border is before a whole line
                next_line = decoded(block[here : here + end_of_line.start()])
                until = lines + _count_lines(block[:here])
                yield Part(path, begin, at + here, lines_before, next_line)
                begin, lines_before = at + here, until
            lines += _count_lines(block)
            at += len(block)
    yield Part(path, begin, None, lines_before)


def _count_lines(text: bytes) -> int:
    return text.count(b"\n") + text.count(b"\r") - text.count(b"\r\n")


def extract(part: Part, wanted: Wanted) -> Extract:
    """The boards of a part of a file."""
    archive = Archive(part.path, strict=wanted.strict, one_zero=wanted.one_zero)
    report = archive.report
    boards: list[Board] = []
    columns: list[tuple[int, int, int, int]] = []
    keys: list[tuple[int, int]] = []
    n_games, whole = 0, part.next_line is None
    for draft, is_last in _with_last(drafts(tokens(_lines(part)))):
        if is_last and part.next_line is not None and _is_one_tag(draft):
            whole = True
            break
        try:
            label, n_first, replayed = _replayed(archive, draft, wanted)
        except DroppedError as dropped:
            report.drop("", dropped.line, dropped.reason, str(dropped))
        else:
            report.keep()
            game_key = key(array("Q", chain.from_iterable(replayed)).tobytes())
            for ply in wanted.plies(len(replayed) - 1):
                boards.append(replayed[ply])
                columns.append((label, n_games, ply, (n_first + ply) % 2))
                keys.append(game_key)
        n_games += 1
    labels, games, plies, to_move = np.array(columns, np.int64).reshape(-1, 4).T
    return Extract(
        np.array(boards, np.uint64).reshape(-1, 3),
        labels.astype(np.uint8),
        games.copy(),
        plies.astype(np.int32),
        to_move.astype(np.uint8),
        np.array(keys, np.uint64).reshape(-1, 2),
        report,
        n_games,
        whole,
    )


def _replayed(archive: Archive, draft: Draft, wanted: Wanted) -> tuple[int, int, list[Board]]:
    """Who won, who began, and all boards of a game; a `DroppedError` if it is not wanted."""
    archive.check(draft)
    outcome = archive.outcome(draft)
    if outcome is None:
        raise DroppedError(draft.line, "no result", "the record does not say who won")
    odd = None if wanted.odd else oddity(draft)
    if odd is not None:
        raise DroppedError(*odd)
    colours = archive.game.colours
    label = DRAW if outcome.winner is None else colours.index(outcome.winner)
    if "FEN" not in draft.tags and not any(token.value for token in draft.moves):
        start = AS_PLAYED.start()
        replayed = replay(start.board, start.to_move, [token.text for token in draft.moves])
        if replayed is not None:
            last = archive.game.colours[(len(replayed) - 1) % 2]
            archive.note(draft, outcome, CheckersPosition(archive.game, *replayed[-1], last))
            return label, 0, replayed
    record = archive.replayed(draft)
    positions = list(record.positions())
    return label, int(record.start.to_move == WHITE), [position.board for position in positions]


def _with_last(found: Iterator[Draft]) -> Iterator[tuple[Draft, bool]]:
    """Each draft, and whether it is the last."""
    draft = next(found, None)
    while draft is not None:
        following = next(found, None)
        yield draft, following is None
        draft = following


def _is_one_tag(draft: Draft) -> bool:
    """Whether a draft is nothing but one tag: the line after the part, by which a game begins."""
    others = (draft.moves, draft.comments, draft.variations, draft.result, draft.unclosed)
    return len(draft.tags) == 1 and draft.parts == 1 and not any(others)


def _lines(part: Part) -> Iterator[str]:
    """The lines of a part, and the one after it."""
    with part.path.open("rb") as file:
        file.seek(part.begin)
        left = None if part.end is None else part.end - part.begin
        raw: Any = file if left is None else io.BufferedReader(_Limited(file, left))
        yield from text_lines(io.TextIOWrapper(raw, encoding="latin-1", newline=None))
    if part.next_line is not None:
        yield part.next_line


class _Limited(io.RawIOBase):
    """So many bytes of a file."""

    def __init__(self, file: Any, left: int) -> None:
        self.file, self.left = file, left

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        chunk = self.file.read(min(len(buffer), self.left))
        buffer[: len(chunk)] = chunk
        self.left -= len(chunk)
        return len(chunk)


TURN = Bit("white to move", None, "white to move")


@dataclass(frozen=True)
class StandardEnd(Composition):
    """The board at the end of each game.

    `strict=False` also takes games in which a jump was overlooked, `odd=True` those that comments
    call irregular or that break the pattern; `one_zero` is who has won by 1-0, black as a rule.
    """

    name: ClassVar[str] = "standard-end"
    text: ClassVar[str] = "the board at the end of each game"
    rounds: ClassVar[int | None] = 0
    """Rounds that are taken back one by one, for one more board each; None: every move."""
    reasons: ClassVar[tuple[str, ...]] = ("no moves", "no result", *REASONS)

    strict: bool = True
    odd: bool = False
    one_zero: str = BLACK

    def __post_init__(self) -> None:
        switches = [field.name for field in fields(self) if isinstance(field.default, bool)]
        for option in switches:
            flag(option, getattr(self, option))
        one_of("one_zero", self.one_zero, (BLACK, WHITE))

    @property
    def game(self) -> Checkers:
        """The rules of records: only people ended these games early."""
        return AS_PLAYED

    def bits(self) -> tuple[Bit, ...]:
        """The bits of a row, in their order."""
        return encoding.BITS

    def packed(self, found: Extract) -> NDArray[Any]:
        """The boards as packed bits."""
        return encoding.packed_squares(found.boards)

    def rows(
        self,
        sources: Sequence[Path],
        report: Report,
        *,
        jobs: int = 1,
        progress: Progress | None = None,
    ) -> Iterator[Rows]:
        """The boards of files of PDN, or of folders with .pdn files, in their order."""
        wanted = Wanted(self.rounds, self.strict, self.odd, self.one_zero)
        width = -(-len(self.bits()) // 8)
        for found in extract_files(list(_files(sources)), wanted, report, jobs, progress):
            packed = np.ascontiguousarray(self.packed(found), "<u8").view(np.uint8)[:, :width]
            yield Rows(packed, found.labels, found.games, found.plies, found.to_move, found.keys)


class EndSecondThird(StandardEnd):
    """The board at the end of each game, and those one and two rounds before."""

    name = "end-second-third"
    text = "the board at the end, and those one and two rounds before"
    rounds = 2
    several = True


class EndToEight(StandardEnd):
    """The board at the end of each game, and those one to eight rounds before."""

    name = "end-to-eight"
    text = "the board at the end, and those one to eight rounds before"
    rounds = 8
    several = True


@dataclass(frozen=True)
class Metadata(StandardEnd):
    """Seven numbers of the board at the end of each game (see `encoding.MEASURES`).

    They are written as binary numbers; `levels=True` has a bit for each value that is reached.
    """

    name: ClassVar[str] = "metadata"
    text: ClassVar[str] = "seven numbers of the board at the end of each game"
    view: ClassVar[str | None] = None

    levels: bool = False

    def bits(self) -> tuple[Bit, ...]:
        """The bits of a row, in their order."""
        return encoding.LEVEL_BITS if self.levels else encoding.DIGIT_BITS

    def packed(self, found: Extract) -> NDArray[Any]:
        """The numbers as packed bits."""
        pack = encoding.packed_levels if self.levels else encoding.packed_digits
        return pack(found.boards)


class EveryPly(StandardEnd):
    """The board after every move, and whose turn it is."""

    name = "every-ply"
    text = "the board after every move, and whose turn it is"
    rounds = None
    several = True

    def bits(self) -> tuple[Bit, ...]:
        """The bits of a row, in their order."""
        return (*encoding.BITS, TURN)

    def packed(self, found: Extract) -> NDArray[Any]:
        """The boards as packed bits, and a third word for the turn."""
        turn = found.to_move.astype(np.uint64).reshape(-1, 1)
        return np.hstack([encoding.packed_squares(found.boards), turn])


COMPOSITIONS: tuple[type[Composition], ...] = (
    StandardEnd,
    EndSecondThird,
    EndToEight,
    Metadata,
    EveryPly,
)


def _files(sources: Sequence[Path]) -> Iterator[Path]:
    """The files themselves, and the .pdn files of folders in the order of their names."""
    for source in sources:
        if source.is_dir():
            below = (path for path in source.rglob("*") if path.is_file())
            yield from sorted(path for path in below if path.suffix.lower() == ".pdn")
        else:
            yield source


# ---- moves replayed on words, several times as fast as positions are
# What is not plain (a jump that is overlooked, written in part, or ambiguous) is answered with
# None, and left to `notation.read_move`, which also says what is wrong.


def replay(board: Board, colour: str, texts: Sequence[str]) -> list[Board] | None:
    """The board at first and after each move; None if a move is not plain.

    >>> from clauseboard.games.checkers.rules import Checkers
    >>> boards = replay(Checkers().start().board, "black", ["11-15", "22-18", "15x22"])
    >>> [board[1].bit_count() for board in boards]
    [12, 12, 12, 11]
    """
    boards = [board]
    for text in texts:
        words = _words(text)
        after = None if words is None else _after(board, colour, words)
        if after is None:
            return None
        board, colour = after, WHITE if colour == BLACK else BLACK
        boards.append(board)
    return boards


@lru_cache(maxsize=1 << 14)
def _words(text: str) -> tuple[int, ...] | None:
    """The words of the squares that a text names as a move."""
    try:
        return tuple(WORD[square] for square in read_path(text))
    except NotationError:
        return None


def _after(board: Board, colour: str, path: tuple[int, ...]) -> Board | None:
    seen = sides(board, colour)
    start, end = path[0], path[-1]
    ours, theirs, *_ = seen
    if not ours & start or not theirs:
        return None
    jumping = jumpers(seen)
    taken = 0
    if jumping:
        jumps = different(jumps_of(seen, jumping & start))
        fitting = [jump for jump in jumps if jump[1] == end and (len(path) == 2 or jump[3] == path)]
        if len(fitting) != 1:
            return None
        taken = fitting[0][2]
    elif len(path) != 2 or (start, end) not in steps_of(seen):
        return None
    return board_after(board, colour, start, end, taken)
