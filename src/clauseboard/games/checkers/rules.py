"""The rules of American checkers (English draughts) on eight by eight squares.

Black begins. A man steps one square diagonally ahead, and jumps over a piece of the opponent to the
free square behind it, which takes that piece. Who can jump must, with any piece and any way he
likes, and goes on jumping with that piece as long as it can. A man that reaches the last row
becomes a king there, and its move is over. Kings step and jump ahead and back.

Squares have the numbers 1 to 32 of every book on the game. Black starts on 1 to 12, drawn at the
top, and moves to higher numbers:

         1   2   3   4
       5   6   7   8
         9  10  11  12
      13  14  15  16      ...

A board is three words: black's pieces, white's pieces and the kings of both. Square n is bit
n - 1, with one bit left free after every second row; so that every diagonal step is a shift by
four or five places, wherever it starts, and a step over the edge falls on a bit that is no
square.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from clauseboard.checks import one_of, whole_number
from clauseboard.game import Ending, IllegalMoveError, Outcome, Position
from clauseboard.games.plugins import ModularGame

BLACK, WHITE = "black", "white"
SQUARES = range(1, 33)
MAN, KING = "man", "king"


def place(square: int) -> int:
    """The bit of a square.

    >>> [place(square) for square in (1, 8, 9, 32)]
    [0, 7, 9, 34]
    """
    return square - 1 + (square - 1) // 8


WORD = {square: 1 << place(square) for square in SQUARES}
"""The word with the bit of one square."""

SQUARE = {word: square for square, word in WORD.items()}
"""The square of a word with one bit."""

EVERY = sum(WORD.values())
BLACK_START = sum(WORD[square] for square in range(1, 13))
WHITE_START = sum(WORD[square] for square in range(21, 33))
CROWNS = {
    BLACK: sum(WORD[square] for square in range(29, 33)),
    WHITE: sum(WORD[square] for square in range(1, 5)),
}
"""Where a man becomes a king."""


def row(square: int) -> int:
    """The row of a square, 0 at the top."""
    return (square - 1) // 4


def column(square: int) -> int:
    """The column of a square, 0 on the left."""
    return 2 * ((square - 1) % 4) + (1 - row(square) % 2)


CELLS = {(row(square), column(square)): square for square in SQUARES}


def squares(word: int) -> Iterator[int]:
    """The squares of a word, in order.

    >>> list(squares(WORD[3] | WORD[30]))
    [3, 30]
    """
    while word:
        yield SQUARE[word & -word]
        word &= word - 1


def word_of(some: Iterable[int]) -> int:
    """The word of some squares."""
    return sum(WORD[square] for square in set(some))


def turned(word: int) -> int:
    """The word after half a turn of the board, which takes square n to 33 - n.

    >>> turned(BLACK_START) == WHITE_START
    True
    """
    return int(f"{word:035b}"[::-1], 2)


def fault(black: int, white: int, kings: int) -> str | None:
    """What is wrong with three words as a board of checkers, as a sentence; None if nothing is."""
    if (black | white | kings) & ~EVERY:
        return "there are pieces off the board."
    if black & white:
        return f"{_listed(black & white)} cannot hold a black and a white piece at once."
    if kings & ~(black | white):
        return f"{_listed(kings & ~(black | white))} cannot hold a king and no piece."
    if not black | white:
        return "there is no piece on the board."
    for colour, pieces in ((BLACK, black), (WHITE, white)):
        if pieces.bit_count() > 12:
            return f"{colour} has {pieces.bit_count()} pieces; a side has at most 12."
        uncrowned = pieces & CROWNS[colour] & ~kings
        if uncrowned:
            return f"a {colour} man cannot stand on {_listed(uncrowned)}: it would be a king there."
    return None


def _listed(word: int) -> str:
    return " and ".join(str(square) for square in squares(word))


# ---- moves

Board = tuple[int, int, int]
"""Black's pieces, white's pieces, and the kings of both, as words."""

Jump = tuple[int, int, int, tuple[int, ...]]
"""The words of the squares where a jump starts and ends and of what it takes, and its path."""


Sides = tuple[int, int, int, int, int]
"""A board as the side to move sees it, in words: its pieces and the other side's, those of its own
that move to higher numbers (men of black, and kings) and to lower ones, and the empty squares."""


def sides(board: Board, colour: str) -> Sides:
    """A board as a side sees it."""
    black, white, kings = board
    empty = EVERY & ~(black | white)
    if colour == BLACK:
        return black, white, black, black & kings, empty
    return white, black, white & kings, white, empty


def jumpers(seen: Sides) -> int:
    """The pieces of the side to move that can jump."""
    _, theirs, rising, falling, empty = seen
    return (rising and rising & ((theirs >> 4 & empty >> 8) | (theirs >> 5 & empty >> 10))) | (
        falling and falling & ((theirs << 4 & empty << 8) | (theirs << 5 & empty << 10))
    )


def steps_of(seen: Sides) -> list[tuple[int, int]]:
    """The words of the start and the end of every step, in the order of moves."""
    _, _, rising, falling, empty = seen
    up_5, up_4 = falling & empty << 5, falling & empty << 4
    down_4, down_5 = rising & empty >> 4, rising & empty >> 5
    movers = up_5 | up_4 | down_4 | down_5
    steps = []
    while movers:
        piece = movers & -movers
        movers ^= piece
        if piece & up_5:
            steps.append((piece, piece >> 5))
        if piece & up_4:
            steps.append((piece, piece >> 4))
        if piece & down_4:
            steps.append((piece, piece << 4))
        if piece & down_5:
            steps.append((piece, piece << 5))
    return steps


def jumps_of(seen: Sides, jumping: int, unfinished: bool = False) -> list[Jump]:
    """Every way to jump of some pieces, in the order of moves: by their paths.

    `unfinished`: with every shorter way that stops although it could go on.
    """
    _, theirs, rising, falling, empty = seen
    jumps: list[Jump] = []
    while jumping:
        start = jumping & -jumping
        jumping ^= start
        landings = empty | start
        down, up = start & rising, start & falling
        waiting: list[Jump] = [(start, start, 0, (start,))]
        while waiting:
            jump = waiting.pop()
            _, at, taken, path = jump
            left, before = theirs & ~taken, len(waiting)
            # The last to be put there is the first to be followed: the least square.
            if down:
                if (over := at << 5 & left) and (to := over << 5 & landings):
                    waiting.append((start, to, taken | over, (*path, to)))
                if (over := at << 4 & left) and (to := over << 4 & landings):
                    waiting.append((start, to, taken | over, (*path, to)))
            if up:
                if (over := at >> 4 & left) and (to := over >> 4 & landings):
                    waiting.append((start, to, taken | over, (*path, to)))
                if (over := at >> 5 & left) and (to := over >> 5 & landings):
                    waiting.append((start, to, taken | over, (*path, to)))
            if taken and (unfinished or len(waiting) == before):
                jumps.append(jump)
    return jumps


def different(jumps: list[Jump]) -> list[Jump]:
    """Of the ways round a ring, which leave the same board, the first."""
    first: dict[tuple[int, int, int], Jump] = {}
    for jump in jumps:
        first.setdefault(jump[:3], jump)
    return list(first.values())


def board_after(board: Board, colour: str, start: int, end: int, taken: int) -> Board:
    """The board after a move, given by the words of its squares and of what it takes."""
    black, white, kings = board
    king = kings & start
    kings &= ~(start | taken)
    if king or end & CROWNS[colour]:
        kings |= end
    if colour == BLACK:
        return black ^ start | end, white & ~taken, kings
    return black & ~taken, white ^ start | end, kings


@dataclass(frozen=True, order=True)
class CheckersMove:
    """A move: the squares that the piece stands on, first to last, and the squares it takes from.

    A king may take the same men on several ways from the same start to the same end. These are one
    move, whose path is the first of them in order.
    """

    path: tuple[int, ...]
    captured: tuple[int, ...] = ()

    @property
    def start(self) -> int:
        """Where the piece comes from."""
        return self.path[0]

    @property
    def end(self) -> int:
        """Where the piece goes."""
        return self.path[-1]

    def __str__(self) -> str:
        return ("x" if self.captured else "-").join(map(str, self.path))


@dataclass(frozen=True, repr=False)
class CheckersPosition(Position[CheckersMove]):
    """A board of three words, whose turn it is, and what the rules for draws need.

    >>> from clauseboard.game import load_game
    >>> position = load_game("checkers").start()
    >>> position.play(position.read_move("11-15")).to_move
    'white'
    """

    game: Checkers
    black: int
    white: int
    kings: int
    to_move: str = BLACK
    quiet: int = 0
    """Moves of both sides since a man last moved or something was taken, if that is counted."""
    played: int = 0
    """Moves of both sides since the game began, if that is counted."""
    history: tuple[Board, ...] = ()
    """The boards before this one that could come up again, if repetitions are counted."""

    @property
    def board(self) -> Board:
        """The three words."""
        return self.black, self.white, self.kings

    @cached_property
    def sides(self) -> Sides:
        """The board as the side to move sees it."""
        return sides(self.board, self.to_move)

    def pieces(self, colour: str) -> int:
        """The word of one side's pieces."""
        return self.black if colour == BLACK else self.white

    def piece_on(self, square: int) -> str | None:
        """What stands on a square: "black man", "white king", and so on, or None."""
        word = WORD[square]
        for colour in (BLACK, WHITE):
            if self.pieces(colour) & word:
                return f"{colour} {'king' if self.kings & word else 'man'}"
        return None

    def moves(self) -> tuple[CheckersMove, ...]:
        """The legal moves, ordered by their paths; none if the game is over."""
        return () if self.outcome() is not None else self.possible_moves

    def play(self, move: CheckersMove) -> CheckersPosition:
        """The position after a move; of the ways round a ring, any will do."""
        if not isinstance(move, CheckersMove):
            raise IllegalMoveError(
                f"{move!r} is not a `CheckersMove`.", position=self.game.write_position(self)
            )
        outcome = self.outcome()
        if outcome is not None:
            raise IllegalMoveError(
                f"{str(move)!r} cannot be played: the game is over ({outcome}).",
                position=self.game.write_position(self),
            )
        legal = self.canonical(move)
        if legal is None:
            raise IllegalMoveError(
                f"{str(move)!r} is not legal: {self.why_not(move.path)}",
                position=self.game.write_position(self),
            )
        return self.after(legal)

    def canonical(self, move: CheckersMove) -> CheckersMove | None:
        """The possible move that a move is, be it another way round a ring; None if there is none.

        A move that names the wrong pieces as taken is none.
        """
        if move in self.possible_moves:
            return move
        if move.captured and move in self.jumps():
            alike = self.moves_between(move.start, move.end)
            return next(m for m in alike if m.captured == move.captured)
        return None

    def moves_between(self, start: int, end: int) -> list[CheckersMove]:
        """The possible moves from one square to another: several if chains of jumps differ."""
        return [m for m in self.possible_moves if m.path[0] == start and m.path[-1] == end]

    def outcome(self) -> Outcome | None:
        """How the game ended, or None if it goes on."""
        return self._outcome

    def after(self, move: CheckersMove) -> CheckersPosition:
        """The position after a move that is trusted to be one."""
        start, end = WORD[move.start], WORD[move.end]
        taken = word_of(move.captured) if move.captured else 0
        progress = bool(taken) or not self.kings & start
        return CheckersPosition(
            self.game,
            *board_after(self.board, self.to_move, start, end, taken),
            to_move=WHITE if self.to_move == BLACK else BLACK,
            quiet=0 if progress or self.game.quiet_moves is None else self.quiet + 1,
            played=0 if self.game.max_moves is None else self.played + 1,
            history=()
            if progress or self.game.repetitions is None
            else (*self.history, self.board),
        )

    def steps(self) -> Iterator[CheckersMove]:
        """Every move without a jump, in order, whether or not a jump is possible."""
        for start, end in steps_of(self.sides):
            yield CheckersMove((SQUARE[start], SQUARE[end]))

    def jumps(self, unfinished: bool = False) -> Iterator[CheckersMove]:
        """Every way to jump, also those that leave the same board.

        `unfinished`: with every shorter way that stops although it could go on.
        """
        for jump in jumps_of(self.sides, jumpers(self.sides), unfinished):
            yield _move_of(jump)

    @cached_property
    def possible_moves(self) -> tuple[CheckersMove, ...]:
        """The moves that the board allows, even if the game is over by a draw."""
        jumping = jumpers(self.sides)
        if not jumping:
            return tuple(self.steps())
        return tuple(_move_of(jump) for jump in different(jumps_of(self.sides, jumping)))

    @cached_property
    def _outcome(self) -> Outcome | None:
        ours, game = self.to_move, self.game
        theirs = WHITE if ours == BLACK else BLACK
        for colour in (ours, theirs):
            if not self.pieces(colour):
                return Outcome(game.other(colour), f"{colour} has no men left", Ending.NO_PIECES)
        if not self.possible_moves:
            winner = theirs if game.blocked == "loss" else None
            return Outcome(winner, f"{ours} cannot move", Ending.BLOCKED)
        # Every second board of the history has the same side to move.
        times = 1 + self.history[-2::-2].count(self.board)
        if game.repetitions is not None and times >= game.repetitions:
            return Outcome(None, f"the same position {times} times", Ending.REPETITION)
        if game.quiet_moves is not None and self.quiet >= 2 * game.quiet_moves:
            reason = f"{game.quiet_moves} moves each without progress"
            return Outcome(None, reason, Ending.NO_PROGRESS)
        if game.max_moves is not None and self.played >= game.max_moves:
            return Outcome(None, f"{game.max_moves} moves played", Ending.MOVE_LIMIT)
        return None

    def why_not(self, path: tuple[int, ...]) -> str:
        """What is wrong with a path that is no legal move here."""
        if not path or any(square not in WORD for square in path):
            return "a path is made of squares from 1 to 32."
        start, end = path[0], path[-1]
        piece = self.piece_on(start)
        if piece is None:
            return f"there is no piece on {start}."
        if not piece.startswith(self.to_move):
            return f"the piece on {start} is a {piece}, and it is {self.to_move}'s turn."
        written = ", ".join(self.write_move(move) for move in self.possible_moves)
        if any(move.captured for move in self.possible_moves):
            ends = {(move.start, move.end) for move in self.possible_moves}
            cut_short = {(jump.start, jump.end) for jump in self.jumps(unfinished=True)} - ends
            if (start, end) in cut_short:
                return f"the jump must go on; {self.to_move} may play {written}."
            return f"{self.to_move} must jump; {written} would do."
        from_here = ", ".join(self.write_move(m) for m in self.possible_moves if m.start == start)
        if from_here:
            return f"the {piece} on {start} may play {from_here}."
        return f"the {piece} on {start} cannot move; {self.to_move} may play {written}."

    def __str__(self) -> str:
        return self.game.text(self)


def _move_of(jump: Jump) -> CheckersMove:
    return CheckersMove(tuple(SQUARE[word] for word in jump[3]), tuple(squares(jump[2])))


@dataclass(frozen=True, repr=False)
class Checkers(ModularGame[CheckersPosition, CheckersMove]):
    """American checkers.

    `blocked`: what it means not to be able to move: "loss", as in the official rules, or "draw".
    `quiet_moves`: a draw after so many moves of each side in which nothing was taken and no man
    moved. `repetitions`: a draw when the same board, with the same side to move, is there for the
    so-manyth time. `max_moves`: a draw after so many moves, where every turn of either side is one.
    None: that never happens.

    >>> Checkers(quiet_moves=50)
    load_game('checkers', quiet_moves=50)
    """

    blocked: str = "loss"
    quiet_moves: int | None = 40
    repetitions: int | None = 3
    max_moves: int | None = None

    name: ClassVar[str] = "checkers"
    version: ClassVar[int] = 1
    colours: ClassVar[tuple[str, str]] = (BLACK, WHITE)

    def __post_init__(self) -> None:
        one_of("blocked", self.blocked, ("loss", "draw"))
        for name, least in (("quiet_moves", 1), ("repetitions", 2), ("max_moves", 1)):
            if getattr(self, name) is not None:  # never
                whole_number(name, getattr(self, name), least)

    def start(self) -> CheckersPosition:
        """Twelve men each, and black to move."""
        return CheckersPosition(self, BLACK_START, WHITE_START, 0)

    def perft(self, position: CheckersPosition, depth: int) -> int:
        """How many sequences of `depth` moves there are, as the published counts have it.

        Draws by counting moves or boards are not seen, and ways round a ring that take the same
        pieces count each, though they are one move elsewhere.
        """
        from clauseboard.games.checkers import kernels

        whole_number("depth", depth)
        black, white, kings = (np.uint64(word) for word in position.board)
        side = self.colours.index(position.to_move)
        return int(kernels.perft(black, white, kings, side, depth, True))
