"""Whole boards typed or pasted as text, each one move after the last.

A board is eight rows of four digits, staggered as the squares are: 0 is an empty square, 1 a black
man, 2 a black king, 3 a white man, 4 a white king; an x before a digit marks a square that has
changed. Or it is a FEN, as CheckerBoard copies it: `B:W21,22,...:B1,2,...`.

A board that is not one legal move after the last is refused with the reason.
"""

from __future__ import annotations

import re

from clauseboard.game import IllegalMoveError, UnreadableError
from clauseboard.games.checkers.board import SQUARES, WORD, fault
from clauseboard.games.checkers.notation import read_position, write_position
from clauseboard.games.checkers.rules import Board, CheckersMove, CheckersPosition

DIGITS = {None: "0", "black man": "1", "black king": "2", "white man": "3", "white king": "4"}
_PIECES = {digit: piece for piece, digit in DIGITS.items()}


def write_digits(position: CheckersPosition, before: CheckersPosition | None = None) -> str:
    """A board in digits, with the squares marked that have changed since another position.

    >>> from clauseboard.game import load_game
    >>> start = load_game("checkers").start()
    >>> after = start.play(start.read_move("11-15"))
    >>> print("\\n".join(write_digits(after, start).splitlines()[1:5]))
    1  1  1  1
     1  1  x0  1
    0  0  x1  0
     0  0  0  0
    """
    rows = []
    for line in range(8):
        cells = []
        for square in range(4 * line + 1, 4 * line + 5):
            piece = position.piece_on(square)
            mark = "x" if before is not None and before.piece_on(square) != piece else ""
            cells.append(mark + DIGITS[piece])
        rows.append(("" if line % 2 else " ") + "  ".join(cells))
    return "\n".join(rows)


def read_digits(text: str) -> Board:
    """The three words of a board in digits; how it is spaced does not matter."""
    rows = [re.findall(r"\S+", line) for line in text.splitlines() if line.strip()]
    if len(rows) != 8:
        raise UnreadableError(_no_board(f"it has {len(rows)} rows, not 8."))
    black = white = kings = 0
    for number, cells in enumerate(rows):
        digits = re.findall(r"[xX]?(\d)", "".join(cells))
        if not re.fullmatch(r"([xX]?[0-4]){4}", "".join(cells)):
            raise UnreadableError(_no_board(f"row {number + 1} is not four digits from 0 to 4."))
        for square, digit in enumerate(digits, 4 * number + 1):
            piece = _PIECES[digit] or ""
            black |= WORD[square] if piece.startswith("black") else 0
            white |= WORD[square] if piece.startswith("white") else 0
            kings |= WORD[square] if piece.endswith("king") else 0
    wrong = fault(black, white, kings)
    if wrong:
        raise UnreadableError(_no_board(wrong))
    return black, white, kings


def read_next_board(position: CheckersPosition, text: str) -> CheckersMove:
    """The move that leads from a position to a board, in digits or as FEN."""
    ours, theirs = position.to_move, position.game.other(position.to_move)
    here = write_position(position)
    try:
        after = (
            read_position(position.game, text)
            if ":" in text
            else CheckersPosition(position.game, *read_digits(text), to_move=theirs)
        )
    except UnreadableError as error:
        raise UnreadableError(error.problem, position=here) from None
    if after.board != position.board and after.to_move == ours:
        raise IllegalMoveError(
            f"After {ours}'s move it is {theirs}'s turn, but {text.strip()!r} says {ours}'s.",
            position=here,
        )
    for move in position.moves():
        if position.after(move).board == after.board:
            return move
    raise IllegalMoveError(_why_no_move(position, after.board), position=here)


def changed_squares(before: Board, after: Board) -> list[int]:
    """The squares that differ between two boards."""
    changed = 0
    for one, other in zip(before, after, strict=True):
        changed |= one ^ other
    return [square for square in SQUARES if changed & WORD[square]]


def _why_no_move(position: CheckersPosition, board: Board) -> str:
    """Why a board is not one legal move away."""
    ours = position.to_move
    outcome = position.outcome()
    if outcome is not None:
        return f"The game is over ({outcome}); there is no board after this one."
    changed = changed_squares(position.board, board)
    if not changed:
        return f"Nothing has changed on the board, and it is {ours}'s turn."
    where = f"The board differs on {', '.join(map(str, changed))}"
    allowed = ", ".join(position.write_move(move) for move in position.moves())
    for move in (*position.steps(), *position.jumps(unfinished=True)):
        if position.after(move).board == board:
            must = "the jump must go on" if move.captured else f"{ours} must jump"
            return f"{where}, as after {move}, but {must}: {allowed}."
    theirs = CheckersPosition(
        position.game, *position.board, to_move=position.game.other(position.to_move)
    )
    for move in theirs.possible_moves:
        if theirs.after(move).board == board:
            return f"{where}, as after {theirs.to_move}'s {move}, but it is {ours}'s turn."
    return f"{where}, which no move of {ours} does; it may play {allowed}."


def _no_board(problem: str) -> str:
    return f"This is not a board of checkers: {problem}"
