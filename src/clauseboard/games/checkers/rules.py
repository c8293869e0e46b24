"""The rules of American checkers (English draughts) on eight by eight squares.

Black begins. A man steps one square diagonally ahead, and jumps over a piece of the opponent to the
free square behind it, which takes that piece. Who can jump must, with any piece and any way he
likes, and goes on jumping with that piece as long as it can. A man that reaches the last row
becomes a king there, and its move is over. Kings step and jump ahead and back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from clauseboard.game import Bit, Ending, Game, IllegalMoveError, Outcome, Position, check_depth
from clauseboard.games.checkers.board import (
    BLACK,
    BLACK_START,
    CROWNS,
    EVERY,
    WHITE,
    WHITE_START,
    WORD,
    jumpers,
    squares,
    ways,
    word_of,
)

Board = tuple[int, int, int]
"""Black's pieces, white's pieces, and the kings of both, as words (see `board`)."""


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
class CheckersPosition(Position):
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
            key = (move.start, move.end, move.captured)
            return next(m for m in self.possible_moves if (m.start, m.end, m.captured) == key)
        return None

    def outcome(self) -> Outcome | None:
        """How the game ended, or None if it goes on."""
        return self._outcome

    def after(self, move: CheckersMove) -> CheckersPosition:
        """The position after a move that is trusted to be one."""
        start, end = WORD[move.start], WORD[move.end]
        captured = word_of(move.captured)
        king = bool(self.kings & start)
        ours = (self.pieces(self.to_move) & ~start) | end
        theirs = self.pieces(self.game.other(self.to_move)) & ~captured
        kings = self.kings & ~start & ~captured
        if king or end & CROWNS[self.to_move]:
            kings |= end
        progress = bool(captured) or not king
        quiet = 0 if progress or self.game.quiet_moves is None else self.quiet + 1
        history = () if progress or self.game.repetitions is None else (*self.history, self.board)
        return CheckersPosition(
            game=self.game,
            black=ours if self.to_move == BLACK else theirs,
            white=theirs if self.to_move == BLACK else ours,
            kings=kings,
            to_move=self.game.other(self.to_move),
            quiet=quiet,
            played=0 if self.game.max_moves is None else self.played + 1,
            history=history,
        )

    def steps(self) -> Iterator[CheckersMove]:
        """Every move without a jump, in order, whether or not a jump is possible."""
        empty = EVERY & ~(self.black | self.white)
        for square in squares(self.pieces(self.to_move)):
            for _, near, _ in ways(square, self.to_move, bool(self.kings & WORD[square])):
                if WORD[near] & empty:
                    yield CheckersMove((square, near))

    def jumps(self, unfinished: bool = False) -> Iterator[CheckersMove]:
        """Every way to jump, also those that leave the same board.

        `unfinished`: with every shorter way that stops although it could go on.
        """
        ours, theirs = self.pieces(self.to_move), self.pieces(self.game.other(self.to_move))
        empty = EVERY & ~(ours | theirs)
        for square in squares(jumpers(self.to_move, ours, theirs, self.kings)):
            king = bool(self.kings & WORD[square])
            waiting = [CheckersMove((square,))]
            while waiting:
                jump = waiting.pop()
                further = [
                    CheckersMove((*jump.path, far), tuple(sorted((*jump.captured, near))))
                    for _, near, far in ways(jump.end, self.to_move, king)
                    if far
                    and WORD[near] & theirs
                    and near not in jump.captured
                    and (WORD[far] & empty or far == square)
                ]
                waiting += further
                if jump.captured and (unfinished or not further):
                    yield jump

    @cached_property
    def possible_moves(self) -> tuple[CheckersMove, ...]:
        """The moves that the board allows, even if the game is over by a draw."""
        jumps = sorted(self.jumps())
        if not jumps:
            return tuple(self.steps())
        first: dict[tuple[int, int, tuple[int, ...]], CheckersMove] = {}
        for jump in jumps:
            first.setdefault((jump.start, jump.end, jump.captured), jump)
        return tuple(first.values())

    @cached_property
    def _outcome(self) -> Outcome | None:
        ours, game = self.to_move, self.game
        theirs = game.other(ours)
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
        from clauseboard.games.checkers.drawing import text_board

        return text_board(self)


@dataclass(frozen=True, repr=False)
class Checkers(Game):
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
        if self.blocked not in ("loss", "draw"):
            raise ValueError(f"blocked={self.blocked!r} is neither 'loss' nor 'draw'.")
        for name, least in (("quiet_moves", 1), ("repetitions", 2), ("max_moves", 1)):
            value = getattr(self, name)
            whole = isinstance(value, int) and not isinstance(value, bool)
            if value is not None and not (whole and value >= least):
                raise ValueError(
                    f"{name}={value!r} is no whole number from {least} on; None means never."
                )

    def start(self) -> CheckersPosition:
        """Twelve men each, and black to move."""
        return CheckersPosition(self, BLACK_START, WHITE_START, 0)

    def read_move(self, position: CheckersPosition, text: str) -> CheckersMove:
        """The legal move that a text means: "11-15", "15x24", "15x22x29"."""
        from clauseboard.games.checkers import notation

        return notation.read_move(position, text)

    def write_move(self, position: CheckersPosition, move: CheckersMove) -> str:
        """A legal move as text, short where that is enough."""
        from clauseboard.games.checkers import notation

        return notation.write_move(position, move)

    def read_position(self, text: str) -> CheckersPosition:
        """The position that a FEN describes: "B:W18,24,K27:B1,2,K3"."""
        from clauseboard.games.checkers import notation

        return notation.read_position(self, text)

    def write_position(self, position: CheckersPosition) -> str:
        """A position as FEN, without the moves that led there."""
        from clauseboard.games.checkers import notation

        return notation.write_position(position)

    def bits(self) -> tuple[Bit, ...]:
        """Black men on 1 to 32, black kings, white men, white kings."""
        from clauseboard.games.checkers import encoding

        return encoding.BITS

    def encode(
        self, positions: Iterable[CheckersPosition], view: str = "board"
    ) -> NDArray[np.uint8]:
        """Boards as 0 and 1, positions × 128."""
        from clauseboard.games.checkers import encoding

        return encoding.encode(positions, view)

    def perft(self, position: CheckersPosition, depth: int) -> int:
        """How many sequences of `depth` moves there are, as the published counts have it.

        Draws by counting moves or boards are not seen, and ways round a ring that take the same
        pieces count each, though they are one move elsewhere.
        """
        from clauseboard.games.checkers import kernels

        check_depth(depth)
        black, white, kings = (np.uint64(word) for word in position.board)
        side = self.colours.index(position.to_move)
        return int(kernels.perft(black, white, kings, side, depth, True))

    def decode(self, row: NDArray[np.uint8], to_move: str) -> CheckersPosition:
        """The position that a row of 128 bits shows."""
        from clauseboard.games.checkers import encoding

        return encoding.decode(self, row, to_move)

    def draw(self, position: CheckersPosition | None = None, **marks: Any) -> str:
        """A picture (SVG) of a position, or of an empty board; see `games.drawing.Marks`."""
        from clauseboard.games.checkers import drawing

        return drawing.draw(position, **marks)

    def text(
        self, position: CheckersPosition | None = None, *, colour: bool = False, **marks: Any
    ) -> str:
        """A position, or an empty board, as text with marks; see `games.drawing`."""
        from clauseboard.games.checkers import drawing

        return drawing.text_board(position, colour=colour, **marks)
