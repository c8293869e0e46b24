"""The nouns of a game: Game, Position, Move, Outcome, Bit; and the ways a text can be wrong.

A `Game` is its rules with their parameters, and holds no state: two games with equal parameters
are equal. A `Position` is frozen and knows its game. A `Move` compares and hashes by what it is.

    >>> from clauseboard.game import load_game
    >>> position = load_game("hex", size=3).start()
    >>> position = position.play(position.read_move("b2"))
    >>> position.to_move
    'blue'
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from clauseboard.checks import whole_number
from clauseboard.html_parts import sized

Move = Hashable
"""A move of any game; each game has a class of its own for it."""

M = TypeVar("M", bound=Hashable)
P = TypeVar("P", bound="Position")


class Ending(enum.StrEnum):
    """The ways in which games end."""

    NO_PIECES = "no pieces"
    BLOCKED = "blocked"
    NO_PROGRESS = "no progress"
    REPETITION = "repetition"
    MOVE_LIMIT = "move limit"
    SCORE = "score"
    CONNECTED = "connected"
    FULL_BOARD = "full board"
    RESIGNATION = "resignation"
    TIME = "time"
    FORFEIT = "forfeit"
    ILLEGAL_MOVE = "illegal move"
    FAILURE = "failure"
    """A player raised an error."""
    UNFINISHED = "unfinished"
    """The game was stopped before the rules ended it."""
    SOLVED = "solved"
    """The result with best play is known, so that the game was not played on."""
    UNKNOWN = "unknown"

    @classmethod
    def noted(cls, ending: str | None, reason: str) -> Ending:
        """The ending that a file notes; files of older versions have only the sentence.

        >>> Ending.noted("time", "red's time is up"), Ending.noted(None, "red gave up")
        (<Ending.TIME: 'time'>, <Ending.RESIGNATION: 'resignation'>)
        """
        if ending is not None:
            return cls(ending)
        older = (known for words, known in _OLDER_REASONS.items() if words in reason)
        return next(older, cls.UNKNOWN)


_OLDER_REASONS = {
    " gave up": Ending.RESIGNATION,
    "time is up": Ending.TIME,
    " failed with ": Ending.FAILURE,
    " offered an illegal move": Ending.ILLEGAL_MOVE,
    " moves played, and no end": Ending.UNFINISHED,
    " cannot move": Ending.BLOCKED,
    "two passes": Ending.SCORE,
    " moves were played, ": Ending.MOVE_LIMIT,
}
"""Words in the sentences of files that do not note the ending."""


@dataclass(frozen=True)
class Outcome:
    """How a game ended: the winner, None for a draw; why, in a sentence; and the way it ended.

    `margin` is by how many points, where they were counted and the rules alone cannot tell. A
    reason that is `joined` needs no colon before it.

    >>> print(Outcome("white", "by 3.5 points", joined=True))
    white wins by 3.5 points
    >>> print(Outcome("red", "blue gave up"))
    red wins: blue gave up
    """

    winner: str | None
    reason: str
    ending: Ending = Ending.UNKNOWN
    margin: float | None = dataclasses.field(default=None, repr=False, compare=False)
    joined: bool = dataclasses.field(default=False, repr=False, compare=False)

    def __str__(self) -> str:
        result = "draw" if self.winner is None else f"{self.winner} wins"
        return f"{result}{' ' if self.joined else ': '}{self.reason}"


class NotationError(ValueError):
    """A text that is not a move, or not a position, of the game at hand.

    One of three: it cannot be read, it is not legal here, or it is ambiguous. `reason` is a
    sentence, `position` the position it is about, if any, and `fault` the kind of fault in a few
    words, by which readers of archives count. The message is made of the three.

    >>> error = IllegalMoveError("'c4' has a red stone.", fault="illegal move", position="R. blue")
    >>> print(error)
    illegal move: 'c4' has a red stone. The position is 'R. blue'.
    >>> error.reason
    "'c4' has a red stone."
    """

    def __init__(self, reason: str, *, fault: str = "", position: str = "") -> None:
        self.reason, self.fault, self.position = reason, fault, position
        super().__init__(f"{fault}: {self.detail}" if fault else self.detail)

    @property
    def detail(self) -> str:
        """The reason and the position."""
        if not self.position:
            return self.reason
        return f"{self.reason} The position is {self.position!r}."


class UnreadableError(NotationError):
    """A text that is no move or position of this game at all."""


class IllegalMoveError(NotationError):
    """A move that could be one, but is not legal in the position."""


class AmbiguousMoveError(NotationError):
    """A text that fits more than one legal move."""


@dataclass(frozen=True)
class Bit:
    """One bit of an encoded board: its name, and the cell and piece that it tells of.

    `cell` is None where the bit tells of the board as a whole. `denied` says that it is not so, in
    words; None if there are none for it, and empty where it goes without saying.
    """

    name: str
    cell: str | None
    piece: str
    denied: str | None = None


class Position(ABC, Generic[M]):
    """A board, whose turn it is, and whatever else the rules need; never changed."""

    game: Game
    to_move: str

    @abstractmethod
    def moves(self) -> tuple[M, ...]:
        """The legal moves, always in the same order; none if the game is over."""

    @abstractmethod
    def play(self, move: M) -> Self:
        """The position after a move; an `IllegalMoveError` if it is not legal."""

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the game ended, or None if it goes on."""

    @abstractmethod
    def __str__(self) -> str:
        """The board as text, for people."""

    def unswapped(self) -> Self | None:
        """The same board without the choice to take over the other side's moves (a swap).

        None if there is no such choice. Where there is, a swap is worth what this board is worth
        to the other side.
        """
        return None

    @property
    def may_be_swapped(self) -> bool:
        """Whether the other side may take over the move that is made here."""
        return False

    def read_move(self, text: str) -> M:
        """The legal move that a text means here."""
        move: M = self.game.read_move(self, text)
        return move

    def write_move(self, move: M) -> str:
        """A legal move as text that `read_move` takes back."""
        return self.game.write_move(self, move)

    def __repr__(self) -> str:
        return f"{self.game!r}.read_position({self.game.write_position(self)!r})"

    def _repr_svg_(self) -> str:
        """The board, for notebooks."""
        return sized(self.game.draw(self))


class Game(ABC, Generic[P, M]):
    """The rules of a game; a frozen dataclass whose fields are the game's parameters."""

    name: ClassVar[str]
    version: ClassVar[int]
    """Grows with every change of the rules or of the bits, which data sets and machines note."""
    colours: ClassVar[tuple[str, str]]
    """The two sides; the first one begins."""

    @abstractmethod
    def start(self) -> P:
        """The position in which games begin."""

    # ---- notation

    @abstractmethod
    def read_move(self, position: P, text: str) -> M:
        """The legal move that a text means in a position."""

    @abstractmethod
    def write_move(self, position: P, move: M) -> str:
        """A legal move as text that `read_move` takes back."""

    @abstractmethod
    def read_position(self, text: str) -> P:
        """The position that a text describes, without the moves that led there."""

    @abstractmethod
    def write_position(self, position: P) -> str:
        """A position as one line that `read_position` takes back."""

    # ---- bits

    @abstractmethod
    def bits(self) -> tuple[Bit, ...]:
        """The bits of an encoded board, in their order."""

    @abstractmethod
    def encode(self, positions: Iterable[P], view: str = "board") -> NDArray[np.uint8]:
        """Boards as 0 and 1, positions × bits.

        The view "mover" shows every board as if the first colour were to move.
        """

    @abstractmethod
    def decode(self, row: NDArray[np.uint8], to_move: str) -> P:
        """The position that a row of bits shows, with this side to move."""

    # ---- pictures

    @abstractmethod
    def draw(self, position: P | None = None, **marks: Any) -> str:
        """A picture (SVG) of a position, or of an empty board; see `games.drawing.Marks`."""

    @abstractmethod
    def text(self, position: P | None = None, *, colour: bool = False, **marks: Any) -> str:
        """A position, or an empty board, as text; with the marks of `draw`, see `games.drawing`.

        Without marks it is what `str(position)` prints. `colour` is for terminals: it adds escape
        codes, which colour the letters and show heat as a background.
        """

    def path(self, move: M) -> list[str]:
        """The cells that a move leads over or is made on; none where the game does not tell."""
        return []

    @classmethod
    def parameters(cls) -> tuple[str, ...]:
        """The names of the game's parameters."""
        return tuple(field.name for field in dataclasses.fields(cls) if field.init)  # type: ignore[arg-type]

    def perft(self, position: P, depth: int) -> int:
        """How many sequences of `depth` moves there are: what programs compare their rules by."""
        whole_number("depth", depth)
        if depth == 0:
            return 1
        moves = position.moves()
        if depth == 1:
            return len(moves)
        return sum(self.perft(position.play(move), depth - 1) for move in moves)

    def other(self, colour: str) -> str:
        """The opponent's colour."""
        first, second = self.colours
        return second if colour == first else first

    def __repr__(self) -> str:
        fields = [field for field in dataclasses.fields(self) if field.init]  # type: ignore[arg-type]
        settings = [(field.name, getattr(self, field.name), field.default) for field in fields]
        given = "".join(f", {name}={value!r}" for name, value, usual in settings if value != usual)
        return f"load_game({self.name!r}{given})"


def line_texts(position: Position, line: Iterable[Move]) -> list[str]:
    """The moves of a line as text."""
    texts = []
    for move in line:
        texts.append(position.write_move(move))
        position = position.play(move)
    return texts


def game_names() -> tuple[str, ...]:
    """The games there are: every folder in `clauseboard.games`."""
    # Found by name, for the nouns know no game.
    return modules_in("clauseboard.games", packages=True)


def modules_in(package: str, packages: bool = False) -> tuple[str, ...]:
    """The names of the modules in a package, or of the packages alone; its folders are listed once.

    >>> "checkers" in modules_in("clauseboard.games", packages=True)
    True
    """
    return _found_in(tuple(importlib.import_module(package).__path__), packages)


@functools.cache
def _found_in(folders: tuple[str, ...], packages: bool) -> tuple[str, ...]:
    found = pkgutil.iter_modules(folders)
    return tuple(sorted(each.name for each in found if each.ispkg or not packages))


def load_game(name: str, **parameters: object) -> Game:
    """A game by its name, with parameters.

    >>> load_game("chess")
    Traceback (most recent call last):
        ...
    ValueError: There is no game 'chess'; there are 'checkers', 'go', 'hex'.
    >>> load_game("hex", width=7)
    Traceback (most recent call last):
        ...
    ValueError: hex has no parameter 'width'; it has 'size', 'swap'.
    """
    if name not in game_names():
        raise ValueError(f"There is no game {name!r}; there are {_listed(game_names())}.")
    kind = importlib.import_module(f"clauseboard.games.{name}").GAME
    known = kind.parameters()
    for parameter in parameters:
        if parameter not in known:
            raise ValueError(f"{name} has no parameter {parameter!r}; it has {_listed(known)}.")
    game: Game = kind(**parameters)
    return game


def _listed(names: Sequence[str]) -> str:
    return ", ".join(repr(name) for name in names)
